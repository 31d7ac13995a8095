//! The Crazyflie's log.

use super::read;
use crate::log_writers::crazyflie::{Kind, Writer};
use sim::flight_log::{LogFormat, LogVehicle};

/// A log of two kinds of event: at 1 kHz the sensors and motors, at another rate the battery.
pub fn log(version: u16) -> Vec<u8> {
    let kinds: [Kind; 2] = [
        (
            65535,
            "fixedFrequency",
            &[
                "gyro.x(f)",
                "gyro.y(f)",
                "gyro.z(f)",
                "motor.m1(H)",
                "motor.m2(H)",
                "motor.m3(H)",
                "motor.m4(H)",
                "acc.x(f)",
                "acc.y(f)",
                "acc.z(f)",
            ],
        ),
        (7, "estTDOA", &["idA(B)", "pm.vbat(f)"]),
    ];
    let mut writer = Writer::new(version, &kinds);
    for k in 0..4u16 {
        let mut body = Vec::new();
        for rate in [90.0, -45.0, 180.0] {
            body.extend((rate * f32::from(k)).to_le_bytes());
        }
        for motor in [0, 13107 * k, 65535, 6553] {
            body.extend(motor.to_le_bytes());
        }
        for force in [0.5f32, -0.25, 1.0] {
            body.extend(force.to_le_bytes());
        }
        writer.event(65535, 5_000_000 + 1000 * u64::from(k), &body);
        if k == 2 {
            let body = [&[3][..], &3.75f32.to_le_bytes()].concat();
            writer.event(7, 5_002_000, &body);
        }
    }
    writer.whole()
}

#[test]
fn both_versions_give_every_number_back() {
    for version in [1, 2] {
        let log = read(&log(version));
        let quarter = std::f64::consts::FRAC_PI_4;
        log.must_be(
            "gyro",
            &[
                (0.0, &[0.0, 0.0, 0.0]),
                (0.001, &[2.0 * quarter, -quarter, 4.0 * quarter]),
                (0.002, &[4.0 * quarter, -2.0 * quarter, 8.0 * quarter]),
                (0.003, &[6.0 * quarter, -3.0 * quarter, 12.0 * quarter]),
            ],
        );
        let last = 6553.0 / 65535.0;
        log.must_be(
            "motors",
            &[
                (0.0, &[0.0, 0.0, 1.0, last]),
                (0.001, &[0.0, 0.2, 1.0, last]),
                (0.002, &[0.0, 0.4, 1.0, last]),
                (0.003, &[0.0, 0.6, 1.0, last]),
            ],
        );
        let g = 9.80665;
        let force: &[f64] = &[0.5 * g, -0.25 * g, g];
        log.must_be(
            "accelerometer",
            &[(0.0, force), (0.001, force), (0.002, force), (0.003, force)],
        );
        log.must_be("battery", &[(0.002, &[3.75])]);
        assert_eq!(log.about.format, LogFormat::Crazyflie);
        assert_eq!(log.about.kind, LogVehicle::Multirotor);
        assert_eq!((log.about.rotors, log.about.cut_at), (Some(4), None));
        assert_eq!(log.about.duration_s, 0.003);
        assert_eq!(log.about.samples, [4, 0, 0, 4, 4, 0, 0, 1]);
    }
}

#[test]
fn a_damaged_stretch_costs_its_records_and_no_others() {
    let mut bytes = log(2);
    let size = 2 + 8 + 12 + 8 + 12;
    // The id of the second record becomes one that no event has.
    let second = bytes.len() - 4 - 3 * size - (2 + 8 + 5);
    assert_eq!(bytes[second..second + 2], [0xff, 0xff]);
    bytes[second] = 0x55;
    let log = read(&bytes);
    assert_eq!(log.about.left_out.damaged, 1);
    let times: Vec<f64> = log.of("gyro").iter().map(|(time_s, _)| *time_s).collect();
    assert_eq!(times, [0.0, 0.002, 0.003]);
}
