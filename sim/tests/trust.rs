//! Answers that mean nothing are announced, and no others.

use crate::program::{sim, stderr, stdout, temporary, words};
use serde_json::Value;
use sim::{
    AIRFRAME_NAMES, Airframe, Concern, Domain, GUARDRAILS, Gains, Guarded, Guess, Setup, Severity,
    World, concerns,
};
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use trajectories::Waypoints;

/// The shipped vehicle with nothing that moving air acts on.
fn without_drag() -> String {
    let text = include_str!("../airframes/hummingbird.toml");
    let (before, after) = text.split_once("[rotor_drag]").expect("shipped");
    let (_, after) = after.split_once("[controller]").expect("shipped");
    format!("{before}[controller]{after}").replace("\"hummingbird\"", "\"bare\"")
}

fn said(setup: &Setup, csv: &str, domains: &[&Domain]) -> Vec<String> {
    let trajectory = Waypoints::from_csv("own", csv).expect("waypoints");
    let found = concerns(
        setup,
        ("these", &setup.airframe.gains),
        &trajectory,
        domains,
    );
    found.iter().map(Concern::to_string).collect()
}

const GENTLE: &str = "0,0,0,0\n10,1,0,0\n";

#[test]
fn what_is_shipped_gives_no_cause_for_concern() {
    let (gusty, steady) = (Domain::gusty(), Domain::steady());
    for airframe in AIRFRAME_NAMES {
        let setup = Setup::new(Airframe::by_name(airframe).expect("shipped"));
        for name in trajectories::NAMES {
            let trajectory = trajectories::by_name(name).expect("shipped");
            let gains = &setup.airframe.gains;
            let found = concerns(
                &setup,
                ("these", gains),
                trajectory.as_ref(),
                &[&gusty, &steady],
            );
            assert_eq!(found, [], "{airframe} {name}");
        }
    }
}

