use super::*;
use crate::autopilot::{Source, TARGETS, draft, targets};
use proptest::prelude::*;
use shell::exit::Coded;

/// Gains that every target holds, each within a factor of three of the vehicle's own.
fn gains(airframe: &Airframe) -> impl Strategy<Value = Gains> + use<> {
    let own = airframe.gains;
    let around = || prop::array::uniform3(0.4f64..2.5);
    (
        around(),
        around(),
        around(),
        around(),
        (0.6f64..1.9, 0.05f64..0.6, 1.3f64..4.9),
    )
        .prop_map(move |(a, p, i, d, (outer, inner_i, inner_p))| {
            let times = |x: [f64; 3], y: [f64; 3]| std::array::from_fn(|k| x[k] * y[k]);
            let pid = crate::autopilot::Cascade {
                position_p: outer,
                velocity_p: inner_p,
                velocity_i: inner_i,
            };
            Gains {
                position_xy: pid.pid(),
                position_z: pid.pid(),
                attitude_kp: times(own.attitude_kp, a),
                rate_kp: times(own.rate_kp, p),
                rate_ki: times(own.rate_ki, i),
                rate_kd: times(own.rate_kd, d),
            }
        })
}

/// What is written, read back and written again is the same text: the same gains to the last digit
/// that the format holds.
#[test]
fn a_file_read_back_and_written_again_is_the_same_file() {
    for name in crate::AIRFRAME_NAMES {
        let airframe = Airframe::by_name(name).expect("shipped");
        proptest!(ProptestConfig::with_cases(30), |(gains in gains(&airframe))| {
            for target in TARGETS.into_iter().filter(|target| *target != "json") {
                // This one hovers at half of its thrust, where motors act more strongly than a line.
                if (name, target) == ("crazyflie", "betaflight") {
                    continue;
                }
                for firmware in [None, Some("4.8")] {
                    if firmware.is_some() && target != "ardupilot" {
                        continue;
                    }
                    let autopilot = targets::by_name(target, firmware).expect("a target");
                    let mapped = |gains: &Gains| {
                        let all = autopilot.parameters(&airframe, gains, &Tuned::everything());
                        let mut all = all.expect("an equivalent");
                        all.iter_mut().for_each(|p| p.value = autopilot.stored(p.value));
                        autopilot.write(&[], &all)
                    };
                    let text = mapped(&gains);
                    // What is written means thrust that is linear in the command.
                    let linear = match target {
                        "px4" => "1\t1\tTHR_MDL_FAC\t1\t9\n",
                        "ardupilot" => "MOT_THST_EXPO,1\nMOT_SPIN_MIN,0\nMOT_SPIN_MAX,1\n",
                        _ => "",
                    };
                    let whole = format!("{text}{linear}");
                    let tune = read(target, &whole, &airframe, &airframe.gains).expect("its own");
                    prop_assert_eq!(tune.kind, target);
                    prop_assert!(tune.impossible.is_empty() && tune.left_out.is_empty(), "{:?}", tune);
                    // High gains on the attitude are doubted beside the shaping of what is asked for.
                    let odd = tune.mismatches.iter().any(|said| !said.starts_with("ATC_INPUT_TC"));
                    prop_assert!(tune.acting.is_empty() && !odd, "{:?}", tune);
                    prop_assert_eq!(&mapped(&tune.gains), &text, "{}", target);
                }
            }
        });
    }
}

