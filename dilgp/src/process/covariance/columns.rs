//! Columns: points stored coordinate after coordinate, so that one coordinate of many points lies
//! side by side and a loop over points runs in vector registers.

use std::ops::Range;

use nalgebra::DMatrix;

/// n points of d coordinates, coordinate after coordinate.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns {
    x: DMatrix<f64>,
}

impl Columns {
    /// Takes over the rows of `x`, one point each (n x d).
    pub fn from_rows(x: DMatrix<f64>) -> Self {
        Self { x }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.x.nrows()
    }

    /// True if there are no points.
    pub fn is_empty(&self) -> bool {
        self.x.nrows() == 0
    }

    /// Coordinates of a point.
    pub fn dimensions(&self) -> usize {
        self.x.ncols()
    }

    /// The k-th coordinate of every point.
    #[inline(always)]
    pub fn column(&self, k: usize) -> &[f64] {
        let n = self.x.nrows();
        &self.x.as_slice()[k * n..(k + 1) * n]
    }

    /// Copies the i-th point into `out`.
    pub fn copy_point(&self, i: usize, out: &mut [f64]) {
        for (k, out) in out.iter_mut().enumerate() {
            *out = self.x[(i, k)];
        }
    }

    /// These points with one more coordinate.
    pub fn with_coordinate(&self, values: &[f64]) -> Self {
        let d = self.dimensions();
        let mut x = self.x.clone().insert_column(d, 0.0);
        x.column_mut(d).copy_from_slice(values);
        Self { x }
    }

    /// These points and one more.
    pub fn with(&self, point: &[f64]) -> Self {
        let n = self.len();
        let mut x = self.x.clone().insert_row(n, 0.0);
        for (k, value) in point.iter().enumerate() {
            x[(n, k)] = *value;
        }
        Self { x }
    }
}

/// One point looked at beside a run of others: what a covariance is computed from.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The one point.
    pub x: &'a [f64],
    columns: &'a Columns,
    first: usize,
    last: usize,
    /// Coordinates of the columns before the first that is seen.
    skipped: usize,
}

impl<'a> View<'a> {
    /// `x` beside the points `first..last` (the last not included) of `columns`.
    pub fn new(x: &'a [f64], columns: &'a Columns, first: usize, last: usize) -> Self {
        Self {
            x,
            columns,
            first,
            last,
            skipped: 0,
        }
    }

    /// The same points seen in some of their coordinates only.
    ///
    /// # Panics
    /// If `range` reaches beyond the coordinates.
    pub fn part(self, range: Range<usize>) -> Self {
        Self {
            x: &self.x[range.clone()],
            skipped: self.skipped + range.start,
            ..self
        }
    }

    /// `x` beside all of `columns`.
    pub fn all(x: &'a [f64], columns: &'a Columns) -> Self {
        Self::new(x, columns, 0, columns.len())
    }

    /// Number of other points.
    pub fn len(&self) -> usize {
        self.last - self.first
    }

    /// True if there is no other point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The k-th coordinate of the other points `from..to` of this run.
    #[inline(always)]
    pub fn coordinate(&self, k: usize, from: usize, to: usize) -> &'a [f64] {
        &self.columns.column(self.skipped + k)[self.first + from..self.first + to]
    }
}
