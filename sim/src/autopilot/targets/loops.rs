//! Loops: position and attitude in SI units, and a rate loop whose output is a share of the full
//! torque, as PX4 and ArduPilot have them.

use super::common::{Parameter, Part};
use crate::Gains;
use crate::autopilot::{AutopilotError, Cascade, Tuned};

/// The name of a parameter, and its least and greatest legal value.
pub type Named = (String, [f64; 2]);

/// The tuned cascades; `named` are P on position, and P, I and D on velocity, of x and y or, where
/// it is given `true`, of z.
///
/// # Errors
/// Those of [`Cascade::of`].
pub fn position(
    gains: &Gains,
    tuned: &Tuned,
    named: impl Fn(bool) -> [Named; 4],
) -> Result<Vec<Parameter>, AutopilotError> {
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
