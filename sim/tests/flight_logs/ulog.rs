//! ULog.

use super::read;
use sim::flight_log::{LogFormat, LogVehicle};

/// A writer of ULog files.
pub struct Writer(pub Vec<u8>);

impl Writer {
    /// Begins a file; data is appended from that place on, if any.
    pub fn new(appended_at: u64) -> Writer {
        let mut file = Writer(b"ULog\x01\x12\x35\x01".to_vec());
        file.0.extend(9_000_000u64.to_le_bytes());
        let mut flags = [0; 40];
        flags[8] = u8::from(appended_at > 0);
        flags[16..24].copy_from_slice(&appended_at.to_le_bytes());
        file.record(b'B', &flags);
        file
    }

    pub fn record(&mut self, kind: u8, body: &[u8]) {
        self.0.extend((body.len() as u16).to_le_bytes());
        self.0.push(kind);
        self.0.extend(body);
    }

    pub fn format(&mut self, text: &str) {
        self.record(b'F', text.as_bytes());
    }

    fn named(&mut self, kind: u8, key: &str, value: &[u8]) {
        self.record(kind, &[&[key.len() as u8], key.as_bytes(), value].concat());
    }

    fn whole(&mut self, name: &str, value: i32) {
        self.named(b'P', &format!("int32_t {name}"), &value.to_le_bytes());
    }

    pub fn announce(&mut self, multi_id: u8, id: u16, topic: &str) {
        let body = [&[multi_id], &id.to_le_bytes()[..], topic.as_bytes()].concat();
        self.record(b'A', &body);
    }

    pub fn data(&mut self, id: u16, time_us: u64, rest: &[u8]) {
        let body = [&id.to_le_bytes()[..], &time_us.to_le_bytes(), rest].concat();
        self.record(b'D', &body);
    }
}

