//! Mixture: two normal components of one covariance over a run's flights, by expectation and
//! maximisation (Dempster, Laird and Rubin, J. R. Stat. Soc. B 39, 1977).
//!
//! One covariance for both components and a weak belief about it keep a component of one or two
//! flights from collapsing onto them. The belief is an inverse-Wishart one, the shares have a
//! Dirichlet one; what increases from step to step is the log likelihood plus these log priors.
//! Starts cut the points, sorted along several directions, at several places, so that the result
//! depends neither on chance nor on the order of the points.

/// A point: two coordinates on a common scale.
pub type Point = [f64; 2];

/// Degrees of freedom of the belief about the covariance: as if so many flights had shown it.
const BELIEVED_FLIGHTS: f64 = 4.0;

/// Pseudo-flights that each component has beside its own.
const BELIEVED_SHARE: f64 = 0.5;

/// Steps of one ascent.
const MOST_STEPS: usize = 200;

/// An ascent ends where a step gains less than this \[nats\].
const SMALLEST_GAIN: f64 = 1e-9;

/// Directions along which the points are cut for a start.
const DIRECTIONS: [Point; 4] = [[1.0, 0.0], [0.0, 1.0], [1.0, -1.0], [1.0, 1.0]];

/// Shares at which they are cut, beside behind the first point and before the last.
const CUTS: [f64; 5] = [0.1, 0.25, 0.5, 0.75, 0.9];

/// Two normal components.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixture {
    /// Share of each component; they sum to 1.
    pub shares: [f64; 2],
    /// Mean of each component.
    pub means: [Point; 2],
    /// The covariance of both: xx, xy, yy.
    pub covariance: [f64; 3],
    /// Variance of each coordinate that is believed within a component.
    pub believed: Point,
}

impl Mixture {
    /// The best mixture found for `points`, of which there is at least one; within a component
    /// each coordinate is believed to have the variance `believed`. The component with the
    /// greater first coordinate of the mean comes first.
    pub fn fit(points: &[Point], believed: Point) -> Mixture {
        // Sums in one order, so that a permutation of the points changes not even the last bit.
        let mut points = points.to_vec();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        let ascents = starts(&points)
            .into_iter()
            .map(|first| Mixture::of(&points, &first, believed).ascended(&points));
        let best = ascents
            .map(|mixture| (mixture.objective(&points), mixture))
            .reduce(|best, other| if other.0 > best.0 { other } else { best });
        let mixture = best.expect("there is at least one start").1;
        if mixture.means[0][0] >= mixture.means[1][0] {
            return mixture;
        }
        let ([a, b], [c, d]) = (mixture.shares, mixture.means);
        Mixture {
            shares: [b, a],
            means: [d, c],
            ..mixture
        }
    }

    /// One component for all `points`: both have the same mean.
    pub fn single(points: &[Point], believed: Point) -> Mixture {
        Mixture::of(points, &vec![0.5; points.len()], believed)
    }

    /// The maximisation step: the mixture that `first` (each point's weight in the first
    /// component) gives.
    fn of(points: &[Point], first: &[f64], believed: Point) -> Mixture {
        let count = points.len() as f64;
        let weight = |component: usize, i: usize| {
            if component == 0 {
                first[i]
            } else {
                1.0 - first[i]
            }
        };
        let total = [0, 1].map(|c| (0..points.len()).map(|i| weight(c, i)).sum::<f64>());
        let means = [0, 1].map(|c| {
            [0, 1].map(|k| {
                let sum: f64 = (0..points.len()).map(|i| weight(c, i) * points[i][k]).sum();
                sum / total[c].max(f64::MIN_POSITIVE)
            })
        });
        let scatter = |j: usize, k: usize| {
            let own = |c: usize, i: usize| {
                weight(c, i) * (points[i][j] - means[c][j]) * (points[i][k] - means[c][k])
            };
            let sums = (0..points.len()).map(|i| own(0, i) + own(1, i));
            sums.sum::<f64>()
        };
        let strength = BELIEVED_FLIGHTS;
        let pooled = |sum: f64, own: f64| (sum + strength * own) / (count + strength);
        Mixture {
            shares: total.map(|own| (own + BELIEVED_SHARE) / (count + 2.0 * BELIEVED_SHARE)),
            means,
            covariance: [
                pooled(scatter(0, 0), believed[0]),
                pooled(scatter(0, 1), 0.0),
                pooled(scatter(1, 1), believed[1]),
            ],
            believed,
        }
    }

    /// One step of expectation and maximisation.
    pub fn stepped(&self, points: &[Point]) -> Mixture {
        let first: Vec<f64> = points
            .iter()
            .map(|point| self.posterior(*point)[0])
            .collect();
        Mixture::of(points, &first, self.believed)
    }

    fn ascended(self, points: &[Point]) -> Mixture {
        let mut best = self;
        let mut value = best.objective(points);
        for _ in 0..MOST_STEPS {
            let next = best.stepped(points);
            let gained = next.objective(points) - value;
            if gained.is_nan() || gained < SMALLEST_GAIN {
                break;
            }
            value += gained;
            best = next;
        }
        best
    }

    /// What the steps raise: log likelihood of `points` plus the log priors, without constants
    /// \[nats\].
    pub fn objective(&self, points: &[Point]) -> f64 {
        let likelihood: f64 = points
            .iter()
            .map(|point| {
                let [a, b] = self.log_densities(*point);
                let most = a.max(b);
                most + ((a - most).exp() + (b - most).exp()).ln()
            })
            .sum();
        let shares: f64 = self.shares.iter().map(|share| share.ln()).sum();
        let [xx, _, yy] = self.covariance;
        let determinant = self.determinant();
        // tr(S Sigma^-1) for the diagonal S of the belief.
        let trace = (self.believed[0] * yy + self.believed[1] * xx) / determinant;
        let belief = -0.5 * BELIEVED_FLIGHTS * (determinant.ln() + trace);
        likelihood + BELIEVED_SHARE * shares + belief
    }

