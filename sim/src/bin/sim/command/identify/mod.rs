//! The identify command: a vehicle's numbers from logs of its flights.

mod page;
mod text;

use super::{Printed, answer, claim, named, not_there};
use crate::Said;
use crate::args::IdentifyArgs;
use nalgebra::Vector3;
use serde::Serialize;
use shell::checksum::checksum_of;
use shell::files::{self, FileError};
use shell::terminal;
use shell::{Failure, exit};
use sim::flight_log::{
    FlightLogError, LogAbout, LogFormat, LogReading, LogSample, read_flight_log,
};
use sim::identify::{
    Estimate, Excitation, Identified, IdentifyError, Log, LogSource, Predicted, Residual, Used,
    identify as identified,
};
use sim::{Airframe, Frame, Guess, Uncertainty};
use std::fmt::Write;
use std::path::Path;
use text::{digits, text};

/// The file of the page.
const PAGE: &str = "identify.html";

/// What is not identified.
const FROM_NO_LOG: &str = "From no log: mass and arm (given), the greatest rotor speed, products of inertia; Izz is .93 of Ixx + Iyy.";

/// Where the gains are from.
const GAINS: &str = "Gains and limits that are moments are the nominal airframe's times the inertia over its: not those that flew. bo check reads these from the autopilot's file.";

/// Inertia of a vehicle of which nothing is known: as if its mass were at this share of the arm.
const GYRATION: f64 = 0.45;

/// How far a vehicle may be from one of which mass and size alone are known.
const GUESSED: Uncertainty = Uncertainty {
    mass_rel: 0.02,
    inertia_rel: 0.4,
    rotor_lag_rel: 0.5,
    thrust_rel: 0.2,
    battery_sag_rel: 0.1,
    drag_rel: 0.6,
    centre_of_mass_m: [0.0; 3],
    joint: None,
};

/// What `--format json` prints.
#[derive(Serialize)]
struct Report<'a> {
    airframe: &'a str,
    logs: Vec<ReportedLog<'a>>,
    excitation: &'a Option<Excitation>,
    estimates: &'a [Estimate],
    residuals: &'a [Residual],
    left_out: &'a [String],
    predicted: &'a [Predicted],
}

#[derive(Serialize)]
struct ReportedLog<'a> {
    name: &'a str,
    format: String,
    duration_s: f64,
    used_s: f64,
    motors_hz: f64,
    gyro_hz: f64,
    timeline: &'a [sim::identify::Stretch],
}

/// Identifies the vehicle and writes its airframe file and a page about it.
///
/// # Errors
/// Logs that cannot be read or tell nothing, an output that exists or cannot be written.
pub fn identify(args: &IdentifyArgs) -> Result<Said, Failure> {
    not_there(args.out.as_deref())?;
    let folder = claim(args.report.as_ref())?;
    let files: Vec<LogFile> = args.logs.iter().map(|path| LogFile(path)).collect();
    let nominal = nominal(args, &files[0])?;
    let named = |file: &'_ LogFile| file.0.display().to_string();
    let held_out = args.holdout.as_ref().map(|path| LogFile(path));
    let held_out = held_out.as_ref().map(|file| Log {
        name: named(file),
        source: file,
    });
    let logs = files.iter().map(|file| Log {
        name: named(file),
        source: file,
    });
    let logs: Vec<Log> = logs.collect();
    if let Some(log) = args.holdout.as_ref().filter(|log| args.logs.contains(log)) {
        let line = format!(
            "{} is fitted: --holdout names a log that is not",
            log.display()
        );
        return Err(Failure::usage(line));
    }
    let found = identified(&logs, held_out.as_ref(), &nominal).map_err(Failure::from)?;
    let fast = found.order.is_some();
    if let Some(out) = args.out.as_ref().filter(|_| fast) {
        let text = airframe_file(&found, &files)?;
        files::replace(out, text.as_bytes()).map_err(FileError::write(out))?;
    }
    if let Some(folder) = folder {
        folder.write(PAGE, page::page(args, &nominal, &found))?;
    }
    if let Some(out) = args.out.as_ref().filter(|_| !fast) {
        let (hz, command) = (found.logs[0].motors_hz, found.estimates[0].mean);
        let line = format!(
            "motors are logged at {hz:.0} Hz: no airframe can be made, {} was not written; the median command is {command:.3} of full. {}",
            out.display(),
            text::advice(&found)
        );
        return Err(Failure::new(line, exit::DATA));
    }
    let report = Printed {
        schema: "windhover-identified/1",
        result: Report {
            airframe: &nominal.name,
            logs: found.logs.iter().map(reported).collect(),
            excitation: &found.excitation,
            estimates: &found.estimates,
            residuals: &found.residuals,
            left_out: &found.left_out,
            predicted: &found.predicted,
        },
    };
    Ok(Said::so(answer(&args.output, &report, || {
        text(args, &nominal, &found)
    })))
}

