//! Charts: each drawing of the page as a picture of `plots`, and the colours that sets of gains have in
//! all of them.

mod convergence;

pub use convergence::{Course, convergence, joint};

use crate::flights::space::Knob;
use crate::report::analysis::oscillation::{HIGHEST_HZ, Spectrum};
use crate::report::analysis::prediction::{Prediction, Predictions};
use crate::report::analysis::replays::{InDomain, WithGains};
use crate::run::disk::record::Record;
use crate::run::partial_dependence::{PartialDependence, labels, parameters};
use crate::run::settings::Settings;
use plots::{
    BoundsPicture, CalibrationPanel, CalibrationPicture, CurveKind, CurvesPicture, Error, Estimate,
    IntervalPanel, IntervalsPicture, MOST_PARAMETERS, MarkedCurve, Moment, Pair, PairsPicture,
    Scale, SlicesPicture,
};
use shell::statistics::central_width;

/// What an evaluation costs, with its unit.
pub fn cost_name(settings: &Settings) -> &'static str {
    if settings.cost.is_weighted() {
        "cost J [m]"
    } else {
        "ACE [m]"
    }
}

/// Which colours of the series the recommended, the default and the best observed gains have. The
/// style sheet of the page names the same ones.
const RECOMMENDED: usize = 0;
const DEFAULT: usize = 1;
const OBSERVED: usize = 2;

/// Where nothing changes.
const NO_CHANGE: Estimate = Estimate {
    mean: 0.0,
    low: 0.0,
    high: 0.0,
};

/// A value with the ends of its interval; without an interval it stands for itself.
fn estimate(mean: f64, ends: Option<[f64; 2]>) -> Estimate {
    let [low, high] = ends.unwrap_or([mean; 2]);
    Estimate { mean, low, high }
}

/// Recommended and best observed gains minus default gains in every domain.
pub fn differences(recorded: &Record) -> Result<String, Error> {
    let domains = recorded.recommended.tests.iter().enumerate();
    let candidates = [&recorded.recommended, &recorded.observed];
    let of_domain = |domain: usize| -> [Option<Estimate>; 2] {
        candidates.map(|candidate| {
            let interval = recorded.judgement(candidate, domain).error_m?;
            Some(estimate(interval.median, interval.ends))
        })
    };
    let (names, estimates): (Vec<&str>, Vec<_>) = domains
        .map(|(domain, test)| (test.domain.as_str(), of_domain(domain)))
        .unzip();
    let held: Vec<Estimate> = estimates
        .iter()
        .flatten()
        .flatten()
        .copied()
        .chain([NO_CHANGE])
        .collect();
    plots::svg(&IntervalsPicture {
        title: "Differences to the default gains with 95 % intervals",
        x_name: "ACE minus default [m], left of 0 is better",
        columns: &[""],
        rows: &[""],
        methods: &names,
        marks: ["recommended", "best observed flight"],
        colours: [RECOMMENDED, OBSERVED],
        references: &["default gains"],
        judged_against: None,
        panels: &[IntervalPanel {
            estimates: &estimates,
            references: &[Some(NO_CHANGE)],
        }],
        held: &held,
    })
}

/// ACE with the recommended gains against ACE with the default gains, one mark a wind.
pub fn paired(recorded: &Record, domain: usize) -> Result<String, Error> {
    let (before, after) = (
        &recorded.default.tests[domain],
        &recorded.recommended.tests[domain],
    );
    let completed = before.flights().zip(after.flights());
    let winds = before.ace_m.iter().zip(&after.ace_m).zip(completed);
    let pair = |((before, after), completed): ((&f64, &f64), (Option<_>, Option<_>))| Pair {
        x: Some(*before),
        y: *after,
        bar: None,
        lost: completed.0.is_none() || completed.1.is_none(),
    };
    let pairs: Vec<Pair> = winds.map(pair).collect();
    plots::svg(&PairsPicture {
        title: &format!(
            "Recommended against default gains, wind by wind, in {} wind",
            before.domain
        ),
        x_name: "ACE, default gains [m]",
        y_name: "ACE, recommended gains [m]",
        pair_name: "one wind",
        lost_name: "lost, counted as 2 m",
        equal_name: "equal; below it recommended is better",
        pairs: &pairs,
    })
}

