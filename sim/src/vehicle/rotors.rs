//! Rotors: where the four are, what they produce, and how thrust and moments are spread over them.

use crate::error::{Error, check};
use nalgebra::{Matrix4, Vector3};
use serde::{Deserialize, Serialize};

/// Least reciprocal condition of the scaled allocation that still counts as controllable.
const LEAST_RECIPROCAL_CONDITION: f64 = 1e-6;

/// Most sweeps of a singular value decomposition.
const MOST_SWEEPS: usize = 1_000;

/// Four rotors in the order front left, front right, rear right, rear left.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rotors {
    /// Hubs relative to the centre of mass in body axes [m].
    pub positions_m: [[f64; 3]; 4],
    /// Sign of the reaction torque on the body about +z (+1 or −1).
    pub yaw_torque_signs: [f64; 4],
    /// Thrust over the square of the speed, C_T [N s²/rad²].
    pub thrust_n_s2_per_rad2: f64,
    /// Reaction torque over the square of the speed, C_q [N m s²/rad²].
    pub torque_n_m_s2_per_rad2: f64,
    /// Time constant of the first-order lag from commanded to true speed [s].
    pub lag_s: f64,
    /// Least speed that can be commanded [rad/s].
    pub min_speed_rad_s: f64,
    /// Greatest speed that can be commanded [rad/s].
    pub max_speed_rad_s: f64,
    /// Moment of inertia of one rotor with what turns with it, about its axis [kg m²]: a rotor that
    /// gains speed turns the body against it. 0: left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rotor_inertia_kg_m2: f64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the form that serde calls
fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

impl Rotors {
    /// Hub of each rotor relative to the centre of mass in body axes [m].
    pub fn positions(&self) -> [Vector3<f64>; 4] {
        self.positions_m.map(Vector3::from)
    }

    /// The inertia that a rotor of such thrust has at the least [kg m²], where none is stated: the thrust
    /// coefficient grows with the fourth power of the diameter, the inertia with a little more, and over it
    /// propellers from 45 mm to 200 mm have 1.5 to 3 kg m² rad²/(N s²).
    pub fn least_inertia_kg_m2(&self) -> f64 {
        1.5 * self.thrust_n_s2_per_rad2
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        for position in self.positions_m {
            for x in position {
                check("rotors.positions_m", x, "finite, at most 10 m", |x| {
                    x.abs() <= 10.0
                })?;
            }
        }
        for sign in self.yaw_torque_signs {
            check("rotors.yaw_torque_signs", sign, "1 or -1", |s| {
                s.abs() == 1.0
            })?;
        }
        check(
            "rotors.thrust_n_s2_per_rad2",
            self.thrust_n_s2_per_rad2,
            "positive",
            |x| x > 0.0,
        )?;
        check(
            "rotors.torque_n_m_s2_per_rad2",
            self.torque_n_m_s2_per_rad2,
            "positive",
            |x| x > 0.0,
        )?;
        // Far beyond any rotor, and far from where a quotient of two of them overflows.
        for (name, value) in [
            ("rotors.thrust_n_s2_per_rad2", self.thrust_n_s2_per_rad2),
            ("rotors.torque_n_m_s2_per_rad2", self.torque_n_m_s2_per_rad2),
        ] {
            check(name, value, "between 1e-20 and 1e6", |x| {
                (1e-20..=1e6).contains(&x)
            })?;
        }
        check("rotors.lag_s", self.lag_s, "at least 1e-4 s", |x| x >= 1e-4)?;
        check(
            "rotors.min_speed_rad_s",
            self.min_speed_rad_s,
            "not negative",
            |x| x >= 0.0,
        )?;
        check(
            "rotors.rotor_inertia_kg_m2",
            self.rotor_inertia_kg_m2,
            "between 0 and 1",
            |x| (0.0..=1.0).contains(&x),
        )?;
        check(
            "rotors.max_speed_rad_s",
            self.max_speed_rad_s,
            "above min_speed_rad_s and at most 1e5",
            |x| x > self.min_speed_rad_s && x <= 1e5,
        )
    }

    /// Greatest thrust without a moment [N], where these are the rotors' shares of it: the one that carries
    /// most reaches its limit first.
    pub(super) fn most_thrust_n(&self, shares: &[f64; 4]) -> f64 {
        let per_rotor_n = self.thrust_n_s2_per_rad2 * self.max_speed_rad_s.powi(2);
        per_rotor_n / shares.iter().copied().fold(0.0, f64::max)
    }

    /// The allocation [T, M_x, M_y, M_z] = A f, where f are the rotor thrusts and the rows of A are 1,
    /// y_i, −x_i and s_i C_q/C_T.
    pub(crate) fn allocation(&self) -> Matrix4<f64> {
        let yaw_arm_m = self.torque_n_m_s2_per_rad2 / self.thrust_n_s2_per_rad2;
        Matrix4::from_fn(|row, rotor| {
            let [x, y, _] = self.positions_m[rotor];
            [1.0, y, -x, self.yaw_torque_signs[rotor] * yaw_arm_m][row]
        })
    }

    /// Its inverse.
    ///
    /// # Errors
    /// [`Error::Geometry`] when thrust and moments cannot be commanded independently.
    pub(crate) fn inverse_allocation(&self) -> Result<Matrix4<f64>, Error> {
        let allocation = self.allocation();
        // Rows have different units, so each is scaled to its own size before conditioning is judged.
        let mut scaled = allocation;
        for mut row in scaled.row_iter_mut() {
            let size = row.amax().max(f64::MIN_POSITIVE);
            row /= size;
        }
        let reciprocal_condition = reciprocal_condition(&scaled);
        allocation
            .try_inverse()
            .filter(|_| reciprocal_condition > LEAST_RECIPROCAL_CONDITION)
            .ok_or(Error::Geometry {
                reciprocal_condition,
            })
    }
}

/// Each rotor's share of a collective thrust without moments, given the inverse of the allocation;
/// they add up to 1.
pub(crate) fn thrust_shares(inverse: &Matrix4<f64>) -> [f64; 4] {
    inverse.column(0).into_owned().into()
}

/// Smallest over largest singular value; 0 if that cannot be computed.
fn reciprocal_condition(matrix: &Matrix4<f64>) -> f64 {
    // Of numbers that are not finite the decomposition would never end.
    if matrix.iter().any(|x| !x.is_finite()) {
        return 0.0;
    }
    let decomposed = matrix.try_svd(false, false, f64::EPSILON, MOST_SWEEPS);
    decomposed.map_or(0.0, |svd| {
        svd.singular_values.min() / svd.singular_values.max()
    })
}
