//! Crosswind: the propellers' side force evaluated, over any lanes; the formula is that of
//! [`SideForce`].

use super::{SideForce, Wrench};
use crate::Rotors;
use crate::lanes::Real;
use crate::lanes::axes::Axes;
use crate::lanes::elementary::{
    Arctangent, NEAR, Power, arcsine_near_0, reciprocal_root_of_one_plus,
};
use crate::vehicle::rotors::taken;
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// In-plane relative wind below which the force has no direction and is left out [m/s].
const LEAST_CROSSWIND_M_S: f64 = 1e-4;

/// What the side force depends on through the rotor speeds alone. It is the same for every wind
/// and attitude, so one evaluation serves all stages of an integration step that share the speeds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RotorPull<R> {
    /// Σ w_i with w_i = C_s ρ D^(2+k₁) N_i^k₁.
    total: R,
    /// Σ w_i r_i, with r_i the hub relative to the centre of mass in body axes [m × the above].
    moment_arm: Axes<R>,
}

/// The side force of one vehicle, with everything that no flight changes worked out beforehand.
#[derive(Debug, Clone)]
pub(crate) struct Crosswind<R, const N: usize> {
    /// How many rotors there are.
    count: usize,
    hubs_m: [Axes<R>; N],
    scale: R,
    angle_offset_rad: f64,
    functions: Arc<Functions>,
}

#[derive(Debug)]
struct Functions {
    /// Of a rotor speed: N_i^k₁ up to a constant.
    rotor_power: Power,
    /// Of the squared wind speed: V^(2−k₁) = (V²)^(1−k₁/2).
    wind_power: Power,
    arctangent: Arctangent,
}

/// A relative wind at which the force was evaluated, and what came out. Within an integration step
/// the relative wind changes by a few parts in a hundred at most, so that a short series around
/// the step's beginning serves the other stages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WindAnchor<R> {
    /// 1 / (v_x² + v_y²) and 1 / V².
    reciprocals: [R; 2],
    /// √(v_x² + v_y²) and its reciprocal.
    crosswind: [R; 2],
    /// v_z.
    axial: R,
    /// The angle to the rotor plane with the sign of v_z [rad].
    angle: R,
    /// V^(2−k₁).
    power: R,
}

impl<R: Real> RotorPull<R> {
    /// None at all, in as many lanes as `like` has.
    #[inline(always)]
    pub(crate) fn none(like: R) -> RotorPull<R> {
        let zero = like.like(0.0);
        RotorPull {
            total: zero,
            moment_arm: Axes::new(zero, zero, zero),
        }
    }
}

impl<R: Real> WindAnchor<R> {
    /// Nowhere, in as many lanes as `like` has.
    #[inline(always)]
    pub(crate) fn none(like: R) -> WindAnchor<R> {
        let zero = like.like(0.0);
        WindAnchor {
            reciprocals: [zero; 2],
            crosswind: [zero; 2],
            axial: zero,
            angle: zero,
            power: zero,
        }
    }
}

impl<const N: usize> Crosswind<f64, N> {
    /// The side force `side_force` acting on `rotors`, which are at `hubs_m` from the centre of mass.
    pub(crate) fn new(
        side_force: &SideForce,
        rotors: &Rotors,
        hubs_m: [Axes<f64>; N],
    ) -> Crosswind<f64, N> {
        let k1 = side_force.speed_exponent;
        Crosswind {
            count: rotors.count(),
            hubs_m,
            scale: side_force.coefficient
                * side_force.air_density_kg_m3
                * side_force.propeller_diameter_m.powf(2.0 + k1)
                * rotors.thrust_n_s2_per_rad2.powf(-0.5 * k1),
            angle_offset_rad: side_force.angle_offset_rad,
            functions: Arc::new(Functions {
                rotor_power: Power::new(0.5 * k1),
                wind_power: Power::new(1.0 - 0.5 * k1),
                arctangent: Arctangent::new(),
            }),
        }
    }
}

