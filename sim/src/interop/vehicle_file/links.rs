//! Links: the rigid parts that SDF and URDF make a vehicle of, and what they are together.

use super::refused;
use super::xml::Element;
use crate::error::Error;
use nalgebra::{Isometry3, Matrix3, Vector3};

/// Most links of a vehicle.
const MOST: usize = 1_000;

/// Most poses that are given relative to one another.
const DEEPEST: usize = 64;

/// A rigid part in the axes of the model.
pub(super) struct Link<'a> {
    pub(super) name: &'a str,
    /// Its own frame.
    pub(super) pose: Isometry3<f64>,
    pub(super) mass_kg: f64,
    /// Its centre of mass [m].
    pub(super) centre_m: Vector3<f64>,
    /// Inertia about it [kg m²].
    pub(super) inertia_kg_m2: Matrix3<f64>,
}

/// The links of the outermost `model` of SDF, or of a `robot` of URDF with every joint in its zero position.
///
/// # Errors
/// [`Error::VehicleFile`] for a link without mass or inertia, a pose relative to nothing, or too many links.
pub(super) fn links(model: Element) -> Result<Vec<Link>, Error> {
    let of_one = |around: Element| ["model", "robot"].contains(&around.tag());
    let parts = model
        .all("link")
        .filter(|link| link.around().is_some_and(of_one));
    let links = parts.take(MOST + 1).map(|part| link(model, part));
    let links: Vec<Link> = links.collect::<Result<_, _>>()?;
    match links.len() {
        1..=MOST => Ok(links),
        count => Err(refused("the number of links", count, "1 to 1000")),
    }
}

/// Mass [kg] of the links together, their centre of mass [m] and the inertia about it [kg m²], by the theorem of
/// parallel axes.
pub(super) fn whole(links: &[Link]) -> (f64, Vector3<f64>, Matrix3<f64>) {
    let mass: f64 = links.iter().map(|link| link.mass_kg).sum();
    let moment: Vector3<f64> = links.iter().map(|link| link.centre_m * link.mass_kg).sum();
    let centre = moment / mass;
    let moved = links.iter().map(|link| {
        let arm = link.centre_m - centre;
        let apart = Matrix3::identity() * arm.norm_squared() - arm * arm.transpose();
        link.inertia_kg_m2 + apart * link.mass_kg
    });
    (mass, centre, moved.sum())
}

/// That in which the pose of `part` is given; `None` for the outermost `model`.
fn around<'a>(model: Element<'a>, part: Element<'a>) -> Result<Option<Element<'a>>, Error> {
    let linked = |joint: Element<'a>, end| joint.child(end).map_or("", |end| end.attribute("link"));
    let pose = part.child("pose").unwrap_or(part);
    let mut to = ["relative_to", "frame", "attached_to"]
        .map(|name| pose.attribute(name))
        .into_iter();
    let to = to
        .find(|to| !to.is_empty())
        .unwrap_or(part.attribute("attached_to"));
    let (scope, name) = match (model.tag(), part.tag()) {
        ("robot", "link") => {
            let name = part.attribute("name");
            return Ok(model
                .children("joint")
                .find(|joint| linked(*joint, "child") == name));
        }
        ("robot", _) => (model, linked(part, "parent")),
        _ if ["", "__model__"].contains(&to) => {
            return Ok(part.around().filter(|around| *around != model));
        }
        _ => (part.around().unwrap_or(model).scope(), to),
    };
    let beside = ["link", "frame", "model"]
        .into_iter()
        .flat_map(|tag| scope.parts(tag));
    let found = beside
        .into_iter()
        .find(|other| other.attribute("name") == name);
    let wanted = "relative to a link, frame or model beside it";
    let refusal = || refused(part.path("pose"), format!("relative to `{name}`"), wanted);
    found.map(Some).ok_or_else(refusal)
}

fn link<'a>(model: Element<'a>, part: Element<'a>) -> Result<Link<'a>, Error> {
    let (mut pose, mut at, mut steps) = (part.pose()?, part, 0);
    while let Some(next) = around(model, at)? {
        (pose, at, steps) = (next.pose()? * pose, next, steps + 1);
        if steps == DEEPEST {
            let wanted = "relative to at most 64 others, in no circle";
            return Err(refused(part.path("pose"), "relative to others", wanted));
        }
    }
    let (mut frame, mut mass_kg, mut inertia) = (pose, 0.0, Matrix3::zeros());
    if let Some(inertial) = part.child("inertial") {
        frame = pose * inertial.pose()?;
        mass_kg = not_negative(inertial, "mass")?;
        inertia = tensor(inertial)?;
    } else if model.tag() != "robot" {
        let wanted = "stated: Gazebo takes 1 kg in its place";
        return Err(refused(part.path("inertial"), "missing", wanted));
    }
    let turn = frame.rotation.to_rotation_matrix().into_inner();
    Ok(Link {
        name: part.attribute("name"),
        pose,
        mass_kg,
        centre_m: frame.translation.vector,
        inertia_kg_m2: turn * inertia * turn.transpose(),
    })
}

fn not_negative(element: Element, name: &str) -> Result<f64, Error> {
    match element.number(name)? {
        Some(number) if number >= 0.0 => Ok(number),
        Some(number) => Err(refused(element.path(name), number, "not negative")),
        None => Err(refused(element.path(name), "missing", "stated")),
    }
}

/// The inertia; what stands beside its diagonal may be absent.
fn tensor(inertial: Element) -> Result<Matrix3<f64>, Error> {
    let inertia = inertial.child("inertia").unwrap_or(inertial);
    let [xx, yy, zz] = ["ixx", "iyy", "izz"].map(|name| not_negative(inertia, name));
    let [xy, xz, yz] = ["ixy", "ixz", "iyz"].map(|name| inertia.number(name));
    let (xx, yy, zz) = (xx?, yy?, zz?);
    let [xy, xz, yz] = [xy?, xz?, yz?].map(Option::unwrap_or_default);
    Ok(Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
}
