//! Known vehicles, identified from what their sensors showed.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sim::flight_log::{FlightLogError, LogAbout, LogReading, LogSample, read_flight_log};
use sim::identify::{Estimate, Identified, Log, LogSource, identify};
use sim::log::{About, Format, Measured};
use sim::{
    Airframe, BodyDrag, Domain, Dryden, Manoeuvre, RotorDrag, SensorNoise, Setup, Start, Steady,
    Wind, fly,
};
use std::io::Cursor;
use std::sync::Arc;
use trajectories::{Hover, Trajectory, Waypoints};

/// Where it flies at two to three metres a second, in every direction.
const TOUR: &str = "t,x,y,z\n0,0,0,0\n2,3,1,0.6\n4,0,-2,-0.5\n6,-3,1,0.6\n8,0,3,-0.4\n10,3,-1,0.5\n12,0,-3,0\n\
                    14,-3,0,0.7\n16,0,2,-0.5\n18,3,1,0.5\n20,0,0,0\n";

/// A log in memory.
pub struct Bytes(pub Vec<u8>);

impl LogSource for Bytes {
    fn read(&self, visit: &mut dyn FnMut(&LogSample)) -> Result<LogAbout, FlightLogError> {
        read_flight_log(&self.0[..], visit)
    }
}

/// A vehicle like a shipped one, every number of it changed by up to 25 %.
pub fn vehicle(rng: &mut ChaCha8Rng) -> Airframe {
    let name = ["crazyflie", "hummingbird"][rng.random_range(0..2)];
    let mut made = Airframe::by_name(name).expect("shipped");
    if name == "hummingbird" {
        // Rotors that are as slow as real ones, and gains for them.
        made.rotors.lag_s = 0.03;
        for gain in [
            &mut made.gains.rate_kp,
            &mut made.gains.rate_ki,
            &mut made.gains.rate_kd,
        ] {
            *gain = gain.map(|gain| 0.5 * gain);
        }
    }
    let mut by = |x: &mut f64| *x *= rng.random_range(0.8..1.25);
    by(&mut made.rotors.lag_s);
    by(&mut made.rotors.torque_n_m_s2_per_rad2);
    for axis in 0..2 {
        by(&mut made.inertia_kg_m2[axis][axis]);
    }
    made.inertia_kg_m2[2][2] = 0.93 * (made.inertia_kg_m2[0][0] + made.inertia_kg_m2[1][1]);
    let hover_sum = 4.0 * made.hover_speed_rad_s();
    let (mut across, mut along) = (0.25, 0.35);
    by(&mut across);
    by(&mut along);
    made.rotor_drag = Some(RotorDrag {
        in_plane_n_s2_per_rad_m: across * made.mass_kg / hover_sum,
        axial_n_s2_per_rad_m: along * made.mass_kg / hover_sum,
        ..RotorDrag::NONE
    });
    made.body_drag = Some(BodyDrag {
        quadratic_n_s2_per_m2: [0.02, 0.025, 0.04].map(|c| c * made.mass_kg),
    });
    made
}

/// What its sensors show in a hover with doublets, and in a figure-8.
pub fn logs(airframe: &Airframe, format: Format, gusty: bool, seed: u64) -> [Vec<u8>; 2] {
    let doublets = Manoeuvre::doublets(40.0);
    let hover = Hover { lasts_s: 41.0 };
    let tour = Waypoints::from_csv("tour", TOUR).expect("legal");
    let flights: [(&dyn Trajectory, Option<Manoeuvre>); 2] =
        [(&hover, Some(doublets)), (&tour, None)];
    flights.map(|(trajectory, manoeuvre)| {
        let setup = Setup {
            sensors: SensorNoise::TYPICAL,
            record_every: 1,
            start: Start::Equilibrium,
            manoeuvre: manoeuvre.map(Arc::new),
            ..Setup::new(airframe.clone())
        };
        let mut wind: Box<dyn Wind> = match gusty {
            true => Box::new(Dryden::new(&Domain::gusty(), seed)),
            false => Box::new(Steady(nalgebra::Vector3::zeros())),
        };
        let flight = fly(&setup, trajectory, &airframe.gains, wind.as_mut(), seed);
        assert!(flight.completed(), "seed {seed}: {:?}", flight.outcome);
        let about = About {
            airframe,
            gains: &airframe.gains,
            trajectory: "",
            domain: "",
            seed,
            outcome: flight.outcome,
        };
        let mut bytes = Cursor::new(Vec::new());
        let measured = Measured::of(&flight.samples, &setup.sensors, seed);
        format
            .write_measured(&about, &measured, &mut bytes)
            .expect("memory");
        bytes.into_inner()
    })
}

fn identified(airframe: &Airframe, format: Format, gusty: bool, seed: u64) -> Identified {
    let logs = logs(airframe, format, gusty, seed).map(Bytes);
    let named = ["doublets", "tour"].into_iter().zip(&logs);
    let logs: Vec<Log> = named
        .map(|(name, log)| Log {
            name: name.to_owned(),
            source: log,
        })
        .collect();
    // What is known before: mass, arm and greatest speed.
    let mut nominal = airframe.clone();
    nominal.rotors.lag_s = 0.03;
    nominal.rotors.thrust_n_s2_per_rad2 *= 1.1;
    nominal.inertia_kg_m2 = [0, 1, 2].map(|i| nominal.inertia_kg_m2[i].map(|x| 1.3 * x));
    identify(&logs, None, &nominal).expect("it is told")
}

