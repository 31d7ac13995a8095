//! The template command: an input file to start from, with every key explained, or an airframe as an autopilot's
//! parameter file has it.

mod manoeuvre;

use super::{Mission, Weather, montecarlo, named, tune};
use crate::Said;
use crate::args::{Template, TemplateArgs};
use manoeuvre::manoeuvre;
use shell::Failure;
use shell::terminal;
use sim::{Airframe, Frame};
use std::path::Path;

pub(super) const AIRFRAME: &str = include_str!("../../../../../templates/airframe.toml");

/// Least distance between the hubs of neighbouring arms [m]: the template's propellers are 0.127 m wide.
const APART_M: f64 = 0.14;

/// Distance between the rotors of a pair [m], and the thrust of the lower one over that of the upper.
const PAIR: (f64, f64) = (0.06, 0.85);

/// The template of an airframe with rotors in `frame`.
fn framed(frame: &Frame) -> String {
    let base = Airframe::from_toml(AIRFRAME).expect("a test reads the template");
    let neighbours = std::f64::consts::PI / frame.arms() as f64;
    let arm_m = (0.5 * APART_M / neighbours.sin()).max(base.hubs()[0].xy().norm());
    let rotors = frame.rotors(&base.rotors, (1e3 * arm_m).ceil() / 1e3, PAIR.0, PAIR.1);
    let count = frame.count();
    let line = |line: &str| match line.split(" = ").next().unwrap_or_default() {
        "name" => format!("name = \"my-{}\"", frame.name),
        "positions_m" => format!("positions_m = {:?}", rotors.positions_m),
        "yaw_torque_signs" => format!("yaw_torque_signs = {:?}", rotors.yaw_torque_signs),
        "# thrust_factors" if !rotors.thrust_factors.is_empty() => {
            format!("thrust_factors = {:?}", rotors.thrust_factors)
        }
        key @ ("# thrust_factors" | "# torque_factors") => {
            format!("{key} = {:?}", vec![1.0; count])
        }
        "# directions" => format!("# directions = {:?}", vec![[0.0, 0.0, 1.0]; count]),
        _ => line.replace("a quadrotor of", "a multirotor of"),
    };
    let lines = AIRFRAME.lines().map(line);
    lines.map(|line| line + "\n").collect()
}

/// Prints the file that was named.
///
/// # Errors
/// A parameter file that cannot be flown, or for which no airframe is named; a vehicle that no manoeuvre is safe for.
pub fn template(args: &TemplateArgs) -> Result<Said, Failure> {
    if args.frame.is_some() && !matches!(args.file, Template::Airframe) {
        return Err(Failure::usage("--frame is for `sim template airframe`"));
    }
    if args.airframe.is_some() && args.from.is_none() && !matches!(args.file, Template::Manoeuvre) {
        let said = "--airframe is for `sim template manoeuvre`, and with --from for `sim template airframe`";
        return Err(Failure::usage(said));
    }
    let text = match (&args.from, args.file) {
        (Some(from), Template::Airframe) => return airframe(from, args),
        (Some(_), _) => {
            let said = "--from is for `sim template airframe`; no other input file is made from parameters";
            return Err(Failure::usage(said));
        }
        (None, Template::Airframe) => {
            let frame = args.frame.as_deref().and_then(Frame::by_name);
            return Ok(Said::so(frame.map_or_else(|| AIRFRAME.to_owned(), framed)));
        }
        (None, Template::Domain) => include_str!("../../../../../templates/domain.toml"),
        (None, Template::Wind) => include_str!("../../../../../templates/wind.csv"),
        (None, Template::World) => include_str!("../../../../../templates/world.toml"),
        (None, Template::Waypoints) => include_str!("../../../../../templates/waypoints.csv"),
        (None, Template::Gains) => include_str!("../../../../../templates/gains.toml"),
        (None, Template::Sensors) => include_str!("../../../../../templates/sensors.toml"),
        (None, Template::Manoeuvre) => return manoeuvre(args.airframe.as_deref()).map(Said::so),
    };
    Ok(Said::so(text.to_owned()))
}

/// The airframe that `bo check` flies for the tune in `from`; what was read, what acts and is not simulated and
/// what is not known is said.
fn airframe(from: &Path, args: &TemplateArgs) -> Result<Said, Failure> {
    let (tune, airframe) = tune(from, args.airframe.as_deref(), &args.whose)?;
    let (aboard, taken) = tune.aboard(&airframe);
    for remark in tune.remarks().iter().chain(&taken) {
        terminal::note(remark);
    }
    aboard.check().map_err(Failure::in_file(from))?;
    let text = toml::to_string(&aboard).expect("numbers and names are always representable");
    Ok(Said::so(text))
}
