//! Plant: the equations of motion, for one vehicle or one in each lane.
//!
//! Newton's and Euler's equations with a unit quaternion:
//!
//! ṗ = v, m v̇ = R(q) f + (0, 0, −m g), q̇ = ½ q ⊗ (0, ω), J ω̇ = τ − ω × J ω.

use crate::lanes::Real;
use crate::lanes::axes::{Axes, Rotation, Symmetric, Turn};
use crate::vehicle::aero::{BodyDrag, Crosswind, RotorDrag, RotorPull, WindAnchor, Wrench};
use crate::vehicle::per_rotor::PerRotor;
use crate::vehicle::rotors::{sum, taken};
use crate::vehicle::state::State;
use crate::{Airframe, GRAVITY_M_S2};
use nalgebra::{UnitQuaternion, Vector3};

/// Constants of a vehicle, ready for integration, with places for `N` rotors; but for a rotor that stops nothing
/// in it changes during a flight.
#[derive(Debug, Clone)]
pub(crate) struct Plant<R, const N: usize> {
    /// How many rotors there are.
    pub(crate) count: usize,
    /// The rotor that stands still whatever is commanded.
    pub(crate) stopped: Option<usize>,
    pub(crate) lag_s: R,
    pub(crate) least_speed: R,
    pub(crate) greatest_speed: R,
    pub(crate) gravity: R,
    mass_inverse: R,
    inertia: Symmetric<R>,
    inertia_inverse: Symmetric<R>,
    /// Relative to the centre of mass [m].
    hubs: [Axes<R>; N],
    thrust_coefficient: R,
    /// What else there is to the thrusts of rotors that differ.
    unlike: Option<Unlike<R, N>>,
    /// Moment of each rotor over the square of its speed.
    moment_coefficients: [Axes<R>; N],
    /// Moment of each rotor about its axis over the distance of its speed from what is commanded, where
    /// rotors have an inertia [N m per rad/s].
    spin_up: Option<[R; N]>,
    crosswind: Option<Crosswind<R, N>>,
    rotor_drag: Option<[R; 4]>,
    body_drag: Option<[R; 3]>,
}

/// Rotors that are not all alike or do not all pull upwards.
#[derive(Debug, Clone)]
struct Unlike<R, const N: usize> {
    /// Force of each over the square of its speed.
    forces: [Axes<R>; N],
    /// Unit vectors along which they pull.
    directions: [Axes<R>; N],
}

/// Body part of the state, or its time derivative.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Motion<R> {
    pub(crate) position: Axes<R>,
    pub(crate) velocity: Axes<R>,
    pub(crate) attitude: Turn<R>,
    pub(crate) rates: Axes<R>,
}

/// What the rotors do to the body at one instant, before the air moves across them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RotorEffect<R, const N: usize> {
    pub(crate) speeds: [R; N],
    force: Axes<R>,
    moment: Axes<R>,
    /// Zero without a side force.
    pull: RotorPull<R>,
}

