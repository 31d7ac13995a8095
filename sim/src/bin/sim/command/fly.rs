//! `sim fly`: one flight.

use super::{Mission, Printed, answer, claim, drawn, write_made};
use crate::Said;
use crate::args::FlyArgs;
use plots::{FlightEnd, FlightLog, FlightPicture};
use serde::Serialize;
use shell::files::FileError;
use shell::table::{Side, Table};
use shell::{Failure, exit, terminal};
use sim::log::{About, Format, LogError, Measured};
use sim::{Flight, Outcome, Sample, Score, SensorNoise};
use std::fmt::Write;
use std::path::Path;

/// What `--format json` prints.
#[derive(Serialize)]
struct Report<'a> {
    trajectory: &'a str,
    airframe: &'a str,
    domain: &'a str,
    seed: u64,
    outcome: Outcome,
    /// What the flight counts for in a comparison: its ACE, 2 m where it was lost or did worse.
    cost_m: f64,
    /// How long it was flown, which is what the score is of.
    flown_s: f64,
    score: Score,
    /// What makes the answer mean less than it seems to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    concerns: Vec<String>,
}

/// Longest flight that is recorded [s]. A second takes half a megabyte of memory, pictures
/// included.
const LONGEST_RECORDED_S: f64 = 1_200.0;

/// What is said where no sensors are named.
const TYPICAL: &str = "those of a small vehicle: noise of 0.02 rad/s, 0.005 rad, 0.1 m/s and 0.4 m/s², biases of 0.01 rad/s and 0.1 m/s², vibration of 0.5 m/s², a gap in 5 s; `sim template sensors` prints a file for others";

/// Flies once, writes samples and pictures, and says how it went.
///
/// # Errors
/// Names and files that do not exist or are faulty, a folder that cannot be written.
pub fn fly(args: &FlyArgs) -> Result<Said, Failure> {
    let formats = log_formats(args)?;
    let mut mission = Mission::new(&args.flight)?;
    if args.measured && args.flight.sensors.is_none() {
        let own = mission.setup.airframe.delay_periods();
        let sensors = &mut mission.setup.sensors;
        *sensors = SensorNoise::TYPICAL;
        if own > 0 {
            sensors.delay_periods = own;
        }
        let late = sensors.delay_periods;
        terminal::note(&format!("the sensors are {late} ms late, else {TYPICAL}"));
    }
    let lasts_s = mission.trajectory.duration_s();
    if args.out.is_some() && lasts_s > LONGEST_RECORDED_S {
        let most_s = LONGEST_RECORDED_S;
        return Err(Failure::data(format!(
            "the trajectory lasts {lasts_s:.0} s; with --out at most {most_s:.0} s are flown, for each second recorded takes half a megabyte of memory"
        )));
    }
    let concerns = mission.say_concerns(None)?;
    let folder = claim(args.out.as_ref())?;
    let flight = mission.fly(args.seed, u32::from(args.out.is_some()));
    if let Some(folder) = &folder {
        let about = About {
            airframe: &mission.setup.airframe,
            gains: &mission.gains,
            trajectory: mission.trajectory.name(),
            domain: mission.weather.name(),
            seed: args.seed,
            outcome: flight.outcome,
        };
        let measured = args
            .measured
            .then(|| Measured::of(&flight.samples, &mission.setup.sensors, args.seed));
        for format in &formats {
            let name = file_name(args, *format);
            let fill = |file: &mut _| match &measured {
                Some(measured) => format.write_measured(&about, measured, file),
                None => format.write(&about, &flight.samples, file),
            };
            folder.fill(name, fill).map_err(|error| match error {
                LogError::Write(source) => FileError::write(folder.file(name))(source).into(),
                error => Failure::new(format!("--log: {error}"), exit::IO),
            })?;
        }
        draw(args, &mission, &flight, folder.path())?;
    }
    let result = Report {
        trajectory: mission.trajectory.name(),
        airframe: &mission.setup.airframe.name,
        domain: mission.weather.name(),
        seed: args.seed,
        outcome: flight.outcome,
        cost_m: flight.cost_m(),
        flown_s: match flight.outcome {
            Outcome::Completed => mission.trajectory.duration_s(),
            Outcome::Lost { at_s, .. } => at_s,
        },
        score: flight.score,
        concerns,
    };
    let result = Printed {
        schema: "windhover-flight/1",
        result,
    };
    if let Some(folder) = &folder {
        write_made(folder, Some(&mission.gains), &result)?;
    }
    let text = || report(args, &mission, &flight, &formats);
    Ok(Said::so(answer(&args.output, &result, text)))
}

