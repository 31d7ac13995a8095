//! `bo check`: the three verdicts, their exit codes and reasons, whatever wrote the tune.

use crate::program::{bo, stderr, stdout, succeeded, temporary};
use bo::check::defects::{defects, neighbours};
use bo::check::{Baseline, Checked, Side, Task, Verdict, check_against};
use bo::interrupt::Interrupt;
use serde_json::Value;
use sim::autopilot::tune::Tune;
use sim::autopilot::{self, reading};
use sim::{AIRFRAME_NAMES, Airframe, Domain, Setup};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

pub fn json(folder: &Path, args: &[&str]) -> (i32, Value) {
    let output = bo(folder, &[args, &["--format", "json"]].concat());
    let code = output.status.code().expect("an exit code");
    let text = stdout(&output);
    let value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{}", stderr(&output)));
    (code, value)
}

/// The gains of `airframe` as `sim template` would have them, with `change` applied.
pub fn gains(airframe: &str, change: impl FnOnce(&mut sim::Gains)) -> String {
    let mut gains = Airframe::by_name(airframe).expect("shipped").gains;
    change(&mut gains);
    toml::to_string(&gains).expect("numbers")
}

#[test]
fn sound_gains_fly_and_wild_ones_do_not_and_the_worst_flight_is_flown_again() {
    let folder = temporary();
    let here = folder.path();
    fs::write(here.join("same.toml"), gains("hummingbird", |_| ())).expect("writable");
    fs::write(
        here.join("wild.toml"),
        gains("hummingbird", |g| g.position_xy.kd *= 9.0),
    )
    .expect("writable");
    let flags = ["--airframe", "hummingbird", "--delay-ms", "0"];
    let (code, fly) = json(here, &[&["check", "same.toml"], &flags[..]].concat());
    assert_eq!((code, &fly["verdict"]), (0, &"fly".into()), "{fly}");
    assert_eq!(fly["figures"]["tune"]["flights"], 555);
    assert_eq!(fly["figures"]["tune"]["lost"], 0);
    assert_eq!(fly["figures"]["finding"], "rare");
    assert!(
        fly["not_modelled"][0]
            .as_str()
            .expect("words")
            .contains("estimator")
    );

    // Two flights show it; its baseline needs no more than a few either.
    let few = ["check", "wild.toml", "--flights", "40"];
    let (code, no) = json(here, &[&few[..], &flags[..]].concat());
    assert_eq!((code, &no["verdict"]), (4, &"do-not-fly".into()), "{no}");
    let output = bo(here, &[&few[..], &flags[..], &["-q"]].concat());
    let again = "check wild.toml --flights 40 --airframe hummingbird --delay-ms 0 -q --out check";
    assert!(stdout(&output).contains(again), "{}", stdout(&output));
    let about: Vec<&str> = no["reasons"]
        .as_array()
        .expect("list")
        .iter()
        .map(|reason| reason["about"].as_str().expect("a word"))
        .collect();
    assert!(about.contains(&"stability"), "{about:?}");
    // Nobody said that what flies now saturates too.
    assert!(about.contains(&"saturation"), "{about:?}");
    let command = no["worst_flight"].as_str().expect("a command");
    assert!(command.starts_with(
        "sim fly --traj hover --domain gusty --airframe DIR/airframe.toml --sensors DIR/sensors.toml"
    ));

    let output = bo(
        here,
        &[&["check", "wild.toml", "--out", "kept"], &flags[..]].concat(),
    );
    assert_eq!(output.status.code(), Some(4));
    let text = stdout(&output);
    let late = "Sensors, filters and speed controllers are 0 ms late (as given)";
    assert!(text.starts_with(late), "{text}");
    let page = fs::read_to_string(here.join("kept/check.html")).expect("a page");
    in_order(
        &text,
        &[
            late,
            "Not modelled: ",
            "probability of a loss",
            "\nwild.toml for hummingbird: DO NOT FLY (in simulation)\n- do not fly: ",
            " grows by ",
            "\nACE  ",
            "least phase margin",
            "not stable",
            "motor activity",
            "Margins are the least of all loops of the nominal vehicle at hover and along the trajectory, with sensors 0 ms late",
            "\nNext: sim fly --traj hover ",
        ],
    );
    in_order(
        &page,
        &[
            "<h1><b class=\"word\">do not fly</b> wild.toml for hummingbird</h1>",
            "<li>do not fly: ",
            "<th scope=\"row\">least phase margin</th>",
            "sim fly --traj hover ",
            "<nav ",
            "Not modelled: ",
            "<figcaption>Step of the position x. airframe&#39;s gains: overshoot ",
            "<caption>Every loop at hover",
            "<th scope=\"row\">probability of a loss</th>",
            "<pre>sim fly --traj hover ",
            "href=\"./gains.toml\"",
        ],
    );
    for part in [
        "<main>",
        "prefers-color-scheme: dark",
        "lang=\"en\"",
        "<caption>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<script") && !page.contains("<th>"));
    assert!(here.join("kept/check.json").is_file() && here.join("kept/gains.toml").is_file());
    let kept = fs::read_to_string(here.join("kept/airframe.toml")).expect("kept");
    let kept = Airframe::from_toml(&kept).expect("legal");
    let hummingbird = Airframe::by_name("hummingbird").expect("shipped");
    assert_eq!(
        kept.gains.position_xy.kd,
        9.0 * hummingbird.gains.position_xy.kd
    );
    assert_eq!(kept.controller, hummingbird.controller);
}

