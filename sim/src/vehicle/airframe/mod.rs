//! An airframe: the numbers of one vehicle and of its autopilot. It is data, read from TOML with
//! the units in the key names; it never changes during a flight.

mod gains;
mod guess;
mod law;

pub use gains::{Gains, Pid};
pub use guess::Guess;
pub use law::{AttitudeLaw, ControllerLimits, Law, VerticalLoop};

use crate::GRAVITY_M_S2;
use crate::error::{Error, POSITIVE, Range, legal_name};
use crate::vehicle::aero::{BodyDrag, RotorDrag, SideForce};
use crate::vehicle::per_rotor::PerRotor;
use crate::vehicle::rotors::{Mixing, Rotors};
use crate::vehicle::uncertainty::Uncertainty;
use nalgebra::{Matrix3, SymmetricEigen, Vector3, Vector4};
use serde::{Deserialize, Deserializer, Serialize};

/// The shipped airframes.
pub const AIRFRAME_NAMES: [&str; 3] = ["omac", "crazyflie", "hummingbird"];

/// By how much the largest principal moment may exceed the sum of the other two. Identified
/// inertias carry errors of this size: those published for the Crazyflie exceed it by 1 %.
const TRIANGLE_SLACK: f64 = 0.02;

/// Most sweeps of the decomposition of an inertia into principal moments.
const MOST_SWEEPS: usize = 1_000;

/// Least principal moment over the largest: thinner than any rod, and far from where the inertia
/// can no longer be inverted.
const LEAST_MOMENT: f64 = 1e-9;

/// Their texts, in the order of their names.
const SHIPPED: [&str; 3] = [
    include_str!("../../../airframes/omac.toml"),
    include_str!("../../../airframes/crazyflie.toml"),
    include_str!("../../../airframes/hummingbird.toml"),
];

/// One vehicle with its autopilot's limits and default gains.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Airframe {
    /// The name under which it is listed.
    pub name: String,
    /// Mass [kg].
    pub mass_kg: f64,
    /// Inertia about the centre of mass in body axes, by rows [kg m²]; a file may give the diagonal
    /// alone.
    #[serde(deserialize_with = "read")]
    pub inertia_kg_m2: [[f64; 3]; 3],
    /// Where the centre of mass is, seen from the point from which the rotors' places are measured, in body axes
    /// [m]. The vehicle turns about it; the mixer takes the point for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre_of_mass_m: Option<[f64; 3]>,
    /// The rotors.
    pub rotors: Rotors,
    /// Side force of the propellers in crosswind, where it is modelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side_force: Option<SideForce>,
    /// Drag, translational lift and flapping of the rotors, where they are modelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotor_drag: Option<RotorDrag>,
    /// Drag of the body, where it is modelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_drag: Option<BodyDrag>,
    /// How late measurements reach the loop, as a log shows it [ms].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<f64>,
    /// What nobody measured: its numbers are those of a usual vehicle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guessed: Vec<Guess>,
    /// How far real vehicles may be from these numbers.
    #[serde(default)]
    pub uncertainty: Uncertainty,
    /// Limits of the autopilot.
    pub controller: ControllerLimits,
    /// The gains with which the vehicle is flown when nothing is tuned.
    pub gains: Gains,
}

impl Airframe {
    /// The vehicle of Shi et al. 2021 (OMAC), which is the default.
    pub fn omac() -> Airframe {
        Airframe::by_name("omac").expect("a test reads every shipped airframe")
    }

    /// A shipped airframe.
    ///
    /// # Errors
    /// [`Error::UnknownAirframe`] when `name` is none of [`AIRFRAME_NAMES`].
    pub fn by_name(name: &str) -> Result<Airframe, Error> {
        match AIRFRAME_NAMES.iter().position(|known| *known == name) {
            Some(which) => Airframe::from_toml(SHIPPED[which]),
            None => Err(Error::UnknownAirframe {
                given: name.to_owned(),
                nearest: shell::names::nearest(name, &AIRFRAME_NAMES),
                known: &AIRFRAME_NAMES,
            }),
        }
    }

    /// Reads and checks an airframe.
    ///
    /// # Errors
    /// [`Error::AirframeSyntax`] with line and column when the text is not an airframe's TOML,
    /// [`Error::AirframeXml`], and what [`Airframe::check`] finds.
    pub fn from_toml(text: &str) -> Result<Airframe, Error> {
        if text.trim_start().starts_with('<') {
            return Err(Error::AirframeXml);
        }
        let mut airframe: Airframe = toml::from_str(text)?;
        let law = &mut airframe.controller.law;
        *law = Some(law.unwrap_or_default());
        airframe.check()?;
        Ok(airframe)
    }

