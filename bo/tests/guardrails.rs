//! Answers that mean nothing are announced or refused, on standard error, in the record and in the page;
//! and gains below a limit of their margins are not recommended.

use crate::config::read;
use crate::program::{bo, record, stderr, stdout, temporary};
use bo::flights::trust::GUARDRAILS;
use serde_json::Value;
use std::fs;
use std::path::Path;

const RUN: &str = "--traj hover --surrogate gp --initial 4 --iterations 3 --held-out 6";

fn typed(folder: &Path, line: &str) -> std::process::Output {
    bo(folder, &line.split_whitespace().collect::<Vec<_>>())
}

/// A command that provokes each guardrail of many flights, and where it is kept.
const PROVOKED: [(&str, &str, &str); 5] = [
    (
        "too-few-winds",
        "--traj hover --surrogate gp --initial 4 --iterations 3 --held-out 5 --out run",
        "run/run.json",
    ),
    (
        "too-few-evaluations",
        "--traj hover --surrogate gp --initial 3 --iterations 3 --held-out 6 --out run",
        "run/run.json",
    ),
    (
        "too-few-seeds",
        "compare --traj hover --surrogates gp --baselines none --seeds 1 --initial 4 --iterations 3 \
         --held-out 3 --out run",
        "run/compare.json",
    ),
    (
        "too-few-to-pass",
        "check gains.toml --flights 20 --out run",
        "run/check.json",
    ),
    (
        "gains-at-bounds",
        "--config one.toml --out run",
        "run/run.json",
    ),
];

/// One gain between bounds that lose every vehicle: what is recommended is the start, at the lower one.
const ONE: &str = "surrogate = \"gp\"\ntrajectory = \"hover\"\n\
    [budget]\ninitial = 2\niterations = 1\nheld_out = 6\n\
    [gains]\ntune = [\"rate_kp.xy\"]\n\
    [gains.bounds.\"rate_kp.xy\"]\nlow = 20.0\nhigh = 40.0\nstart = 20.0\n";

#[test]
fn every_guardrail_of_many_flights_speaks_and_is_kept() {
    for (name, line, file) in PROVOKED {
        let folder = temporary();
        let here = folder.path();
        fs::write(here.join("one.toml"), ONE).expect("writable");
        let gains = sim::Airframe::omac().gains;
        let gains = toml::to_string(&gains).expect("TOML");
        fs::write(here.join("gains.toml"), gains).expect("writable");
        let output = typed(here, line);
        let said = stderr(&output);
        let warned =
            |line: &&str| line.starts_with("warning: ") && line.ends_with(&format!("[{name}]"));
        let found: Vec<&str> = said.lines().filter(warned).collect();
        assert_eq!(found.len(), 1, "{name}: {said}");
        let kept = fs::read_to_string(here.join(file)).expect("written");
        let kept: Value = serde_json::from_str(&kept).expect("JSON");
        let warning = found[0].strip_prefix("warning: ").expect("checked");
        let concerns = kept["concerns"].as_array().expect("a list");
        assert!(
            concerns.iter().any(|concern| concern == warning),
            "{concerns:?}"
        );
        if file == "run/run.json" {
            assert!(typed(here, "report run").status.success());
            let page = fs::read_to_string(here.join("run/report.html")).expect("written");
            assert!(page.contains(&format!("[{name}]")), "{name}");
            assert!(stdout(&typed(here, "show run")).contains(warning));
        }
    }
    assert!(
        GUARDRAILS
            .iter()
            .map(|g| g.name)
            .eq(PROVOKED.map(|(name, ..)| name))
    );
}

#[test]
fn what_could_mean_nothing_is_refused_by_every_command_that_flies() {
    let folder = temporary();
    let here = folder.path();
    fs::write(here.join("under.csv"), "0,0,0,0\n10,0,0,-4\n").expect("writable");
    fs::write(here.join("study.toml"), "trajectory = \"under.csv\"\n").expect("writable");
    let gains = toml::to_string(&sim::Airframe::omac().gains).expect("TOML");
    fs::write(here.join("gains.toml"), gains).expect("writable");
    for line in [
        "--config study.toml --out run",
        "--config study.toml --out run --dry-run",
        "config study.toml",
        "check gains.toml --traj under.csv --out run",
    ] {
        let output = typed(here, line);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(65), "{line}: {said}");
        assert!(
            said.starts_with("error: the reference leads below the ground after "),
            "{said}"
        );
        assert!(said.contains("[reference-below-ground]"), "{said}");
        assert_eq!((said.lines().count(), stdout(&output).as_str()), (1, ""));
        assert!(!here.join("run").exists(), "{line}");
    }
}

