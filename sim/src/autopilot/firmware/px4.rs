//! PX4 (1.12 to 1.16): multicopter attitude, rate and position control.
//!
//! The gyro's and the derivative's filters are `IMU_GYRO_CUTOFF` and `IMU_DGYRO_CUTOFF`
//! (`sensors/vehicle_angular_velocity`); limits are those of `mc_att_control`, `mc_rate_control` and
//! `mc_pos_control`; the yaw torque passes `MC_YAW_TQ_CUTOFF` (`MulticopterRateControl`, since 1.16).

use super::{
    Firmware, Settings, Slopes, Structure, all_thrust_n, below_weight, first_order_s,
    full_torques_of, hover_share, hover_throttle, integral_limit_rad, open_filters,
    second_order_ms, unknown_frame,
};
use crate::control::thrust_curve;
use crate::{Airframe, AttitudeLaw, ControllerLimits, Law};
use std::f64::consts::TAU;

const AXES: [&str; 3] = ["ROLL", "PITCH", "YAW"];
const INTEGRAL_LIMITS: [&str; 3] = ["MC_RR_INT_LIM", "MC_PR_INT_LIM", "MC_YR_INT_LIM"];

/// Speed controllers and outputs at 400 Hz [ms].
const OUTPUT_MS: f64 = 2.0;

pub(super) const FIRMWARE: Firmware = Firmware {
    stock: &[
        ("IMU_GYRO_CUTOFF", 40.0),
        ("IMU_DGYRO_CUTOFF", 30.0),
        ("IMU_GYRO_RATEMAX", 400.0),
        ("MC_ROLLRATE_MAX", 220.0),
        ("MC_PITCHRATE_MAX", 220.0),
        ("MC_YAWRATE_MAX", 200.0),
        ("MC_RR_INT_LIM", 0.3),
        ("MC_PR_INT_LIM", 0.3),
        ("MC_YR_INT_LIM", 0.3),
        ("MC_YAW_WEIGHT", 0.4),
        ("MPC_TILTMAX_AIR", 45.0),
        ("MPC_THR_MAX", 1.0),
        ("MPC_USE_HTE", 1.0),
        ("THR_MDL_FAC", 0.0),
    ],
    acting: &[
        (
            &[0.0],
            "MC_AIRMODE MC_BAT_SCALE_EN MC_TPA_RATE_* MPC_Z_VEL_D_ACC MPC_VEL_LP MPC_VEL_NF_FRQ \
             IMU_GYRO_NF_FREQ IMU_GYRO_DYN_NF IMU_GYRO_NF0_FRQ IMU_GYRO_NF1_FRQ IMU_GYRO_DNF_EN IMU_GYRO_FFT_EN \
             MOT_SLEW_MAX CA_R*_SLEW CA_FAILURE_MODE CA_R_REV CA_ROTOR*_TILT",
        ),
        (&[1.0], "MC_TPA_BREAK_* MPC_ACC_DECOUPLE"),
        (&[0.0, 30.0], "MC_DTERM_CUTOFF"),
        (&[0.2], "MPC_XY_VEL_D_ACC"),
        (&[12.0], "MPC_XY_VEL_MAX"),
        (&[3.0], "MPC_Z_VEL_MAX_UP"),
        (&[1.5, 1.0], "MPC_Z_VEL_MAX_DN"),
        (&[5.0], "MPC_VELD_LP MPC_VEL_NF_BW"),
        (&[0.12], "MPC_THR_MIN"),
        (&[0.3], "MPC_THR_XY_MARG"),
        (&[-10.0], "MPC_XY_VEL_ALL MPC_XY_P_ALL"),
        (&[-3.0], "MPC_Z_VEL_ALL"),
        (&[200.0], "IMU_INTEG_RATE"),
        (&[30.0], "IMU_ACCEL_CUTOFF"),
        (&[2.0], "CA_METHOD"),
    ],
    harmless: &[
        // sticks of acro mode: MulticopterRateControl, Run
        "MC_ACRO_*",
        // filter of the sticks: mc_att_control, generate_attitude_setpoint
        "MC_MAN_TILT_TAU",
        // setpoints of orbits: FlightTaskOrbit
        "MC_ORBIT_*",
        // sticks of slow mode: FlightTaskManualAccelerationSlow
        "MC_SLOW_*",
        // sticks of rattitude mode, until 1.11
        "MC_RATT_TH",
        // autotuning when it is started: mc_autotune_attitude_control
        "MC_AT_*",
        // sticks: FlightTaskManual
        "MPC_MAN_*",
        // sticks: mc_att_control, throttle_curve
        "MPC_MANTHR_* MPC_THR_CURVE",
        // sticks: FlightTaskManualAltitude
        "MPC_HOLD_*",
        // sticks: Sticks::update
        "MPC_XY_MAN_EXPO MPC_Z_MAN_EXPO MPC_YAW_EXPO",
        // heading setpoints of missions: FlightTaskAuto
        "MPC_YAW_MODE MPC_YAWRAUTO_*",
        // sticks of position mode: FlightModeManager
        "MPC_POS_MODE",
        // sticks of altitude mode: FlightTaskManualAltitude
        "MPC_ALT_MODE",
        // sticks: FlightTaskManualPosition
        "MPC_VEL_MANUAL MPC_VEL_MAN_*",
        // setpoints of landing: FlightTaskAuto
        "MPC_LAND_*",
        // setpoints of take-off: Takeoff
        "MPC_TKO_*",
        // before take-off: Takeoff
        "MPC_SPOOLUP_TIME",
        // the ramp of take-off: MulticopterPositionControl, Run
        "MPC_TILTMAX_LND",
        // setpoints of missions: FlightTaskAuto
        "MPC_XY_CRUISE MPC_XY_TRAJ_P MPC_Z_V_AUTO_*",
        // setpoints of missions: PositionSmoothing
        "MPC_XY_ERR_MAX",
        // setpoints of missions and sticks: VelocitySmoothing
        "MPC_JERK_* MPC_ACC_HOR* MPC_ACC_UP_MAX MPC_ACC_DOWN_MAX",
        // how ESCs count turns, which only the dynamic notch of IMU_GYRO_DNF_EN uses: dshot
        "MOT_POLE_COUNT",
        // calibration on the ground: gyro_calibration
        "IMU_GYRO_CAL_EN",
        // off with IMU_GYRO_FFT_EN 0: gyro_fft
        "IMU_GYRO_FFT_*",
        // off with IMU_GYRO_DNF_EN 0: VehicleAngularVelocity
        "IMU_GYRO_DNF_*",
        // off with a notch at 0 Hz: VehicleAngularVelocity
        "IMU_GYRO_NF*_BW",
        // servos, of which a multirotor has none: ActuatorEffectiveness
        "CA_SV*",
        // divides out in the normalised mixer where it is alike: ControlAllocationPseudoInverse
        "CA_ROTOR*_CT CA_ROTOR*_KM",
    ],
    control: "MC_ MPC_ IMU_ THR_ MOT_ CA_",
    words: &[],
    structure,
};