impl<R: Real, const N: usize> Crosswind<R, N> {
    /// The side forces of vehicles that differ in the scale only, one a lane.
    pub(crate) fn fill<'a>(
        like: R,
        each: impl Fn(usize) -> &'a Crosswind<f64, N>,
    ) -> Crosswind<R, N> {
        let first = each(0);
        Crosswind {
            count: first.count,
            hubs_m: std::array::from_fn(|i| Axes::fill(like, |k| each(k).hubs_m[i].into())),
            scale: like.fill(|k| each(k).scale),
            angle_offset_rad: first.angle_offset_rad,
            functions: Arc::clone(&first.functions),
        }
    }

    /// The part of the force that depends on the rotor speeds [rad/s] only.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // closures over arrays are not inlined here
    pub(crate) fn pull(&self, speeds_rad_s: &[R; N]) -> RotorPull<R> {
        let zero = self.scale.like(0.0);
        let standing = zero.like(Power::RANGE[0]);
        let mut pull = RotorPull::none(zero);
        for i in 0..taken::<N>(self.count) {
            let speed = speeds_rad_s[i];
            let power = self.functions.rotor_power.of(speed.greater(standing));
            let weight = self.scale * R::pick(standing.below(speed), power, zero);
            pull.total = pull.total + weight;
            pull.moment_arm = self.hubs_m[i].times_plus(weight, pull.moment_arm);
        }
        pull
    }

    /// Force and moment for the wind relative to the vehicle in body axes (wind velocity minus
    /// vehicle velocity) [m/s], and what it takes to evaluate them nearby.
    #[inline(always)]
    pub(crate) fn wrench(&self, pull: &RotorPull<R>, v: Axes<R>) -> (Wrench<R>, WindAnchor<R>) {
        let crosswind_squared = v.x.times_plus(v.x, v.y * v.y);
        let speed_squared = v.z.times_plus(v.z, crosswind_squared);
        let crosswind = crosswind_squared.sqrt();
        // The same angle as asin(|v_z| / V), without the loss of digits near 90°.
        let angle = self.functions.arctangent.of(v.z.abs(), crosswind);
        let one = angle.like(1.0);
        let power = self
            .functions
            .wind_power
            .of(speed_squared.greater(one.like(Power::RANGE[0])));
        let reciprocal = one / crosswind_squared;
        let anchor = WindAnchor {
            reciprocals: [reciprocal, one / speed_squared],
            crosswind: [crosswind, crosswind * reciprocal],
            axial: v.z,
            angle: R::pick(v.z.below(one.like(0.0)), -angle, angle),
            power,
        };
        let strength = self.strength(power * anchor.crosswind[1], angle, crosswind_squared);
        (sideways(pull, v, strength), anchor)
    }

    /// The same close to where `anchor` was made, by series in the small changes since.
    #[inline(always)]
    pub(crate) fn wrench_near(
        &self,
        pull: &RotorPull<R>,
        v: Axes<R>,
        anchor: &WindAnchor<R>,
    ) -> Wrench<R> {
        let crosswind_squared = v.x.times_plus(v.x, v.y * v.y);
        let speed_squared = v.z.times_plus(v.z, crosswind_squared);
        let minus_one = v.x.like(-1.0);
        let s = crosswind_squared.times_plus(anchor.reciprocals[0], minus_one);
        let x = speed_squared.times_plus(anchor.reciprocals[1], minus_one);
        // c₀/c and with it c, for the crosswind c.
        let shrinkage = reciprocal_root_of_one_plus(s);
        let crosswind = anchor.crosswind[0] * s.times_plus(shrinkage, shrinkage);
        // sin(α − α₀) = (v_z c₀ − v_z₀ c) / (V V₀).
        let sine =
            v.z.times_plus(anchor.crosswind[0], -(anchor.axial * crosswind))
                * (anchor.reciprocals[1] * reciprocal_root_of_one_plus(x));
        let near = v.x.like(NEAR);
        let near = R::both(
            R::both(s.abs().below(near), x.abs().below(near)),
            sine.abs().below(near),
        );
        let angle = (anchor.angle + arcsine_near_0(sine)).abs();
        let power = anchor.power * self.functions.wind_power.of_one_plus(x);
        let power_over_crosswind = power * (anchor.crosswind[1] * shrinkage);
        let strength = self.strength(power_over_crosswind, angle, crosswind_squared);
        let wrench = sideways(pull, v, strength);
        if x.all(near) {
            return wrench;
        }
        let (exact, _) = self.wrench(pull, v);
        Wrench::pick(near, wrench, exact)
    }

    /// Force over in-plane relative wind, from V^(2−k₁) / c and the angle.
    #[inline(always)]
    fn strength(&self, power_over_crosswind: R, angle: R, crosswind_squared: R) -> R {
        let zero = angle.like(0.0);
        let strength = power_over_crosswind
            * (-angle).times_plus(angle, zero.like(FRAC_PI_2 * FRAC_PI_2))
            * (angle + self.angle_offset_rad);
        let least = zero.like(LEAST_CROSSWIND_M_S * LEAST_CROSSWIND_M_S);
        R::pick(crosswind_squared.below(least), zero, strength)
    }
}

