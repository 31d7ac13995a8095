//! Environments: which training points are believed to have been observed under the same
//! conditions.

pub mod kmeans;

use crate::Error;
use crate::matrix::points::Points;
use kmeans::clusters;

/// Where the environments come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Environments {
    /// That many clusters of the inputs, found by k-means; at least 1. Fewer where points
    /// coincide.
    Clusters(usize),
    /// A label for each training point, in their order; any whole numbers.
    Given(Vec<usize>),
}

impl Environments {
    /// A label for each of `points`, from 0 without gaps, in the order of the given labels or of
    /// the clusters' centres.
    ///
    /// # Errors
    /// [`Error::LabelsDiffer`] if there is not one given label a point, or no clusters are asked
    /// for.
    pub fn labels(&self, points: &Points, seed: u64) -> Result<Vec<usize>, Error> {
        let given = match self {
            Self::Clusters(count) => {
                Error::unless_counted("the environments", ("clusters", *count))?;
                clusters(points, *count, seed)
            }
            Self::Given(labels) => labels.clone(),
        };
        if given.len() != points.len() {
            return Err(Error::LabelsDiffer {
                points: points.len(),
                labels: given.len(),
            });
        }
        let mut names = given.clone();
        names.sort_unstable();
        names.dedup();
        let place = |label| names.binary_search(label).unwrap_or(0);
        Ok(given.iter().map(place).collect())
    }
}

/// q_i = +1 for points of the first environment and -1 for those of the second, where the
/// assignment of DIL-GP starts.
///
/// # Errors
/// Those of [`Environments::labels`], and [`Error::TwoEnvironments`] if there are more than two.
pub fn initial_assignment(
    environments: &Environments,
    points: &Points,
    seed: u64,
) -> Result<Vec<f64>, Error> {
    let labels = environments.labels(points, seed)?;
    let count = labels.iter().max().map_or(0, |last| last + 1);
    if count > 2 {
        return Err(Error::TwoEnvironments { given: count });
    }
    Ok(labels
        .iter()
        .map(|&label| if label == 0 { 1.0 } else { -1.0 })
        .collect())
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::*;

    #[test]
    fn labels_lose_their_gaps_and_keep_their_order() {
        let points = Points::from_rows(&DMatrix::from_column_slice(4, 1, &[0.0, 1.0, 2.0, 3.0]));
        let given = Environments::Given(vec![7, 3, 90, 7]);
        assert_eq!(given.labels(&points, 0), Ok(vec![1, 0, 2, 1]));
        let message = initial_assignment(&given, &points, 0)
            .unwrap_err()
            .to_string();
        assert_eq!(
            message,
            "this mode weighs two environments against each other, not 3"
        );
        let short = Environments::Given(vec![0, 1]).labels(&points, 0);
        assert_eq!(
            short.unwrap_err().to_string(),
            "4 points but 2 environment labels: one label is needed for each point"
        );
        assert!(Environments::Clusters(0).labels(&points, 0).is_err());
        assert_eq!(
            Environments::Clusters(2).labels(&points, 0),
            Ok(vec![0, 0, 1, 1])
        );
    }
}
