//! Search: the optimiser that an `init` began, with values in its convention.

use super::Asked;
use crate::serve::message::{Init, ProtocolError, Tell};
use search::{Choice, Contexts, Evaluated, Observation, Optimiser, Recommendation, Transform};
use serde_json::{Value, json};

/// A search that was begun.
pub(super) struct Search {
    pub(super) optimiser: Optimiser,
    pub(super) begun: Init,
    /// The covariates of the observations in deviations from their means, if there are any.
    contexts: Option<Contexts>,
}

impl Search {
    /// The search that `init` begins.
    pub(super) fn begin(init: Init) -> Result<Search, ProtocolError> {
        let mut settings = init.settings.clone();
        if settings.transform == Transform::Log {
            match settings.lost_value {
                _ if init.maximise => {
                    let sentence =
                        "the transform log is for costs; it does not go with the direction max";
                    return Err(sentence.into());
                }
                Some(value) => check_logarithm("lost_value", value)?,
                None => {}
            }
        }
        // The optimiser learns from either in the same place behind the coordinates.
        if settings.covariates > 0 && init.target_domain.is_some() {
            let sentence =
                "covariates and a `target_domain` are not learnt together; leave one of them out";
            return Err(sentence.into());
        }
        let sign = if init.maximise { -1.0 } else { 1.0 };
        settings.lost_value = settings.lost_value.map(|value| sign * value);
        let contexts = (settings.covariates > 0).then(|| Contexts {
            rows: Vec::new(),
            target: vec![0.0; settings.covariates],
        });
        let mut search = Search {
            optimiser: Optimiser::new(init.space.clone(), settings)?,
            begun: init,
            contexts,
        };
        search.set_contexts();
        Ok(search)
    }

    /// The next point, in natural units and as it was chosen, or the replayed one.
    pub(super) fn choose(&mut self, replayed: Option<&Asked>) -> (Vec<f64>, Asked) {
        if let Some(asked) = replayed {
            let x = self.optimiser.space().natural(&asked.unit);
            self.optimiser
                .replay_suggestion(asked.unit.clone(), &asked.origin);
            return (x, asked.clone());
        }
        let suggestion = self.optimiser.ask();
        let unit = self.optimiser.pending().last().cloned().unwrap_or_default();
        let origin = suggestion.origin;
        (suggestion.x, Asked { unit, origin })
    }

    /// Learns the evaluation `tell` at `x` of suggestion `id`, if it has one.
    pub(super) fn observe(
        &mut self,
        id: Option<u64>,
        x: &[f64],
        tell: &Tell,
    ) -> Result<(), ProtocolError> {
        let begun = &self.begun;
        if let (Transform::Log, Some(y)) = (begun.settings.transform, tell.y) {
            check_logarithm("y", y)?;
        }
        let (given, lost) = (tell.covariates.as_deref(), tell.y.is_none());
        let row = begun.covariates.standardised(given, lost)?;
        let y = tell.y.map(|y| if begun.maximise { -y } else { y });
        // Without a target domain all evaluations count as one domain.
        let other = match (&begun.target_domain, &tell.domain) {
            (Some(target), Some(domain)) if target != domain => Some(domain.as_str()),
            _ => None,
        };
        let outputs = begun.outputs.measured(tell.outputs.as_deref(), lost)?;
        self.optimiser.tell_evaluated(Evaluated {
            id,
            x,
            outcome: y.into(),
            other_domain: other,
            outputs: &outputs,
        })?;
        if let Some(contexts) = &mut self.contexts {
            contexts.rows.push(row);
            self.set_contexts();
        }
        Ok(())
    }

    /// The answer to `recommend`.
    pub(super) fn recommended(&mut self) -> Result<Value, ProtocolError> {
        let Recommendation { x, choice } = self.optimiser.recommended()?;
        Ok(match self.begun.settings.outputs.is_empty() {
            true => json!({ "x": x }),
            false => json!({ "x": x, "within_limits": choice != Choice::OutsideLimits }),
        })
    }

    /// The answer to `front`.
    pub(super) fn front(&self) -> Value {
        let sign = if self.begun.maximise { -1.0 } else { 1.0 };
        let space = self.optimiser.space();
        let entry = |o: &Observation| {
            let y = o.value.map(|value| sign * value);
            json!({ "x": space.natural(&o.x), "y": y, "outputs": o.outputs })
        };
        let front = self.optimiser.front();
        json!({ "front": front.into_iter().map(entry).collect::<Vec<Value>>() })
    }

    /// Gives the optimiser the covariates of all observations.
    fn set_contexts(&mut self) {
        if let Some(contexts) = &self.contexts {
            self.optimiser.set_contexts(contexts.clone());
        }
    }
}

fn check_logarithm(what: &str, value: f64) -> Result<(), ProtocolError> {
    match value > 0.0 && value.is_finite() {
        true => Ok(()),
        false => {
            Err(format!("{what} is {value}; with the transform log it must be above 0").into())
        }
    }
}