/// A log in a file.
struct LogFile<'a>(&'a Path);

impl LogSource for LogFile<'_> {
    fn read(&self, visit: &mut dyn FnMut(&LogSample)) -> Result<LogAbout, FlightLogError> {
        read_flight_log(files::open(self.0)?, visit)
    }
}

/// The vehicle before the log is read: the one that is named, the Crazyflie of a Crazyflie's log, or one of the usual
/// make of this mass and size.
fn nominal(args: &IdentifyArgs, log: &LogFile) -> Result<Airframe, Failure> {
    let mut airframe = match &args.airframe {
        Some(given) => named::airframe(given)?,
        None => {
            let mut rotors = 0;
            let about = log.read(&mut |sample| {
                if sample.reading.kind() <= LogReading::SPEED_COMMANDS {
                    rotors = rotors.max(sample.reading.numbers().len());
                }
            });
            let about = about.map_err(|source| {
                let name = args.logs[0].display().to_string();
                IdentifyError::Read { name, source }
            })?;
            match (about.format, args.mass_kg, args.arm_m) {
                (LogFormat::Crazyflie, ..) => named::airframe("crazyflie")?,
                (_, Some(_), Some(_)) if about.has(LogReading::SPEED_COMMANDS) => {
                    let line = "the log commands rotor speeds and does not say the greatest: name an airframe with rotors.max_speed_rad_s (--airframe)";
                    return Err(Failure::usage(line));
                }
                (_, Some(mass_kg), Some(arm_m)) => {
                    terminal::note(
                        "the rotors are taken for a regular X; where length and width differ name an airframe with their places (--airframe), or inertias and gains are wrong",
                    );
                    sized(about.rotors.unwrap_or(rotors), mass_kg, arm_m)?
                }
                _ => {
                    let line = "name the vehicle with --airframe, or its mass and the distance of its motors from the middle with --mass-kg and --arm-m";
                    return Err(Failure::usage(line));
                }
            }
        }
    };
    if let Some(mass_kg) = args.mass_kg {
        airframe.mass_kg = mass_kg;
    }
    if let Some(arm_m) = args.arm_m {
        let reach = |hub: &[f64; 3]| hub[0].hypot(hub[1]);
        let hubs = &mut airframe.rotors.positions_m;
        let mean = hubs.iter().map(reach).sum::<f64>() / hubs.len() as f64;
        for hub in hubs {
            *hub = (Vector3::from(*hub) * (arm_m / mean)).into();
        }
    }
    airframe.check().map_err(|error| {
        let name = &airframe.name;
        Failure::usage(format!(
            "{name} with that mass and arm: {error}; name the vehicle's own airframe (--airframe)"
        ))
    })?;
    Ok(airframe)
}

