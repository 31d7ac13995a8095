//! Damaged logs: cut at any byte, with changed, missing and repeated bytes. No reader panics, none takes long, each says
//! what is wrong on one line and gives no number that is not finite.

use super::{LogSample, blackbox, crazyflie, csv, dataflash, read_flight_log, ulog};
use checks::fuzzing::{SECONDS, TIMES, fuzz};
use std::io::Read;
use std::time::{Duration, Instant};

/// Changed logs tried of each format.
const CASES: u64 = 3_000;

/// What a log may take [s]; these have a few thousand bytes.
const MOST: Duration = Duration::from_secs(5);

fn logs() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("ULog", ulog::log()),
        ("old ULog", ulog::old_log()),
        ("DataFlash", dataflash::log()),
        ("raw DataFlash", dataflash::raw_log()),
        ("blackbox", blackbox::log()),
        ("uSD 1", crazyflie::log(1)),
        ("uSD 2", crazyflie::log(2)),
        ("CSV", csv::LOG.as_bytes().to_vec()),
    ]
}

/// Reads a log of which nothing is known; how many samples it has.
fn judge(bytes: &[u8]) -> Option<u64> {
    let started = Instant::now();
    let mut count = 0;
    let mut check = |sample: &LogSample| {
        count += 1;
        assert!(sample.time_s.is_finite());
        assert!(
            sample
                .reading
                .numbers()
                .iter()
                .all(|number| number.is_finite())
        );
    };
    let read = read_flight_log(bytes, &mut check);
    assert!(started.elapsed() < MOST);
    match read {
        Ok(about) => {
            assert_eq!(about.samples.iter().sum::<u64>(), count);
            assert!(count > 0 && about.duration_s >= 0.0);
            assert!(about.cut_at.is_none_or(|at| at == bytes.len() as u64));
            Some(count)
        }
        Err(error) => {
            let line = error.to_string();
            assert!(
                !line.chars().any(char::is_control) && line.len() < 1000,
                "{line:?}"
            );
            None
        }
    }
}

#[test]
fn logs_cut_at_any_byte() {
    for (name, log) in logs() {
        let whole = judge(&log).expect("a log");
        let mut most = 0;
        for length in 0..log.len() {
            let count = judge(&log[..length]).unwrap_or(0);
            assert!(count >= most, "{name}: fewer samples in {length} bytes");
            most = count;
        }
        assert!(most <= whole, "{name}");
    }
}

#[test]
fn logs_with_changed_bytes() {
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let until = number(SECONDS).map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut dice = 1u64;
    let mut below = |count: usize| {
        dice = dice
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % count.max(1)
    };
    let logs = logs();
    let cases = CASES * number(TIMES).unwrap_or(1);
    let mut read = 0;
    for case in 0.. {
        let over = until.map_or(case >= cases, |until| Instant::now() >= until);
        if over {
            assert!(
                read > case * logs.len() as u64 / 4,
                "most are still logs: {read} of {case}"
            );
            return;
        }
        for (_, log) in &logs {
            let mut bytes = log.clone();
            for _ in 0..1 + below(4) {
                let at = below(bytes.len());
                match below(8) {
                    0..=3 if !bytes.is_empty() => bytes[at] ^= 1 << below(8),
                    4 if !bytes.is_empty() => bytes[at] = [0, 1, 0x7f, 0x80, 0xfe, 0xff][below(6)],
                    5 => drop(bytes.drain(at..(at + below(40)).min(bytes.len()))),
                    6 => {
                        let part = bytes[at..(at + below(200)).min(bytes.len())].to_vec();
                        let to = below(bytes.len());
                        bytes.splice(to..to, part);
                    }
                    _ => bytes.truncate(at),
                }
            }
            read += u64::from(judge(&bytes).is_some());
        }
    }
}

#[test]
fn lines_of_csv() {
    let own = "t_s,x_m,vx_m_s,vy_m_s,vz_m_s,qw,qx,qy,qz,n1_rad_s,command1_rad_s\n0,1,2,3,4,1,0,0,0,500,510\n0.01,1,2,3,4,1,0,0,0,501.5,510\n";
    fuzz("flight logs in CSV", &[csv::LOG, own], CASES, |text| {
        judge(text.as_bytes());
    });
}

/// Bytes without an end are read a buffer at a time, and what is no record costs no memory.
#[test]
fn long_files_of_no_records_end() {
    for (name, log) in logs() {
        for byte in [0u8, 0xff, 0xA3, b'I'] {
            let mut file = log.chain(std::io::repeat(byte).take(1_000_000));
            let mut count = 0;
            let started = Instant::now();
            let read = read_flight_log(&mut file, &mut |_| count += 1);
            assert!(read.is_ok() && count > 0, "{name}");
            assert!(
                started.elapsed() < 2 * MOST,
                "{name}: {:?}",
                started.elapsed()
            );
        }
    }
}