    /// How probable it is that `point` belongs to each component.
    pub fn posterior(&self, point: Point) -> [f64; 2] {
        let [a, b] = self.log_densities(point);
        let first = 1.0 / (1.0 + (b - a).exp());
        [first, 1.0 - first]
    }

    /// Logarithm of share times density.
    fn log_densities(&self, point: Point) -> [f64; 2] {
        let [xx, xy, yy] = self.covariance;
        let determinant = self.determinant();
        [0, 1].map(|c| {
            let [x, y] = [0, 1].map(|k| point[k] - self.means[c][k]);
            let square = (yy * x * x - 2.0 * xy * x * y + xx * y * y) / determinant;
            let constant = 0.5 * determinant.ln() + std::f64::consts::TAU.ln();
            self.shares[c].ln() - constant - 0.5 * square
        })
    }

    fn determinant(&self) -> f64 {
        let [xx, xy, yy] = self.covariance;
        xx * yy - xy * xy
    }
}

/// Weights in the first component from which ascents start.
fn starts(points: &[Point]) -> Vec<Vec<f64>> {
    let count = points.len();
    let mut starts = Vec::new();
    for direction in DIRECTIONS {
        let along = |i: &usize| points[*i][0] * direction[0] + points[*i][1] * direction[1];
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|a, b| along(a).total_cmp(&along(b)));
        let inner = CUTS.map(|share| (share * count as f64).round() as usize);
        for cut in inner.into_iter().chain([1, count - 1]) {
            let mut first = vec![0.0; count];
            for i in &order[cut.min(count)..] {
                first[*i] = 1.0;
            }
            starts.push(first);
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    #[test]
    fn one_step_by_hand() {
        // Two points and means at +-1 on the first axis, unit covariance: the point at 1 is of the
        // first component with probability r = 1 / (1 + e^-2). The new means are +-(2 r - 1), which
        // is tanh 1, and what is left around them 2 (1 - tanh(1)^2).
        let points = [[1.0, 0.0], [-1.0, 0.0]];
        let before = Mixture {
            shares: [0.5; 2],
            means: [[1.0, 0.0], [-1.0, 0.0]],
            covariance: [1.0, 0.0, 1.0],
            believed: [1.0, 0.5],
        };
        let r = 1.0 / (1.0 + (-2f64).exp());
        assert_relative_eq!(before.posterior(points[0])[0], r, max_relative = 1e-14);
        let after = before.stepped(&points);
        assert_relative_eq!(after.means[0][0], 1f64.tanh(), max_relative = 1e-14);
        assert_relative_eq!(after.means[1][0], -1f64.tanh(), max_relative = 1e-14);
        assert_eq!(after.shares, [0.5; 2]);
        // Two points and a belief as strong as four.
        let left = 2.0 * (1.0 - 1f64.tanh().powi(2));
        let [xx, xy, yy] = after.covariance;
        assert_relative_eq!(xx, (left + 4.0) / 6.0, max_relative = 1e-14);
        assert_relative_eq!(yy, 4.0 * 0.5 / 6.0, max_relative = 1e-14);
        assert!(xy.abs() < 1e-15);
    }

    #[test]
    fn the_objective_by_hand() {
        let mixture = Mixture {
            shares: [0.5; 2],
            means: [[0.0; 2]; 2],
            covariance: [1.0, 0.0, 1.0],
            believed: [1.0; 2],
        };
        // One point at the mean: -log 2 pi; shares: 0.5 * 2 log 0.5; covariance: -2 (log 1 + 2).
        let expected = -std::f64::consts::TAU.ln() + 0.5f64.ln() - 4.0;
        let objective = mixture.objective(&[[0.0; 2]]);
        assert_relative_eq!(objective, expected, max_relative = 1e-14);
    }

    #[test]
    fn a_lone_flight_far_from_the_rest_is_a_component_of_its_own() {
        let mut points: Vec<Point> = (0..9)
            .map(|k| [0.1 * f64::from(k % 3), 0.1 * f64::from(k / 3)])
            .collect();
        points.push([-3.0, 4.0]);
        let mixture = Mixture::fit(&points, [0.02, 0.02]);
        assert!(mixture.posterior(points[9])[1] > 0.99);
        assert!(points[..9].iter().all(|p| mixture.posterior(*p)[0] > 0.99));
    }

    fn cloud() -> impl Strategy<Value = Vec<Point>> {
        prop::collection::vec(prop::array::uniform2(-5.0f64..5.0), 1..30)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn no_step_lowers_the_objective(points in cloud(), cut in 0usize..30) {
            let first: Vec<f64> = (0..points.len()).map(|i| f64::from(i < cut)).collect();
            let mut mixture = Mixture::of(&points, &first, [0.1, 0.3]);
            for _ in 0..12 {
                let next = mixture.stepped(&points);
                let (before, after) = (mixture.objective(&points), next.objective(&points));
                prop_assert!(after >= before - 1e-9 * before.abs().max(1.0), "{before} {after}");
                mixture = next;
            }
        }

        #[test]
        fn the_order_of_the_points_changes_nothing(points in cloud(), turn in 0usize..30) {
            let mut other = points.clone();
            other.rotate_left(turn % points.len());
            other.reverse();
            let mixture = Mixture::fit(&points, [0.1, 0.3]);
            prop_assert_eq!(&mixture, &Mixture::fit(&other, [0.1, 0.3]));
            let sum: f64 = mixture.shares.iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-12);
            prop_assert!(mixture.means[0][0] >= mixture.means[1][0]);
        }
    }
}
