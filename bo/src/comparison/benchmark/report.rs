//! Report: the benchmark's table and its record.

use crate::comparison::benchmark::race::{Course, Heat};
use crate::table::Table;
use serde::Serialize;

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

/// The table, in Markdown. The other optimisers are listed with ours at the budget under which they
/// were measured, and nowhere else.
pub fn table(course: &Course, heats: &[Heat]) -> String {
    let last = course.first_seed + course.seeds - 1;
    let measured = MEASURED_AT == [course.evaluations, course.initial];
    let comparable = measured && course.workers == 1;
    let under_way = match course.workers {
        1 => String::new(),
        workers => format!(", {workers} under way at once"),
    };
    let titles = ["problem", "noise sd", "median", "quartiles", "random"];
    let peer_titles: &[&str] = if comparable {
        &["best peer", "peers"]
    } else {
        &[]
    };
    let titles = titles
        .iter()
        .chain(peer_titles)
        .chain(&["crashed", "s/run"]);
    let rows = heats.iter().map(|heat| row(course, heat, comparable));
    format!(
        "Regret after {} evaluations, {} of them Sobol' points; seeds {} to {last}; surrogate {}, \
         acquisition {}{under_way}.\nOne configuration for all; the optimiser receives only whether there is noise.\n{}\n\n{}",
        course.evaluations,
        course.initial.min(course.evaluations),
        course.first_seed,
        course.surrogate,
        course.acquisition,
        peers_in_words(comparable),
        Table::of_numbers(titles.copied()).with(rows).markdown(),
    )
}

fn row(course: &Course, heat: &Heat, comparable: bool) -> Vec<String> {
    let [low, median, high] = quartiles(heat.runs.iter().map(|run| run.regret));
    let [_, random, _] = quartiles(heat.runs.iter().map(|run| run.random));
    let crashed: usize = heat.runs.iter().map(|run| run.crashed).sum();
    let of = heat.runs.len() * course.evaluations;
    let mut cells = vec![
        heat.problem.clone(),
        heat.noise.to_string(),
        short(median),
        format!("{} .. {}", short(low), short(high)),
        short(random),
    ];
    if comparable {
        cells.extend(columns_of_peers(peers_of(&heat.problem)));
    }
    cells.push(format!("{:.0} %", 100.0 * crashed as f64 / of as f64));
    cells.push(format!("{:.1}", heat.seconds / heat.runs.len() as f64));
    cells
}

/// Where the peers' figures come from, or why there are none.
fn peers_in_words(comparable: bool) -> String {
    if comparable {
        return format!("Peers: medians by {}.", SOURCE);
    }
    let [evaluations, initial] = MEASURED_AT;
    format!(
        "Other optimisers are left out: they were measured at {evaluations} evaluations, \
         {initial} of them Sobol' points."
    )
}

/// The best of them by name, and all.
fn columns_of_peers(peers: &[Peer]) -> [String; 2] {
    let named = |(name, regret): &Peer| format!("{name} {}", short(*regret));
    let best = peers.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    let all: Vec<String> = peers.iter().map(named).collect();
    [best.map_or_else(String::new, named), all.join(", ")]
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

/// One optimiser's median regret.
pub type Peer = (&'static str, f64);

/// Evaluations of a run and points of its initial design: the budget under which they were measured.
pub const MEASURED_AT: [usize; 2] = [60, 10];

/// What was run.
pub const SOURCE: &str = "bo/oracle/peers.py, seeds 0 to 9 (TPE: Optuna 5.0.0 with multivariate; \
                          NGOpt: Nevergrad 1.0.12; egobox 1.0.0)";

/// The peers' medians on the problem of that name.
pub fn peers_of(problem: &str) -> &'static [Peer] {
    match problem {
        "branin2" => &[("egobox", 5.0e-8), ("TPE", 0.111), ("NGOpt", 8.1e-6)],
        "hartmann6" => &[("egobox", 0.0554), ("TPE", 0.288), ("NGOpt", 0.130)],
        "ackley5" => &[("egobox", 6.95), ("TPE", 9.59), ("NGOpt", 7.36)],
        "levy4" => &[("egobox", 0.964), ("TPE", 0.604), ("NGOpt", 0.704)],
        "rosenbrock4" => &[("egobox", 191.0), ("TPE", 97.1), ("NGOpt", 103.0)],
        "hartmann6-noisy" => &[("egobox", 0.598), ("TPE", 0.363), ("NGOpt", 0.290)],
        "pid6" => &[("egobox", 0.0551), ("TPE", 0.004_73), ("NGOpt", 0.003_84)],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::benchmark::race::Run;

    #[test]
    fn quartiles_of_five_are_the_second_third_and_fourth_and_failures_are_worst() {
        let regrets = [Some(5.0), None, Some(1.0), Some(3.0), Some(2.0)];
        assert_eq!(quartiles(regrets.into_iter()), [2.0, 3.0, 5.0]);
        assert_eq!(quartiles([None, None].into_iter())[1], f64::INFINITY);
    }

    fn course(evaluations: usize) -> Course {
        Course {
            first_seed: 0,
            seeds: 1,
            evaluations,
            initial: 10,
            surrogate: "matern".to_owned(),
            acquisition: "default",
            workers: 1,
        }
    }

    fn printed(course: &Course) -> String {
        let run = Run {
            seed: 0,
            regret: Some(0.5),
            random: Some(1.0),
            crashed: 0,
            fallbacks: 0,
        };
        let heat = Heat {
            problem: "ackley5".to_owned(),
            noise: 0.0,
            runs: vec![run],
            seconds: 1.0,
        };
        table(course, &[heat])
    }

    #[test]
    fn peers_stand_beside_ours_at_their_own_budget_only_and_the_best_is_named() {
        let at_theirs = printed(&course(60));
        let (name, regret) = *peers_of("ackley5")
            .iter()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .expect("some were measured");
        let row = at_theirs.lines().last().expect("a row");
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(cells[5..7], ["1.00", &format!("{name} {}", short(regret))]);
        assert!(at_theirs.contains("bo/oracle/peers.py"), "{at_theirs}");
        for other in [30, 59, 61, 200] {
            let text = printed(&course(other));
            assert!(
                !text.contains(name) && !text.contains("best peer"),
                "{text}"
            );
            assert!(text.contains("they were measured at 60 evaluations"));
        }
        for text in [at_theirs, printed(&course(30))] {
            let rows = text.lines().filter(|line| line.starts_with('|'));
            let widths: Vec<usize> = rows.map(|row| row.matches('|').count()).collect();
            assert!(widths.iter().all(|width| *width == widths[0]), "{text}");
        }
    }

    #[test]
    fn no_more_points_of_the_design_are_named_than_there_are_evaluations() {
        let text = printed(&course(5));
        let expected = "Regret after 5 evaluations, 5 of them Sobol' points;";
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn every_problem_has_peers_with_figures() {
        for problem in crate::comparison::benchmark::NAMES {
            let peers = peers_of(problem);
            assert!(!peers.is_empty(), "{problem}");
            assert!(
                peers
                    .iter()
                    .all(|(_, regret)| *regret > 0.0 && regret.is_finite())
            );
        }
    }

    #[test]
    fn numbers_keep_three_digits() {
        let shown = [0.0, 2e-8, 0.12, 5.8, 126.4, f64::INFINITY].map(short);
        assert_eq!(shown, ["0", "2.0e-8", "0.120", "5.80", "126", "inf"]);
    }
}
