//! `bo export`: the gains of a run, or of a file, as an autopilot's parameter file.

use super::taken_already;
use crate::args::ExportArgs;
use bo::Error;
use bo::files::{self, FileError};
use bo::flights::held_out;
use bo::flights::verdict::{any_better, in_each};
use bo::interrupt::Interrupt;
use bo::report::analysis::trade_off::{Demand, TradeOff};
use bo::report::card::margins_too_small;
use bo::run::disk::archive;
use bo::run::disk::journal::Records;
use bo::run::disk::record::{Candidate, to_json};
use bo::run::disk::tuned_gains::{self, Flown, RECOMMENDED};
use bo::serve::account::Account;
use bo::serve::messages::Messages;
use bo::study::tunes::{self, Form, Hints, parameter_file};
use bo::study::{self, EXPORTABLE};
use bo::table::{Side, Table};
use bo::terminal::{self, word};
use search::{Choice, Recommendation};
use serde_json::{Value, json};
use shell::{Failure, exit, manifest};
use sim::Airframe;
use sim::autopilot::{self, AutopilotError, Draft, Export, ParameterFile, Source};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What the evaluations of a served study are written as.
const CSV: &str = "csv";

/// Reads the run or the gains, flies what is to be written in the run's held-out winds, writes the file
/// and its rollback, and says what is in them.
///
/// # Errors
/// See [`Error`]; nothing is written then, unless writing itself failed half way.
pub fn export(args: &ExportArgs) -> Result<String, Error> {
    if args.to == CSV || args.from.join(Messages::NAME).is_file() {
        return evaluations(args);
    }
    let autopilot = autopilot::by_name(&args.to, args.firmware.as_deref())?;
    let (mut source, run) = source(args)?;
    let doubt = run.as_ref().and_then(|run| {
        let whose = match (&run.record.recommended.choice, args.at) {
            (Some(Choice::Observed { trial }), Some(_)) => {
                format!("the gains of evaluation {trial}")
            }
            _ => RECOMMENDED.to_owned(),
        };
        run.record.caveat(run.folder(), &whose)
    });
    let no_gain = match doubt {
        Some(doubt) if !args.anyway => return Err(doubt.into()),
        Some(doubt) if doubt.exit_code() == exit::ALL_LOST => {
            Some("EVERY FLIGHT WAS LOST IN SIMULATION")
        }
        Some(_) => Some("NO BETTER THAN THE OLD ONES IN SIMULATION"),
        None => None,
    };
    let mut all_the_same = Vec::from_iter(no_gain);
    let small = run.as_ref().map(small_margins).transpose()?.flatten();
    if let Some(small) = &small {
        if !args.anyway {
            let line = format!("{small} Nothing is written; --anyway writes them all the same");
            return Err(Failure::data(line).into());
        }
        all_the_same.push("THE MARGINS ARE TOO SMALL");
    }
    let run_compared_with = source.default;
    let baseline = old_values(args, &mut source)?;
    let mut draft = autopilot::draft(&source, autopilot.as_ref(), baseline.as_ref(), args.clamp)?;
    if let Some(remark) = run.as_ref().and_then(archive::Read::remark) {
        draft.warnings.push(remark);
    }
    if run.is_some() && source.default != run_compared_with {
        draft.warnings.push(format!(
            "Better and worse are said of the run's own baseline, not of {}: bo check {} --baseline compares with that.",
            source.default_of.as_deref().unwrap_or_default(),
            word(&args.from)
        ));
    }
    let (path, rollback_path) = paths(args, autopilot.extension());
    let mut paths = vec![path];
    paths.extend(draft.old.as_ref().map(|_| rollback_path));
    check_free(&paths)?;
    let flown = match &run {
        Some(run) => fly_written(run, &mut draft)?,
        None => not_flown(&source, &mut draft),
    };
    let no_better = run
        .as_ref()
        .and_then(|run| no_better(&flown, autopilot.name(), run));
    if let Some(refusal) = no_better.filter(|_| no_gain.is_none()) {
        if !args.anyway {
            return Err(refusal.into());
        }
        all_the_same.push("THE NEAREST GAINS ARE NO BETTER THAN THE OLD ONES IN SIMULATION");
    }
    let sentences = flown.iter().map(ToString::to_string);
    draft.warnings.splice(0..0, sentences);
    if run.is_some() {
        let front = args.at.map(|demand| {
            format!("Not the recommended gains: of those that the run flew they have the least predicted error with {demand}.")
        });
        draft.warnings.splice(0..0, small.into_iter().chain(front));
    }
    if !all_the_same.is_empty() {
        let warning = format!("WRITTEN WITH --anyway: {}.", all_the_same.join("; "));
        if !args.output.is_json() {
            terminal::note(&warning);
        }
        draft.warnings.insert(0, warning);
    }
    let made = draft.export(&source, autopilot.as_ref());

    let texts = std::iter::once(made.text.as_str()).chain(made.rollback.as_deref());
    let files: Vec<(PathBuf, &str)> = paths.into_iter().zip(texts).collect();
    write_new(&files)?;
    if args.output.is_json() {
        made.warnings.iter().for_each(|said| terminal::note(said));
        let printed = printed(&source, &args.to, &made, &flown, &files);
        return to_json("export", &printed);
    }
    let told_apart = |judged: &&autopilot::Judged| !judged.better;
    let doubts = source.verdicts.iter().filter(told_apart);
    doubts.for_each(|judged| terminal::note(&judged.said));
    Ok(closing_lines(&source, &args.to, &made, &files))
}

