//! The palette as CSS custom properties, for a page in which figures stand among other things of the
//! same colours.

use crate::axes::colour_scale;
use crate::page::style::{BLACK, Colour, DARK_GREY, GRID, LOSS, SERIES_COLOURS, STRIPE};
use std::fmt::Write;

/// Declarations for a rule of a style sheet: `--ink`, `--note`, `--grid`, `--stripe` and `--loss`;
/// `--series-0` and so on, the colours of the series; `--scale-0` and so on, the stops of the colour
/// scale from near to far.
pub fn css_palette() -> String {
    let single = [
        ("ink", BLACK),
        ("note", DARK_GREY),
        ("grid", GRID),
        ("stripe", STRIPE),
        ("loss", LOSS),
    ];
    let mut css = String::new();
    // Writing to a String cannot fail.
    for (name, colour) in single {
        let _ = write!(css, "--{name}: {}; ", hexadecimal(colour));
    }
    for (name, colours) in [
        ("series", &SERIES_COLOURS[..]),
        ("scale", &colour_scale::STOPS[..]),
    ] {
        for (index, colour) in colours.iter().enumerate() {
            let _ = write!(css, "--{name}-{index}: {}; ", hexadecimal(*colour));
        }
    }
    css.trim_end().to_owned()
}

fn hexadecimal(colour: Colour) -> String {
    let [red, green, blue] = colour.rgb;
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_has_a_name_and_six_digits() {
        let css = css_palette();
        assert!(css.starts_with("--ink: #141414; ") && css.ends_with(';'));
        assert!(css.contains("--series-0: #0072b2; --series-1: #d55e00;"));
        assert!(css.contains("--scale-3: #600024;"));
        assert_eq!(css.matches("--series-").count(), SERIES_COLOURS.len());
        let declarations = css.split(';').filter(|one| !one.trim().is_empty());
        assert!(declarations.clone().all(|one| one.trim().starts_with("--")));
        assert!(
            declarations
                .clone()
                .all(|one| one.split_once(": #").is_some_and(|c| c.1.len() == 6))
        );
    }
}
