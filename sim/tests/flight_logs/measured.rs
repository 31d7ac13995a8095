//! Logs of what sensors show: read again, against the flight, and by the statistics of their noise.

use super::{Contents, read};
use crate::batch::flown_both_ways;
use crate::program::{sim as program, stderr, temporary};
use nalgebra::Vector3;
use sim::log::{About, Format, Measured};
use sim::{
    Airframe, CONTROL_PERIOD_S, Domain, Dryden, Flight, GRAVITY_M_S2, Multirotor, SensorNoise,
    Setup, Steady, Uncertainty, fly,
};
use trajectories::{FromGround, Hover, by_name};

/// Of a vehicle that is stable with sensors that are late.
fn setup(sensors: SensorNoise) -> Setup {
    let airframe = Airframe::by_name("crazyflie").expect("shipped");
    Setup {
        sensors,
        record_every: 1,
        ..Setup::new(airframe)
    }
}

/// A hover in still air.
fn hovering(sensors: SensorNoise, lasts_s: f64, seed: u64) -> Flight {
    let (setup, mut still) = (setup(sensors), Steady(Vector3::zeros()));
    let gains = setup.airframe.gains;
    fly(&setup, &Hover { lasts_s }, &gains, &mut still, seed)
}

#[test]
fn every_form_gives_back_what_was_measured_and_nothing_else() {
    let setup = setup(SensorNoise::TYPICAL);
    let figure = by_name("fig8").expect("shipped");
    let mut wind = Dryden::new(&Domain::gusty(), 3);
    let flight = fly(&setup, figure.as_ref(), &setup.airframe.gains, &mut wind, 3);
    assert!(flight.completed(), "{:?}", flight.outcome);
    let measured = Measured::of(&flight.samples, &setup.sensors, 3);
    assert!((18_000..20_000).contains(&measured.len()), "no gap");
    let ticks = |shown: &Measured| (shown.time_s / CONTROL_PERIOD_S).round() as usize;
    for shown in &measured {
        let sample = &flight.samples[ticks(shown)];
        assert_eq!(shown.gyro_rad_s, sample.felt.rates_rad_s);
        assert_ne!(shown.gyro_rad_s, sample.state.rates_rad_s);
        assert_eq!(shown.velocity_m_s.is_some(), ticks(shown) % 20 == 0);
    }
    let about = About {
        airframe: &setup.airframe,
        gains: &setup.airframe.gains,
        trajectory: "fig8",
        domain: "gusty",
        seed: 3,
        outcome: flight.outcome,
    };
    for (format, most) in [
        (Format::Csv, 0.0),
        (Format::Mcap, 0.0),
        (Format::Ulog, 1e-6),
    ] {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let written = format.write_measured(&about, &measured, &mut bytes);
        written.expect("memory");
        let log = read(bytes.get_ref());
        must_show(&log, &measured, format.name(), most);
        let full = setup.airframe.rotors.max_speed_rad_s;
        for shown in [&measured[0], &measured[7000]] {
            let speeds = shown.command_rad_s;
            let (kind, wanted) = match format {
                // PX4's order: front right, rear left, front left, rear right.
                Format::Ulog => ("motors", [1, 3, 0, 2].map(|i: usize| speeds[i] / full)),
                _ => ("speed commands", [0, 1, 2, 3].map(|i| speeds[i])),
            };
            let found = log.of(kind);
            let at = |(time_s, _): &&(f64, Vec<f64>)| (time_s - shown.time_s).abs() < 1e-9;
            let (_, read) = found.iter().find(at).expect("the same time");
            for (read, wanted) in read.iter().zip(wanted) {
                assert!((read - wanted).abs() <= most * wanted, "{read} {wanted}");
            }
        }
        let rotors = (format != Format::Ulog).then_some(4);
        let kinds = log.about.samples.iter().filter(|count| **count > 0);
        assert_eq!((kinds.count(), log.about.rotors), (5, rotors));
        let text = String::from_utf8_lossy(bytes.get_ref());
        for truth in [
            "x_m,",
            "n1_rad_s",
            "wind_x",
            "ref_",
            "/vehicle/",
            "setpoint",
            "float x;",
        ] {
            assert!(!text.contains(truth), "{}: {truth}", format.name());
        }
    }
}

