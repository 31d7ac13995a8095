//! Weather: the wind that a request asks for, and that wind as it blows.

use super::FindFile;
use super::fault::Fault;
use super::request::{bounded, of};
use crate::flight::trust;
use crate::{Airframe, Concern, DOMAIN_NAMES, Domain, DomainWind, Sheared, Steady, Wind};
use nalgebra::Vector3;
use serde_json::Value;

/// The wind asked for.
pub(super) enum Weather {
    Constant(Vector3<f64>),
    Gusts(Box<Domain>),
}

/// The same from one step to the next.
#[derive(Clone)]
pub(super) enum Blowing {
    Constant(Steady),
    Gusts(Box<DomainWind>),
}

impl Weather {
    /// What a name, a path, three numbers or an object stand for; still air without any.
    pub(super) fn of(given: &Value, files: &FindFile) -> Result<Weather, Fault> {
        const PART: &str = "wind";
        let domain = match given {
            Value::Null => None,
            Value::Array(_) => {
                let wind: [f64; 3] = of(given.clone(), PART)?;
                bounded(PART, &wind)?;
                return Ok(Weather::Constant(Vector3::from(wind)));
            }
            Value::String(word) => {
                let names = [&DOMAIN_NAMES[..], &["still"]].concat();
                match files(word, &names) {
                    Some(text) => Some(Domain::from_toml(&text.map_err(Fault::file(word))?)?),
                    None => Domain::by_name_or_still(word)?,
                }
            }
            Value::Object(_) => {
                let domain: Domain = of(given.clone(), PART)?;
                domain.check()?;
                Some(domain)
            }
            _ => {
                let wanted = "a name, a path, three numbers or an object";
                return Err(Fault::Kind { part: PART, wanted });
            }
        };
        if domain
            .as_ref()
            .is_some_and(|domain| domain.record.is_some())
        {
            let wanted = "a name, a path, three numbers or an object, and no record: flights here have no set end";
            return Err(Fault::Kind { part: PART, wanted });
        }
        Ok(
            domain.map_or(Weather::Constant(Vector3::zeros()), |domain| {
                Weather::Gusts(Box::new(domain))
            }),
        )
    }

    /// The wind from its start, in steps of `step_s` [s].
    pub(super) fn blowing(&self, seed: u64, step_s: f64) -> Blowing {
        match self {
            Weather::Constant(wind) => Blowing::Constant(Steady(*wind)),
            Weather::Gusts(domain) => {
                // A record, which would have an end, was refused.
                Blowing::Gusts(Box::new(domain.wind_with_step(seed, 0.0, step_s)))
            }
        }
    }

    /// What makes it mean less than it seems to for `airframe`.
    pub(super) fn concerns(&self, airframe: &Airframe) -> Vec<Concern> {
        match self {
            Weather::Gusts(domain) => trust::wind(airframe, &[domain]),
            Weather::Constant(wind) if *wind != Vector3::zeros() && !airframe.feels_wind() => {
                vec![Concern::WindDoesNotAct {
                    airframe: airframe.name.clone(),
                }]
            }
            Weather::Constant(_) => Vec::new(),
        }
    }
}

impl Wind for Blowing {
    fn step(&mut self) -> Vector3<f64> {
        match self {
            Blowing::Constant(wind) => wind.step(),
            Blowing::Gusts(wind) => wind.step(),
        }
    }
    fn sheared(&self) -> Option<Sheared> {
        match self {
            Blowing::Constant(wind) => wind.sheared(),
            Blowing::Gusts(wind) => wind.sheared(),
        }
    }
}
