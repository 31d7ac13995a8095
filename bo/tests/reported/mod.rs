//! Runs, their records and their pages.

use crate::program::{bo, record, stderr, tune};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Tunes in `folder` and returns the record.
pub fn tuned(folder: &Path, name: &str, more: &[&str]) -> Value {
    let args = [&["--surrogate", "gp", "--out", name], more].concat();
    let output = tune(folder, &args);
    assert!(output.status.success(), "{}", stderr(&output));
    record(folder, name)
}

/// Puts a record into the folder `dir` in the place of the run's own, as an older version left it:
/// without a manifest that would tell.
pub fn put(dir: &Path, run: &Value) {
    fs::write(dir.join("run.json"), run.to_string()).expect("writable");
    let _ = fs::remove_file(dir.join("manifest.json"));
}

/// Reports on `dir` and returns the page.
pub fn page(folder: &Path, dir: &str) -> String {
    let output = bo(folder, &["report", dir]);
    assert!(output.status.success(), "{}", stderr(&output));
    fs::read_to_string(folder.join(dir).join("report.html")).expect("written")
}

/// The flights within a page.
pub fn flights(page: &str) -> Value {
    let (_, rest) = page.split_once("class=\"flights\">").expect("a replay");
    serde_json::from_str(rest.split_once("</script>").expect("closed").0).expect("JSON")
}

pub fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// The numbers of a list in which each but the first says by how much it differs from the one
/// before; `unit` is what one of them stands for.
pub fn sums(list: &Value, unit: f64) -> Vec<f64> {
    let steps = list.as_array().expect("a list").iter().map(number);
    let sum = |at: &mut f64, step: f64| {
        *at += step;
        Some(*at * unit)
    };
    steps.scan(0.0, sum).collect()
}

/// Lower end, median and upper end of an interval.
pub fn ends(interval: &Value) -> [f64; 3] {
    let [low, high] = [0, 1].map(|k| number(&interval["ends"][k]));
    [low, number(&interval["median"]), high]
}

/// With a sign, as the page writes it.
pub fn signed(value: f64) -> String {
    let digits = format!("{:.3}", value.abs());
    match (digits.as_str(), value < 0.0) {
        ("0.000", _) => digits,
        (_, true) => format!("−{digits}"),
        (_, false) => format!("+{digits}"),
    }
}
