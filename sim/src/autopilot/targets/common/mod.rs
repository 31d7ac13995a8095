//! Common: what the targets have in common: the trait, its parameters, and the loops in SI units.

use crate::autopilot::{AutopilotError, Cascade, Limits, Source, Tuned};
use crate::{Airframe, Frame, Gains};
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

/// Those of a file, or why there are none.
pub type Parameters = Result<Vec<Parameter>, AutopilotError>;

/// A target of an export: its parameters and the form of its files.
pub trait Autopilot {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Extension of its files.
    fn extension(&self) -> &'static str;

    /// The loops that it has, in words.
    fn loops(&self) -> &'static str {
        "position, attitude and rate loops"
    }

    /// Whether a value out of range is an error, or a warning because its ranges are advice.
    fn strict(&self) -> bool {
        true
    }

    /// What the user should know before loading the file; one sentence each.
    fn notes(&self, source: &Source) -> Vec<String>;

    /// The attitude loop's P there, where a rollback file may hold it and it has our unit, 1/s.
    fn attitude_gain(&self) -> Option<&'static str> {
        None
    }

    /// The position gains that lie within its ranges; `None` if it has no position loop, or one of
    /// ours.
    fn position_limits(&self) -> Option<Limits> {
        None
    }

    /// What it comes with, by name, as its makers publish it; empty if it has no gains of its own.
    fn defaults(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// In whose terms its files are, in words.
    fn terms(&self) -> &'static str {
        "the autopilot's terms"
    }

    /// The parameters that stand for the tuned ones among `gains`, in the order of the file.
    ///
    /// # Errors
    /// [`AutopilotError::NoCascade`] or [`AutopilotError::NoVelocityGain`].
    fn parameters(&self, airframe: &Airframe, gains: &Gains, tuned: &Tuned) -> Parameters;

    /// `value` as it is stored there.
    fn stored(&self, value: f64) -> f64 {
        f64::from(value as f32)
    }

    /// The text of a file with `heading` as comments; values are stored ones.
    fn write(&self, heading: &[String], parameters: &[Parameter]) -> String;

    /// Brings settings that act together into the form in which this target's files are written. `file` is
    /// what of them stands in the file; the rest is as the firmware comes.
    fn unified(&self, _settings: &mut BTreeMap<String, f64>, _file: &BTreeMap<String, f64>) {}
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

/// Thrust of all rotors at full speed [N].
pub(in crate::autopilot) fn all_thrust_n(airframe: &Airframe) -> f64 {
    let rotors = &airframe.rotors;
    rotors.lift_factor() * (rotors.thrust_n_s2_per_rad2 * rotors.max_speed_rad_s.powi(2))
}

/// Thrust of one rotor at full speed, a mean over them [N].
pub(super) fn full_thrust_n(airframe: &Airframe) -> f64 {
    all_thrust_n(airframe) / airframe.rotors.count() as f64
}

/// Reaction torque of all rotors at full speed, as if they turned one way [N m].
pub(super) fn all_torque_n_m(airframe: &Airframe) -> f64 {
    let rotors = &airframe.rotors;
    let factors = (0..rotors.count()).map(|i| rotors.factors(i)[1]);
    factors.sum::<f64>() * (rotors.torque_n_m_s2_per_rad2 * rotors.max_speed_rad_s.powi(2))
}

/// Distances of the rotors from an axis [m].
#[derive(Debug, Clone, Copy)]
pub(super) struct Levers {
    /// Their sum.
    pub(super) sum_m: f64,
    /// The sum of their squares [m²].
    pub(super) square_m2: f64,
    /// The greatest.
    pub(super) greatest_m: f64,
    /// How many rotors are off the axis.
    pub(super) off_axis: f64,
    /// Whether all are equal, or are those of four rotors, of which each does its whole share.
    pub(super) alike: bool,
}

/// Those from the roll axis and from the pitch axis.
pub(super) fn levers(airframe: &Airframe) -> [Levers; 2] {
    [1, 0].map(|axis: usize| {
        let hubs = &airframe.rotors.positions_m;
        let levers = || hubs.iter().map(|hub| hub[axis].abs());
        let greatest_m = levers().fold(0.0, f64::max);
        let near = |lever: f64| (greatest_m - lever) < 1e-3 * greatest_m;
        Levers {
            sum_m: levers().sum(),
            square_m2: levers().map(|lever| lever * lever).sum(),
            greatest_m,
            off_axis: levers().filter(|lever| *lever > 1e-3 * greatest_m).count() as f64,
            alike: airframe.rotors.count() == 4 || levers().all(near),
        }
    })
}

impl Levers {
    /// What they add up to where a rotor takes of a full command its lever over `whole_m`.
    pub(super) fn shared_m(&self, whole_m: f64) -> f64 {
        match self.alike {
            true => self.sum_m,
            false => self.square_m2 / whole_m,
        }
    }
}

/// Whether the firmware's mixer for the rotors of `airframe` is known: of four rotors, and of a frame that
/// `has` one.
///
/// # Errors
/// [`AutopilotError::Frame`].
pub(super) fn known_frame(
    target: &'static str,
    airframe: &Airframe,
    has: impl Fn(&Frame) -> bool,
) -> Result<(), AutopilotError> {
    match airframe.rotors.count() == 4 || Frame::of(&airframe.rotors).is_some_and(&has) {
        true => Ok(()),
        false => Err(AutopilotError::Frame {
            target,
            airframe: airframe.name.clone(),
            rotors: airframe.rotors.count(),
            turned: Frame::turned(&airframe.rotors)
                .filter(|frame| has(frame))
                .map(|frame| frame.name),
        }),
    }
}

