//! Progress: what a person sees on standard error while a study runs.

use crate::interrupt::Interrupt;
use crate::search::algorithm2::Watcher;
use crate::search::history::{History, Trial};
use shell::progress::Progress as Display;
use std::ops::ControlFlow;

/// Shows how many flights are done, the best one, the crashes and the time left, and passes an
/// interrupt on to the study.
pub struct Progress {
    display: Display,
    crashes: u64,
    interrupt: Interrupt,
}

impl Progress {
    /// Progress towards `total` flights.
    pub fn new(total: u64, interrupt: Interrupt) -> Progress {
        Progress {
            display: Display::new(total, "flights"),
            crashes: 0,
            interrupt,
        }
    }

    /// Counts one flight and shows `phrase`, what there is to say about it.
    pub fn flown(&mut self, crashed: bool, phrase: &str) {
        self.crashes += u64::from(crashed);
        self.advance(1, phrase);
    }

    /// Says one thing beside the progress, on a line of its own.
    pub fn note(&self, text: &str) {
        self.display.note(text);
    }

    /// Counts `flights` that were no trials.
    pub fn advance(&mut self, flights: u64, phrase: &str) {
        let message = format!("{phrase}, crashes {}", self.crashes);
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
pub fn best_so_far(history: &History) -> String {
    match history.best() {
        Some(trial) => format!("best ACE {:.3} m", trial.observation.cost),
        None => "no flight completed yet".to_owned(),
    }
}

impl Watcher for Progress {
    fn trial(&mut self, trial: &Trial, history: &History) -> ControlFlow<()> {
        self.flown(trial.observation.crashed, &best_so_far(history));
        self.continues()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_ends_the_study_after_the_flight_in_the_air() {
        use crate::search::history::{Observation, Origin};
        let interrupt = Interrupt::default();
        let mut progress = Progress::new(3, interrupt.clone());
        let trial = Trial {
            number: 0,
            x: vec![0.5],
            origin: Origin::Baseline,
            observation: Observation {
                cost: 0.4,
                crashed: false,
            },
        };
        let history = History {
            trials: vec![trial.clone()],
            ..History::default()
        };
        assert_eq!(best_so_far(&history), "best ACE 0.400 m");
        assert_eq!(best_so_far(&History::default()), "no flight completed yet");
        assert!(progress.trial(&trial, &history).is_continue());
        interrupt.raise();
        assert!(progress.trial(&trial, &history).is_break());
        progress.finish();
    }
}
