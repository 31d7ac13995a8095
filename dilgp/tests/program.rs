//! The program as a user meets it: what it prints, what it writes, and what it says of bad input.

use std::fs;
use std::path::Path;

use crate::desk::Desk;

const GOOD: &str = "a,b,y\n0,1,2\n1,0.5,3\n2,0,5\n3,0.2,4\n4,1,1\n5,0.7,0\n";

/// Fits `a.csv` and tests on `b.csv`.
fn refused_files(a: &str, b: &str, more: &str, code: i32, message: &str) {
    let desk = Desk::with(&[("a.csv", a), ("b.csv", b)]);
    desk.run(&format!(
        "fit --surrogate gp --train a.csv --test b.csv{more}"
    ))
    .refused(code, message);
}

#[test]
fn faults_of_a_file_are_named_with_file_line_and_column() {
    let train = |text: &str, message: &str| {
        refused_files(text, GOOD, "", 65, &format!("a.csv: {message}"));
    };
    train("a,b,y\n1,,3\n", "line 2, column 2: the cell is empty");
    train("1,,3\n1,2,3\n", "line 1, column 2: the cell is empty");
    train(
        "a,b,y\n1,red,3\n",
        "line 2, column 2: `red` is not a number",
    );
    train(
        "a,b,y\n1,2,NaN\n",
        "line 2, column 3: `NaN` is not a finite number",
    );
    train(
        "a,b,y\n1,inf,2\n",
        "line 2, column 2: `inf` is not a finite number",
    );
    train(
        "a,b,y\n1,-1e101,3\n",
        "line 2, column 2: `-1e101` is too large; errors are squared, so numbers must lie within ±1e100",
    );
    train("a,b,y\n1,2,3\n", "1 row(s) of data; at least 2 are needed");
    train("a,b,y\n", "0 row(s) of data; at least 1 are needed");
    train("\n \n", "the file is empty");
    train(
        "a,b,y\n1,2,3\n4,5\n",
        "line 3: 2 cells, but the lines before have 3",
    );
    train(
        "y\n1\n2\n",
        "line 1: one column; a target and at least one input are needed",
    );
    train(
        "x;y\n1;2\n2;3\n",
        "line 1: one column; a target and at least one input are needed; commas part columns, here semicolons do",
    );
    train(
        "a,b,a\n1,2,3\n",
        "line 1, column 3: the name `a` stands twice in the header",
    );
    train(
        "a,\"b,y\n1,2,3\n",
        "line 1, column 2: the quotation mark is never closed",
    );
}

#[test]
fn test_data_with_other_columns_are_refused() {
    let test = |text: &str, message: &str| {
        refused_files(GOOD, text, "", 65, &format!("b.csv: {message}"));
    };
    test(
        "a,y\n1,2\n",
        "line 1: 2 columns, but the training data have 3",
    );
    test(
        "a,c,y\n1,2,3\n",
        "line 1, column 2: the name is `c`, but `b` in the training data",
    );
    test("a,b,y\n1,x,3\n", "line 2, column 2: `x` is not a number");
}

#[test]
fn text_that_is_not_text_and_files_that_are_not_there() {
    let desk = Desk::with(&[("b.csv", GOOD)]);
    fs::write(desk.path("a.csv"), b"a,y\n1,2\n\xff,3\n").unwrap();
    desk.run("fit --train a.csv --test b.csv")
        .refused(65, "a.csv: line 3: not UTF-8 text");
    let gone = desk.run("fit --train gone.csv --test b.csv");
    assert_eq!(gone.code, 66);
    assert!(gone.stderr.starts_with("error: cannot read gone.csv: "));
    assert_eq!(gone.stderr.lines().count(), 1);
}

#[test]
fn targets_are_found_by_name() {
    refused_files(
        GOOD,
        GOOD,
        " --target z",
        65,
        "a.csv: line 1: no column is named `z`; the header has a, b, y",
    );
    refused_files(
        "1,2\n3,4\n",
        "1,2\n",
        " --target y",
        65,
        "a.csv: line 1: no header line, so no column is named `y`",
    );
    let desk = Desk::with(&[("a.csv", GOOD)]);
    let json = desk
        .run("fit --surrogate gp --train a.csv --test a.csv --target a --json")
        .json();
    assert_eq!(json["target"], "a");
    assert_eq!(json["inputs"], serde_json::json!(["b", "y"]));
}

