//! Clock: dates and times of day as loggers write them.

/// A day [s].
pub(super) const DAY_S: f64 = 86_400.0;

/// The time of `YYYY-MM-DD hh:mm:ss`, `DD.MM.YYYY hh:mm:ss` or `hh:mm:ss` since a fixed day [s]. Of a date
/// with slashes day and month cannot be told apart.
pub(super) fn clock_s(text: &str) -> Option<f64> {
    let text = text.trim().trim_end_matches(['Z', 'z']);
    let (date, time) = match text.split_once([' ', 'T', 't']) {
        Some((date, time)) => (Some(date), time.trim()),
        None => (None, text),
    };
    let day = date.map_or(Some(0.0), day_of)?;
    let mut parts = time.split(':');
    let mut part = |most: f64| -> Option<f64> {
        let number: f64 = parts.next()?.parse().ok()?;
        (0.0..most).contains(&number).then_some(number)
    };
    let (hours, minutes) = (part(24.0)?, part(60.0)?);
    let seconds = part(60.0);
    // What is there must be read.
    let whole = parts.next().is_none() && (seconds.is_some() || time.matches(':').count() == 1);
    whole.then_some(DAY_S * day + 3600.0 * hours + 60.0 * minutes + seconds.unwrap_or(0.0))
}

/// Days from 1 March of year 0 to 1970.
const BEFORE_1970: i64 = 719_468;

/// Days since 1970 of a date.
fn day_of(date: &str) -> Option<f64> {
    let (parts, year_first) = match date.contains('.') {
        true => (date.split('.').collect::<Vec<_>>(), false),
        false => (date.split('-').collect(), true),
    };
    let numbers: Vec<i64> = parts
        .iter()
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    let [first, month, last] = numbers[..] else {
        return None;
    };
    let (year, day) = if year_first {
        (first, last)
    } else {
        (last, first)
    };
    if !(1900..=2999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years begin in March: a leap day is the last of its year.
    let (year, month) = if month < 3 {
        (year - 1, month + 9)
    } else {
        (year, month - 3)
    };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    Some((days - BEFORE_1970) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_dates_differ_by_the_time_between_them() {
        let between = |a: &str, b: &str| clock_s(b).expect("a time") - clock_s(a).expect("a time");
        assert_eq!(clock_s("1970-01-01 00:00:00"), Some(0.0));
        assert_eq!(clock_s("2026-11-27 20:00:00"), Some(1_795_809_600.0));
        assert_eq!(between("14:00:00", "14:01:30.25"), 90.25);
        assert_eq!(between("2026-05-03 14:00", "2026-05-03T14:01Z"), 60.0);
        assert_eq!(between("2026-12-31 23:59:59", "2027-01-01 00:00:00"), 1.0);
        assert_eq!(
            between("2024-02-28 00:00:00", "2024-03-01 00:00:00"),
            2.0 * DAY_S
        );
        assert_eq!(between("2100-02-28 00:00:00", "2100-03-01 00:00:00"), DAY_S);
        assert_eq!(between("03.05.2026 00:00:00", "2026-05-04 00:00:00"), DAY_S);
        for none in [
            "",
            "14",
            "14:60:00",
            "24:00:00",
            "05/03/2026 14:00:00",
            "2026-13-01 00:00:00",
            "1:2:3:4",
            "14:00:x",
        ] {
            assert_eq!(clock_s(none), None, "{none}");
        }
    }
}
