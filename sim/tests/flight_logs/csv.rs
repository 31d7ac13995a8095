//! CSV.

use super::{read, try_read};
use sim::flight_log::FlightLogError;

pub const LOG: &str = "time_ms,gyro_x_deg_s,Gyro Y [deg/s],gyro_z_deg_s,acc_x_g,acc_y_g,acc_z_g,\
motor1_us,motor2_us,motor3_us,rotor_1_rpm,rotor_2_rpm,command1_rad_s,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,battery_v,note\n\
1000,180,-90,0,0,0,1,1000,1500,2100,600,0,50,1,0,0,0,1,2,3,,a\n\
1002.5,0,0,0,0,0,-1,1250,1500,900,,,60,0,1,0,0,4,5,nan,11.5,b\n";

#[test]
fn names_say_what_is_measured_in_which_unit_and_empty_cells_say_nothing() {
    let log = read(LOG.as_bytes());
    let pi = std::f64::consts::PI;
    log.must_be("gyro", &[(0.0, &[pi, -pi / 2.0, 0.0]), (0.0025, &[0.0; 3])]);
    log.must_be(
        "accelerometer",
        &[(0.0, &[0.0, 0.0, 9.80665]), (0.0025, &[0.0, 0.0, -9.80665])],
    );
    log.must_be(
        "motors",
        &[(0.0, &[0.0, 0.5, 1.0]), (0.0025, &[0.25, 0.5, 0.0])],
    );
    log.must_be("rotor speeds", &[(0.0, &[20.0 * pi, 0.0])]);
    log.must_be("speed commands", &[(0.0, &[50.0]), (0.0025, &[60.0])]);
    log.must_be(
        "attitude",
        &[
            (0.0, &[1.0, 0.0, 0.0, 0.0]),
            (0.0025, &[0.0, 1.0, 0.0, 0.0]),
        ],
    );
    log.must_be("velocity", &[(0.0, &[1.0, 2.0, 3.0])]);
    log.must_be("battery", &[(0.0025, &[11.5])]);
    assert_eq!(log.about.left_out.not_finite, 1);
    assert_eq!(log.about.rotors, Some(3));
}

#[test]
fn repeated_times_steps_back_and_lines_without_a_time_are_counted() {
    let text = "t_s,wx_rad_s,wy_rad_s,wz_rad_s\n1,1,0,0\n1,2,0,0\n0.5,3,0,0\nx,4,0,0\n2,5,0,0\n9999,6,0,0\n3,7,0,0\n4,8,0";
    let log = read(text.as_bytes());
    log.must_be(
        "gyro",
        &[
            (0.0, &[1.0, 0.0, 0.0]),
            (1.0, &[5.0, 0.0, 0.0]),
            (2.0, &[7.0, 0.0, 0.0]),
        ],
    );
    let left_out = &log.about.left_out;
    assert_eq!(
        (left_out.repeated, left_out.out_of_time, left_out.damaged),
        (1, 2, 1)
    );
    assert_eq!(log.about.cut_at, Some(text.len() as u64));
    // A leap that the next sample confirms is a pause.
    let pause = read(b"t_s,wx_rad_s,wy_rad_s,wz_rad_s\n1,1,0,0\n9999,6,0,0\n9999.5,7,0,0\n");
    pause.must_be(
        "gyro",
        &[(0.0, &[1.0, 0.0, 0.0]), (9998.5, &[7.0, 0.0, 0.0])],
    );
}

#[test]
fn a_column_without_a_unit_is_refused() {
    for (header, column) in [
        ("t_s,gyro_x,gyro_y,gyro_z", "gyro_x"),
        ("t_s,wx,wy,wz", "wx"),
        ("t_s,motor1,motor2", "motor1"),
        ("t_s,battery", "battery"),
    ] {
        match try_read(format!("{header}\n0,0,0,0\n").as_bytes()).err() {
            Some(FlightLogError::Unit { column: named, .. }) => assert_eq!(named, column),
            other => panic!("{header}: {other:?}"),
        }
    }
}