#[test]
fn a_run_that_has_nothing_to_warn_of_says_nothing() {
    let folder = temporary();
    let output = typed(folder.path(), &format!("{RUN} --out run"));
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stderr(&output).contains("warning"), "{}", stderr(&output));
    assert_eq!(record(folder.path(), "run")["concerns"], Value::Null);
    assert_eq!(record(folder.path(), "run")["margins"], Value::Null);
}

/// Start gains that keep the limit, and ones that do not.
#[test]
fn gains_below_a_limit_of_their_margins_are_neither_flown_nor_recommended() {
    for (start, below) in [
        ("", false),
        (
            "[gains]\nbaseline = \"start\"\n[gains.bounds.\"position_xy.kd\"]\nstart = 2.0\n",
            true,
        ),
    ] {
        let folder = temporary();
        let here = folder.path();
        let study = format!(
            "{start}[limits]\nmargins = \"stated\"\nphase_margin_deg = 50\nmargins_of = [\"velocity\", \"position\"]\n"
        );
        fs::write(here.join("study.toml"), study).expect("writable");
        let output = typed(here, &format!("--config study.toml {RUN} --out run"));
        assert!(output.status.success(), "{}", stderr(&output));
        let run = record(here, "run");
        let phase = |of: &str| run["margins"][of]["phase_deg"][0].as_f64().expect("stable");
        assert!(phase("recommended") >= 50.0, "{}", run["margins"]);
        assert_eq!(phase("default") < 50.0, below, "{}", run["margins"]);
        let trials = run["trials"].as_array().expect("a list");
        let flown_below: Vec<usize> = (0..trials.len())
            .filter(|k| !trials[*k]["below"].is_null())
            .collect();
        assert_eq!(flown_below, if below { vec![0] } else { vec![] });
        // Where a point was moved to where it is allowed, it is said why.
        for trial in trials.iter().filter(|trial| !trial["instead_of"].is_null()) {
            let value = trial["instead_of"]["value"].as_f64().unwrap_or(0.0);
            assert!(value < 50.0, "{trial}");
        }
        assert!(
            stdout(&output).contains("phase [deg]"),
            "{}",
            stdout(&output)
        );
        if !below {
            continue;
        }
        assert!(typed(here, "report run").status.success());
        let page = fs::read_to_string(here.join("run/report.html")).expect("written");
        assert!(page.contains("The least margins of the loops at hover, in simulation:"));
        // The observed gains are such too, and a resume makes the same record.
        let whole = fs::read_to_string(here.join("run/run.json")).expect("written");
        fs::remove_file(here.join("run/run.json")).expect("there");
        assert!(typed(here, "--resume run").status.success());
        assert_eq!(
            fs::read_to_string(here.join("run/run.json")).expect("written"),
            whole
        );
    }
}

/// A study keeps sound margins by itself, loop by loop, or those of the start gains where they are less;
/// one key switches that off, and the command without a study does not ask for them.
#[test]
fn a_study_keeps_sound_margins_unless_it_says_otherwise() {
    let folder = temporary();
    let here = folder.path();
    let line = format!("--config study.toml {RUN} --out run");
    for (study, note, kept) in [
        (
            "airframe = \"hummingbird\"\n[sensors]\ndelay_periods = 4\n",
            // Its own rate loop has less than a factor of 2 with such sensors.
            "with sensors 4 ms late, but as little as the start gains leave: rate ",
            true,
        ),
        (
            "airframe = \"hummingbird\"\n[sensors]\ndelay_periods = 4\n[limits]\nmargins = \"stated\"\n",
            "",
            false,
        ),
        (
            "airframe = \"omac\"\n",
            "with sensors 10 ms late the start gains are not stable, so no margins are kept; \
             delay_periods under [sensors]",
            false,
        ),
    ] {
        fs::write(here.join("study.toml"), study).expect("writable");
        let output = typed(here, &line);
        let said = stderr(&output);
        assert!(output.status.success(), "{said}");
        assert!(said.contains(note), "{said}");
        assert_eq!(said.contains(" ms late"), !note.is_empty(), "{said}");
        let run = record(here, "run");
        assert_eq!(run["margins"].is_null(), !kept);
        let table = "Least margins of the loops at hover, with sensors 4 ms late, in simulation";
        assert_eq!(stdout(&output).contains(table), kept, "{}", stdout(&output));
        if kept {
            let airframe = sim::Airframe::by_name("hummingbird").expect("shipped");
            let gains = fs::read_to_string(here.join("run/gains.toml")).expect("written");
            let gains = sim::Gains::from_toml(&gains).expect("gains");
            let [start, tuned] = [&airframe.gains, &gains].map(|gains| least(&airframe, gains));
            for (start, tuned) in start.iter().zip(&tuned) {
                for ((start, tuned), sound) in start.iter().zip(tuned).zip([30.0, 2.0, 0.5]) {
                    assert!(*tuned >= start.min(sound) * (1.0 - 1e-4), "{start} {tuned}");
                }
            }
        }
        fs::remove_dir_all(here.join("run")).expect("there");
    }
}

