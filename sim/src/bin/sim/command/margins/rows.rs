//! Rows: every loop about every axis with its margins.

use super::AXES;
use serde::Serialize;
use shell::table::{Side, Table};
use sim::margins::{LOOPS, Linearised, Loop, Margins};

/// One loop about one axis; absent where nothing makes it oscillate.
#[derive(Clone, Serialize)]
pub(super) struct Row {
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
    pub(super) fn least(&mut self, other: &Row) {
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
pub(super) fn rows(linear: &Linearised) -> Vec<Row> {
    let all = linear.all_margins(&LOOPS).into_iter();
    all.map(|(l, axis, margins)| Row::of(l, axis, &margins))
        .collect()
}

/// Them as a table.
pub(super) fn table(rows: &[Row]) -> String {
    let columns = [
        ("loop", Side::Left),
        ("gain from", Side::Right),
        ("to", Side::Right),
        ("phase [deg]", Side::Right),
        ("delay [ms]", Side::Right),
        ("disk", Side::Right),
        ("crossover [rad/s]", Side::Right),
    ];
    let number = |x: Option<f64>, digits: usize| match x {
        Some(x) if x < 1e4 => format!("{x:.digits$}"),
        Some(x) => format!("{x:.1e}"),
        None => "-".to_owned(),
    };
    let rows = rows.iter().map(|row| {
        vec![
            format!("{} {}", row.which.name(), row.axis),
            number(row.gain_down, 3),
            number(row.gain_up, 2),
            number(row.phase_deg, 1),
            number(row.delay_ms, 1),
            number(Some(row.disk), 2),
            number(row.crossover_rad_s, 2),
        ]
    });
    Table::new(columns).with(rows).text(0)
}
