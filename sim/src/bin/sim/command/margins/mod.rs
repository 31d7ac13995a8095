//! `sim margins`: how far every loop is from oscillating.

mod picture;

use super::{Printed, answer, claim, drawn, sensors, trajectory, vehicle, write_made};
use crate::Said;
use crate::args::MarginsArgs;
use nalgebra::Vector3;
use serde::Serialize;
use shell::table::{Side, Table};
use shell::{Failure, terminal};
use sim::margins::{INSTANTS, LOOPS, Linearised, Loop, Margins, Mode, instants};
use sim::{Concern, Guarded, autopilot_delay_ms};

/// The axes of every loop.
const AXES: [&str; 3] = ["x", "y", "z"];

/// What `--format json` prints.
#[derive(Serialize)]
struct Report<'a> {
    airframe: &'a str,
    delay_periods: u32,
    wind_m_s: f64,
    hover: Point,
    #[serde(skip_serializing_if = "Option::is_none")]
    along: Option<Along<'a>>,
}

/// The margins about one point.
#[derive(Serialize)]
struct Point {
    stable: bool,
    mode: Mode,
    loops: Vec<Row>,
}

/// The least margins along a trajectory.
#[derive(Serialize)]
struct Along<'a> {
    trajectory: &'a str,
    /// Instants at which the vehicle is not stable [s].
    unstable_at_s: Vec<f64>,
    /// Each margin the least of all instants.
    loops: Vec<Row>,
}

/// The margins at hover, and the least along a trajectory; exit code 1 where the vehicle is not
/// stable.
///
/// # Errors
/// Names and files that do not exist or are faulty, a folder that cannot be written.
pub fn margins(args: &MarginsArgs) -> Result<Said, Failure> {
    let (airframe, gains) = vehicle(&args.vehicle)?;
    let sensors = args.sensors.as_deref().map(sensors).transpose()?;
    let stock_ms = args.autopilot.as_deref().and_then(autopilot_delay_ms);
    let known = stock_ms.unwrap_or(0).max(airframe.delay_periods());
    let delay_periods = sensors.map_or(known, |noise| noise.delay_periods);
    let path = args.traj.as_deref().map(trajectory).transpose()?;
    let in_wind = |v: f64| (0.0..=30.0).contains(&v.abs());
    if !in_wind(args.wind) {
        let wanted = "at most 30 m/s";
        return Err(Failure::out_of_range("wind", args.wind, wanted));
    }
    let folder = claim(args.out.as_ref())?;
    let wind_m_s = Vector3::x() * args.wind;
    let out_of_trim = Concern::out_of_trim(&airframe, &gains);
    out_of_trim
        .iter()
        .for_each(|concern| terminal::warn(&concern.said()));
    let hover = Linearised::hover(&airframe, &gains, delay_periods, wind_m_s);
    let along = path.as_deref().map(|path| {
        let about = |t_s| {
            let at = (path, t_s);
            Linearised::along(&airframe, &gains, delay_periods, wind_m_s, at)
        };
        along(path.name(), instants(path).map(|t_s| (t_s, about(t_s))))
    });
    let report = Printed {
        schema: "windhover-margins/1",
        result: Report {
            airframe: &airframe.name,
            delay_periods,
            wind_m_s: args.wind,
            hover: point(&hover),
            along,
        },
    };
    if let Some(folder) = &folder {
        picture::draw(&hover, &airframe.name, folder.path())?;
        write_made(folder, Some(&gains), &report)?;
    }
    let result = &report.result;
    let wild = result
        .along
        .as_ref()
        .is_some_and(|a| !a.unstable_at_s.is_empty());
    let passed = result.hover.stable && !wild;
    let text = answer(&args.output, &report, || said(result));
    Ok(Said { text, passed })
}

fn point(linear: &Linearised) -> Point {
    let mode = linear.mode();
    Point {
        stable: mode.is_stable(),
        mode,
        loops: rows(linear),
    }
}

fn along<'a>(name: &'a str, points: impl Iterator<Item = (f64, Linearised)>) -> Along<'a> {
    let mut along = Along {
        trajectory: name,
        unstable_at_s: Vec::new(),
        loops: Vec::new(),
    };
    for (at_s, linear) in points {
        if !linear.mode().is_stable() {
            along.unstable_at_s.push(at_s);
            continue;
        }
        let found = rows(&linear);
        if along.loops.is_empty() {
            along.loops.clone_from(&found);
        }
        along
            .loops
            .iter_mut()
            .zip(&found)
            .for_each(|(least, row)| least.least(row));
    }
    along
}