/// The least phase [deg], factor of gain and disk margin of each loop with sensors 4 ms late.
fn least(airframe: &sim::Airframe, gains: &sim::Gains) -> Vec<[f64; 3]> {
    let wind = sim::margins::usual_wind_m_s(Some(&sim::Domain::gusty()));
    let hover = sim::margins::Linearised::hover(airframe, gains, 4, wind);
    assert!(hover.mode().is_stable());
    let all = hover.all_margins(&sim::margins::LOOPS);
    let of_axis = |(_, _, m): &(sim::margins::Loop, usize, sim::margins::Margins)| {
        let either = [m.gain_up, m.gain_down.map(f64::recip)]
            .into_iter()
            .flatten();
        let phase = m.phase_rad.map_or(180.0, f64::to_degrees);
        [phase, either.fold(f64::MAX, f64::min), m.disk]
    };
    let of_loop = |axes: &[_]| {
        let axes: Vec<[f64; 3]> = axes.iter().map(of_axis).collect();
        [0, 1, 2].map(|k| axes.iter().map(|axis| axis[k]).fold(f64::MAX, f64::min))
    };
    all.chunks(3).map(of_loop).collect()
}

/// Every gain that is flown keeps the limits of steps, as a flight answers them.
#[test]
fn steps_of_position_are_held_to_their_limits() {
    let folder = temporary();
    let here = folder.path();
    let (overshoot, settling_s) = (0.12, 4.0);
    let limits = format!(
        "[limits]\nmargins = \"stated\"\novershoot = {overshoot}\nsettling_s = {settling_s}\nstep_m = 2\n"
    );
    fs::write(here.join("study.toml"), limits).expect("writable");
    let output = typed(here, &format!("--config study.toml {RUN} --out run"));
    assert!(output.status.success(), "{}", stderr(&output));
    let run = record(here, "run");
    let setup = sim::Setup::new(sim::Airframe::omac());
    let worst = |gains: &Value| {
        let mut all = run["default"]["gains"].clone();
        for (name, value) in gains.as_object().expect("by name") {
            let at = format!("/{}", name.replace('.', "/"));
            *all.pointer_mut(&at).expect("a gain") = value.clone();
        }
        let gains: sim::Gains = serde_json::from_value(all).expect("gains");
        let steps = [
            [2.0, 0.0, 0.0],
            [0.0, 2.0, 0.0],
            [0.0, 0.0, 2.0],
            [0.0, 0.0, -2.0],
        ];
        let flown = steps.map(|step| {
            let step = sim::step_in_flight(&setup, &gains, step.into(), 10.0);
            step.expect("completed")
        });
        let most =
            |of: fn(&sim::margins::StepFigures) -> f64| flown.iter().map(of).fold(0.0, f64::max);
        [
            most(|step| step.overshoot),
            most(|step| step.settling_s.unwrap_or(99.0)),
        ]
    };
    let trials = run["trials"].as_array().expect("a list");
    let [first, ..] = worst(&trials[0]["gains"]);
    assert!(
        first > overshoot && !trials[0]["below"].is_null(),
        "the start gains do not: {first}"
    );
    for trial in &trials[1..] {
        let [over, settled_s] = worst(&trial["gains"]);
        assert!(
            over <= overshoot && settled_s <= settling_s,
            "{over} {settled_s}: {trial}"
        );
    }
    let kept = run["margins"]["recommended"]["overshoot"][0].as_f64();
    assert!(kept <= Some(overshoot), "{}", run["margins"]);
    assert!(
        stdout(&output).contains("step of 2 m, overshoot"),
        "{}",
        stdout(&output)
    );
}

