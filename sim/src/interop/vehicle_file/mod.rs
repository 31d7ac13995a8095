//! Vehicle file: a vehicle that another program describes, as an airframe of ours. SDF (Gazebo), URDF
//! (gym-pybullet-drones, RotorS), RotorPy's parameters and frames of ArduPilot's SITL are read.

mod json;
mod links;
mod motors;
#[cfg(test)]
mod tests;
mod writing;
mod xml;

pub use writing::Translated;

use crate::error::Error;
use nalgebra::Vector3;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// The airframe of the vehicle that `text` describes, called `name` where the file has no name for it; `included`
/// has the text of a model by its address, as in `model://x500_base`.
///
/// # Errors
/// [`Error::VehicleFile`], naming the element that cannot be.
pub fn translate(
    text: &str,
    name: &str,
    included: &dyn Fn(&str) -> Option<String>,
) -> Result<Translated, Error> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let mut vehicle = match text.starts_with('<') {
        true => xml::with_root(&xml::whole((text, "the file"), included, 0)?, motors::read)?,
        false => json::read(text)?,
    };
    if vehicle.name.is_empty() {
        vehicle.name = name.to_owned();
    }
    // What an airframe's own checks say less well, or only of a whole one.
    for (key, most, wanted) in [
        ("mass_kg", f64::MAX, "positive"),
        ("rotors.thrust_n_s2_per_rad2", f64::MAX, "positive"),
        (
            "rotors.max_speed_rad_s",
            15e3,
            "in rad/s, at most 15000: is it in turns a minute?",
        ),
    ] {
        if let Some(x) = vehicle.number(key).filter(|x| !(*x > 0.0 && *x <= most)) {
            return Err(refused(key, x, wanted));
        }
    }
    Ok(writing::written(vehicle))
}

/// That `found` stands at `element` in place of what is `wanted`.
fn refused(element: impl Into<String>, found: impl ToString, wanted: &'static str) -> Error {
    Error::VehicleFile {
        element: element.into(),
        found: found.to_string().chars().take(200).collect(),
        wanted,
    }
}

/// The numbers of one key of an airframe, none where the file does not say them, and where they are from.
struct Entry {
    numbers: Vec<f64>,
    /// `taken`, `derived` or `not found`.
    how: &'static str,
    from: String,
}

/// What a file says of a vehicle.
struct Described {
    /// What kind of file it was.
    form: &'static str,
    /// What the file calls it; may be empty.
    name: String,
    /// By the keys of an airframe.
    entries: BTreeMap<String, Entry>,
    /// Over the rotors, the sums of thrust upwards, of thrust times its arms about x and y, and of torque, each
    /// over that of the strongest rotor.
    sums: Option<[f64; 4]>,
    /// What it says besides, for which an airframe has no place.
    not_taken: Vec<String>,
}

impl Described {
    fn new(form: &'static str, name: &str) -> Described {
        Described {
            form,
            name: name.to_owned(),
            entries: BTreeMap::new(),
            sums: None,
            not_taken: Vec::new(),
        }
    }

    /// Numbers that the file has at the place `from`; none where it lacks them.
    fn take(&mut self, key: &str, numbers: impl Into<Vec<f64>>, from: impl Into<String>) {
        self.put(key, numbers.into(), "taken", from.into());
    }

    /// Numbers that follow as `from` says, to 13 figures; none where the file lacks what they would follow from.
    fn derive(&mut self, key: &str, numbers: impl Into<Vec<f64>>, from: impl Into<String>) {
        let mut numbers: Vec<f64> = numbers.into();
        for number in &mut numbers {
            *number = format!("{number:.12e}").parse().unwrap_or(*number);
        }
        self.put(key, numbers, "derived", from.into());
    }

    fn put(&mut self, key: &str, numbers: Vec<f64>, how: &'static str, from: String) {
        let how = if numbers.is_empty() { "not found" } else { how };
        self.entries
            .insert(key.to_owned(), Entry { numbers, how, from });
    }

    fn numbers(&self, key: &str) -> &[f64] {
        self.entries.get(key).map_or(&[], |entry| &entry.numbers)
    }

    fn number(&self, key: &str) -> Option<f64> {
        self.numbers(key).first().copied()
    }

