//! `bo check` of runs, which are flown in what they were tuned for, and of two candidates in one table.

use crate::check::{gains, in_order, json};
use crate::program::{bo, stderr, stdout, succeeded, temporary};
use serde_json::Value;
use sim::Airframe;
use std::fs;

/// What a file does not set stands before any verdict, and two tunes are flown in the same winds.
#[test]
fn two_tunes_are_judged_in_one_table() {
    let folder = temporary();
    let here = folder.path();
    let softer = gains("hummingbird", |g| g.position_xy.kp *= 0.5);
    let wild = gains("hummingbird", |g| g.position_xy.kd *= 9.0);
    for (file, text) in [
        ("own.toml", gains("hummingbird", |_| ())),
        ("softer.toml", softer),
        ("wild.toml", wild),
        ("one.params", "1\t1\tMPC_XY_P\t1.0\t9\n".to_owned()),
    ] {
        fs::write(here.join(file), text).expect("writable");
    }
    let flags = [
        "--airframe",
        "hummingbird",
        "--delay-ms",
        "0",
        "--flights",
        "40",
    ];
    let (code, both) = json(
        here,
        &[
            &["check", "own.toml", "softer.toml", "--out", "both"],
            &flags[..],
        ]
        .concat(),
    );
    let (alone, one) = json(here, &[&["check", "softer.toml"], &flags[..]].concat());
    // Forty flights are too few to fly without care.
    assert_eq!((code, alone), (1, 1));
    assert_eq!(both["tunes"][1]["figures"]["tune"], one["figures"]["tune"]);
    let error = &both["difference"]["error_m"];
    assert!(
        error["ends"][0].as_f64() > Some(0.0) && error["count"] == 40,
        "{error}"
    );
    let page = fs::read_to_string(here.join("both/check.html")).expect("a page");
    in_order(
        &page,
        &[
            "fly with care</b> own.toml and softer.toml for hummingbird</h1>",
            "own.toml tracks closer.",
            "<th scope=\"col\">own.toml</th><th scope=\"col\">softer.toml</th>",
            "<th scope=\"row\">verdict</th><td>fly with care</td><td>fly with care</td>",
        ],
    );
    for file in [
        "a-airframe.toml",
        "b-airframe.toml",
        "a-gains.toml",
        "b-sensors.toml",
    ] {
        assert!(here.join("both").join(file).is_file(), "{file}");
    }
    // The graver verdict decides the exit code, whichever comes first.
    for pair in [["own.toml", "wild.toml"], ["wild.toml", "own.toml"]] {
        let (code, both) = json(here, &[&["check"], &pair[..], &flags[..]].concat());
        assert_eq!((code, &both["verdict"]), (4, &"do-not-fly".into()));
    }
    let twice = bo(here, &["check", "own.toml", "own.toml"]);
    assert_eq!(twice.status.code(), Some(2));
    assert_eq!(stderr(&twice), "error: own.toml is named twice\n");
    let output = bo(
        here,
        &[&["check", "one.params", "own.toml"], &flags[..]].concat(),
    );
    in_order(
        &stdout(&output),
        &[
            "\none.params does not set ",
            "MC_ROLLRATE_P",
            ": taken as the firmware comes.",
            "\none.params and own.toml for hummingbird: ",
        ],
    );
}

/// Neither delay nor rotors nor what a run was flown in pass from one of two to the other.
#[test]
fn each_of_two_is_judged_as_alone() {
    let folder = temporary();
    let here = folder.path();
    let run = |name: &str, trajectory: &str, more: &str| {
        let study = format!(
            "airframe = \"hummingbird\"\ntrajectory = \"{trajectory}\"\nsurrogate = \"gp\"\n[budget]\ninitial = 2\n\
             iterations = 1\nheld_out = 2\n[limits]\nmargins = \"stated\"\n{more}"
        );
        fs::write(here.join("study.toml"), study).expect("writable");
        succeeded(here, &["tune", "--config", "study.toml", "--out", name]);
    };
    run("late", "hover", "[sensors]\ndelay_periods = 2\n");
    run("other", "sin-forward", "");
    fs::write(here.join("world.toml"), "ground_z_m = -3.0\n").expect("writable");
    run("lower", "hover", "[flight]\nworld = \"world.toml\"\n");
    for (pair, said) in [
        (["late", "other"], "on other trajectories; say with --traj"),
        (["other", "late"], "on other trajectories; say with --traj"),
        (
            ["late", "lower"],
            "among other obstacles; check them one at a time",
        ),
    ] {
        let refused = bo(here, &[&["check"], &pair[..]].concat());
        assert_eq!(refused.status.code(), Some(2), "{}", stdout(&refused));
        assert!(stderr(&refused).contains(said), "{}", stderr(&refused));
    }
    let px4 = "MC_YAWRATE_P,1.2\nMC_YAW_TQ_CUTOFF,0\n";
    fs::write(here.join("yaw.params"), px4).expect("writable");
    fs::write(here.join("ap.param"), "ATC_RAT_RLL_P,0.135\n").expect("writable");
    let mut airframe = Airframe::by_name("hummingbird").expect("shipped");
    airframe.rotors.rotor_inertia_kg_m2 = 0.0;
    let text = toml::to_string(&airframe).expect("numbers");
    fs::write(here.join("own.toml"), text).expect("writable");
    let flags = [
        "--airframe",
        "own.toml",
        "--traj",
        "hover",
        "--flights",
        "10",
    ];
    let of = |files: &[&str]| json(here, &[&["check"], files, &flags[..]].concat()).1;
    let figures = |checked: &Value| checked["figures"]["tune"].clone();
    for (pair, late_ms) in [
        (
            ["late", "yaw.params"],
            ["2 ms late (run:", "10 ms late (px4:"],
        ),
        (
            ["yaw.params", "ap.param"],
            ["10 ms late (px4:", "16 ms late (ardupilot:"],
        ),
    ] {
        let both = of(&pair);
        for k in [0, 1] {
            assert_eq!(
                figures(&both["tunes"][k]),
                figures(&of(&pair[k..=k])),
                "{pair:?} {k}"
            );
            let judged = both["tunes"][k]["judged"].to_string();
            assert!(judged.contains(late_ms[k]), "{judged}");
        }
    }
}

