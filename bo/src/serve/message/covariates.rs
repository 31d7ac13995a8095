//! Covariates: what a client measures of each evaluation and did not choose, as how rough the wind was.
//!
//! Each is standardised by what the client expects of it and not by the observations: a map that never
//! changes leaves nothing to learn anew, and the same messages give the same answers.

use super::ProtocolError;
use super::field::{Fields, missing, shortened, wrong};

/// Most covariates of one search.
const MOST: usize = 64;

/// Most deviations of one from its mean. Beside the square of more, which enters the covariance, double
/// precision has no digits for the effect of the point; and it is more likely in another unit.
const FARTHEST: f64 = 1000.0;

/// One covariate, and what is expected of it in its own unit.
#[derive(Debug, Clone, PartialEq)]
struct Covariate {
    name: String,
    mean: f64,
    deviation: f64,
}

/// The covariates of a search, in the order of their values in a `tell`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Covariates(Vec<Covariate>);

impl Covariates {
    /// Those that an `init` declares; none where it says nothing of any.
    pub(super) fn declared(fields: &Fields) -> Result<Covariates, ProtocolError> {
        let named = |fields: &Fields| {
            let covariate = Covariate::declared(fields)?;
            Ok((covariate.name.clone(), covariate))
        };
        let all = fields.declared("covariates", MOST, named)?;
        Ok(Covariates(all.into_iter().map(|(_, one)| one).collect()))
    }

    /// Their number.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// What was `given` of an evaluation, each in deviations from its mean. Of one that was `lost` nothing
    /// need be given; it counts at the means.
    ///
    /// # Errors
    /// Too few or too many, one that is not finite, or one that lies implausibly far from its mean.
    pub fn standardised(
        &self,
        given: Option<&[f64]>,
        lost: bool,
    ) -> Result<Vec<f64>, ProtocolError> {
        let expected = self.count();
        if given.is_none() && lost {
            return Ok(vec![0.0; expected]);
        }
        let given = given.unwrap_or_default();
        if given.len() != expected {
            let given = given.len();
            let sentence =
                format!("`covariates`: expected {expected}, as `init` declares, given {given}");
            return Err(sentence.into());
        }
        let each = self.0.iter().zip(given).enumerate();
        each.map(|(index, (covariate, value))| covariate.standardised(index, *value))
            .collect()
    }
}

impl Covariate {
    fn declared(fields: &Fields) -> Result<Covariate, ProtocolError> {
        let name = fields.text("name")?.ok_or_else(|| missing("name"))?;
        if name.is_empty() {
            let wanted = "the name of a covariate, not empty";
            return Err(wrong("name", &name.into(), wanted));
        }
        let of = |field, wanted, legal: fn(f64) -> bool| {
            let given = fields.number(field)?;
            let illegal = || {
                let name = shortened(name);
                let given = given.map_or_else(|| "missing".to_owned(), |given| given.to_string());
                format!("`{field}` of covariate `{name}` is {given}; it must be {wanted}")
            };
            let given = given.filter(|given| legal(*given));
            given.ok_or_else(|| ProtocolError::from(illegal()))
        };
        let positive = |value: f64| value.is_finite() && value > 0.0;
        Ok(Covariate {
            name: name.to_owned(),
            mean: of("mean", "a finite number", f64::is_finite)?,
            deviation: of("deviation", "finite and above 0", positive)?,
        })
    }

    /// `value`, the covariate of that `index`, in deviations from the mean.
    fn standardised(&self, index: usize, value: f64) -> Result<f64, ProtocolError> {
        let name = shortened(&self.name);
        if !value.is_finite() {
            return Err(
                format!("covariates[{index}] (`{name}`) is {value}, not a finite number").into(),
            );
        }
        let Covariate {
            mean, deviation, ..
        } = self;
        let deviations = (value - mean) / deviation;
        match deviations.abs() <= FARTHEST {
            true => Ok(deviations),
            false => Err(format!(
                "covariates[{index}] (`{name}`) is {value}, more than {FARTHEST} deviations of {deviation} from its mean of {mean}"
            )
            .into()),
        }
    }
}
