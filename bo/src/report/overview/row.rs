//! Row: an entry as one line of a list.

use crate::report::card;
use crate::report::overview::{Begun, Comparison, Entry, Found, date};
use crate::run::disk::archive::Read;
use crate::run::disk::record::Candidate;
use crate::statistics::MedianInterval;
use crate::terminal::printable;
use serde::Serialize;
use shell::table::Table;

/// One line of a list, and one object of its JSON form.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The folder.
    pub folder: String,
    /// "run", "unfinished run", "comparison" or "served study".
    pub kind: &'static str,
    /// What was flown.
    pub trajectory: String,
    /// What searched: a surrogate, or of a comparison the number of methods.
    pub surrogate: String,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// What it came to, or how far it is.
    pub verdict: String,
    /// Median ACE of the completed held-out flights in all domains with the default gains [m].
    pub default_m: Option<f64>,
    /// The same with the recommended gains [m].
    pub recommended_m: Option<f64>,
    /// When it was last added to [s since 1970].
    pub changed_unix_s: u64,
}

impl Row {
    /// The line of `entry`.
    pub fn of(entry: &Entry) -> Row {
        let row = match &entry.found {
            Found::Whole(read, _) => Row::of_run(read),
            Found::Begun(begun) => Row::of_begun(begun),
            Found::Comparison(comparison) => Row::of_comparison(comparison),
            Found::Served(account) => Row {
                verdict: account.progress(),
                ..Row::named("served study", &account.name, String::new(), Vec::new())
            },
        };
        Row {
            folder: entry.folder.display().to_string(),
            changed_unix_s: entry.changed_unix_s,
            ..row
        }
    }

    fn named(kind: &'static str, trajectory: &str, surrogate: String, seeds: Vec<u64>) -> Row {
        Row {
            folder: String::new(),
            kind,
            trajectory: trajectory.to_owned(),
            surrogate,
            seeds,
            verdict: String::new(),
            default_m: None,
            recommended_m: None,
            changed_unix_s: 0,
        }
    }

    fn of_run(read: &Read) -> Row {
        let record = &read.record;
        let settings = &record.settings;
        let surrogate = settings.surrogate.to_owned();
        Row {
            verdict: match record.lost() == record.trials.len() {
                true => "every evaluation lost".to_owned(),
                false => card::verdict(read).unwrap_or_else(|error| format!("unknown: {error}")),
            },
            default_m: typical(&record.default),
            recommended_m: typical(&record.recommended),
            ..Row::named("run", &settings.trajectory, surrogate, vec![settings.seed])
        }
    }

    fn of_begun(begun: &Begun) -> Row {
        let settings = &begun.config.settings;
        let how_far = format!(
            "{} of {} evaluations",
            begun.history.len(),
            settings.evaluations()
        );
        let state = if begun.in_use {
            "at work"
        } else {
            "UNFINISHED"
        };
        let surrogate = settings.surrogate.to_owned();
        Row {
            verdict: format!("{state}: {how_far}"),
            ..Row::named(
                "unfinished run",
                &settings.trajectory,
                surrogate,
                vec![settings.seed],
            )
        }
    }

    fn of_comparison(comparison: &Comparison) -> Row {
        let cells = comparison.cells;
        let whole = !comparison.trajectories.is_empty();
        let methods = match whole {
            true => format!("{} methods", comparison.methods),
            false => String::new(),
        };
        Row {
            verdict: match whole {
                true => format!("comparison, {cells} cells"),
                false => format!("UNFINISHED: comparison, {cells} cells so far"),
            },
            ..Row::named(
                "comparison",
                &comparison.trajectories.join(","),
                methods,
                comparison.seeds.clone(),
            )
        }
    }

    /// The columns of its line; the last has any width.
    fn cells(&self) -> [String; 7] {
        let metres = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{x:.3}"));
        let gain = match (self.default_m, self.recommended_m) {
            (None, None) => "-".to_owned(),
            (before, after) => format!("{} -> {}", metres(before), metres(after)),
        };
        let seeds = match &self.seeds[..] {
            [] => "-".to_owned(),
            [one] => one.to_string(),
            [first, .., last] => format!("{first}..{last}"),
        };
        let or_none = |text: &str| match text {
            "" => "-".to_owned(),
            text => printable(text),
        };
        [
            printable(&self.folder),
            or_none(&self.trajectory),
            or_none(&self.surrogate),
            seeds,
            gain,
            date(self.changed_unix_s),
            self.verdict.clone(),
        ]
    }
}

/// The heads of the columns.
const HEADS: [&str; 7] = [
    "folder",
    "trajectory",
    "surrogate",
    "seed",
    "ACE [m]",
    "changed (UTC)",
    "verdict",
];

/// The lines of `rows` under their heads, each column as wide as it must be.
pub fn list(rows: &[Row]) -> String {
    let cells = rows.iter().map(|row| row.cells().into());
    Table::of_words(HEADS).with(cells).text(0)
}

/// The median ACE of the completed flights in all domains [m].
fn typical(candidate: &Candidate) -> Option<f64> {
    let flights = candidate.tests.iter().flat_map(|test| test.flights());
    let completed: Vec<f64> = flights.flatten().collect();
    (!completed.is_empty()).then(|| MedianInterval::of(&completed).median)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_their_heads_and_what_is_not_known_is_a_dash() {
        let row = Row {
            folder: "runs/fig8-gp-1".to_owned(),
            verdict: "better".to_owned(),
            default_m: Some(0.4051),
            recommended_m: Some(0.2917),
            ..Row::named("run", "fig8", "gp".to_owned(), vec![1])
        };
        let begun = Row::of_comparison(&Comparison {
            cells: 3,
            ..Comparison::default()
        });
        let text = list(&[row, begun]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].contains("0.405 -> 0.292"), "{text}");
        assert_eq!(lines[0].find("verdict"), lines[1].find("better"));
        assert_eq!(lines[0].find("verdict"), lines[2].find("UNFINISHED"));
        assert!(lines[2].contains("3 cells so far"));
    }
}
