//! The template command: an input file to start from, with every key explained, or an airframe as an autopilot's
//! parameter file has it.

use super::tune;
use crate::Said;
use crate::args::{Template, TemplateArgs};
use shell::Failure;
use shell::terminal;
use std::path::Path;

/// Prints the file that was named.
///
/// # Errors
/// A parameter file that cannot be flown, or for which no airframe is named.
pub fn template(args: &TemplateArgs) -> Result<Said, Failure> {
    let text = match (&args.from, args.file) {
        (Some(from), Template::Airframe) => return airframe(from, args),
        (Some(_), _) => {
            let said = "--from is for `sim template airframe`; no other input file is made from parameters";
            return Err(Failure::usage(said));
        }
        (None, Template::Airframe) => include_str!("../../../../templates/airframe.toml"),
        (None, Template::Domain) => include_str!("../../../../templates/domain.toml"),
        (None, Template::Wind) => include_str!("../../../../templates/wind.csv"),
        (None, Template::World) => include_str!("../../../../templates/world.toml"),
        (None, Template::Waypoints) => include_str!("../../../../templates/waypoints.csv"),
        (None, Template::Gains) => include_str!("../../../../templates/gains.toml"),
        (None, Template::Sensors) => include_str!("../../../../templates/sensors.toml"),
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