fn said(report: &Report) -> String {
    let Report {
        airframe, wind_m_s, ..
    } = report;
    let mode = &report.hover.mode;
    let how = match report.hover.stable {
        true => "stable: the slowest disturbance decays",
        false => "NOT STABLE: a small disturbance grows",
    };
    let (rate, hertz) = (mode.growth_per_s.abs(), mode.frequency_hz);
    let mut text = format!(
        "{airframe} at hover in {wind_m_s} m/s, sensors {} ms late, in simulation\n\
         {how} by {rate:.3} 1/s at {hertz:.2} Hz\n",
        report.delay_periods
    );
    let mut tables = 0;
    let mut tabled = |rows: &[Row]| {
        if rows.is_empty() {
            return String::new();
        }
        tables += 1;
        format!("\n{}", table(rows))
    };
    if report.hover.stable {
        text += &tabled(&report.hover.loops);
    }
    if let Some(along) = &report.along {
        text += &format!("\nleast along {}\n", along.trajectory);
        if let Some(first) = along.unstable_at_s.first() {
            let count = along.unstable_at_s.len();
            text +=
                &format!("NOT STABLE at {count} of {INSTANTS} instants, first at {first:.1} s\n");
        }
        text += &tabled(&along.loops);
    }
    if tables > 0 {
        text += LEGEND;
    }
    text
}

/// What the columns of the tables are.
const LEGEND: &str = "\nGain: on the loop's own gains, between which it stays stable. Delay: added to\n\
                      what that loop measures. Disk: gain and phase together, at most 2.\n";

// Rows: every loop about every axis with its margins.

/// One loop about one axis; absent where nothing makes it oscillate.
#[derive(Clone, Serialize)]
struct Row {
    #[serde(rename = "loop")]
    which: Loop,
    axis: &'static str,
    gain_down: Option<f64>,
    gain_up: Option<f64>,
    phase_deg: Option<f64>,
    delay_ms: Option<f64>,
    disk: f64,
    crossover_rad_s: Option<f64>,
}

impl Row {
    fn of(which: Loop, axis: usize, margins: &Margins) -> Row {
        Row {
            which,
            axis: AXES[axis],
            gain_down: margins.gain_down,
            gain_up: margins.gain_up,
            phase_deg: margins.phase_rad.map(f64::to_degrees),
            delay_ms: margins.delay_s.map(|s| 1e3 * s),
            disk: margins.disk,
            crossover_rad_s: margins.crossover_rad_s,
        }
    }

    /// The smaller of each margin.
    fn least(&mut self, other: &Row) {
        let both = |one: Option<f64>, other: Option<f64>, better: fn(f64, f64) -> f64| {
            let (one, other) = (one.or(other)?, other.or(one)?);
            Some(better(one, other))
        };
        self.gain_down = both(self.gain_down, other.gain_down, f64::max);
        self.gain_up = both(self.gain_up, other.gain_up, f64::min);
        self.phase_deg = both(self.phase_deg, other.phase_deg, f64::min);
        self.delay_ms = both(self.delay_ms, other.delay_ms, f64::min);
        self.disk = self.disk.min(other.disk);
        self.crossover_rad_s = both(self.crossover_rad_s, other.crossover_rad_s, f64::max);
    }
}

/// Those of the vehicle.
fn rows(linear: &Linearised) -> Vec<Row> {
    let all = linear.all_margins(&LOOPS).into_iter();
    let all = all.filter(|(which, axis, _)| linear.has(*which, *axis));
    all.map(|(l, axis, margins)| Row::of(l, axis, &margins))
        .collect()
}

fn decibels(factor: f64) -> f64 {
    20.0 * factor.log10()
}

/// Them as a table.
fn table(rows: &[Row]) -> String {
    let columns = [
        ("loop", Side::Left),
        ("gain from [dB]", Side::Right),
        ("to [dB]", Side::Right),
        ("phase [deg]", Side::Right),
        ("delay [ms]", Side::Right),
        ("disk", Side::Right),
        ("crossover [Hz]", Side::Right),
    ];
    let number = |x: Option<f64>, digits: usize| match x {
        Some(x) if x < 1e4 => format!("{x:.digits$}"),
        Some(x) => format!("{x:.1e}"),
        None => "-".to_owned(),
    };
    let rows = rows.iter().map(|row| {
        vec![
            format!("{} {}", row.which.name(), row.axis),
            number(row.gain_down.map(decibels), 1),
            number(row.gain_up.map(decibels), 1),
            number(row.phase_deg, 1),
            number(row.delay_ms, 1),
            number(Some(row.disk), 2),
            number(row.crossover_rad_s.map(|w| w / std::f64::consts::TAU), 2),
        ]
    });
    Table::new(columns).with(rows).text(0)
}
