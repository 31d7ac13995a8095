use super::*;

#[test]
fn the_firmware_decides_the_names() {
    let name = |version| {
        let autopilot = ArduPilot::new(version).expect("a version");
        autopilot.position(false)[0].0
    };
    assert_eq!(name(None), "PSC_POSXY_P");
    for old in ["3.6", "4.5.7", "4.6", "4.6.3"] {
        assert_eq!(name(Some(old)), "PSC_POSXY_P", "{old}");
    }
    for new in ["4.7", "4.8", "4.8.1", "5.0"] {
        assert_eq!(name(Some(new)), "PSC_NE_POS_P", "{new}");
    }
    for wrong in ["", "4", "latest", "4.x", "4.8.1.2"] {
        let refused = ArduPilot::new(Some(wrong))
            .expect_err("no version")
            .to_string();
        assert_eq!(
            refused,
            format!("--firmware is `{wrong}`; it must be a version such as 4.6 or 4.8")
        );
    }
}

/// `normalise_rpy_factors`: every motor takes half of a full command, one way or the other.
#[test]
fn a_full_command_moves_every_motor_by_half_of_its_range() {
    for name in crate::AIRFRAME_NAMES {
        let airframe = Airframe::by_name(name).expect("shipped");
        let rotors = &airframe.rotors;
        let squared = rotors.max_speed_rad_s * rotors.max_speed_rad_s;
        let half_n = 0.5 * rotors.thrust_n_s2_per_rad2 * squared;
        let mut expected = [
            0.0,
            0.0,
            4.0 * 0.5 * rotors.torque_n_m_s2_per_rad2 * squared,
        ];
        for [x, y, _] in rotors.positions_m {
            expected[0] += half_n * y.abs();
            expected[1] += half_n * x.abs();
        }
        for (ours, theirs) in full_torques_n_m(&airframe).into_iter().zip(expected) {
            assert!(
                (ours - theirs).abs() < 1e-12 * theirs,
                "{name}: {ours} {theirs}"
            );
        }
    }
}