#[test]
fn a_run_is_checked_on_the_trajectory_and_in_the_wind_that_it_was_tuned_for() {
    let folder = temporary();
    let here = folder.path();
    let mild = "{ name = \"mild\", mean_m_s = [1.0, 0.5, 0.0], sigma_m_s = [0.2, 0.2, 0.1], \
                length_m = [60.0, 60.0, 30.0], reference_speed_m_s = 3.0 }";
    let study = format!(
        "trajectory = \"sin-forward\"\nsurrogate = \"gp\"\n[budget]\ninitial = 2\niterations = 1\n\
         held_out = 2\n[limits]\nmargins = \"stated\"\n[[training]]\ndomain = {mild}\nshare = 1\n\
         [[test]]\ndomain = {mild}\n[[test]]\ndomain = \"gusty\"\n"
    );
    fs::write(here.join("study.toml"), study).expect("writable");
    let made = bo(here, &["tune", "--config", "study.toml", "--out", "run"]);
    assert!(made.status.success(), "{}", stderr(&made));
    let (_, own) = json(here, &["check", "run", "--flights", "10", "--out", "own"]);
    assert_eq!(
        (&own["trajectory"], &own["domain"]),
        (&"sin-forward".into(), &"mild".into())
    );
    let said = own["judged"].to_string();
    assert!(
        said.contains("The run is tested in gusty wind too; --domain flies another."),
        "{said}"
    );
    let command = own["worst_flight"].as_str().expect("a command");
    assert!(
        command.starts_with("sim fly --traj sin-forward --domain own/wind.toml "),
        "{command}"
    );
    let wind = here.join("own/wind.toml");
    let wind = bo::study::wind(&wind.to_string_lossy()).expect("a domain");
    assert_eq!((&wind.name[..], wind.mean_m_s), ("mild", [1.0, 0.5, 0.0]));
    let typed = [
        "check",
        "run",
        "--flights",
        "10",
        "--traj",
        "hover",
        "--domain",
        "gusty",
    ];
    let (_, other) = json(here, &typed);
    assert_eq!(
        (&other["trajectory"], &other["domain"]),
        (&"hover".into(), &"gusty".into())
    );
}

/// A run of a vehicle of 27 g is no yardstick for one of half a kilogram, nor is it a tune for it.
#[test]
fn a_run_of_another_vehicle_is_named() {
    let folder = temporary();
    let here = folder.path();
    let study = "airframe = \"crazyflie\"\ntrajectory = \"hover\"\nsurrogate = \"gp\"\n[budget]\ninitial = 2\n\
                 iterations = 1\nheld_out = 2\n[limits]\nmargins = \"stated\"\n";
    fs::write(here.join("study.toml"), study).expect("writable");
    succeeded(here, &["tune", "--config", "study.toml", "--out", "small"]);
    fs::write(here.join("tune.toml"), gains("hummingbird", |_| ())).expect("writable");
    let flags = ["--airframe", "hummingbird", "--flights", "10"];
    let tune = [&["check", "small"][..], &flags].concat();
    let (code, checked) = json(here, &tune);
    assert_eq!(code, 4);
    assert!(
        checked["reasons"]
            .to_string()
            .contains("the run flew crazyflie"),
        "{checked}"
    );
    let yardstick = [&["check", "tune.toml", "--baseline", "small"][..], &flags].concat();
    let (code, checked) = json(here, &yardstick);
    assert!(
        code > 0
            && checked["reasons"]
                .to_string()
                .contains("the run flew crazyflie"),
        "{checked}"
    );
    let refused = bo(
        here,
        &["tune", "--airframe", "hummingbird", "--baseline", "small"],
    );
    assert_eq!(refused.status.code(), Some(65), "{}", stderr(&refused));
    // An airframe file is judged as that vehicle.
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    let text = toml::to_string(&airframe).expect("numbers");
    fs::write(here.join("vehicle.toml"), text).expect("writable");
    let (_, own) = json(here, &["check", "vehicle.toml", "--flights", "10"]);
    assert_eq!(own["airframe"], "hummingbird");
}
