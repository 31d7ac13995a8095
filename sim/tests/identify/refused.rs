//! Logs that tell nothing are answered with why.

use sim::flight_log::{
    FlightLogError, LeftOut, LogAbout, LogFormat, LogReading, LogSample, LogVehicle,
};
use sim::identify::{Identified, IdentifyError, Log, LogSource, Unused, identify};
use sim::{Airframe, PerRotor};

/// A log of a vehicle that hovers where `share` of full says so, with sensors as `change` makes them.
struct Hover {
    about: LogAbout,
    duration_s: f64,
    motors_every: usize,
    share: fn(f64) -> f64,
    change: fn(f64, LogReading) -> Option<LogReading>,
}

impl Hover {
    fn new() -> Hover {
        Hover {
            about: LogAbout {
                format: LogFormat::Ulog,
                vehicle: Some("one".to_owned()),
                kind: LogVehicle::Multirotor,
                rotors: Some(4),
                parameters: Vec::new(),
                duration_s: 20.0,
                flights: 1,
                samples: [5_000; 8],
                left_out: LeftOut::default(),
                cut_at: None,
            },
            duration_s: 20.0,
            motors_every: 1,
            share: |_| 0.5,
            change: |_, reading| Some(reading),
        }
    }

    fn samples(&self) -> Vec<LogSample> {
        let mut samples = Vec::new();
        for k in 0..(250.0 * self.duration_s) as usize {
            let time_s = 0.004 * k as f64;
            // It turns a little about every axis in turn.
            let wave = |axis: usize| 0.5 * (3.0 * time_s + axis as f64).sin();
            let angle = |axis: usize| -0.5 / 3.0 * (3.0 * time_s + axis as f64).cos();
            let attitude = nalgebra::UnitQuaternion::from_scaled_axis(nalgebra::Vector3::new(
                angle(0),
                angle(1),
                angle(2),
            ));
            let q = attitude.quaternion();
            let share = (self.share)(time_s);
            let shares = PerRotor::new(4, |i| share + 0.01 * (time_s * (5.0 + i as f64)).sin());
            let thrust = shares.iter().map(|share| share * share).sum::<f64>() / 4.0;
            let mut readings = vec![
                LogReading::Gyro([wave(0), wave(1), wave(2)]),
                LogReading::Accelerometer([0.0, 0.0, 9.81 * thrust / share.max(0.3).powi(2)]),
                LogReading::Attitude([q.w, q.i, q.j, q.k]),
                LogReading::Velocity([0.0; 3]),
            ];
            if k % self.motors_every == 0 {
                readings.push(LogReading::Motors(shares));
            }
            let changed = readings
                .into_iter()
                .filter_map(|reading| (self.change)(time_s, reading));
            samples.extend(changed.map(|reading| LogSample { time_s, reading }));
        }
        samples
    }
}

impl LogSource for Hover {
    fn read(&self, visit: &mut dyn FnMut(&LogSample)) -> Result<LogAbout, FlightLogError> {
        self.samples().iter().for_each(visit);
        Ok(self.about.clone())
    }
}

fn identified(logs: &[&Hover]) -> Result<Identified, IdentifyError> {
    let logs = logs.iter().enumerate().map(|(number, log)| Log {
        name: format!("log{number}"),
        source: *log,
    });
    let nominal = Airframe::by_name("hummingbird").expect("shipped");
    identify(&logs.collect::<Vec<_>>(), None, &nominal)
}

fn refused(change: impl Fn(&mut Hover)) -> String {
    let mut log = Hover::new();
    change(&mut log);
    identified(&[&log])
        .expect_err("it tells nothing")
        .to_string()
}

#[test]
fn other_vehicles_and_missing_readings_are_named() {
    let said = refused(|log| log.about.kind = LogVehicle::FixedWing);
    assert_eq!(
        said,
        "log0 is of a fixed wing; only multirotors can be identified"
    );
    let said = refused(|log| log.about.kind = LogVehicle::Vtol);
    assert!(said.contains("VTOL"), "{said}");
    let said = refused(|log| log.about.rotors = Some(6));
    assert_eq!(
        said,
        "log0 has 6 motors and the airframe 4; name the airframe with --airframe"
    );
    let said = refused(|log| log.about.samples[0..2].fill(0));
    assert!(
        said.starts_with("log0 has no motor commands: log actuator_motors"),
        "{said}"
    );
    let said = refused(|log| log.about.samples[3] = 0);
    assert!(said.starts_with("log0 has no gyro"), "{said}");
}

