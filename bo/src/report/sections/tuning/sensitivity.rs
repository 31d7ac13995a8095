//! How much each gain matters.

use crate::report::analysis::sensitivity::FACTORS;
use crate::report::html::escape;
use crate::report::sections::figures;
use crate::report::{Report, charts};

/// Each gain turned by itself.
pub fn sensitivity(report: &Report) -> String {
    let turned = &report.turned;
    let mut text = String::new();
    let mut drawings = Vec::new();
    for (domain, test) in report.recorded.default.tests.iter().enumerate() {
        let told = turned.iter().filter(|t| t.domain == domain);
        let told = told.filter(|t| t.difference.high() < 0.0 || t.difference.low() > 0.0);
        let words: Vec<String> = told
            .map(|t| {
                let sense = if t.difference.mean < 0.0 {
                    "better"
                } else {
                    "worse"
                };
                let percent = 100.0 * (FACTORS[t.factor] - 1.0);
                let lost = if t.lost > 0 {
                    format!(", {} lost", t.lost)
                } else {
                    String::new()
                };
                let name = escape(report.knobs[t.knob].gain.name);
                format!("<code>{name}</code> {percent:+.0} % is {sense}{lost}").replace(" -", " −")
            })
            .collect();
        let wind = escape(&test.domain);
        text += &match words.len() {
            0 => format!(
                "<p>In {wind} wind no change of ±20 % makes a difference that can be told.</p>\n"
            ),
            _ => format!(
                "<p>In {wind} wind a difference can be told for: {}.</p>\n",
                words.join("; ")
            ),
        };
        let svg = charts::sensitivity(turned, &report.knobs, domain, &test.domain);
        drawings.push((svg, format!("{wind} wind.")));
    }
    text += &figures(&drawings);
    text + &format!(
        "<p>Each recommended gain is turned by −20 % and +20 % by itself and flown in the first {} held-out winds of \
         each domain; shown is the change of ACE against the recommended gains in the same winds. The {} intervals \
         hold together with 95 % confidence (Bonferroni). The bounds of the search do not apply here.</p>\n",
        report.flown.winds,
        turned.len()
    )
}
