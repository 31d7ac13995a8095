//! Manoeuvres: read and refused, and what they move.

use crate::batch::flown_both_ways;
use crate::program::{json, refusal, sim, stderr, stdout, temporary};
use ::sim::{
    AIRFRAME_NAMES, Airframe, Domain, Flight, GRAVITY_M_S2, Manoeuvre, SensorNoise, Setup, Steady,
    fly,
};
use nalgebra::Vector3;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use trajectories::{Hover, by_name};

const NAMES: &str = "t_s,thrust_share,roll_rad_s,pitch_rad_s,yaw_rad_s";

fn read(rows: &str) -> Manoeuvre {
    Manoeuvre::from_csv(&format!("{NAMES}\n{rows}")).expect("legal")
}

/// A hover in still air without noise, every tick recorded.
fn hovering(rows: &str) -> Flight {
    let setup = Setup {
        sensors: SensorNoise::NONE,
        record_every: 1,
        manoeuvre: Some(Arc::new(read(rows))),
        ..Setup::new(Airframe::omac())
    };
    let mut still = Steady(Vector3::zeros());
    let hover = Hover { lasts_s: 2.0 };
    fly(&setup, &hover, &setup.airframe.gains, &mut still, 1)
}

#[test]
fn every_fault_of_a_file_is_named_with_its_line() {
    let many = format!("{NAMES}\n{}", "0,0,0,0,0\n".repeat(3));
    let cases = [
        (
            "",
            "line 1 of the manoeuvre: there must be a line of names and at least two rows",
        ),
        (
            "t_s,roll_rad_s\n",
            "line 1 of the manoeuvre: the names are `t_s,roll_rad_s`; they must be t_s,thrust_share,roll_rad_s,pitch_rad_s,yaw_rad_s",
        ),
        (
            "@0,0,0,0,0",
            "line 2 of the manoeuvre: there must be a line of names and at least two rows",
        ),
        (
            "@0,0,0,0",
            "line 2 of the manoeuvre: there are 4 cells; there must be 5, with commas between them",
        ),
        (
            "@0;0;0;0;0",
            "line 2 of the manoeuvre: there are 1 cells; there must be 5, with commas between them",
        ),
        (
            "@\n# so\n0,0,one,0,0",
            "line 4 of the manoeuvre: roll_rad_s is `one`, which is no number",
        ),
        (
            "@0,0,nan,0,0",
            "line 2 of the manoeuvre: roll_rad_s is NaN; it must be between -20 and 20",
        ),
        (
            "@0,0,0,20.1,0",
            "line 2 of the manoeuvre: pitch_rad_s is 20.1; it must be between -20 and 20",
        ),
        (
            "@0,-1.1,0,0,0",
            "line 2 of the manoeuvre: thrust_share is -1.1; it must be between -1 and 1",
        ),
        (
            "@-1,0,0,0,0",
            "line 2 of the manoeuvre: t_s is -1; it must be between 0 and 86400",
        ),
        (
            many.as_str(),
            "line 3 of the manoeuvre: t_s is 0 after 0; times must ascend",
        ),
        (
            "@0,0,1,0,0\n1,0,0,0,1",
            "line 3 of the manoeuvre: the last row ends the manoeuvre; it must add nothing",
        ),
    ];
    for (text, said) in cases {
        let text = text.replace('@', &format!("{NAMES}\n"));
        let refused = Manoeuvre::from_csv(&text).expect_err(said);
        assert_eq!(refused.to_string(), said);
    }
    let rows: String = (0..=100_000).map(|k| format!("{k}e-3,0,0,0,0\n")).collect();
    let refused = Manoeuvre::from_csv(&format!("{NAMES}\n{rows}")).expect_err("too many");
    let said = "line 100002 of the manoeuvre: there must be at most 100000 rows";
    assert_eq!(refused.to_string(), said);
}

#[test]
fn a_row_holds_until_the_next_and_the_last_one_ends_it() {
    let manoeuvre = read("0.1,0.2,1,2,3\n0.3,0,-1,0,0\n0.7,0,0,0,0");
    assert_eq!(manoeuvre.lasts_s(), 0.7);
    let roll = |tick: u32| {
        let added = manoeuvre.at(f64::from(tick) * 1e-3);
        added.map(|added| added.rates_rad_s.x)
    };
    assert_eq!(
        [0, 99, 100, 299].map(roll),
        [None, None, Some(1.0), Some(1.0)]
    );
    assert_eq!(
        [300, 699, 700, 900].map(roll),
        [Some(-1.0), Some(-1.0), None, None]
    );
    let added = manoeuvre.at(0.2).expect("within");
    assert_eq!((added.thrust_share, added.rates_rad_s.z), (0.2, 3.0));
    assert_eq!(manoeuvre.later(1.0).at(1.2), Some(added));
}

