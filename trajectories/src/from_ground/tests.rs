//! Tests of flights from the ground.

use super::*;
use crate::{NAMES, by_name};
use proptest::prelude::*;

const GROUND_Z_M: f64 = -3.048;
const STANDING_M: f64 = 0.15;

fn all() -> Vec<FromGround> {
    NAMES.into_iter().map(from_ground).collect()
}

fn from_ground(name: &str) -> FromGround {
    let inner = by_name(name).expect("legal");
    FromGround::new(inner, GROUND_Z_M, STANDING_M).expect("there is room")
}

fn height_m(flight: &FromGround, t_s: f64) -> f64 {
    flight.at(t_s).position_m.z - GROUND_Z_M
}

proptest! {
    /// Fourth-order central differences, away from the joints, where the third derivative
    /// jumps.
    #[test]
    fn derivatives_belong_to_the_positions(share in 0.001f64..0.999) {
        let h = 1e-3;
        for flight in all() {
            let t = share * flight.duration_s();
            if flight.starts_s().into_iter().any(|joint| (joint - t).abs() < 3.0 * h) {
                continue;
            }
            let slope = |f: &dyn Fn(f64) -> Vector3<f64>| {
                (f(t - 2.0 * h) - f(t + 2.0 * h) + (f(t + h) - f(t - h)) * 8.0) / (12.0 * h)
            };
            let velocity = slope(&|t| flight.at(t).position_m);
            let acceleration = slope(&|t| flight.at(t).velocity_m_s);
            let here = flight.at(t);
            prop_assert!((velocity - here.velocity_m_s).norm() < 1e-9, "{}", flight.name());
            prop_assert!(
                (acceleration - here.acceleration_m_s2).norm() < 1e-9,
                "{}", flight.name()
            );
        }
    }
}

#[test]
fn nothing_jumps_where_two_phases_meet() {
    for flight in all() {
        for joint in flight.starts_s() {
            let (before, after) = (flight.at(joint - 1e-9), flight.at(joint + 1e-9));
            let jump = [
                (before.position_m - after.position_m).norm(),
                (before.velocity_m_s - after.velocity_m_s).norm(),
                (before.acceleration_m_s2 - after.acceleration_m_s2).norm(),
            ];
            // 2 ns at the speeds, accelerations and jerks of these flights, below 50 m/s^3.
            assert!(
                jump.iter().all(|&x| x < 1e-7),
                "{} {joint}: {jump:?}",
                flight.name()
            );
            assert_eq!(before.yaw_rad, after.yaw_rad);
        }
    }
}

#[test]
fn it_begins_and_ends_standing_and_is_never_lower() {
    for flight in all() {
        let end_s = flight.duration_s();
        for t_s in [0.0, 0.5, end_s - 0.5, end_s] {
            assert!((height_m(&flight, t_s) - STANDING_M).abs() < 1e-12);
            assert_eq!(flight.at(t_s).velocity_m_s.norm(), 0.0);
        }
        let [climb, run_up, _, _, sink, landed] = flight.starts_s();
        let mut phases = Vec::new();
        for k in 0..=10_000 {
            let t_s = end_s * f64::from(k) / 10_000.0;
            assert!(
                height_m(&flight, t_s) >= STANDING_M - 1e-12,
                "{}",
                flight.name()
            );
            let climbing_m_s = flight.at(t_s).velocity_m_s.z;
            if (climb..run_up).contains(&t_s) {
                assert!((-1e-12..=CLIMB_M_S + 1e-12).contains(&climbing_m_s));
            }
            if (sink..landed).contains(&t_s) {
                assert!((-SINK_M_S - 1e-12..=1e-12).contains(&climbing_m_s));
            }
            let phase = flight.phase(t_s);
            if matches!(phase, Phase::Standing | Phase::Landed) {
                assert!((height_m(&flight, t_s) - STANDING_M).abs() < 1e-12);
            }
            if phases.last() != Some(&phase) {
                phases.push(phase);
            }
        }
        let order = [
            Phase::Standing,
            Phase::TakeOff,
            Phase::Flight,
            Phase::Landing,
            Phase::Landed,
        ];
        assert_eq!(phases, order);
    }
}

#[test]
fn in_between_it_is_the_inner_trajectory() {
    for name in NAMES {
        let (inner, flight) = (by_name(name).expect("legal"), from_ground(name));
        let start_s = flight.starts_s()[2];
        for k in 0..200 {
            let t_s = f64::from(k) * 0.1;
            let (a, b) = (inner.at(t_s), flight.at(start_s + t_s));
            assert!((a.position_m - b.position_m).norm() < 1e-12);
            assert!((a.velocity_m_s - b.velocity_m_s).norm() < 1e-12);
            assert_eq!(flight.phase(start_s + t_s), Phase::Flight);
        }
    }
}

#[test]
fn near_ground_shortens_the_run_up() {
    let near = FromGround::new(by_name("fig8").expect("legal"), -1.5, STANDING_M);
    let near = near.expect("the eight dips to -1 m, which leaves 0.5 m");
    let run_up_s = |flight: &FromGround| flight.starts_s()[2] - flight.starts_s()[1];
    assert!(run_up_s(&near) < run_up_s(&from_ground("fig8")) - 0.05);
}

#[test]
fn what_leaves_no_room_is_refused_with_its_numbers() {
    let refused = |name, ground_z_m, standing_m| {
        let inner = by_name(name).expect("legal");
        let refused = FromGround::new(inner, ground_z_m, standing_m);
        refused.err().expect("no room").to_string()
    };
    assert_eq!(
        refused("fig8", -1.1, 0.15),
        "the trajectory comes down to 0.100 m above the ground; a vehicle that stands \
         0.150 m high needs 0.250 m"
    );
    // The spiral starts upwards at 0.3 m/s: the shortest run-up begins 0.06 m lower.
    let slow = refused("spiral-up", -0.28, 0.15);
    assert!(
        slow.starts_with("the run-up to the trajectory comes down to"),
        "{slow}"
    );
    assert_eq!(
        refused("hover", f64::NAN, 0.15),
        "ground_z_m is NaN; it must be between -1e4 and 1e4 m"
    );
    assert_eq!(
        refused("hover", -3.0, 0.0),
        "standing_m is 0; it must be above 0 and at most 100 m"
    );
}