impl<const N: usize> Plant<f64, N> {
    /// The vehicle that `airframe` describes.
    ///
    /// # Panics
    /// When the inertia is singular, which [`Airframe::check`] excludes, or with more rotors than places.
    pub(crate) fn new(airframe: &Airframe) -> Plant<f64, N> {
        let rotors = &airframe.rotors;
        let inertia = airframe.inertia();
        let inverse = inertia
            .try_inverse()
            .expect("a checked airframe has a positive definite inertia");
        let thrust = rotors.thrust_n_s2_per_rad2;
        let centre_m = airframe.centre_of_mass();
        let none = Axes::from(&Vector3::zeros());
        let each = |of: &dyn Fn(usize) -> Vector3<f64>| {
            std::array::from_fn(|i| match i < rotors.count() {
                true => Axes::from(&of(i)),
                false => none,
            })
        };
        let hubs = each(&|i| Vector3::from(rotors.positions_m[i]) - centre_m);
        let alike = rotors.are_alike();
        Plant {
            count: rotors.count(),
            stopped: None,
            lag_s: rotors.lag_s,
            least_speed: rotors.min_speed_rad_s,
            greatest_speed: rotors.max_speed_rad_s,
            gravity: GRAVITY_M_S2,
            mass_inverse: 1.0 / airframe.mass_kg,
            inertia: Symmetric::of(&inertia),
            inertia_inverse: Symmetric::of(&inverse),
            thrust_coefficient: thrust,
            unlike: (!alike).then(|| Unlike {
                forces: each(&|i| rotors.effect(i, &centre_m)[0] * thrust),
                directions: each(&|i| rotors.direction(i)),
            }),
            moment_coefficients: each(&|i| {
                let yaw = rotors.yaw_torque_signs[i] * rotors.torque_n_m_s2_per_rad2;
                match alike {
                    true => Vector3::new(hubs[i].y * thrust, -hubs[i].x * thrust, yaw),
                    false => rotors.effect(i, &centre_m)[1] * thrust,
                }
            }),
            spin_up: (rotors.rotor_inertia_kg_m2 != 0.0).then(|| {
                let per_sign = |sign: f64| sign * rotors.rotor_inertia_kg_m2 / rotors.lag_s;
                std::array::from_fn(|i| {
                    rotors.yaw_torque_signs.get(i).map_or(0.0, |s| per_sign(*s))
                })
            }),
            crosswind: airframe
                .side_force
                .map(|force| Crosswind::new(&force, rotors, hubs)),
            hubs,
            rotor_drag: airframe.rotor_drag.map(|drag| drag.coefficients()),
            body_drag: airframe.body_drag.map(|drag| drag.quadratic_n_s2_per_m2),
        }
    }
}

