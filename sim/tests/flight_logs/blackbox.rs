//! Blackbox.

use super::read;
use crate::log_writers::blackbox::{Field, Writer};
use sim::flight_log::{FlightLogError, LogFormat, LogVehicle, parameters};
use sim::{Airframe, autopilot};

const FIELDS: [Field; 24] = [
    ("loopIteration", [0, 1, 6, 9]),
    ("time", [0, 1, 2, 0]),
    ("axisI[0]", [0, 0, 1, 7]),
    ("axisI[1]", [0, 0, 1, 7]),
    ("axisI[2]", [0, 0, 1, 7]),
    ("axisD[0]", [0, 0, 1, 10]),
    ("axisD[1]", [0, 0, 1, 10]),
    ("axisD[2]", [0, 0, 1, 10]),
    ("rcCommand[0]", [0, 0, 1, 8]),
    ("rcCommand[1]", [0, 0, 1, 8]),
    ("rcCommand[2]", [0, 0, 1, 8]),
    ("rcCommand[3]", [8, 0, 1, 8]),
    ("vbatLatest", [9, 3, 1, 6]),
    ("amperageLatest", [0, 0, 1, 6]),
    ("gyroADC[0]", [0, 0, 3, 0]),
    ("gyroADC[1]", [0, 0, 3, 0]),
    ("gyroADC[2]", [0, 0, 3, 0]),
    ("accSmooth[0]", [0, 0, 3, 0]),
    ("accSmooth[1]", [0, 0, 3, 0]),
    ("accSmooth[2]", [0, 0, 3, 0]),
    ("motor[0]", [11, 1, 3, 0]),
    ("motor[1]", [5, 0, 3, 0]),
    ("motor[2]", [5, 0, 3, 0]),
    ("eRPM[0]", [0, 1, 1, 0]),
];

type Frame = [i32; FIELDS.len()];

/// The frames of a flight of which every second iteration is logged, each 16th in full; numbers of every size.
fn frames(count: i32) -> Vec<Frame> {
    let mut dice = 7u32;
    let mut any = |bits: i32| {
        dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (dice >> 8) as i32 % (1 << bits) - (1 << bits) / 2
    };
    let mut all: Vec<Frame> = Vec::new();
    for k in 0..count {
        let last = all.last().copied().unwrap_or([0; FIELDS.len()]);
        let mut frame = [0; FIELDS.len()];
        frame[0] = 2 * k;
        frame[1] = 7_000_000 + 250 * k + any(4);
        for (i, field) in frame.iter_mut().enumerate().take(12).skip(2) {
            // Differences of 0 to 24 bits, those of commands of up to 14.
            let bits = 1 + (k * 7 + i as i32 * (k % 3)) % if i < 8 { 24 } else { 14 };
            *field = (last[i] + any(bits)).clamp(-20_000_000, 20_000_000);
            if i >= 8 {
                *field = (*field).clamp(-8_000, 8_000);
            }
        }
        frame[12] = 1680 - k / 3;
        frame[13] = if k % 4 == 0 { last[13] } else { any(10) };
        for field in &mut frame[14..20] {
            *field = any(13);
        }
        for field in &mut frame[20..23] {
            // Motors at both of their limits, and between.
            *field = (1100 + any(12)).clamp(158, 2047);
        }
        frame[23] = 3 * k;
        all.push(frame);
    }
    all
}

