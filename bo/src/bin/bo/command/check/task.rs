//! Task: what `bo check` flies, of its flags, its files and its runs.

use crate::args::CheckArgs;
use bo::check::{self, Baseline, Task, Yardstick};
use bo::files;
use bo::flights::tuning::Tuning;
use bo::run::disk::archive;
use bo::study::Route;
use bo::study::tunes::{Form, Hints, is_run};
use bo::{Error, study};
use shell::Failure;
use sim::autopilot::AutopilotError;
use sim::autopilot::reading;
use sim::autopilot::tune::Tune;
use sim::{Airframe, Domain, RotorOut, SensorNoise, Setup, Start, Uncertainty};
use std::path::Path;

/// The vehicle: the one that is named, or that of the runs.
pub(super) fn airframe(args: &CheckArgs, forms: &[Form]) -> Result<Airframe, Error> {
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
        // An airframe file holds gains of its own vehicle.
        (None, None) => {
            let texts = args
                .files
                .iter()
                .filter_map(|path| files::read_text(path, files::MOST_TEXT).ok());
            let own = texts
                .filter_map(|text| Airframe::from_toml(&text).ok())
                .next();
            Ok(own.unwrap_or_else(Airframe::omac))
        }
        (None, Some(file)) => {
            Err(AutopilotError::NoVehicle(args.files[file].display().to_string()).into())
        }
    }
}

/// A tune or the baseline at `path`. Whose file it is, is said of the tunes alone.
pub(super) fn form(path: &Path, args: &CheckArgs) -> Result<Form, Error> {
    let hints = Hints {
        from: (args.from.as_deref()).filter(|_| args.files.iter().any(|file| file == path)),
        vehicle: args.vehicle,
        firmware: args.firmware.as_deref(),
    };
    Form::of(path, hints)
}

/// What flies now: the gains of `--baseline`, an autopilot's defaults, what a run was compared with, or the
/// airframe's.
pub(super) fn baseline(
    args: &CheckArgs,
    form: &Form,
    airframe: &Airframe,
) -> Result<Baseline, Error> {
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

/// Refuses two runs that were not flown in the same, where no flag says in what both are flown: each would be judged in
/// what only one of them was tuned for.
fn alike(args: &CheckArgs, one: &Tuning, other: &Tuning) -> Result<(), Error> {
    let refused = |what: &str, cure: &str| {
        let line = format!("the runs were flown {what}; {cure}");
        Err(Failure::usage(line).into())
    };
    let noise = |tuning: &Tuning| SensorNoise {
        delay_periods: 0,
        ..tuning.setup.sensors
    };
    let first = |tuning: &Tuning| tuning.domains.first().cloned();
    if one.setup.world != other.setup.world {
        return refused("among other obstacles", "check them one at a time");
    }
    if args.traj.is_none() && one.trajectory.name() != other.trajectory.name() {
        return refused("on other trajectories", "say with --traj which one to fly");
    }
    if args.domain.is_none() && first(one) != first(other) {
        return refused("in other winds", "say with --domain which one to meet");
    }
    if args.sensors.is_none() && noise(one) != noise(other) {
        return refused("with other sensors", "say with --sensors which to have");
    }
    Ok(())
}

/// What is flown: what the flags say, and of a run what it was tuned for; and the file of the path where
/// no name says it.
pub(super) fn flown(
    args: &CheckArgs,
    airframe: Airframe,
    tunes: &[(Tune, Baseline)],
) -> Result<(Task, Option<String>), Error> {
    let runs = args.files.iter().filter(|path| is_run(path));
    let runs = runs.map(|path| study::flown_by(&archive::read(path)?));
    let mut runs = runs.collect::<Result<Vec<_>, Error>>()?.into_iter();
    let (of_run, study) = runs.next().unzip();
    if let (Some(one), Some((other, _))) = (&of_run, runs.next()) {
        alike(args, one, &other)?;
    }
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
    let of_sensors = Some(f64::from(setup.sensors.delay_periods));
    let of_sensors = of_sensors.filter(|late| args.sensors.is_some() && *late > 0.0);
    let delay_ms = args.delay_ms.map(|late| late as f64).or(of_sensors);
    let count = setup.airframe.rotors.count();
    let rotor_out = args.rotor_out.as_deref().map(|typed| {
        let out = RotorOut::parse(typed);
        let out = out.filter(|out| out.rotor < count && out.at_s < trajectory.duration_s());
        let line = || {
            let most_s = trajectory.duration_s();
            format!("--rotor-out is `{typed}`; it must be a rotor, 1 to {count}, and a time below {most_s} s, as in 2@5")
        };
        out.ok_or_else(|| Failure::usage(line()))
    });
    let fits = domain.fits(trajectory.duration_s());
    fits.map_err(study::ConfigError::Wind)?;
    let task = Task {
        setup,
        trajectory,
        domain,
        seed: args.seed,
        delay_ms,
        rotor_out: rotor_out.transpose()?,
        taken,
    };
    let csv = match (&args.traj, route) {
        (None, Some(Route::Given { csv, .. })) => Some(csv),
        (None, _) if task.trajectory.name() == "zigzag" => Some(check::task::zigzag_csv()),
        _ => None,
    };
    Ok((task, csv))
}
