use super::*;
use shell::exit::Coded;
use shell::files;
use std::fs;

fn read_in(path: &Path) -> Result<ParameterFile, AutopilotError> {
    let steps = files::numbered(path, &STEPS);
    let bytes = |path: &Path| Ok(fs::read(path).expect("readable"));
    ParameterFile::read(path, steps.as_deref(), None, None, bytes)
}

fn of(text: &str) -> ParameterFile {
    ParameterFile::of(text, "f", None, None).expect("read")
}

fn refused(text: &str) -> String {
    let error = ParameterFile::of(text, "f", None, None).expect_err("refused");
    assert_eq!(error.exit_code(), 65);
    error.to_string()
}

/// The same two gains as every tool writes them.
#[test]
fn one_tune_in_every_dialect_is_the_same_settings() {
    let px4 = [
        "# Version: 1.14.0 \n1\t1\tMC_ROLL_P\t6.5\t9\n1\t1\tMC_ROLLRATE_P\t0.15\t9\n",
        "\u{feff}# Onboard\r\n1 1 MC_ROLL_P 6.5 9\r\n1 1 MC_ROLLRATE_P 0.15 9\r\n",
        "MC_ROLL_P,6.5\nMC_ROLLRATE_P,0.15\n",
        "Symbols: x = used, + = saved, * = unsaved\nx + MC_ROLL_P [617,1099] : 6.5000\n  * MC_ROLLRATE_P \
         [1,2] : 0.1500\n",
        "#!/bin/sh\nset MIXER quad_x\n. rc.mc_defaults\n  param set-default MC_ROLL_P 6.5\nparam set -s \
         MC_ROLLRATE_P 0.15 # mine\nmc_rate_control start\n",
    ];
    for text in px4 {
        let file = of(text);
        assert_eq!(file.autopilot, "px4", "{text}");
        let settings = file.settings.iter();
        let pairs: Vec<_> = settings.map(|s| (s.name.as_str(), s.value)).collect();
        assert_eq!(pairs, [("MC_ROLL_P", 6.5), ("MC_ROLLRATE_P", 0.15)]);
        assert_eq!(file.is_difference, text.contains("set-default"), "{text}");
        assert_eq!(
            file.version.as_deref(),
            text.contains("1.14").then_some("1.14.0")
        );
    }
    let ardupilot = [
        "#NOTE: frame parameters for Copter 4.0.0\nATC_ANG_RLL_P,11 # by hand\nNTF_LED_TYPES\t0x1E\n",
        "ATC_ANG_RLL_P 11 @READONLY\nNTF_LED_TYPES 30\n",
        "1\t1\tATC_ANG_RLL_P\t11\t9\n1\t1\tNTF_LED_TYPES\t30\t6\n",
    ];
    for text in ardupilot {
        let file = of(text);
        assert_eq!((file.autopilot, file.skipped), ("ardupilot", 0), "{text}");
        let values = file.values();
        assert_eq!(
            (values["ATC_ANG_RLL_P"], values["NTF_LED_TYPES"]),
            (11.0, 30.0)
        );
        assert_eq!(file.is_difference, text.contains("frame"));
    }
    let crazyflie = [
        "params:\n  pid_rate.roll_kp:\n    default_value: 250.0\n    is_stored: true\n    stored_value: 200.0\n  \
         pid_rate.yaw_kp:\n    stored_value: null\ntype: persistent_param_state\nversion: '1'\n",
        "robots:\n  cf1:\n    enabled: true\nall:\n  firmware_params:\n    pid_rate:\n      roll_kp: 200.0 # mine\n",
        "all:\n  firmware_params:\n    pid_rate: {roll_kp: 200}\n    stabilizer: {controller: 1}\n",
    ];
    for text in crazyflie {
        let file = of(text);
        assert_eq!((file.autopilot, file.is_difference), ("crazyflie", true));
        assert_eq!(file.settings[0].name, "pid_rate.roll_kp");
        assert_eq!(file.values()["pid_rate.roll_kp"], 200.0, "{text}");
    }
}