    /// Checks that the numbers describe a vehicle that can fly.
    ///
    /// # Errors
    /// [`Error::Name`], [`Error::OutOfRange`], [`Error::InertiaNotSymmetric`],
    /// [`Error::Inertia`], [`Error::Geometry`], [`Error::ThrustShare`] or
    /// [`Error::ThrustLimit`], each naming the number that is wrong.
    pub fn check(&self) -> Result<(), Error> {
        legal_name("airframe", &self.name)?;
        self.check_vehicle()?;
        let delays = Range("between 0 and 100 ms", |x| (0.0..=100.0).contains(&x));
        delays.check("delay_ms", self.delay_ms.unwrap_or(0.0))?;
        self.uncertainty.check()?;
        self.controller.check()?;
        self.gains.check()?;
        self.check_hover()
    }

    /// Checks that rotors and autopilot can carry the weight without a moment.
    fn check_hover(&self) -> Result<(), Error> {
        let shares = self.thrust_shares()?;
        for (index, share) in shares.into_iter().enumerate() {
            if share.is_nan() || share <= 0.0 {
                let rotor = index + 1;
                return Err(Error::ThrustShare { rotor, share });
            }
        }
        let weight_n = self.mass_kg * GRAVITY_M_S2;
        let idle = self.idle_thrust_n() / weight_n;
        let low = Range("below 1, or it cannot come down", |x| x < 1.0);
        low.check("thrust at rotors.min_speed_rad_s over weight", idle)?;
        let lift = self.rotors.most_thrust_n(&shares) / weight_n;
        let high = Range("above 1, or it cannot hover", |x| x > 1.0);
        high.check("greatest thrust over weight", lift)?;
        // Far beyond any vehicle, and far from where the effort of a flight overflows.
        Range("at most 1e6", |x| x <= 1e6).check("greatest thrust over weight", lift)?;
        let limit_n = self.controller.max_thrust_n;
        if limit_n <= weight_n {
            return Err(Error::ThrustLimit { limit_n, weight_n });
        }
        Ok(())
    }

    /// The greatest force that the autopilot may ask for and the rotors can give without a moment [N];
    /// `None` for rotors that cannot be mixed.
    pub fn most_thrust_n(&self) -> f64 {
        let shares = self.thrust_shares();
        let rotors_n = shares.map_or(0.0, |shares| self.rotors.most_thrust_n(&shares));
        let share = self.controller.law().rotor_speed_share.unwrap_or(1.0);
        let rotors_n = rotors_n * share * share;
        rotors_n.min(self.controller.max_thrust_n)
    }

    /// Thrust of all rotors at their least speed [N].
    pub fn idle_thrust_n(&self) -> f64 {
        let rotors = &self.rotors;
        rotors.lift_factor() * rotors.thrust_n_s2_per_rad2 * rotors.min_speed_rad_s.powi(2)
    }

    /// What each rotor gives of a thrust without moments about the centre of mass, over its factor.
    fn thrust_shares(&self) -> Result<PerRotor, Error> {
        let mixing = self.rotors.mixing()?;
        let mut shares = mixing.column(0).into_owned();
        if self.centre_of_mass_m.is_some() {
            shares = mixing * self.asked_for_thrust(&mixing);
        }
        Ok(PerRotor::new(self.rotors.count(), |i| shares[i]))
    }

    /// Thrust and moments that the autopilot has to ask for, so that there are a thrust of 1 and no moments about the
    /// true centre of mass.
    fn asked_for_thrust(&self, mixing: &Mixing) -> Vector4<f64> {
        let given = self.rotors.allocation(&self.centre_of_mass()) * mixing;
        let asked = given.try_inverse().map(|inverse| inverse * Vector4::x());
        asked.unwrap_or_else(|| Vector4::repeat(f64::NAN))
    }

    /// The moments that the autopilot has to ask for in hover [N m]: those of a centre of mass that is not where the
    /// mixer takes it to be, and of rotors that are not as alike.
    pub fn hover_moments_n_m(&self) -> Vector3<f64> {
        let asked = self
            .rotors
            .mixing()
            .map(|mixing| self.asked_for_thrust(&mixing));
        let weight_n = self.mass_kg * GRAVITY_M_S2;
        asked.map_or(Vector3::zeros(), |asked| asked.remove_row(0) * weight_n)
    }

    /// Hubs of the rotors relative to the centre of mass in body axes [m].
    pub fn hubs(&self) -> Vec<Vector3<f64>> {
        let centre_m = self.centre_of_mass();
        self.rotors.positions().map(|hub| hub - centre_m).collect()
    }

    /// Where the centre of mass is, seen from where the mixer takes it to be, in body axes [m].
    pub fn centre_of_mass(&self) -> Vector3<f64> {
        self.centre_of_mass_m
            .map_or_else(Vector3::zeros, Vector3::from)
    }

