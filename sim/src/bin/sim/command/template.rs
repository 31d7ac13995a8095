//! The template command: an input file to start from, with every key explained.

use crate::Said;
use crate::args::{Template, TemplateArgs};

/// Prints the file that was named.
pub fn template(args: &TemplateArgs) -> Said {
    let text = match args.file {
        Template::Airframe => include_str!("../../../../templates/airframe.toml"),
        Template::Domain => include_str!("../../../../templates/domain.toml"),
        Template::Wind => include_str!("../../../../templates/wind.csv"),
        Template::World => include_str!("../../../../templates/world.toml"),
        Template::Waypoints => include_str!("../../../../templates/waypoints.csv"),
        Template::Gains => include_str!("../../../../templates/gains.toml"),
        Template::Sensors => include_str!("../../../../templates/sensors.toml"),
    };
    Said {
        text: text.to_owned(),
        passed: true,
    }
}
