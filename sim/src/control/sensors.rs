//! Sensors: what the autopilot believes about the vehicle.

use crate::error::{Error, Range};
use crate::random::{Purpose, stream};
use crate::vehicle::state::State;
use nalgebra::{UnitQuaternion, Vector3};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Noise and delay of what the autopilot measures and a log shows; zero gives the true state.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SensorNoise {
    /// Standard deviation of each position component [m].
    pub position_m: f64,
    /// Standard deviation of each velocity component [m/s].
    pub velocity_m_s: f64,
    /// Standard deviation of the attitude about each body axis [rad].
    pub attitude_rad: f64,
    /// Standard deviation of each body rate [rad/s].
    pub rates_rad_s: f64,
    /// Age of every measurement, in control periods of 1 ms.
    pub delay_periods: u32,
    /// Standard deviation, from flight to flight, of what the gyro of each axis is off by [rad/s].
    #[serde(skip_serializing_if = "is_zero")]
    pub gyro_bias_rad_s: f64,
    /// Standard deviation of each axis of the accelerometer, which only logs show [m/s²].
    #[serde(skip_serializing_if = "is_zero")]
    pub accelerometer_m_s2: f64,
    /// Standard deviation, from flight to flight, of what each axis of it is off by [m/s²].
    #[serde(skip_serializing_if = "is_zero")]
    pub accelerometer_bias_m_s2: f64,
    /// How much the rotors shake each axis of it [m/s²].
    #[serde(skip_serializing_if = "is_zero")]
    pub vibration_m_s2: f64,
    /// Gaps in a log, each of up to 20 ms [1/s].
    #[serde(skip_serializing_if = "is_zero")]
    pub dropouts_per_s: f64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the form that serde calls
fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

/// Delay of gyro filter, loop and speed controllers with which an autopilot comes [ms]; that of
/// `bo::export` for its stock parameters, to the next control period.
pub const AUTOPILOT_DELAYS_MS: [(&str, u32); 4] = [
    ("px4", 10),
    ("ardupilot", 16),
    ("betaflight", 3),
    ("crazyflie", 6),
];

/// The delay with which `autopilot` comes [ms]; `None` for an unknown name.
pub fn autopilot_delay_ms(autopilot: &str) -> Option<u32> {
    let mut known = AUTOPILOT_DELAYS_MS.iter();
    known.find_map(|(name, late_ms)| (*name == autopilot).then_some(*late_ms))
}

impl SensorNoise {
    /// Longest delay, in control periods.
    pub const LONGEST_DELAY: u32 = 1_000;

    /// Greatest standard deviation of anything measured, in its unit: far beyond any sensor, and
    /// far from where a measurement could overflow.
    pub const GREATEST: f64 = 1e6;

    /// No noise at all. Tuning then degenerates: every gain runs to its upper bound.
    pub const NONE: SensorNoise = SensorNoise {
        position_m: 0.0,
        velocity_m_s: 0.0,
        attitude_rad: 0.0,
        rates_rad_s: 0.0,
        delay_periods: 0,
        gyro_bias_rad_s: 0.0,
        accelerometer_m_s2: 0.0,
        accelerometer_bias_m_s2: 0.0,
        vibration_m_s2: 0.0,
        dropouts_per_s: 0.0,
    };

    /// That of a small vehicle's sensors.
    pub const TYPICAL: SensorNoise = SensorNoise {
        position_m: 0.02,
        velocity_m_s: 0.1,
        attitude_rad: 0.005,
        rates_rad_s: 0.02,
        delay_periods: 4,
        gyro_bias_rad_s: 0.01,
        accelerometer_m_s2: 0.4,
        accelerometer_bias_m_s2: 0.1,
        vibration_m_s2: 0.5,
        dropouts_per_s: 0.2,
    };

    /// Whether the attitude and rate loops get anything but the truth of some time ago.
    pub(crate) fn disturbs_inner_loops(&self) -> bool {
        self.attitude_rad > 0.0 || self.rates_rad_s > 0.0 || self.gyro_bias_rad_s > 0.0
    }

    /// Reads and checks noise and delay; what is left out has its default.
    ///
    /// # Errors
    /// [`Error::SensorsSyntax`] with line and column, or [`Error::OutOfRange`].
    pub fn from_toml(text: &str) -> Result<SensorNoise, Error> {
        let noise: SensorNoise = toml::from_str(text).map_err(Error::SensorsSyntax)?;
        noise.check()?;
        Ok(noise)
    }

    /// Checks that every number is legal.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] naming the number.
    pub fn check(&self) -> Result<(), Error> {
        let noise = Range("between 0 and 1e6", |x| {
            (0.0..=SensorNoise::GREATEST).contains(&x)
        });
        for (name, value) in [
            ("sensors.position_m", self.position_m),
            ("sensors.velocity_m_s", self.velocity_m_s),
            ("sensors.attitude_rad", self.attitude_rad),
            ("sensors.rates_rad_s", self.rates_rad_s),
            ("sensors.gyro_bias_rad_s", self.gyro_bias_rad_s),
            ("sensors.accelerometer_m_s2", self.accelerometer_m_s2),
            (
                "sensors.accelerometer_bias_m_s2",
                self.accelerometer_bias_m_s2,
            ),
            ("sensors.vibration_m_s2", self.vibration_m_s2),
        ] {
            noise.check(name, value)?;
        }
        let gaps = Range("between 0 and 20", |x| (0.0..=20.0).contains(&x));
        gaps.check("sensors.dropouts_per_s", self.dropouts_per_s)?;
        let late = Range("at most 1000", |x| x <= SensorNoise::LONGEST_DELAY.into());
        late.check("sensors.delay_periods", self.delay_periods.into())
    }
}

impl Default for SensorNoise {
    fn default() -> Self {
        SensorNoise {
            position_m: 0.02,
            velocity_m_s: 0.1,
            ..SensorNoise::NONE
        }
    }
}

/// Position and velocity as measured, in the world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measurement {
    /// Position [m].
    pub position_m: Vector3<f64>,
    /// Velocity [m/s].
    pub velocity_m_s: Vector3<f64>,
}

