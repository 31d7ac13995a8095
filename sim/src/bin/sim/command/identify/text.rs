//! Text: what was identified, as a person reads it in a terminal.

use super::PAGE;
use crate::args::IdentifyArgs;
use shell::table::{Side, Table};
use shell::terminal::{self, word};
use sim::flight_log::{LogFormat, LogReading};
use sim::identify::{Estimate, Identified, Unused, Used};
use sim::{Airframe, Guess};
use std::fmt::Write;
use std::path::Path;

/// A number with four digits or so.
pub(super) fn digits(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        1e-3..1e5 => {
            let places = (3 - x.abs().log10().floor() as i32).clamp(0, 6) as usize;
            format!("{x:.places$}")
        }
        _ => format!("{x:.3e}"),
    }
}

/// What is printed; warnings go to standard error.
pub(super) fn text(args: &IdentifyArgs, nominal: &Airframe, found: &Identified) -> String {
    let mut text = String::new();
    for log in &found.logs {
        let _ = writeln!(text, "{}: {}", log.name, summary(log));
    }
    for warning in warnings(found) {
        terminal::warn(&warning);
    }
    let told = found.estimates.iter().filter(|e| e.is_known());
    let rows = told.map(cells);
    let nominal_name = format!("nominal ({})", nominal.name);
    let columns = [
        ("", Side::Left),
        ("told", Side::Right),
        ("90 % interval", Side::Left),
        ("", Side::Left),
        (nominal_name.as_str(), Side::Right),
    ];
    let _ = write!(text, "\n{}", Table::new(columns).with(rows).text(2));
    let untold = untold(found);
    if !untold.is_empty() {
        let _ = writeln!(text, "\nCannot be told:\n  {}", untold.join("\n  "));
        let _ = writeln!(text, "\n{}", advice(found));
    }
    if !found.predicted.is_empty() {
        let table = Table::of_numbers(PREDICTED).with(predicted(found)).text(2);
        let _ = write!(text, "\n{PREDICTION}:\n{table}");
    }
    if let Some(out) = &args.out {
        let _ = writeln!(
            text,
            "\nWritten: {}\nNext: {}",
            out.display(),
            next(found, out)
        );
    }
    if let Some(folder) = &args.report {
        let _ = writeln!(text, "\nPage: {}", folder.join(PAGE).display());
    }
    text
}

/// Name, mean, interval, unit and nominal value.
pub(super) fn cells(estimate: &Estimate) -> Vec<String> {
    let [low, high] = estimate.interval.map(digits);
    let usual = estimate.nominal.map_or("none".to_owned(), digits);
    let (mean, interval) = (digits(estimate.mean), format!("{low} to {high}"));
    vec![
        estimate.name.to_owned(),
        mean,
        interval,
        estimate.unit.to_owned(),
        usual,
    ]
}

/// What `log` is and what of it was used.
pub(super) fn summary(log: &Used) -> String {
    let lost: Vec<String> = (Unused::ALL.into_iter())
        .map(|why| (why, log.time_s(Some(why))))
        .filter(|(_, time_s)| *time_s > 0.05)
        .map(|(why, time_s)| format!("{} {time_s:.1} s", why.said()))
        .collect();
    let rest = if lost.is_empty() {
        String::new()
    } else {
        format!(" ({})", lost.join(", "))
    };
    let left = &log.about.left_out;
    let odd = [
        (left.damaged, "damaged records"),
        (left.out_of_time, "samples out of time"),
        (left.not_finite, "samples not finite"),
    ];
    let odd: String = (odd.iter().filter(|(count, _)| *count > 0))
        .map(|(count, what)| format!("; {count} {what} left out"))
        .collect();
    let cut = log.about.cut_at.map_or(String::new(), |at| {
        format!("; the file was cut at byte {at}")
    });
    format!(
        "{}, {:.1} s, motors at {:.0} Hz, gyro at {:.0} Hz; used {:.1} s{rest}{odd}{cut}",
        log.about.format,
        log.about.duration_s,
        log.motors_hz,
        log.gyro_hz,
        log.time_s(None)
    )
}

/// What cannot be told and why; what has one reason in a row is on one line.
pub(super) fn untold(found: &Identified) -> Vec<String> {
    let why = |estimate: &&Estimate| estimate.not_told.clone();
    let untold = found.estimates.iter().filter(|e| !e.is_known());
    let untold: Vec<&Estimate> = untold.collect();
    let said = |alike: &[&Estimate]| {
        let names: Vec<&str> = alike.iter().map(|estimate| estimate.name).collect();
        format!(
            "{}: {}",
            names.join("; "),
            why(&alike[0]).unwrap_or_default()
        )
    };
    untold.chunk_by(|a, b| why(a) == why(b)).map(said).collect()
}

