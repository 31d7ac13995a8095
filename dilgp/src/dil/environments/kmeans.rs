//! k-means: a first guess at which of some environments a point came from.
//!
//! Lloyd's algorithm from several sets of centres, the tightest result kept. The first set is
//! the point furthest from the mean, the point furthest from that, and so on; the others are
//! drawn by the seed as in k-means++ (Arthur and Vassilvitskii 2007).

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::matrix::points::Points;

/// Sets of centres drawn beside the deterministic one.
const SEEDED_STARTS: usize = 4;
/// Lloyd iterations at most; each lowers the sum of squares, so few are needed.
const LARGEST_ITERATIONS: usize = 100;

type Centre = Vec<f64>;

/// For each point, its cluster of `count` (at least 1). Clusters are numbered by the
/// lexicographic order of their centres, so labels do not depend on the order of the points.
/// Some clusters stay empty where fewer points than clusters are distinct.
pub fn clusters(points: &Points, count: usize, seed: u64) -> Vec<usize> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut best = lloyd(points, furthest(points, count));
    for _ in 0..SEEDED_STARTS {
        let found = lloyd(points, drawn(points, count, &mut random));
        if found.spread < best.spread {
            best = found;
        }
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| lexicographic(&best.centres[a], &best.centres[b]));
    let mut rank = vec![0; count];
    for (place, &cluster) in order.iter().enumerate() {
        rank[cluster] = place;
    }
    best.labels.iter().map(|&label| rank[label]).collect()
}

fn lexicographic(a: &Centre, b: &Centre) -> std::cmp::Ordering {
    let differing = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
    differing
        .into_iter()
        .find(|order| order.is_ne())
        .unwrap_or(std::cmp::Ordering::Equal)
}

struct Clusters {
    centres: Vec<Centre>,
    labels: Vec<usize>,
    /// Sum of squared distances to the nearest centre.
    spread: f64,
}

fn lloyd(points: &Points, mut centres: Vec<Centre>) -> Clusters {
    let mut labels = Vec::new();
    for _ in 0..LARGEST_ITERATIONS {
        let nearest: Vec<usize> = points.iter().map(|x| nearest(x, &centres)).collect();
        if nearest == labels {
            break;
        }
        labels = nearest;
        for (cluster, centre) in centres.iter_mut().enumerate() {
            let members = points.iter().zip(&labels).filter(|&(_, &l)| l == cluster);
            if let Some(mean) = mean(members.map(|(x, _)| x)) {
                *centre = mean;
            }
        }
    }
    let spread = points.iter().zip(&labels);
    Clusters {
        spread: spread
            .map(|(x, &label)| squared_distance(x, &centres[label]))
            .sum(),
        centres,
        labels,
    }
}

/// The centre nearest to `x`; of equals, the first.
pub fn nearest(x: &[f64], centres: &[Vec<f64>]) -> usize {
    let mut nearest = (0, f64::INFINITY);
    for (index, centre) in centres.iter().enumerate() {
        let distance = squared_distance(x, centre);
        if distance < nearest.1 {
            nearest = (index, distance);
        }
    }
    nearest.0
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

/// The point furthest from the mean, then again and again the one furthest from those taken.
fn furthest(points: &Points, count: usize) -> Vec<Centre> {
    let middle = mean(points.iter()).unwrap_or_default();
    let mut centres = vec![furthest_from(points, &[middle])];
    while centres.len() < count {
        centres.push(furthest_from(points, &centres));
    }
    centres
}

fn furthest_from(points: &Points, centres: &[Centre]) -> Centre {
    let mut furthest = (points.point(0), -1.0);
    for x in points.iter() {
        let distance = squared_distance(x, &centres[nearest(x, centres)]);
        if distance > furthest.1 {
            furthest = (x, distance);
        }
    }
    furthest.0.to_vec()
}

/// One point drawn evenly, each other with probability proportional to the squared distance from
/// those taken.
fn drawn(points: &Points, count: usize, random: &mut ChaCha8Rng) -> Vec<Centre> {
    let mut centres = vec![points.point(random.random_range(0..points.len())).to_vec()];
    while centres.len() < count {
        let distances: Vec<f64> = points
            .iter()
            .map(|x| squared_distance(x, &centres[nearest(x, &centres)]))
            .collect();
        let mut left = random.random::<f64>() * distances.iter().sum::<f64>();
        let chosen = distances.iter().position(|distance| {
            left -= distance;
            left < 0.0
        });
        centres.push(points.point(chosen.unwrap_or(0)).to_vec());
    }
    centres
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
            let labels = clusters(&points(&[0.0, 9.0, 0.2, 9.1, 0.1, 8.9]), 2, seed);
            assert_eq!(labels, [0, 1, 0, 1, 0, 1]);
            let labels = clusters(&points(&[9.0, 0.2, 9.1, 0.0, 8.9, 0.1]), 2, seed);
            assert_eq!(labels, [1, 0, 1, 0, 1, 0]);
        }
    }

    #[test]
    fn the_tightest_split_of_an_uneven_line_is_found() {
        // Splits by exhaustive search: {0, 1, 2} and {10} has sum of squares 2, the least.
        assert_eq!(
            clusters(&points(&[2.0, 10.0, 0.0, 1.0]), 2, 1),
            [0, 1, 0, 0]
        );
    }

    #[test]
    fn one_point_and_coinciding_points_form_one_cluster() {
        assert_eq!(clusters(&points(&[3.0]), 2, 0), [0]);
        assert_eq!(clusters(&points(&[3.0, 3.0, 3.0]), 2, 0), [0; 3]);
    }

    #[test]
    fn more_clusters_than_two_are_numbered_along_the_line() {
        let line = points(&[20.0, 0.0, 10.0, 10.2, 20.1, 0.1, 30.0]);
        assert_eq!(clusters(&line, 4, 5), [2, 0, 1, 1, 2, 0, 3]);
        assert_eq!(clusters(&line, 1, 5), [0; 7]);
    }
}
