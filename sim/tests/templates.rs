//! The templates of input files: legal as they stand, complete, and the same in the documentation.

use crate::program::{sim, stderr, stdout, temporary};
use ::sim::{Airframe, FRAMES, Frame};
use std::collections::BTreeSet;
use trajectories::Waypoints;

/// What a reader of text answers.
type Reader = fn(&str) -> Result<(), sim::Error>;

fn template(file: &str) -> String {
    let output = sim(temporary().path(), &["template", file]);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

/// Whether a line comments out a key or a table.
fn switched_off(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("# ")?;
    let key = rest.split(" = ").next()?;
    let word = |text: &str| {
        text.bytes()
            .all(|b| b.is_ascii_lowercase() || b"_0123456789".contains(&b))
    };
    let is_key = rest.contains(" = ") && word(key);
    let is_table =
        rest.starts_with('[') && rest.ends_with(']') && word(rest.trim_matches(['[', ']']));
    (is_key || is_table).then_some(rest)
}

/// The keys and tables that a template shows, whether switched on or off.
fn shown(text: &str) -> BTreeSet<&str> {
    let key = |line| {
        let line = switched_off(line).unwrap_or(line);
        let key = line.split([' ', '=']).next()?;
        (!key.starts_with('#')).then(|| key.trim_matches(['[', ']']))
    };
    // A table within another is a key of it.
    let keys = text.lines().filter_map(key);
    keys.flat_map(|key| key.split('.')).collect()
}

/// The keys that a reader would have taken where it met one that it does not know.
fn known(text: &str, read: Reader) -> Vec<String> {
    let message = read(text).expect_err("an unknown key").to_string();
    let (_, listed) = message.split_once("unknown field `zzz`, ").expect(&message);
    let odd = listed.split('`').enumerate().filter(|(i, _)| i % 2 == 1);
    odd.map(|(_, key)| key.to_owned()).collect()
}

/// `text` with a key that no reader knows in each of its tables in turn.
fn spoilt(text: &str) -> Vec<String> {
    let mut texts = vec![format!("zzz = 1\n{text}")];
    for (at, _) in text.match_indices("\n[") {
        let end = at + 1 + text[at + 1..].find('\n').expect("a line's end");
        texts.push(format!("{}\nzzz = 1{}", &text[..end], &text[end..]));
    }
    texts
}

const READERS: [(&str, Reader); 5] = [
    ("airframe", |text| sim::Airframe::from_toml(text).map(drop)),
    ("domain", |text| sim::Domain::from_toml(text).map(drop)),
    ("world", |text| sim::World::from_toml(text).map(drop)),
    ("gains", |text| sim::Gains::from_toml(text).map(drop)),
    ("sensors", |text| {
        sim::SensorNoise::from_toml(text).map(drop)
    }),
];

#[test]
fn templates_are_legal_and_hold_every_key_that_their_readers_take() {
    for (file, read) in READERS {
        let text = template(file);
        read(&text).expect(file);
        let shown = shown(&text);
        for spoilt in spoilt(&text) {
            for key in known(&spoilt, read) {
                assert!(shown.contains(key.as_str()), "{file}: {key} is not shown");
            }
        }
    }
}

#[test]
fn what_an_airframe_s_template_switches_off_is_legal_too() {
    let on: Vec<String> = template("airframe")
        .lines()
        .map(|line| switched_off(line).unwrap_or(line).to_owned())
        .collect();
    let airframe = sim::Airframe::from_toml(&on.join("\n")).expect("legal");
    assert!(airframe.side_force.is_some());
}

#[test]
fn a_domain_s_template_shows_every_way_to_give_a_wind() {
    let text = template("domain");
    let (head, rest) = text.split_once("# Or by its numbers").expect("both");
    let (rest, record) = rest.split_once("# Or of a record").expect("the third");
    let on = |text: &str| -> String {
        let line = |line| switched_off(line).unwrap_or(line).to_owned() + "\n";
        text.lines().map(line).collect()
    };
    // The roughness of a profile stands in its name.
    let head = head.replace("# roughness_m", "# no: roughness_m");
    let low = sim::Domain::from_toml(&on(&head)).expect("by altitude");
    assert!(low.shear.is_some() && low.gusts.len() == 1);
    let numbers =
        sim::Domain::from_toml(&on(&format!("# name = \"site\"\n# {rest}"))).expect("legal");
    assert_eq!(numbers.time_constants_s(), [12.5, 12.5, 2.5]);
    assert_eq!(numbers.shear.map(|shear| shear.share(6.096)), Some(1.0));
    // The numbers alone leave some of the keys of the other way out, which are no keys of theirs.
    let spoilt = on(&format!("# name = \"site\"\n# zzz = 1\n# {rest}"));
    let shown = shown(&text);
    for key in known(&spoilt, READERS[1].1) {
        assert!(shown.contains(key.as_str()), "{key} is not shown");
    }
    let (parts, _) = record.split_once("# In place of both").expect("blocks");
    let parts = on(&format!("# name = \"site\"\n# {parts}"));
    fn read(text: &str) -> Result<sim::Domain, sim::Error> {
        sim::Domain::read(text, |file| {
            sim::WindFile::from_csv(file, &template("wind"))
        })
    }
    let record = read(&parts).expect("legal").record;
    let split = record.and_then(|record| record.split().cloned());
    assert_eq!(split.map(|split| split.test), Some(vec![[45.0, 90.0]]));
    let spoilt = format!("zzz = 1\n{parts}");
    for key in known(&spoilt, |text| read(text).map(drop)) {
        assert!(shown.contains(key.as_str()), "{key} is not shown");
    }
}

#[test]
fn the_templates_fly_together() {
    let folder = temporary();
    let file = |name: &str, extension: &str| {
        let path = folder.path().join(format!("{name}.{extension}"));
        std::fs::write(&path, template(name)).expect("written");
        path.to_str().expect("UTF-8").to_owned()
    };
    let waypoints = file("waypoints", "csv");
    Waypoints::from_csv("waypoints", &template("waypoints")).expect("legal");
    let arguments = ["airframe", "domain", "world", "gains", "sensors"]
        .map(|name| [format!("--{name}"), file(name, "toml")])
        .concat();
    let mut line = vec!["fly", "--traj", &waypoints, "--uncertain"];
    line.extend(arguments.iter().map(String::as_str));
    let output = sim(folder.path(), &line);
    let text = stdout(&output);
    assert!(
        text.contains("waypoints by my-quad, site wind, seed 1: completed"),
        "{text}"
    );
    assert_eq!(stderr(&output), "");
}

#[test]
fn sensors_are_read_and_refused_by_name() {
    let sensors = sim::SensorNoise::from_toml("position_m = 0.5\n").expect("legal");
    assert_eq!((sensors.position_m, sensors.velocity_m_s), (0.5, 0.1));
    let refused = |text| {
        sim::SensorNoise::from_toml(text)
            .expect_err("not legal")
            .to_string()
    };
    assert_eq!(
        refused("position_m = -1"),
        "sensors.position_m is -1; it must be between 0 and 1e6"
    );
    let unknown = refused("\npositon_m = 1");
    assert!(
        unknown.starts_with("the sensors cannot be read: line 2"),
        "{unknown}"
    );
}

#[test]
fn the_template_of_each_frame_is_a_vehicle_that_hovers_and_is_known_by_its_name() {
    for frame in &FRAMES {
        let folder = temporary();
        let output = sim(
            folder.path(),
            &["template", "airframe", "--frame", frame.name],
        );
        let text = stdout(&output);
        let airframe = Airframe::from_toml(&text).expect(frame.name);
        let found = Frame::of(&airframe.rotors).map(|found| found.name);
        assert_eq!(found, Some(frame.name));
        std::fs::write(folder.path().join("my.toml"), text).expect("writable");
        let hover = [
            "fly",
            "--airframe",
            "my.toml",
            "--traj",
            "hover",
            "--domain",
            "steady",
        ];
        let flown = stdout(&sim(folder.path(), &hover));
        assert!(flown.contains(": completed"), "{}: {flown}", frame.name);
    }
}

#[test]
fn a_vehicle_of_another_program_becomes_a_file_that_flies_and_is_not_overwritten() {
    let folder = temporary();
    let here = folder.path();
    std::fs::write(here.join("x500.sdf"), include_str!("vehicles/x500.sdf")).expect("writable");
    let into = ["airframe", "x500.sdf", "--out", "mine.toml"];
    let made = sim(here, &into);
    assert!(made.status.success(), "{}", stderr(&made));
    for said in [
        "taken rotors.lag_s",
        "derived mass_kg",
        "not taken timeConstantDown",
    ] {
        assert!(stderr(&made).contains(said), "{said}: {}", stderr(&made));
    }
    let flown = sim(here, &["fly", "--airframe", "mine.toml", "--traj", "hover"]);
    assert!(stdout(&flown).contains(": completed"), "{}", stderr(&flown));
    assert_eq!(sim(here, &into).status.code(), Some(73));
}
