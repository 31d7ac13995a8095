//! Report: the benchmark's table and its record.

use super::peers;
use super::race::{Course, Heat};
use serde::Serialize;
use std::fmt::Write;

/// What `bo bench --format json` prints.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    /// Form of this record.
    pub schema: &'static str,
    /// What was run.
    pub course: &'a Course,
    /// The results.
    pub heats: &'a [Heat],
}

/// Lower quartile, median and upper quartile (type 7); a run without a result counts as infinite.
pub fn quartiles(regrets: impl Iterator<Item = Option<f64>>) -> [f64; 3] {
    let mut sorted: Vec<f64> = regrets.map(|r| r.unwrap_or(f64::INFINITY)).collect();
    sorted.sort_by(f64::total_cmp);
    [0.25, 0.5, 0.75].map(|share| {
        let place = share * (sorted.len() - 1) as f64;
        let (below, part) = (place.floor() as usize, place.fract());
        if part == 0.0 || sorted[below] == sorted[below + 1] {
            return sorted[below];
        }
        sorted[below] + part * (sorted[below + 1] - sorted[below])
    })
}

/// The table, in Markdown.
pub fn table(course: &Course, heats: &[Heat]) -> String {
    let last = course.first_seed + course.seeds - 1;
    let mut text = format!(
        "Regret after {} evaluations, {} of them Sobol' points; seeds {} to {last}; surrogate {}, \
         acquisition {}.\nOne configuration for all; only the presence of noise is told.\n\n\
         | problem | noise sd | median | quartiles | random | best peer | peers | crashed | s/run |\n\
         |---|---|---|---|---|---|---|---|---|\n",
        course.evaluations, course.initial, course.first_seed, course.surrogate, course.acquisition
    );
    for heat in heats {
        let [low, median, high] = quartiles(heat.runs.iter().map(|run| run.regret));
        let [_, random, _] = quartiles(heat.runs.iter().map(|run| run.random));
        let peers = peers::of(heat.problem);
        let best = peers
            .iter()
            .map(|peer| peer.1)
            .fold(f64::INFINITY, f64::min);
        let listed: Vec<String> = peers
            .iter()
            .map(|(name, regret)| format!("{name} {}", short(*regret)))
            .collect();
        let crashed: usize = heat.runs.iter().map(|run| run.crashed).sum();
        let of = heat.runs.len() * course.evaluations;
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} .. {} | {} | {} | {} | {:.0} % | {:.1} |",
            heat.problem,
            heat.noise,
            short(median),
            short(low),
            short(high),
            short(random),
            short(best),
            listed.join(", "),
            100.0 * crashed as f64 / of as f64,
            heat.seconds / heat.runs.len() as f64,
        );
    }
    text
}

/// Three significant digits.
fn short(value: f64) -> String {
    match value.abs() {
        a if a == 0.0 || !a.is_finite() => format!("{value}"),
        a if (1e-3..1e4).contains(&a) => {
            let digits = (2 - a.log10().floor() as i32).max(0) as usize;
            format!("{value:.digits$}")
        }
        _ => format!("{value:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_of_five_are_the_second_third_and_fourth_and_failures_are_worst() {
        let regrets = [Some(5.0), None, Some(1.0), Some(3.0), Some(2.0)];
        assert_eq!(quartiles(regrets.into_iter()), [2.0, 3.0, 5.0]);
        assert_eq!(quartiles([None, None].into_iter())[1], f64::INFINITY);
    }

    #[test]
    fn numbers_keep_three_digits() {
        let shown = [0.0, 2e-8, 0.12, 5.8, 126.4, f64::INFINITY].map(short);
        assert_eq!(shown, ["0", "2.0e-8", "0.120", "5.80", "126", "inf"]);
    }
}
