//! The airframe command: the airframe file of a vehicle that another program describes.

use super::{not_there, read};
use crate::Said;
use crate::args::AirframeArgs;
use shell::files::{self, FileError};
use shell::{Failure, terminal};
use sim::Airframe;
use sim::vehicle_file::translate;
use std::path::Path;

/// Translates the file, and says where each number is from and which ones are left to fill in.
///
/// # Errors
/// A file that describes no vehicle, or one that cannot fly; an output that exists or cannot be written.
pub fn airframe(args: &AirframeArgs) -> Result<Said, Failure> {
    not_there(args.out.as_deref())?;
    let name = args.file.file_stem().unwrap_or_default().to_string_lossy();
    let in_file = Failure::in_file(&args.file);
    // A model's folder stands beside those of the models that it includes.
    let folder = args.file.canonicalize().ok();
    let folder = folder
        .as_deref()
        .and_then(Path::parent)
        .and_then(Path::parent);
    let included = |uri: &str| {
        let name = uri.strip_prefix("model://").unwrap_or(uri);
        let name = Some(name).filter(|name| !name.contains("..") && !name.starts_with('/'))?;
        files::read_text(&folder?.join(name).join("model.sdf"), files::MOST_TEXT).ok()
    };
    let made = translate(&read(&args.file)?, &name, &included).map_err(&in_file)?;
    if made.missing.is_empty() {
        Airframe::from_toml(&made.toml).map_err(in_file)?;
    }
    made.remarks.iter().for_each(|remark| terminal::say(remark));
    if !made.missing.is_empty() {
        let keys = made.missing.join(", ");
        terminal::warn(&format!(
            "the file has no {keys}: fill them in before the airframe can fly"
        ));
    }
    let Some(out) = &args.out else {
        return Ok(Said::so(made.toml));
    };
    files::replace(out, made.toml.as_bytes()).map_err(FileError::write(out))?;
    Ok(Said::so(format!("{}\n", out.display())))
}
