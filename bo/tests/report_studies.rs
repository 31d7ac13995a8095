//! Reports on runs that are not the paper's: own waypoints and vehicle, several flights to an
//! evaluation, a weighted cost, one test domain, other surrogates.

use serde_json::Value;
use std::fs;
use std::path::Path;

use crate::program::cells::done;
use crate::program::{bo, record, stderr, temporary, tune};
use crate::reported::{ends, flights, number, page, signed};

/// A study in which little is as usual.
const STUDY: &str = r#"
trajectory = "square.csv"
airframe = "hummingbird"
surrogate = "gp"
seed = 3
[budget]
initial = 5
iterations = 4
flights = 3
together = 1
held_out = 6
[gains]
tune = ["position_xy.kp", "position_z.kd", "rate_kp.xy"]
[gains.bounds]
"position_xy.kp" = { low = 2.0, high = 12.0, start = 5.0, scale = "linear" }
[cost]
effort_m = 0.05
saturation_m = 0.5
[[training]]
domain = "gusty"
share = 1
[[test]]
domain = { name = "breeze", mean_m_s = [2.0, 0.0, 0.0], sigma_m_s = [0.8, 0.8, 0.4], length_m = [30.0, 30.0, 10.0], reference_speed_m_s = 3.0 }
"#;

fn run_study(folder: &Path, study: &str) -> Value {
    let way = "t,x,y,z\n0,0,0,0\n2,1,0,0.5\n4,1,1,0\n";
    fs::write(folder.join("square.csv"), way).expect("writable");
    fs::write(folder.join("study.toml"), study).expect("writable");
    done(folder, "--config study.toml --out run");
    record(folder, "run")
}

#[test]
fn a_study_of_ones_own_is_reported_with_its_own_numbers() {
    let folder = temporary();
    let run = run_study(folder.path(), STUDY);
    let page = page(folder.path(), "run");
    // Flown again along the waypoints, by the other vehicle, in the one own domain.
    assert!(page.contains("equal the record to the last bit"));
    let replay = flights(&page);
    assert_eq!(replay["domains"], serde_json::json!(["breeze"]));
    for (place, candidate) in ["default", "recommended"].iter().enumerate() {
        let test = &run[candidate]["tests"][0];
        let [low, median, high] = ends(&test["completed_m"]);
        let cell = format!("<td>{median:.3} [{low:.3}, {high:.3}]");
        assert!(page.contains(&cell), "{candidate}: {cell} is missing");
        let flight = &replay["flights"][0][place];
        let ace = number(&flight["ace"]) * 1e-4;
        assert!((ace - number(&test["ace_m"][0])).abs() <= 0.5001e-4);
        let duration = flight["saturated"].as_array().expect("a list").len() as f64 / 50.0;
        assert!((duration - 4.0).abs() < 0.05, "{duration} s");
    }
    let difference = &run["recommended"]["against_default"][0]["error_m"];
    assert!(page.contains(&format!("<td>{} [", signed(number(&difference["median"])))));
    // The cost, the number of flights, the scale of its own.
    for phrase in [
        "An evaluation costs J = ACE + 0.05 m × effort + 0.5 m × saturation.",
        "Each is the mean of 3 flights in winds of its own",
        "cost J [m]",
        "on each gain’s own scale",
        "bo --config run/config.toml --out again",
    ] {
        assert!(page.contains(phrase), "{phrase}");
    }
    for knob in ["position_xy.kp", "position_z.kd", "rate_kp.xy"] {
        assert!(page.contains(&format!("<code>{knob}</code>")), "{knob}");
    }
    assert!(
        !page.contains("<code>position_z.kp</code>"),
        "it is not tuned"
    );
    assert!(
        !page.contains("NaN") && !page.contains(">inf"),
        "every number is one"
    );
}

#[test]
fn beliefs_about_mean_weighted_costs_are_those_of_the_run() {
    let folder = temporary();
    let run = run_study(folder.path(), STUDY);
    let page = page(folder.path(), "run");
    assert!(page.contains("each of the 4 trials that the acquisition chose"));
    assert!(page.contains("models give the acquisition values of the record"));
    // The cost that is predicted is the mean of J, not an ACE.
    let trial = &run["trials"][6];
    let score = |flight: &Value, key: &str| number(&flight["score"][key]);
    let flown = trial["flights"].as_array().expect("a list");
    let costs = flown.iter().map(|flight| {
        score(flight, "ace_m")
            + 0.05 * score(flight, "effort")
            + 0.5 * score(flight, "rotor_saturation")
    });
    let mean = costs.sum::<f64>() / 3.0;
    assert!((number(&trial["cost_m"]) - mean).abs() < 1e-12);
}