fn structure(settings: &Settings, airframe: &Airframe) -> Structure {
    let full = full_torques_of("px4", airframe);
    let curve_e = settings.value("THR_MDL_FAC").clamp(0.0, 1.0);
    let at_hover = hover_share(airframe);
    // Without a factor nobody has said how the thrust goes: with the square of the command or as a line,
    // whichever is steeper.
    let known = if curve_e > 0.0 { 0.0 } else { 1.0 };
    let by_curve = thrust_curve::slope(curve_e, at_hover);
    let slope = by_curve.max(known);
    let by_axis = |name: &dyn Fn(&str) -> String| AXES.map(|axis| settings.value(&name(axis)));
    let rate_k =
        by_axis(&|axis| format!("MC_{axis}RATE_K")).map(|k| if k == 0.0 { 1.0 } else { k });
    let rate_i = by_axis(&|axis| format!("MC_{axis}RATE_I"));
    let feedforward = by_axis(&|axis| format!("MC_{axis}RATE_FF"));
    let limits = INTEGRAL_LIMITS.map(|name| settings.value(name));
    let most = settings.value("MPC_THR_MAX");
    let most_n = all_thrust_n(airframe) * thrust_curve::share(curve_e, most);
    let hover = thrust_curve::asked(curve_e, at_hover);
    // With the estimator of the hover thrust, which is on as it comes, the throttle is the true one.
    let throttle = match settings.value("MPC_USE_HTE") {
        0.0 => settings.any("MPC_THR_HOVER").unwrap_or(0.5),
        _ => hover,
    };
    let gyro_hz = settings.value("IMU_GYRO_CUTOFF");
    let rate_hz = match settings.value("IMU_GYRO_RATEMAX") {
        hz if hz > 0.0 => hz,
        _ => 1000.0,
    };
    let of_file = settings.own("MPC_THR_HOVER").filter(|own| *own != 0.5);
    let [mut foreign, mut odd] = geometry(settings, airframe);
    let count = settings.own("CA_ROTOR_COUNT");
    foreign.extend(rotor_count(count, airframe));
    foreign.extend(no_multirotor(settings));
    // What the vehicle tells others that it is decides nothing beside its mixer.
    let of_kind = if count.is_none() {
        &mut foreign
    } else {
        &mut odd
    };
    of_kind.extend(mav_type(settings, airframe));
    // It decides the mixer of a file that does not set it.
    foreign.extend(autostart(settings, airframe).filter(|_| count.is_none()));
    odd.extend(unknown_frame("PX4", airframe));
    odd.extend(hover_throttle("MPC_THR_HOVER", of_file, hover, airframe));
    odd.extend(unlearned(settings, hover));
    odd.extend(open_filters(
        settings,
        &[("IMU_GYRO_CUTOFF", 200.0), ("IMU_DGYRO_CUTOFF", 120.0)],
    ));
    odd.extend(slow_outputs(settings));
    Structure {
        controller: ControllerLimits {
            max_thrust_n: most_n.max(1e-3),
            max_tilt_deg: settings.value("MPC_TILTMAX_AIR").clamp(0.1, 89.0),
            rate_setpoint_limit_rad_s: by_axis(&|axis| format!("MC_{axis}RATE_MAX"))
                .map(|limit| limit.max(0.0).to_radians()),
            rate_integral_limit_rad: std::array::from_fn(|k| {
                integral_limit_rad(limits[k], rate_i[k] * rate_k[k])
            }),
            torque_setpoint_limit_n_m: full,
            rate_filter_s: first_order_s(settings.value("IMU_DGYRO_CUTOFF")),
            law: Some(Law {
                attitude: AttitudeLaw::TiltFirst,
                heading_weight: settings.value("MC_YAW_WEIGHT").clamp(0.0, 1.0),
                rate_feedforward: std::array::from_fn(|k| feedforward[k] * full[k] * slope),
                torque_filter_hz: [0.0, 0.0, yaw_filter_hz(settings)],
                ..Law::default()
            }),
            ..airframe.controller.clone()
        },
        delay_ms: second_order_ms(gyro_hz) + 1000.0 / rate_hz + OUTPUT_MS,
        delay_said: format!(
            "IMU_GYRO_CUTOFF {gyro_hz} Hz, IMU_GYRO_RATEMAX {rate_hz} Hz, {OUTPUT_MS} ms of output"
        ),
        slopes: Slopes {
            rate: slope,
            vertical: by_curve * throttle / at_hover,
        },
        speeds_m_s: settings.speeds_m_s(SPEEDS),
        mismatches: odd,
        foreign,
        forbidding: below_weight("MPC_THR_MAX", most, most_n, airframe)
            .into_iter()
            .chain((most > 1.0).then(|| format!("MPC_THR_MAX {most}: a share is from 0 to 1")))
            .collect(),
    }
}

