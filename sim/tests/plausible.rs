//! Numbers in another unit, records that are no wind and references that turn or fall too fast are named,
//! and sound ones are not.

use sim::{Airframe, Domain, Guarded, Setup, WindFile, concerns};
use std::f64::consts::TAU;
use trajectories::Waypoints;

const GENTLE: &str = "0,0,0,0\n20,1,0,0\n";

/// The guardrails that speak, but for those that any change of the vehicle's dynamics may wake.
fn spoken(setup: &Setup, csv: &str, domains: &[&Domain]) -> Vec<&'static str> {
    let path = Waypoints::from_csv("own", csv).expect("waypoints");
    let found = concerns(setup, ("these", &setup.airframe.gains), &path, domains);
    let names = found.iter().map(|concern| concern.guardrail().name);
    names.filter(|name| *name != "unstable-gains").collect()
}

/// Guardrails that speak of a record of these rows every `step_s`, with the gentle flight.
fn of_record(rows: usize, step_s: f64, wind: impl Fn(usize) -> [f64; 3]) -> Vec<&'static str> {
    let mut text = "t,u,v,w\ns,m/s,m/s,m/s\n".to_owned();
    for k in 0..rows {
        let [u, v, w] = wind(k);
        text += &format!("{},{u},{v},{w}\n", step_s * k as f64);
    }
    let file = WindFile::from_csv("site.csv", &text).expect("a record");
    let domain = Domain::of_wind_file("site", file).expect("a domain");
    spoken(&Setup::new(Airframe::omac()), GENTLE, &[&domain])
}

/// A wind of 4 m/s with gusts of periods that share no multiple.
fn gusts(k: usize) -> [f64; 3] {
    let sine = |period: f64, phase: f64| (TAU * k as f64 / period + phase).sin();
    [
        4.0 + sine(57.3, 0.0) + 0.5 * sine(9.1, 1.0),
        0.8 * sine(71.9, 2.0) + 0.4 * sine(7.7, 0.3),
        0.4 * sine(23.1, 0.7),
    ]
}

const TEN_HZ: usize = 62_000;

#[test]
fn a_sound_record_gives_no_cause_for_concern() {
    assert_eq!(of_record(TEN_HZ, 0.1, gusts), [""; 0]);
}

#[test]
fn faults_of_a_record_are_told_apart() {
    let sentinel = |k: usize| match k % 5000 == 77 {
        true => [-99.0, -99.0, -99.0],
        false => gusts(k),
    };
    assert_eq!(of_record(TEN_HZ, 0.1, sentinel), ["wind-outliers"]);
    let spikes = |k: usize| match k % 97 == 96 {
        true => [60.0, 0.5, 0.1],
        false => gusts(k),
    };
    assert_eq!(of_record(TEN_HZ, 0.1, spikes), ["wind-outliers"]);
    let stuck = |k: usize| gusts(k.min(TEN_HZ / 3));
    assert_eq!(of_record(TEN_HZ, 0.1, stuck), ["wind-stands"]);
    let constant = |_| [4.0, 1.0, 0.5];
    let said = of_record(TEN_HZ, 0.1, constant);
    assert_eq!(said, ["wind-stands", "wind-without-vertical"]);
    let flat = |k: usize| [gusts(k)[0], gusts(k)[1], 0.0];
    assert_eq!(of_record(TEN_HZ, 0.1, flat), ["wind-without-vertical"]);
    assert_eq!(of_record(7000, 1.0, gusts), ["slow-wind"]);
    // Milliseconds called seconds.
    assert_eq!(of_record(400, 250.0, gusts), ["wind-of-means"]);
    let kmh = |k: usize| gusts(k).map(|speed| 4.6 * speed);
    let said = of_record(TEN_HZ, 0.1, kmh);
    assert!(said.contains(&"wind-implausible"), "{said:?}");
    assert_eq!(of_record(900, 0.1, gusts), ["few-independent-windows"]);
}

