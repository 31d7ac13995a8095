//! Observed: the paper's recommender, the evaluation with the least value. One lucky wind can decide it.

use super::{Case, Choice, Recommendation};

impl Case<'_> {
    /// The best finished evaluation; the baseline where none finished, and nothing where there is none.
    pub(super) fn observed(&self) -> Option<Recommendation> {
        let Some(best) = self.seen.best() else {
            let baseline = self.baseline?.to_vec();
            return Some(Recommendation {
                x: baseline,
                choice: Choice::BaselineByDefault,
            });
        };
        let alike = self.seen.all().iter().filter(|o| o.earlier == best.earlier);
        let before = alike.take_while(|o| !std::ptr::eq(*o, best)).count();
        let trial = before as u64;
        Some(Recommendation {
            x: best.x.clone(),
            choice: match best.earlier {
                true => Choice::ObservedBefore { trial },
                false => Choice::Observed { trial },
            },
        })
    }
}
