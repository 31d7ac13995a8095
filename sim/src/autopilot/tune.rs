//! Tune: the gains and the controller that a file stands for, with what is to be said of them.

use super::{AutopilotError, MOST, Tuned};
use crate::{Airframe, ControllerLimits, Gains};
use serde::Serialize;
use trajectories::Trajectory;

/// Time between two looks at a trajectory [s], and most of them.
const LOOK_S: f64 = 0.02;
const MOST_LOOKS: f64 = 20_000.0;

/// A tune as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Tune {
    /// Whose parameters they are: a target's name, "gains" or "run".
    pub kind: &'static str,
    /// The gains that fly.
    pub gains: Gains,
    /// What flies with them: limits, filters and law.
    pub controller: ControllerLimits,
    /// What all measurements are late by [ms] and where that comes from; `None` if no autopilot is
    /// named.
    pub delay: Option<(f64, String)>,
    /// Which loops the file has.
    pub tuned: Tuned,
    /// Where the gains come from.
    pub origins: Origins,
    /// Values that are no gain: not finite, below 0, or beyond any gain of any autopilot.
    pub impossible: Vec<(String, f64)>,
    /// Values beyond the autopilot's ranges, each with its range.
    pub beyond: Vec<(String, f64, [f64; 2])>,
    /// What acts on the loop, is not simulated and is not as the firmware comes; one sentence each.
    pub acting: Vec<String>,
    /// What may not fit the airframe; one sentence each.
    pub mismatches: Vec<String>,
    /// Greatest speeds that the position loop asks for, each by its parameter: across, up and down [m/s]; none where they
    /// are not known.
    pub speeds_m_s: Vec<(&'static str, f64)>,
    /// What the file says of another frame than the airframe's; one sentence each.
    pub foreign: Vec<String>,
    /// What alone forbids a flight; one sentence each.
    pub forbidding: Vec<String>,
    /// What was chosen or passed over in the file; one sentence each.
    pub notes: Vec<String>,
    /// What else there is to know of it; one sentence each.
    pub left_out: Vec<String>,
}

/// Where the gains of a tune come from.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Origins {
    /// Names that stand in the file.
    pub file: Vec<String>,
    /// Names that it leaves out, which are as the firmware comes.
    pub stock: Vec<String>,
    /// Loops that the autopilot has no gains of, which are the airframe's.
    pub airframe: Vec<&'static str>,
}

