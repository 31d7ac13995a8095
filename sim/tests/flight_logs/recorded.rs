//! Recorded flights, where there are any beside the project, and what others' readers make of all logs.

use super::{LogSample, blackbox, crazyflie, dataflash, read, ulog};
use sim::flight_log::{LogReading, LogVehicle, read_flight_log};
use std::fmt::Write;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The folder of recorded flights, or nothing and a message.
fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/flights");
    if !folder.is_dir() {
        eprintln!("skipped: there are no recorded flights");
        return None;
    }
    Some(folder)
}

/// A kind of reading, how many there are, and the first and the last with their times.
type Expected<'a> = (&'a str, usize, (f64, &'a [f64]), (f64, &'a [f64]));

/// The numbers are those of pyulog 1.3.0, and of Python's `struct` for uSD, turned to this simulator's frames.
#[test]
fn recorded_flights_have_as_many_samples_as_others_read_and_begin_and_end_alike() {
    let Some(folder) = folder() else {
        return;
    };
    let expected: [(&str, &[Expected]); 4] = EXPECTED;
    for (name, kinds) in expected {
        let bytes = std::fs::read(folder.join(name)).expect("readable");
        let log = read(&bytes);
        for (kind, count, first, last) in kinds {
            let of_it = log.of(kind);
            assert_eq!(of_it.len(), *count, "{name}: {kind}");
            for ((time_s, numbers), (then_s, wanted)) in
                [(&of_it[0], first), (&of_it[count - 1], last)]
            {
                assert!(
                    (time_s - then_s).abs() < 1e-7,
                    "{name}: {kind} {time_s} {then_s}"
                );
                for (number, wanted) in numbers.iter().zip(*wanted) {
                    assert!(
                        (number - wanted).abs() < 1e-9,
                        "{name}: {kind} {number} {wanted}"
                    );
                }
            }
        }
        assert_eq!(log.about.kind, LogVehicle::Multirotor, "{name}");
        assert_eq!(log.about.rotors, Some(4), "{name}");
        let left_out = &log.about.left_out;
        assert_eq!(
            (left_out.damaged, left_out.not_finite, log.about.cut_at),
            (0, 0, None),
            "{name}"
        );
    }
}

/// Of each file, some kinds of reading.
const EXPECTED: [(&str, &[Expected]); 4] = [
    (
        "px4_quad_hover.ulg",
        &[
            (
                "motors",
                926,
                (0.001641, &[0.0, 6.98e-10, 6.98e-10, 0.0]),
                (92.403702, &[9.3e-11, 0.0, 1e-10, 0.0]),
            ),
            (
                "gyro",
                20236,
                (0.0, &[0.00044489486, 0.004361698404, -0.004355059005]),
                (
                    92.475539,
                    &[-0.003200924024, -0.006802163087, -0.007006373722],
                ),
            ),
            (
                "attitude",
                1851,
                (
                    0.0,
                    &[
                        0.97960704565,
                        0.007260208018,
                        -0.005476413295,
                        -0.200717613101,
                    ],
                ),
                (
                    92.453062,
                    &[
                        0.947700917721,
                        0.003405851545,
                        -0.010276191868,
                        -0.318976134062,
                    ],
                ),
            ),
            (
                "velocity",
                926,
                (
                    -0.004496,
                    &[-0.001419658656, 0.000888587383, 0.013565260917],
                ),
                (92.399112, &[-0.043752275407, 0.050630960613, 0.00627527386]),
            ),
            (
                "battery",
                464,
                (0.000373, &[30.897378921509]),
                (92.400371, &[30.135473251343]),
            ),
        ],
    ),
    (
        "px4_quad_real.ulg",
        &[
            (
                "motors",
                1311,
                (-0.001345, &[0.0, 0.0, 0.0, 0.0]),
                (68.896216, &[0.0, 0.0, 0.0, 0.0]),
            ),
            (
                "accelerometer",
                17070,
                (0.04, &[1.10714173317, 0.486477524042, 9.630394935608]),
                (68.919199, &[1.140026330948, 0.441030651331, 9.632325172424]),
            ),
        ],
    ),
    (
        "px4_quad_sitl.ulg",
        &[
            (
                "gyro",
                7783,
                (0.0, &[-0.003195796628, 0.004527370445, -0.00106527016]),
                (
                    31.128000021,
                    &[0.002663143678, 0.011185262352, -0.004793737084],
                ),
            ),
            (
                "rotor speeds",
                126,
                (0.0, &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
                (30.996000051, &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
            ),
        ],
    ),
    (
        "crazyflie_log15.usd",
        &[
            (
                "motors",
                62774,
                (0.0, &[0.0, 0.0, 0.0, 0.0]),
                (62.188119, &[0.0, 0.0, 0.0, 0.0]),
            ),
            (
                "gyro",
                62774,
                (0.0, &[-0.000940993186, -0.003313356786, -0.001761760904]),
                (62.188119, &[0.003120773569, 0.001514151941, 0.003356293236]),
            ),
            (
                "accelerometer",
                62774,
                (0.0, &[-0.193178767187, -0.156277644562, 9.821400994408]),
                (
                    62.188119,
                    &[-0.053182883963, -0.073954371637, 9.807898538756],
                ),
            ),
        ],
    ),
];

/// Writes down the samples of a log, a line each.
fn samples(log: &Path) -> String {
    let mut lines = String::new();
    let mut add = |sample: &LogSample| {
        let kind = LogReading::KINDS[sample.reading.kind()];
        write!(lines, "{kind},{}", sample.time_s).expect("a text");
        for number in sample.reading.numbers() {
            write!(lines, ",{number}").expect("a text");
        }
        lines.push('\n');
    };
    read_flight_log(File::open(log).expect("a log"), &mut add).expect("a log");
    lines
}

#[test]
fn others_readers_find_the_same_numbers() {
    let Some(python) = crate::others::python("flight-readers", "flight_readers.txt") else {
        return;
    };
    let scratch = temp_dir::TempDir::new().expect("temporary folder");
    let mut logs = Vec::new();
    for (name, bytes) in [
        ("new.ulg", ulog::log()),
        ("old.ulg", ulog::old_log()),
        ("made.bin", dataflash::log()),
        ("raw.bin", dataflash::raw_log()),
        ("made.bbl", blackbox::plain_log()),
        ("one.usd", crazyflie::log(1)),
        ("two.usd", crazyflie::log(2)),
    ] {
        let path = scratch.path().join(name);
        std::fs::write(&path, bytes).expect("writable");
        logs.push(path);
    }
    let recorded = folder().and_then(|folder| folder.read_dir().ok());
    logs.extend(
        recorded
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path()),
    );
    logs.retain(|path| path.extension().is_some_and(|end| end != "md"));
    let mut command = std::process::Command::new(python);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/others/read_flights.py"));
    for (k, log) in logs.iter().enumerate() {
        let path = scratch.path().join(format!("{k}.samples"));
        std::fs::write(&path, samples(log)).expect("writable");
        command.arg(log).arg(path);
    }
    let output = command.output().expect("python starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(told.lines().count(), logs.len(), "{told}");
}