pub fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// A log with the topics of new firmware: nested formats, padding, several instances, records interleaved.
pub fn log() -> Vec<u8> {
    let mut file = Writer::new(0);
    file.format("sensor_combined:uint64_t timestamp;float[3] gyro_rad;uint32_t gyro_integral_dt;int32_t accelerometer_timestamp_relative;float[3] accelerometer_m_s2;uint8_t clipping;uint8_t[3] _padding0;");
    file.format("vehicle_angular_velocity:uint64_t timestamp;float[3] xyz;uint8_t[4] _padding0;");
    file.format("actuator_motors:uint64_t timestamp;uint64_t timestamp_sample;uint16_t reversible_flags;uint8_t[2] _padding0;float[12] control;");
    file.format("actuator_outputs:uint64_t timestamp;uint32_t noutputs;float[16] output;uint8_t[4] _padding0;");
    file.format("esc_status:uint64_t timestamp;uint16_t counter;uint8_t esc_count;uint8_t[5] _padding0;esc_report[8] esc;");
    file.format("esc_report:uint64_t timestamp;uint32_t esc_errorcount;int32_t esc_rpm;float esc_voltage;uint8_t[4] _padding0;");
    file.format("vehicle_attitude:uint64_t timestamp;uint64_t timestamp_sample;float[4] q;uint8_t quat_reset_counter;uint8_t[7] _padding0;");
    file.format("vehicle_local_position:uint64_t timestamp;double ref_lat;bool xy_valid;char[3] name;float vx;float vy;float vz;");
    file.format("battery_status:uint64_t timestamp;float voltage_v;float current_a;");
    file.format("cpuload:uint64_t timestamp;float load;");
    file.named(b'I', "char[4] ver_hw", b"V6C!");
    file.whole("MAV_TYPE", 2);
    file.whole("CA_ROTOR_COUNT", 4);
    file.named(b'P', "float THR_MDL_FAC", &0.25f32.to_le_bytes());
    for (id, (multi_id, topic)) in (0..).zip([
        (0, "vehicle_angular_velocity"),
        (0, "sensor_combined"),
        (0, "actuator_outputs"),
        (0, "actuator_motors"),
        (0, "esc_status"),
        (1, "vehicle_attitude"),
        (0, "vehicle_attitude"),
        (0, "vehicle_local_position"),
        (0, "battery_status"),
        (0, "cpuload"),
    ]) {
        file.announce(multi_id, id, topic);
    }
    for k in 0..2u8 {
        let time_us = 10_000_000 + 4000 * u64::from(k);
        let t = f32::from(k);
        // A worse source.
        file.data(0, time_us, &floats(&[9.0, 9.0, 9.0]));
        let middle = [4000u32.to_le_bytes(), 0u32.to_le_bytes()].concat();
        let sensor = [
            floats(&[0.5 + t, 0.25, -0.125]),
            middle,
            floats(&[0.5, 1.5, -9.75]),
            vec![0],
        ];
        file.data(1, time_us, &sensor.concat());
        file.data(
            2,
            time_us,
            &[4u32.to_le_bytes().to_vec(), floats(&[1500.0; 16])].concat(),
        );
        let mut control = [f32::NAN; 12];
        control[..4].copy_from_slice(&[0.0, 0.4375 + 0.5625 * t, 1.0, f32::NAN]);
        let motors = [
            (time_us - 500).to_le_bytes().to_vec(),
            vec![0; 4],
            floats(&control),
        ];
        file.data(3, time_us + 100, &motors.concat());
        let mut escs = vec![1, 0, 2, 0, 0, 0, 0, 0];
        for rpm in [6000i32, 3000, 77, 0, 0, 0, 0, 0] {
            escs.extend([vec![0; 12], rpm.to_le_bytes().to_vec(), vec![0; 8]].concat());
        }
        file.data(4, time_us, &escs);
        let attitude =
            |q: &[f32]| [(time_us - 1000).to_le_bytes().to_vec(), floats(q), vec![0]].concat();
        file.data(5, time_us, &attitude(&[1.0, 0.0, 0.0, 0.0]));
        file.data(6, time_us, &attitude(&[0.5, -0.5, 0.5, 0.5]));
        let place = [vec![0; 12], floats(&[1.0, 2.0, -3.0])].concat();
        file.data(7, time_us, &place);
        file.data(9, time_us, &floats(&[0.5]));
        file.record(
            b'L',
            &[b"6", &time_us.to_le_bytes()[..], b"a message"].concat(),
        );
    }
    file.data(8, 10_004_000, &floats(&[15.5, 2.0]));
    file.record(b'O', &[5, 0]);
    file.record(b'S', &[0x2f, 0x73, 0x13, 0x20, 0x25, 0x0c, 0xbb, 0x12]);
    file.0
}

#[test]
fn topics_of_new_firmware_give_every_number_back() {
    let log = read(&log());
    // Forward, right, down to forward, left, up.
    log.must_be(
        "gyro",
        &[(0.0, &[0.5, -0.25, 0.125]), (0.004, &[1.5, -0.25, 0.125])],
    );
    let force: &[f64] = &[0.5, -1.5, 9.75];
    log.must_be("accelerometer", &[(0.0, force), (0.004, force)]);
    log.must_be(
        "motors",
        &[
            (0.0001, &[0.0, 0.5, 1.0, 0.0]),
            (0.0041, &[0.0, 1.0, 1.0, 0.0]),
        ],
    );
    let pi = std::f64::consts::PI;
    let speeds: &[f64] = &[200.0 * pi, 100.0 * pi];
    log.must_be("rotor speeds", &[(0.0, speeds), (0.004, speeds)]);
    let attitude: &[f64] = &[0.5, -0.5, -0.5, -0.5];
    log.must_be("attitude", &[(-0.001, attitude), (0.003, attitude)]);
    let velocity: &[f64] = &[1.0, -2.0, 3.0];
    log.must_be("velocity", &[(0.0, velocity), (0.004, velocity)]);
    log.must_be("battery", &[(0.004, &[15.5])]);
    let about = log.about;
    assert_eq!(
        (about.format, about.kind),
        (LogFormat::Ulog, LogVehicle::Multirotor)
    );
    assert_eq!(
        (about.vehicle.as_deref(), about.rotors),
        (Some("V6C!"), Some(4))
    );
    let parameters = [
        ("CA_ROTOR_COUNT", 4.0),
        ("MAV_TYPE", 2.0),
        ("THR_MDL_FAC", 0.25),
    ];
    assert_eq!(
        about.parameters,
        parameters.map(|(name, value)| (name.to_owned(), value))
    );
    assert_eq!(about.left_out.also_logged, ["vehicle_attitude"]);
    assert_eq!((about.left_out.damaged, about.cut_at), (0, None));
}

