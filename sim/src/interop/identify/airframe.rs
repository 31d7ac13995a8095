//! Airframe: the nominal one with what logs told.

use super::estimate::{DISCHARGE, Estimate, FLATNESS, NINETY, SPIN_UP, Scale, known, slope};
use super::fit::Fit;
use super::fit::model::{LAG, Layout, PITCH, PLANE, ROLL, THRUST, YAW, YAW_SPIN_UP};
use crate::{Airframe, BodyDrag, Error, GRAVITY_M_S2, Guess, RotorDrag, Uncertainty};
use nalgebra::{DVector, Matrix3, Vector3};

/// Half-width of what neither a log tells nor the nominal airframe says.
const UNSAID_REL: f64 = 0.2;

/// What is added to the name of the nominal airframe.
const IDENTIFIED: &str = "-identified";

/// `nominal` with every property that was told and, for those, ranges as wide as their intervals. Gains and limits that
/// are moments grow with the inertia, the greatest thrust with that of the rotors.
pub(super) fn identified(
    nominal: &Airframe,
    fit: &Fit,
    layout: &Layout,
    estimates: &[Estimate],
) -> Result<Airframe, Error> {
    let x = &fit.numbers;
    let scale = Scale::of(nominal, layout);
    let known = |name: &str| known(estimates, name);
    let mut made = nominal.clone();
    // A name has at most 64 letters.
    if !made.name.ends_with(IDENTIFIED) && made.name.len() + IDENTIFIED.len() <= 64 {
        made.name += IDENTIFIED;
    }
    let rotors = &mut made.rotors;
    let top = rotors.max_speed_rad_s;
    // What is not told may be off by as much as the nominal airframe says, or else by a usual share.
    let unsaid = |declared: f64| if declared > 0.0 { declared } else { UNSAID_REL };
    let mut uncertainty = Uncertainty {
        thrust_rel: unsaid(nominal.uncertainty.thrust_rel),
        rotor_lag_rel: unsaid(nominal.uncertainty.rotor_lag_rel),
        inertia_rel: unsaid(nominal.uncertainty.inertia_rel),
        drag_rel: unsaid(nominal.uncertainty.drag_rel),
        // What an earlier log told together is not what this one does.
        joint: None,
        ..nominal.uncertainty
    };
    let mut measured = Vec::new();
    let discharge = known(DISCHARGE).and_then(|_| layout.discharged(x));
    // What the battery does to the thrust is as little known in a flight to come.
    let thrust_half = |thrust: &Estimate| match discharge {
        Some([low, high]) => half_width(thrust).hypot(0.5 * (high - low)).min(0.9),
        None => half_width(thrust),
    };
    let before = rotors.thrust_n_s2_per_rad2;
    if let Some(thrust) = known("thrust of a rotor at full command") {
        rotors.thrust_n_s2_per_rad2 = thrust.mean / (top * top);
        uncertainty.thrust_rel = thrust_half(thrust);
        measured.push(Guess::Thrust);
    } else if let Some(hover) = known("hover command") {
        let weight_n = GRAVITY_M_S2 * nominal.mass_kg / rotors.count() as f64;
        rotors.thrust_n_s2_per_rad2 = weight_n / (hover.mean * top).powi(2);
        uncertainty.thrust_rel = (2.0 * half_width(hover)).min(0.9);
        measured.push(Guess::Thrust);
    }
    let full_n = rotors.thrust_n_s2_per_rad2 * top * top;
    made.controller.max_thrust_n *= rotors.thrust_n_s2_per_rad2 / before;
    rotors.torque_n_m_s2_per_rad2 *= rotors.thrust_n_s2_per_rad2 / before;
    if let Some(lag) = known("rotor lag") {
        rotors.lag_s = x[LAG].exp();
        uncertainty.rotor_lag_rel = half_width(lag);
        measured.push(Guess::RotorLag);
    }
    let hover = made.hover_speed_rad_s() / top;
    let turned = 2.0 * hover * full_n * layout.arm_m;
    let thrust_rel = uncertainty.thrust_rel;
    let moments = moments(estimates, turned, thrust_rel, &|gain| {
        scale.inertia(x, gain)
    });
    let ratios: [Option<f64>; 2] = std::array::from_fn(|axis| {
        moments[axis].map(|(moment, _)| moment / nominal.inertia_kg_m2[axis][axis])
    });
    if let Some(ratio) = ratios[0].or(ratios[1]) {
        // An axis that is not told is as much off as the other.
        let [ixx, iyy] = std::array::from_fn(|axis| {
            let ratio = ratios[axis].unwrap_or(ratio);
            ratio * nominal.inertia_kg_m2[axis][axis]
        });
        let izz = FLATNESS * (ixx + iyy);
        made.set_inertia([ixx, iyy, izz]);
        let widest = moments
            .iter()
            .flatten()
            .map(|(_, half)| *half)
            .fold(0.0, f64::max);
        uncertainty.inertia_rel = match moments {
            [Some(_), Some(_)] => widest.min(0.9),
            _ => widest.max(unsaid(nominal.uncertainty.inertia_rel)).min(0.9),
        };
        // By a thrust that is guessed it is a guess too.
        if ratios.iter().all(Option::is_some) && measured.contains(&Guess::Thrust) {
            measured.push(Guess::Inertia);
        }
        let rotors = &mut made.rotors;
        if let Some(turning) = known("yaw gain in hover") {
            let full = match known("inertia Ixx").and(known("inertia Iyy")) {
                Some(_) => scale.full(x, YAW).abs(),
                None => turning.mean.abs() / (2.0 * hover),
            };
            rotors.torque_n_m_s2_per_rad2 = full * izz / (top * top);
            measured.push(Guess::YawTorque);
            if x[YAW] < 0.0 {
                rotors
                    .yaw_torque_signs
                    .iter_mut()
                    .for_each(|sign| *sign = -*sign);
            }
        }
        if known(SPIN_UP).is_some() {
            measured.push(Guess::RotorInertia);
            rotors.rotor_inertia_kg_m2 = (x[YAW_SPIN_UP] * x[YAW].signum() * izz / top).max(0.0);
        }
    }
    if let Some(delay) = known("delay from command to gyro") {
        made.delay_ms = Some(delay.mean.max(0.0));
    }
    let mass_kg = nominal.mass_kg;
    let drag = |factor: usize| (x[factor] * mass_kg / top).max(0.0);
    let [across, along] =
        ["in-plane", "axial"].map(|way| known(&format!("{way} drag at hover speed")));
    if across.is_some() {
        let of = made.rotor_drag.get_or_insert(RotorDrag::NONE);
        of.in_plane_n_s2_per_rad_m = drag(PLANE);
    }
    if along.is_some() {
        let of = made.rotor_drag.get_or_insert(RotorDrag::NONE);
        of.axial_n_s2_per_rad_m = drag(THRUST + 1);
    }
    // The range is that of all drag.
    let halves = [across, along].map(|of| of.map_or(uncertainty.drag_rel, half_width));
    uncertainty.drag_rel = halves[0].max(halves[1]);
    let quadratic = [
        ("in-plane drag x, quadratic", PLANE + 1),
        ("in-plane drag y, quadratic", PLANE + 2),
        ("axial drag, quadratic", THRUST + 2),
    ];
    let told = |(name, _): &(&str, usize)| known(name).is_some();
    if across.and(along).is_some() && (made.body_drag.is_none() || quadratic.iter().all(told)) {
        measured.push(Guess::Drag);
    }
    for (axis, (name, factor)) in quadratic.into_iter().enumerate() {
        if known(name).is_some() {
            let none = BodyDrag {
                quadratic_n_s2_per_m2: [0.0; 3],
            };
            let of = made.body_drag.get_or_insert(none);
            of.quadratic_n_s2_per_m2[axis] = (x[factor] * mass_kg).max(0.0);
        }
    }
    if let [Some(thrust), Some(lag), Some(ixx), Some(iyy)] = [
        "thrust of a rotor at full command",
        "rotor lag",
        "inertia Ixx",
        "inertia Iyy",
    ]
    .map(known)
    {
        let inertia = half_width(ixx).max(half_width(iyy));
        let half_widths = [thrust_half(thrust), inertia, half_width(lag)];
        uncertainty.joint = Some(joint(&scale, fit, half_widths.map(|half| half / NINETY)));
    }
    made.uncertainty = uncertainty;
    made.guessed.retain(|guess| !measured.contains(guess));
    // Enough to hold the weight, as far as the rotors can.
    let most_n = made.rotors.thrust_n_s2_per_rad2 * top * top * made.rotors.lift_factor();
    let least_n = (1.2 * GRAVITY_M_S2 * made.mass_kg).min(most_n);
    let limit_n = &mut made.controller.max_thrust_n;
    *limit_n = limit_n.clamp(least_n, most_n);
    made.check()?;
    Ok(made)
}

