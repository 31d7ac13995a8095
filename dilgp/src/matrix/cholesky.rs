//! Cholesky: a covariance matrix as L L', and what is cheap to compute once it is known.
//!
//! The only file that names the linear-algebra library faer; it works on nalgebra's memory and
//! on one thread, so results are the same bits on every run.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::{factor, inverse};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{MatMut, MatRef, Par};
use nalgebra::DMatrix;

use crate::Error;
use crate::matrix::lanes::{dot, wide};

/// Additions to the diagonal tried in turn, relative to its mean; the first is none at all.
const RELATIVE_JITTERS: [f64; 9] = [0.0, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3];

/// A new diagonal entry of which less than this share is left after elimination is rounding.
const SMALLEST_SHARE: f64 = 1e-14;

/// The lower factor L of a positive definite matrix, with what was added to its diagonal.
#[derive(Debug, Clone)]
pub struct Cholesky {
    lower: DMatrix<f64>,
    jitter: f64,
}

impl Cholesky {
    /// Factorises the symmetric matrix whose lower triangle is that of `matrix` (the rest is
    /// not read), adding to the diagonal as little of 0, 1e-10 .. 1e-3 times its mean as works.
    ///
    /// # Errors
    /// [`Error::NotPositiveDefinite`] if none does, or an entry is not finite.
    pub fn factorise(matrix: &DMatrix<f64>) -> Result<Self, Error> {
        let n = matrix.nrows();
        let mean_diagonal = matrix.diagonal().sum() / n as f64;
        let mut memory = MemBuffer::new(factor::cholesky_in_place_scratch::<f64>(
            n,
            Par::Seq,
            Default::default(),
        ));
        for relative in RELATIVE_JITTERS {
            let jitter = relative * mean_diagonal;
            let mut lower = matrix.clone();
            for i in 0..n {
                lower[(i, i)] += jitter;
            }
            let succeeded = factor::cholesky_in_place(
                MatMut::from_column_major_slice_mut(lower.as_mut_slice(), n, n),
                Default::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .is_ok();
            // faer lets NaN through.
            if succeeded && (0..n).all(|i| lower[(i, i)].is_finite() && lower[(i, i)] > 0.0) {
                return Ok(Self { lower, jitter });
            }
        }
        Err(Error::NotPositiveDefinite {
            points: n,
            mean_diagonal,
            largest_jitter: RELATIVE_JITTERS[RELATIVE_JITTERS.len() - 1] * mean_diagonal,
        })
    }

    /// What was added to every diagonal entry.
    pub fn jitter(&self) -> f64 {
        self.jitter
    }

    /// log |K|.
    pub fn log_determinant(&self) -> f64 {
        2.0 * self.lower.diagonal().iter().map(|l| l.ln()).sum::<f64>()
    }

    /// Overwrites b with L^-1 b.
    pub fn solve_lower(&self, b: &mut [f64]) {
        solve_lower(self.lower.as_slice(), self.lower.nrows(), b);
    }

    /// Overwrites b with L'^-1 b.
    pub fn solve_upper(&self, b: &mut [f64]) {
        let n = b.len();
        wide(
            #[inline(always)]
            || {
                for j in (0..n).rev() {
                    let column = &self.lower.as_slice()[j * n + j..(j + 1) * n];
                    b[j] = (b[j] - dot(&column[1..], &b[j + 1..])) / column[0];
                }
            },
        );
    }

    /// Overwrites B (one right-hand side a column) with L^-1 B.
    pub fn solve_lower_many(&self, b: &mut DMatrix<f64>) {
        let (n, columns) = b.shape();
        solve_lower_triangular_in_place(
            MatRef::from_column_major_slice(self.lower.as_slice(), n, n),
            MatMut::from_column_major_slice_mut(b.as_mut_slice(), n, columns),
            Par::Seq,
        );
    }

    /// K^-1, both triangles.
    pub fn inverse(&self) -> DMatrix<f64> {
        let mut out = self.inverse_lower();
        out.fill_upper_triangle_with_lower_triangle();
        out
    }

    /// The lower triangle of K^-1; what stands above it means nothing.
    pub fn inverse_lower(&self) -> DMatrix<f64> {
        let n = self.lower.nrows();
        let mut out = DMatrix::zeros(n, n);
        inverse::inverse(
            MatMut::from_column_major_slice_mut(out.as_mut_slice(), n, n),
            MatRef::from_column_major_slice(self.lower.as_slice(), n, n),
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(inverse::inverse_scratch::<f64>(
                n,
                Par::Seq,
            ))),
        );
        out
    }

