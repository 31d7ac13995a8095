//! `bo report`: runs as one page.

mod closing;
mod place;

pub(super) use place::FILE;

use crate::args::ReportArgs;
use bo::Error;
use bo::files::{self, FileError};
use bo::flights::evaluation;
use bo::interrupt::Interrupt;
use bo::report::{
    Compared, Event, Found, Report, Stage, StudyPage, Unfinished, comparison, page, unfinished,
};
use bo::run::disk::archive;
use bo::run::disk::journal::{self, Inspection, Records};
use bo::run::disk::record::to_json;
use bo::serve::messages::Messages;
use bo::study::{self, Config};
use bo::terminal::{self, printable};
use closing::{closing_lines, printed};
use place::{check_distinct, check_replaceable, files_next_to, name_of, out_path, write};
use serde_json::json;
use shell::progress::Progress;
use shell::{Failure, exit};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// How often a browser reads the page of a run that is watched \[s\].
pub(super) const SHOWN_AGAIN_S: u64 = 5;

/// How often an interrupt is looked for, and after how many looks the journal is.
const LOOK_EVERY: Duration = Duration::from_millis(100);
const LOOKS: u32 = 20;

/// Reads the runs, works out what their records do not hold, writes the page and says what is in
/// it.
///
/// # Errors
/// See [`Error`]; nothing is written then.
pub fn report(args: &ReportArgs, interrupt: &Interrupt) -> Result<String, Error> {
    match &args.dirs[..] {
        [dir] if dir.join(Messages::NAME).is_file() => {
            interrupt.listen();
            study(args, dir, interrupt)
        }
        [dir] if args.watch => {
            interrupt.listen();
            watch(args, dir, interrupt)
        }
        [dir] => match finished(args) {
            Err(Error::Unended(..)) => so_far(args, dir),
            Err(Error::Comparison(..)) => compared(args, dir),
            ended => ended,
        },
        _ if args.watch => Err(Failure::usage("--watch takes the folder of one run").into()),
        _ => finished(args),
    }
}

/// Writes what there is of the run in `dir` whenever its journal grew, and the whole page at its end.
fn watch(args: &ReportArgs, dir: &Path, interrupt: &Interrupt) -> Result<String, Error> {
    let path = out_path(args);
    let mut written = None;
    loop {
        let inspection = journal::inspect(dir);
        // While a process holds the journal its run may still be writing files.
        if !matches!(&inspection, Ok(found) if found.holder.is_some()) {
            match finished(args) {
                Err(Error::Unended(..)) => {}
                ended => return ended,
            }
        }
        let inspection = inspection?;
        if written != Some(inspection.scan.whole) {
            check_replaceable(&path)?;
            written = Some(inspection.scan.whole);
            let run = unfinished_run(dir, inspection)?;
            write(&path, &unfinished(&run, Some(SHOWN_AGAIN_S)))?;
            let made = run.history.len();
            let of = run.settings.evaluations();
            terminal::say(&format!("{}: {made} of {of} evaluations", path.display()));
        }
        rest(&path, "run", interrupt)?;
    }
}

/// Waits before the page at `path` may be drawn again.
fn rest(path: &Path, what: &str, interrupt: &Interrupt) -> Result<(), Failure> {
    for _ in 0..LOOKS {
        if interrupt.raised() {
            let path = path.display();
            let line = format!("interrupted; {path} shows the {what} as far as it went");
            return Err(Failure::new(line, exit::INTERRUPTED));
        }
        thread::sleep(LOOK_EVERY);
    }
    Ok(())
}

/// Writes the page about the study whose journal is in `dir`; to be watched, whenever it grew.
fn study(args: &ReportArgs, dir: &Path, interrupt: &Interrupt) -> Result<String, Error> {
    let path = out_path(args);
    let mut page = StudyPage::of(dir, args.watch.then_some(SHOWN_AGAIN_S));
    loop {
        if page.refresh()? {
            check_replaceable(&path)?;
            write(&path, &page.html)?;
            if !args.watch {
                return closed(args, &[], &path, page.html.len());
            }
            terminal::say(&format!("{}: {}", path.display(), page.progress));
        }
        rest(&path, "study", interrupt)?;
    }
}

