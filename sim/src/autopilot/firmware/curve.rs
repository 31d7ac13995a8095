//! Curve: thrust by command, where thrust goes with the square of what the speed controller is told.
//!
//! A rotor that is told x of its range turns at x of its full speed and gives x² of its full thrust. A
//! firmware that knows asks for u and tells the rotor x, with u = e x² + (1 − e) x: PX4's `THR_MDL_FAC`,
//! ArduPilot's `MOT_THST_EXPO`. With e = 1 thrust is linear in u, with e = 0 the firmware does nothing.

/// The slope of the thrust by what is asked for, at the share `share` of full thrust, over that of a line.
pub(super) fn slope(e: f64, share: f64) -> f64 {
    let x = share.sqrt();
    2.0 * x / (2.0 * e * x + 1.0 - e)
}

/// What is asked for where the thrust is `share` of the full one.
pub(super) fn asked(e: f64, share: f64) -> f64 {
    e * share + (1.0 - e) * share.sqrt()
}

/// The share of full thrust where `u` is asked for.
pub(super) fn share(e: f64, u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    let linear = 1.0 - e;
    let x = match e > 1e-9 {
        true => ((linear * linear + 4.0 * e * u).sqrt() - linear) / (2.0 * e),
        false => u,
    };
    x * x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_of_the_share_by_what_is_asked_for() {
        for e in [0.0, 0.3, 0.65, 1.0] {
            for at in [0.05, 0.29, 0.536, 0.9] {
                let u = asked(e, at);
                let h = 1e-6;
                let by_difference = (share(e, u + h) - share(e, u - h)) / (2.0 * h);
                assert!((share(e, u) - at).abs() < 1e-9, "{e} {at}");
                assert!((slope(e, at) - by_difference).abs() < 1e-6, "{e} {at}");
            }
        }
        // Iris: hover at 0.536 of full thrust; a rotor that is told 0.732 of its range.
        assert!((slope(0.0, 0.536) - 1.464).abs() < 1e-3);
        assert!((slope(1.0, 0.536) - 1.0).abs() < 1e-12);
    }
}
