//! Joint: the posterior at several points together.

use nalgebra::{DMatrix, DVector};

use super::covariance::Columns;
use super::likelihood::matrix;
use super::posterior::FittedProcess;
use super::prior::NoiseVariance;
use crate::Error;

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
        self.expect_dimensions(x.ncols());
        Error::unless_it_fits(self.summary.surrogate, x.nrows())?;
        let mut cross = self.cross(x);
        let mean = cross.tr_mul(&self.likelihood.alpha);
        self.likelihood.cholesky.solve_lower_many(&mut cross);
        let prior = matrix(
            self.kernel.as_ref(),
            &self.theta,
            &NoiseVariance::Same(0.0),
            &Columns::from_rows(x.clone()),
        );
        let mut covariance = prior - cross.tr_mul(&cross);
        covariance.fill_upper_triangle_with_lower_triangle();
        let units = self.sample.units;
        Ok((
            mean.map(|m| units.mean + units.scale * m),
            covariance * (units.scale * units.scale),
        ))
    }
}
