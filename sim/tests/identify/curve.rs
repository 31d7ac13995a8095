//! Motors whose speed is not in proportion to the command.

use super::vehicles::{Bytes, logs, vehicle};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sim::flight_log::{FlightLogError, LogAbout, LogReading, LogSample};
use sim::identify::{Estimate, Identified, Log, LogSource, identify};
use sim::log::Format;
use sim::{Airframe, PerRotor};

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

fn identified(airframe: &Airframe, idle: f64, seed: u64) -> Identified {
    let logs = logs(airframe, Format::Csv, false, seed).map(|bytes| Bent {
        log: Bytes(bytes),
        idle,
        top_rad_s: airframe.rotors.max_speed_rad_s,
    });
    let logs: Vec<Log> = logs
        .iter()
        .map(|log| Log {
            name: "bent".to_owned(),
            source: log,
        })
        .collect();
    identify(&logs, None, airframe).expect("it is told")
}

#[test]
fn the_curve_of_the_thrust_is_told_and_the_inertia_is_right_behind_it() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for (seed, idle) in [(31, 0.0), (32, 0.1), (33, 0.15), (34, -0.05)] {
        let airframe = vehicle(&mut rng);
        let found = identified(&airframe, idle, seed);
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
        let said = &found.left_out;
        assert_eq!(said.is_empty(), idle == 0.0, "{said:?}");
        let bent = |line: &String| line.starts_with("a command c gives (");
        assert!(said.iter().all(bent), "{said:?}");
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
