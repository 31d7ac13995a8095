//! Forest: the average of regression trees, each grown on a bootstrap of the data.
//!
//! Breiman, "Random Forests", *Machine Learning* 45 (2001); settings as scikit-learn's
//! `RandomForestRegressor` but with 50 trees: every coordinate at every split, leaves down to one
//! point. The standard deviation is the spread of the trees' means, which is how far the trees
//! disagree and not a probability statement; that of an observation adds the mean variance
//! within leaves (Hutter et al., *Artificial Intelligence* 206, 2014, section 4.3.2). The mean is
//! a step function: there is no slope.

use nalgebra::{DMatrix, DVector};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::matrix::rows;
use crate::surrogate::{Standardisation, expect_dimensions};
use crate::{Dataset, Error, Hyperparameter, Model, Prediction, Summary, Surrogate};

/// The settings of a random forest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomForest {
    /// Trees grown, at least 1. Default 50.
    pub trees: usize,
}

impl Default for RandomForest {
    fn default() -> Self {
        Self { trees: 50 }
    }
}

/// A grown forest.
#[derive(Debug)]
struct Forest {
    trees: Vec<Tree>,
    dimensions: usize,
    units: Standardisation,
    summary: Summary,
}

impl Surrogate for RandomForest {
    fn name(&self) -> &'static str {
        "rf"
    }

    fn fit(&self, data: &Dataset, seed: u64) -> Result<Box<dyn Model>, Error> {
        Error::unless_counted(self.name(), ("trees", self.trees))?;
        let points = rows(data.x());
        let units = Standardisation::of(data.y());
        let targets = units.apply(data.y());
        let n = data.len();
        let trees: Vec<Tree> = (0..self.trees)
            .map(|index| {
                let mut random = ChaCha8Rng::seed_from_u64(seed);
                random.set_stream(index as u64);
                let sample = (0..n).map(|_| random.random_range(0..n)).collect();
                Tree::grow(&points, targets.as_slice(), sample)
            })
            .collect();
        let summary = self.summarise(&trees, &points, &targets);
        Ok(Box::new(Forest {
            trees,
            dimensions: data.dimensions(),
            units,
            summary,
        }))
    }
}

impl RandomForest {
    fn summarise(&self, trees: &[Tree], points: &[Vec<f64>], targets: &DVector<f64>) -> Summary {
        let leaves: usize = trees.iter().map(Tree::leaves).sum();
        let errors = points.iter().zip(targets.iter());
        let squares: f64 = errors
            .map(|(x, y)| (average(trees, x).mean - y).powi(2))
            .sum();
        let count = trees.len() as f64;
        let hyperparameters = vec![
            Hyperparameter::new("trees", count),
            Hyperparameter::new("mean_leaves", leaves as f64 / count),
        ];
        let objective = squares / points.len() as f64;
        Summary {
            evaluations: trees.len() as u64,
            ..Summary::new(self.name(), hyperparameters, objective)
        }
    }
}

/// The prediction of all trees together at one point, on standardised targets.
struct Average {
    mean: f64,
    /// Variance of the trees' means.
    between: f64,
    /// Mean of the leaves' variances.
    within: f64,
}

fn average(trees: &[Tree], x: &[f64]) -> Average {
    let count = trees.len() as f64;
    let leaves = trees.iter().map(|tree| tree.leaf(x));
    let mean = leaves.clone().map(|leaf| leaf.mean).sum::<f64>() / count;
    let between = leaves.clone().map(|leaf| (leaf.mean - mean).powi(2));
    Average {
        mean,
        between: between.sum::<f64>() / count,
        within: leaves.map(|leaf| leaf.variance).sum::<f64>() / count,
    }
}

impl Model for Forest {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        expect_dimensions(x.ncols(), self.dimensions);
        let points = rows(x);
        let averages = points.iter().map(|x| average(&self.trees, x));
        let averages: Vec<Average> = averages.collect();
        let moments = averages.iter();
        let moments = moments.map(|at| [at.mean, at.between, at.between + at.within]);
        Prediction::of_moments(moments, self.units)
    }

    fn summary(&self) -> &Summary {
        &self.summary
    }
}

