//! DataFlash.

use super::read;
use crate::log_writers::dataflash::{Writer, filled, floats};
use crate::program::{sim as program, stderr, temporary};
use sim::Airframe;
use sim::autopilot::{ParameterFile, reading::read_file};
use sim::flight_log::{LogFormat, LogVehicle};

/// A log of a quadrotor whose motors are the channels 3, 1, 2 and 4.
pub fn log() -> Vec<u8> {
    let mut file = Writer(Vec::new());
    file.format(128, 86, "FMT", "BBnNZ", "Type,Length,Name,Format,Columns");
    file.format(1, 28, "PARM", "QNf", "TimeUS,Name,Value");
    file.format(2, 41, "FMTU", "QBNN", "TimeUS,FmtType,UnitIds,MultIds");
    file.format(3, 17, "MULT", "Qbd", "TimeUS,Id,Mult");
    file.format(4, 72, "MSG", "QZ", "TimeUS,Message");
    file.format(
        5,
        33,
        "IMU",
        "QBffffff",
        "TimeUS,I,GyrX,GyrY,GyrZ,AccX,AccY,AccZ",
    );
    file.format(
        7,
        36,
        "RCOU",
        "QHHHHHHHHHHHHHH",
        "TimeUS,C1,C2,C3,C4,C5,C6,C7,C8,C9,C10,C11,C12,C13,C14",
    );
    file.format(
        8,
        20,
        "ATT",
        "QccccCC",
        "TimeUS,DesRoll,Roll,DesPitch,Pitch,DesYaw,Yaw",
    );
    file.format(9, 21, "XKF1", "QBfff", "TimeUS,C,VN,VE,VD");
    file.format(10, 11, "BAT", "QBh", "TimeUS,Inst,Volt");
    file.format(11, 13, "ESC", "QBe", "TimeUS,Instance,RPM");
    file.format(12, 12, "CTUN", "Qf", "TimeUS,ThI");
    for (letter, multiplier) in [(b'F', 1e-6), (b'B', 1e-2), (b'0', 1.0), (b'-', 0.0)] {
        let body = [
            &0u64.to_le_bytes()[..],
            &[letter],
            &f64::to_le_bytes(multiplier),
        ]
        .concat();
        file.record(3, &body);
    }
    // A battery counts in hundredths of a volt; angles have that in their type already.
    for (id, multipliers) in [(8, "FBBBBBB"), (10, "F-B")] {
        let body = [
            &0u64.to_le_bytes()[..],
            &[id],
            &filled("", 16),
            &filled(multipliers, 16),
        ]
        .concat();
        file.record(2, &body);
    }
    file.record(
        4,
        &[
            &0u64.to_le_bytes()[..],
            &filled("ArduCopter V4.5.7 (abc)", 64),
        ]
        .concat(),
    );
    for (name, value) in [
        ("FRAME_CLASS", 1.0),
        ("SERVO1_FUNCTION", 34.0),
        ("SERVO2_FUNCTION", 35.0),
        ("SERVO3_FUNCTION", 33.0),
        ("SERVO4_FUNCTION", 36.0),
        ("MOT_PWM_MIN", 1100.0),
        ("MOT_PWM_MAX", 1900.0),
    ] {
        file.parameter(name, value);
    }
    for k in 0..3u16 {
        let time_us = 1_000_000 + 2_500 * u64::from(k);
        let t = f32::from(k);
        let head = |instance: u8| [&time_us.to_le_bytes()[..], &[instance]].concat();
        let imu = |instance: u8, x: f32| {
            [head(instance), floats(&[x, 0.25, -0.5, 0.5, 1.0, -9.5])].concat()
        };
        file.record(5, &imu(0, t));
        file.record(5, &imu(1, 77.0));
        let mut pulses: Vec<u8> = time_us.to_le_bytes().to_vec();
        for channel in 0..14u16 {
            let pulse = [1500, 1700, 1100, 1900 - k * 400][..]
                .get(usize::from(channel))
                .copied();
            pulses.extend(pulse.unwrap_or(0).to_le_bytes());
        }
        file.record(7, &pulses);
        let mut angles = time_us.to_le_bytes().to_vec();
        for angle in [1i16, 9000, 2, 0, 3] {
            angles.extend(angle.to_le_bytes());
        }
        angles.extend(18000u16.to_le_bytes());
        file.record(8, &angles);
        file.record(9, &[head(0), floats(&[1.5, 2.5, -3.5])].concat());
        file.record(9, &[head(1), floats(&[7.0, 7.0, 7.0])].concat());
        for channel in 0..4u8 {
            let rpm = 100 * 1000 * (i32::from(channel) + 1);
            let time_us = time_us + u64::from(channel);
            file.record(
                11,
                &[&time_us.to_le_bytes()[..], &[channel], &rpm.to_le_bytes()].concat(),
            );
        }
        file.record(12, &[&time_us.to_le_bytes()[..], &floats(&[0.5])].concat());
    }
    let time = 1_005_000u64.to_le_bytes();
    file.record(10, &[&time[..], &[0], &1640i16.to_le_bytes()].concat());
    file.record(10, &[&time[..], &[1], &1000i16.to_le_bytes()].concat());
    file.0
}

