//! Law: what an autopilot does besides the gains and limits of its cascade.

use crate::error::{Error, NOT_NEGATIVE, POSITIVE, Range};
use serde::{Deserialize, Serialize};

/// How the attitude error becomes a rate setpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttitudeLaw {
    /// 2 P sign(q₀) q_v of the whole error quaternion: a heading error ψ turns the correction of the
    /// tilt aside by ψ/2 (Shi et al. 2021).
    Quaternion,
    /// The thrust axis goes the shortest way to where it should be, and the heading turns about it
    /// (ArduPilot's `thrust_heading_rotation_angles`; PX4's `AttitudeControl` with
    /// [`Law::heading_weight`]).
    #[default]
    TiltFirst,
    /// Roll, pitch and yaw one by one, with the tilt taken in the vehicle's own heading (Crazyflie).
    Angles,
}

/// The structure of an autopilot's attitude, rate and vertical loops; what is left out is absent.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Law {
    /// How the attitude error becomes a rate setpoint.
    pub attitude: AttitudeLaw,
    /// Share of the heading error that is corrected together with the tilt where the thrust axis goes
    /// first, with the yaw gain over it (PX4's `MC_YAW_WEIGHT`); 0: apart.
    pub heading_weight: f64,
    /// Angular acceleration at which an attitude error may be taken back [rad/s²]: beyond the error that
    /// P alone would take back with it, the rate setpoint grows with the root of the error (ArduPilot's
    /// `sqrt_controller`); 0: none.
    pub attitude_acceleration_rad_s2: [f64; 3],
    /// Low-pass of first order on the rate setpoint [Hz]; 0: none.
    pub rate_setpoint_filter_hz: [f64; 3],
    /// Torque over the rate setpoint [N m per rad/s].
    pub rate_feedforward: [f64; 3],
    /// Torque over the derivative of the rate setpoint [N m per rad/s²].
    pub rate_feedforward_derivative: [f64; 3],
    /// Low-pass of first order on the torque [Hz]; 0: none.
    pub torque_filter_hz: [f64; 3],
    /// A loop on the vertical acceleration below the position loop, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertical: Option<VerticalLoop>,
    /// Share of the rotors' top speed that the autopilot commands at most (ArduPilot's `MOT_SPIN_MAX`); all of it where
    /// there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotor_speed_share: Option<f64>,
}

/// PI control of the vertical acceleration around the thrust that hovers: thrust over mass is
/// g + P e + I ∫e, where e is wanted minus felt acceleration behind a low-pass of first order.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerticalLoop {
    /// On the error [1].
    pub kp: f64,
    /// On its integral [1/s].
    pub ki: f64,
    /// Low-pass of first order on the error [Hz].
    pub filter_hz: f64,
    /// Low-pass of first order on the thrust that is asked for [Hz]; 0: none.
    #[serde(default)]
    pub thrust_filter_hz: f64,
    /// Clamp of what the integral adds [m/s²].
    pub integral_limit_m_s2: f64,
}

impl Law {
    /// That of Shi et al. 2021, and of records that state none.
    pub const QUATERNION: Law = Law {
        attitude: AttitudeLaw::Quaternion,
        heading_weight: 0.0,
        attitude_acceleration_rad_s2: [0.0; 3],
        rate_setpoint_filter_hz: [0.0; 3],
        rate_feedforward: [0.0; 3],
        rate_feedforward_derivative: [0.0; 3],
        torque_filter_hz: [0.0; 3],
        vertical: None,
        rotor_speed_share: None,
    };

    pub(super) fn check(&self) -> Result<(), Error> {
        let weights = Range("between 0 and 1", |x| (0.0..=1.0).contains(&x));
        weights.check("controller.law.heading_weight", self.heading_weight)?;
        let legal = Range("between 0 and 1e6", |x| (0.0..=1e6).contains(&x));
        let name = "controller.law.attitude_acceleration_rad_s2";
        legal.all(name, &self.attitude_acceleration_rad_s2)?;
        let name = "controller.law.rate_setpoint_filter_hz";
        legal.all(name, &self.rate_setpoint_filter_hz)?;
        legal.all("controller.law.rate_feedforward", &self.rate_feedforward)?;
        let name = "controller.law.rate_feedforward_derivative";
        legal.all(name, &self.rate_feedforward_derivative)?;
        legal.all("controller.law.torque_filter_hz", &self.torque_filter_hz)?;
        let shares = Range("above 0 and at most 1", |x| x > 0.0 && x <= 1.0);
        let name = "controller.law.rotor_speed_share";
        shares.all(name, self.rotor_speed_share.iter())?;
        self.vertical.iter().try_for_each(|vertical| {
            legal.check("controller.law.vertical.kp", vertical.kp)?;
            legal.check("controller.law.vertical.ki", vertical.ki)?;
            legal.check("controller.law.vertical.filter_hz", vertical.filter_hz)?;
            let of_thrust = vertical.thrust_filter_hz;
            legal.check("controller.law.vertical.thrust_filter_hz", of_thrust)?;
            let limit = vertical.integral_limit_m_s2;
            legal.check("controller.law.vertical.integral_limit_m_s2", limit)
        })
    }
}

// Limits: what bounds an autopilot's commands.

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
    /// What else the autopilot does; [`Law::default`] where an airframe file has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<Law>,
}

impl ControllerLimits {
    /// What the autopilot does besides its gains; of a record that states none, what was flown then.
    pub fn law(&self) -> Law {
        self.law.unwrap_or(Law::QUATERNION)
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        POSITIVE.check("controller.max_thrust_n", self.max_thrust_n)?;
        let tilts = Range("between 0 and 90", |x| x > 0.0 && x < 90.0);
        tilts.check("controller.max_tilt_deg", self.max_tilt_deg)?;
        let name = "controller.position_integral_limit_m_s";
        NOT_NEGATIVE.check(name, self.position_integral_limit_m_s)?;
        POSITIVE.check("controller.rate_filter_s", self.rate_filter_s)?;
        let name = "controller.rate_setpoint_limit_rad_s";
        NOT_NEGATIVE.all(name, &self.rate_setpoint_limit_rad_s)?;
        let name = "controller.rate_integral_limit_rad";
        NOT_NEGATIVE.all(name, &self.rate_integral_limit_rad)?;
        let name = "controller.torque_setpoint_limit_n_m";
        NOT_NEGATIVE.all(name, &self.torque_setpoint_limit_n_m)?;
        self.law.iter().try_for_each(Law::check)
    }
}