/// A regression tree that splits where it most reduces the squared error (CART).
///
/// Breiman, Friedman, Olshen and Stone, *Classification and Regression Trees* (1984). Every
/// coordinate is considered at every split, thresholds lie halfway between neighbouring values,
/// and a leaf may hold a single point.
#[derive(Debug, Clone, PartialEq)]
struct Tree {
    nodes: Vec<Node>,
}

/// The points that fell into a leaf.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Leaf {
    /// Mean of their targets.
    mean: f64,
    /// Variance of their targets around that mean (over n).
    variance: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Node {
    Leaf(Leaf),
    Split {
        coordinate: usize,
        threshold: f64,
        /// Where the node for points at or below the threshold stands.
        below: usize,
        /// Where the node for the other points stands.
        above: usize,
    },
}

/// The best division found of some points.
struct Split {
    coordinate: usize,
    threshold: f64,
    /// By how much it reduces the sum of squared errors.
    score: f64,
}

impl Tree {
    /// Grows a tree on the points named by `sample` (with repetitions, as a bootstrap draws
    /// them; at least one) until every leaf is pure or its points coincide.
    fn grow(points: &[Vec<f64>], targets: &[f64], mut sample: Vec<usize>) -> Self {
        let mut nodes = vec![Node::Leaf(leaf(targets, &sample))];
        // Node to refine, and the range of `sample` that fell into it.
        let mut waiting = vec![(0, 0, sample.len())];
        while let Some((node, from, to)) = waiting.pop() {
            let members = &mut sample[from..to];
            let Some(split) = best_split(points, targets, members) else {
                continue;
            };
            let below_threshold = |&i: &usize| points[i][split.coordinate] <= split.threshold;
            members.sort_by_key(|i| !below_threshold(i));
            let middle = from + members.partition_point(below_threshold);
            let below = nodes.len();
            nodes.push(Node::Leaf(leaf(targets, &sample[from..middle])));
            nodes.push(Node::Leaf(leaf(targets, &sample[middle..to])));
            nodes[node] = Node::Split {
                coordinate: split.coordinate,
                threshold: split.threshold,
                below,
                above: below + 1,
            };
            waiting.push((below + 1, middle, to));
            waiting.push((below, from, middle));
        }
        Self { nodes }
    }

    /// The leaf into which `x` falls.
    fn leaf(&self, x: &[f64]) -> Leaf {
        let mut node = 0;
        loop {
            match self.nodes[node] {
                Node::Leaf(leaf) => return leaf,
                Node::Split {
                    coordinate,
                    threshold,
                    below,
                    above,
                } => {
                    node = if x[coordinate] <= threshold {
                        below
                    } else {
                        above
                    }
                }
            }
        }
    }

    /// Number of leaves, at least 1.
    fn leaves(&self) -> usize {
        self.nodes.len().div_ceil(2)
    }
}

fn leaf(targets: &[f64], members: &[usize]) -> Leaf {
    let count = members.len() as f64;
    let mean = members.iter().map(|&i| targets[i]).sum::<f64>() / count;
    let squares: f64 = members.iter().map(|&i| (targets[i] - mean).powi(2)).sum();
    Leaf {
        mean,
        variance: squares / count,
    }
}

/// The division with the least squared error; of equals, the first coordinate and the lowest
/// threshold. `None` where nothing is to be gained or the points coincide.
fn best_split(points: &[Vec<f64>], targets: &[f64], members: &[usize]) -> Option<Split> {
    let first = targets[*members.first()?];
    if members.iter().all(|&i| targets[i] == first) {
        return None;
    }
    let mean = leaf(targets, members).mean;
    let mut best: Option<Split> = None;
    let mut column: Vec<(f64, f64)> = Vec::with_capacity(members.len());
    for (coordinate, _) in points[0].iter().enumerate() {
        column.clear();
        let pair = |&i: &usize| (points[i][coordinate], targets[i] - mean);
        column.extend(members.iter().map(pair));
        // Ties are ordered by target, so that sums do not depend on the order of the rows.
        column.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        if let Some((threshold, score)) = best_threshold(&column)
            && best.as_ref().is_none_or(|best| exceeds(score, best.score))
        {
            best = Some(Split {
                coordinate,
                threshold,
                score,
            });
        }
    }
    best
}

