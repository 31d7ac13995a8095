//! Rotors: where they are, what they produce, and how thrust and moments are spread over them.

use crate::error::{Error, NOT_NEGATIVE, POSITIVE, Range, check};
use crate::lanes::Real;
use crate::vehicle::per_rotor::{MOST_ROTORS, PerRotor};
use nalgebra::{Matrix4, SMatrix, SVector, Vector3, Vector4};
use serde::{Deserialize, Serialize};

/// Least reciprocal condition of the scaled allocation that still counts as controllable.
const LEAST_RECIPROCAL_CONDITION: f64 = 1e-6;

/// Most sweeps of a singular value decomposition.
const MOST_SWEEPS: usize = 1_000;

/// Rotors of a quadrotor, of which the arithmetic of a flight is compiled on its own.
pub(crate) const QUAD: usize = 4;

/// What the rotors' thrusts make of thrust and moments; columns beyond the last rotor are 0.
pub(crate) type Allocation = SMatrix<f64, 4, MOST_ROTORS>;

/// The rotors' thrusts for thrust and moments; rows beyond the last rotor are 0.
pub(crate) type Mixing = SMatrix<f64, MOST_ROTORS, 4>;

/// 4 to 12 rotors (three that are fixed cannot give thrust and three moments one by one); four in the order front left, front right, rear right, rear left.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rotors {
    /// Hubs in body axes, from the point that the autopilot takes for the centre of mass [m].
    pub positions_m: Vec<[f64; 3]>,
    /// Sign of the reaction torque on the body about +z (+1 or −1).
    pub yaw_torque_signs: Vec<f64>,
    /// Where each rotor pulls, in body axes, of any length; empty: all upwards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directions: Vec<[f64; 3]>,
    /// Thrust of each rotor over that of `thrust_n_s2_per_rad2`, as in 0.85 for the lower one of a
    /// coaxial pair; empty: 1 each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thrust_factors: Vec<f64>,
    /// Reaction torque of each rotor over that of `torque_n_m_s2_per_rad2`; empty: 1 each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub torque_factors: Vec<f64>,
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
    /// How many there are.
    pub fn count(&self) -> usize {
        self.positions_m.len()
    }

    /// Hub of each rotor in body axes, from the point that the autopilot takes for the centre of mass [m].
    pub fn positions(&self) -> impl Iterator<Item = Vector3<f64>> {
        self.positions_m.iter().map(|hub| Vector3::from(*hub))
    }

    /// The unit vector along which rotor `i` pulls, in body axes.
    pub fn direction(&self, i: usize) -> Vector3<f64> {
        let given = self.directions.get(i).map(|given| Vector3::from(*given));
        given.map_or(Vector3::z(), |given| given.normalize())
    }

    /// Thrust and reaction torque of rotor `i` over those of the coefficients.
    pub fn factors(&self, i: usize) -> [f64; 2] {
        [&self.thrust_factors, &self.torque_factors].map(|of| of.get(i).copied().unwrap_or(1.0))
    }

    /// Whether all rotors are alike and pull upwards.
    pub(crate) fn are_alike(&self) -> bool {
        self.directions.is_empty()
            && self.thrust_factors.is_empty()
            && self.torque_factors.is_empty()
    }

    /// Upward thrust of all rotors at one speed, over that of one whose factor is 1.
    pub fn lift_factor(&self) -> f64 {
        (0..self.count())
            .map(|i| self.factors(i)[0] * self.direction(i).z)
            .sum()
    }

    /// Force and moment about a centre of mass at `centre_m`, in body axes, of rotor `i`, over the square of
    /// its speed times C_T.
    pub(crate) fn effect(&self, i: usize, centre_m: &Vector3<f64>) -> [Vector3<f64>; 2] {
        let ([thrust, torque], axis) = (self.factors(i), self.direction(i));
        let yaw_arm_m = self.torque_n_m_s2_per_rad2 / self.thrust_n_s2_per_rad2;
        let force = axis * thrust;
        let hub = Vector3::from(self.positions_m[i]) - centre_m;
        let turning = axis * (self.yaw_torque_signs[i] * torque * yaw_arm_m);
        [force, hub.cross(&force) + turning]
    }

    /// The inertia that a rotor of such thrust has at the least [kg m²], where none is stated: the thrust
    /// coefficient grows with the fourth power of the diameter, the inertia with a little more, and over it
    /// propellers from 45 mm to 200 mm have 1.5 to 3 kg m² rad²/(N s²).
    pub fn least_inertia_kg_m2(&self) -> f64 {
        1.5 * self.thrust_n_s2_per_rad2
    }

    /// Checks the lists, one entry for each rotor.
    fn check_lists(&self) -> Result<(), Error> {
        let count = self.count() as f64;
        check("number of rotors.positions_m", count, "4 to 12", |n| {
            (4.0..=MOST_ROTORS as f64).contains(&n)
        })?;
        let of = |name, length: usize| {
            let wanted = "one for each of rotors.positions_m";
            check(name, length as f64, wanted, |n| n == count)
        };
        of(
            "number of rotors.yaw_torque_signs",
            self.yaw_torque_signs.len(),
        )?;
        for (name, length) in [
            ("number of rotors.directions", self.directions.len()),
            ("number of rotors.thrust_factors", self.thrust_factors.len()),
            ("number of rotors.torque_factors", self.torque_factors.len()),
        ] {
            if length > 0 {
                of(name, length)?;
            }
        }
        let within = Range("finite, at most 10 m", |x| x.abs() <= 10.0);
        within.all("rotors.positions_m", self.positions_m.iter().flatten())?;
        let hubs: Vec<Vector3<f64>> = self.positions().collect();
        for (i, hub) in hubs.iter().enumerate() {
            for other in &hubs[..i] {
                let name = "distance between two of rotors.positions_m";
                check(name, (hub - other).norm(), "above 1e-4 m", |x| x > 1e-4)?;
            }
        }
        let signs = Range("1 or -1", |s| s.abs() == 1.0);
        signs.all("rotors.yaw_torque_signs", &self.yaw_torque_signs)?;
        for given in &self.directions {
            let length = Vector3::from(*given).norm();
            let wanted = "a direction, of a length between 0.01 and 100";
            check("length of rotors.directions", length, wanted, |x| {
                (0.01..=100.0).contains(&x)
            })?;
            let name = "upward part of rotors.directions";
            check(name, given[2] / length, "at least 0.5", |x| x >= 0.5)?;
        }
        let factors = Range("between 0.1 and 10", |x| (0.1..=10.0).contains(&x));
        factors.all("rotors.thrust_factors", &self.thrust_factors)?;
        factors.all("rotors.torque_factors", &self.torque_factors)
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        self.check_lists()?;
        // Far beyond any rotor, and far from where a quotient of two of them overflows.
        let sane = Range("between 1e-20 and 1e6", |x| (1e-20..=1e6).contains(&x));
        for range in [POSITIVE, sane] {
            range.check("rotors.thrust_n_s2_per_rad2", self.thrust_n_s2_per_rad2)?;
            range.check("rotors.torque_n_m_s2_per_rad2", self.torque_n_m_s2_per_rad2)?;
        }
        Range("at least 1e-4 s", |x| x >= 1e-4).check("rotors.lag_s", self.lag_s)?;
        NOT_NEGATIVE.check("rotors.min_speed_rad_s", self.min_speed_rad_s)?;
        let inertia = Range("between 0 and 1", |x| (0.0..=1.0).contains(&x));
        inertia.check("rotors.rotor_inertia_kg_m2", self.rotor_inertia_kg_m2)?;
        check(
            "rotors.max_speed_rad_s",
            self.max_speed_rad_s,
            "above min_speed_rad_s and at most 1e5",
            |x| x > self.min_speed_rad_s && x <= 1e5,
        )
    }

    /// Greatest thrust without a moment [N], where these are the rotors' shares of it: the one that carries
    /// most reaches its limit first.
    pub(super) fn most_thrust_n(&self, shares: &PerRotor) -> f64 {
        let per_rotor_n = self.thrust_n_s2_per_rad2 * self.max_speed_rad_s.powi(2);
        per_rotor_n / shares.iter().copied().fold(0.0, f64::max)
    }

    /// The allocation [T, M_x, M_y, M_z] = A f about a centre of mass at `centre_m`, where f are the squares of
    /// the rotor speeds over C_T. Of rotors that are alike and pull upwards the rows of A are 1, y_i, −x_i and
    /// s_i C_q/C_T.
    pub(crate) fn allocation(&self, centre_m: &Vector3<f64>) -> Allocation {
        let mut allocation = Allocation::zeros();
        for i in 0..self.count() {
            let [force, moment] = self.effect(i, centre_m);
            allocation.set_column(i, &moment.insert_row(0, force.z));
        }
        allocation
    }

    /// The thrust and moments that the autopilot asks for where its mixing gives `thrusts`, the squares of the
    /// rotor speeds over C_T.
    pub(crate) fn asked(&self, thrusts: &PerRotor) -> Vector4<f64> {
        let allocation = self.allocation(&Vector3::zeros());
        let given = allocation * SVector::from(thrusts.padded());
        if self.are_alike() {
            return given;
        }
        let mixing = self.mixing().ok();
        let inverse = mixing.and_then(|mixing| (allocation * mixing).try_inverse());
        inverse.map_or(given, |inverse| inverse * given)
    }

    /// How the autopilot spreads thrust and moments over the rotors: as its mixer does, which takes all rotors for
    /// alike, with as much of each as the rotors then give. The pseudo-inverse of the allocation, which for a
    /// regular frame is in proportion to the firmware's table.
    ///
    /// # Errors
    /// [`Error::Geometry`] when thrust and moments cannot be commanded independently.
    pub(crate) fn mixing(&self) -> Result<Mixing, Error> {
        if self.thrust_factors.is_empty() && self.torque_factors.is_empty() {
            return self.pseudo_inverse();
        }
        let alike = Rotors {
            thrust_factors: Vec::new(),
            torque_factors: Vec::new(),
            ..self.clone()
        };
        let mut mixing = alike.pseudo_inverse()?;
        let given = self.allocation(&Vector3::zeros()) * mixing;
        for axis in 0..4 {
            let mut column = mixing.column_mut(axis);
            column /= given[(axis, axis)];
        }
        Ok(mixing)
    }

    /// The pseudo-inverse of the allocation; of a square one its inverse.
    fn pseudo_inverse(&self) -> Result<Mixing, Error> {
        let allocation = self.allocation(&Vector3::zeros());
        // Rows have different units, so each is scaled to its own size before conditioning is judged.
        let sizes = [0, 1, 2, 3].map(|row| allocation.row(row).amax().max(f64::MIN_POSITIVE));
        let mut scaled = allocation;
        for (mut row, size) in scaled.row_iter_mut().zip(sizes) {
            row /= size;
        }
        let reciprocal_condition = reciprocal_condition(&scaled);
        let inverse = match self.count() {
            QUAD => {
                let square: Matrix4<f64> = allocation.fixed_view::<4, 4>(0, 0).into_owned();
                square
                    .try_inverse()
                    .map(|inverse| inverse.fixed_resize(0.0))
            }
            _ => (scaled * scaled.transpose()).try_inverse().map(|inverse| {
                let mut mixing: Mixing = scaled.transpose() * inverse;
                for (mut column, size) in mixing.column_iter_mut().zip(sizes) {
                    column /= size;
                }
                mixing
            }),
        };
        inverse
            .filter(|_| reciprocal_condition > LEAST_RECIPROCAL_CONDITION)
            .ok_or(Error::Geometry(reciprocal_condition))
    }
}

