//! `bo check`: a tune judged before anyone flies it.

mod printed;
mod task;

use super::start_threads;
use crate::args::CheckArgs;
use bo::Error;
use bo::check::{self, Candidate, Judged, Pilot, Side, Task, Verdict};
use bo::flights::trust;
use bo::interrupt::Interrupt;
use bo::report::card::margins_too_small;
use bo::report::words;
use bo::run::disk::archive;
use bo::study::flown_by;
use bo::study::tunes::{Form, is_run};
use bo::table::Table;
use bo::terminal::word;
use dilgp::threads::on_all_cores;
use serde::Serialize;
use shell::folder::Folder;
use shell::{Failure, exit};
use sim::{Airframe, World};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;
use trajectories::FROM_GROUND;

/// The file of the wind of a run, in the folder of its check.
const WIND: &str = "wind.toml";

/// The file of what can be hit, where it is not level ground alone.
const WORLD: &str = "world.toml";

/// The file of a path that no name says.
const PATH: &str = "path.csv";

/// Reads the tune, or two, flies them and the baseline in the same winds, and says whether to fly them; the
/// exit code is that of the gravest verdict.
///
/// # Errors
/// See [`Error`].
pub fn check(args: &CheckArgs, interrupt: &Interrupt) -> Result<(String, u8), Error> {
    if let [a, b] = &args.files[..]
        && a == b
    {
        return Err(Failure::usage(format!("{} is named twice", a.display())).into());
    }
    start_threads(args.threads.count())?;
    on_all_cores(|| carry_out(args, interrupt))
}

fn carry_out(args: &CheckArgs, interrupt: &Interrupt) -> Result<(String, u8), Error> {
    let forms = args.files.iter().map(|path| task::form(path, args));
    let forms: Vec<Form> = forms.collect::<Result<_, _>>()?;
    let airframe = task::airframe(args, &forms)?;
    let mut tunes = Vec::new();
    for form in &forms {
        let baseline = task::baseline(args, form, &airframe)?;
        tunes.push((form.tune(&airframe, &baseline.tune.gains)?, baseline));
    }
    let (mut task, path_csv) = task::flown(args, airframe, &tunes)?;
    // Of what a tune or a baseline limits the verdict speaks.
    let own = task.own_pilot();
    trust::refuse(&task.concerns(&own, &own, args.flights))?;
    let folder = args
        .out
        .as_deref()
        .map(|path| Folder::claim(path, &[]))
        .transpose()?;
    let mut candidates: Vec<Candidate> = Vec::new();
    let (vehicle, taken) = (task.setup.airframe.clone(), task.taken.clone());
    let mut known: Option<(Airframe, Pilot)> = None;
    for (k, (tune, baseline)) in tunes.into_iter().enumerate() {
        // What is taken for one of them is not for the other.
        (task.setup.airframe, task.taken) = (vehicle.clone(), taken.clone());
        task.take_rotor_inertia(&tune);
        let pilots = [&tune, &baseline.tune].map(|of| task.pilot(of));
        trust::warn(&task.concerns(&pilots[0], &pilots[1], args.flights));
        let this = (task.setup.airframe.clone(), task.pilot(&baseline.tune));
        let flown = match candidates.last() {
            Some(last) if known.as_ref() == Some(&this) => last.checked.figures.baseline.clone(),
            _ => Side::of_baseline(&task, &baseline, args.flights, interrupt)?,
        };
        known = Some(this);
        let beside = (&baseline, flown);
        let mut checked = check::check_against(&task, &tune, beside, args.flights, interrupt)?;
        let lacking = baseline.tune.left_out.iter().chain(&baseline.tune.acting);
        let lacking = lacking.map(|said| format!("Of the baseline: {said}"));
        checked.not_modelled.extend(lacking);
        let prefix = match args.files.len() {
            1 => "",
            _ => ["a-", "b-"][k],
        };
        let worst = checked.figures.worst_seed;
        candidates.push(Candidate {
            name: args.files[k].display().to_string(),
            worst_flight: worst
                .map(|seed| replay_command(args, &task, path_csv.is_some(), prefix, seed)),
            files: vec![
                (format!("{prefix}gains.toml"), "the gains as read"),
                (format!("{prefix}airframe.toml"), "the vehicle with them"),
                (format!("{prefix}sensors.toml"), "its sensors"),
            ],
            tune,
            baseline,
            checked,
        });
    }
    (task.setup.airframe, task.taken) = (vehicle, taken);
    let judged = Judged {
        next: next(args, &candidates),
        task: &task,
        candidates: &candidates,
        has_baseline: args.baseline.is_some(),
    };
    let json = printed::json(&judged)?;
    if let Some(folder) = &folder {
        write(folder, args, &judged, &json, path_csv.as_deref())?;
    }
    let code = match judged.verdict() {
        Verdict::Fly => exit::SUCCESS,
        Verdict::WithCare => exit::CHECK_FAILED,
        Verdict::DoNotFly => exit::DO_NOT_FLY,
    };
    let text = if args.output.is_json() {
        json
    } else {
        said(&judged)
    };
    Ok((text, code))
}