#[test]
fn flags_that_do_not_fit_are_usage_errors() {
    let usage = |more: &str, message: &str| {
        let desk = Desk::with(&[("a.csv", GOOD)]);
        let line = format!("fit --train a.csv --test a.csv {more}");
        desk.run(&line).refused(2, message);
    };
    usage(
        "--surrogate dilgp",
        "unknown surrogate `dilgp`: did you mean `dil-gp`? \
         Known: rf, mlp, gp, gp-rq, gp-dp, dil-gp",
    );
    usage(
        "--surrogate rf --lambda 2",
        "--lambda does not apply to the forest",
    );
    usage(
        "--surrogate mlp --lambda 2",
        "--lambda does not apply to the network",
    );
    usage(
        "--surrogate rf --hidden 64",
        "--hidden does not apply to the forest",
    );
    usage(
        "--surrogate gp --optimizer sgd --kernel rbf-ard",
        "--kernel is an -ard kernel; it must be rbf, rq, dp or matern52, except for gp trained by \
         lbfgs",
    );
    usage(
        "--kernel matern52-ard",
        "--kernel is an -ard kernel; it must be rbf, rq, dp or matern52, except for gp trained by \
         lbfgs",
    );
    usage(
        "--surrogate gp --mode paper",
        "--mode does not apply to gp, gp-rq and gp-dp, except as --mode released",
    );
    usage(
        "--mode released --optimizer lbfgs",
        "--optimizer is lbfgs; it must be sgd in mode released",
    );
    usage(
        "--mode hierarchical --optimizer sgd",
        "--optimizer is sgd; it must be lbfgs in modes hierarchical and per-point",
    );
    usage(
        "--mode hierarchical --lr 0.1",
        "--lr does not apply to dil-gp in mode hierarchical",
    );
    usage(
        "--lambda -1",
        "lambda of dil-gp is -1; it must be a finite number of at least 0",
    );
    usage(
        "--surrogate gp-rq --kernel dp",
        "--kernel does not apply to gp-rq and gp-dp, whose names say their kernel",
    );
    usage(
        "--environments kmeans:9",
        "--environments is kmeans:9; it must be kmeans, kmeans:K with K from 1 to the number of \
         training rows, or a file",
    );
    usage(
        "--environments kmeans:3",
        "this mode weighs two environments against each other, not 3",
    );
    let desk = Desk::with(&[("a.csv", GOOD)]);
    let mode = desk.run("fit --train a.csv --test a.csv --mode realesed");
    assert_eq!(mode.code, 2);
    assert_eq!(mode.stderr.lines().count(), 1);
    assert!(mode.stderr.contains("released") && mode.stderr.contains("hierarchical"));
}

