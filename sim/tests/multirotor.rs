//! Vehicles of more than four rotors in flight: against two simulators that share no line with ours, in batches, with
//! their centre of mass off the middle, and without one of their rotors.

mod frames;
mod refused;
mod rotor_out;

use crate::batch::flown_both_ways;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use serde::Deserialize;
use sim::{
    Airframe, BodyDrag, Domain, Flight, Frame, GRAVITY_M_S2, Integrator, Multirotor, PerRotor,
    RotorDrag, RotorOut, Rotors, SensorNoise, Setup, Start, State, Steady, Uncertainty, fly,
};
use std::f64::consts::TAU;
use trajectories::by_name;

/// The default vehicle with the rotors of a frame, pairs of which are a little weaker below.
fn omac_as(frame: &str) -> Airframe {
    let omac = Airframe::omac();
    let frame = Frame::by_name(frame).expect("known");
    Airframe {
        rotors: frame.rotors(&omac.rotors, 0.42, 0.06, 0.85),
        ..omac
    }
}

// Two other simulators.

/// A flight in open loop as another simulator has it, in the names of `multirotor/reference.py`.
#[derive(Deserialize)]
struct Case {
    name: String,
    mass: f64,
    inertia: [[f64; 3]; 3],
    c_t: f64,
    c_q: f64,
    lag: f64,
    min_speed: f64,
    max_speed: f64,
    positions: Vec<[f64; 3]>,
    yaw_torque_signs: Vec<f64>,
    #[serde(default)]
    directions: Vec<[f64; 3]>,
    thrust_factors: Vec<f64>,
    torque_factors: Vec<f64>,
    centre_of_mass: [f64; 3],
    rotor_inertia: f64,
    body_drag: [f64; 3],
    k_d: f64,
    k_z: f64,
    k_h: f64,
    k_flap: f64,
    hover_speed: f64,
    wind: [f64; 3],
    gravity: f64,
    initial: At,
    /// Steps, and where they led.
    after: Vec<(u32, At)>,
}

#[derive(Deserialize)]
struct At {
    position: [f64; 3],
    velocity: [f64; 3],
    /// w x y z
    quaternion: [f64; 4],
    rates: [f64; 3],
    rotor_speeds: Vec<f64>,
}

impl At {
    fn state(&self) -> State {
        let [w, x, y, z] = self.quaternion;
        State {
            position_m: self.position.into(),
            velocity_m_s: self.velocity.into(),
            attitude: UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)),
            rates_rad_s: self.rates.into(),
            rotors_rad_s: PerRotor::new(self.rotor_speeds.len(), |i| self.rotor_speeds[i]),
        }
    }
}

impl Case {
    fn airframe(&self) -> Airframe {
        // What changes nothing is left out, as in a file: rotors that are alike have a shorter way.
        let unlike = |factors: &[f64]| match factors.iter().all(|factor| *factor == 1.0) {
            true => Vec::new(),
            false => factors.to_vec(),
        };
        Airframe {
            name: self.name.clone(),
            mass_kg: self.mass,
            inertia_kg_m2: self.inertia,
            centre_of_mass_m: Some(self.centre_of_mass).filter(|centre| *centre != [0.0; 3]),
            rotors: Rotors {
                positions_m: self.positions.clone(),
                yaw_torque_signs: self.yaw_torque_signs.clone(),
                directions: self.directions.clone(),
                thrust_factors: unlike(&self.thrust_factors),
                torque_factors: unlike(&self.torque_factors),
                thrust_n_s2_per_rad2: self.c_t,
                torque_n_m_s2_per_rad2: self.c_q,
                lag_s: self.lag,
                min_speed_rad_s: self.min_speed,
                max_speed_rad_s: self.max_speed,
                rotor_inertia_kg_m2: self.rotor_inertia,
            },
            side_force: None,
            rotor_drag: Some(RotorDrag {
                in_plane_n_s2_per_rad_m: self.k_d,
                axial_n_s2_per_rad_m: self.k_z,
                translational_lift_n_s2_per_m2: self.k_h,
                flapping_n_s2_per_rad: self.k_flap,
            }),
            body_drag: Some(BodyDrag {
                quadratic_n_s2_per_m2: self.body_drag,
            }),
            ..Airframe::omac()
        }
    }

