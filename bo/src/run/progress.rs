//! Progress: what a person sees on standard error while a study runs.

use super::tune::Observer;
use crate::flights::evaluation::{Evaluation, best, lost};
use crate::interrupt::Interrupt;
use shell::progress::Progress as Display;
use std::ops::ControlFlow;

/// Shows how many evaluations are done, the best one, the lost ones and the time left, then the same
/// of the test, and passes an interrupt on to the study.
pub struct Progress {
    /// What the user sees.
    pub display: Display,
    lost: u64,
    interrupt: Interrupt,
}

impl Progress {
    /// Progress towards `total` of something: "evaluations", "flights".
    pub fn new(total: u64, of: &'static str, interrupt: Interrupt) -> Progress {
        Progress {
            display: Display::new(total, of),
            lost: 0,
            interrupt,
        }
    }

    /// Counts what an earlier process made.
    pub fn kept(&mut self, made: &[Evaluation]) {
        self.lost = lost(made) as u64;
        self.display.kept(made.len() as u64);
    }

    /// Counts one evaluation and shows `phrase`, what there is to say about it.
    pub fn flown(&mut self, is_lost: bool, phrase: &str) {
        self.lost += u64::from(is_lost);
        self.advance(1, phrase);
    }

    /// Counts `more` of them.
    pub fn advance(&self, more: u64, phrase: &str) {
        let message = format!("{phrase}, {} lost", self.lost);
        self.display.advance(more, &message);
    }

    /// Breaks once the user has interrupted.
    pub fn continues(&self) -> ControlFlow<()> {
        if self.interrupt.raised() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// "best ACE 0.321 m", or that there is none yet.
pub fn best_so_far(made: &[Evaluation]) -> String {
    match best(made) {
        Some(best) => format!("best ACE {:.3} m", best.cost_m),
        None => "no flight completed yet".to_owned(),
    }
}

impl Observer for Progress {
    fn evaluated(&mut self, made: &[Evaluation]) -> ControlFlow<()> {
        let lost = made.last().is_some_and(|last| last.lost);
        self.flown(lost, &best_so_far(made));
        self.continues()
    }

    fn testing(&self, flights: u64, kept: u64) {
        self.display.phase(flights, "test flights");
        if kept > 0 {
            self.display.kept(kept);
        }
    }

    fn tested(&self, flights: u64) {
        self.display.advance(flights, "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_ends_the_study_after_the_flight_in_the_air() {
        use crate::flights::evaluation::tests::evaluation;
        let interrupt = Interrupt::default();
        let mut progress = Progress::new(3, "evaluations", interrupt.clone());
        let made = [evaluation(0, &[Some(0.4)])];
        assert_eq!(best_so_far(&made), "best ACE 0.400 m");
        assert_eq!(best_so_far(&[]), "no flight completed yet");
        assert!(progress.evaluated(&made).is_continue());
        interrupt.raise();
        assert!(progress.evaluated(&made).is_break());
        progress.display.finish();
    }
}
