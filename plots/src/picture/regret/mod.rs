//! Regret: the cumulative regret of several searches beside the bound that theory puts on it.

mod page;

use crate::error::{Error, LARGEST_M, same_length, within};
use crate::files;
use std::path::{Path, PathBuf};

/// Searches of several functions.
#[derive(Debug, Clone, Copy)]
pub struct RegretPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// One search each, all of one length.
    pub curves: &'a [RegretCurve<'a>],
}

/// One search.
#[derive(Debug, Clone, Copy)]
pub struct RegretCurve<'a> {
    /// Cumulative regret after each evaluation; not negative, some of it positive.
    pub regret: &'a [f64],
    /// The bound after each evaluation, positive.
    pub bound: &'a [f64],
}

/// Draws on two logarithmic axes and writes `stem.svg` and `stem.png`; returns both paths, in that
/// order. The folder of `stem` must exist. The same picture gives the same bytes.
///
/// # Errors
/// No curve, curves of different lengths or of fewer than two evaluations, a number that is not
/// finite, negative or too large, or a file that cannot be written.
pub fn draw_regret(picture: &RegretPicture, stem: &Path) -> Result<[PathBuf; 2], Error> {
    check(picture)?;
    files::write(&page::sheet(picture), stem)
}

fn check(picture: &RegretPicture) -> Result<(), Error> {
    let Some(first) = picture.curves.first() else {
        return Err(Error::NoSeries);
    };
    let wanted = first.regret.len();
    if wanted < 2 {
        return Err(Error::NoValues { quantity: "regret" });
    }
    for curve in picture.curves {
        for (quantity, values) in [("regret", curve.regret), ("bound", curve.bound)] {
            same_length(quantity, values.len(), "evaluations", wanted)?;
            let least = if quantity == "bound" {
                f64::MIN_POSITIVE
            } else {
                0.0
            };
            let expected = "finite, not negative, at most 1e12; a bound above 0";
            within(
                quantity,
                values.iter().copied(),
                least..=LARGEST_M,
                expected,
            )?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_drawn_and_bad_numbers_are_refused() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let stem = folder.path().join("regret");
        let draw = |regret: &[f64], bound: &[f64]| {
            let curves = [RegretCurve { regret, bound }];
            draw_regret(
                &RegretPicture {
                    title: "t",
                    curves: &curves,
                },
                &stem,
            )
        };
        let paths = draw(&[0.0, 1.0, 1.5], &[10.0, 20.0, 30.0]).expect("drawn");
        assert!(paths.iter().all(|path| path.exists()));
        let line =
            |regret: &[f64], bound: &[f64]| draw(regret, bound).expect_err("bad").to_string();
        assert!(line(&[1.0], &[1.0]).contains("no values"));
        assert!(line(&[1.0, 2.0], &[1.0]).contains("has 1 values for 2"));
        assert!(line(&[1.0, f64::NAN], &[1.0, 1.0]).contains("value 1 of the regret is NaN"));
        assert!(line(&[1.0, 2.0], &[0.0, 1.0]).contains("value 0 of the bound is 0"));
    }
}
