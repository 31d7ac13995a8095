//! Incumbent: the visited point of least posterior mean, and how much greater that of a recommended
//! point may be.
//!
//! The average of good points takes out luck where they form one convex lump. Between two valleys
//! it is a ridge, and within a ring a hill: every recommender that averages has the model judge the
//! average ([`Incumbent::centre`]). A point is tolerated whose posterior mean lies at most [`TOLERATED`] standard
//! deviations of the noise above the incumbent's; the noise is that which the model claims of one
//! observation at the incumbent. A model that claims none (a forest, whose leaves are pure; a
//! network) tolerates nothing worse than the incumbent but rounding.

use super::context::{matrix, means};
use dilgp::Model;

/// How far above the incumbent's the posterior mean of a recommended point may lie, in standard
/// deviations of the noise of one observation.
pub const TOLERATED: f64 = 1.25;

/// Difference of posterior means that is rounding, relative to 1 and to the incumbent's mean.
const ROUNDING: f64 = 1e-9;

/// The visited point of least posterior mean, with the model's prediction there.
#[derive(Clone, Copy)]
pub struct Incumbent<'a> {
    model: &'a dyn Model,
    x: &'a [f64],
    mean: f64,
    noise: Option<f64>,
}

/// An average of good points that is tolerated.
#[derive(Debug, Clone, PartialEq)]
pub struct Centre {
    /// The point of the cube.
    pub x: Vec<f64>,
    /// How many of the points were averaged; 1 is the incumbent itself.
    pub averaged: usize,
    /// How many there were.
    pub of: usize,
}

impl Centre {
    /// Whether all points were averaged.
    pub fn is_of_all(&self) -> bool {
        self.averaged >= self.of
    }
}

/// The `count` of `points` with the least posterior mean, best first; fewer where there are not as
/// many.
pub fn least_means<P: AsRef<[f64]>>(
    model: &dyn Model,
    points: &[P],
    count: usize,
) -> Vec<Vec<f64>> {
    let believed = means(model, points);
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|a, b| believed[*a].total_cmp(&believed[*b]));
    let best = order.into_iter().take(count);
    best.map(|row| points[row].as_ref().to_vec()).collect()
}

impl<'a> Incumbent<'a> {
    /// The incumbent at `x`; `None` if the posterior mean there is not finite.
    pub fn at(model: &'a dyn Model, x: &'a [f64]) -> Option<Incumbent<'a>> {
        let believed = model.predict(&matrix(&[x]));
        let mean = believed.mean[0];
        let noise = believed
            .std
            .zip(believed.observation_std)
            .map(|(of_mean, of_observation)| {
                (of_observation[0].powi(2) - of_mean[0].powi(2))
                    .max(0.0)
                    .sqrt()
            });
        mean.is_finite().then_some(Incumbent {
            model,
            x,
            mean,
            noise: noise.filter(|noise| noise.is_finite()),
        })
    }

    /// The point of the cube.
    pub fn x(&self) -> &'a [f64] {
        self.x
    }

    /// The model.
    pub fn model(&self) -> &'a dyn Model {
        self.model
    }

    /// Standard deviation of the noise of one observation there; `None` if the model has no standard
    /// deviation.
    pub fn noise(&self) -> Option<f64> {
        self.noise
    }

    /// The greatest posterior mean within `tolerance` standard deviations of the noise; `None`
    /// if the model has no standard deviation.
    pub fn limit(&self, tolerance: f64) -> Option<f64> {
        self.noise.map(|noise| self.mean + tolerance * noise)
    }

    /// Whether the posterior mean at `x` is tolerated.
    pub fn tolerates(&self, x: &[f64]) -> bool {
        means(self.model, &[x])[0] <= self.tolerated()
    }

    /// The greatest posterior mean that is tolerated.
    fn tolerated(&self) -> f64 {
        self.limit(TOLERATED).unwrap_or(self.mean) + self.rounding()
    }

    fn rounding(&self) -> f64 {
        ROUNDING * (1.0 + self.mean.abs())
    }

    /// The average of `members`, at the point that `settle` makes of it, if its posterior mean is
    /// tolerated and not above their average, as in a convex lump; else of the
    /// half of them nearest to the incumbent, and so on; in the end the incumbent itself.
    pub fn centre(&self, members: &[Vec<f64>], settled: impl Fn(&[f64]) -> Vec<f64>) -> Centre {
        let distance = |member: &Vec<f64>| -> f64 {
            let pairs = member.iter().zip(self.x);
            pairs.map(|(a, b)| (a - b) * (a - b)).sum()
        };
        let of = members.len();
        let mut kept = members.to_vec();
        while kept.len() > 1 {
            let x = settled(&average(&kept));
            let of_kept = means(self.model, &kept);
            let usual = of_kept.iter().sum::<f64>() / of_kept.len() as f64 + self.rounding();
            if means(self.model, &[&x])[0] <= usual.min(self.tolerated()) {
                let averaged = kept.len();
                return Centre { x, averaged, of };
            }
            kept.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
            kept.truncate(kept.len() / 2);
        }
        Centre {
            x: self.x.to_vec(),
            averaged: 1,
            of,
        }
    }
}

