//! Tuner: how a cell is worked out: tune by the cell's method, then test what it recommends.

use crate::Error;
use crate::comparison::plan::Budget;
use crate::comparison::plan::cell::{Candidate, Cell, Finished, Recommender};
use crate::comparison::plan::method::{self, Method};
use crate::comparison::work::baselines::{Evolution, RandomSearch};
use crate::comparison::work::program::Program;
use crate::flights::evaluation::{Evaluation, best};
use crate::flights::held_out::Planned;
use crate::flights::problem::Problem;
use crate::interrupt::Interrupt;
use crate::run::bayesian::Bayesian;
use crate::run::settings::Settings;
use crate::run::tune::{Observer, Searcher, tune};
use crate::streams::{Stream, Study};
use sim::Gains;
use std::path::Path;

/// The surrogate in the settings of a method that asks none.
const UNASKED: &str = "gp";

/// Works a cell out. In `folder` is kept what programs write to standard error.
///
/// # Errors
/// [`Error::Interrupted`], a name that does not exist, or a program that does not answer as it should.
pub fn work_out(
    cell: &Cell,
    budget: &Budget,
    folder: &Path,
    interrupt: &Interrupt,
    watcher: &mut dyn Observer,
) -> Result<Finished, Error> {
    let settings = settings(cell, budget)?;
    let mut problem = budget.problem(&settings)?;
    // A study has shares of its own.
    if let Some(training) = cell.training.filter(|_| budget.own_study.is_none()) {
        let share = training.gusty_share();
        problem.tuning.shares = vec![share, 1.0 - share];
    }
    let work = Work {
        settings,
        problem,
        interrupt,
    };
    let mut unrecommended = None;
    let (trials, chosen) = match cell.method {
        Method::DefaultGains => (Vec::new(), vec![work.default_gains()]),
        Method::RandomSearch => work.random_search(watcher)?,
        Method::CmaEs => work.evolution(watcher)?,
        Method::Surrogate(_) => work.surrogate(watcher)?,
        Method::Program(program) => {
            let (outcome, error) = work.program(&program, (folder, &cell.key()), watcher)?;
            unrecommended = error;
            outcome
        }
    };
    let candidates = work.test(&chosen, watcher)?;
    Ok(Finished {
        key: cell.key(),
        candidates,
        trials,
        unrecommended,
    })
}

/// The settings of a cell. All that search by the confidence bound are recommended by the centroid,
/// so that their rows differ by the surrogate alone.
pub(super) fn settings(cell: &Cell, budget: &Budget) -> Result<Settings, Error> {
    let surrogate = cell.method.surrogate().unwrap_or(UNASKED);
    let usual = budget.usual(cell.trajectory, surrogate, cell.seed)?;
    let by_bound = usual.acquisition == "ucb";
    Ok(budget.given_to(Settings {
        recommender: by_bound.then_some(search::Recommender::Centroid),
        ..usual
    }))
}

/// Gains that a method chose.
struct Chosen {
    recommender: Recommender,
    gains: Gains,
}

type Outcome = (Vec<Evaluation>, Vec<Chosen>);

/// A cell being worked out.
struct Work<'a> {
    settings: Settings,
    problem: Problem,
    /// Rules whose gains are tested as well.
    interrupt: &'a Interrupt,
}

