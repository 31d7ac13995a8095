//! The flights to look at, turn and scrub.

use crate::report::Report;
use crate::report::analysis::paths::Paths;
use crate::report::analysis::recording::Recording;
use crate::report::html::{data, escape};
use serde::Serialize;

/// What the scripts are given.
#[derive(Serialize)]
struct Flights<'a> {
    /// Names of the domains.
    domains: Vec<&'a str>,
    /// Default and recommended gains in each of them.
    flights: Vec<[&'a Recording; 2]>,
    /// Hubs of the rotors in body axes [m].
    rotors_m: [[f64; 3]; 4],
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
        rotors_m: rotors.positions_m,
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
