//! Writing: the airframe file of a described vehicle, with the origin of each number behind it.

use super::Described;
use crate::GRAVITY_M_S2;

/// A vehicle file turned into an airframe file.
#[derive(Debug, Clone)]
pub struct Translated {
    /// The airframe file.
    pub toml: String,
    /// Line by line what was taken, derived, not found and not taken.
    pub remarks: Vec<String>,
    /// The keys that an airframe must have and the file does not give; they are commented out.
    pub missing: Vec<&'static str>,
}

/// The keys of an airframe in their order, with what is said where nothing else is known of one; a `?` stands
/// before those that may be absent.
const KEYS: &str = "\
mass_kg
inertia_kg_m2
rotors.positions_m
rotors.yaw_torque_signs
?rotors.directions
?rotors.thrust_factors
?rotors.torque_factors
rotors.thrust_n_s2_per_rad2
rotors.torque_n_m_s2_per_rad2 0.01 to 0.02 m times that of thrust, for small propellers
rotors.lag_s 0.02 to 0.05 for propellers of 5 inches
rotors.min_speed_rad_s idle speed
rotors.max_speed_rad_s speed at full throttle
?rotors.rotor_inertia_kg_m2 of one propeller with what turns with it
?rotor_drag.in_plane_n_s2_per_rad_m without drag it feels no wind
?rotor_drag.axial_n_s2_per_rad_m
?rotor_drag.translational_lift_n_s2_per_m2
?rotor_drag.flapping_n_s2_per_rad
?body_drag.quadratic_n_s2_per_m2 half the air's density times drag areas
controller.max_thrust_n
controller.max_tilt_deg
controller.position_integral_limit_m_s
controller.rate_setpoint_limit_rad_s
controller.rate_integral_limit_rad
controller.torque_setpoint_limit_n_m
controller.rate_filter_s
gains.position_xy.kp
gains.position_xy.ki
gains.position_xy.kd
gains.position_z.kp
gains.position_z.ki
gains.position_z.kd
gains.attitude_kp
gains.rate_kp
gains.rate_ki
gains.rate_kd";

/// The airframe file.
pub(super) fn written(mut vehicle: Described) -> Translated {
    add_limits(&mut vehicle);
    add_gains(&mut vehicle);
    let mut toml = format!(
        "# Made by `sim airframe` from {}. SI units; x forward, y left, z up, from the centre of mass.\n\
         # No vehicle file has the autopilot's limits and gains: those below are derived, and cautious.\n",
        vehicle.form
    );
    for left in &vehicle.not_taken {
        toml += &plain(&format!("# not taken: {left}"));
    }
    let legal = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name: String = vehicle.name.chars().take(64).collect();
    let name = name.replace(|c| !legal(c), "-");
    toml += &format!(
        "name = \"{}\"\n",
        if name.is_empty() { "vehicle" } else { &name }
    );
    let (mut remarks, mut missing, mut section) = (Vec::new(), Vec::new(), "");
    for line in KEYS.lines() {
        let (path, hint) = line.split_once(' ').unwrap_or((line, ""));
        let (required, path) = (!path.starts_with('?'), path.trim_start_matches('?'));
        let (of, key) = path.split_once('.').unwrap_or(("", path));
        let entry = vehicle.entries.get(path);
        let (how, from) = entry.map_or(("not found", hint), |entry| (entry.how, &entry.from));
        let (mark, value) = match vehicle.numbers(path) {
            [] if required => ("# ", "?".to_owned()),
            [] if from.is_empty() => continue,
            [] => ("# ", "?".to_owned()),
            [one] => ("", format!("{one:?}")),
            many if ["positions_m", "directions", "inertia_kg_m2"].contains(&key) => {
                ("", format!("{:?}", many.chunks(3).collect::<Vec<_>>()))
            }
            many => ("", format!("{many:?}")),
        };
        if of != section && (mark.is_empty() || required) {
            toml += &format!("\n[{of}]\n");
            section = of;
        }
        if !mark.is_empty() && required {
            missing.push(path);
        }
        let key = if of == section { key } else { path };
        toml += &plain(&format!("{mark}{key} = {value}  # {how}: {from}"));
        remarks.push(format!("{how} {path} = {value}: {from}"));
    }
    let left = vehicle
        .not_taken
        .iter()
        .map(|left| format!("not taken {left}"));
    remarks.extend(left);
    Translated {
        toml,
        remarks,
        missing,
    }
}