fn average(points: &[Vec<f64>]) -> Vec<f64> {
    let mean = |k: usize| points.iter().map(|x| x[k]).sum::<f64>() / points.len() as f64;
    (0..points[0].len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{NOISE, SHAPES, observed};
    use dilgp::{Dataset, Prediction, Process, Slope, Summary, Surrogate};
    use nalgebra::{DMatrix, DVector};

    /// A function that is known exactly, observed through noise or, without one, by a model that
    /// claims nothing.
    struct Known {
        value: fn(&[f64]) -> f64,
        noise: Option<f64>,
        summary: Summary,
    }

    impl Known {
        fn of(shape: &str, noise: Option<f64>) -> Known {
            let data = Dataset::new(DMatrix::zeros(1, 1), DVector::zeros(1));
            let fitted = Process::matern().fit(&data.expect("one point"), 1);
            let known = SHAPES.iter().find(|(name, _)| *name == shape);
            Known {
                value: known.expect("a shape").1,
                noise,
                summary: fitted.expect("one point can be fitted").summary().clone(),
            }
        }
    }

    impl Model for Known {
        fn predict(&self, x: &DMatrix<f64>) -> Prediction {
            let at = |row: usize| (self.value)(&[x[(row, 0)], x[(row, 1)]]);
            let all = |value: f64| DVector::from_element(x.nrows(), value);
            Prediction {
                mean: DVector::from_fn(x.nrows(), |row, _| at(row)),
                std: self.noise.map(|_| all(0.3)),
                observation_std: self.noise.map(|noise| all(noise.hypot(0.3))),
            }
        }

        fn slope(&self, _: &[f64]) -> Option<Slope> {
            None
        }

        fn summary(&self) -> &Summary {
            &self.summary
        }
    }

    fn good(model: &Known, limit: f64) -> Vec<Vec<f64>> {
        let points = crate::maximise::points::sobol(2, 0, 400, 3);
        let good = points.into_iter().filter(|x| (model.value)(x) <= limit);
        good.collect()
    }

    #[test]
    fn the_limit_is_counted_in_deviations_of_the_noise() {
        let known = Known::of("corner", Some(0.2));
        let incumbent = Incumbent::at(&known, &[0.25, 1.0]).expect("finite");
        let limit = incumbent.limit(3.0).expect("noise");
        assert!((limit - 0.85).abs() < 1e-12, "{limit}");
        // 0.25 + 1.25 * 0.2 = 0.5 is the most that is tolerated.
        assert!(incumbent.tolerates(&[0.499, 1.0]));
        assert!(!incumbent.tolerates(&[0.501, 1.0]));
    }

    #[test]
    fn a_model_that_claims_no_noise_tolerates_rounding_only() {
        for noise in [None, Some(0.0)] {
            let known = Known::of("corner", noise);
            let incumbent = Incumbent::at(&known, &[0.25, 1.0]).expect("finite");
            assert!(incumbent.tolerates(&[0.25 + 1e-12, 1.0]));
            assert!(!incumbent.tolerates(&[0.25 + 1e-6, 1.0]));
        }
        let silent = Known::of("corner", None);
        let incumbent = Incumbent::at(&silent, &[0.25, 1.0]).expect("finite");
        assert_eq!(incumbent.limit(1.0), None);
    }

    #[test]
    fn of_one_lump_all_good_points_are_averaged() {
        let known = Known::of("one lump", Some(NOISE));
        let members = good(&known, 0.125);
        let incumbent = Incumbent::at(&known, &[0.7, 0.4]).expect("finite");
        let centre = incumbent.centre(&members, <[f64]>::to_vec);
        assert!(centre.is_of_all() && centre.averaged == members.len());
        let off = (centre.x[0] - 0.6).hypot(centre.x[1] - 0.4);
        assert!(off < 0.02, "{centre:?}");
    }

    #[test]
    fn between_valleys_and_within_a_ring_nothing_is_recommended() {
        for (shape, incumbent) in [("two valleys", [0.22, 0.5]), ("ring", [0.85, 0.5])] {
            // With much noise the ridge itself would be tolerated, but it is worse than the members.
            for noise in [NOISE, 1.0] {
                let known = Known::of(shape, Some(noise));
                let members = good(&known, 0.125);
                let incumbent = Incumbent::at(&known, &incumbent).expect("finite");
                let centre = incumbent.centre(&members, <[f64]>::to_vec);
                assert!(!centre.is_of_all() && centre.averaged > 5, "{centre:?}");
                assert!((known.value)(&centre.x) < 0.06, "{shape}: {centre:?}");
            }
        }
    }

    #[test]
    fn what_settling_makes_of_the_average_is_judged() {
        let known = Known::of("one lump", Some(NOISE));
        let members = good(&known, 0.125);
        let incumbent = Incumbent::at(&known, &[0.6, 0.4]).expect("finite");
        // Whole numbers: 0 and 1 alone.
        let centre = incumbent.centre(&members, |x| x.iter().map(|x| x.round()).collect());
        assert_eq!((centre.x, centre.averaged), (vec![0.6, 0.4], 1));
    }

    #[test]
    fn a_model_of_noisy_data_is_measured_by_the_noise_that_it_found() {
        let data = observed(SHAPES[0].1, 80, 2);
        let x = DMatrix::from_fn(80, 2, |row, column| data[row].0[column]);
        let y = DVector::from_fn(80, |row, _| data[row].1);
        let model = Process::matern().fit(&Dataset::new(x, y).expect("finite"), 1);
        let model = model.expect("fits");
        let incumbent = Incumbent::at(model.as_ref(), &[0.6, 0.4]).expect("finite");
        let mean = means(model.as_ref(), &[[0.6, 0.4]])[0];
        let noise = incumbent.limit(1.0).expect("noise") - mean;
        assert!((noise - NOISE).abs() < 0.4 * NOISE, "{noise}");
    }

    #[test]
    fn rounding_grows_with_the_incumbent_s_mean() {
        let mut known = Known::of("corner", None);
        known.value = |x| 1e6 + x[0];
        let incumbent = Incumbent::at(&known, &[0.0, 1.0]).expect("finite");
        // A billionth of a million and one.
        assert!(incumbent.tolerates(&[0.9e-3, 1.0]));
        assert!(!incumbent.tolerates(&[1.1e-3, 1.0]));
        known.value = |x| x[0] - 1e6;
        let incumbent = Incumbent::at(&known, &[0.0, 1.0]).expect("finite");
        assert!(incumbent.tolerates(&[0.9e-3, 1.0]));
    }

    #[test]
    fn of_two_valleys_the_incumbent_s_own_is_kept() {
        let known = Known::of("two valleys", Some(NOISE));
        let members = good(&known, 0.125);
        for incumbent in [[0.22, 0.5], [0.78, 0.5], [0.22, 0.6], [0.78, 0.4]] {
            let at = Incumbent::at(&known, &incumbent).expect("finite");
            let centre = at.centre(&members, <[f64]>::to_vec);
            let off = (centre.x[0] - incumbent[0]).abs();
            assert!(
                centre.averaged > 1 && off < 0.2,
                "{incumbent:?}: {centre:?}"
            );
        }
    }

    #[test]
    fn one_member_alone_is_no_average_and_the_incumbent_stays() {
        let known = Known::of("one lump", Some(NOISE));
        let incumbent = Incumbent::at(&known, &[0.65, 0.4]).expect("finite");
        let centre = incumbent.centre(&[vec![0.6, 0.4]], <[f64]>::to_vec);
        assert_eq!(
            (centre.x, centre.averaged, centre.of),
            (vec![0.65, 0.4], 1, 1)
        );
    }
}
