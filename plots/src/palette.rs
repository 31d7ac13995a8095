//! The palette as CSS custom properties, for a page in which figures stand among other things of the
//! same colours.

use crate::axes::colour_scale;
use crate::page::style::{
    BLACK, Colour, DARK_GREY, GRID, LOSS, SERIES_COLOURS, SHADOW, STRIPE, WALL, WHITE,
};

/// The colours that are named, each with what takes its place on dark paper.
const NAMED: [(&str, Colour, Colour); 8] = [
    ("paper", WHITE, Colour::new(22, 24, 29)),
    ("ink", BLACK, Colour::new(233, 233, 236)),
    ("note", DARK_GREY, Colour::new(172, 172, 181)),
    ("grid", GRID, Colour::new(54, 56, 64)),
    ("stripe", STRIPE, Colour::new(31, 34, 40)),
    ("loss", LOSS, Colour::new(255, 128, 142)),
    ("shadow", SHADOW, Colour::new(88, 90, 98)),
    ("wall", WALL, Colour::new(28, 31, 37)),
];

/// The colours of the series on dark paper, in their order: the same hues, lighter.
const SERIES_ON_DARK: [Colour; SERIES_COLOURS.len()] = [
    Colour::new(79, 176, 234),
    Colour::new(240, 136, 62),
    Colour::new(53, 201, 155),
    Colour::new(222, 138, 187),
    Colour::new(242, 196, 80),
    Colour::new(168, 220, 250),
];

/// Declarations for a rule of a style sheet: `--paper`, `--ink`, `--note`, `--grid`, `--stripe`,
/// `--loss`, `--shadow` and `--wall`; `--series-0` and so on, the colours of the series; `--scale-0`
/// and so on, the stops of the colour scale from near to far.
pub fn css_palette() -> String {
    let scale = colour_scale::STOPS.iter().copied();
    let named = NAMED.map(|(name, light, _)| (name.to_owned(), light));
    let scale = numbered("scale", scale);
    declarations(
        named
            .into_iter()
            .chain(numbered("series", SERIES_COLOURS))
            .chain(scale),
    )
}

/// The same names for dark paper; those of the colour scale have no other colours there, because it
/// ends in the dark: what is drawn with it keeps its light paper.
pub fn css_dark_palette() -> String {
    let named = NAMED.map(|(name, _, dark)| (name.to_owned(), dark));
    declarations(named.into_iter().chain(numbered("series", SERIES_ON_DARK)))
}

/// Rules of a style sheet that draw figures on dark paper: `marks` selects the SVG elements.
pub fn css_dark_marks(marks: &str) -> String {
    let named = NAMED.map(|(_, light, dark)| (light, dark));
    let series = SERIES_COLOURS.into_iter().zip(SERIES_ON_DARK);
    let rule = |(light, dark): (Colour, Colour)| {
        // The backend writes its digits in capitals.
        let (from, to) = (hexadecimal(light).to_uppercase(), hexadecimal(dark));
        format!(
            "{marks} [fill=\"{from}\"]{{fill:{to}}}{marks} [stroke=\"{from}\"]{{stroke:{to}}}\n"
        )
    };
    named.into_iter().chain(series).map(rule).collect()
}

fn numbered(
    name: &str,
    colours: impl IntoIterator<Item = Colour>,
) -> impl Iterator<Item = (String, Colour)> {
    let colours = colours.into_iter().enumerate();
    colours.map(move |(index, colour)| (format!("{name}-{index}"), colour))
}

fn declarations(colours: impl Iterator<Item = (String, Colour)>) -> String {
    let all = colours.map(|(name, colour)| format!("--{name}: {};", hexadecimal(colour)));
    all.collect::<Vec<_>>().join(" ")
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
        assert!(css.starts_with("--paper: #ffffff; --ink: #141414; ") && css.ends_with(';'));
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

    /// Ratio of contrast by the Web Content Accessibility Guidelines 2.2, from 1 to 21.
    fn contrast(one: Colour, other: Colour) -> f64 {
        let luminance = |colour: Colour| {
            let [r, g, b] = colour.rgb.map(colour_scale::light);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (a, b) = (luminance(one), luminance(other));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn words_stand_out_from_either_paper_and_lines_do_on_the_dark_one() {
        let colour = |wanted: &str| {
            let mut all = NAMED.iter();
            let (_, light, dark) = all.find(|(name, ..)| *name == wanted).expect("named");
            [*light, *dark]
        };
        for theme in [0, 1] {
            for words in ["ink", "note", "loss"] {
                for paper in ["paper", "stripe"] {
                    let ratio = contrast(colour(words)[theme], colour(paper)[theme]);
                    assert!(ratio >= 4.5, "{words} on {paper}: {ratio:.2}");
                }
            }
        }
        for (index, line) in SERIES_ON_DARK.into_iter().enumerate() {
            let ratio = contrast(line, colour("paper")[1]);
            assert!(ratio >= 4.5, "series {index}: {ratio:.2}");
            let others = SERIES_ON_DARK.iter().filter(|other| **other == line);
            assert_eq!(others.count(), 1);
        }
        assert!((contrast(BLACK, BLACK) - 1.0).abs() < 1e-12);
        assert!((contrast(WHITE, Colour::new(0, 0, 0)) - 21.0).abs() < 1e-9);
    }

    #[test]
    fn every_colour_of_a_figure_but_the_scale_has_one_for_dark_paper() {
        let rules = css_dark_marks("svg");
        assert!(rules.starts_with("svg [fill=\"#FFFFFF\"]{fill:#16181d}"));
        assert!(rules.contains("svg [stroke=\"#0072B2\"]{stroke:#4fb0ea}"));
        let light = css_palette();
        let light = light.split(';').filter(|one| !one.contains("--scale-"));
        let dark = css_dark_palette();
        let names = |css: &str| css.split(':').next().map(str::to_owned);
        let light: Vec<_> = light.map(names).collect();
        assert_eq!(light, dark.split(';').map(names).collect::<Vec<_>>());
    }
}
