//! Open loops: frequency responses as Bode has them, magnitude above phase, and as Nichols has them,
//! magnitude over phase, where the points that oscillate are marked.

mod page;

use crate::error::{Error, LARGEST_M, count, within};
use crate::files;
use std::path::{Path, PathBuf};

/// Most loops in one picture.
pub const MOST_LOOPS: usize = 6;

/// Several open loops.
#[derive(Debug, Clone, Copy)]
pub struct OpenLoopsPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// The loops: 1 to [`MOST_LOOPS`], each with its own colour and dash pattern.
    pub loops: &'a [OpenLoop<'a>],
}

/// One open loop.
#[derive(Debug, Clone, Copy)]
pub struct OpenLoop<'a> {
    /// Name in the legend.
    pub label: &'a str,
    /// By frequency, ascending, at least two.
    pub points: &'a [OpenLoopPoint],
}

/// The open loop at one frequency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OpenLoopPoint {
    /// Frequency, positive \[rad/s\].
    pub frequency_rad_s: f64,
    /// Magnitude, positive.
    pub magnitude: f64,
    /// Phase, not wrapped \[deg\].
    pub phase_deg: f64,
}

/// Draws the loops and writes `stem.svg` and `stem.png`; returns both paths, in that order. The
/// folder of `stem` must exist. The same loops give the same bytes.
///
/// # Errors
/// No loop or more than [`MOST_LOOPS`], a loop of fewer than two points, a number that is not finite,
/// too large or, of a frequency or a magnitude, not positive, or a file that cannot be written.
pub fn draw_open_loops(picture: &OpenLoopsPicture, stem: &Path) -> Result<[PathBuf; 2], Error> {
    count("loops", picture.loops.len(), MOST_LOOPS)?;
    for one in picture.loops {
        check(one)?;
    }
    files::write(&page::sheet(picture), stem)
}

fn check(one: &OpenLoop) -> Result<(), Error> {
    if one.points.len() < 2 {
        let quantity = "frequency";
        return Err(Error::NoValues { quantity });
    }
    let positive = (f64::MIN_POSITIVE..=LARGEST_M, "positive and at most 1e12");
    for (quantity, of) in [
        (
            "frequency",
            (|p| p.frequency_rad_s) as fn(&OpenLoopPoint) -> f64,
        ),
        ("magnitude", |p| p.magnitude),
    ] {
        let values = one.points.iter().map(of);
        within(quantity, values, positive.0.clone(), positive.1)?;
    }
    let phases = one.points.iter().map(|p| p.phase_deg);
    within(
        "phase",
        phases,
        -LARGEST_M..=LARGEST_M,
        "finite, at most 1e12",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(count: u32) -> Vec<OpenLoopPoint> {
        let point = |k: u32| {
            let frequency_rad_s = 10f64.powf(f64::from(k) / 10.0 - 1.0);
            OpenLoopPoint {
                frequency_rad_s,
                magnitude: 3.0 / frequency_rad_s,
                phase_deg: -90.0 - 4.0 * frequency_rad_s,
            }
        };
        (0..count).map(point).collect()
    }

    #[test]
    fn loops_are_drawn_and_bad_numbers_are_refused() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let stem = folder.path().join("loops");
        let draw = |points: &[OpenLoopPoint]| {
            let loops = [OpenLoop {
                label: "rate x",
                points,
            }];
            draw_open_loops(
                &OpenLoopsPicture {
                    title: "t",
                    loops: &loops,
                },
                &stem,
            )
        };
        let paths = draw(&points(30)).expect("drawn");
        assert!(paths.iter().all(|path| path.exists()));
        let line = |points: &[OpenLoopPoint]| draw(points).expect_err("bad").to_string();
        assert!(line(&points(1)).contains("no values"));
        let mut wrong = points(5);
        wrong[2].magnitude = 0.0;
        assert!(line(&wrong).contains("value 2 of the magnitude is 0"));
        let mut wrong = points(5);
        wrong[3].phase_deg = f64::NAN;
        assert!(line(&wrong).contains("value 3 of the phase is NaN"));
    }

    #[test]
    fn words_are_on_the_page_and_clear_of_each_other() {
        let points = points(30);
        let labels = [
            "rate x",
            "rate y",
            "rate z",
            "attitude x",
            "attitude y",
            "attitude z",
        ];
        let loops = labels.map(|label| OpenLoop {
            label,
            points: &points,
        });
        let picture = OpenLoopsPicture {
            title: "hummingbird at hover: rate and attitude loops, opened one at a time",
            loops: &loops,
        };
        crate::page::legible::check(&page::sheet(&picture));
    }
}