#[test]
fn nothing_is_guessed() {
    for (text, said) in [
        (
            "MC_ROLL_P,0.15 rad\n",
            "f, line 1: `MC_ROLL_P,0.15 rad` gives MC_ROLL_P no plain number",
        ),
        (
            "ATC_ANG_RLL_P: 4.5\n",
            "f, line 1: `ATC_ANG_RLL_P: 4.5` gives ATC_ANG_RLL_P: no plain number",
        ),
        (
            "\nMC_ROLL_P 6,5\n",
            "f, line 2: `MC_ROLL_P 6,5` gives MC_ROLL_P no plain number",
        ),
        (
            "1\t1\tMC_ROLL_P\t5,9\n",
            "f, line 1: `1\t1\tMC_ROLL_P\t5,9` gives MC_ROLL_P no plain number",
        ),
        (
            "1 1 ATC_ANG_RLL_P 4.5\n",
            "f, line 1: `1 1 ATC_ANG_RLL_P 4.5` gives ATC_ANG_RLL_P no plain number",
        ),
        (
            "param set-default MC_ROLL_P ${P}\n",
            "f, line 1: `param set-default MC_ROLL_P ${P}` gives MC_ROLL_P no plain number",
        ),
        (
            "ATC_ANG_RLL_P 4\n\nATC_ANG_RLL_P 5\n",
            "f, line 3: ATC_ANG_RLL_P has another value than in line 1; leave one of them",
        ),
        (
            "set p_roll 45\n",
            "f, line 1: `set p_roll 45` lacks an equals sign",
        ),
        (
            "set p_roll = 45 deg\n",
            "f, line 1: `p_roll = 45 deg` gives p_roll no plain number",
        ),
        (
            "p_roll = 45\n",
            "f, line 1: `p_roll = 45` is to be `set p_roll = ...`",
        ),
        (
            "pid_rate:\n  roll_kp: 2 rad\n",
            "f, line 2: `2 rad` gives pid_rate.roll_kp no plain number",
        ),
        (
            "1 1 MC_ROLL_P 6 9\n2 1 MC_ROLL_P 9 9\n",
            "f has the parameters of vehicles 1, 2; choose one with --vehicle",
        ),
        (
            "RATE_RLL_P,0.15\n",
            "f, line 1: RATE_RLL_P is a name of Copter 3.3 and earlier, ATC_RAT_... since then; only these are read",
        ),
        (
            "<html>\n<p>MC and ATC</p>\n",
            "f is in no form that is known; say whose it is with --from",
        ),
        (
            "MC_ROLL_P 6\nATC_ANG_RLL_P 4\n",
            "f is in no form that is known; say whose it is with --from",
        ),
        (
            "pid_rate:\n  roll_kp: null\n",
            "f is in no form that is known; say whose it is with --from",
        ),
    ] {
        assert_eq!(refused(text), said);
    }
    let not_ours = refused("{\"gain\": 3}");
    assert!(
        not_ours.starts_with("f, line 1: it is not the JSON of bo export"),
        "{not_ours}"
    );
    let twice_alike = of("ATC_ANG_RLL_P 4\nATC_ANG_RLL_P 4.0\n");
    assert_eq!(twice_alike.values().len(), 1);
    // A value that no vehicle may fly is a value.
    assert!(of("1\t1\tMC_ROLL_P\tnan\t9\n").settings[0].value.is_nan());
    let other = ParameterFile::of("ATC_ANG_RLL_P 4\n", "f", Some("px4"), None);
    let said = "f holds parameters of ardupilot, not of px4";
    assert_eq!(other.expect_err("another's").to_string(), said);
    let unknown = ParameterFile::of("TOYS 4\n", "f", Some("px4"), None).expect("said");
    assert_eq!((unknown.autopilot, unknown.settings.len()), ("px4", 1));
}

#[test]
fn lines_that_are_no_setting_are_counted_and_the_first_is_named() {
    let file = of("Dear all,\nATC_ANG_RLL_P 4\nmy best gains yet\n@include common.parm\n");
    assert_eq!((file.skipped, file.first_skipped[0].0), (2, 1));
    assert_eq!(
        file.notes,
        [
            "Line 4, `@include common.parm`, is not followed.",
            "Lines that are no settings: 2, the first line 1, `Dear all,`."
        ]
    );
}

