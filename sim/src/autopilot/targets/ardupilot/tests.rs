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