impl<R: Real, const N: usize> Plant<R, N> {
    /// The vehicles `each`(k), one a lane. They may differ in all that an airframe's uncertainty
    /// covers, but not in their aerodynamic models.
    pub(crate) fn fill<'a>(like: R, each: impl Fn(usize) -> &'a Plant<f64, N>) -> Plant<R, N> {
        let first = each(0);
        let axes =
            |of: &dyn Fn(&Plant<f64, N>) -> Axes<f64>| Axes::fill(like, |k| of(each(k)).into());
        Plant {
            count: first.count,
            stopped: first.stopped,
            lag_s: like.fill(|k| each(k).lag_s),
            least_speed: like.fill(|k| each(k).least_speed),
            greatest_speed: like.fill(|k| each(k).greatest_speed),
            gravity: like.fill(|k| each(k).gravity),
            mass_inverse: like.fill(|k| each(k).mass_inverse),
            inertia: Symmetric::fill(like, |k| each(k).inertia),
            inertia_inverse: Symmetric::fill(like, |k| each(k).inertia_inverse),
            hubs: std::array::from_fn(|i| axes(&|plant| plant.hubs[i])),
            thrust_coefficient: like.fill(|k| each(k).thrust_coefficient),
            unlike: first.unlike.as_ref().map(|first| {
                let of = |k: usize| each(k).unlike.as_ref().unwrap_or(first);
                let filled = |of: &dyn Fn(usize) -> Axes<f64>| Axes::fill(like, |k| of(k).into());
                Unlike {
                    forces: std::array::from_fn(|i| filled(&|k| of(k).forces[i])),
                    directions: std::array::from_fn(|i| filled(&|k| of(k).directions[i])),
                }
            }),
            moment_coefficients: std::array::from_fn(|i| {
                axes(&|plant| plant.moment_coefficients[i])
            }),
            spin_up: first.spin_up.map(|first| {
                let of = |k: usize| each(k).spin_up.unwrap_or(first);
                std::array::from_fn(|i| like.fill(|k| of(k)[i]))
            }),
            crosswind: first.crosswind.as_ref().map(|first| {
                Crosswind::fill(like, |k| each(k).crosswind.as_ref().unwrap_or(first))
            }),
            rotor_drag: first.rotor_drag.map(|first| {
                let of = |k: usize| each(k).rotor_drag.unwrap_or(first);
                std::array::from_fn(|i| like.fill(|k| of(k)[i]))
            }),
            body_drag: first.body_drag.map(|first| {
                let of = |k: usize| each(k).body_drag.unwrap_or(first);
                std::array::from_fn(|i| like.fill(|k| of(k)[i]))
            }),
        }
    }

    /// Speeds after the command was held for −lag · ln(decay) seconds.
    #[inline(always)]
    pub(crate) fn lagged(&self, speeds: &[R; N], command: &[R; N], decay: R) -> [R; N] {
        let mut lagged = *speeds;
        for i in 0..taken::<N>(self.count) {
            let target = command[i]
                .greater(self.least_speed)
                .lesser(self.greatest_speed);
            lagged[i] = (speeds[i] - target).times_plus(decay, target);
        }
        if let Some(stopped) = self.stopped {
            lagged[stopped] = decay.like(0.0);
        }
        lagged
    }

    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // closures over arrays are not inlined here
    pub(crate) fn rotor_effect(&self, speeds: &[R; N]) -> RotorEffect<R, N> {
        let mut squares = *speeds;
        for i in 0..N {
            squares[i] = speeds[i] * speeds[i];
        }
        let zero = speeds[0].like(0.0);
        let mut moment = self.moment_coefficients[0] * squares[0];
        for i in 1..taken::<N>(self.count) {
            moment = self.moment_coefficients[i].times_plus(squares[i], moment);
        }
        let force = match &self.unlike {
            None => Axes::new(zero, zero, self.thrust_coefficient * sum(&squares)),
            Some(unlike) => {
                let mut force = Axes::new(zero, zero, zero);
                for i in 0..taken::<N>(self.count) {
                    force = unlike.forces[i].times_plus(squares[i], force);
                }
                force
            }
        };
        let pull = match &self.crosswind {
            Some(crosswind) => crosswind.pull(speeds),
            None => RotorPull::none(zero),
        };
        RotorEffect {
            speeds: *speeds,
            force,
            moment,
            pull,
        }
    }

    /// `rotors` with the moment of those that are on their way to `command`: a rotor that gains speed
    /// turns the body against it, like its drag.
    #[inline(always)]
    pub(crate) fn spinning_up(
        &self,
        rotors: RotorEffect<R, N>,
        command: &[R; N],
    ) -> RotorEffect<R, N> {
        let Some(spin_up) = &self.spin_up else {
            return rotors;
        };
        let mut rotors = rotors;
        for i in 0..taken::<N>(self.count) {
            if self.stopped == Some(i) {
                continue;
            }
            let target = command[i]
                .greater(self.least_speed)
                .lesser(self.greatest_speed);
            let moment = (target - rotors.speeds[i]) * spin_up[i];
            match &self.unlike {
                None => rotors.moment.z = rotors.moment.z + moment,
                Some(unlike) => {
                    rotors.moment = unlike.directions[i].times_plus(moment, rotors.moment);
                }
            }
        }
        rotors
    }

    /// Time derivative of the body's motion, and what it takes to evaluate it nearby.
    #[inline(always)]
    pub(crate) fn rate(
        &self,
        body: &Motion<R>,
        rotors: &RotorEffect<R, N>,
        wind: Axes<R>,
    ) -> (Motion<R>, WindAnchor<R>) {
        let rotation = body.attitude.matrix();
        let air_velocity = rotation.to_body(body.velocity - wind);
        let (crosswind, anchor) = match &self.crosswind {
            Some(crosswind) => crosswind.wrench(&rotors.pull, -air_velocity),
            None => (
                Wrench::none(rotors.force.z),
                WindAnchor::none(rotors.force.z),
            ),
        };
        let wrench = self.wrench(body, rotors, air_velocity, crosswind);
        (self.answer(body, rotation, wrench), anchor)
    }

    /// The same close to where `anchor` was made.
    #[inline(always)]
    pub(crate) fn rate_near(
        &self,
        body: &Motion<R>,
        rotors: &RotorEffect<R, N>,
        wind: Axes<R>,
        anchor: &WindAnchor<R>,
    ) -> Motion<R> {
        let rotation = body.attitude.matrix();
        let air_velocity = rotation.to_body(body.velocity - wind);
        let crosswind = match &self.crosswind {
            Some(crosswind) => crosswind.wrench_near(&rotors.pull, -air_velocity, anchor),
            None => Wrench::none(rotors.force.z),
        };
        let wrench = self.wrench(body, rotors, air_velocity, crosswind);
        self.answer(body, rotation, wrench)
    }

    /// Everything that acts on the body at one instant except gravity, in body axes.
    pub(crate) fn body_wrench(
        &self,
        body: &Motion<R>,
        rotors: &RotorEffect<R, N>,
        wind: Axes<R>,
    ) -> Wrench<R> {
        let air_velocity = body.attitude.matrix().to_body(body.velocity - wind);
        let crosswind = match &self.crosswind {
            Some(crosswind) => crosswind.wrench(&rotors.pull, -air_velocity).0,
            None => Wrench::none(rotors.force.z),
        };
        self.wrench(body, rotors, air_velocity, crosswind)
    }

    #[inline(always)]
    fn wrench(
        &self,
        body: &Motion<R>,
        rotors: &RotorEffect<R, N>,
        air_velocity: Axes<R>,
        crosswind: Wrench<R>,
    ) -> Wrench<R> {
        let mut wrench = crosswind;
        match self.unlike {
            None => wrench.force.z = wrench.force.z + rotors.force.z,
            Some(_) => wrench.force = wrench.force + rotors.force,
        }
        wrench.moment = wrench.moment + rotors.moment;
        if let Some(drag) = &self.rotor_drag {
            wrench = wrench
                + RotorDrag::wrench(
                    drag,
                    &self.hubs[..taken::<N>(self.count)],
                    &rotors.speeds,
                    air_velocity,
                    body.rates,
                );
        }
        if let Some(drag) = &self.body_drag {
            wrench.force = wrench.force + BodyDrag::force(drag, air_velocity);
        }
        wrench
    }

    /// What the body answers to a force and a moment.
    #[inline(always)]
    fn answer(&self, body: &Motion<R>, rotation: Rotation<R>, wrench: Wrench<R>) -> Motion<R> {
        let mut velocity = rotation.to_world(wrench.force * self.mass_inverse);
        velocity.z = velocity.z - self.gravity;
        let gyroscopic = body.rates.cross(self.inertia.times(body.rates));
        Motion {
            position: body.velocity,
            velocity,
            attitude: body
                .attitude
                .times_vector(body.rates * self.gravity.like(0.5)),
            rates: self.inertia_inverse.times(wrench.moment - gyroscopic),
        }
    }
}

