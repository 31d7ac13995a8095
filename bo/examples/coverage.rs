//! Coverage: how often the intervals that a run prints hold what they say, for tuned gains that lose
//! the vehicle never, once in a thousand flights, three times and ten times.
//!
//! Before it stands, exactly, what `bo check` answers whatever the probability of a loss, and how often
//! its interval holds that.
//!
//! `cargo run -p bo --example coverage [WINDS [POOL [SAMPLES]]]`: each set of gains and the default
//! gains fly POOL winds (20000), whose shares and means stand for the truth; then SAMPLES times
//! (20000) WINDS of them (200) are drawn with replacement, judged as a run judges its held-out
//! winds, and it is counted how often the truth lay within. Standard error of a coverage of .95 over
//! 20000 samples: .0015. Nothing is random but by fixed seeds: the table repeats.

use bo::check::sequential::{Finding, Sequential};
use bo::check::sequential::{ends, interval};
use bo::flights::held_out::{Planned, Test};
use bo::flights::verdict::Judgement;
use bo::interrupt::Interrupt;
use bo::run::settings::Settings;
use bo::statistics::{Interval, MedianInterval, clopper_pearson};
use bo::table::Table;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use sim::Gains;

/// Seed of the pool's winds, which no study of this project uses otherwise.
const POOL_SEED: u64 = 9_000;
/// Index of the gusty domain.
const GUSTY: usize = 0;

/// Gains: trajectory, then kp, ki, kd of the position loop along x and y, and along z. Found by
/// tuning and rounded, so that they lose about the share of flights that they stand for.
const CASES: [(&str, [f64; 6]); 4] = [
    ("hover", [18.0, 3.0, 8.0, 15.0, 0.5, 8.0]),
    ("fig8", [9.0, 1.0, 4.6, 6.0, 1.0, 5.0]),
    ("fig8", [12.0, 2.6, 4.7, 7.7, 2.1, 7.7]),
    ("fig8", [15.0, 0.7, 4.2, 12.7, 0.94, 4.2]),
];

/// The statements that are counted: the first three are those of a run, the others the means by
/// Student's t that they replace.
const STATEMENTS: [&str; 5] = [
    "median of completed flights",
    "median difference to the default gains",
    "bound of the loss probability",
    "mean of completed flights, by t",
    "mean with 2 m for a loss, by t",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tests = exact();
    print!("{}", Table::of_numbers(TITLES).with(tests).markdown());
    let mut numbers = [200, 20_000, 20_000];
    for (number, given) in numbers.iter_mut().zip(std::env::args().skip(1)) {
        *number = given.parse()?;
    }
    let [winds, pool, samples] = numbers;
    println!("\nCoverage in {samples} samples of {winds} winds out of {pool}; nominal .95\n");
    let rows = CASES.map(|(trajectory, gains)| row(trajectory, gains, numbers));
    let rows: Result<Vec<_>, _> = rows.into_iter().collect();
    let titles = ["trajectory", "flights lost"].into_iter().chain(STATEMENTS);
    print!("{}", Table::of_numbers(titles).with(rows?).markdown());
    Ok(())
}

/// Columns of the table of `bo check`'s test: the probability of a loss, how often each answer is given,
/// and of the interval how often it holds that probability, how often that of Clopper and Pearson does,
/// and the median of its width over theirs.
const TITLES: [&str; 7] = [
    "loss probability",
    "passed without a loss",
    "neither",
    "refused",
    "interval",
    "Clopper and Pearson's",
    "width, median",
];

/// Most flights of that test.
const MOST: usize = 4000;

/// That table, exact to rounding; its last row has the least of each number over 120 probabilities from
/// .0002 to .3, of the width the greatest.
fn exact() -> Vec<Vec<String>> {
    let all: Vec<Sequential> = ends(0.01, MOST).into_iter().map(|(end, _)| end).collect();
    let intervals: Vec<[[f64; 2]; 2]> = all
        .par_iter()
        .map(|end| [interval(*end), clopper_pearson(end.lost, end.flights)])
        .collect();
    let of = |p: f64| -> [f64; 6] {
        let masses: Vec<f64> = ends(p, MOST).into_iter().map(|(_, mass)| mass).collect();
        let share = |which: &dyn Fn(usize) -> bool| -> f64 {
            let those = (0..all.len()).filter(|k| which(*k));
            those.map(|k| masses[k]).sum()
        };
        let holds = |k: usize, of: usize| (intervals[k][of][0]..=intervals[k][of][1]).contains(&p);
        let passed = share(&|k| all[k].finding() == Finding::Rare && all[k].lost == 0);
        let refused = share(&|k| all[k].finding() == Finding::Often);
        let width = |k: usize, of: usize| intervals[k][of][1] - intervals[k][of][0];
        let mut widths: Vec<(f64, f64)> = (0..all.len())
            .map(|k| (width(k, 0) / width(k, 1), masses[k]))
            .collect();
        widths.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut narrower = 0.0;
        let median = widths.iter().find(|(_, mass)| {
            narrower += mass;
            narrower >= 0.5
        });
        let median = median.map_or(f64::NAN, |(width, _)| *width);
        let covered = [0, 1].map(|of| share(&|k| holds(k, of)));
        [
            passed,
            1.0 - passed - refused,
            refused,
            covered[0],
            covered[1],
            median,
        ]
    };
    let row = |name: String, numbers: [f64; 6]| {
        let cells = numbers.map(|number| format!("{number:.3}"));
        [name].into_iter().chain(cells).collect()
    };
    let percents = [
        0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.66, 0.7, 1.0, 2.0, 3.0, 10.0, 30.0,
    ];
    let mut rows: Vec<Vec<String>> = percents
        .iter()
        .map(|percent| row(format!("{percent} %"), of(percent / 100.0)))
        .collect();
    let grid: Vec<[f64; 6]> = (0..120)
        .map(|k| of(0.0002 * (0.3f64 / 0.0002).powf(f64::from(k) / 119.0)))
        .collect();
    let least = |column: usize| {
        grid.iter()
            .map(|row| row[column])
            .fold(f64::INFINITY, f64::min)
    };
    let widest = grid.iter().map(|row| row[5]).fold(0.0, f64::max);
    rows.push(row(
        "120 of them".to_owned(),
        [least(0), least(1), least(2), least(3), least(4), widest],
    ));
    rows
}

