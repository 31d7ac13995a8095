//! What is said of a fit that means less than it seems to, of its units, and while it lasts.

use std::path::Path;
use std::time::Instant;

use crate::sandbox::{Ran, Sandbox};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Warnings on standard error, which are those of the result.
fn warnings(ran: &Ran) -> Vec<String> {
    let of_result = ran.json()["warnings"].clone();
    let of_result: Vec<String> = serde_json::from_value(of_result).unwrap();
    let lines = ran
        .stderr
        .lines()
        .filter_map(|line| line.strip_prefix("warning: "));
    assert_eq!(lines.collect::<Vec<_>>(), of_result);
    of_result
}

/// A file of the failing inputs that lie outside of the repository, in the folder of a test.
fn copied(folder: &Sandbox, name: &str) -> bool {
    let shared = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/cases/learning");
    let copied = std::fs::copy(Path::new(shared).join(name), folder.path(name)).is_ok();
    if !copied {
        eprintln!("skipped: {name} is not next to the workspace");
    }
    copied
}

#[test]
fn columns_and_targets_that_are_constant_are_named() {
    let folder = Sandbox::with(&[
        (
            "a.csv",
            "a,year,y\n0,2001,2\n1,2001,3\n2,2001,5\n3,2001,4\n",
        ),
        ("b.csv", "a,year,y\n0,2014,2\n1,2016,3\n"),
        ("flat.csv", "a,y\n0,7\n1,7\n2,7\n"),
    ]);
    let fit = |train: &str, test: &str, more: &str| {
        folder.run(&format!(
            "fit --surrogate gp --train {train} --test {test} --json{more}"
        ))
    };
    let moved = "`year` is 2001 in all training data and 2014 to 2016 in the test data: its effect was not learnt";
    assert_eq!(warnings(&fit("a.csv", "b.csv", ""))[0], moved);
    assert_eq!(warnings(&fit("a.csv", "b.csv", " --drop year")), [""; 0]);
    let same = warnings(&fit("a.csv", "a.csv", ""));
    assert_eq!(same, ["`year` is constant: nothing is learnt from it"]);
    let flat = warnings(&fit("flat.csv", "flat.csv", ""));
    assert_eq!(
        flat,
        ["the target `y` is 7 in all training data: nothing was learnt"]
    );
    let files = ["constant_column_train.csv", "constant_column_test.csv"];
    if files.iter().all(|name| copied(&folder, name)) {
        assert_eq!(warnings(&fit(files[0], files[1], ""))[0], moved);
    }
}

#[test]
fn a_test_error_above_that_of_the_mean_is_said() {
    let folder = Sandbox::with(&[
        ("a.csv", "a,y\n0,0\n1,1\n2,2\n3,3\n4,4\n"),
        ("b.csv", "a,y\n0,4\n4,0\n"),
    ]);
    let ran = folder.run("fit --surrogate gp --train a.csv --test b.csv --json");
    let expected = "the mean of the training data has a lower test error, RMSE 2";
    assert_eq!(warnings(&ran), [expected]);
}

/// A sine of `waves` in 0..1 at `n` random points with noise, and itself.
fn sine(seed: u64, n: usize, waves: f64, noise: f64) -> [String; 2] {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let f = |x: f64| (std::f64::consts::TAU * waves * x).sin();
    let mut row = |_| {
        let x: f64 = random.random();
        let z: f64 = StandardNormal.sample(&mut random);
        format!("{x},{}\n", f(x) + noise * z)
    };
    let train = (0..n).map(&mut row).collect();
    let test = (0..101).map(|i| f64::from(i) / 100.0);
    [train, test.map(|x| format!("{x},{}\n", f(x))).collect()]
}

