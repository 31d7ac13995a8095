//! An autopilot's parameter file in place of a file of gains, and as an airframe.

use crate::program::{json, refusal, sim, stderr, stdout, temporary};
use sim::Airframe;
use std::fs;

/// PX4 with an inner loop of its own, a rate limit, and a parameter that acts and is not simulated.
const MINE: &str =
    "1\t1\tMC_ROLL_P\t7\t9\n1\t1\tMC_ROLLRATE_MAX\t90\t9\n1\t1\tMPC_XY_VEL_D_ACC\t0.5\t9\n";

#[test]
fn an_airframe_is_printed_as_the_parameter_file_has_it() {
    let folder = temporary();
    let here = folder.path();
    fs::write(here.join("mine.params"), MINE).expect("writable");
    let args = ["template", "airframe", "--from", "mine.params"];
    let output = sim(here, &[&args[..], &["--airframe", "hummingbird"]].concat());
    let printed = Airframe::from_toml(&stdout(&output)).expect("an airframe file");
    let shipped = Airframe::by_name("hummingbird").expect("shipped");
    assert_eq!(
        (&printed.name, printed.mass_kg),
        (&shipped.name, shipped.mass_kg)
    );
    assert_eq!(printed.gains.attitude_kp[0], 7.0);
    let limit = printed.controller.rate_setpoint_limit_rad_s[0];
    assert!((limit - 90f64.to_radians()).abs() < 1e-12, "{limit}");
    for said in [
        "note: Gains: 1 from the file, 17 as the firmware comes (",
        "note: MPC_XY_VEL_D_ACC 0.5 acts on the loop and is not simulated (the firmware comes with 0.2).",
        "note: Sensors, filters and speed controllers are 10 ms late (px4: ",
    ] {
        assert!(
            stderr(&output).contains(said),
            "{said}\n{}",
            stderr(&output)
        );
    }
    let (code, said) = refusal(here, &args);
    assert_eq!(code, 2);
    assert!(said.starts_with("error: mine.params says nothing of the vehicle that it is for: print an airframe file with `sim template airframe"), "{said}");
    let (code, said) = refusal(here, &["template", "world", "--from", "mine.params"]);
    assert_eq!(
        (code, said.contains("--from is for `sim template airframe`")),
        (2, true)
    );
}

#[test]
fn a_parameter_file_flies_as_the_gains_that_it_stands_for() {
    let folder = temporary();
    let here = folder.path();
    fs::write(here.join("mine.params"), MINE).expect("writable");
    fs::create_dir(here.join("steps")).expect("writable");
    fs::write(here.join("steps/1_pitch.param"), "ATC_ANG_PIT_P,6\n").expect("writable");
    for from in ["mine.params", "steps"] {
        let args = [
            "template",
            "airframe",
            "--from",
            from,
            "--airframe",
            "hummingbird",
        ];
        let printed = Airframe::from_toml(&stdout(&sim(here, &args))).expect("an airframe file");
        let gains = toml::to_string(&printed.gains).expect("numbers");
        fs::write(here.join("own.toml"), gains).expect("writable");
        for command in [
            &["fly", "--traj", "hover"][..],
            &["montecarlo", "--traj", "hover", "--flights", "4"],
            &["margins"],
        ] {
            let flown = |gains| {
                let more = ["--gains", gains, "--airframe", "hummingbird", "--json"];
                sim(here, &[command, &more].concat())
            };
            assert_eq!(json(&flown(from)), json(&flown("own.toml")), "{command:?}");
            let said = stderr(&flown(from));
            assert!(
                said.contains(
                    "note: limits, filters, law and delay of the parameter file are not flown"
                ),
                "{said}"
            );
        }
    }
}

#[test]
fn what_holds_no_gains_or_several_is_refused_in_a_line() {
    let folder = temporary();
    let here = folder.path();
    let both = "1 1 MC_ROLL_P 7 9\n2 1 MC_ROLL_P 6 9\n";
    let generations = "PSC_POSXY_P,1\nPSC_VELXY_P,2\nPSC_NE_POS_P,1\nPSC_NE_VEL_P,2\n";
    for (file, text, code, said) in [
        (
            "one.params",
            MINE,
            2,
            "one.params says nothing of the vehicle that it is for",
        ),
        (
            "two.params",
            both,
            65,
            "two.params has the parameters of vehicles 1, 2; choose one with --vehicle",
        ),
        (
            "wild.params",
            "MC_ROLL_P,-1\n",
            65,
            "wild.params gives MC_ROLL_P the value -1e0: a gain is from 0 to 1e6",
        ),
        (
            "half.params",
            "MC_ROLL_P,x\n",
            65,
            "half.params, line 1: `MC_ROLL_P,x` gives MC_ROLL_P no plain number",
        ),
        (
            "both.param",
            generations,
            65,
            "the file holds position gains by the names of ArduPilot 4.6",
        ),
        (
            "wind.csv",
            "t,u,v,w\n0,1,1,1\n",
            65,
            "wind.csv holds no gains: neither those of a run",
        ),
        (
            "log.ulg",
            "ULog\0\u{1}",
            65,
            "log.ulg is no text in UTF-8, and no log of PX4's, ArduPilot's or Betaflight's with parameters",
        ),
        (
            "sensors.toml",
            "delay_periods = 1\n",
            65,
            "sensors.toml: the gains cannot be read",
        ),
    ] {
        fs::write(here.join(file), text).expect("writable");
        let named = ["--airframe", "hummingbird"];
        let named = if file == "one.params" {
            &[][..]
        } else {
            &named
        };
        for command in [
            &["fly", "--gains", file][..],
            &["template", "airframe", "--from", file],
        ] {
            let (found, line) = refusal(here, &[command, named].concat());
            assert_eq!(found, code, "{line}");
            assert!(line.starts_with(&format!("error: {said}")), "{line}");
        }
    }
    let whose = |more: &[&str]| {
        let args = ["template", "airframe", "--airframe", "omac", "--from"];
        let printed = stdout(&sim(here, &[&args, more].concat()));
        Airframe::from_toml(&printed)
            .expect("an airframe file")
            .gains
    };
    assert_eq!(whose(&["two.params", "--vehicle", "2"]).attitude_kp[0], 6.0);
    assert_eq!(
        whose(&["both.param", "--firmware", "4.8"]).position_xy.kd,
        2.0
    );
}
