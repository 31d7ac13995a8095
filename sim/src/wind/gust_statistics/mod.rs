//! Gust test: whether a source of gusts has the statistics that its domain states.
//!
//! Independent records are drawn; each statistic is averaged over records and compared with its
//! expectation, in units of its standard error, which comes from the spread between records. The
//! expectation of the periodogram is computed exactly (window, sampling and record length
//! included), so a correct source is out only by chance: at most once in about 16,000 for each
//! statistic at four standard errors.

mod axis;

use crate::Domain;
use axis::AxisTest;

/// A statistic further from its expectation than this many standard errors is out.
pub const GATE: f64 = 4.0;

/// How gusts are sampled for a test.
#[derive(Debug, Clone, Copy)]
pub struct Sampling {
    /// Independent records.
    pub records: u64,
    /// Samples in each.
    pub length: usize,
    /// Time between samples [s].
    pub dt_s: f64,
}

/// One statistic with its expectation.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// What it is, with its unit.
    pub what: String,
    /// Mean over records.
    pub measured: f64,
    /// Expectation.
    pub expected: f64,
    /// Standard error of `measured`.
    pub standard_error: f64,
}

impl Comparison {
    /// Distance from the expectation in standard errors.
    pub fn deviation(&self) -> f64 {
        let error = self.measured - self.expected;
        if error == 0.0 {
            0.0
        } else {
            error.abs() / self.standard_error
        }
    }

    /// Whether the measurement agrees with the stated law.
    pub fn passes(&self) -> bool {
        self.deviation() <= GATE
    }
}

/// The spectrum of one axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    /// Frequencies [Hz].
    pub frequency_hz: Vec<f64>,
    /// Mean periodogram, one-sided [m²/s² per Hz].
    pub measured: Vec<f64>,
    /// The formula of the specification [m²/s² per Hz].
    pub analytic: Vec<f64>,
    /// What the periodogram must be in the mean, given window, sampling and length.
    pub expected: Vec<f64>,
}

/// The result of a test.
#[derive(Debug, Clone, PartialEq)]
pub struct GustTest {
    /// Variances, autocorrelations and spectral bands of u, v and w, and the covariances between
    /// them.
    pub comparisons: Vec<Comparison>,
    /// Spectra of u, v and w.
    pub spectra: [Spectrum; 3],
    /// Measured standard deviations of u, v and w [m/s].
    pub sigma_m_s: [f64; 3],
}

impl GustTest {
    /// Whether every statistic passes.
    pub fn passes(&self) -> bool {
        self.comparisons.iter().all(Comparison::passes)
    }
}

/// Tests `source`, which turns a record's number into its samples of (u, v, w), against `domain`.
///
/// # Panics
/// When fewer than two records or 16 samples are asked for.
pub fn test_gusts(
    domain: &Domain,
    sampling: Sampling,
    source: impl Fn(u64) -> Vec<[f64; 3]>,
) -> GustTest {
    assert!(
        sampling.records >= 2 && sampling.length >= 16,
        "too little to judge: {sampling:?}"
    );
    let mut axes = [0, 1, 2].map(|axis| AxisTest::new(domain, axis, sampling));
    let mut pairs = [(0, 1), (0, 2), (1, 2)].map(PairTest::new);
    for record in 0..sampling.records {
        let samples = source(record);
        for pair in &mut pairs {
            pair.add(&samples);
        }
        for (k, axis) in axes.iter_mut().enumerate() {
            axis.add(samples.iter().map(|gust| gust[k]).collect());
        }
    }
    GustTest {
        comparisons: axes
            .iter()
            .flat_map(AxisTest::comparisons)
            .chain(pairs.iter().map(PairTest::comparison))
            .collect(),
        sigma_m_s: axes.each_ref().map(AxisTest::deviation),
        spectra: axes.map(AxisTest::spectrum),
    }
}

/// Mean and standard error of values that come one by one.
#[derive(Debug, Clone, Default)]
struct Average {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Average {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn standard_error(&self) -> f64 {
        let variance = (self.squares / self.count - self.mean().powi(2)).max(0.0);
        (variance / (self.count - 1.0)).sqrt()
    }
}

/// Names of the axes.
const NAMES: [char; 3] = ['u', 'v', 'w'];

// Pair: whether two components of the gusts are independent of each other.

/// Two axes under test: the specification's turbulence velocities are independent of each other.
struct PairTest {
    axes: (usize, usize),
    covariance: Average,
}

impl PairTest {
    fn new(axes: (usize, usize)) -> PairTest {
        PairTest {
            axes,
            covariance: Average::default(),
        }
    }

    fn add(&mut self, samples: &[[f64; 3]]) {
        let (one, other) = self.axes;
        let products = samples.iter().map(|gust| gust[one] * gust[other]);
        self.covariance
            .add(products.sum::<f64>() / samples.len() as f64);
    }

    fn comparison(&self) -> Comparison {
        let (one, other) = self.axes;
        Comparison {
            what: format!("{} {} covariance [m²/s²]", NAMES[one], NAMES[other]),
            measured: self.covariance.mean(),
            expected: 0.0,
            standard_error: self.covariance.standard_error(),
        }
    }
}