#[test]
fn a_log_that_never_flies_or_only_in_pieces_is_refused() {
    let said = refused(|log| log.share = |_| 0.06);
    let expected = "log0 never flies: the motors' mean command is at most 7 % of full";
    assert_eq!(said, expected);
    let said = refused(|log| log.duration_s = 2.0);
    assert_eq!(said, "log0 flies for 2.0 s: log a flight of 3 s or more");
    let said = refused(|log| {
        log.change = |time_s, reading| {
            let gone = matches!(reading, LogReading::Gyro(_)) && time_s % 2.0 < 0.1;
            (!gone).then_some(reading)
        };
    });
    assert!(
        said.starts_with("log0 has no 3 s in a row that can be used: "),
        "{said}"
    );
    assert!(said.contains("samples missing"), "{said}");
    let said = refused(|log| {
        log.change = |time_s, reading| match reading {
            LogReading::Accelerometer([x, y, _]) if time_s % 2.0 < 0.01 => {
                Some(LogReading::Accelerometer([x, y, 90.0]))
            }
            _ => Some(reading),
        };
    });
    assert!(said.contains("struck or tumbling"), "{said}");
}

#[test]
fn rotors_that_are_not_alike_are_refused_and_what_the_model_lacks_is_said() {
    let mut weaker = Airframe::by_name("hummingbird").expect("shipped");
    weaker.rotors.thrust_factors = vec![1.0, 1.0, 1.0, 0.85];
    let log = Hover::new();
    let of = |log: &Hover, nominal: &Airframe| {
        let log = Log {
            name: "log0".to_owned(),
            source: log,
        };
        identify(&[log], None, nominal)
    };
    let said = of(&log, &weaker).expect_err("unlike").to_string();
    assert!(
        said.starts_with("hummingbird has rotors that are tilted or have factors"),
        "{said}"
    );
    let mut side = Airframe::by_name("hummingbird").expect("shipped");
    side.side_force = Airframe::omac().side_force;
    let said = of(&log, &side).expect("it hovers").left_out;
    assert!(
        said[0].starts_with("the side force of hummingbird is not in the model"),
        "{said:?}"
    );
    let plain = Airframe::by_name("hummingbird").expect("shipped");
    let said = of(&log, &plain).expect("it hovers").left_out;
    let force = |line: &String| line.contains("the side force");
    assert!(!said.iter().any(force), "{said:?}");
}

#[test]
fn a_flight_that_tells_nothing_is_refused_with_why() {
    let said = refused(|log| {
        log.change = |time_s, reading| match reading {
            LogReading::Gyro(_) => Some(LogReading::Gyro(
                [1.0, 2.0, 3.0].map(|axis| 0.02 * (1e4 * axis * time_s).sin()),
            )),
            LogReading::Accelerometer(_) | LogReading::Attitude(_) => None,
            other => Some(other),
        };
    });
    assert_eq!(
        said,
        "log0: no number of the vehicle can be told: hover command: the log has no accelerometer"
    );
}

#[test]
fn wrong_units_and_axes_are_named() {
    let said = refused(|log| {
        log.change = |_, reading| match reading {
            LogReading::Accelerometer(force) => {
                Some(LogReading::Accelerometer(force.map(|x| x / 9.81)))
            }
            _ => Some(reading),
        };
    });
    assert_eq!(
        said,
        "log0: the accelerometer shows 1.00 along z in flight, which is g and not m/s2"
    );
    let said = refused(|log| {
        log.change = |_, reading| match reading {
            LogReading::Accelerometer([x, y, z]) => Some(LogReading::Accelerometer([x, y, -z])),
            _ => Some(reading),
        };
    });
    assert!(said.contains("its z axis points down"), "{said}");
    let said = refused(|log| {
        log.change = |_, reading| match reading {
            LogReading::Gyro(rates) => Some(LogReading::Gyro(rates.map(|x| 0.4 * x.to_degrees()))),
            _ => Some(reading),
        };
    });
    assert!(said.contains("deg/s and not rad/s"), "{said}");
    let said = refused(|log| {
        log.change = |_, reading| match reading {
            LogReading::Gyro(rates) => Some(LogReading::Gyro(rates.map(|x| 4.0 * x.to_degrees()))),
            _ => Some(reading),
        };
    });
    assert!(said.contains("are they in deg/s"), "{said}");
    let said = refused(|log| {
        log.change = |_, reading| match reading {
            LogReading::Gyro([p, q, r]) => Some(LogReading::Gyro([p, -q, r])),
            _ => Some(reading),
        };
    });
    assert_eq!(
        said,
        "log0: the pitch rate has the wrong sign against the attitude"
    );
}

