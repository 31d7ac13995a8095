//! Motors: the rotors of SDF and URDF files, by the motor plugins of Gazebo and RotorS or by the properties of
//! gym-pybullet-drones.

use super::links::{Link, links, whole};
use super::xml::Element;
use super::{Described, DescribedRotor, refused};
use crate::GRAVITY_M_S2;
use crate::error::Error;
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// Keys of an airframe, and the children of motor plugins, or of channels of commands, that they are taken from.
/// Where rotors differ, the least top speed and the greatest of all else stand for all.
const OF_PLUGINS: &str = "\
rotors.thrust_n_s2_per_rad2 motorConstant
rotors.torque_n_m_s2_per_rad2 momentConstant
rotors.lag_s timeConstantUp
rotors.max_speed_rad_s maxRotVelocity
rotors.min_speed_rad_s zero_position_armed
rotor_drag.in_plane_n_s2_per_rad_m rotorDragCoefficient";

/// The child of a channel with the speed at which an armed rotor idles.
const IDLE: &str = "zero_position_armed";

/// The vehicle below `root`.
///
/// # Errors
/// [`Error::VehicleFile`], naming the element that cannot be.
pub(super) fn read(root: Element) -> Result<Described, Error> {
    let (model, form) = match root.tag() {
        "robot" => (root, "URDF"),
        "sdf" => (model(root)?, "SDF"),
        other => {
            let found = format!("`{other}`");
            return Err(refused("the root", found, "sdf, or robot as in URDF"));
        }
    };
    let links = links(model)?;
    let (mass_kg, centre_m, inertia) = whole(&links);
    let mut vehicle = Described::new(form, model.attribute("name"));
    let from = format!("the sum of {} links", links.len());
    vehicle.derive("mass_kg", [mass_kg], from);
    let from = "all links about their common centre of mass";
    vehicle.derive("inertia_kg_m2", inertia.as_slice(), from);
    let from = "nothing there keeps a rotor turning";
    vehicle.derive("rotors.min_speed_rad_s", [0.0], from);
    let plugins: Vec<Element> = model.all("plugin").filter(is_motor).collect();
    match model.child("properties").filter(|_| plugins.is_empty()) {
        Some(properties) => of_properties(&mut vehicle, properties, &links, centre_m)?,
        None => of_plugins(&mut vehicle, model, &plugins, &links, centre_m)?,
    }
    Ok(vehicle)
}

/// The model with motors, else the first.
fn model(root: Element) -> Result<Element, Error> {
    let outer = |model: &Element| model.around().is_some_and(|around| around.tag() != "model");
    let flies = |model: &Element| model.all("plugin").any(|plugin| is_motor(&plugin));
    let found = root.all("model").filter(outer).find(flies);
    let found = found.or(root.all("model").next());
    found.ok_or_else(|| refused("the model", "missing", "in the file"))
}

/// Whether a plugin turns a rotor.
fn is_motor(plugin: &Element) -> bool {
    let file = plugin.attribute("filename").replace('-', "_");
    file.contains("motor_model") || plugin.attribute("name").contains("MulticopterMotorModel")
}

/// Rotors that are turned by `plugins`, each at the centre of mass of its link, where its thrust acts there.
fn of_plugins(
    vehicle: &mut Described,
    model: Element,
    plugins: &[Element],
    links: &[Link],
    centre_m: Vector3<f64>,
) -> Result<(), Error> {
    let (mut rotors, mut most) = (Vec::new(), 0.0);
    for (k, plugin) in plugins.iter().enumerate() {
        let link = turned(*plugin, links)?;
        let number = plugin.word("motorNumber");
        let same = |other: &&Element| !number.is_empty() && other.word("motorNumber") == number;
        if let Some(other) = plugins[..k].iter().find(same) {
            let found = format!("{number}, as of {}", other.word("linkName"));
            let wanted = "another number for each motor";
            return Err(refused(plugin.path("motorNumber"), found, wanted));
        }
        let mut rotor = DescribedRotor::new(link.name, link.centre_m - centre_m, sign(*plugin)?);
        rotor.direction = link.pose.rotation * Vector3::z();
        rotor.thrust = plugin.number("motorConstant")?.unwrap_or(1.0);
        rotor.torque = rotor.thrust * plugin.number("momentConstant")?.unwrap_or(1.0);
        most = rotor.torque.max(most);
        rotors.push(rotor);
    }
    let from = "the links of the motor plugins, from the centre of mass of all links";
    vehicle.derive_rotors(rotors, from)?;
    let of_speed = |channel: &Element| channel.word("joint_control_type") == "velocity";
    let channels: Vec<Element> = model.all("channel").filter(of_speed).collect();
    for (key, name) in OF_PLUGINS.lines().filter_map(|line| line.split_once(' ')) {
        let elements = if name == IDLE { &channels } else { plugins };
        let values = elements.iter().map(|element| element.number(name));
        let values: Option<Vec<f64>> = values.collect::<Result<_, _>>()?;
        let from = elements.first().map_or("", |element| element.tag());
        let from = format!("{from}/{name}");
        match values.as_deref() {
            Some([]) => {}
            None => vehicle.take(key, [], from),
            Some([first, rest @ ..]) if rest.iter().all(|x| x == first) => {
                vehicle.take(key, [*first], from);
            }
            Some([first, rest @ ..]) => {
                let least = name.starts_with("max");
                let which = if least { f64::min } else { f64::max };
                let one = rest.iter().copied().fold(*first, which);
                vehicle.derive(key, [one], from + ", one for all where they differ");
            }
        }
    }
    let torque = "rotors.torque_n_m_s2_per_rad2";
    let thrust = vehicle.number("rotors.thrust_n_s2_per_rad2");
    if vehicle.number(torque).and(thrust).is_some() {
        vehicle.derive(torque, [most], "motorConstant times momentConstant");
    }
    let others = |name: &str| {
        let said = name.to_ascii_lowercase();
        let mut plugins = model.all("plugin");
        plugins.any(|plugin| {
            let named = ["filename", "name"].map(|a| plugin.attribute(a));
            let plain = named.concat().to_ascii_lowercase().replace(['-', '_'], "");
            plain.contains(&said)
        })
    };
    for (name, why) in [
        ("LiftDrag", "an airframe has no wings"),
        ("JointPositionController", "joints stand where they begin"),
    ] {
        let said = others(name).then(|| format!("{name}: {why}"));
        vehicle.not_taken.extend(said);
    }
    add_rest(vehicle, plugins, turned(plugins[0], links)?)
}

