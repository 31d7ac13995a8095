//! Under way: the points that were asked for and not yet told.
//!
//! Points asked for together must differ whatever the surrogate believes: one that cannot be told
//! of evaluations under way, or does not believe in them, would name its one peak again and again.

/// Least distance between two points under way, in the unit cube.
pub const APART: f64 = 0.01;

/// Points are the same whose coordinates differ by less than this: rounding.
const SAME: f64 = 1e-9;

/// A told point is the answer to the nearest question whose coordinates differ from it by less
/// than this, as those of a point written with three digits do.
const ANSWERED: f64 = 1e-3;

/// The points under way, in the order of the questions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UnderWay {
    points: Vec<Vec<f64>>,
}

impl UnderWay {
    /// The points, in the unit cube.
    pub fn points(&self) -> &[Vec<f64>] {
        &self.points
    }

    /// Takes in a point that was asked for.
    pub fn push(&mut self, x: Vec<f64>) {
        self.points.push(x);
    }

    /// The question to which `told` is the answer: the one whose point is nearest, where it is near.
    pub fn question(&self, told: &[f64]) -> Option<usize> {
        let distances = self.points.iter().map(|asked| difference(asked, told));
        let nearest = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        nearest
            .filter(|(_, distance)| *distance < ANSWERED)
            .map(|(index, _)| index)
    }

    /// Takes out the point of that question, if there is one. What was evaluated is `told`, or, where
    /// they differ by rounding, what was asked for.
    pub fn answered(&mut self, question: Option<usize>, told: Vec<f64>) -> Vec<f64> {
        let Some(index) = question else {
            return told;
        };
        let asked = self.points.remove(index);
        if same(&asked, &told) { asked } else { told }
    }

    /// Distance of `x` from the nearest of the points; infinite where there is none.
    pub fn distance(&self, x: &[f64]) -> f64 {
        let squares = self.points.iter().map(|asked| -> f64 {
            let pairs = asked.iter().zip(x);
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

    fn two() -> UnderWay {
        let mut points = UnderWay::default();
        points.push(vec![0.5, 0.5]);
        points.push(vec![0.5, 0.5 + 4e-10]);
        points
    }

    fn told(points: &mut UnderWay, x: &[f64]) -> Vec<f64> {
        points.answered(points.question(x), x.to_vec())
    }

    #[test]
    fn an_answer_is_matched_to_the_nearest_question_not_to_the_first() {
        let mut points = two();
        let evaluated = told(&mut points, &[0.5, 0.5 + 5e-10]);
        assert_eq!(evaluated, [0.5, 0.5 + 4e-10]);
        assert_eq!(points.points(), [[0.5, 0.5]]);
    }

    #[test]
    fn a_rounded_answer_settles_its_question_and_is_kept_as_it_was_told() {
        let mut points = two();
        assert_eq!(told(&mut points, &[0.5, 0.5004]), [0.5, 0.5004]);
        assert_eq!(points.points().len(), 1);
        assert_eq!(told(&mut points, &[0.5, 0.51]), [0.5, 0.51]);
        assert_eq!(points.points().len(), 1, "another point");
    }

    #[test]
    fn distance_is_that_of_the_nearest() {
        let mut points = UnderWay::default();
        assert_eq!(points.distance(&[0.1, 0.2]), f64::INFINITY);
        points.push(vec![0.4, 0.6]);
        points.push(vec![0.9, 0.9]);
        assert!((points.distance(&[0.1, 0.2]) - 0.5).abs() < 1e-15);
    }
}