    /// Flies it here in steps of 1 ms; the greatest errors of position, velocity, attitude, rates and rotor speeds.
    fn errors(&self) -> [f64; 5] {
        let airframe = self.airframe();
        airframe.check().expect("a vehicle that can fly");
        let multirotor = Multirotor::new(&airframe).with_gravity(self.gravity);
        let mut integrator = Integrator::new(&multirotor, 1e-3);
        let (mut state, wind) = (self.initial.state(), Vector3::from(self.wind));
        let (mut steps, mut errors) = (0, [0.0f64; 5]);
        for (until, there) in &self.after {
            while steps < *until {
                let time_s = 1e-3 * f64::from(steps);
                let command = PerRotor::new(self.positions.len(), |i| {
                    let phase = TAU * (0.7 + 0.1 * i as f64) * time_s + i as f64;
                    self.hover_speed * (1.0 + 0.03 * phase.sin())
                });
                integrator.step(&mut state, &command, &wind);
                steps += 1;
            }
            let there = there.state();
            let speeds = state.rotors_rad_s.iter().zip(&*there.rotors_rad_s);
            let apart = [
                (state.position_m - there.position_m).norm(),
                (state.velocity_m_s - there.velocity_m_s).norm(),
                there.attitude.angle_to(&state.attitude),
                (state.rates_rad_s - there.rates_rad_s).norm(),
                speeds.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max),
            ];
            errors = std::array::from_fn(|k| errors[k].max(apart[k]));
        }
        errors
    }

    /// Measured: 2e-13 beside our own reference, 7e-11 beside RotorPy, which is the error of steps of 1 ms.
    fn must_agree(&self) {
        let (name, errors) = (&self.name, self.errors());
        let body = errors[..4].iter().all(|error| *error < 1e-9);
        assert!(body && errors[4] < 1e-6, "{name}: {errors:?}");
    }
}

fn cases(text: &str) -> Vec<Case> {
    serde_json::from_str(text).expect("recorded cases")
}

/// The same equations written a second time, from the equations alone, with the same method.
#[test]
fn six_and_eight_rotors_pairs_and_tilted_ones_fly_as_in_our_own_reference_in_numpy() {
    let cases = cases(include_str!("multirotor/cases.json"));
    assert_eq!(cases.len(), 4);
    for case in cases {
        case.must_agree();
    }
}

/// Its `Multirotor`, whose state and allocation have room for four rotors only, with six by a wider state, commanded
/// for 1 s and integrated by DOP853 to 1e-12.
#[test]
fn six_rotors_fly_as_in_rotorpy_3_0_0() {
    for case in cases(include_str!("multirotor/rotorpy.json")) {
        case.must_agree();
    }
}

// Flights.

#[test]
fn uncertain_hexacopters_and_coaxial_octocopters_fly_the_same_alone_and_in_a_batch() {
    let figure = by_name("fig8").expect("shipped");
    // More inertia than that, and the yaw loop of a vehicle whose rotors take 2 ms to their speed swings up.
    for (frame, rotor_inertia_kg_m2) in [("hexa-x", 0.0), ("coaxial-x8", 1e-7)] {
        let mut setup = Setup::new(omac_as(frame));
        setup.uncertain = true;
        setup.airframe.rotors.rotor_inertia_kg_m2 = rotor_inertia_kg_m2;
        // The air acts by the other of the two models.
        if frame == "coaxial-x8" {
            setup.airframe.side_force = None;
            setup.airframe.rotor_drag = Airframe::by_name("hummingbird")
                .expect("shipped")
                .rotor_drag;
        }
        setup.airframe.uncertainty = Uncertainty {
            mass_rel: 0.1,
            inertia_rel: 0.2,
            rotor_lag_rel: 0.3,
            thrust_rel: 0.1,
            battery_sag_rel: 0.2,
            drag_rel: 0.2,
            centre_of_mass_m: [0.004, 0.004, 0.01],
            joint: None,
        };
        let flights = flown_both_ways(&setup, figure.as_ref(), &Domain::gusty(), 0..5);
        assert!(flights.iter().all(Flight::completed), "{frame}");
        assert!(flights[0].score != flights[1].score, "{frame}");
    }
}

