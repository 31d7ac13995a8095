//! Interrupt: whether the user has asked the program to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that control-C (and a request to terminate) raises.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for control-C and termination requests; a second one ends the process at once.
    /// Where no handler can be installed the signals keep their default effect.
    pub fn listen() -> Interrupt {
        let interrupt = Interrupt::default();
        let flag = interrupt.clone();
        // The only possible failure is a handler that is already there.
        let _ = ctrlc::set_handler(move || {
            if flag.0.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        });
        interrupt
    }

    /// Raises the flag.
    pub fn raise(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether the flag was raised.
    pub fn raised(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