/// A check of an exported file reads the gains that were judged, whatever the thrust by command: as the autopilot
/// comes, or as a baseline says.
#[test]
fn what_is_exported_is_read_as_the_gains_that_were_judged() {
    let curves: [(&str, &str); 6] = [
        ("px4", ""),
        ("px4", "1\t1\tTHR_MDL_FAC\t0.3\t9\n"),
        (
            "px4",
            "1\t1\tMPC_USE_HTE\t0\t6\n1\t1\tMPC_THR_HOVER\t0.4\t9\n",
        ),
        ("ardupilot", ""),
        ("ardupilot", "MOT_THST_EXPO,0\n"),
        ("betaflight", ""),
    ];
    for name in crate::AIRFRAME_NAMES {
        let airframe = Airframe::by_name(name).expect("shipped");
        proptest!(ProptestConfig::with_cases(10), |(gains in gains(&airframe))| {
            let text = toml::to_string(&gains).expect("TOML");
            let source = Source::from_gains(&text, "mine.toml", airframe.clone()).expect("changed");
            for (target, curve) in curves {
                let autopilot = targets::by_name(target, None).expect("a target");
                let export = |baseline: Option<&ParameterFile>| {
                    let draft = draft(&source, autopilot.as_ref(), baseline, false).expect("held");
                    let text = draft.clone().export(&source, autopilot.as_ref()).text;
                    (draft, format!("{text}{curve}"))
                };
                let (mut written, mut text) = export(None);
                if !curve.is_empty() {
                    let vehicle = ParameterFile::of(&text, "mine", Some(target), None).expect("a file");
                    (written, text) = export(Some(&vehicle));
                }
                let read = read(target, &text, &airframe, &airframe.gains).expect("its own").gains;
                let all = |g: &Gains| -> Vec<f64> {
                    let pid = |p: Pid| [p.kp, p.ki, p.kd];
                    let position = [pid(g.position_xy), pid(g.position_z)];
                    let rest = [g.attitude_kp, g.rate_kp, g.rate_ki, g.rate_kd];
                    position.into_iter().chain(rest).flatten().collect()
                };
                let rates_alone = target == "betaflight";
                let from = if rates_alone { 9 } else { 0 };
                for (read, judged) in all(&read).iter().zip(all(&written.gains)).skip(from) {
                    prop_assert!((read - judged).abs() <= 1e-5 * judged, "{target} {curve}: {read} {judged}");
                }
                if !written.clamped && !rates_alone {
                    for (judged, own) in all(&written.gains).iter().zip(all(&gains)) {
                        prop_assert!((judged - own).abs() <= 1e-5 * own, "{target} {curve}: {judged} {own}");
                    }
                }
            }
        });
    }
}

fn px4(lines: &str) -> Result<Tune, AutopilotError> {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    read("px4", lines, &airframe, &airframe.gains)
}

#[test]
fn what_is_no_gain_and_what_has_no_place_is_named() {
    let tune = px4("1\t1\tMC_ROLLRATE_P\tnan\t9\n1\t1\tMC_PITCHRATE_P\t-0.1\t9\n").expect("read");
    let names: Vec<&str> = tune
        .impossible
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["MC_ROLLRATE_P", "MC_PITCHRATE_P"]);
    assert!(tune.tuned.rates_alone());

    let whole = "1\t1\tMPC_XY_P\t0.95\t9\n1\t1\tMPC_XY_VEL_P_ACC\t1.8\t9\n\
                 1\t1\tMPC_XY_VEL_I_ACC\t0.4\t9\n1\t1\tMPC_XY_VEL_D_ACC\t0.2\t9\n";
    let tune = px4(whole).expect("read");
    assert_eq!(
        tune.left_out,
        ["At the firmware's own values, acting and not simulated: MPC_XY_VEL_D_ACC."]
    );
    assert!((tune.gains.position_xy.kp - (0.95 * 1.8 + 0.4)).abs() < 1e-12);
    assert!(!tune.tuned.rates_alone() && tune.beyond.is_empty());
    let nothing = px4("1\t1\tCOM_ARM_WO_GPS\t1\t6\n").expect_err("no gain");
    assert_eq!(
        nothing.to_string(),
        "the file has no gain that px4 and the simulated cascade share"
    );
}

/// A list of differences whose flown profile differs in no gain flies the firmware's own.
#[test]
fn a_difference_without_gains_flies_what_the_firmware_comes_with() {
    let airframe = Airframe::omac();
    let text = "# diff all\nset gyro_lpf1_static_hz = 250\nprofile 0\nset p_roll = 90\nprofile 2\n";
    let tune = read("betaflight", text, &airframe, &airframe.gains).expect("stock");
    let stock = defaults("betaflight", &airframe, &airframe.gains).expect("published");
    assert_eq!((tune.gains, tune.tuned), (stock.gains, stock.tuned));
    assert!(tune.origins.file.is_empty() && tune.tuned.rates_alone());
    assert!(tune.notes[0].contains("profile 0"), "{:?}", tune.notes);
    let list = "p_nothing = 1\ngyro_lpf1_static_hz = 250\n";
    assert!(read("betaflight", list, &airframe, &airframe.gains).is_err());
}

/// PX4 multiplies P, I and D of a rate loop by K.
#[test]
fn the_gain_of_a_whole_rate_loop_multiplies_its_terms() {
    let plain = px4(
        "1\t1\tMC_ROLLRATE_P\t0.3\t9\n1\t1\tMC_ROLLRATE_I\t0.4\t9\n1\t1\tMC_ROLLRATE_D\t0.006\t9\n",
    );
    let scaled = px4(
        "1\t1\tMC_ROLLRATE_K\t2\t9\n1\t1\tMC_ROLLRATE_P\t0.15\t9\n1\t1\tMC_ROLLRATE_D\t0.003\t9\n",
    );
    assert_eq!(scaled.expect("read").gains, plain.expect("read").gains);
}

