//! How flights begin: in balance with their mean wind, or at rest; and what the score leaves out.

use nalgebra::Vector3;
use sim::{
    Airframe, Domain, Flight, Law, SensorNoise, Setup, Start, Steady, Uncertainty, VerticalLoop,
    Wind, WindFile, fly,
};
use trajectories::{FromGround, by_name};

/// A hover without sensor noise, every tick recorded.
fn hovering(airframe: Airframe, start: Start) -> Setup {
    Setup {
        sensors: SensorNoise::NONE,
        record_every: 1,
        start,
        ..Setup::new(airframe)
    }
}

fn flown(setup: &Setup, wind_m_s: [f64; 3], seed: u64) -> Flight {
    let hover = by_name("hover").expect("shipped");
    let mut air = Steady(Vector3::from(wind_m_s));
    fly(setup, hover.as_ref(), &setup.airframe.gains, &mut air, seed)
}

/// Vehicles of every law, and what the wind may do to each.
fn vehicles() -> Vec<Airframe> {
    let mut omac = Airframe::omac();
    // With an integral that may hold any of these winds.
    omac.controller.position_integral_limit_m_s = 100.0;
    let mut vehicles = vec![omac];
    for vertical in [
        None,
        Some(VerticalLoop {
            kp: 0.05,
            ki: 0.1,
            filter_hz: 20.0,
            thrust_filter_hz: 10.0,
            integral_limit_m_s2: 10.0,
        }),
    ] {
        let mut vehicle = vehicles[0].clone();
        vehicle.controller.law = Some(Law {
            vertical,
            torque_filter_hz: [40.0; 3],
            rate_setpoint_filter_hz: [60.0; 3],
            ..Law::default()
        });
        vehicles.push(vehicle);
    }
    vehicles
}

#[test]
fn in_balance_a_steady_wind_moves_nothing_whatever_the_law() {
    for vehicle in vehicles() {
        for wind_m_s in [[0.0; 3], [4.0, 0.0, 0.0], [-3.0, 6.0, 1.0]] {
            let setup = hovering(vehicle.clone(), Start::Equilibrium);
            let held = flown(&setup, wind_m_s, 1);
            let off = held.score.max_error_m;
            assert!(
                off < 1e-6,
                "{:?} in {wind_m_s:?}: {off}",
                vehicle.controller.law
            );
            let rest = flown(&hovering(vehicle.clone(), Start::Rest), wind_m_s, 1);
            let blown = rest.score.max_error_m;
            assert!(
                wind_m_s == [0.0; 3] || blown > 0.01,
                "{wind_m_s:?}: {blown}"
            );
        }
    }
}

#[test]
fn a_vehicle_that_differs_from_what_its_autopilot_knows_is_held_too() {
    let mut vehicle = vehicles().remove(0);
    vehicle.uncertainty = Uncertainty {
        mass_rel: 0.1,
        thrust_rel: 0.1,
        ..Uncertainty::default()
    };
    let mut setup = hovering(vehicle, Start::Equilibrium);
    setup.uncertain = true;
    for seed in 0..5 {
        let off = flown(&setup, [5.0, -2.0, 0.0], seed).score.max_error_m;
        assert!(off < 1e-6, "seed {seed}: {off}");
    }
}

#[test]
fn without_an_integral_the_vehicle_begins_where_it_stays() {
    let mut vehicle = vehicles().remove(0);
    vehicle.gains.position_xy.ki = 0.0;
    let setup = hovering(vehicle, Start::Equilibrium);
    let flight = flown(&setup, [5.0, 0.0, 0.0], 1);
    let [first, last] = [0, flight.samples.len() - 1].map(|k| flight.samples[k].state.position_m);
    // Leeward, by the side force over m kp.
    assert!(first.x > 0.05, "{first}");
    assert!((first - last).norm() < 1e-6, "{first} {last}");
}