    /// Puts the rotors down in their order.
    ///
    /// # Errors
    /// [`Error::VehicleFile`] for too few or too many, and for two in one place.
    fn derive_rotors(&mut self, mut rotors: Vec<DescribedRotor>, from: &str) -> Result<(), Error> {
        in_order(&mut rotors)?;
        type Of<T> = fn(&DescribedRotor) -> T;
        let each = |of: Of<f64>| rotors.iter().map(of).collect::<Vec<f64>>();
        let three = |of: Vector3<f64>| <[f64; 3]>::from(of);
        let triples = |of: Of<Vector3<f64>>| -> Vec<f64> {
            rotors.iter().flat_map(|r| three(of(r))).collect()
        };
        self.derive("rotors.positions_m", triples(|rotor| rotor.place), from);
        self.derive("rotors.yaw_torque_signs", each(|rotor| rotor.sign), from);
        // Beyond what turning the poses leaves of straight up.
        let tilted = |rotor: &DescribedRotor| (rotor.direction - Vector3::z()).norm() > 1e-9;
        if rotors.iter().any(tilted) {
            self.derive("rotors.directions", triples(|rotor| rotor.direction), from);
        }
        let shares = [each(|rotor| rotor.thrust), each(|rotor| rotor.torque)].map(|values| {
            let greatest = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
            Vec::from_iter(values.iter().map(|value| value / greatest))
        });
        let keys = ["rotors.thrust_factors", "rotors.torque_factors"];
        for (key, shares) in keys.into_iter().zip(&shares) {
            if shares.iter().any(|share| *share != 1.0) {
                self.derive(key, shares.clone(), "each over that of the strongest");
            }
        }
        let [thrust, torque] = shares;
        let with = |of: Of<f64>| {
            thrust
                .iter()
                .zip(each(of))
                .map(|(share, x)| share * x)
                .sum()
        };
        let about: [Of<f64>; 3] = [|r| r.direction.z, |r| r.place.y.abs(), |r| r.place.x.abs()];
        let [lift, x, y] = about.map(with);
        self.sums = Some([lift, x, y, torque.iter().sum()]);
        Ok(())
    }
}

/// One rotor.
struct DescribedRotor {
    /// What the file calls it.
    name: String,
    /// Its hub from the common centre of mass in body axes [m].
    place: Vector3<f64>,
    /// Unit vector along its thrust.
    direction: Vector3<f64>,
    /// Of the reaction torque on the body along that direction.
    sign: f64,
    /// Thrust and torque over the square of the speed, in any unit.
    thrust: f64,
    torque: f64,
}

impl DescribedRotor {
    /// One like all others that pulls straight up.
    fn new(name: &str, place: Vector3<f64>, sign: f64) -> DescribedRotor {
        DescribedRotor {
            name: name.to_owned(),
            place,
            direction: Vector3::z(),
            sign,
            thrust: 1.0,
            torque: 1.0,
        }
    }
}

/// Sorts clockwise seen from above, from the first at the front or to the left of it, the upper before the
/// lower.
fn in_order(rotors: &mut [DescribedRotor]) -> Result<(), Error> {
    if !(4..=12).contains(&rotors.len()) {
        return Err(refused("the number of rotors", rotors.len(), "4 to 12"));
    }
    for (index, one) in rotors.iter().enumerate() {
        for other in &rotors[..index] {
            let apart_m = (one.place - other.place).norm();
            if apart_m <= 1e-3 {
                let found = format!("{apart_m:.4} m from {}", other.name);
                let wanted = "more than 1 mm away, above or beside";
                return Err(refused(&one.name, found, wanted));
            }
        }
    }
    let middle: Vector3<f64> = rotors.iter().map(|rotor| rotor.place).sum();
    let middle = middle / rotors.len() as f64;
    // Whole millionths of a turn, so that rounding parts no pair.
    let to_left = |rotor: &DescribedRotor| {
        let arm = rotor.place - middle;
        (arm.y.atan2(arm.x) / TAU * 1e6).round().rem_euclid(1e6)
    };
    let first = rotors.iter().map(to_left).fold(1e6, f64::min);
    let turn = |rotor: &DescribedRotor| (first - to_left(rotor)).rem_euclid(1e6);
    rotors.sort_by(|one, other| {
        let height = other.place.z.total_cmp(&one.place.z);
        turn(one).total_cmp(&turn(other)).then(height)
    });
    Ok(())
}