/// What an autopilot comes with is read by the same tables, whole, but for what the simulated cascade
/// has no place for.
#[test]
fn defaults_are_the_published_ones_and_every_loop_has_them() {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    // None of the published gains is the vehicle's own.
    let base = Gains {
        attitude_kp: [99.0; 3],
        rate_kp: [99.0; 3],
        rate_ki: [99.0; 3],
        rate_kd: [99.0; 3],
        ..airframe.gains
    };
    for target in ["px4", "ardupilot", "betaflight", "crazyflie"] {
        let tune = defaults(target, &airframe, &base).expect("published");
        assert!(tune.impossible.is_empty() && tune.beyond.is_empty() || target == "ardupilot");
        let gains = tune.gains;
        let rates = [gains.rate_kp, gains.rate_ki, gains.rate_kd];
        assert!(rates.iter().flatten().all(|gain| *gain < 99.0), "{target}");
        if target != "betaflight" {
            assert_eq!(tune.tuned, Tuned::everything(), "{target}");
            assert!(gains.attitude_kp.iter().all(|kp| *kp < 99.0), "{target}");
        }
    }
    let px4 = defaults("px4", &airframe, &base).expect("published");
    let xy = px4.gains.position_xy;
    assert!((xy.kp - (0.95 * 1.8 + 0.4)).abs() < 1e-12 && (xy.ki - 0.38).abs() < 1e-12);
    assert_eq!((xy.kd, px4.gains.attitude_kp), (1.8, [6.5, 6.5, 2.8]));
    assert_eq!(
        px4.left_out,
        ["At the firmware's own values, acting and not simulated: MPC_XY_VEL_D_ACC."]
    );
    for nobody in ["json", "gains", "mine"] {
        let refused = defaults(nobody, &airframe, &base).expect_err("no defaults");
        assert_eq!(refused.exit_code(), 2);
        let said = format!("{nobody} comes with no gains of its own;");
        assert!(refused.to_string().starts_with(&said), "{refused}");
    }
}

#[test]
fn the_mixer_that_a_file_sets_is_compared_with_the_frame() {
    let quad = Airframe::by_name("hummingbird").expect("shipped");
    let of = |line: &str| {
        let text = format!("{line}\nset p_roll = 45\n");
        let tune = read("betaflight", &text, &quad, &quad.gains).expect("gains");
        assert!(tune.acting.is_empty(), "{:?}", tune.acting);
        tune.foreign.concat()
    };
    for own in ["", "mixer QUADX", "mixer QUADX_1234", "mixer list"] {
        assert_eq!(of(own), "", "{own}");
    }
    assert_eq!(
        of("mixer HEX6X"),
        "mixer HEX6X: the file is of 6 rotors, hexa-x, and hummingbird has 4, quad-x"
    );
    assert!(of("mixer QUADP").contains("quad-plus"));
}

/// D of quick turns is not that of calm flight: `pid_init.c` of 4.5 flies the least of d_roll and d_min_roll.
#[test]
fn d_of_calm_flight_is_that_of_the_version() {
    let quad = Airframe::by_name("hummingbird").expect("shipped");
    let of = |lines: &str| {
        let text = format!("{lines}set p_roll = 45\nset d_roll = 60\n");
        let tune = read("betaflight", &text, &quad, &quad.gains).expect("gains");
        (
            tune.gains.rate_kd[0],
            tune.acting.concat() + &tune.mismatches.concat(),
        )
    };
    let calm = |d: &str| of(&format!("# version 2025.12.1\nset d_roll = {d}\n")).0;
    let (whole, _) = of("# version 2025.12.1\n");
    assert!(whole > calm("60") * 0.999 && whole < calm("60") * 1.001);
    for version in ["4.3.1", "4.5.2"] {
        let header = format!("# Betaflight / STM32F405 (S405) {version} Jul 26 2024\n");
        let (kd, said) = of(&header);
        assert!(
            (kd - 0.5 * whole).abs() < 1e-9 * whole,
            "{version}: {kd} of {whole}"
        );
        assert!(said.contains("D of roll rises from 30 to 60"), "{said}");
        let (kd, _) = of(&format!("{header}set d_min_roll = 0\n"));
        assert_eq!(kd, whole);
    }
    let (kd, said) = of("");
    assert_eq!(kd, whole);
    assert!(said.contains("the file says no version"), "{said}");
    assert_eq!(of("set d_max_roll = 60\n").1, "");
}

