//! Margins: the loops' least margins at hover and along a trajectory, and the limits that a study puts
//! on them. They need no flight, so gains are held to them before they are flown.

mod limits;
mod places;

pub use limits::{MARGINS_AT, MarginLimits, MarginViolation, MarginsAt};
pub use places::{MarginCheck, Places};

use serde::{Deserialize, Serialize};
use sim::margins::{Linearised, Loop, Margins};

/// The least of each margin over all loops, and whose it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Least {
    /// Factor of gain upwards.
    pub gain_up: Option<(f64, String)>,
    /// Factor of gain downwards.
    pub gain_down: Option<(f64, String)>,
    /// Phase [deg].
    pub phase_deg: Option<(f64, String)>,
    /// Delay [ms].
    pub delay_ms: Option<(f64, String)>,
    /// Disk.
    pub disk: Option<(f64, String)>,
}

/// Where the vehicle is not stable, in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Unstable(pub String);

impl Least {
    /// Of the loops `of` of a stable vehicle.
    pub fn of(linear: &Linearised, of: &[Loop]) -> Least {
        Least::among(&named(linear, of, ""))
    }

    fn among(all: &[(String, Margins)]) -> Least {
        let least = |of: &dyn Fn(&Margins) -> Option<f64>| {
            let found = all
                .iter()
                .filter_map(|(name, m)| Some((of(m)?, name.clone())));
            found.min_by(|a, b| a.0.total_cmp(&b.0))
        };
        let down = least(&|m| m.gain_down.map(|k| -k));
        Least {
            gain_up: least(&|m| m.gain_up),
            gain_down: down.map(|(k, name)| (-k, name)),
            phase_deg: least(&|m| m.phase_rad.map(f64::to_degrees)),
            delay_ms: least(&|m| m.delay_s.map(|s| 1e3 * s)),
            disk: least(&|m| Some(m.disk)),
        }
    }

    /// The margin that a limit is on, by the limit's key.
    fn by_limit(&self, limit: &str) -> Option<(f64, String)> {
        match limit {
            "phase_margin_deg" => self.phase_deg.clone(),
            "gain_margin_db" => self.gain_db(),
            "delay_margin_ms" => self.delay_ms.clone(),
            _ => self.disk.clone(),
        }
    }

    /// The lesser gain margin of the two directions [dB].
    pub fn gain_db(&self) -> Option<(f64, String)> {
        let db = |(k, name): &(f64, String)| (20.0 * k.log10().abs(), name.clone());
        let both = self.gain_up.iter().chain(&self.gain_down).map(db);
        both.min_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// The margins of the loops `of`, with a name for each that ends in where they are.
fn named(linear: &Linearised, of: &[Loop], place: &str) -> Vec<(String, Margins)> {
    let name = |which: Loop, axis: usize| {
        let axis = ["x", "y", "z"][axis];
        format!("{} {axis}{place}", which.name())
    };
    let all = linear.all_margins(of).into_iter();
    all.map(|(l, axis, margins)| (name(l, axis), margins))
        .collect()
}

/// The least margins of the gains that a run tested, where the study looks at them; nothing where the
/// vehicle is not stable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// Of the default gains.
    pub default: Option<Least>,
    /// Of the recommended ones.
    pub recommended: Option<Least>,
}

impl Tested {
    /// A row for each margin: its name, the limit, and what default and recommended gains have.
    pub fn rows(&self, limits: &MarginLimits) -> Vec<[String; 4]> {
        let said = |of: &Option<Least>, margin: fn(&Least) -> Option<(f64, String)>| match of {
            None => "not stable".to_owned(),
            Some(least) => margin(least).map_or("no end".to_owned(), |(value, of)| {
                format!("{value:.2} ({of})")
            }),
        };
        let row = |name: &str, limit: Option<f64>, margin: fn(&Least) -> Option<(f64, String)>| {
            let limit = limit.map_or("-".to_owned(), |limit| limit.to_string());
            let [old, new] = [&self.default, &self.recommended].map(|of| said(of, margin));
            [name.to_owned(), limit, old, new]
        };
        vec![
            row("phase [deg]", limits.phase_margin_deg, |m| {
                m.phase_deg.clone()
            }),
            row("gain [dB]", limits.gain_margin_db, Least::gain_db),
            row("delay [ms]", limits.delay_margin_ms, |m| m.delay_ms.clone()),
            row("disk", limits.disk_margin, |m| m.disk.clone()),
        ]
    }
}
