//! The tables as a user regenerates them: small, but whole.

use std::fs;

use crate::sandbox::Sandbox;
use serde_json::Value;

/// The files of two folders are the same, byte by byte; returns their names.
fn assert_same_files(sandbox: &Sandbox, one: &str, other: &str) -> Vec<String> {
    let names = sandbox.files(one);
    assert_eq!(names, sandbox.files(other));
    for name in &names {
        let [a, b] = [one, other].map(|folder| fs::read(sandbox.path(folder).join(name)).unwrap());
        assert!(a == b, "{name} differs");
    }
    names
}

#[test]
fn table_1_is_the_same_on_one_thread_or_many_and_its_intervals_follow_from_its_runs() {
    let folder = Sandbox::with(&[]);
    let line = |out: &str| format!("table1 --seeds 2 --seed 7 --random-tasks 3 --out {out}");
    // The flag's earlier name means the same.
    let one = folder.run_on("1", &line("one").replace("--seed 7", "--first-seed 7"));
    assert_eq!(one.code, 0, "{}", one.stderr);
    assert_eq!(folder.run_on("3", &line("many")).code, 0);
    let files = assert_same_files(&folder, "one", "many").join(" ");
    let expected =
        "calibration.png calibration.svg figure1.png figure1.svg plan.json table1.json table1.md";
    assert_eq!(files, expected);
    let table = folder.json("one/table1.json");
    for column in ["one_dimension", "two_dimensions"] {
        let rows = table[column].as_array().unwrap();
        assert_eq!(rows.len(), 18);
        for row in rows {
            let runs = row["rmse_by_seed"].clone();
            let runs: Vec<f64> = serde_json::from_value(runs).unwrap();
            // Two values: t(0.975; 1) = 12.7062, the standard error is half their distance.
            let apart = (runs[0] - runs[1]).abs();
            let of = |name: &str| row["rmse"][name].as_f64().unwrap();
            approx::assert_relative_eq!(of("mean"), 0.5 * (runs[0] + runs[1]), epsilon = 1e-12);
            let half = 12.7062 * 0.5 * apart;
            approx::assert_relative_eq!(of("half_width"), half, max_relative = 1e-4);
            approx::assert_relative_eq!(of("largest_deviation"), 0.5 * apart, epsilon = 1e-12);
        }
        for row in &rows[..6] {
            assert!(row["published_rmse"]["mean"].is_f64(), "{row}");
            // The paper prints a dash for the coverage of the forest and the network.
            let claims = !["rf", "mlp"].contains(&row["key"].as_str().unwrap());
            assert_eq!(row["published_coverage"]["mean"].is_f64(), claims, "{row}");
        }
    }
    for theorem in table["theorem_1"].as_array().unwrap() {
        assert_eq!(theorem["larger"]["of"], 3);
    }
    let text = fs::read_to_string(folder.path("one/table1.md")).unwrap();
    assert!(one.stdout.starts_with(&text));
    // Columns are padded to line up.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for word in [
        "| hierarchical |",
        "| DIL-GP | 0.3415 ± 0.0109 |",
        "| 0.8822 ± 0.0775 |",
        "-log p + lambda (g0^2 + g1^2) with lambda",
        "nearest-cluster mean",
        "Theorem 1",
        "Calibration",
    ] {
        assert!(text.contains(word), "{word}");
    }
}

#[test]
fn table_2_without_its_files_says_where_they_are_published() {
    let folder = Sandbox::with(&[]);
    let ran = folder.run_on("1", "table2");
    assert_eq!((ran.code, ran.stderr.lines().count()), (2, 1));
    for word in ["Kaggle", "UCI", "21 columns", "d0875baa", "125db8bd"] {
        assert!(ran.stderr.contains(word), "{word}");
    }
    let ran = folder.run_on("1", "table2 --housing gone.csv");
    assert_eq!((ran.code, ran.stderr.lines().count()), (66, 1));
    assert!(ran.stderr.starts_with("error: cannot read gone.csv: "));
    assert!(ran.stderr.contains("Kaggle") && ran.stderr.contains("d0875baa"));
}

#[test]
fn table_2_checks_the_columns_of_its_files() {
    let folder = Sandbox::with(&[]);
    let message = |flag: &str, text: &str| {
        fs::write(folder.path("f"), text).unwrap();
        let ran = folder.run_on("1", &format!("table2 --{flag} f"));
        assert_eq!(ran.code, 65, "{}", ran.stderr);
        ran.stderr.trim_end().to_owned()
    };
    let header = "id,date,price,bedrooms,bathrooms,sqft_living,sqft_lot,floors,waterfront,view,\
                  condition,grade,sqft_above,sqft_basement,yr_built,yr_renovated,zipcode,lat,long,\
                  sqft_living15,sqft_lot15\n";
    assert_eq!(
        message("housing", "id,price\n1,2\n"),
        "error: f: line 1: 2 cells; the published file has 21 in each line"
    );
    assert_eq!(
        message("housing", &header.replace("grade", "mark")),
        "error: f: line 1, column 12: the name is `mark`; it should be `grade`"
    );
    assert_eq!(
        message("housing", header),
        "error: f: 0 row(s) of data; at least 1304 are needed"
    );
    let car = "3,100,audi,gas,std,two,wagon,fwd,front,99,170,66,54,2300,ohc,four,100,mpfi,3,3,9,\
               high,5000,20,30,14000\n";
    assert_eq!(
        message("automobile", car),
        "error: f: line 1, column 22: `high` is not a number"
    );
    assert_eq!(
        message("automobile", &car.replace("high", "110")),
        "error: f: 0 row(s) of data; at least 20 are needed"
    );
}

/// As many cars of both sides as the table needs, in the published columns.
fn cars() -> String {
    let mut text = String::new();
    for i in 0..60 {
        let style = if i % 2 == 0 { "wagon" } else { "sedan" };
        let (a, b) = (90 + i % 13, 150 + (7 * i) % 17);
        text.push_str(&format!(
            "{},{a},audi,gas,std,two,{style},fwd,front,{b},170,66,54,{},ohc,four,100,mpfi,3,3,9,\
             {},5000,20,30,{}\n",
            i % 5 - 1,
            2000 + 10 * a,
            80 + i,
            9000 + 3 * b
        ));
    }
    text + "0,?,audi,gas,std,two,wagon,fwd,front,99,170,66,54,2300,ohc,four,100,mpfi,3,3,9,?,1,2,3,4\n"
}

#[test]
fn table_2_runs_on_another_copy_of_the_cars_and_warns_of_it() {
    let folder = Sandbox::with(&[]);
    fs::write(folder.path("cars"), cars()).unwrap();
    let line = |out: &str| format!("table2 --automobile cars --seeds 2 --out {out}");
    let ran = folder.run_on("1", &line("one"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(folder.run_on("2", &line("two")).code, 0);
    let files = assert_same_files(&folder, "one", "two").join(" ");
    let expected = "calibration.png calibration.svg plan.json table2.json table2.md";
    assert_eq!(files, expected);
    assert!(ran.stdout.contains("warning: cars has CRC-32"));
    assert!(
        ran.stdout
            .contains("trained on sedans, hardtops and convertibles")
    );
    // A program finds the warning in the object, a person on standard error.
    let ran = folder.run_on("2", &(line("three") + " --format json"));
    let printed: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(printed["schema"], "windhover-table2/1");
    let warning = printed["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("warning: cars has CRC-32"));
    assert!(ran.stderr.contains(warning));
}
