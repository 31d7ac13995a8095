//! The program as a user meets it: what it prints, what it writes, and what it says of bad input.

use std::fs;
use std::path::Path;

use crate::sandbox::Sandbox;

const GOOD: &str = "a,b,y\n0,1,2\n1,0.5,3\n2,0,5\n3,0.2,4\n4,1,1\n5,0.7,0\n";

/// Checks that a fit of `a.csv`, tested on `b.csv`, refuses with a message.
fn refused(a: &str, b: &str, flags: &str, code: i32, message: &str) {
    let folder = Sandbox::with(&[("a.csv", a), ("b.csv", b)]);
    let line = format!("fit --train a.csv --test b.csv {flags}");
    folder.run(line.trim_end()).refused(code, message);
}

/// The two sides of each line of a table, the one before and the one behind the arrow.
fn cases(table: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = table.trim().lines();
    lines.map(|line| line.trim().split_once(" -> ").unwrap())
}

/// Files, a bar for each line break, and the fault that is named.
const FAULTS: &str = "
    a,b,y|1,,3| -> line 2, column 2: the cell is empty
    1,,3|1,2,3| -> line 1, column 2: the cell is empty
    a,b,y|1,red,3| -> line 2, column 2: `red` is not a number; for words: --categorical b, or --drop b
    a,b,y|1,2,red| -> line 2, column 3: `red` is not a number
    1,2,3|1,red,3| -> line 2, column 2: `red` is not a number; for words: --categorical x1, or --drop x1
    a,b,y|1,2,NaN| -> line 2, column 3: `NaN` is not a finite number
    a,b,y|1,inf,2| -> line 2, column 2: `inf` is not a finite number
    a,b,y|1,-1e101,3| -> line 2, column 2: `-1e101` is too large; errors are squared, so numbers must lie within ±1e100
    a,b,y|1,2,3| -> 1 row(s) of data; at least 2 are needed
    a,b,y| -> 0 row(s) of data; at least 1 are needed
    | | -> the file is empty
    a,b,y|1,2,3|4,5| -> line 3: 2 cells, but the lines before have 3
    y|1|2| -> line 1: one column; a target and at least one input are needed
    x;y|1;2|2;3| -> line 1: one column; a target and at least one input are needed; commas part columns, here semicolons do
    a,b,a|1,2,3| -> line 1, column 3: the name `a` stands twice in the header
    a,\"b,y|1,2,3| -> line 1, column 2: the quotation mark is never closed
";

/// The same of test data whose training data have the columns a, b and y.
const FAULTS_OF_TESTS: &str = "
    1,2| -> line 1: 2 columns, but the training data have 3
    a,y|1,2| -> line 1: missing here: b
    a,c,y|1,2,3| -> line 1: missing here: b; not in the training data: c
    a,b,y,z,w|1,2,3,4,5| -> line 1: not in the training data: z, w
    a,b,y|1,x,3| -> line 2, column 2: `x` is not a number; for words: --categorical b, or --drop b
";

#[test]
fn faults_of_a_file_are_named_with_file_line_and_column() {
    for (file, message) in cases(FAULTS) {
        let file = file.replace('|', "\n");
        refused(
            &file,
            GOOD,
            "--surrogate gp",
            65,
            &format!("a.csv: {message}"),
        );
    }
    for (file, message) in cases(FAULTS_OF_TESTS) {
        let file = file.replace('|', "\n");
        refused(
            GOOD,
            &file,
            "--surrogate gp",
            65,
            &format!("b.csv: {message}"),
        );
    }
}

#[test]
fn text_that_is_not_text_and_files_that_are_not_there() {
    let folder = Sandbox::with(&[("b.csv", GOOD)]);
    fs::write(folder.path("a.csv"), b"a,y\n1,2\n\xff,3\n").unwrap();
    folder
        .run("fit --train a.csv --test b.csv")
        .refused(65, "a.csv: line 3: not UTF-8 text");
    let gone = folder.run("fit --train gone.csv --test b.csv");
    assert_eq!(gone.code, 66);
    assert!(gone.stderr.starts_with("error: cannot read gone.csv: "));
    assert_eq!(gone.stderr.lines().count(), 1);
}

#[test]
fn targets_are_found_by_name() {
    let message = "a.csv: line 1: no column is named `z`; it may be a, b, y";
    refused(GOOD, GOOD, "--target z", 65, message);
    let message = "a.csv: line 1: no column is named `y`; it may be x0, x1";
    refused("1,2\n3,4\n", "1,2\n", "--target y", 65, message);
    let folder = Sandbox::with(&[("a.csv", GOOD)]);
    let json = folder
        .run("fit --surrogate gp --train a.csv --test a.csv --target a --json")
        .json();
    assert_eq!(json["target"], "a");
    assert_eq!(json["inputs"], serde_json::json!(["b", "y"]));
}

