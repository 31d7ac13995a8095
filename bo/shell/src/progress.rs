//! Progress: what a person sees on standard error while work goes on. A bar on a terminal, plain
//! lines elsewhere; results never pass through here. The only file that knows indicatif.

use crate::terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Least time between two plain lines [s].
const LINE_EVERY_S: f64 = 2.0;

/// Counts what is done, from any thread.
pub struct Progress {
    of: &'static str,
    total: u64,
    state: Mutex<State>,
}

struct State {
    display: Display,
    done: u64,
}

enum Display {
    Bar(ProgressBar),
    Lines { started: Instant, last: Instant },
}

impl Progress {
    /// Progress towards `total` of something: "flights", "fits".
    pub fn new(total: u64, of: &'static str) -> Progress {
        let display = if stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            let template = format!("{{bar:28}} {{pos}}/{{len}} {of}  {{msg}}  {{eta}} left");
            let style = ProgressStyle::with_template(&template)
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
        let state = Mutex::new(State { display, done: 0 });
        Progress { of, total, state }
    }

    /// Counts `more` of them, and shows `phrase`, what there is to say.
    pub fn advance(&self, more: u64, phrase: &str) {
        let mut state = self.state();
        let State { display, done } = &mut *state;
        *done += more;
        match display {
            Display::Bar(bar) => {
                bar.set_message(terminal::line(phrase));
                bar.inc(more);
            }
            Display::Lines { started, last } => {
                let due = last.elapsed().as_secs_f64() >= LINE_EVERY_S;
                if due || *done == self.total {
                    *last = Instant::now();
                    let left = time_left(started.elapsed(), *done, self.total);
                    let (of, total) = (self.of, self.total);
                    terminal::say(&format!("{done}/{total} {of}, {phrase}, {left} s left"));
                }
            }
        }
    }

    /// Says one thing beside the progress, on a line of its own.
    pub fn note(&self, text: &str) {
        match &self.state().display {
            Display::Bar(bar) => bar.println(terminal::line(text)),
            Display::Lines { .. } => terminal::say(text),
        }
    }

    /// How many are done.
    pub fn done(&self) -> u64 {
        self.state().done
    }

    /// Takes the bar off the screen, as dropping it does.
    pub fn finish(&self) {
        if let Display::Bar(bar) = &self.state().display {
            bar.finish_and_clear();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked left a count behind, nothing worse.
        self.state.lock().unwrap_or_else(|error| error.into_inner())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Whole seconds left at the pace so far.
fn time_left(elapsed: Duration, done: u64, total: u64) -> u64 {
    let pace_s = elapsed.as_secs_f64() / done.max(1) as f64;
    (pace_s * total.saturating_sub(done) as f64).round() as u64
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
    fn work_is_counted_from_any_thread() {
        let progress = Progress::new(41, "fits");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..10).for_each(|_| progress.advance(1, "GP")));
            }
        });
        assert_eq!(progress.done(), 40);
    }
}
