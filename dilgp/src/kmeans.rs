//! k-means with two clusters: a first guess at which of two environments a point came from.
//!
//! Lloyd's algorithm from several pairs of centres, the tightest result kept. The first pair is
//! the point furthest from the mean and the point furthest from that; the others are drawn by
//! the seed as in k-means++ (Arthur and Vassilvitskii 2007).

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::points::Points;

/// Pairs of centres drawn beside the deterministic one.
const SEEDED_STARTS: usize = 4;
/// Lloyd iterations at most; each lowers the sum of squares, so few are needed.
const LARGEST_ITERATIONS: usize = 100;

type Centre = Vec<f64>;

/// For each point, whether it belongs to the second cluster. The second cluster is the one whose
/// centre comes later in lexicographic order, so labels do not depend on the order of the points.
/// Where all points coincide, all belong to the first.
pub fn two_clusters(points: &Points, seed: u64) -> Vec<bool> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut best = lloyd(points, furthest_pair(points));
    for _ in 0..SEEDED_STARTS {
        let found = lloyd(points, drawn_pair(points, &mut random));
        if found.spread < best.spread {
            best = found;
        }
    }
    let swap = best.centres[1] < best.centres[0];
    best.labels.iter().map(|&label| label != swap).collect()
}

struct Clusters {
    centres: [Centre; 2],
    labels: Vec<bool>,
    /// Sum of squared distances to the nearer centre.
    spread: f64,
}

fn lloyd(points: &Points, mut centres: [Centre; 2]) -> Clusters {
    let mut labels = Vec::new();
    for _ in 0..LARGEST_ITERATIONS {
        let nearer: Vec<bool> = points
            .iter()
            .map(|x| squared_distance(x, &centres[1]) < squared_distance(x, &centres[0]))
            .collect();
        if nearer == labels {
            break;
        }
        labels = nearer;
        for (centre, label) in centres.iter_mut().zip([false, true]) {
            let members = points.iter().zip(&labels).filter(|&(_, &l)| l == label);
            if let Some(mean) = mean(members.map(|(x, _)| x)) {
                *centre = mean;
            }
        }
    }
    let spread = points.iter().zip(&labels);
    Clusters {
        spread: spread
            .map(|(x, &label)| squared_distance(x, &centres[usize::from(label)]))
            .sum(),
        centres,
        labels,
    }
}

/// The mean of some points; `None` of none.
fn mean<'a>(points: impl Iterator<Item = &'a [f64]>) -> Option<Centre> {
    let mut sum: Centre = Vec::new();
    let mut count = 0.0;
    for x in points {
        sum.resize(x.len(), 0.0);
        sum.iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
        count += 1.0;
    }
    (count > 0.0).then(|| sum.iter().map(|sum| sum / count).collect())
}

fn furthest_pair(points: &Points) -> [Centre; 2] {
    let middle = mean(points.iter()).unwrap_or_default();
    let first = furthest_from(points, &middle);
    let second = furthest_from(points, &first);
    [first, second]
}

fn furthest_from(points: &Points, centre: &[f64]) -> Centre {
    let mut furthest = (points.point(0), -1.0);
    for x in points.iter() {
        let distance = squared_distance(x, centre);
        if distance > furthest.1 {
            furthest = (x, distance);
        }
    }
    furthest.0.to_vec()
}

/// One point drawn evenly, the other with probability proportional to the squared distance.
fn drawn_pair(points: &Points, random: &mut ChaCha8Rng) -> [Centre; 2] {
    let first = points.point(random.random_range(0..points.len())).to_vec();
    let distances: Vec<f64> = points.iter().map(|x| squared_distance(x, &first)).collect();
    let mut left = random.random::<f64>() * distances.iter().sum::<f64>();
    let chosen = distances.iter().position(|distance| {
        left -= distance;
        left < 0.0
    });
    let second = points.point(chosen.unwrap_or(0)).to_vec();
    [first, second]
}

fn squared_distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::*;

    fn points(values: &[f64]) -> Points {
        Points::from_rows(&DMatrix::from_column_slice(values.len(), 1, values))
    }

    #[test]
    fn two_separated_groups_are_found_whatever_the_order_and_seed() {
        for seed in 0..20 {
            let labels = two_clusters(&points(&[0.0, 9.0, 0.2, 9.1, 0.1, 8.9]), seed);
            assert_eq!(labels, [false, true, false, true, false, true]);
            let labels = two_clusters(&points(&[9.0, 0.2, 9.1, 0.0, 8.9, 0.1]), seed);
            assert_eq!(labels, [true, false, true, false, true, false]);
        }
    }

    #[test]
    fn the_tightest_split_of_an_uneven_line_is_found() {
        // Splits by exhaustive search: {0, 1, 2} and {10} has sum of squares 2, the least.
        assert_eq!(
            two_clusters(&points(&[2.0, 10.0, 0.0, 1.0]), 1),
            [false, true, false, false]
        );
    }

    #[test]
    fn one_point_and_coinciding_points_form_one_cluster() {
        assert_eq!(two_clusters(&points(&[3.0]), 0), [false]);
        assert_eq!(two_clusters(&points(&[3.0, 3.0, 3.0]), 0), [false; 3]);
    }
}
