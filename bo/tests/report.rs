//! The report as a user meets it: what stands in it, what it needs, what it refuses.

use assert_cmd::Command;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

use crate::program::cells::done;
use crate::program::{bo, record, stderr, stdout, succeeded, temporary};
use crate::reported::{ends, flights, number, page, put, signed, sums, tuned};

#[test]
fn the_numbers_of_the_page_are_those_of_the_record() {
    let folder = temporary();
    let args = "--traj fig8 --surrogate gp --initial 4 --iterations 3 --held-out 6 --out run";
    let output = bo(folder.path(), &args.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{}", stderr(&output));
    let run = record(folder.path(), "run");
    let page = page(folder.path(), "run");
    let replay = flights(&page);
    for (domain, name) in ["gusty", "steady"].iter().enumerate() {
        assert_eq!(replay["domains"][domain], *name);
        for (place, candidate) in ["default", "recommended"].iter().enumerate() {
            let test = &run[candidate]["tests"][domain];
            let [low, median, high] = ends(&test["completed_m"]);
            let bound = 100.0 * number(&test["loss_probability_at_most"]);
            let lost = format!("{} of 6; probability below {bound:.1} %", test["crashes"]);
            assert!(
                page.contains(&lost),
                "{candidate} {name}: {lost} is missing"
            );
            let cell = format!("<td>{median:.3} [{low:.3}, {high:.3}]");
            assert!(
                page.contains(&cell),
                "{candidate} {name}: {cell} is missing"
            );
            let flight = &replay["flights"][domain][place];
            if flight["lost"].is_null() {
                let ace = number(&flight["ace"]) * 1e-4;
                assert!((ace - number(&test["ace_m"][0])).abs() <= 0.5001e-4);
            }
        }
        let judgement = &run["recommended"]["against_default"][domain];
        let verdict = judgement["verdict"].as_str().expect("a word").to_owned();
        let verdict = verdict.replace("unclear", "no clear difference");
        assert!(page.contains(&verdict), "{name}: {verdict}");
        let difference = &judgement["error_m"];
        let [low, median, high] = ends(difference).map(signed);
        let cell = format!("<td>{median} [{low}, {high}]");
        assert!(page.contains(&cell), "{name}: {cell} is missing");
    }
    for knob in run["problem"]["tuned"].as_array().expect("a list") {
        let name = knob["name"].as_str().expect("a name");
        assert!(page.contains(&format!("<code>{name}</code>")), "{name}");
    }
    let gain = number(&run["recommended"]["gains"]["position_xy"]["kp"]);
    let digits = if gain < 10.0 { 3 } else { 2 };
    assert!(page.contains(&format!("<b>{gain:.digits$}</b>")));
    assert!(page.contains("equal the record to the last bit"));
    // What the slices go through.
    assert!(!page.contains("incumbent"));
    assert!(page.contains("models give the acquisition values of the record"));
}

#[test]
fn the_position_in_the_page_gives_the_error_of_the_record() {
    let folder = temporary();
    let run = tuned(folder.path(), "run", &["--traj", "hover"]);
    let replay = flights(&page(folder.path(), "run"));
    let flight = &replay["flights"][1][0];
    let list = |what: &str, axis: usize| sums(&flight[what][axis], 1e-4);
    let squares = (0..3).flat_map(|axis| {
        let pairs = list("position", axis)
            .into_iter()
            .zip(list("reference", axis));
        pairs.map(|(a, b)| (a - b) * (a - b)).collect::<Vec<f64>>()
    });
    let count = flight["saturated"].as_array().expect("a list").len() as f64;
    let ace = (squares.sum::<f64>() / count).sqrt();
    let recorded = number(&run["default"]["tests"][1]["ace_m"][0]);
    // Fifty samples a second instead of a thousand.
    assert!((ace / recorded - 1.0).abs() < 0.01, "{ace} {recorded}");
}

#[test]
fn a_page_needs_nothing_but_itself() {
    let folder = temporary();
    tuned(folder.path(), "run", &["--traj", "spiral-up"]);
    let page = page(folder.path(), "run");
    for word in [
        "http://",
        "https://",
        "//cdn",
        " src=",
        "url(",
        "@import",
        "fetch(",
        "XMLHttpRequest",
        "import(",
        "eval(",
    ] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"));
    assert!(page.len() < 1_500_000, "{} bytes", page.len());
    assert!(page.contains("<th scope=\"col\">gain</th>") && !page.contains("<th>"));
    assert!(page.contains("<a href=\"./gains.toml\" download>gains.toml</a>"));
    assert!(!page.contains("href=\"./report.html\""));
    for element in ["section", "svg", "table", "figure", "script", "div", "p"] {
        let opened = page.matches(&format!("<{element}>")).count()
            + page.matches(&format!("<{element} ")).count();
        assert_eq!(
            opened,
            page.matches(&format!("</{element}>")).count(),
            "{element}"
        );
    }
    for section in [
        "Verdict",
        "Gains",
        "Side by side",
        "Replay",
        "Held-out flights",
        "Saturation and oscillation",
        "Convergence",
        "Evaluations",
        "Lost flights",
        "Posterior along each gain",
        "Surrogate calibration",
        "How to reproduce",
    ] {
        let id = format!("run-0-{}", section.to_lowercase().replace(' ', "-"));
        assert!(
            page.contains(&format!("<h3 id=\"{id}\">{section}</h3>")),
            "{section}"
        );
        assert!(
            page.contains(&format!("<li><a href=\"#{id}\">{section}</a></li>")),
            "{section}"
        );
    }
    assert!(
        !page.contains("NaN") && !page.contains(">inf"),
        "every number is one"
    );
}

/// The charts of a page by what they are called for those who cannot see them.
fn charts(page: &str) -> Vec<(&str, &str)> {
    let elements = page.split("<svg ").skip(1);
    let elements = elements.map(|rest| rest.split_once("</svg>").expect("closed").0);
    let named = elements.map(|svg| {
        let (root, marks) = svg.split_once('>').expect("a root");
        assert!(root.starts_with("viewBox=\"0 0 ") && root.contains(" role=\"img\""));
        let label = root.split("aria-label=\"").nth(1).expect("a label");
        (label.split('"').next().expect("its end"), marks)
    });
    named.collect()
}

#[test]
fn every_chart_is_drawn_and_says_what_it_shows() {
    let folder = temporary();
    let mut run = tuned(folder.path(), "run", &["--traj", "hover"]);
    let lost = json!({"end": "diverged", "at_s": 3.25, "why": "spinning"});
    let trial = &mut run["trials"][2];
    (trial["flights"][0]["outcome"], trial["lost"]) = (lost, json!(true));
    run["trials"][2]["cost_m"] = json!(2.0);
    put(&folder.path().join("run"), &run);
    let page = page(folder.path(), "run");
    assert!(!page.contains("Not drawn"));
    // With sensors 10 ms late: no margins are drawn, and no gains of the front are named for export.
    let unstable = "The vehicle is stable with none of these gains";
    let front = stdout(&succeeded(folder.path(), &["show", "run", "--front"]));
    assert!(
        page.contains(unstable) && front.contains(unstable),
        "{front}"
    );
    assert!(
        !page.contains("--at ") && !front.contains("--at "),
        "{front}"
    );
    // No interval is cut, and zero is always in sight.
    assert!(!page.contains("beyond the axis"));
    let charts = charts(&page);
    let words = |name: &str| -> Vec<&str> {
        let (_, marks) = charts.iter().find(|(label, _)| *label == name).expect(name);
        let texts = marks.split("<text ").skip(1);
        let inside = texts.map(|text| text.split_once('>').expect("a text").1);
        inside
            .map(|text| text.split('<').next().expect("its end").trim())
            .collect()
    };
    let named = |label: &str| charts.iter().filter(|(name, _)| *name == label).count();
    assert_eq!(named("default and recommended between the bounds"), 6);
    for start in ["hover before and after", "What gp predicts along"] {
        let of_it = charts.iter().filter(|(name, _)| name.starts_with(start));
        assert_eq!(of_it.count(), 1, "{start}");
    }
    assert_eq!(page.matches("<span class=\"bar\">").count(), 6);
    for wind in ["gusty", "steady"] {
        for chart in [
            format!("Recommended against default gains, wind by wind, in {wind} wind"),
            format!("Spectrum of the body rates in {wind} wind"),
        ] {
            assert_eq!(named(&chart), 1, "{chart}");
        }
    }
    let differences = words("Differences to the default gains with 95 % intervals");
    for word in [
        "gusty",
        "steady",
        "recommended",
        "best observed flight",
        "default gains",
    ] {
        assert!(differences.contains(&word), "{word}: {differences:?}");
    }
    let convergence = words("Cost of every evaluation, and the best so far");
    for word in [
        "ACE [m]",
        "evaluation",
        "gp: best so far",
        "one of the design",
        "lost",
    ] {
        assert!(convergence.contains(&word), "{word}: {convergence:?}");
    }
    let predicted = words("Predicted against observed cost");
    assert!(predicted.contains(&"prediction and its 90 % interval"));
    let coverage = words("Nominal against observed coverage");
    assert!(coverage.contains(&"95 % interval of the share"));
    // One palette: the page names the colours of the charts and has no others for gains.
    let (head, _) = page.split_once("<body>").expect("a body");
    assert!(head.contains("--series-0: #0072b2;") && head.contains("--loss: #8c0020;"));
    assert_eq!(page.matches("#0072b2").count(), 1);
}

#[test]
fn the_same_run_gives_the_same_bytes_on_one_thread_and_on_two() {
    let folder = temporary();
    tuned(folder.path(), "run", &["--traj", "hover"]);
    let made = |threads: &str| {
        let mut command = Command::cargo_bin("bo").expect("the program is built");
        command
            .current_dir(folder.path())
            .env("RAYON_NUM_THREADS", threads);
        command.args(["report", "run"]).assert().success();
        fs::read(folder.path().join("run/report.html")).expect("written")
    };
    assert!(made("1") == made("2"));
}

#[test]
fn every_evaluation_can_be_flown_again_in_the_page() {
    let folder = temporary();
    let run = tuned(folder.path(), "run", &["--traj", "fig8", "--seed", "2"]);
    let page = page(folder.path(), "run");
    let kept = &flights(&page)["evaluations"];
    let trials = run["trials"].as_array().expect("a list");
    assert_eq!(
        kept["flights"].as_array().expect("a list").len(),
        trials.len()
    );
    assert!(page.contains("they equal the record to the last bit"));
    for (number_of, trial) in trials.iter().enumerate() {
        let flight = &kept["flights"][number_of];
        let flown = &trial["flights"][0];
        assert_eq!(flight["number"], trial["number"]);
        assert_eq!(flight["domain"], flown["weather"]["domain"]);
        assert!(page.contains(&format!("data-evaluation=\"{number_of}\"")));
        let lists = |of: &Value| [0, 1, 2].map(|axis| sums(&of[axis], 1e-3));
        let (position, reference) = (lists(&flight["position"]), lists(&kept["reference"]));
        let squares = (0..3).flat_map(|axis| {
            let pairs = position[axis].iter().zip(&reference[axis]);
            pairs.map(|(a, b)| (a - b) * (a - b)).collect::<Vec<f64>>()
        });
        let ace = (squares.sum::<f64>() / position[0].len() as f64).sqrt();
        let recorded = number(&flown["score"]["ace_m"]);
        // Ten points a second instead of a thousand.
        assert!(
            (ace / recorded - 1.0).abs() < 0.03,
            "{number_of}: {ace} {recorded}"
        );
    }
}

#[test]
fn every_lost_evaluation_is_listed() {
    let folder = temporary();
    let run = tuned(folder.path(), "run", &["--traj", "fig8", "--seed", "2"]);
    let mut run = run;
    let trial = &mut run["trials"][2];
    trial["flights"][0]["outcome"] = json!({"end": "diverged", "at_s": 3.25, "why": "spinning"});
    (trial["cost_m"], trial["lost"]) = (json!(2.0), json!(true));
    let seed = &trial["flights"][0]["weather"]["seed"];
    let seed = seed.to_string().replace('"', "");
    put(&folder.path().join("run"), &run);
    let page = page(folder.path(), "run");
    let row = format!(
        "<td><code>{seed}</code></td><td>3.25 s</td><td><span class=\"why\">body rates above 100 rad/s</span></td>"
    );
    assert!(page.contains(&row));
}

#[test]
fn no_name_gets_out_of_its_place() {
    let folder = temporary();
    let name = "<img src=x onerror=alert(1)>\"'&";
    let mut run = tuned(folder.path(), name, &["--traj", "hover"]);
    let evil = "</script><script>alert(2)</script>";
    for candidate in ["default", "recommended", "observed"] {
        run[candidate]["tests"][0]["domain"] = json!(evil);
    }
    let dir = folder.path().join(name);
    put(&dir, &run);
    let output = bo(folder.path(), &["report", name]);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = fs::read_to_string(dir.join("report.html")).expect("written");
    assert!(!page.contains("<img") && !page.contains("<script>alert"));
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"));
    assert!(page.contains("&lt;/script&gt;"));
    // A vehicle or a wind of such a name is refused before anything is made of it.
    for place in [["airframe", "name"], ["domains", "0"]] {
        let mut run = run.clone();
        let named = &mut run["problem"][place[0]];
        let named = if place[1] == "0" {
            &mut named[0]["name"]
        } else {
            &mut named["name"]
        };
        *named = json!(evil);
        put(&dir, &run);
        let output = bo(folder.path(), &["report", name]);
        assert_eq!(output.status.code(), Some(65), "{place:?}");
        assert!(
            stderr(&output).contains("cannot be used"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn records_of_the_first_form_are_read_too() {
    let folder = temporary();
    let mut run = tuned(folder.path(), "run", &["--traj", "hover"]);
    let newer = page(folder.path(), "run");
    run["schema"] = json!("windhover-run/1");
    let problem = run["problem"].as_object_mut().expect("an object");
    problem.remove("training");
    problem.insert("gusty_share".to_owned(), json!(0.87));
    for knob in problem["tuned"].as_array_mut().expect("a list") {
        knob.as_object_mut().expect("an object").remove("scale");
    }
    let settings = run["settings"].as_object_mut().expect("an object");
    settings.remove("flights_per_evaluation");
    settings.remove("cost");
    for trial in run["trials"].as_array_mut().expect("a list") {
        let trial = trial.as_object_mut().expect("an object");
        let flights = trial.remove("flights").expect("a list");
        for (key, value) in flights[0].as_object().expect("an object") {
            trial.insert(key.clone(), value.clone());
        }
        assert!(trial.remove("x").is_some() && trial.remove("lost").is_some());
    }
    put(&folder.path().join("run"), &run);
    assert!(page(folder.path(), "run") == newer);
}

#[test]
fn several_runs_share_a_page_with_an_overview() {
    let folder = temporary();
    tuned(folder.path(), "one", &["--traj", "hover"]);
    tuned(folder.path(), "two", &["--traj", "hover", "--seed", "2"]);
    let output = done(folder.path(), "report one two --out new/both.html");
    assert!(output.contains("Written: new/both.html"));
    let page = fs::read_to_string(folder.path().join("new/both.html")).expect("written");
    assert!(page.contains("<h2 id=\"overview\">Overview</h2>"));
    assert!(page.contains("<li><a href=\"#run-1\">two</a><ol>"));
    assert!(
        page.contains("<a href=\"#run-1\">two</a>") && page.contains("id=\"run-1\"><h2>two</h2>")
    );
    assert_eq!(page.matches("class=\"flights\"").count(), 2);
    let (overview, _) = page.split_once("<section class=\"run\"").expect("runs");
    assert!(
        overview.contains("aria-label=\"Best so far of every run\"")
            && !overview.contains("Not drawn")
    );
    for name in ["one", "two"] {
        let run = record(folder.path(), name);
        for candidate in ["default", "recommended"] {
            // Three flights are too few for an interval.
            let median = number(&run[candidate]["tests"][1]["completed_m"]["median"]);
            let cell = format!("<td>{median:.3}</td>");
            assert!(overview.contains(&cell), "{name} {candidate}: {cell}");
        }
        let gain = number(&run["recommended"]["gains"]["position_z"]["kd"]);
        let digits = if gain < 10.0 { 3 } else { 2 };
        assert!(overview.contains(&format!("<b>{gain:.digits$}</b> (from 3)")));
    }
}

#[test]
fn a_browser_shows_the_page_without_complaint_and_the_replay_moves() {
    let folder = temporary();
    tuned(folder.path(), "run", &["--traj", "fig8"]);
    page(folder.path(), "run");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/report.mjs");
    let mut command = std::process::Command::new("node");
    let used = command
        .arg(script)
        .arg(folder.path().join("run/report.html"))
        .output();
    let Ok(output) = used else {
        eprintln!("skipped: there is no node");
        return;
    };
    if output.status.code() == Some(77) {
        eprintln!("skipped: there is no Chromium");
        return;
    }
    assert!(
        output.status.success(),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
}
