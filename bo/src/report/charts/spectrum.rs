//! How strongly the vehicle turns to and fro at each frequency.

use crate::report::chart::{Axis, Chart, DEFAULT, Mark, RECOMMENDED};
use crate::report::flown::InDomain;
use crate::report::oscillation::{HIGHEST_HZ, Spectrum};

/// Slowest frequency that is drawn [Hz].
const DRAWN_FROM_HZ: f64 = 0.2;

/// Frequencies drawn in each octave: neighbours are averaged where they are denser.
const IN_AN_OCTAVE: f64 = 12.0;

/// Amplitude spectra of both gains in one domain, the dominant oscillations marked.
pub fn spectrum(flown: &InDomain, name: &str) -> String {
    let both = [
        (&flown.default, DEFAULT, "default gains", true),
        (&flown.recommended, RECOMMENDED, "recommended gains", false),
    ];
    let curves = both
        .each_ref()
        .map(|(gains, ..)| gains.spectrum.as_ref().map(drawn).unwrap_or_default());
    let values = curves.iter().flatten().map(|point| point[1]);
    let x = Axis {
        name: "frequency [Hz]".to_owned(),
        ..Axis::log_around("", [DRAWN_FROM_HZ, HIGHEST_HZ])
    };
    let y = Axis::log_around("body rate [deg/s/√Hz]", values);
    let says = format!("Spectrum of the body rates in {name} wind");
    let mut chart = Chart::new(&says, 400.0, x, y);
    for ((gains, colour, words, dashed), curve) in both.iter().zip(&curves) {
        chart.curve(curve, colour, 2.6, *dashed);
        if let Some((spectrum, peak)) = gains.spectrum.as_ref().and_then(|s| Some((s, s.peak()?))) {
            let total = spectrum.total();
            let bin = (peak.frequency_hz / spectrum.step_hz).round() as usize;
            chart.mark(
                Mark::Ring,
                [peak.frequency_hz, total[bin].sqrt()],
                0.0,
                colour,
                1.0,
            );
        }
        chart.legend(
            if *dashed { Mark::Dashes } else { Mark::Line },
            colour,
            words,
        );
    }
    chart.legend(Mark::Ring, crate::report::chart::GREY, "largest peak");
    chart.finish()
}

/// Frequency and root of the density of all axes together.
fn drawn(spectrum: &Spectrum) -> Vec<[f64; 2]> {
    let total = spectrum.total();
    let mut points = Vec::new();
    let mut from = (DRAWN_FROM_HZ / spectrum.step_hz).ceil() as usize;
    let last = ((HIGHEST_HZ / spectrum.step_hz) as usize).min(total.len() - 1);
    while from <= last {
        let to = ((from as f64 * 2f64.powf(1.0 / IN_AN_OCTAVE)) as usize).clamp(from, last);
        let mean = total[from..=to].iter().sum::<f64>() / (to - from + 1) as f64;
        let middle = 0.5 * (from + to) as f64 * spectrum.step_hz;
        // A vehicle that does not turn has no place on a logarithmic axis.
        if mean > 0.0 {
            points.push([middle, mean.sqrt()]);
        }
        from = to + 1;
    }
    points
}
