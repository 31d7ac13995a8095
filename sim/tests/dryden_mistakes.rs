//! The gust test passes the filter that ships and fails each of the classic Dryden mistakes.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use sim::wind::gust_statistics::{Sampling, test_gusts};
use sim::{Domain, Dryden, Form, Wind};
use std::f64::consts::PI;

const SAMPLING: Sampling = Sampling {
    records: 400,
    length: 2_000,
    dt_s: 0.01,
};

/// A textbook implementation by small Euler steps of the continuous filters, driven by white noise
/// of unit intensity, with a handle for each mistake. It warms up, so that it is stationary.
#[derive(Clone)]
struct Textbook {
    domain: Domain,
    /// Factor on the gain of every axis.
    gain: f64,
    /// Whether the noise is scaled by 1/√dt, as white noise must be.
    scaled_noise: bool,
    /// Uniform noise of variance 1/3 in place of normal noise of variance 1.
    uniform_noise: bool,
    /// Order of the filter of u, v and w.
    orders: [u8; 3],
    /// Start from zero in place of the stationary law.
    zero_start: bool,
    /// Which axis's noise drives u, v and w.
    sources: [usize; 3],
}

impl Textbook {
    fn correct() -> Textbook {
        Textbook {
            domain: Domain::gusty(),
            gain: 1.0,
            scaled_noise: true,
            uniform_noise: false,
            orders: [1, 2, 2],
            zero_start: false,
            sources: [0, 1, 2],
        }
    }

    fn record(&self, seed: u64) -> Vec<[f64; 3]> {
        // Fine steps, so that the Euler method's own bias (dt/2T = 0.25 % at most) stays unseen.
        let substeps = 10;
        let dt = SAMPLING.dt_s / f64::from(substeps);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let warm_up = if self.zero_start { 0 } else { 1_000 };
        let times = self.domain.time_constants_s();
        let mut y = [[0.0f64; 2]; 3];
        let mut samples = Vec::new();
        for k in 0..warm_up + SAMPLING.length {
            if k >= warm_up {
                samples.push([0, 1, 2].map(|axis| self.output(axis, times[axis], y[axis])));
            }
            for _ in 0..substeps {
                let scale = if self.scaled_noise {
                    1.0 / dt.sqrt()
                } else {
                    1.0
                };
                let noises = [0; 3].map(|_| self.noise(&mut rng) * scale);
                for axis in 0..3 {
                    let noise = noises[self.sources[axis]];
                    let rate = 1.0 / times[axis];
                    let [y1, y2] = y[axis];
                    // Two lags in a row; the first alone is the first-order filter.
                    y[axis] = [y1 + dt * rate * (noise - y1), y2 + dt * rate * (y1 - y2)];
                }
            }
        }
        samples
    }

    fn noise(&self, rng: &mut ChaCha8Rng) -> f64 {
        if self.uniform_noise {
            rng.random_range(-1.0..1.0)
        } else {
            StandardNormal.sample(rng)
        }
    }

    fn output(&self, axis: usize, time: f64, [y1, y2]: [f64; 2]) -> f64 {
        let sigma = self.gain * self.domain.sigma_m_s[axis];
        match self.orders[axis] {
            1 => sigma * (2.0 * time).sqrt() * y1,
            // (1 + √3 T s)/(1 + T s)² = √3/(1 + T s) + (1 − √3)/(1 + T s)².
            _ => sigma * time.sqrt() * (3f64.sqrt() * y1 + (1.0 - 3f64.sqrt()) * y2),
        }
    }

    /// Whether the gust test accepts these gusts as those of the gusty domain.
    fn passes(&self) -> bool {
        test_gusts(&Domain::gusty(), SAMPLING, |record| self.record(record)).passes()
    }
}