/// What acts on the loop and was taken for harmless or went without a word.
#[test]
fn what_turns_a_loop_or_changes_gains_in_flight_is_said() {
    let quad = Airframe::by_name("hummingbird").expect("shipped");
    let mut turned = quad.clone();
    for sign in &mut turned.rotors.yaw_torque_signs {
        *sign = -*sign;
    }
    let of = |target: &str, airframe: &Airframe, text: &str| {
        read(target, text, airframe, &airframe.gains).expect("gains")
    };
    let betaflight = |airframe: &Airframe, line: &str| {
        of(
            "betaflight",
            airframe,
            &format!("{line}\nset p_roll = 45\n"),
        )
    };
    let reversed = |value: &str| format!("set yaw_motors_reversed = {value}");
    for (airframe, line, foreign, odd) in [
        (&quad, reversed("ON"), 1, 0),
        (&quad, reversed("OFF"), 0, 0),
        (&turned, reversed("ON"), 0, 0),
        (&turned, reversed("OFF"), 1, 0),
        (&turned, String::new(), 0, 1),
        (&quad, "mixer TRI".to_owned(), 1, 0),
        (&quad, "mixer VTAIL4".to_owned(), 1, 0),
    ] {
        let tune = betaflight(airframe, &line);
        assert_eq!(
            (tune.foreign.len(), tune.mismatches.len()),
            (foreign, odd),
            "{line}"
        );
        assert!(tune.forbidding.is_empty(), "{:?}", tune.forbidding);
    }
    for line in ["mixer CUSTOM", "adjrange 0 0 0 900 2100 18 0 0 0"] {
        let tune = betaflight(&quad, line);
        assert_eq!(tune.acting.len(), 1, "{line}: {:?}", tune.acting);
    }
    let none = "adjrange 0 0 0 900 900 18 0 0 0\nadjrange 1 0 0 900 2100 0 0 0 0\nadjrange 2 0 0 900 2100 33 0 0 0";
    assert!(betaflight(&quad, none).acting.is_empty());

    let gains = "ATC_RAT_RLL_P,0.1\n";
    for (line, forbidden) in [
        ("TUNE,4", None),
        ("CC_TYPE,2", None),
        ("FSTRATE_ENABLE,1", None),
        ("RC_SPEED,50", None),
        ("ATC_RAT_RLL_FLTE,-3", None),
        ("PSC_ACCZ_I,-1", Some("PSC_ACCZ_I -1: a gain is from 0")),
        ("PSC_ACCZ_P,nan", Some("PSC_ACCZ_P NaN: ")),
        (
            "INS_GYRO_FILTER,nan",
            Some("INS_GYRO_FILTER NaN: this is no number"),
        ),
    ] {
        let tune = of("ardupilot", &quad, &format!("{gains}{line}\n"));
        let acting = usize::from(forbidden.is_none());
        assert_eq!(tune.acting.len(), acting, "{line}: {:?}", tune.acting);
        let said = tune.forbidding.concat();
        assert!(
            said.starts_with(forbidden.unwrap_or("")) && said.is_empty() == forbidden.is_none(),
            "{said}"
        );
    }
    let of_px4 = |line: &str| of("px4", &quad, &format!("MC_ROLL_P,6\n{line}"));
    let late_ms = |line: &str| of_px4(line).delay.expect("an autopilot").0;
    assert_eq!(
        late_ms("IMU_GYRO_RATEMAX,-90\n"),
        late_ms("IMU_GYRO_RATEMAX,1000\n")
    );
    assert_eq!(of_px4("IMU_GYRO_RATEMAX,-90\n").acting.len(), 1);
    assert!(of_px4("MPC_THR_MAX,100\n").forbidding[0].contains("a share is from 0 to 1"));
    let odd = |lines: &str| of_px4(lines).mismatches.len() + of_px4(lines).foreign.len();
    assert_eq!(odd("PWM_MAIN_TIM0,50\n"), 1);
    assert_eq!(
        odd("PWM_MAIN_TIM0,400\nPWM_MAIN_TIM1,-5\nPWM_AUX_TIM0,50\n"),
        0
    );
    assert_eq!(
        odd("PWM_AUX_TIM0,50\nPWM_AUX_FUNC1,101\nPWM_MAIN_TIM0,50\n"),
        1
    );
    // A servo on a timer of its own, and motors on a bus.
    let servo = "PWM_MAIN_FUNC1,101\nPWM_MAIN_FUNC5,201\nPWM_MAIN_TIM0,400\nPWM_MAIN_TIM2,50\n";
    assert_eq!(odd(servo), 0);
    assert_eq!(
        odd("UAVCAN_EC_FUNC1,101\nPWM_MAIN_FUNC1,0\nPWM_MAIN_TIM0,50\n"),
        0
    );
    let [x, y, _] = quad.rotors.positions_m[0];
    let place = format!("CA_ROTOR0_PX,{x}\nCA_ROTOR0_PY,{}\n", -y);
    assert_eq!(odd(&format!("{place}CA_ROTOR0_AZ,-1\n")), 0);
    assert_eq!(odd(&format!("{place}CA_ROTOR0_AZ,1\n")), 1);
    let crazyflie = "pid_rate:\n  roll_kp: 250.0\npowerDist:\n  idleThrust: 20000\n";
    assert_eq!(of("crazyflie", &quad, crazyflie).acting.len(), 1);
}

