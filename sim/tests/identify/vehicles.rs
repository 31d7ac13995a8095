//! What is made of a known vehicle, and of a log whose motors are mixed up.

use super::flown::{Flown, Plan};
use super::form::{Bytes, Form};
use sim::Airframe;
use sim::flight_log::{FlightLogError, LogAbout, LogReading, LogSample};
use sim::identify::{Log, LogSource, identify};
use sim::log::Format;

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
    let flown = Flown::of(4, Plan::Advised, false).expect("it flies");
    let swapped = Swapped(CSV.logs(&flown).remove(0));
    let mut turned = flown.airframe.clone();
    for sign in &mut turned.rotors.yaw_torque_signs {
        *sign = -*sign;
    }
    let found = identify(&[log("doublets", &swapped)], None, &turned).expect("it is told");
    let order = found.order.expect("fast motors");
    assert_eq!(order.rotors, [1, 0, 2, 3]);
    assert!(order.seen && order.unusual);
    assert!(found.spins_reversed);
    let signs = found.airframe.rotors.yaw_torque_signs;
    assert_eq!(signs, flown.airframe.rotors.yaw_torque_signs);
}