impl<R: Real> Motion<R> {
    /// That of `state`, in as many lanes as `like` has.
    #[inline(always)]
    pub(crate) fn of(like: R, state: &State) -> Motion<R> {
        Motion::fill(like, |_| state)
    }

    /// The vehicle of each lane.
    #[inline(always)]
    pub(crate) fn fill<'a>(like: R, state: impl Fn(usize) -> &'a State) -> Motion<R> {
        Motion {
            position: Axes::fill(like, |k| state(k).position_m),
            velocity: Axes::fill(like, |k| state(k).velocity_m_s),
            attitude: Turn::fill(like, |k| state(k).attitude.into_inner()),
            rates: Axes::fill(like, |k| state(k).rates_rad_s),
        }
    }

    /// The vehicle in lane `k`, whose rotors turn at `rotors_rad_s`.
    #[inline(always)]
    pub(crate) fn state(&self, rotors_rad_s: PerRotor, k: usize) -> State {
        State {
            position_m: self.position.lane(k),
            velocity_m_s: self.velocity.lane(k),
            attitude: UnitQuaternion::new_unchecked(self.attitude.lane(k)),
            rates_rad_s: self.rates.lane(k),
            rotors_rad_s,
        }
    }

    /// self + h · rate
    #[inline(always)]
    pub(crate) fn advanced(&self, rate: &Motion<R>, h: f64) -> Motion<R> {
        let h = self.velocity.x.like(h);
        Motion {
            position: rate.position.times_plus(h, self.position),
            velocity: rate.velocity.times_plus(h, self.velocity),
            attitude: rate.attitude.times_plus(h, self.attitude),
            rates: rate.rates.times_plus(h, self.rates),
        }
    }
}

impl<R: Real> std::ops::Add for Motion<R> {
    type Output = Motion<R>;
    #[inline(always)]
    fn add(self, other: Motion<R>) -> Motion<R> {
        Motion {
            position: self.position + other.position,
            velocity: self.velocity + other.velocity,
            attitude: self.attitude + other.attitude,
            rates: self.rates + other.rates,
        }
    }
}