#[test]
fn messages_give_every_number_back() {
    let log = read(&log());
    log.must_be(
        "gyro",
        &[
            (0.0, &[0.0, -0.25, 0.5]),
            (0.0025, &[1.0, -0.25, 0.5]),
            (0.005, &[2.0, -0.25, 0.5]),
        ],
    );
    let force: &[f64] = &[0.5, -1.0, 9.5];
    log.must_be(
        "accelerometer",
        &[(0.0, force), (0.0025, force), (0.005, force)],
    );
    // Channels 3, 1, 2, 4.
    log.must_be(
        "motors",
        &[
            (0.0, &[0.0, 0.5, 0.75, 1.0]),
            (0.0025, &[0.0, 0.5, 0.75, 0.5]),
            (0.005, &[0.0, 0.5, 0.75, 0.0]),
        ],
    );
    let pi = std::f64::consts::PI;
    let speeds: &[f64] = &[
        100.0 * pi,
        100.0 / 3.0 * pi,
        200.0 / 3.0 * pi,
        400.0 / 3.0 * pi,
    ];
    log.must_be("rotor speeds", &[(0.000003, speeds), (0.002503, speeds)]);
    // A roll of 90 degrees to the right, heading south.
    let half = 0.5f64.sqrt();
    let attitude: &[f64] = &[0.0, 0.0, -half, -half];
    log.must_be(
        "attitude",
        &[(0.0, attitude), (0.0025, attitude), (0.005, attitude)],
    );
    let velocity: &[f64] = &[1.5, -2.5, 3.5];
    log.must_be(
        "velocity",
        &[(0.0, velocity), (0.0025, velocity), (0.005, velocity)],
    );
    log.must_be("battery", &[(0.005, &[16.4])]);
    let about = log.about;
    assert_eq!(
        (about.format, about.kind),
        (LogFormat::Dataflash, LogVehicle::Multirotor)
    );
    assert_eq!(about.vehicle.as_deref(), Some("ArduCopter V4.5.7 (abc)"));
    assert_eq!((about.rotors, about.parameters.len()), (Some(4), 7));
    assert_eq!(about.left_out.also_logged, ["IMU", "XKF1", "BAT"]);
    assert_eq!((about.left_out.damaged, about.cut_at), (0, None));
}

