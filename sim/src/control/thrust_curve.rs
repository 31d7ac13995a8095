//! Thrust curve: what a firmware that corrects for the square of the rotor speed commands.
//!
//! A rotor commanded to x of its range turns at x of its full speed and gives x² of its full thrust. A
//! firmware that corrects for it takes u and commands x, with u = e x² + (1 − e) x: PX4's `THR_MDL_FAC`,
//! ArduPilot's `MOT_THST_EXPO`. With e = 1 thrust is linear in u, with e = 0 the firmware does nothing.

/// The slope of the thrust by what is asked for, at the share `share` of full thrust, over that of a line.
pub(crate) fn slope(e: f64, share: f64) -> f64 {
    let x = share.sqrt();
    2.0 * x / (2.0 * e * x + 1.0 - e)
}

/// What is asked for where the thrust is `share` of the full one.
pub(crate) fn asked(e: f64, share: f64) -> f64 {
    e * share + (1.0 - e) * share.sqrt()
}

/// What is commanded, of the range of a rotor, where `u` is asked for.
pub(crate) fn command(e: f64, u: f64) -> f64 {
    let (u, linear) = (u.clamp(0.0, 1.0), 1.0 - e);
    match e > 1e-9 {
        true => ((linear * linear + 4.0 * e * u).sqrt() - linear) / (2.0 * e),
        false => u,
    }
}

/// The share of full thrust where `u` is asked for.
pub(crate) fn share(e: f64, u: f64) -> f64 {
    command(e, u).powi(2)
}