#[test]
fn few_windows_are_counted_with_what_they_allow() {
    let text: String = (0..901)
        .map(|k| {
            let [u, v, w] = gusts(k);
            format!("{},{u},{v},{w}\n", 0.1 * k as f64)
        })
        .collect();
    let toml = format!(
        "name = \"site\"\nrecord = \"w.csv\"\ntune = [[0, 45]]\ntest = [[45, 90]]\npart = \"test\"\ncsv = \"\"\"t,u,v,w\ns,m/s,m/s,m/s\n{text}\"\"\"\n"
    );
    let domain = Domain::from_toml(&toml).expect("a domain");
    let setup = Setup::new(Airframe::omac());
    let path = Waypoints::from_csv("own", GENTLE).expect("waypoints");
    let found = concerns(&setup, ("these", &setup.airframe.gains), &path, &[&domain]);
    let said: Vec<String> = found.iter().map(Guarded::said).collect();
    let wanted = "holds 2 windows of 20.0 s that do not overlap: without one loss in them a probability of up to 77.6 %";
    assert!(said.len() == 1 && said[0].contains(wanted), "{said:?}");
}

/// Writes a number in another unit.
type Fault = fn(&mut Airframe);

#[test]
fn other_units_in_an_airframe_are_asked_for() {
    let still: [&Domain; 0] = [];
    let faults: [(&str, Fault); 6] = [
        ("is it in rpm?", |a| a.rotors.max_speed_rad_s *= 9.55),
        ("is it in ms?", |a| a.rotors.lag_s *= 1000.0),
        ("is it in rad?", |a| {
            a.controller.max_tilt_deg = a.controller.max_tilt_deg.to_radians()
        }),
        ("is it in degrees?", |a| {
            a.controller.rate_setpoint_limit_rad_s = [220.0; 3]
        }),
        ("is it in kg m²", |a| {
            a.inertia_kg_m2.iter_mut().flatten().for_each(|x| *x *= 1e3)
        }),
        ("is it in kg m²", |a| {
            a.inertia_kg_m2
                .iter_mut()
                .flatten()
                .for_each(|x| *x *= 1e-3)
        }),
    ];
    for name in sim::AIRFRAME_NAMES {
        for (question, fault) in faults {
            let mut setup = Setup::new(Airframe::by_name(name).expect("shipped"));
            fault(&mut setup.airframe);
            let path = Waypoints::from_csv("own", GENTLE).expect("waypoints");
            let found = concerns(&setup, ("these", &setup.airframe.gains), &path, &still);
            let said: Vec<String> = found.iter().map(Guarded::said).collect();
            let asks = said
                .iter()
                .filter(|said| said.contains(question) && said.ends_with("[airframe-implausible]"));
            assert_eq!(asks.count(), 1, "{name} {question} {said:?}");
        }
    }
}

#[test]
fn references_that_turn_fall_or_swing_too_far_are_named() {
    let setup = Setup::new(Airframe::omac());
    let of = |csv: &str| spoken(&setup, csv, &[]);
    // Degrees: a quarter turn is written as 90.
    assert_eq!(of("0,0,0,0,0\n9,0,0,0,90\n"), ["too-much-yaw-rate"]);
    assert_eq!(of("0,0,0,0,0\n12,0,0,0,6.2832\n16,0,0,0,6.2832\n"), [""; 0]);
    assert_eq!(of("0,0,0,0,3.1\n9,1,0,0,-3.1\n"), ["heading-over-seam"]);
    let falls = of("0,0,0,10\n1.4,0,0,5\n2.4,0,0,0.5\n4.4,0,0,0.5\n");
    assert!(falls.contains(&"too-little-thrust"), "{falls:?}");
    let swings = of("0,0,0,0\n10,1,0,0\n10.5,2,0,0\n20,3,0,0\n");
    assert!(swings.contains(&"reference-swings"), "{swings:?}");
}
