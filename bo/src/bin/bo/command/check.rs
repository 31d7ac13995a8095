//! `bo check`: a tune judged before anyone flies it.

use super::start_threads;
use crate::args::CheckArgs;
use bo::check::{self, Baseline, Checked, Task, Verdict, Yardstick};
use bo::flights::trust;
use bo::interrupt::Interrupt;
use bo::run::disk::archive;
use bo::run::disk::record::to_json;
use bo::study::tunes::{Form, Hints, is_run};
use bo::table::{self, Table};
use bo::terminal::word;
use bo::{Error, study};
use serde::Serialize;
use shell::folder::Folder;
use shell::{Failure, exit};
use sim::autopilot::AutopilotError;
use sim::autopilot::reading;
use sim::autopilot::tune::Tune;
use sim::{Airframe, Domain, Gains, Setup, Start, Uncertainty};
use std::fmt::Write as _;
use std::path::Path;

/// The file of the wind of a run, in the folder of its check.
const WIND: &str = "wind.toml";

/// What `--format json` prints.
#[derive(Serialize)]
struct Printed<'a> {
    schema: &'static str,
    file: String,
    kind: &'a str,
    airframe: &'a str,
    trajectory: &'a str,
    domain: &'a str,
    seed: u64,
    uncertain: bool,
    gains: &'a Gains,
    #[serde(flatten)]
    checked: &'a Checked,
    /// The command that flies the worst flight; absent where none was flown.
    worst_flight: Option<String>,
}

/// Reads the tune, flies it and the baseline, and says whether to fly it.
///
/// # Errors
/// See [`Error`].
pub fn check(args: &CheckArgs, interrupt: &Interrupt) -> Result<(String, u8), Error> {
    let form = form(&args.file, args)?;
    let airframe = airframe(args, &form)?;
    let baseline = baseline(args, &form, &airframe)?;
    let tune = form.tune(&airframe, &baseline.tune.gains)?;
    let task = task(args, airframe, &tune)?;
    let concerns = task.concerns(&task.pilot(&baseline.tune), args.flights);
    trust::refuse(&concerns)?;
    trust::warn(&concerns);
    let folder = args
        .out
        .as_deref()
        .map(|path| Folder::claim(path, &[]))
        .transpose()?;
    start_threads(args.threads.count())?;
    let mut checked = check::check(&task, &tune, &baseline, args.flights, interrupt)?;
    let lacking = baseline.tune.left_out.iter().chain(&baseline.tune.acting);
    checked
        .not_modelled
        .extend(lacking.map(|said| format!("Of the baseline, {said}")));
    let worst = checked
        .figures
        .worst_seed
        .and_then(|seed| replay_command(args, &task, seed));
    let printed = Printed {
        schema: "windhover-check/1",
        file: args.file.display().to_string(),
        kind: tune.kind,
        airframe: &task.setup.airframe.name,
        trajectory: task.trajectory.name(),
        domain: &task.domain.name,
        seed: task.seed,
        uncertain: task.setup.uncertain,
        gains: &tune.gains,
        checked: &checked,
        worst_flight: worst,
    };
    let json = to_json("check", &printed)?;
    if let Some(folder) = &folder {
        folder.write("check.json", &json)?;
        folder.write("check.html", checked.page(&heading(&printed)))?;
        let sensors = task.setup_of(&task.pilot(&tune)).sensors;
        let (airframe, _) = tune.aboard(&task.setup.airframe);
        folder.write("gains.toml", toml_of("gains", &tune.gains)?)?;
        folder.write("airframe.toml", toml_of("airframe", &airframe)?)?;
        folder.write("sensors.toml", toml_of("sensors", &sensors)?)?;
        if args.domain.is_none() && is_run(&args.file) {
            folder.write(WIND, task.domain.to_toml())?;
        }
        if task.trajectory.name() == "zigzag" {
            folder.write("zigzag.csv", check::task::zigzag_csv())?;
        }
    }
    let code = match checked.verdict {
        Verdict::Fly => exit::SUCCESS,
        Verdict::WithCare => exit::CHECK_FAILED,
        Verdict::DoNotFly => exit::DO_NOT_FLY,
    };
    let text = if args.output.is_json() {
        json
    } else {
        said(&printed)
    };
    Ok((text, code))
}

