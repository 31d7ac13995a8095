//! Bayesian: the optimiser at work on a tuning problem. It learns the logarithm of the cost over the
//! unit cube of gains, and, where a study asks for that, the winds in which it was observed.

use super::settings::Settings;
use super::tune::{Budget, Searcher};
use crate::Error;
use crate::flights::context::{Context, Winds};
use crate::flights::evaluation::Evaluation;
use crate::flights::problem::Problem;
use crate::streams::{Stream, Study};
use dilgp::Prediction;
use search::surrogates;
use search::{
    self, Contexts, Learner, Optimiser, Recommendation, Recommender, Refusal, Space, Suggestion,
    Time, Transform,
};
use sim::ACE_CAP_M;

/// The context of the mean wind of a study.
const MEAN_WIND: [f64; Winds::NUMBERS] = [0.0; Winds::NUMBERS];

/// A Bayesian search of one run.
pub struct Bayesian {
    optimiser: Optimiser,
    /// The winds of the study, where the surrogate has them as context.
    winds: Option<Winds>,
    /// The context of each evaluation, those of an earlier run first.
    contexts: Vec<Vec<f64>>,
    /// Contexts that the optimiser has.
    contexts_set: Option<usize>,
    /// Evaluations taken in.
    told: usize,
    /// Points that were named and are not yet told.
    asked: usize,
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
            recommender: settings.recommender()?,
            loss_model: settings.loss_model()?,
            lost_value: Some(ACE_CAP_M),
            noisy: true,
            baseline: Some(problem.baseline()),
            initial: settings.initial as usize,
            budget: Some(settings.evaluations() as usize),
            transform: Transform::Log,
            covariates: covariates(settings),
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
                contexts.resize(start.trials.len(), MEAN_WIND.to_vec());
            }
        }
        Ok(Bayesian {
            optimiser,
            winds,
            contexts,
            contexts_set: None,
            told: 0,
            asked: 0,
            budget: settings.budget(),
        })
    }

    /// Takes in the evaluations that are new since the last time.
    ///
    /// # Errors
    /// Evaluations that are not of the problem.
    pub fn learn(&mut self, made: &[Evaluation]) -> Result<(), Refusal> {
        while self.told < made.len() {
            let round = self.budget.round_of(self.told) + self.budget.together as usize;
            let round = &made[self.told..round.min(made.len())];
            // What is learnt later depends on what was learnt to name these points, and in what winds.
            self.set_contexts();
            for evaluation in round.get(self.asked..).unwrap_or_default() {
                self.optimiser.replay(&evaluation.x)?;
            }
            for evaluation in round {
                self.optimiser.tell_at(&evaluation.x, evaluation.value())?;
                if let Some(winds) = &self.winds {
                    self.contexts.push(winds.context(&evaluation.flights));
                }
            }
            self.asked = self.asked.saturating_sub(round.len());
            self.told += round.len();
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

    /// What is believed of the logarithm of the cost at `points` of the cube; nothing where the
    /// surrogate cannot be fitted.
    ///
    /// # Errors
    /// Points that are not of the cube.
    pub fn believed(&mut self, points: &[Vec<f64>]) -> Result<Option<Prediction>, Refusal> {
        self.optimiser.posterior(points)
    }

    /// What is believed of the logarithm of the cost of `next` in the circumstances that it met, where the
    /// study tells of such; else as [`Bayesian::believed`] has it.
    ///
    /// # Errors
    /// As [`Bayesian::believed`].
    pub fn believed_of(&mut self, next: &Evaluation) -> Result<Option<Prediction>, Refusal> {
        let winds = self.winds.as_ref();
        match winds.map(|winds| winds.context(&next.flights)) {
            Some(met) => self.optimiser.posterior_in(&next.x, met),
            None => self.believed(std::slice::from_ref(&next.x)),
        }
    }

    /// Where the time went.
    pub fn time(&self) -> Time {
        self.optimiser.time()
    }
}

impl Searcher for Bayesian {
    fn next(&mut self, made: &[Evaluation], count: usize) -> Result<Vec<Suggestion>, Error> {
        self.learn(made)?;
        self.asked += count;
        Ok((0..count).map(|_| self.optimiser.ask()).collect())
    }
}

/// What learns, as `settings` name it.
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
