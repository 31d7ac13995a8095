//! Bayesian: the optimiser at work on a tuning problem. It learns the logarithm of the cost over the
//! unit cube of gains, with the winds as context if the study asks for that.

use super::settings::Settings;
use super::tune::{Budget, Searcher};
use crate::Error;
use crate::flights::context::{Context, Winds};
use crate::flights::evaluation::Evaluation;
use crate::flights::problem::Problem;
use crate::flights::tuning::limits::MeasuredLimits;
use crate::streams::{Stream, Study};
use dilgp::Prediction;
use search::maximise::Region;
use search::surrogates;
use search::{
    self, Contexts, Evaluated, Learner, Optimiser, Recommendation, Recommender, Refusal, Space,
    Suggestion, Time, Transform,
};
use sim::ACE_CAP_M;

/// The context of the mean wind of a study.
const MEAN_WIND: [f64; Winds::NUMBERS] = [0.0; Winds::NUMBERS];

/// A Bayesian search of one run.
pub struct Bayesian {
    optimiser: Optimiser,
    /// What is asked of what flights measure.
    limits: MeasuredLimits,
    /// The winds of the study, if they are the surrogate's context.
    winds: Option<Winds>,
    /// The context of each evaluation, those of an earlier run first.
    contexts: Vec<Vec<f64>>,
    /// Contexts that the optimiser has.
    contexts_set: Option<usize>,
    /// Evaluations learnt.
    observed: usize,
    /// Suggested points whose evaluations are not yet learnt.
    pending: usize,
    budget: Budget,
}

impl Bayesian {
    /// The search of `problem` that `settings` describe; nothing is evaluated yet.
    ///
    /// # Errors
    /// A surrogate that does not exist or cannot use the winds, or an acquisition that it cannot serve.
    pub fn new(problem: &Problem, settings: &Settings) -> Result<Bayesian, Error> {
        let seed = Study::Search.of(problem.tuning.study_seed);
        Bayesian::seeded(problem, settings, seed)
    }

    /// The same with random numbers of its own.
    ///
    /// # Errors
    /// As [`Bayesian::new`].
    pub fn seeded(problem: &Problem, settings: &Settings, seed: u64) -> Result<Bayesian, Error> {
        let learner = learner(problem, settings)?;
        let has_winds = settings.environments == Context::Winds;
        let winds = has_winds.then(|| Winds::of(&problem.tuning));
        let described = search::Settings {
            surrogate: settings.surrogate.to_owned(),
            acquisition: Some(settings.rule()?),
            recommender: settings.recommender,
            loss_model: settings.loss_model,
            lost_value: Some(ACE_CAP_M),
            noisy: true,
            baseline: Some(problem.baseline()),
            initial: settings.initial as usize,
            budget: Some(settings.evaluations() as usize),
            transform: Transform::Log,
            covariates: covariates(settings),
            outputs: settings.measured.roles(),
            local: false,
            seed,
        };
        let cube = Space::cube(problem.space.dimensions())?;
        let mut optimiser = Optimiser::learning_with(learner, cube, described)?;
        if let Some(allowed) = problem.allowed()? {
            optimiser.restrict(allowed);
        }
        let mut contexts = Vec::new();
        if let Some(start) = &problem.warm_start {
            for (x, value) in start.known(problem.space.knobs()) {
                optimiser.add_earlier(&x, value)?;
            }
            if has_winds {
                // Those winds count as the mean wind.
                contexts.resize(optimiser.seen().count(), MEAN_WIND.to_vec());
            }
        }
        Ok(Bayesian {
            optimiser,
            limits: settings.measured,
            winds,
            contexts,
            contexts_set: None,
            observed: 0,
            pending: 0,
            budget: settings.budget(),
        })
    }