#[test]
fn every_surrogate_that_claims_uncertainty_is_held_to_it() {
    let folder = temporary();
    for (surrogate, claims) in [("dil-gp", true), ("gp-rq", true), ("mlp", false)] {
        let args = [
            "--traj",
            "hover",
            "--surrogate",
            surrogate,
            "--out",
            surrogate,
        ];
        let output = tune(folder.path(), &args);
        assert!(output.status.success(), "{}", stderr(&output));
        let page = page(folder.path(), surrogate);
        assert!(
            page.contains("models give the acquisition values of the record"),
            "{surrogate}"
        );
        assert_eq!(page.contains("interval should hold"), claims, "{surrogate}");
        assert_eq!(
            page.contains("claims no uncertainty"),
            !claims,
            "{surrogate}"
        );
    }
}

#[test]
fn a_search_by_noise_says_what_it_judged_and_how_many_flights_that_made() {
    let folder = temporary();
    let budget = ["--initial", "10", "--iterations", "24", "--held-out", "3"];
    let args = ["--traj", "hover", "--surrogate", "auto", "--out", "auto"];
    let output = bo(folder.path(), &[&args[..], &budget].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let trials = record(folder.path(), "auto")["trials"].clone();
    let judged: Vec<&Value> = trials
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|trial| trial.get("regime"))
        .collect();
    // From the thirtieth on.
    assert_eq!(judged.len(), 4);
    let loud = judged.iter().filter(|one| one["loud"] == true).count();
    let last = judged.last().expect("four");
    let page = page(folder.path(), "auto");
    for phrase in [
        "Judged before each of the last 4 flights".to_owned(),
        format!(
            "lies {:.1} standard deviations of one flight above",
            number(&last["signal"])
        ),
        format!(
            "{:.1} standard deviations of their difference",
            number(&last["contrast"])
        ),
        format!(
            "{loud} of them were drawn from the gains that one flight could hardly distinguish"
        ),
        format!("(signal {:.1} σ), so the search ", number(&last["signal"])),
    ] {
        assert!(page.contains(&phrase), "{phrase}");
    }
}

#[test]
fn an_evaluation_that_lost_one_flight_of_several_names_that_flight() {
    let folder = temporary();
    // A third of the training winds carries the vehicle away.
    let storm = "{ name = \"storm\", mean_m_s = [60, 0, 0], sigma_m_s = [20, 20, 20], \
                 length_m = [50, 50, 50], reference_speed_m_s = 60 }";
    let study = format!("{STUDY}[[training]]\nshare = 0.2\ndomain = {storm}\n");
    let run = run_study(folder.path(), &study);
    let page = page(folder.path(), "run");
    let mut lost = 0;
    for trial in run["trials"].as_array().expect("a list") {
        let flown = trial["flights"].as_array().expect("a list");
        let gone = |flight: &&Value| flight["outcome"]["end"] != "completed";
        let Some(flight) = flown.iter().find(gone) else {
            assert_eq!(trial["lost"], false);
            continue;
        };
        lost += 1;
        let (domain, seed) = (&flight["weather"]["domain"], &flight["weather"]["seed"]);
        let seed = seed.to_string().replace('"', "");
        let row = format!(
            "<td>{}</td><td>{}</td><td><code>{seed}</code></td><td>{:.2} s</td>",
            trial["number"],
            domain.as_str().expect("a name"),
            number(&flight["outcome"]["at_s"])
        );
        assert!(page.contains(&row), "{row}");
    }
    assert!(
        (1..9).contains(&lost),
        "some are lost and some are not: {lost}"
    );
    assert!(page.contains("of the tuning lost a flight; this is what tuning costs"));
}

#[test]
fn without_its_study_file_a_run_is_shown_but_not_made_again() {
    let folder = temporary();
    let here = folder.path();
    let args = ["--traj", "hover", "--surrogate", "gp", "--out", "plain"];
    assert!(tune(here, &args).status.success());
    assert!(page(here, "plain").contains("bo --config plain/config.toml --out again"));
    fs::remove_file(here.join("plain/config.toml")).expect("there");
    fs::remove_file(here.join("plain/report.html")).expect("there");
    let html = page(here, "plain");
    assert!(!html.contains("bo --config") && html.contains("config.toml, is missing"));

    // Waypoints stand in the study file alone.
    run_study(here, STUDY);
    fs::remove_file(here.join("run/config.toml")).expect("there");
    let output = bo(here, &["report", "run"]);
    assert_eq!(output.status.code(), Some(65));
    assert_eq!(
        stderr(&output),
        "error: run/run.json: the trajectory `square` is not a shipped one, and the run's config.toml does not hold it\n"
    );
}
