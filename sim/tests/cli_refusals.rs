//! What the program refuses, and how it says so.

use crate::program::{refusal, temporary};
use std::fs;

#[test]
fn bad_names_and_numbers_are_usage_errors_of_one_line() {
    let folder = temporary();
    let cases = [
        (
            "fly --traj fig9",
            "error: unknown trajectory `fig9`: did you mean `fig8`? Known: hover, fig8, sin-forward, spiral-up",
        ),
        (
            "fly --domain gust",
            "error: unknown wind domain `gust`: did you mean `gusty`? Known: gusty, steady, still",
        ),
        (
            "fly --airframe omak",
            "error: unknown airframe `omak`: did you mean `omac`? Known: omac, crazyflie, hummingbird",
        ),
        (
            "fly --rotor-out 5@1",
            "error: --rotor-out is `5@1`; it must be a rotor of omac, 1 to 4, and a time below 20 s, as in 2@5",
        ),
        (
            "template world --frame hexa-x",
            "error: --frame is for `sim template airframe`",
        ),
        (
            "montecarlo --flights 0",
            "error: --flights is 0; it must be a whole number from 1 to 10000000",
        ),
        (
            "montecarlo --threads -1",
            "error: --threads is -1; it must be a whole number from 1 to 1024",
        ),
        (
            "wind --samples 1",
            "error: --samples is 1; it must be a whole number from 10 to 100000",
        ),
        (
            "wind --altitude-m 1 --w20-kt 30",
            "error: altitude_m is 1; it must be between 3.048 and 304.8 (10 to 1000 ft)",
        ),
        (
            "wind --altitude-m -5 --w20-kt 30",
            "error: altitude_m is -5; it must be between 3.048 and 304.8 (10 to 1000 ft)",
        ),
        (
            "wind --altitude-m 10 --w20-kt 500",
            "error: wind_at_20_ft_kt is 500; it must be between 0 and 100 kt",
        ),
        (
            "fly --gust 5,10",
            "error: invalid value '5,10' for '--gust <T,D,U[,V[,W]]>': a gust takes three to five numbers: when it begins [s], the way on which it grows [m], its peak along the mean wind and, if wanted, across it and upwards [m/s], as in 5,10,4; not `5,10`",
        ),
        (
            "wind --domain still",
            "error: --domain still has no gusts to test; name gusty, steady or a domain file",
        ),
        (
            "replay case.json --dt-ms 0",
            "error: --dt-ms is 0; it must be above 0 and at most 1000",
        ),
    ];
    for (line, said) in cases {
        let args: Vec<&str> = line.split(' ').collect();
        assert_eq!(
            refusal(folder.path(), &args),
            (2, said.to_owned()),
            "{line}"
        );
    }
    let (code, text) = refusal(folder.path(), &["flai"]);
    assert!(
        code == 2 && text.lines().count() == 1 && text.contains("'fly'"),
        "{text}"
    );
}

#[test]
fn missing_and_faulty_files_are_named() {
    let folder = temporary();
    let (code, text) = refusal(folder.path(), &["replay", "gone.json"]);
    assert_eq!(code, 66);
    assert!(text.starts_with("error: cannot read gone.json: "), "{text}");
    let faulty = [
        (
            "a.toml",
            "mass_kg = -1",
            "fly --airframe a.toml",
            "missing field",
        ),
        (
            "d.toml",
            "name = 3",
            "fly --domain d.toml",
            "d.toml: the wind domain cannot be read",
        ),
        (
            "g.toml",
            "nonsense = 1",
            "fly --gains g.toml",
            "g.toml: the gains cannot be read: line 1, column 1: unknown field `nonsense`",
        ),
        ("w.csv", "0,0,0,0\n0,1,1,1\n", "fly --traj w.csv", "w.csv: "),
        (
            "c.json",
            "{\"schema\": \"quad-case/1\"}",
            "replay c.json",
            "c.json: the case cannot be read: missing field",
        ),
        (
            "n.json",
            "nonsense",
            "replay n.json",
            "n.json: the case cannot be read: ",
        ),
    ];
    for (name, text, line, said) in faulty {
        fs::write(folder.path().join(name), text).expect("writable");
        let args: Vec<&str> = line.split(' ').collect();
        let (code, message) = refusal(folder.path(), &args);
        assert_eq!(code, 65, "{line}: {message}");
        assert!(message.contains(said), "{line}: {message}");
    }
}

#[test]
fn an_occupied_folder_is_refused() {
    let folder = temporary();
    fs::create_dir(folder.path().join("mine")).expect("writable");
    fs::write(folder.path().join("mine/thesis"), "precious").expect("writable");
    for command in ["fly", "montecarlo", "wind"] {
        let (code, text) = refusal(folder.path(), &[command, "--out", "mine"]);
        assert_eq!(code, 73);
        assert_eq!(
            text,
            "error: mine already holds files; name a new folder, nothing was overwritten"
        );
    }
}
