//! Flights: how the gains fly that the run began and ended with.

use crate::flights::held_out::Test;
use crate::report::analysis::oscillation::{AXES, DISTINCT, HIGHEST_HZ, LOWEST_HZ, SEGMENT};
use crate::report::analysis::paths::Paths;
use crate::report::analysis::recording::Recording;
use crate::report::analysis::replays::{Flown, SAMPLE_S, WithGains};
use crate::report::html::{counted, data, escape, lost, metres, percent};
use crate::report::sections::{figures, table, wide_figure};
use crate::report::{Report, charts};
use crate::statistics::median;
use serde::Serialize;

/// What the scripts are given.
#[derive(Serialize)]
struct Flights<'a> {
    /// Names of the domains.
    domains: Vec<&'a str>,
    /// Default and recommended gains in each of them.
    flights: Vec<[&'a Recording; 2]>,
    /// Hubs of the rotors in body axes [m].
    rotors_m: &'a [[f64; 3]],
    /// Ends of the rotors' range [rad/s].
    rotor_range_rad_s: [f64; 2],
    /// Paths of all evaluations.
    evaluations: &'a Paths,
}

/// The replay in three dimensions and the time series below it.
pub fn replay(k: usize, report: &Report) -> String {
    let recorded = &report.recorded;
    let rotors = &recorded.problem.airframe.rotors;
    let flights = Flights {
        domains: recorded
            .problem
            .domains
            .iter()
            .map(|d| d.name.as_str())
            .collect(),
        flights: report
            .flown
            .domains
            .iter()
            .map(|d| [&d.default.shown, &d.recommended.shown])
            .collect(),
        rotors_m: &rotors.positions_m,
        evaluations: &report.paths,
        rotor_range_rad_s: [rotors.min_speed_rad_s, rotors.max_speed_rad_s],
    };
    let choice = |(place, name): (usize, &&str)| {
        let checked = if place == 0 { " checked" } else { "" };
        format!(
            "<label><input type=\"radio\" name=\"domain-{k}\" value=\"{place}\"{checked}> {}</label>",
            escape(name)
        )
    };
    let domains: String = flights.domains.iter().enumerate().map(choice).collect();
    format!(
        "<p>The first held-out wind of each domain, flown with both gains. Drag to turn; on a touch screen drag across to turn \
         and up or down to scroll. Click the picture, then the wheel zooms; double-click for the first view. \
         Keys on the picture: space plays, ← → step, Home and End jump, W A S D turn, + − zoom.</p>\n\
         <div class=\"replay\">\n<div class=\"controls\">\
         <span class=\"group\">wind {domains}</span>\
         <span class=\"group\"><label>show <select class=\"gains\"><option value=\"1\">recommended gains</option><option value=\"0\">default gains</option></select></label>\
         <label><input type=\"checkbox\" class=\"ghost\" checked> the other as ghost</label></span>\
         <span class=\"group\">view <button type=\"button\" data-view=\"free\">3-D</button><button type=\"button\" data-view=\"top\">top</button>\
         <button type=\"button\" data-view=\"side\">side</button></span></div>\n\
         <p class=\"said\"><b class=\"title\"></b> <span class=\"now\"></span> <b class=\"lost-at worse\"></b></p>\n\
         <canvas class=\"scene paper\" tabindex=\"0\" role=\"img\" aria-label=\"The flight in three dimensions\"></canvas>\n\
         <ul class=\"keys\"></ul>\n\
         <div class=\"controls time\"><button type=\"button\" class=\"play\">Play</button>\
         <input type=\"range\" class=\"clock\" min=\"0\" value=\"0\" step=\"1\" aria-label=\"Time\"><output>0.00 s</output>\
         <label>speed <select class=\"speed\"><option value=\"0.25\">¼</option><option value=\"0.5\">½</option>\
         <option value=\"1\" selected>1</option><option value=\"2\">2</option><option value=\"4\">4</option></select></label></div>\n\
         <h4>Time series</h4>\n<div class=\"controls\"><span class=\"group\">time axis \
         <button type=\"button\" data-time=\"in\" aria-label=\"zoom in\">+</button><button type=\"button\" data-time=\"out\" aria-label=\"zoom out\">−</button>\
         <button type=\"button\" data-time=\"back\" aria-label=\"earlier\">←</button><button type=\"button\" data-time=\"on\" aria-label=\"later\">→</button>\
         <button type=\"button\" data-time=\"all\">all</button></span></div>\n\
         <canvas class=\"series\" tabindex=\"0\" role=\"img\" aria-label=\"Time series of the flight\"></canvas>\n\
         <p class=\"note\">Click into the time series to go there; then the wheel zooms about the pointer, Shift and a drag moves along, \
         and the keys + − zoom, A D move, 0 shows all. Position error: shown gains as a full line, the other as a dashed one; the rest is of the shown gains. \
         Setpoints, that is, the reference position and the body rates which the attitude loop asks for, are dotted. \
         Drawn at 50 samples a second; faster motion is in the spectra below.</p>\n\
         <noscript><p>The replay needs JavaScript; everything else on this page does not.</p></noscript>\n</div>\n{}",
        data("flights", &flights)
    )
}

