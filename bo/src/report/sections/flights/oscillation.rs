//! What the error alone hides: rotors at their limits, and a vehicle that shakes.

use crate::report::analysis::oscillation::{AXES, DISTINCT, HIGHEST_HZ, LOWEST_HZ, SEGMENT};
use crate::report::analysis::replays::{Flown, SAMPLE_S, WithGains};
use crate::report::html::{counted, escape, percent};
use crate::report::sections::{figures, table};
use crate::report::{Report, charts};

/// Departures from the record that are smaller than this are in no figure of the page [m].
const UNSEEN_M: f64 = 5e-4;

/// Saturation, effort and the dominant oscillation of both gains.
pub fn oscillation(report: &Report) -> String {
    let flown = &report.flown;
    let mut rows = Vec::new();
    let mut drawings = Vec::new();
    for (test, domain) in report.recorded.default.tests.iter().zip(&flown.domains) {
        let name = escape(&test.domain);
        rows.push(row(&name, "default", &domain.default));
        rows.push(row(&name, "recommended", &domain.recommended));
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

fn row(domain: &str, name: &str, gains: &WithGains) -> Vec<String> {
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
             Another version or build made the record; the replay, this section and the \
             sensitivities are of this one.",
            flown.greatest_departure_m
        ),
    }
}