/// The filter of the yaw torque [Hz]: that of the file; none in one that holds the whole yaw rate loop
/// without it, which is of a firmware before 1.16; else that of 1.16.
fn yaw_filter_hz(settings: &Settings) -> f64 {
    let whole = [
        "MC_YAWRATE_P",
        "MC_YAWRATE_I",
        "MC_YAWRATE_FF",
        "MC_YAWRATE_MAX",
        "MC_YR_INT_LIM",
    ];
    let held = whole.iter().filter(|name| settings.says(&[name])).count();
    match settings.own("MC_YAW_TQ_CUTOFF") {
        Some(hz) => hz.max(0.0),
        None if held >= 4 => 0.0,
        None => 2.0,
    }
}

/// That motors get their commands more slowly than the firmware comes: functions 101 to 112 are motors, and a timer of
/// less than 0 is a digital protocol (`pwm_out`, `module.yaml`). Which outputs a timer serves is not in the file.
fn slow_outputs(settings: &Settings) -> Option<String> {
    let motors = |outputs: &str| {
        let functions = (1..=16).filter_map(|k| settings.own(&format!("{outputs}_FUNC{k}")));
        let functions: Vec<f64> = functions.collect();
        let is_motor = |function: &f64| (101.0..=112.0).contains(function);
        (!functions.is_empty()).then(|| functions.iter().any(is_motor))
    };
    let known = ["PWM_MAIN", "PWM_AUX", "UAVCAN_EC"].map(|outputs| (outputs, motors(outputs)));
    // A file without functions has its motors on the main outputs.
    let none_said = known.iter().all(|(_, motors)| motors.is_none());
    let of_motors = known
        .iter()
        .find(|(outputs, motors)| *motors == Some(true) || (none_said && *outputs == "PWM_MAIN"));
    let (outputs, _) = of_motors.filter(|(outputs, _)| outputs.starts_with("PWM"))?;
    let names = (0..8).map(|k| format!("{outputs}_TIM{k}"));
    let timers = names.chain([format!("{outputs}_RATE")]);
    let timers = timers.filter_map(|name| settings.own(&name).map(|hz| (name, hz)));
    let timers: Vec<(String, f64)> = timers.collect();
    let slow = |hz: f64| hz > 0.0 && hz < 400.0;
    let (name, hz) = timers
        .first()
        .filter(|_| timers.iter().all(|(_, hz)| slow(*hz)))?;
    Some(format!(
        "{name} {hz}: the motors get a command {hz} times a second, and 400 times are simulated"
    ))
}