fn must_show(log: &Contents, measured: &[Measured], name: &str, most: f64) {
    let must_be = |kind: &str, wanted: &dyn Fn(&Measured) -> Option<Vec<f64>>| {
        let of_it = |shown: &Measured| Some((shown.time_s, wanted(shown)?));
        let wanted: Vec<(f64, Vec<f64>)> = measured.iter().filter_map(of_it).collect();
        let found = log.of(kind);
        assert_eq!(found.len(), wanted.len(), "{name}: {kind}");
        for ((time_s, read), (then_s, wanted)) in found.iter().zip(&wanted) {
            assert!((time_s - then_s).abs() < 1e-9, "{name}: {time_s}");
            for (read, wanted) in read.iter().zip(wanted) {
                let apart = (read - wanted).abs() / wanted.abs().max(1.0);
                assert!(apart <= most, "{name}: {kind} {read} {wanted}");
            }
        }
    };
    let vector = |v: Vector3<f64>| v.as_slice().to_vec();
    must_be("gyro", &|shown| Some(vector(shown.gyro_rad_s)));
    must_be("accelerometer", &|shown| {
        Some(vector(shown.accelerometer_m_s2))
    });
    must_be("velocity", &|shown| shown.velocity_m_s.map(vector));
    must_be("attitude", &|shown| {
        let q = shown.attitude;
        Some(vec![q.w, q.i, q.j, q.k])
    });
}

#[test]
fn a_vehicle_that_hovers_or_stands_feels_its_weight_upwards() {
    let weight = Vector3::z() * GRAVITY_M_S2;
    let flight = hovering(SensorNoise::NONE, 2.0, 1);
    for shown in Measured::of(&flight.samples, &SensorNoise::NONE, 1) {
        let off = (shown.accelerometer_m_s2 - weight).norm();
        assert!(off < 1e-6, "{}: {off}", shown.time_s);
    }
    let setup = setup(SensorNoise::NONE);
    let (height_m, hover) = (sim::rest_height_m(&setup.airframe), Hover { lasts_s: 1.0 });
    let ground_z_m = setup.world.ground_z_m().expect("level ground");
    let path = FromGround::new(Box::new(hover), ground_z_m, height_m).expect("room");
    let mut still = Steady(Vector3::zeros());
    let flight = fly(&setup, &path, &setup.airframe.gains, &mut still, 1);
    assert!(flight.completed());
    let shown = Measured::of(&flight.samples, &setup.sensors, 1);
    for standing in [200, 800, shown.len() - 300] {
        let off = (shown[standing].accelerometer_m_s2 - weight).norm();
        assert!(off < 0.05, "{standing}: {off}");
    }
}

/// The mean over the control period before what is seen lies between what the vehicle that flies feels at its ends.
#[test]
fn the_accelerometer_shows_the_force_on_the_vehicle_that_flies_over_its_mass_as_late_as_the_rest() {
    let mut setup = setup(SensorNoise {
        delay_periods: 4,
        ..SensorNoise::NONE
    });
    setup.uncertain = true;
    setup.airframe.uncertainty = Uncertainty {
        mass_rel: 0.2,
        thrust_rel: 0.1,
        ..Uncertainty::default()
    };
    let figure = by_name("fig8").expect("shipped");
    let mut wind = Dryden::new(&Domain::gusty(), 5);
    let flight = fly(&setup, figure.as_ref(), &setup.airframe.gains, &mut wind, 5);
    let shown = Measured::of(&flight.samples, &setup.sensors, 5);
    let vehicle = setup.airframe.drawn(5);
    let multirotor = Multirotor::new(&vehicle);
    assert!(shown.len() == 20_000, "{:?}", flight.outcome);
    let mut greatest = 0.0f64;
    for (tick, shown) in shown.iter().enumerate().skip(1000) {
        // The wind of a sample blows until the next.
        let [before, after] = [tick - 5, tick - 4].map(|at| {
            let wrench = multirotor.wrench(
                &flight.samples[at].state,
                &flight.samples[tick - 5].wind_m_s,
            );
            wrench.force_n / vehicle.mass_kg
        });
        let middle = 0.5 * (before + after);
        greatest = greatest.max((shown.accelerometer_m_s2 - middle).norm());
    }
    assert!(greatest < 0.02, "{greatest}");
}

