//! Aerodynamics: what the air does to the vehicle beyond the thrust of its rotors. An airframe
//! chooses among the models; forces add up.

mod crosswind;

pub(crate) use crosswind::{Crosswind, RotorPull, WindAnchor};

use crate::error::{Error, NOT_NEGATIVE, POSITIVE, Range};
use crate::lanes::Real;
use crate::lanes::axes::Axes;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// A force and a moment about the centre of mass, both in body axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyWrench {
    /// Force [N].
    pub force_n: Vector3<f64>,
    /// Moment [N m].
    pub moment_n_m: Vector3<f64>,
}

/// The same of [`Real`] numbers: force [N] and moment [N m] in body axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wrench<R> {
    pub(crate) force: Axes<R>,
    pub(crate) moment: Axes<R>,
}

impl<R: Real> Wrench<R> {
    /// Nothing, in as many lanes as `like` has.
    #[inline(always)]
    pub(crate) fn none(like: R) -> Wrench<R> {
        let zero = like.like(0.0);
        let none = Axes::new(zero, zero, zero);
        Wrench {
            force: none,
            moment: none,
        }
    }

    #[inline(always)]
    pub(crate) fn pick(mask: R::Mask, yes: Wrench<R>, no: Wrench<R>) -> Wrench<R> {
        Wrench {
            force: Axes::pick(mask, yes.force, no.force),
            moment: Axes::pick(mask, yes.moment, no.moment),
        }
    }
}

impl<R: Real> std::ops::Add for Wrench<R> {
    type Output = Wrench<R>;
    #[inline(always)]
    fn add(self, other: Wrench<R>) -> Wrench<R> {
        Wrench {
            force: self.force + other.force,
            moment: self.moment + other.moment,
        }
    }
}

impl From<Wrench<f64>> for BodyWrench {
    fn from(wrench: Wrench<f64>) -> BodyWrench {
        BodyWrench {
            force_n: wrench.force.into(),
            moment_n_m: wrench.moment.into(),
        }
    }
}

// Body drag: the quadratic drag of the fuselage, −|v| diag(c) v in body axes.

/// Coefficients of the body's drag; it acts at the centre of mass and makes no moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyDrag {
    /// c along each body axis [N s²/m²].
    pub quadratic_n_s2_per_m2: [f64; 3],
}

impl BodyDrag {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let name = "body_drag.quadratic_n_s2_per_m2";
        NOT_NEGATIVE.all(name, &self.quadratic_n_s2_per_m2)
    }

    /// Force in body axes [N] by coefficients `c` at the airspeed `v` (vehicle minus wind, body axes) [m/s].
    #[inline(always)]
    pub(crate) fn force<R: Real>(c: &[R; 3], v: Axes<R>) -> Axes<R> {
        Axes::new(v.x * c[0], v.y * c[1], v.z * c[2]) * -v.dot(v).sqrt()
    }
}

// Rotor drag: what moving through the air does to each rotor disc.
//
// The linear model of Svacha, Mohta and Kumar (ICUAS 2017) in the form of RotorPy's `multirotor`:
// with the air velocity v_i at hub i and the rotor speed n_i,
//
// f_i = (0, 0, k_h (v_x² + v_y²)) − n_i diag(k_d, k_d, k_z) v_i,
//
// m_i = r_i × f_i − k_flap n_i (v_i × e_z).
//
// The terms are translational lift, rotor drag in and across the disc, and the moment of the
// flapping blades. Thrust and reaction torque are not among them.

/// Coefficients of one rotor; all rotors are alike.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotorDrag {
    /// k_d, drag within the disc over rotor speed and air speed [N s²/(rad m)].
    pub in_plane_n_s2_per_rad_m: f64,
    /// k_z, drag across the disc over rotor speed and air speed [N s²/(rad m)].
    pub axial_n_s2_per_rad_m: f64,
    /// k_h, translational lift over the square of the air speed within the disc [N s²/m²].
    pub translational_lift_n_s2_per_m2: f64,
    /// k_flap, flapping moment over rotor speed and air speed within the disc [N s²/rad], with RotorPy's sign: positive
    /// where it lowers the nose of a vehicle that flies forward, negative where discs that tilt back raise it.
    pub flapping_n_s2_per_rad: f64,
}

impl RotorDrag {
    /// Takes `factor` times all of it.
    pub(crate) fn scale(&mut self, factor: f64) {
        for of in [
            &mut self.in_plane_n_s2_per_rad_m,
            &mut self.axial_n_s2_per_rad_m,
            &mut self.translational_lift_n_s2_per_m2,
            &mut self.flapping_n_s2_per_rad,
        ] {
            *of *= factor;
        }
    }