    /// The factor of the matrix with more rows and columns, each of `rows` one longer than the one
    /// before: the covariances with the points so far, then the new diagonal entry, to which the
    /// jitter of the old ones is added. O(n^2) a row. `None` where what is left of a new diagonal entry
    /// is lost in rounding.
    pub fn append_all(&self, rows: &[Vec<f64>]) -> Option<Self> {
        let (n, all) = (self.lower.nrows(), self.lower.nrows() + rows.len());
        let mut lower = DMatrix::zeros(all, all);
        for j in 0..n {
            let column = &mut lower.as_mut_slice()[j * all..(j + 1) * all];
            column[j..n].copy_from_slice(&self.lower.as_slice()[j * n + j..(j + 1) * n]);
        }
        for (n, row) in (n..).zip(rows) {
            let (row, diagonal) = (&row[..n], row[n]);
            let mut solved = row.to_vec();
            solve_lower(lower.as_slice(), all, &mut solved);
            let whole = diagonal + self.jitter;
            let left = whole - dot(&solved, &solved);
            if !left.is_finite() || left <= SMALLEST_SHARE * whole {
                return None;
            }
            for (j, solved) in solved.iter().enumerate() {
                lower[(n, j)] = *solved;
            }
            lower[(n, n)] = left.sqrt();
        }
        Some(Self {
            lower,
            jitter: self.jitter,
        })
    }
}

/// Overwrites b with L^-1 b, L being the upper left corner, as large as b, of a matrix with columns of
/// `stride` entries.
fn solve_lower(lower: &[f64], stride: usize, b: &mut [f64]) {
    let n = b.len();
    wide(
        #[inline(always)]
        || {
            for j in 0..n {
                let column = &lower[j * stride + j..j * stride + n];
                let solved = b[j] / column[0];
                b[j] = solved;
                for (b, l) in b[j + 1..].iter_mut().zip(&column[1..]) {
                    *b -= solved * l;
                }
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    fn covariance(n: usize) -> DMatrix<f64> {
        DMatrix::from_fn(n, n, |i, j| {
            let lag = i as f64 - j as f64;
            (-0.02 * lag * lag).exp() + if i == j { 0.1 } else { 0.0 }
        })
    }

    #[test]
    fn solves_inverse_and_determinant_agree_with_another_library() {
        let k = covariance(37);
        let ours = Cholesky::factorise(&k).unwrap();
        let theirs = nalgebra::Cholesky::new(k.clone()).unwrap();
        assert_eq!(ours.jitter(), 0.0);
        assert_relative_eq!(
            ours.log_determinant(),
            theirs.determinant().ln(),
            max_relative = 1e-10
        );
        assert_relative_eq!(
            ours.inverse(),
            theirs.inverse(),
            max_relative = 1e-9,
            epsilon = 1e-10
        );
        let b = DMatrix::from_fn(37, 1, |i, _| (i as f64).sin());
        let mut x = b.clone();
        ours.solve_lower(x.as_mut_slice());
        let mut many = DMatrix::from_fn(37, 3, |i, j| b[i] * (j + 1) as f64);
        ours.solve_lower_many(&mut many);
        assert_relative_eq!(
            many.column(2).into_owned(),
            x.column(0) * 3.0,
            epsilon = 1e-12
        );
        ours.solve_upper(x.as_mut_slice());
        assert_relative_eq!(&k * x, b, epsilon = 1e-11);
    }

    #[test]
    fn rows_appended_give_the_factor_of_the_larger_matrix() {
        let large = covariance(38);
        let whole = Cholesky::factorise(&large).unwrap();
        let small = Cholesky::factorise(&covariance(35)).unwrap();
        let row = |n: usize| (0..=n).map(|j| large[(n, j)]).collect::<Vec<f64>>();
        let grown = small.append_all(&[row(35), row(36), row(37)]).unwrap();
        assert_relative_eq!(
            grown.lower.lower_triangle(),
            whole.lower.lower_triangle(),
            epsilon = 1e-13
        );
        // The same point again, without noise, leaves nothing to factorise.
        let noiseless = Cholesky::factorise(&DMatrix::from_element(1, 1, 1.0)).unwrap();
        assert!(noiseless.append_all(&[vec![1.0, 1.0]]).is_none());
    }

    #[test]
    fn a_singular_matrix_is_factorised_with_the_least_jitter_that_works() {
        // Rank one; its diagonal has mean 1e6, so the first jitter is 1e-4.
        let k = DMatrix::from_element(5, 5, 1e6);
        let factor = Cholesky::factorise(&k).unwrap();
        assert!(factor.jitter() >= 1e-4 && factor.jitter() <= 1e-2);
    }

    #[test]
    fn an_indefinite_or_broken_matrix_is_refused_with_its_numbers() {
        let mut k = covariance(3);
        k[(2, 0)] = 5.0;
        let error = Cholesky::factorise(&k).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the covariance of 3 points (mean diagonal 1.100e0) is not positive definite, even \
             with 1.100e-3 added to its diagonal"
        );
        k[(2, 0)] = f64::NAN;
        assert!(Cholesky::factorise(&k).is_err());
    }
}
