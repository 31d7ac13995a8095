//! Axis: from values to places, and the round values at which it is divided.

/// One axis.
#[derive(Debug, Clone)]
pub struct Axis {
    /// Its name, with the unit.
    pub name: String,
    /// What it shows.
    pub kind: Kind,
}

/// What an axis shows.
#[derive(Debug, Clone)]
pub enum Kind {
    /// Numbers, by equal differences.
    Linear([f64; 2]),
    /// Positive numbers, by equal ratios.
    Log([f64; 2]),
    /// Named rows, the first on top; row k is at k.
    Rows(Vec<String>),
}

impl Axis {
    /// An axis of numbers between the ends of `values`, with a little room.
    pub fn around(name: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let [low, high] = ends(values);
        let room = 0.06 * (high - low).max(1e-9);
        Axis {
            name: name.to_owned(),
            kind: Kind::Linear([low - room, high + room]),
        }
    }

    /// A logarithmic axis between the ends of the positive `values`, with a little room.
    pub fn log_around(name: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let [low, high] = ends(values.into_iter().filter(|v| *v > 0.0));
        // Nothing to show still needs an axis, and 0 has no place on this one.
        let low = if low > 0.0 { low } else { 0.1 * high };
        Axis {
            name: name.to_owned(),
            kind: Kind::Log([low / 1.1, high * 1.1]),
        }
    }

    /// An axis of numbers from `low` to `high`.
    pub fn linear(name: &str, low: f64, high: f64) -> Axis {
        Axis {
            name: name.to_owned(),
            kind: Kind::Linear([low, high]),
        }
    }

    /// An axis of rows.
    pub fn rows(rows: Vec<String>) -> Axis {
        Axis {
            name: String::new(),
            kind: Kind::Rows(rows),
        }
    }

    /// Where `value` lies, from 0 to 1.
    pub(super) fn place(&self, value: f64) -> f64 {
        match &self.kind {
            Kind::Linear([low, high]) => (value - low) / (high - low),
            Kind::Log([low, high]) => (value / low).ln() / (high / low).ln(),
            Kind::Rows(rows) => 1.0 - (value + 0.5) / rows.len() as f64,
        }
    }

    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        match &self.kind {
            Kind::Linear([low, high]) => linear_ticks(*low, *high),
            Kind::Log([low, high]) => log_ticks(*low, *high),
            Kind::Rows(rows) => rows
                .iter()
                .enumerate()
                .map(|(k, row)| (k as f64, row.clone()))
                .collect(),
        }
    }
}

/// Least and greatest of the finite values; 0 and 1 where there is none, a little apart where
/// there is one.
fn ends(values: impl IntoIterator<Item = f64>) -> [f64; 2] {
    let finite = values.into_iter().filter(|v| v.is_finite());
    let [low, high] = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| {
        [low.min(v), high.max(v)]
    });
    match (low <= high, low < high) {
        (false, _) => [0.0, 1.0],
        (true, true) => [low, high],
        (true, false) => [
            low - 0.1 * low.abs().max(1e-3),
            high + 0.1 * high.abs().max(1e-3),
        ],
    }
}

fn linear_ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let raw = (high - low) / 5.0;
    let decade = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * decade);
    let step = step.into_iter().find(|s| *s >= raw * 0.999).unwrap_or(raw);
    let digits = (-(step.log10().floor() as i32)).clamp(0, 9) as usize;
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    let label = |k: i64| {
        let text = format!("{:.digits$}", (k as f64 * step).abs());
        let minus = if k < 0 { "−" } else { "" };
        (k as f64 * step, format!("{minus}{text}"))
    };
    (first..=last).map(label).collect()
}

fn log_ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let decades = (high / low).log10();
    let mantissas: &[f64] = match decades {
        d if d < 0.5 => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],
        d if d < 1.6 => &[1.0, 2.0, 3.0, 5.0],
        d if d < 3.0 => &[1.0, 3.0],
        _ => &[1.0],
    };
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let all = (first..=last).flat_map(|d| mantissas.iter().map(move |m| (d, m * 10f64.powi(d))));
    let inside = all.filter(|(_, v)| (low..=high).contains(v));
    let label = |(decade, value): (i32, f64)| {
        let digits = (-decade + i32::from((value / 10f64.powi(decade)).fract() > 0.1)).clamp(0, 9);
        (value, format!("{value:.*}", digits as usize))
    };
    inside.map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        let labels = |ticks: Vec<(f64, String)>| ticks.into_iter().map(|t| t.1).collect::<Vec<_>>();
        assert_eq!(
            labels(linear_ticks(-0.12, 0.05)),
            ["−0.10", "−0.05", "0.00", "0.05"]
        );
        assert_eq!(labels(linear_ticks(0.0, 110.0)), ["0", "50", "100"]);
        assert_eq!(
            labels(log_ticks(0.14, 2.1)),
            ["0.2", "0.3", "0.5", "1", "2"]
        );
        assert_eq!(labels(log_ticks(0.5, 100.0)), ["1", "3", "10", "30", "100"]);
        assert_eq!(labels(log_ticks(1e-4, 1e2)).len(), 7);
    }

    #[test]
    fn nothing_and_one_value_still_make_an_axis() {
        assert_eq!(ends([]), [0.0, 1.0]);
        assert_eq!(ends([f64::NAN, 2.0]), [1.8, 2.2]);
        let [low, high] = ends([0.0]);
        assert!(low < high);
        let empty = Axis::log_around("", []);
        assert!(!empty.ticks().is_empty());
        assert!((0.0..1.0).contains(&empty.place(0.5)));
    }
}
