//! Progress: what a person sees on standard error while work continues. A bar on a terminal, plain
//! lines elsewhere, nothing where quiet was asked for; results never pass through here. The only
//! file that knows indicatif.
//!
//! Work has one phase or several, each counted from its own beginning: evaluations, then flights of
//! a test, then drawing, which has no count.

use crate::terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Least time between two plain lines; work that is done sooner says nothing.
pub const LINE_EVERY: Duration = Duration::from_secs(2);

/// How often a bar shows that time passes while no count changes.
const TICK: Duration = Duration::from_millis(500);

/// Whether `--quiet` was typed: said once, where the command line is read, and meant for every
/// display of the process.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Shows no progress from here on.
pub fn silence() {
    QUIET.store(true, Ordering::Relaxed);
}

fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Counts what is done, from any thread.
pub struct Progress {
    state: Mutex<State>,
}

struct State {
    display: Display,
    phase: Phase,
}

enum Display {
    Bar(ProgressBar),
    Lines { last: Instant },
    Nothing,
}

/// One kind of work.
struct Phase {
    /// "flights", "fits"; of work without a count what is done: "drawing".
    of: &'static str,
    /// Nothing of work that is not counted.
    total: Option<u64>,
    done: u64,
    /// What an earlier process had done.
    kept: u64,
    started: Instant,
}

impl Progress {
    /// Progress towards `total` of something: "flights", "fits".
    pub fn new(total: u64, of: &'static str) -> Progress {
        Progress::of(Phase::new(Some(total), of))
    }

    /// Progress of work that is not counted: "drawing".
    pub fn uncounted(doing: &'static str) -> Progress {
        Progress::of(Phase::new(None, doing))
    }

    fn of(phase: Phase) -> Progress {
        let display = Display::for_stderr();
        let mut state = State { display, phase };
        state.begin();
        Progress {
            state: Mutex::new(state),
        }
    }

    /// Starts the next kind of work, which is counted anew.
    pub fn phase(&self, total: u64, of: &'static str) {
        self.go_over(Phase::new(Some(total), of));
    }

    /// Starts work that is not counted.
    pub fn doing(&self, what: &'static str) {
        self.go_over(Phase::new(None, what));
    }

    fn go_over(&self, phase: Phase) {
        let mut state = self.state();
        state.phase = phase;
        state.begin();
    }

    /// Counts `kept` of them that an earlier process did, in no time of this one's, and shows it at
    /// once.
    pub fn kept(&self, kept: u64) {
        let mut state = self.state();
        state.phase.kept += kept;
        state.phase.done += kept;
        state.show("", kept, true);
    }

    /// Counts `more` of them, and shows `phrase`, what there is to say.
    pub fn advance(&self, more: u64, phrase: &str) {
        let mut state = self.state();
        state.phase.done += more;
        state.show(phrase, more, false);
    }

    /// Prints one note besides the progress, on a line of its own.
    pub fn note(&self, text: &str) {
        match &self.state().display {
            Display::Bar(bar) => bar.println(terminal::line(text)),
            Display::Lines { .. } => terminal::say(text),
            Display::Nothing => {}
        }
    }

