//! The program as a user meets it.

use crate::program::{json, refusal, sim, stdout, temporary, words};
use assert_cmd::Command;
use std::fs;

#[test]
fn a_flight_writes_samples_and_pictures_and_its_score_agrees_with_them() {
    let folder = temporary();
    let args = words("fly --traj hover --domain gusty --seed 3 --out f --json");
    let report = json(&sim(folder.path(), &args));
    assert_eq!(report["outcome"]["end"], "completed");
    for file in ["flight.png", "flight.svg", "log.png", "log.svg"] {
        assert!(folder.path().join("f").join(file).exists(), "{file}");
    }
    let text = fs::read_to_string(folder.path().join("f/samples.csv")).expect("written");
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let column = |name: &str| header.iter().position(|h| *h == name).expect("a column");
    let (x, y, z) = (column("x_m"), column("y_m"), column("z_m"));
    let mut square = 0.0;
    let mut count = 0.0;
    for line in lines {
        let values: Vec<f64> = line
            .split(',')
            .map(|v| v.parse().expect("a number"))
            .collect();
        assert_eq!(values.len(), header.len());
        square += values[x].powi(2) + values[y].powi(2) + values[z].powi(2);
        count += 1.0;
    }
    assert_eq!(count, 20_000.0);
    let ace = report["score"]["ace_m"].as_f64().expect("a number");
    assert!((ace - (square / count).sqrt()).abs() < 1e-12);
}

#[test]
fn many_flights_give_the_same_statement_on_one_thread_and_on_two() {
    let folder = temporary();
    let run = |threads: &str| {
        let args = [
            "montecarlo",
            "--traj",
            "fig8",
            "--domain",
            "gusty",
            "--flights",
            "60",
            "--json",
            "--threads",
            threads,
        ];
        stdout(&sim(folder.path(), &args))
    };
    assert_eq!(run("1"), run("2"));
}

#[test]
fn the_picture_of_many_flights_states_the_quantiles_of_the_text() {
    let folder = temporary();
    let line = "montecarlo --traj fig8 --altitude-m 100 --w20-kt 25 --flights 100 --out m --json";
    let statement = json(&sim(folder.path(), &words(line)));
    let drawn = fs::read_to_string(folder.path().join("m/distribution.svg")).expect("drawn");
    let quantiles = statement["quantiles"].as_array().expect("a list");
    for quantile in quantiles {
        let percent = (100.0 * quantile["p"].as_f64().expect("a number")).round();
        let marked = drawn.contains(&format!("{percent} % ≤ "));
        assert_eq!(marked, quantile["ace_m"].is_number(), "{quantile}");
    }
    // More than what a lost flight counts elsewhere; many were lost.
    let median_m = quantiles[0]["ace_m"].as_f64().expect("half were completed");
    assert!(
        median_m > 2.0 && quantiles[3]["ace_m"].is_null(),
        "{median_m}"
    );
}

#[test]
fn the_worst_of_many_uncertain_flights_is_replayed_bit_for_bit() {
    let folder = temporary();
    let airframe = include_str!("../airframes/omac.toml").to_owned()
        + "\n[uncertainty]\nmass_rel = 0.2\ninertia_rel = 0.2\nrotor_lag_rel = 0.5\nthrust_rel = 0.1\nbattery_sag_rel = 0.2\n";
    fs::write(folder.path().join("mine.toml"), airframe).expect("writable");
    let common = words("--traj fig8 --domain gusty --airframe mine.toml --uncertain");
    let many = [
        &["montecarlo"],
        &common[..],
        &["--flights", "20", "--seed", "100", "--out", "m", "--json"],
    ]
    .concat();
    let statement = json(&sim(folder.path(), &many));
    let seed = statement["worst_seed"]
        .as_u64()
        .expect("a seed")
        .to_string();
    let again = json(&sim(
        folder.path(),
        &[&["fly"], &common[..], &["--seed", &seed, "--json"]].concat(),
    ));
    let flights = fs::read_to_string(folder.path().join("m/flights.csv")).expect("written");
    let row = flights
        .lines()
        .find(|line| line.starts_with(&format!("{seed},")))
        .expect("listed");
    let ace: f64 = row
        .split(',')
        .nth(1)
        .expect("a column")
        .parse()
        .expect("a number");
    assert_eq!(again["score"]["ace_m"].as_f64(), Some(ace));
    assert!(folder.path().join("m/distribution.png").exists());
    let nominal = json(&sim(
        folder.path(),
        &[
            "fly", "--traj", "fig8", "--domain", "gusty", "--seed", &seed, "--json",
        ],
    ));
    assert_ne!(
        nominal["score"]["ace_m"], again["score"]["ace_m"],
        "the vehicle was another one"
    );
}