/// The page, the figures, and all that the command of the worst flight names.
fn write(
    folder: &Folder,
    args: &CheckArgs,
    judged: &Judged,
    json: &str,
    path_csv: Option<&str>,
) -> Result<(), Error> {
    let task = judged.task;
    folder.write("check.json", json)?;
    folder.write("check.html", judged.page())?;
    for one in judged.candidates {
        let sensors = task.setup_of(&task.pilot(&one.tune)).sensors;
        let (airframe, _) = one.tune.aboard(&task.setup.airframe);
        let [gains_file, airframe_file, sensors_file] = [0, 1, 2].map(|k| &*one.files[k].0);
        folder.write(gains_file, toml_of("gains", &one.tune.gains)?)?;
        folder.write(airframe_file, toml_of("airframe", &airframe)?)?;
        folder.write(sensors_file, toml_of("sensors", &sensors)?)?;
    }
    if args.domain.is_none() && args.files.iter().any(|path| is_run(path)) {
        folder.write(WIND, task.domain.to_toml())?;
    }
    if task.setup.world != World::ground() {
        folder.write(WORLD, toml_of("world", &task.setup.world)?)?;
    }
    if let Some(csv) = path_csv {
        folder.write(PATH, csv)?;
    }
    Ok(())
}

/// What to type after a check: the export of a run that may be flown and is not refused, and the worst flight, or the check
/// that writes what it needs.
fn next(args: &CheckArgs, candidates: &[Candidate]) -> Vec<String> {
    let runs = args
        .files
        .iter()
        .zip(candidates)
        .filter(|(path, one)| is_run(path) && one.checked.verdict < Verdict::DoNotFly);
    let exports = runs.filter_map(|(path, _)| {
        let read = archive::read(path).ok()?;
        let (tuning, _) = flown_by(&read).ok()?;
        let small = margins_too_small(path, &read.record, &tuning);
        let mut all = words::next_commands(&read.record, path).into_iter();
        all.find(|command| command.starts_with("bo export") && small.is_none())
    });
    let mut next: Vec<String> = exports.collect();
    match &args.out {
        Some(_) => next.extend(candidates.iter().filter_map(|one| one.worst_flight.clone())),
        None => {
            let typed = std::env::args_os().skip(1).map(|word| typed(&word));
            let typed: Vec<String> = typed.collect();
            let folder = Folder::next_free(Path::new(""), "check");
            next.push(format!("bo {} --out {}", typed.join(" "), word(folder)));
        }
    }
    next
}

/// A word of a command line as it is typed: a flag is not quoted.
fn typed(given: &OsStr) -> String {
    let plain = |flag: &&str| flag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let flag = given.to_str().filter(|flag| flag.starts_with('-'));
    flag.filter(plain)
        .map_or_else(|| word(given), str::to_owned)
}

/// `value` as `sim fly` reads it.
fn toml_of(what: &'static str, value: &impl Serialize) -> Result<String, Error> {
    Ok(toml::to_string(value).map_err(Failure::encoding(what))?)
}

/// The command that replays the flight of `seed` with what the folder of a check holds, files that begin
/// with `prefix` among it.
fn replay_command(
    args: &CheckArgs,
    task: &Task,
    has_path: bool,
    prefix: &str,
    seed: u64,
) -> String {
    let folder = args.out.as_deref().unwrap_or(Path::new("DIR"));
    let traj = match &args.traj {
        Some(given) => given.clone(),
        None if has_path => folder.join(PATH).display().to_string(),
        None => task.trajectory.name().to_owned(),
    };
    // One that takes off is called by what is flown in between.
    let (traj, from_ground) = match traj.strip_suffix(FROM_GROUND) {
        Some(between) if !has_path => (between.to_owned(), true),
        _ => (traj, task.trajectory.name().ends_with(FROM_GROUND)),
    };
    let domain = match &args.domain {
        Some(given) => given.clone(),
        None if sim::DOMAIN_NAMES.contains(&&task.domain.name[..]) => task.domain.name.clone(),
        None => folder.join(WIND).display().to_string(),
    };
    let mut line = format!(
        "sim fly --traj {} --domain {} --airframe {} --sensors {}",
        word(&traj),
        word(&domain),
        word(folder.join(format!("{prefix}airframe.toml"))),
        word(folder.join(format!("{prefix}sensors.toml")))
    );
    if task.setup.world != World::ground() {
        line += &format!(" --world {}", word(folder.join(WORLD)));
    }
    for (flag, is_set) in [
        ("--from-ground", from_ground),
        ("--uncertain", task.setup.uncertain),
    ] {
        if is_set {
            line += &format!(" {flag}");
        }
    }
    line + &format!(" --seed {seed}")
}

/// The tables first, and the card last, where a terminal stops.
fn said(judged: &Judged) -> String {
    let mut text = String::new();
    for line in judged.judged() {
        text += &format!("{line}\n");
    }
    for line in judged.limits() {
        text += &format!("{line}\n");
    }
    let table = Table::of_numbers(judged.titles())
        .with(judged.rows())
        .text(0);
    // Writing to a String cannot fail.
    let _ = writeln!(text, "\n{table}");
    text + &judged.card().text()
}
