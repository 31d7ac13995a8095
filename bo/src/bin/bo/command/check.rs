//! `bo check`: a tune judged before anyone flies it.

use super::start_threads;
use crate::args::CheckArgs;
use bo::check::{
    self, Baseline, Candidate, Checked, Judged, Pilot, Side, Task, Verdict, Yardstick,
};
use bo::flights::trust;
use bo::flights::verdict::Judgement;
use bo::interrupt::Interrupt;
use bo::report::overview::words;
use bo::run::disk::archive;
use bo::run::disk::record::to_json;
use bo::study::Route;
use bo::study::tunes::{Form, Hints, is_run};
use bo::table::Table;
use bo::terminal::word;
use bo::{Error, study};
use serde::Serialize;
use shell::folder::Folder;
use shell::{Failure, exit};
use sim::autopilot::AutopilotError;
use sim::autopilot::reading;
use sim::autopilot::tune::Tune;
use sim::{Airframe, Domain, Gains, Setup, Start, Uncertainty};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

/// The file of the wind of a run, in the folder of its check.
const WIND: &str = "wind.toml";

/// The file of a path that no name says.
const PATH: &str = "path.csv";

/// What `--format json` prints of one tune.
#[derive(Serialize)]
struct Printed<'a> {
    schema: &'static str,
    #[serde(flatten)]
    flown: Flown<'a>,
    #[serde(flatten)]
    tune: PrintedTune<'a>,
}

/// What it prints of two.
#[derive(Serialize)]
struct PrintedPair<'a> {
    schema: &'static str,
    #[serde(flatten)]
    flown: Flown<'a>,
    /// The gravest verdict of the two, which decides the exit code.
    verdict: Verdict,
    tunes: Vec<PrintedTune<'a>>,
    /// The second against the first in the winds that both flew; absent where one cannot be flown.
    difference: Option<Judgement>,
}

/// What was flown.
#[derive(Serialize)]
struct Flown<'a> {
    airframe: &'a str,
    trajectory: &'a str,
    domain: &'a str,
    seed: u64,
    uncertain: bool,
}

/// A tune and how it was judged.
#[derive(Serialize)]
struct PrintedTune<'a> {
    file: &'a str,
    kind: &'a str,
    gains: &'a Gains,
    #[serde(flatten)]
    checked: &'a Checked,
    /// The command that flies the worst flight; absent where none was flown.
    worst_flight: &'a Option<String>,
}

