//! Uncertainty: how far a real vehicle may be from its airframe file.
//!
//! The autopilot keeps the file's numbers; the vehicle that flies has its own, drawn from the flight's seed: uniformly
//! within the declared ranges, or normally where a covariance says what goes together.

use crate::error::{Error, Range};
use crate::random::{Purpose, stream};
use nalgebra::{Matrix3, Vector3};
use rand::RngExt;
use rand_distr::StandardNormal;
use serde::{Deserialize, Serialize};

/// Half-widths of uniform ranges around the nominal values, relative (0.1: ±10 %).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Uncertainty {
    /// Of the mass.
    pub mass_rel: f64,
    /// Of the inertia; the whole matrix is scaled.
    pub inertia_rel: f64,
    /// Of the rotors' time constant.
    pub rotor_lag_rel: f64,
    /// Of the thrust coefficient C_T; the torque coefficient is scaled alike. Where the airframe
    /// has a [`SideForce`](crate::SideForce) this moves that force too, the other way: its
    /// formula takes N = √(n / C_T) for the rotor speed, so that at one rotor speed C_T drawn
    /// 10 % low raises the force by 0.9^(−k₁/2) − 1, which is 8 % for `omac` (k₁ = 1.425).
    pub thrust_rel: f64,
    /// Greatest loss of rotor speed to a sagging battery: the top speed lies between this share
    /// below nominal and nominal.
    pub battery_sag_rel: f64,
    /// Of what moving air does: side force, drag of rotors and body.
    #[serde(skip_serializing_if = "is_zero")]
    pub drag_rel: f64,
    /// Of the centre of mass along each body axis [m]; the mixer does not know of it.
    #[serde(skip_serializing_if = "is_none")]
    pub centre_of_mass_m: [f64; 3],
    /// Relative covariance of thrust, inertia and rotors' time constant, in this order. Where it is given they are drawn
    /// from it, normally, in place of their ranges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joint: Option<[[f64; 3]; 3]>,
}

/// How far from the nominal value a number that is drawn normally may be, as a share.
const FURTHEST: f64 = 0.9;

fn is_zero(half_width: &f64) -> bool {
    *half_width == 0.0
}

fn is_none(centre_m: &[f64; 3]) -> bool {
    *centre_m == [0.0; 3]
}

impl Uncertainty {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let shares = Range("between 0 and 0.9", |x| (0.0..=0.9).contains(&x));
        shares.check("uncertainty.mass_rel", self.mass_rel)?;
        shares.check("uncertainty.inertia_rel", self.inertia_rel)?;
        shares.check("uncertainty.rotor_lag_rel", self.rotor_lag_rel)?;
        shares.check("uncertainty.thrust_rel", self.thrust_rel)?;
        shares.check("uncertainty.battery_sag_rel", self.battery_sag_rel)?;
        shares.check("uncertainty.drag_rel", self.drag_rel)?;
        let offsets = Range("between 0 and 1 m", |x| (0.0..=1.0).contains(&x));
        offsets.all("uncertainty.centre_of_mass_m", &self.centre_of_mass_m)?;
        let Some(joint) = self.joint.map(Matrix3::from) else {
            return Ok(());
        };
        let symmetric = Range("0", |x| x == 0.0);
        let apart = (joint - joint.transpose()).amax();
        symmetric.check("uncertainty.joint over its diagonal less below", apart)?;
        let most = Range("at most 0.1", |x| x <= 0.1);
        let greatest = joint.diagonal().max();
        most.check("the greatest variance in uncertainty.joint", greatest)?;
        let positive = Range("positive", |x| x > 0.0);
        let least = joint.symmetric_eigenvalues().min();
        let least = joint.cholesky().map_or(least.min(0.0), |_| least);
        positive.check("the least eigenvalue of uncertainty.joint", least)
    }

    /// By how much the thrust may fall short: all of its range, or three deviations of what is drawn normally.
    pub(super) fn least_thrust_rel(&self) -> f64 {
        let joint = |joint: [[f64; 3]; 3]| (3.0 * joint[0][0].sqrt()).min(FURTHEST);
        self.joint.map_or(self.thrust_rel, joint)
    }

    /// The factors of one vehicle.
    pub(super) fn factors(&self, seed: u64) -> Factors {
        let mut rng = stream(seed, Purpose::Vehicle);
        let mut factor = |half_width: f64| 1.0 + half_width * rng.random_range(-1.0..=1.0);
        let mass = factor(self.mass_rel);
        let inertia = factor(self.inertia_rel);
        let rotor_lag = factor(self.rotor_lag_rel);
        let thrust = factor(self.thrust_rel);
        let top_speed = 1.0 - self.battery_sag_rel * rng.random_range(0.0..=1.0);
        let offset = |half_width: f64| half_width * rng.random_range(-1.0..=1.0);
        let centre_of_mass_m = self.centre_of_mass_m.map(offset);
        let joint = self.joint.and_then(|joint| Matrix3::from(joint).cholesky());
        let together = joint.map(|joint| {
            let normal = Vector3::from_fn(|_, _| rng.sample::<f64, _>(StandardNormal));
            (joint.l() * normal).map(|apart| 1.0 + apart.clamp(-FURTHEST, FURTHEST))
        });
        // Drawn last, so that a seed's other factors do not depend on whether there is such a range.
        let drag = 1.0 + self.drag_rel * rng.random_range(-1.0..=1.0);
        let [thrust, inertia, rotor_lag] =
            together.map_or([thrust, inertia, rotor_lag], Vector3::into);
        Factors {
            centre_of_mass_m,
            mass,
            inertia,
            rotor_lag,
            thrust,
            top_speed,
            drag,
        }
    }
}

