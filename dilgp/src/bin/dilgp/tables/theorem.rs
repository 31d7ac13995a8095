//! Theorem 1 as a frequency: how often a form of DIL-GP has the larger test error, on random tasks,
//! than the process that differs from it by the penalty alone.

use dilgp::validation::synthetic::{Draw, Task, random_task};
use dilgp::{Dataset, threads};
use serde::Serialize;
use shell::cells::Exact;
use shell::table::Table;

use crate::statistics::{Frequency, Paired};
use crate::tables::comparison::outcomes;
use crate::tables::methods::Method;

/// Forms of DIL-GP, each with the process that differs from it by the penalty alone.
const PAIRS: [(&str, &str); 4] = [
    ("dil-gp", "dil-gp-lambda0"),
    ("dil-gp-masks", "dil-gp-lambda0"),
    ("dil-gp-printed", "gp-ml2"),
    ("dil-gp-per-point", "gp-ml2"),
];

/// Fits of one task: two for each comparison.
pub(super) const FITS_OF_A_TASK: u64 = 2 * PAIRS.len() as u64;

/// Random tasks have seeds of their own, far from those of the tables.
const FIRST_RANDOM_TASK: u64 = 1 << 32;

/// How often DIL-GP had a larger test error than the process it is compared with.
#[derive(Debug, Serialize)]
pub(super) struct Theorem {
    dil_gp: &'static str,
    compared_with: &'static str,
    /// Tasks on which the error of DIL-GP was larger, of which Theorem 1 says that it happens with
    /// a probability of at most delta, a number of the user's choice.
    larger: Frequency,
    /// Its RMSE less that of the other.
    rmse: Option<Paired>,
}

/// Of each random task and each pair of methods, both errors, where the fits did not fail.
pub(super) type Errors = Vec<Vec<[Option<Exact>; 2]>>;

/// Both errors of each pair on the random tasks from the first number to before the second;
/// `fitted` is called after every fit.
pub(super) fn errors(from: u64, to: u64, fitted: &(dyn Fn() + Sync)) -> Errors {
    let numbers: Vec<u64> = (from..to).collect();
    let work = |index: &u64| {
        let seed = FIRST_RANDOM_TASK + index;
        let Draw {
            train, test, truth, ..
        } = random_task(seed);
        // The theorem speaks of the function, not of what is observed of it.
        let test = [Dataset::new(test.x().clone(), truth).expect("finite and not empty")];
        let error = |key| {
            let rate = Task::Line.released_rate();
            let found = outcomes(Method::of(key), &train, &test, rate, seed);
            fitted();
            found.first()?.as_ref().map(|run| run.rmse)
        };
        let pairs = PAIRS.into_iter();
        pairs
            .map(|(dil_gp, compared_with)| [dil_gp, compared_with].map(error))
            .collect()
    };
    threads::on_all_cores(|| threads::each(&numbers, work))
}

/// How often each form of DIL-GP had the larger error.
pub(super) fn of(errors: &Errors) -> Vec<Theorem> {
    let of_pair = |(pair, (dil_gp, compared_with)): (usize, (&str, &str))| {
        let side = |side: usize| -> Vec<Option<f64>> {
            let errors = errors.iter().map(|task| task[pair][side]);
            errors
                .map(|error| error.map(|Exact(error)| error))
                .collect()
        };
        let (these, others) = (side(0), side(1));
        let both = these.iter().zip(&others);
        let both: Vec<(f64, f64)> = both.filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
        let larger = both.iter().filter(|(a, b)| a > b).count();
        (!both.is_empty()).then(|| Theorem {
            dil_gp: Method::of(dil_gp).label,
            compared_with: Method::of(compared_with).label,
            larger: Frequency::of(larger, both.len()),
            rmse: Paired::of(&these, &others),
        })
    };
    PAIRS.into_iter().enumerate().filter_map(of_pair).collect()
}

/// The part of the table about it.
pub(super) fn described(theorems: &[Theorem]) -> String {
    let titles = [
        "DIL-GP",
        "compared with",
        "larger error on",
        "share, exact 95 %",
        "RMSE difference",
    ];
    let rows = theorems.iter().map(cells);
    "\n## Theorem 1\n\nThe theorem says that, with a probability of at least 1 - delta, the error of \
     DIL-GP outside the training distribution is not above that of the Gaussian process. On random \
     tasks (two clusters of one to three inputs, each with its own sine and offset, under one \
     noise), against the process that differs by the penalty alone, errors against the function \
     itself:\n\n"
        .to_owned()
        + &Table::of_numbers(titles).with(rows).markdown()
}

fn cells(theorem: &Theorem) -> Vec<String> {
    let Frequency {
        seen,
        of,
        low,
        high,
    } = theorem.larger;
    let share = seen as f64 / of as f64;
    let difference = theorem.rmse.as_ref().map_or("-".to_owned(), |paired| {
        paired.difference.interval().signed_plus_minus(4)
    });
    vec![
        theorem.dil_gp.to_owned(),
        theorem.compared_with.to_owned(),
        format!("{seen} of {of} tasks"),
        format!("{share:.3} ({low:.3} to {high:.3})"),
        difference,
    ]
}
