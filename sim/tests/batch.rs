//! Batches: a flight is the same to the last bit alone or among others, with any instructions;
//! wide registers of either size give the same bits too. Where a processor has not got them, the
//! next best are tested in their place.

use nalgebra::Vector3;
use sim::{
    Airframe, Domain, Dryden, Flight, Hull, Instructions, Obstacle, Pid, Profile, SensorNoise,
    Setup, Start, Steady, World, fly, fly_all, fly_each, fly_many,
};
use trajectories::{FromGround, Trajectory, by_name};

/// The flights of `seeds` in `domain`, together and one by one; checks that they are the same.
pub(crate) fn flown_both_ways(
    setup: &Setup,
    trajectory: &dyn Trajectory,
    domain: &Domain,
    seeds: std::ops::Range<u64>,
) -> Vec<Flight> {
    let gains = &setup.airframe.gains;
    let seeds: Vec<u64> = seeds.collect();
    let wind = |seed| domain.wind(seed, trajectory.duration_s());
    let mut fused: Option<Vec<Flight>> = None;
    for instructions in [
        Instructions::Portable,
        Instructions::Avx2,
        Instructions::Avx512,
    ] {
        let mut setup = setup.clone();
        setup.instructions = instructions;
        // A processor without AVX-512 takes AVX2 in its place: one flight shows that.
        let replaced = instructions == Instructions::Avx512 && instructions != Instructions::best();
        let seeds = if replaced { &seeds[..1] } else { &seeds[..] };
        let alone: Vec<Flight> = seeds
            .iter()
            .map(|seed| fly(&setup, trajectory, gains, &mut wind(*seed), *seed))
            .collect();
        let together = fly_many(&setup, trajectory, gains, wind, seeds);
        same(&alone, &together, &format!("{instructions}, alone or not"));
        // A batch of one is flown alone.
        let one = fly_many(&setup, trajectory, gains, wind, &seeds[..1]);
        same(
            &alone[..1],
            &one,
            &format!("{instructions}, a batch of one"),
        );
        if instructions != Instructions::Portable {
            let before = fused.get_or_insert_with(|| alone.clone());
            same(&before[..alone.len()], &alone, "either width");
        }
    }
    fused.unwrap_or_default()
}

/// Flights with two sets of gains, outer and inner ones different, together; checks that they are
/// those of each set by itself, and that each wind was drawn once.
fn flown_with_two(setup: &Setup, trajectory: &dyn Trajectory, domain: &Domain) {
    let gains = setup.airframe.gains;
    let mut other = gains;
    other.position_xy.kp *= 0.7;
    other.attitude_kp[0] *= 0.8;
    other.rate_kp[1] *= 1.2;
    other.rate_kd[2] *= 0.5;
    let seeds = [3, 1, 4, 15];
    for instructions in [Instructions::Portable, Instructions::best()] {
        let setup = Setup {
            instructions,
            ..setup.clone()
        };
        let drawn = std::cell::Cell::new(0);
        let wind = |seed| {
            drawn.set(drawn.get() + 1);
            domain.wind(seed, trajectory.duration_s())
        };
        let both = fly_each(&setup, trajectory, &[gains, other], wind, &seeds);
        assert_eq!(drawn.get(), seeds.len(), "{instructions}");
        let ace = |of: usize| both[of][0].score.ace_m;
        assert!(ace(0) != ace(1), "the gains make no difference");
        for (gains, flights) in [gains, other].iter().zip(&both) {
            let alone = fly_many(&setup, trajectory, gains, wind, &seeds);
            same(&alone, flights, &format!("{instructions}, beside others"));
        }
    }
}

fn same(these: &[Flight], those: &[Flight], what: &str) {
    assert_eq!(these.len(), those.len());
    for (k, (this, that)) in these.iter().zip(those).enumerate() {
        assert_eq!(this.outcome, that.outcome, "flight {k}, {what}");
        assert_eq!(this.score, that.score, "flight {k}, {what}");
    }
}

// Every shipped vehicle has a test of its own.
const _: () = assert!(sim::AIRFRAME_NAMES.len() == 3);

fn flown_the_same_on_every_trajectory(name: &str) {
    let mut setup = Setup::new(Airframe::by_name(name).expect("shipped"));
    for (number, trajectory) in trajectories::NAMES.into_iter().enumerate() {
        // Every other one in balance with a vehicle of its own in each lane.
        setup.start = [Start::Rest, Start::Equilibrium][number % 2];
        setup.uncertain = number % 2 == 1;
        setup.settle_s = number as f64;
        let trajectory = by_name(trajectory).expect("legal");
        // Ten: one batch of eight and one that is filled up, or two of four and the same.
        flown_both_ways(&setup, trajectory.as_ref(), &Domain::gusty(), 0..10);
    }
}

