//! What is made of a known vehicle, and of a log whose motors are mixed up.

use super::flown::{Flown, Plan};
use super::form::{Bytes, Form};
use nalgebra::Vector3;
use sim::flight_log::{FlightLogError, LogAbout, LogReading, LogSample};
use sim::identify::{Identified, Log, LogSource, identify};
use sim::log::{Format, Measured};
use sim::{Airframe, Domain, Dryden, Guess, PerRotor, SensorNoise, Setup, fly};

const CSV: Form = Form::Own(Format::Csv);

fn log<'a>(name: &str, source: &'a dyn LogSource) -> Log<'a> {
    Log {
        name: name.to_owned(),
        source,
    }
}

#[test]
fn the_identified_airframe_flies_like_the_vehicle() {
    let flown = Flown::of(3, Plan::Advised, false).expect("it flies");
    let airframe = &flown.airframe;
    let [doublets, tour] = &CSV.logs(&flown)[..] else {
        panic!("two flights")
    };
    let logs = [("doublets", doublets), ("tour", tour)].map(|(name, source)| log(name, source));
    let made = identify(&logs, None, &flown.nominal());
    let made = made.expect("it is told").airframe;
    let near = |a: f64, b: f64, most: f64| assert!((a / b - 1.0).abs() < most, "{a} {b}");
    near(made.rotors.lag_s, airframe.rotors.lag_s, 0.05);
    assert_eq!(made.delay_periods(), flown.sensors.delay_periods);
    near(made.hover_speed_rad_s(), airframe.hover_speed_rad_s(), 0.02);
    // About z no log tells it: it is taken for a share of the two others.
    for (axis, most) in [0.05, 0.05, 0.12].into_iter().enumerate() {
        near(
            made.inertia_kg_m2[axis][axis],
            airframe.inertia_kg_m2[axis][axis],
            most,
        );
    }
    let text = toml::to_string(&made).expect("representable");
    assert_eq!(Airframe::from_toml(&text).expect("legal"), made);
    assert!(made.uncertainty.inertia_rel > 0.0 && made.uncertainty.inertia_rel < 0.2);
}

/// A log as `change` makes it.
struct Changed<F>(Bytes, F);

impl<F: Fn(LogSample) -> Option<LogSample>> LogSource for Changed<F> {
    fn read(&self, visit: &mut dyn FnMut(&LogSample)) -> Result<LogAbout, FlightLogError> {
        self.0.read(&mut |sample| {
            if let Some(changed) = (self.1)(*sample) {
                visit(&changed);
            }
        })
    }
}

/// Rotors of 5 ms in gusts, which the loops answer at once: there a lag that is not theirs shows another order.
#[test]
fn quick_rotors_in_gusts_are_not_taken_for_others() {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    let sensors = SensorNoise::TYPICAL;
    let mut setup = Setup::new(airframe.clone());
    (setup.sensors, setup.record_every) = (sensors, 1);
    let hover = trajectories::by_name("hover").expect("known");
    for seed in [1, 2, 4] {
        let mut wind = Dryden::new(&Domain::gusty(), seed);
        let flight = fly(&setup, hover.as_ref(), &airframe.gains, &mut wind, seed);
        let flown = Flown {
            airframe: airframe.clone(),
            sensors,
            seed,
            gusty: true,
            shown: vec![Measured::of(&flight.samples, &sensors, seed)],
            wind_m_s: Vector3::zeros(),
            bias_z_m_s2: 0.0,
        };
        let logs = CSV.logs(&flown);
        let found = identify(&[log("hover", &logs[0])], None, &airframe).expect("it is told");
        let order = found.order.expect("it was looked for");
        assert!(order.seen && !order.unusual, "{seed}: {order:?}");
    }
}

#[test]
fn motors_in_another_order_and_turning_the_other_way_are_found() {
    let flown = Flown::of(4, Plan::Advised, false).expect("it flies");
    let mut turned = flown.airframe.clone();
    for sign in &mut turned.rotors.yaw_torque_signs {
        *sign = -*sign;
    }
    // The second is PX4's numbering.
    for order in [[1, 0, 2, 3], [1, 3, 0, 2]] {
        let wired = Changed(CSV.logs(&flown).remove(0), |mut sample: LogSample| {
            if let LogReading::SpeedCommands(speeds) = &mut sample.reading {
                *speeds = PerRotor::new(4, |motor| speeds[order[motor]]);
            }
            Some(sample)
        });
        let found = identify(&[log("doublets", &wired)], None, &turned).expect("it is told");
        let seen = found.order.expect("fast motors");
        assert_eq!(seen.rotors, order);
        assert!(seen.seen && seen.unusual);
        assert!(found.spins_reversed);
        let signs = found.airframe.rotors.yaw_torque_signs;
        assert_eq!(signs, flown.airframe.rotors.yaw_torque_signs);
    }
}

