//! Records of wind: read as they are, met in windows, and told apart for tuning and tests.

use crate::program::{json, refusal, sim, stdout, temporary, words};
use nalgebra::Vector3;
use proptest::prelude::*;
use sim::{Domain, Guarded, RecordPart, Split, Wind, WindFile};
use std::fs;

const HEADER: &str = "t,u,v,w\ns,m/s,m/s,m/s\n";

/// A record with a row every `step_s`, (u, v, w) a function of time.
fn csv(rows: u32, step_s: f64, wind: impl Fn(f64) -> [f64; 3]) -> String {
    let row = |k: u32| {
        let t = f64::from(k) * step_s;
        let [u, v, w] = wind(t);
        format!("{t},{u},{v},{w}\n")
    };
    HEADER.to_owned() + &(0..rows).map(row).collect::<String>()
}

fn site(csv: &str, more: &str) -> Result<Domain, sim::Error> {
    let text = format!("name = \"site\"\nrecord = \"wind.csv\"\n{more}");
    Domain::read(&text, |file| WindFile::from_csv(file, csv))
}

/// Where the flight of a seed begins in a record whose u grows by 0.1 m/s in each second [s].
fn start_s(domain: &Domain, seed: u64, flight_s: f64) -> f64 {
    10.0 * domain.wind(seed, flight_s).step().x
}

#[test]
fn a_flight_meets_the_rows_at_their_times_and_straight_lines_between() {
    let wind = |t: f64| [t.sin(), (2.0 * t).cos(), 0.1 * t];
    let text = csv(401, 0.25, wind);
    // A flight as long as its segment has one start.
    let domain = site(
        &text,
        "tune = [[0, 10]]\ntest = [[50, 70]]\npart = \"test\"",
    )
    .expect("legal");
    let mut met = domain.wind(7, 20.0);
    for tick in 0..20_000u32 {
        let air = met.step();
        let t = 50.0 + f64::from(tick) * 1e-3;
        let (from, to) = ((t * 4.0).floor() * 0.25, (t * 4.0).floor() * 0.25 + 0.25);
        let share = (t - from) / 0.25;
        for (axis, value) in air.iter().enumerate() {
            let [a, b] = [wind(from)[axis], wind(to)[axis]];
            let line = a + (b - a) * share;
            assert!((value - line).abs() < 1e-9, "{t} s, axis {axis}: {value}");
            if tick.is_multiple_of(250) {
                assert!((value - wind(t)[axis]).abs() < 1e-12, "at a row");
            }
        }
    }
}

#[test]
fn times_count_from_the_first_row_and_comments_are_left_out() {
    let text = csv(200, 0.5, |t| [t, 0.0, 0.0]);
    let late: String = text
        .lines()
        .skip(2)
        .map(|line| {
            let (t, rest) = line.split_once(',').expect("four columns");
            format!(
                "{},{rest} # logged\n",
                1_700_000_000.0 + t.parse::<f64>().expect("a time")
            )
        })
        .collect();
    let late = format!("\u{feff}# a site\nT,U,V,W\n\n s , m/s , m/s , m/s\n{late}");
    let [one, other] = [&text, &late].map(|csv| site(csv, "").expect("legal"));
    let rows = |domain: &Domain| domain.record.as_ref().expect("a record").rows().to_vec();
    assert_eq!(rows(&one), rows(&other));
}

