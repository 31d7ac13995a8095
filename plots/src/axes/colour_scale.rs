//! The colour scale from blue (near the reference) to red (far from it), and the bar that shows it next to
//! a picture, with its ticks and what it measures.
//!
//! Lightness falls all the way, so the scale also reads in grey, and the hues are kept apart by those
//! who cannot tell red from green, one man in twelve. Colours between the stops are mixed in Oklab, where
//! equal steps look equal (B. Ottosson, "A perceptual color space for image processing", 2020).

use crate::axes::ticks::linear;
use crate::page::sheet::{Anchor, Place, Sheet};
use crate::page::style::{
    BLACK, Colour, HALF_DIGIT, LABEL_SIZE, NAME_SIZE, RULE_WIDTH, TICK_LENGTH,
};

/// Shades that are distinguished on the path.
pub const SHADES: f64 = 64.0;
/// Width of the colour bar \[px\].
const BAR_WIDTH: f64 = 34.0;

/// From near to far: sky blue, amber, vermilion, dark red.
pub const STOPS: [Colour; 4] = [
    Colour::new(112, 204, 246),
    Colour::new(222, 144, 36),
    Colour::new(200, 50, 32),
    Colour::new(96, 0, 36),
];

/// The colour of `fraction`, from 0 (near) to 1 (far); what lies outside gets the nearer end.
pub fn colour_at(fraction: f64) -> Colour {
    let place = fraction.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let below = (place.floor() as usize).min(STOPS.len() - 2);
    let part = place - below as f64;
    let (from, to) = (oklab(STOPS[below].rgb), oklab(STOPS[below + 1].rgb));
    let mixed = std::array::from_fn(|axis| from[axis] + part * (to[axis] - from[axis]));
    let [red, green, blue] = srgb(mixed);
    Colour::new(red, green, blue)
}

/// Lightness, green to red, blue to yellow.
fn oklab(rgb: [u8; 3]) -> [f64; 3] {
    oklab_of_light(rgb.map(light))
}

/// Amount of light of a channel.
pub fn light(channel: u8) -> f64 {
    let value = f64::from(channel) / 255.0;
    if value <= 0.04045 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    }
}

fn oklab_of_light([r, g, b]: [f64; 3]) -> [f64; 3] {
    let l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b).cbrt();
    let m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b).cbrt();
    let s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b).cbrt();
    [
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    ]
}

fn srgb([lightness, a, b]: [f64; 3]) -> [u8; 3] {
    let l = (lightness + 0.3963377774 * a + 0.2158037573 * b).powi(3);
    let m = (lightness - 0.1055613458 * a - 0.0638541728 * b).powi(3);
    let s = (lightness - 0.0894841775 * a - 1.2914855480 * b).powi(3);
    [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    ]
    .map(|value| {
        let value = value.clamp(0.0, 1.0);
        let encoded = if value <= 0.0031308 {
            12.92 * value
        } else {
            1.055 * value.powf(1.0 / 2.4) - 0.055
        };
        (255.0 * encoded).round() as u8
    })
}

/// Draws the colour scale as [`draw`] does, with a wedge on top: the darkest colour also stands for
/// all that is larger.
pub fn draw_open(sheet: &mut Sheet, name: &str, top_m: f64, [left, top]: Place, bottom: f64) {
    let (right, wedge) = (left + BAR_WIDTH, 0.9 * BAR_WIDTH);
    let peak = [left + 0.5 * BAR_WIDTH, top];
    let corners = vec![peak, [right, top + wedge], [left, top + wedge]];
    sheet.polygon(corners.clone(), colour_at(1.0));
    draw(sheet, name, top_m, [left, top + wedge], bottom);
    let edge = vec![corners[2], peak, corners[1]];
    sheet.line(edge, RULE_WIDTH, BLACK);
}

/// Draws the colour scale from 0 to `top_m`, its upper left corner and its lower end given.
pub fn draw(sheet: &mut Sheet, name: &str, top_m: f64, [left, top]: Place, bottom: f64) {
    let right = left + BAR_WIDTH;
    let height = |error_m: f64| bottom - (bottom - top) * error_m / top_m;
    let shades = SHADES as u32;
    for shade in 0..shades {
        let fraction = f64::from(shade) / SHADES;
        let (low, high) = (
            height(fraction * top_m),
            height((fraction + 1.0 / SHADES) * top_m),
        );
        // Each shade runs on below the next one up, or the seams would show.
        let low = if shade == 0 { low } else { low + 1.0 };
        sheet.rectangle(
            [left, high],
            [right, low],
            colour_at(f64::from(shade) / (SHADES - 1.0)),
        );
    }
    sheet.outline([left, top], [right, bottom], RULE_WIDTH, BLACK);
    let ticks = linear(0.0, top_m, 8, 0.0);
    for (&tick, label) in ticks.labelled.iter().zip(&ticks.labels) {
        let y = height(tick);
        sheet.line(
            vec![[right, y], [right + TICK_LENGTH, y]],
            RULE_WIDTH,
            BLACK,
        );
        let at = [right + 2.0 * TICK_LENGTH, y + HALF_DIGIT * LABEL_SIZE];
        sheet.label(at, label, Anchor::Start);
    }
    let at = [
        right + 2.0 * TICK_LENGTH + ticks.width() + 1.2 * NAME_SIZE,
        0.5 * (top + bottom),
    ];
    sheet.upward_text(at, name, NAME_SIZE);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_blue_and_dark_red() {
        assert_eq!(colour_at(0.0).rgb, STOPS[0].rgb);
        assert_eq!(colour_at(1.0).rgb, STOPS[3].rgb);
        assert_eq!(colour_at(-3.0), colour_at(0.0));
        assert_eq!(colour_at(7.0), colour_at(1.0));
        let ([r, g, b], [far_r, far_g, far_b]) = (colour_at(0.0).rgb, colour_at(1.0).rgb);
        assert!(b > r && b > g && far_r > far_g && far_r > far_b);
    }

    /// What people see: everyone, and those without the receptors for green (deuteranopia) and for
    /// red (protanopia), by G. Machado, M. Oliveira and L. Fernandes, "A physiologically-based model
    /// for simulation of color vision deficiency", 2009, severity 1; rows act on linear light.
    const EYES: [[[f64; 3]; 3]; 3] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
    ];

    #[test]
    fn every_eye_sees_it_darken_and_tells_a_sixth_of_it_apart_anywhere() {
        for eye in EYES {
            let seen = |i: usize| {
                let light = colour_at(i as f64 / 60.0).rgb.map(light);
                let sum = |row: [f64; 3]| (0..3).map(|k| row[k] * light[k]).sum::<f64>();
                oklab_of_light(eye.map(|row| sum(row).clamp(0.0, 1.0)))
            };
            let colours: Vec<_> = (0..=60).map(seen).collect();
            for pair in colours.windows(2) {
                assert!(pair[1][0] < pair[0][0], "lightness {pair:?}");
            }
            assert!(colours[0][0] - colours[60][0] > 0.4, "too little contrast");
            for pair in colours.windows(11) {
                let step: f64 = (0..3).map(|k| (pair[10][k] - pair[0][k]).powi(2)).sum();
                assert!(step.sqrt() > 0.06, "{pair:?}");
            }
        }
    }

    #[test]
    fn oklab_and_back() {
        for rgb in [
            [0, 0, 0],
            [255, 255, 255],
            [12, 200, 99],
            [255, 0, 0],
            [0, 0, 255],
        ] {
            assert_eq!(srgb(oklab(rgb)), rgb);
        }
    }
}
