//! Every parser of the crate against texts that are nearly right: none panics, none accepts a
//! number that is not finite, and each says what is wrong on one line. How long that goes on is
//! set by `WINDHOVER_FUZZ_SECONDS` (`checks::fuzzing::SECONDS`).

use crate::program::{sim, stderr, stdout, temporary};
use checks::fuzzing::fuzz;
use nalgebra::Vector3;
use sim::replay::case::Case;
use sim::replay::{replay_flight, replay_mixer, replay_wrenches};
use sim::{Airframe, Domain, Error, Gains, Wind, World};
use std::fs;

/// Texts tried against each parser of the library.
const CASES: u64 = 4_000;

/// Those tried against the whole program, a process each.
const PROCESSES: u64 = 60;

const OMAC: &str = include_str!("../airframes/omac.toml");
const HUMMINGBIRD: &str = include_str!("../airframes/hummingbird.toml");

const UNCERTAINTY: &str = "\n[uncertainty]\nmass_rel = 0.2\nbattery_sag_rel = 0.2\n";

const GAINS: &str = "attitude_kp = [15.0, 15.0, 1.0]\nrate_kp = [0.4, 0.4, 0.1]\nrate_ki = [0.07, 0.07, 5e-4]\nrate_kd = [1.6e-3, 1.6e-3, 1e-2]\n[position_xy]\nkp = 12.0\nki = 1.0\nkd = 6.0\n[position_z]\nkp = 12.0\nki = 1.0\nkd = 6.0\n";

const DOMAINS: [&str; 5] = [
    "name = \"mine\"\nmean_m_s = [0.0, 4.0, 0.0]\nsigma_m_s = [2.0, 1.5, 1.0]\nlength_m = [50.0, 25.0, 5.0]\nreference_speed_m_s = 10.0\nform = \"mil-hdbk-1797\"\n",
    "name = \"low\"\naltitude_m = 30.0\nwind_at_20_ft_kt = 15.0\nreference_speed_m_s = 8.0\nroughness_m = 0.1\nmean_m_s = [3.0, 0.0, 0.0]\n",
    "name = \"gust\"\naltitude_m = 30.0\nwind_at_20_ft_kt = 15.0\nreference_speed_m_s = 8.0\nprofile = \"other\"\ngusts = [{ start_s = 5.0, magnitude_m_s = [4.0, 0.0, 1.0], length_m = [20.0, 20.0, 20.0] }]\n",
    "name = \"site\"\nrecord = \"wind.csv\"\ncsv = \"\"\"\nDatum;Zeit;Geschwindigkeit (km/h);Richtung (Grad)\n03.05.2026;23:59:55;18,4;231\n03.05.2026;23:59:56;19;228\n03.05.2026;23:59:57;18;225\n03.05.2026;23:59:58;17,5;229\n03.05.2026;23:59:59;18;231\n04.05.2026;00:00:00;18;232\n04.05.2026;00:00:01;20;231\n04.05.2026;00:00:02;18;240\n04.05.2026;00:00:03;18;231\n04.05.2026;00:00:04;18;231\n\"\"\"\n",
    "name = \"site\"\nrecord = \"wind.csv\"\npart = \"test\"\ntune = [[0, 2]]\ntest = [[2, 4.5]]\ncsv = \"\"\"\nt,u,v,w\ns,m/s,m/s,m/s\n0,1,2,0\n0.5,1.5,2,0\n1,1,2,0.1\n1.5,1,2,0\n2,1,3,0\n2.5,1,2,0\n3,1,2,-0.5\n3.5,1,2,0\n4,0,2,0\n4.5,1,2,0\n\"\"\"\n",
];

const WORLD: &str = "ground_z_m = -2.0\n[[boxes]]\nname = \"wall\"\ncentre_m = [8.0, 0.0, 0.0]\nsize_m = [0.5, 20.0, 6.0]\nyaw_deg = 30.0\n[[boxes]]\nname = \"b\"\ncentre_m = [-8.0, 0.0, 0.0]\nsize_m = [0.5, 2.0, 6.0]\n";

