//! `sim fly --log`: what other tools read is what the CSV says, sample for sample.

use crate::program::words;
use assert_cmd::Command;
use mcap::MessageStream;
use mcap::read::Options;
use serde_json::Value;
use sim::flight_log::read_flight_log;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

/// A flight of 2 s in gusts, with all logs.
fn flight(folder: &Path, out: &str) {
    let waypoints = "t,x,y,z\n0,0,0,0\n1,0.6,0.3,0.1\n2,1,0,0\n";
    fs::write(folder.join("way.csv"), waypoints).expect("writable");
    let args = words("fly --traj way.csv --domain gusty --seed 3");
    let output = Command::cargo_bin("sim")
        .expect("the program is built")
        .current_dir(folder)
        .args(args)
        .args(["--log", "csv,mcap,ulog", "--out", out])
        .output()
        .expect("starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(report.contains("samples.csv, flight.mcap, flight.ulg, flight.png"));
}

/// The columns of the CSV by name.
fn csv(path: &Path) -> HashMap<String, Vec<f64>> {
    let text = fs::read_to_string(path).expect("written");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let mut columns: HashMap<String, Vec<f64>> = HashMap::new();
    for line in lines {
        for (name, value) in names.iter().zip(line.split(',')) {
            let value = value.parse().expect("a number");
            columns.entry((*name).to_owned()).or_default().push(value);
        }
    }
    assert_eq!(columns["t_s"].len(), 2000);
    columns
}

/// What a pointer into a topic's messages is in the CSV.
const MCAP_COLUMNS: [(&str, &str, &str); 30] = [
    ("/vehicle/pose", "/pose/position/x", "x_m"),
    ("/vehicle/pose", "/pose/position/y", "y_m"),
    ("/vehicle/pose", "/pose/position/z", "z_m"),
    ("/vehicle/pose", "/pose/orientation/w", "qw"),
    ("/vehicle/pose", "/pose/orientation/x", "qx"),
    ("/vehicle/pose", "/pose/orientation/y", "qy"),
    ("/vehicle/pose", "/pose/orientation/z", "qz"),
    ("/tf", "/translation/z", "z_m"),
    ("/tf", "/rotation/w", "qw"),
    ("/tf", "/rotation/z", "qz"),
    ("/vehicle/motion", "/velocity/x", "vx_m_s"),
    ("/vehicle/motion", "/velocity/y", "vy_m_s"),
    ("/vehicle/motion", "/velocity/z", "vz_m_s"),
    ("/vehicle/motion", "/rates/x", "wx_rad_s"),
    ("/vehicle/motion", "/rates/y", "wy_rad_s"),
    ("/vehicle/motion", "/rates/z", "wz_rad_s"),
    ("/reference/pose", "/pose/position/x", "ref_x_m"),
    ("/reference/pose", "/pose/position/y", "ref_y_m"),
    ("/reference/pose", "/pose/position/z", "ref_z_m"),
    ("/reference/motion", "/velocity/x", "ref_vx_m_s"),
    ("/reference/motion", "/velocity/y", "ref_vy_m_s"),
    ("/reference/motion", "/velocity/z", "ref_vz_m_s"),
    ("/wind", "/x", "wind_x_m_s"),
    ("/wind", "/y", "wind_y_m_s"),
    ("/wind", "/z", "wind_z_m_s"),
    ("/motors", "/speed_rad_s/0", "n1_rad_s"),
    ("/motors", "/speed_rad_s/3", "n4_rad_s"),
    ("/motors", "/command_rad_s/1", "command2_rad_s"),
    ("/motors", "/command_rad_s/2", "command3_rad_s"),
    ("/motors", "/command_rad_s/3", "command4_rad_s"),
];

/// Messages of each topic, as many as can be read.
fn messages(bytes: &[u8], options: Option<Options>) -> BTreeMap<String, Vec<(u64, Value)>> {
    let options = options.map_or(Options::ValidateChunkCrcs.into(), |o| {
        o | Options::ValidateChunkCrcs
    });
    let stream = MessageStream::new_with_options(bytes, options).expect("a beginning");
    let mut topics: BTreeMap<String, Vec<(u64, Value)>> = BTreeMap::new();
    for message in stream.map_while(Result::ok) {
        let value = serde_json::from_slice(&message.data).expect("JSON");
        let topic = topics.entry(message.channel.topic.clone()).or_default();
        topic.push((message.log_time, value));
    }
    topics
}

#[test]
fn mcap_holds_the_samples_of_the_csv_to_the_last_bit_with_schemas() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    flight(folder.path(), "out");
    let columns = csv(&folder.path().join("out/samples.csv"));
    let bytes = fs::read(folder.path().join("out/flight.mcap")).expect("written");
    let topics = messages(&bytes, None);
    assert_eq!(topics.len(), 8);
    for (topic, pointer, column) in MCAP_COLUMNS {
        let read = &topics[topic];
        assert_eq!(read.len(), 2000, "{topic}");
        for (k, (time_ns, message)) in read.iter().enumerate() {
            let value = message.pointer(pointer).and_then(Value::as_f64);
            assert_eq!(
                value,
                Some(columns[column][k]),
                "{topic}{pointer} at sample {k}"
            );
            assert_eq!(*time_ns, (columns["t_s"][k] * 1e9).round() as u64);
            assert_eq!(message["timestamp"]["nsec"], time_ns % 1_000_000_000);
        }
    }
    for (k, (_, message)) in topics["/error"].iter().enumerate() {
        let error = columns["x_m"][k] - columns["ref_x_m"][k];
        assert_eq!(message["x"].as_f64(), Some(error));
    }
    let summary = mcap::Summary::read(&bytes)
        .expect("whole")
        .expect("a summary");
    let mut names = Vec::new();
    for schema in summary.schemas.values() {
        assert_eq!(schema.encoding, "jsonschema");
        let text: Value = serde_json::from_slice(&schema.data).expect("a JSON schema");
        assert_eq!(text["title"], Value::from(schema.name.as_str()));
        assert_eq!(text["type"], "object");
        names.push(schema.name.clone());
    }
    assert!(names.contains(&"foxglove.PoseInFrame".to_owned()));
    assert!(names.contains(&"foxglove.FrameTransform".to_owned()));
    for chunk in &summary.chunk_indexes {
        assert!(chunk.uncompressed_size < 64 << 10, "small chunks");
    }
    let metadata = mcap::read::metadata(&bytes, &summary.metadata_indexes[0]).expect("read");
    assert_eq!(metadata.metadata["seed"], "3");
}

