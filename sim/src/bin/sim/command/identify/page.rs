//! Page: what was identified, as a file that a browser shows without a network.

use super::FROM_NO_LOG;
use super::text::{
    PREDICTED, PREDICTION, advice, cells, next, predicted, summary, untold, warnings,
};
use crate::args::IdentifyArgs;
use plots::document::{Document, escape, titled, titled_table};
use plots::{CurveKind, CurvesPicture, IntervalPanel, IntervalsPicture, MarkedCurve};
use shell::terminal::word;
use sim::Airframe;
use sim::identify::{Identified, Predicted, Unused, Used};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What tells what.
const FLIGHTS: &str = "<ul><li>A hover: hover command, thrust; with the accelerometer logged</li>\n\
    <li>A figure-8 at 2 to 3 m/s in still air: also drag, roll gain; with attitude and velocity logged</li>\n\
    <li>Doublets and a figure-8: nearly all</li></ul>\n\
    <p><code>sim template manoeuvre --airframe my.toml</code> flies doublets in simulation first. Fly them high and clear of people.</p>\n";

/// How stretches are drawn: colours of the style sheet.
const FATES: [(Option<Unused>, &str); 5] = [
    (None, "series-0"),
    (Some(Unused::Ground), "shadow"),
    (Some(Unused::Struck), "loss"),
    (Some(Unused::Gap), "series-4"),
    (Some(Unused::Spare), "series-5"),
];

/// Times between the numbers of an axis [s].
const TICKS_S: [f64; 7] = [1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1200.0];

/// The page.
pub(super) fn page(args: &IdentifyArgs, nominal: &Airframe, found: &Identified) -> String {
    let warned = list(&warnings(found));
    let (contents, body) = titled(&[
        ("Parts of the logs", found.logs.iter().map(part).collect()),
        ("Estimates", estimates(nominal, found)),
        ("Prediction of another log", prediction(found)),
        ("What to fly next", FLIGHTS.to_owned()),
        (
            "Left out of the model",
            format!("<p>{FROM_NO_LOG}</p>\n{warned}"),
        ),
    ]);
    Document {
        title: &format!("Windhover identification: {}", nominal.name),
        head: "",
        first: &first(args, nominal, found, &warned),
        contents: &contents,
        body: &body,
        scripts: &[],
    }
    .html()
}

/// What the first screen shows.
fn first(args: &IdentifyArgs, nominal: &Airframe, found: &Identified, warned: &str) -> String {
    let count = found.estimates.iter().filter(|e| e.is_known());
    let verdict = match found.order {
        None => "The median command alone is told".to_owned(),
        Some(_) => format!(
            "{} of {} properties told",
            count.count(),
            found.estimates.len()
        ),
    };
    let mut untold = list(&untold(found));
    if !untold.is_empty() {
        let advice = advice(found);
        untold = format!("<p>Cannot be told:</p>\n{untold}<p class=\"next\">{advice}</p>\n");
    }
    let typed = match &args.out {
        _ if found.order.is_none() => "sim template manoeuvre".to_owned(),
        Some(out) => next(found, out),
        None => written_too(args),
    };
    let vehicle = found.logs[0].about.vehicle.as_deref();
    format!(
        "<section class=\"card\">\n<h1><b class=\"word\">{verdict}</b> {}</h1>\n\
         <p>Nominal: {} rotors, {} kg. The log names {}. Used: {:.1} s of flight.</p>\n{warned}{untold}\
         <p class=\"next\">In a terminal:</p>\n<pre>{}</pre>\n</section>\n",
        escape(&nominal.name),
        nominal.rotors.count(),
        nominal.mass_kg,
        escape(vehicle.unwrap_or("no vehicle")),
        found.logs.iter().map(|log| log.time_s(None)).sum::<f64>(),
        escape(&typed)
    )
}

/// The command with which the airframe is written too.
fn written_too(args: &IdentifyArgs) -> String {
    let mut typed = String::from("sim identify");
    for log in &args.logs {
        let _ = write!(typed, " {}", word(log));
    }
    if let Some(airframe) = &args.airframe {
        let _ = write!(typed, " --airframe {}", word(airframe));
    }
    for (flag, value) in [("mass-kg", args.mass_kg), ("arm-m", args.arm_m)] {
        if let Some(value) = value {
            let _ = write!(typed, " --{flag} {value}");
        }
    }
    typed + " --out my.toml"
}

fn list(lines: &[String]) -> String {
    let items = lines
        .iter()
        .map(|line| format!("<li>{}</li>\n", escape(line)));
    let items: String = items.collect();
    match items.is_empty() {
        true => items,
        false => format!("<ul>\n{items}</ul>\n"),
    }
}

/// A drawing and what it shows.
fn figure(drawing: Result<String, plots::Error>, caption: &str) -> String {
    let drawing = drawing.unwrap_or_else(|error| escape(&format!("Not drawn: {error}.")));
    format!("<figure>{drawing}<figcaption>{caption}</figcaption></figure>\n")
}