#[test]
fn a_moment_in_hover_that_no_integral_can_give_is_named_with_what_to_do() {
    let mut setup = Setup::new(Airframe::by_name("hummingbird").expect("shipped"));
    let airframe = &mut setup.airframe;
    // The weight pulls the nose down by what is ahead: m g x.
    airframe.centre_of_mass_m = Some([0.02, 0.0, 0.0]);
    let needed_n_m = airframe.mass_kg * sim::GRAVITY_M_S2 * 0.02;
    let moments = airframe.hover_moments_n_m();
    assert!((moments.y.abs() - needed_n_m).abs() < 1e-12, "{moments}");
    assert!(
        moments.x.abs() < 1e-12 && moments.z.abs() < 1e-12,
        "{moments}"
    );
    let clamps = &mut airframe.controller.rate_integral_limit_rad;
    clamps[1] = 1.01 * needed_n_m / airframe.gains.rate_ki[1];
    assert!(said(&setup, GENTLE, &[]).is_empty());
    setup.airframe.controller.rate_integral_limit_rad[1] *= 0.9;
    let lines = said(&setup, GENTLE, &[]);
    assert!(
        lines.len() == 1
            && lines[0].starts_with("hover needs 9.81e-2")
            && lines[0].contains("about pitch"),
        "{lines:?}"
    );
    setup.airframe.gains.rate_ki[1] = 0.0;
    assert!(said(&setup, GENTLE, &[])[0].contains("at most 0.00e0"));
    let folder = temporary();
    let file = toml::to_string(&setup.airframe).expect("representable");
    fs::write(folder.path().join("nose.toml"), file).expect("writable");
    let output = sim(folder.path(), &["margins", "--airframe", "nose.toml"]);
    assert!(
        stderr(&output).contains("[hover-out-of-trim]"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_vehicle_that_feels_no_wind_is_named_on_one_line_by_fly_and_montecarlo() {
    let folder = temporary();
    fs::write(folder.path().join("bare.toml"), without_drag()).expect("writable");
    let line = "warning: wind does not act on the airframe `bare`: it has no side_force, \
                rotor_drag or body_drag; flights in any wind are flights in still air; give the airframe \
                one of these sections, or name no wind [wind-does-not-act]\n";
    let fly = |domain: &str| {
        let args = [
            "fly",
            "--traj",
            "hover",
            "--airframe",
            "bare.toml",
            "--domain",
            domain,
        ];
        sim(folder.path(), &args)
    };
    let (gusty, still) = (fly("gusty"), fly("still"));
    assert_eq!(
        (stderr(&gusty).as_str(), stderr(&still).as_str()),
        (line, "")
    );
    // The reason to warn: the same numbers.
    let numbers = |text: String| text.split_once('\n').expect("lines").1.to_owned();
    assert_eq!(numbers(stdout(&gusty)), numbers(stdout(&still)));
    let args = words("montecarlo --traj hover --airframe bare.toml --flights 2");
    assert!(stderr(&sim(folder.path(), &args)).starts_with(line));
}

#[test]
fn serve_warns_in_its_answer_to_init() {
    let folder = temporary();
    fs::write(folder.path().join("bare.toml"), without_drag()).expect("writable");
    let answer = |init: &str| -> Value {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("sim"))
            .current_dir(folder.path())
            .args(["serve", "--jsonl"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("piped");
        writeln!(input, "{init}").expect("the program reads");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        serde_json::from_slice(&output.stdout).expect("one JSON object")
    };
    for wind in ["\"gusty\"", "[3,0,0]"] {
        let init = format!("{{\"type\":\"init\",\"airframe\":\"bare.toml\",\"wind\":{wind}}}");
        let warnings = answer(&init)["warnings"].clone();
        assert!(
            warnings[0]
                .as_str()
                .expect("a sentence")
                .starts_with("wind does not act")
        );
    }
    for wind in ["\"still\"", "[0,0,0]"] {
        let init = format!("{{\"type\":\"init\",\"airframe\":\"bare.toml\",\"wind\":{wind}}}");
        assert_eq!(answer(&init)["warnings"], Value::Null);
    }
}

#[test]
fn wind_and_uncertainty_that_are_none_are_named() {
    let mut setup = Setup::new(Airframe::omac());
    setup.uncertain = true;
    let calm = Domain {
        name: "calm".to_owned(),
        mean_m_s: [0.0; 3],
        sigma_m_s: [0.0; 3],
        ..Domain::gusty()
    };
    let found = said(&setup, GENTLE, &[&calm, &Domain::gusty()]);
    assert_eq!(
        found,
        [
            "the wind domain `calm` has no wind: its mean and its gusts are zero",
            "the airframe `omac` declares no [uncertainty]: every vehicle is the nominal one",
        ]
    );
    setup.airframe.uncertainty.mass_rel = 0.1;
    assert_eq!(said(&setup, GENTLE, &[&Domain::gusty()]), [""; 0]);
}

#[test]
fn a_reference_that_nothing_can_follow_is_named() {
    let setup = Setup::new(Airframe::omac());
    let found = said(&setup, "0,0,0,0\n1,0,0,40\n", &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("for ") && found[0].contains(" of 125.000 N and "));
    // For a short part of it only.
    let found = said(&setup, "0,0,0,0\n10,0,0,600\n", &[]);
    let thrust = |line: &String| line.contains(" N after ") && line.contains("the 125.000 N");
    assert!(found.iter().any(thrust), "{found:?}");
    let found = said(&setup, "0,0,0,0\n10,180,0,0\n", &[]);
    let sideways = |line: &String| line.contains("horizontal acceleration of ");
    assert!(found.iter().any(sideways), "{found:?}");
    let found = said(&setup, "0,0,0,-5\n2,0,0,-6\n4,0,0,-5\n", &[]);
    assert_eq!(
        found,
        [
            "the reference leads below the ground after 0.00 s, 2.952 m at most: no gains can follow it"
        ]
    );
    let mut open = Setup::new(Airframe::omac());
    open.world = World::empty();
    assert_eq!(said(&open, "0,0,0,-5\n2,0,0,-6\n4,0,0,-5\n", &[]), [""; 0]);
}

#[test]
fn a_reference_that_begins_late_is_said_to_be_waited_for() {
    let setup = Setup::new(Airframe::omac());
    let found = said(&setup, "5,0,0,0\n8,1,0,0\n", &[]);
    let line = "the reference begins to move after 5.02 s only: the vehicle holds its first point until \
                then, and that time counts";
    assert_eq!(found, [line]);
    assert_eq!(
        said(&setup, "0,0,0,0\n9,0,0,0\n", &[]),
        [""; 0],
        "it hovers"
    );
}

/// What is asked for, with nothing wrong.
struct Asked {
    setup: Setup,
    gains: Gains,
    csv: &'static str,
    domain: Domain,
}

/// Does one thing wrong.
type Wrong = fn(&mut Asked);

/// Guardrails of a record of wind, which its own tests wake, and the one of a number of flights.
const ELSEWHERE: [&str; 8] = [
    "wind-outliers",
    "wind-stands",
    "wind-without-vertical",
    "wind-of-means",
    "slow-wind",
    "wind-implausible",
    "few-independent-windows",
    "too-few-flights",
];

/// A way into each other guardrail of a flight.
const WRONG: [(&str, Wrong); 21] = [
    ("hover-out-of-trim", |asked| {
        asked.setup.airframe.centre_of_mass_m = Some([0.0, 0.02, 0.0]);
        asked.gains.rate_ki = [0.0; 3];
    }),
    ("cannot-hover", |a| {
        a.setup.airframe.controller.max_thrust_n = 16.0
    }),
    ("reference-below-ground", |a| a.csv = "0,0,0,0\n10,0,0,-4\n"),
    ("reference-beyond-vehicle", |a| {
        a.csv = "0,0,0,0\n2,90,0,0\n"
    }),
    ("reference-through-obstacle", |a| {
        let pillar = "[[boxes]]
name = \"pillar\"
centre_m = [0.5, 0.0, 0.0]
size_m = [0.2, 1.0, 1.0]
";
        a.setup.world = World::from_toml(pillar).expect("a world")
    }),
    ("little-thrust", |a| {
        a.setup.airframe.controller.max_thrust_n = 26.0
    }),
    ("wind-does-not-act", |a| a.setup.airframe.side_force = None),
    ("no-wind", |a| {
        (a.domain.mean_m_s, a.domain.sigma_m_s) = ([0.0; 3], [0.0; 3])
    }),
    ("wind-too-strong", |a| {
        a.setup.airframe.controller.max_tilt_deg = 2.0
    }),
    ("no-uncertainty", |a| a.setup.uncertain = true),
    ("airframe-guessed", |a| {
        a.setup.airframe.guessed = vec![Guess::RotorLag, Guess::Drag]
    }),
    ("uncertain-too-heavy", |a| {
        a.setup.uncertain = true;
        a.setup.airframe.uncertainty.battery_sag_rel = 0.9
    }),
    ("unstable-gains", |a| a.gains.position_xy.kp *= 20.0),
    ("too-much-thrust", |a| a.csv = "0,0,0,0\n10,0,0,600\n"),
    ("too-much-acceleration", |a| a.csv = "0,0,0,0\n10,180,0,0\n"),
    ("reference-waits", |a| a.csv = "5,0,0,0\n10,1,0,0\n"),
    ("airframe-implausible", |a| {
        a.setup.airframe.rotors.lag_s = 50.0
    }),
    ("too-much-yaw-rate", |a| a.csv = "0,0,0,0,0\n9,0,0,0,90\n"),
    ("too-little-thrust", |a| {
        a.csv = "0,0,0,10\n1.2,0,0,5\n2.2,0,0,0.5\n4,0,0,0.5\n"
    }),
    ("heading-over-seam", |a| {
        a.csv = "0,0,0,0,3.1\n9,1,0,0,-3.1\n"
    }),
    ("reference-swings", |a| {
        a.csv = "0,0,0,0\n10,1,0,0\n10.5,2,0,0\n20,3,0,0\n"
    }),
];

#[test]
fn every_guardrail_speaks_where_it_should_and_says_what_to_do() {
    for (name, wrong) in WRONG {
        let setup = Setup::new(Airframe::omac());
        let mut asked = Asked {
            gains: setup.airframe.gains,
            setup,
            csv: GENTLE,
            domain: Domain::steady(),
        };
        let found = |asked: &Asked| {
            let path = Waypoints::from_csv("own", asked.csv).expect("waypoints");
            concerns(
                &asked.setup,
                ("these", &asked.gains),
                &path,
                &[&asked.domain],
            )
        };
        assert_eq!(found(&asked), []);
        wrong(&mut asked);
        let found = found(&asked);
        let own = found
            .iter()
            .find(|concern| concern.guardrail().name == name);
        let own = own.unwrap_or_else(|| panic!("{name}: {found:?}"));
        let said = own.said();
        assert!(said.contains(own.guardrail().advice), "{said}");
        assert!(said.ends_with(&format!("[{name}]")), "{said}");
        assert!(
            said.contains(|c: char| c.is_ascii_digit()) || said.contains('`'),
            "{said}"
        );
        // Refusals come first, whatever else is found.
        assert!(found.is_sorted_by_key(|concern| !concern.refuses()));
    }
    let ways = |name: &str| WRONG.iter().filter(|(way, _)| *way == name).count();
    for guardrail in &GUARDRAILS {
        let elsewhere = usize::from(ELSEWHERE.contains(&guardrail.name));
        assert_eq!(ways(guardrail.name) + elsewhere, 1, "{}", guardrail.name);
    }
}

#[test]
fn what_could_mean_nothing_is_refused_on_one_line_before_anything_is_made() {
    let folder = temporary();
    let here = folder.path();
    fs::write(here.join("under.csv"), "0,0,0,0\n10,0,0,-4\n").expect("writable");
    fs::write(here.join("hurry.csv"), "0,0,0,0\n2,90,0,0\n").expect("writable");
    let heavy =
        include_str!("../airframes/omac.toml").replace("max_thrust_n = 125", "max_thrust_n = 16");
    fs::write(here.join("heavy.toml"), heavy).expect("writable");
    for (asked, said) in [
        ("--traj under.csv", "[reference-below-ground]"),
        ("--traj hurry.csv", "[reference-beyond-vehicle]"),
        (
            "--traj hover --airframe heavy.toml",
            "it must be above the weight",
        ),
    ] {
        for command in ["fly", "montecarlo --flights 100"] {
            let line = format!("{command} {asked} --out made");
            let output = sim(here, &line.split(' ').collect::<Vec<_>>());
            let text = stderr(&output);
            assert_eq!(output.status.code(), Some(65), "{line}: {text}");
            assert!(text.starts_with("error: ") && text.contains(said), "{text}");
            assert_eq!((text.lines().count(), stdout(&output).as_str()), (1, ""));
            assert!(!here.join("made").exists(), "{line}");
        }
    }
    let refusals = GUARDRAILS
        .iter()
        .filter(|g| g.severity == Severity::Refusal);
    assert_eq!(
        refusals.count(),
        3,
        "a refusal that this test does not know"
    );
}

#[test]
fn warnings_are_kept_with_what_was_flown() {
    let folder = temporary();
    let here = folder.path();
    for line in [
        "montecarlo --traj hover --flights 4 --uncertain --format json --out many",
        "fly --traj hover --uncertain --format json --out one",
    ] {
        let output = sim(here, &line.split(' ').collect::<Vec<_>>());
        let printed: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        let out = line.rsplit(' ').next().expect("words");
        let made = fs::read_to_string(here.join(out).join("made.json")).expect("written");
        let made: Value = serde_json::from_str(&made).expect("JSON");
        assert_eq!(made["result"]["concerns"], printed["concerns"]);
        let concerns = printed["concerns"].as_array().expect("a list");
        for concern in concerns {
            let warned = format!("warning: {}\n", concern.as_str().expect("text"));
            assert!(stderr(&output).contains(&warned), "{warned}");
        }
        let few = line.starts_with("montecarlo");
        assert_eq!(concerns.len(), 1 + usize::from(few), "{concerns:?}");
        assert_eq!(few, stderr(&output).contains("4 flights are too few for an interval: a bound of the median ACE with 95 % confidence takes 5; raise --flights [too-few-flights]"));
    }
}
