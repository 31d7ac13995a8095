//! Progress: what a person sees on stderr while a study runs. A bar on a terminal, plain lines
//! elsewhere; results never pass through here.

use super::tune::Watcher;
use crate::flights::evaluation::{Evaluation, best};
use crate::interrupt::Interrupt;
use crate::terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write, stderr};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Least time between two plain lines [s].
const LINE_EVERY_S: f64 = 2.0;

/// Shows how many flights are done, the best one, the crashes and the time left, and passes an
/// interrupt on to the study.
pub struct Progress {
    display: Display,
    total: u64,
    done: u64,
    crashes: u64,
    interrupt: Interrupt,
}

enum Display {
    Bar(ProgressBar),
    Lines { started: Instant, last: Instant },
}

impl Progress {
    /// Progress towards `total` flights.
    pub fn new(total: u64, interrupt: Interrupt) -> Progress {
        let display = if stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            let style =
                ProgressStyle::with_template("{bar:28} {pos}/{len} flights  {msg}  {eta} left")
                    .expect("the template is legal")
                    .progress_chars("=> ");
            bar.set_style(style);
            Display::Bar(bar)
        } else {
            let now = Instant::now();
            Display::Lines {
                started: now,
                last: now,
            }
        };
        Progress {
            display,
            total,
            done: 0,
            crashes: 0,
            interrupt,
        }
    }

    /// Counts one flight and shows `phrase`, what there is to say about it.
    pub fn flown(&mut self, crashed: bool, phrase: &str) {
        self.done += 1;
        self.crashes += u64::from(crashed);
        let message = format!("{phrase}, crashes {}", self.crashes);
        self.show(message, 1);
    }

    fn show(&mut self, message: String, step: u64) {
        match &mut self.display {
            Display::Bar(bar) => {
                bar.set_message(message);
                bar.inc(step);
            }
            Display::Lines { started, last } => {
                let due = last.elapsed().as_secs_f64() >= LINE_EVERY_S;
                if due || self.done == self.total {
                    *last = Instant::now();
                    let left = time_left(started.elapsed(), self.done, self.total);
                    let (done, total) = (self.done, self.total);
                    // A closed stderr must not end the run.
                    let _ = writeln!(stderr(), "{done}/{total} flights, {message}, {left} s left");
                }
            }
        }
    }

    /// Says one thing beside the progress, on a line of its own.
    pub fn note(&self, text: &str) {
        match &self.display {
            Display::Bar(bar) => bar.println(terminal::printable(text)),
            Display::Lines { .. } => terminal::say(text),
        }
    }

    /// Counts `flights` that were no trials.
    pub fn advance(&mut self, flights: u64, phrase: &str) {
        self.done += flights;
        let message = format!("{phrase}, crashes {}", self.crashes);
        self.show(message, flights);
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
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}

/// Whole seconds left at the pace so far.
fn time_left(elapsed: Duration, done: u64, total: u64) -> u64 {
    let pace_s = elapsed.as_secs_f64() / done.max(1) as f64;
    (pace_s * total.saturating_sub(done) as f64).round() as u64
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
    fn the_time_left_follows_the_pace() {
        assert_eq!(time_left(Duration::from_secs(10), 5, 20), 30);
        assert_eq!(time_left(Duration::from_secs(10), 20, 20), 0);
        assert_eq!(time_left(Duration::from_secs(1), 0, 3), 3);
    }

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