/// The inertia of a rotor, and what has no place. Some models give their rotors, which Gazebo turns
/// `rotorVelocitySlowdownSim` times slower, that much more inertia, and others do not.
fn add_rest(vehicle: &mut Described, plugins: &[Element], link: &Link) -> Result<(), Error> {
    let axis = link.pose.rotation * Vector3::z();
    let inertia = axis.dot(&(link.inertia_kg_m2 * axis));
    let slower = plugins[0].number("rotorVelocitySlowdownSim")?;
    let slower = slower.unwrap_or(1.0);
    let key = "rotors.rotor_inertia_kg_m2";
    if slower == 1.0 && inertia > 0.0 {
        let from = format!("link {}, about its axis", link.name);
        vehicle.take(key, [inertia], from);
    } else if inertia > 0.0 {
        let why = format!("{inertia:e}, or that over rotorVelocitySlowdownSim, {slower}");
        vehicle.derive(key, [], why);
    }
    for (name, why) in [
        (
            "timeConstantDown",
            "rotors have one lag, that of gaining speed",
        ),
        (
            "rollingMomentCoefficient",
            "it turns about the way of the air, flapping across it",
        ),
    ] {
        let mut words = plugins.iter().map(|plugin| plugin.word(name));
        let found = words.find(|word| !word.is_empty());
        let said = found.map(|word| format!("{name} = {word}: {why}"));
        vehicle.not_taken.extend(said);
    }
    Ok(())
}

/// The link that the plugin turns.
fn turned<'a, 'b>(plugin: Element, links: &'a [Link<'b>]) -> Result<&'a Link<'b>, Error> {
    let name = plugin.word("linkName");
    let last = name.rsplit("::").next().unwrap_or_default();
    let found = links.iter().find(|link| link.name == last);
    let path = || plugin.path("linkName");
    found.ok_or_else(|| refused(path(), format!("`{name}`"), "the name of a link"))
}

/// Of the reaction torque along the thrust: a rotor that turns clockwise, seen from where its thrust goes, pushes
/// the body the other way.
fn sign(plugin: Element) -> Result<f64, Error> {
    let path = plugin.path("turningDirection");
    match plugin.word("turningDirection") {
        "cw" => Ok(1.0),
        "ccw" => Ok(-1.0),
        other => Err(refused(path, format!("`{other}`"), "cw or ccw")),
    }
}

/// Rotors of gym-pybullet-drones, whose constants are for turns a minute. In its code, even ones turn
/// anticlockwise.
fn of_properties(
    vehicle: &mut Described,
    properties: Element,
    links: &[Link],
    centre_m: Vector3<f64>,
) -> Result<(), Error> {
    let mut rotors = Vec::new();
    for (number, sign) in (0..12).zip([-1.0, 1.0].into_iter().cycle()) {
        let name = format!("prop{number}_link");
        let props = links.iter().filter(|link| link.name == name);
        rotors.extend(props.map(|link| DescribedRotor::new(&name, link.centre_m - centre_m, sign)));
    }
    let count = rotors.len() as f64;
    let from = "prop0_link and on; even ones turn anticlockwise, as in its code but for racer.urdf";
    vehicle.derive_rotors(rotors, from)?;
    for (key, name, factor) in [
        ("rotors.thrust_n_s2_per_rad2", "kf", (60.0 / TAU).powi(2)),
        ("rotors.torque_n_m_s2_per_rad2", "km", (60.0 / TAU).powi(2)),
        ("rotor_drag.in_plane_n_s2_per_rad_m", "drag_coeff_xy", 1.0),
        ("rotor_drag.axial_n_s2_per_rad_m", "drag_coeff_z", 1.0),
    ] {
        let number = properties.number(name)?.map(|x| x * factor);
        let from = format!("{name} of properties, times {factor}");
        vehicle.derive(key, Vec::from_iter(number), from);
    }
    vehicle.derive("rotors.lag_s", [], "there rotors follow at once");
    let weight_n = vehicle.number("mass_kg").unwrap_or_default() * GRAVITY_M_S2;
    let thrust = vehicle.number("rotors.thrust_n_s2_per_rad2");
    let ratio = properties.number("thrust2weight")?.zip(thrust);
    let speed = ratio.map(|(ratio, thrust)| (ratio * weight_n / (count * thrust)).sqrt());
    let from = "where the thrust over the weight is thrust2weight of properties";
    vehicle.derive("rotors.max_speed_rad_s", Vec::from_iter(speed), from);
    Ok(())
}