/// Writes the evaluations of a served study.
fn evaluations(args: &ExportArgs) -> Result<String, Error> {
    let is_journal = args.from.join(Messages::NAME).is_file();
    if !is_journal || args.to != CSV {
        let line = match is_journal {
            true => format!("a served study is exported --to {CSV}"),
            false => format!(
                "--to {CSV} is for served studies; `bo show {} --format json` has the evaluations of a run",
                word(&args.from)
            ),
        };
        return Err(Failure::usage(line).into());
    }
    let text = Account::read(&args.from)?.csv();
    let path = match &args.out {
        Some(file) if file.extension().is_some() && !file.is_dir() => file.clone(),
        folder => (folder.as_ref().unwrap_or(&args.from)).join("evaluations.csv"),
    };
    check_free(std::slice::from_ref(&path))?;
    write_new(&[(path.clone(), text.as_str())])?;
    let rows = text.lines().count() - 1;
    Ok(format!("{}: {rows} evaluations\n", path.display()))
}

/// Why nobody should fly the gains of `run` whatever they gain, if their margins say so.
fn small_margins(run: &archive::Read) -> Result<Option<String>, Error> {
    let (tuning, _) = study::flown_by(run)?;
    Ok(margins_too_small(run.folder(), &run.record, &tuning))
}

/// The parameters of `--baseline`, a file of the target's. Gains in another form become the old ones of
/// `source`.
fn old_values(args: &ExportArgs, source: &mut Source) -> Result<Option<ParameterFile>, Error> {
    let Some(path) = &args.baseline else {
        return Ok(None);
    };
    let is_own = path.extension().is_some_and(|ending| ending == "toml");
    let form = match tunes::is_run(path) || is_own {
        true => Form::of(path, Hints::default())?,
        false => Form::Of(
            baseline_of(path, &args.to, args.vehicle)?,
            args.firmware.clone(),
        ),
    };
    let tune = form.tune(&source.airframe, &source.default);
    if let Form::Of(file, _) = form {
        // A file that names no gains may hold all that the export needs.
        if let Ok(tune) = tune {
            tunes::fits(path, &tune, &source.airframe)?;
        }
        return Ok(Some(file));
    }
    let tune = tune?;
    tunes::fits(path, &tune, &source.airframe)?;
    source.default = tune.gains;
    source.default_of = Some(path.display().to_string());
    Ok(None)
}

/// The baseline at `path`; one whose names say nobody's is taken for `target`'s.
fn baseline_of(path: &Path, target: &str, vehicle: Option<u32>) -> Result<ParameterFile, Error> {
    match parameter_file(path, None, vehicle) {
        Err(Error::Autopilot(AutopilotError::Unrecognised(..))) => {
            parameter_file(path, Some(target), vehicle)
        }
        read => read,
    }
}

