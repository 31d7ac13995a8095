//! What `bo export` refuses, and how it says so.

use sim::Airframe;
use sim::autopilot::{Autopilot, Px4};
use std::fs;

use crate::exported::{
    POSITION, folder_of, modest, omac_run, put, record, refused, six, text, values_of,
};
use crate::program::cells::{done, run};
use crate::program::{bo, stderr};
use serde_json::json;

#[test]
fn out_of_range_names_each_parameter_and_what_is_written_in_its_place() {
    let airframe = Airframe::omac();
    let mut gains = modest(&airframe);
    gains.position_xy.kd = 8.0;
    // PX4's vertical numbers act twice as strongly.
    gains.position_z.kp = 40.0;
    gains.position_z.ki = 0.2;
    let folder = folder_of(&airframe, &gains, &POSITION);
    let output = done(folder.path(), "export run --to px4");
    for part in [
        "MPC_XY_VEL_P_ACC is 8 (range 1.2 to 5): clamped to 5",
        "MPC_Z_P is 5.7",
        "MPC_Z_VEL_I_ACC is 0.01",
        "Flown as written",
    ] {
        assert!(output.contains(part), "{part} in {output}");
    }
    let values = values_of("px4", &text(folder.path(), "run/px4.params"));
    assert_eq!((values["MPC_XY_VEL_P_ACC"], values["MPC_Z_P"]), (5.0, 1.5));
}

#[test]
fn gains_without_an_equivalent_give_the_nearest_that_have_one() {
    let airframe = Airframe::omac();
    let mut gains = modest(&airframe);
    gains.position_xy.ki = 3.0;
    let folder = folder_of(&airframe, &gains, &POSITION);
    done(folder.path(), "export run --to px4");
    let written = text(folder.path(), "run/px4.params");
    for part in [
        "position_xy has no equivalent in a cascade: Kp² = 29.5077",
        "; the nearest gains that have one are taken",
    ] {
        assert!(written.contains(part), "{part} in {written}");
    }
    let limits = Px4.position_limits().expect("a position loop");
    let nearest = limits.nearest(&gains).position_xy;
    let cascade = sim::autopilot::Cascade::of(&nearest, "xy").expect("an equivalent");
    let values = values_of("px4", &written);
    assert_eq!(values["MPC_XY_P"], f64::from(cascade.position_p as f32));
    assert_eq!(
        values["MPC_XY_VEL_I_ACC"],
        f64::from(cascade.velocity_i as f32)
    );
    // Without velocity feedback there is none near where nothing asks for such feedback. The vehicle is not
    // stable then, which is said first.
    gains.position_xy.kd = 0.0;
    put(folder.path(), &record(&airframe, &gains, &POSITION));
    let (code, message) = refused(folder.path(), &["run", "--to", "crazyflie", "--anyway"]);
    assert_eq!(code, 65);
    assert!(message.contains("position_xy has Kd = 0"), "{message}");
}

