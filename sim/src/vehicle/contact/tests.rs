//! A closed-loop flight that the contact solver takes over and gives back.

use super::*;
use crate::control::{InnerLoops, PositionLoop, positions_at};
use crate::lanes::axes::{Axes, Turn};
use crate::vehicle::per_rotor::MOST_ROTORS;
use crate::{
    CONTROL_PERIOD_S, Domain, Dryden, Multirotor, PerRotor, START_ABOVE_GROUND_M, SensorNoise,
    Sensors, Wind,
};
use trajectories::{FromGround, Phase, Trajectory};

/// What came of a flight from the ground and back.
#[derive(Debug, Default)]
struct Journey {
    touches: Vec<(Phase, Touch)>,
    /// Changes between free flight and contact solver.
    hand_overs: u32,
    /// Greatest distance from the reference while the contact solver had the body [m].
    greatest_error_m: f64,
}

/// A closed-loop flight in wind: motors idle on the ground, free flight by Runge-Kutta, and the
/// contact solver while the clearance is below the hull's thresholds.
fn journey(airframe: &Airframe, name: &str) -> (Journey, State) {
    let inner = trajectories::by_name(name).expect("legal");
    let rest_m = rest_height_m(airframe);
    let flight = FromGround::new(inner, -START_ABOVE_GROUND_M, rest_m).expect("there is room");
    let (world, hull) = (World::ground(), Hull::of(airframe));
    let multirotor = Multirotor::new(airframe);
    let pilot = || {
        let inner = InnerLoops::<f64, MOST_ROTORS>::new(airframe, |_| &airframe.gains, 0.0);
        (PositionLoop::new(airframe, &airframe.gains), inner)
    };
    let (mut position_loop, mut inner_loops) = pilot();
    let mut sensors = Sensors::new(SensorNoise::NONE, 1);
    let mut wind = Dryden::new(&Domain::steady(), 1);
    let mut state = State {
        attitude: UnitQuaternion::identity(),
        ..State::on(&flight.at(0.0), [0.0; 4].into())
    };
    let mut contact: Option<Contact> = None;
    let mut journey = Journey::default();
    let mut down = false;
    for tick in 0..(flight.duration_s() / CONTROL_PERIOD_S) as u64 {
        let time_s = tick as f64 * CONTROL_PERIOD_S;
        let (phase, reference) = (flight.phase(time_s), flight.at(time_s));
        let command = if down || matches!(phase, Phase::Standing | Phase::Landed) {
            // Fresh, so that nothing integrates while the ground holds the vehicle.
            (position_loop, inner_loops) = pilot();
            [0.0; 4].into()
        } else {
            let seen = sensors.see(&state);
            if positions_at(tick) {
                let aim = position_loop.aim(&reference, &sensors.measure(&seen));
                inner_loops.aim(|_| aim);
            }
            let measured = sensors.measure_inertial(&seen);
            let attitude = Turn::from(&measured.attitude);
            let rates = Axes::from(&measured.rates_rad_s);
            let commands = inner_loops.command(attitude, rates, measured.climb_m_s);
            inner_loops.single(&commands).speeds_rad_s
        };
        let wind_m_s = wind.step();
        let clearance_m = world.clearance_m(&state.position_m);
        let speed_m_s = state.velocity_m_s.norm();
        if contact.is_none() && clearance_m < hull.take_over_m(speed_m_s, CONTROL_PERIOD_S) {
            contact = Some(Contact::new(&world, airframe, &state, CONTROL_PERIOD_S));
            journey.hand_overs += 1;
        } else if contact.is_some() && clearance_m > hull.give_back_m(speed_m_s, CONTROL_PERIOD_S) {
            contact = None;
            journey.hand_overs += 1;
        }
        let Some(contact) = &mut contact else {
            multirotor.step(&mut state, &command, &wind_m_s, CONTROL_PERIOD_S);
            continue;
        };
        // The rotors lag as in free flight; what they do is taken from the middle of the step.
        let mut free = state;
        multirotor.step(&mut free, &command, &wind_m_s, CONTROL_PERIOD_S);
        let before = state.rotors_rad_s;
        state.rotors_rad_s = PerRotor::new(4, |i| 0.5 * (before[i] + free.rotors_rad_s[i]));
        let wrench = multirotor.wrench(&state, &wind_m_s);
        let force_n = state.attitude * wrench.force_n;
        let touch = contact.step(&mut state, &force_n, &wrench.moment_n_m);
        state.rotors_rad_s = free.rotors_rad_s;
        // An autopilot that fights the ground after touch-down tips the vehicle over.
        down |= phase == Phase::Landing && touch.is_some();
        journey.touches.extend(touch.map(|touch| (phase, touch)));
        let error_m = (state.position_m - reference.position_m).norm();
        journey.greatest_error_m = journey.greatest_error_m.max(error_m);
    }
    (journey, state)
}

#[test]
fn a_whole_flight_leaves_the_ground_and_comes_back_to_it() {
    for name in trajectories::NAMES {
        let airframe = Airframe::omac();
        let (journey, state) = journey(&airframe, name);
        // Taken over at the start, given back on the way up, taken over on the way down.
        assert_eq!(journey.hand_overs, 3, "{name}");
        for (phase, touch) in &journey.touches {
            assert_eq!((touch.surface, touch.part), (Surface::Ground, Part::Gear));
            assert_ne!(*phase, Phase::Flight, "{name}");
            // Measured: 1.1 m/s at most, from gusts.
            assert!(
                touch.impulse_n_s / airframe.mass_kg < 1.5,
                "{name}: {touch:?}"
            );
        }
        assert_eq!(journey.touches.first().map(|t| t.0), Some(Phase::Standing));
        assert_eq!(journey.touches.last().map(|t| t.0), Some(Phase::Landed));
        assert!(
            journey.greatest_error_m < 0.6,
            "{name}: {}",
            journey.greatest_error_m
        );
        let height_m = state.position_m.z + START_ABOVE_GROUND_M;
        let tilt_rad = (state.attitude * Vector3::z()).angle(&Vector3::z());
        assert!((height_m - rest_height_m(&airframe)).abs() < 5e-5);
        assert!(tilt_rad < 1e-6 && state.velocity_m_s.norm() < 1e-9);
    }
}