/// What makes the result mean less than it seems to.
pub(super) fn warnings(found: &Identified) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(order) = found.order.as_ref().filter(|order| order.unusual) {
        let numbers: Vec<String> = order.rotors.iter().map(|i| (i + 1).to_string()).collect();
        said.push(format!(
            "the motors are in another order than the format's: they turn rotors {}{}",
            numbers.join(", "),
            match found.logs[0].about.has(LogReading::ATTITUDE) {
                true => "",
                false => ", or else a gyro axis points the other way, which an attitude in the log would tell",
            }
        ));
    }
    if found.order.as_ref().is_some_and(|order| !order.seen) {
        said.push(
            "the log does not show which motor turns which rotor: the format's order is taken"
                .to_owned(),
        );
    }
    let guessed: Vec<String> = found
        .airframe
        .guessed
        .iter()
        .map(Guess::to_string)
        .collect();
    if found.order.is_some() && !guessed.is_empty() {
        said.push(format!(
            "guessed as for a usual vehicle of that mass and size: {}; with that no check says FLY",
            guessed.join(", ")
        ));
    }
    said.extend(found.left_out.iter().cloned());
    if found.spins_reversed {
        said.push("all rotors turn the other way than the airframe says".to_owned());
    }
    said
}

/// What the table of [`predicted`] shows, and its columns.
pub(super) const PREDICTION: &str =
    "Errors of predicting the log that was held out, root mean square [rad/s]";
pub(super) const PREDICTED: [&str; 8] = [
    "rate",
    "ahead",
    "identified",
    "nominal",
    "regression",
    "hold",
    "in its 50 %",
    "in its 90 %",
];

/// How well the log that was held out is predicted, a row for each axis and time.
pub(super) fn predicted(found: &Identified) -> Vec<Vec<String>> {
    let some = |x: Option<f64>| x.map_or_else(String::new, |x| format!("{x:.3}"));
    let row = |row: &sim::identify::Predicted| {
        vec![
            row.axis.to_owned(),
            format!("{:.0} ms", 1e3 * row.ahead_s),
            format!("{:.3}", row.identified_rad_s),
            some(row.nominal_rad_s),
            some(row.regression_rad_s),
            format!("{:.3}", row.hold_rad_s),
            format!("{:.0} %", 100.0 * row.within[0]),
            format!("{:.0} %", 100.0 * row.within[1]),
        ]
    };
    found.predicted.iter().map(row).collect()
}

/// The command that goes on from the airframe `out`.
pub(super) fn next(found: &Identified, out: &Path) -> String {
    let log = &found.logs[0];
    let parameters = &log.about.parameters;
    let holds_gains = match log.about.format {
        LogFormat::Ulog | LogFormat::Dataflash => !parameters.is_empty() && !log.about.is_own(),
        // A name of the versions that are read.
        LogFormat::Blackbox => parameters.iter().any(|p| p.0 == "gyro_lpf1_static_hz"),
        _ => false,
    };
    match holds_gains {
        true => format!("bo check {} --airframe {}", word(&log.name), word(out)),
        false => format!("sim margins --airframe {}", word(out)),
    }
}

/// What would tell more.
pub(super) fn advice(found: &Identified) -> &'static str {
    let untold = || found.estimates.iter().filter(|e| !e.is_known());
    // A rotor inertia next to none is not told by quicker turns either.
    let of_air = |e: &Estimate| {
        ["drag", "wind", "bias", "rotor spin", "battery"]
            .iter()
            .any(|of| e.name.contains(of))
    };
    let unresolved =
        |e: &Estimate| (e.not_told.as_deref()).is_some_and(|why| why.contains("are not resolved"));
    if found.order.is_none() {
        "Log the motors at 200 Hz or more: SDLOG_PROFILE = 9 or 17 (PX4), LOG_BITMASK with fast attitude and IMU (ArduPilot), blackbox at 500 Hz (Betaflight)."
    } else if found
        .logs
        .iter()
        .any(|log| !log.about.has(LogReading::ACCELEROMETER))
    {
        "Log the accelerometer: without it thrust and inertia cannot be told."
    } else if untold().any(unresolved) {
        "No flight tells rotors that lag by less than 10 ms: measure lag and thrust on a bench."
    } else if untold().all(of_air) {
        "Next: for drag, fly figure-8s at 2 to 3 m/s in calm air and log them, with attitude and velocity."
    } else {
        "Next: fly quick doublets of roll, pitch, yaw and thrust, then a figure-8, and log them: sim template manoeuvre"
    }
}