#[test]
fn an_mcap_file_cut_at_two_thirds_still_gives_its_whole_chunks() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    flight(folder.path(), "out");
    let bytes = fs::read(folder.path().join("out/flight.mcap")).expect("written");
    let whole = messages(&bytes, None);
    let cut = messages(&bytes[..bytes.len() * 2 / 3], Some(Options::IgnoreEndMagic));
    for (topic, read) in &cut {
        assert_eq!(whole[topic][..read.len()], read[..], "{topic}");
        // Less than one chunk, about 1 % of this file, is lost beside what was cut.
        assert!(read.len() > 1200, "{topic}: {} of 2000", read.len());
    }
    assert_eq!(cut.len(), 8);
}

#[test]
fn a_flipped_bit_in_an_mcap_file_is_found_by_its_checksums() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    flight(folder.path(), "out");
    let bytes = fs::read(folder.path().join("out/flight.mcap")).expect("written");
    let wrong = |bytes: &[u8]| {
        let options = Options::ValidateChunkCrcs.into();
        let mut stream = MessageStream::new_with_options(bytes, options).expect("a beginning");
        stream.any(|message| message.is_err())
    };
    assert!(!wrong(&bytes));
    // The first digit of a message a quarter into the file, not one of an index.
    let text = b"\"position\":{\"x\":";
    let from = bytes.len() / 4;
    let at = bytes[from..]
        .windows(text.len())
        .position(|window| window == text);
    let start = from + at.expect("a pose") + text.len();
    let digit = (start..).find(|at| bytes[*at].is_ascii_digit());
    let mut flipped = bytes.clone();
    flipped[digit.expect("JSON has digits")] ^= 1;
    // A changed digit is still JSON; only the checksum can tell.
    assert!(wrong(&flipped));
}

