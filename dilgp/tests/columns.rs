//! Which columns of a table are learnt from, under what name, in what coordinates.

use std::fs;
use std::path::PathBuf;

use crate::sandbox::Sandbox;
use serde_json::json;

const TRAIN: &str = "a,b,y\n0,1,2\n1,0.5,3\n2,0,5\n3,0.2,4\n4,1,1\n5,0.7,0\n";
const COLOURS: &str = "a,colour,y\n0,red,2\n1,blue,3\n2,red,5\n3,green,4\n4,blue,1\n5,green,0\n";

/// A file of the failing inputs that lie outside of the repository.
fn case(name: &str) -> Option<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/cases/learning");
    let path = PathBuf::from(folder).join(name);
    if !path.exists() {
        eprintln!("skipped: {name} is not next to the workspace");
    }
    path.exists().then_some(path)
}

#[test]
fn columns_are_found_by_name_in_any_order() {
    let reordered = "y,b,a\n2,1,0\n0,0.7,5\n";
    let folder = Sandbox::with(&[
        ("a.csv", TRAIN),
        ("b.csv", reordered),
        ("same.csv", "a,b,y\n0,1,2\n5,0.7,0\n"),
        ("bare.csv", "0,1,2\n5,0.7,0\n"),
    ]);
    let line = |test: &str| format!("fit --surrogate gp --train a.csv --test {test} --json");
    let expected = folder.run(&line("same.csv")).json();
    assert_eq!(folder.run(&line("b.csv")).json(), expected);
    // Without a header it is by place.
    assert_eq!(folder.run(&line("bare.csv")).json(), expected);
    if let (Some(train), Some(test)) = (case("labels_train.csv"), case("reordered_columns.csv")) {
        let files = format!("--train {} --test {}", train.display(), test.display());
        let json = folder.run(&format!("fit --json {files}")).json();
        assert_eq!(json["inputs"], json!(["rooms", "area"]));
        assert!(json["rmse"].as_f64().unwrap() < 50_000.0, "{json}");
    }
}

#[test]
fn the_index_of_pandas_is_left_out_with_a_word() {
    let rows = TRAIN.split_once('\n').unwrap().1.lines();
    let indexed: String = rows
        .enumerate()
        .map(|(i, row)| format!("{i},{row}\n"))
        .collect();
    let folder = Sandbox::with(&[
        ("a.csv", &format!(",a,b,y\n{indexed}")),
        ("b.csv", &format!("Unnamed: 0,a,b,y\n{indexed}")),
        ("plain.csv", TRAIN),
    ]);
    let line = |train: &str, test: &str| {
        folder.run(&format!(
            "fit --surrogate gp --train {train} --test {test} --json"
        ))
    };
    let ran = line("a.csv", "b.csv");
    let note = |file: &str| format!("note: {file}: the index that pandas wrote is left out\n");
    assert_eq!(ran.stderr, note("a.csv") + &note("b.csv"));
    assert_eq!(ran.json(), line("plain.csv", "plain.csv").json());
    if let Some(file) = case("pandas_index.csv") {
        let file = file.display().to_string();
        assert_eq!(
            line(&file, &file).json()["inputs"],
            json!(["rooms", "area"])
        );
    }
}

#[test]
fn columns_are_left_out_by_name() {
    let folder = Sandbox::with(&[
        (
            "a.csv",
            "id,a,b,y\nx1,0,1,2\nx2,1,.5,3\nx3,2,0,5\nx4,3,.2,4\n",
        ),
        ("b.csv", "a,b,y,remark\n0,1,2,fine\n"),
    ]);
    let fit = |more: &str| {
        folder.run(&format!(
            "fit --surrogate gp --train a.csv --test b.csv --json {more}"
        ))
    };
    assert_eq!(fit("--drop id,remark").json()["inputs"], json!(["a", "b"]));
    assert_eq!(fit("--drop id,remark,y").json()["target"], "b");
    fit("--drop idd,remark").refused(65, "b.csv: line 1: missing here: id");
    fit("--drop id,remark,bb").refused(
        65,
        "a.csv: line 1: no column is named `bb`; it may be id, a, b, y",
    );
    fit("--drop id,remark,y --target y").refused(2, "--drop names the target");
    fit("--drop id,remark,a,b").refused(2, "--drop leaves no input");
    for name in ["a.csv", "b.csv"] {
        fs::write(folder.path(name), "0,1,2\n1,2,3\n3,2,3\n").unwrap();
    }
    // Without a header the columns have names all the same.
    let json = fit("--drop x0").json();
    assert_eq!(
        (&json["inputs"], &json["target"]),
        (&json!(["x1"]), &json!("y"))
    );
}

#[test]
fn a_change_of_category_is_a_distance_of_one() {
    let folder = Sandbox::with(&[
        ("a.csv", COLOURS),
        ("b.csv", "colour,a,y\ngreen,0,3\nred,1,4\n"),
        ("new.csv", "colour,a,y\nred,1,4\npink,0,3\n"),
    ]);
    let fit = |test: &str, more: &str| {
        let line = format!("fit --surrogate gp --train a.csv --test {test} {more}");
        folder.run(line.trim_end())
    };
    let json = fit("b.csv", "--categorical colour --out run --json").json();
    let coordinates = json!(["a", "colour=blue", "colour=green", "colour=red"]);
    assert_eq!(json["inputs"], coordinates);
    assert_eq!(
        json["categories"],
        json!({"colour": ["blue", "green", "red"]})
    );
    let text = fit("b.csv", "--categorical colour").stdout;
    assert!(
        text.contains("0 or 1/sqrt(2) for each of [\"blue\","),
        "{text}"
    );
    let predictions = fs::read_to_string(folder.path("run/predictions.csv")).unwrap();
    let lines: Vec<&str> = predictions.lines().collect();
    assert!(lines[0].starts_with("a,colour,y,mean"), "{predictions}");
    assert!(lines[1].starts_with("0,green,3,") && lines[2].starts_with("1,red,4,"));
    // The same by hand: the lengths of a and of the coordinates are those of z-scored a.
    let unit = std::f64::consts::FRAC_1_SQRT_2;
    let spread = (35.0f64 / 12.0).sqrt();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let a: f64 = cells[0].parse().unwrap();
        let of = |level| if cells[1] == level { unit } else { 0.0 };
        let y = (cells[2].parse::<f64>().unwrap() - 2.5) / spread;
        format!(
            "{},{},{},{},{y}\n",
            (a - 2.5) / spread,
            of("blue"),
            of("green"),
            of("red")
        )
    };
    let rows: String = COLOURS.lines().skip(1).map(row).collect();
    fs::write(folder.path("hand.csv"), rows).unwrap();
    let hand = "fit --surrogate gp --train hand.csv --test hand.csv --no-scale --json";
    let (hand, own) = (
        folder.run(hand).json(),
        &json["hyperparameters"]["length_squared"],
    );
    let hand = hand["hyperparameters"]["length_squared"].as_f64().unwrap();
    approx::assert_relative_eq!(own.as_f64().unwrap(), hand, max_relative = 1e-6);
    fit("new.csv", "--categorical colour").refused(
        65,
        "new.csv: line 3, column 1: `pink` is not among the values of colour in the training data: blue, green, red",
    );
    fit("b.csv", "--categorical colour,y").refused(2, "--categorical names the target");
    fit("b.csv", "--categorical color").refused(
        65,
        "a.csv: line 1: no column is named `color`: did you mean `colour`? It may be a, colour, y",
    );
}
