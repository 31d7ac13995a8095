//! Inverse: the gains that an autopilot has once it has stored a file of parameters.

use super::Parameter;
use super::cascade::Cascade;
use crate::Gains;
use crate::autopilot::targets::common::Part;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Airframe;
    use crate::autopilot::{ArduPilot, Autopilot, Betaflight, Crazyflie, Px4, Tuned};

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
