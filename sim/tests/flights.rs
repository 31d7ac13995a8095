//! Whole flights: they end as data, repeat to the last bit and improve with the step.

use nalgebra::Vector3;
use sim::{
    ACE_CAP_M, Airframe, Domain, Dryden, Gains, Loss, Obstacle, Outcome, SensorNoise, Setup,
    Steady, World, fly,
};
use trajectories::{FromGround, by_name};

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
    let Outcome::Lost { at_s, why } = flight.outcome else {
        panic!("too weak to follow: {:?}", flight.outcome);
    };
    assert!(at_s > 0.5 && at_s < 20.0, "{at_s}");
    assert_eq!(why, Loss::FarFromReference);
    assert_eq!(flight.cost_m(), ACE_CAP_M);
}

#[test]
fn a_vehicle_whose_rotors_are_too_slow_hits_the_ground_when_gravity_says_so() {
    let mut setup = setup();
    // The rotors start at hover speed and are held to half of it within milliseconds: the vehicle
    // falls at 3/4 g until its gear, 0.15 m below the centre of mass, reaches the ground.
    setup.airframe.rotors.max_speed_rad_s = 0.5 * setup.airframe.hover_speed_rad_s();
    setup.airframe.side_force = None;
    let hover = by_name("hover").expect("legal");
    let gains = &setup.airframe.gains;
    let mut air = Steady(Vector3::zeros());
    let flight = fly(&setup, hover.as_ref(), gains, &mut air, 1);
    let Outcome::Lost { at_s, why } = flight.outcome else {
        panic!("{:?}", flight.outcome);
    };
    let Loss::Hit(collision) = why else {
        panic!("{why}");
    };
    let height_m = 3.048 - sim::rest_height_m(&setup.airframe);
    let acceleration = 0.75 * 9.81;
    let free_fall_s = (2.0 * height_m / acceleration).sqrt();
    assert!(
        (at_s - free_fall_s).abs() < 0.02,
        "{at_s} against {free_fall_s}"
    );
    assert_eq!(collision.obstacle, None);
    assert!((collision.point_m[2] + 3.048).abs() < 1e-3, "{collision:?}");
    // An inelastic impact takes the whole momentum.
    let momentum = setup.airframe.mass_kg * acceleration * free_fall_s;
    assert!(
        (collision.impulse_n_s / momentum - 1.0).abs() < 0.03,
        "{collision:?} {momentum}"
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

#[test]
fn a_world_far_away_leaves_the_flight_as_it_is_bit_for_bit() {
    let mut setup = setup();
    setup.record_every = 1;
    let fig8 = by_name("fig8").expect("legal");
    let flight_in = |world: World| {
        let mut setup = setup.clone();
        setup.world = world;
        let gains = setup.airframe.gains;
        fly(
            &setup,
            fig8.as_ref(),
            &gains,
            &mut Dryden::new(&Domain::steady(), 6),
            6,
        )
    };
    let wall = Obstacle {
        name: "wall".to_owned(),
        centre_m: Vector3::new(40.0, 0.0, 0.0),
        size_m: Vector3::new(1.0, 50.0, 50.0),
        yaw_deg: 20.0,
    };
    let far = World::ground().with_obstacle(wall).expect("legal");
    let (with, without) = (flight_in(far), flight_in(World::empty()));
    assert_eq!(with.samples, without.samples);
    assert_eq!(with.score, without.score);
}

#[test]
fn an_obstacle_in_the_way_is_hit_with_its_index_place_and_impulse() {
    let mut setup = setup();
    setup.sensors = SensorNoise::NONE;
    let boxed = |name: &str, x: f64| Obstacle {
        name: name.to_owned(),
        centre_m: Vector3::new(x, 0.0, 0.0),
        size_m: Vector3::new(0.5, 20.0, 4.0),
        yaw_deg: 0.0,
    };
    setup.world = World::ground()
        .with_obstacle(boxed("behind", -30.0))
        .and_then(|world| world.with_obstacle(boxed("ahead", 8.0)))
        .expect("legal");
    let forward = by_name("sin-forward").expect("legal");
    let gains = &setup.airframe.gains;
    let mut air = Steady(Vector3::zeros());
    let flight = fly(&setup, forward.as_ref(), gains, &mut air, 1);
    let Outcome::Lost {
        at_s,
        why: Loss::Hit(collision),
    } = flight.outcome
    else {
        panic!("{:?}", flight.outcome);
    };
    assert_eq!(collision.obstacle, Some(1));
    // The face is at 7.75 m, the discs reach 0.54 m ahead of the centre, the speed is 1 m/s.
    assert!((collision.point_m[0] - 7.75).abs() < 0.01, "{collision:?}");
    assert!((at_s - 7.2).abs() < 0.4, "{at_s}");
    assert!(collision.impulse_n_s > 0.5, "{collision:?}");
}

#[test]
fn a_flight_takes_off_from_the_ground_and_lands_on_it() {
    let mut setup = setup();
    setup.record_every = 20;
    let standing_m = sim::rest_height_m(&setup.airframe);
    for name in trajectories::NAMES {
        let inner = by_name(name).expect("legal");
        let journey = FromGround::new(inner, -3.048, standing_m).expect("room above the ground");
        for seed in 0..3 {
            let gains = &setup.airframe.gains;
            let mut wind = Dryden::new(&Domain::steady(), seed);
            let flight = fly(&setup, &journey, gains, &mut wind, seed);
            assert!(flight.completed(), "{name} {seed}: {:?}", flight.outcome);
            let (first, last) = (
                flight.samples[10].state,
                flight.samples.last().expect("recorded").state,
            );
            for standing in [first, last] {
                let height = standing.position_m.z + 3.048;
                assert!(
                    (height - standing_m).abs() < 2e-3,
                    "{name} {seed}: stands at {height}"
                );
                assert!(
                    standing.velocity_m_s.norm() < 0.05,
                    "{name} {seed}: {standing:?}"
                );
            }
            let highest = flight
                .samples
                .iter()
                .map(|s| s.state.position_m.z)
                .fold(-9.0, f64::max);
            assert!(highest > -0.5, "{name} {seed}: never left the ground");
        }
    }
}
