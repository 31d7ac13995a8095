//! Of what there is no report, and what a report does not replace.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;

use crate::program::temporary;
use crate::reported::{page, put, tuned};

/// Exit code and the one line on stderr of a report that must be refused.
fn refused(folder: &Path, args: &[&str]) -> (i32, String) {
    crate::program::refused(folder, &[&["report"], args].concat())
}

#[test]
fn what_is_no_finished_run_is_refused_on_one_line() {
    let folder = temporary();
    let folder = folder.path();
    let (code, text) = refused(folder, &["nothing"]);
    assert_eq!(code, 66);
    assert!(
        text.starts_with("error: cannot read nothing/run.json: "),
        "{text}"
    );
    assert!(
        text.ends_with("; name the folder of a finished run"),
        "{text}"
    );

    fs::create_dir(folder.join("run")).expect("new");
    let put = |bytes: &[u8]| fs::write(folder.join("run/run.json"), bytes).expect("writable");
    put(b"{\"schema\": \"windhover-run/5\", \"new\": true}");
    let said = "error: run/run.json has the form `windhover-run/5`; this version reads windhover-run/1 to windhover-run/4: use the version that made it, or a newer one";
    assert_eq!(refused(folder, &["run"]), (65, said.to_owned()));
    put(b"{\"schema\": \"windhover-run/4\", ");
    let (code, text) = refused(folder, &["run"]);
    assert_eq!(code, 65);
    assert!(
        text.starts_with("error: run/run.json is damaged: EOF"),
        "{text}"
    );
    put(b"\xff\xfe");
    let said =
        "error: run/run.json is damaged: it is not UTF-8 text; restore it, or make the run again";
    assert_eq!(refused(folder, &["run"]), (65, said.to_owned()));
    assert!(!folder.join("run/report.html").exists());
}

#[test]
fn a_record_that_contradicts_itself_is_refused() {
    let folder = temporary();
    let whole = tuned(folder.path(), "run", &["--traj", "hover"]);
    let said = |change: &dyn Fn(&mut Value)| {
        let mut run = whole.clone();
        change(&mut run);
        // A trajectory or bounds that the study file has are not asked of the record.
        let _ = fs::remove_file(folder.path().join("run/config.toml"));
        put(&folder.path().join("run"), &run);
        let (code, text) = refused(folder.path(), &["run"]);
        assert_eq!(code, 65, "{text}");
        text.trim_start_matches("error: run/run.json").to_owned()
    };
    let again = "; restore it, or make the run again";
    assert_eq!(
        said(&|run| drop(run["trials"].as_array_mut().expect("a list").pop())),
        format!(" is damaged: the number of trials is 6, not 7{again}")
    );
    assert_eq!(
        said(&|run| drop(
            run["observed"]["tests"][1]["ace_m"]
                .as_array_mut()
                .expect("a list")
                .pop()
        )),
        format!(" is damaged: a test's number of flights is 2, not 3{again}")
    );
    assert_eq!(
        said(&|run| run["problem"]["tuned"][0]["name"] = json!("position_xy.kq")),
        format!(" is damaged: there is no gain `position_xy.kq`{again}")
    );
    assert_eq!(
        said(&|run| run["problem"]["tuned"][0]["low"] = json!(31.0)),
        format!(" is damaged: `position_xy.kp` runs from 31 to 30; low must be below high{again}")
    );
    assert_eq!(
        said(&|run| run["settings"]["trajectory"] = json!("loop")),
        ": the trajectory `loop` is not a shipped one, and the run's config.toml does not hold it"
    );
    let mass = said(&|run| run["problem"]["airframe"]["mass_kg"] = json!(-1.0));
    assert!(
        mass.starts_with(" is damaged: ") && mass.contains("mass") && mass.ends_with(again),
        "{mass}"
    );
}

#[test]
fn a_report_is_replaced_and_nothing_else() {
    let folder = temporary();
    tuned(folder.path(), "run", &["--traj", "hover"]);
    let first = page(folder.path(), "run");
    assert!(page(folder.path(), "run") == first);
    fs::write(folder.path().join("mine.html"), "precious").expect("writable");
    let (code, text) = refused(folder.path(), &["run", "--out", "mine.html"]);
    assert_eq!(code, 73);
    assert_eq!(
        text,
        "error: mine.html exists; name another with --out, nothing was overwritten"
    );
    let text = fs::read_to_string(folder.path().join("mine.html")).expect("still there");
    assert_eq!(text, "precious");
    assert_eq!(
        refused(folder.path(), &["run", "./run"]),
        (2, "error: ./run is named twice".to_owned())
    );
}
