//! `bo open`: a run's report in the desktop's browser.

use crate::args::{ReportArgs, RunArgs};
use bo::Error;
use bo::interrupt::Interrupt;
use bo::run::disk::archive;
use bo::run::disk::record::to_json;
use serde::Serialize;
use shell::{Failure, exit};
use std::path::Path;
use std::process::{Command, Stdio};

/// The program with which a desktop shows a file, and the words before the file.
const OPENER: (&str, &[&str]) = if cfg!(target_os = "macos") {
    ("open", &[])
} else if cfg!(windows) {
    ("cmd", &["/C", "start", ""])
} else {
    ("xdg-open", &[])
};

/// What `--format json` prints.
#[derive(Debug, Serialize)]
struct Printed {
    schema: &'static str,
    file: String,
    opened: bool,
}

/// Makes the report if it is missing and shows it; without a desktop, prints its path.
///
/// # Errors
/// Those of [`super::report`], and a page that the desktop does not show.
pub fn open(args: &RunArgs, interrupt: &Interrupt) -> Result<String, Error> {
    let page = args.dir.join(super::report::FILE);
    if !is_of(&page, &args.dir) {
        let made = ReportArgs {
            dirs: vec![args.dir.clone()],
            out: None,
            watch: false,
            output: args.output,
        };
        super::report(&made, interrupt)?;
    }
    let opened = is_desktop() && show(&page)?;
    if args.output.is_json() {
        let schema = "windhover-open/1";
        let file = page.display().to_string();
        return to_json(
            "page",
            &Printed {
                schema,
                file,
                opened,
            },
        );
    }
    Ok(match opened {
        true => format!("Opened {}\n", page.display()),
        false => format!("No desktop here; open {} in a browser\n", page.display()),
    })
}

/// Whether the page was made of the whole run in `dir`: after its record, which an unfinished run does
/// not have.
fn is_of(page: &Path, dir: &Path) -> bool {
    let written = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    let record = written(&dir.join(archive::RECORD));
    record.is_some_and(|record| written(page).is_some_and(|page| page >= record))
}

/// Whether anything could show a window.
fn is_desktop() -> bool {
    let unix = cfg!(unix) && !cfg!(target_os = "macos");
    let named = |display| std::env::var_os(display).is_some_and(|name| !name.is_empty());
    !unix || ["DISPLAY", "WAYLAND_DISPLAY"].into_iter().any(named)
}

/// Hands the page to the desktop; false where that has no program for it.
fn show(page: &Path) -> Result<bool, Error> {
    let (opener, words) = OPENER;
    let unopened = |said: String| {
        let page = page.display();
        let line = format!("`{opener}` cannot show {page}: {said}; open it in a browser");
        Failure::new(line, exit::SOFTWARE).into()
    };
    let mut command = Command::new(opener);
    let command = command.args(words).arg(page).stdin(Stdio::null());
    match command.stdout(Stdio::null()).stderr(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(true),
        Ok(status) => Err(unopened(status.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(unopened(error.to_string())),
    }
}