/// That the file is of another number of rotors.
fn rotor_count(count: Option<f64>, airframe: &Airframe) -> Option<String> {
    let own = airframe.rotors.count();
    let other = count.filter(|count| *count != own as f64 && *count != 0.0);
    other.map(|count| {
        format!("CA_ROTOR_COUNT {count}: the file is of a vehicle with {count} rotors, and {own} fly here")
    })
}

/// That the file is of a vehicle that flies otherwise, with wings or as a helicopter.
fn no_multirotor(settings: &Settings) -> Option<String> {
    let kind = settings.own("CA_AIRFRAME").filter(|kind| *kind != 0.0);
    kind.map(|kind| format!("CA_AIRFRAME {kind}: the file is of no plain multirotor"))
}

/// That the file is of another kind of vehicle (MAVLink's `MAV_TYPE`).
fn mav_type(settings: &Settings, airframe: &Airframe) -> Option<String> {
    let (kind, own) = (settings.own("MAV_TYPE")?, airframe.rotors.count());
    let (rotors, named) = match kind as i64 {
        2 => (4, "a quadcopter"),
        13 => (6, "a hexacopter"),
        14 => (8, "an octocopter"),
        15 => (3, "a tricopter"),
        29 => (12, "a dodecacopter"),
        35 => (10, "a decacopter"),
        _ => (0, "no multirotor"),
    };
    (rotors != own)
        .then(|| format!("MAV_TYPE {kind}: the file is of {named}, and {own} rotors fly here"))
}

/// That the hover throttle is not that of the vehicle and is not learned, so that height starts with another thrust.
fn unlearned(settings: &Settings, hover: f64) -> Option<String> {
    let (learns, given) = (settings.value("MPC_USE_HTE"), settings.any("MPC_THR_HOVER"));
    let given = given.filter(|given| learns == 0.0 && (given / hover - 1.0).abs() > UNLEARNED);
    given.map(|given| {
        format!("MPC_THR_HOVER {given} with MPC_USE_HTE 0: hover takes {hover:.2}, and the rest is taken up by the integral alone")
    })
}

/// That the airframe number of the file is of another frame, by its thousands.
fn autostart(settings: &Settings, airframe: &Airframe) -> Option<String> {
    let number = settings.own("SYS_AUTOSTART")?;
    let named = match (number / 1000.0).floor() as i64 {
        2 | 3 => "plane",
        4 => "quad-x",
        5 => "quad-plus",
        6 => "hexa-x",
        7 => "hexa-plus",
        8 => "octo-x",
        9 => "octo-plus",
        12 => "coaxial-x8",
        13 => "vtol",
        _ => return None,
    };
    let own = match crate::Frame::of(&airframe.rotors) {
        Some(frame) => frame.name,
        None if airframe.rotors.count() == 4 && named.starts_with("quad") => return None,
        None => "another",
    };
    (named != own).then(|| {
        format!("SYS_AUTOSTART {number}: the file is of the frame {named}, and {own} flies here")
    })
}