/// Along the figure-8 loops have less than at hover, and that is what is held to the limit.
#[test]
fn margins_are_held_to_limits_along_the_trajectory_too() {
    let broken = |at: &str| {
        let study = format!(
            "trajectory = \"fig8\"\n[limits]\nmargins = \"stated\"\nphase_margin_deg = 55\n\
             margins_of = [\"velocity\", \"position\"]\nmargins_at = \"{at}\"\n"
        );
        let problem = read(&study).expect("legal").problem().expect("legal");
        let margins = problem.margins.as_ref().expect("asked for");
        margins.violation_at(&problem.baseline())
    };
    assert_eq!(broken("hover"), None);
    let along = broken("trajectory").expect("less than at hover");
    assert!(along.value.expect("stable") < 55.0, "{along}");
    assert!(
        along.of.contains(" at ") && along.of.ends_with(" s"),
        "{along}"
    );
    let folder = temporary();
    let here = folder.path();
    let study = "[limits]\nmargins = \"stated\"\nphase_margin_deg = 45\n\
        margins_of = [\"velocity\", \"position\"]\nmargins_at = \"trajectory\"\n";
    fs::write(here.join("study.toml"), study).expect("writable");
    let run = RUN.replace("hover", "fig8");
    let output = typed(here, &format!("--config study.toml {run} --out run"));
    assert!(output.status.success(), "{}", stderr(&output));
    let margins = record(here, "run")["margins"].take();
    let tested = margins["recommended"]["phase_deg"][0].as_f64();
    assert!(tested.expect("stable") >= 45.0, "{margins}");
}

/// The start gains and all of the points that are spread over the cube break it: the nearest has 33 degrees.
#[test]
fn gains_that_keep_a_limit_are_climbed_to() {
    let folder = temporary();
    let here = folder.path();
    let study = "airframe = \"crazyflie\"\n[sensors]\ndelay_periods = 5\n[gains]\ntune = \"cascade\"\n\
                 [limits]\nmargins = \"stated\"\nphase_margin_deg = 45\n";
    fs::write(here.join("study.toml"), study).expect("writable");
    let output = typed(here, &format!("--config study.toml {RUN} --out run"));
    assert!(output.status.success(), "{}", stderr(&output));
    let margins = &record(here, "run")["margins"];
    let phase_deg = |of: &str| margins[of]["phase_deg"][0].as_f64().expect("stable");
    assert!(phase_deg("default") < 45.0, "{margins}");
    assert!(phase_deg("recommended") >= 45.0, "{margins}");
}

#[test]
fn a_limit_that_nothing_keeps_or_nobody_knows_ends_on_one_line() {
    let folder = temporary();
    let here = folder.path();
    for (limits, code, said) in [
        (
            "phase_margin_deg = 89\nmargins_of = [\"rate\"]",
            65,
            "error: none of 616 points within [gains.bounds] keeps the [limits] of margins and steps; the nearest: phase_margin_deg = 89, and ",
        ),
        ("phase_margin = 35", 65, "unknown field `phase_margin`"),
        (
            "phase_margin_deg = 0",
            65,
            "limits.phase_margin_deg is 0; it must be from 0.1 to 180 degrees, or none",
        ),
        (
            "phase_margin_deg = 35\nmargins_of = [\"roll\"]",
            65,
            "`roll`",
        ),
        ("margins_of = [\"rate\", \"rate\"]", 65, "the loop `rate`"),
        ("margins_at = \"everywhere\"", 65, "`everywhere`"),
        (
            "overshoot = -1",
            65,
            "limits.overshoot is -1; it must be from 0.001 to 10, or none",
        ),
    ] {
        fs::write(here.join("study.toml"), format!("[limits]\n{limits}\n")).expect("writable");
        let output = typed(here, &format!("--config study.toml {RUN} --out run"));
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{limits}: {text}");
        assert!(text.contains(said), "{limits}: {text}");
        assert_eq!((text.lines().count(), stdout(&output).as_str()), (1, ""));
        assert!(!here.join("run").exists(), "{limits}");
    }
}
