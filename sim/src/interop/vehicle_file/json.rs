//! JSON: the parameters of a vehicle of RotorPy, and a frame of ArduPilot's SITL.

use super::{Described, DescribedRotor, refused};
use crate::GRAVITY_M_S2;
use crate::error::Error;
use nalgebra::Vector3;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Keys of an airframe, and the names of their numbers in RotorPy, whose model and units are the same; 0 where
/// one with a `?` is absent.
const OF_ROTORPY: &str = "\
mass_kg mass
inertia_kg_m2 Ixx Ixy? Ixz? Ixy? Iyy Iyz? Ixz? Iyz? Izz
rotors.thrust_n_s2_per_rad2 k_eta
rotors.torque_n_m_s2_per_rad2 k_m
rotors.lag_s tau_m
rotors.min_speed_rad_s rotor_speed_min
rotors.max_speed_rad_s rotor_speed_max
rotor_drag.in_plane_n_s2_per_rad_m k_d?
rotor_drag.axial_n_s2_per_rad_m k_z?
rotor_drag.translational_lift_n_s2_per_m2 k_h?
rotor_drag.flapping_n_s2_per_rad k_flap?
body_drag.quadratic_n_s2_per_m2 c_Dx? c_Dy? c_Dz?";

/// The vehicle that `text` describes.
///
/// # Errors
/// [`Error::VehicleFile`], naming the entry that cannot be.
pub(super) fn read(text: &str) -> Result<Described, Error> {
    // ArduPilot lets remarks stand behind `#`.
    let bare = |line: &str| line.split('#').next().unwrap_or_default().to_owned();
    let text: Vec<String> = text.lines().map(bare).collect();
    let wanted = "SDF, URDF, RotorPy's parameters as JSON, or a frame of ArduPilot's SITL";
    let no_vehicle = |found: String| refused("the file", found, wanted);
    let read = serde_json::from_str(&text.join("\n"));
    let object: Map<String, Value> =
        read.map_err(|fault| no_vehicle(format!("neither XML nor JSON ({fault})")))?;
    match ["rotor_pos", "hoverThrOut"].map(|name| object.contains_key(name)) {
        [true, _] => of_rotorpy(&object, &text.join("\n")),
        [_, true] => of_ardupilot(&object),
        _ => Err(no_vehicle(
            "JSON with neither rotor_pos nor hoverThrOut".to_owned(),
        )),
    }
}

fn number(object: &Map<String, Value>, name: &str) -> Result<Option<f64>, Error> {
    let refusal = |value| move || refused(name, value, "a number");
    let read = |value: &Value| value.as_f64().ok_or_else(refusal(value.clone()));
    object.get(name).map(read).transpose()
}

fn list(name: &str, value: Option<&Value>) -> Result<Vec<f64>, Error> {
    let numbers = value.and_then(Value::as_array);
    let numbers = numbers.and_then(|list| list.iter().map(Value::as_f64).collect());
    numbers.ok_or_else(|| refused(name, value.unwrap_or(&Value::Null), "a list of numbers"))
}

fn three(name: &str, value: &Value) -> Result<[f64; 3], Error> {
    let found = list(name, Some(value))?.try_into();
    found.map_err(|_| refused(name, value, "three numbers"))
}

/// The entries of an object in the order of the file.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Entries, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Entries;
            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let each = std::iter::from_fn(|| map.next_entry().transpose());
                each.collect::<Result<_, _>>().map(Entries)
            }
        }
        from.deserialize_map(InOrder)
    }
}

fn of_rotorpy(object: &Map<String, Value>, text: &str) -> Result<Described, Error> {
    let name = object.get("name").and_then(Value::as_str);
    let mut vehicle = Described::new("RotorPy's parameters", name.unwrap_or_default());
    for line in OF_ROTORPY.lines() {
        let (key, names) = line.split_once(' ').unwrap_or((line, ""));
        let (mut numbers, mut lacking) = (Vec::new(), "");
        for name in names.split(' ') {
            let absent = name.ends_with('?').then_some(0.0);
            match number(object, name.trim_end_matches('?'))?.or(absent) {
                Some(number) => numbers.push(number),
                None => lacking = name,
            }
        }
        match lacking {
            "" => vehicle.take(key, numbers, names.replace('?', "")),
            _ => vehicle.derive(key, [], lacking),
        }
    }
    // From the centre of mass already; directions are the signs of the torque on the body, in the order of the places.
    #[derive(Deserialize)]
    struct OfPlaces {
        rotor_pos: Entries,
    }
    let places = serde_json::from_str(text).map(|of: OfPlaces| of.rotor_pos.0);
    let places = places.map_err(|_| {
        let wanted = "the rotors by name, each three numbers";
        refused("rotor_pos", "no object", wanted)
    })?;
    let signs = list("rotor_directions", object.get("rotor_directions"))?;
    if signs.len() != places.len() || signs.iter().any(|sign| sign.abs() != 1.0) {
        let wanted = "1 or -1 for each of rotor_pos";
        return Err(refused("rotor_directions", format!("{signs:?}"), wanted));
    }
    let mut rotors = Vec::new();
    for ((name, place), sign) in places.iter().zip(signs) {
        rotors.push(DescribedRotor::new(name, three(name, place)?.into(), sign));
    }
    vehicle.derive_rotors(rotors, "rotor_pos and rotor_directions")?;
    Ok(vehicle)
}