#[test]
fn good_fits_are_not_warned_of_and_noise_is() {
    let folder = Sandbox::with(&[]);
    let write = |files: [String; 2]| {
        for (name, text) in ["a.csv", "b.csv"].into_iter().zip(files) {
            std::fs::write(folder.path(name), text).unwrap();
        }
    };
    let fit = || warnings(&folder.run("fit --surrogate gp --train a.csv --test b.csv --json"));
    for (seed, n) in [20, 35, 60, 100].into_iter().enumerate() {
        for noise in [0.0, 0.05, 0.2] {
            write(sine(seed as u64, n, 1.5, noise));
            assert_eq!(fit(), [""; 0], "{n} points, noise {noise}");
        }
    }
    write(sine(1, 100, 0.0, 1.0));
    let said = fit();
    assert!(
        said.iter()
            .any(|line| line.contains("hardly better than by their mean")),
        "{said:?}"
    );
}

/// The default mode on small noisy sines: near the plain process, or a warning.
#[test]
fn a_penalty_that_does_harm_is_said() {
    let folder = Sandbox::with(&[]);
    let mut harmed = 0;
    for seed in 0..6 {
        for (name, text) in ["a.csv", "b.csv"].into_iter().zip(sine(seed, 60, 1.6, 0.2)) {
            std::fs::write(folder.path(name), text).unwrap();
        }
        let fit = |more: &str| {
            let ran = folder.run(&format!("fit --train a.csv --test b.csv --json {more}"));
            (ran.json()["rmse"].as_f64().unwrap(), warnings(&ran))
        };
        let (plain, none) = fit("--surrogate gp");
        assert_eq!(none, [""; 0]);
        let (penalised, said) = fit("--seed 0");
        let said = said
            .iter()
            .any(|line| line.starts_with("the penalty costs more"));
        assert!(
            penalised < 1.2 * plain || said,
            "seed {seed}: {penalised}, {plain}"
        );
        harmed += u8::from(said);
        assert_eq!(fit("--lambda 0").1, [""; 0]);
    }
    assert!(harmed > 0);
}

