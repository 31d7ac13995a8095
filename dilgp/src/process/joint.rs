//! Joint: the posterior at several points together, and draws from it.

use nalgebra::{DMatrix, DVector};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::covariance::Columns;
use super::likelihood::matrix;
use super::posterior::FittedProcess;
use super::prior::NoiseVariance;
use crate::Error;
use crate::matrix::cholesky::Cholesky;

impl FittedProcess {
    /// Mean and covariance of the latent function at the rows of `x`, in the caller's units (and
    /// their square).
    ///
    /// # Errors
    /// More points than a covariance matrix is built for.
    ///
    /// # Panics
    /// If `x` has not as many columns as the data the model was fitted to.
    pub fn joint(&self, x: &DMatrix<f64>) -> Result<(DVector<f64>, DMatrix<f64>), Error> {
        let (mean, covariance, _) = self.standard_joint(x)?;
        let units = self.sample.units;
        Ok((
            mean.map(|m| units.mean + units.scale * m),
            covariance * (units.scale * units.scale),
        ))
    }

    /// `draws` functions drawn from the posterior, seen at the rows of `x`: one row a point, one
    /// column a draw, in the caller's units. The points of one draw belong together (as Thompson
    /// sampling needs); the observation noise is not in them. O(m^3) for m points.
    ///
    /// # Errors
    /// More points than a covariance matrix is built for, or one that cannot be factorised.
    ///
    /// # Panics
    /// If `x` has not as many columns as the data the model was fitted to.
    pub fn sample(&self, x: &DMatrix<f64>, draws: usize, seed: u64) -> Result<DMatrix<f64>, Error> {
        let (mean, covariance, prior) = self.standard_joint(x)?;
        let m = x.nrows();
        let mut drawn = DMatrix::zeros(m, draws);
        if m == 0 {
            return Ok(drawn);
        }
        // Where the data leave nothing open the variance is rounding only, which scales with the
        // prior's variance, not with what is left.
        let floor = SMALLEST_RELATIVE_VARIANCE * prior;
        let factor = Cholesky::factorise(&(covariance + DMatrix::identity(m, m) * floor))?;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for mut column in drawn.column_iter_mut() {
            column
                .iter_mut()
                .for_each(|g| *g = StandardNormal.sample(&mut random));
            factor.multiply_lower(column.as_mut_slice());
            for (drawn, mean) in column.iter_mut().zip(mean.iter()) {
                *drawn = self.sample.units.mean + self.sample.units.scale * (mean + *drawn);
            }
        }
        Ok(drawn)
    }

    /// Mean and covariance on standardised targets, and the largest prior variance among them.
    fn standard_joint(&self, x: &DMatrix<f64>) -> Result<(DVector<f64>, DMatrix<f64>, f64), Error> {
        self.expect_dimensions(x.ncols());
        Error::unless_it_fits(self.summary.surrogate, x.nrows())?;
        let mut cross = self.cross(x);
        let mean = cross.tr_mul(&self.likelihood.alpha);
        self.likelihood.cholesky.solve_lower_many(&mut cross);
        let points = Columns::from_rows(x.clone());
        let prior = matrix(
            self.kernel.as_ref(),
            &self.theta,
            &NoiseVariance::Same(0.0),
            &points,
        );
        let largest = prior.diagonal().iter().copied().fold(0.0, f64::max);
        let mut covariance = prior - cross.tr_mul(&cross);
        covariance.fill_upper_triangle_with_lower_triangle();
        Ok((mean, covariance, largest))
    }
}

/// Added to a joint variance before it is factorised, as a share of the prior's.
const SMALLEST_RELATIVE_VARIANCE: f64 = 1e-12;