/// Tries a parser; what it accepts is turned into JSON, in which nothing may be absent.
fn holds<T: serde::Serialize>(
    name: &str,
    examples: &[&str],
    parse: impl Fn(&str) -> Result<T, Error>,
) {
    let (mut accepted, mut refused) = (0, 0);
    fuzz(name, examples, CASES, |text| match parse(text) {
        Ok(value) => {
            accepted += 1;
            let json = serde_json::to_string(&value).expect("JSON");
            assert!(!json.contains("null"), "{json}");
        }
        Err(error) => {
            refused += 1;
            one_line(&error);
        }
    });
    // Otherwise the texts say nothing about the parser.
    assert!(
        accepted > CASES / 50 && refused > CASES / 50,
        "{name}: {accepted} {refused}"
    );
}

fn one_line(error: &Error) {
    let text = error.to_string();
    assert!(!text.contains('\n') && !text.is_empty(), "{text:?}");
}

#[test]
fn airframes() {
    let declared = OMAC.to_owned() + UNCERTAINTY;
    holds("airframes", &[&declared, HUMMINGBIRD], Airframe::from_toml);
}

#[test]
fn gains() {
    holds("gains", &[GAINS], Gains::from_toml);
}

#[test]
fn domains() {
    holds("domains", &DOMAINS, |text| {
        let domain = Domain::from_toml(text)?;
        assert!(
            domain
                .time_constants_s()
                .iter()
                .all(|t| t.is_finite() && *t > 0.0)
        );
        let mut wind = domain.wind(3, 2.0);
        assert!((0..100).all(|_| wind.step().iter().all(|x| x.is_finite())));
        Ok(domain)
    });
}

#[test]
fn worlds() {
    fuzz(
        "worlds",
        &[WORLD, "ground = false\n"],
        CASES,
        |text| match World::from_toml(text) {
            Ok(world) => {
                for at in [Vector3::zeros(), Vector3::new(8.0, 1.0, -30.0)] {
                    assert!(!world.clearance_m(&at).is_nan());
                }
                let obstacles = world.obstacles().iter();
                let numbers = obstacles.flat_map(|o| o.centre_m.iter().chain(&o.size_m).copied());
                assert!(numbers.chain(world.ground_z_m()).all(f64::is_finite));
            }
            Err(error) => one_line(&error),
        },
    );
}

#[test]
fn cases() {
    let table = include_str!("fall.json");
    let (vehicle, _) = table
        .split_once(", \"aero_enabled\"")
        .or(table.split_once(",\n  \"aero_enabled\""))
        .expect("a case");
    let (_, vehicle) = vehicle.split_once("\"parameters\": ").expect("a case");
    let mixer = format!(
        "{{\"schema\": \"quad-mixer-table/1\", \"name\": \"m\", \"parameters\": {{\"a\": {vehicle}}}, \"rows\": [{{\"vehicle\": \"a\", \"thrust_moment\": [8, 0.4, -0.8, 0.2], \"rotor_thrusts\": [5, 1, 1, 1]}}]}}"
    );
    let row = "{\"vehicle\": \"a\", \"velocity\": [1, 2, 3], \"quaternion_xyzw\": [0, 0, 0, 1], \"body_rates\": [0.1, 0.2, 0.3], \"wind\": [1, 0, 0], \"rotor_speeds\": [9, 8, 7, 6], \"motor_speed_command\": [5, 5, 5, 5], \"force_body\": [0, 0, 1], \"moment_body\": [0, 0, 0], \"velocity_dot\": [0, 0, -9.81], \"quaternion_dot_xyzw\": [0, 0, 0, 0], \"body_rates_dot\": [0, 0, 0], \"rotor_speed_dot\": [0, 0, 0, 0]}";
    let wrenches = format!(
        "{{\"schema\": \"quad-wrench-table/1\", \"name\": \"w\", \"parameters\": {{\"a\": {vehicle}}}, \"rows\": [{row}]}}"
    );
    let examples = [table, &mixer, &wrenches];
    for example in examples {
        Case::from_json(example).expect("legal");
    }
    fuzz("cases", &examples, CASES, |text| {
        let replayed = Case::from_json(text).and_then(|case| match case {
            Case::Flight(case) => match case.steps_per_interval(1e-3)? {
                0..=100_000 => replay_flight(&case, 1e-3).map(|(errors, _)| json(&errors)),
                _ => Ok(String::new()),
            },
            Case::Wrenches(table) => replay_wrenches(&table).map(|error| json(&error)),
            Case::Mixer(table) => replay_mixer(&table).map(|error| json(&error)),
        });
        match replayed {
            Ok(printed) => assert!(!printed.contains("null"), "{printed}"),
            Err(error) => one_line(&error),
        }
    });
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("JSON")
}