/// A log with each raw sample of the gyro, and with means of it.
pub fn raw_log() -> Vec<u8> {
    let mut file = Writer(Vec::new());
    file.format(
        5,
        33,
        "IMU",
        "QBffffff",
        "TimeUS,I,GyrX,GyrY,GyrZ,AccX,AccY,AccZ",
    );
    file.format(6, 29, "GYR", "QBQfff", "TimeUS,I,SampleUS,GyrX,GyrY,GyrZ");
    for k in 0..3u64 {
        let time_us = (7_000_000 + 1_000 * k).to_le_bytes();
        let sample_us = 6_000_000 + 250 * k;
        let head = [&time_us[..], &[0]].concat();
        file.record(
            6,
            &[
                head.clone(),
                sample_us.to_le_bytes().to_vec(),
                floats(&[2.0, 4.0, 8.0]),
            ]
            .concat(),
        );
        file.record(5, &[head, floats(&[0.0, 0.0, 0.0, 1.0, 2.0, 3.0])].concat());
    }
    file.0
}

#[test]
fn raw_samples_have_times_of_their_own_and_replace_means() {
    let log = read(&raw_log());
    let (gyro, force): (&[f64], &[f64]) = (&[2.0, -4.0, -8.0], &[1.0, -2.0, -3.0]);
    log.must_be("gyro", &[(0.0, gyro), (0.00025, gyro), (0.0005, gyro)]);
    log.must_be(
        "accelerometer",
        &[(1.0, force), (1.001, force), (1.002, force)],
    );
}

#[test]
fn bytes_between_records_cost_nothing_else() {
    let mut bytes = log();
    let whole = read(&bytes).samples.len();
    let imu = bytes
        .windows(3)
        .position(|head| head == [0xA3, 0x95, 5])
        .expect("a record");
    bytes.splice(imu..imu, [0xA3, 0, 0x95, 0xA3, 0x95, 200, 7]);
    let log = read(&bytes);
    assert_eq!(log.samples.len(), whole);
    assert_eq!(log.about.left_out.damaged, 1);
}

#[test]
fn planes_are_no_multirotors() {
    for (parameters, kind) in [
        (&[("Q_ENABLE", 0.0)][..], LogVehicle::FixedWing),
        (
            &[("Q_ENABLE", 1.0), ("Q_FRAME_CLASS", 1.0)],
            LogVehicle::Vtol,
        ),
        (&[("FRAME_CLASS", 6.0)], LogVehicle::Unknown),
    ] {
        let mut file = Writer(Vec::new());
        file.format(1, 28, "PARM", "QNf", "TimeUS,Name,Value");
        file.format(9, 21, "XKF1", "QBfff", "TimeUS,C,VN,VE,VD");
        for (name, value) in parameters {
            file.parameter(name, *value);
        }
        file.record(9, &[vec![0; 9], floats(&[1.0, 2.0, 3.0])].concat());
        assert_eq!(read(&file.0).about.kind, kind, "{parameters:?}");
    }
}