#[inline(always)]
fn sideways<R: Real>(pull: &RotorPull<R>, v: Axes<R>, strength: R) -> Wrench<R> {
    let (x, y) = (v.x * strength, v.y * strength);
    let arm = pull.moment_arm;
    Wrench {
        force: Axes::new(x * pull.total, y * pull.total, strength.like(0.0)),
        moment: Axes::new(-(arm.z * y), arm.z * x, arm.x.times_plus(y, -(arm.y * x))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Airframe;
    use nalgebra::Vector3;
    use proptest::prelude::*;

    fn omac() -> (Crosswind<f64, 4>, Airframe) {
        let airframe = Airframe::omac();
        let hubs: Vec<_> = (airframe.rotors.positions())
            .map(|hub| Axes::from(&hub))
            .collect();
        let force = airframe.side_force.expect("omac has one");
        let hubs = [hubs[0], hubs[1], hubs[2], hubs[3]];
        (Crosswind::new(&force, &airframe.rotors, hubs), airframe)
    }

    /// Force and moment, evaluated afresh.
    fn at(model: &Crosswind<f64, 4>, speeds: &[f64; 4], wind: Vector3<f64>) -> [Vector3<f64>; 2] {
        let pull = model.pull(speeds);
        let (wrench, _) = model.wrench(&pull, Axes::from(&wind));
        [wrench.force.into(), wrench.moment.into()]
    }

    proptest! {
        #[test]
        fn nearby_winds_are_as_good_as_evaluated_afresh(
            x in -9.0f64..9.0, y in -9.0f64..9.0, z in -9.0f64..9.0,
            dx in -0.1f64..0.1, dy in -0.1f64..0.1, dz in -0.1f64..0.1,
            speeds in prop::array::uniform4(0.0f64..900.0),
        ) {
            let (model, _) = omac();
            let pull = model.pull(&speeds);
            let (_, anchor) = model.wrench(&pull, Axes::new(x, y, z));
            let moved = Vector3::new(x + dx, y + dy, z + dz);
            let near = model.wrench_near(&pull, Axes::from(&moved), &anchor);
            let [force, moment] = at(&model, &speeds, moved);
            let tolerance = 2e-12 * force.norm() + 1e-15;
            prop_assert!((force - Vector3::from(near.force)).norm() <= tolerance);
            prop_assert!((moment - Vector3::from(near.moment)).norm() <= tolerance);
        }
    }

    #[test]
    fn the_force_is_the_published_formula_summed_over_the_rotors() {
        let (model, airframe) = omac();
        let speeds = [250.0, 300.0, 275.0, 310.0];
        let wind = Vector3::new(3.0, -1.0, 2.0);
        let [force, moment] = at(&model, &speeds, wind);

        let p = airframe.side_force.expect("omac has one");
        let (mut expected_force, mut expected_moment) = (Vector3::zeros(), Vector3::zeros());
        let speed = wind.norm();
        let angle = (wind.z.abs() / speed).asin();
        let along = Vector3::new(wind.x, wind.y, 0.0).normalize();
        for (n, hub) in speeds.iter().zip(airframe.rotors.positions()) {
            let big_n = (n / airframe.rotors.thrust_n_s2_per_rad2).sqrt();
            let magnitude = p.coefficient
                * p.air_density_kg_m3
                * big_n.powf(p.speed_exponent)
                * speed.powf(2.0 - p.speed_exponent)
                * p.propeller_diameter_m.powf(2.0 + p.speed_exponent)
                * (FRAC_PI_2.powi(2) - angle * angle)
                * (angle + p.angle_offset_rad);
            expected_force += along * magnitude;
            expected_moment += hub.cross(&(along * magnitude));
        }
        assert!((force - expected_force).norm() < 1e-12 * expected_force.norm());
        assert!((moment - expected_moment).norm() < 1e-12 * expected_force.norm());
        assert!(
            force.norm() > 1.0 && force.norm() < 20.0,
            "several newtons: {force}"
        );
    }

    #[test]
    fn wind_along_the_rotor_axis_has_no_side_force() {
        let (model, _) = omac();
        let wrench = at(&model, &[300.0; 4], Vector3::new(0.0, 0.0, 9.0));
        assert_eq!(wrench, [Vector3::zeros(); 2]);
    }

    #[test]
    fn stopped_rotors_feel_no_side_force() {
        let (model, _) = omac();
        let [force, _] = at(&model, &[0.0; 4], Vector3::new(5.0, 0.0, 0.0));
        assert_eq!(force.norm(), 0.0);
    }
}
