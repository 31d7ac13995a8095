//! Defects: what goes wrong with tunes, seeded, to measure how many of them a check finds.
//!
//! Each is a change of a file in an autopilot's own terms, as a hand or an autotuner makes it, or of
//! what the vehicle is. A mirrored motor order turns the sign of a rate loop, and is seeded as that.

use super::task::Task;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sim::Airframe;
use sim::autopilot::targets::common::{Autopilot, Parameter, Part};
use sim::autopilot::tune::Tune;
use sim::autopilot::{AutopilotError, Tuned};

/// One defect.
#[derive(Debug, Clone)]
pub struct Defect {
    /// What it is.
    pub name: String,
    /// The file of parameters.
    pub text: String,
    /// What of the vehicle is not as it should be.
    pub vehicle: Change,
}

/// A change of the vehicle or its sensors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// None.
    Nothing,
    /// The rate filter is as good as off, and rates are noisy.
    FilterOff,
    /// Measurements are later by this than the autopilot's are [ms].
    Delay(u32),
}

impl Change {
    /// Changes what `task` flies where `tune` does.
    pub fn apply(self, task: &mut Task, tune: &mut Tune) {
        match self {
            Change::Nothing => {}
            Change::FilterOff => {
                tune.controller.rate_filter_s = 2e-4;
                task.setup.sensors.rates_rad_s = 0.05;
            }
            Change::Delay(more_ms) => {
                let own = f64::from(task.pilot(tune).delay_periods);
                task.delay_ms = Some(own + f64::from(more_ms));
            }
        }
    }
}

/// Factors of gains.
const FACTORS: [f64; 5] = [2.0, 4.0, 8.0, 0.25, 0.125];

/// A group of parameters: its name, and which gains are in it.
type Group = (&'static str, fn(&Part) -> bool);

/// Groups of parameters that are changed together.
fn groups() -> [Group; 7] {
    [
        ("position P", |p| {
            matches!(p, Part::Position { term: 0, .. })
        }),
        ("velocity P", |p| {
            matches!(p, Part::Position { term: 1, .. })
        }),
        ("velocity I", |p| {
            matches!(p, Part::Position { term: 2, .. })
        }),
        ("attitude P", |p| matches!(p, Part::Attitude(_))),
        ("rate P", |p| matches!(p, Part::Rate { term: 0, .. })),
        ("rate I", |p| matches!(p, Part::Rate { term: 1, .. })),
        ("rate D", |p| matches!(p, Part::Rate { term: 2, .. })),
    ]
}

fn is(parameter: &Parameter, of: &dyn Fn(&Part) -> bool) -> bool {
    parameter.stands_for.is_some_and(|(part, _)| of(&part))
}

/// The vehicle's own gains in `autopilot`'s terms.
///
/// # Errors
/// [`AutopilotError::NoCascade`].
pub fn own(
    autopilot: &dyn Autopilot,
    airframe: &Airframe,
) -> Result<Vec<Parameter>, AutopilotError> {
    autopilot.parameters(airframe, &airframe.gains, &Tuned::everything())
}

/// All defects of `airframe`'s own gains in `autopilot`'s terms; `others` are vehicles of another size.
///
/// # Errors
/// As [`own`].
pub fn defects(
    autopilot: &dyn Autopilot,
    airframe: &Airframe,
    others: &[Airframe],
) -> Result<Vec<Defect>, AutopilotError> {
    let own_parameters = own(autopilot, airframe)?;
    let mut found = Vec::new();
    let mut add = |name: String, vehicle: Change, parameters: &[Parameter]| {
        let text = autopilot.write(&[], parameters);
        found.push(Defect {
            name,
            text,
            vehicle,
        });
    };
    let changed = |of: &dyn Fn(&Part) -> bool, to: &dyn Fn(f64) -> f64| {
        let mut all = own_parameters.clone();
        for parameter in all.iter_mut().filter(|p| is(p, of)) {
            parameter.value = to(parameter.value);
        }
        all
    };
    let mut wrong = Vec::new();
    for (name, of) in groups() {
        for factor in FACTORS {
            let all = changed(&of, &|x| x * factor);
            wrong.push((format!("{name} times {factor}"), all));
        }
        wrong.push((format!("{name} missing"), changed(&of, &|_| 0.0)));
        wrong.push((format!("{name} NaN"), changed(&of, &|_| f64::NAN)));
    }
    let mirrored = ["left and right", "front and rear", "both diagonals"];
    for (axis, motors) in mirrored.into_iter().enumerate() {
        let of = |p: &Part| matches!(p, Part::Rate { axis: a, .. } if *a == axis);
        let name = format!("motors mirrored, {motors}");
        wrong.push((name, changed(&of, &|x| -x)));
    }
    let (term, vertical) = (1, false);
    let outer = |p: &Part| *p == Part::Position { vertical, term };
    let name = "velocity P of the wrong sign".to_owned();
    wrong.push((name, changed(&outer, &|x| -x)));
    wrong.push(("axes swapped".to_owned(), swapped(&own_parameters)));
    for other in others.iter().filter(|other| other.name != airframe.name) {
        let name = format!("gains for the frame of {}", other.name);
        wrong.push((name, own(autopilot, other)?));
    }
    for (name, parameters) in wrong {
        add(name, Change::Nothing, &parameters);
    }
    add("filter off".to_owned(), Change::FilterOff, &own_parameters);
    for delay in [10, 20, 40] {
        add(
            format!("{delay} ms late"),
            Change::Delay(delay),
            &own_parameters,
        );
    }
    Ok(found)
}

/// Roll has yaw's rate gains, and yaw roll's.
fn swapped(own: &[Parameter]) -> Vec<Parameter> {
    let value = |term: usize, axis: usize| {
        let part = Part::Rate { term, axis };
        own.iter()
            .find(|p| is(p, &|found| *found == part))
            .map_or(0.0, |p| p.value)
    };
    let mut all = own.to_vec();
    for parameter in &mut all {
        if let Some((Part::Rate { term, axis }, _)) = parameter.stands_for {
            parameter.value = value(term, 2 - axis);
        }
    }
    all
}

/// `count` tunes near the vehicle's own, each parameter within a fifth of it.
///
/// # Errors
/// As [`own`].
pub fn neighbours(
    autopilot: &dyn Autopilot,
    airframe: &Airframe,
    count: u64,
) -> Result<Vec<Defect>, AutopilotError> {
    let own = own(autopilot, airframe)?;
    let near = |number: u64| {
        let mut rng = ChaCha8Rng::seed_from_u64(number);
        let mut all = own.clone();
        for parameter in all.iter_mut().filter(|p| !p.fixed) {
            parameter.value *= rng.random_range(0.8..1.2);
        }
        Defect {
            name: format!("neighbour {number}"),
            text: autopilot.write(&[], &all),
            vehicle: Change::Nothing,
        }
    };
    Ok((0..count).map(near).collect())
}
