//! Words: the figures of a check as rows of a table, and the whole of it as a page.

use super::Checked;
use super::figures::Side;
use crate::report::html::escape;

impl Checked {
    /// Both sides, a row for each figure: its name, the baseline's, the tune's.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let figures = &self.figures;
        let both = |name: &str, of: &dyn Fn(&Side) -> String| {
            let (old, new) = (of(&figures.baseline), of(&figures.tune));
            vec![name.to_owned(), old, new]
        };
        let metres = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{x:.3} m"));
        let margin = |x: Option<&(f64, String)>, unit: &str| match x {
            Some((value, of)) => format!("{value:.2}{unit} ({of})"),
            None => "-".to_owned(),
        };
        vec![
            both("lost in simulation", &|side| {
                format!("{} of {}", side.lost, side.flights)
            }),
            both("probability of a loss", &Side::loss_percent),
            both("ACE, median", &|side| metres(side.ace_m[0])),
            both("ACE at 95 %", &|side| metres(side.ace_m[2])),
            both("heading off, at 95 %", &|side| {
                format!("{:.0} deg", side.heading_deg)
            }),
            both("rotor saturated", &|side| {
                format!("{:.2} %", 100.0 * side.rotor_saturation)
            }),
            both("motor activity, full ranges", &|side| {
                format!("{:.2} 1/s", side.motor_travel_per_s)
            }),
            both("strongest oscillation", &|side| match &side.oscillation {
                Some(o) => format!(
                    "{:.1} Hz {}, {:.1} deg/s",
                    o.frequency_hz, o.axis, o.amplitude_deg_s
                ),
                None => "-".to_owned(),
            }),
            both("slowest mode decays", &|side| match &side.mode {
                Some(mode) => {
                    format!("{:.3} 1/s, {:.1} Hz", -mode.growth_per_s, mode.frequency_hz)
                }
                None => "-".to_owned(),
            }),
            both("gain margin", &|side| {
                margin(side.margins.as_ref().and_then(|m| m.gain_up.as_ref()), "x")
            }),
            both("phase margin", &|side| {
                margin(
                    side.margins.as_ref().and_then(|m| m.phase_deg.as_ref()),
                    " deg",
                )
            }),
            both("delay margin", &|side| {
                margin(
                    side.margins.as_ref().and_then(|m| m.delay_ms.as_ref()),
                    " ms",
                )
            }),
            both("disk margin", &|side| {
                margin(side.margins.as_ref().and_then(|m| m.disk.as_ref()), "")
            }),
        ]
    }

    /// A page that needs nothing else: the two lines of `heading`, the reasons, what was judged, what was not
    /// simulated, and the figures.
    pub fn page(&self, heading: &[String; 2]) -> String {
        let [headline, flown] = heading.each_ref().map(|line| escape(line));
        let items = |lines: &mut dyn Iterator<Item = String>| {
            lines
                .map(|line| format!("<li>{}</li>\n", escape(&line)))
                .collect::<String>()
        };
        let warned = self
            .concerns
            .iter()
            .map(|c| format!("Before you believe it: {c}"));
        let judged = items(&mut self.judged.iter().cloned());
        let limits = items(&mut self.not_modelled.iter().cloned().chain(warned));
        let mut said = self
            .reasons
            .iter()
            .map(|r| format!("{}: {}", r.asks.words(), r.said));
        let reasons = match self.reasons.is_empty() {
            true => "<li>nothing that was read speaks against it</li>\n".to_owned(),
            false => items(&mut said),
        };
        let cells = |row: Vec<String>| {
            let cells = row.iter().map(|cell| format!("<td>{}</td>", escape(cell)));
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let rows: String = self.rows().into_iter().map(cells).collect();
        format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n<title>{headline}</title>\n\
             <style>{STYLE}</style>\n<h1>{headline}</h1>\n<ul>\n{reasons}</ul>\n<h2>What was judged</h2>\n<ul>\n{judged}</ul>\n\
             <p>{flown}</p>\n<h2>What was not simulated</h2>\n<ul>\n{limits}</ul>\n<h2>Figures, in simulation</h2>\n\
             <table>\n<tr><th></th><th scope=\"col\">baseline</th><th scope=\"col\">tune</th></tr>\n\
             {rows}</table>\n</html>\n"
        )
    }
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere;\
    color-scheme:light dark}table{border-collapse:collapse}td,th{border-bottom:1px solid #888;\
    padding:.2rem .8rem;text-align:left}";
