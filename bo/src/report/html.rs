//! HTML: text and numbers as a page may hold them.

use crate::flights::held_out::Losses;
use crate::flights::verdict::Judgement;
pub use plots::document::escape;
use serde::Serialize;

/// JSON as it may stand within a script element: nothing in it can end the element or open a
/// comment.
pub fn json_for_script(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// A length to the millimetre: "0.306".
pub fn metres(value: f64) -> String {
    format!("{value:.3}")
}

/// A difference to the millimetre, with its sign: "−0.099".
pub fn signed(value: f64) -> String {
    let text = format!("{:.3}", value.abs());
    // What rounds to nothing has no sign.
    match (value < 0.0, text == "0.000") {
        (_, true) => text,
        (true, _) => format!("−{text}"),
        (false, _) => format!("+{text}"),
    }
}

/// The difference of the error over the winds that both gains completed, "−0.099 [−0.113, −0.085]".
pub fn difference(judgement: &Judgement) -> String {
    let error = judgement.error_m.as_ref();
    error.map_or("no wind was completed by both".to_owned(), |error| {
        error.range(signed)
    })
}

/// "1 of 200; probability below 2.4 %".
pub fn lost(losses: &Losses) -> String {
    let Losses {
        lost,
        flights,
        at_most,
    } = losses;
    format!(
        "{lost} of {flights}; probability below {}",
        percent(*at_most)
    )
}

/// As [`lost`], for a table whose head says what the percentage is: "1 of 200, 2.4 %".
pub fn lost_in_table(losses: &Losses) -> String {
    let bound = percent(losses.at_most);
    format!("{} of {}, {bound}", losses.lost, losses.flights)
}

/// A share of one as a percentage with one decimal: "14.3 %".
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A gain with four significant digits, without an exponent where it is of ordinary size.
pub fn gain(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-5..1e6).contains(&value.abs()) {
        return format!("{value:.3e}");
    }
    let before = value.abs().log10().floor() as i32;
    format!("{value:.*}", (3 - before).clamp(0, 8) as usize)
}

/// As [`gain`], without zeros at the end: what people chose, not what a search found.
pub fn short(value: f64) -> String {
    let text = gain(value);
    if !text.contains('.') || text.contains('e') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `count` with its noun in the right number.
pub fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

/// `value` as JSON within a script element of class `class`.
pub fn data(class: &str, value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("plain numbers and text are JSON");
    let json = json_for_script(&json);
    format!("<script type=\"application/json\" class=\"{class}\">{json}</script>\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_text_gets_out_of_its_place(text in any::<String>()) {
            let safe = escape(&text);
            prop_assert!(!safe.contains(['<', '>', '"', '\'']));
            let json = serde_json::to_string(&text).expect("text is JSON");
            let placed = json_for_script(&json);
            prop_assert!(!placed.contains('<'));
            let back: String = serde_json::from_str(&placed).expect("still JSON");
            prop_assert_eq!(back, text);
        }
    }

    #[test]
    fn numbers_read_as_people_write_them() {
        assert_eq!(signed(-0.0991), "−0.099");
        assert_eq!(signed(0.02), "+0.020");
        assert_eq!(signed(-0.0002), "0.000");
        assert_eq!(gain(7.926_123), "7.926");
        assert_eq!(gain(0.033_01), "0.03301");
        assert_eq!(gain(12.511_4), "12.51");
        assert_eq!(gain(0.0), "0");
        let texts = [6.0, 0.02, 30.0, 1_200.0, 0.0].map(short);
        assert_eq!(texts, ["6", "0.02", "30", "1200", "0"]);
        assert_eq!(percent(0.1434), "14.3 %");
        assert_eq!(
            lost(&Losses::of(0, 200)),
            "0 of 200; probability below 1.5 %"
        );
        assert_eq!(
            (counted(1, "flight"), counted(0, "flight")),
            ("1 flight".into(), "0 flights".into())
        );
    }
}
