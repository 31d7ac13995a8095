//! The name that `sim` had: starts the `sim` in its folder with the same arguments.

use std::env::{args_os, consts::EXE_SUFFIX, current_exe};
use std::io::{Write, stderr};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    // A closed stderr wants no note.
    let _ = writeln!(stderr(), "note: windhover-sim is now called sim");
    let beside = current_exe().map(|own| own.with_file_name(format!("sim{EXE_SUFFIX}")));
    let ended = beside.and_then(|sim| Command::new(sim).args(args_os().skip(1)).status());
    let code = ended.ok().and_then(|status| status.code());
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(70))
}