#[test]
fn parameters_of_a_log_are_read_as_those_of_a_file() {
    let settings = [
        ("ATC_ANG_PIT_P", 4.5f32),
        ("ATC_ANG_RLL_P", 4.5),
        ("ATC_ANG_YAW_P", 4.5),
        ("ATC_RAT_PIT_D", 0.0036),
        ("ATC_RAT_PIT_I", 0.135),
        ("ATC_RAT_PIT_P", 0.135),
        ("ATC_RAT_RLL_D", 0.0036),
        ("ATC_RAT_RLL_I", 0.135),
        ("ATC_RAT_RLL_P", 0.135),
        ("ATC_RAT_YAW_I", 0.018),
        ("ATC_RAT_YAW_P", 0.18),
    ];
    let mut file = Writer(Vec::new());
    file.format(1, 28, "PARM", "QNf", "TimeUS,Name,Value");
    file.format(9, 21, "XKF1", "QBfff", "TimeUS,C,VN,VE,VD");
    for (name, value) in settings {
        file.parameter(name, value);
    }
    let sample = |file: &mut Writer, at_us: u64| {
        let time = at_us.to_le_bytes();
        file.record(9, &[&time[..], &[0], &floats(&[1.0, 2.0, 3.0])].concat());
    };
    sample(&mut file, 0);
    sample(&mut file, 3_000_000);
    let text: String = settings
        .map(|(name, value)| format!("{name},{value}\n"))
        .concat();
    let of = |bytes: &[u8]| {
        sim::flight_log::parameters(bytes)
            .expect("whole")
            .expect("some")
    };
    let found = of(&file.0);
    assert_eq!(found, format!("{text}# parameters of a log\n"));
    let none = sim::flight_log::parameters(text.as_bytes()).expect("readable");
    assert_eq!(none, None);
    // The program says the same of both.
    let said = [&file.0[..], text.as_bytes()].map(|bytes| {
        let folder = temporary();
        std::fs::write(folder.path().join("flight.bin"), bytes).expect("writable");
        let arguments = ["template", "airframe", "--from", "flight.bin"];
        let arguments = [&arguments[..], &["--airframe", "hummingbird"]].concat();
        let output = program(folder.path(), &arguments);
        let said = stderr(&output);
        let missing = said
            .lines()
            .filter(|line| line.contains("a log holds all gains in use"));
        assert_eq!(missing.count(), usize::from(bytes == &file.0[..]), "{said}");
        let rest = said
            .lines()
            .filter(|line| !line.contains("a log holds all gains in use"));
        let rest: Vec<String> = rest.map(str::to_owned).collect();
        (output.status.code(), output.stdout, rest)
    });
    assert_eq!(said[0], said[1]);
    assert_eq!(said[0].0, Some(0), "{:?}", said[0].2);
    // What is to be doubted of a log.
    let doubts = |bytes: &[u8]| -> Vec<String> {
        let text = of(bytes);
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix("# in doubt: "));
        lines.map(str::to_owned).collect()
    };
    let streamed = |last_us: u64| {
        let mut file = Writer(file.0.clone());
        sample(&mut file, 6_000_000);
        file.parameter("PSC_POSXY_P", 1.0);
        file.parameter("ATC_RAT_RLL_P", 0.2);
        sample(&mut file, last_us);
        file.0
    };
    let [complete, ends] = [9_000_000, 6_100_000].map(streamed);
    assert_eq!(doubts(&complete), [""; 0]);
    assert!(of(&complete).contains("\n# changed: ATC_RAT_RLL_P 0.135\n"));
    assert!(doubts(&ends)[0].contains("ends while its parameters are written"));
    let mut damaged = file.0.clone();
    let at = damaged
        .windows(13)
        .position(|at| at == b"ATC_RAT_YAW_P")
        .expect("written");
    damaged[at - 11..at + 13].fill(0);
    assert!(doubts(&damaged)[0].starts_with("the log has 1 damaged record:"));
    let mut foreign = Writer(Vec::new());
    foreign.format(4, 72, "MSG", "QZ", "TimeUS,Message");
    foreign.record(4, &[&[0; 8][..], &filled("ArduSub V4.5.0", 64)].concat());
    let foreign = of(&[foreign.0, file.0].concat());
    assert!(
        foreign.contains("# another vehicle: the log is of ArduSub V4.5.0"),
        "{foreign}"
    );
    // Each of these is a reason.
    let airframe = Airframe::by_name("hummingbird").expect("known");
    let read = |bytes: &[u8]| {
        let file = ParameterFile::of(&of(bytes), "a file", None, None).expect("settings");
        read_file(&file, None, &airframe, &airframe.gains).expect("a tune")
    };
    let [sound, damaged, ends] = [&complete, &damaged, &ends].map(|bytes| read(bytes));
    assert_eq!(sound.acting.len() + 1, damaged.acting.len());
    assert_eq!(sound.acting.len() + 1, ends.acting.len());
    assert!(
        sound.notes[0].starts_with("ATC_RAT_RLL_P changed in the log, from 0.135"),
        "{:?}",
        sound.notes
    );
}