#[test]
fn a_target_without_the_tuned_loops_says_what_to_do() {
    let folder = omac_run();
    let output = bo(folder.path(), &["export", "run", "--to", "betaflight"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "error: betaflight has a rate loop only, and the tuned gains are those of the position loop; export to \
         px4, ardupilot, crazyflie or json instead, or tune that loop\n"
    );
}

#[test]
fn a_run_that_tuned_nothing_exports_nothing() {
    let airframe = Airframe::omac();
    let folder = folder_of(&airframe, &airframe.gains, &[]);
    let output = bo(folder.path(), &["export", "run", "--to", "px4"]);
    assert_eq!(output.status.code(), Some(65));
    let message = "error: the run tuned no gains that could be exported\n";
    assert_eq!(stderr(&output), message);
}

#[test]
fn a_baseline_of_another_firmware_or_in_another_form_is_refused() {
    let folder = omac_run();
    let old_names = [
        "export",
        "run",
        "--to",
        "ardupilot",
        "--firmware",
        "4.6",
        "--out",
        "old",
    ];
    assert!(bo(folder.path(), &old_names).status.success());
    let refused = |args: &[&str]| {
        let output = bo(folder.path(), &[&["export", "run", "--to"], args].concat());
        assert_eq!(output.status.code(), Some(65));
        assert!(!folder.path().join("new").exists());
        stderr(&output)
    };
    let old = "old/ardupilot.param";
    let message = refused(&[
        "ardupilot",
        "--firmware",
        "4.8",
        "--baseline",
        old,
        "--out",
        "new",
    ]);
    assert!(
        message.contains("the baseline has no PSC_NE_POS_P, "),
        "{message}"
    );
    let message = refused(&["px4", "--baseline", old, "--out", "new"]);
    let said = "the baseline's parameters are ardupilot's, and the export is for px4";
    assert!(message.contains(said), "{message}");
}

#[test]
fn nothing_is_overwritten_and_missing_or_faulty_input_has_its_exit_code() {
    let folder = omac_run();
    let code = |args: &[&str]| {
        let output = bo(folder.path(), &[&["export"], args].concat());
        let message = stderr(&output);
        assert_eq!(message.lines().count(), 1, "{message}");
        (output.status.code().expect("an exit code"), message)
    };
    done(folder.path(), "export run --to px4");
    let before = text(folder.path(), "run/px4.params");
    let (exit, message) = code(&["run", "--to", "px4"]);
    assert_eq!(exit, 73);
    assert_eq!(
        message,
        "error: run/px4.params exists; name another with --out, nothing was overwritten\n"
    );
    fs::remove_file(folder.path().join("run/px4.params")).expect("there");
    assert_eq!(
        code(&["run", "--to", "px4"]).0,
        73,
        "the rollback file is still there"
    );
    assert!(!folder.path().join("run/px4.params").exists());
    assert!(before.contains("MPC_XY_P"));

    assert_eq!(code(&["nowhere", "--to", "px4"]).0, 66);
    assert_eq!(code(&["run", "--to", "px4", "--baseline", "nothing"]).0, 66);
    assert_eq!(code(&["run", "--to", "px5"]).0, 2);
    let (exit, message) = code(&["run", "--to", "px4", "--firmware", "1.15"]);
    assert_eq!(exit, 2);
    assert!(message.contains("px4 does not need it"), "{message}");
    assert_eq!(
        code(&["run", "--to", "ardupilot", "--firmware", "new"]).0,
        2
    );
    let whole = text(folder.path(), "run/run.json");
    for (faulty, part) in [
        (whole[..whole.len() / 2].to_owned(), "run.json is damaged: "),
        (
            whole.replace("windhover-run/1", "other/1"),
            "has the form `other/1`",
        ),
        (
            whole.replace("\"mass_kg\":2.4", "\"mass_kg\":-2.4"),
            "mass_kg is -2.4",
        ),
    ] {
        fs::write(folder.path().join("run/run.json"), faulty).expect("writable");
        let (exit, message) = code(&["run", "--to", "json"]);
        assert_eq!(exit, 65);
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_run_that_lost_every_flight_is_exported_only_when_that_is_asked_for_twice() {
    let airframe = Airframe::omac();
    let folder = omac_run();
    let mut lost = record(&airframe, &modest(&airframe), &POSITION);
    let outcome = json!({"end": "diverged", "at_s": 0.1, "why": "spinning"});
    (lost["trials"][0]["outcome"], lost["trials"][0]["cost_m"]) = (outcome, json!(2.0));
    put(folder.path(), &lost);
    let (code, message) = refused(folder.path(), &["run", "--to", "px4"]);
    assert_eq!(code, 3);
    assert!(
        message.starts_with("error: each of the run's 1 evaluations is lost in simulation")
            && message.contains("--anyway"),
        "{message}"
    );
    done(folder.path(), "export run --to px4 --anyway --out lost");
    let written = text(folder.path(), "lost/px4.params");
    let warning = "# WRITTEN WITH --anyway: EVERY FLIGHT WAS LOST IN SIMULATION.";
    assert!(written.lines().any(|line| line == warning), "{written}");

    let mut tests_lost = record(&airframe, &modest(&airframe), &POSITION);
    tests_lost["recommended"]["tests"][0]["ace_m"] = json!(vec![2.0; 6]);
    tests_lost["recommended"]["tests"][0]["crashes"] = json!(6);
    put(folder.path(), &tests_lost);
    let (code, message) = refused(folder.path(), &["run", "--to", "px4"]);
    assert_eq!(code, 3);
    assert!(
        message.contains("lost each of their 6 held-out flights in simulation"),
        "{message}"
    );
}

#[test]
fn gains_that_are_no_better_are_refused_and_with_anyway_say_so_in_the_file() {
    let airframe = Airframe::omac();
    let folder = omac_run();
    for (ace_m, words) in [
        ([1.75, 1.76], "unchanged"),
        ([1.70, 1.82], "no clear difference"),
        ([1.85, 1.862], "worse"),
    ] {
        let mut judged = record(&airframe, &modest(&airframe), &POSITION);
        judged["recommended"]["tests"][0]["ace_m"] = json!(six(ace_m));
        put(folder.path(), &judged);
        let (code, message) = refused(folder.path(), &["run", "--to", "px4"]);
        assert_eq!(code, 65);
        let said_why = format!(
            "error: in simulation the recommended gains are no better than the default ones ({words}), so \
             nothing is written; average more winds an evaluation, bo tune --config run/config.toml \
             --flights 4, or write them all the same with --anyway\n"
        );
        assert_eq!(message, said_why);
        let out = format!("{words}.params");
        let output = bo(
            folder.path(),
            &["export", "run", "--to", "px4", "--anyway", "--out", &out],
        );
        assert!(output.status.success(), "{}", stderr(&output));
        let sentence = format!("In steady wind these gains were, beside the old ones: {words} ");
        let warning = "WRITTEN WITH --anyway: NO BETTER THAN THE OLD ONES IN SIMULATION.";
        assert!(text(folder.path(), &out).contains(&format!("# {warning}\n")));
        assert!(stderr(&output).contains(warning));
        assert!(stderr(&output).contains(&sentence), "{}", stderr(&output));
        let head = text(folder.path(), &out);
        assert!(
            head.lines()
                .any(|l| l.starts_with('#') && l.contains(&sentence)),
            "{head}"
        );
    }
    put(
        folder.path(),
        &record(&airframe, &modest(&airframe), &POSITION),
    );
    let output = run(folder.path(), "export run --to px4 --out better.params");
    assert!(output.status.success());
    assert_eq!(stderr(&output), "");
    assert!(text(folder.path(), "better.params").contains("beside the old ones: better"));
}

#[test]
fn no_number_that_a_vehicle_must_not_get_is_written_new_or_old() {
    let folder = omac_run();
    let here = folder.path();
    for target in ["px4", "ardupilot", "crazyflie", "json"] {
        let args = ["export", "run", "--to", target, "--out", target];
        assert!(bo(here, &args).status.success(), "{target}");
    }
    let files = [
        ("px4", "px4/px4.params", "MPC_XY_P\t"),
        ("ardupilot", "ardupilot/ardupilot.param", "PSC_POSXY_P,"),
        ("crazyflie", "crazyflie/crazyflie.yaml", "stored_value: "),
        ("json", "json/json.json", "\"value\": "),
    ];
    for (target, file, before) in files {
        let whole = text(here, file);
        let at = whole.find(before).expect("written") + before.len();
        let length = whole[at..].find(['\t', '\n', ',']).expect("ends");
        let line = whole[..at].lines().count();
        for value in ["inf", "NaN", "-inf", "-5", "1e300", "1e45", "3000000"] {
            if target == "json" && value.parse::<f64>().is_ok_and(|v| !v.is_finite()) {
                continue; // no number of JSON's
            }
            let baseline = format!("{}{value}{}", &whole[..at], &whole[at + length..]);
            fs::write(here.join("baseline"), baseline).expect("writable");
            let args = ["run", "--to", target, "--baseline", "baseline"];
            let (code, message) = refused(here, &args);
            assert_eq!(code, 65, "{target} {value}");
            // In JSON the name stands on the line above the value.
            let line = if target == "json" { line - 2 } else { line };
            let said = format!("the parameter file's line {line} gives ");
            assert!(message.contains(&said), "{target} {value}: {message}");
            assert!(message.len() < 300, "no hundreds of digits: {message}");
        }
    }
    let mut gains = modest(&Airframe::omac());
    gains.position_xy.kp = 1e308;
    let toml = toml::to_string(&gains).expect("TOML");
    fs::write(here.join("g.toml"), toml).expect("writable");
    for target in ["px4", "ardupilot", "crazyflie", "json"] {
        for clamp in [&[][..], &["--clamp"]] {
            let args = [&["g.toml", "--to", target], clamp].concat();
            let (code, message) = refused(here, &args);
            assert_eq!(code, 65, "{target}");
            assert!(
                message.contains("a parameter is written only where it is finite"),
                "{message}"
            );
        }
    }
    let hummingbird = Airframe::by_name("hummingbird").expect("shipped");
    let mut gains = hummingbird.gains;
    gains.rate_ki = [1e45; 3];
    let toml = toml::to_string(&gains).expect("TOML");
    fs::write(here.join("h.toml"), toml).expect("writable");
    for target in ["px4", "ardupilot", "betaflight", "crazyflie", "json"] {
        let args = ["h.toml", "--airframe", "hummingbird", "--to", target];
        let (code, message) = refused(here, &args);
        assert!(code == 65 && message.contains("e4"), "{target}: {message}");
    }
}

#[test]
fn gains_of_small_margins_are_written_for_who_asks_twice() {
    let airframe = Airframe::omac();
    let mut record = record(&airframe, &modest(&airframe), &POSITION);
    // Not stated, so that an autopilot's is assumed, with which this vehicle is not stable.
    record["problem"]["sensors"]["delay_periods"] = json!(0);
    let folder = folder_of(&airframe, &modest(&airframe), &POSITION);
    put(folder.path(), &record);
    let (code, line) = refused(folder.path(), &["run", "--to", "px4"]);
    assert_eq!(code, 65, "{line}");
    for said in ["not stable", "do not fly these gains", "--anyway"] {
        assert!(line.contains(said), "{said}: {line}");
    }
    let output = bo(folder.path(), &["export", "run", "--to", "px4", "--anyway"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let written = text(folder.path(), "run/px4.params");
    for said in ["THE MARGINS ARE TOO SMALL", "do not fly these gains"] {
        assert!(written.contains(said), "{said}: {written}");
    }
    // Of two reasons against them neither is passed over.
    record["recommended"]["tests"][0]["ace_m"] = json!(six([1.75, 1.76]));
    put(folder.path(), &record);
    let export = [
        "export",
        "run",
        "--to",
        "px4",
        "--anyway",
        "--out",
        "both.params",
    ];
    let output = bo(folder.path(), &export);
    let both = "WRITTEN WITH --anyway: NO BETTER THAN THE OLD ONES IN SIMULATION; THE MARGINS ARE TOO SMALL.";
    assert!(stderr(&output).contains(both), "{}", stderr(&output));
    assert!(text(folder.path(), "both.params").contains(both));
}