#[test]
fn one_vehicle_of_several_is_chosen_and_of_it_the_autopilot() {
    let text = "1 1 MC_ROLL_P 6 9\n2 1 MC_ROLL_P 9 9\n2 154 MC_ROLL_P 1 9\n2 1 MC_YAW_P 3 9\n";
    let chosen = |vehicle| ParameterFile::of(text, "f", None, Some(vehicle));
    assert_eq!(chosen(1).expect("there").values().len(), 1);
    let second = chosen(2).expect("there");
    assert_eq!(
        (second.values()["MC_ROLL_P"], second.values()["MC_YAW_P"]),
        (9.0, 3.0)
    );
    assert_eq!(
        second.notes,
        ["Parameters of the vehicle's component 154 are left out."]
    );
    let none = chosen(3).expect_err("absent").to_string();
    assert_eq!(none, "f has no vehicle 3; it has 1, 2");
    let unsaid = ParameterFile::of("MC_ROLL_P 6\n", "f", None, Some(1)).expect("anyone's");
    let said = "f does not say of which vehicle it is: --vehicle changes nothing.";
    assert_eq!(unsaid.notes, [said]);
}

#[test]
fn names_of_a_quadplane_and_of_two_generations_are_told() {
    let file = of("Q_A_ANG_RLL_P,9\nQ_P_POSXY_P,1\nQ_M_THST_HOVER,.3\nPSC_NE_POS_P,2\n");
    let names: Vec<_> = file.settings.iter().map(|s| s.name.as_str()).collect();
    // With PSC_ names in it those of the quadplane stay as they are.
    assert_eq!(
        names,
        [
            "ATC_ANG_RLL_P",
            "Q_P_POSXY_P",
            "MOT_THST_HOVER",
            "PSC_NE_POS_P"
        ]
    );
    assert_eq!(file.notes.len(), 3);
    let both = of("PSC_POSXY_P,1\nPSC_NE_POS_P,2\nATC_ANG_RLL_P,4\nRATE_RLL_P,.15\n");
    assert_eq!(
        both.notes,
        [
            "The file has names of two generations: firmware up to 4.6 flies PSC_POSXY_P and its kin, later \
             ones PSC_NE_POS_P and its kin.",
            "RATE_RLL_P is a name of Copter 3.3 and earlier, ATC_RAT_... since then: it is not read."
        ]
    );
    assert_eq!(both.settings.len(), 4);
}

/// A diff of everything ends with the profile that flies.
#[test]
fn of_betaflight_s_profiles_the_one_that_flies_is_read() {
    let head = "# diff all\n# version\n# Betaflight / STM32F405 (S405) 4.5.1 Jul 29 2024 / 13:28:51\nbatch start\n\
                set gyro_lpf1_type = PT1\nset GYRO_LPF1_STATIC_HZ = 250\n";
    let zero = "profile 0\n# profile 0\nset P_Roll = 45\nset gyro_lpf2_static_hz = 0\n";
    let one = "profile 1\nset p_roll = 180\nset d_roll = 170\n";
    let rates = "rateprofile 0\nset roll_expo = 10\n";
    let read = |parts: &[&str]| of(&format!("{head}{}save\n", parts.concat()));
    let flown = read(&[zero, one, "profile 0\n", rates]);
    assert_eq!(
        (flown.version.as_deref(), flown.is_difference),
        (Some("4.5.1"), true)
    );
    assert_eq!(flown.values().get("p_roll"), Some(&45.0));
    assert_eq!(flown.values().get("d_roll"), None);
    assert_eq!(
        flown.words,
        [(5, "gyro_lpf1_type".to_owned(), "PT1".to_owned())]
    );
    let note = |flown: &str, other: &str| {
        format!(
            "Profile {flown}, which the file selects last, is judged; gains that are not judged stand in \
             profile {other}."
        )
    };
    assert_eq!(flown.notes, [note("0", "1")]);
    let flown = read(&[zero, one, "profile 1\n", rates]);
    // What holds for all profiles counts wherever it stands.
    let values = flown.values();
    let all = [
        "p_roll",
        "d_roll",
        "gyro_lpf1_static_hz",
        "gyro_lpf2_static_hz",
    ];
    assert_eq!(all.map(|name| values[name]), [180.0, 170.0, 250.0, 0.0]);
    assert_eq!(flown.notes, [note("1", "0")]);
    // Executed to its end, a file without that line leaves the last.
    assert_eq!(read(&[zero, one]).notes, [note("1", "0")]);
    assert!(read(&[one, rates]).notes.is_empty());
    let stock = read(&[one, "profile 2\n"]);
    assert_eq!(stock.values().get("p_roll"), None);
    assert!(
        stock.notes[0].contains("is judged with the firmware's own gains"),
        "{:?}",
        stock.notes
    );
    let before = of("set p_roll = 45\nprofile 0\nset d_roll = 30\n");
    assert_eq!((before.values().len(), before.notes.len()), (2, 1));
}

