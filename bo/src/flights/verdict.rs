//! Verdict: what held-out flights say of gains against the default gains in the same winds. Error
//! and losses are judged separately, each by statistics that hold for it, and then together: gains that
//! track closer and lose the vehicle more often are not called better.

use crate::flights::held_out::{Losses, Test};
use crate::statistics::{MedianInterval, sign_test};
use serde::{Deserialize, Serialize};

/// A count of losses exceeds another one where equal gains would show such an excess less often.
const SIGNIFICANCE: f64 = 0.025;

/// Gains against the default gains in the winds of one domain.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Judgement {
    /// Median over winds of the difference of the ACE, these minus default, where neither set of gains
    /// lost the vehicle, with its 95 % interval [m]; absent where there is no such wind.
    pub error_m: Option<MedianInterval>,
    /// Flights lost with the default gains.
    pub before: Losses,
    /// Flights lost with these.
    pub after: Losses,
    /// Both together.
    pub verdict: Verdict,
}

/// The outcome of a judgement, at 95 % confidence of the interval of the error, and at 2.5 % for an
/// excess of losses by chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The error is lower and no more flights are lost, or clearly fewer are lost and the error is
    /// not clearly higher.
    Better,
    /// The error is lower, but more flights are lost, though not clearly more.
    CloserButLost,
    /// The error is higher.
    Worse,
    /// Clearly more flights are lost, whatever the error.
    LosesMore,
    /// Neither error nor losses distinguish the two.
    Unclear,
    /// Every flight is the same.
    Unchanged,
}

impl Judgement {
    /// Of two tests in the same winds.
    pub fn of(before: &Test, after: &Test) -> Judgement {
        let winds = before.flights().zip(after.flights());
        let completed = winds.clone().filter_map(|(b, a)| Some((b?, a?)));
        let differences: Vec<f64> = completed.map(|(b, a)| a - b).collect();
        let error_m = (!differences.is_empty()).then(|| MedianInterval::of(&differences));
        let same = differences.iter().all(|difference| *difference == 0.0);
        let unchanged = same && !differences.is_empty();
        let only =
            |lost: fn(&(Option<f64>, Option<f64>)) -> bool| winds.clone().filter(lost).count();
        let only_after = only(|(b, a)| b.is_some() && a.is_none());
        let only_before = only(|(b, a)| b.is_none() && a.is_some());
        Judgement {
            verdict: match verdict(error_m, [only_before, only_after]) {
                Verdict::Unclear if unchanged && only_before + only_after == 0 => {
                    Verdict::Unchanged
                }
                verdict => verdict,
            },
            error_m,
            before: before.losses(),
            after: after.losses(),
        }
    }
}

fn verdict(error_m: Option<MedianInterval>, [only_before, only_after]: [usize; 2]) -> Verdict {
    let clearly = |more, fewer| sign_test(fewer, more) < SIGNIFICANCE;
    if clearly(only_after, only_before) {
        return Verdict::LosesMore;
    }
    let fewer_lost = clearly(only_before, only_after);
    match error_m {
        Some(error) if error.high() < 0.0 && only_after > only_before => Verdict::CloserButLost,
        Some(error) if error.high() < 0.0 => Verdict::Better,
        Some(error) if error.low() > 0.0 => Verdict::Worse,
        _ if fewer_lost => Verdict::Better,
        _ => Verdict::Unclear,
    }
}

/// The verdict in each domain: "better", or "gusty: better; steady: no clear difference".
pub fn in_each(verdicts: &[(String, Verdict)]) -> String {
    match verdicts {
        [] => String::new(),
        [(_, first), rest @ ..] if rest.iter().all(|(_, verdict)| verdict == first) => {
            first.words().to_owned()
        }
        several => {
            let said = several.iter();
            let said = said.map(|(domain, verdict)| format!("{domain}: {}", verdict.words()));
            said.collect::<Vec<_>>().join("; ")
        }
    }
}

/// Whether gains with these verdicts are worth having: better in a domain, and in none worse or lost
/// more often.
pub fn any_better(verdicts: &[(String, Verdict)]) -> bool {
    let is = |wanted: &[Verdict]| verdicts.iter().any(|(_, verdict)| wanted.contains(verdict));
    is(&[Verdict::Better]) && !is(&[Verdict::Worse, Verdict::LosesMore, Verdict::CloserButLost])
}

/// Name of the style of verdicts together: the gravest one's.
pub fn verdict_style(verdicts: &[(String, Verdict)]) -> &'static str {
    let has = |style: &str| verdicts.iter().any(|(_, verdict)| verdict.style() == style);
    match any_better(verdicts) {
        true => "better",
        false if has("worse") => "worse",
        false => "unclear",
    }
}