/// Moments of inertia about x and y with the half widths of their intervals, as shares: those that are told, `of` a
/// gain, or else those with which a vehicle turns as fast as it did whose rotors turn one of inertia 1 by `turned`, as
/// the root of the thrust does, which is known to `thrust_rel`.
fn moments(
    estimates: &[Estimate],
    turned: f64,
    thrust_rel: f64,
    of: &dyn Fn(usize) -> f64,
) -> [Option<(f64, f64)>; 2] {
    let axes = [
        ("inertia Ixx", "roll gain in hover", ROLL),
        ("inertia Iyy", "pitch gain in hover", PITCH),
    ];
    axes.map(|(inertia, turning, gain)| {
        let told = known(estimates, inertia).map(|told| (of(gain), half_width(told)));
        let by_gain = || {
            let turning = known(estimates, turning)?;
            let half = half_width(turning).hypot(0.5 * thrust_rel);
            Some((turned / turning.mean, half))
        };
        told.or_else(by_gain)
    })
}

/// Relative covariance of thrust, inertia and lag: correlated as the fit has them, with these deviations.
fn joint(scale: &Scale, fit: &Fit, deviations: [f64; 3]) -> [[f64; 3]; 3] {
    let inertia = |x: &DVector<f64>| scale.inertia(x, ROLL) * scale.inertia(x, PITCH);
    let slopes = [
        slope(&|x: &DVector<f64>| x[THRUST].ln(), &fit.numbers),
        slope(&|x: &DVector<f64>| 0.5 * inertia(x).ln(), &fit.numbers),
        slope(&|x: &DVector<f64>| x[LAG], &fit.numbers),
    ];
    let covariance = Matrix3::from_fn(|i, j| slopes[i].dot(&(&fit.covariance * &slopes[j])));
    let wider = Vector3::from_fn(|i, _| deviations[i] / covariance[(i, i)].sqrt());
    let joint = Matrix3::from_fn(|i, j| {
        let (i, j) = (i.min(j), i.max(j));
        // A little less together than said: rounding leaves it positive definite.
        let shared = if i == j { 1.0 } else { 0.999 };
        shared * covariance[(i, j)] * wider[i] * wider[j]
    });
    joint.into()
}

/// Half of an interval over its mean.
fn half_width(estimate: &Estimate) -> f64 {
    let [low, high] = estimate.interval;
    (0.5 * (high - low) / estimate.mean.abs()).min(0.9)
}
