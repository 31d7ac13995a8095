//! Gains of the cascade: what is tuned.

use crate::error::{Error, Range};
use serde::{Deserialize, Serialize};

/// Gains of one position axis. The loop's output is an acceleration.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pid {
    /// On the position error [1/s²].
    pub kp: f64,
    /// On the integral of the position error [1/s³].
    pub ki: f64,
    /// On the velocity error [1/s].
    pub kd: f64,
}

/// All gains of the cascaded controller.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gains {
    /// Position loop, x and y.
    pub position_xy: Pid,
    /// Position loop, z.
    pub position_z: Pid,
    /// Attitude loop about x, y, z: rate setpoint per angle of attitude error [1/s].
    pub attitude_kp: [f64; 3],
    /// Rate loop, on the rate error [N m per rad/s].
    pub rate_kp: [f64; 3],
    /// Rate loop, on the integral of the rate error [N m per rad].
    pub rate_ki: [f64; 3],
    /// Rate loop, on the derivative of the filtered rate [N m per rad/s²].
    pub rate_kd: [f64; 3],
}

impl Gains {
    /// Reads gains, as a tuning run writes them.
    ///
    /// # Errors
    /// [`Error::GainsSyntax`] with line and column, or [`Error::OutOfRange`].
    pub fn from_toml(text: &str) -> Result<Gains, Error> {
        let gains: Gains = toml::from_str(text).map_err(Error::GainsSyntax)?;
        gains.check()?;
        Ok(gains)
    }

    /// Checks that every gain is finite and not negative.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] naming the gain.
    pub fn check(&self) -> Result<(), Error> {
        let legal = Range("finite and not negative", |x| x >= 0.0);
        let (xy, z) = (&self.position_xy, &self.position_z);
        for (name, value) in [
            ("position_xy.kp", xy.kp),
            ("position_xy.ki", xy.ki),
            ("position_xy.kd", xy.kd),
            ("position_z.kp", z.kp),
            ("position_z.ki", z.ki),
            ("position_z.kd", z.kd),
        ] {
            legal.check(name, value)?;
        }
        legal.all("attitude_kp", &self.attitude_kp)?;
        legal.all("rate_kp", &self.rate_kp)?;
        legal.all("rate_ki", &self.rate_ki)?;
        legal.all("rate_kd", &self.rate_kd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_the_eighteen_gains_may_be_zero_but_not_negative_and_is_named() {
        let none = Pid {
            kp: 0.0,
            ki: 0.0,
            kd: 0.0,
        };
        let zero = Gains {
            position_xy: none,
            position_z: none,
            attitude_kp: [0.0; 3],
            rate_kp: [0.0; 3],
            rate_ki: [0.0; 3],
            rate_kd: [0.0; 3],
        };
        assert!(zero.check().is_ok());
        for which in 0..18 {
            let mut gains = zero;
            let (xy, z) = (&mut gains.position_xy, &mut gains.position_z);
            let [xy_p, xy_i, xy_d] = [&mut xy.kp, &mut xy.ki, &mut xy.kd];
            let [z_p, z_i, z_d] = [&mut z.kp, &mut z.ki, &mut z.kd];
            let (name, value) = match which {
                0 => ("position_xy.kp", xy_p),
                1 => ("position_xy.ki", xy_i),
                2 => ("position_xy.kd", xy_d),
                3 => ("position_z.kp", z_p),
                4 => ("position_z.ki", z_i),
                5 => ("position_z.kd", z_d),
                6..9 => ("attitude_kp", &mut gains.attitude_kp[which - 6]),
                9..12 => ("rate_kp", &mut gains.rate_kp[which - 9]),
                12..15 => ("rate_ki", &mut gains.rate_ki[which - 12]),
                _ => ("rate_kd", &mut gains.rate_kd[which - 15]),
            };
            *value = -1e-9;
            let message = gains.check().expect_err("negative").to_string();
            assert!(message.starts_with(name), "{which}: {message}");
        }
    }
}
