//! Posterior of the hierarchical process: all training points together, and a gate that says to
//! which environment a new point belongs.

use nalgebra::{DMatrix, DVector};

use super::layout::Layout;
use super::nearest;
use crate::Error;
use crate::Model;
use crate::Prediction;
use crate::Slope;
use crate::Summary;
use crate::dil::kernel::Kernel;
use crate::dil::points::{Pairs, Points, unpack};
use crate::matrix::cholesky::Cholesky;
use crate::standardise::Standardisation;

/// Says to which environment a point belongs: the one with the nearest centre.
#[derive(Debug)]
pub struct Gate {
    /// How each column is z-scored.
    columns: Vec<Standardisation>,
    centres: Vec<Vec<f64>>,
}

impl Gate {
    /// From the columns' units and the centres in z-scored coordinates.
    pub fn new(columns: Vec<Standardisation>, centres: Vec<Vec<f64>>) -> Self {
        Self { columns, centres }
    }

    /// The z-scored point and its environment.
    fn enter(&self, x: impl Iterator<Item = f64>) -> (Vec<f64>, usize) {
        let units = x.zip(&self.columns);
        let scored: Vec<f64> = units.map(|(x, c)| (x - c.mean) / c.scale).collect();
        let environment = nearest(&scored, &self.centres);
        (scored, environment)
    }
}

/// A fitted hierarchical process.
#[derive(Debug)]
pub struct HierarchicalPosterior {
    layout: Layout,
    eta: Vec<f64>,
    points: Points,
    labels: Vec<usize>,
    cholesky: Cholesky,
    alpha: DVector<f64>,
    gate: Gate,
    units: Standardisation,
    summary: Summary,
}

impl HierarchicalPosterior {
    /// Combines what was learnt.
    ///
    /// # Errors
    /// A joint covariance that cannot be factorised.
    #[allow(clippy::too_many_arguments)] // all of it is the model
    pub fn new(
        layout: Layout,
        eta: &[f64],
        points: Points,
        labels: Vec<usize>,
        residuals: &DVector<f64>,
        gate: Gate,
        units: Standardisation,
        mut summary: Summary,
    ) -> Result<Self, Error> {
        let cholesky = Cholesky::factorise(&covariance(&layout, eta, &points, &labels))?;
        summary.jitter = cholesky.jitter();
        let mut alpha = residuals.clone();
        cholesky.solve_lower(alpha.as_mut_slice());
        cholesky.solve_upper(alpha.as_mut_slice());
        Ok(Self {
            layout,
            eta: eta.to_vec(),
            points,
            labels,
            cholesky,
            alpha,
            gate,
            units,
            summary,
        })
    }

    fn kernel(&self) -> &dyn Kernel {
        self.layout.kernel().as_ref()
    }

    /// Covariances of a point of environment `e` with the training points; d / d compared into
    /// `slope` where asked.
    fn cross(&self, x: &[f64], e: usize, slope: Option<&mut [f64]>) -> Vec<f64> {
        let points = self.points.iter();
        let compared: Vec<f64> = points
            .map(|point| self.kernel().compare(x, point))
            .collect();
        let n = compared.len();
        let mut cross = vec![0.0; n];
        let mut by_compared = vec![0.0; n];
        let shared = &self.eta[self.layout.shared()];
        self.kernel()
            .values(shared, &compared, &mut cross, Some(&mut by_compared));
        if self.layout.has_own() {
            let (mut own, mut own_slope) = (vec![0.0; n], vec![0.0; n]);
            let own_eta = &self.eta[self.layout.own(e)];
            self.kernel()
                .values(own_eta, &compared, &mut own, Some(&mut own_slope));
            let offset = self.eta[self.layout.offset(e)].exp();
            for i in (0..n).filter(|&i| self.labels[i] == e) {
                cross[i] += own[i] + offset;
                by_compared[i] += own_slope[i];
            }
        }
        if let Some(slope) = slope {
            slope.copy_from_slice(&by_compared);
        }
        cross
    }

    /// The variance of a point of environment `e` before any data, and its gradient by x.
    fn prior_variance(&self, x: &[f64], e: usize, gradient: &mut [f64]) -> f64 {
        let shared = &self.eta[self.layout.shared()];
        let mut variance = self.kernel().at_itself(shared, x, gradient);
        if self.layout.has_own() {
            let mut own = vec![0.0; x.len()];
            let own_eta = &self.eta[self.layout.own(e)];
            variance += self.kernel().at_itself(own_eta, x, &mut own);
            variance += self.eta[self.layout.offset(e)].exp();
            gradient.iter_mut().zip(own).for_each(|(g, own)| *g += own);
        }
        variance
    }