#[test]
fn the_filter_that_ships_passes_in_both_domains_and_forms() {
    let gusty = Domain::gusty();
    let [u, v, w] = gusty.length_m;
    // The same wind.
    let handbook = Domain {
        length_m: [u, 0.5 * v, 0.5 * w],
        form: Form::MilHdbk1797,
        ..gusty.clone()
    };
    for domain in [gusty, Domain::steady(), handbook] {
        let test = test_gusts(&domain, SAMPLING, |record| {
            let mut wind = Dryden::with_step(&domain, record, SAMPLING.dt_s);
            let sample = |_| {
                let gust = wind.gust_m_s();
                wind.step();
                gust
            };
            (0..SAMPLING.length).map(sample).collect()
        });
        let out: Vec<_> = test.comparisons.iter().filter(|c| !c.passes()).collect();
        assert!(out.is_empty(), "{}: {out:#?}", domain.name);
    }
}

#[test]
fn the_textbook_filter_without_a_mistake_passes() {
    let test = test_gusts(&Domain::gusty(), SAMPLING, |r| {
        Textbook::correct().record(r)
    });
    let out: Vec<_> = test
        .comparisons
        .iter()
        .filter(|c| c.deviation() > 6.0)
        .collect();
    // Its own discretisation error is visible, but far below any of the mistakes.
    assert!(out.is_empty(), "{out:#?}");
}

/// That the gust test rejects a textbook filter with that mistake.
fn caught(mistake: impl Fn(&mut Textbook)) {
    let mut textbook = Textbook::correct();
    mistake(&mut textbook);
    assert!(!textbook.passes());
}

#[test]
fn a_factor_pi_in_the_spectrum_is_caught_either_way() {
    caught(|t| t.gain = PI.sqrt());
    caught(|t| t.gain = (1.0 / PI).sqrt());
}

#[test]
fn a_factor_sqrt_2_in_the_gain_is_caught() {
    caught(|t| t.gain = 2f64.sqrt());
    caught(|t| t.gain = 0.5f64.sqrt());
}

#[test]
fn noise_that_is_not_scaled_with_the_step_is_caught() {
    caught(|t| t.scaled_noise = false);
}

#[test]
fn uniform_noise_of_variance_one_third_is_caught() {
    caught(|t| t.uniform_noise = true);
}

/// Plain lengths, but 2L/V as the time constant: the variance is right, the times are not.
#[test]
fn the_lengths_of_one_form_in_the_filter_of_the_other_are_caught() {
    caught(|t| t.domain.form = Form::MilHdbk1797);
}

#[test]
fn filters_of_the_wrong_order_are_caught() {
    caught(|t| t.orders = [2, 2, 2]);
    caught(|t| t.orders = [1, 1, 1]);
}

#[test]
fn a_start_from_zero_is_caught() {
    caught(|t| t.zero_start = true);
}

/// 3.048 put into L = h / (0.177 + 0.000823 h)^1.2 as if it were feet, and left in metres.
#[test]
fn metres_where_feet_belong_are_caught() {
    let h: f64 = 3.048;
    let wrong = h / (0.177 + 0.000_823 * h).powf(1.2);
    caught(|t| t.domain.length_m = [wrong, wrong, h]);
}

#[test]
fn one_noise_shared_by_two_or_three_axes_is_caught_by_their_covariance_alone() {
    for (sources, out) in [
        ([0, 0, 0], &["u v", "u w", "v w"][..]),
        ([0, 0, 2], &["u v"]),
        ([0, 1, 0], &["u w"]),
        ([0, 1, 1], &["v w"]),
    ] {
        let textbook = Textbook {
            sources,
            ..Textbook::correct()
        };
        let test = test_gusts(&Domain::gusty(), SAMPLING, |record| textbook.record(record));
        let caught = test.comparisons.iter().filter(|c| c.deviation() > 6.0);
        let caught: Vec<String> = caught.map(|c| c.what.clone()).collect();
        let expected = out.iter().map(|pair| format!("{pair} covariance [m²/s²]"));
        assert_eq!(caught, expected.collect::<Vec<_>>(), "{sources:?}");
    }
}
