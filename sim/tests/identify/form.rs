//! The forms of log, as each firmware writes them.

use super::flown::Flown;
use crate::log_writers::{blackbox, crazyflie, dataflash};
use nalgebra::{UnitQuaternion, Vector3};
use sim::flight_log::{FlightLogError, LogAbout, LogSample, read_flight_log};
use sim::identify::LogSource;
use sim::log::{About, Format, Measured};
use sim::{Outcome, PerRotor};
use std::io::Cursor;

/// A form of log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// This program's, every control period.
    Own(Format),
    /// Every second control period, motors in steps of 1 µs.
    Dataflash,
    /// Rates in whole degrees a second; neither attitude nor velocity.
    Blackbox,
    Crazyflie,
}

/// A log in memory.
pub struct Bytes(pub Vec<u8>);

impl LogSource for Bytes {
    fn read(&self, visit: &mut dyn FnMut(&LogSample)) -> Result<LogAbout, FlightLogError> {
        read_flight_log(&self.0[..], visit)
    }
}

impl Form {
    pub const ALL: [Form; 6] = [
        Form::Own(Format::Csv),
        Form::Own(Format::Ulog),
        Form::Own(Format::Mcap),
        Form::Dataflash,
        Form::Blackbox,
        Form::Crazyflie,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Form::Own(Format::Csv) => "CSV",
            Form::Own(Format::Ulog) => "ULog",
            Form::Own(Format::Mcap) => "MCAP",
            Form::Dataflash => "DataFlash",
            Form::Blackbox => "blackbox",
            Form::Crazyflie => "uSD",
        }
    }

    /// Whether it holds a velocity.
    pub fn has_velocity(self) -> bool {
        self != Form::Blackbox
    }

    /// The logs of the flights of `flown`.
    pub fn logs(self, flown: &Flown) -> Vec<Bytes> {
        let log = |shown: &Vec<Measured>| {
            Bytes(match self {
                Form::Own(format) => own(format, flown, shown),
                Form::Dataflash => of_ardupilot(flown, shown),
                Form::Blackbox => of_betaflight(flown, shown),
                Form::Crazyflie => of_crazyflie(flown, shown),
            })
        };
        flown.shown.iter().map(log).collect()
    }
}

fn own(format: Format, flown: &Flown, shown: &[Measured]) -> Vec<u8> {
    let about = About {
        airframe: &flown.airframe,
        gains: &flown.airframe.gains,
        trajectory: "",
        domain: "",
        seed: flown.seed,
        outcome: Outcome::Completed,
    };
    let mut bytes = Cursor::new(Vec::new());
    let written = format.write_measured(&about, shown, &mut bytes);
    written.expect("memory");
    bytes.into_inner()
}

/// Shares of full speed, motor k turning rotor `order[k]`.
fn shares(flown: &Flown, commands: &PerRotor, order: [usize; 4]) -> [f64; 4] {
    order.map(|rotor| commands[rotor] / flown.airframe.rotors.max_speed_rad_s)
}

fn micros(shown: &Measured) -> u64 {
    (1e6 * shown.time_s).round() as u64
}

/// Single precision, little endian.
fn floats(numbers: impl IntoIterator<Item = f64>) -> Vec<u8> {
    let singles = numbers.into_iter().map(|number| number as f32);
    dataflash::floats(&singles.collect::<Vec<f32>>())
}

fn of_ardupilot(flown: &Flown, shown: &[Measured]) -> Vec<u8> {
    let mut file = dataflash::Writer(Vec::new());
    let imu = "TimeUS,I,GyrX,GyrY,GyrZ,AccX,AccY,AccZ";
    file.format(128, 86, "FMT", "BBnNZ", "Type,Length,Name,Format,Columns");
    file.format(1, 28, "PARM", "QNf", "TimeUS,Name,Value");
    file.format(5, 33, "IMU", "QBffffff", imu);
    file.format(7, 16, "RCOU", "QHHHH", "TimeUS,C1,C2,C3,C4");
    file.format(8, 14, "ATT", "QccC", "TimeUS,Roll,Pitch,Yaw");
    file.format(9, 21, "XKF1", "QBfff", "TimeUS,C,VN,VE,VD");
    file.parameter("FRAME_CLASS", 1.0);
    file.parameter("MOT_PWM_MIN", 1100.0);
    file.parameter("MOT_PWM_MAX", 1900.0);
    let down = |v: Vector3<f64>| [v.x, -v.y, -v.z];
    for shown in shown
        .iter()
        .filter(|shown| micros(shown).is_multiple_of(2000))
    {
        let time = micros(shown).to_le_bytes();
        let head = [&time[..], &[0]].concat();
        let inertial = down(shown.gyro_rad_s).into_iter();
        let inertial = inertial.chain(down(shown.accelerometer_m_s2));
        file.record(5, &[&head[..], &floats(inertial)].concat());
        let mut pulses = time.to_vec();
        for share in shares(flown, &shown.command_rad_s, [1, 3, 0, 2]) {
            let pulse = (1100.0 + 800.0 * share).round() as u16;
            pulses.extend(pulse.to_le_bytes());
        }
        file.record(7, &pulses);
        let q = shown.attitude.quaternion();
        let turned = nalgebra::Quaternion::new(q.w, q.i, -q.j, -q.k);
        let (roll, pitch, yaw) = UnitQuaternion::new_normalize(turned).euler_angles();
        let hundredths = |angle: f64| (100.0 * angle.to_degrees()).round();
        let mut angles = time.to_vec();
        angles.extend((hundredths(roll) as i16).to_le_bytes());
        angles.extend((hundredths(pitch) as i16).to_le_bytes());
        angles.extend((hundredths(yaw).rem_euclid(36_000.0) as u16).to_le_bytes());
        file.record(8, &angles);
        if let Some(velocity) = shown.velocity_m_s {
            file.record(9, &[&head[..], &floats(down(velocity))].concat());
        }
    }
    file.0
}

