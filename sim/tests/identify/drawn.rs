//! Vehicles drawn at random, with gains that fly them.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sim::{Airframe, BodyDrag, GRAVITY_M_S2, Gains, Pid, RotorDrag, SensorNoise};

/// A quadrotor of 0.03 to 2 kg whose numbers vary one by one as far as those of real ones do, and the delay of its
/// sensors, 2 to 10 ms.
pub fn drawn(seed: u64) -> (Airframe, SensorNoise) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut any = |low: f64, high: f64| rng.random_range(low..high);
    let mass_kg = f64::exp(any(f64::ln(0.03), f64::ln(2.0)));
    let over_least = mass_kg / 0.03;
    let arm_m = 0.043 * over_least.powf(0.36) * any(0.85, 1.2);
    let [ixx, iyy] = [0.0; 2].map(|_: f64| mass_kg * (arm_m * any(0.4, 0.55)).powi(2));
    let top_rad_s = 2500.0 * over_least.powf(-0.25) * any(0.8, 1.2);
    let hover_rad_s = top_rad_s * any(0.45, 0.7);
    let thrust = mass_kg * GRAVITY_M_S2 / 4.0 / hover_rad_s.powi(2);
    let mut made = Airframe::by_name("hummingbird").expect("shipped");
    made.name = "drawn".to_owned();
    made.mass_kg = mass_kg;
    made.inertia_kg_m2 = [
        [ixx, 0.0, 0.0],
        [0.0, iyy, 0.0],
        [0.0, 0.0, (ixx + iyy) * any(0.85, 1.0)],
    ];
    let lever_m = arm_m / 2f64.sqrt();
    let rotors = &mut made.rotors;
    for hub in &mut rotors.positions_m {
        *hub = hub.map(|x| if x == 0.0 { 0.0 } else { lever_m.copysign(x) });
    }
    rotors.thrust_n_s2_per_rad2 = thrust;
    rotors.torque_n_m_s2_per_rad2 = thrust * arm_m * any(0.1, 0.3);
    rotors.lag_s = f64::exp(any(f64::ln(0.015), f64::ln(0.07)));
    rotors.max_speed_rad_s = top_rad_s;
    rotors.rotor_inertia_kg_m2 = thrust * any(1.5, 3.0);
    let per_rotor = mass_kg / (4.0 * hover_rad_s);
    made.rotor_drag = Some(RotorDrag {
        in_plane_n_s2_per_rad_m: any(0.15, 0.45) * per_rotor,
        axial_n_s2_per_rad_m: any(0.15, 0.6) * per_rotor,
        ..RotorDrag::NONE
    });
    let body = mass_kg * any(0.01, 0.05);
    made.body_drag = Some(BodyDrag {
        quadratic_n_s2_per_m2: [body, body * any(0.8, 1.2), body * any(1.0, 2.0)],
    });
    let sensors = SensorNoise {
        delay_periods: any(2.0, 11.0) as u32,
        ..SensorNoise::TYPICAL
    };
    set_up(&mut made, &sensors);
    made.check().expect("legal");
    (made, sensors)
}

/// Gives it limits, and gains whose crossovers are as far from what lag and delay allow as those of usual tunes.
fn set_up(airframe: &mut Airframe, sensors: &SensorNoise) {
    let rotors = &airframe.rotors;
    let (lag_s, late_s) = (rotors.lag_s, 1e-3 * f64::from(sensors.delay_periods) + 2e-3);
    let lead_s = 0.5 * lag_s;
    // Of the rate loop [rad/s]: with the lead a phase margin of 50 degrees and more.
    let crossover = 0.6 / (late_s + 0.3 * lag_s);
    let per_inertia =
        crossover * f64::hypot(1.0, lag_s * crossover) / f64::hypot(1.0, lead_s * crossover);
    let yaw = (0.4 * crossover).min(12.0);
    let angle = (0.25 * crossover).min(10.0);
    let pid = |speed: f64| Pid {
        kp: speed * speed / 3.0,
        ki: 0.05 * speed * speed,
        kd: speed,
    };
    let [ixx, iyy, izz] = [0, 1, 2].map(|axis| airframe.inertia_kg_m2[axis][axis]);
    let rate_kp = [per_inertia * ixx, per_inertia * iyy, yaw * izz];
    airframe.gains = Gains {
        position_xy: pid((angle / 3.0).min(2.5)),
        position_z: pid((0.35 / (lag_s + late_s + 0.02)).min(3.0)),
        attitude_kp: [angle, angle, (0.25 * yaw).min(3.0)],
        rate_kp,
        rate_ki: [0, 1, 2].map(|axis| 0.15 * crossover * rate_kp[axis]),
        rate_kd: [lead_s * rate_kp[0], lead_s * rate_kp[1], 0.0],
    };
    let full_n = rotors.thrust_n_s2_per_rad2 * rotors.max_speed_rad_s.powi(2);
    let full_n_m = rotors.torque_n_m_s2_per_rad2 * rotors.max_speed_rad_s.powi(2);
    let tilting_n_m = 1.4 * full_n * rotors.positions_m[0][0].abs();
    let controller = &mut airframe.controller;
    controller.max_thrust_n = 3.6 * full_n;
    controller.rate_setpoint_limit_rad_s = [4.0, 4.0, 1.5];
    controller.torque_setpoint_limit_n_m = [tilting_n_m, tilting_n_m, 2.0 * full_n_m];
}