/// What `airframe` has of a property.
fn truth(airframe: &Airframe, name: &str) -> Option<f64> {
    let rotors = &airframe.rotors;
    let (mass_kg, top) = (airframe.mass_kg, rotors.max_speed_rad_s);
    let inertia = |axis: usize| airframe.inertia_kg_m2[axis][axis];
    let full_n = rotors.thrust_n_s2_per_rad2 * top * top;
    let [x, y, _] = rotors.positions_m[0];
    let hover = airframe.hover_speed_rad_s();
    let drag = airframe.rotor_drag.expect("given");
    let body = airframe.body_drag.expect("given").quadratic_n_s2_per_m2;
    Some(match name {
        "hover command" => hover / top,
        "thrust of a rotor at full command" => full_n,
        "rotor lag" => 1e3 * rotors.lag_s,
        "delay from command to gyro" => f64::from(SensorNoise::TYPICAL.delay_periods),
        "roll gain in hover" => 2.0 * hover / top * full_n * x.hypot(y) / inertia(0),
        "pitch gain in hover" => 2.0 * hover / top * full_n * x.hypot(y) / inertia(1),
        "yaw gain in hover" => 2.0 * hover * rotors.torque_n_m_s2_per_rad2 * top / inertia(2),
        "inertia Ixx" => inertia(0),
        "inertia Iyy" => inertia(1),
        "rotor inertia over Izz" => rotors.rotor_inertia_kg_m2 / inertia(2),
        "in-plane drag at hover speed" => 4.0 * drag.in_plane_n_s2_per_rad_m * hover / mass_kg,
        "axial drag at hover speed" => 4.0 * drag.axial_n_s2_per_rad_m * hover / mass_kg,
        "in-plane drag x, quadratic" => body[0] / mass_kg,
        "in-plane drag y, quadratic" => body[1] / mass_kg,
        "axial drag, quadratic" => body[2] / mass_kg,
        _ => return None,
    })
}

/// The told estimates of what is known, each with the truth.
fn told(airframe: &Airframe, found: &Identified) -> Vec<(Estimate, f64)> {
    let told = found
        .estimates
        .iter()
        .filter(|estimate| estimate.not_told.is_none());
    told.filter_map(|estimate| Some((estimate.clone(), truth(airframe, estimate.name)?)))
        .collect()
}

#[test]
fn intervals_of_known_vehicles_hold_the_truth_as_often_as_they_say() {
    let mut rng = ChaCha8Rng::seed_from_u64(77);
    let (mut inside, mut all, mut failures) = (0, 0, Vec::new());
    let formats = [Format::Csv, Format::Ulog, Format::Mcap];
    for (number, format) in (0..6).zip(formats.into_iter().cycle()) {
        let airframe = vehicle(&mut rng);
        let found = identified(&airframe, format, number % 2 == 1, 500 + number);
        assert!(
            found.order.as_ref().is_some_and(|order| !order.unusual),
            "{:?}",
            found.order
        );
        for (estimate, truth) in told(&airframe, &found) {
            let [low, high] = estimate.interval;
            all += 1;
            inside += usize::from((low..=high).contains(&truth));
            // Four deviations: what an interval of 90 % leaves to one in ten thousand.
            if (estimate.mean - truth).abs() > 4.0 / 1.645 * 0.5 * (high - low) {
                failures.push(format!("{number} {truth}: {estimate:?}"));
            }
        }
    }
    assert!(all >= 6 * 9, "{all} told");
    // The estimates of one flight go together, so the share of 90 % is not sharp.
    let share = inside as f64 / all as f64;
    assert!(
        (0.78..=0.99).contains(&share),
        "{inside} of {all}: {failures:#?}"
    );
    assert!(failures.len() <= 2, "{failures:#?}");
}

#[test]
fn the_identified_airframe_flies_like_the_vehicle() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let airframe = vehicle(&mut rng);
    let made = identified(&airframe, Format::Csv, false, 9).airframe;
    let near = |a: f64, b: f64, most: f64| assert!((a / b - 1.0).abs() < most, "{a} {b}");
    near(made.rotors.lag_s, airframe.rotors.lag_s, 0.05);
    near(made.hover_speed_rad_s(), airframe.hover_speed_rad_s(), 0.02);
    for axis in 0..3 {
        near(
            made.inertia_kg_m2[axis][axis],
            airframe.inertia_kg_m2[axis][axis],
            0.05,
        );
    }
    let text = toml::to_string(&made).expect("representable");
    assert_eq!(Airframe::from_toml(&text).expect("legal"), made);
    assert!(made.uncertainty.inertia_rel > 0.0 && made.uncertainty.inertia_rel < 0.2);
}

/// A log whose first two motors are wired the other way round.
struct Swapped(Bytes);

impl LogSource for Swapped {
    fn read(&self, visit: &mut dyn FnMut(&LogSample)) -> Result<LogAbout, FlightLogError> {
        self.0.read(&mut |sample| {
            let mut sample = *sample;
            if let LogReading::SpeedCommands(speeds) = &mut sample.reading {
                speeds.swap(0, 1);
            }
            visit(&sample);
        })
    }
}

#[test]
fn motors_in_another_order_and_turning_the_other_way_are_found() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let airframe = vehicle(&mut rng);
    let [doublets, _] = logs(&airframe, Format::Csv, false, 21);
    let swapped = Swapped(Bytes(doublets));
    let log = Log {
        name: "doublets".to_owned(),
        source: &swapped,
    };
    let mut turned = airframe.clone();
    for sign in &mut turned.rotors.yaw_torque_signs {
        *sign = -*sign;
    }
    let found = identify(&[log], None, &turned).expect("it is told");
    let order = found.order.expect("fast motors");
    assert_eq!(order.rotors, [1, 0, 2, 3]);
    assert!(order.seen && order.unusual);
    assert!(found.spins_reversed);
    let signs = found.airframe.rotors.yaw_torque_signs;
    assert_eq!(signs, airframe.rotors.yaw_torque_signs);
}
