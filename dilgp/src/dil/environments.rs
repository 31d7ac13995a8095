//! Environments: which training points were observed under the same conditions, as given or as found
//! by k-means.
//!
//! Lloyd's algorithm from several sets of centres, the tightest result kept. The first set is
//! the point furthest from the mean, the point furthest from that, and so on; the others are
//! drawn by the seed as in k-means++ (Arthur and Vassilvitskii 2007).

use nalgebra::DMatrix;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::Error;
use crate::matrix::rows;

/// Where the environments come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Environments {
    /// That many clusters of the inputs, found by k-means; at least 1. Fewer where points
    /// coincide.
    Clusters(usize),
    /// A label for each training point, in their order; any whole numbers. The assignment of DIL-GP
    /// starts from them.
    Given(Vec<usize>),
    /// The same, but the assignment stays there: each point belongs wholly to its environment.
    Fixed(Vec<usize>),
}

impl Environments {
    /// A label for each row of `x`, from 0 without gaps, in the order of the given labels or of the
    /// clusters' centres.
    ///
    /// # Errors
    /// [`Error::LabelsDiffer`] if there is not one given label a point, or no clusters are asked
    /// for.
    pub fn labels(&self, x: &DMatrix<f64>, seed: u64) -> Result<Vec<usize>, Error> {
        let given = match self {
            Self::Clusters(count) => {
                Error::unless_counted("the environments", ("clusters", *count))?;
                clusters(&rows(x), *count, seed)
            }
            Self::Given(labels) | Self::Fixed(labels) => labels.clone(),
        };
        let (points, labels) = (x.nrows(), given.len());
        if labels != points {
            return Err(Error::LabelsDiffer { points, labels });
        }
        let mut names = given.clone();
        names.sort_unstable();
        names.dedup();
        let place = |label| names.binary_search(label).unwrap_or(0);
        Ok(given.iter().map(place).collect())
    }
}

/// q_i = +1 for points of the first environment and -1 for those of the second, where the
/// assignment of DIL-GP starts; infinite for fixed environments, from where no slope moves it.
///
/// # Errors
/// Those of [`Environments::labels`], and [`Error::TwoEnvironments`] if there are more than two.
pub fn initial_assignment(
    environments: &Environments,
    x: &DMatrix<f64>,
    seed: u64,
) -> Result<Vec<f64>, Error> {
    let labels = environments.labels(x, seed)?;
    let count = labels.iter().max().map_or(0, |last| last + 1);
    if count > 2 {
        return Err(Error::TwoEnvironments(count));
    }
    let size = match environments {
        Environments::Fixed(_) => f64::INFINITY,
        _ => 1.0,
    };
    let signed = |&label: &usize| if label == 0 { size } else { -size };
    Ok(labels.iter().map(signed).collect())
}

/// Sets of centres drawn in addition to the deterministic one.
const SEEDED_STARTS: usize = 4;
/// Lloyd iterations at most; each lowers the sum of squares, so few are needed.
const LARGEST_ITERATIONS: usize = 100;

type Centre = Vec<f64>;

/// For each point, its cluster of `count` (at least 1). Clusters are numbered by the
/// lexicographic order of their centres, so labels do not depend on the order of the points.
/// Some clusters stay empty where fewer points than clusters are distinct.
fn clusters(points: &[Centre], count: usize, seed: u64) -> Vec<usize> {
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
    let mut orders = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
    let differing = orders.find(|order| order.is_ne());
    differing.unwrap_or(std::cmp::Ordering::Equal)
}

struct Clusters {
    centres: Vec<Centre>,
    labels: Vec<usize>,
    /// Sum of squared distances to the nearest centre.
    spread: f64,
}