/// Attitude and body rates as measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InertialMeasurement {
    /// Turns body vectors into world vectors.
    pub attitude: UnitQuaternion<f64>,
    /// Body rates [rad/s].
    pub rates_rad_s: Vector3<f64>,
    /// Vertical velocity, of which an accelerometer feels the change [m/s].
    pub climb_m_s: f64,
}

/// The sensors of one flight.
#[derive(Debug, Clone)]
pub struct Sensors {
    noise: SensorNoise,
    rng: ChaCha8Rng,
    gyro_bias_rad_s: Vector3<f64>,
    /// States that have not been seen yet, oldest first; empty without a delay.
    past: VecDeque<State>,
}

impl Sensors {
    /// Sensors whose noise belongs to `seed`.
    pub fn new(noise: SensorNoise, seed: u64) -> Sensors {
        Sensors {
            noise,
            rng: stream(seed, Purpose::Sensors),
            gyro_bias_rad_s: match noise.gyro_bias_rad_s > 0.0 {
                true => biases(seed)[0] * noise.gyro_bias_rad_s,
                false => Vector3::zeros(),
            },
            past: VecDeque::new(),
        }
    }

    /// Takes in the state of this control period; returns the one that can be seen now. Before
    /// the delay has passed for the first time, that is the first state of all.
    #[inline(always)]
    pub fn see(&mut self, state: &State) -> State {
        if self.noise.delay_periods == 0 {
            return *state;
        }
        self.see_the_past(state)
    }

    #[cold]
    fn see_the_past(&mut self, state: &State) -> State {
        self.past.push_back(*state);
        if self.past.len() > self.noise.delay_periods as usize {
            self.past.pop_front().unwrap_or(*state)
        } else {
            self.past.front().copied().unwrap_or(*state)
        }
    }

    /// What the autopilot gets at control tick `tick`: position and velocity where its position
    /// loop runs, attitude and rates always. In this order, which decides what noise each has.
    #[inline(always)]
    pub(crate) fn sense(
        &mut self,
        tick: u64,
        state: &State,
    ) -> (Option<Measurement>, InertialMeasurement) {
        let seen = self.see(state);
        let measured = super::positions_at(tick).then(|| self.measure(&seen));
        (measured, self.measure_inertial(&seen))
    }

    /// Position and velocity of the seen state `seen`, with noise.
    pub fn measure(&mut self, seen: &State) -> Measurement {
        let position_m = seen.position_m + self.noise_vector() * self.noise.position_m;
        let velocity_m_s = seen.velocity_m_s + self.noise_vector() * self.noise.velocity_m_s;
        Measurement {
            position_m,
            velocity_m_s,
        }
    }

