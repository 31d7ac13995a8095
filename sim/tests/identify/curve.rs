//! Motors whose speed is not in proportion to the command, or falls with the battery.

use super::flown::{Flown, Plan};
use super::form::{Bytes, Form};
use sim::PerRotor;
use sim::flight_log::{FlightLogError, LogAbout, LogReading, LogSample};
use sim::identify::{Estimate, Identified, Log, LogSource, identify};
use sim::log::Format;

/// How motors follow commands.
#[derive(Clone, Copy)]
struct Drive {
    /// Share of the greatest speed at no command.
    idle: f64,
    /// Power of the voltage with which the speed grows; no voltage is logged where it does not.
    by_voltage: Option<f64>,
}

/// Voltage of a battery that is emptied in two minutes, and half of the way [V].
fn battery_v(time_s: f64) -> f64 {
    16.8 - 0.02 * time_s
}
const HALF_V: f64 = 16.4;

/// A log of shares of full of such motors.
struct Bent {
    log: Bytes,
    drive: Drive,
    top_rad_s: f64,
}

impl LogSource for Bent {
    fn read(&self, visit: &mut dyn FnMut(&LogSample)) -> Result<LogAbout, FlightLogError> {
        let Drive { idle, by_voltage } = self.drive;
        let mut about = self.log.read(&mut |sample| {
            let mut sample = *sample;
            if let LogReading::SpeedCommands(speeds) = sample.reading {
                let volts = battery_v(sample.time_s);
                let charge = by_voltage.map_or(1.0, |power| (volts / HALF_V).powf(power));
                let share = |speed: f64| (speed / self.top_rad_s / charge - idle) / (1.0 - idle);
                let shares: PerRotor = speeds.map(share);
                sample.reading = LogReading::Motors(shares);
                if by_voltage.is_some() {
                    visit(&LogSample {
                        reading: LogReading::Battery(volts),
                        ..sample
                    });
                }
            }
            visit(&sample);
        })?;
        about.samples.swap(0, 1);
        Ok(about)
    }
}

fn identified(flown: &Flown, drive: Drive) -> Identified {
    let logs = Form::Own(Format::Csv)
        .logs(flown)
        .into_iter()
        .map(|log| Bent {
            log,
            drive,
            top_rad_s: flown.airframe.rotors.max_speed_rad_s,
        });
    let logs: Vec<Bent> = logs.collect();
    let named = logs.iter().map(|log| Log {
        name: "bent".to_owned(),
        source: log,
    });
    identify(&named.collect::<Vec<_>>(), None, &flown.nominal()).expect("it is told")
}

#[test]
fn the_curve_of_the_thrust_is_told_and_the_inertia_is_right_behind_it() {
    for (seed, idle) in [(0, 0.0), (24, 0.1), (48, 0.2), (12, -0.05)] {
        let flown = Flown::of(seed, Plan::Advised, false).expect("it flies");
        let drive = Drive {
            idle,
            by_voltage: None,
        };
        let (airframe, found) = (&flown.airframe, identified(&flown, drive));
        let told = |name: &str| -> &Estimate {
            let mut all = found.estimates.iter();
            all.find(|e| e.name == name && e.not_told.is_none())
                .expect("told")
        };
        let curve = told("rotor speed at no command");
        let [low, high] = curve.interval;
        // Four deviations.
        assert!(
            (curve.mean - idle).abs() < 4.0 / 1.645 * 0.5 * (high - low),
            "{curve:?}"
        );
        let inertia = told("inertia Ixx").mean / airframe.inertia_kg_m2[0][0];
        assert!((inertia - 1.0).abs() < 0.02, "{inertia}");
        let bent = |line: &&String| line.starts_with("a command c gives (");
        let said = found.left_out.iter().filter(bent).count();
        assert_eq!(said, usize::from(idle != 0.0), "{:?}", found.left_out);
        let joint = found
            .airframe
            .uncertainty
            .joint
            .expect("all three are told");
        let thrust = told("thrust of a rotor at full command");
        let half = 0.5 * (thrust.interval[1] - thrust.interval[0]) / thrust.mean;
        assert!(
            (1.645 * joint[0][0].sqrt() - half).abs() < 1e-9,
            "{joint:?}"
        );
    }
}

#[test]
fn what_an_emptying_battery_does_is_told_and_the_rest_is_right_behind_it() {
    for (seed, by_voltage) in [(0, 1.0), (12, 0.0)] {
        let flown = Flown::of(seed, Plan::Advised, false).expect("it flies");
        let drive = Drive {
            idle: 0.05,
            by_voltage: Some(by_voltage),
        };
        let (airframe, found) = (&flown.airframe, identified(&flown, drive));
        let told = |name: &str| -> &Estimate {
            let mut all = found.estimates.iter();
            all.find(|e| e.name == name && e.not_told.is_none())
                .expect("told")
        };
        let half = |of: &Estimate| 0.5 * (of.interval[1] - of.interval[0]);
        let power = told("rotor speed by battery voltage");
        // Four deviations.
        let most = 4.0 / 1.645 * half(power);
        assert!((power.mean - by_voltage).abs() < most, "{power:?}");
        assert!(half(power) < 0.2, "{power:?}");
        let inertia = told("inertia Ixx").mean / airframe.inertia_kg_m2[0][0];
        assert!((inertia - 1.0).abs() < 0.02, "{inertia}");
        let lag = told("rotor lag").mean / (1e3 * airframe.rotors.lag_s);
        assert!((lag - 1.0).abs() < 0.02, "{lag}");
        let said = |line: &&String| line.starts_with("a command gives ");
        let said = found.left_out.iter().filter(said).count();
        assert_eq!(said, usize::from(by_voltage != 0.0), "{:?}", found.left_out);
        // A loop's gain moves with the thrust, so that the airframe's range holds both ends of the battery.
        let thrust = told("thrust of a rotor at full command");
        let range = found.airframe.uncertainty.thrust_rel - half(thrust) / thrust.mean;
        let wider = if by_voltage == 0.0 {
            0.0..0.005
        } else {
            0.03..0.05
        };
        assert!(wider.contains(&range), "{range}");
    }
}
