//! Coverage: how often the intervals that a run prints hold what they say, for tuned gains that lose
//! the vehicle never, once in a thousand flights, three times and ten times.
//!
//! `cargo run -p bo --example coverage [WINDS [POOL [SAMPLES]]]`: each set of gains and the default
//! gains fly POOL winds (20000), whose shares and means stand for the truth; then SAMPLES times
//! (20000) WINDS of them (200) are drawn with replacement, judged as a run judges its held-out
//! winds, and it is counted how often the truth lay within. Standard error of a coverage of .95 over
//! 20000 samples: .0015. Nothing is random but by fixed seeds: the table repeats.

use bo::held_out::{Test, test_in};
use bo::interrupt::Interrupt;
use bo::run::Bench;
use bo::settings::Settings;
use bo::statistics::Interval;
use bo::verdict::Judgement;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sim::{Gains, upper_bound};

/// Seed of the pool's winds, which no study of this project uses otherwise.
const POOL_SEED: u64 = 9_000;
/// Index of the gusty domain.
const GUSTY: usize = 0;

/// Gains: trajectory, then kp, ki, kd of the position loop along x and y, and along z. Found by
/// tuning and rounded, so that they lose about the share of flights that they stand for.
const CASES: [(&str, [f64; 6]); 4] = [
    ("hover", [30.0, 10.0, 12.0, 30.0, 0.02, 12.0]),
    ("fig8", [11.7, 0.35, 4.9, 6.5, 1.6, 4.2]),
    ("fig8", [12.0, 2.6, 4.7, 7.7, 2.1, 7.7]),
    ("fig8", [15.0, 0.7, 4.2, 12.7, 0.94, 4.2]),
];

/// How often each statement held.
#[derive(Default)]
struct Held {
    completed: usize,
    difference: usize,
    losses: usize,
    capped: usize,
    capped_low: usize,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = [200, 20_000, 20_000];
    for (number, given) in numbers.iter_mut().zip(std::env::args().skip(1)) {
        *number = given.parse()?;
    }
    let [winds, pool, samples] = numbers;
    println!("{samples} samples of {winds} winds each out of {pool}; nominal .95\n");
    println!(
        "| trajectory | flights lost | ACE of completed flights [m] | its interval holds | \
         interval of the difference to the default gains holds | bound of the loss probability \
         holds | interval of the mean with 2 m for a loss holds | truth above it |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (trajectory, gains) in CASES {
        row(trajectory, gains, numbers)?;
    }
    Ok(())
}

fn row(
    trajectory: &str,
    [xy_kp, xy_ki, xy_kd, z_kp, z_ki, z_kd]: [f64; 6],
    [winds, pool, samples]: [usize; 3],
) -> Result<(), Box<dyn std::error::Error>> {
    let bench = Bench::new(&Settings::of_paper(trajectory, "gp", POOL_SEED)?)?;
    let default = bench.tuning.setup.airframe.gains;
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
        let test = test_in(
            &bench.tuning,
            gains,
            GUSTY,
            pool as u64,
            &Interrupt::default(),
        );
        test.ok_or("interrupted")
    };
    let (before, after) = (flown(&default)?, flown(&tuned)?);
    let mut random = ChaCha8Rng::seed_from_u64(POOL_SEED);
    let truth = Judgement::of(&before, &after);
    let mut held = Held::default();
    for _ in 0..samples {
        let drawn: Vec<usize> = (0..winds).map(|_| random.random_range(0..pool)).collect();
        held.count([&before, &after], truth.error_m, &drawn);
    }
    let share = |count: usize| format!("{:.3}", count as f64 / samples as f64);
    println!(
        "| {trajectory} | {:.2} % | {:.3} | {} | {} | {} | {} | {} |",
        100.0 * after.lost.len() as f64 / pool as f64,
        after.completed_m.ok_or("every flight was lost")?.mean,
        share(held.completed),
        share(held.difference),
        share(held.losses),
        share(held.capped),
        share(held.capped_low),
    );
    Ok(())
}

impl Held {
    /// Judges the winds `drawn` as a run does, and counts what holds in all winds.
    fn count(
        &mut self,
        [before, after]: [&Test; 2],
        difference: Option<Interval>,
        drawn: &[usize],
    ) {
        let test = resampled(after, drawn);
        let sample = Judgement::of(&resampled(before, drawn), &test);
        let holds = |interval: Option<Interval>, truth: Option<Interval>| {
            let [sample, truth] = [interval, truth].map(|i| i.expect("some flight was completed"));
            (sample.low()..=sample.high()).contains(&truth.mean)
        };
        self.completed += usize::from(holds(test.completed_m, after.completed_m));
        self.difference += usize::from(holds(sample.error_m, difference));
        let share = after.lost.len() as f64 / after.ace_m.len() as f64;
        self.losses += usize::from(share <= upper_bound(test.lost.len(), test.ace_m.len()));
        let capped = Interval::of(&test.ace_m);
        self.capped += usize::from((capped.low()..=capped.high()).contains(&after.mean_m));
        self.capped_low += usize::from(after.mean_m > capped.high());
    }
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