/// Whether one score is larger than another by more than rounding: without the margin, equal
/// divisions along different coordinates would be ranked by the units of the targets.
fn exceeds(score: f64, other: f64) -> bool {
    score > other * (1.0 + 1e-9)
}

/// The best threshold on one coordinate, given (coordinate, target less the mean) sorted; with
/// its score, the sum over both sides of (sum of targets)^2 / count.
fn best_threshold(column: &[(f64, f64)]) -> Option<(f64, f64)> {
    let total: f64 = column.iter().map(|(_, y)| y).sum();
    let n = column.len() as f64;
    let mut best: Option<(f64, f64)> = None;
    let mut sum = 0.0;
    for (i, pair) in column.windows(2).enumerate() {
        let (here, next) = (pair[0].0, pair[1].0);
        sum += pair[0].1;
        if here == next {
            continue;
        }
        let below = (i + 1) as f64;
        let rest = total - sum;
        let score = sum * sum / below + rest * rest / (n - below);
        if best.is_none_or(|(_, found)| exceeds(score, found)) {
            best = Some((between(here, next), score));
        }
    }
    best
}

/// Halfway between two different numbers, and always below the larger.
fn between(low: f64, high: f64) -> f64 {
    let middle = 0.5 * low + 0.5 * high;
    if middle < high { middle } else { low }
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::*;

    #[test]
    fn the_first_split_of_a_step_is_the_step() {
        let x = DMatrix::from_column_slice(6, 1, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        let y = [1.0, 1.0, 1.0, 1.0, 5.0, 5.0];
        let tree = Tree::grow(&rows(&x), &y, (0..6).collect());
        assert_eq!(tree.leaves(), 2);
        assert_eq!(tree.leaf(&[3.4]).mean, 1.0);
        assert_eq!(tree.leaf(&[3.5]).mean, 1.0); // the threshold itself is below
        assert_eq!(tree.leaf(&[3.6]).mean, 5.0);
    }

    #[test]
    fn the_split_agrees_with_exhaustive_search() {
        let x = [0.3, 0.9, 0.1, 0.7, 0.5, 0.2, 0.8];
        let y = [0.9, -0.7, 0.6, 0.0, 0.8, -0.1, -1.5]; // mean 0
        let mut column: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
        column.sort_by(|a, b| a.0.total_cmp(&b.0));
        let error = |side: &[(f64, f64)]| {
            let mean = side.iter().map(|p| p.1).sum::<f64>() / side.len() as f64;
            side.iter().map(|p| (p.1 - mean).powi(2)).sum::<f64>()
        };
        let best = (1..7)
            .min_by(|&a, &b| {
                let at = |k: usize| error(&column[..k]) + error(&column[k..]);
                at(a).total_cmp(&at(b))
            })
            .unwrap();
        let (threshold, _) = best_threshold(&column).unwrap();
        assert!(column[best - 1].0 <= threshold && threshold < column[best].0);
    }

    #[test]
    fn coinciding_points_share_a_leaf_that_remembers_their_spread() {
        let x = DMatrix::from_element(2, 1, 0.5);
        let tree = Tree::grow(&rows(&x), &[1.0, 3.0], vec![0, 1]);
        assert_eq!(
            (tree.leaf(&[0.5]).mean, tree.leaf(&[0.5]).variance),
            (2.0, 1.0)
        );
    }

    #[test]
    fn a_threshold_between_neighbouring_floats_still_separates_them() {
        let low = 1.0_f64;
        let high = low.next_up();
        let threshold = between(low, high);
        assert!(low <= threshold && threshold < high);
    }
}