#[test]
fn every_shipped_airframe_flies_every_trajectory() {
    let folder = temporary();
    for airframe in sim::AIRFRAME_NAMES {
        for trajectory in ["hover", "sin-forward", "spiral-up"] {
            let args = [
                "fly",
                "--traj",
                trajectory,
                "--domain",
                "still",
                "--airframe",
                airframe,
                "--json",
            ];
            let report = json(&sim(folder.path(), &args));
            assert_eq!(
                report["outcome"]["end"], "completed",
                "{airframe} {trajectory}"
            );
            let ace = report["score"]["ace_m"].as_f64().expect("a number");
            assert!(ace < 0.5, "{airframe} {trajectory}: {ace}");
        }
    }
}

#[test]
fn own_waypoints_and_own_gains_are_flown() {
    let folder = temporary();
    fs::write(
        folder.path().join("square.csv"),
        "t,x,y,z\n0,0,0,0\n3,2,0,0\n6,2,2,1\n9,0,0,0\n",
    )
    .expect("writable");
    let gains = "attitude_kp = [15.0, 15.0, 1.0]\nrate_kp = [0.4, 0.4, 0.1]\nrate_ki = [0.07, 0.07, 5e-4]\nrate_kd = [1.6e-3, 1.6e-3, 1e-2]\n[position_xy]\nkp = 12.0\nki = 1.0\nkd = 6.0\n[position_z]\nkp = 12.0\nki = 1.0\nkd = 6.0\n";
    fs::write(folder.path().join("gains.toml"), gains).expect("writable");
    let base = ["fly", "--traj", "square.csv", "--domain", "still", "--json"];
    let default = json(&sim(folder.path(), &base));
    let stiff = json(&sim(
        folder.path(),
        &[&base[..], &["--gains", "gains.toml"]].concat(),
    ));
    assert_eq!(default["trajectory"], "square");
    let ace = |report: &serde_json::Value| report["score"]["ace_m"].as_f64().expect("a number");
    assert!(
        ace(&stiff) < ace(&default) && ace(&default) < 0.3,
        "{} {}",
        ace(&stiff),
        ace(&default)
    );
}

#[test]
fn the_wind_test_passes_for_shipped_and_own_domains_in_both_forms() {
    let folder = temporary();
    let own = "name = \"mine\"\nmean_m_s = [0.0, 4.0, 0.0]\nsigma_m_s = [2.0, 1.5, 1.0]\nlength_m = [50.0, 25.0, 5.0]\nreference_speed_m_s = 10.0\nform = \"mil-hdbk-1797\"\n";
    fs::write(folder.path().join("own.toml"), own).expect("writable");
    let low = "name = \"low\"\nmean_m_s = [3.0, 0.0, 0.0]\naltitude_m = 30.0\nwind_at_20_ft_kt = 15.0\nreference_speed_m_s = 8.0\n";
    fs::write(folder.path().join("low.toml"), low).expect("writable");
    for args in [
        &["--domain", "steady"][..],
        &["--domain", "own.toml"],
        &["--domain", "low.toml"],
        &["--altitude-m", "60", "--w20-kt", "30", "--speed", "20"],
    ] {
        let output = sim(
            folder.path(),
            &[&["wind", "--samples", "60"], args].concat(),
        );
        assert!(output.status.success(), "{}", stdout(&output));
        assert!(stdout(&output).contains("\n0 of "), "{}", stdout(&output));
    }
    let drawn = sim(folder.path(), &["wind", "--samples", "60", "--out", "w"]);
    assert!(drawn.status.success(), "{}", stdout(&drawn));
    assert!(folder.path().join("w/spectra.png").exists());
}