#[test]
fn a_gyro_axis_that_points_the_other_way_is_named_in_spite_of_the_attitude_s_noise() {
    let flown = Flown::of(4, Plan::Advised, false).expect("it flies");
    let wrong = Changed(CSV.logs(&flown).remove(0), |mut sample: LogSample| {
        if let LogReading::Gyro(rates) = &mut sample.reading {
            rates[0] = -rates[0];
        }
        Some(sample)
    });
    let said = identify(&[log("doublets", &wrong)], None, &flown.nominal());
    let said = said.expect_err("wrong").to_string();
    assert!(
        said.contains("the roll rate has the wrong sign against the attitude"),
        "{said}"
    );
}

/// How fast the rotors turn the vehicle about x, in hover, by the share of their command [rad/s²].
fn roll_gain(airframe: &Airframe) -> f64 {
    let (rotors, [x, y, _]) = (&airframe.rotors, airframe.rotors.positions_m[0]);
    let top = rotors.max_speed_rad_s;
    let lever = x.hypot(y) / airframe.inertia_kg_m2[0][0];
    2.0 * airframe.hover_speed_rad_s() * top * rotors.thrust_n_s2_per_rad2 * lever
}

#[test]
fn time_without_an_accelerometer_is_left_out_and_a_log_without_one_tells_gains() {
    let flown = Flown::of(3, Plan::Advised, false).expect("it flies");
    let without = |from_s: f64, to_s: f64| {
        let keep = move |sample: LogSample| {
            let gone = matches!(sample.reading, LogReading::Accelerometer(_));
            (!gone || !(from_s..to_s).contains(&sample.time_s)).then_some(sample)
        };
        Changed(CSV.logs(&flown).remove(0), keep)
    };
    let told = |found: &Identified, name: &str| {
        let mut all = found.estimates.iter();
        let of = all.find(|of| of.name == name).expect("listed");
        (of.mean, of.not_told.clone())
    };
    let (gap, whole, never) = (without(20.0, 20.12), without(0.0, 0.0), without(0.0, 1e3));
    let nominal = flown.nominal();
    let found = identify(&[log("gap", &gap)], None, &nominal).expect("it is told");
    let (inertia, why) = told(&found, "inertia Ixx");
    assert_eq!(why, None);
    assert!((inertia / flown.airframe.inertia_kg_m2[0][0] - 1.0).abs() < 0.03);
    assert!(found.left_out[0].contains("the log has no accelerometer are left out"));
    // A log that has none beside one that has.
    let both = [log("whole", &whole), log("never", &never)];
    let found = identify(&both, None, &nominal).expect("it is told");
    assert_eq!(told(&found, "inertia Ixx").1, None);
    let found = identify(&[log("never", &never)], None, &nominal).expect("gains are told");
    let (gain, why) = told(&found, "roll gain in hover");
    assert_eq!(why, None);
    assert!(told(&found, "inertia Ixx").1.is_some());
    let truth = roll_gain(&flown.airframe);
    assert!((gain / truth - 1.0).abs() < 0.03, "{gain} {truth}");
    // The inertia is as little known as the thrust that it is made with, and a joint covariance of another log is gone.
    let mut wide = flown.nominal();
    wide.uncertainty.thrust_rel = 0.3;
    wide.uncertainty.joint = Some([[1e-4, 0.0, 0.0], [0.0, 1e-4, 0.0], [0.0, 0.0, 1e-4]]);
    wide.guessed = Guess::ALL.to_vec();
    wide.delay_ms = Some(7.0);
    let ranged = identify(&[log("never", &never)], None, &wide).expect("gains are told");
    let delay = "delay from command to gyro";
    let delay = ranged.estimates.iter().find(|of| of.name == delay);
    let nominal_ms = delay.and_then(|delay| delay.nominal).expect("it is stated");
    assert!((nominal_ms - 7.0).abs() < 1e-9, "{nominal_ms}");
    let (ranged, guessed) = (ranged.airframe.uncertainty, ranged.airframe.guessed);
    assert!(
        ranged.inertia_rel > 0.15 && ranged.joint.is_none(),
        "{ranged:?}"
    );
    assert_eq!(guessed, [Guess::Thrust, Guess::Inertia, Guess::Drag]);
    // The airframe turns as fast as the vehicle did, with the thrust of the nominal one.
    assert!((roll_gain(&found.airframe) / truth - 1.0).abs() < 0.03);
    assert_eq!(found.airframe.delay_periods(), flown.sensors.delay_periods);
}
