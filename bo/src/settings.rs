//! Settings: what a run is, checked. What was typed is in [`crate::args`].

use crate::Error;
use serde::Serialize;

/// Most evaluations of one run: an exact Gaussian process over more costs minutes a step.
pub const MOST_EVALUATIONS: u64 = 2_000;

/// Everything that decides the result of one run, together with the version of the program.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Settings {
    /// Name of the trajectory.
    pub trajectory: &'static str,
    /// Name of the surrogate.
    pub surrogate: &'static str,
    /// Decides the initial design, every wind, every fit.
    pub seed: u64,
    /// Evaluations before the surrogate is first asked, the default gains' among them.
    pub initial: u64,
    /// Evaluations that the surrogate chooses.
    pub iterations: u64,
    /// Weight of the standard deviation in the acquisition.
    pub kappa: f64,
    /// Held-out winds in each domain.
    pub held_out_winds: u64,
}

impl Settings {
    /// The paper's budget: 10 initial evaluations and 100 more, κ = 2, 40 held-out winds.
    ///
    /// # Errors
    /// When the trajectory or the surrogate does not exist.
    pub fn of_paper(trajectory: &str, surrogate: &str, seed: u64) -> Result<Settings, Error> {
        Ok(Settings {
            trajectory: trajectory_name(trajectory)?,
            surrogate: surrogate_name(surrogate)?,
            seed,
            initial: 10,
            iterations: 100,
            kappa: 2.0,
            held_out_winds: 40,
        })
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] naming the flag.
    pub fn check(&self) -> Result<(), Error> {
        let most = MOST_EVALUATIONS as f64;
        let in_range = |flag, value: f64, low: f64, high: f64, wanted| {
            if (low..=high).contains(&value) {
                Ok(())
            } else {
                Err(Error::OutOfRange {
                    flag,
                    value,
                    wanted,
                })
            }
        };
        let count = "a whole number from 1 to 2000";
        in_range("initial", self.initial as f64, 1.0, most, count)?;
        in_range("iterations", self.iterations as f64, 1.0, most, count)?;
        in_range(
            "held-out",
            self.held_out_winds as f64,
            2.0,
            1e5,
            "a whole number from 2 to 100000",
        )?;
        in_range("kappa", self.kappa, 0.0, 1e6, "finite and not negative")
    }

    /// Evaluations in all.
    pub fn evaluations(&self) -> u64 {
        self.initial + self.iterations
    }
}

/// The legal name equal to `given`.
///
/// # Errors
/// When there is none; the message lists them and the nearest.
pub fn trajectory_name(given: &str) -> Result<&'static str, Error> {
    trajectories::by_name(given)?;
    let legal = trajectories::NAMES.into_iter().find(|name| *name == given);
    Ok(legal.expect("by_name knows exactly these names"))
}

/// The legal name equal to `given`.
///
/// # Errors
/// When there is none; the message lists them and the nearest.
pub fn surrogate_name(given: &str) -> Result<&'static str, Error> {
    crate::surrogates::legal(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings::of_paper("fig8", "gp", 1).expect("legal")
    }

    #[test]
    fn the_paper_s_budget_is_110_evaluations() {
        assert_eq!(settings().evaluations(), 110);
        assert!(settings().check().is_ok());
    }

    #[test]
    fn each_number_out_of_range_is_named_with_its_flag() {
        let refused = |change: fn(&mut Settings)| {
            let mut settings = settings();
            change(&mut settings);
            settings.check().expect_err("out of range").to_string()
        };
        let count = "it must be a whole number from 1 to 2000";
        assert_eq!(
            refused(|s| s.iterations = 0),
            format!("--iterations is 0; {count}")
        );
        assert_eq!(
            refused(|s| s.iterations = 2001),
            format!("--iterations is 2001; {count}")
        );
        assert_eq!(
            refused(|s| s.initial = 0),
            format!("--initial is 0; {count}")
        );
        assert_eq!(
            refused(|s| s.kappa = -1.0),
            "--kappa is -1; it must be finite and not negative"
        );
        assert_eq!(
            refused(|s| s.kappa = f64::NAN),
            "--kappa is NaN; it must be finite and not negative"
        );
        assert_eq!(
            refused(|s| s.held_out_winds = 1),
            "--held-out is 1; it must be a whole number from 2 to 100000"
        );
    }

    #[test]
    fn names_are_checked() {
        assert!(Settings::of_paper("loop", "gp", 1).is_err());
        assert!(Settings::of_paper("fig8", "gpp", 1).is_err());
    }
}
