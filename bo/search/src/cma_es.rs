//! CMA-ES: an evolution strategy that learns the shape of the landscape from ranks alone.
//!
//! Hansen, "The CMA evolution strategy: a tutorial" (2016, arXiv:1604.00772), figure 6, with its
//! default parameters (table 1; only positive recombination weights). Points outside the unit
//! cube are moved onto its face, and the strategy learns from the point that was evaluated. Only the order of the costs matters, so a crash may cost anything
//! that is worse than every flight.

use nalgebra::{DMatrix, DVector, SymmetricEigen};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// What does not change during a search.
#[derive(Debug, Clone)]
struct Constants {
    dimensions: usize,
    population: usize,
    /// Recombination weights of the best half, adding up to 1.
    weights: Vec<f64>,
    /// Variance-effective size of the best half, μ_eff.
    effective: f64,
    /// Learning rates and damping: c_σ, d_σ, c_c, c_1, c_μ.
    step_rate: f64,
    step_damping: f64,
    path_rate: f64,
    rank_one_rate: f64,
    rank_mu_rate: f64,
    /// Expected length of a standard normal vector.
    expected_length: f64,
}

impl Constants {
    fn new(dimensions: usize, population: usize) -> Constants {
        let n = dimensions as f64;
        let parents = population / 2;
        let raw: Vec<f64> = (1..=parents)
            .map(|rank| ((population as f64 + 1.0) / 2.0).ln() - (rank as f64).ln())
            .collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / sum).collect();
        let effective = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let step_rate = (effective + 2.0) / (n + effective + 5.0);
        let rank_one_rate = 2.0 / ((n + 1.3).powi(2) + effective);
        let wanted = 2.0 * (effective - 2.0 + 1.0 / effective) / ((n + 2.0).powi(2) + effective);
        Constants {
            dimensions,
            population,
            weights,
            effective,
            step_rate,
            step_damping: 1.0
                + 2.0 * (((effective - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0)
                + step_rate,
            path_rate: (4.0 + effective / n) / (n + 4.0 + 2.0 * effective / n),
            rank_one_rate,
            rank_mu_rate: wanted.min(1.0 - rank_one_rate),
            expected_length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }
}

/// A search in progress over the unit cube.
#[derive(Debug, Clone)]
pub struct CmaEs {
    constants: Constants,
    random: ChaCha8Rng,
    mean: DVector<f64>,
    step: f64,
    covariance: DMatrix<f64>,
    /// Its eigenvectors and the roots of its eigenvalues.
    axes: DMatrix<f64>,
    lengths: DVector<f64>,
    step_path: DVector<f64>,
    path: DVector<f64>,
    generation: i32,
}

/// The usual number of points in a generation, 4 + ⌊3 ln n⌋ for n dimensions.
pub fn usual_population(dimensions: usize) -> usize {
    4 + (3.0 * (dimensions as f64).ln()) as usize
}

impl CmaEs {
    /// A search from `start` (a point of the unit cube) with standard deviation `step` on every
    /// axis and `population` points a generation.
    ///
    /// # Panics
    /// When `start` is empty, `step` not positive, or there are fewer than four points.
    pub fn new(start: &[f64], step: f64, population: usize, seed: u64) -> CmaEs {
        assert!(!start.is_empty(), "a search needs a dimension");
        assert!(step > 0.0, "the first step is {step}");
        assert!(population >= 4, "a generation of {population} points");
        let n = start.len();
        CmaEs {
            constants: Constants::new(n, population),
            random: ChaCha8Rng::seed_from_u64(seed),
            mean: DVector::from_column_slice(start),
            step,
            covariance: DMatrix::identity(n, n),
            axes: DMatrix::identity(n, n),
            lengths: DVector::from_element(n, 1.0),
            step_path: DVector::zeros(n),
            path: DVector::zeros(n),
            generation: 0,
        }
    }

    /// The centre of the search: what it recommends.
    pub fn mean(&self) -> Vec<f64> {
        self.mean.as_slice().to_vec()
    }

    /// Points to evaluate next: one generation.
    pub fn ask(&mut self) -> Vec<Vec<f64>> {
        (0..self.constants.population)
            .map(|_| self.draw().as_slice().to_vec())
            .collect()
    }

    fn draw(&mut self) -> DVector<f64> {
        let z = DVector::from_fn(self.constants.dimensions, |_, _| {
            let z: f64 = StandardNormal.sample(&mut self.random);
            z
        });
        let point = &self.mean + &self.axes * self.lengths.component_mul(&z) * self.step;
        point.map(|x| x.clamp(0.0, 1.0))
    }

    /// Learns from the generation's points and their costs, in any order; of equal costs the
    /// earlier point counts as better.
    ///
    /// # Panics
    /// When there are fewer points than half a generation.
    pub fn tell(&mut self, evaluated: &[(Vec<f64>, f64)]) {
        let weights = &self.constants.weights;
        assert!(evaluated.len() >= weights.len(), "half a generation");
        let mut order: Vec<usize> = (0..evaluated.len()).collect();
        order.sort_by(|a, b| evaluated[*a].1.total_cmp(&evaluated[*b].1));
        let best = order.iter().zip(weights);
        let steps: Vec<(DVector<f64>, f64)> = best
            .map(|(i, weight)| {
                let point = DVector::from_column_slice(&evaluated[*i].0);
                ((point - &self.mean) / self.step, *weight)
            })
            .collect();
        let zero = DVector::zeros(self.constants.dimensions);
        let shift = steps
            .iter()
            .fold(zero, |sum, (y, weight)| sum + y * *weight);
        self.mean += &shift * self.step;
        self.generation += 1;
        let stride = self.lengthen_step_path(&shift);
        let stalled = self.stalled(stride);
        self.adapt_covariance(&steps, &shift, stalled);
        let constants = &self.constants;
        let surplus = stride / constants.expected_length - 1.0;
        self.step *= (constants.step_rate / constants.step_damping * surplus).exp();
        // Steps wider than the cube only waste draws.
        self.step = self.step.min(1.0);
        self.find_axes();
    }

    /// Adds the whitened shift of the mean to the path that steers the step; its length.
    fn lengthen_step_path(&mut self, shift: &DVector<f64>) -> f64 {
        let Constants {
            step_rate: rate,
            effective,
            ..
        } = self.constants;
        let whitened = &self.axes * self.axes.tr_mul(shift).component_div(&self.lengths);
        self.step_path =
            &self.step_path * (1.0 - rate) + whitened * (rate * (2.0 - rate) * effective).sqrt();
        self.step_path.norm()
    }

    /// Whether the step's path is too long for the covariance to learn from it: h_σ = 0.
    fn stalled(&self, stride: f64) -> bool {
        let constants = &self.constants;
        let settled = 1.0 - (1.0 - constants.step_rate).powi(2 * self.generation);
        let longest = 1.4 + 2.0 / (constants.dimensions as f64 + 1.0);
        stride / settled.sqrt() >= longest * constants.expected_length
    }

    fn adapt_covariance(
        &mut self,
        steps: &[(DVector<f64>, f64)],
        shift: &DVector<f64>,
        stalled: bool,
    ) {
        let Constants {
            path_rate: rate,
            effective,
            rank_one_rate,
            rank_mu_rate,
            ..
        } = self.constants;
        let gain = rate * (2.0 - rate);
        let (heaviside, lost) = if stalled { (0.0, gain) } else { (1.0, 0.0) };
        self.path = &self.path * (1.0 - rate) + shift * (heaviside * (gain * effective).sqrt());
        self.covariance *= 1.0 + rank_one_rate * lost - rank_one_rate - rank_mu_rate;
        self.covariance += &self.path * self.path.transpose() * rank_one_rate;
        for (y, weight) in steps {
            self.covariance += y * y.transpose() * (rank_mu_rate * weight);
        }
    }

    fn find_axes(&mut self) {
        let symmetric = (&self.covariance + self.covariance.transpose()) * 0.5;
        let eigen = SymmetricEigen::new(symmetric.clone());
        self.covariance = symmetric;
        self.axes = eigen.eigenvectors;
        // Rounding may take the least eigenvalue of a flat ellipsoid below zero.
        self.lengths = eigen.eigenvalues.map(|value| value.max(1e-20).sqrt());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least cost seen and the final mean after `generations`.
    fn search(cost: fn(&[f64]) -> f64, generations: usize, seed: u64) -> (f64, Vec<f64>) {
        let mut strategy = CmaEs::new(&[0.9, 0.1, 0.5, 0.2], 0.2, 8, seed);
        let mut least = f64::INFINITY;
        for _ in 0..generations {
            let evaluated: Vec<(Vec<f64>, f64)> = strategy
                .ask()
                .into_iter()
                .map(|x| {
                    let value = cost(&x);
                    (x, value)
                })
                .collect();
            least = evaluated.iter().map(|e| e.1).fold(least, f64::min);
            strategy.tell(&evaluated);
        }
        (least, strategy.mean())
    }

    #[test]
    fn an_ill_conditioned_rotated_ellipsoid_is_solved_to_rounding() {
        let ellipsoid = |x: &[f64]| {
            let (a, b) = (x[0] + x[1] - 0.8, x[0] - x[1]);
            a * a + 1e4 * b * b + 10.0 * (x[2] - 0.3).powi(2) + (x[3] - 0.7).powi(2)
        };
        for seed in 0..5 {
            let (least, mean) = search(ellipsoid, 250, seed);
            assert!(least < 1e-12, "seed {seed}: {least}");
            assert!((mean[3] - 0.7).abs() < 1e-5, "seed {seed}: {mean:?}");
        }
    }

    #[test]
    fn an_optimum_in_a_corner_is_reached() {
        let plane = |x: &[f64]| x[0] + x[1] - x[2] - x[3];
        for seed in 0..5 {
            let (least, _) = search(plane, 120, seed);
            assert!((least + 2.0).abs() < 1e-6, "seed {seed}: {least}");
        }
    }

    #[test]
    fn every_point_asked_for_lies_in_the_cube_and_follows_the_seed() {
        let ask = |seed| CmaEs::new(&[0.99; 6], 0.5, usual_population(6), seed).ask();
        assert_eq!(ask(4), ask(4));
        assert_ne!(ask(4), ask(5));
        assert_eq!(ask(1).len(), 9);
        assert!(ask(7).iter().flatten().all(|x| (0.0..=1.0).contains(x)));
    }

    #[test]
    fn only_the_order_of_the_costs_matters() {
        let bowl = |x: &[f64]| x.iter().map(|x| (x - 0.4).powi(2)).sum::<f64>();
        let stretched = |x: &[f64]| {
            let bowl: f64 = x.iter().map(|x| (x - 0.4).powi(2)).sum();
            1e9 * bowl.exp()
        };
        assert_eq!(search(bowl, 30, 3).1, search(stretched, 30, 3).1);
    }
}
