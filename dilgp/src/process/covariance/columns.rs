//! Columns: points stored coordinate after coordinate, so that one coordinate of many points lies
//! side by side and a loop over points runs in vector registers.

use std::ops::Range;

use nalgebra::DMatrix;

/// n points of d coordinates, coordinate after coordinate.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns {
    /// Each coordinate of all points, with [`BEHIND`] zeros behind it.
    values: Vec<f64>,
    points: usize,
}

/// Numbers that may be read behind a column, so that a loop over points needs no remainder.
const BEHIND: usize = 16;

impl Columns {
    /// Copies the rows of `x`, one point each (n x d).
    pub fn from_rows(x: DMatrix<f64>) -> Self {
        let mut values = Vec::with_capacity((x.nrows() + BEHIND) * x.ncols());
        for column in x.column_iter() {
            values.extend(column.iter());
            values.extend([0.0; BEHIND]);
        }
        Self {
            values,
            points: x.nrows(),
        }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.points
    }

    /// True if there are no points.
    pub fn is_empty(&self) -> bool {
        self.points == 0
    }

    /// Coordinates of a point.
    pub fn dimensions(&self) -> usize {
        self.values.len() / (self.points + BEHIND)
    }

    /// The k-th coordinate of every point.
    #[inline(always)]
    pub fn column(&self, k: usize) -> &[f64] {
        &self.and_behind(k)[..self.points]
    }

    /// The same and the zeros behind it.
    #[inline(always)]
    fn and_behind(&self, k: usize) -> &[f64] {
        let each = self.points + BEHIND;
        &self.values[k * each..(k + 1) * each]
    }

    /// Copies the i-th point into `out`.
    pub fn copy_point(&self, i: usize, out: &mut [f64]) {
        for (k, out) in out.iter_mut().enumerate() {
            *out = self.column(k)[i];
        }
    }

    /// These points with one more coordinate.
    pub fn with_coordinate(&self, values: &[f64]) -> Self {
        let mut all = self.clone();
        all.values.extend(values);
        all.values.extend([0.0; BEHIND]);
        all
    }

    /// These points and one more.
    pub fn with(&self, point: &[f64]) -> Self {
        let mut values = Vec::with_capacity(self.values.len() + point.len());
        for (k, value) in point.iter().enumerate() {
            values.extend(self.column(k));
            values.push(*value);
            values.extend([0.0; BEHIND]);
        }
        Self {
            values,
            points: self.points + 1,
        }
    }
}

/// One point and a run of others, each with a weight where a sum is asked for: what a covariance is
/// computed from.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The one point.
    pub x: &'a [f64],
    /// A weight for each other point; empty where only values are asked for.
    pub weight: &'a [f64],
    columns: &'a Columns,
    first: usize,
    last: usize,
    /// Coordinates of the columns before the first that is seen.
    skipped: usize,
}

impl<'a> View<'a> {
    /// `x` and the points `first..last` (the last not included) of `columns`, without weights.
    pub fn new(x: &'a [f64], columns: &'a Columns, first: usize, last: usize) -> Self {
        Self {
            x,
            weight: &[],
            columns,
            first,
            last,
            skipped: 0,
        }
    }

    /// The same points with these weights.
    pub fn weighed<'b>(self, weight: &'b [f64]) -> View<'b>
    where
        'a: 'b,
    {
        View { weight, ..self }
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

    /// `x` and all of `columns`, without weights.
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

    /// The k-th coordinate of the other points `from..to` of this run; `to` may lie up to 16 behind
    /// its end, where the numbers mean nothing.
    #[inline(always)]
    pub fn coordinate(&self, k: usize, from: usize, to: usize) -> &'a [f64] {
        &self.columns.and_behind(self.skipped + k)[self.first + from..self.first + to]
    }
}