/// A log: what it is, and its stretches over time. Places are percentages, so that the letters of the drawing do not
/// shrink on a narrow page.
fn part(log: &Used) -> String {
    let lasts_s = log.about.duration_s.max(1e-9);
    let place = |time_s: f64| (100.0 * time_s / lasts_s).clamp(0.0, 100.0);
    let (mut marks, mut keys, mut drawn) = (String::new(), String::new(), BTreeSet::new());
    for (unused, colour) in FATES {
        let name = unused.map_or("used", Unused::said);
        let alike = (log.timeline.iter()).filter(|stretch| stretch.unused == unused);
        for [from, to] in alike.map(|stretch| stretch.span_s.map(place)) {
            // Of stretches that nobody could tell from each other one is drawn, so that the page stays small.
            if drawn.insert((colour, [from, to].map(|x| (10.0 * x) as u32))) {
                let wide = (to - from).max(0.2);
                let _ = writeln!(
                    marks,
                    "<rect x=\"{from:.2}%\" width=\"{wide:.2}%\" height=\"26\" style=\"fill:var(--{colour})\"/>"
                );
            }
        }
        let time_s = log.time_s(unused);
        if time_s > 0.0 {
            keys += &format!(
                "<li style=\"color:var(--{colour})\"><span style=\"color:var(--ink)\">{name} {time_s:.1} s</span></li>\n"
            );
        }
    }
    let few = |step_s: &f64| lasts_s / step_s <= 7.0;
    let step_s = TICKS_S.into_iter().find(few).unwrap_or(lasts_s / 5.0);
    for k in 0..=(lasts_s / step_s) as u32 {
        let time_s = f64::from(k) * step_s;
        let x = place(time_s);
        let anchor = ["start", "middle", "end"][usize::from(x > 3.0) + usize::from(x > 97.0)];
        let _ = writeln!(
            marks,
            "<rect x=\"{x:.2}%\" y=\"26\" width=\"1\" height=\"6\" style=\"fill:var(--ink)\"/>\
             <text x=\"{x:.2}%\" y=\"46\" text-anchor=\"{anchor}\" style=\"fill:var(--ink)\">{time_s:.0}</text>"
        );
    }
    let (name, said) = (escape(&log.name), escape(&summary(log)));
    format!(
        "<h3 style=\"overflow-wrap:anywhere\">{name}</h3>\n<p>{said}</p>\n<figure style=\"max-width:none\">\
         <svg role=\"img\" aria-label=\"Stretches of {name}: {said}\" style=\"height:50px;font-size:13px\">\n{marks}</svg>\
         <figcaption>time in the log [s]</figcaption></figure>\n<ul class=\"keys\">\n{keys}</ul>\n"
    )
}

fn estimates(nominal: &Airframe, found: &Identified) -> String {
    let rows = found.estimates.iter().map(|estimate| {
        let mut row = cells(estimate);
        if let Some(why) = &estimate.not_told {
            row[1].clear();
            row[2] = format!(
                "<span class=\"unclear why\">not told: {}</span>",
                escape(why)
            );
        }
        row
    });
    let head = format!("nominal ({})", escape(&nominal.name));
    let titles = ["", "told", "90 % interval", "unit", &head];
    let table = titled_table("What the logs tell", &titles, rows.collect());
    intervals(found) + &table
}

/// Each property over its nominal value.
fn intervals(found: &Identified) -> String {
    let drawn_as = |mean, low, high| Some(plots::Estimate { mean, low, high });
    let (mut names, mut drawn) = (Vec::new(), Vec::new());
    for estimate in &found.estimates {
        let Some(usual) = estimate.nominal.filter(|usual| *usual != 0.0) else {
            continue;
        };
        let [a, b] = estimate.interval.map(|end| end / usual);
        let ratio = drawn_as(estimate.mean / usual, a.min(b), a.max(b));
        names.push(estimate.name);
        drawn.push([ratio.filter(|_| estimate.is_known()), None]);
    }
    let drawing = plots::svg(&IntervalsPicture {
        title: "Properties over their nominal values, with 90 % intervals",
        x_name: "over the nominal value",
        columns: &[""],
        rows: &[""],
        methods: &names,
        marks: ["told", ""],
        colours: [0, 1],
        references: &["nominal"],
        judged_against: Some(0),
        panels: &[IntervalPanel {
            estimates: &drawn,
            references: &[drawn_as(1.0, 1.0, 1.0)],
        }],
        held: &[],
    });
    figure(drawing, "What has no nominal value is in the table alone.")
}

fn prediction(found: &Identified) -> String {
    let mut figures = String::new();
    for rows in found.predicted.chunk_by(|a, b| a.axis == b.axis) {
        let points = |of: &dyn Fn(&Predicted) -> Option<f64>| -> Vec<[f64; 2]> {
            let points = rows.iter().map(|row| Some([row.ahead_s, of(row)?]));
            points.flatten().collect()
        };
        let points = [
            points(&|row| Some(row.identified_rad_s)),
            points(&|row| row.nominal_rad_s),
            points(&|row| row.regression_rad_s),
            points(&|row| Some(row.hold_rad_s)),
        ];
        let curves = PREDICTED[2..]
            .iter()
            .zip(points)
            .map(|(label, points)| MarkedCurve {
                label: (*label).to_owned(),
                points,
                peak: None,
                settled: None,
            });
        let title = format!(
            "Error of predicting the {} rate by time ahead",
            rows[0].axis
        );
        let drawing = plots::svg(&CurvesPicture {
            title: &title,
            kind: CurveKind::Amplitudes,
            names: ["time ahead [s]", "error, root mean square [rad/s]"],
            peak_name: "",
            curves: &curves
                .filter(|curve| !curve.points.is_empty())
                .collect::<Vec<_>>(),
        });
        figures += &figure(drawing, &title);
    }
    if !figures.is_empty() {
        let table = titled_table(PREDICTION, &PREDICTED, predicted(found));
        figures = format!("<div class=\"figures\">{figures}</div>\n{table}");
        figures += "<p>Regression: accelerations on the commands by least squares, without delay or lag. Hold: a rate that stays as it is. In its 50 %: within what half of the errors in the fitted logs stay within.</p>\n";
    }
    figures
}
