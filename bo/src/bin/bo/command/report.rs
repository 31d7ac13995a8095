//! `bo report`: runs as one page.

use crate::args::ReportArgs;
use bo::Error;
use bo::files;
use bo::flights::evaluation;
use bo::flights::verdict::Judgement;
use bo::interrupt::Interrupt;
use bo::report::{
    Compared, Found, Heard, MARKER, Report, Stage, Unfinished, comparison, page, unfinished,
};
use bo::run::archive;
use bo::run::journal::{self, Inspection};
use bo::run::record::{Unreadable, to_json};
use bo::study::{self, Config};
use bo::terminal::{self, printable};
use serde::Serialize;
use shell::folder::Folder;
use shell::progress::Progress;
use std::fmt::Write as _;
use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Name of the page in a folder.
pub(super) const FILE: &str = "report.html";

/// How often a browser reads the page of a run that is watched \[s\].
const SHOWN_AGAIN_S: u64 = 5;

/// How often an interrupt is looked for, and after how many looks the journal is.
const LOOK_EVERY: Duration = Duration::from_millis(100);
const LOOKS: u32 = 20;

/// What `--format json` prints.
#[derive(Debug, Serialize)]
struct Printed<'a> {
    schema: &'static str,
    file: String,
    bytes: usize,
    runs: Vec<PrintedRun<'a>>,
    /// Of an unfinished run, how far it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    unfinished: Option<PrintedProgress>,
}

/// How far an unfinished run is.
#[derive(Debug, Serialize)]
struct PrintedProgress {
    #[serde(rename = "evaluations")]
    made: usize,
    of: u64,
    lost: usize,
}

/// What a report says first of a run.
#[derive(Debug, Serialize)]
struct PrintedRun<'a> {
    name: &'a str,
    domains: Vec<PrintedDomain<'a>>,
}

/// What it says of one domain.
#[derive(Debug, Serialize)]
struct PrintedDomain<'a> {
    domain: &'a str,
    /// Recommended against default gains.
    #[serde(flatten)]
    against_default: Judgement,
}

/// Reads the runs, works out what their records do not hold, writes the page and says what is in
/// it.
///
/// # Errors
/// See [`Error`]; nothing is written then.
pub fn report(args: &ReportArgs, interrupt: &Interrupt) -> Result<String, Error> {
    match &args.dirs[..] {
        [dir] if args.watch => {
            interrupt.listen();
            watch(args, dir, interrupt)
        }
        [dir] => match finished(args) {
            Err(Error::Report(Unreadable::Unfinished { .. })) => so_far(args, dir),
            Err(Error::Report(Unreadable::Comparison { .. })) => compared(args, dir),
            ended => ended,
        },
        _ if args.watch => Err(Error::WatchOne),
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
                Err(Error::Report(Unreadable::Unfinished { .. })) => {}
                ended => return ended,
            }
        }
        let inspection = inspection?;
        if written != Some(inspection.scan.whole) {
            check_replaceable(&path)?;
            written = Some(inspection.scan.whole);
            let run = unfinished_run(dir, inspection)?;
            write(&path, &unfinished(&run, Some(SHOWN_AGAIN_S)))?;
            let made = run.made.len();
            let of = run.settings.evaluations();
            terminal::say(&format!("{}: {made} of {of} evaluations", path.display()));
        }
        for _ in 0..LOOKS {
            if interrupt.raised() {
                return Err(Error::Unwatched { path });
            }
            thread::sleep(LOOK_EVERY);
        }
    }
}

/// Writes the page about the comparison in `dir`.
fn compared(args: &ReportArgs, dir: &Path) -> Result<String, Error> {
    let path = out_path(args);
    check_replaceable(&path)?;
    let text = |path: &Path| {
        files::read_text(path, files::MOST_RECORD).map_err(|source| Error::Read {
            path: path.to_owned(),
            source,
        })
    };
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
        pictures: pictures.collect::<Result<_, Error>>()?,
        files: beside(dir, &path),
        cells: beside(&dir.join("cells"), &path),
    });
    write(&path, &page)?;
    if args.output.is_json() {
        return to_json("report", &Printed::of(&[], &path, page.len()));
    }
    Ok(closing_lines(&[], &path, page.len()))
}