/// A hover in still air without sensor noise, every tick recorded.
fn hovering(airframe: Airframe, start: Start, rotor_out: Option<RotorOut>) -> Flight {
    let setup = Setup {
        sensors: SensorNoise::NONE,
        record_every: 1,
        start,
        rotor_out,
        ..Setup::new(airframe)
    };
    let hover = by_name("hover").expect("shipped");
    let mut still = Steady(Vector3::zeros());
    fly(&setup, hover.as_ref(), &setup.airframe.gains, &mut still, 1)
}

/// A vehicle that is as slow to turn as one of this size is, with an autopilot for that; it may ask for large moments
/// and hold them. In still air no side force acts, but its 0.6th power of the speed keeps a vehicle from settling.
fn strong(frame: &str) -> Airframe {
    let mut airframe = omac_as(frame);
    for moment in airframe.inertia_kg_m2.iter_mut().flatten() {
        *moment *= 10.0;
    }
    let gains = &mut airframe.gains;
    for gain in [&mut gains.rate_kp, &mut gains.rate_ki, &mut gains.rate_kd] {
        *gain = gain.map(|gain| 10.0 * gain);
    }
    airframe.controller.torque_setpoint_limit_n_m = [5.0; 3];
    airframe.side_force = None;
    airframe
}

#[test]
fn with_integrals_a_centre_of_mass_off_the_middle_moves_nothing() {
    for frame in ["hexa-x", "coaxial-x8"] {
        let mut airframe = strong(frame);
        airframe.centre_of_mass_m = Some([0.02, 0.0, 0.0]);
        let flight = hovering(airframe, Start::Equilibrium, None);
        let off_m = flight.score.max_error_m;
        assert!(flight.completed() && off_m < 1e-6, "{frame}: {off_m}");
    }
}

/// Rotors that differ from one another give another thrust and other moments than the mixer asks for.
#[test]
fn unlike_rotors_begin_in_balance_too() {
    let mut airframe = strong("hexa-x");
    airframe.rotors.thrust_factors = vec![0.8, 1.0, 1.0, 1.0, 1.0, 1.1];
    let flight = hovering(airframe, Start::Equilibrium, None);
    let off_m = flight.score.max_error_m;
    assert!(flight.completed() && off_m < 1e-6, "{off_m}");
}

#[test]
fn without_integrals_it_settles_where_the_tilt_that_is_wanted_gives_the_moment_that_is_missing() {
    let (mut airframe, ahead_m) = (strong("hexa-x"), 0.02);
    airframe.centre_of_mass_m = Some([ahead_m, 0.0, 0.0]);
    let gains = &mut airframe.gains;
    (gains.rate_ki, gains.position_xy.ki, gains.position_z.ki) = ([0.0; 3], 0.0, 0.0);
    let (xy, z) = (gains.position_xy.kp, gains.position_z.kp);
    // The moment of the weight ahead is held by a rate setpoint of 2 sin(tilt / 2) attitude_kp; the vehicle is level,
    // the force of the weight's size that is wanted leans back by the tilt.
    let moment_n_m = airframe.mass_kg * GRAVITY_M_S2 * ahead_m;
    let setpoint_rad_s = moment_n_m / gains.rate_kp[1];
    let tilt = 2.0 * (0.5 * setpoint_rad_s / gains.attitude_kp[1]).asin();
    let [forward, up] = [
        GRAVITY_M_S2 * tilt.sin() / xy,
        GRAVITY_M_S2 * (1.0 - tilt.cos()) / z,
    ];
    let flight = hovering(airframe, Start::Rest, None);
    let last = flight.samples.last().expect("recorded");
    let off_m = last.state.position_m - last.reference.position_m;
    let expected_m = Vector3::new(forward, 0.0, up);
    assert!(forward > 0.01, "it must be felt: {forward}");
    assert!((off_m - expected_m).norm() < 1e-6, "{off_m} {expected_m}");
}