#[test]
fn on_a_trajectory_the_vehicle_begins_with_the_force_that_the_curve_asks_for() {
    let setup = hovering(vehicles().remove(0), Start::Equilibrium);
    for name in trajectories::NAMES {
        let trajectory = by_name(name).expect("shipped");
        let mut air = Steady(Vector3::new(4.0, 2.0, 0.0));
        let gains = &setup.airframe.gains;
        let flight = fly(&setup, trajectory.as_ref(), gains, &mut air, 1);
        // Nothing but the start decides the first millisecond.
        let [from, to] = [0, 1].map(|k| flight.samples[k].state.velocity_m_s);
        let asked = flight.samples[0].reference.acceleration_m_s2;
        let felt = (to - from) / 1e-3;
        assert!((felt - asked).norm() < 0.02, "{name}: {felt} for {asked}");
    }
}

#[test]
fn no_balance_is_sought_on_the_ground_and_none_is_found_in_a_storm() {
    let setup = hovering(Airframe::omac(), Start::Equilibrium);
    let rest = hovering(Airframe::omac(), Start::Rest);
    let hover = by_name("hover").expect("shipped");
    let standing_m = sim::rest_height_m(&setup.airframe);
    let ground_z_m = setup.world.ground_z_m().expect("ground");
    let raised = FromGround::new(hover, ground_z_m, standing_m).expect("legal");
    let first = |setup: &Setup| {
        let mut air = Steady(Vector3::new(5.0, 0.0, 0.0));
        let flight = fly(setup, &raised, &setup.airframe.gains, &mut air, 1);
        flight.samples[0].state
    };
    assert_eq!(first(&setup), first(&rest));
    // It is lost, as a vehicle in such air is, and no number overflows.
    let storm = flown(&setup, [90.0, 0.0, 0.0], 1);
    assert!(!storm.completed() && storm.samples[0].state.is_finite());
}

#[test]
fn the_score_leaves_out_the_time_to_settle_and_a_loss_counts_at_any_time() {
    let mut setup = hovering(Airframe::omac(), Start::Rest);
    setup.settle_s = 5.0;
    let flight = flown(&setup, [6.0, 0.0, 0.0], 1);
    let after = flight
        .samples
        .iter()
        .filter(|sample| sample.time_s >= 5.0 - 1e-9);
    let squares: Vec<f64> = after
        .map(|at| (at.state.position_m - at.reference.position_m).norm_squared())
        .collect();
    let mean = squares.iter().sum::<f64>() / squares.len() as f64;
    assert!((flight.score.mean_square_m2 - mean).abs() < 1e-12 * mean);
    setup.airframe.gains.rate_kp = setup.airframe.gains.rate_kp.map(|kp| -kp);
    let lost = flown(&setup, [6.0, 0.0, 0.0], 1);
    assert!(!lost.completed() && lost.cost_m() == sim::ACE_CAP_M);
}

#[test]
fn the_mean_of_a_wind_is_that_of_what_the_flight_meets() {
    let gusty = Domain::gusty();
    let mean = gusty.wind(1, 20.0).mean_m_s();
    assert_eq!(mean, Vector3::from(gusty.mean_m_s));
    // A ramp by 0.1 m/s in a second: the mean of a window is the wind in its middle.
    let text = "record = \"ramp.csv\"\nname = \"ramp\"\n";
    let rows: String = (0..=100)
        .map(|t| format!("{t},{},2,0.5\n", 0.1 * f64::from(t)))
        .collect();
    let csv = format!("t,u,v,w\ns,m/s,m/s,m/s\n{rows}");
    let ramp = Domain::read(text, |file| WindFile::from_csv(file, &csv)).expect("legal");
    for seed in 0..4 {
        let mut wind = ramp.wind(seed, 20.0);
        let mean = wind.mean_m_s();
        let mut met = vec![Vector3::zeros(); 20_001];
        wind.steps(&mut met);
        assert!((mean - met[10_000]).norm() < 1e-9, "{mean} {}", met[10_000]);
    }
}
