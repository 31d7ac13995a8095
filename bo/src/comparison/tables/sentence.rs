//! Sentence: what the differences of a comparison say, in one.

use crate::comparison::tables::summary::{Block, Difference, Summary};

/// Differences that the sentence names; the tables have all.
const MOST_NAMED: usize = 4;

/// Which recommended gains differ in their held-out ACE, by the intervals that hold together for all differences, and never more than
/// these say.
pub fn sentence(summary: &Summary) -> String {
    let (seeds, all) = (summary.seeds.len(), summary.comparisons);
    let differences: Vec<Named> = summary
        .blocks
        .iter()
        .flat_map(|b| named(summary, b))
        .collect();
    if differences.is_empty() {
        return "No method is compared with another.".to_owned();
    }
    if seeds == 1 {
        return "Nothing can be told apart with one seed: differences have no intervals."
            .to_owned();
    }
    let found: Vec<String> = differences.iter().filter_map(Named::found).collect();
    if found.is_empty() {
        return format!(
            "No held-out ACE can be told apart with {seeds} seeds: every interval contains 0 (95 % for all {all} \
             differences together)."
        );
    }
    let more = match found.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!(
        "Told apart by held-out ACE with {seeds} seeds (95 % for all {all} differences together): {}{more}.",
        found[..found.len().min(MOST_NAMED)].join("; ")
    )
}

/// A difference with what it is of.
struct Named<'a> {
    block: &'a Block,
    label: &'a str,
    other: &'static str,
    difference: &'a Difference,
}

/// Those of a block, each pair once.
fn named<'a>(summary: &'a Summary, block: &'a Block) -> Vec<Named<'a>> {
    let best = block
        .best_baseline
        .filter(|best| summary.reference != Some(*best));
    let of_row = block.rows.iter().flat_map(move |row| {
        // The reference minus the baseline is the baseline minus the reference.
        let best = best.filter(|_| summary.reference != Some(row.method));
        let pairs = [
            (&row.to_reference, summary.reference),
            (&row.to_best_baseline, best),
        ];
        pairs.into_iter().filter_map(move |(difference, other)| {
            Some(Named {
                block,
                label: &row.label,
                other: other?,
                difference: difference.as_ref()?,
            })
        })
    });
    of_row.collect()
}

impl Named<'_> {
    /// "GP minus default -0.041 [-0.052, -0.030] m (hover, mixture, gusty wind)" where the interval does not contain 0.
    fn found(&self) -> Option<String> {
        let interval = &self.difference.interval;
        let holds_zero = interval.low() <= 0.0 && interval.high() >= 0.0;
        (!holds_zero).then(|| {
            format!(
                "{} minus {} {} m ({}, trained in {}, {} wind)",
                self.label,
                self.other,
                interval.signed_range(3),
                self.block.trajectory,
                self.block.training.name(),
                self.block.domain
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::plan::Plan;
    use crate::comparison::plan::method::Method;
    use crate::comparison::plan::tests::plan;
    use crate::comparison::tables::summary::tests::{finished, summary};

    #[test]
    fn only_intervals_without_zero_are_differences() {
        let mut summary = summary();
        // Costs of the fixture differ by the same in both seeds.
        let said = sentence(&summary);
        let first = "Told apart by held-out ACE with 2 seeds (95 % for all 16 differences together): default gains minus gp -0.200 \
                     [-0.200, -0.200] m (hover, trained in mixture, gusty wind); ";
        assert!(said.starts_with(first), "{said}");
        assert!(said.ends_with("; and 8 more."), "{said}");
        let rows = summary.blocks.iter_mut().flat_map(|block| &mut block.rows);
        for row in rows {
            let differences = [&mut row.to_reference, &mut row.to_best_baseline];
            for difference in differences.into_iter().flatten() {
                difference.interval.half_width = Some(0.5);
            }
        }
        let said = sentence(&summary);
        let none = "No held-out ACE can be told apart with 2 seeds: every interval contains 0 (95 % for all 16 \
                    differences together).";
        assert_eq!(said, none);
    }

    #[test]
    fn one_seed_and_one_method_say_nothing() {
        let mut plan = plan();
        plan.seeds = vec![3];
        let domains = ["gusty".to_owned()];
        let of = |plan: &Plan| sentence(&Summary::of(plan, &finished(plan), &domains));
        assert!(of(&plan).starts_with("Nothing can be told apart with one seed"));
        plan.methods = vec![Method::Surrogate("gp")];
        assert_eq!(of(&plan), "No method is compared with another.");
    }

    #[test]
    fn a_baseline_that_is_the_reference_counts_once_among_what_is_named() {
        let mut plan = plan();
        plan.reference = Method::DefaultGains;
        let domains = ["gusty".to_owned()];
        let said = sentence(&Summary::of(&plan, &finished(&plan), &domains));
        assert_eq!(said.matches(" minus default ").count(), 4, "{said}");
        assert!(!said.contains("more."), "{said}");
    }
}
