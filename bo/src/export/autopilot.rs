//! Autopilot: what the targets of an export have in common.

use super::{ExportError, Source, Tuned};
use sim::{Airframe, Gains};
use std::collections::BTreeMap;

/// The gain that a parameter stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The cascade of the position loop, of x and y or of z.
    Position {
        /// Whether of z.
        vertical: bool,
        /// 0 P on position, 1 P on velocity, 2 I on velocity.
        term: usize,
    },
    /// P of the attitude loop, by axis.
    Attitude(usize),
    /// The rate loop.
    Rate {
        /// 0 P, 1 I, 2 D.
        term: usize,
        /// Which axis.
        axis: usize,
    },
}

/// One parameter of an autopilot.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name there.
    pub name: String,
    /// Its unit there.
    pub unit: &'static str,
    /// Its value, not yet rounded to what the autopilot stores.
    pub value: f64,
    /// Least and greatest legal value; infinite where the autopilot states none.
    pub range: [f64; 2],
    /// Whether the mapping holds at this value only, legal or not; it is then written as it is,
    /// with a warning where it is out of range.
    pub fixed: bool,
    /// What it stands for, and its value there for one unit of that gain; nothing for one that only
    /// has to be as it is.
    pub stands_for: Option<(Part, f64)>,
}

impl Parameter {
    /// A parameter with a range.
    pub fn new(name: impl Into<String>, unit: &'static str, value: f64, range: [f64; 2]) -> Self {
        Parameter {
            name: name.into(),
            unit,
            value,
            range,
            fixed: false,
            stands_for: None,
        }
    }

    /// The same, standing for `part` with a value of `scale` for one unit of it.
    pub fn of(self, part: Part, scale: f64) -> Self {
        Parameter {
            stands_for: Some((part, scale)),
            ..self
        }
    }

    /// One that must have the value 0 for the mapping to hold.
    pub fn zero(name: impl Into<String>, unit: &'static str, range: [f64; 2]) -> Self {
        Parameter {
            fixed: true,
            ..Parameter::new(name, unit, 0.0, range)
        }
    }
}

/// One setting in a file of a target's.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The line that it stands in, from 1.
    pub line: usize,
    /// Its name.
    pub name: String,
    /// Its value, as it stands there.
    pub value: f64,
}

/// A target of an export: its parameters and the form of its files.
pub trait Autopilot {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Extension of its files.
    fn extension(&self) -> &'static str;

    /// The loops that it has, in words.
    fn loops(&self) -> &'static str;

    /// Whether a value out of range is an error, or a warning because its ranges are advice.
    fn strict(&self) -> bool;

    /// What the user should know before loading the file; one sentence each.
    fn notes(&self, source: &Source) -> Vec<String>;

    /// The attitude loop's P there, where a rollback file may hold it and it has our unit, 1/s.
    fn attitude_gain(&self) -> Option<&'static str> {
        None
    }

    /// In whose terms its files are, in words.
    fn terms(&self) -> &'static str {
        "the autopilot's terms"
    }

    /// The parameters that stand for the tuned ones among `gains`, in the order of the file.
    ///
    /// # Errors
    /// [`ExportError::NoCascade`] or [`ExportError::NoVelocityGain`].
    fn parameters(
        &self,
        airframe: &Airframe,
        gains: &Gains,
        tuned: &Tuned,
    ) -> Result<Vec<Parameter>, ExportError>;

    /// `value` as it is stored there.
    fn stored(&self, value: f64) -> f64 {
        f64::from(value as f32)
    }

    /// The text of a file with `heading` as comments; values are stored ones.
    fn write(&self, heading: &[String], parameters: &[Parameter]) -> String;

    /// The settings in the text of such a file, whatever their values.
    ///
    /// # Errors
    /// [`ExportError::BaselineLine`].
    fn settings(&self, text: &str) -> Result<Vec<Setting>, ExportError>;

    /// The settings in the text of such a file by name; of one that stands twice the last.
    ///
    /// # Errors
    /// Those of [`Autopilot::settings`].
    fn read(&self, text: &str) -> Result<BTreeMap<String, f64>, ExportError> {
        let settings = self.settings(text)?.into_iter();
        Ok(settings
            .map(|setting| (setting.name, setting.value))
            .collect())
    }
}

/// What a position-only export assumes of the loops below, which the vehicle has its own of;
/// `default` says what the autopilot comes with.
pub(super) fn inner_loops(source: &Source, default: &str) -> Option<String> {
    let tuned = &source.tuned;
    let position = tuned.position_xy || tuned.position_z;
    if !position || tuned.attitude.contains(&true) || tuned.rate.contains(&true) {
        return None;
    }
    let vehicle = &source.airframe;
    let gains = &vehicle.gains;
    let inertia = vehicle.inertia_kg_m2[0][0];
    Some(format!(
        "Only the position loop was tuned. Its gains assume the inner loops of the simulated {}: \
         attitude P {} 1/s, a rate loop of {:.0} rad/s, motors of {} ms. {default}; real motors take \
         30 to 50 ms. With slower inner loops the same gains fly worse, or not at all: put your \
         vehicle's own into the airframe file and tune again. With --baseline its attitude P is \
         compared.",
        vehicle.name,
        gains.attitude_kp[0],
        gains.rate_kp[0] / inertia,
        1e3 * vehicle.rotors.lag_s
    ))
}

