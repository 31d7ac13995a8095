//! The house style: page, sizes and palette. Every length is in pixels of the finished PNG, and
//! every picture takes its sizes from here, so that they look like one family.

/// Width of the page \[px\].
pub const PAGE_WIDTH: u32 = 1500;
/// Height of the page \[px\]; a grid of many rows makes it higher.
pub const PAGE_HEIGHT: u32 = 1000;
/// Width of a figure within a page of text \[px\]: shown at 540 px or more, its letters are as
/// large as those of the text.
pub const FIGURE_WIDTH: u32 = 860;
/// Height of a figure within a page of text \[px\]; a legend of many entries makes it higher.
pub const FIGURE_HEIGHT: u32 = 620;
/// Printed resolution \[dots per inch\]: the page is then 7.5 by 5 inches and tick labels 8 pt.
pub const DOTS_PER_INCH: f64 = 200.0;

/// Clear border of the page \[px\].
pub const MARGIN: f64 = 28.0;
/// Space between one element of a picture and the next \[px\].
pub const GAP: f64 = 14.0;

/// Text size of the title \[px per em\].
pub const TITLE_SIZE: f64 = 31.0;
/// Text size of axis names \[px per em\].
pub const NAME_SIZE: f64 = 27.0;
/// Text size of tick labels, notes and legends: 12 px where the PNG is shown at half size.
pub const LABEL_SIZE: f64 = 24.0;
/// Distance between baselines, as a multiple of the text size.
pub const LEADING: f64 = 1.25;
/// From the baseline to half the height of a digit, as a fraction of the text size.
pub const HALF_DIGIT: f64 = 0.365;

/// Width of a data curve \[px\].
pub const CURVE_WIDTH: f64 = 4.0;
/// Width of a curve drawn over another one \[px\].
pub const OVER_WIDTH: f64 = 2.4;
/// Width of the bar of an interval \[px\].
pub const INTERVAL_WIDTH: f64 = 3.4;
/// Width of reference lines, marks and spines \[px\].
pub const RULE_WIDTH: f64 = 2.0;
/// Width of grid lines \[px\].
pub const GRID_WIDTH: f64 = 1.0;
/// Length of a tick \[px\].
pub const TICK_LENGTH: f64 = 8.0;
/// Radius of the dot of one evaluation \[px\].
pub const DOT_RADIUS: f64 = 4.0;
/// Radius of a dot that is not one of many \[px\].
pub const LARGE_DOT_RADIUS: f64 = 6.0;
/// Length of the sample in front of a legend label \[px\].
pub const SAMPLE_LENGTH: f64 = 66.0;

/// Opacity of the mark of a loss: those of several runs may coincide.
pub const LOSS_ALPHA: f64 = 0.75;

/// A colour of the sRGB space, with its opacity from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Colour {
    /// Red, green and blue, from 0 to 255.
    pub rgb: [u8; 3],
    /// 0 is invisible, 1 hides what lies below.
    pub alpha: f64,
}

impl Colour {
    /// An opaque colour.
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self {
            rgb: [red, green, blue],
            alpha: 1.0,
        }
    }

    /// The same colour at another opacity.
    pub const fn faded(self, alpha: f64) -> Self {
        Self {
            rgb: self.rgb,
            alpha,
        }
    }
}

/// The paper.
pub const WHITE: Colour = Colour::new(255, 255, 255);
/// Text, spines and the reference.
pub const BLACK: Colour = Colour::new(20, 20, 20);
/// What was lost.
pub const LOSS: Colour = Colour::new(140, 0, 32);
/// Notes and lines that explain.
pub const DARK_GREY: Colour = Colour::new(90, 90, 90);
/// Shadows.
pub const SHADOW: Colour = Colour::new(186, 186, 190);
/// Grid lines.
pub const GRID: Colour = Colour::new(222, 222, 226);
/// Every other line of a table-like panel, to guide the eye across.
pub const STRIPE: Colour = Colour::new(246, 246, 249);
/// The back walls of a three-dimensional frame.
pub const WALL: Colour = Colour::new(248, 248, 250);

/// Colours of data series that the colour-blind tell apart: M. Okabe and K. Ito, "Color
/// Universal Design" (2008), without their yellow, which is too light for a line on white.
pub const SERIES_COLOURS: [Colour; 6] = [
    Colour::new(0, 114, 178),
    Colour::new(213, 94, 0),
    Colour::new(0, 158, 115),
    Colour::new(190, 90, 150),
    Colour::new(230, 159, 0),
    Colour::new(86, 180, 233),
];

/// Dash patterns: lengths drawn and left out, in turn \[px\]. The first is a full line.
const SERIES_DASHES: [&[f64]; 6] = [
    &[],
    &[18.0, 7.0],
    &[5.0, 5.0],
    &[18.0, 6.0, 5.0, 6.0],
    &[32.0, 8.0],
    &[18.0, 6.0, 5.0, 6.0, 5.0, 6.0],
];

/// Dash pattern of the line at the end of the initial design.
pub const INITIAL_DASH: &[f64] = &[3.0, 6.0];
/// Dash pattern of the baseline.
pub const BASELINE_DASH: &[f64] = &[10.0, 6.0];
/// Dash pattern of the plumb lines from a mark to the floor.
pub const PLUMB_DASH: &[f64] = &[4.0, 5.0];

/// Colour of data series `index`; they repeat after six.
pub fn series_colour(index: usize) -> Colour {
    SERIES_COLOURS[index % SERIES_COLOURS.len()]
}

/// Dash pattern of data series `index`; the pairing with the colours repeats after thirty-six.
pub fn series_dash(index: usize) -> &'static [f64] {
    SERIES_DASHES[(index + index / SERIES_COLOURS.len()) % SERIES_DASHES.len()]
}

/// Opacity of the dots of single evaluations: the more there are, the fainter.
pub fn dot_alpha(dots: usize) -> f64 {
    (4.0 / (dots.max(1) as f64).sqrt()).clamp(0.13, 0.5)
}

/// Opacity of the bands over runs: the more series, the fainter.
pub fn band_alpha(series: usize) -> f64 {
    (0.3 / (series.max(1) as f64).sqrt()).clamp(0.10, 0.18)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_and_dash_are_unique_for_thirty_six_series() {
        for a in 0..36 {
            for b in 0..a {
                assert!(
                    series_colour(a) != series_colour(b) || series_dash(a) != series_dash(b),
                    "{a} and {b} look alike"
                );
            }
        }
        for a in 0..6 {
            for b in 0..a {
                assert_ne!(series_colour(a), series_colour(b));
                assert_ne!(series_dash(a), series_dash(b));
            }
        }
    }

    #[test]
    fn crowds_are_fainter_but_never_invisible() {
        assert_eq!(dot_alpha(1), 0.5);
        assert!(dot_alpha(200) < dot_alpha(100));
        assert_eq!(dot_alpha(1_000_000), 0.13);
        assert!(band_alpha(6) < band_alpha(1));
    }
}