/// A flight of those frames, with what else a log holds between them. `axisD` is encoded by `three`: 10, or 7, since
/// other readers lack 10.
fn flight(version: i32, three: i32, frames: &[Frame], end: bool) -> Vec<u8> {
    let coded = |code: i32| if code == 10 { three } else { code };
    let fields = FIELDS.map(|(name, codes)| (name, codes.map(coded)));
    let signed: Vec<String> = (0..FIELDS.len())
        .map(|i| i32::from(i > 1 && i < 20).to_string())
        .collect();
    let mut header = format!("H Field I signed:{}\n", signed.join(","));
    header += "H Field S name:flightModeFlags,stateFlags,failsafePhase,rxSignalReceived,rxFlightChannelsValid\n\
        H Field S signed:0,0,0,0,0\nH Field S predictor:0,0,0,0,0\nH Field S encoding:1,1,7,7,7\n\
        H Firmware type:Cleanflight\nH Firmware revision:Betaflight 4.4.2 (23d066d08) STM32F7X2\n\
        H Firmware date:Jun  1 2023 00:00:00\nH Craft name:FIVE\nH I interval:32\nH P interval:2\nH P ratio:16\n\
        H minthrottle:1070\nH maxthrottle:2000\nH gyro_scale:0x3f800000\nH acc_1G:2048\nH motor_poles:12\n";
    let mut writer = Writer::new(version, &fields, &header);
    for (k, frame) in frames.iter().enumerate() {
        writer.frame(k % 16 == 0, frame);
        match k {
            3 => {
                writer.bytes.extend(b"S\x05\x06");
                writer.tag2_3s32([1, 1, 0]);
            }
            // A beep, and a change of modes.
            5 => writer.bytes.extend(b"E\x00\x81\x02"),
            9 => writer.bytes.extend(b"E\x1e\x01\x00"),
            _ => {}
        }
    }
    if end {
        writer.bytes.extend(b"E\xffEnd of log\0");
    }
    writer.bytes
}

/// A log of one flight, in which `axisD` is encoded as others can read.
pub fn plain_log() -> Vec<u8> {
    flight(2, 7, &frames(40), true)
}

/// A log of two flights.
pub fn log() -> Vec<u8> {
    let one = flight(2, 10, &frames(40), true);
    [&one[..], &[0xff; 50], &flight(2, 10, &frames(20), true)].concat()
}

#[test]
fn full_frames_and_differences_give_every_number_back() {
    for version in [1, 2] {
        let frames = frames(100);
        let log = read(&flight(version, 10, &frames, true));
        let pi = std::f64::consts::PI;
        for (kind, fields, scale) in [
            ("gyro", 14..17, (0.0, pi / 180.0)),
            ("accelerometer", 17..20, (0.0, 9.80665 / 2048.0)),
            ("motors", 20..23, (158.0, 1.0 / (2047.0 - 158.0))),
            // 100 electrical turns a minute, of six pairs of poles.
            ("rotor speeds", 23..24, (0.0, 100.0 / 6.0 * pi / 30.0)),
            ("battery", 12..13, (0.0, 0.01)),
        ] {
            let numbers = |frame: &Frame| -> Vec<f64> {
                let fields = frame[fields.clone()].iter();
                fields
                    .map(|field| (f64::from(*field) - scale.0) * scale.1)
                    .collect()
            };
            let time_s = |frame: &Frame| f64::from(frame[1] - frames[0][1]) * 1e-6;
            let expected: Vec<(f64, Vec<f64>)> = frames
                .iter()
                .map(|frame| (time_s(frame), numbers(frame)))
                .collect();
            let expected: Vec<(f64, &[f64])> = expected
                .iter()
                .map(|(time_s, numbers)| (*time_s, &numbers[..]))
                .collect();
            log.must_be(kind, &expected);
        }
        let about = log.about;
        assert_eq!(
            (about.format, about.kind),
            (LogFormat::Blackbox, LogVehicle::Multirotor)
        );
        assert_eq!(
            (about.vehicle.as_deref(), about.rotors),
            (Some("FIVE"), Some(3))
        );
        assert_eq!(
            (about.left_out.damaged, about.cut_at, about.flights),
            (0, None, 1)
        );
    }
}

#[test]
fn a_second_flight_follows_a_second_after_the_first() {
    let log = read(&log());
    let times: Vec<f64> = log
        .of("battery")
        .iter()
        .map(|(time_s, _)| *time_s)
        .collect();
    assert_eq!((log.about.flights, times.len()), (2, 60));
    assert!((times[40] - times[39] - 1.0).abs() < 1e-9);
    assert_eq!(log.about.left_out.damaged, 0);
}