/// Thrust of one rotor at full speed [N].
pub(super) fn full_thrust_n(airframe: &Airframe) -> f64 {
    let rotors = &airframe.rotors;
    rotors.thrust_n_s2_per_rad2 * rotors.max_speed_rad_s.powi(2)
}

/// Reaction torque of one rotor at full speed [N m].
pub(super) fn full_torque_n_m(airframe: &Airframe) -> f64 {
    let rotors = &airframe.rotors;
    rotors.torque_n_m_s2_per_rad2 * rotors.max_speed_rad_s.powi(2)
}

/// Mean distance of the rotors from the roll axis and from the pitch axis [m].
pub(super) fn levers_m(airframe: &Airframe) -> [f64; 2] {
    let mean = |axis: usize| {
        let hubs = airframe.rotors.positions_m.iter();
        hubs.map(|hub| hub[axis].abs()).sum::<f64>() / 4.0
    };
    [mean(1), mean(0)]
}

/// The lines of a file that are neither empty nor a comment, with their numbers from 1.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim_end()))
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
}

/// `heading` as comments.
pub(super) fn comments(heading: &[String]) -> String {
    heading.iter().map(|line| format!("# {line}\n")).collect()
}

/// `value` in as many digits as give back the same number, never with an exponent, which some
/// readers take for text.
pub(super) fn digits(value: f64) -> String {
    let text = format!("{value}");
    if text.contains('.') {
        text
    } else {
        text + ".0"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_read_back_to_the_same_number_and_look_like_one() {
        for value in [
            0.0,
            4.0,
            f64::from(0.95f32),
            f64::from(1.234e-7f32),
            65535.0,
        ] {
            let text = digits(value);
            assert!(text.contains('.') && !text.contains('e'), "{text}");
            assert_eq!(text.parse::<f64>(), Ok(value));
        }
    }

    /// The source of a file of gains that changes these loops of the default vehicle.
    fn source(position_xy: bool, position_z: bool, attitude: bool, rate: bool) -> Source {
        let airframe = Airframe::omac();
        let mut gains = airframe.gains;
        let changed = |is: bool, gain: &mut f64| *gain *= if is { 1.5 } else { 1.0 };
        changed(position_xy, &mut gains.position_xy.kp);
        changed(position_z, &mut gains.position_z.kp);
        changed(attitude, &mut gains.attitude_kp[1]);
        changed(rate, &mut gains.rate_kp[1]);
        let text = toml::to_string(&gains).expect("TOML");
        Source::from_gains(&text, "mine.toml", airframe).expect("changed")
    }

    #[test]
    fn what_the_inner_loops_are_is_said_where_the_position_loop_alone_was_tuned() {
        let said = |source: &Source| inner_loops(source, "As it comes").is_some();
        assert!(said(&source(true, false, false, false)));
        assert!(said(&source(false, true, false, false)));
        assert!(!said(&source(true, false, true, false)));
        assert!(!said(&source(false, true, false, true)));
        assert!(!said(&source(false, false, false, true)));
    }

    #[test]
    fn ardupilot_s_names_are_doubted_only_where_nobody_said_its_firmware() {
        let source = source(true, false, false, false);
        for (version, doubted) in [(None, true), (Some("4.6"), false), (Some("4.8"), false)] {
            let notes = crate::export::ArduPilot::new(version)
                .expect("a version")
                .notes(&source);
            let doubts = notes.iter().any(|note| note.contains("--firmware 4.8"));
            assert_eq!(doubts, doubted, "{version:?}");
        }
    }

    #[test]
    fn every_target_is_what_it_says() {
        use crate::export::{ArduPilot, Betaflight, Crazyflie, Json, Px4};
        let ardupilot = ArduPilot::new(None).expect("no version needed");
        let (all, rate) = ("position, attitude and rate loops", "rate loop");
        type Said<'a> = (&'a dyn Autopilot, [&'a str; 3], bool, Option<&'a str>);
        let targets: [Said; 5] = [
            (&Px4, ["px4", "params", all], true, Some("MC_ROLL_P")),
            (
                &ardupilot,
                ["ardupilot", "param", all],
                false,
                Some("ATC_ANG_RLL_P"),
            ),
            (&Betaflight, ["betaflight", "txt", rate], true, None),
            (
                &Crazyflie,
                ["crazyflie", "yaml", all],
                true,
                Some("pid_attitude.roll_kp"),
            ),
            (&Json, ["json", "json", all], true, None),
        ];
        for (target, said, strict, attitude) in targets {
            let name = target.name();
            assert_eq!([name, target.extension(), target.loops()], said);
            assert_eq!(
                (target.strict(), target.attitude_gain()),
                (strict, attitude),
                "{name}"
            );
            let notes = target.notes(&source(true, true, true, true));
            assert_eq!(notes.is_empty(), name == "json");
            for note in notes {
                assert!(note.len() > 40 && note.ends_with('.'), "{name}: {note}");
            }
        }
    }

    #[test]
    fn the_crazyflie_s_limits_are_named_where_any_position_loop_was_tuned() {
        let named = |source: &Source| {
            let notes = crate::export::Crazyflie.notes(source);
            notes.iter().any(|note| note.contains("posCtlPid.xVelMax"))
        };
        assert!(named(&source(true, false, false, false)));
        assert!(named(&source(false, true, false, false)));
        assert!(!named(&source(false, false, true, true)));
    }
}