/// A vehicle of the usual make with so many rotors in X, of this mass and size.
fn sized(rotors: usize, mass_kg: f64, arm_m: f64) -> Result<Airframe, Failure> {
    let base = Airframe::from_toml(super::template::AIRFRAME).expect("a test reads the template");
    let frame = match rotors {
        4 => Frame::by_name("quad-x"),
        6 => Frame::by_name("hexa-x"),
        8 => Frame::by_name("octo-x"),
        _ => None,
    };
    let Some(frame) = frame else {
        let line = format!("the log has {rotors} motors; name the airframe with --airframe");
        return Err(Failure::usage(line));
    };
    let mut made = base.clone();
    made.name = "of-mass-and-arm".to_owned();
    made.rotors = frame.rotors(&base.rotors, arm_m, 0.06, 0.85);
    let lift = mass_kg / base.mass_kg * base.rotors.count() as f64 / rotors as f64;
    let size = arm_m / base.hubs()[0].xy().norm();
    // The tips of larger propellers are as fast.
    made.rotors.max_speed_rad_s /= size;
    made.rotors.min_speed_rad_s /= size;
    made.rotors.thrust_n_s2_per_rad2 *= lift * size.powi(2);
    made.rotors.torque_n_m_s2_per_rad2 *= lift * size.powi(3);
    made.mass_kg = mass_kg;
    // As quick to slow down in moving air as the template; a rotor's drag is over its speed.
    made.scale_drag(mass_kg / base.mass_kg);
    if let Some(drag) = &mut made.rotor_drag {
        drag.in_plane_n_s2_per_rad_m *= size;
        drag.axial_n_s2_per_rad_m *= size;
    }
    made.controller.max_thrust_n *= mass_kg / base.mass_kg;
    let inertia = mass_kg * (GYRATION * arm_m).powi(2);
    made.set_inertia([inertia, inertia, 1.86 * inertia]);
    made.rotors.rotor_inertia_kg_m2 *= made.inertia()[(2, 2)] / base.inertia()[(2, 2)];
    made.guessed = Guess::ALL.to_vec();
    made.uncertainty = GUESSED;
    Ok(made)
}

fn reported(log: &Used) -> ReportedLog<'_> {
    ReportedLog {
        name: &log.name,
        format: log.about.format.to_string(),
        duration_s: log.about.duration_s,
        used_s: log.time_s(None),
        motors_hz: log.motors_hz,
        gyro_hz: log.gyro_hz,
        timeline: &log.timeline,
    }
}

/// What the airframe file has of what is not told.
fn stands(estimate: &Estimate, found: &Identified) -> &'static str {
    let told = |name: &str| {
        found
            .estimates
            .iter()
            .any(|e| e.name == name && e.is_known())
    };
    match estimate.name {
        "thrust of a rotor at full command" if told("hover command") => {
            "; that of the hover command stands"
        }
        "inertia Ixx" if told("roll gain in hover") => {
            "; that of the roll gain and the file's thrust stands"
        }
        "inertia Iyy" if told("pitch gain in hover") => {
            "; that of the pitch gain and the file's thrust stands"
        }
        _ if estimate.nominal.is_some() => "; the nominal airframe's stands",
        _ => "",
    }
}

/// The airframe file, which says where its numbers are from.
fn airframe_file(found: &Identified, files: &[LogFile]) -> Result<String, Failure> {
    let mut text = String::from("# Made by `sim identify`. SI units; x forward, y left, z up.\n");
    for (log, LogFile(path)) in found.logs.iter().zip(files) {
        let sum = files::open(path).and_then(checksum_of);
        let sum = sum.map_err(FileError::read(path))?;
        let name = Path::new(&log.name)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let _ = writeln!(
            text,
            "# log: {} ({}, CRC-32 {sum}), {:.1} s used",
            name.escape_default(),
            log.about.format,
            log.time_s(None)
        );
    }
    for estimate in &found.estimates {
        let [low, high] = estimate.interval;
        let _ = match &estimate.not_told {
            None => writeln!(
                text,
                "# {}: {} {}, 90 % interval {} to {}",
                estimate.name,
                digits(estimate.mean),
                estimate.unit,
                digits(low),
                digits(high)
            ),
            Some(why) => {
                let stands = stands(estimate, found);
                writeln!(text, "# {}: not told, {why}{stands}", estimate.name)
            }
        };
    }
    for residual in &found.residuals {
        let _ = writeln!(
            text,
            "# left of the {}: {} {} from one instant to the next",
            residual.sensor,
            digits(residual.deviation),
            residual.unit
        );
    }
    for said in &found.left_out {
        let _ = writeln!(text, "# {said}");
    }
    let _ = writeln!(text, "# {FROM_NO_LOG}");
    let _ = writeln!(text, "# {GAINS}");
    let airframe = toml::to_string(&found.airframe);
    Ok(text + &airframe.expect("numbers and names are always representable"))
}
