//! Progress: what a person sees on standard error while a study runs.

use super::tune::Watcher;
use crate::flights::evaluation::{Evaluation, best};
use crate::interrupt::Interrupt;
use shell::progress::Progress as Display;
use std::ops::ControlFlow;

/// Shows how many flights are done, the best one, those lost and the time left, and passes an
/// interrupt on to the study.
pub struct Progress {
    display: Display,
    lost: u64,
    interrupt: Interrupt,
}

impl Progress {
    /// Progress towards `total` flights.
    pub fn new(total: u64, interrupt: Interrupt) -> Progress {
        Progress {
            display: Display::new(total, "flights"),
            lost: 0,
            interrupt,
        }
    }

    /// Counts one flight and shows `phrase`, what there is to say about it.
    pub fn flown(&mut self, lost: bool, phrase: &str) {
        self.lost += u64::from(lost);
        self.advance(1, phrase);
    }

    /// Says one thing beside the progress, on a line of its own.
    pub fn note(&self, text: &str) {
        self.display.note(text);
    }

    /// Counts `flights` that were no trials.
    pub fn advance(&mut self, flights: u64, phrase: &str) {
        let message = format!("{phrase}, {} lost", self.lost);
        self.display.advance(flights, &message);
    }

    /// Breaks once the user has interrupted.
    pub fn continues(&self) -> ControlFlow<()> {
        if self.interrupt.raised() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Takes the bar off the screen.
    pub fn finish(&self) {
        self.display.finish();
    }
}

/// "best ACE 0.321 m", or that there is none yet.
pub fn best_so_far(made: &[Evaluation]) -> String {
    match best(made) {
        Some(best) => format!("best ACE {:.3} m", best.cost_m),
        None => "no flight completed yet".to_owned(),
    }
}

impl Watcher for Progress {
    fn evaluated(&mut self, made: &[Evaluation]) -> ControlFlow<()> {
        let lost = made.last().is_some_and(|last| last.lost);
        self.flown(lost, &best_so_far(made));
        self.continues()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_ends_the_study_after_the_flight_in_the_air() {
        use crate::flights::evaluation::tests::evaluation;
        let interrupt = Interrupt::default();
        let mut progress = Progress::new(3, interrupt.clone());
        let made = [evaluation(0, &[Some(0.4)])];
        assert_eq!(best_so_far(&made), "best ACE 0.400 m");
        assert_eq!(best_so_far(&[]), "no flight completed yet");
        assert!(progress.evaluated(&made).is_continue());
        interrupt.raise();
        assert!(progress.evaluated(&made).is_break());
        progress.finish();
    }
}