    /// Takes in the evaluations that are new since the last time.
    ///
    /// # Errors
    /// Evaluations that are not of the problem.
    pub fn learn(&mut self, history: &[Evaluation]) -> Result<(), Refusal> {
        while self.observed < history.len() {
            let end = self.budget.batch_start(self.observed) + self.budget.batch_size as usize;
            let batch = &history[self.observed..end.min(history.len())];
            // The fits depend on the contexts that were set when these points were suggested.
            self.set_contexts();
            for evaluation in batch.get(self.pending..).unwrap_or_default() {
                self.optimiser.replay(&evaluation.x)?;
            }
            for evaluation in batch {
                self.optimiser.tell_evaluated(Evaluated {
                    id: self.optimiser.pending_near(&evaluation.x)?,
                    outputs: &self.limits.measured(&evaluation.flights),
                    ..Evaluated::at(&evaluation.x, evaluation.value())
                })?;
                if let Some(winds) = &self.winds {
                    self.contexts.push(winds.context(&evaluation.flights));
                }
            }
            self.pending = self.pending.saturating_sub(batch.len());
            self.observed += batch.len();
        }
        self.set_contexts();
        Ok(())
    }

    /// Gives the optimiser the context of each evaluation; gains are wanted for the mean wind.
    fn set_contexts(&mut self) {
        let known = Some(self.contexts.len());
        if self.winds.is_some() && self.contexts_set != known {
            self.optimiser.set_contexts(Contexts {
                rows: self.contexts.clone(),
                target: MEAN_WIND.to_vec(),
            });
            self.contexts_set = known;
        }
    }

    /// The gains' points that the averaging recommender and the paper's would deploy.
    ///
    /// # Errors
    /// None that a search with a baseline meets.
    pub fn recommend(&mut self) -> Result<[Recommendation; 2], Refusal> {
        let usual = self.optimiser.usual_recommender();
        Ok([
            self.optimiser.recommend_by(usual)?,
            self.optimiser.recommend_by(Recommender::Observed)?,
        ])
    }

    /// The posterior of the logarithm of the cost at `points` of the cube; `None` if the surrogate
    /// cannot be fitted.
    ///
    /// # Errors
    /// Points that are not of the cube.
    pub fn posterior(&mut self, points: &[Vec<f64>]) -> Result<Option<Prediction>, Refusal> {
        self.optimiser.posterior(points)
    }

    /// The posterior of the logarithm of the cost of `next`, in the context that it met if the study has
    /// one, else as [`Bayesian::posterior`].
    ///
    /// # Errors
    /// As [`Bayesian::posterior`].
    pub fn posterior_of(&mut self, next: &Evaluation) -> Result<Option<Prediction>, Refusal> {
        let winds = self.winds.as_ref();
        match winds.map(|winds| winds.context(&next.flights)) {
            Some(met) => self.optimiser.posterior_in(&next.x, met),
            None => self.posterior(std::slice::from_ref(&next.x)),
        }
    }

    /// How much each gain matters within a box of the cube; nothing if no surrogate can be fitted.
    pub fn importance(&mut self, within: &Region) -> Option<Vec<f64>> {
        let shares = self.optimiser.importance(within)?;
        shares.into_iter().collect()
    }

    /// Where its time went.
    pub fn time(&self) -> Time {
        self.optimiser.time()
    }
}

impl Searcher for Bayesian {
    fn next(&mut self, history: &[Evaluation], count: usize) -> Result<Vec<Suggestion>, Error> {
        self.learn(history)?;
        self.pending += count;
        Ok((0..count).map(|_| self.optimiser.ask()).collect())
    }
}

/// The learner that `settings` name.
fn learner(problem: &Problem, settings: &Settings) -> Result<Learner, Error> {
    let name = settings.surrogate;
    let dimensions = problem.space.dimensions();
    Ok(match settings.environments {
        Context::None if name == surrogates::AUTO => Learner::by_name(name, true)?,
        Context::None => Learner::Other(surrogates::with_lambda(name, settings.lambda)?),
        Context::Winds => Learner::contextual(name, dimensions, covariates(settings))?,
        Context::Retired(_) => return Err(settings.unable()),
    })
}

/// How many numbers of context each flight has.
fn covariates(settings: &Settings) -> usize {
    match settings.environments {
        Context::Winds => Winds::NUMBERS,
        _ => 0,
    }
}