impl Verdict {
    /// In plain words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Better => "better",
            Verdict::CloserButLost => "closer, but more flights lost",
            Verdict::Worse => "worse",
            Verdict::LosesMore => "worse: loses more flights",
            Verdict::Unclear => "no clear difference",
            Verdict::Unchanged => "unchanged",
        }
    }

    /// Name of its style in the page.
    pub fn style(self) -> &'static str {
        match self {
            Verdict::Better => "better",
            Verdict::Worse | Verdict::LosesMore => "worse",
            Verdict::CloserButLost | Verdict::Unclear | Verdict::Unchanged => "unclear",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A test of 40 flights of about `ace_m`, lost in the winds of `lost`.
    fn test(ace_m: f64, lost: std::ops::Range<u64>) -> Test {
        let ace = |wind: u64| ace_m + 0.001 * ((wind * 7) % 11) as f64;
        Test::of(
            "gusty".to_owned(),
            (0..40)
                .map(|wind| if lost.contains(&wind) { 2.0 } else { ace(wind) })
                .collect(),
            lost.collect(),
        )
    }

    fn judged(before: Test, after: Test) -> (Verdict, Judgement) {
        let judgement = Judgement::of(&before, &after);
        (judgement.verdict, judgement)
    }

    #[test]
    fn the_error_is_compared_where_both_completed() {
        let (verdict, judgement) = judged(test(0.4, 0..2), test(0.3, 1..2));
        assert_eq!(verdict, Verdict::Better);
        let error = judgement.error_m.expect("38 winds");
        assert_eq!(error.count, 38);
        assert!((error.median + 0.1).abs() < 1e-12);
        assert_eq!((judgement.before.lost, judgement.after.lost), (2, 1));
        assert!((judgement.after.at_most - shell::statistics::upper_bound(1, 40)).abs() < 1e-12);
    }

    #[test]
    fn losses_count_against_gains_that_track_closer() {
        assert_eq!(
            judged(test(0.4, 0..0), test(0.3, 0..1)).0,
            Verdict::CloserButLost
        );
        // Six of six discordant winds: 1/64.
        assert_eq!(
            judged(test(0.4, 0..0), test(0.3, 0..6)).0,
            Verdict::LosesMore
        );
        assert_eq!(
            judged(test(0.4, 0..0), test(0.3, 0..40)).0,
            Verdict::LosesMore
        );
        assert_eq!(
            judged(test(0.4, 0..40), test(0.3, 0..40)).0,
            Verdict::Unclear
        );
        assert_eq!(judged(test(0.3, 0..6), test(0.3, 0..0)).0, Verdict::Better);
        assert_eq!(judged(test(0.3, 0..6), test(0.4, 0..0)).0, Verdict::Worse);
        assert_eq!(
            judged(test(0.3, 3..4), test(0.3, 3..4)).0,
            Verdict::Unchanged
        );
        assert_eq!(judged(test(0.3, 3..4), test(0.3, 0..0)).0, Verdict::Unclear);
    }

    #[test]
    fn gains_are_worth_having_that_are_better_somewhere_and_worse_nowhere() {
        let judged = |all: &[Verdict]| -> Vec<(String, Verdict)> {
            let named = |verdict: &Verdict| ("gusty".to_owned(), *verdict);
            all.iter().map(named).collect()
        };
        use Verdict::{Better, CloserButLost, LosesMore, Unchanged, Unclear, Worse};
        assert!(any_better(&judged(&[Better, Unclear, Unchanged])));
        for not in [Worse, LosesMore, CloserButLost] {
            assert!(!any_better(&judged(&[Better, not])), "{not:?}");
        }
        assert!(!any_better(&judged(&[Unclear, Unchanged])) && !any_better(&[]));
        assert_eq!(in_each(&judged(&[Better, Better])), "better");
        let apart = "gusty: better; gusty: unchanged";
        assert_eq!(in_each(&judged(&[Better, Unchanged])), apart);
    }

    #[test]
    fn every_verdict_has_words_of_its_own() {
        let all = [
            Verdict::Better,
            Verdict::CloserButLost,
            Verdict::Worse,
            Verdict::LosesMore,
            Verdict::Unclear,
            Verdict::Unchanged,
        ];
        let words: std::collections::BTreeSet<&str> = all.map(Verdict::words).into();
        assert_eq!(words.len(), all.len());
        assert_eq!(Verdict::CloserButLost.style(), "unclear");
        assert_eq!(Verdict::LosesMore.style(), "worse");
    }
}