#[test]
fn labels_are_read_and_their_faults_named() {
    let labels = "who\nnorth\nsouth\nnorth\nsouth\nnorth\nsouth\n";
    let desk = Desk::with(&[
        ("a.csv", GOOD),
        ("l.csv", labels),
        ("short.csv", "1\n2\n"),
        ("wide.csv", "1,2\n"),
        ("three.csv", "1\n2\n3\n1\n2\n3\n"),
    ]);
    let fit = |more: &str| desk.run(&format!("fit --train a.csv --test a.csv --json {more}"));
    let json = fit("--mode hierarchical --environments l.csv").json();
    let weights = serde_json::json!([1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
    assert_eq!(json["environments"], weights);
    let names = json["hyperparameters"].as_object().unwrap();
    assert!(names.contains_key("noise_1") && names.contains_key("shared_amplitude"));
    let three = fit("--mode hierarchical --environments three.csv").json();
    assert!(three["hyperparameters"]["noise_2"].as_f64().unwrap() > 0.0);
    fit("--environments short.csv")
        .refused(65, "short.csv: 2 labels, but the training data have 6 rows");
    fit("--environments wide.csv")
        .refused(65, "wide.csv: line 1: 2 cells, but the lines before have 1");
    assert_eq!(fit("--environments gone.csv").code, 66);
}

/// On n rows, `per-point` with lambda is `paper` with lambda / (2 n).
#[test]
fn the_modes_minimise_the_objectives_that_the_help_states() {
    let rows: String = (0..32)
        .map(|i| {
            let x = f64::from(i) / 31.0;
            format!("{x},{}\n", (9.0 * x).sin() + 0.2 * f64::from(i % 5))
        })
        .collect();
    let desk = Desk::with(&[("a.csv", &rows)]);
    let fit = |more: &str| {
        let line = format!("fit --train a.csv --test a.csv --json {more}");
        let json = desk.run(line.trim_end()).json();
        (
            json["lambda"].as_f64().unwrap(),
            json["hyperparameters"].clone(),
        )
    };
    let (lambda, per_point) = fit("--mode per-point");
    assert_eq!(lambda, 1.0);
    assert_eq!(fit("--mode paper --lambda 0.015625").1, per_point);
    let (default, paper) = fit("");
    assert_eq!(Some(default), dilgp::default_lambda("dil-gp"));
    assert!(dilgp::LAMBDA_GRID.contains(&default));
    assert_eq!(fit(&format!("--mode paper --lambda {default}")).1, paper);
    assert!(fit("--lambda 3").1 != paper);
    assert_eq!(fit("--mode released").0, 1.0);
    assert_eq!(fit("--optimizer sgd").0, default);
}

#[test]
fn lambda_can_be_left_to_cross_validation_on_the_training_set() {
    let rows: Vec<String> = (0..24)
        .map(|i| format!("{},{}", i % 7 + 9 * (i % 4), i % 5))
        .collect();
    let desk = Desk::with(&[("a.csv", &rows.join("\n")), ("l.csv", &"1\n2\n".repeat(12))]);
    let fit = |more: &str| desk.run(&format!("fit --train a.csv --test a.csv --json {more}"));
    let json = fit("--mode released --lambda cv").json();
    let tried = json["cross_validation"].as_array().unwrap();
    let tried: Vec<f64> = tried.iter().map(|pair| pair[0].as_f64().unwrap()).collect();
    assert_eq!(tried, [0.0, 0.01, 0.1, 1.0, 10.0]);
    assert!(tried.contains(&json["lambda"].as_f64().unwrap()));
    let given = fit("--lambda 0").json();
    assert!(given["cross_validation"].is_null() && given["lambda"] == 0.0);
    fit("--lambda cv --environments l.csv").refused(
        2,
        "--lambda is cv; it must be a number where environments are given by a file",
    );
    let word = fit("--lambda high");
    assert_eq!((word.code, word.stderr.lines().count()), (2, 1));
    let left_out = &fit("--surrogate gp --kernel matern52").json()["leave_one_out"];
    assert!(left_out["rmse"].as_f64().unwrap() > 0.0);
}

#[test]
fn layers_and_relevance_come_out_of_the_command_line() {
    let desk = Desk::with(&[("a.csv", GOOD)]);
    let fit = |more: &str| desk.run(&format!("fit --train a.csv --test a.csv --json {more}"));
    let json = fit("--surrogate mlp --hidden 64-32-16").json();
    let units = |k: usize| json["hyperparameters"][format!("hidden_{k}")].as_f64();
    assert_eq!([1, 2, 3].map(units), [64.0, 32.0, 16.0].map(Some));
    assert!(json["calibration"].is_null());
    assert_eq!(
        fit("--surrogate mlp").json()["hyperparameters"]["hidden"],
        100.0
    );
    for bad in ["0", "64-", "64,64", "5000"] {
        let ran = fit(&format!("--surrogate mlp --hidden {bad}"));
        assert_eq!((ran.code, ran.stderr.lines().count()), (2, 1), "{bad}");
        assert!(
            ran.stderr.contains("units from 1 to 4096"),
            "{}",
            ran.stderr
        );
    }
    for (kernel, count) in [("rbf-ard", 4), ("matern52-ard", 4), ("rq-ard", 5)] {
        let json = fit(&format!("--surrogate gp --kernel {kernel}")).json();
        let found = json["hyperparameters"].as_object().unwrap();
        assert_eq!(found.len(), count, "{kernel}");
        assert!(found["length_1"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn a_folder_holds_predictions_result_and_picture_and_is_not_overwritten() {
    let one = "x,y\n0,1\n1,3\n2,2\n3,5\n";
    let desk = Desk::with(&[("a.csv", one), ("two.csv", GOOD)]);
    let fit = |more: &str| desk.run(&format!("fit --surrogate gp {more}"));
    let ran = fit("--train a.csv --test a.csv --out runs/one --json");
    let written = fs::read_to_string(desk.path("runs/one/result.json")).unwrap();
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert_eq!(written, ran.json());
    let predictions = fs::read_to_string(desk.path("runs/one/predictions.csv")).unwrap();
    assert_eq!(
        predictions.lines().next().unwrap(),
        "x,y,mean,std,observation_std"
    );
    assert_eq!(predictions.lines().count(), 5);
    let kept = |folder: &str, file: &str| Path::exists(&desk.path(folder).join(file));
    assert!(kept("runs/one", "fit.png") && kept("runs/one", "fit.svg"));
    fit("--train two.csv --test two.csv --out two");
    assert!(kept("two", "fit.png"));
    assert!(kept("two", "calibration.png") && kept("two", "calibration.svg"));
    let shares = written["calibration"]["shares"].as_array().unwrap();
    assert_eq!(shares.len(), 10);
    let rising = shares
        .windows(2)
        .all(|pair| pair[0].as_f64() <= pair[1].as_f64());
    assert!(rising && written["calibration"]["levels"][9] == 0.95);
    fit("--train a.csv --test a.csv --out two").refused(
        73,
        "two already holds files; name a new folder, nothing was overwritten",
    );
    let below_file = fit("--train a.csv --test a.csv --out a.csv/sub");
    assert_eq!(
        (below_file.code, below_file.stderr.lines().count()),
        (73, 1)
    );
    // A fit that fails leaves no folder behind.
    let failed = fit("--mode released --lr 1e9 --train a.csv --test a.csv --out none");
    assert_eq!(failed.code, 65);
    assert!(!desk.path("none").exists());
}

#[test]
fn every_surrogate_and_mode_prints_its_scores_in_the_user_s_units() {
    let rows: Vec<String> = (0..30)
        .map(|i| {
            let x = f64::from(i) / 3.0;
            format!("{x},{}", 1000.0 + 50.0 * x.sin())
        })
        .collect();
    let desk = Desk::with(&[("a.csv", &rows.join("\n"))]);
    for flags in [
        "--surrogate rf",
        "--surrogate mlp",
        "--surrogate gp",
        "--surrogate gp-rq",
        "--surrogate gp-rq --mode released",
        "--surrogate gp --optimizer sgd --loss mean --epochs 300 --lr 0.05 --momentum 0.5",
        "--surrogate dil-gp",
        "--kernel rq --epochs 2 --inner-steps 5 --env-lr 0.5 --lambda 0.1",
        "--mode released --kernel rbf",
        "--optimizer sgd --inner-steps 2",
        "--mode hierarchical --kernel rq",
        "--mode hierarchical --environments kmeans:3 --lambda 0.5",
    ] {
        let json = desk
            .run(&format!("fit --train a.csv --test a.csv --json {flags}"))
            .json();
        let rmse = json["rmse"].as_f64().unwrap();
        assert!(rmse < 40.0, "{flags}: {rmse}");
        assert_eq!(json["coverage"].is_null(), flags.contains("mlp"), "{flags}");
        assert!(json["hyperparameters"].as_object().unwrap().len() > 1);
    }
}

#[test]
fn the_same_command_prints_the_same_bytes() {
    let desk = Desk::with(&[("a.csv", GOOD)]);
    let run = || {
        desk.run("fit --train a.csv --test a.csv --json --seed 4")
            .stdout
    };
    assert_eq!(run(), run());
}

#[test]
fn the_golden_end_points_come_out_of_the_command_line() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    if !data.join("ref_syn1d_train.csv").exists() {
        eprintln!("skipped: the reference sets are not beside the workspace");
        return;
    }
    let desk = Desk::with(&[]);
    for (flags, set, rmse, coverage) in [
        (
            "--surrogate gp --mode released --lr 0.005",
            "1d",
            0.40015863,
            0.9,
        ),
        (
            "--surrogate gp --mode released --loss mean --lr 0.01",
            "2d",
            0.73381824,
            0.925,
        ),
        ("--mode released --lr 0.005", "1d", 0.33803312, 0.9125),
        ("--mode released --lr 0.01", "2d", 0.66020806, 0.8625),
    ] {
        let file = |part: &str| {
            data.join(format!("ref_syn{set}_{part}.csv"))
                .display()
                .to_string()
        };
        let (train, test) = (file("train"), file("test"));
        let line = format!("fit {flags} --no-scale --json --train {train} --test {test}");
        let json = desk.run(&line).json();
        approx::assert_abs_diff_eq!(json["rmse"].as_f64().unwrap(), rmse, epsilon = 1e-6);
        approx::assert_abs_diff_eq!(json["coverage"].as_f64().unwrap(), coverage, epsilon = 1e-9);
    }
}