/// By what the numbers of one vehicle are those of its file.
pub(super) struct Factors {
    /// How far its centre of mass is from that of the file [m].
    pub(super) centre_of_mass_m: [f64; 3],
    pub(super) mass: f64,
    pub(super) inertia: f64,
    pub(super) rotor_lag: f64,
    pub(super) thrust: f64,
    pub(super) top_speed: f64,
    pub(super) drag: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Airframe;
    use crate::vehicle::{multirotor::Multirotor, per_rotor::PerRotor, state::State};
    use trajectories::Reference;

    const WIDE: Uncertainty = Uncertainty {
        mass_rel: 0.1,
        inertia_rel: 0.2,
        rotor_lag_rel: 0.3,
        thrust_rel: 0.05,
        battery_sag_rel: 0.15,
        drag_rel: 0.25,
        centre_of_mass_m: [0.0; 3],
        joint: None,
    };

    fn uncertain(uncertainty: Uncertainty) -> Airframe {
        Airframe {
            uncertainty,
            ..Airframe::omac()
        }
    }

    #[test]
    fn drawn_vehicles_fill_their_ranges_and_nothing_more() {
        let nominal = uncertain(WIDE);
        let (mut least, mut most, mut dragged) = (f64::INFINITY, 0.0f64, 0.0f64);
        for seed in 0..2_000 {
            let vehicle = nominal.drawn(seed);
            let ratio = vehicle.mass_kg / nominal.mass_kg;
            (least, most) = (least.min(ratio), most.max(ratio));
            let sag = vehicle.rotors.max_speed_rad_s / nominal.rotors.max_speed_rad_s;
            assert!((0.85 - 1e-12..=1.0).contains(&sag));
            let [drag, from] = [&vehicle, &nominal].map(|of| of.side_force.expect("omac has one"));
            let drag = drag.coefficient / from.coefficient;
            assert!((0.75..=1.25).contains(&drag), "{drag}");
            dragged = dragged.max(drag);
            assert_eq!(vehicle.controller, nominal.controller);
        }
        assert!(dragged > 1.249, "{dragged}");
        assert!(
            (0.9..0.901).contains(&least) && (1.099..=1.1).contains(&most),
            "{least} {most}"
        );
    }

    #[test]
    fn a_drawn_vehicle_of_this_thrust_accelerates_as_the_drawn_one() {
        let nominal = Airframe {
            uncertainty: WIDE,
            ..Airframe::by_name("hummingbird").expect("shipped")
        };
        let per = |vehicle: &Airframe| {
            let (rotors, inertia) = (&vehicle.rotors, vehicle.inertia());
            let drag = vehicle
                .rotor_drag
                .expect("it has one")
                .in_plane_n_s2_per_rad_m;
            [
                rotors.thrust_n_s2_per_rad2 / vehicle.mass_kg,
                rotors.thrust_n_s2_per_rad2 / inertia[(0, 0)],
                rotors.torque_n_m_s2_per_rad2 / inertia[(2, 2)],
                rotors.rotor_inertia_kg_m2 / inertia[(2, 2)],
                drag / vehicle.mass_kg,
                rotors.lag_s,
            ]
        };
        for seed in 0..20 {
            let (drawn, alike) = (nominal.drawn(seed), nominal.drawn_with_this_thrust(seed));
            let thrust = [&alike, &nominal].map(|of| of.rotors.thrust_n_s2_per_rad2);
            assert_eq!(thrust[0], thrust[1]);
            for (one, other) in per(&drawn).into_iter().zip(per(&alike)) {
                assert!((one / other - 1.0).abs() < 1e-12, "{one} {other}");
            }
        }
        // A side force of C_s N^k₁ with N = √(n / C_T).
        let (nominal, wind_m_s) = (uncertain(WIDE), Vector3::new(-3.0, 2.0, 0.5));
        let still = Reference {
            position_m: Vector3::zeros(),
            velocity_m_s: Vector3::zeros(),
            acceleration_m_s2: Vector3::zeros(),
            yaw_rad: 0.0,
        };
        let speeds = PerRotor::new(nominal.rotors.count(), |_| nominal.hover_speed_rad_s());
        let state = State::on(&still, speeds);
        let accelerated = |vehicle: &Airframe| {
            let rate = Multirotor::new(vehicle).derivative(&state, &speeds, &wind_m_s);
            rate.acceleration_m_s2
        };
        let drawn = accelerated(&nominal.drawn(3));
        let apart = drawn - accelerated(&nominal.drawn_with_this_thrust(3));
        assert!(apart.norm() < 1e-12 && drawn.xy().norm() > 0.1, "{apart}");
    }