/// Mean and standard deviation, over all axes, of what a reading is off by in one flight, from what was seen.
fn off(flight: &Flight, shown: &[Measured], late: usize) -> [[f64; 2]; 2] {
    let weight = Vector3::z() * GRAVITY_M_S2;
    let mut sums = [[0.0; 2]; 2];
    for (tick, shown) in shown.iter().enumerate().skip(late) {
        let truth = &flight.samples[tick - late].state;
        for (sums, off) in sums.iter_mut().zip([
            shown.gyro_rad_s - truth.rates_rad_s,
            shown.accelerometer_m_s2 - weight,
        ]) {
            sums[0] += off.x;
            sums[1] += off.x * off.x;
        }
    }
    let n = (shown.len() - late) as f64;
    sums.map(|[sum, squares]| [sum / n, (squares / n - (sum / n).powi(2)).sqrt()])
}

#[test]
fn noise_and_biases_have_the_stated_sizes_within_their_standard_errors() {
    let noise = SensorNoise {
        dropouts_per_s: 0.0,
        vibration_m_s2: 0.0,
        ..SensorNoise::TYPICAL
    };
    // The vehicle moves by its noise: of the accelerometer's the truth is known best where it stays.
    let still = SensorNoise {
        position_m: 0.0,
        velocity_m_s: 0.0,
        attitude_rad: 0.0,
        rates_rad_s: 0.0,
        gyro_bias_rad_s: 0.0,
        ..noise
    };
    let long = hovering(noise, 20.0, 1);
    let [[_, gyro], _] = off(&long, &Measured::of(&long.samples, &noise, 1), 4);
    let long = hovering(still, 20.0, 1);
    let [_, [_, force]] = off(&long, &Measured::of(&long.samples, &still, 1), 4);
    // 20,000 numbers: relative standard error 1/√(2 n) = 0.5 %.
    for (found, stated) in [(gyro, 0.02), (force, 0.4)] {
        assert!((found / stated - 1.0).abs() < 0.02, "{found} {stated}");
    }
    let mut squares = [0.0; 2];
    let flights = 300;
    for seed in 0..flights {
        let short = hovering(noise, 0.2, seed);
        let [[gyro, _], _] = off(&short, &Measured::of(&short.samples, &noise, seed), 4);
        let short = hovering(still, 0.2, seed);
        let [_, [force, _]] = off(&short, &Measured::of(&short.samples, &still, seed), 4);
        squares[0] += gyro * gyro;
        squares[1] += force * force;
    }
    // The mean of 196 readings adds what their noise leaves. 300 numbers: relative standard error 4 %.
    for (square, stated, white) in [(squares[0], 0.01f64, 0.02f64), (squares[1], 0.1, 0.4)] {
        let found = (square / flights as f64).sqrt();
        let expected = (stated.powi(2) + white.powi(2) / 196.0).sqrt();
        assert!((found / expected - 1.0).abs() < 0.16, "{found} {expected}");
    }
}