#[test]
fn a_damaged_frame_costs_the_one_before_and_those_up_to_the_next_full_one() {
    let frames = frames(64);
    let whole = flight(2, 10, &frames, true);
    let before = flight(2, 10, &frames[..20], false).len();
    let mut bytes = whole.clone();
    bytes[before] = b'?';
    let log = read(&bytes);
    let times: Vec<f64> = log.of("gyro").iter().map(|(time_s, _)| *time_s).collect();
    let expected = frames[..19].iter().chain(&frames[32..]);
    let expected: Vec<f64> = expected
        .map(|frame| f64::from(frame[1] - frames[0][1]) / 1e6)
        .collect();
    assert_eq!(times, expected);
    assert!(log.about.left_out.damaged > 0);
    // The same frames in a file that was cut.
    let cut = read(&whole[..before + 5]);
    assert_eq!(cut.of("gyro").len(), 20);
    assert_eq!(cut.about.cut_at, Some(before as u64 + 5));
}

/// Settings in a header of Betaflight 4.5 as it comes, but for D of roll, a biquad and the feed-forward of yaw.
const SETTINGS: &str = "H pid_process_denom:1\nH tpa_mode:1\nH tpa_rate:65\nH tpa_breakpoint:1350\n\
    H tpa_low_always:0\nH mixer_type:LEGACY\nH rates:70,70,70\nH rollPID:45,80,40\nH pitchPID:47,84,46\n\
    H yawPID:45,80,0\nH levelPID:50,50,75\nH d_min:31,34,0\nH d_max_gain:37\nH d_max_advance:20\n\
    H dterm_lpf1_type:0\nH dterm_lpf1_static_hz:75\nH dterm_lpf1_dyn_hz:80,150\nH dterm_lpf2_type:0\n\
    H dterm_lpf2_static_hz:150\nH yaw_lowpass_hz:100\nH dterm_notch_hz:0\nH dterm_notch_cutoff:0\n\
    H iterm_windup:85\nH iterm_relax:1\nH iterm_relax_type:1\nH iterm_relax_cutoff:15\n\
    H pid_at_min_throttle:1\nH anti_gravity_gain:80\nH ff_weight:120,125,60\nH feedforward_averaging:0\n\
    H pidsum_limit:500\nH pidsum_limit_yaw:400\nH gyro_hardware_lpf:0\nH gyro_lpf1_type:1\n\
    H gyro_lpf1_static_hz:250\nH gyro_lpf1_dyn_hz:0,500\nH gyro_lpf2_type:0\nH gyro_lpf2_static_hz:500\n\
    H gyro_notch_hz:0,0\nH gyro_notch_cutoff:0,0\nH gyro_debug_axis:0\nH dyn_notch_count:1\n\
    H rpm_filter_weights:100,100,100\nH dshot_bidir:1\nH motor_pwm_protocol:6\nH thrust_linear:20\n\
    H gyro_sync_denom:1\nH features:541130760\nH rc_smoothing_rx_smoothed:250\n";