#[test]
fn omac_is_flown_the_same_in_a_batch_on_every_trajectory() {
    flown_the_same_on_every_trajectory("omac");
}

#[test]
fn hummingbird_is_flown_the_same_in_a_batch_on_every_trajectory() {
    flown_the_same_on_every_trajectory("hummingbird");
}

#[test]
fn crazyflie_is_flown_the_same_in_a_batch_on_every_trajectory() {
    flown_the_same_on_every_trajectory("crazyflie");
}

#[test]
fn gains_are_flown_the_same_beside_other_gains_in_a_wind_that_is_drawn_once() {
    let fig8 = by_name("fig8").expect("legal");
    let setup = Setup::new(Airframe::omac());
    flown_with_two(&setup, fig8.as_ref(), &Domain::gusty());
    // A wind to which the height of each vehicle adds something.
    let spiral = by_name("spiral-up").expect("legal");
    let profile = Some(Profile::Other);
    let shaped = Domain::low_altitude("x", 10.0, 15.0, 8.0, profile).expect("legal");
    let start = Start::Equilibrium;
    let setup = Setup { start, ..setup };
    flown_with_two(&setup, spiral.as_ref(), &shaped);
    // Each with gains and a seed of its own, one seed twice.
    let mut softer = setup.airframe.gains;
    softer.position_xy.kp *= 0.7;
    let flights = [(setup.airframe.gains, 3), (softer, 3), (softer, 8)];
    let wind = |seed| Domain::gusty().wind(seed, fig8.duration_s());
    let together = fly_all(&setup, fig8.as_ref(), &flights, wind);
    let alone =
        |(gains, seed): &(_, u64)| fly(&setup, fig8.as_ref(), gains, &mut wind(*seed), *seed);
    let alone: Vec<Flight> = flights.iter().map(alone).collect();
    same(&alone, &together, "each with its own gains");
    let none = fly_each(
        &setup,
        fig8.as_ref(),
        &[],
        |_| Steady(Vector3::zeros()),
        &[1],
    );
    assert!(none.is_empty());
}

#[test]
fn a_record_of_wind_is_met_the_same_in_a_batch() {
    let csv = include_str!("../templates/wind.csv");
    let record = sim::WindFile::from_csv("wind.csv", csv).expect("legal");
    let domain = Domain::of_wind_file("site", record).expect("legal");
    let fig8 = by_name("fig8").expect("legal");
    let setup = Setup::new(Airframe::omac());
    let flights = flown_both_ways(&setup, fig8.as_ref(), &domain, 0..10);
    let ace = |k: usize| flights[k].score.ace_m;
    assert!(
        (1..10).all(|k| ace(k) != ace(0)),
        "each in a window of its own"
    );
}

#[test]
fn uncertain_vehicles_small_steps_and_noiseless_sensors_too() {
    let fig8 = by_name("fig8").expect("legal");
    let mut setup = Setup::new(Airframe::omac());
    setup.uncertain = true;
    setup.airframe.uncertainty.mass_rel = 0.1;
    setup.airframe.uncertainty.inertia_rel = 0.2;
    setup.airframe.uncertainty.rotor_lag_rel = 0.3;
    setup.airframe.uncertainty.thrust_rel = 0.1;
    setup.airframe.uncertainty.battery_sag_rel = 0.2;
    setup.steps_per_period = 2;
    setup.sensors = SensorNoise::NONE;
    let flights = flown_both_ways(&setup, fig8.as_ref(), &Domain::steady(), 10..18);
    assert!(flights[0].score != flights[1].score);
}

#[test]
fn a_vehicle_whose_middle_is_elsewhere_meets_a_wall_in_a_batch_too() {
    let mut setup = Setup::new(Airframe::by_name("hummingbird").expect("shipped"));
    setup.uncertain = true;
    setup.airframe.uncertainty.centre_of_mass_m = [0.08, 0.08, 0.0];
    let reach_m = Hull::of(&setup.airframe).reach_m();
    // Beyond all corners of the nominal vehicle, of which one points at it.
    let far_m = 1.12 * reach_m + 0.1;
    let wall = Obstacle {
        name: "wall".to_owned(),
        centre_m: Vector3::new(far_m, far_m, 0.0) * 0.5f64.sqrt(),
        size_m: Vector3::new(0.2, 5.0, 5.0),
        yaw_deg: 45.0,
    };
    setup.world = World::empty().with_obstacle(wall).expect("legal");
    let hover = by_name("hover").expect("legal");
    let flights = flown_both_ways(&setup, hover.as_ref(), &Domain::steady(), 0..16);
    let touches =
        |flight: &&Flight| matches!(flight.outcome, sim::Outcome::Lost { at_s, .. } if at_s < 0.01);
    let at_once = flights.iter().filter(touches).count();
    assert!((1..16).contains(&at_once), "{at_once}");
}