fn report(args: &FlyArgs, mission: &Mission, flight: &Flight, formats: &[Format]) -> String {
    let s = &flight.score;
    let mut text = match flight.outcome {
        Outcome::Completed => format!("{}: completed\n\n", heading(args, mission)),
        // The score up to the loss does not show how well it flew: an early loss has the best.
        Outcome::Lost { at_s, why } => format!(
            "{}: lost after {at_s:.3} s: {why}\n\n  \
             a lost flight counts as an ACE of {:.4} m; up to the loss:\n",
            heading(args, mission),
            flight.cost_m()
        ),
    };
    let scores = [
        ("average control error (ACE)", s.ace_m, "m"),
        ("mean distance", s.mean_distance_m, "m"),
        ("mean square error", s.mean_square_m2, "m²"),
        ("greatest error", s.max_error_m, "m"),
        (
            "mean length of position and velocity error",
            s.mean_state_error,
            "",
        ),
        ("control effort", s.effort, ""),
        (
            "rotors saturated, share of the time",
            s.rotor_saturation,
            "",
        ),
        (
            "thrust or tilt limited, share of the time",
            s.force_limitation,
            "",
        ),
    ];
    let rows = scores
        .map(|(what, value, unit)| vec![what.to_owned(), format!("{value:.4}"), unit.to_owned()]);
    let table = Table::new([("", Side::Left), ("", Side::Right), ("", Side::Left)]);
    text += &table.with(rows).text(2);
    if let Some(folder) = &args.out {
        let folder = folder.display();
        let logs = formats.iter().map(|format| file_name(args, *format));
        let logs: Vec<&str> = logs.collect();
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "\nWritten to {folder}: {}, flight.png, log.png (and .svg), made.json",
            logs.join(", ")
        );
    }
    text
}

/// What is flown, by what, in what.
fn heading(args: &FlyArgs, mission: &Mission) -> String {
    let added = match args.flight.manoeuvre {
        Some(_) => " with a manoeuvre",
        None => "",
    };
    format!(
        "{}{added} by {}, {} wind, seed {}",
        mission.trajectory.name(),
        mission.setup.airframe.name,
        mission.weather.name(),
        args.seed
    )
}

/// The title of the pictures.
fn title(args: &FlyArgs, mission: &Mission, flight: &Flight) -> String {
    let heading = heading(args, mission);
    match flight.outcome {
        Outcome::Completed => format!("{heading}: ACE {:.3} m", flight.score.ace_m),
        Outcome::Lost { at_s, .. } => format!("{heading}: lost after {at_s:.3} s"),
    }
}

/// The logs asked for; the CSV is always among them.
fn log_formats(args: &FlyArgs) -> Result<Vec<Format>, Failure> {
    let mut formats = vec![Format::Csv];
    if let Some(list) = &args.log {
        let refused = |error| Failure::usage(format!("--log: {error}"));
        let asked = Format::list(list).map_err(refused)?;
        formats.extend(asked.into_iter().filter(|format| *format != Format::Csv));
    }
    Ok(formats)
}

/// Name of the log in that form.
fn file_name(args: &FlyArgs, format: Format) -> &'static str {
    match args.measured {
        true => format.measured_file_name(),
        false => format.file_name(),
    }
}

fn draw(args: &FlyArgs, mission: &Mission, flight: &Flight, folder: &Path) -> Result<(), Failure> {
    let samples = &flight.samples;
    let point = |v: &nalgebra::Vector3<f64>| [v.x, v.y, v.z];
    let reference: Vec<_> = samples
        .iter()
        .map(|s| point(&s.reference.position_m))
        .collect();
    let path: Vec<_> = samples.iter().map(|s| point(&s.state.position_m)).collect();
    let error: Vec<_> = samples
        .iter()
        .map(|s| s.state.position_m - s.reference.position_m)
        .collect();
    let title = title(args, mission, flight);
    let picture = FlightPicture {
        title: &title,
        reference_m: &reference,
        path_m: &path,
        error_m: &error.iter().map(|e| e.norm()).collect::<Vec<_>>(),
        end: if flight.completed() {
            FlightEnd::Completed
        } else {
            FlightEnd::Lost
        },
    };
    drawn(folder, "flight", |stem| plots::draw(&picture, stem))?;

    let rotors = &mission.setup.airframe.rotors;
    let euler = |s: &Sample| {
        let (roll, pitch, yaw) = s.state.attitude.euler_angles();
        [roll, pitch, yaw]
    };
    let log = FlightLog {
        title: &title,
        time_s: &samples.iter().map(|s| s.time_s).collect::<Vec<_>>(),
        position_error_m: &error.iter().map(point).collect::<Vec<_>>(),
        attitude_rad: &samples.iter().map(euler).collect::<Vec<_>>(),
        rates_rad_s: &samples
            .iter()
            .map(|s| point(&s.state.rates_rad_s))
            .collect::<Vec<_>>(),
        motors_rad_s: &samples
            .iter()
            .map(|s| s.state.rotors_rad_s.to_vec())
            .collect::<Vec<_>>(),
        motor_range_rad_s: [rotors.min_speed_rad_s, rotors.max_speed_rad_s],
        wind_m_s: &samples
            .iter()
            .map(|s| point(&s.wind_m_s))
            .collect::<Vec<_>>(),
        lost_at_s: match flight.outcome {
            Outcome::Completed => None,
            Outcome::Lost { at_s, .. } => Some(at_s),
        },
    };
    drawn(folder, "log", |stem| plots::draw(&log, stem))
}
