//! Values: what may be typed behind a flag, and the one line that refuses anything else.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};
use std::ffi::OsStr;

/// A whole number within limits.
#[derive(Debug, Clone, Copy)]
pub struct Whole {
    least: u64,
    most: u64,
}

impl Whole {
    /// Any from `least` on.
    pub const fn from(least: u64) -> Whole {
        let most = u64::MAX;
        Whole { least, most }
    }

    /// Any up to `most`.
    pub const fn to(self, most: u64) -> Whole {
        Whole { most, ..self }
    }
}

impl TypedValueParser for Whole {
    type Value = u64;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        text: &OsStr,
    ) -> Result<u64, clap::Error> {
        let Whole { least, most } = *self;
        let number = text.to_str().and_then(|text| text.parse().ok());
        let within = number.filter(|number| (least..=most).contains(number));
        let wanted = || format!("a whole number from {least} to {most}");
        within.ok_or_else(|| refused(command, arg, text, &wanted()))
    }
}

/// That what was typed behind a flag is not what is wanted there.
pub fn refused(command: &Command, arg: Option<&Arg>, text: &OsStr, wanted: &str) -> clap::Error {
    let flag = arg.and_then(Arg::get_long).unwrap_or_default();
    let given = text.to_string_lossy();
    let said = format!("--{flag} is {given}; it must be {wanted}\n");
    clap::Error::raw(ErrorKind::ValueValidation, said).with_cmd(command)
}

/// A word that a shell completes to one of these names; any other is taken as well, for it may be a
/// file or a list, and its command answers a wrong one.
#[derive(Debug, Clone)]
pub struct Offered(Vec<&'static str>);

impl Offered {
    /// These names.
    pub fn these(names: impl IntoIterator<Item = &'static str>) -> Offered {
        Offered(names.into_iter().collect())
    }
}

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        text: &OsStr,
    ) -> Result<String, clap::Error> {
        clap::builder::StringValueParser::new().parse_ref(command, arg, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().copied().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage::one_line;
    use clap::{CommandFactory, Parser};

    #[derive(Debug, Parser)]
    struct Cli {
        #[arg(long, value_parser = Whole::from(1).to(9))]
        seed: Option<u64>,
        #[arg(long, value_parser = Offered::these(["fig8"]))]
        traj: Option<String>,
    }

    #[test]
    fn a_number_is_asked_for_in_words() {
        for given in ["x", "0", "10", "-1", "1e3", "99999999999999999999999"] {
            let error = Cli::try_parse_from(["fly", &format!("--seed={given}")]);
            let line = one_line(&error.expect_err("no such number"));
            assert!(
                line == format!("error: --seed is {given}; it must be a whole number from 1 to 9"),
                "{line}"
            );
        }
    }

    #[test]
    fn a_name_that_is_offered_is_not_the_only_one() {
        let cli = Cli::try_parse_from(["fly", "--traj", "my.csv"]).expect("a file");
        assert_eq!(cli.traj.as_deref(), Some("my.csv"));
        let traj = Cli::command()
            .get_arguments()
            .find(|a| a.get_id() == "traj")
            .cloned();
        let offered = traj.map(|traj| traj.get_possible_values());
        let offered = offered.unwrap_or_default();
        assert_eq!(offered[0].get_name(), "fig8");
    }
}