    /// No drag at all.
    pub const NONE: RotorDrag = RotorDrag {
        in_plane_n_s2_per_rad_m: 0.0,
        axial_n_s2_per_rad_m: 0.0,
        translational_lift_n_s2_per_m2: 0.0,
        flapping_n_s2_per_rad: 0.0,
    };

    pub(crate) fn check(&self) -> Result<(), Error> {
        let name = "rotor_drag.in_plane_n_s2_per_rad_m";
        NOT_NEGATIVE.check(name, self.in_plane_n_s2_per_rad_m)?;
        NOT_NEGATIVE.check("rotor_drag.axial_n_s2_per_rad_m", self.axial_n_s2_per_rad_m)?;
        let name = "rotor_drag.translational_lift_n_s2_per_m2";
        NOT_NEGATIVE.check(name, self.translational_lift_n_s2_per_m2)?;
        let name = "rotor_drag.flapping_n_s2_per_rad";
        Range("finite", |_| true).check(name, self.flapping_n_s2_per_rad)
    }

    /// The four coefficients in their order.
    pub(crate) fn coefficients(&self) -> [f64; 4] {
        [
            self.in_plane_n_s2_per_rad_m,
            self.axial_n_s2_per_rad_m,
            self.translational_lift_n_s2_per_m2,
            self.flapping_n_s2_per_rad,
        ]
    }

    /// Force and moment of all rotors by their [`RotorDrag::coefficients`], for hubs `hubs` [m] turning at `speeds`
    /// [rad/s] on a body that moves through the air at `air_velocity` [m/s, body axes] and turns at `rates` [rad/s].
    #[inline(always)]
    pub(crate) fn wrench<R: Real>(
        [k_in, k_along, k_lift, k_flap]: &[R; 4],
        hubs: &[Axes<R>],
        speeds: &[R],
        air_velocity: Axes<R>,
        rates: Axes<R>,
    ) -> Wrench<R> {
        let zero = air_velocity.x.like(0.0);
        let mut wrench = Wrench::none(zero);
        for i in 0..hubs.len() {
            let (hub, n) = (hubs[i], speeds[i]);
            let v = air_velocity + rates.cross(hub);
            let in_plane = -(n * *k_in);
            let lift = (v.x * v.x + v.y * v.y) * *k_lift;
            let force = Axes::new(in_plane * v.x, in_plane * v.y, lift - n * *k_along * v.z);
            let flapping = Axes::new(v.y, -v.x, zero) * (n * *k_flap);
            let moment = hub.cross(force) - flapping;
            wrench = wrench + Wrench { force, moment };
        }
        wrench
    }
}

// Side force: what crosswind does to spinning propellers.
//
// The model of Shi et al. 2021 (OMAC), file `quadsim.py`, class `QuadrotorWithSideForce`:
//
// F_i = C_s ρ N_i^k₁ V^(2−k₁) D^(2+k₁) ((π/2)² − α²)(α + k₂)
//
// with V the air speed relative to the vehicle, α = asin(|v_z| / V) its angle to the rotor plane,
// and the force along the part of the relative wind that lies in the rotor plane. The source
// writes N_i = √(n_i / C_T) for the rotor speed n_i, which is dimensionally odd; it is what gives
// the force its several newtons, so it is kept.

/// Parameters of the propellers' side force.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideForce {
    /// C_s, in the odd units that the formula leaves.
    pub coefficient: f64,
    /// k₁, between 0 and 2.
    pub speed_exponent: f64,
    /// k₂ [rad].
    pub angle_offset_rad: f64,
    /// Propeller diameter D [m].
    pub propeller_diameter_m: f64,
    /// Air density ρ [kg/m³].
    pub air_density_kg_m3: f64,
}