/// Flies the gains of `draft` in the held-out winds of `run`. Where the run's problem is not there any
/// more and the gains are the run's own but for rounding, that is said in place of their figures.
fn fly_written(run: &archive::Read, draft: &mut Draft) -> Result<Vec<Flown>, Error> {
    match study::flown_by(run) {
        Ok((tuning, _)) => tuned_gains::fly(&run.record, &tuning, &draft.gains),
        Err(error) if draft.clamped => Err(error),
        Err(error) => {
            let said = format!("Not flown as written: {error}.");
            draft.warnings.insert(0, said);
            Ok(Vec::new())
        }
    }
}

/// A file of gains has no winds of its own.
fn not_flown(source: &Source, draft: &mut Draft) -> Vec<Flown> {
    if draft.clamped {
        let said = format!(
            "Nobody has flown these gains, which are others than those of the file: bo check of the file \
             written, with --airframe {}, does so in simulation.",
            source.airframe.name
        );
        draft.warnings.insert(0, said);
    }
    Vec::new()
}

/// The refusal of gains that were flown as written and are no better than the old ones.
fn no_better(flown: &[Flown], target: &'static str, run: &archive::Read) -> Option<Failure> {
    // Within the autopilot's ranges, where a search can keep to them, or with less luck.
    let retune = match EXPORTABLE.contains(&target) {
        true => format!(
            "bo tune --config {}/config.toml --exportable {target}",
            word(run.folder())
        ),
        false => run.record.with_more_winds(run.folder()),
    };
    let verdicts = flown.iter();
    let verdicts: Vec<_> = verdicts
        .map(|flown| (flown.domain.clone(), flown.verdict))
        .collect();
    let said: Vec<String> = flown.iter().map(ToString::to_string).collect();
    (!flown.is_empty() && !any_better(&verdicts)).then(|| {
        Failure::data(format!(
            "in simulation the nearest gains that {target} can hold are no better than the old ones ({}), so nothing is written: {} Tune again, {retune}, or write them all the same with --anyway",
            in_each(&verdicts), said.join(" ")
        ))
    })
}

/// What is exported: the run in a folder, or the gains in a file.
fn source(args: &ExportArgs) -> Result<(Source, Option<archive::Read>), Error> {
    if !is_gains(&args.from) {
        if args.airframe.is_some() {
            let line = "--airframe is for a file of gains; a run knows its own";
            return Err(Failure::usage(line).into());
        }
        let mut run = archive::read(&args.from)?;
        if let Some(demand) = args.at {
            run.record.recommended = from_front(&run, demand)?;
        }
        return Ok((run.record.source(), Some(run)));
    }
    if args.at.is_some() {
        let line = "--at is for a run, of which it takes gains of the front";
        return Err(Failure::usage(line).into());
    }
    let airframe = match &args.airframe {
        Some(given) => study::vehicle(given)?,
        None => Airframe::omac(),
    };
    let name = args.from.file_name().unwrap_or_default().to_string_lossy();
    let bytes = read(&args.from)?;
    manifest::vouches(&args.from, &bytes)?;
    let text = files::text(bytes).map_err(FileError::read(&args.from))?;
    Ok((Source::from_gains(&text, &name, airframe)?, None))
}

/// The gains of the front that meet `demand` in the place of the recommended ones, tested in the run's
/// held-out winds.
fn from_front(run: &archive::Read, demand: Demand) -> Result<Candidate, Error> {
    let trade_off = TradeOff::of_run(run)?;
    let found = trade_off.at(demand)?;
    let (record, (tuning, _)) = (&run.record, study::flown_by(run)?);
    let winds = record.settings.held_out_winds;
    let tests = held_out::test(&tuning, &found.gains, winds, &Interrupt::default());
    let tests = tests.expect("nothing interrupts it");
    let trial = found.evaluation.unwrap_or_default();
    let recommendation = Recommendation {
        x: Vec::new(),
        choice: Choice::Observed { trial },
    };
    Ok(Candidate::recommended(
        recommendation,
        found.gains,
        tests,
        &record.default,
    ))
}