const FIELDS: [blackbox::Field; 12] = [
    ("loopIteration", [0, 1, 6, 9]),
    ("time", [0, 1, 2, 0]),
    ("gyroADC[0]", [0, 0, 3, 0]),
    ("gyroADC[1]", [0, 0, 3, 0]),
    ("gyroADC[2]", [0, 0, 3, 0]),
    ("accSmooth[0]", [0, 0, 3, 0]),
    ("accSmooth[1]", [0, 0, 3, 0]),
    ("accSmooth[2]", [0, 0, 3, 0]),
    ("motor[0]", [11, 1, 3, 0]),
    ("motor[1]", [5, 0, 3, 0]),
    ("motor[2]", [5, 0, 3, 0]),
    ("motor[3]", [5, 0, 3, 0]),
];

fn of_betaflight(flown: &Flown, shown: &[Measured]) -> Vec<u8> {
    let rest = "H Firmware type:Cleanflight\nH Firmware revision:Betaflight 4.4.2\nH Craft name:DRAWN\n\
        H I interval:32\nH P interval:1/1\nH gyro_scale:0x3f800000\nH acc_1G:2048\n";
    let mut file = blackbox::Writer::new(2, &FIELDS, rest);
    let mut before = None;
    for shown in shown {
        let tick = (micros(shown) / 1000) as i32;
        // Differences are of the iteration before.
        let full = tick % 32 == 0 || before != Some(tick - 1);
        before = Some(tick);
        let whole = |x: f64| x.round() as i32;
        let gyro = shown.gyro_rad_s.map(|rate| whole(rate.to_degrees()));
        let force = shown
            .accelerometer_m_s2
            .map(|x| whole(2048.0 / 9.80665 * x));
        let motors = shares(flown, &shown.command_rad_s, [2, 1, 3, 0]);
        let motors = motors.map(|share| whole(158.0 + (2047.0 - 158.0) * share));
        let frame = [
            &[tick, 1000 * tick],
            gyro.as_slice(),
            force.as_slice(),
            &motors,
        ]
        .concat();
        file.frame(full, &frame);
    }
    file.bytes.extend(b"E\xffEnd of log\0");
    file.bytes
}

fn of_crazyflie(flown: &Flown, shown: &[Measured]) -> Vec<u8> {
    let kinds: [crazyflie::Kind; 2] = [
        (
            65535,
            "fixedFrequency",
            &[
                "gyro.x(f)",
                "gyro.y(f)",
                "gyro.z(f)",
                "acc.x(f)",
                "acc.y(f)",
                "acc.z(f)",
                "stateEstimate.qw(f)",
                "stateEstimate.qx(f)",
                "stateEstimate.qy(f)",
                "stateEstimate.qz(f)",
                "motor.m1(H)",
                "motor.m2(H)",
                "motor.m3(H)",
                "motor.m4(H)",
            ],
        ),
        (
            7,
            "estimate",
            &[
                "stateEstimate.vx(f)",
                "stateEstimate.vy(f)",
                "stateEstimate.vz(f)",
            ],
        ),
    ];
    let mut file = crazyflie::Writer::new(2, &kinds);
    for shown in shown {
        let q = shown.attitude.quaternion();
        let rates = shown.gyro_rad_s.map(f64::to_degrees);
        let forces = shown.accelerometer_m_s2 / 9.80665;
        let numbers = rates.iter().chain(&forces).copied();
        let mut body = floats(numbers.chain([q.w, q.i, q.j, q.k]));
        for share in shares(flown, &shown.command_rad_s, [1, 2, 3, 0]) {
            body.extend(((65535.0 * share).round() as u16).to_le_bytes());
        }
        file.event(65535, micros(shown), &body);
        if let Some(velocity) = shown.velocity_m_s {
            file.event(7, micros(shown), &floats(velocity.iter().copied()));
        }
    }
    file.whole()
}