/// Filters that are off, or pass far more than usual, look better where no vibration is simulated.
#[test]
fn filters_that_let_vibration_pass_are_named() {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    let odd = |target: &str, line: &str| {
        let text = match target {
            "px4" => format!("MC_ROLLRATE_P,0.1\n{line}\n"),
            _ => format!("ATC_RAT_RLL_P,0.1\n{line}\n"),
        };
        read(target, &text, &airframe, &airframe.gains)
            .expect("a tune")
            .mismatches
    };
    for (target, line, named) in [
        ("px4", "IMU_GYRO_CUTOFF,40", false),
        ("px4", "IMU_GYRO_CUTOFF,60", false),
        ("px4", "IMU_GYRO_CUTOFF,0", true),
        ("px4", "IMU_GYRO_CUTOFF,400", true),
        ("px4", "IMU_DGYRO_CUTOFF,0", true),
        ("px4", "IMU_GYRO_CUTOFF,120", false),
        ("ardupilot", "INS_GYRO_FILTER,20", false),
        ("ardupilot", "INS_GYRO_FILTER,80", false),
        ("ardupilot", "ATC_RAT_RLL_FLTD,0", true),
        ("ardupilot", "INS_GYRO_FILTER,0", true),
    ] {
        let found = odd(target, line);
        let has = found.iter().any(|said| said.contains("vibration"));
        assert_eq!(has, named, "{target} {line}: {found:?}");
    }
}

#[test]
fn a_trajectory_faster_than_the_firmware_lets_it_be_is_named() {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    let said = |target: &str, text: &str, route: &str| {
        let tune = read(target, text, &airframe, &airframe.gains).expect("a tune");
        let trajectory = trajectories::by_name(route).expect("known");
        tune.too_fast(trajectory.as_ref()).unwrap_or_default()
    };
    let px4 = "MC_ROLLRATE_P,0.1\n";
    assert_eq!(said("px4", px4, "hover"), "");
    for (limit, route, named) in [
        ("MPC_XY_VEL_MAX", "fig8", true),
        ("MPC_XY_VEL_MAX", "hover", false),
        ("MPC_Z_VEL_MAX_UP", "spiral-up", true),
        ("MPC_Z_VEL_MAX_DN", "spiral-up", false),
    ] {
        let found = said("px4", &format!("{px4}{limit},0.1\n"), route);
        assert_eq!(
            found.contains(&format!("{limit} is 0.1")),
            named,
            "{limit} {route}: {found}"
        );
    }
    let stock = "pid_rate:\n  roll_kp: 250\n";
    assert!(said("crazyflie", stock, "fig8").contains("posCtlPid.xVelMax is 1"));
    assert_eq!(said("ardupilot", "ATC_RAT_RLL_P,0.1\n", "fig8"), "");
}

/// What only the reader of logs writes is a comment like any other in a file that is no log.
#[test]
fn comments_of_a_file_that_is_no_log_mean_nothing() {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    let lines = "# changed: MC_ROLLRATE_P 0.2\n# another vehicle: mine\n# in doubt: all of it\n";
    let tune = |first: &str| {
        let text = format!("{first}MC_ROLLRATE_P,0.1\n{lines}");
        read("px4", &text, &airframe, &airframe.gains).expect("a tune")
    };
    let plain = tune("");
    assert!(
        plain.acting.is_empty() && plain.foreign.is_empty() && plain.notes.is_empty(),
        "{plain:?}"
    );
    let logged = tune("# parameters of a log\n");
    assert_eq!(logged.foreign, ["mine"]);
    assert_eq!(
        (logged.acting[0].as_str(), logged.notes.len()),
        ("all of it", 1)
    );
}
