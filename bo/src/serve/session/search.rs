//! Search: the optimiser that an `init` began, with values in its convention.

use super::Asked;
use crate::serve::message::{Init, ProtocolError, Tell};
use search::maximise::Region;
use search::{
    Choice, Contexts, Evaluated, FrontMember, Optimiser, Predicted, Recommendation, Transform,
};
use serde_json::{Value, json};

/// A search that was begun.
pub(super) struct Search {
    pub(super) optimiser: Optimiser,
    pub(super) begun: Init,
    /// The covariates of the observations in deviations from their means, if there are any.
    contexts: Option<Contexts>,
    /// What else is known of the observations, in their order.
    details: Vec<Details>,
    /// The evaluations that are no data any more, as `history` had them.
    withdrawn: Vec<Value>,
}

/// What the optimiser does not know of an observation.
struct Details {
    /// The number of the evaluation.
    id: u64,
    /// Where it was made, in natural units.
    x: Vec<f64>,
    /// What is to be remembered of it.
    note: Option<String>,
    /// Its covariates, each in its own unit; `None` where it said none.
    covariates: Option<Vec<f64>>,
}

/// Evaluations from which on equal values are worth a note.
const CONSTANT: usize = 5;

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
        let mut optimiser = Optimiser::new(init.points.space().clone(), settings)?;
        if let Some(constraint) = init.points.constraint()? {
            optimiser.restrict(constraint);
        }
        let mut search = Search {
            optimiser,
            begun: init,
            contexts,
            details: Vec::new(),
            withdrawn: Vec::new(),
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

    /// Learns the evaluation `tell` at `x` of suggestion `id`, if it has one; `additional` to those of the search
    /// if it is a second answer.
    pub(super) fn observe(
        &mut self,
        id: Option<u64>,
        x: &[f64],
        tell: &Tell,
        additional: bool,
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
            error: tell.sem.filter(|_| y.is_some()),
            additional,
        })?;
        self.details.push(Details {
            id: 0,
            x: x.to_vec(),
            note: None,
            covariates: tell.covariates.clone().filter(|all| !all.is_empty()),
        });
        if let Some(contexts) = &mut self.contexts {
            contexts.rows.push(row);
            self.set_contexts();
        }
        Ok(())
    }

    /// The answer to `recommend`.
    pub(super) fn recommended(&mut self) -> Result<Value, ProtocolError> {
        let Recommendation { x, choice } = self.optimiser.recommended()?;
        let x = self.begun.points.said(&x);
        Ok(match self.begun.settings.outputs.is_empty() {
            true => json!({ "x": x }),
            false => json!({ "x": x, "within_limits": choice != Choice::OutsideLimits }),
        })
    }

    /// The answer to `front`: in noise what the models predict at each point, with what was told of it.
    pub(super) fn front(&mut self) -> Value {
        let sign = if self.begun.maximise { -1.0 } else { 1.0 };
        let front = self.optimiser.front();
        let (space, points) = (self.optimiser.space(), &self.begun.points);
        let entry = |member: &FrontMember| {
            let o = &member.observation;
            let y = o.value.map(|value| sign * value);
            let x = points.said(&space.natural(&o.x));
            let Some(predicted) = &member.predicted else {
                return json!({ "x": x, "y": y, "outputs": o.outputs });
            };
            let std = |of: &Predicted| of.moments.map(|[_, std]| std);
            let outputs = &predicted.outputs;
            json!({
                "x": x,
                "y": sign * predicted.value.median,
                "std": std(&predicted.value),
                "outputs": outputs.iter().map(|of| of.median).collect::<Vec<f64>>(),
                "outputs_std": outputs.iter().map(std).collect::<Vec<_>>(),
                "told": { "y": y, "outputs": o.outputs },
            })
        };
        json!({ "front": front.iter().map(entry).collect::<Vec<Value>>() })
    }

    /// The answer to `predict` of points: the expected value of the function at each, its standard deviation,
    /// median and 95 % interval; `null` where the surrogate claims none, or the map of values is not finite.
    pub(super) fn predicted(&mut self, points: &[Value]) -> Result<Value, ProtocolError> {
        if points.is_empty() {
            return Err("`x` has no point".into());
        }
        let points = points.iter().map(|x| self.begun.points.read(x));
        let points: Vec<Vec<f64>> = points.collect::<Result<_, _>>()?;
        let predicted = self.optimiser.predict(&points)?;
        let predicted = predicted.ok_or("nothing to predict from: no value was told")?;
        let sign = if self.begun.maximise { -1.0 } else { 1.0 };
        let column = |of: &dyn Fn(&Predicted) -> Value| predicted.iter().map(of).collect::<Value>();
        Ok(json!({
            "mean": column(&|at| json!(at.moments.map(|[mean, _]| sign * mean))),
            "std": column(&|at| json!(at.moments.map(|[_, std]| std))),
            "median": column(&|at| json!(sign * at.median)),
            "interval": column(&|at| json!(at.interval.map(|[low, high]| match self.begun.maximise {
                true => [-high, -low],
                false => [low, high],
            }))),
        }))
    }

    /// The answer to `importance`: of each parameter that is not fixed the share of the variance of the posterior
    /// mean over the box that it takes part in.
    pub(super) fn importance(&mut self) -> Result<Value, ProtocolError> {
        let cube = Region::cube(self.optimiser.space().dimensions());
        let shares = self.optimiser.importance(&cube);
        let shares = shares.ok_or("nothing to weigh: no value was told")?;
        let named = self.optimiser.space().parameters().iter().zip(shares);
        let named = named
            .filter_map(|(parameter, share)| Some((parameter.name().to_owned(), json!(share?))));
        Ok(json!({ "importance": named.collect::<serde_json::Map<String, Value>>() }))
    }

    /// Numbers the last observation; by its place where evaluations have no numbers. The number.
    pub(super) fn number_last(&mut self, id: Option<u64>) -> u64 {
        let place = (self.details.len() + self.withdrawn.len()).saturating_sub(1) as u64;
        let id = id.unwrap_or(place);
        if let Some(last) = self.details.last_mut() {
            last.id = id;
        }
        id
    }

    /// Whether as many evaluations were told as the budget has. One that is withdrawn gives its place back, second
    /// answers take none.
    pub(super) fn is_spent(&self) -> bool {
        let budget = self.begun.settings.budget;
        budget.is_some_and(|budget| self.optimiser.seen().own() >= budget)
    }

    fn not_there(&self, id: u64) -> ProtocolError {
        match self.withdrawn.iter().any(|gone| gone["id"] == id) {
            true => format!("evaluation {id} was withdrawn").into(),
            false => format!("no evaluation {id} was told").into(),
        }
    }

    /// Remembers `text` of evaluation `id`.
    pub(super) fn note(&mut self, id: u64, text: String) -> Result<(), ProtocolError> {
        let mut found = false;
        for told in self.details.iter_mut().filter(|told| told.id == id) {
            told.note = Some(text.clone());
            found = true;
        }
        match found {
            true => Ok(()),
            false => Err(self.not_there(id)),
        }
    }

    /// Takes evaluation `id` back, all answers to it: from now on it is no data.
    pub(super) fn withdraw(&mut self, id: u64, why: &str) -> Result<(), ProtocolError> {
        let place = |search: &Search| search.details.iter().position(|told| told.id == id);
        if place(self).is_none() {
            return Err(self.not_there(id));
        }
        while let Some(place) = place(self) {
            let mut entry = self.entry(place);
            entry["withdrawn"] = why.into();
            self.withdrawn.push(entry);
            self.details.remove(place);
            self.optimiser.withdraw(place);
            if let Some(contexts) = &mut self.contexts {
                contexts.rows.remove(place);
            }
        }
        self.set_contexts();
        Ok(())
    }

    /// The answer to `history`: every evaluation, in the order of the answers, and those that were withdrawn.
    pub(super) fn history(&self) -> Value {
        let all: Vec<Value> = (0..self.details.len())
            .map(|place| self.entry(place))
            .collect();
        json!({ "history": all, "withdrawn": self.withdrawn })
    }

    /// Why evaluation `id` did not take the value `y`, in the client's convention; `None` where it has that value.
    pub(super) fn not_taken(&self, id: u64, y: Option<f64>) -> Option<String> {
        let sign = if self.begun.maximise { -1.0 } else { 1.0 };
        let pairs = self.details.iter().zip(self.optimiser.seen().all());
        let own = pairs.filter(|(told, _)| told.id == id);
        let kept: Vec<Option<f64>> = own.map(|(_, o)| Some(sign * o.value?)).collect();
        if kept.contains(&y) {
            return None;
        }
        Some(match kept.first() {
            None => format!("evaluation {id} was withdrawn, and takes no value"),
            Some(value) => format!(
                "evaluation {id} keeps what it was told, {}: what differs is not taken",
                value.map_or("a crash".to_owned(), |y| y.to_string())
            ),
        })
    }

    /// An observation in the client's convention.
    fn entry(&self, place: usize) -> Value {
        let sign = if self.begun.maximise { -1.0 } else { 1.0 };
        let (o, told) = (&self.optimiser.seen().all()[place], &self.details[place]);
        let mut entry = json!({
            "id": told.id,
            "x": self.begun.points.said(&told.x),
            "y": o.value.map(|value| sign * value),
        });
        if o.error > 0.0 {
            entry["sem"] = o.error.into();
        }
        if !o.outputs.is_empty() {
            entry["outputs"] = json!(o.outputs);
        }
        if let Some(covariates) = &told.covariates {
            entry["covariates"] = json!(covariates);
        }
        if o.earlier {
            entry["second"] = true.into();
        }
        if let Some(note) = &told.note {
            entry["note"] = note.as_str().into();
        }
        entry
    }

    /// `reply` with a note where there is something to say of the search as it stands.
    pub(super) fn noted(&self, mut reply: Value) -> Value {
        let seen = self.optimiser.seen().all();
        let points = self.optimiser.space().points();
        if let Some(points) = points.filter(|points| *points <= seen.len() as u64) {
            let mut different: Vec<&Vec<f64>> = seen.iter().map(|o| &o.x).collect();
            different.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
            different.dedup();
            if different.len() as u64 == points {
                reply["note"] = format!("all {points} points of the space were told").into();
            }
        }
        let values: Vec<f64> = seen.iter().filter_map(|o| o.value).collect();
        if values.len() >= CONSTANT && values.iter().all(|value| *value == values[0]) {
            let finished = values.len();
            reply["note"] =
                format!("all {finished} values told are equal: they say nothing").into();
        }
        reply
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