/// Limits of the speed across, upwards and downwards, as the firmware comes [m/s].
const SPEEDS: [(&str, f64); 3] = [
    ("MPC_XY_VEL_MAX", 12.0),
    ("MPC_Z_VEL_MAX_UP", 3.0),
    ("MPC_Z_VEL_MAX_DN", 1.5),
];

/// How far a hover throttle that is not learned may be from the vehicle's, as a share.
const UNLEARNED: f64 = 0.1;

/// Places for rotors that the firmware has.
const PLACES: usize = 12;

/// Rotors whose place in the file is not that of any of the airframe's, seen from the middle, or which turn
/// the other way; and those that pull or turn by another factor than the first, or are tilted as the airframe's are.
fn geometry(settings: &Settings, airframe: &Airframe) -> [Vec<String>; 2] {
    let (mut foreign, mut odd) = (Vec::new(), Vec::new());
    let of_first = ["CT", "KM"].map(|what| settings.own(&format!("CA_ROTOR0_{what}")));
    // Beyond the last rotor the firmware has places that it does not use.
    let count = settings
        .own("CA_ROTOR_COUNT")
        .map_or(PLACES, |count| count as usize);
    for rotor in count..PLACES {
        for what in ["PX", "PY", "PZ", "AX", "AY", "AZ"] {
            settings.own(&format!("CA_ROTOR{rotor}_{what}"));
        }
    }
    for rotor in 0..count.min(PLACES) {
        for (what, first) in ["CT", "KM"].iter().zip(of_first) {
            let name = format!("CA_ROTOR{rotor}_{what}");
            let (Some(own), Some(first)) = (settings.own(&name), first) else {
                continue;
            };
            if own == 0.0 || (own.abs() - first.abs()).abs() > 1e-3 * first.abs() {
                odd.push(format!(
                    "{name} {own} and CA_ROTOR0_{what} {first}: rotors that are alike fly here"
                ));
            }
        }
        let at = |axis: &str| settings.own(&format!("CA_ROTOR{rotor}_{axis}"));
        // As it comes a rotor pulls up, and z points down.
        let up = at("AZ").is_none_or(|z| z < 0.0);
        let tilted = !up || [at("AX"), at("AY")].into_iter().flatten().any(|x| x != 0.0);
        let ([Some(x), Some(y)], _) = ([at("PX"), at("PY")], at("PZ")) else {
            continue;
        };
        // PX4's y points to the right.
        let angle = (-y).atan2(x);
        let apart = |hub: &[f64; 3]| {
            let off = angle - hub[1].atan2(hub[0]);
            (off - TAU * (off / TAU).round()).abs()
        };
        let name = &airframe.name;
        let rotors = &airframe.rotors;
        let hubs = rotors.positions_m.iter().zip(&rotors.yaw_torque_signs);
        let hubs = hubs.map(|(hub, sign)| (apart(hub), *sign));
        // A rotor with a positive KM turns anticlockwise and pushes the vehicle clockwise. Of a coaxial pair
        // there is one of either kind.
        let near = hubs.filter(|(off, _)| *off <= 0.3);
        let there: Vec<f64> = near.map(|(_, sign)| sign).collect();
        let turns = |sign: &f64| at("KM").is_none_or(|km| km * sign <= 0.0);
        if there.is_empty() || tilted {
            let said = format!("CA_ROTOR{rotor}_PX {x}, _PY {y}: no rotor of {name} is there");
            // Which way a tilted one pulls is not compared.
            match there.is_empty() || rotors.directions.is_empty() {
                true => foreign.push(said),
                false => odd.push(said),
            }
        } else if !there.iter().any(turns) {
            foreign.push(format!(
                "CA_ROTOR{rotor}_KM: the rotor of {name} there turns the other way"
            ));
        }
    }
    [foreign, odd]
}