/// The frame of `airframe`, with what it is called by an autopilot in parentheses.
pub(super) fn frame_said(airframe: &Airframe, there: impl Fn(&Frame) -> String) -> String {
    match Frame::of(&airframe.rotors) {
        Some(frame) => format!("the frame {} ({})", frame.name, there(frame)),
        None => format!(
            "the {} rotors of {}",
            airframe.rotors.count(),
            airframe.name
        ),
    }
}

/// `heading` as comments.
pub(super) fn comments(heading: &[String]) -> String {
    heading.iter().map(|line| format!("# {line}\n")).collect()
}

/// `value` in as many digits as give back the same number, never with an exponent, which some
/// readers take for text.
pub(super) fn digits(value: f64) -> String {
    let text = format!("{value}");
    if text.contains('.') || !value.is_finite() {
        text
    } else {
        text + ".0"
    }
}

/// Multiplies the settings `names` by the one called `factor`, which is taken as 1 from then on.
pub(super) fn multiplied(
    settings: &mut BTreeMap<String, f64>,
    factor: &str,
    names: impl Iterator<Item = String>,
) {
    let Some(by) = settings.get(factor).copied() else {
        return;
    };
    for name in names {
        if let Some(value) = settings.get_mut(&name) {
            *value *= by;
        }
    }
    settings.insert(factor.to_owned(), 1.0);
}

// Loops: position and attitude in SI units, and a rate loop whose output is a share of the full
// torque, as PX4 and ArduPilot have them.

/// The name of a parameter, and its least and greatest legal value.
pub type Named = (String, [f64; 2]);

/// The tuned cascades; `named` are P on position, and P, I and D on velocity, of x and y or, where
/// it is given `true`, of z.
///
/// # Errors
/// Those of [`Cascade::of`].
pub fn position(gains: &Gains, tuned: &Tuned, named: impl Fn(bool) -> [Named; 4]) -> Parameters {
    let mut all = Vec::new();
    let axes = [
        (tuned.position_xy, "position_xy", gains.position_xy),
        (tuned.position_z, "position_z", gains.position_z),
    ];
    for (_, axis, pid) in axes.into_iter().filter(|axis| axis.0) {
        let cascade = Cascade::of(&pid, axis)?;
        let vertical = axis == "position_z";
        let [outer, p, i, d] = named(vertical);
        let terms = [
            (outer, "m/s per m", cascade.position_p),
            (p, "m/s² per m/s", cascade.velocity_p),
            (i, "m/s² per m", cascade.velocity_i),
        ];
        for (term, ((name, range), unit, value)) in terms.into_iter().enumerate() {
            let part = Part::Position { vertical, term };
            all.push(Parameter::new(name, unit, value, range).of(part, 1.0));
        }
        all.push(Parameter::zero(d.0, "m/s² per m/s²", d.1));
    }
    Ok(all)
}

/// P of the tuned attitude loops; `named` by axis.
pub fn attitude(gains: &Gains, tuned: &Tuned, named: impl Fn(usize) -> Named) -> Vec<Parameter> {
    let axes = (0..3).filter(|axis| tuned.attitude[*axis]);
    let parameter = |axis: usize| {
        let (name, range) = named(axis);
        let kp = gains.attitude_kp[axis];
        Parameter::new(name, "rad/s per rad", kp, range).of(Part::Attitude(axis), 1.0)
    };
    axes.map(parameter).collect()
}

/// P, I and D of the rate loop of one axis, whose full command is the torque `full_n_m` [N m]; `named`
/// by the letter, from 0, and as it.
pub fn rate(
    gains: &Gains,
    axis: usize,
    full_n_m: f64,
    named: impl Fn(usize, &str) -> Named,
) -> impl Iterator<Item = Parameter> {
    let terms = [
        ("P", "1 per rad/s", gains.rate_kp),
        ("I", "1 per rad", gains.rate_ki),
        ("D", "1 per rad/s²", gains.rate_kd),
    ];
    (0..).zip(terms).map(move |(term, (letter, unit, gain))| {
        let (name, range) = named(term, letter);
        let part = Part::Rate { term, axis };
        Parameter::new(name, unit, gain[axis] / full_n_m, range).of(part, 1.0 / full_n_m)
    })
}

// Inverse: the gains that an autopilot has once it has stored a file of parameters.

/// `gains` with what `parameters` stand for in place of their own.
pub fn gains_of(gains: &Gains, parameters: &[Parameter]) -> Gains {
    let mut written = *gains;
    // P on position, P and I on velocity; of x and y, and of z.
    let mut cascades = [[None; 3]; 2];
    for parameter in parameters {
        let Some((part, scale)) = parameter.stands_for else {
            continue;
        };
        let gain = parameter.value / scale;
        match part {
            Part::Position { vertical, term } => cascades[usize::from(vertical)][term] = Some(gain),
            Part::Attitude(axis) => written.attitude_kp[axis] = gain,
            Part::Rate { term, axis } => {
                let terms = [
                    &mut written.rate_kp,
                    &mut written.rate_ki,
                    &mut written.rate_kd,
                ];
                if let Some(axes) = terms.into_iter().nth(term) {
                    axes[axis] = gain;
                }
            }
        }
    }
    let loops = [&mut written.position_xy, &mut written.position_z];
    for (pid, terms) in loops.into_iter().zip(cascades) {
        if let [Some(position_p), Some(velocity_p), Some(velocity_i)] = terms {
            let cascade = Cascade {
                position_p,
                velocity_p,
                velocity_i,
            };
            *pid = cascade.pid();
        }
    }
    written
}

#[cfg(test)]
mod tests;
