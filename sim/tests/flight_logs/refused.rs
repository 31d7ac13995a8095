//! What is refused, and what is said of it.

use super::{crazyflie, try_read, ulog};
use shell::exit::Coded;
use std::io::{Error, ErrorKind, Read};

/// That a log is refused with that line, as data that cannot be used.
fn refused(bytes: &[u8], line: &str) {
    let error = try_read(bytes).err().expect("no log");
    assert_eq!(error.to_string(), line);
    assert_eq!(error.exit_code(), 65);
}

#[test]
fn every_log_that_cannot_be_used_is_refused_on_one_line() {
    refused(
        b"\x7fELF\n and more",
        "this is no flight log: it begins with `\\x7fELF\\n and more`; known are ULog (PX4), DataFlash .bin (ArduPilot), blackbox (Betaflight), uSD (Crazyflie), and MCAP and CSV as of `sim fly`",
    );
    refused(
        b"",
        "this is no flight log: it begins with ``; known are ULog (PX4), DataFlash .bin (ArduPilot), blackbox (Betaflight), uSD (Crazyflie), and MCAP and CSV as of `sim fly`",
    );
    refused(
        &ulog::log()[..12],
        "the ULog log was cut at byte 12, within its header",
    );
    refused(
        &crazyflie::log(2)[..40],
        "the Crazyflie uSD log was cut at byte 40, within its header",
    );
    refused(
        b"H Product:Blackbox flight",
        "the blackbox log was cut at byte 25, within its header",
    );
    refused(
        b"H Product:Blackbox flight\nI",
        "the header of the blackbox log is damaged before byte 26: it does not say how frames are written",
    );
    refused(
        b"\xbc\x03\0\x01\0",
        "the header of the Crazyflie uSD log is damaged before byte 3: its version is neither 1 nor 2",
    );
    let mut future = ulog::log();
    future[16 + 3 + 8] = 2;
    refused(
        &future,
        "the header of the ULog log is damaged before byte 16: it asks for features that are not known here",
    );
    refused(
        b"t_s,gyro_x,gyro_y,gyro_z\n",
        "the column `gyro_x` says no unit that is known, as gyro_x_rad_s does",
    );
    refused(
        b"t_s,temperature\n0,20\nx,20\n",
        "the CSV log of 26 bytes has no sample of motors, gyro, accelerometer, attitude, velocity or battery (1 damaged records)",
    );
}

#[test]
fn a_file_that_fails_is_said_to() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(Error::new(ErrorKind::PermissionDenied, "not allowed"))
        }
    }
    let error = sim::flight_log::read_flight_log(Failing, &mut |_| {}).expect_err("it fails");
    assert_eq!(error.to_string(), "cannot read the log: not allowed");
    assert_eq!(error.exit_code(), 66);
}
