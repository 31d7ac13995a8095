//! Tables: results as text that a person reads.

use crate::published::TABLE_3_RANGE_M;
use crate::record::Record;
use crate::settings::Settings;
use crate::statistics::Interval;
use serde::Serialize;
use std::fmt::Write;

/// One line of a comparison: one surrogate (or the default gains) over all seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Name of the surrogate; "default gains" for the baseline.
    pub label: &'static str,
    /// Training flights lost, mean over seeds; absent for the baseline, which does not train.
    pub lost_in_training: Option<f64>,
    /// Gusty and steady domain.
    pub domains: Vec<Cell>,
}

/// One surrogate in one domain over all seeds. Values are means over the held-out winds of a
/// seed; intervals are over seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// Name of the domain.
    pub domain: String,
    /// Held-out ACE of the recommended gains (centroid recommender) [m].
    pub recommended: Interval,
    /// Held-out ACE of the best observed gains (the paper's recommender) [m].
    pub observed: Interval,
    /// Recommended minus default gains, paired by seed [m]; absent for the baseline.
    pub difference: Option<Interval>,
    /// Held-out flights of the recommended gains that were lost, mean over seeds.
    pub lost: f64,
}

/// Gains in each domain against the default gains, with what can and cannot be said.
pub fn verdict(record: &Record) -> String {
    let winds = record.settings.held_out_winds;
    let mut text = format!(
        "Average control error in {winds} held-out winds a domain (mean with 95 % interval; a lost flight counts 2 m)\n\
         {:<8} {:>24} {:>24} {:>32}\n",
        "domain", "default gains", "recommended gains", "difference, wind by wind"
    );
    let differences = record.recommended.difference_to_default.iter().flatten();
    let tests = record.default.tests.iter().zip(&record.recommended.tests);
    for ((default, recommended), difference) in tests.zip(differences) {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{:<8} {:>24} {:>24} {:>32}  {}",
            default.domain,
            plus_minus(&default.mean, default.crashes),
            plus_minus(&recommended.mean, recommended.crashes),
            range(difference),
            in_words(difference)
        );
    }
    text + "\n"
}

/// The recommended gains beside the default ones, and how they were chosen.
pub fn gains(record: &Record) -> String {
    use crate::recommend::Choice;
    let how = match &record.recommended.choice {
        Some(Choice::Centroid { .. }) => {
            "centroid of the ten flights that the surrogate believes best"
        }
        Some(Choice::BaselineByBelief { .. }) => {
            "the default gains: the surrogate believes nothing to be better"
        }
        Some(Choice::Observed { .. }) => "best observed flight: the surrogate could not be fitted",
        Some(Choice::BaselineByDefault) | None => "the default gains: every flight was lost",
    };
    let mut text = format!("Recommended gains ({how})\n");
    let tuned = record.problem.tuned.iter();
    let knob = |name: &str| crate::space::Knob::by_name(name, &record.default.gains);
    for (searched, knob) in tuned.filter_map(|searched| Some((searched, knob(searched.name)?))) {
        let (new, old) = (
            knob.value(&record.recommended.gains),
            knob.value(&record.default.gains),
        );
        let _ = writeln!(
            text,
            "  {:<15} {new:>8.3} {:<5} (default {old}, searched {} to {})",
            knob.name, knob.unit, searched.low, searched.high
        );
    }
    text
}