/// A topic's field, the CSV's column, and the sign that the frames give it.
const ULOG_COLUMNS: [(&str, &str, &str, f64); 21] = [
    ("vehicle_local_position", "x", "x_m", 1.0),
    ("vehicle_local_position", "y", "y_m", -1.0),
    ("vehicle_local_position", "z", "z_m", -1.0),
    ("vehicle_local_position", "vx", "vx_m_s", 1.0),
    ("vehicle_local_position", "vy", "vy_m_s", -1.0),
    ("vehicle_local_position", "vz", "vz_m_s", -1.0),
    ("vehicle_local_position_setpoint", "x", "ref_x_m", 1.0),
    ("vehicle_local_position_setpoint", "y", "ref_y_m", -1.0),
    ("vehicle_local_position_setpoint", "z", "ref_z_m", -1.0),
    ("vehicle_local_position_setpoint", "vy", "ref_vy_m_s", -1.0),
    (
        "vehicle_local_position_setpoint",
        "yaw",
        "ref_yaw_rad",
        -1.0,
    ),
    ("vehicle_attitude", "q[0]", "qw", 1.0),
    ("vehicle_attitude", "q[1]", "qx", 1.0),
    ("vehicle_attitude", "q[2]", "qy", -1.0),
    ("vehicle_attitude", "q[3]", "qz", -1.0),
    ("vehicle_angular_velocity", "xyz[0]", "wx_rad_s", 1.0),
    ("vehicle_angular_velocity", "xyz[1]", "wy_rad_s", -1.0),
    ("vehicle_angular_velocity", "xyz[2]", "wz_rad_s", -1.0),
    ("wind", "windspeed_north", "wind_x_m_s", 1.0),
    ("wind", "windspeed_east", "wind_y_m_s", -1.0),
    ("wind", "windspeed_down", "wind_z_m_s", -1.0),
];

/// Times [µs] and fields.
type Samples = Vec<(u64, Vec<f32>)>;

/// A ULog file of floats, as its records have it.
#[derive(Default)]
struct Ulog {
    information: HashMap<String, String>,
    parameters: HashMap<String, f32>,
    /// Names of the fields of each topic, an array's numbered as in `q[0]`, and its samples.
    topics: HashMap<String, (Vec<String>, Samples)>,
    messages: Vec<String>,
}

impl Ulog {
    fn of(bytes: &[u8]) -> Ulog {
        let mut ulog = Ulog::default();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        let float = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().expect("four bytes"));
        let mut names = Vec::new();
        let mut at = 16;
        while at < bytes.len() {
            let length = usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
            let body = &bytes[at + 3..at + 3 + length];
            match bytes[at + 2] {
                b'F' => {
                    let text = text(body);
                    let (name, fields) = text.split_once(":uint64_t timestamp;").expect("timed");
                    let fields = fields.split_terminator(';').flat_map(|field| {
                        let (kind, name) = field.split_once(' ').expect("named");
                        let count = kind.strip_prefix("float").expect("a float");
                        let count = count.trim_matches(['[', ']']).parse::<usize>().ok();
                        match count {
                            Some(count) => (0..count).map(|k| format!("{name}[{k}]")).collect(),
                            None => vec![name.to_owned()],
                        }
                    });
                    let topic = (fields.collect(), Vec::new());
                    ulog.topics.insert(name.to_owned(), topic);
                }
                kind @ (b'I' | b'P') => {
                    let (key, value) = body[1..].split_at(usize::from(body[0]));
                    let key = text(key);
                    let name = key.split_once(' ').expect("typed").1.to_owned();
                    match kind {
                        b'I' => drop(ulog.information.insert(name, text(value))),
                        _ => drop(ulog.parameters.insert(name, float(value))),
                    }
                }
                b'A' => names.push(text(&body[3..])),
                b'D' => {
                    let topic = &names[usize::from(u16::from_le_bytes([body[0], body[1]]))];
                    let time_us = u64::from_le_bytes(body[2..10].try_into().expect("eight bytes"));
                    let values = body[10..].chunks(4).map(float).collect();
                    let samples = &mut ulog.topics.get_mut(topic).expect("announced").1;
                    samples.push((time_us, values));
                }
                b'L' => ulog.messages.push(text(&body[9..])),
                kind => assert_eq!(kind, b'B'),
            }
            at += 3 + length;
        }
        ulog
    }
}