/// A log of old firmware, whose outputs are pulses.
pub fn old_log() -> Vec<u8> {
    let mut file = Writer::new(0);
    file.format("actuator_outputs:uint64_t timestamp;uint32_t noutputs;float[16] output;uint8_t[4] _padding0;");
    file.format("vehicle_attitude:uint64_t timestamp;float rollspeed;float[4] q;");
    file.whole("MAV_TYPE", 13);
    file.whole("PWM_MIN", 1100);
    file.whole("PWM_MAX", 1900);
    file.whole("PWM_MAIN_MAX2", 2100);
    file.announce(0, 0, "actuator_outputs");
    file.announce(0, 1, "vehicle_attitude");
    let mut output = [0.0; 16];
    output[..6].copy_from_slice(&[1100.0, 1600.0, 1500.0, 900.0, 1900.0, 2000.0]);
    file.data(
        0,
        500,
        &[8u32.to_le_bytes().to_vec(), floats(&output)].concat(),
    );
    file.data(1, 700, &floats(&[0.0, 1.0, 0.0, 0.0, 0.0]));
    file.0
}

#[test]
fn pulses_of_old_firmware_are_scaled_by_its_own_limits() {
    let log = read(&old_log());
    log.must_be("motors", &[(0.0, &[0.0, 0.5, 0.5, 0.0, 1.0, 1.0])]);
    log.must_be("attitude", &[(0.0002, &[1.0, 0.0, 0.0, 0.0])]);
    assert_eq!(log.about.rotors, Some(6));
}

#[test]
fn appended_data_follows_a_last_record_that_was_cut() {
    let mut file = Writer::new(0);
    file.format("battery_status:uint64_t timestamp;float voltage_v;");
    file.announce(0, 0, "battery_status");
    file.data(0, 0, &floats(&[12.0]));
    // This one was never finished.
    let at = file.0.len() + 10;
    file.data(0, 1000, &floats(&[13.0]));
    file.0.truncate(at);
    file.data(0, 2_000_000, &floats(&[14.0]));
    let flags = Writer::new(at as u64).0;
    file.0[..flags.len()].copy_from_slice(&flags);
    let log = read(&file.0);
    log.must_be("battery", &[(0.0, &[12.0]), (2.0, &[14.0])]);
    assert_eq!(log.about.left_out.damaged, 1);
}

#[test]
fn kinds_of_vehicle_are_told_from_the_parameters() {
    for (parameters, kind) in [
        (vec![("MAV_TYPE", 1)], LogVehicle::FixedWing),
        (vec![("MAV_TYPE", 22)], LogVehicle::Vtol),
        (vec![("MAV_TYPE", 2), ("CA_AIRFRAME", 2)], LogVehicle::Vtol),
        (vec![("MAV_TYPE", 14)], LogVehicle::Multirotor),
        (vec![("MAV_TYPE", 10)], LogVehicle::Unknown),
    ] {
        let mut file = Writer::new(0);
        file.format("battery_status:uint64_t timestamp;float voltage_v;");
        for (name, value) in &parameters {
            file.whole(name, *value);
        }
        file.announce(0, 0, "battery_status");
        file.data(0, 0, &floats(&[12.0]));
        assert_eq!(read(&file.0).about.kind, kind, "{parameters:?}");
    }
}