fn lloyd(points: &[Vec<f64>], mut centres: Vec<Centre>) -> Clusters {
    let mut labels = Vec::new();
    for _ in 0..LARGEST_ITERATIONS {
        let nearest: Vec<usize> = points.iter().map(|x| nearest(x, &centres)).collect();
        if nearest == labels {
            break;
        }
        labels = nearest;
        for (cluster, centre) in centres.iter_mut().enumerate() {
            if let Some(mean) = mean_of(points, &labels, cluster) {
                *centre = mean;
            }
        }
    }
    let distance = |(x, &label): (&Centre, &usize)| squared_distance(x, &centres[label]);
    Clusters {
        spread: points.iter().zip(&labels).map(distance).sum(),
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

/// The mean of the points with that label; `None` if there are none.
fn mean_of(points: &[Centre], labels: &[usize], label: usize) -> Option<Centre> {
    let members = points.iter().zip(labels).filter(|(_, own)| **own == label);
    let mut sum: Centre = Vec::new();
    let mut count = 0.0;
    for (x, _) in members {
        sum.resize(x.len(), 0.0);
        sum.iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
        count += 1.0;
    }
    (count > 0.0).then(|| sum.iter().map(|sum| sum / count).collect())
}

/// The mean point of each environment, of points with labels from 0 without gaps.
pub fn centres(points: &[Vec<f64>], labels: &[usize]) -> Vec<Vec<f64>> {
    let means = (0..).map_while(|label| mean_of(points, labels, label));
    means.collect()
}

/// The point furthest from the mean, then repeatedly the one furthest from those taken.
fn furthest(points: &[Centre], count: usize) -> Vec<Centre> {
    let middle = mean_of(points, &vec![0; points.len()], 0).unwrap_or_default();
    let mut centres = vec![furthest_from(points, &[middle])];
    while centres.len() < count {
        centres.push(furthest_from(points, &centres));
    }
    centres
}

fn furthest_from(points: &[Vec<f64>], centres: &[Centre]) -> Centre {
    let mut furthest = (&points[0], -1.0);
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
fn drawn(points: &[Centre], count: usize, random: &mut ChaCha8Rng) -> Vec<Centre> {
    let mut centres = vec![points[random.random_range(0..points.len())].clone()];
    while centres.len() < count {
        let distance = |x: &Centre| squared_distance(x, &centres[nearest(x, &centres)]);
        let distances: Vec<f64> = points.iter().map(distance).collect();
        let mut left = random.random::<f64>() * distances.iter().sum::<f64>();
        let chosen = distances.iter().position(|distance| {
            left -= distance;
            left < 0.0
        });
        centres.push(points[chosen.unwrap_or(0)].clone());
    }
    centres
}

fn squared_distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_lose_their_gaps_and_keep_their_order() {
        let points = line(&[0.0, 1.0, 2.0, 3.0]);
        let given = Environments::Given(vec![7, 3, 90, 7]);
        assert_eq!(given.labels(&points, 0), Ok(vec![1, 0, 2, 1]));
        let refused = initial_assignment(&given, &points, 0);
        assert_eq!(refused, Err(Error::TwoEnvironments(3)));
        let short = Environments::Given(vec![0, 1]).labels(&points, 0);
        let (points_given, labels) = (4, 2);
        assert_eq!(
            short,
            Err(Error::LabelsDiffer {
                points: points_given,
                labels
            })
        );
        let fixed = Environments::Fixed(vec![5, 2, 2, 5]);
        let far = f64::INFINITY;
        let kept = initial_assignment(&fixed, &points, 0);
        assert_eq!(kept, Ok(vec![-far, far, far, -far]));
        assert!(Environments::Clusters(0).labels(&points, 0).is_err());
        assert_eq!(
            Environments::Clusters(2).labels(&points, 0),
            Ok(vec![0, 0, 1, 1])
        );
    }

    fn line(values: &[f64]) -> DMatrix<f64> {
        DMatrix::from_column_slice(values.len(), 1, values)
    }

    fn points(values: &[f64]) -> Vec<Vec<f64>> {
        rows(&line(values))
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