/// Writes the page about the comparison in `dir`.
fn compared(args: &ReportArgs, dir: &Path) -> Result<String, Error> {
    let path = out_path(args);
    check_replaceable(&path)?;
    let text =
        |path: &Path| files::read_text(path, files::MOST_RECORD).map_err(FileError::read(path));
    let mut found: Vec<PathBuf> = (fs::read_dir(dir).into_iter().flatten().flatten())
        .map(|entry| entry.path())
        .filter(|file| file.extension().is_some_and(|ending| ending == "svg"))
        .collect();
    found.sort();
    let pictures = found.iter().map(|file| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        Ok((name.into_owned(), text(file)?))
    });
    let page = comparison(&Compared {
        name: name_of(dir),
        tables: text(&dir.join("table.md"))?,
        pictures: pictures.collect::<Result<_, FileError>>()?,
        files: files_next_to(dir, &path),
        cells: files_next_to(&dir.join("cells"), &path),
    });
    write(&path, &page)?;
    closed(args, &[], &path, page.len())
}

fn closed(args: &ReportArgs, of: &[Report], path: &Path, bytes: usize) -> Result<String, Error> {
    match args.output.is_json() {
        true => to_json("report", &printed(of, path, bytes)),
        false => Ok(closing_lines(of, path, bytes)),
    }
}

/// Writes what there is of the unfinished run in `dir`.
fn so_far(args: &ReportArgs, dir: &Path) -> Result<String, Error> {
    let path = out_path(args);
    check_replaceable(&path)?;
    let run = unfinished_run(dir, journal::inspect(dir)?)?;
    let page = unfinished(&run, None);
    write(&path, &page)?;
    let [made, lost] = [run.history.len(), evaluation::lost(&run.history)];
    let of = run.settings.evaluations();
    if args.output.is_json() {
        let mut printed = printed(&[], &path, page.len());
        printed["unfinished"] = json!({ "evaluations": made, "of": of, "lost": lost });
        return to_json("report", &printed);
    }
    Ok(format!(
        "{}: unfinished, {made} of {of} evaluations, {lost} of them lost\n{}",
        printable(&run.name),
        closing_lines(&[], &path, page.len())
    ))
}

/// The run of a journal.
fn unfinished_run(dir: &Path, inspection: Inspection) -> Result<Unfinished, Error> {
    let path = inspection.path.clone();
    let contents = inspection.contents()?;
    let study = Config::kept(&contents.header.config, &path)?;
    Ok(Unfinished {
        name: name_of(dir),
        knobs: study.problem()?.space.knobs().to_vec(),
        settings: study.settings,
        history: contents.trials,
        tests: contents.tests.len(),
    })
}

/// Reports on runs that came to their end.
fn finished(args: &ReportArgs) -> Result<String, Error> {
    let path = out_path(args);
    // Everything that can be refused is refused before the first flight.
    let found = args
        .dirs
        .iter()
        .map(|dir| find(dir, &path))
        .collect::<Result<Vec<_>, _>>()?;
    check_distinct(&args.dirs)?;
    check_replaceable(&path)?;
    let progress = Progress::uncounted("reading");
    let mut reports = Vec::new();
    for run in found {
        let number = reports.len() + 1;
        let of = match args.dirs.len() {
            1 => String::new(),
            runs => format!("run {number}/{runs}"),
        };
        let notify = |heard| match heard {
            Event::Begins(stage, steps) => progress.phase(steps as u64, counted(stage)),
            Event::Done => progress.advance(1, &of),
        };
        reports.push(Report::of(run, &notify)?);
    }
    progress.doing("drawing");
    let page = page(&reports);
    progress.finish();
    write(&path, &page)?;
    closed(args, &reports, &path, page.len())
}

fn find(dir: &Path, page: &Path) -> Result<Found, Error> {
    let read = archive::read(dir)?;
    let knobs = read.record.knobs(&read.path)?;
    let (tuning, study) = study::flown_by(&read)?;
    if let Some(remark) = read.remark() {
        terminal::note(&remark);
    }
    let files = files_next_to(read.folder(), page);
    Ok(Found {
        name: name_of(read.folder()),
        tuning,
        recorded: read.record,
        has_config: study.is_some(),
        files,
        knobs,
    })
}

/// What is counted while a report is worked out.
fn counted(stage: Stage) -> &'static str {
    match stage {
        Stage::Flights => "held-out flights flown again",
        Stage::Evaluations => "evaluations flown again",
        Stage::Predictions => "fits of the surrogate, trial by trial",
        Stage::Slices => "fits to all evaluations",
    }
}