/// Flags, and why they are refused.
const MISUSES: &str = "
    --surrogate dilgp -> unknown surrogate `dilgp`: did you mean `dil-gp`? Known: rf, mlp, gp, gp-rq, gp-dp, dil-gp
    --surrogate rf --lambda 2 -> --lambda does not apply to the forest
    --surrogate mlp --lambda 2 -> --lambda does not apply to the network
    --surrogate rf --hidden 64 -> --hidden does not apply to the forest
    --surrogate gp --optimizer sgd --kernel rbf-ard -> --kernel is an -ard kernel; it must be rbf, rq, dp or matern52, except for gp trained by lbfgs
    --kernel matern52-ard -> --kernel is an -ard kernel; it must be rbf, rq, dp or matern52, except for gp trained by lbfgs
    --surrogate gp --mode paper -> --mode does not apply to gp, gp-rq and gp-dp, except as --mode released
    --mode released --optimizer lbfgs -> --optimizer is lbfgs; it must be sgd in mode released
    --mode hierarchical --optimizer sgd -> --optimizer is sgd; it must be lbfgs in modes hierarchical and per-point
    --mode hierarchical --lr 0.1 -> --lr does not apply to dil-gp in mode hierarchical
    --lambda -1 -> lambda of dil-gp is -1; it must be a finite number of at least 0
    --surrogate gp-rq --kernel dp -> --kernel does not apply to gp-rq and gp-dp, whose names say their kernel
    --environments kmeans:9 -> --environments is kmeans:9; it must be kmeans, kmeans:K with K from 1 to the number of training rows, or a file
    --environments kmeans:3 -> this mode weighs two environments against each other, not 3
";

#[test]
fn flags_that_do_not_fit_are_usage_errors() {
    for (flags, message) in cases(MISUSES) {
        refused(GOOD, GOOD, flags, 2, message);
    }
    let folder = Sandbox::with(&[("a.csv", GOOD)]);
    let mode = folder.run("fit --train a.csv --test a.csv --mode realesed");
    assert_eq!(mode.code, 2);
    assert_eq!(mode.stderr.lines().count(), 1);
    assert!(mode.stderr.contains("released") && mode.stderr.contains("hierarchical"));
}

