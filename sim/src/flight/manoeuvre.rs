//! Manoeuvre: what is added to the setpoints of a flight, so that its record says more of the vehicle.
//!
//! As CSV: a line of names, then a row a line, each of which holds until the next; the last one adds nothing and
//! says where the manoeuvre ends. Empty lines, and what follows a `#`, are left out.

use crate::error::Error;
use nalgebra::Vector3;
use std::fmt::Write;

/// Most rows of a manoeuvre.
const MOST_ROWS: usize = 100_000;

/// The columns, and what each may hold.
const COLUMNS: [(&str, f64, f64); 5] = [
    ("t_s", 0.0, 86_400.0),
    ("thrust_share", -1.0, 1.0),
    ("roll_rad_s", -20.0, 20.0),
    ("pitch_rad_s", -20.0, 20.0),
    ("yaw_rad_s", -20.0, 20.0),
];

/// A row holds from the control period on that begins this much before its time: times are rounded [s].
const EARLY_S: f64 = 1e-9;

/// Letters of a faulty file that an error repeats.
const MOST_LETTERS: usize = 60;

/// What is added at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Added {
    /// Thrust over the weight.
    pub thrust_share: f64,
    /// Body rates, to those that the attitude loop asks for [rad/s].
    pub rates_rad_s: Vector3<f64>,
}

/// What is added to the setpoints over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Manoeuvre {
    /// From when on [s], and what.
    rows: Vec<(f64, Added)>,
}

impl Manoeuvre {
    /// Reads and checks the text of a file.
    ///
    /// # Errors
    /// [`Error::Manoeuvre`] with the line.
    pub fn from_csv(text: &str) -> Result<Manoeuvre, Error> {
        // Some editors begin a text file with a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        let mut rows = Vec::new();
        let (mut is_headed, mut last) = (false, 1);
        for (place, content) in text.lines().enumerate() {
            let content = content.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            last = place + 1;
            let fault = |fault| Error::Manoeuvre { line: last, fault };
            if is_headed {
                let before = rows.last().map(|(time_s, _)| *time_s);
                rows.push(row(content, before).map_err(fault)?);
            } else {
                check_header(content).map_err(fault)?;
                is_headed = true;
            }
            if rows.len() > MOST_ROWS {
                return Err(fault(format!("there must be at most {MOST_ROWS} rows")));
            }
        }
        let fault = match rows.last() {
            _ if rows.len() < 2 => "there must be a line of names and at least two rows",
            Some((_, added)) if *added != Added::default() => {
                "the last row ends the manoeuvre; it must add nothing"
            }
            _ => return Ok(Manoeuvre { rows }),
        };
        let fault = fault.to_owned();
        Err(Error::Manoeuvre { line: last, fault })
    }

    /// The text that [`Manoeuvre::from_csv`] reads.
    pub fn to_csv(&self) -> String {
        let mut text = COLUMNS.map(|(name, ..)| name).join(",") + "\n";
        for (time_s, added) in &self.rows {
            let [x, y, z] = added.rates_rad_s.into();
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{time_s},{},{x},{y},{z}", added.thrust_share);
        }
        text
    }

    /// When it ends [s].
    pub fn lasts_s(&self) -> f64 {
        self.rows.last().map_or(0.0, |(time_s, _)| *time_s)
    }

    /// The same, `late_s` later.
    pub fn later(mut self, late_s: f64) -> Manoeuvre {
        self.rows.iter_mut().for_each(|(at_s, _)| *at_s += late_s);
        self
    }

    /// The same at that part of its amplitude.
    pub fn scaled(mut self, part: f64) -> Manoeuvre {
        for (_, added) in &mut self.rows {
            added.thrust_share *= part;
            added.rates_rad_s *= part;
        }
        self
    }

    /// What is added at that time; nothing before the first row and from the last one on.
    pub fn at(&self, time_s: f64) -> Option<Added> {
        let begun = self
            .rows
            .partition_point(|(at_s, _)| *at_s <= time_s + EARLY_S);
        let (_, added) = self.rows.get(begun.checked_sub(1)?)?;
        (begun < self.rows.len()).then_some(*added)
    }