#[test]
fn ulog_holds_the_samples_of_the_csv_as_32_bit_floats_in_px4_s_frames() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    flight(folder.path(), "out");
    let columns = csv(&folder.path().join("out/samples.csv"));
    let bytes = fs::read(folder.path().join("out/flight.ulg")).expect("written");
    let log = Ulog::of(&bytes);
    for (topic, field, column, sign) in ULOG_COLUMNS {
        let (fields, samples) = &log.topics[topic];
        let index = fields.iter().position(|name| name == field).expect(field);
        assert_eq!(samples.len(), 2000);
        for (k, (time_us, values)) in samples.iter().enumerate() {
            assert_eq!(
                values[index],
                (sign * columns[column][k]) as f32,
                "{field} at {k}"
            );
            assert_eq!(*time_us, (columns["t_s"][k] * 1e6).round() as u64);
        }
    }
    // PX4's motors: front right, rear left, front left, rear right.
    for (k, (_, values)) in log.topics["actuator_motors"].1.iter().enumerate() {
        for (motor, column) in ["command2", "command4", "command1", "command3"]
            .iter()
            .enumerate()
        {
            let command = columns[&format!("{column}_rad_s")][k] / 1000.0;
            assert_eq!(values[motor], command.powi(2) as f32);
        }
        assert!(values[4..].iter().all(|x| x.is_nan()) && values.len() == 12);
    }
    // The attitude loop's limits bound what it asks for.
    let setpoints = &log.topics["vehicle_rates_setpoint"].1;
    assert!(
        setpoints
            .iter()
            .all(|(_, s)| s[0].abs() <= 3.15 && s[2].abs() <= 0.874)
    );
    assert!(setpoints.iter().any(|(_, s)| s[0].abs() > 0.01));
    assert_eq!(log.parameters["POS_XY_KP"], 6.0);
    assert_eq!(log.parameters["RATE_YAW_KD"], 1e-2);
    assert_eq!(log.parameters["THR_MDL_FAC"], 1.0);
    assert_eq!(log.parameters.len(), 19);
    assert_eq!(log.information["sys_name"], "Windhover");
    let [_, ended, last] = &log.messages[..] else {
        panic!("{:?}", log.messages);
    };
    assert_eq!(ended, "completed");
    assert!(last.starts_with("end of log after ") && last.ends_with(" records"));
}

#[test]
fn a_ulog_file_cut_anywhere_is_reported_as_cut() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    flight(folder.path(), "out");
    let bytes = fs::read(folder.path().join("out/flight.ulg")).expect("written");
    let whole = read_flight_log(&bytes[..], &mut |_| {}).expect("whole");
    assert_eq!((whole.cut_at, whole.left_out.damaged), (None, 0));
    // Every byte of the end, and a spread of the rest; whole records end among them.
    let spread = (8..bytes.len()).step_by(997);
    for length in spread.chain(bytes.len() - 300..bytes.len()) {
        match read_flight_log(&bytes[..length], &mut |_| {}) {
            Ok(about) => assert_eq!(about.cut_at, Some(length as u64)),
            Err(error) => {
                // Before the first sample there is no log.
                let said = error.to_string();
                assert!(length < 5_000, "{length}: {said}");
            }
        }
    }
}

#[test]
fn the_same_flight_gives_the_same_bytes_and_an_unknown_log_is_refused_before_it() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    flight(folder.path(), "one");
    flight(folder.path(), "two");
    for file in ["samples.csv", "flight.mcap", "flight.ulg"] {
        let read = |out: &str| fs::read(folder.path().join(out).join(file)).expect("written");
        assert!(read("one") == read("two"), "{file} differs");
    }
    let refused = |args: &[&str]| {
        let mut command = Command::cargo_bin("sim").expect("the program is built");
        let output = command
            .current_dir(folder.path())
            .arg("fly")
            .args(args)
            .output();
        let output = output.expect("starts");
        assert_eq!(output.status.code(), Some(2));
        assert!(!folder.path().join("new").exists());
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    assert_eq!(
        refused(&["--log", "csv,bag", "--out", "new"]),
        "error: --log: unknown log `bag`; it may be csv, mcap, ulog, all\n"
    );
    assert!(refused(&["--log", "mcap"]).contains("--out"));
}

#[test]
fn other_people_s_readers_find_the_samples_of_the_csv() {
    let Some(python) = crate::others::python("log-readers", "readers.txt") else {
        return;
    };
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    flight(folder.path(), "out");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/others/read_logs.py");
    let output = std::process::Command::new(python)
        .arg(script)
        .arg(folder.path().join("out"))
        .output()
        .expect("python starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        told.trim_end(),
        "2000 samples agree in 14 mcap and 13 ulog columns"
    );
}