fn airframe(args: &CheckArgs, form: &Form) -> Result<Airframe, Error> {
    match &args.airframe {
        Some(given) => study::vehicle(given),
        None if is_run(&args.file) => Ok(archive::read(&args.file)?.record.problem.airframe),
        None if matches!(form, Form::Own(_)) => Ok(Airframe::omac()),
        None => Err(AutopilotError::NoVehicle {
            name: args.file.display().to_string(),
        }
        .into()),
    }
}

/// The tune or the baseline at `path`. Whose file it is, is said of the tune alone.
fn form(path: &Path, args: &CheckArgs) -> Result<Form, Error> {
    let hints = Hints {
        from: args.from.as_deref().filter(|_| path == args.file),
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

/// What is flown: what the flags say, and of a run what it was tuned for.
fn task(args: &CheckArgs, airframe: Airframe, tune: &Tune) -> Result<Task, Error> {
    let of_run = match is_run(&args.file) {
        true => Some(study::flown_by(&archive::read(&args.file)?)?.0),
        false => None,
    };
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
        (None, None) if tune.tuned.rates_alone() => check::task::zigzag(),
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
    task.take_rotor_inertia(tune);
    Ok(task)
}

/// `value` as `sim fly` reads it.
fn toml_of(what: &'static str, value: &impl Serialize) -> Result<String, Error> {
    Ok(toml::to_string(value).map_err(Failure::encoding(what))?)
}

/// The command that replays the flight of `seed` with what the folder of a check holds; `None` for a
/// trajectory of a run that no flag names.
fn replay_command(args: &CheckArgs, task: &Task, seed: u64) -> Option<String> {
    let folder = args.out.as_deref().unwrap_or(Path::new("DIR"));
    let traj = match (&args.traj, task.trajectory.name()) {
        (Some(given), _) => given.clone(),
        (None, "zigzag") => folder.join("zigzag.csv").display().to_string(),
        (None, name) if trajectories::NAMES.contains(&name) => name.to_owned(),
        (None, _) => return None,
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
        word(folder.join("airframe.toml")),
        word(folder.join("sensors.toml"))
    );
    if task.setup.uncertain {
        line += " --uncertain";
    }
    Some(line + &format!(" --seed {seed}"))
}

/// Verdict and flights, a line each.
fn heading(printed: &Printed) -> [String; 2] {
    let Checked {
        verdict, figures, ..
    } = printed.checked;
    let headline = format!(
        "{} for {}: {} (in simulation)",
        printed.file,
        printed.airframe,
        verdict.words().to_uppercase()
    );
    let flown = format!(
        "Flown: {} in {} wind, {} flights of the tune and {} of the baseline, seeds of --seed {}.",
        printed.trajectory,
        printed.domain,
        figures.tune.flights,
        figures.baseline.flights,
        printed.seed
    );
    [headline, flown]
}

fn said(printed: &Printed) -> String {
    let checked = printed.checked;
    let [headline, flown] = heading(printed);
    let mut text = format!("{headline}\n\n");
    for line in &checked.judged {
        text += &format!("{line}\n");
    }
    text += "\n";
    // Writing to a String cannot fail.
    for reason in &checked.reasons {
        let _ = writeln!(text, "- {}: {}", reason.asks.words(), reason.said);
    }
    if checked.reasons.is_empty() {
        text += "- nothing that was read speaks against it\n";
    }
    let _ = writeln!(text, "\n{flown}");
    for line in &checked.not_modelled {
        text += &format!("{line}\n");
    }
    let columns = [
        ("", table::Side::Left),
        ("baseline", table::Side::Right),
        ("tune", table::Side::Right),
    ];
    let table = Table::new(columns).with(checked.rows()).text(0);
    let _ = writeln!(text, "\n{table}");
    match &printed.worst_flight {
        Some(command) if command.contains("DIR/") => {
            let _ = writeln!(text, "Worst flight, with --out DIR: {command}");
        }
        Some(command) => {
            let _ = writeln!(text, "Worst flight: {command}");
        }
        None => {}
    }
    text
}
