//! Written: the gains that an autopilot has once it has stored a file of parameters, and how they
//! fly. Values that were clamped or rounded belong to gains that no flight of the run ever tried.

use super::Parameter;
use super::autopilot::Part;
use super::cascade::Cascade;
use crate::Error;
use crate::flights::held_out::{Test, test};
use crate::flights::verdict::{Judgement, Verdict};
use crate::interrupt::Interrupt;
use crate::run::finished::Read;
use crate::run::recorded::Recorded;
use sim::Gains;

/// `gains` with what `parameters` stand for in place of their own.
pub fn gains_of(gains: &Gains, parameters: &[Parameter]) -> Gains {
    let mut written = *gains;
    // P on position, P and I on velocity; of x and y, and of z.
    let mut cascades = [[None; 3]; 2];
    for parameter in parameters {
        let Some((part, scale)) = parameter.stands_for else {
            continue;
        };
        let gain = parameter.value / scale;
        match part {
            Part::Position { vertical, term } => cascades[usize::from(vertical)][term] = Some(gain),
            Part::Attitude(axis) => written.attitude_kp[axis] = gain,
            Part::Rate { term, axis } => {
                let terms = [
                    &mut written.rate_kp,
                    &mut written.rate_ki,
                    &mut written.rate_kd,
                ];
                if let Some(axes) = terms.into_iter().nth(term) {
                    axes[axis] = gain;
                }
            }
        }
    }
    let loops = [&mut written.position_xy, &mut written.position_z];
    for (pid, terms) in loops.into_iter().zip(cascades) {
        if let [Some(position_p), Some(velocity_p), Some(velocity_i)] = terms {
            let cascade = Cascade {
                position_p,
                velocity_p,
                velocity_i,
            };
            *pid = cascade.pid();
        }
    }
    written
}

/// How gains as written fly in the run's own held-out winds.
#[derive(Debug, Clone, PartialEq)]
pub struct Flown {
    /// One sentence a domain: what they cost beside the recommended and the old gains.
    pub said: Vec<String>,
    /// Domains in which they are worse than the old gains, or lose more flights.
    pub worse_in: Vec<String>,
}

/// Flies `gains` in the held-out winds of the run `read`.
///
/// # Errors
/// A study or a trajectory that cannot be flown.
pub fn fly(read: &Read, gains: &Gains) -> Result<Flown, Error> {
    let study = read.study()?;
    let tuning = read.tuning(study.as_ref())?;
    let recorded = &read.recorded;
    let winds = recorded.settings.held_out_winds;
    let interrupted = || Error::Interrupted { flights: 0 };
    let tests = test(&tuning, gains, winds, &Interrupt::default()).ok_or_else(interrupted)?;
    Ok(Flown::of(recorded, &tests))
}

impl Flown {
    fn of(recorded: &Recorded, tests: &[Test]) -> Flown {
        let mut flown = Flown {
            said: Vec::new(),
            worse_in: Vec::new(),
        };
        for (domain, ours) in tests.iter().enumerate() {
            let old = &recorded.default.tests[domain];
            let verdict = Judgement::of(old, ours).verdict;
            flown.said.push(format!(
                "Flown as written in {} held-out {} winds: median ACE of completed flights {} ({}); the \
                 recommended gains {}, the old ones {}.",
                ours.ace_m.len(),
                ours.domain,
                figures(ours),
                verdict.words(),
                figures(&recorded.recommended.tests[domain]),
                figures(old)
            ));
            if !matches!(
                verdict,
                Verdict::Better | Verdict::Unclear | Verdict::Unchanged
            ) {
                flown.worse_in.push(ours.domain.clone());
            }
        }
        flown
    }
}

/// "0.301 m, 0 lost".
fn figures(test: &Test) -> String {
    match &test.completed_m {
        Some(error) => format!("{:.3} m, {} lost", error.median, test.crashes),
        None => "none, all lost".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::{ArduPilot, Autopilot, Betaflight, Crazyflie, Px4, Tuned};
    use sim::Airframe;

    #[test]
    fn parameters_stand_for_the_gains_that_they_were_made_from() {
        let airframe = Airframe::by_name("hummingbird").expect("shipped");
        let whole = Tuned {
            position_xy: true,
            position_z: true,
            attitude: [true; 3],
            rate: [true; 3],
        };
        let rates = Tuned {
            rate: [true; 3],
            ..Tuned::default()
        };
        let ardupilot = ArduPilot::new(None).expect("no version needed");
        let targets: [(&dyn Autopilot, Tuned); 4] = [
            (&Px4, whole),
            (&ardupilot, whole),
            (&Crazyflie, whole),
            (&Betaflight, rates),
        ];
        for (autopilot, tuned) in targets {
            let gains = airframe.gains;
            let mapped = autopilot.parameters(&airframe, &gains, &tuned);
            let parameters = mapped.expect("an equivalent");
            let back = gains_of(&Airframe::omac().gains, &parameters);
            let near = |one: f64, other: f64| (one - other).abs() <= 1e-9 * (1.0 + other.abs());
            for k in 0..3 {
                let name = autopilot.name();
                assert!(near(back.rate_kp[k], gains.rate_kp[k]), "{name}");
                assert!(near(back.rate_ki[k], gains.rate_ki[k]), "{name}");
                assert!(near(back.rate_kd[k], gains.rate_kd[k]), "{name}");
                if tuned == whole {
                    assert!(near(back.attitude_kp[k], gains.attitude_kp[k]), "{name}");
                }
            }
            if tuned == whole {
                assert!(near(back.position_xy.kp, gains.position_xy.kp));
                assert!(near(back.position_xy.ki, gains.position_xy.ki));
                assert!(near(back.position_z.kd, gains.position_z.kd));
            }
        }
    }
}
