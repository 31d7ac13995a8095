//! Tables: results as text that a person reads.

use crate::record::Record;
use crate::statistics::Interval;
use std::fmt::Write;

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
