//! Motors whose speed is not in proportion to the command.

use super::flown::{Flown, Plan};
use super::form::{Bytes, Form};
use sim::PerRotor;
use sim::flight_log::{FlightLogError, LogAbout, LogReading, LogSample};
use sim::identify::{Estimate, Identified, Log, LogSource, identify};
use sim::log::Format;

/// A log of shares, at 0 of which the rotors turn at a share of their greatest speed.
struct Bent {
    log: Bytes,
    idle: f64,
    top_rad_s: f64,
}

impl LogSource for Bent {
    fn read(&self, visit: &mut dyn FnMut(&LogSample)) -> Result<LogAbout, FlightLogError> {
        let share = |speed: f64| (speed / self.top_rad_s - self.idle) / (1.0 - self.idle);
        let mut about = self.log.read(&mut |sample| {
            let mut sample = *sample;
            if let LogReading::SpeedCommands(speeds) = sample.reading {
                let shares: PerRotor = speeds.map(share);
                sample.reading = LogReading::Motors(shares);
            }
            visit(&sample);
        })?;
        about.samples.swap(0, 1);
        Ok(about)
    }
}

fn identified(flown: &Flown, idle: f64) -> Identified {
    let logs = Form::Own(Format::Csv)
        .logs(flown)
        .into_iter()
        .map(|log| Bent {
            log,
            idle,
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
        let (airframe, found) = (&flown.airframe, identified(&flown, idle));
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