impl Tune {
    /// Gains as we write them, with the controller of `airframe`.
    pub fn of_gains(kind: &'static str, gains: Gains, airframe: &Airframe) -> Tune {
        Tune {
            kind,
            gains,
            controller: airframe.controller.clone(),
            delay: None,
            tuned: Tuned::by_change(&airframe.gains, &gains),
            origins: Origins::default(),
            impossible: Vec::new(),
            beyond: Vec::new(),
            acting: Vec::new(),
            mismatches: Vec::new(),
            speeds_m_s: Vec::new(),
            foreign: Vec::new(),
            forbidding: Vec::new(),
            notes: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// Whether nothing in it alone forbids a flight.
    pub fn can_fly(&self) -> bool {
        self.impossible.is_empty() && self.forbidding.is_empty()
    }

    /// That the position loop asks for less speed than `trajectory` needs, which is not simulated.
    pub fn too_fast(&self, trajectory: &dyn Trajectory) -> Option<String> {
        let looks = (trajectory.duration_s() / LOOK_S).clamp(1.0, MOST_LOOKS) as u32;
        let at = |k: u32| trajectory.at(trajectory.duration_s() * f64::from(k) / f64::from(looks));
        let velocities = (0..=looks).map(|k| at(k).velocity_m_s);
        let most = velocities.fold([0.0f64; 3], |[across, up, down], v| {
            [across.max(v.xy().norm()), up.max(v.z), down.max(-v.z)]
        });
        let mut beyond = self.speeds_m_s.iter().zip(most);
        let ((name, limit), needed) =
            beyond.find(|((_, limit), needed)| *limit >= 0.0 && needed > limit)?;
        Some(format!(
            "the trajectory needs {needed:.1} m/s and {name} is {limit}: that limit is not simulated, and the vehicle falls behind"
        ))
    }

    /// That every value read from the file `name` can be flown.
    ///
    /// # Errors
    /// [`AutopilotError::File`] with the first that cannot.
    pub fn flyable(&self, name: &str) -> Result<(), AutopilotError> {
        let Some((parameter, value)) = self.impossible.first() else {
            return Ok(());
        };
        Err(AutopilotError::File {
            name: name.to_owned(),
            said: format!("gives {parameter} the value {value:e}: a gain is from 0 to {MOST:e}"),
        })
    }

    /// `airframe` with the gains, limits, filters and law of this tune, and what was taken for it that its
    /// file does not state.
    pub fn aboard(&self, airframe: &Airframe) -> (Airframe, Option<String>) {
        let mut airframe = airframe.clone();
        let taken = self.take_rotor_inertia(&mut airframe);
        airframe.controller = self.controller.clone();
        airframe.gains = self.gains;
        (airframe, taken)
    }

    /// Takes the least inertia that such rotors have if `airframe` states none and the autopilot counts on
    /// one; returns the sentence that says so. PX4 without a filter of the yaw torque does not, and is judged
    /// without: there inertia makes yaw look calmer.
    pub fn take_rotor_inertia(&self, airframe: &mut Airframe) -> Option<String> {
        let filtered = self.controller.law().torque_filter_hz[2] > 0.0;
        let rotors = &mut airframe.rotors;
        // The delay of a run is that of its study, not of an autopilot.
        let counts = self.delay.is_some() && self.kind != "run" && (self.kind != "px4" || filtered);
        (counts && rotors.rotor_inertia_kg_m2 == 0.0).then(|| {
            rotors.rotor_inertia_kg_m2 = rotors.least_inertia_kg_m2();
            format!(
                "The airframe states no rotor_inertia_kg_m2: {:.1e} is taken, the least that rotors of such \
                 thrust have.",
                rotors.rotor_inertia_kg_m2
            )
        })
    }

    /// What there is to know of it besides the gains: what was read, how late the vehicle is, what acts and is
    /// not simulated, what is not known; one sentence each.
    pub fn remarks(&self) -> Vec<String> {
        let mut said = Vec::new();
        said.extend((self.origins != Origins::default()).then(|| self.origins.to_string()));
        said.extend(self.notes.iter().cloned());
        let delay = self.delay.iter();
        said.extend(delay.map(|(late_ms, why)| {
            let kind = self.kind;
            format!(
                "Sensors, filters and speed controllers are {late_ms:.0} ms late ({kind}: {why})."
            )
        }));
        let sentences = [
            &self.acting,
            &self.foreign,
            &self.mismatches,
            &self.forbidding,
        ];
        said.extend(
            sentences
                .into_iter()
                .flatten()
                .map(|said| format!("{said}.")),
        );
        said.extend(self.left_out.iter().cloned());
        said.extend(self.beyond_said());
        said
    }

    /// Values beyond the ranges that the firmware advises; one sentence each.
    pub fn beyond_said(&self) -> impl Iterator<Item = String> {
        self.beyond.iter().map(|(name, value, [low, high])| {
            format!("{name} is {value}, beyond the {low} to {high} that the firmware advises.")
        })
    }
}

impl std::fmt::Display for Origins {
    /// As in "Gains: 22 from the file, 1 as the firmware comes (MC_YAWRATE_D)."
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Gains: {} from the file", self.file.len())?;
        if !self.stock.is_empty() {
            let names = self.stock.join(", ");
            write!(f, ", {} as the firmware comes ({names})", self.stock.len())?;
        }
        if !self.airframe.is_empty() {
            let names = self.airframe.join(", ");
            write!(f, "; from the airframe: {names}")?;
        }
        f.write_str(".")
    }
}
