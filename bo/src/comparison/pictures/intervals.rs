//! What is and what is not distinguishable: every method's mean with its interval.

use super::Gallery;
use crate::Error;
use crate::comparison::plan::training::Training;
use crate::comparison::tables::summary::{Block, Entry, Summary};
use crate::statistics::Interval;
use plots::{Estimate, IntervalPanel, IntervalsPicture, MOST_INTERVAL_COLUMNS, draw_intervals};

/// What stands as a line across all methods: the default gains and the floor.
const REFERENCES: [&str; 2] = ["default", "floor"];

/// The estimates and references of one panel.
type Panel = (Vec<[Option<Estimate>; 2]>, Vec<Option<Estimate>>);

impl Gallery<'_> {
    /// One panel for each trajectory and domain; nothing where all methods are references.
    pub(super) fn intervals(
        &self,
        summary: &Summary,
        training: Training,
    ) -> Result<Option<String>, Error> {
        let of_training = summary.blocks.iter().filter(|b| b.training == training);
        let blocks: Vec<&Block> = of_training.collect();
        let methods: Vec<&str> = rivals(blocks[0]).map(|row| row.label.as_str()).collect();
        if methods.is_empty() || self.plan.trajectories.len() > MOST_INTERVAL_COLUMNS {
            return Ok(None);
        }
        let known = |name: &&str| blocks[0].rows.iter().any(|row| row.method == *name);
        let references: Vec<&str> = REFERENCES.into_iter().filter(known).collect();
        let of_first = blocks
            .iter()
            .filter(|b| b.trajectory == blocks[0].trajectory);
        let domains: Vec<&str> = of_first.map(|b| b.domain.as_str()).collect();
        let rows: Vec<String> = domains.iter().map(|d| format!("{d} wind")).collect();
        let in_order = domains.iter().flat_map(|domain| {
            let blocks = blocks.iter().filter(move |b| b.domain == *domain);
            blocks.map(|block| panel(block, &references))
        });
        let panels: Vec<Panel> = in_order.collect();
        let seeds = self.plan.seeds.len();
        let title = format!(
            "Held-out ACE, trained in {}: mean over {seeds} seeds with 95 % interval",
            training.name()
        );
        let named = |name: &str| match name {
            "default" => "default gains".to_owned(),
            other => other.to_owned(),
        };
        let reference_names: Vec<String> = references.iter().map(|name| named(name)).collect();
        let picture = IntervalsPicture {
            title: &title,
            x_name: "ACE [m]",
            columns: &self.plan.trajectories,
            rows: &rows.iter().map(String::as_str).collect::<Vec<_>>(),
            methods: &methods,
            marks: ["recommended", "best observed flight"],
            references: &reference_names
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>(),
            // Means that overlap may still differ pair by pair: the table judges, not the picture.
            judged_against: None,
            colours: [0, 1],
            held: &[],
            panels: &panels
                .iter()
                .map(|(estimates, references)| IntervalPanel {
                    estimates,
                    references,
                })
                .collect::<Vec<_>>(),
        };
        let name = format!("intervals-{}", training.name());
        self.drawn(name, |stem| draw_intervals(&picture, stem).map(|_| ()))
    }
}

/// The rows that are no references.
fn rivals(block: &Block) -> impl Iterator<Item = &crate::comparison::Row> {
    let rows = block.rows.iter();
    rows.filter(|row| !REFERENCES.contains(&row.method))
}

fn panel(block: &Block, references: &[&str]) -> Panel {
    let estimates = rivals(block).map(|row| {
        let of = |entry: &Option<Entry>| entry.as_ref().map(|entry| estimate(&entry.mean));
        [of(&row.recommended), of(&row.observed)]
    });
    let references = references.iter().map(|name| {
        let row = block.rows.iter().find(|row| row.method == *name)?;
        Some(estimate(&row.recommended.as_ref()?.mean))
    });
    (estimates.collect(), references.collect())
}

/// A single seed has no interval: its ends are the value.
fn estimate(interval: &Interval) -> Estimate {
    let half = interval.half_width.unwrap_or(0.0);
    Estimate {
        mean: interval.mean,
        low: interval.mean - half,
        high: interval.mean + half,
    }
}