impl PrintedTune<'_> {
    fn of(one: &Candidate) -> PrintedTune<'_> {
        PrintedTune {
            file: &one.name,
            kind: one.tune.kind,
            gains: &one.tune.gains,
            checked: &one.checked,
            worst_flight: &one.worst_flight,
        }
    }
}

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
    let forms = args.files.iter().map(|path| form(path, args));
    let forms: Vec<Form> = forms.collect::<Result<_, _>>()?;
    let airframe = airframe(args, &forms)?;
    let mut tunes = Vec::new();
    for form in &forms {
        let baseline = baseline(args, form, &airframe)?;
        tunes.push((form.tune(&airframe, &baseline.tune.gains)?, baseline));
    }
    let (task, path_csv) = task(args, airframe, &tunes)?;
    let pilots = tunes.iter().map(|(_, baseline)| task.pilot(&baseline.tune));
    let mut pilots: Vec<Pilot> = pilots.collect();
    pilots.dedup();
    for pilot in &pilots {
        let concerns = task.concerns(pilot, args.flights);
        trust::refuse(&concerns)?;
        trust::warn(&concerns);
    }
    let folder = args
        .out
        .as_deref()
        .map(|path| Folder::claim(path, &[]))
        .transpose()?;
    start_threads(args.threads.count())?;
    let mut candidates: Vec<Candidate> = Vec::new();
    for (k, (tune, baseline)) in tunes.into_iter().enumerate() {
        let pilot = task.pilot(&baseline.tune);
        let known = candidates
            .iter()
            .find(|one| task.pilot(&one.baseline.tune) == pilot);
        let flown = match known {
            Some(known) => known.checked.figures.baseline.clone(),
            None => Side::of_baseline(&task, &baseline, args.flights, interrupt)?,
        };
        let beside = (&baseline, flown);
        let mut checked = check::check_against(&task, &tune, beside, args.flights, interrupt)?;
        let lacking = baseline.tune.left_out.iter().chain(&baseline.tune.acting);
        let lacking = lacking.map(|said| format!("Of the baseline, {said}"));
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
    let judged = Judged {
        next: next(args, &candidates),
        task: &task,
        candidates: &candidates,
        has_baseline: args.baseline.is_some(),
    };
    let json = json_of(&judged)?;
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

fn json_of(judged: &Judged) -> Result<String, Error> {
    let task = judged.task;
    let flown = Flown {
        airframe: &task.setup.airframe.name,
        trajectory: task.trajectory.name(),
        domain: &task.domain.name,
        seed: task.seed,
        uncertain: task.setup.uncertain,
    };
    match judged.candidates {
        [one] => to_json(
            "check",
            &Printed {
                schema: "windhover-check/1",
                flown,
                tune: PrintedTune::of(one),
            },
        ),
        both => to_json(
            "check",
            &PrintedPair {
                schema: "windhover-check-pair/1",
                flown,
                verdict: judged.verdict(),
                tunes: both.iter().map(PrintedTune::of).collect(),
                difference: judged.difference(),
            },
        ),
    }
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
    if let Some(csv) = path_csv {
        folder.write(PATH, csv)?;
    }
    Ok(())
}

/// What to type after a check: the export of a run that may be flown, and the worst flight, or the check
/// that writes what it needs.
fn next(args: &CheckArgs, candidates: &[Candidate]) -> Vec<String> {
    let runs = args
        .files
        .iter()
        .zip(candidates)
        .filter(|(path, one)| is_run(path) && one.checked.verdict < Verdict::DoNotFly);
    let exports = runs.filter_map(|(path, _)| {
        let record = archive::read(path).ok()?.record;
        let mut all = words::next_commands(&record, path).into_iter();
        all.find(|command| command.starts_with("bo export"))
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
    let flag = given.to_str().filter(|flag| flag.starts_with("--"));
    flag.filter(plain)
        .map_or_else(|| word(given), str::to_owned)
}

/// The vehicle: the one that is named, or that of the runs.
fn airframe(args: &CheckArgs, forms: &[Form]) -> Result<Airframe, Error> {
    if let Some(given) = &args.airframe {
        return study::vehicle(given);
    }
    let runs = args.files.iter().filter(|path| is_run(path));
    let runs = runs.map(|path| Ok(archive::read(path)?.record.problem.airframe));
    let mut runs: Vec<Airframe> = runs.collect::<Result<_, Error>>()?;
    if runs.iter().any(|airframe| *airframe != runs[0]) {
        let line = "the runs have different airframes; say with --airframe which one to fly";
        return Err(Failure::usage(line).into());
    }
    let named = |form: &Form| matches!(form, Form::Of(..));
    match (runs.pop(), forms.iter().position(named)) {
        (Some(own), _) => Ok(own),
        (None, None) => Ok(Airframe::omac()),
        (None, Some(file)) => Err(AutopilotError::NoVehicle {
            name: args.files[file].display().to_string(),
        }
        .into()),
    }
}

/// A tune or the baseline at `path`. Whose file it is, is said of the tunes alone.
fn form(path: &Path, args: &CheckArgs) -> Result<Form, Error> {
    let hints = Hints {
        from: (args.from.as_deref()).filter(|_| args.files.iter().any(|file| file == path)),
        vehicle: args.vehicle,
        firmware: args.firmware.as_deref(),
    };
    Form::of(path, hints)
}

/// What flies now: the gains of `--baseline`, an autopilot's defaults, what a run was compared with, or the
/// airframe's.
fn baseline(args: &CheckArgs, form: &Form, airframe: &Airframe) -> Result<Baseline, Error> {
    let own = &airframe.gains;
    let Some(given) = &args.baseline else {
        let gains = match form {
            Form::Run { baseline, .. } if args.airframe.is_none() => *baseline,
            _ => *own,
        };
        let vehicle = Airframe {
            gains,
            ..airframe.clone()
        };
        return Ok(Baseline::own(&vehicle, &form.tune(airframe, own)?));
    };
    let whose = match given.to_str() {
        Some("defaults") => Some(form.kind()),
        Some(named) => named.strip_prefix("defaults:"),
        None => None,
    };
    let (tune, kind) = match whose {
        Some(target) => (
            reading::defaults(target, airframe, own)?,
            Yardstick::Defaults,
        ),
        None => (
            self::form(given, args)?.tune(airframe, own)?,
            Yardstick::Given,
        ),
    };
    Ok(Baseline { tune, kind })
}

/// What is flown: what the flags say, and of a run what it was tuned for; and the file of the path where
/// no name says it.
fn task(
    args: &CheckArgs,
    airframe: Airframe,
    tunes: &[(Tune, Baseline)],
) -> Result<(Task, Option<String>), Error> {
    let run = args.files.iter().position(|path| is_run(path));
    let of_run = run.map(|k| study::flown_by(&archive::read(&args.files[k])?));
    let (of_run, study) = of_run.transpose()?.unzip();
    let route = study.flatten().map(|study| study.route);
    let mut taken = Vec::new();
    let mut setup = match &of_run {
        Some(tuning) => Setup {
            airframe,
            ..tuning.setup.clone()
        },
        None => Setup::new(airframe),
    };
    // Its score is that of holding the wind, not of a step at the start.
    (setup.start, setup.settle_s) = (Start::Equilibrium, 0.0);
    setup.uncertain = setup.airframe.uncertainty != Uncertainty::default();
    if let Some(path) = &args.sensors {
        setup.sensors = study::sensors(path)?;
    }
    let (own_trajectory, winds) = match of_run {
        Some(tuning) => (Some(tuning.trajectory), tuning.domains),
        None => (None, Vec::new()),
    };
    let trajectory = match (&args.traj, own_trajectory) {
        (Some(given), _) => study::path(given)?,
        (None, Some(own)) => own,
        (None, None) if tunes.iter().all(|(tune, _)| tune.tuned.rates_alone()) => {
            check::task::zigzag()
        }
        (None, None) => trajectories::by_name("hover")?,
    };
    let domain = match (&args.domain, winds.first()) {
        (Some(given), _) => study::wind(given)?,
        (None, Some(first)) => {
            let others: Vec<&str> = winds[1..].iter().map(|wind| &wind.name[..]).collect();
            if !others.is_empty() {
                taken.push(format!(
                    "The run is tested in {} wind too; --domain flies another.",
                    others.join(" and ")
                ));
            }
            first.clone()
        }
        (None, None) => Domain::gusty(),
    };
    // Sensors that were said to be late are the measure, unless the flag says more.
    let of_sensors = Some(f64::from(setup.sensors.delay_periods)).filter(|late| *late > 0.0);
    let delay_ms = args.delay_ms.map(|late| late as f64).or(of_sensors);
    for path in args.files.iter().skip(1).filter(|path| is_run(path)) {
        let own = archive::read(path)?.record.settings.trajectory;
        if own != trajectory.name() {
            let (path, flown) = (path.display(), trajectory.name());
            taken.push(format!(
                "{path} was tuned on {own}, and {flown} is flown here."
            ));
        }
    }
    let fits = domain.fits(trajectory.duration_s());
    fits.map_err(study::ConfigError::Wind)?;
    let mut task = Task {
        setup,
        trajectory,
        domain,
        seed: args.seed,
        delay_ms,
        taken,
    };
    tunes
        .iter()
        .for_each(|(tune, _)| task.take_rotor_inertia(tune));
    let csv = match (&args.traj, route) {
        (None, Some(Route::Given { csv, .. })) => Some(csv),
        (None, _) if task.trajectory.name() == "zigzag" => Some(check::task::zigzag_csv()),
        _ => None,
    };
    Ok((task, csv))
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
    if task.setup.uncertain {
        line += " --uncertain";
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