    /// That force over the weight.
    pub fn thrust_to_weight(&self) -> f64 {
        self.most_thrust_n() / (self.mass_kg * GRAVITY_M_S2)
    }

    /// Takes principal moments of inertia along the body axes; gains and limits that are moments grow with them.
    pub fn set_inertia(&mut self, moments_kg_m2: [f64; 3]) {
        let before = self.inertia();
        let gains = &mut self.gains;
        for (axis, after) in moments_kg_m2.into_iter().enumerate() {
            let ratio = after / before[(axis, axis)];
            self.inertia_kg_m2[axis] = [0.0; 3];
            self.inertia_kg_m2[axis][axis] = after;
            self.controller.torque_setpoint_limit_n_m[axis] *= ratio;
            for gain in [&mut gains.rate_kp, &mut gains.rate_ki, &mut gains.rate_kd] {
                gain[axis] *= ratio;
            }
        }
    }

    /// How late measurements reach the loop [control periods of 1 ms]; 0 where no log showed it.
    pub fn delay_periods(&self) -> u32 {
        self.delay_ms.unwrap_or(0.0).round() as u32
    }

    /// The heaviest and weakest vehicle within the uncertainty.
    pub fn heaviest(&self) -> Airframe {
        let mut vehicle = self.clone();
        let Uncertainty {
            mass_rel,
            battery_sag_rel,
            ..
        } = self.uncertainty;
        vehicle.mass_kg *= 1.0 + mass_rel;
        vehicle.rotors.thrust_n_s2_per_rad2 *= 1.0 - self.uncertainty.least_thrust_rel();
        vehicle.rotors.max_speed_rad_s *= 1.0 - battery_sag_rel;
        vehicle
    }

    /// Whether moving air acts on the vehicle: it has a side force, rotor drag or body drag that
    /// is not zero.
    pub fn feels_wind(&self) -> bool {
        self.side_force
            .is_some_and(|force| force.coefficient != 0.0)
            || self.rotor_drag.is_some_and(|drag| drag != RotorDrag::NONE)
            || self
                .body_drag
                .is_some_and(|drag| drag.quadratic_n_s2_per_m2 != [0.0; 3])
    }

    /// Checks the body, its rotors and its aerodynamics, without the autopilot.
    ///
    /// # Errors
    /// As [`Airframe::check`].
    pub fn check_vehicle(&self) -> Result<(), Error> {
        POSITIVE.check("mass_kg", self.mass_kg)?;
        let masses = Range("between 1e-6 and 1e6", |x| (1e-6..=1e6).contains(&x));
        masses.check("mass_kg", self.mass_kg)?;
        self.check_inertia()?;
        let near = Range("finite, at most 1 m", |x| x.abs() <= 1.0);
        near.all("centre_of_mass_m", self.centre_of_mass_m.iter().flatten())?;
        self.rotors.check()?;
        self.side_force.iter().try_for_each(SideForce::check)?;
        self.rotor_drag.iter().try_for_each(RotorDrag::check)?;
        self.body_drag.iter().try_for_each(BodyDrag::check)
    }

    /// One vehicle that this one may turn out to be, within its uncertainty.
    pub fn drawn(&self, seed: u64) -> Airframe {
        let factors = self.uncertainty.factors(seed);
        let mut vehicle = self.clone();
        vehicle.mass_kg *= factors.mass;
        for entry in vehicle.inertia_kg_m2.iter_mut().flatten() {
            *entry *= factors.inertia;
        }
        vehicle.rotors.lag_s *= factors.rotor_lag;
        vehicle.rotors.thrust_n_s2_per_rad2 *= factors.thrust;
        vehicle.rotors.torque_n_m_s2_per_rad2 *= factors.thrust;
        vehicle.rotors.max_speed_rad_s *= factors.top_speed;
        vehicle.scale_drag(factors.drag);
        if factors.centre_of_mass_m != [0.0; 3] {
            let moved = self.centre_of_mass() + Vector3::from(factors.centre_of_mass_m);
            vehicle.centre_of_mass_m = Some(moved.into());
        }
        vehicle
    }

    /// The same vehicle for an autopilot that counts on the thrust of this airframe: one with that thrust whose masses,
    /// inertias and drag are smaller by as much as its own thrust is greater moves alike.
    pub fn drawn_with_this_thrust(&self, seed: u64) -> Airframe {
        let mut vehicle = self.drawn(seed);
        let stronger = vehicle.rotors.thrust_n_s2_per_rad2 / self.rotors.thrust_n_s2_per_rad2;
        vehicle.rotors.thrust_n_s2_per_rad2 = self.rotors.thrust_n_s2_per_rad2;
        vehicle.rotors.torque_n_m_s2_per_rad2 = self.rotors.torque_n_m_s2_per_rad2;
        vehicle.rotors.rotor_inertia_kg_m2 /= stronger;
        vehicle.mass_kg /= stronger;
        vehicle.inertia_kg_m2 = vehicle.inertia_kg_m2.map(|row| row.map(|of| of / stronger));
        vehicle.scale_drag(1.0 / stronger);
        if let Some(force) = &mut vehicle.side_force {
            // It takes the rotors' speeds for those of a thrust.
            force.coefficient *= stronger.powf(-0.5 * force.speed_exponent);
        }
        vehicle
    }