/// Default and recommended gains wind by wind.
pub fn held_out(report: &Report) -> String {
    let recorded = &report.recorded;
    let mut rows = Vec::new();
    let mut drawings = Vec::new();
    let both = recorded
        .default
        .tests
        .iter()
        .zip(&recorded.recommended.tests);
    for (domain, (before, after)) in both.enumerate() {
        let pairs = before.ace_m.iter().zip(&after.ace_m);
        let won = pairs.filter(|(before, after)| after < before).count();
        rows.push(held_out_row(before, "default", String::new()));
        rows.push(held_out_row(
            after,
            "recommended",
            format!("{won} of {}", after.ace_m.len()),
        ));
        let caption = format!(
            "{} wind: each mark is one held-out wind, flown with both gains.",
            escape(&before.domain)
        );
        drawings.push((charts::paired(recorded, domain), caption));
    }
    let head = [
        "wind",
        "gains",
        "least ACE [m]",
        "lower quartile",
        "median",
        "upper quartile",
        "greatest",
        "lost",
        "better than default in",
    ];
    table(&head, rows) + &figures(&drawings)
}

fn held_out_row(test: &Test, gains: &str, won: String) -> Vec<String> {
    let mut sorted = test.ace_m.clone();
    sorted.sort_by(f64::total_cmp);
    // Quartiles as medians of the halves.
    let half = sorted.len().div_ceil(2);
    let (low, high) = (&sorted[..half], &sorted[sorted.len() - half..]);
    vec![
        escape(&test.domain),
        gains.to_owned(),
        metres(sorted[0]),
        metres(median(low)),
        metres(median(&sorted)),
        metres(median(high)),
        metres(sorted[sorted.len() - 1]),
        lost(&test.losses()),
        won,
    ]
}

/// The first held-out wind of each domain with both gains, on one colour scale.
pub fn side_by_side(report: &Report) -> String {
    wide_figure(
        &report.side_by_side,
        "The first held-out wind of each domain, flown with the default gains and with the recommended ones; one colour scale for all.",
    )
}

/// Departures from the record that are smaller than this are in no figure of the page [m].
const UNSEEN_M: f64 = 5e-4;

/// Saturation, effort and the dominant oscillation of both gains.
pub fn oscillation(report: &Report) -> String {
    let flown = &report.flown;
    let mut rows = Vec::new();
    let mut drawings = Vec::new();
    for (test, domain) in report.recorded.default.tests.iter().zip(&flown.domains) {
        let name = escape(&test.domain);
        rows.push(oscillation_row(&name, "default", &domain.default));
        rows.push(oscillation_row(&name, "recommended", &domain.recommended));
        if domain.default.spectrum.is_some() || domain.recommended.spectrum.is_some() {
            let caption = format!("{name} wind: body rates about all three axes together.");
            drawings.push((charts::spectrum(domain, &test.domain), caption));
        }
    }
    let head = [
        "wind",
        "gains",
        "rotor at its limit, share of time",
        "thrust or tilt limited, share of time",
        "effort",
        "dominant oscillation",
        "amplitude",
        "above its surroundings",
    ];
    format!(
        "{}<p>Means over the first {} held-out winds of each domain, flown again. \
         Effort is the time mean over the rotors of (thrust / hover thrust − 1)². \
         Oscillation: body rates at 1 kHz by Welch’s method (segments of {SEGMENT} samples, half \
         overlapping, Hann’s window, completed flights only); dominant is the local maximum with the most power between \
         {LOWEST_HZ} and {HIGHEST_HZ:.0} Hz, slower motion being the manoeuvre itself; its amplitude is that \
         of a sine with the power of the peak’s five bins. A peak less than {DISTINCT:.0} times \
         as high as the median within half an octave is no distinct oscillation: there the vehicle only answers the gusts and the manoeuvre.</p>\n{}<p class=\"note\">{}</p>\n",
        table(&head, rows),
        flown.winds,
        figures(&drawings),
        faithful(flown),
    )
}

fn oscillation_row(domain: &str, name: &str, gains: &WithGains) -> Vec<String> {
    let peak = gains.spectrum.as_ref().and_then(|spectrum| spectrum.peak());
    let segment_s = SEGMENT as f64 * SAMPLE_S;
    let [frequency, amplitude, prominence] = match peak {
        Some(peak) => [
            format!("{:.2} Hz, {}", peak.frequency_hz, AXES[peak.axis]),
            format!("{:.1} deg/s", peak.amplitude_deg_s),
            match peak.prominence {
                p if p >= DISTINCT => format!("{p:.1} times: <b>distinct</b>"),
                p => format!("{p:.1} times: not distinct"),
            },
        ],
        None if gains.spectrum.is_none() => [
            format!("not measured: no completed flight of {segment_s:.1} s"),
            "–".to_owned(),
            "–".to_owned(),
        ],
        None => ["none", "–", "–"].map(str::to_owned),
    };
    vec![
        domain.to_owned(),
        name.to_owned(),
        percent(gains.mean(|flight| flight.saturation)),
        percent(gains.mean(|flight| flight.limitation)),
        format!("{:.3}", gains.mean(|flight| flight.effort)),
        frequency,
        amplitude,
        prominence,
    ]
}

/// Whether the flights made again are those of the record.
fn faithful(flown: &Flown) -> String {
    let count = counted(flown.count(), "flight");
    match flown.departures {
        0 => format!("{count} made again for this page equal the record to the last bit."),
        n if flown.greatest_departure_m < UNSEEN_M => format!(
            "Of {count} made again for this page {n} differ from the record, by at most {:.1e} m: \
             another version or build made it. Nothing here shows so little.",
            flown.greatest_departure_m
        ),
        n => format!(
            "<b>Careful:</b> of {count} made again for this page {n} differ from the record, by up to {:.3} m. \
             Another version or build made the record; the replay and this section \
             are of this one.",
            flown.greatest_departure_m
        ),
    }
}
