use super::*;

#[test]
fn digits_read_back_to_the_same_number_and_look_like_one() {
    for value in [
        0.0,
        4.0,
        f64::from(0.95f32),
        f64::from(1.234e-7f32),
        65535.0,
    ] {
        let text = digits(value);
        assert!(text.contains('.') && !text.contains('e'), "{text}");
        assert_eq!(text.parse::<f64>(), Ok(value));
    }
}

/// The source of a file of gains that changes these loops of the default vehicle.
fn source(position_xy: bool, position_z: bool, attitude: bool, rate: bool) -> Source {
    let airframe = Airframe::omac();
    let mut gains = airframe.gains;
    let changed = |is: bool, gain: &mut f64| *gain *= if is { 1.5 } else { 1.0 };
    changed(position_xy, &mut gains.position_xy.kp);
    changed(position_z, &mut gains.position_z.kp);
    changed(attitude, &mut gains.attitude_kp[1]);
    changed(rate, &mut gains.rate_kp[1]);
    let text = toml::to_string(&gains).expect("TOML");
    Source::from_gains(&text, "mine.toml", airframe).expect("changed")
}

#[test]
fn what_the_inner_loops_are_is_said_where_the_position_loop_alone_was_tuned() {
    let said = |source: &Source| inner_loops(source, "As it comes").is_some();
    assert!(said(&source(true, false, false, false)));
    assert!(said(&source(false, true, false, false)));
    assert!(!said(&source(true, false, true, false)));
    assert!(!said(&source(false, true, false, true)));
    assert!(!said(&source(false, false, false, true)));
}

#[test]
fn ardupilot_s_names_are_doubted_only_where_nobody_said_its_firmware() {
    let source = source(true, false, false, false);
    for (version, doubted) in [(None, true), (Some("4.6"), false), (Some("4.8"), false)] {
        let notes = crate::autopilot::ArduPilot::new(version)
            .expect("a version")
            .notes(&source);
        let doubts = notes.iter().any(|note| note.contains("--firmware 4.8"));
        assert_eq!(doubts, doubted, "{version:?}");
    }
}

#[test]
fn every_target_is_what_it_says() {
    use crate::autopilot::{ArduPilot, Betaflight, Crazyflie, Json, Px4};
    let ardupilot = ArduPilot::new(None).expect("no version needed");
    let (all, rate) = ("position, attitude and rate loops", "rate loop");
    type Said<'a> = (&'a dyn Autopilot, [&'a str; 3], bool, Option<&'a str>);
    let targets: [Said; 5] = [
        (&Px4, ["px4", "params", all], true, Some("MC_ROLL_P")),
        (
            &ardupilot,
            ["ardupilot", "param", all],
            false,
            Some("ATC_ANG_RLL_P"),
        ),
        (&Betaflight, ["betaflight", "txt", rate], true, None),
        (
            &Crazyflie,
            ["crazyflie", "yaml", all],
            true,
            Some("pid_attitude.roll_kp"),
        ),
        (&Json, ["json", "json", all], true, None),
    ];
    for (target, said, strict, attitude) in targets {
        let name = target.name();
        assert_eq!([name, target.extension(), target.loops()], said);
        assert_eq!(
            (target.strict(), target.attitude_gain()),
            (strict, attitude),
            "{name}"
        );
        let notes = target.notes(&source(true, true, true, true));
        assert_eq!(notes.is_empty(), name == "json");
        for note in notes {
            assert!(note.len() > 40 && note.ends_with('.'), "{name}: {note}");
        }
    }
}

#[test]
fn the_crazyflie_s_limits_are_named_where_any_position_loop_was_tuned() {
    let named = |source: &Source| {
        let notes = crate::autopilot::Crazyflie.notes(source);
        notes.iter().any(|note| note.contains("posCtlPid.xVelMax"))
    };
    assert!(named(&source(true, false, false, false)));
    assert!(named(&source(false, true, false, false)));
    assert!(!named(&source(false, false, true, true)));
}
