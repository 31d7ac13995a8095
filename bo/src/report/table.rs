//! Tables: results as text that a person reads.

use crate::flights::held_out::Losses;
use crate::flights::held_out::Test;
use crate::flights::space::Gain;
use crate::run::disk::record::{Record, TunedKnob};
use crate::statistics::MedianInterval;
use crate::table::{Side, Table};

/// Gains in each domain against the default gains, with what can and cannot be said.
pub fn verdict(record: &Record) -> String {
    let winds = record.settings.held_out_winds;
    let judgements = record.recommended.against_default.iter().flatten();
    let tests = record.default.tests.iter().zip(&record.recommended.tests);
    let error = |test: &Test| {
        let completed = test.completed_m.as_ref();
        completed.map_or("all lost".to_owned(), MedianInterval::plain)
    };
    let errors = tests
        .clone()
        .zip(judgements)
        .map(|((before, after), judgement)| {
            let difference = judgement.error_m.as_ref();
            vec![
                before.domain.clone(),
                error(before),
                error(after),
                difference.map_or("-".to_owned(), MedianInterval::signed),
                judgement.verdict.words().to_owned(),
            ]
        });
    let columns = [
        ("domain", Side::Left),
        ("default gains", Side::Right),
        ("recommended gains", Side::Right),
        ("difference, wind by wind", Side::Right),
        ("", Side::Left),
    ];
    let losses = tests.map(|(before, after)| {
        let [before_lost, after_lost] = [before, after].map(|test| lost(&test.losses()));
        vec![before.domain.clone(), before_lost, after_lost]
    });
    format!(
        "Average control error of completed flights in {winds} held-out winds a domain (median [95 % interval], m)\n\
         {}\
         Crashes in simulation (upper 95 % bound on the crash rate)\n\
         {}\n",
        Table::new(columns).with(errors).text(0),
        Table::of_numbers(["domain", "default gains", "recommended gains"])
            .with(losses)
            .text(0)
    )
}

/// How the recommended gains were chosen.
pub fn chosen(record: &Record) -> &'static str {
    use search::recommend::Choice;
    match &record.recommended.choice {
        Some(Choice::Centroid { .. }) => {
            "centroid of the ten flights with the best posterior means"
        }
        Some(Choice::LevelSet { .. }) => {
            "centre of the gains that one flight could hardly distinguish from the best"
        }
        Some(Choice::Centre { .. }) => {
            "as close to the middle of the good gains as the flights allow"
        }
        Some(Choice::NearBest { averaged: 1, .. }) => "flight with the best posterior mean",
        Some(Choice::NearBest { .. }) => {
            "centre of good flights near the one with the best posterior mean"
        }
        Some(Choice::BaselineByBelief { .. }) => {
            "the start gains: the surrogate predicts nothing better"
        }
        Some(Choice::ObservedBefore { .. }) => {
            "best flight of the warm start: the surrogate could not be fitted"
        }
        Some(Choice::Observed { .. }) => "best observed flight: the surrogate could not be fitted",
        Some(Choice::Believed { .. }) => "visited point with the best posterior mean",
        Some(Choice::WithinLimits) => "gains that keep the limits: none that do finished",
        Some(Choice::OutsideLimits) => "nearest to the limits on what is measured: none keep them",
        Some(Choice::BaselineByDefault) | None => "the start gains: every flight was lost",
    }
}

/// The recommended and the default gains, and how they were chosen.
pub fn gains(record: &Record) -> String {
    let how = chosen(record);
    let tuned = record.problem.tuned.iter();
    let row = |searched: &TunedKnob| {
        let gain = Gain::by_name(&searched.name)?;
        let [new, old] = [&record.recommended.gains, &record.default.gains].map(|g| gain.value(g));
        let TunedKnob { low, high, .. } = searched;
        Some(vec![
            gain.name.to_owned(),
            format!("{new:.3}"),
            gain.unit.to_owned(),
            format!("(default {old}, searched {low} to {high})"),
        ])
    };
    let sides = [Side::Left, Side::Right, Side::Left, Side::Left];
    let table = Table::new(sides.map(|side| ("", side))).with(tuned.filter_map(row));
    format!("Recommended gains ({how})\n{}", table.text(2))
}

/// The titles of the margins' rows.
pub const MARGINS: [&str; 4] = ["margin", "limit", "default gains", "recommended gains"];

/// The margins and their limits, where a study has some.
pub fn margins(record: &Record) -> String {
    let Some(margins) = &record.margins else {
        return String::new();
    };
    let rows = margins.rows(&record.settings.margins);
    let rows = rows.into_iter().map(Vec::from);
    let table = Table::of_numbers(MARGINS).with(rows).text(2);
    let late = record.problem.sensors.delay_periods;
    let at = record.settings.margins.conditions(late);
    format!("\nLeast margins of the loops {at}, in simulation\n{table}")
}

/// "2, below 3.1 %".
fn lost(losses: &Losses) -> String {
    format!("{}, below {:.1} %", losses.lost, 100.0 * losses.at_most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_printed_with_their_bound() {
        assert_eq!(lost(&Losses::of(0, 200)), "0, below 1.5 %");
    }
}