/// `text` as one line.
fn plain(text: &str) -> String {
    text.replace(char::is_control, " ") + "\n"
}

/// To three figures.
fn rounded<const N: usize>(values: [f64; N]) -> Vec<f64> {
    let round = |value| format!("{value:.2e}").parse().unwrap_or(value);
    values.map(round).into()
}

/// Limits that the rotors can follow.
fn add_limits(vehicle: &mut Described) {
    let top = vehicle
        .number("rotors.max_speed_rad_s")
        .map(|speed| speed * speed);
    let of = |key| Some(vehicle.number(key)? * top?);
    let sums = |coefficient: f64| Some(vehicle.sums?.map(|sum| sum * coefficient));
    let full = of("rotors.thrust_n_s2_per_rad2").and_then(sums);
    let turning = of("rotors.torque_n_m_s2_per_rad2").and_then(sums);
    let weight_n = vehicle.number("mass_kg").unwrap_or(f64::NAN) * GRAVITY_M_S2;
    let weights = full.map_or(f64::NAN, |[lift, ..]| lift / weight_n);
    let from = format!("0.9 of full thrust, which is {weights:.2} weights");
    let torques = full.zip(turning);
    let torques = torques.map(|([_, x, y, _], [.., z])| rounded([x / 4.0, y / 4.0, z / 4.0]));
    let lift = full.map(|[lift, ..]| rounded([0.9 * lift]));
    vehicle.derive("controller.max_thrust_n", lift.unwrap_or_default(), from);
    let from = "half of what the rotors can give in hover at half thrust";
    vehicle.derive(
        "controller.torque_setpoint_limit_n_m",
        torques.unwrap_or_default(),
        from,
    );
    let any = "cautious, for any vehicle";
    vehicle.derive("controller.max_tilt_deg", [30.0], any);
    vehicle.derive("controller.position_integral_limit_m_s", [2.0], any);
    vehicle.derive("controller.rate_setpoint_limit_rad_s", [3.0, 3.0, 0.9], any);
    vehicle.derive("controller.rate_integral_limit_rad", [2.0, 2.0, 0.3], any);
    vehicle.derive("controller.rate_filter_s", [5e-3], any);
    vehicle.derive("gains.rate_kd", [0.0; 3], any);
    let drag = vehicle.number("rotor_drag.in_plane_n_s2_per_rad_m");
    let parts = KEYS
        .split_whitespace()
        .filter_map(|word| word.strip_prefix('?'));
    for part in parts.filter(|part| drag.is_some() && part.starts_with("rotor_drag.")) {
        if vehicle.number(part).is_none() {
            vehicle.derive(part, [0.0], "the file has no such part of drag");
        }
    }
}

/// Gains that any such vehicle bears: loops that follow one another by a factor of two and a half to four, below
/// what the rotors' lag leaves.
fn add_gains(vehicle: &mut Described) {
    let lag = vehicle.number("rotors.lag_s").filter(|lag| *lag > 0.0);
    let fast = lag.map_or(10.0, |lag| (0.25 / lag).min(20.0));
    let known = lag.map_or("for want of a lag", |_| "0.25 over lag_s, at most 20");
    let from = format!("a rate loop of {fast:.1} rad/s, {known}");
    for (axis, kd) in [("xy", fast / 10.0), ("z", fast / 6.0)] {
        for (term, gain) in [("kp", kd * kd / 3.0), ("ki", kd * kd / 30.0), ("kd", kd)] {
            let key = format!("gains.position_{axis}.{term}");
            vehicle.derive(&key, rounded([gain]), from.clone());
        }
    }
    let attitude = rounded([fast / 4.0, fast / 4.0, fast / 16.0]);
    vehicle.derive("gains.attitude_kp", attitude, from.clone());
    let inertia = vehicle.numbers("inertia_kg_m2").to_vec();
    let scaled = |gain: f64, yaw: f64| match inertia[..] {
        [x, _, _, _, y, _, _, _, z] => rounded([gain * x, gain * y, yaw * gain * z]),
        _ => Vec::new(),
    };
    let from = format!("inertia times {from}");
    vehicle.derive("gains.rate_kp", scaled(fast, 0.25), from.clone());
    vehicle.derive("gains.rate_ki", scaled(fast * fast / 10.0, 0.0625), from);
}
