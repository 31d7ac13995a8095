//! The page about an identification, made by the program.

use crate::program::{json, refusal, sim, stderr, stdout, temporary};
use std::fs;
use std::path::Path;

/// Flies the Crazyflie with typical sensors into `folder`/`name`/measured.csv.
fn flown(folder: &Path, name: &str, seed: &str, manoeuvre: Option<&str>) -> String {
    let mut args = vec!["fly", "--airframe", "crazyflie", "--domain", "still"];
    args.extend(["--measured", "--seed", seed, "--out", name]);
    match manoeuvre {
        Some(file) => args.extend(["--manoeuvre", file]),
        None => args.extend(["--traj", "hover"]),
    }
    let output = sim(folder, &args);
    assert!(output.status.success(), "{}", stderr(&output));
    format!("{name}/measured.csv")
}

/// The doublets of the template, in a file.
fn doublets(folder: &Path) -> &'static str {
    let template = sim(folder, &["template", "manoeuvre"]);
    fs::write(folder.join("doublets.csv"), &template.stdout).expect("writable");
    "doublets.csv"
}

fn identified(folder: &Path, args: &[&str]) -> (String, String) {
    let mut all = vec!["identify", "--airframe", "crazyflie", "--report", "page"];
    all.extend(args);
    let output = sim(folder, &all);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = fs::read_to_string(folder.join("page/identify.html")).expect("a page");
    (stdout(&output), page)
}