#[test]
fn settings_of_a_header_are_those_of_a_file() {
    let flown = |rest: &str| {
        let mut log = Writer::new(2, &FIELDS, rest);
        log.frame(true, &frames(1)[0]);
        log.bytes
    };
    let end = b"E\xffEnd of log\0";
    let log = |rest: &str| [&flown(rest), &end[..]].concat();
    let with = |version: &str, settings: &str| {
        let said = format!(
            "H Firmware type:Cleanflight\nH Firmware revision:{version} (77d01ba3b) STM32F7X2\n"
        );
        log(&format!("{said}H gyro_scale:0x3f800000\n{settings}"))
    };
    let header = |version: &str| with(version, SETTINGS);
    // As the firmware's `diff` has them.
    let file = "# Betaflight / STM32F7X2 (S7X2) 4.5.1 Jul 26 2024 / 09:15:06 (77d01ba3b)\n\
        set gyro_lpf1_type = BIQUAD\nset gyro_lpf1_dyn_min_hz = 0\nset dyn_notch_count = 1\nset dshot_bidir = ON\n\
        set motor_pwm_protocol = DSHOT300\nset thrust_linear = 20\nset dterm_lpf1_dyn_min_hz = 80\n\
        set p_roll = 45\nset i_roll = 80\nset d_roll = 40\nset p_pitch = 47\nset i_pitch = 84\nset d_pitch = 46\n\
        set p_yaw = 45\nset i_yaw = 80\nset d_yaw = 0\nset d_min_roll = 31\nset d_min_pitch = 34\nset f_yaw = 60\n";
    let airframe = Airframe::by_name("hummingbird").expect("known");
    let read = |text: &str| {
        let tune = autopilot::reading::read_file(
            &autopilot::ParameterFile::of(text, "a file", None, None).expect("settings"),
            None,
            &airframe,
            &airframe.gains,
        );
        tune.expect("a tune")
    };
    // Of two flights the last counts.
    let other = SETTINGS.replace("rollPID:45", "rollPID:90");
    let other = with("Betaflight 4.5.0", &other);
    let logged = [other, header("Betaflight 4.5.1")].concat();
    let logged = parameters(&logged[..]).expect("a log").expect("settings");
    assert!(logged.starts_with("# Betaflight 4.5.1\n"), "{logged}");
    let (logged, filed) = (read(&logged), read(file));
    assert_eq!(
        logged.notes,
        ["p_roll changed in the log, from 90: its last value is judged."]
    );
    assert_eq!(logged.gains, filed.gains);
    assert_eq!(logged.controller, filed.controller);
    assert_eq!(logged.delay, filed.delay);
    assert_eq!(logged.mismatches, filed.mismatches);
    let [missing, rest @ ..] = &logged.acting[..] else {
        panic!("nothing is said to be missing")
    };
    assert!(
        missing.contains("iterm_limit") && missing.contains("mixer"),
        "{missing}"
    );
    assert_eq!(rest, filed.acting);
    assert!(rest.iter().any(|said| said.contains("BIQUAD")), "{rest:?}");

    for version in ["Betaflight 4.2.11", "INAV 7.1.2", "Cleanflight 2.5.0"] {
        let refused = parameters(&header(version)[..]).expect_err(version);
        assert!(matches!(refused, FlightLogError::Firmware(_)), "{refused}");
    }
    assert_eq!(parameters(&log("")[..]).expect("a log"), None);

    // A last header that is not whole, a setting that was changed in flight, and bytes before the log are not passed over.
    let whole = header("Betaflight 4.5.1");
    let said = |bytes: &[u8]| read(&parameters(bytes).expect("a log").expect("settings")).acting;
    let within = whole.windows(8).position(|bytes| bytes == b"H yawPID");
    let within = within.expect("it is set");
    for cut in [within, within + 6] {
        let acting = said(&[&whole, &whole[..cut]].concat());
        assert!(
            acting[0].starts_with("the log has 1 damaged record:"),
            "{acting:?}"
        );
        let alone = parameters(&whole[..cut]).expect_err("half a header");
        assert!(
            matches!(
                alone,
                FlightLogError::Empty { .. } | FlightLogError::Header { .. }
            ),
            "{alone}"
        );
    }
    let mut spoilt = whole.clone();
    spoilt[within] = b'x';
    let acting = said(&spoilt);
    assert!(acting[0].contains("damaged record"), "{acting:?}");
    assert!(acting[2].starts_with("the log holds no "), "{acting:?}");
    let rest = &whole[..whole.len() - end.len()];
    let adjusted = said(&[rest, b"E\x0d\x05\x20", end].concat());
    assert!(
        adjusted[0].starts_with("the transmitter changed settings"),
        "{adjusted:?}"
    );
    assert_eq!(said(&[b"\xff\xff\n", &whole[..]].concat()), said(&whole));
}
