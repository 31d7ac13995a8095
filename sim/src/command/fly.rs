//! `sim fly`: one flight.

use super::{Mission, claim, printed, write_bytes};
use crate::Said;
use crate::args::FlyArgs;
use crate::failure::Failure;
use plots::{FlightEnd, FlightLog, FlightPicture, draw_flight, draw_flight_log};
use serde::Serialize;
use sim::log::{About, Format};
use sim::{Flight, Outcome, Sample, Score};
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
    score: Score,
}

/// Flies once, writes samples and pictures, and says how it went.
///
/// # Errors
/// Names and files that do not exist or are faulty, a folder that cannot be written.
pub fn fly(args: &FlyArgs) -> Result<Said, Failure> {
    let formats = log_formats(args)?;
    let mission = Mission::new(&args.flight)?;
    if let Some(folder) = &args.out {
        claim(folder)?;
    }
    let flight = mission.fly(args.seed, u32::from(args.out.is_some()));
    if let Some(folder) = &args.out {
        let about = About {
            airframe: &mission.setup.airframe,
            gains: &mission.gains,
            trajectory: mission.trajectory.name(),
            domain: &args.flight.domain,
            seed: args.seed,
            outcome: flight.outcome,
        };
        for format in &formats {
            let bytes = format.encode(&about, &flight.samples)?;
            write_bytes(folder.join(format.file_name()), &bytes)?;
        }
        draw(args, &mission, &flight, folder)?;
    }
    let text = if args.output.is_json() {
        let report = Report {
            trajectory: mission.trajectory.name(),
            airframe: &mission.setup.airframe.name,
            domain: &args.flight.domain,
            seed: args.seed,
            outcome: flight.outcome,
            score: flight.score,
        };
        printed("windhover-flight/1", &report)
    } else {
        report(args, &mission, &flight, &formats)
    };
    Ok(Said { text, passed: true })
}

fn report(args: &FlyArgs, mission: &Mission, flight: &Flight, formats: &[Format]) -> String {
    let ended = match flight.outcome {
        Outcome::Completed => "completed".to_owned(),
        Outcome::Diverged { at_s, why } => format!("lost after {at_s:.3} s: {why}"),
    };
    let s = &flight.score;
    let mut text = format!(
        "{} by {}, {} wind, seed {}: {ended}\n\n",
        mission.trajectory.name(),
        mission.setup.airframe.name,
        args.flight.domain,
        args.seed
    );
    for (what, value, unit) in [
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
    ] {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {what:<44} {value:>9.4} {unit}");
    }
    if let Some(folder) = &args.out {
        let folder = folder.display();
        let logs: Vec<&str> = formats.iter().map(|format| format.file_name()).collect();
        let _ = writeln!(
            text,
            "\nWritten to {folder}: {}, flight.png, log.png (and .svg)",
            logs.join(", ")
        );
    }
    text
}

/// The logs asked for; the CSV is always among them.
fn log_formats(args: &FlyArgs) -> Result<Vec<Format>, Failure> {
    let mut formats = vec![Format::Csv];
    if let Some(list) = &args.log {
        let asked = Format::list(list)?;
        formats.extend(asked.into_iter().filter(|format| *format != Format::Csv));
    }
    Ok(formats)
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
    let title = format!(
        "{} by {}, {} wind, seed {}: ACE {:.3} m",
        mission.trajectory.name(),
        mission.setup.airframe.name,
        args.flight.domain,
        args.seed,
        flight.score.ace_m
    );
    let picture = FlightPicture {
        title: &title,
        reference_m: &reference,
        path_m: &path,
        error_m: &error.iter().map(|e| e.norm()).collect::<Vec<_>>(),
        end: if flight.completed() {
            FlightEnd::Completed
        } else {
            FlightEnd::Crashed
        },
    };
    let stem = folder.join("flight");
    draw_flight(&picture, &stem).map_err(|source| Failure::Draw { stem, source })?;

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
            .map(|s| s.state.rotors_rad_s)
            .collect::<Vec<_>>(),
        motor_range_rad_s: [rotors.min_speed_rad_s, rotors.max_speed_rad_s],
        wind_m_s: &samples
            .iter()
            .map(|s| point(&s.wind_m_s))
            .collect::<Vec<_>>(),
        crashed_at_s: match flight.outcome {
            Outcome::Completed => None,
            Outcome::Diverged { at_s, .. } => Some(at_s),
        },
    };
    let stem = folder.join("log");
    draw_flight_log(&log, &stem)
        .map(|_| ())
        .map_err(|source| Failure::Draw { stem, source })
}