#[test]
fn labels_are_read_and_their_faults_named() {
    let labels = "who\nnorth\nsouth\nnorth\nsouth\nnorth\nsouth\n";
    let folder = Sandbox::with(&[
        ("a.csv", GOOD),
        ("l.csv", labels),
        ("short.csv", "1\n2\n"),
        ("wide.csv", "1,2\n"),
        ("three.csv", "1\n2\n3\n1\n2\n3\n"),
    ]);
    let fit = |more: &str| folder.run(&format!("fit --train a.csv --test a.csv --json {more}"));
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
    let folder = Sandbox::with(&[("a.csv", &rows)]);
    let fit = |more: &str| {
        let line = format!("fit --train a.csv --test a.csv --json {more}");
        let json = folder.run(line.trim_end()).json();
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
    let rows = "x,y\n".to_owned() + &rows.join("\n");
    let folder = Sandbox::with(&[("a.csv", &rows), ("l.csv", &"1\n2\n".repeat(12))]);
    let fit = |more: &str| folder.run(&format!("fit --train a.csv --test a.csv --json {more}"));
    let json = fit("--mode released --lambda cv").json();
    let tried: Vec<(f64, f64)> = serde_json::from_value(json["cross_validation"].clone()).unwrap();
    let tried: Vec<f64> = tried.into_iter().map(|(lambda, _)| lambda).collect();
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
fn headers_labels_and_names_are_not_taken_for_others() {
    let rows = |header: &str| {
        let row = |i: u32| format!("{i},{}\n", (i * i) % 7);
        header.to_owned() + &(0..12).map(row).collect::<String>()
    };
    let labels = |first: &str| first.to_owned() + &"\n1.0\n2".repeat(6);
    let folder = Sandbox::with(&[
        ("years.csv", &rows("2019,2020\n")),
        ("named.csv", &rows("mean,y\n")),
        ("short.csv", &labels("env").replacen("\n1.0", "", 1)),
        ("whole.csv", &labels("env").replacen("1.0", "1", 1)),
    ]);
    let years = folder.run("fit --train years.csv --test years.csv --surrogate gp");
    let said =
        "note: years.csv: its first line holds a number, so it is data and columns are x0 to x1\n";
    assert_eq!((years.code, &*years.stderr), (0, said));
    let fit = |labels: &str| {
        let flags = "--mode hierarchical --out";
        folder.run(&format!(
            "fit --train named.csv --test named.csv --environments {labels} {flags} {labels}.out"
        ))
    };
    fit("short.csv").refused(
        65,
        "short.csv: a header, `env`, and 11 labels, but the training data have 12 rows",
    );
    let whole = fit("whole.csv");
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    assert!(!whole.stdout.contains("3 environments"), "{}", whole.stdout);
    let written = std::fs::read_to_string(folder.path("whole.csv.out/predictions.csv")).unwrap();
    assert!(
        written.starts_with("mean,y,predicted_mean,std"),
        "{written}"
    );
}

#[test]
fn layers_and_relevance_come_out_of_the_command_line() {
    let folder = Sandbox::with(&[("a.csv", GOOD)]);
    let fit = |more: &str| folder.run(&format!("fit --train a.csv --test a.csv --json {more}"));
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
    let folder = Sandbox::with(&[("a.csv", one), ("two.csv", GOOD)]);
    let fit = |more: &str| folder.run(&format!("fit --surrogate gp {more}"));
    let ran = fit("--train a.csv --test a.csv --out runs/one --json");
    let written = folder.json("runs/one/result.json");
    assert_eq!(written, ran.json());
    let predictions = fs::read_to_string(folder.path("runs/one/predictions.csv")).unwrap();
    assert!(predictions.starts_with(
        "x,y,mean,std,observation_std
"
    ));
    assert_eq!(predictions.lines().count(), 5);
    let kept = |name: &str, file: &str| Path::exists(&folder.path(name).join(file));
    assert!(kept("runs/one", "fit.png") && kept("runs/one", "fit.svg"));
    fit("--train two.csv --test two.csv --out two");
    assert!(kept("two", "fit.png"));
    assert!(kept("two", "calibration.png") && kept("two", "calibration.svg"));
    let shares = &written["calibration"]["shares"];
    let shares: Vec<f64> = serde_json::from_value(shares.clone()).unwrap();
    assert_eq!(shares.len(), 10);
    assert!(shares.is_sorted() && written["calibration"]["levels"][9] == 0.95);
    fit("--train a.csv --test a.csv --out two").refused(
        73,
        "two already holds files; name a new folder, nothing was overwritten",
    );
    let below_file = fit("--train a.csv --test a.csv --out a.csv/sub");
    let lines = below_file.stderr.lines().count();
    assert_eq!((below_file.code, lines), (73, 1));
    // A fit that fails leaves no folder behind.
    let failed = fit("--mode released --lr 1e9 --train a.csv --test a.csv --out none");
    assert_eq!(failed.code, 65);
    assert!(!folder.path("none").exists());
}

#[test]
fn every_surrogate_and_mode_prints_its_scores_in_the_user_s_units() {
    let rows: Vec<String> = (0..30)
        .map(|i| {
            let x = f64::from(i) / 3.0;
            format!("{x},{}", 1000.0 + 50.0 * x.sin())
        })
        .collect();
    let folder = Sandbox::with(&[("a.csv", &rows.join("\n"))]);
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
        let json = folder
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
    let folder = Sandbox::with(&[("a.csv", GOOD)]);
    let line = "fit --train a.csv --test a.csv --json --seed 4";
    assert_eq!(folder.run(line).stdout, folder.run(line).stdout);
}

#[test]
fn the_golden_end_points_come_out_of_the_command_line() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    if !data.join("ref_syn1d_train.csv").exists() {
        eprintln!("skipped: the reference sets are not next to the workspace");
        return;
    }
    let folder = Sandbox::with(&[]);
    let mean = "--surrogate gp --loss mean";
    for (flags, set, rate, rmse, coverage) in [
        ("--surrogate gp", "1d", 0.005, 0.40015863, 0.9),
        (mean, "2d", 0.01, 0.73381824, 0.925),
        ("--seed 0", "1d", 0.005, 0.33803312, 0.9125),
        ("--seed 0", "2d", 0.01, 0.66020806, 0.8625),
    ] {
        let file = |part: &str| data.join(format!("ref_syn{set}_{part}.csv"));
        let files = ["train", "test"].map(|part| format!("--{part} {}", file(part).display()));
        let files = files.join(" ");
        let line = format!("fit {flags} --mode released --lr {rate} --no-scale --json {files}");
        let json = folder.run(&line).json();
        approx::assert_abs_diff_eq!(json["rmse"].as_f64().unwrap(), rmse, epsilon = 1e-6);
        approx::assert_abs_diff_eq!(json["coverage"].as_f64().unwrap(), coverage, epsilon = 1e-9);
    }
}
