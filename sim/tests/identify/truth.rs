//! What a vehicle that flew has of each property.

use super::flown::Flown;

/// The property of that name.
pub fn truth(flown: &Flown, name: &str) -> f64 {
    let airframe = &flown.airframe;
    let rotors = &airframe.rotors;
    let (mass_kg, top) = (airframe.mass_kg, rotors.max_speed_rad_s);
    let inertia = |axis: usize| airframe.inertia_kg_m2[axis][axis];
    let full_n = rotors.thrust_n_s2_per_rad2 * top * top;
    let [x, y, _] = rotors.positions_m[0];
    let hover = airframe.hover_speed_rad_s();
    let per_command = 2.0 * full_n * hover / top;
    let drag = airframe.rotor_drag.expect("given");
    let body = airframe.body_drag.expect("given").quadratic_n_s2_per_m2;
    match name {
        "hover command" => hover / top,
        "thrust of a rotor at full command" => full_n,
        "rotor lag" => 1e3 * rotors.lag_s,
        "delay from command to gyro" => f64::from(flown.sensors.delay_periods),
        "rotor speed at no command" => 0.0,
        "roll gain in hover" => per_command * x.hypot(y) / inertia(0),
        "pitch gain in hover" => per_command * x.hypot(y) / inertia(1),
        "yaw gain in hover" => 2.0 * hover * top * rotors.torque_n_m_s2_per_rad2 / inertia(2),
        "inertia Ixx" => inertia(0),
        "inertia Iyy" => inertia(1),
        "rotor spin at full over Izz" => rotors.rotor_inertia_kg_m2 * top / inertia(2),
        "in-plane drag at hover speed" => 4.0 * drag.in_plane_n_s2_per_rad_m * hover / mass_kg,
        "axial drag at hover speed" => 4.0 * drag.axial_n_s2_per_rad_m * hover / mass_kg,
        "in-plane drag x, quadratic" => body[0] / mass_kg,
        "in-plane drag y, quadratic" => body[1] / mass_kg,
        "axial drag, quadratic" => body[2] / mass_kg,
        "mean wind x" => flown.wind_m_s.x,
        "mean wind y" => flown.wind_m_s.y,
        "accelerometer bias z" => flown.bias_z_m_s2,
        other => panic!("{other} has no truth"),
    }
}

/// Whether errors of it are in its unit, and not shares of the truth: 0 is as good as any other value.
pub fn is_absolute(name: &str) -> bool {
    name.starts_with("delay")
        || name.starts_with("rotor speed")
        || name.starts_with("mean wind")
        || name.starts_with("accelerometer")
}

/// Whether it is told by the velocity.
pub fn takes_velocity(name: &str) -> bool {
    name.contains("drag") || name.starts_with("mean wind")
}