#[test]
fn lines_of_serve() {
    let init = "{\"type\":\"init\",\"airframe\":\"hummingbird\",\"dt_s\":0.002,\"wind\":\"gusty\",\"seed\":3,\"sensors\":{\"position_m\":0.02,\"delay_periods\":2}}";
    let own = format!(
        "{{\"type\":\"init\",\"airframe\":{},\"wind\":{},\"start\":{{\"velocity_m_s\":[1,0,0],\"attitude_wxyz\":[1,0,0,0],\"rotors_rad_s\":[9,9,9,9]}}}}",
        json(&Airframe::omac()),
        json(&Domain::steady())
    );
    let examples = [
        init,
        &own,
        "{\"type\":\"step\",\"rotors_rad_s\":[400,401,402,403.5]}",
        "{\"type\":\"step\",\"thrust_n\":5.1,\"moment_n_m\":[0.01,-0.01,0]}",
        "{\"type\":\"reset\",\"seed\":4}",
    ];
    let answers = |text: &str| {
        let input = format!("{init}\n{text}\n{}\n", examples[2]);
        let mut output = Vec::new();
        sim::serve::serve(input.as_bytes(), &mut output, &sim::serve::no_files)
            .expect("memory does not fail");
        String::from_utf8(output).expect("UTF-8")
    };
    fuzz("lines of serve", &examples, CASES / 4, |text| {
        for line in answers(text).lines() {
            let answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert!(
                answer["error"].is_string() || !line.contains("null"),
                "{line}"
            );
            assert!(!line.chars().any(char::is_control), "{line:?}");
        }
    });
}

#[test]
fn files_given_to_the_program() {
    let folder = temporary();
    let path = |name: &str| folder.path().join(name);
    for (flag, file, examples) in [
        ("--airframe", "a.toml", &[OMAC, HUMMINGBIRD][..]),
        ("--gains", "g.toml", &[GAINS]),
        ("--domain", "d.toml", &DOMAINS),
        ("--world", "w.toml", &[WORLD]),
        (
            "--traj",
            "t.csv",
            &["t,x,y,z\n0,0,0,0\n0.5,1,0,0\n1,1,1,0.5\n"],
        ),
    ] {
        fs::write(path("short.csv"), "0,0,0,0\n1,0.1,0,0\n").expect("writable");
        fuzz(&format!("program {flag}"), examples, PROCESSES, |text| {
            fs::write(path(file), text).expect("writable");
            let short = if flag == "--traj" {
                &[][..]
            } else {
                &["--traj", "short.csv"]
            };
            let args = [&["fly", "--json", flag, file], short].concat();
            // A trajectory may be made longer than anybody waits for.
            if flag == "--traj"
                && trajectories::Waypoints::from_csv("t", text)
                    .is_ok_and(|t| trajectories::Trajectory::duration_s(&t) > 30.0)
            {
                return;
            }
            let output = sim(folder.path(), &args);
            let (code, said) = (output.status.code(), stderr(&output));
            let lines = said
                .lines()
                .filter(|line| !line.starts_with("warning: "))
                .count();
            match code {
                Some(0) => {
                    // The ground is no obstacle, and that is what it says.
                    let printed = stdout(&output).replace("\"obstacle\":null", "");
                    assert!(!printed.contains("null") && lines == 0, "{printed}{said}");
                }
                Some(65) => assert_eq!(lines, 1, "{said}"),
                // A domain may name a record that is not there.
                Some(66) if flag == "--domain" => assert_eq!(lines, 1, "{said}"),
                other => panic!("{other:?}: {said}"),
            }
            let letters = said.chars().filter(|c| *c != '\n');
            assert!(
                !letters.clone().any(char::is_control) && said.len() < 9_000,
                "{said:?}"
            );
        });
    }
}
