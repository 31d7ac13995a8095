//! The best value so far, and its median and band over several runs.

use crate::picture::convergence::{Band, Run};

/// The smallest value of the completed evaluations up to each one; `None` before the first.
pub fn best_so_far(run: &Run) -> Vec<Option<f64>> {
    run.value_m
        .iter()
        .zip(&run.lost)
        .scan(None, |best: &mut Option<f64>, (&value, &lost)| {
            if !lost {
                *best = Some(best.map_or(value, |least| least.min(value)));
            }
            Some(*best)
        })
        .collect()
}

/// Median and band after one evaluation \[m\]; infinite where too many runs have no completed
/// evaluation yet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// The median over the runs.
    pub median: f64,
    /// The lower end of the band.
    pub low: f64,
    /// The upper end of the band.
    pub high: f64,
}

/// The summary after each evaluation that every run has made. A run without a completed
/// evaluation yet counts as infinitely bad: left out, it would make its series look better.
pub fn summaries(runs: &[Run], band: Band) -> Vec<Summary> {
    let curves: Vec<_> = runs.iter().map(best_so_far).collect();
    let shortest = curves.iter().map(Vec::len).min().unwrap_or(0);
    (0..shortest)
        .map(|evaluation| {
            let mut values: Vec<f64> = curves
                .iter()
                .map(|curve| curve[evaluation].unwrap_or(f64::INFINITY))
                .collect();
            values.sort_by(f64::total_cmp);
            let (low, high) = match band {
                Band::Quartiles => (quantile(&values, 0.25), quantile(&values, 0.75)),
                Band::Range => (values[0], values[values.len() - 1]),
            };
            Summary {
                median: quantile(&values, 0.5),
                low,
                high,
            }
        })
        .collect()
}

/// The quantile of ascending values, linear between neighbours (type 7 of R. J. Hyndman and
/// Y. Fan, "Sample quantiles in statistical packages", 1996).
fn quantile(values: &[f64], fraction: f64) -> f64 {
    let place = fraction * (values.len() - 1) as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    if part == 0.0 || values[below] == values[below + 1] {
        // Also keeps infinity times zero out of the sum.
        return values[below];
    }
    values[below] + part * (values[below + 1] - values[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(evaluations: &[(f64, bool)]) -> Run {
        let (value_m, lost) = evaluations.iter().copied().unzip();
        Run {
            value_m,
            lost,
            ..Run::default()
        }
    }

    #[test]
    fn lost_evaluations_do_not_count_however_good_they_look() {
        let run = run(&[
            (0.1, true),
            (3.0, false),
            (0.2, true),
            (4.0, false),
            (2.0, false),
        ]);
        assert_eq!(
            best_so_far(&run),
            [None, Some(3.0), Some(3.0), Some(3.0), Some(2.0)]
        );
    }

    #[test]
    fn a_run_of_lost_evaluations_has_no_best() {
        assert_eq!(best_so_far(&run(&[(9.0, true), (9.0, true)])), [None, None]);
    }

    #[test]
    fn the_curve_never_rises_and_ends_at_the_least_completed_value() {
        let values: Vec<f64> = (0..200).map(|i| f64::from((i * 7919) % 211)).collect();
        let lost: Vec<bool> = (0..200).map(|i| i % 3 == 0).collect();
        let best = best_so_far(&Run {
            value_m: values.clone(),
            lost: lost.clone(),
            ..Run::default()
        });
        for pair in best.windows(2) {
            assert!(pair[0].is_none_or(|before| pair[1].unwrap() <= before));
        }
        let completed = values.iter().zip(&lost).filter(|(_, lost)| !**lost);
        let least = completed
            .map(|(value, _)| *value)
            .fold(f64::INFINITY, f64::min);
        assert_eq!(best.last().unwrap().unwrap(), least);
    }

    #[test]
    fn quartiles_of_five_runs_are_the_second_and_fourth() {
        let runs = [5.0, 1.0, 4.0, 2.0, 3.0].map(|v| run(&[(v, false)]));
        for (band, low, high) in [(Band::Quartiles, 2.0, 4.0), (Band::Range, 1.0, 5.0)] {
            let median = 3.0;
            let expected = Summary { median, low, high };
            assert_eq!(summaries(&runs, band), [expected]);
        }
    }

    #[test]
    fn a_run_without_a_completed_evaluation_counts_as_infinitely_bad() {
        let runs = [
            run(&[(1.0, false)]),
            run(&[(2.0, false)]),
            run(&[(0.5, true)]),
        ];
        let summary = summaries(&runs, Band::Range)[0];
        assert_eq!(
            (summary.median, summary.low, summary.high),
            (2.0, 1.0, f64::INFINITY)
        );
        let even = summaries(&[runs[0].clone(), runs[2].clone()], Band::Quartiles)[0];
        assert_eq!((even.median, even.low), (f64::INFINITY, f64::INFINITY));
    }

    #[test]
    fn runs_are_compared_as_far_as_all_of_them_go() {
        let runs = [run(&[(1.0, false)]), run(&[(2.0, false), (1.0, false)])];
        assert_eq!(summaries(&runs, Band::Range).len(), 1);
    }
}