#[test]
fn logs_of_two_vehicles_are_told_apart() {
    let (one, mut other) = (Hover::new(), Hover::new());
    other.share = |_| 0.8;
    let said = identified(&[&one, &other])
        .expect_err("they differ")
        .to_string();
    assert_eq!(
        said,
        "log0 and log1 are of different vehicles: they hover at 50 and 80 % of full; identify them one by one"
    );
    let mut other = Hover::new();
    other.about.vehicle = Some("two".to_owned());
    let said = identified(&[&one, &other])
        .expect_err("they differ")
        .to_string();
    assert!(said.contains("one and two"), "{said}");
    let mut other = Hover::new();
    other.about.format = LogFormat::Csv;
    let said = identified(&[&one, &other])
        .expect_err("they differ")
        .to_string();
    assert!(said.contains("ULog and CSV"), "{said}");
}

#[test]
fn slow_motors_tell_where_it_hovers_and_no_more() {
    let (mut rare, mut held) = (Hover::new(), Hover::new());
    rare.motors_every = 25;
    // As many rows as of the gyro, of which most repeat the one before.
    held.change = |time_s, reading| match reading {
        LogReading::Motors(_) => {
            let held_s = (10.0 * time_s).floor() / 10.0;
            let share = |i: usize| 0.5 + 0.01 * (held_s * (5.0 + i as f64)).sin();
            Some(LogReading::Motors(PerRotor::new(4, share)))
        }
        _ => Some(reading),
    };
    for log in [rare, held] {
        let found = identified(&[&log]).expect("it hovers");
        let [hover, rest] = &found.estimates[..] else {
            panic!("{:?}", found.estimates)
        };
        assert!(
            (hover.mean - 0.5).abs() < 0.01 && hover.not_told.is_none(),
            "{hover:?}"
        );
        assert_eq!(rest.not_told.as_deref(), Some("motors at 10 Hz"));
        let used_s = found.logs[0].time_s(None);
        assert_eq!(format!("{used_s:.1}"), "0.0");
    }
}

/// The thrust of motors that jitter is that of their mean or of their mean square, by the lag.
#[test]
fn motors_that_jitter_do_not_tell_the_thrust_without_the_lag() {
    let jittering = |change| Hover {
        duration_s: 40.0,
        change,
        ..Hover::new()
    };
    let thrust = |hover: &Hover| {
        let found = identified(&[hover]).expect("something is told");
        let is_thrust = |e: &&sim::identify::Estimate| e.name.starts_with("thrust of a rotor");
        let thrust = found.estimates.iter().find(is_thrust).expect("listed");
        thrust.not_told.clone()
    };
    assert_eq!(thrust(&jittering(|_, reading| Some(reading))), None);
    let error = identified(&[&jittering(|time_s, reading| {
        let sign = if (time_s / 0.004).round() % 2.0 > 0.0 {
            1.0
        } else {
            -1.0
        };
        Some(match reading {
            LogReading::Motors(each) => {
                LogReading::Motors(PerRotor::new(4, |i| each[i] * (1.0 + 0.5 * sign)))
            }
            other => other,
        })
    })]);
    let said = error.expect_err("nothing is told").to_string();
    assert!(said.contains("the motors jitter by"), "{said}");
}

#[test]
fn what_is_not_used_is_on_the_timeline_with_its_reason() {
    let mut log = Hover::new();
    log.share = |time_s| if time_s < 6.0 { 0.05 } else { 0.5 };
    log.change = |time_s, reading| {
        let gone = matches!(reading, LogReading::Gyro(_)) && (12.0..12.2).contains(&time_s);
        (!gone).then_some(reading)
    };
    let found = identified(&[&log]).expect("it hovers");
    let log = &found.logs[0];
    let time_s = |why| log.time_s(why);
    assert!(
        (time_s(Some(Unused::Ground)) - 6.5).abs() < 0.3,
        "{:?}",
        log.timeline
    );
    assert!(
        (time_s(Some(Unused::Gap)) - 0.2).abs() < 0.1,
        "{:?}",
        log.timeline
    );
    assert!((time_s(None) - 13.3).abs() < 0.5, "{:?}", log.timeline);
    // It hovers: what takes a manoeuvre is not told.
    for name in [
        "rotor lag",
        "delay from command to gyro",
        "roll gain in hover",
        "yaw gain in hover",
    ] {
        let estimate = found
            .estimates
            .iter()
            .find(|e| e.name == name)
            .expect("named");
        assert!(estimate.not_told.is_some(), "{estimate:?}");
    }
}