    /// How many are done.
    pub fn done(&self) -> u64 {
        self.state().phase.done
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

impl Display {
    fn for_stderr() -> Display {
        // A terminal that cannot move its cursor gets lines, as a file does.
        let steered = std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        if is_quiet() {
            Display::Nothing
        } else if stderr().is_terminal() && steered {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.enable_steady_tick(TICK);
            Display::Bar(bar)
        } else {
            Display::Lines {
                last: Instant::now(),
            }
        }
    }
}

impl State {
    /// Shows a phase that begins.
    fn begin(&mut self) {
        let State { display, phase } = self;
        if let Display::Bar(bar) = display {
            bar.set_style(phase.style());
            bar.set_length(phase.total.unwrap_or_default());
            bar.set_position(0);
            bar.reset_elapsed();
        }
        self.show("", 0, false);
    }

    fn show(&mut self, phrase: &str, more: u64, at_once: bool) {
        let State { display, phase } = self;
        match display {
            Display::Bar(bar) => {
                bar.set_message(terminal::line(&phase.said(phrase)));
                bar.inc(more);
            }
            Display::Lines { last } => {
                let took = phase.started.elapsed() >= LINE_EVERY;
                let ended = took && Some(phase.done) == phase.total;
                if at_once || ended || last.elapsed() >= LINE_EVERY {
                    *last = Instant::now();
                    terminal::say(&phase.said(phrase));
                }
            }
            Display::Nothing => {}
        }
    }
}

impl Phase {
    fn new(total: Option<u64>, of: &'static str) -> Phase {
        Phase {
            of,
            total,
            done: 0,
            kept: 0,
            started: Instant::now(),
        }
    }

    /// Its line on a terminal. What comes last is cut where the terminal is narrow.
    fn style(&self) -> ProgressStyle {
        let template = match self.total {
            Some(_) => "{bar:10} {elapsed:>3} {wide_msg}",
            None => "{elapsed:>3} {wide_msg}",
        };
        ProgressStyle::with_template(template)
            .expect("the template is legal")
            .progress_chars("=> ")
    }

    /// "76/110 flights, 5 s left, best ACE 0.321 m", what matters most first.
    fn said(&self, phrase: &str) -> String {
        let mut said = match self.total {
            Some(total) => format!("{}/{total} {}", self.done, self.of),
            None => self.of.to_owned(),
        };
        if let Some(left) = self.left(self.started.elapsed()) {
            said += &format!(", {} left", in_words(left));
        }
        if !phrase.is_empty() {
            said += &format!(", {phrase}");
        }
        said
    }

    /// The time left at the pace so far; unknown before the first is done here.
    fn left(&self, elapsed: Duration) -> Option<Duration> {
        let here = self.done - self.kept;
        let left = self.total?.saturating_sub(self.done);
        (here > 0).then(|| elapsed.mul_f64(left as f64 / here as f64))
    }
}

/// "5 s", "12 min", "3 h".
pub fn in_words(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(done: u64, kept: u64, total: u64) -> Phase {
        Phase {
            done,
            kept,
            ..Phase::new(Some(total), "flights")
        }
    }

    #[test]
    fn the_time_left_follows_the_pace_of_this_process_alone() {
        let seconds = Duration::from_secs;
        assert_eq!(phase(5, 0, 20).left(seconds(10)), Some(seconds(30)));
        assert_eq!(phase(20, 0, 20).left(seconds(10)), Some(seconds(0)));
        assert_eq!(phase(75, 70, 110).left(seconds(10)), Some(seconds(70)));
        assert_eq!(
            phase(70, 70, 110).left(seconds(10)),
            None,
            "nothing to go by"
        );
    }

    #[test]
    fn what_matters_most_stands_first() {
        assert_eq!(phase(70, 70, 110).said("kept"), "70/110 flights, kept");
        let started = Instant::now() - Duration::from_secs(10);
        let begun = Phase {
            started,
            ..phase(5, 0, 20)
        };
        assert_eq!(begun.said("best"), "5/20 flights, 30 s left, best");
        let uncounted = Phase::new(None, "fitting");
        assert_eq!(uncounted.said(""), "fitting");
        assert_eq!(uncounted.said("3 likelihoods"), "fitting, 3 likelihoods");
    }

    #[test]
    fn times_are_said_in_their_unit() {
        let said = |seconds| in_words(Duration::from_secs(seconds));
        assert_eq!((said(4), said(99)), ("4 s".into(), "99 s".into()));
        assert_eq!((said(600), said(7200)), ("10 min".into(), "2 h".into()));
    }

    #[test]
    fn work_is_counted_from_any_thread_and_each_phase_anew() {
        let progress = Progress::new(41, "fits");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..10).for_each(|_| progress.advance(1, "GP")));
            }
        });
        assert_eq!(progress.done(), 40);
        progress.phase(3, "flights");
        progress.kept(2);
        assert_eq!(progress.done(), 2);
        progress.doing("drawing");
        assert_eq!(progress.done(), 0);
    }
}