#[test]
fn lost_flights_are_lost_at_the_same_time_and_the_others_fly_on() {
    let fig8 = by_name("fig8").expect("legal");
    let mut setup = Setup::new(Airframe::omac());
    setup.world = World::empty();
    setup.airframe.gains.position_xy = Pid {
        kp: 1.0,
        ki: 0.0,
        kd: 1.0,
    };
    let mut storm = Domain::gusty();
    storm.sigma_m_s = [4.5, 4.5, 2.0];
    let flights = flown_both_ways(&setup, fig8.as_ref(), &storm, 0..16);
    let lost = flights.iter().filter(|flight| !flight.completed()).count();
    assert!(
        (1..16).contains(&lost),
        "{lost} of 16 lost: the case shows nothing"
    );
}

#[test]
fn flights_that_touch_something_are_flown_alone() {
    let forward = by_name("sin-forward").expect("legal");
    let mut setup = Setup::new(Airframe::omac());
    let wall = Obstacle {
        name: "wall".to_owned(),
        centre_m: Vector3::new(8.0, 0.0, 0.0),
        size_m: Vector3::new(0.5, 20.0, 4.0),
        yaw_deg: 0.0,
    };
    setup.world = World::ground().with_obstacle(wall).expect("legal");
    let flights = flown_both_ways(&setup, forward.as_ref(), &Domain::steady(), 0..8);
    assert!(flights.iter().all(|flight| !flight.completed()));
}

#[test]
fn flights_that_feel_late_are_flown_alone() {
    let forward = by_name("sin-forward").expect("legal");
    let mut setup = Setup::new(Airframe::omac());
    setup.sensors.delay_periods = 3;
    setup.sensors.rates_rad_s = 0.01;
    flown_both_ways(&setup, forward.as_ref(), &Domain::steady(), 0..8);
}

#[test]
fn flights_from_the_ground_are_flown_alone() {
    let setup = Setup::new(Airframe::omac());
    let standing_m = sim::rest_height_m(&setup.airframe);
    let hover = by_name("hover").expect("legal");
    let journey = FromGround::new(hover, -3.048, standing_m).expect("room above the ground");
    // One more than the lanes of the narrower register.
    flown_both_ways(&setup, &journey, &Domain::steady(), 0..5);
}

#[test]
fn a_flight_that_will_be_near_the_ground_within_two_steps_leaves_its_batch() {
    let fig8 = by_name("fig8").expect("legal");
    let domain = Domain::gusty();
    let mut setup = Setup::new(Airframe::omac());
    (setup.world, setup.record_every) = (World::empty(), 1);
    let free = |setup: &Setup, seed| {
        let mut wind = Dryden::new(&domain, seed);
        fly(setup, fig8.as_ref(), &setup.airframe.gains, &mut wind, seed)
    };
    let flights: Vec<Flight> = (0..8).map(|seed| free(&setup, seed)).collect();
    let states = flights.iter().flat_map(|flight| &flight.samples);
    let lowest = states
        .map(|sample| &sample.state)
        .min_by(|a, b| a.position_m.z.total_cmp(&b.position_m.z))
        .expect("recorded");
    // The lowest of all stays above the reach, by half of the way that it covers in two steps.
    let hull = Hull::of(&setup.airframe);
    let above_m = hull.take_over_m(lowest.velocity_m_s.norm(), 0.5e-3);
    let ground_z_m = lowest.position_m.z - above_m;
    setup.world = World::empty().with_ground_at(ground_z_m).expect("finite");
    let grounded = flown_both_ways(&setup, fig8.as_ref(), &domain, 0..8);
    let pairs = flights.iter().zip(&grounded);
    let moved =
        pairs.filter(|(free, grounded)| (free.score.ace_m - grounded.score.ace_m).abs() > 1e-9);
    assert_eq!(moved.count(), 1, "one flight alone is near the ground");
}

#[test]
fn absurd_winds_never_panic_in_a_batch() {
    let setup = Setup::new(Airframe::omac());
    let fig8 = by_name("fig8").expect("legal");
    let gale = |_| Steady(Vector3::new(1e6, -1e6, f64::NAN));
    let (gains, seeds) = (setup.airframe.gains, [0, 1, 2, 3, 4, 5, 6, 7]);
    for flight in fly_many(&setup, fig8.as_ref(), &gains, gale, &seeds) {
        assert!(!flight.completed());
    }
}
