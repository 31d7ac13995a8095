//! Recording: a flight as the page's replay and time series take it: whole numbers, so that the
//! page stays small and its bytes do not depend on how a machine prints floating point.

use serde::Serialize;
use sim::{Flight, Outcome, Sample};

/// Samples between two that are kept: 50 a second.
const STEP: usize = 20;

/// A flight at 50 samples a second. Lists hold `steps`, one a sample, outer lists one list an axis or
/// rotor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recording {
    /// Time between two samples [ms].
    pub step_ms: u64,
    /// Position [0.1 mm].
    pub position: [Vec<i32>; 3],
    /// Where it should have been [0.1 mm].
    pub reference: [Vec<i32>; 3],
    /// Unit quaternion from body to world, w x y z [1e-4].
    pub attitude: [Vec<i32>; 4],
    /// Body rates [mrad/s].
    pub rates: [Vec<i32>; 3],
    /// Body rates that the attitude loop asked for [mrad/s].
    pub setpoints: [Vec<i32>; 3],
    /// Rotor speeds [0.1 rad/s].
    pub rotors: Vec<Vec<i32>>,
    /// Wind in the world frame [mm/s].
    pub wind: [Vec<i32>; 3],
    /// 1 where a rotor was at the end of its range at any time since the sample before.
    pub saturated: Vec<u8>,
    /// Average control error, of the part that was flown [0.1 mm].
    pub ace: i32,
    /// When and why it was lost, if it was.
    pub lost: Option<Loss>,
}

/// How a flight was lost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Loss {
    /// When [ms].
    pub at_ms: i32,
    /// Why.
    pub why: String,
}

impl Loss {
    /// That of a flight, if it was lost.
    pub fn of(flight: &Flight) -> Option<Loss> {
        match flight.outcome {
            Outcome::Completed => None,
            Outcome::Lost { at_s, why } => Some(Loss {
                at_ms: (1e3 * at_s).round() as i32,
                why: why.to_string(),
            }),
        }
    }
}

impl Recording {
    /// Of a flight that was sampled at every control period.
    pub fn of(flight: &Flight) -> Recording {
        let kept: Vec<&Sample> = flight.samples.iter().step_by(STEP).collect();
        let list = |scale: f64, of: &dyn Fn(&Sample) -> f64| -> Vec<i32> {
            steps(kept.iter().map(|s| (scale * of(s)).round() as i32))
        };
        let saturated = |k: usize| {
            let since = (k * STEP).saturating_sub(STEP - 1)..=k * STEP;
            let any = flight.samples[since]
                .iter()
                .any(|s| s.command.rotors_saturated);
            u8::from(any)
        };
        let rotors = kept.first().map_or(0, |s| s.state.rotors_rad_s.len());
        Recording {
            step_ms: STEP as u64,
            position: axes(|a| list(1e4, &|s| s.state.position_m[a])),
            reference: axes(|a| list(1e4, &|s| s.reference.position_m[a])),
            // nalgebra keeps x y z w.
            attitude: axes(|a| list(1e4, &|s| s.state.attitude.coords[(a + 3) % 4])),
            rates: axes(|a| list(1e3, &|s| s.state.rates_rad_s[a])),
            setpoints: axes(|a| list(1e3, &|s| s.command.rate_setpoint_rad_s[a])),
            rotors: (0..rotors)
                .map(|a| list(10.0, &|s| s.state.rotors_rad_s[a]))
                .collect(),
            wind: axes(|a| list(1e3, &|s| s.wind_m_s[a])),
            saturated: (0..kept.len()).map(saturated).collect(),
            ace: (1e4 * flight.score.ace_m).round() as i32,
            lost: Loss::of(flight),
        }
    }
}

/// The first of `numbers`, and behind it by how much each differs from the one before, which is
/// shorter to write.
pub(super) fn steps(numbers: impl Iterator<Item = i32>) -> Vec<i32> {
    let step = |at: &mut i32, now: i32| Some(now - std::mem::replace(at, now));
    numbers.scan(0, step).collect()
}

fn axes<const N: usize>(list: impl Fn(usize) -> Vec<i32>) -> [Vec<i32>; N] {
    std::array::from_fn(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::{Airframe, Domain, Dryden, Setup, fly};

    #[test]
    fn a_recording_is_the_flight_at_fifty_samples_a_second() {
        let setup = Setup {
            record_every: 1,
            ..Setup::new(Airframe::omac())
        };
        let trajectory = trajectories::by_name("hover").expect("shipped");
        let mut wind = Dryden::new(&Domain::steady(), 7);
        let flight = fly(
            &setup,
            trajectory.as_ref(),
            &setup.airframe.gains,
            &mut wind,
            7,
        );
        let recording = Recording::of(&flight);
        assert_eq!(
            recording.saturated.len(),
            flight.samples.len().div_ceil(STEP)
        );
        let (sample, k) = (&flight.samples[40 * STEP], 40);
        let at = |list: &[i32]| f64::from(list[..=k].iter().sum::<i32>());
        for axis in 0..3 {
            let error = at(&recording.position[axis]) * 1e-4 - sample.state.position_m[axis];
            assert!(error.abs() <= 0.5e-4);
            let error = at(&recording.wind[axis]) * 1e-3 - sample.wind_m_s[axis];
            assert!(error.abs() <= 0.5e-3);
        }
        let w = at(&recording.attitude[0]) * 1e-4 - sample.state.attitude.w;
        let z = at(&recording.attitude[3]) * 1e-4 - sample.state.attitude.k;
        assert!(w.abs() <= 0.5e-4 && z.abs() <= 0.5e-4);
        assert_eq!(recording.lost, None);
    }
}