/// Nothing from elsewhere, every table with scopes, every picture with words for those who cannot see it.
fn sound(page: &str) {
    assert!(page.starts_with("<!DOCTYPE html>\n<!-- Windhover report -->"));
    assert!(page.ends_with("</html>\n"));
    for outside in ["http://", "https://", "src=", "<script", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    let count = |part: &str| page.matches(part).count();
    assert_eq!(count("<svg "), count("role=\"img\" aria-label=\""));
    assert_eq!(count("<th>"), 0);
    for table in page.split("<table>").skip(1) {
        assert!(table.contains("<th scope=\"col\">") && table.contains("<th scope=\"row\">"));
    }
    let linked = page.split("<a href=\"#").skip(1);
    for id in linked.filter_map(|rest| rest.split('"').next()) {
        assert!(page.contains(&format!(" id=\"{id}\"")), "{id}");
    }
}

#[test]
fn a_page_shows_what_doublets_tell_and_how_well_another_log_is_predicted() {
    let folder = temporary();
    let here = folder.path();
    let manoeuvre = doublets(here);
    let log = flown(here, "one", "1", Some(manoeuvre));
    let other = flown(here, "two", "2", Some(manoeuvre));
    let (text, page) = identified(here, &[&log, "--holdout", &other, "--out", "my.toml"]);
    assert!(text.ends_with("\nPage: page/identify.html\n"), "{text}");
    assert!(text.contains("Written: my.toml"), "{text}");
    // Doublets at one place tell all but what the air does.
    assert!(
        text.contains("\nNext: for drag, fly figure-8s at 2 to 3 m/s"),
        "{text}"
    );
    let file = fs::read_to_string(here.join("my.toml")).expect("written");
    let wind = file
        .lines()
        .find(|line| line.starts_with("# mean wind x: not told, "));
    assert!(
        wind.is_some_and(|line| line.ends_with(" are needed")),
        "{file}"
    );
    sound(&page);
    for part in [
        "properties told</b> crazyflie</h1>",
        "<pre>sim margins --airframe my.toml</pre>",
        "<h3 style=\"overflow-wrap:anywhere\">one/measured.csv</h3>",
        ">used 3",
        "<th scope=\"row\">roll gain in hover</th>",
        "<th scope=\"col\">nominal (crazyflie)</th>",
        "Error of predicting the pitch rate by time ahead",
        "<th scope=\"col\">in its 90 %</th>",
        "<td>none</td>",
        "From no log: mass and arm",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // The table of the page is that of the terminal.
    let gain = text.lines().find(|line| line.contains("roll gain"));
    let mut words = gain.expect("told").split_whitespace().skip(4);
    let gain = words.next().expect("a number");
    let row = format!("<th scope=\"row\">roll gain in hover</th><td>{gain}</td>");
    assert!(page.contains(&row), "{row}");
    // Three rates, what was identified and what is drawn of it: no drawing failed.
    assert_eq!(page.matches("<figure").count(), 5);
    assert!(!page.contains("Not drawn"));
}

#[test]
fn a_page_of_a_hover_says_why_it_tells_little_and_no_name_acts_in_it() {
    let folder = temporary();
    let here = folder.path();
    let log = flown(here, "still", "1", None);
    let name = "<b onclick=alert(1)>&'\"{{body}}.csv";
    fs::rename(here.join(log), here.join(name)).expect("renamed");
    let (text, page) = identified(here, &[name]);
    sound(&page);
    assert!(!page.contains("<b onclick") && !page.contains("Prediction"));
    assert!(page.contains("&lt;b onclick=alert(1)&gt;&amp;&#39;&quot;{{body}}.csv</h3>"));
    assert!(page.contains("<p>Cannot be told:</p>"));
    // Every reason is on the first screen and in the table.
    let reasons = text.split("Cannot be told:\n").nth(1).expect("listed");
    let reasons = reasons.split("\n\n").next().expect("ends");
    let mut count = 0;
    for line in reasons.lines() {
        let line = line.trim();
        assert!(page.contains(&format!("<li>{line}</li>")), "{line}");
        let (names, why) = line.split_once(": ").expect("a reason");
        let cell = format!("<span class=\"unclear why\">not told: {why}</span>");
        for name in names.split("; ") {
            let row = page.split(&format!("<th scope=\"row\">{name}</th>")).nth(1);
            let row = row.expect("a row").split("</tr>").next();
            assert!(row.is_some_and(|row| row.contains(&cell)), "{line}");
            count += 1;
        }
    }
    assert!(
        count > 5 && page.contains(&format!("{} of 18 properties", 18 - count)),
        "{reasons}"
    );
    assert!(page.contains("sim template manoeuvre") && page.contains(" --out my.toml</pre>"));
}

#[test]
fn a_folder_that_holds_files_is_refused_and_a_failure_leaves_none() {
    let folder = temporary();
    let here = folder.path();
    let log = flown(here, "still", "1", None);
    let (code, said) = refusal(
        here,
        &[
            "identify",
            &log,
            "--airframe",
            "crazyflie",
            "--report",
            "still",
        ],
    );
    assert_eq!(code, 73, "{said}");
    assert!(said.contains("already holds files"), "{said}");
    for args in [
        &[
            "identify",
            "no.csv",
            "--airframe",
            "crazyflie",
            "--report",
            "page",
        ][..],
        &["identify", &log, "--report", "page"],
        &[
            "identify",
            &log,
            "--airframe",
            "crazyflie",
            "--report",
            "page",
            "--out",
            "no/my.toml",
        ],
    ] {
        let (code, said) = refusal(here, args);
        assert_ne!(code, 0, "{said}");
        assert!(!here.join("page").exists(), "{args:?}");
    }
    // Speeds are commanded, of which no size says the greatest; and what is fitted proves nothing.
    let sized = ["identify", &log, "--mass-kg", "0.03", "--arm-m", "0.046"];
    let fitted = [
        "identify",
        &log,
        "--airframe",
        "crazyflie",
        "--holdout",
        &log,
    ];
    for (args, why) in [(sized, "does not say the greatest"), (fitted, "is fitted")] {
        let (code, said) = refusal(here, &args);
        assert!(code == 2 && said.contains(why), "{code} {said}");
    }
    // JSON is the same with a page.
    let args = [
        "identify",
        &log,
        "--airframe",
        "crazyflie",
        "--format",
        "json",
    ];
    let without = json(&sim(here, &args));
    let with = json(&sim(here, &[&args[..], &["--report", "page"]].concat()));
    assert_eq!(with, without);
    assert!(here.join("page/identify.html").exists());
}
