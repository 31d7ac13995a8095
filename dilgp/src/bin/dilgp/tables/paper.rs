//! Paper: the cells of Tables 1 and 2 of Zhao et al. (AAAI 2024) as printed, to compare with ours:
//! a mean over five runs and the greatest deviation from it.

use serde::Serialize;

/// A cell of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Printed {
    /// Mean over five runs.
    pub mean: f64,
    /// Greatest deviation from it.
    pub largest_deviation: f64,
}

/// What the paper prints of one method on one test set; nothing if it prints a dash or the method
/// is not in the paper.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Published {
    /// Root mean squared error.
    pub rmse: Option<Printed>,
    /// Share of test labels within one standard deviation of the mean.
    pub coverage: Option<Printed>,
}

const fn printed(mean: f64, largest_deviation: f64) -> Option<Printed> {
    Some(Printed {
        mean,
        largest_deviation,
    })
}

/// Table 1: RMSE and coverage on the line, then in the plane.
#[rustfmt::skip]
const TABLE_1: [(&str, [Option<Printed>; 4]); 6] = [
    ("rf", [printed(0.3558, 0.084), None, printed(0.7938, 0.1841), None]),
    ("mlp", [printed(0.4321, 0.0427), None, printed(0.9133, 0.4151), None]),
    ("gp", [printed(0.3923, 0.0153), printed(0.9125, 0.0374), printed(0.8022, 0.1373), printed(0.9225, 0.0537)]),
    ("gp-rq", [printed(0.36, 0.0064), printed(0.9625, 0.1256), printed(0.7921, 0.2107), printed(0.8732, 0.1436)]),
    ("gp-dp", [printed(1.0371, 0.0021), printed(0.0, 0.0), printed(0.7133, 0.0096), printed(0.6339, 0.2311)]),
    ("dil-gp", [printed(0.3415, 0.0109), printed(0.9625, 0.1), printed(0.6583, 0.023), printed(0.8822, 0.0775)]),
];

/// Table 2: RMSE on King County's D1 to D4, then on Automobile.
#[rustfmt::skip]
const TABLE_2: [(&str, [Option<Printed>; 5]); 6] = [
    ("rf", [printed(0.45, 0.023), printed(0.56, 0.031), printed(0.623, 0.106), printed(0.89, 0.037), printed(0.992, 0.206)]),
    ("mlp", [printed(0.536, 0.137), printed(0.65, 0.347), printed(0.787, 0.762), printed(0.913, 0.989), printed(0.983, 0.072)]),
    ("gp", [printed(0.371, 0.009), printed(0.594, 0.056), printed(0.8, 0.084), printed(0.989, 0.1), printed(0.889, 0.008)]),
    ("gp-rq", [printed(0.365, 0.016), printed(0.442, 0.093), printed(0.604, 0.173), printed(0.901, 0.075), printed(0.847, 0.351)]),
    ("gp-dp", [printed(0.556, 0.007), printed(0.663, 0.006), printed(0.812, 0.01), printed(1.056, 0.012), printed(0.938, 0.013)]),
    ("dil-gp", [printed(0.291, 0.016), printed(0.371, 0.011), printed(0.489, 0.042), printed(0.543, 0.058), printed(0.837, 0.069)]),
];

/// Table 1, for the method of that key in as many dimensions, 1 or 2.
pub fn table_1(key: &str, dimensions: usize) -> Published {
    let first = 2 * (dimensions - 1);
    row(&TABLE_1, key).map_or_else(Published::default, |row| Published {
        rmse: row[first],
        coverage: row[first + 1],
    })
}

/// Table 2, for the method of that key on housing domain 1 to 4; nothing on D0, which the paper
/// trains on.
pub fn housing(key: &str, domain: usize) -> Published {
    let rmse = || row(&TABLE_2, key)?[domain.checked_sub(1)?];
    Published {
        rmse: rmse(),
        coverage: None,
    }
}

/// Table 2, for the method of that key on Automobile.
pub fn automobile(key: &str) -> Published {
    Published {
        rmse: row(&TABLE_2, key).and_then(|row| row[4]),
        coverage: None,
    }
}

fn row<const N: usize>(
    table: &'static [(&str, [Option<Printed>; N]); 6],
    key: &str,
) -> Option<&'static [Option<Printed>; N]> {
    let found = table.iter().find(|(known, _)| *known == key);
    found.map(|(_, cells)| cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_method_and_column() {
        let mean = |cell: Option<Printed>| cell.map(|cell| cell.mean);
        let dil = table_1("dil-gp", 2);
        assert_eq!(
            (mean(dil.rmse), mean(dil.coverage)),
            (Some(0.6583), Some(0.8822))
        );
        assert_eq!(table_1("rf", 1).coverage, None);
        assert_eq!(mean(table_1("gp-dp", 1).coverage), Some(0.0));
        assert_eq!(mean(housing("dil-gp", 1).rmse), Some(0.291));
        assert_eq!(mean(housing("mlp", 4).rmse), Some(0.913));
        assert_eq!(housing("gp", 0), Published::default());
        assert_eq!(automobile("gp-rq").rmse, printed(0.847, 0.351));
        assert_eq!(table_1("gp-ml2", 1), Published::default());
    }
}