    /// Doublets about roll, pitch and yaw and of thrust, one after the other, as long as they fit into `lasts_s`.
    /// They tilt a vehicle whose rates follow by 15 degrees at the most.
    pub fn doublets(lasts_s: f64) -> Manoeuvre {
        let lasts_ms = (lasts_s * 1e3) as u64;
        let row = |at_ms: u64, added: Added| (at_ms as f64 / 1e3, added);
        let mut rows = vec![row(0, Added::default())];
        let mut at_ms = REST_MS;
        for number in 0.. {
            let (added, half_ms) = doublet(number);
            if at_ms + 2 * half_ms >= lasts_ms {
                break;
            }
            // Of zero no -0, which a file would show.
            let back = Added {
                thrust_share: 0.0 - added.thrust_share,
                rates_rad_s: Vector3::zeros() - added.rates_rad_s,
            };
            for added in [added, back, Added::default()] {
                rows.push(row(at_ms, added));
                at_ms += half_ms;
            }
            at_ms += REST_MS - half_ms;
        }
        rows.push(row(lasts_ms, Added::default()));
        Manoeuvre { rows }
    }
}

fn check_header(line: &str) -> Result<(), String> {
    let wanted = COLUMNS.map(|(name, ..)| name);
    let found = line.split(',').map(str::trim);
    if found
        .map(str::to_ascii_lowercase)
        .eq(wanted.map(str::to_owned))
    {
        return Ok(());
    }
    let (wanted, found) = (wanted.join(","), beginning(line));
    Err(format!("the names are `{found}`; they must be {wanted}"))
}

/// The row of a line, which comes after `before_s`.
fn row(line: &str, before_s: Option<f64>) -> Result<(f64, Added), String> {
    let cells: Vec<&str> = line.split(',').map(str::trim).collect();
    if cells.len() != COLUMNS.len() {
        let (found, wanted) = (cells.len(), COLUMNS.len());
        return Err(format!(
            "there are {found} cells; there must be {wanted}, with commas between them"
        ));
    }
    let mut numbers = [0.0; COLUMNS.len()];
    for ((number, cell), (name, least, most)) in numbers.iter_mut().zip(&cells).zip(COLUMNS) {
        let read = cell.parse();
        *number =
            read.map_err(|_| format!("{name} is `{}`, which is no number", beginning(cell)))?;
        if !(least..=most).contains(number) {
            return Err(format!(
                "{name} is {number}; it must be between {least} and {most}"
            ));
        }
    }
    let [time_s, thrust_share, x, y, z] = numbers;
    if let Some(before_s) = before_s.filter(|before_s| time_s <= *before_s) {
        return Err(format!(
            "t_s is {time_s} after {before_s}; times must ascend"
        ));
    }
    let rates_rad_s = Vector3::new(x, y, z);
    let added = Added {
        thrust_share,
        rates_rad_s,
    };
    Ok((time_s, added))
}

fn beginning(text: &str) -> String {
    text.chars().take(MOST_LETTERS).collect()
}

// Doublets: a positive half and a negative one of the same length.

/// Rest between two of them [ms].
const REST_MS: u64 = 250;

/// The greatest angle to which a half about roll or pitch turns [degrees], and its greatest rate [rad/s].
const TILT: (f64, f64) = (15.0, 4.0);

/// Frequencies in the order of flight [Hz]: of roll and pitch, of yaw, of the thrust.
const TILT_HZ: [f64; 5] = [2.0, 5.0, 3.0, 6.0, 4.0];
const YAW_HZ: [f64; 3] = [2.0, 3.0, 2.5];
const THRUST_HZ: [f64; 3] = [2.0, 4.0, 3.0];

const YAW_RAD_S: f64 = 1.5;
const THRUST_SHARE: f64 = 0.3;

/// The first half of that doublet, and its length [ms].
fn doublet(number: usize) -> (Added, u64) {
    let (kind, turn) = (number % 4, number / 4);
    let half_ms = |hz: &[f64]| (500.0 / hz[turn % hz.len()]).round() as u64;
    let mut added = Added::default();
    let half_ms = match kind {
        0 | 1 => {
            let half_ms = half_ms(&TILT_HZ);
            let rate_rad_s = (TILT.0.to_radians() / half_ms as f64 * 1e3).min(TILT.1);
            // As few digits as a file should have, none of them up.
            added.rates_rad_s[kind] = (rate_rad_s * 1e3).floor() / 1e3;
            half_ms
        }
        2 => {
            added.rates_rad_s.z = YAW_RAD_S;
            half_ms(&YAW_HZ)
        }
        _ => {
            added.thrust_share = THRUST_SHARE;
            half_ms(&THRUST_HZ)
        }
    };
    (added, half_ms)
}