#[test]
fn doublets_have_two_equal_halves_a_rest_between_them_and_tilt_by_15_degrees_at_most() {
    let doublets = Manoeuvre::doublets(40.0);
    assert_eq!(
        Manoeuvre::from_csv(&doublets.to_csv()).expect("legal"),
        doublets
    );
    assert_eq!(doublets.lasts_s(), 40.0);
    let (mut axes, mut angle, mut still_ms) = ([0; 4], Vector3::zeros(), 0);
    let mut tilt = 0.0f64;
    for tick in 0..40_000 {
        let added = doublets.at(f64::from(tick) * 1e-3).expect("within");
        let rates = added.rates_rad_s;
        angle += rates * 1e-3;
        tilt = tilt.max(angle.xy().amax());
        let numbers = [rates.x, rates.y, rates.z, added.thrust_share];
        assert!(numbers.iter().filter(|number| **number != 0.0).count() <= 1);
        assert!(rates.xy().amax() <= 4.0 && added.thrust_share.abs() <= 0.3);
        let Some(axis) = numbers.iter().position(|number| *number != 0.0) else {
            still_ms += 1;
            continue;
        };
        if still_ms > 0 {
            assert!(still_ms >= 250 && angle.norm() < 5e-3, "{still_ms} {angle}");
            axes[axis] += 1;
        }
        still_ms = 0;
    }
    assert!((tilt.to_degrees() - 15.0).abs() < 0.1, "{tilt}");
    assert!(axes.iter().all(|count| *count >= 15), "{axes:?}");
}

#[test]
fn a_roll_doublet_rolls_the_vehicle_within_the_lag_of_its_loop_and_turns_no_other_axis() {
    let flight = hovering("0.5,0,1,0,0\n0.75,0,-1,0,0\n1,0,0,0,0");
    assert!(flight.completed());
    let setpoint = |tick: usize| flight.samples[tick].command.rate_setpoint_rad_s.x;
    assert!((setpoint(500) - setpoint(499) - 1.0).abs() < 1e-3);
    assert!((setpoint(750) - setpoint(749) + 2.0).abs() < 0.1);
    // The attitude loop takes the roll back meanwhile: the vehicle follows what both ask for.
    let lag_ms = 60;
    let (mut off, mut size) = (0.0, 0.0);
    for tick in 500..1000 {
        let rates = flight.samples[tick].state.rates_rad_s;
        let asked = (tick - lag_ms..=tick).map(setpoint);
        let (least, most) = asked.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
        off += (rates.x - rates.x.clamp(least, most)).powi(2);
        size += rates.x.powi(2);
        assert!(rates.yz().norm() < 1e-2, "{rates}");
    }
    assert!(
        (size / 500.0).sqrt() > 0.2 && off < 0.05 * size,
        "{off} {size}"
    );
}

#[test]
fn a_step_of_thrust_lifts_by_its_share_of_the_weight() {
    let flight = hovering("0.5,0.3,0,0,0\n0.7,0,0,0,0");
    let lag_s = Airframe::omac().rotors.lag_s;
    let climb = |tick: usize| flight.samples[tick].state.velocity_m_s.z;
    assert!(climb(500).abs() < 1e-3, "{}", climb(500));
    // The position loop takes some of it back; the rotors take their time.
    let free_m_s = 0.3 * GRAVITY_M_S2 * (0.1 - lag_s);
    let got = climb(600) / free_m_s;
    assert!((0.75..1.1).contains(&got), "{got}");
}

#[test]
fn a_manoeuvre_that_adds_nothing_changes_nothing_and_batches_fly_one_that_does() {
    let figure = by_name("fig8").expect("shipped");
    let mut setup = Setup::new(Airframe::by_name("crazyflie").expect("shipped"));
    let fly = |setup: &Setup| flown_both_ways(setup, figure.as_ref(), &Domain::gusty(), 0..2);
    let without = fly(&setup);
    setup.manoeuvre = Some(Arc::new(read("0,0,0,0,0\n40,0,0,0,0")));
    let with_nothing = fly(&setup);
    setup.manoeuvre = Some(Arc::new(Manoeuvre::doublets(20.0)));
    let with_doublets = fly(&setup);
    for k in 0..2 {
        assert_eq!(without[k].score, with_nothing[k].score);
        assert_ne!(without[k].score, with_doublets[k].score);
    }
}