#[test]
fn a_world_of_ones_own_is_flown_into_and_taken_off_from() {
    let folder = temporary();
    let world =
        "[[boxes]]\nname = \"wall\"\ncentre_m = [8.0, 0.0, 0.0]\nsize_m = [0.5, 20.0, 6.0]\n";
    fs::write(folder.path().join("world.toml"), world).expect("writable");
    let base = words("fly --traj sin-forward --domain still --world world.toml");
    let report = json(&sim(folder.path(), &[&base[..], &["--json"]].concat()));
    assert_eq!(report["outcome"]["why"]["hit"]["obstacle"], 0);
    let text = stdout(&sim(folder.path(), &base));
    assert!(text.contains("hit obstacle 0 at ("), "{text}");

    let journey = words("fly --traj hover --domain still --from-ground --json");
    assert_eq!(
        json(&sim(folder.path(), &journey))["outcome"]["end"],
        "completed"
    );

    fs::write(folder.path().join("void.toml"), "ground = false\n").expect("writable");
    let args = ["fly", "--from-ground", "--world", "void.toml"];
    assert_eq!(
        refusal(folder.path(), &args),
        (
            2,
            "error: --from-ground needs a world with a ground".to_owned()
        )
    );
    fs::write(
        folder.path().join("faulty.toml"),
        "[[boxes]]\nname = \"b\"\ncentre_m = [0, 0, 0]\nsize_m = [-1, 1, 1]\n",
    )
    .expect("writable");
    let (code, text) = refusal(folder.path(), &["fly", "--world", "faulty.toml"]);
    assert!(code == 65 && text.contains("faulty.toml: "), "{text}");
    fs::write(folder.path().join("low.csv"), "0,0,0,0\n5,0,0,-3.04\n").expect("writable");
    let (code, text) = refusal(
        folder.path(),
        &["fly", "--traj", "low.csv", "--from-ground"],
    );
    assert!(
        code == 2 && text.starts_with("error: --from-ground: "),
        "{text}"
    );
}

#[test]
fn a_lost_flight_does_not_show_the_error_up_to_its_loss_as_a_result() {
    let folder = temporary();
    fs::write(
        folder.path().join("low.csv"),
        "0,0,0,-3.04\n2,0,0,-3\n4,0,0,-3\n",
    )
    .expect("writable");
    let args = ["fly", "--traj", "low.csv", "--out", "f"];
    let output = sim(folder.path(), &args);
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].contains(": lost after 0.001 s: hit the ground"),
        "{text}"
    );
    let counts = "  a lost flight counts as an ACE of 2.0000 m; up to the loss:";
    assert_eq!(lines[2], counts);
    assert!(
        lines[3].starts_with("  average control error (ACE)"),
        "{text}"
    );
    for picture in ["flight.svg", "log.svg"] {
        let drawn = fs::read_to_string(folder.path().join("f").join(picture)).expect("drawn");
        assert!(drawn.contains("lost after 0.001 s"), "{picture}");
        assert!(!drawn.contains("ACE 0."), "{picture}");
    }
    let report = json(&sim(folder.path(), &["fly", "--traj", "low.csv", "--json"]));
    assert_eq!(report["outcome"]["end"], "diverged");
    assert_eq!(
        (&report["cost_m"], &report["flown_s"]),
        (&2.0.into(), &0.001.into())
    );
    let whole = ["fly", "--traj", "hover", "--domain", "still", "--json"];
    let report = json(&sim(folder.path(), &whole));
    assert_eq!(report["cost_m"], report["score"]["ace_m"]);
    assert_eq!(report["flown_s"], 20.0);
}

#[test]
fn an_own_domain_is_called_by_its_name() {
    let folder = temporary();
    let text =
        "name = \"site\"\naltitude_m = 6.0\nwind_at_20_ft_kt = 15.0\nreference_speed_m_s = 8.0\n";
    fs::write(folder.path().join("wind.toml"), text).expect("writable");
    let base = ["fly", "--traj", "hover", "--domain", "wind.toml"];
    assert!(stdout(&sim(folder.path(), &base)).starts_with("hover by omac, site wind, seed 1"));
    let report = json(&sim(folder.path(), &[&base[..], &["--json"]].concat()));
    assert_eq!(report["domain"], "site");
    let many = words("montecarlo --traj hover --domain wind.toml --flights 2");
    let text = stdout(&sim(folder.path(), &many));
    assert!(
        text.starts_with("hover by omac, site wind: 2 flights"),
        "{text}"
    );
    assert!(text.contains("--domain=wind.toml "), "{text}");
}