impl SideForce {
    pub(crate) fn check(&self) -> Result<(), Error> {
        NOT_NEGATIVE.check("side_force.coefficient", self.coefficient)?;
        let exponents = Range("between 0 and 2", |x| (0.0..=2.0).contains(&x));
        exponents.check("side_force.speed_exponent", self.speed_exponent)?;
        NOT_NEGATIVE.check("side_force.angle_offset_rad", self.angle_offset_rad)?;
        POSITIVE.check("side_force.propeller_diameter_m", self.propeller_diameter_m)?;
        POSITIVE.check("side_force.air_density_kg_m3", self.air_density_kg_m3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use nalgebra::Vector3;

    #[test]
    fn the_force_is_against_the_motion_and_grows_with_the_square_of_its_speed() {
        let drag = BodyDrag {
            quadratic_n_s2_per_m2: [0.1, 0.2, 0.3],
        };
        // |v| = 13: -13 (0.1 * 3, 0.2 * -4, 0.3 * 12).
        let coefficients = &drag.quadratic_n_s2_per_m2;
        let force: Vector3<f64> = BodyDrag::force(coefficients, Axes::new(3.0, -4.0, 12.0)).into();
        assert!((force - Vector3::new(-3.9, 10.4, -46.8)).norm() < 1e-13);
    }

    #[test]
    fn no_coefficient_may_be_negative() {
        for axis in 0..3 {
            let mut drag = BodyDrag {
                quadratic_n_s2_per_m2: [0.0; 3],
            };
            assert!(drag.check().is_ok());
            drag.quadratic_n_s2_per_m2[axis] = -1e-9;
            assert!(drag.check().is_err(), "{drag:?}");
        }
    }

    #[test]
    fn force_and_moment_are_the_published_formula_summed_over_the_rotors() {
        let drag = RotorDrag {
            in_plane_n_s2_per_rad_m: 1.2e-4,
            axial_n_s2_per_rad_m: 2.3e-4,
            translational_lift_n_s2_per_m2: 3.1e-2,
            flapping_n_s2_per_rad: 4.7e-5,
        };
        let hubs = [
            Vector3::new(0.15, 0.2, 0.03),
            Vector3::new(0.17, -0.21, 0.01),
            Vector3::new(-0.16, -0.19, 0.02),
            Vector3::new(-0.14, 0.18, -0.02),
        ];
        let speeds = [250.0, 300.0, 275.0, 310.0];
        let (air, rates) = (Vector3::new(3.0, -2.0, 1.5), Vector3::new(0.7, -1.1, 2.3));
        let (mut force, mut moment) = (Vector3::zeros(), Vector3::zeros());
        for (hub, n) in hubs.iter().zip(speeds) {
            let v = air + rates.cross(hub);
            let lift = 3.1e-2 * v.xy().norm_squared();
            let f = Vector3::new(0.0, 0.0, lift)
                - n * Vector3::new(1.2e-4 * v.x, 1.2e-4 * v.y, 2.3e-4 * v.z);
            force += f;
            moment += hub.cross(&f) - 4.7e-5 * n * v.cross(&Vector3::z());
        }
        let wrench = RotorDrag::wrench(
            &drag.coefficients(),
            &hubs.map(|hub| Axes::from(&hub)),
            &speeds,
            Axes::from(&air),
            Axes::from(&rates),
        );
        let [ours, turning]: [Vector3<f64>; 2] = [wrench.force.into(), wrench.moment.into()];
        assert!((ours - force).norm() < 1e-14, "{ours} {force}");
        assert!((turning - moment).norm() < 1e-14, "{turning} {moment}");
    }

    #[test]
    fn only_flapping_of_the_rotors_may_be_negative() {
        assert!(RotorDrag::NONE.check().is_ok());
        for (which, legal) in [false, false, false, true].into_iter().enumerate() {
            let mut drag = RotorDrag::NONE;
            *[
                &mut drag.in_plane_n_s2_per_rad_m,
                &mut drag.axial_n_s2_per_rad_m,
                &mut drag.translational_lift_n_s2_per_m2,
                &mut drag.flapping_n_s2_per_rad,
            ][which] = -1e-9;
            assert_eq!(drag.check().is_ok(), legal, "{drag:?}");
        }
    }

    #[test]
    fn every_parameter_has_its_range_ends_included_where_they_are_legal() {
        let legal = crate::Airframe::omac().side_force.expect("omac has one");
        let with = |change: &dyn Fn(&mut SideForce)| {
            let mut force = legal;
            change(&mut force);
            force.check().is_ok()
        };
        assert!(with(&|force| force.coefficient = 0.0));
        assert!(!with(&|force| force.coefficient = -1e-9));
        assert!(with(&|force| force.speed_exponent = 0.0));
        assert!(with(&|force| force.speed_exponent = 2.0));
        assert!(!with(&|force| force.speed_exponent = 2.000_001));
        assert!(with(&|force| force.angle_offset_rad = 0.0));
        assert!(!with(&|force| force.angle_offset_rad = -1e-9));
        assert!(!with(&|force| force.propeller_diameter_m = 0.0));
        assert!(!with(&|force| force.air_density_kg_m3 = 0.0));
    }
}