fn row(
    trajectory: &str,
    [xy_kp, xy_ki, xy_kd, z_kp, z_ki, z_kd]: [f64; 6],
    [winds, pool, samples]: [usize; 3],
) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let problem = Settings::of_paper(trajectory, "gp", POOL_SEED)?.problem()?;
    let default = problem.tuning.setup.airframe.gains;
    let mut tuned = default;
    (
        tuned.position_xy.kp,
        tuned.position_xy.ki,
        tuned.position_xy.kd,
    ) = (xy_kp, xy_ki, xy_kd);
    (
        tuned.position_z.kp,
        tuned.position_z.ki,
        tuned.position_z.kd,
    ) = (z_kp, z_ki, z_kd);
    let flown = |gains: &Gains| {
        let planned = Planned {
            tuning: &problem.tuning,
            gains: std::slice::from_ref(gains),
            domain: GUSTY,
            winds: pool as u64,
        };
        let tests = planned.fly(&Interrupt::default(), &|_| ());
        tests.and_then(|mut tests| tests.pop()).ok_or("interrupted")
    };
    let (before, after) = (flown(&default)?, flown(&tuned)?);
    let mut random = ChaCha8Rng::seed_from_u64(POOL_SEED);
    let truth = Truth::of(&before, &after);
    let mut held = [0usize; STATEMENTS.len()];
    for _ in 0..samples {
        let drawn: Vec<usize> = (0..winds).map(|_| random.random_range(0..pool)).collect();
        let sample = [&before, &after].map(|test| resampled(test, &drawn));
        for (count, holds) in held.iter_mut().zip(truth.held_by(sample)) {
            *count += usize::from(holds);
        }
    }
    let shares = held.map(|count| format!("{:.3}", count as f64 / samples as f64));
    let lost = 100.0 * truth.loss_probability;
    let cells = [trajectory.to_owned(), format!("{lost:.2} %")];
    Ok(cells.into_iter().chain(shares).collect())
}

/// What holds in all winds of the pool.
struct Truth {
    median: f64,
    difference: f64,
    loss_probability: f64,
    mean: f64,
    capped_mean: f64,
}

impl Truth {
    fn of(before: &Test, after: &Test) -> Truth {
        let difference = Judgement::of(before, after).error_m;
        Truth {
            median: after.completed_m.map_or(f64::NAN, |all| all.median),
            difference: difference.map_or(f64::NAN, |all| all.median),
            loss_probability: after.lost.len() as f64 / after.ace_m.len() as f64,
            mean: completed(after).mean,
            capped_mean: after.mean_m,
        }
    }

    /// Which of the statements about the sample's default and tuned gains are true.
    fn held_by(&self, [before, after]: [Test; 2]) -> [bool; STATEMENTS.len()] {
        let median = |found: Option<MedianInterval>, truth: f64| {
            found.is_some_and(|found| (found.low()..=found.high()).contains(&truth))
        };
        let mean = |found: Interval, truth: f64| (found.low()..=found.high()).contains(&truth);
        let judgement = Judgement::of(&before, &after);
        [
            median(after.completed_m, self.median),
            median(judgement.error_m, self.difference),
            self.loss_probability <= judgement.after.at_most,
            mean(completed(&after), self.mean),
            mean(Interval::of(&after.ace_m), self.capped_mean),
        ]
    }
}

fn completed(test: &Test) -> Interval {
    Interval::of(&test.flights().flatten().collect::<Vec<f64>>())
}

/// The flights of these winds as a test of its own.
fn resampled(test: &Test, drawn: &[usize]) -> Test {
    let lost: Vec<u64> = (0u64..)
        .zip(drawn)
        .filter(|(_, wind)| test.lost.binary_search(&(**wind as u64)).is_ok())
        .map(|(place, _)| place)
        .collect();
    let ace_m = drawn.iter().map(|wind| test.ace_m[*wind]).collect();
    Test::of(test.domain.clone(), ace_m, lost)
}