/// Whether `path` is meant as a file of gains, there or mistyped; the record of a run is none.
fn is_gains(path: &Path) -> bool {
    let ends = |with| path.extension().is_some_and(|ending| ending == with);
    path.exists() && !path.is_dir() && !ends("json") || ends("toml") && !path.exists()
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    Ok(files::read(path, files::MOST_TEXT).map_err(FileError::read(path))?)
}

/// Where the file and its rollback go: `--out` is a file where it has an extension, else a folder;
/// without it they go into the run's folder, or next to the file of gains.
fn paths(args: &ExportArgs, extension: &str) -> (PathBuf, PathBuf) {
    let file = match &args.out {
        Some(out) if out.extension().is_some() && !out.is_dir() => out.clone(),
        Some(folder) => folder.join(format!("{}.{extension}", args.to)),
        None if is_gains(&args.from) || args.from.is_file() => {
            args.from.with_file_name(format!("{}.{extension}", args.to))
        }
        None => args.from.join(format!("{}.{extension}", args.to)),
    };
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    let rollback = file.with_file_name(format!("{stem}-rollback.{ending}"));
    (file, rollback)
}

/// Refuses to write where something is already.
fn check_free(paths: &[PathBuf]) -> Result<(), Error> {
    let taken = |path: &&PathBuf| path.symlink_metadata().is_ok();
    match paths.iter().find(taken) {
        Some(path) => Err(taken_already(path).into()),
        None => Ok(()),
    }
}

/// Writes files that must not exist yet.
fn write_new(files: &[(PathBuf, &str)]) -> Result<(), Error> {
    for (path, text) in files {
        let failed = || FileError::write(path);
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(failed())?;
        }
        let mut file = fs::File::create_new(path).map_err(failed())?;
        file.write_all(text.as_bytes()).map_err(failed())?;
    }
    Ok(())
}

/// What `--format json` prints; `rollback` is null where the old gains have no equivalent.
fn printed(
    source: &Source,
    target: &str,
    made: &Export,
    flown: &[Flown],
    files: &[(PathBuf, &str)],
) -> Value {
    let parameters = made.parameters.iter().enumerate().map(|(k, parameter)| {
        json!({
            "name": parameter.name,
            "unit": parameter.unit,
            "old": made.old.as_ref().map(|old| old[k].value),
            "new": parameter.value,
        })
    });
    let mut names = files.iter().map(|file| file.0.display().to_string());
    json!({
        "schema": "windhover-export/1",
        "target": target,
        "airframe": source.airframe.name,
        "tuned": source.tuned.to_string(),
        "parameters": parameters.collect::<Vec<Value>>(),
        "flown": flown,
        "warnings": made.warnings,
        "file": names.next().unwrap_or_default(),
        "rollback": names.next(),
    })
}

fn closing_lines(
    source: &Source,
    target: &str,
    made: &Export,
    files: &[(PathBuf, &str)],
) -> String {
    let mut text = format!(
        "{} for {target}: {} parameters of {}\n\n",
        source.airframe.name,
        made.parameters.len(),
        source.tuned
    );
    let old = |k: usize| made.old.as_ref().map(|old| old[k].value);
    let rows = made.parameters.iter().enumerate().map(|(k, parameter)| {
        vec![
            parameter.name.clone(),
            old(k).map_or("-".to_owned(), |value| format!("{value:.5}")),
            format!("{:.5}", parameter.value),
            parameter.unit.to_owned(),
        ]
    });
    let columns = [
        ("", Side::Left),
        ("old", Side::Right),
        ("new", Side::Right),
        ("unit", Side::Left),
    ];
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{}", Table::new(columns).with(rows).text(2));
    for warning in &made.warnings {
        let _ = writeln!(text, "note: {warning}");
    }
    let names: Vec<String> = files.iter().map(|f| f.0.display().to_string()).collect();
    let _ = writeln!(
        text,
        "\nFound in simulation only. Written: {}",
        names.join(", ")
    );
    text
}