/// Writes what there is of the unfinished run in `dir`.
fn so_far(args: &ReportArgs, dir: &Path) -> Result<String, Error> {
    let path = out_path(args);
    check_replaceable(&path)?;
    let run = unfinished_run(dir, journal::inspect(dir)?)?;
    let page = unfinished(&run, None);
    write(&path, &page)?;
    let [made, lost] = [run.made.len(), evaluation::lost(&run.made)];
    let of = run.settings.evaluations();
    if args.output.is_json() {
        let printed = Printed {
            unfinished: Some(PrintedProgress { made, of, lost }),
            ..Printed::of(&[], &path, page.len())
        };
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
    let study = Config::from_toml(&contents.header.config, &path)?;
    Ok(Unfinished {
        name: name_of(dir),
        knobs: study.problem()?.space.knobs().to_vec(),
        settings: study.settings,
        made: contents.trials,
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
        let hear = |heard| match heard {
            Heard::Begins(stage, steps) => progress.phase(steps as u64, counted(stage)),
            Heard::Done => progress.advance(1, &of),
        };
        reports.push(Report::of(run, &hear)?);
    }
    progress.doing("drawing");
    let page = page(&reports);
    progress.finish();
    write(&path, &page)?;
    if args.output.is_json() {
        return to_json("report", &Printed::of(&reports, &path, page.len()));
    }
    Ok(closing_lines(&reports, &path, page.len()))
}

/// What is counted while a report is worked out.
fn counted(stage: Stage) -> &'static str {
    match stage {
        Stage::Flights => "held-out flights flown again",
        Stage::Sensitivity => "flights with one gain turned by 20 %",
        Stage::Evaluations => "evaluations flown again",
        Stage::Beliefs => "fits of the surrogate, trial by trial",
        Stage::Along => "fits to all evaluations",
    }
}

fn out_path(args: &ReportArgs) -> PathBuf {
    match (&args.out, &args.dirs[..]) {
        (Some(out), _) if out.is_dir() => out.join(FILE),
        (Some(out), _) => out.clone(),
        (None, [one]) => one.join(FILE),
        (None, _) => PathBuf::from(FILE),
    }
}

fn find(dir: &Path, page: &Path) -> Result<Found, Error> {
    let read = archive::read(dir)?;
    let knobs = read.record.knobs(&read.path)?;
    let (tuning, study) = study::flown_by(&read)?;
    if let Some(remark) = read.remark() {
        terminal::note(&remark);
    }
    let files = beside(read.folder(), page);
    Ok(Found {
        name: name_of(read.folder()),
        tuning,
        recorded: read.record,
        has_config: study.is_some(),
        files,
        knobs,
    })
}

/// What a folder is called.
fn name_of(folder: &Path) -> String {
    // "." and ".." have no name of their own.
    let whole = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let name = whole.file_name().unwrap_or(whole.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The files in `folder` but those by which a run keeps its books, as paths that lead there from the page; none where the page lies neither in
/// that folder nor above it.
fn beside(folder: &Path, page: &Path) -> Vec<String> {
    let whole = |path: &Path| fs::canonicalize(path).ok();
    let above = page
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let (Some(folder), Some(above)) = (whole(folder), whole(above.unwrap_or(Path::new("."))))
    else {
        return Vec::new();
    };
    let Ok(way) = folder.strip_prefix(&above) else {
        return Vec::new();
    };
    let found = fs::read_dir(&folder).into_iter().flatten().flatten();
    let books = ["manifest.json", "env.json", journal::NAME, journal::PID];
    let shown = found.filter(|entry| {
        let name = entry.file_name();
        let itself = above.join(page.file_name().unwrap_or_default()) == entry.path();
        let ours = itself || books.iter().any(|book| name == *book);
        entry.path().is_file() && !ours && !name.to_string_lossy().starts_with('.')
    });
    let paths = shown.filter_map(|entry| way.join(entry.file_name()).to_str().map(str::to_owned));
    let mut paths: Vec<String> = paths.collect();
    paths.sort();
    paths
}

fn check_distinct(dirs: &[PathBuf]) -> Result<(), Unreadable> {
    let whole: Vec<_> = dirs.iter().map(|dir| fs::canonicalize(dir).ok()).collect();
    match (0..dirs.len()).find(|k| whole[..*k].contains(&whole[*k])) {
        Some(k) => Err(Unreadable::NamedTwice {
            path: dirs[k].clone(),
        }),
        None => Ok(()),
    }
}

/// Refuses to replace what is no report.
fn check_replaceable(path: &Path) -> Result<(), Error> {
    // Before it is opened: opening a pipe waits for its writer.
    let occupied = || Error::FileExists {
        path: path.to_owned(),
    };
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(occupied());
    }
    // Working out what the page shows takes longer than being told that it has no place.
    let folder = path.parent().filter(|folder| folder.is_dir());
    folder.map_or(Ok(()), Folder::check_writable)?;
    let mut file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(source) => {
            return Err(Error::Write {
                path: path.to_owned(),
                source,
            });
        }
    };
    let mut begin = vec![0; MARKER.len()];
    match file.read_exact(&mut begin) {
        Ok(()) if begin == MARKER.as_bytes() => Ok(()),
        _ => Err(occupied()),
    }
}

/// Writes beside and renames, so that no half page is ever there.
fn write(path: &Path, page: &str) -> Result<(), Error> {
    let failed = |source| Error::Write {
        path: path.to_owned(),
        source,
    };
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    files::replace(path, page.as_bytes()).map_err(failed)
}

impl Printed<'_> {
    fn of<'a>(reports: &'a [Report], path: &Path, bytes: usize) -> Printed<'a> {
        let run = |report: &'a Report| {
            let recorded = &report.recorded;
            let tests = recorded.recommended.tests.iter().enumerate();
            PrintedRun {
                name: &report.name,
                domains: tests
                    .map(|(domain, test)| PrintedDomain {
                        domain: &test.domain,
                        against_default: recorded.judgement(&recorded.recommended, domain),
                    })
                    .collect(),
            }
        };
        Printed {
            schema: "windhover-report/2",
            file: path.display().to_string(),
            bytes,
            runs: reports.iter().map(run).collect(),
            unfinished: None,
        }
    }
}

fn closing_lines(reports: &[Report], path: &Path, bytes: usize) -> String {
    let mut text = String::new();
    for report in reports {
        let recorded = &report.recorded;
        for (domain, test) in recorded.recommended.tests.iter().enumerate() {
            let judgement = recorded.judgement(&recorded.recommended, domain);
            let difference = judgement
                .error_m
                .as_ref()
                .map_or("-".to_owned(), |error| error.signed());
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "{}, {} wind: recommended minus default ACE {difference} m, {} of {} flights lost  {}",
                printable(&report.name),
                printable(&test.domain),
                judgement.after.lost,
                judgement.after.flights,
                judgement.verdict.words()
            );
        }
    }
    let megabytes = bytes as f64 / 1e6;
    let _ = writeln!(
        text,
        "Written: {} ({megabytes:.1} MB); open it in a browser",
        path.display()
    );
    text
}