#[test]
fn each_seed_meets_a_window_of_its_own_and_their_mean_is_the_record_s() {
    // Along a ramp a window's mean says where it lies.
    let domain = site(&csv(1201, 0.5, |t| [0.1 * t, 3.0, -1.0]), "").expect("legal");
    let flight_s = 20.0;
    let starts: Vec<f64> = (0..2000)
        .map(|seed| start_s(&domain, seed, flight_s))
        .collect();
    assert_eq!(start_s(&domain, 3, flight_s), starts[3]);
    let mut sorted = starts.clone();
    sorted.sort_by(f64::total_cmp);
    assert!(sorted.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(sorted[0] >= 0.0 && sorted[1999] <= 580.0);
    // Uniform on [0, 580]: the mean of 2000 has a standard error of 580/√12/√2000 = 3.7 s.
    let mean = starts.iter().sum::<f64>() / 2000.0;
    assert!((mean - 290.0).abs() < 4.0 * 3.75, "{mean}");
    let mut met = domain.wind(11, flight_s);
    let means = (0..20_000)
        .map(|_| met.step())
        .sum::<nalgebra::Vector3<f64>>()
        / 20_000.0;
    assert!(
        (means.x - 0.1 * (starts[11] + 9.9995)).abs() < 1e-9,
        "{means}"
    );
    assert!((means.y - 3.0).abs() < 1e-9 && (means.z + 1.0).abs() < 1e-9);
    assert!(
        (domain.mean_m_s[0] - 30.0).abs() < 1e-9,
        "that of the record"
    );
}

#[test]
fn a_record_says_of_itself_what_is_known_of_a_sine() {
    let [amplitude, period_s] = [2.0, 10.0];
    let sine = |t: f64| amplitude * (std::f64::consts::TAU * t / period_s).sin();
    // The mean blows along y: u, along it, is the world's y.
    let domain = site(&csv(20_000, 0.05, |t| [0.0, 5.0 + sine(t), 0.0]), "").expect("legal");
    let [along, across, up] = domain.sigma_m_s;
    assert!((along - amplitude / 2f64.sqrt()).abs() < 1e-6, "{along}");
    assert!(across < 1e-9 && up < 1e-9);
    assert!((domain.mean_m_s[1] - 5.0).abs() < 1e-9);
    // Its autocorrelation is a cosine: 1/e at acos(1/e) of a turn.
    let lag_s = (-1f64).exp().acos() / std::f64::consts::TAU * period_s;
    let [time_s, ..] = domain.time_constants_s();
    assert!((time_s - lag_s).abs() < 0.1, "{time_s} against {lag_s} s");
}

/// A window lies within one of these.
fn within(window: [f64; 2], segments: &[[f64; 2]]) -> bool {
    let holds = |s: &[f64; 2]| s[0] - 1e-9 <= window[0] && window[1] <= s[1] + 1e-9;
    segments.iter().any(holds)
}

proptest! {
    #[test]
    fn no_test_flight_meets_what_a_tuning_flight_may(
        cuts in proptest::collection::vec(6.0f64..20.0, 3..12),
        odd in any::<bool>(),
        seeds in proptest::collection::vec(any::<u64>(), 20),
        flight_s in 1.0f64..6.0,
    ) {
        // Segments one behind the other, in turn for tuning and for tests.
        let mut lists = [String::new(), String::new()];
        let mut from = 0.0;
        for (k, length) in cuts.iter().enumerate() {
            lists[(k + usize::from(odd)) % 2] += &format!("[{from:?}, {:?}], ", from + length);
            from += length;
        }
        let [tune, test] = lists;
        let text = csv((from * 4.0) as u32 + 2, 0.25, |t| [0.1 * t, t.cos(), 0.0]);
        let more = format!("tune = [{tune}]\ntest = [{test}]");
        let whole = site(&text, &more).expect("legal");
        let [tuned, tested] = [RecordPart::Tune, RecordPart::Test]
            .map(|part| whole.of_part(part).expect("a short name"));
        prop_assert!(tuned.shares_nothing_with(&tested).is_ok());
        prop_assert!(tuned.fits(flight_s).is_ok() && tested.fits(flight_s).is_ok());
        let split = whole.record.as_ref().and_then(|record| record.split()).expect("a split");
        let of = |domain: &Domain, seed| {
            let from_s = start_s(domain, seed, flight_s);
            [from_s, from_s + flight_s]
        };
        for seed in seeds {
            let [a, b] = [of(&tuned, seed), of(&tested, seed)];
            prop_assert!(within(a, &split.tune) && within(b, &split.test));
            for other in 0..20 {
                let b = of(&tested, other);
                prop_assert!(a[1] <= b[0] + 1e-9 || b[1] <= a[0] + 1e-9, "{a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn blocks_take_turns_by_their_share() {
    let text = csv(1000, 0.25, |t| [t.sin(), 0.0, 0.0]);
    let split = |more: &str| {
        let domain = site(&text, more).expect("legal");
        domain
            .record
            .and_then(|record| record.split().cloned())
            .expect("a split")
    };
    // 249.75 s hold eight blocks of 30 s; the rest belongs to neither.
    let alternate = Split {
        tune: vec![[0.0, 30.0], [60.0, 90.0], [120.0, 150.0], [180.0, 210.0]],
        test: vec![[30.0, 60.0], [90.0, 120.0], [150.0, 180.0], [210.0, 240.0]],
    };
    assert_eq!(split("block_s = 30"), alternate);
    let three_in_four = Split {
        tune: vec![[0.0, 90.0], [120.0, 210.0]],
        test: vec![[90.0, 120.0], [210.0, 240.0]],
    };
    assert_eq!(split("block_s = 30\ntune_share = 0.75"), three_in_four);
}

#[test]
fn parts_are_called_by_their_name_once_and_come_back_from_their_text() {
    let text = csv(400, 0.25, |t| [0.1 * t + t.sin(), 0.0, 0.0]);
    let whole = site(&text, "block_s = 25").expect("legal");
    let tune = whole.of_part(RecordPart::Tune).expect("a short name");
    assert_eq!(
        (tune.name.as_str(), whole.name.as_str()),
        ("site-tune", "site")
    );
    assert_eq!(tune.of_part(RecordPart::Test).expect("as it is"), tune);
    assert_eq!(
        Domain::gusty().of_part(RecordPart::Test).expect("as it is"),
        Domain::gusty()
    );
    let again = Domain::from_toml(&tune.to_toml()).expect("legal");
    assert_eq!(again, tune);
    // A part has the speed of its own mean wind, or the one that the file states.
    let stated = site(&text, "block_s = 25\nreference_speed_m_s = 7").expect("legal");
    let of_tune = stated.of_part(RecordPart::Tune).expect("a short name");
    assert_eq!(of_tune.reference_speed_m_s, 7.0);
    assert_ne!(tune.reference_speed_m_s, whole.reference_speed_m_s);
    let rows = |domain: &Domain| domain.record.as_ref().expect("a record").rows().to_vec();
    assert_eq!(rows(&again), rows(&tune));
    // What a run writes down has the checksum, not the rows, and cannot be flown in.
    let described: Domain =
        serde_json::from_str(&serde_json::to_string(&tune).expect("JSON")).expect("as written");
    assert_eq!(described, tune);
    assert!(tune.fits(20.0).is_ok());
    let message = described.fits(20.0).expect_err("no rows").to_string();
    assert!(message.contains("its rows are not at hand"), "{message}");
}

#[test]
fn what_is_wrong_with_a_record_is_said_with_its_line() {
    let good = csv(20, 0.5, |_| [1.0, 2.0, 3.0]);
    let with = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replacen(from, to, 1)
    };
    let cases = [
        (
            with("t,u,v,w", "t,u,v"),
            "line 1: the header is `t,u,v`: expected t,u,v,w",
        ),
        (
            with("t,u,v,w", "t,u,v,w,speed,dir"),
            "line 1: the header is `t,u,v,w,speed,dir`: expected t,u,v,w, or a time, a speed and a direction",
        ),
        (
            with("t,u,v,w", "t,u,u,w"),
            "line 1: the header is `t,u,u,w`",
        ),
        (
            with("m/s,m/s", "Bft,m/s"),
            "line 2: the units are `s,Bft,m/s,m/s`: expected s,m/s,m/s,m/s",
        ),
        (
            with("2.5,1,2,3", "14:61,1,2,3"),
            "line 8, column t: `14:61` is not a number: expected a time in s, ms, us, min or h, or as hh:mm:ss or",
        ),
        (
            with("2.5,1,2,3", "2.5;1;2;3"),
            "line 8 has semicolons between its cells: expected what stands between those of the header",
        ),
        (
            with("s,m/s,m/s,m/s\n", ""),
            "line 1: `u` states no unit that is known",
        ),
        (
            with("2.5,1,2,3", "2.5,1,2"),
            "line 8 has 3 columns: expected 4, as the header",
        ),
        (
            with("2.5,1,2,3", "2.5,1,x,3"),
            "line 8, column v: `x` is not a number",
        ),
        (
            with("2.5,1,2,3", "2.5,NaN,2,3"),
            "line 8, column u: NaN is out of range",
        ),
        (
            with("2.5,1,2,3", "2.5,1,2,101"),
            "line 8, column w: 101 is out of range",
        ),
        (
            with("2.5,1,2,3", "1.5,1,2,3"),
            "line 8: t = 1.5 s does not come after 2 s",
        ),
        (
            with("2.5,1,2,3\n", ""),
            "line 8: 1.0000 s without a row before t = 3 s, where rows come every 0.5000 s",
        ),
        (
            with("2.5,1,2,3", "2.2,1,2,3"),
            "line 8: t = 2.2 s comes 0.2000 s behind the row before",
        ),
        (
            csv(9, 0.5, |_| [0.0; 3]),
            "it has 9 rows: expected 10 to 100000",
        ),
        (String::new(), "line 1: the header is ``"),
    ];
    for (text, wanted) in cases {
        let message = site(&text, "").expect_err(wanted).to_string();
        assert!(
            message.starts_with(&format!("wind.csv: {wanted}")),
            "{message}"
        );
        assert_eq!(message.lines().count(), 1);
    }
}

#[test]
fn what_is_wrong_with_its_parts_is_said_with_their_numbers() {
    let good = csv(201, 0.5, |t| [t.sin(), 0.0, 0.0]);
    let cases = [
        (
            "tune = [[0, 50]]",
            "expected tune and test together, or block_s",
        ),
        (
            "tune = []\ntest = [[0, 50]]",
            "expected at least one segment",
        ),
        (
            "tune = [[0, 60]]\ntest = [[50, 100]]",
            "the segments [0, 60] and [50, 100] overlap",
        ),
        (
            "tune = [[0, 60]]\ntest = [[60, 101]]",
            "test has the segment [60, 101]: expected from below to, within 0 to 100 s",
        ),
        (
            "tune = [[9, 3]]\ntest = [[60, 70]]",
            "tune has the segment [9, 3]",
        ),
        (
            "block_s = 60",
            "it lasts 100 s: expected at least two blocks of block_s = 60 s",
        ),
        (
            "part = \"test\"",
            "expected tune and test, or block_s, where part names one",
        ),
        ("crc32 = \"00000000\"", "it has CRC-32 "),
    ];
    for (more, wanted) in cases {
        let message = site(&good, more).expect_err(wanted).to_string();
        assert!(
            message.starts_with(&format!("wind.csv: {wanted}")),
            "{message}"
        );
    }
    let short = site(
        &good,
        "tune = [[0, 30]]\ntest = [[30, 45]]\npart = \"test\"",
    )
    .expect("legal");
    let message = short.fits(20.0).expect_err("too short").to_string();
    assert!(
        message.contains("lasts 20 s, longer than the segment [30, 45] of 15 s"),
        "{message}"
    );
    let whole = site(&good, "").expect("legal");
    let message = whole
        .shares_nothing_with(&short)
        .expect_err("the same")
        .to_string();
    assert!(
        message.contains("both take [30, 45] s of wind.csv"),
        "{message}"
    );
}

#[test]
fn the_program_flies_in_a_record_shows_it_and_names_the_file_that_is_wrong() {
    let folder = temporary();
    let here = folder.path();
    fs::write(
        here.join("wind.csv"),
        stdout(&sim(here, &["template", "wind"])),
    )
    .expect("written");
    let site = "name = \"site\"\nrecord = \"wind.csv\"\nblock_s = 45\npart = \"test\"\n";
    fs::write(here.join("site.toml"), site).expect("written");
    let fly = |domain: &str, seed: &str| {
        json(&sim(
            here,
            &["fly", "--domain", domain, "--seed", seed, "--json"],
        ))
    };
    let [one, other] = ["1", "2"].map(|seed| fly("wind.csv", seed));
    assert_eq!(
        (&one["domain"], &one["outcome"]["end"]),
        (&"wind".into(), &"completed".into())
    );
    assert_ne!(one["score"], other["score"]);
    let many = words("montecarlo --domain site.toml --flights 3 --json");
    assert_eq!(
        json(&sim(here, &many))["worst_seed"]
            .as_u64()
            .map(|seed| (0..3).any(|number| seed == sim::flight_seed(1, number))),
        Some(true)
    );
    let shown = sim(here, &["wind", "--domain", "site.toml", "--out", "shown"]);
    let text = stdout(&shown);
    assert!(
        text.contains("361 rows in 90 s") && text.contains("what is held out: 45 to 90 s"),
        "{text}"
    );
    assert!(here.join("shown/record.png").is_file());
    fs::write(here.join("wind.csv"), "t,u,v,w\ns,m/s,m/s,m/s\n0,1,2\n").expect("written");
    let fly = |domain| refusal(here, &["fly", "--domain", domain]);
    let why = "wind.csv: line 3 has 3 columns: expected 4, as the header";
    assert_eq!(fly("wind.csv"), (65, format!("error: {why}")));
    assert_eq!(fly("site.toml"), (65, format!("error: site.toml: {why}")));
    fs::remove_file(here.join("wind.csv")).expect("there");
    let (code, message) = fly("site.toml");
    assert!(
        code == 66 && message.starts_with("error: cannot read wind.csv"),
        "{message}"
    );
}

#[test]
fn turbulence_is_added_to_a_slow_record_by_its_mean_and_height_and_is_said() {
    // One row a minute of 8 m/s along x, without a vertical wind.
    let text = csv(121, 60.0, |_| [8.0, 0.0, 0.0]);
    let bare = site(&text, "").expect("legal");
    let domain = site(&text, "turbulence_height_m = 6.096\n").expect("legal");
    let added = domain.added_turbulence().expect("asked for");
    // At 20 ft the wind is W20 itself: sigma_w is a tenth of it.
    assert!(
        (added.sigma_m_s[2] - 0.8).abs() < 1e-9,
        "{:?}",
        added.sigma_m_s
    );
    let spread = |domain: &Domain| {
        let mut sums = [[0.0; 2]; 3];
        let (flights, steps) = (200, 20_000);
        for seed in 0..flights {
            let mut met = vec![Vector3::zeros(); steps];
            domain.wind(seed, 20.0).steps(&mut met);
            for wind in met {
                for k in 0..3 {
                    sums[k][0] += wind[k];
                    sums[k][1] += wind[k] * wind[k];
                }
            }
        }
        let count = flights as f64 * steps as f64;
        sums.map(|[sum, square]| [sum / count, (square / count - (sum / count).powi(2)).sqrt()])
    };
    for ([mean, deviation], (of, sigma)) in spread(&domain)
        .into_iter()
        .zip([8.0, 0.0, 0.0].into_iter().zip(added.sigma_m_s))
    {
        assert!(
            (mean - of).abs() < 0.15 && (deviation / sigma - 1.0).abs() < 0.12,
            "{mean} {deviation}"
        );
    }
    // Step by step it is the same wind.
    let (mut one, mut all) = (domain.wind(3, 20.0), vec![Vector3::zeros(); 100]);
    domain.wind(3, 20.0).steps(&mut all);
    assert!(all.iter().all(|wind| *wind == one.step()));
    let names = |domain: &Domain| -> Vec<&'static str> {
        sim::record_concerns(domain)
            .iter()
            .map(|concern| concern.guardrail().name)
            .collect()
    };
    assert_eq!(
        names(&bare),
        ["wind-stands", "wind-without-vertical", "wind-of-means"]
    );
    assert_eq!(names(&domain), ["wind-stands"]);
    // It is kept with the run, and only a record has it.
    assert_eq!(Domain::from_toml(&domain.to_toml()).expect("legal"), domain);
    for height in ["1", "400"] {
        let error = site(&text, &format!("turbulence_height_m = {height}\n")).expect_err(height);
        assert!(
            error.to_string().contains("between 3.048 and 304.8 m"),
            "{error}"
        );
    }
    let numbers = Domain {
        turbulence_height_m: Some(10.0),
        ..Domain::gusty()
    };
    assert!(numbers.check().is_err());
}