#[test]
fn a_run_is_taken_where_its_gains_are_and_a_wind_by_its_altitude() {
    let folder = temporary();
    let run = folder.path().join("run");
    fs::create_dir(&run).expect("writable");
    let airframe = sim::Airframe::omac();
    let mut gains = airframe.gains;
    gains.position_xy.kp *= 1.1;
    let text = toml::to_string(&gains).expect("numbers");
    fs::write(run.join("gains.toml"), text).expect("writable");
    let ace = |gains: &[&str]| {
        let flags = words("fly --altitude-m 15 --w20-kt 15 --json -q");
        let report = json(&sim(folder.path(), &[&flags[..], gains].concat()));
        assert_eq!(report["domain"], "15.0m-15.0kt");
        report["score"]["ace_m"].as_f64().expect("a number")
    };
    let by_file = ace(&["--gains", "run/gains.toml"]);
    assert_eq!(ace(&["--gains", "run"]), by_file);
    assert_eq!(ace(&["--gains", "run/run.json"]), by_file);
    assert_ne!(ace(&[]), by_file);
    let (code, text) = refusal(folder.path(), &["fly", "--gains", "."]);
    assert!(code == 66 && text.contains("gains.toml"), "{text}");
    // Gains that are not those that the run wrote are nobody's.
    let manifest = r#"{"schema": "windhover-manifest/1", "windhover": "0.3.0", "command": "bo",
        "files": [{"name": "gains.toml", "bytes": 3, "crc32": "00000000"}]}"#;
    fs::write(run.join("manifest.json"), manifest).expect("writable");
    for command in ["fly", "margins", "montecarlo"] {
        let (code, text) = refusal(folder.path(), &[command, "--gains", "run"]);
        let said = "error: run/gains.toml is not what its run wrote; restore it with `bo --resume run`, or";
        assert!(code == 65 && text.starts_with(said), "{text}");
    }
}

#[test]
fn the_worst_flight_of_a_wind_by_its_altitude_is_said_with_that_wind() {
    let folder = temporary();
    let flags = words("montecarlo --flights 3 --altitude-m 15 --w20-kt 15 --gust 4,10,3");
    let text = stdout(&sim(folder.path(), &flags));
    let worst = text.lines().last().expect("the command");
    let words: Vec<&str> = worst.split(' ').collect();
    assert_eq!(words[..4], ["Worst", "flight:", "sim", "fly"], "{worst}");
    assert!(
        worst.contains("--altitude-m=15 --w20-kt=15 --gust=4,10,3 --seed"),
        "{worst}"
    );
    assert!(sim(folder.path(), &words[3..]).status.success(), "{worst}");
}

#[test]
fn every_log_is_written_for_all() {
    let folder = temporary();
    fs::write(folder.path().join("short.csv"), "0,0,0,0\n1,0.1,0,0\n").expect("writable");
    let flags = ["fly", "--traj", "short.csv", "--out", "f", "--log", "all"];
    assert!(sim(folder.path(), &flags).status.success());
    for file in ["samples.csv", "flight.mcap", "flight.ulg"] {
        assert!(folder.path().join("f").join(file).is_file(), "{file}");
    }
}

#[test]
fn shells_and_man_know_the_command_line() {
    let folder = temporary();
    let script = stdout(&sim(folder.path(), &["completions", "bash"]));
    for word in ["sim", "hummingbird", "gusty", "spiral-up", "montecarlo"] {
        assert!(script.contains(word), "{word} is missing");
    }
    assert!(sim(folder.path(), &["man", "man1"]).status.success());
    assert!(folder.path().join("man1/sim-fly.1").is_file());
    assert_eq!(sim(folder.path(), &[]).status.code(), Some(2));
}

#[test]
fn every_folder_says_how_it_was_made() {
    let folder = temporary();
    for (command, schema) in [
        ("fly --traj hover --seed 7 --out f", "windhover-flight/1"),
        (
            "montecarlo --traj hover --flights 5 --out m",
            "windhover-montecarlo/2",
        ),
        ("wind --samples 20 --out w", "windhover-wind/1"),
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        sim(folder.path(), &words);
        let out = words[words.len() - 1];
        let text = fs::read_to_string(folder.path().join(out).join("made.json")).expect(command);
        let made: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(made["schema"], "windhover-made/1");
        assert_eq!(made["result"]["schema"], schema);
        let typed: Vec<&str> = made["command"].as_array().expect("words")[1..]
            .iter()
            .map(|word| word.as_str().expect("text"))
            .collect();
        assert_eq!(typed, words);
        assert_eq!(made.get("gains").is_some(), out != "w", "{command}");
    }
}

/// The name of earlier versions starts the same program.
#[test]
fn the_former_name_says_the_new_one_and_does_the_same() {
    let run = |name: &str| {
        let mut program = Command::cargo_bin(name).expect("the program is built");
        program
            .args(["template", "sensors"])
            .output()
            .expect("it starts")
    };
    let (former, own) = (run("windhover-sim"), run("sim"));
    assert_eq!(former.stdout, own.stdout);
    assert!(former.status.success() && own.stderr.is_empty());
    let note = String::from_utf8_lossy(&former.stderr).into_owned();
    assert_eq!(note, "note: windhover-sim is now called sim\n");
}