    fn expect_dimensions(&self, given: usize) {
        let fitted = self.points.dimensions();
        assert_eq!(
            given, fitted,
            "the model was fitted to points of {fitted} coordinates, not {given}"
        );
    }
}

/// The joint covariance of all training points, noise included.
fn covariance(layout: &Layout, eta: &[f64], points: &Points, labels: &[usize]) -> DMatrix<f64> {
    let kernel = layout.kernel().as_ref();
    let n = points.len();
    let pairs = Pairs::compare(kernel, points);
    let mut packed = vec![0.0; pairs.compared().len()];
    kernel.values(&eta[layout.shared()], pairs.compared(), &mut packed, None);
    let mut joint = unpack(&packed, n, 0.0);
    for e in 0..layout.environments() {
        let own = layout.has_own().then(|| {
            kernel.values(&eta[layout.own(e)], pairs.compared(), &mut packed, None);
            (unpack(&packed, n, 0.0), eta[layout.offset(e)].exp())
        });
        let members: Vec<usize> = (0..n).filter(|&i| labels[i] == e).collect();
        for &i in &members {
            joint[(i, i)] += eta[layout.noise(e)].exp();
            if let Some((own, offset)) = &own {
                members
                    .iter()
                    .for_each(|&j| joint[(i, j)] += own[(i, j)] + offset);
            }
        }
    }
    joint
}

impl Model for HierarchicalPosterior {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        self.expect_dimensions(x.ncols());
        let Standardisation { mean, scale } = self.units;
        let count = x.nrows();
        let (mut means, mut std, mut observed) = (
            DVector::zeros(count),
            DVector::zeros(count),
            DVector::zeros(count),
        );
        let mut unused = vec![0.0; x.ncols()];
        for (i, row) in x.row_iter().enumerate() {
            let (x, e) = self.gate.enter(row.iter().copied());
            let mut cross = DVector::from_vec(self.cross(&x, e, None));
            means[i] = mean + scale * cross.dot(&self.alpha);
            self.cholesky.solve_lower(cross.as_mut_slice());
            let variance = self.prior_variance(&x, e, &mut unused) - cross.norm_squared();
            let variance = variance.max(0.0);
            std[i] = scale * variance.sqrt();
            observed[i] = scale * (variance + self.eta[self.layout.noise(e)].exp()).sqrt();
        }
        Prediction {
            mean: means,
            std: Some(std),
            observation_std: Some(observed),
        }
    }

    /// The slope within the environment that the point belongs to; none is defined on the border.
    fn slope(&self, x: &[f64]) -> Option<Slope> {
        self.expect_dimensions(x.len());
        let (z, e) = self.gate.enter(x.iter().copied());
        let mut by_compared = vec![0.0; self.points.len()];
        let mut cross = self.cross(&z, e, Some(&mut by_compared));
        let mean: f64 = cross.iter().zip(&self.alpha).map(|(k, a)| k * a).sum();
        let mut variance_gradient = vec![0.0; x.len()];
        let own = self.prior_variance(&z, e, &mut variance_gradient);
        self.cholesky.solve_lower(&mut cross);
        let variance = (own - cross.iter().map(|v| v * v).sum::<f64>()).max(0.0);
        self.cholesky.solve_upper(&mut cross);
        let mut mean_gradient = vec![0.0; x.len()];
        for (i, point) in self.points.iter().enumerate() {
            let weight = by_compared[i];
            let kernel = self.kernel();
            kernel.add_compare_gradient(&z, point, weight * self.alpha[i], &mut mean_gradient);
            let weight = -2.0 * weight * cross[i];
            kernel.add_compare_gradient(&z, point, weight, &mut variance_gradient);
        }
        let scale = self.units.scale;
        let std = variance.sqrt();
        let to_std = if std > 0.0 { 0.5 / std } else { 0.0 };
        let in_units = |gradient: Vec<f64>, factor: f64| -> Vec<f64> {
            let columns = gradient.iter().zip(&self.gate.columns);
            columns.map(|(g, c)| factor * scale * g / c.scale).collect()
        };
        Some(Slope {
            mean: self.units.mean + scale * mean,
            std: Some(scale * std),
            mean_gradient: in_units(mean_gradient, 1.0),
            std_gradient: Some(in_units(variance_gradient, to_std)),
        })
    }

    fn summary(&self) -> &Summary {
        &self.summary
    }
}
