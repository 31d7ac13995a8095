//! How strongly the vehicle turns to and fro at each frequency.

use crate::report::analysis::oscillation::{HIGHEST_HZ, Spectrum};
use crate::report::analysis::replays::{InDomain, WithGains};
use plots::{AmplitudeCurve, AmplitudesPicture, Error, svg_amplitudes};

/// Slowest frequency that is drawn [Hz].
const DRAWN_FROM_HZ: f64 = 0.2;

/// Frequencies drawn in each octave: neighbours are averaged where they are denser.
const IN_AN_OCTAVE: f64 = 12.0;

/// Amplitude spectra of both gains in one domain, the dominant oscillations marked.
pub fn spectrum(flown: &InDomain, name: &str) -> Result<String, Error> {
    // In the order of the palette: recommended before default.
    let both = [
        (&flown.recommended, "recommended gains"),
        (&flown.default, "default gains"),
    ];
    let points = both.map(|(gains, _)| gains.spectrum.as_ref().map(drawn).unwrap_or_default());
    let curves = [0, 1].map(|k| AmplitudeCurve {
        label: both[k].1,
        points: &points[k],
        peak: peak(both[k].0),
    });
    svg_amplitudes(&AmplitudesPicture {
        title: &format!("Spectrum of the body rates in {name} wind"),
        y_name: "body rate [deg/s/√Hz]",
        peak_name: "largest peak",
        curves: &curves,
    })
}

/// Frequency and root of the density of the dominant oscillation.
fn peak(gains: &WithGains) -> Option<[f64; 2]> {
    let spectrum = gains.spectrum.as_ref()?;
    let peak = spectrum.peak()?;
    let bin = (peak.frequency_hz / spectrum.step_hz).round() as usize;
    Some([peak.frequency_hz, spectrum.total()[bin].sqrt()])
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