    /// Takes `factor` times the forces and moments of moving air.
    pub fn scale_drag(&mut self, factor: f64) {
        if let Some(force) = &mut self.side_force {
            force.coefficient *= factor;
        }
        if let Some(drag) = &mut self.rotor_drag {
            drag.scale(factor);
        }
        if let Some(drag) = &mut self.body_drag {
            drag.quadratic_n_s2_per_m2 = drag.quadratic_n_s2_per_m2.map(|of| of * factor);
        }
    }

    /// Inertia about the centre of mass in body axes [kg m²].
    pub fn inertia(&self) -> Matrix3<f64> {
        Matrix3::from_fn(|row, column| self.inertia_kg_m2[row][column])
    }

    /// Speed at which the rotors together carry the weight [rad/s].
    pub fn hover_speed_rad_s(&self) -> f64 {
        let per_rotor_n = self.mass_kg * GRAVITY_M_S2 / self.rotors.lift_factor();
        (per_rotor_n / self.rotors.thrust_n_s2_per_rad2).sqrt()
    }

    fn check_inertia(&self) -> Result<(), Error> {
        let inertia = self.inertia();
        for (row, column) in [(0, 1), (0, 2), (1, 2)] {
            let (one, other) = (inertia[(row, column)], inertia[(column, row)]);
            if !(one.is_finite() && (one - other).abs() <= 1e-9 * inertia.norm()) {
                return Err(Error::InertiaNotSymmetric {
                    row: row + 1,
                    column: column + 1,
                    one,
                    other,
                });
            }
        }
        let trace = inertia.trace();
        POSITIVE.check("trace of inertia_kg_m2", trace)?;
        let traces = Range("between 1e-12 and 1e12", |x| (1e-12..=1e12).contains(&x));
        traces.check("trace of inertia_kg_m2", trace)?;
        let decomposed = SymmetricEigen::try_new(inertia, f64::EPSILON, MOST_SWEEPS);
        let moments = decomposed.map_or([f64::NAN; 3], |found| found.eigenvalues.into());
        let mut moments: [f64; 3] = moments;
        moments.sort_by(f64::total_cmp);
        let triangle = moments[2] <= (moments[0] + moments[1]) * (1.0 + TRIANGLE_SLACK);
        if moments[0] > LEAST_MOMENT * moments[2] && triangle {
            Ok(())
        } else {
            Err(Error::Inertia(moments))
        }
    }
}

// Inertia: as a file gives it, by rows or by its diagonal.

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected three rows of three numbers [kg m²], or the three of the diagonal"
)]
enum Inertia {
    Rows([[f64; 3]; 3]),
    Diagonal([f64; 3]),
}

/// Reads an inertia.
fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[[f64; 3]; 3], D::Error> {
    Ok(match Inertia::deserialize(deserializer)? {
        Inertia::Rows(rows) => rows,
        Inertia::Diagonal([x, y, z]) => [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]],
    })
}

#[cfg(test)]
mod tests {
    use crate::Airframe;

    const ROWS: &str = "inertia_kg_m2 = [\n    [3.60025e-3, 0.0, 0.0],\n    [0.0, 3.60025e-3, 0.0],\n    [0.0, 0.0, 3.60025e-3],\n]";

    fn with(inertia: &str) -> Result<Airframe, crate::Error> {
        let text = include_str!("../../../airframes/omac.toml");
        assert!(text.contains(ROWS));
        Airframe::from_toml(&text.replace(ROWS, &format!("inertia_kg_m2 = {inertia}")))
    }

    #[test]
    fn a_diagonal_is_the_rows_it_stands_for() {
        let airframe = with("[3.60025e-3, 3.60025e-3, 3.60025e-3]").expect("legal");
        assert_eq!(airframe, Airframe::omac());
    }

    #[test]
    fn anything_else_is_answered_with_what_is_wanted_and_its_line() {
        for wrong in [
            "[1.0, 2.0]",
            "[1, [0, 1, 0], 1]",
            "[1, 2, 3, 4]",
            "3.0",
            "[[1, 0], [0, 1]]",
        ] {
            let message = with(wrong).expect_err("not legal").to_string();
            assert!(message.contains("line 8"), "{message}");
            assert!(message.contains("three rows of three numbers"), "{message}");
        }
    }
}
