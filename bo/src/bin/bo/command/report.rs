//! `bo report`: runs as one page.

use crate::args::ReportArgs;
use bo::Error;
use bo::files;
use bo::flights::space::Knob;
use bo::flights::tuning::Tuning;
use bo::flights::verdict::Judgement;
use bo::report::{MARKER, Report, Stage, page};
use bo::run::archive;
use bo::run::record::{Record, Unreadable, to_json};
use bo::study;
use bo::terminal::{self, printable};
use serde::Serialize;
use shell::folder::Folder;
use shell::progress::Progress;
use std::fmt::Write as _;
use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// Name of the page in a folder.
pub(super) const FILE: &str = "report.html";

/// A run's folder, read and checked.
struct Found {
    name: String,
    recorded: Record,
    has_config: bool,
    tuning: Tuning,
    knobs: Vec<Knob>,
}

/// What `--format json` prints.
#[derive(Debug, Serialize)]
struct Printed<'a> {
    schema: &'static str,
    file: String,
    bytes: usize,
    runs: Vec<PrintedRun<'a>>,
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
pub fn report(args: &ReportArgs) -> Result<String, Error> {
    let path = out_path(args);
    // Everything that can be refused is refused before the first flight.
    let found = args
        .dirs
        .iter()
        .map(|dir| find(dir))
        .collect::<Result<Vec<_>, _>>()?;
    check_distinct(&args.dirs)?;
    check_replaceable(&path)?;
    let progress = Progress::uncounted("reading");
    let mut reports = Vec::new();
    for run in found {
        let mut tell = |stage| {
            let doing = match stage {
                Stage::Flights => "flying the held-out winds again",
                Stage::Sensitivity => "turning each gain by 20 %",
                Stage::Beliefs => "fitting the surrogate trial by trial",
            };
            progress.doing(doing);
        };
        let problem = (run.tuning, run.knobs);
        reports.push(Report::of(
            run.name,
            run.recorded,
            run.has_config,
            problem,
            &mut tell,
        )?);
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

fn out_path(args: &ReportArgs) -> PathBuf {
    match (&args.out, &args.dirs[..]) {
        (Some(out), _) if out.is_dir() => out.join(FILE),
        (Some(out), _) => out.clone(),
        (None, [one]) => one.join(FILE),
        (None, _) => PathBuf::from(FILE),
    }
}

fn find(dir: &Path) -> Result<Found, Error> {
    let read = archive::read(dir)?;
    let knobs = read.record.knobs(&read.path)?;
    let (tuning, study) = study::flown_by(&read)?;
    if let Some(remark) = read.remark() {
        terminal::note(&remark);
    }
    // "." and ".." have no name of their own.
    let whole = fs::canonicalize(read.folder()).unwrap_or_else(|_| dir.to_owned());
    let name = whole.file_name().unwrap_or(whole.as_os_str());
    Ok(Found {
        name: name.to_string_lossy().into_owned(),
        tuning,
        recorded: read.record,
        has_config: study.is_some(),
        knobs,
    })
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