#[test]
fn axes_without_a_loop_and_paths_beyond_the_tilt_limit_are_named() {
    let folder = temporary();
    let here = folder.path();
    let yaw = |kp: f64, ki: f64| {
        gains("hummingbird", |g| {
            (g.rate_kp[2], g.rate_ki[2], g.rate_kd[2]) = (kp, ki, 0.0);
        })
    };
    fs::write(here.join("none.toml"), yaw(0.0, 0.0)).expect("writable");
    fs::write(here.join("weak.toml"), yaw(1e-4, 0.0)).expect("writable");
    fs::write(here.join("same.toml"), gains("hummingbird", |_| ())).expect("writable");
    let mut limited = Airframe::by_name("hummingbird").expect("shipped");
    limited.controller.torque_setpoint_limit_n_m[2] = 0.0;
    let limited = toml::to_string(&limited).expect("TOML");
    fs::write(here.join("limited.toml"), limited).expect("writable");
    // 12 m/s² for a moment, where 45 degrees leave 9.81.
    fs::write(here.join("dash.csv"), "t,x,y,z\n0,0,0,0\n10,190,0,0\n").expect("writable");
    let said = |line: &str| {
        let line: Vec<&str> = line.split(' ').collect();
        let (_, found) = json(
            here,
            &[&["check"], &line[..], &["--flights", "10"]].concat(),
        );
        found["reasons"].to_string()
    };
    for (line, reason) in [
        (
            "none.toml --airframe hummingbird",
            "attitude yaw: an error never decays",
        ),
        (
            "weak.toml --airframe hummingbird",
            "attitude yaw: an error decays with a time constant of ",
        ),
        (
            "same.toml --airframe limited.toml",
            "attitude yaw: an error never decays",
        ),
        (
            "same.toml --airframe hummingbird --traj dash.csv",
            "the vehicle cannot follow the trajectory: too-much-acceleration",
        ),
    ] {
        let found = said(line);
        assert!(found.contains(reason), "{line}: {found}");
    }
    let sound = said("same.toml --airframe hummingbird");
    assert!(
        !sound.contains("decays") && !sound.contains("trajectory"),
        "{sound}"
    );
}

/// What a tune limits too far is its verdict: no refusal of the airframe, which can follow.
#[test]
fn a_tilt_limit_with_which_nothing_follows_is_a_verdict() {
    let folder = temporary();
    let here = folder.path();
    let params = "MC_ROLLRATE_P,0.1\nMPC_TILTMAX_AIR,4\n";
    fs::write(here.join("narrow.params"), params).expect("writable");
    let line = [
        "check",
        "narrow.params",
        "--airframe",
        "hummingbird",
        "--traj",
        "fig8",
    ];
    let (code, found) = json(here, &[&line[..], &["--flights", "10"]].concat());
    assert_eq!(code, 4, "{found}");
    let reasons = found["reasons"].to_string();
    assert!(
        reasons.contains("% of its time the reference asks for more"),
        "{reasons}"
    );
}

