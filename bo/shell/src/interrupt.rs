//! Interrupt: whether the user has asked the program to stop.

use crate::{exit, terminal};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{process, thread};

/// How long the work under way may take to end independently. What is on the disk is safe at every
/// instant, so a long fit need not be waited for.
const GRACE: Duration = Duration::from_millis(300);

/// How often the flag is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A flag that control-C and a request to terminate raise.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// Listens for control-C and termination requests; a second one ends the process at once.
    /// Where no handler can be installed the signals keep their default effect.
    pub fn listen(&self) {
        let again = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            let raised = Arc::clone(&self.0);
            // In this order: the first signal passes the shutdown, then arms it.
            let _ = flag::register_conditional_shutdown(signal, code(signal), Arc::clone(&again))
                .and_then(|_| flag::register(signal, Arc::clone(&again)))
                .and_then(|_| flag::register_usize(signal, raised, signal as usize));
        }
    }

    /// Raises the flag, as control-C does.
    pub fn raise(&self) {
        self.0.store(SIGINT as usize, Ordering::SeqCst);
    }

    /// Whether the flag was raised.
    pub fn raised(&self) -> bool {
        self.0.load(Ordering::SeqCst) != 0
    }

    /// The exit code for what was asked: 130 after control-C, 143 after a request to terminate.
    pub fn exit_code(&self) -> u8 {
        match self.0.load(Ordering::SeqCst) {
            0 => exit::INTERRUPTED,
            signal => code(signal as i32) as u8,
        }
    }

    /// Ends the process where the work under way does not end soon after an interrupt,
    /// after saying on stderr what `exit_message` are. Until the guard is dropped.
    pub fn end_on_interrupt(&self, exit_message: impl Fn() -> String + Send + 'static) -> Guard {
        let over = Arc::new(AtomicBool::new(false));
        let (interrupt, ended) = (self.clone(), Arc::clone(&over));
        thread::spawn(move || {
            let mut since: Option<Instant> = None;
            while !ended.load(Ordering::SeqCst) {
                if interrupt.raised() && since.get_or_insert_with(Instant::now).elapsed() > GRACE {
                    terminal::say(&exit_message());
                    process::exit(interrupt.exit_code().into());
                }
                thread::sleep(LOOK_EVERY);
            }
        });
        Guard(over)
    }
}

/// As long as it lives, an interrupt ends the process in time.
#[derive(Debug)]
pub struct Guard(Arc<AtomicBool>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// 128 and the signal's number, as a shell has it.
fn code(signal: i32) -> i32 {
    128 + signal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_names_the_signal() {
        let interrupt = Interrupt::default();
        assert!(!interrupt.raised());
        interrupt.raise();
        assert!(interrupt.raised());
        assert_eq!(interrupt.exit_code(), 130);
        interrupt.0.store(SIGTERM as usize, Ordering::SeqCst);
        assert_eq!(interrupt.exit_code(), 143);
    }
}
