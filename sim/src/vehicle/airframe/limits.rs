//! Limits: what bounds an autopilot's commands.

use super::law::Law;
use crate::error::{Error, check};
use serde::{Deserialize, Serialize};

/// What the autopilot never exceeds, whatever its gains.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControllerLimits {
    /// Greatest force that the position loop asks for [N].
    pub max_thrust_n: f64,
    /// Greatest angle between that force and the vertical [deg].
    pub max_tilt_deg: f64,
    /// Clamp of the position loop's error integral, each axis [m s].
    pub position_integral_limit_m_s: f64,
    /// Clamp of the rate setpoint [rad/s].
    pub rate_setpoint_limit_rad_s: [f64; 3],
    /// Clamp of the rate loop's error integral [rad].
    pub rate_integral_limit_rad: [f64; 3],
    /// Clamp of the torque setpoint [N m].
    pub torque_setpoint_limit_n_m: [f64; 3],
    /// Time constant of the low-pass before the derivative of the measured rate [s].
    pub rate_filter_s: f64,
    /// What the autopilot does beside; [`Law::default`] where an airframe file has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<Law>,
}

impl ControllerLimits {
    /// What the autopilot does beside its gains; of a record that states none, what was flown then.
    pub fn law(&self) -> Law {
        self.law.unwrap_or(Law::QUATERNION)
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        check(
            "controller.max_thrust_n",
            self.max_thrust_n,
            "positive",
            |x| x > 0.0,
        )?;
        check(
            "controller.max_tilt_deg",
            self.max_tilt_deg,
            "between 0 and 90",
            |x| x > 0.0 && x < 90.0,
        )?;
        check(
            "controller.position_integral_limit_m_s",
            self.position_integral_limit_m_s,
            "not negative",
            |x| x >= 0.0,
        )?;
        check(
            "controller.rate_filter_s",
            self.rate_filter_s,
            "positive",
            |x| x > 0.0,
        )?;
        let limits = [
            (
                "controller.rate_setpoint_limit_rad_s",
                self.rate_setpoint_limit_rad_s,
            ),
            (
                "controller.rate_integral_limit_rad",
                self.rate_integral_limit_rad,
            ),
            (
                "controller.torque_setpoint_limit_n_m",
                self.torque_setpoint_limit_n_m,
            ),
        ];
        for (name, values) in limits {
            for value in values {
                check(name, value, "not negative", |x| x >= 0.0)?;
            }
        }
        self.law.iter().try_for_each(Law::check)
    }
}