/// Nominal level of the intervals that are drawn.
const DRAWN: f64 = 0.9;

/// Predicted against observed cost; upright bars are 90 % intervals. A lost evaluation has no cost;
/// it stands to the right of all costs.
pub fn predicted(predictions: &Predictions) -> Result<String, Error> {
    let reach = central_width(DRAWN);
    let interval = |mean: f64, std: f64| [-1.0, 1.0].map(|sign| (mean + sign * reach * std).exp());
    let pair = |prediction: &Prediction| Pair {
        x: prediction.observed_m,
        y: prediction.mean.exp(),
        bar: prediction.std.map(|std| interval(prediction.mean, std)),
        lost: prediction.observed_m.is_none(),
    };
    let pairs: Vec<Pair> = predictions.of_trials.iter().map(pair).collect();
    plots::svg(&PairsPicture {
        title: "Predicted against observed cost",
        x_name: "observed cost [m]",
        y_name: "predicted cost [m]",
        pair_name: "prediction and its 90 % interval",
        lost_name: "lost: no cost",
        equal_name: "as observed; above it the evaluation went better",
        pairs: &pairs,
    })
}

/// Nominal against observed coverage.
pub fn coverage(predictions: &Predictions, surrogate: &str) -> Result<String, Error> {
    let coverage = predictions.coverage();
    let levels: Vec<f64> = coverage.iter().map(|level| level.nominal).collect();
    let shares = coverage.iter().map(|level| level.observed()).collect();
    let bars = coverage.iter().map(|level| level.interval()).collect();
    plots::svg(&CalibrationPicture {
        title: "Nominal against observed coverage",
        levels: &levels,
        methods: &[surrogate],
        bar_name: "95 % interval of the share",
        panels: &[CalibrationPanel {
            label: "",
            shares: &[Some(shares)],
            bars: &[Some(bars)],
        }],
    })
}

/// Slices through the recommended gains, at most as many gains in a picture as fit side by side.
pub fn slices(
    recorded: &Record,
    knobs: &[Knob],
    along: &PartialDependence,
) -> Vec<Result<String, Error>> {
    let (labels, slices) = (labels(knobs), along.slices());
    let parameters = parameters(&labels, knobs);
    let groups = parameters
        .chunks(MOST_PARAMETERS)
        .zip(slices.chunks(MOST_PARAMETERS));
    let drawn = groups.map(|(parameters, slices)| {
        plots::svg(&SlicesPicture {
            title: &format!(
                "What {} predicts along each gain, through the recommended gains",
                recorded.settings.surrogate
            ),
            y_name: cost_name(&recorded.settings),
            y_scale: Scale::Logarithmic,
            band_name: "± 2 standard deviations",
            through: "recommended gains",
            acquisition_name: Some("upper confidence bound"),
            parameters,
            moments: &[Moment {
                label: &format!("after {} evaluations", recorded.trials.len()),
                slices,
            }],
        })
    });
    drawn.collect()
}

/// A small scale from bound to bound: the default above, the recommendation below.
pub fn between_bounds(knob: &Knob, [old, new]: [f64; 2]) -> Result<String, Error> {
    plots::svg(&BoundsPicture {
        title: "default and recommended between the bounds",
        values: [old, new].map(|value| knob.parameter.unit(value)),
        colours: [DEFAULT, RECOMMENDED],
    })
}

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
    let curves = [0, 1].map(|k| MarkedCurve {
        label: both[k].1.to_owned(),
        points: points[k].clone(),
        peak: peak(both[k].0),
        settled: None,
    });
    plots::svg(&CurvesPicture {
        title: &format!("Spectrum of the body rates in {name} wind"),
        kind: CurveKind::Amplitudes,
        names: ["frequency [Hz]", "body rate [deg/s/√Hz]"],
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
