//! Matrix: factorisations, elementary functions over whole columns, and points row by row.

pub mod cholesky;
pub mod lanes;

use nalgebra::DMatrix;

/// n points of d coordinates, point after point.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    coordinates: Vec<f64>,
    dimensions: usize,
}

impl Points {
    /// Takes over the rows of `x` (n x d, d at least 1).
    pub fn from_rows(x: &DMatrix<f64>) -> Self {
        Self {
            coordinates: x.transpose().as_slice().to_vec(),
            dimensions: x.ncols(),
        }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.coordinates.len() / self.dimensions
    }

    /// True if there are no points.
    pub fn is_empty(&self) -> bool {
        self.coordinates.is_empty()
    }

    /// Coordinates of a point.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The points in order.
    pub fn iter(&self) -> impl Iterator<Item = &[f64]> + Clone {
        self.coordinates.chunks_exact(self.dimensions)
    }

    /// The i-th point.
    pub fn point(&self, i: usize) -> &[f64] {
        &self.coordinates[i * self.dimensions..(i + 1) * self.dimensions]
    }
}