/// A frame of SITL, which knows thrust and no speeds: what needs them is left to the user.
fn of_ardupilot(object: &Map<String, Value>) -> Result<Described, Error> {
    let mut vehicle = Described::new("a frame of ArduPilot's SITL", "");
    let of = |name| number(object, name);
    let (mass, size) = (of("mass")?, of("diagonal_size")?);
    let count = of("num_motors")?.unwrap_or(4.0);
    vehicle.take("mass_kg", Vec::from_iter(mass), "mass");
    if let Some(value) = object.get("moment_inertia") {
        let [x, y, z] = three("moment_inertia", value)?;
        let rows = [x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z];
        vehicle.take("inertia_kg_m2", rows, "moment_inertia");
    } else if let Some((mass, size)) = mass.zip(size) {
        let flat = mass * size * size / 16.0;
        let rows = [flat, 0.0, 0.0, 0.0, flat, 0.0, 0.0, 0.0, 2.0 * flat];
        let from = "half of the mass on a ring of diagonal_size, as SITL assumes";
        vehicle.derive("inertia_kg_m2", rows, from);
    }
    let of_motor = |name: &&String| {
        let parts = name
            .strip_prefix("motor")
            .and_then(|rest| rest.split_once('_'));
        parts.is_some_and(|(number, _)| number.parse::<u32>().is_ok())
    };
    let stated = object.keys().find(of_motor);
    let frame = match stated {
        Some(name) => {
            format!("{name} and those like it say it, with y to the right and z downwards")
        }
        None => "SITL is told by --model which frame it is".to_owned(),
    };
    vehicle.derive("rotors.positions_m", [], frame);
    if let Some(size) = size.filter(|_| count == 4.0 && stated.is_none()) {
        let arm = size / 8f64.sqrt();
        let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)];
        let corner = |(x, y)| DescribedRotor::new("corner", Vector3::new(x, y, 0.0) * arm, x * y);
        let from = "assumed: an X with hubs diagonal_size across (SITL puts them twice as far)";
        vehicle.derive_rotors(corners.map(corner).into(), from)?;
    }
    if let Some((mass, hover)) = mass.zip(of("hoverThrOut")?) {
        let full_n = mass * GRAVITY_M_S2 / hover / count;
        let why =
            format!("{full_n:.4} N, of a rotor at full throttle, over max_speed_rad_s squared");
        vehicle.derive("rotors.thrust_n_s2_per_rad2", [], why);
    }
    vehicle.derive(
        "body_drag.quadratic_n_s2_per_m2",
        drag(object)?,
        "refSpd and refAngle, less the part of mdrag_coef",
    );
    for name in "propExpo refRotRate slew_max spin_min maxVoltage bbdrag_coef".split(' ') {
        let value = object.get(name);
        let said = value.map(|value| format!("{name} = {value}: no place for it"));
        vehicle.not_taken.extend(said);
    }
    Ok(vehicle)
}

/// Quadratic drag [N s²/m²] that SITL makes of the reference flight: at refSpd with the tilt refAngle, drag of
/// body and rotors balance; that of the rotors, which carry the air along, is mdrag_coef of a duct's.
fn drag(object: &Map<String, Value>) -> Result<Vec<f64>, Error> {
    let names = "mass refSpd refAngle refAlt mdrag_coef disc_area".split(' ');
    let found = names.map(|name| number(object, name));
    let found: Option<Vec<f64>> = found.collect::<Result<_, _>>()?;
    let Some([mass, speed, tilt, height, share, area]) = found.as_deref() else {
        return Ok(Vec::new());
    };
    // The standard atmosphere, up to 11 km.
    let density = 1.225 * (1.0 - 2.25577e-5 * height).max(0.0).powf(4.2559);
    let (weight_n, cosine) = (mass * GRAVITY_M_S2, tilt.to_radians().cos());
    let carried_n = cosine.powi(2) * share * speed * (weight_n / cosine * density * area).sqrt();
    let body_n = (weight_n * tilt.to_radians().tan() - carried_n).max(0.0);
    let quadratic = body_n / speed.powi(2);
    Ok(vec![quadratic; if quadratic.is_finite() { 3 } else { 0 }])
}