    #[test]
    fn the_weakest_vehicle_is_that_of_what_is_drawn() {
        let least = |joint: Option<f64>| {
            let joint = joint.map(|v| [[v, 0.0, 0.0], [0.0, 1e-4, 0.0], [0.0, 0.0, 1e-4]]);
            let weak = uncertain(Uncertainty {
                thrust_rel: 0.45,
                joint,
                ..Uncertainty::default()
            });
            let weakest = weak.heaviest().rotors.thrust_n_s2_per_rad2;
            weakest / weak.rotors.thrust_n_s2_per_rad2
        };
        for (joint, expected) in [(None, 0.55), (Some(1e-4), 0.97), (Some(0.04), 0.4)] {
            assert!((least(joint) - expected).abs() < 1e-12, "{joint:?}");
        }
    }

    #[test]
    fn what_goes_together_is_drawn_together() {
        let joint = [
            [1e-4, 1.5e-4, 0.0],
            [1.5e-4, 4e-4, -1e-4],
            [0.0, -1e-4, 9e-4],
        ];
        let nominal = uncertain(Uncertainty {
            inertia_rel: 0.5,
            joint: Some(joint),
            ..Uncertainty::default()
        });
        nominal.check().expect("legal");
        let drawn = |seed| {
            let vehicle = nominal.drawn(seed);
            let (of, from) = (&vehicle.rotors, &nominal.rotors);
            let thrust = of.thrust_n_s2_per_rad2 / from.thrust_n_s2_per_rad2;
            let inertia = vehicle.inertia_kg_m2[0][0] / nominal.inertia_kg_m2[0][0];
            [thrust, inertia, of.lag_s / from.lag_s].map(|factor| factor - 1.0)
        };
        let all: Vec<[f64; 3]> = (0..4_000).map(drawn).collect();
        for i in 0..3 {
            for j in 0..3 {
                let sum: f64 = all.iter().map(|each| each[i] * each[j]).sum();
                // Four standard errors of a product of two normal numbers.
                let most = 4.0 * (2.0 * joint[i][i] * joint[j][j] / 4_000.0).sqrt();
                assert!((sum / 4_000.0 - joint[i][j]).abs() < most, "{i} {j}");
            }
        }
        let refused = |joint: [[f64; 3]; 3]| {
            let uncertainty = Uncertainty {
                joint: Some(joint),
                ..Uncertainty::default()
            };
            uncertain(uncertainty).check().expect_err("no covariance")
        };
        let said = refused([[1e-4, 2e-4, 0.0], [2e-4, 1e-4, 0.0], [0.0, 0.0, 1e-4]]).to_string();
        assert!(
            said.contains("least eigenvalue of uncertainty.joint is -0.0001"),
            "{said}"
        );
        let said = refused([[0.2, 0.0, 0.0], [0.0, 1e-4, 0.0], [0.0, 0.0, 1e-4]]).to_string();
        assert!(said.contains("greatest variance"), "{said}");
        let said = refused([[1e-4, 1e-5, 0.0], [0.0, 1e-4, 0.0], [0.0, 0.0, 1e-4]]).to_string();
        assert!(said.contains("over its diagonal"), "{said}");
    }

    #[test]
    fn no_uncertainty_is_the_nominal_vehicle_and_a_seed_is_one_vehicle() {
        let (certain, wide) = (uncertain(Uncertainty::default()), uncertain(WIDE));
        assert_eq!(certain.drawn(5), certain);
        assert_eq!(wide.drawn(5), wide.drawn(5));
        assert_ne!(wide.drawn(5), wide.drawn(6));
    }
}