#[test]
fn a_folder_of_steps_is_read_in_the_order_of_its_numbers() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("writable");
    let steps = || files::numbered(folder.path(), &STEPS).expect("a folder");
    assert!(steps().is_empty());
    put("10_last.param", "ATC_ANG_RLL_P,7 # later\n");
    put("9_first.param", "ATC_ANG_RLL_P,5\nATC_ANG_PIT_P,6\n");
    put("notes.param", "ATC_ANG_RLL_P,99\n");
    put("2_nothing.param", "# nothing yet\n");
    assert_eq!(steps().len(), 3);
    let read = read_in(folder.path()).expect("steps");
    assert_eq!(read.values()["ATC_ANG_RLL_P"], 7.0);
    assert!(read.is_difference && read.settings.len() == 3);
    let said = "Read in this order: 2_nothing.param, 9_first.param, 10_last.param.";
    assert_eq!(read.notes, [said]);
    put("11_wrong.param", "ATC_ANG_RLL_P,\n");
    let wrong = read_in(folder.path()).expect_err("no number");
    assert!(
        wrong.to_string().contains("11_wrong.param, line 1: "),
        "{wrong}"
    );
}

#[test]
fn what_is_no_text_is_refused() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let path = folder.path().join("log.bin");
    for bytes in [
        &b"MC_ROLL_P\x00 6\n"[..],
        b"\xa3\x95\x80\x80",
        b"\xff\xfeM\x00C\x00",
    ] {
        fs::write(&path, bytes).expect("writable");
        let error = read_in(&path).expect_err("no text");
        assert_eq!(error.exit_code(), 65);
        assert!(error.to_string().contains("is no text in UTF-8"), "{error}");
    }
}

/// Files of the field, where they are at hand: whose each is and how many settings it has at least.
#[test]
fn files_of_the_field_are_read() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases/control");
    if !cases.is_dir() {
        eprintln!("skipped: no folder {}", cases.display());
        return;
    }
    for (name, autopilot, least) in [
        ("ap_autotuned_qav250.param", "ardupilot", 22),
        ("ap_both_generations.param", "ardupilot", 8),
        ("ap_hex.parm", "ardupilot", 14),
        ("ap_qgc.params", "ardupilot", 14),
        ("ap_quadplane.param", "ardupilot", 7),
        ("ap_readonly.parm", "ardupilot", 13),
        ("methodic", "ardupilot", 9),
        ("px4_airframe_script.sh.txt", "px4", 7),
        ("px4_bom_crlf.params", "px4", 35),
        ("px4_default.params", "px4", 35),
        ("px4_spaces.params", "px4", 35),
        ("px4_ulog_params.csv", "px4", 4),
        ("bf_active_profile_1.txt", "betaflight", 12),
        ("bf_diff_partial.txt", "betaflight", 8),
        ("bf_only_profile_1.txt", "betaflight", 12),
        ("bf_upper_case.txt", "betaflight", 3),
        ("cf_swarm.yaml", "crazyflie", 12),
    ] {
        let read = read_in(&cases.join(name)).expect(name);
        assert_eq!(read.autopilot, autopilot, "{name}");
        assert!(
            read.settings.len() >= least,
            "{name}: {}",
            read.settings.len()
        );
        if name.starts_with("bf_") && name.contains("profile_1.") {
            assert_eq!(read.values()["p_roll"], 180.0, "{name}");
        }
    }
    let two = read_in(&cases.join("px4_two_vehicles.params"));
    assert!(two.expect_err("two").to_string().contains("vehicles 1, 2"));
}