/// That `text` has all of `parts`, each after the one before.
pub fn in_order(text: &str, parts: &[&str]) {
    parts.iter().fold(0, |from, part| {
        let found = text[from..].find(part);
        from + found.unwrap_or_else(|| panic!("{part} after {}: {text}", &text[..from]))
    });
}

/// The program `sim`, which is built where the tests of this crate run alone.
fn sim() -> std::path::PathBuf {
    let path = assert_cmd::cargo::cargo_bin("sim");
    if !path.is_file() {
        let mut cargo = std::process::Command::new(env!("CARGO"));
        cargo.args(["build", "--offline", "-p", "sim", "--bin", "sim"]);
        let built = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status();
        assert!(built.expect("cargo runs its tests").success());
    }
    path
}

/// The command of the worst flight flies it as it was flown: typed as it is printed, for a vehicle of one's
/// own and a path of waypoints too.
#[test]
fn the_worst_flight_is_flown_again_by_what_was_printed() {
    let folder = temporary();
    let here = folder.path();
    let text = toml::to_string(&Airframe::by_name("hummingbird").expect("shipped"));
    let own = text
        .expect("numbers")
        .replace("\"hummingbird\"", "\"my-own\"");
    fs::write(here.join("own.toml"), own).expect("writable");
    fs::write(here.join("tune.toml"), gains("hummingbird", |_| ())).expect("writable");
    fs::write(here.join("way.csv"), "t,x,y,z\n0,0,0,1\n2,1,0,1\n4,0,0,1\n").expect("writable");
    let study = "airframe = \"own.toml\"\ntrajectory = \"way.csv\"\nsurrogate = \"gp\"\n[budget]\ninitial = 2\n\
                 iterations = 1\nheld_out = 2\n[limits]\nmargins = \"stated\"\n";
    fs::write(here.join("study.toml"), study).expect("writable");
    succeeded(here, &["tune", "--config", "study.toml", "--out", "run"]);
    let wall = "[[boxes]]\nname = \"wall\"\ncentre_m = [3.0, 0.0, 0.0]\nsize_m = [0.1, 1.0, 1.0]\n";
    fs::write(here.join("wall.toml"), format!("ground_z_m = -2.0\n{wall}")).expect("writable");
    let study =
        study.replace("way.csv", "hover") + "[flight]\nworld = \"wall.toml\"\nfrom_ground = true\n";
    fs::write(here.join("study.toml"), study).expect("writable");
    succeeded(here, &["tune", "--config", "study.toml", "--out", "walled"]);
    let sim = sim();
    for (file, flags) in [
        ("tune.toml", &["--airframe", "own.toml"][..]),
        ("run", &[][..]),
        ("walled", &[][..]),
    ] {
        let out = format!("out of {file}");
        // Of ten flights the one at 95 % is the worst.
        let typed = ["check", file, "--flights", "10", "--out", &out];
        let (_, checked) = json(here, &[&typed[..], flags].concat());
        let command = checked["worst_flight"].as_str().expect("a command");
        let page = fs::read_to_string(here.join(&out).join("check.html")).expect("a page");
        assert!(page.contains(&command.replace('\'', "&#39;")), "{command}");
        let typed = command.replacen("sim ", &format!("{} ", sim.display()), 1);
        let shell = std::process::Command::new("sh")
            .current_dir(here)
            .args(["-c", &format!("{typed} --format json")])
            .output();
        let flown = shell.expect("a shell");
        assert!(flown.status.success(), "{typed}: {}", stderr(&flown));
        let flown: Value = serde_json::from_str(&stdout(&flown)).expect("JSON");
        assert_eq!(
            flown["score"]["ace_m"], checked["figures"]["tune"]["ace_m"][2],
            "{flown}"
        );
    }
}

