//! Whole flights: they end as data, repeat to the last bit and improve with the step.

use nalgebra::Vector3;
use sim::{
    ACE_CAP_M, Airframe, Divergence, Domain, Dryden, Gains, Outcome, SensorNoise, Setup, Steady,
    fly,
};
use trajectories::by_name;

fn setup() -> Setup {
    Setup::new(Airframe::omac())
}

#[test]
fn every_trajectory_is_flown_to_its_end_in_both_domains_by_the_default_gains() {
    let setup = setup();
    for name in trajectories::NAMES {
        let trajectory = by_name(name).expect("legal");
        for domain in [Domain::gusty(), Domain::steady()] {
            let mut wind = Dryden::new(&domain, 3);
            let gains = &setup.airframe.gains;
            let flight = fly(&setup, trajectory.as_ref(), gains, &mut wind, 3);
            assert!(
                flight.completed(),
                "{name} in {}: {:?}",
                domain.name,
                flight.outcome
            );
            let score = flight.score;
            assert!(score.ace_m > 0.05 && score.ace_m < 1.0, "{name}: {score:?}");
            assert!(score.mean_distance_m <= score.ace_m && score.ace_m <= score.max_error_m);
            assert_eq!(flight.cost_m(), score.ace_m);
        }
    }
}

#[test]
fn in_still_air_without_noise_the_hover_does_not_move() {
    let mut setup = setup();
    setup.sensors = SensorNoise::NONE;
    let hover = by_name("hover").expect("legal");
    let gains = &setup.airframe.gains;
    let mut air = Steady(Vector3::zeros());
    let flight = fly(&setup, hover.as_ref(), gains, &mut air, 0);
    assert!(flight.score.max_error_m < 1e-12, "{:?}", flight.score);
}

#[test]
fn the_integral_carries_a_steady_wind() {
    // A constant side wind is a constant force: with an integral the error must die out, without
    // one it must stay at about force / (m Kp).
    let mut setup = setup();
    setup.sensors = SensorNoise::NONE;
    setup.record_every = 100;
    let hover = by_name("hover").expect("legal");
    let last_error = |ki: f64| {
        let mut gains = setup.airframe.gains;
        gains.position_xy.ki = ki;
        let mut air = Steady(Vector3::new(3.0, 0.0, 0.0));
        let flight = fly(&setup, hover.as_ref(), &gains, &mut air, 0);
        flight
            .samples
            .last()
            .expect("recorded")
            .state
            .position_m
            .x
            .abs()
    };
    assert!(last_error(0.0) > 0.2, "{}", last_error(0.0));
    assert!(last_error(3.0) < 0.01, "{}", last_error(3.0));
}

#[test]
fn gains_that_cannot_hold_the_vehicle_end_the_flight_with_a_time_and_a_reason() {
    let setup = setup();
    let fig8 = by_name("fig8").expect("legal");
    let mut weak = setup.airframe.gains;
    weak.position_xy = sim::Pid {
        kp: 0.1,
        ki: 0.0,
        kd: 0.0,
    };
    let flight = fly(
        &setup,
        fig8.as_ref(),
        &weak,
        &mut Dryden::new(&Domain::gusty(), 1),
        1,
    );
    let Outcome::Diverged { at_s, why } = flight.outcome else {
        panic!("too weak to follow: {:?}", flight.outcome);
    };
    assert!(at_s > 0.5 && at_s < 20.0, "{at_s}");
    assert_eq!(why, Divergence::FarFromReference);
    assert_eq!(flight.cost_m(), ACE_CAP_M);
}

#[test]
fn a_vehicle_whose_rotors_are_too_slow_hits_the_ground_when_gravity_says_so() {
    let mut setup = setup();
    // The rotors start at hover speed and are held to half of it within milliseconds: the vehicle
    // falls at 3/4 g and its hubs, 5 mm above the centre of mass, reach the ground last.
    setup.airframe.rotors.max_speed_rad_s = 0.5 * setup.airframe.hover_speed_rad_s();
    setup.airframe.side_force = None;
    let hover = by_name("hover").expect("legal");
    let gains = &setup.airframe.gains;
    let mut air = Steady(Vector3::zeros());
    let flight = fly(&setup, hover.as_ref(), gains, &mut air, 1);
    let Outcome::Diverged { at_s, why } = flight.outcome else {
        panic!("{:?}", flight.outcome);
    };
    assert_eq!(why, Divergence::HitGround);
    let free_fall_s = (2.0 * 3.048 / (0.75 * 9.81f64)).sqrt();
    assert!(
        (at_s - free_fall_s).abs() < 0.02,
        "{at_s} against {free_fall_s}"
    );
}

#[test]
fn absurd_gains_and_winds_never_panic() {
    let setup = setup();
    let fig8 = by_name("fig8").expect("legal");
    for size in [0.0, 1e3, 1e12] {
        let mut gains = setup.airframe.gains;
        gains.position_xy = sim::Pid {
            kp: size,
            ki: size,
            kd: size,
        };
        gains.rate_kp = [size; 3];
        let mut gale = Steady(Vector3::new(1e6, -1e6, 1e6));
        let flight = fly(&setup, fig8.as_ref(), &gains, &mut gale, 1);
        assert!(flight.cost_m().is_finite());
        assert!(!flight.completed());
    }
}

#[test]
fn the_same_seeds_give_the_same_bits_and_recording_changes_nothing() {
    let quiet = setup();
    let mut recorded = setup();
    recorded.record_every = 10;
    let fig8 = by_name("fig8").expect("legal");
    let gains = &quiet.airframe.gains;
    let once = |setup: &Setup| {
        fly(
            setup,
            fig8.as_ref(),
            gains,
            &mut Dryden::new(&Domain::gusty(), 9),
            9,
        )
    };
    let (first, second, third) = (once(&quiet), once(&quiet), once(&recorded));
    assert_eq!(first.score, second.score);
    assert_eq!(first.score, third.score);
    assert_eq!(third.samples.len(), 2_000);
    assert_eq!(third.samples, once(&recorded).samples);
}

#[test]
fn two_flights_with_different_gains_meet_the_same_wind() {
    let mut setup = setup();
    setup.record_every = 50;
    let hover = by_name("hover").expect("legal");
    let wind_of = |gains: &Gains| {
        let mut wind = Dryden::new(&Domain::steady(), 4);
        let flight = fly(&setup, hover.as_ref(), gains, &mut wind, 4);
        flight
            .samples
            .iter()
            .map(|s| s.wind_m_s)
            .collect::<Vec<_>>()
    };
    let mut stiff = setup.airframe.gains;
    stiff.position_xy.kp = 12.0;
    assert_eq!(wind_of(&setup.airframe.gains), wind_of(&stiff));
}

#[test]
fn finer_integration_steps_change_the_closed_loop_by_less_than_a_micrometre() {
    let mut setup = setup();
    setup.sensors = SensorNoise::NONE;
    setup.record_every = 1_000;
    let fig8 = by_name("fig8").expect("legal");
    let end_with = |steps: u32| {
        let mut setup = setup.clone();
        setup.steps_per_period = steps;
        let gains = setup.airframe.gains;
        let mut wind = Dryden::new(&Domain::steady(), 2);
        let flight = fly(&setup, fig8.as_ref(), &gains, &mut wind, 2);
        flight.samples.last().expect("recorded").state.position_m
    };
    let difference = (end_with(1) - end_with(8)).norm();
    assert!(difference < 1e-6, "{difference:e} m");
}