/// Every surrogate's row, and the baseline's, over the seeds of `records`.
pub fn rows(surrogates: &[&'static str], records: &[Record]) -> Vec<Row> {
    let of = |name: &str| -> Vec<&Record> {
        records
            .iter()
            .filter(|record| record.settings.surrogate == name)
            .collect()
    };
    let mut rows = vec![baseline_row(&of(surrogates[0]))];
    rows.extend(surrogates.iter().map(|name| surrogate_row(name, &of(name))));
    rows
}

fn baseline_row(records: &[&Record]) -> Row {
    let domains = (0..records[0].default.tests.len()).map(|domain| {
        let tests: Vec<_> = records
            .iter()
            .map(|record| &record.default.tests[domain])
            .collect();
        let means: Vec<f64> = tests.iter().map(|test| test.mean.mean).collect();
        let interval = Interval::of(&means);
        Cell {
            domain: tests[0].domain.clone(),
            recommended: interval,
            observed: interval,
            difference: None,
            lost: mean(tests.iter().map(|test| test.crashes)),
        }
    });
    Row {
        label: "default gains",
        lost_in_training: None,
        domains: domains.collect(),
    }
}

fn surrogate_row(name: &'static str, records: &[&Record]) -> Row {
    let domains = (0..records[0].default.tests.len()).map(|domain| {
        let means = |candidate: fn(&Record) -> &crate::record::Candidate| -> Vec<f64> {
            records
                .iter()
                .map(|r| candidate(r).tests[domain].mean.mean)
                .collect()
        };
        let recommended = means(|r| &r.recommended);
        let lost = records.iter().map(|r| r.recommended.tests[domain].crashes);
        Cell {
            domain: records[0].default.tests[domain].domain.clone(),
            recommended: Interval::of(&recommended),
            observed: Interval::of(&means(|r| &r.observed)),
            difference: Some(Interval::of_difference(
                &recommended,
                &means(|r| &r.default),
            )),
            lost: mean(lost),
        }
    });
    let lost = |record: &&Record| record.trials.iter().filter(|trial| trial.crashed()).count();
    Row {
        label: name,
        lost_in_training: Some(mean(records.iter().map(lost))),
        domains: domains.collect(),
    }
}

fn mean(counts: impl ExactSizeIterator<Item = usize>) -> f64 {
    let n = counts.len() as f64;
    counts.sum::<usize>() as f64 / n
}

/// A comparison as a table.
pub fn comparison(trajectory: &str, seeds: usize, settings: &Settings, rows: &[Row]) -> String {
    let mut text = format!(
        "{trajectory}: held-out average control error [m], mean over {seeds} seeds with 95 % interval\n\
         {} flights a run; each seed's gains are tested in {} winds a domain; a lost flight counts 2 m\n",
        settings.evaluations(),
        settings.held_out_winds
    );
    for domain in 0..rows[0].domains.len() {
        text += &domain_table(rows, domain);
    }
    let [low, high] = TABLE_3_RANGE_M;
    let _ = writeln!(
        text,
        "\nrecommended: centroid of the ten visited points with the least posterior mean; observed: the best\n\
         single flight, as in the paper. The paper's Table 3 (its own simulator, five seeds) spans {low} to {high} m;\n\
         its single cells are not held here, so no row can be set beside one of its own."
    );
    text
}

fn domain_table(rows: &[Row], domain: usize) -> String {
    let mut text = format!(
        "\n{} wind\n{:<14} {:>16} {:>16} {:>31} {:>12} {:>9}\n",
        rows[0].domains[domain].domain,
        "",
        "recommended",
        "observed",
        "recommended - default, paired",
        "lost in test",
        "training"
    );
    for row in rows {
        let cell = &row.domains[domain];
        let difference = cell.difference.as_ref().map_or("-".to_owned(), range);
        let training = row
            .lost_in_training
            .map_or("-".to_owned(), |lost| format!("{lost:.1}"));
        let _ = writeln!(
            text,
            "{:<14} {:>16} {:>16} {:>31} {:>12.1} {:>9}",
            row.label,
            plus_minus(&cell.recommended, 0),
            plus_minus(&cell.observed, 0),
            difference,
            cell.lost,
            training
        );
    }
    text
}

/// "0.345 ± 0.012", with the number of lost flights where there are some.
fn plus_minus(interval: &Interval, crashes: usize) -> String {
    let spread = interval
        .half_width
        .map_or(String::new(), |half| format!(" ± {half:.3}"));
    let lost = if crashes > 0 {
        format!(" ({crashes} lost)")
    } else {
        String::new()
    };
    format!("{:.3}{spread}{lost}", interval.mean)
}

/// "-0.041 [-0.052, -0.030]", or the bare number where there is no interval.
fn range(interval: &Interval) -> String {
    match interval.half_width {
        Some(_) => {
            format!(
                "{:+.3} [{:+.3}, {:+.3}]",
                interval.mean,
                interval.low(),
                interval.high()
            )
        }
        None => format!("{:+.3} (one value)", interval.mean),
    }
}

/// What a difference to the default gains says.
fn in_words(difference: &Interval) -> &'static str {
    if difference.mean == 0.0 && difference.half_width == Some(0.0) {
        "unchanged"
    } else if difference.high() < 0.0 {
        "better"
    } else if difference.low() > 0.0 {
        "worse"
    } else {
        "no difference can be told"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_the_interval() {
        let interval = |mean, half| Interval {
            mean,
            half_width: Some(half),
            count: 5,
        };
        assert_eq!(in_words(&interval(-0.1, 0.05)), "better");
        assert_eq!(in_words(&interval(0.1, 0.05)), "worse");
        assert_eq!(in_words(&interval(-0.1, 0.2)), "no difference can be told");
        assert_eq!(in_words(&interval(0.0, 0.0)), "unchanged");
    }

    #[test]
    fn numbers_are_printed_with_their_spread() {
        let interval = Interval {
            mean: 0.3456,
            half_width: Some(0.0123),
            count: 5,
        };
        assert_eq!(plus_minus(&interval, 0), "0.346 ± 0.012");
        assert_eq!(plus_minus(&interval, 3), "0.346 ± 0.012 (3 lost)");
        assert_eq!(range(&interval), "+0.346 [+0.333, +0.358]");
        let single = Interval {
            mean: -0.5,
            half_width: None,
            count: 1,
        };
        assert_eq!(plus_minus(&single, 0), "-0.500");
        assert_eq!(range(&single), "-0.500 (one value)");
    }
}