/// Between the factor at which the figure-8 begins to oscillate somewhere and that of hover.
#[test]
fn margins_are_those_of_where_the_trajectory_leads() {
    let folder = temporary();
    let here = folder.path();
    let tune = gains("omac", |g| {
        let xy = &mut g.position_xy;
        (xy.kp, xy.ki, xy.kd) = (9.4 * xy.kp, 9.4 * xy.ki, 9.4 * xy.kd);
    });
    fs::write(here.join("tune.toml"), tune).expect("writable");
    let flags = [
        "check",
        "tune.toml",
        "--airframe",
        "omac",
        "--delay-ms",
        "0",
        "--flights",
        "20",
    ];
    let of = |traj: &str| {
        let (_, checked) = json(here, &[&flags[..], &["--traj", traj]].concat());
        let figures = checked["figures"].clone();
        let reasons = checked["reasons"].to_string();
        (figures, reasons)
    };
    let (hover, reasons) = of("hover");
    assert!(
        hover["tune"]["mode"]["growth_per_s"].as_f64() < Some(0.0),
        "{hover}"
    );
    assert!(hover["tune"]["margins"]["phase_deg"].is_array());
    assert!(!reasons.contains("would grow"), "{reasons}");
    let (fig8, reasons) = of("fig8");
    assert_eq!(fig8["tune"]["mode"], hover["tune"]["mode"]);
    assert!(fig8["tune"]["margins"].is_null(), "{fig8}");
    let said =
        " s: a small disturbance would grow if the flight went on as it does there, in simulation";
    assert!(reasons.contains(said), "{reasons}");
    let phase = |figures: &Value| figures["baseline"]["margins"]["phase_deg"].clone();
    assert!(phase(&fig8)[0].as_f64() < phase(&hover)[0].as_f64());
    assert!(phase(&fig8)[1].as_str().expect("a loop").contains(" at "));
}

/// The published failures: a gain that is no number was accepted; the signs of a loop sent a vehicle
/// away on arming.
#[test]
fn what_is_no_gain_is_refused_before_it_flies() {
    let folder = temporary();
    let here = folder.path();
    fs::write(here.join("nan.params"), "1\t1\tMC_ROLLRATE_P\tnan\t9\n").expect("writable");
    fs::write(
        here.join("sign.txt"),
        "# diff\nprofile 0\nset p_roll = -45\nset i_roll = 80\n",
    )
    .expect("writable");
    for (file, kind, said) in [
        (
            "nan.params",
            "px4",
            "MC_ROLLRATE_P is NaN: a gain is finite and not negative",
        ),
        (
            "sign.txt",
            "betaflight",
            "p_roll is -45: a gain is finite and not negative",
        ),
    ] {
        let (code, no) = json(
            here,
            &[
                "check",
                file,
                "--airframe",
                "hummingbird",
                "--flights",
                "16",
            ],
        );
        assert_eq!((code, &no["kind"]), (4, &kind.into()));
        assert_eq!(no["reasons"][0]["said"], said);
        // Rate gains alone are judged on a task that asks for attitude.
        assert_eq!(no["trajectory"], "zigzag");
    }
}

#[test]
fn files_that_say_nothing_are_one_line_and_the_right_code() {
    let folder = temporary();
    let here = folder.path();
    fs::write(here.join("prose.txt"), "nothing of the kind\n").expect("writable");
    fs::write(here.join("other.params"), "1\t1\tCOM_ARM_WO_GPS\t1\t6\n").expect("writable");
    for (file, code, said) in [
        (
            "prose.txt",
            65,
            "error: prose.txt is in no form that is known; say whose it is with --from",
        ),
        (
            "other.params",
            65,
            "error: the file has no gain that px4 and the simulated cascade share",
        ),
        (
            "absent.params",
            66,
            "error: cannot read absent.params: No such file or directory (os error 2)",
        ),
    ] {
        let output = bo(here, &["check", file, "--airframe", "hummingbird"]);
        assert_eq!(output.status.code(), Some(code), "{file}");
        assert_eq!(stderr(&output).trim_end(), said);
    }
}

/// Checks beside the vehicle's own gains, which are flown once for all tunes of one task.
#[derive(Default)]
pub struct BesideOwn(BTreeMap<String, Side>);

