//! Progress: what a person sees on stderr while a table is computed. A bar on a terminal, plain
//! lines elsewhere; results never pass through here. The only file that knows indicatif.

use std::io::{IsTerminal, Write, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Least time between two plain lines [s].
const LINE_EVERY_S: f64 = 5.0;

/// Counts fits done, from any thread.
pub struct Progress {
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
    /// Progress towards `total` fits.
    pub fn new(total: u64) -> Self {
        let display = if stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            let style =
                ProgressStyle::with_template("{bar:28} {pos}/{len} fits  {msg}  {eta} left")
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
        Self {
            total,
            state: Mutex::new(State { display, done: 0 }),
        }
    }

    /// Counts one fit of `what`.
    pub fn fitted(&self, what: &str) {
        // A thread that panicked left a count behind, nothing worse.
        let mut state = self.state.lock().unwrap_or_else(|error| error.into_inner());
        let State { display, done } = &mut *state;
        *done += 1;
        match display {
            Display::Bar(bar) => {
                bar.set_message(what.to_owned());
                bar.inc(1);
            }
            Display::Lines { started, last } => {
                if last.elapsed().as_secs_f64() >= LINE_EVERY_S {
                    *last = Instant::now();
                    let left = time_left(started.elapsed(), *done, self.total);
                    // A closed stderr must not end the table.
                    let _ = writeln!(
                        stderr(),
                        "{done}/{} fits, {what}, {left} s left",
                        self.total
                    );
                }
            }
        }
    }
}

impl Drop for Progress {
    /// Takes the bar off the screen.
    fn drop(&mut self) {
        let state = self
            .state
            .get_mut()
            .unwrap_or_else(|error| error.into_inner());
        if let Display::Bar(bar) = &state.display {
            bar.finish_and_clear();
        }
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
    fn fits_are_counted_from_any_thread() {
        let progress = Progress::new(40);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..10).for_each(|_| progress.fitted("GP")));
            }
        });
        assert_eq!(progress.state.lock().expect("no thread panicked").done, 40);
    }
}