#[test]
fn the_template_is_flown_on_a_hover_that_outlasts_it_or_on_a_trajectory_and_bad_ones_are_refused() {
    let folder = temporary();
    let here = folder.path();
    let template = stdout(&sim(here, &["template", "manoeuvre"]));
    fs::write(here.join("m.csv"), &template).expect("writable");
    for airframe in AIRFRAME_NAMES {
        let line = [
            "fly",
            "--manoeuvre",
            "m.csv",
            "--domain",
            "still",
            "--airframe",
            airframe,
        ];
        let flown = json(&sim(here, &[&line[..], &["--format", "json"]].concat()));
        assert_eq!(flown["outcome"]["end"], "completed", "{airframe}: {flown}");
        assert_eq!(
            (flown["trajectory"].as_str(), flown["flown_s"].as_f64()),
            (Some("hover"), Some(42.0))
        );
    }
    let line = [
        "montecarlo",
        "--traj",
        "fig8",
        "--manoeuvre",
        "m.csv",
        "--flights",
        "20",
    ];
    let many = sim(here, &line);
    assert!(many.status.success(), "{}", stderr(&many));
    assert!(
        stderr(&many).contains("ends before the manoeuvre"),
        "{}",
        stderr(&many)
    );
    fs::write(here.join("bad.csv"), "t,roll\n").expect("writable");
    let (code, text) = refusal(here, &["fly", "--manoeuvre", "bad.csv"]);
    assert_eq!(code, 65);
    assert!(
        text.starts_with("error: bad.csv: line 1 of the manoeuvre: the names are"),
        "{text}"
    );
}

/// The Crazyflie with rotors of another lag, in a file.
fn lagging(folder: &Path, name: &str, lag_s: f64) {
    let mut airframe = Airframe::by_name("crazyflie").expect("shipped");
    airframe.rotors.lag_s = lag_s;
    let text = toml::to_string(&airframe).expect("representable");
    fs::write(folder.join(name), text).expect("writable");
}

#[test]
fn the_template_says_how_it_went_in_simulation_and_how_to_fly_it() {
    let folder = temporary();
    let printed = |args: &[&str]| {
        let output = sim(folder.path(), &[&["template", "manoeuvre"], args].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let text = printed(&["--airframe", "crazyflie"]);
    let doublets = Manoeuvre::doublets(40.0);
    assert_eq!(Manoeuvre::from_csv(&text).expect("legal"), doublets);
    let names = text.lines().find(|line| !line.starts_with('#'));
    assert_eq!(names, Some(NAMES));
    for part in [
        "# Flown by crazyflie in gusty wind, in simulation: 40 flights, none lost; the probability of a loss is below 8.8 %\n",
        "Greatest distance from the start: 0.",
        " tilted by up to 2",
        "by 15 degrees at the most",
        "SID_AXIS 7 (roll rate), 8 (pitch rate) and 9 (yaw rate)",
        "SID_MAGNITUDE 60 (deg/s)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(printed(&[]).contains("# Flown by omac "));
}

#[test]
fn doublets_that_lose_the_vehicle_are_halved_and_in_the_end_refused() {
    let folder = temporary();
    let here = folder.path();
    lagging(here, "slow.toml", 0.21);
    let output = sim(here, &["template", "manoeuvre", "--airframe", "slow.toml"]);
    let text = stdout(&output);
    let lost = "# At 1 of the amplitude crazyflie was lost in 40 of 40 flights: it was halved.\n";
    assert!(text.contains(lost), "{text}");
    let halved = text.matches("it was halved").count() as i32;
    assert!((1..=3).contains(&halved), "{text}");
    let part = 0.5f64.powi(halved);
    let flown = Manoeuvre::from_csv(&text).expect("legal");
    assert_eq!(flown, Manoeuvre::doublets(40.0).scaled(part));
    assert!(
        text.contains(&format!("SID_MAGNITUDE {} (deg/s)", 60.0 * part)),
        "{text}"
    );
    // Errors of 2.5 %, 1.25 % and so on: all amplitudes together are wrong in at most one of twenty.
    let below = 100.0 * (1.0 - (0.025 * part).powf(1.0 / 40.0));
    let below = format!("the probability of a loss is below {below:.1} %");
    assert!(text.contains(&below), "{below}: {text}");
    lagging(here, "slower.toml", 0.5);
    let (code, said) = refusal(
        here,
        &["template", "manoeuvre", "--airframe", "slower.toml"],
    );
    assert_eq!(code, 65);
    assert!(
        said.contains("even by doublets of an eighth of the amplitude"),
        "{said}"
    );
    let (code, said) = refusal(here, &["template", "world", "--airframe", "omac"]);
    assert_eq!(
        (code, said.contains("--airframe is for")),
        (2, true),
        "{said}"
    );
}