impl BesideOwn {
    /// `task` flies nothing but hover in gusts.
    pub fn check(&mut self, task: &Task, airframe: &Airframe, tune: &Tune, most: u64) -> Checked {
        let interrupt = Interrupt::default();
        let baseline = Baseline::own(airframe, tune);
        let flown = format!("{:?} {:?} {most}", task.setup, task.pilot(&baseline.tune));
        let side = self.0.entry(flown).or_insert_with(|| {
            Side::of_baseline(task, &baseline, most, &interrupt).expect("flown")
        });
        let beside = (&baseline, side.clone());
        check_against(task, tune, beside, most, &interrupt).expect("flown")
    }
}

/// A few of the defects that `cargo run -p bo --example defects` seeds: of those that lose one of 64
/// flights or more none is called fit to fly, and no neighbour of the vehicle's own gains is refused.
fn finds_defects_and_passes_neighbours(target: &str) {
    let vehicles = AIRFRAME_NAMES.map(|name| Airframe::by_name(name).expect("shipped"));
    let airframe = &vehicles[2];
    let task = || Task {
        setup: Setup::new(airframe.clone()),
        trajectory: trajectories::by_name("hover").expect("shipped"),
        domain: Domain::gusty(),
        seed: 1,
        // Its own gains are for a vehicle that is not late.
        delay_ms: Some(0.0),
        rotor_out: None,
        taken: Vec::new(),
    };
    let mut own = BesideOwn::default();
    let autopilot = autopilot::by_name(target, None).expect("a target");
    let all = defects(autopilot.as_ref(), airframe, &vehicles).expect("a cascade");
    assert!(all.len() * 6 >= 200, "{}", all.len());
    let (mut bad, mut found) = (0, 0);
    for defect in all.iter().step_by(6) {
        let mut task = task();
        let read = reading::read(target, &defect.text, airframe, &airframe.gains);
        let mut tune = read.expect("read");
        defect.vehicle.apply(&mut task, &mut tune);
        let seeds: Vec<u64> = (0..64).map(|k| 500_000 + k).collect();
        let lost = !tune.impossible.is_empty()
            || task
                .fly(&task.pilot(&tune), &seeds)
                .iter()
                .any(|flight| !flight.completed());
        if !lost {
            continue;
        }
        let checked = own.check(&task, airframe, &tune, 600);
        bad += 1;
        found += u32::from(checked.verdict == Verdict::DoNotFly);
        assert!(
            checked.verdict != Verdict::Fly,
            "{}: {:?}",
            defect.name,
            checked.reasons
        );
    }
    assert!(bad >= 2 && found >= bad - 1, "{target}: {found} of {bad}");
    for near in neighbours(autopilot.as_ref(), airframe, 3).expect("a cascade") {
        let tune = reading::read(target, &near.text, airframe, &airframe.gains).expect("read");
        let checked = own.check(&task(), airframe, &tune, 600);
        assert!(
            checked.verdict < Verdict::DoNotFly,
            "{}: {:?}",
            near.name,
            checked.reasons
        );
    }
}

#[test]
fn seeded_defects_of_px4_are_found_and_neighbours_are_not_refused() {
    finds_defects_and_passes_neighbours("px4");
}

#[test]
fn seeded_defects_of_ardupilot_are_found_and_neighbours_are_not_refused() {
    finds_defects_and_passes_neighbours("ardupilot");
}

#[test]
fn a_rotor_that_stops_is_told_beside_the_verdict_and_leaves_it_as_it_is() {
    let folder = temporary();
    let here = folder.path();
    fs::write(here.join("same.toml"), gains("hummingbird", |_| ())).expect("writable");
    let flags = [
        "check",
        "same.toml",
        "--airframe",
        "hummingbird",
        "--delay-ms",
        "0",
        "--flights",
        "20",
    ];
    let whole = bo(here, &flags);
    let out = bo(here, &[&flags[..], &["--rotor-out", "2@5"]].concat());
    assert_eq!(out.status.code(), whole.status.code());
    let said = "Rotor 2 of hummingbird stops after 5 s: the others cannot hold the attitude; the autopilot is not \
                told. Of 100 such flights 100 are lost";
    assert!(stdout(&out).contains(said), "{}", stdout(&out));
    assert!(!stdout(&whole).contains("stops after"));
    let never = bo(here, &[&flags[..], &["--rotor-out", "5@5"]].concat());
    assert_eq!(never.status.code(), Some(2));
}