#[test]
fn labels_are_kept_where_that_is_asked_for() {
    let train = "rooms,area,price\n3,12,25\n2,9,18\n4,20,41\n3,15,30\n5,22,45\n2,8,15\n";
    let labels = ["a\na\nb\nb\na\nb\n", "a\na\na\na\na\na\n"];
    let folder = Sandbox::with(&[
        ("a.csv", train),
        ("l.csv", labels[0]),
        ("one.csv", labels[1]),
    ]);
    let fit = |more: &str| folder.run(&format!("fit --train a.csv --test a.csv --json {more}"));
    let kept = serde_json::json!([1.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    for mode in [
        "paper",
        "released",
        "per-point",
        "hierarchical",
        "paper --optimizer sgd",
    ] {
        let json = fit(&format!(
            "--mode {mode} --environments l.csv --environments-fixed"
        ))
        .json();
        assert_eq!(json["environments"], kept, "{mode}");
        assert!(
            json["objective"].is_f64() && json["rmse"].is_f64(),
            "{json}"
        );
    }
    let moved = fit("--mode paper --environments l.csv").json();
    assert!(moved["environments"] != kept);
    let one = fit("--mode paper --environments one.csv --environments-fixed");
    let said = "warning: one.csv: all rows have one label, so one environment\n";
    assert!(one.code == 0 && one.stderr.contains(said), "{}", one.stderr);
    fit("--environments kmeans --environments-fixed").refused(
        2,
        "--environments is kmeans; it must be a file of labels with --environments-fixed",
    );
    assert_eq!(fit("--environments-fixed").code, 2);
    if copied(&folder, "labels_train.csv") && copied(&folder, "labels_env.csv") {
        let line = "fit --train labels_train.csv --test labels_train.csv --json";
        let line = format!("{line} --environments labels_env.csv --environments-fixed");
        let weights = folder.run(&line).json()["environments"].clone();
        assert_eq!(weights, serde_json::json!([1.0, 1.0, 0.0, 0.0, 1.0, 0.0]));
    }
}

#[test]
fn hyper_parameters_are_in_the_same_units_however_they_are_scaled() {
    let rows: String = (0..30)
        .map(|i| {
            let [a, b] = [f64::from(i) * 10.0, f64::from(i * i % 7)];
            format!("{a},{b},{}\n", 1e6 + 1e5 * (a / 40.0).sin() + 2e4 * b)
        })
        .collect();
    let folder = Sandbox::with(&[("a.csv", &format!("a,b,y\n{rows}"))]);
    let fit = |more: &str| {
        let line = format!("fit --surrogate gp --train a.csv --test a.csv --json {more}");
        let json = folder.run(line.trim_end()).json();
        let in_units = json["in_units"].as_array().unwrap().clone();
        let entry = |name: &str| {
            let entry = in_units.iter().find(|entry| entry["name"] == name);
            let entry = entry.unwrap_or_else(|| panic!("{name}: {in_units:?}"));
            (
                entry["value"].as_f64().unwrap(),
                entry["unit"].as_str().unwrap().to_owned(),
            )
        };
        (
            json.clone(),
            ["signal_std", "noise_std"].map(entry),
            in_units,
        )
    };
    let (json, [signal, noise], all) = fit("");
    assert!(
        signal.0 > 1e4 && signal.0 < 1e6 && noise.0 < signal.0,
        "{signal:?}"
    );
    assert_eq!((signal.1.as_str(), noise.1.as_str()), ("y", "y"));
    let length = json["hyperparameters"]["length_squared"]
        .as_f64()
        .unwrap()
        .sqrt();
    assert_eq!(
        (all[1]["name"].clone(), all[1]["value"].as_f64()),
        ("length".into(), Some(length))
    );
    assert_eq!(all[1]["unit"], "std of each input");
    assert_eq!(fit("--no-scale").2[1]["unit"], "unit of the inputs");
    // A length for each input is in its unit, scaled or not.
    let of_a = |more: &str| {
        let (_, [signal, _], all) = fit(format!("--kernel rbf-ard {more}").trim_end());
        assert_eq!(
            (&all[1]["name"], &all[1]["unit"]),
            (&"length_1".into(), &"a".into())
        );
        (signal.0, all[1]["value"].as_f64().unwrap())
    };
    let (signal, length) = of_a("");
    assert!(length > 10.0 && length < 300.0, "{length}");
    assert!(signal > 1e4, "{signal}");
    // By gradient descent, unscaled targets stay as they are.
    let folder = Sandbox::with(&[("a.csv", "x,y\n0,1\n1,3\n2,2\n3,5\n")]);
    let line = "fit --mode released --no-scale --train a.csv --test a.csv --json";
    let json = folder.run(line).json();
    let noise = json["hyperparameters"]["noise"].as_f64().unwrap().sqrt();
    approx::assert_relative_eq!(json["in_units"][2]["value"].as_f64().unwrap(), noise);
    let folder = Sandbox::with(&[]);
    if copied(&folder, "no_scale_train.csv") && copied(&folder, "no_scale_test.csv") {
        let line = "fit --surrogate gp --no-scale --train no_scale_train.csv";
        let json = folder
            .run(&format!("{line} --test no_scale_test.csv --json"))
            .json();
        assert!(
            json["in_units"][2]["value"].as_f64().unwrap() > 1e4,
            "{json}"
        );
    }
}

#[test]
fn a_long_fit_says_how_far_it_is() {
    let [train, test] = sine(1, 700, 1.5, 0.2);
    let folder = Sandbox::with(&[("a.csv", &train), ("b.csv", &test)]);
    let started = Instant::now();
    let ran = folder.run("fit --surrogate gp --train a.csv --test b.csv --json");
    ran.json();
    let took = started.elapsed().as_secs_f64();
    let said = ran
        .stderr
        .lines()
        .filter(|line| line.starts_with("fitting, "));
    let said: Vec<&str> = said.collect();
    assert!(said.len() as f64 <= took / 2.0, "{said:?}");
    if took > 6.0 {
        assert!(
            !said.is_empty() && said[0].ends_with(" likelihoods"),
            "{}",
            ran.stderr
        );
    }
}
