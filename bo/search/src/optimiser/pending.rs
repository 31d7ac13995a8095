//! Pending points: those that were suggested and whose outcome is not yet known.
//!
//! Points that are pending together must differ whatever the surrogate predicts: one that cannot
//! learn from pending points would suggest its one maximum again and again.

/// Least distance between two pending points, in the unit cube.
pub const LEAST_DISTANCE: f64 = 0.01;

/// Points are the same whose coordinates differ by less than this: rounding.
const SAME: f64 = 1e-9;

/// A point answers the nearest pending one whose coordinates differ from it by less than this, as
/// those of a point written with three digits do.
const ANSWERED: f64 = 1e-3;

/// The pending points in the unit cube, in the order of the suggestions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pending {
    ids: Vec<u64>,
    points: Vec<Vec<f64>>,
}

impl Pending {
    /// The points.
    pub fn points(&self) -> &[Vec<f64>] {
        &self.points
    }

    /// Adds the point of suggestion `id`.
    pub fn push(&mut self, id: u64, x: Vec<f64>) {
        self.ids.push(id);
        self.points.push(x);
    }

    /// The suggestion that an evaluation at `x` answers: the nearest, if it is near.
    pub fn near(&self, x: &[f64]) -> Option<u64> {
        let distances = self.points.iter().map(|point| difference(point, x));
        let nearest = self.ids.iter().zip(distances);
        let nearest = nearest.min_by(|a, b| a.1.total_cmp(&b.1));
        let nearest = nearest.filter(|(_, distance)| *distance < ANSWERED);
        nearest.map(|(id, _)| *id)
    }

    /// Removes the point of suggestion `id`; `None` if it is not pending.
    pub fn take(&mut self, id: u64) -> Option<Vec<f64>> {
        let index = self.ids.iter().position(|own| *own == id)?;
        self.ids.remove(index);
        Some(self.points.remove(index))
    }

    /// Distance from `x` to the nearest of the points; infinite if there is none.
    pub fn distance(&self, x: &[f64]) -> f64 {
        let squares = self.points.iter().map(|point| -> f64 {
            let pairs = point.iter().zip(x);
            pairs.map(|(a, b)| (a - b) * (a - b)).sum()
        });
        squares.fold(f64::INFINITY, f64::min).sqrt()
    }
}

/// Whether two points are the same but for rounding.
pub fn same(a: &[f64], b: &[f64]) -> bool {
    difference(a, b) < SAME
}

/// Whether two points are so close that one may be the other as a rig wrote it down.
pub fn close(a: &[f64], b: &[f64]) -> bool {
    difference(a, b) < ANSWERED
}

/// Greatest difference of coordinates.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Pending {
        let mut points = Pending::default();
        points.push(4, vec![0.5, 0.5]);
        points.push(6, vec![0.5, 0.5 + 4e-10]);
        points
    }

    #[test]
    fn an_answer_is_matched_to_the_nearest_point_not_to_the_first() {
        let mut points = two();
        assert_eq!(points.near(&[0.5, 0.5 + 5e-10]), Some(6));
        assert_eq!(points.take(6), Some(vec![0.5, 0.5 + 4e-10]));
        assert_eq!(points.points(), [[0.5, 0.5]]);
        assert_eq!(points.take(6), None, "answered");
    }

    #[test]
    fn an_answer_written_with_three_digits_is_matched_and_another_point_is_not() {
        let points = two();
        assert_eq!(points.near(&[0.5, 0.5004]), Some(6));
        assert_eq!(points.near(&[0.5, 0.51]), None);
        assert_eq!(Pending::default().near(&[0.5, 0.5]), None);
    }

    #[test]
    fn distance_is_that_of_the_nearest() {
        let mut points = Pending::default();
        assert_eq!(points.distance(&[0.1, 0.2]), f64::INFINITY);
        points.push(0, vec![0.4, 0.6]);
        points.push(1, vec![0.9, 0.9]);
        assert!((points.distance(&[0.1, 0.2]) - 0.5).abs() < 1e-15);
    }
}
