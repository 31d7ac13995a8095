//! Outputs: what a client measures of each evaluation beside its value, and what is to become of it: kept
//! at most at a limit, or traded with the value.

use super::ProtocolError;
use super::field::{Fields, missing, shortened};
use search::Role;

/// Most outputs of one search: each has a model of its own.
const MOST: usize = 16;

/// Names and roles, in the order of their values in a `tell`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outputs(Vec<(String, Role)>);

impl Outputs {
    /// Those that an `init` declares; none where it says nothing of any.
    pub(super) fn declared(fields: &Fields) -> Result<Outputs, ProtocolError> {
        fields.declared("outputs", MOST, declared).map(Outputs)
    }

    /// What becomes of each.
    pub fn roles(&self) -> Vec<Role> {
        self.0.iter().map(|(_, role)| *role).collect()
    }

    /// What was `given` of an evaluation. Of one that was `lost` nothing need be given; a number that is
    /// not finite was not measured.
    ///
    /// # Errors
    /// Too few or too many.
    pub fn measured(&self, given: Option<&[f64]>, lost: bool) -> Result<Vec<f64>, ProtocolError> {
        let expected = self.0.len();
        match given {
            None if lost || expected == 0 => Ok(vec![f64::NAN; expected]),
            Some(given) if given.len() == expected => Ok(given.to_vec()),
            given => {
                let given = given.map_or(0, <[f64]>::len);
                let names: Vec<&str> = self.0.iter().map(|(name, _)| &name[..]).collect();
                let names = names.join(", ");
                Err(format!(
                    "`outputs`: expected {expected} ({names}), as `init` declares, given {given}"
                )
                .into())
            }
        }
    }
}

fn declared(fields: &Fields) -> Result<(String, Role), ProtocolError> {
    let name = fields.text("name")?.ok_or_else(|| missing("name"))?;
    let most = fields.number("most")?;
    let role = match (most, fields.flag("traded")?.unwrap_or(false)) {
        (Some(most), false) if most.is_finite() => Role::AtMost(most),
        (None, true) => Role::Traded,
        _ => {
            return Err(format!(
                "output `{}` must have either `most`, a finite number, or `traded`: true",
                shortened(name)
            )
            .into());
        }
    };
    if let Some(unknown) = fields.unknown().next() {
        let unknown = shortened(unknown);
        return Err(format!(
            "field `{unknown}` of output `{}` is not known",
            shortened(name)
        )
        .into());
    }
    Ok((name.to_owned(), role))
}