impl Work<'_> {
    fn default_gains(&self) -> Chosen {
        Chosen {
            recommender: Recommender::Recommended,
            gains: self.problem.tuning.setup.airframe.gains,
        }
    }

    fn tuned(
        &self,
        searcher: &mut dyn Searcher,
        watcher: &mut dyn Observer,
    ) -> Result<Vec<Evaluation>, Error> {
        let budget = self.settings.budget();
        let keep = &mut |_: &Evaluation| Ok(());
        let tuned = tune(&self.problem, searcher, budget, Vec::new(), keep, watcher)?;
        Ok(tuned.evaluations)
    }

    fn surrogate(&self, watcher: &mut dyn Observer) -> Result<Outcome, Error> {
        let mut searcher = Bayesian::new(&self.problem, &self.settings)?;
        let history = self.tuned(&mut searcher, watcher)?;
        searcher.learn(&history)?;
        let chosen = self.chosen_by(&mut searcher)?;
        Ok((history, chosen))
    }

    fn random_search(&self, watcher: &mut dyn Observer) -> Result<Outcome, Error> {
        let seed = self.settings.seed;
        let history = self.tuned(&mut RandomSearch::new(&self.problem, seed), watcher)?;
        let seed = Study::RandomRecommendation.of(seed);
        let mut judge = Bayesian::seeded(&self.problem, &self.settings, seed)?;
        judge.learn(&history)?;
        let chosen = self.chosen_by(&mut judge)?;
        Ok((history, chosen))
    }

    fn evolution(&self, watcher: &mut dyn Observer) -> Result<Outcome, Error> {
        let mut searcher =
            Evolution::new(&self.problem, self.settings.together, self.settings.seed);
        let history = self.tuned(&mut searcher, watcher)?;
        searcher.learn(&history);
        let chosen = self.chosen(&searcher.mean(), &self.observed(&history));
        Ok((history, chosen))
    }

    /// Also what the program answered if it recommends nothing.
    fn program(
        &self,
        program: &method::Program,
        kept: (&Path, &str),
        watcher: &mut dyn Observer,
    ) -> Result<(Outcome, Option<String>), Error> {
        let of = (&self.problem, &self.settings);
        let mut searcher = Program::start(program, of, kept, self.interrupt)?;
        let history = self.tuned(&mut searcher, watcher)?;
        let observed = self.observed(&history);
        let (recommended, error) = match searcher.recommend(&history)? {
            Ok(x) => (x, None),
            Err(error) => (observed.clone(), Some(error)),
        };
        let chosen = self.chosen(&recommended, &observed);
        Ok(((history, chosen), error))
    }

    /// The point of the best evaluation; the default gains' where all are lost.
    fn observed(&self, history: &[Evaluation]) -> Vec<f64> {
        best(history).map_or_else(|| self.problem.baseline(), |best| best.x.clone())
    }

    /// What `searcher` recommends, and the best observed gains.
    fn chosen_by(&self, searcher: &mut Bayesian) -> Result<Vec<Chosen>, Error> {
        let [averaged, observed] = searcher.recommend()?;
        Ok(self.chosen(&averaged.x, &observed.x))
    }

    fn chosen(&self, recommended: &[f64], observed: &[f64]) -> Vec<Chosen> {
        let chosen = |recommender, x| Chosen {
            recommender,
            gains: self.problem.space.gains_at(x),
        };
        vec![
            chosen(Recommender::Recommended, recommended),
            chosen(Recommender::OBSERVED, observed),
        ]
    }

    /// All of `chosen`, tested: in each domain all at once, equal gains once.
    fn test(&self, chosen: &[Chosen], watcher: &dyn Observer) -> Result<Vec<Candidate>, Error> {
        let candidate = |chosen: &Chosen| Candidate {
            recommender: chosen.recommender,
            gains: chosen.gains,
            tests: Vec::new(),
        };
        let mut candidates: Vec<Candidate> = chosen.iter().map(candidate).collect();
        for domain in 0..self.problem.tuning.domains.len() {
            let mut gains: Vec<Gains> = Vec::new();
            for candidate in &candidates {
                if !gains.contains(&candidate.gains) {
                    gains.push(candidate.gains);
                }
            }
            let winds = self.settings.held_out_winds;
            watcher.tested(winds * (candidates.len() - gains.len()) as u64);
            let planned = Planned {
                tuning: &self.problem.tuning,
                gains: &gains,
                domain,
                winds,
            };
            let flown = |flights| watcher.tested(flights);
            let tests = planned.fly(self.interrupt, &flown);
            let tests = tests.ok_or(Error::Interrupted(0))?;
            for candidate in &mut candidates {
                let number = gains.iter().position(|gains| *gains == candidate.gains);
                candidate.tests.extend(number.map(|k| tests[k].clone()));
            }
        }
        Ok(candidates)
    }
}
