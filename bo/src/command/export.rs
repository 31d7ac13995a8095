//! `bo export`: the gains of a run, or of a file, as an autopilot's parameter file.

use crate::Error;
use crate::args::ExportArgs;
use crate::config;
use crate::export::{self, Export, ExportError, Parameter, Source};
use crate::record::to_json;
use serde::Serialize;
use sim::Airframe;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What `--format json` prints.
#[derive(Debug, Serialize)]
struct Printed<'a> {
    schema: &'static str,
    target: &'a str,
    airframe: &'a str,
    tuned: String,
    parameters: Vec<PrintedParameter<'a>>,
    warnings: &'a [String],
    file: String,
    /// Absent where the old gains have no equivalent.
    rollback: Option<String>,
}

/// One parameter as it stands in the files.
#[derive(Debug, Serialize)]
struct PrintedParameter<'a> {
    name: &'a str,
    unit: &'a str,
    old: Option<f64>,
    new: f64,
}

/// Reads the run or the gains, writes the file and its rollback, and says what is in them.
///
/// # Errors
/// See [`Error`]; nothing is written then, unless writing itself failed half way.
pub fn export(args: &ExportArgs) -> Result<String, Error> {
    let autopilot = export::by_name(&args.to, args.firmware.as_deref())?;
    let source = source(args)?;
    let baseline = args.baseline.as_deref().map(read).transpose()?;
    let made = export::export(&source, autopilot.as_ref(), baseline.as_deref(), args.clamp)?;

    let (path, rollback_path) = paths(args, autopilot.extension());
    let mut files = vec![(path, made.text.as_str())];
    if let Some(rollback) = &made.rollback {
        files.push((rollback_path, rollback));
    }
    write_new(&files)?;
    if args.output.is_json() {
        warn(&made.warnings);
        return to_json("export", &Printed::of(&source, &args.to, &made, &files));
    }
    Ok(closing_lines(&source, &args.to, &made, &files))
}

/// What is exported: the run in a folder, or the gains in a file.
fn source(args: &ExportArgs) -> Result<Source, Error> {
    if !is_gains(&args.from) {
        if args.airframe.is_some() {
            return Err(ExportError::AirframeOfRun.into());
        }
        return Ok(Source::from_json(&read(&args.from.join("run.json"))?)?);
    }
    let airframe = match &args.airframe {
        Some(given) => config::vehicle(given)?,
        None => Airframe::omac(),
    };
    let name = args.from.file_name().unwrap_or_default().to_string_lossy();
    Ok(Source::from_gains(&read(&args.from)?, &name, airframe)?)
}

/// Whether `path` is meant as a file of gains, there or mistyped.
fn is_gains(path: &Path) -> bool {
    let named_like_one = path.extension().is_some_and(|ending| ending == "toml");
    path.is_file() || named_like_one && !path.exists()
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|source| Error::Read {
        path: path.to_owned(),
        source,
    })
}

/// Where the file and its rollback go: `--out` is a file where it has an extension, else a folder;
/// without it they go into the run's folder, or beside the file of gains.
fn paths(args: &ExportArgs, extension: &str) -> (PathBuf, PathBuf) {
    let file = match &args.out {
        Some(out) if out.extension().is_some() && !out.is_dir() => out.clone(),
        Some(folder) => folder.join(format!("{}.{extension}", args.to)),
        None if is_gains(&args.from) => {
            args.from.with_file_name(format!("{}.{extension}", args.to))
        }
        None => args.from.join(format!("{}.{extension}", args.to)),
    };
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    let rollback = file.with_file_name(format!("{stem}-rollback.{ending}"));
    (file, rollback)
}

/// Writes files that must not exist yet: all are checked before the first is written.
fn write_new(files: &[(PathBuf, &str)]) -> Result<(), Error> {
    for (path, _) in files {
        if path.exists() {
            return Err(Error::FileExists { path: path.clone() });
        }
    }
    for (path, text) in files {
        let failed = |source| Error::Write {
            path: path.clone(),
            source,
        };
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut file = fs::File::create_new(path).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
    }
    Ok(())
}

impl Printed<'_> {
    fn of<'a>(
        source: &'a Source,
        target: &'a str,
        made: &'a Export,
        files: &[(PathBuf, &str)],
    ) -> Printed<'a> {
        let parameters = made.parameters.iter().enumerate();
        let mut names = files.iter().map(|file| file.0.display().to_string());
        Printed {
            schema: "windhover-export/1",
            target,
            airframe: &source.airframe.name,
            tuned: source.tuned.to_string(),
            parameters: parameters
                .map(|(k, parameter)| PrintedParameter {
                    name: &parameter.name,
                    unit: parameter.unit,
                    old: made.old.as_ref().map(|old| old[k].value),
                    new: parameter.value,
                })
                .collect(),
            warnings: &made.warnings,
            file: names.next().unwrap_or_default(),
            rollback: names.next(),
        }
    }
}

/// Says on standard error what the object on standard output says as well: a person should see it.
fn warn(warnings: &[String]) {
    for warning in warnings {
        // A closed stderr must not end the command.
        let _ = writeln!(std::io::stderr(), "note: {warning}");
    }
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
    let old = |k: usize| made.old.as_ref().map(|old: &Vec<Parameter>| old[k].value);
    // Writing to a String cannot fail.
    let _ = writeln!(text, "  {:<22} {:>12} {:>12}  unit", "", "old", "new");
    for (k, parameter) in made.parameters.iter().enumerate() {
        let before = old(k).map_or("-".to_owned(), |value| format!("{value:.5}"));
        let Parameter {
            name, value, unit, ..
        } = parameter;
        let _ = writeln!(text, "  {name:<22} {before:>12} {value:>12.5}  {unit}");
    }
    text.push('\n');
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