/// Smallest over largest singular value; 0 if that cannot be computed.
fn reciprocal_condition(matrix: &Allocation) -> f64 {
    // Of numbers that are not finite the decomposition would never end.
    if matrix.iter().any(|x| !x.is_finite()) {
        return 0.0;
    }
    let decomposed = matrix.try_svd(false, false, f64::EPSILON, MOST_SWEEPS);
    decomposed.map_or(0.0, |svd| {
        svd.singular_values.min() / svd.singular_values.max()
    })
}

/// The sum of one number a rotor, four at a time, so that it is the same however many places there are.
#[inline(always)]
pub(crate) fn sum<R: Real, const N: usize>(of: &[R; N]) -> R {
    let four = |at: usize| (of[at] + of[at + 1]) + (of[at + 2] + of[at + 3]);
    let mut sum = four(0);
    for at in (QUAD..N).step_by(QUAD) {
        sum = sum + four(at);
    }
    sum
}

/// The numbers of lane `k`, one for each of `count` rotors.
#[inline(always)]
pub(crate) fn of_lane<R: Real, const N: usize>(
    numbers: &[R; N],
    count: usize,
    k: usize,
) -> PerRotor {
    PerRotor::new(taken::<N>(count), |i| numbers[i].lane(k))
}

/// How many of `N` places are taken by `count` rotors; known to the compiler for a quadrotor.
#[inline(always)]
pub(crate) fn taken<const N: usize>(count: usize) -> usize {
    if N == QUAD { QUAD } else { count.min(N) }
}