#[test]
fn the_rotors_shake_the_accelerometer_at_the_frequency_of_the_first_one() {
    let noise = SensorNoise {
        vibration_m_s2: 0.5,
        ..SensorNoise::NONE
    };
    let flight = hovering(noise, 4.0, 1);
    let rotor_rad_s = flight.samples[0].state.rotors_rad_s[0];
    let (mut sine, mut cosine, mut squares) = (0.0, 0.0, 0.0);
    let shown = Measured::of(&flight.samples, &noise, 1);
    for shown in &shown {
        let (s, c) = (rotor_rad_s * shown.time_s).sin_cos();
        let x = shown.accelerometer_m_s2.x;
        (sine, cosine, squares) = (sine + s * x, cosine + c * x, squares + x * x);
    }
    let n = shown.len() as f64;
    let tone = 2.0 / n * f64::hypot(sine, cosine);
    assert!((tone - 0.5).abs() < 5e-3, "{tone}");
    assert!((squares / n - 0.125).abs() < 2e-3, "{squares}");
}

#[test]
fn gaps_come_as_often_and_last_as_long_as_stated_and_move_nothing() {
    let noise = SensorNoise {
        dropouts_per_s: 5.0,
        ..SensorNoise::NONE
    };
    let flight = hovering(noise, 40.0, 2);
    assert_eq!(flight.score, hovering(SensorNoise::NONE, 40.0, 2).score);
    let shown = Measured::of(&flight.samples, &noise, 2);
    let steps = shown.windows(2).map(|pair| pair[1].time_s - pair[0].time_s);
    let gaps: Vec<f64> = steps.filter(|step_s| *step_s > 1.5e-3).collect();
    // Gaps of 10.5 ms on average begin 5 times in each second beside them: 190, give or take 14, and a few that touch.
    assert!((140..240).contains(&gaps.len()), "{}", gaps.len());
    assert!(gaps.iter().all(|step_s| *step_s < 0.0415), "{gaps:?}");
    let missing = (40_000 - shown.len()) as f64 / gaps.len() as f64;
    assert!((missing - 10.5).abs() < 2.0, "{missing}");
}

#[test]
fn a_biased_gyro_is_flown_by_alone_and_in_a_batch_and_bad_sizes_are_refused() {
    let mut setup = Setup::new(Airframe::omac());
    setup.sensors.gyro_bias_rad_s = 0.05;
    let hover = Hover { lasts_s: 1.0 };
    let flights = flown_both_ways(&setup, &hover, &Domain::steady(), 0..2);
    setup.sensors.gyro_bias_rad_s = 0.0;
    let unbiased = flown_both_ways(&setup, &hover, &Domain::steady(), 0..2);
    assert_ne!(flights[0].score, unbiased[0].score);
    for (text, said) in [
        (
            "dropouts_per_s = 21",
            "sensors.dropouts_per_s is 21; it must be between 0 and 20",
        ),
        (
            "vibration_m_s2 = -1",
            "sensors.vibration_m_s2 is -1; it must be between 0 and 1e6",
        ),
    ] {
        let refused = SensorNoise::from_toml(text).expect_err(said);
        assert_eq!(refused.to_string(), said);
    }
    let as_before = toml::to_string(&SensorNoise::default()).expect("numbers");
    assert!(as_before.ends_with("delay_periods = 0\n"), "{as_before}");
}

#[test]
fn the_program_logs_what_was_measured_where_it_is_asked_to() {
    let folder = temporary();
    let here = folder.path();
    let refused = program(here, &["fly", "--measured"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("--out"), "{}", stderr(&refused));
    let line = "fly --traj hover --airframe crazyflie --measured --out D --log all";
    let flown = program(here, &line.split(' ').collect::<Vec<_>>());
    assert!(flown.status.success(), "{}", stderr(&flown));
    assert!(stderr(&flown).contains("4 ms late"), "{}", stderr(&flown));
    for name in ["measured.csv", "measured.mcap", "measured.ulg"] {
        let log = read(&std::fs::read(here.join("D").join(name)).expect(name));
        assert!(
            log.about.samples[3] > 19_000,
            "{name}: {:?}",
            log.about.samples
        );
    }
    assert!(!here.join("D/samples.csv").exists());
}
