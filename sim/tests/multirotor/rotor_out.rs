//! Rotor out: what becomes of a hover when a rotor stops and the autopilot is not told.

use super::{hovering, strong};
use nalgebra::Vector3;
use sim::{Airframe, Flight, GRAVITY_M_S2, Held, RotorOut, Start};

/// A hover in which `rotor` stops after a second.
fn without(airframe: &Airframe, rotor: usize) -> Flight {
    let out = RotorOut { rotor, at_s: 1.0 };
    hovering(airframe.clone(), Start::Rest, Some(out))
}

#[test]
fn a_rotor_that_is_out_stands_still_and_an_octocopter_stays_while_a_quadrotor_is_lost() {
    for (frame, stays) in [
        ("quad-x", false),
        ("quad-plus", false),
        ("octo-x", true),
        ("octo-plus", true),
        ("coaxial-x8", true),
    ] {
        let airframe = strong(frame);
        for rotor in 0..airframe.rotors.count() {
            let what = format!("{frame} without rotor {rotor}");
            let flight = without(&airframe, rotor);
            for sample in &flight.samples {
                let speed = sample.state.rotors_rad_s[rotor];
                assert_eq!(speed == 0.0, sample.time_s > 1.0 + 0.5e-3, "{what}");
            }
            assert_eq!(flight.completed(), stays, "{what}: {:?}", flight.outcome);
            // Measured: 0.64 m to 0.86 m.
            let off_m = flight.score.max_error_m;
            assert!(!stays || off_m < 5.0, "{what}: {off_m}");
        }
    }
}

/// Of six rotors whose spins alternate, five balance the weight without a moment only where the one opposite the lost
/// one stands still too, and the other four hover as those of a quadrotor. It would have to pull down to stop the
/// turning that the lost one left behind, so that the heading turns on.
#[test]
fn a_hexacopter_hovers_on_the_four_rotors_beside_those_that_stand_still_and_loses_its_heading() {
    for frame in ["hexa-x", "hexa-plus"] {
        let mut airframe = strong(frame);
        // The mixer reckons with six rotors and gives the lost one two thirds of what it could do: three shares of the
        // weight on its arm, 4.94 N m, have to be asked for. A limit of 5 N m leaves nothing to catch the vehicle with
        // where the arm lies on an axis, and it is lost.
        airframe.controller.torque_setpoint_limit_n_m = [20.0; 3];
        let weight_n = airframe.mass_kg * GRAVITY_M_S2;
        let of_four = (0.25 * weight_n / airframe.rotors.thrust_n_s2_per_rad2).sqrt();
        for rotor in 0..airframe.rotors.count() {
            let what = format!("{frame} without rotor {rotor}");
            assert_eq!(Held::without(&airframe, rotor), Held::Attitude, "{what}");
            let flight = without(&airframe, rotor);
            let off_m = flight.score.max_error_m;
            // Measured: 1.51 m.
            let near = flight.completed() && off_m < 5.0;
            assert!(near, "{what}: {off_m} {:?}", flight.outcome);
            let last = flight.samples.last().expect("recorded").state;
            for (i, speed) in last.rotors_rad_s.into_iter().enumerate() {
                let expected = if i % 3 == rotor % 3 { 0.0 } else { of_four };
                let off = (speed - expected).abs();
                assert!(off < 1e-3 * of_four, "{what}, rotor {i}: {speed}");
            }
            // Measured: 0.045 rad/s against the torque that went out, in air that does not slow it.
            let lost = airframe.rotors.yaw_torque_signs[rotor];
            let turning_rad_s = -lost * last.rates_rad_s.z;
            assert!(turning_rad_s > 0.01, "{what}: {turning_rad_s}");
            let upright = (last.attitude * Vector3::z()).z;
            assert!(upright > 0.999, "{what}: {upright}");
        }
    }
}