    /// Attitude and rates of the seen state `seen`, with noise where there is any.
    #[inline(always)]
    pub fn measure_inertial(&mut self, seen: &State) -> InertialMeasurement {
        let mut measured = InertialMeasurement {
            attitude: seen.attitude,
            rates_rad_s: seen.rates_rad_s,
            climb_m_s: seen.velocity_m_s.z,
        };
        if self.noise.attitude_rad > 0.0 {
            let turn = self.noise_vector() * self.noise.attitude_rad;
            measured.attitude *= UnitQuaternion::from_scaled_axis(turn);
        }
        if self.noise.rates_rad_s > 0.0 {
            measured.rates_rad_s += self.noise_vector() * self.noise.rates_rad_s;
        }
        if self.noise.gyro_bias_rad_s > 0.0 {
            measured.rates_rad_s += self.gyro_bias_rad_s;
        }
        measured
    }

    fn noise_vector(&mut self) -> Vector3<f64> {
        normal(&mut self.rng)
    }
}

/// Three numbers of the standard normal distribution.
pub(super) fn normal(rng: &mut ChaCha8Rng) -> Vector3<f64> {
    Vector3::from_fn(|_, _| StandardNormal.sample(rng))
}

/// What gyro and accelerometer are off by in the flight of that seed, over its standard deviation.
pub(super) fn biases(seed: u64) -> [Vector3<f64>; 2] {
    let mut rng = stream(seed, Purpose::Biases);
    [normal(&mut rng), normal(&mut rng)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(time: f64) -> State {
        State {
            position_m: Vector3::repeat(time),
            velocity_m_s: Vector3::repeat(-time),
            attitude: UnitQuaternion::from_euler_angles(0.1, -0.2, 0.3),
            rates_rad_s: Vector3::new(1.0, 2.0, 3.0),
            rotors_rad_s: [100.0; 4].into(),
        }
    }

    #[test]
    fn without_noise_and_delay_the_truth_is_seen() {
        let mut sensors = Sensors::new(SensorNoise::NONE, 1);
        let seen = sensors.see(&state(2.0));
        assert_eq!(sensors.measure(&seen).position_m, Vector3::repeat(2.0));
        assert_eq!(
            sensors.measure_inertial(&seen).attitude,
            state(2.0).attitude
        );
        assert_eq!(
            sensors.measure_inertial(&seen).rates_rad_s,
            state(2.0).rates_rad_s
        );
    }

    #[test]
    fn a_delay_shows_the_past() {
        let noise = SensorNoise {
            delay_periods: 3,
            ..SensorNoise::NONE
        };
        let mut sensors = Sensors::new(noise, 1);
        let seen: Vec<f64> = (0..8)
            .map(|k| sensors.see(&state(f64::from(k))).position_m.x)
            .collect();
        assert_eq!(seen, [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0]);
    }

    #[test]
    fn the_noise_has_the_stated_size_on_every_sensor() {
        let noise = SensorNoise {
            position_m: 0.02,
            velocity_m_s: 0.1,
            attitude_rad: 0.01,
            rates_rad_s: 0.05,
            ..SensorNoise::NONE
        };
        let mut sensors = Sensors::new(noise, 1);
        let (truth, n) = (state(0.0), 20_000);
        let mut squares = [0.0; 4];
        for _ in 0..n {
            let (outer, inner) = (sensors.measure(&truth), sensors.measure_inertial(&truth));
            squares[0] += outer.position_m.norm_squared();
            squares[1] += outer.velocity_m_s.norm_squared();
            squares[2] += truth.attitude.angle_to(&inner.attitude).powi(2);
            squares[3] += (inner.rates_rad_s - truth.rates_rad_s).norm_squared();
        }
        // Three components each: relative standard error of the deviation 1/√(6 n) = 0.3 %.
        for (square, sigma) in squares.iter().zip([0.02, 0.1, 0.01, 0.05]) {
            let measured = (square / (3.0 * f64::from(n))).sqrt();
            assert!(
                (measured / sigma - 1.0).abs() < 0.012,
                "{measured} against {sigma}"
            );
        }
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let noise = SensorNoise {
            rates_rad_s: -1.0,
            ..SensorNoise::NONE
        };
        let message = noise.check().expect_err("negative").to_string();
        assert_eq!(
            message,
            "sensors.rates_rad_s is -1; it must be between 0 and 1e6"
        );
        let noise = SensorNoise {
            delay_periods: 2_000,
            ..SensorNoise::NONE
        };
        let message = noise.check().expect_err("too long").to_string();
        assert_eq!(
            message,
            "sensors.delay_periods is 2000; it must be at most 1000"
        );
    }
}
