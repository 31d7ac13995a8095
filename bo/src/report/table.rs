//! Tables: results as text that a person reads.

use crate::flights::held_out::Test;
use crate::flights::space::Gain;
use crate::run::record::Record;
use crate::statistics::{Losses, MedianInterval};
use std::fmt::Write;

/// Gains in each domain against the default gains, with what can and cannot be said.
pub fn verdict(record: &Record) -> String {
    let winds = record.settings.held_out_winds;
    let mut text = format!(
        "Average control error of completed flights in {winds} held-out winds a domain (median [95 % interval], m)\n\
         {:<8} {:>20} {:>20} {:>25}\n",
        "domain", "default gains", "recommended gains", "difference, wind by wind"
    );
    let judgements = record.recommended.against_default.iter().flatten();
    let tests = record.default.tests.iter().zip(&record.recommended.tests);
    for ((default, recommended), judgement) in tests.clone().zip(judgements) {
        let error = |test: &Test| test.completed_m.as_ref().map_or("all lost".into(), typical);
        let difference = judgement
            .error_m
            .as_ref()
            .map_or("-".to_owned(), MedianInterval::signed);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{:<8} {:>20} {:>20} {:>25}  {}",
            default.domain,
            error(default),
            error(recommended),
            difference,
            judgement.verdict.words()
        );
    }
    text += "Flights lost, and what the probability of a loss keeps below with 95 % confidence\n";
    for (default, recommended) in tests {
        let _ = writeln!(
            text,
            "{:<8} {:>20} {:>20}",
            default.domain,
            lost(&default.losses()),
            lost(&recommended.losses())
        );
    }
    text + "\n"
}

/// The recommended gains beside the default ones, and how they were chosen.
pub fn gains(record: &Record) -> String {
    use crate::search::recommend::Choice;
    let how = match &record.recommended.choice {
        Some(Choice::Centroid { .. }) => {
            "centroid of the ten flights that the surrogate believes best"
        }
        Some(Choice::LevelSet { .. }) => {
            "centre of the gains that one flight could hardly tell from the best"
        }
        Some(Choice::NearBest { averaged: 1, .. }) => "flight that the surrogate believes best",
        Some(Choice::NearBest { .. }) => {
            "centre of good flights near the one that the surrogate believes best"
        }
        Some(Choice::BaselineByBelief { .. }) => {
            "the default gains: the surrogate believes nothing to be better"
        }
        Some(Choice::ObservedBefore { .. }) => {
            "best flight of the warm start: the surrogate could not be fitted"
        }
        Some(Choice::Observed { .. }) => "best observed flight: the surrogate could not be fitted",
        Some(Choice::Believed { .. }) => "visited point that the surrogate believes best",
        Some(Choice::BaselineByDefault) | None => "the default gains: every flight was lost",
    };
    let mut text = format!("Recommended gains ({how})\n");
    let tuned = record.problem.tuned.iter();
    for (searched, gain) in tuned.filter_map(|tuned| Some((tuned, Gain::by_name(&tuned.name)?))) {
        let (new, old) = (
            gain.value(&record.recommended.gains),
            gain.value(&record.default.gains),
        );
        let _ = writeln!(
            text,
            "  {:<15} {new:>8.3} {:<5} (default {old}, searched {} to {})",
            gain.name, gain.unit, searched.low, searched.high
        );
    }
    text
}

/// The environments that telemetry told apart, where that was asked for.
pub fn environments(record: &Record) -> String {
    let Some(environments) = &record.environments else {
        return String::new();
    };
    let count = environments.flights.len();
    let mut text =
        format!("Environments of the {count} tuning flights, inferred from their telemetry\n");
    if environments.components.is_empty() {
        return text + "  not told apart: one environment explains them as well\n\n";
    }
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "  {:<8} {:>8} {:>8} {:>14} {:>14}",
        "", "flights", "share", "M, mean wind", "S, spread"
    );
    for component in &environments.components {
        let _ = writeln!(
            text,
            "  {:<8} {:>8} {:>8.2} {:>10.2} m/s {:>10.2} m/s",
            component.name,
            component.flights,
            component.share,
            component.mean_m_s,
            component.spread_m_s
        );
    }
    let how = if environments.drag_rate_inferred {
        "inferred"
    } else {
        "assumed"
    };
    let rate = environments.drag_rate_per_s;
    let _ = write!(text, "  drag rate {rate:.2} /s, {how}");
    if let Some(agreement) = environments.agreement {
        let _ = write!(
            text,
            "; {:.0} % of the flights are divided as by their hidden domains",
            100.0 * agreement
        );
    }
    text + "\n\n"
}

/// "0.345 [0.333, 0.358]", or the bare number where there is no interval.
fn typical(interval: &MedianInterval) -> String {
    match interval.ends {
        Some([low, high]) => format!("{:.3} [{low:.3}, {high:.3}]", interval.median),
        None => format!("{:.3}", interval.median),
    }
}

/// "2, below 3.1 %".
fn lost(losses: &Losses) -> String {
    format!("{}, below {:.1} %", losses.lost, 100.0 * losses.at_most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_with_their_spread() {
        let interval = MedianInterval {
            median: 0.3456,
            ends: Some([0.333, 0.3579]),
            count: 40,
        };
        assert_eq!(typical(&interval), "0.346 [0.333, 0.358]");
        assert_eq!(lost(&Losses::of(0, 200)), "0, below 1.5 %");
        assert_eq!(interval.signed(), "+0.346 [+0.333, +0.358]");
        let few = MedianInterval {
            median: -0.5,
            ends: None,
            count: 3,
        };
        assert_eq!(typical(&few), "-0.500");
        assert_eq!(few.signed(), "-0.500 (too few for an interval)");
    }
}
