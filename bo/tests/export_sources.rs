//! What `bo export` takes: the folder of a run, or a file of gains.

use sim::autopilot::Px4;
use sim::{Airframe, Gains};
use std::fs;

use crate::exported::{modest, omac_run, text, values_of};
use crate::program::{bo, stderr, stdout};

#[test]
fn a_real_run_can_be_exported() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let small = [
        "--initial",
        "4",
        "--iterations",
        "2",
        "--held-out",
        "2",
        "--out",
        "run",
    ];
    let args = [&["--traj", "hover", "--surrogate", "gp"], &small[..]].concat();
    assert!(bo(folder.path(), &args).status.success());
    // Two held-out winds say nothing: what is exported then is asked for twice.
    let export = ["export", "run", "--to", "json"];
    let output = bo(folder.path(), &export);
    assert_eq!(output.status.code(), Some(65));
    let message = stderr(&output);
    assert!(message.contains("no better than the default"), "{message}");
    let output = bo(folder.path(), &[&export[..], &["--anyway"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let values = values_of("json", &text(folder.path(), "run/json.json"));
    let gains = Gains::from_toml(&text(folder.path(), "run/gains.toml")).expect("gains");
    assert_eq!(values["position_xy.kp"], gains.position_xy.kp);
}

/// The road from a run to a file for PX4: a run says who can hold its gains and what to type next; the
/// export ends in a file with the figure of the gains as written, or says why not and what to do.
#[test]
fn the_road_from_a_run_ends_in_a_file_or_in_a_refusal_that_says_what_to_do() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let here = folder.path();
    let small = ["--initial", "8", "--iterations", "4", "--held-out", "12"];
    let mut ends = Vec::new();
    for surrogate in ["gp", "rf"] {
        let out = format!("run-{surrogate}");
        let run = ["--traj", "fig8", "--surrogate", surrogate, "--out", &out];
        let output = bo(here, &[&run[..], &small].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let told = stdout(&output);
        assert!(told.contains("These gains fit: "), "{told}");
        assert!(told.contains("\nlost flights  "), "{told}");
        let next = format!("bo export {out} --to ");
        let output = bo(here, &["export", &out, "--to", "px4"]);
        let refusal = stderr(&output);
        let file = here.join(format!("{out}/px4.params"));
        ends.push(output.status.code().expect("an exit code"));
        if output.status.success() {
            let small = told.contains("MARGINS TOO SMALL");
            assert_eq!(told.contains(&next), !small, "{told}");
            let text = fs::read_to_string(&file).expect("written");
            let flown = "in simulation: median ACE of completed flights ";
            assert!(text.contains(flown) && text.contains("; before rounding "));
        } else {
            assert_eq!(output.status.code(), Some(65), "{refusal}");
            assert!(!file.exists());
            assert!(refusal.contains(" no better than ") && refusal.contains("--anyway"));
            let alone = told.contains("with --anyway alone");
            assert_eq!(
                alone,
                refusal.contains("the recommended gains are no better")
            );
            assert_eq!(
                alone,
                told.contains(&format!("{out}/config.toml --flights 4"))
            );
        }
        assert!(bo(here, &["report", &out]).status.success());
        let page = text(here, &format!("{out}/report.html"));
        assert!(!page.contains('\u{fffd}'), "a character that is none");
        assert!(page.contains("These gains fit: ") && page.contains("wind, in simulation, the"));
    }
    println!("{ends:?}");
}

#[test]
fn an_exportable_run_flies_and_recommends_only_what_the_autopilot_can_hold() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let small = ["--initial", "6", "--iterations", "3", "--held-out", "2"];
    // PX4's vertical numbers act twice as strongly: the airframe's own are below its ranges.
    let study = "trajectory = \"hover\"\nsurrogate = \"gp\"\n[limits]\nmargins = \"stated\"\n\
                 [gains]\nexportable = \"px4\"\n[gains.bounds]\n\
                 \"position_z.kp\" = { start = 6 }\n\"position_z.ki\" = { start = 1 }\n\
                 \"position_z.kd\" = { start = 6 }\n";
    fs::write(folder.path().join("study.toml"), study).expect("writable");
    let args = [&["--config", "study.toml", "--out", "run"], &small[..]];
    assert!(bo(folder.path(), &args.concat()).status.success());
    let record: serde_json::Value =
        serde_json::from_str(&text(folder.path(), "run/run.json")).expect("JSON");
    assert_eq!(record["settings"]["exportable"], "px4");
    // As late as the autopilot comes.
    assert_eq!(record["problem"]["sensors"]["delay_periods"], 10);
    let limits = sim::autopilot::position_limits(&Px4, &Airframe::omac());
    let limits = limits.expect("a position loop");
    let trials = record["trials"].as_array().expect("a list");
    assert_eq!(trials.len(), 9);
    for trial in trials {
        let mut gains = Airframe::omac().gains;
        let tuned = |name: &str| trial["gains"][name].as_f64().expect(name);
        for (pid, axis) in [
            (&mut gains.position_xy, "position_xy"),
            (&mut gains.position_z, "position_z"),
        ] {
            *pid = sim::Pid {
                kp: tuned(&format!("{axis}.kp")),
                ki: tuned(&format!("{axis}.ki")),
                kd: tuned(&format!("{axis}.kd")),
            };
        }
        assert!(limits.hold(&gains), "{gains:?}");
    }
    let output = bo(folder.path(), &["export", "run", "--to", "px4", "--anyway"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stdout(&output).contains("clamped to"));
}

#[test]
fn a_file_of_gains_gives_the_parameters_of_the_run_that_recommends_them() {
    let folder = omac_run();
    let here = folder.path();
    let gains = modest(&Airframe::omac());
    let toml = toml::to_string(&gains).expect("TOML");
    fs::create_dir(here.join("mine")).expect("writable");
    fs::write(here.join("mine/best.toml"), &toml).expect("writable");
    for (target, file) in [
        ("px4", "px4.params"),
        ("ardupilot", "ardupilot.param"),
        ("json", "json.json"),
    ] {
        for from in ["run", "mine/best.toml"] {
            let output = bo(here, &["export", from, "--to", target]);
            assert!(output.status.success(), "{from}: {}", stderr(&output));
        }
        // The same parameters under another heading, and so in the rollback file.
        let (stem, ending) = file.split_once('.').expect("an ending");
        for file in [file.to_owned(), format!("{stem}-rollback.{ending}")] {
            let body = |folder: &str| -> Vec<String> {
                let text = text(here, &format!("{folder}/{file}"));
                let lines = text.lines().filter(|line| !line.contains("irframe"));
                let lines = lines.filter(|line| !line.contains("Old values"));
                // What only a run's record says.
                let lines = lines.filter(|line| !line.contains("beside the old ones"));
                let lines = lines.filter(|line| !line.contains("Flown as written"));
                let lines = lines.filter(|line| !line.contains("taken as it is"));
                lines
                    .map(|line| line.trim_end_matches(',').to_owned())
                    .collect()
            };
            assert_eq!(body("run"), body("mine"), "{file}");
            assert!(body("mine").len() > 6, "{file}");
        }
        let heading = text(here, &format!("mine/{file}"));
        assert!(heading.contains("SIMULATION ONLY"), "{heading}");
        let said = concat!(
            "Airframe omac, gains of the file best.toml, Windhover ",
            env!("CARGO_PKG_VERSION"),
            ". Tuned: the position loop."
        );
        assert!(heading.contains(said), "{heading}");
        let rollback = text(here, &format!("mine/{stem}-rollback.{ending}"));
        let terms = match target {
            "json" => "SI units",
            _ => "the autopilot's terms",
        };
        let said = format!("the airframe's own gains in {terms}, NOT read");
        assert!(rollback.contains(&said), "{rollback}");
    }
}

#[test]
fn a_file_of_gains_is_mapped_with_the_vehicle_that_is_named() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let here = folder.path();
    let hummingbird = Airframe::by_name("hummingbird").expect("shipped");
    let mut gains = hummingbird.gains;
    gains.rate_kp[0] = 0.3123;
    fs::write(here.join("g.toml"), toml::to_string(&gains).expect("TOML")).expect("writable");
    let mut own = hummingbird.clone();
    own.name = "mine".to_owned();
    own.rotors.thrust_n_s2_per_rad2 *= 2.0;
    fs::write(here.join("mine.toml"), toml::to_string(&own).expect("TOML")).expect("writable");
    let p_roll = |airframe: &str, out: &str| {
        let args = ["export", "g.toml", "--to", "px4", "--out", out];
        let output = bo(here, &[&args[..], &["--airframe", airframe]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let text = text(here, out);
        let line = text.lines().find(|line| line.contains("MC_ROLLRATE_P"));
        let value = line.and_then(|line| line.split('\t').nth(3));
        value.expect("a value").parse::<f64>().expect("a number")
    };
    // Full roll torque is 2√2 T l: twice the thrust, half the normalised gain.
    let shipped = p_roll("hummingbird", "one.params");
    let stronger = p_roll("mine.toml", "two.params");
    assert!(
        (shipped / stronger - 2.0).abs() < 1e-6,
        "{shipped} {stronger}"
    );
    let full = 2.0 * 2f64.sqrt() * 5.57e-6 * 1500f64.powi(2) * own.rotors.positions_m[0][1];
    assert!((shipped - 0.3123 / full).abs() < 1e-6, "{shipped}");
}

#[test]
fn a_file_that_holds_no_new_gains_is_refused() {
    let folder = omac_run();
    let here = folder.path();
    let own = toml::to_string(&Airframe::omac().gains).expect("TOML");
    fs::write(here.join("own.toml"), &own).expect("writable");
    fs::write(here.join("bad.toml"), own.replacen("kp", "kq", 1)).expect("writable");
    let refused = |args: &[&str]| {
        let output = bo(here, &[&["export"], args, &["--to", "px4"]].concat());
        let message = stderr(&output);
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(!here.join("px4.params").exists());
        (output.status.code().expect("an exit code"), message)
    };
    assert_eq!(
        refused(&["own.toml"]),
        (
            65,
            "error: own.toml holds the gains that the airframe omac has already; name the airframe that they are for with --airframe\n".to_owned()
        )
    );
    let (code, message) = refused(&["bad.toml"]);
    assert_eq!(code, 65);
    assert!(
        message.starts_with("error: bad.toml: ") && message.contains("kq"),
        "{message}"
    );
    let (code, message) = refused(&["gone.toml"]);
    assert_eq!(code, 66);
    assert!(
        message.starts_with("error: cannot read gone.toml: "),
        "{message}"
    );
    assert_eq!(
        refused(&["run", "--airframe", "omac"]),
        (
            2,
            "error: --airframe is for a file of gains; a run knows its own\n".to_owned()
        )
    );
    assert_eq!(refused(&["own.toml", "--airframe", "omak"]).0, 2);
}
