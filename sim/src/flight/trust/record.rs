//! The record of wind: what its rows say of whether they are wind.

use super::Concern;
use crate::{Domain, WindRecord};

/// Rows before and after a value, whose median it is checked against.
const NEAR: usize = 8;

/// A value farther from that median than so many usual deviations is no wind.
const DEVIATIONS: f64 = 10.0;

/// A lesser distance is none, however even the record [m/s].
const LEAST_JUMP_M_S: f64 = 5.0;

/// Median of the absolute deviations to standard deviation, of a normal distribution.
const OF_NORMAL: f64 = 1.4826;

/// So many equal rows stand still.
const STANDING_ROWS: usize = 10;

/// A record of which more stands still is stuck, or its wind calm [%].
const STANDING_PERCENT: f64 = 10.0;

/// Rows farther apart are means [s].
const MEANS_S: f64 = 10.0;

/// Rows as far apart miss gusts that a vehicle feels [s].
const SLOW_S: f64 = 1.0;

/// A gale begins here: 8 on Beaufort's scale [m/s].
const GALE_M_S: f64 = 17.2;

/// Windows without a loss that bound its probability by 1 % with 95 % confidence.
const ENOUGH_WINDOWS: u64 = 299;

/// What is wrong with the record of `domain`, where it has one.
pub(super) fn concerns(domain: &Domain) -> Vec<Concern> {
    let Some(record) = &domain.record else {
        return Vec::new();
    };
    let (name, rows) = (|| domain.name.clone(), record.rows());
    let [.., last] = rows else {
        return Vec::new();
    };
    let step_s = last[0] / (rows.len() - 1).max(1) as f64;
    let mean_m_s = domain.mean_m_s[0].hypot(domain.mean_m_s[1]);
    let percent = standing_percent(rows);
    let still = rows.iter().all(|row| row[3] == rows[0][3]);
    // What is added is faster than the rows, and has a vertical part.
    let bare = domain.turbulence_height_m.is_none();
    let slow = match step_s {
        step_s if step_s > MEANS_S => Some(Concern::WindOfMeans {
            domain: name(),
            step_s,
        }),
        // Decimal times: a little less than 1 s is 1 s.
        step_s if step_s > SLOW_S - 1e-6 => Some(Concern::SlowWind {
            domain: name(),
            step_s,
            fastest_hz: 0.5 / step_s,
        }),
        _ => None,
    };
    let found = [
        outliers(domain, rows),
        (percent > STANDING_PERCENT).then(|| Concern::WindStands {
            domain: name(),
            percent,
            rows: STANDING_ROWS,
        }),
        still
            .then(|| Concern::NoVerticalWind { domain: name() })
            .filter(|_| bare),
        slow.filter(|_| bare),
        (mean_m_s >= GALE_M_S).then(|| Concern::Gale {
            domain: name(),
            mean_m_s,
        }),
    ];
    found.into_iter().flatten().collect()
}

/// Whether the record of `domain` has few windows of `flight_s` that share nothing.
pub(super) fn windows(domain: &Domain, flight_s: f64) -> Option<Concern> {
    let segments = domain.record.as_ref().map(WindRecord::segments_s)?;
    let within = |[from_s, to_s]: &[f64; 2]| ((to_s - from_s) / flight_s + 1e-9).floor() as u64;
    let windows: u64 = segments.iter().map(within).sum();
    (windows < ENOUGH_WINDOWS).then(|| Concern::FewIndependentWindows {
        domain: domain.name.clone(),
        windows,
        flight_s,
        percent: 100.0 * (1.0 - 0.05f64.powf(1.0 / windows.max(1) as f64)),
    })
}

/// Values that lie far from the median of those about them.
fn outliers(domain: &Domain, rows: &[[f64; 4]]) -> Option<Concern> {
    let (mut count, mut first) = (0, None::<(usize, char)>);
    for (column, name) in [(1, 'u'), (2, 'v'), (3, 'w')] {
        let off = |at: usize| {
            let near = at.saturating_sub(NEAR)..(at + NEAR + 1).min(rows.len());
            rows[at][column] - median(rows[near].iter().map(|row| row[column]))
        };
        let off: Vec<f64> = (0..rows.len()).map(off).collect();
        let usual = OF_NORMAL * median(off.iter().map(|off| off.abs()));
        let far = (DEVIATIONS * usual).max(LEAST_JUMP_M_S);
        for (at, off) in off.iter().enumerate() {
            if off.abs() > far {
                count += 1;
                first = match first {
                    Some(before) if before.0 <= at => Some(before),
                    _ => Some((at, name)),
                };
            }
        }
    }
    let (at, column) = first?;
    let place = "tuvw".find(column).unwrap_or_default();
    Some(Concern::WindOutliers {
        domain: domain.name.clone(),
        count,
        value: rows[at][place],
        column,
        at_s: rows[at][0],
    })
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// Share of the rows that belong to a run of equal horizontal winds [%].
fn standing_percent(rows: &[[f64; 4]]) -> f64 {
    let runs = rows.chunk_by(|a, b| a[1..3] == b[1..3]);
    let standing = runs.map(<[_]>::len).filter(|run| *run >= STANDING_ROWS);
    100.0 * standing.sum::<usize>() as f64 / rows.len() as f64
}
