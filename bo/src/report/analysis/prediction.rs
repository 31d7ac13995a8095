//! Prediction: what the surrogate predicted for each flight that it chose, with what was observed.
//!
//! One step ahead: for each trial that the acquisition chose, the surrogate is fitted to the
//! trials before it, or before its round where several are flown side by side, with the seed that
//! the run used, and asked for the cost at the gains that
//! were then flown, in the wind that they met where winds are context. The trial itself is never in the
//! fit.

use crate::Error;
use crate::flights::evaluation::Evaluation;
use crate::flights::problem::Problem;
use crate::report::{Event, Listener, Stage};
use crate::run::bayesian::Bayesian;
use crate::run::settings::Settings;
use nalgebra::DVector;
use rayon::prelude::*;
use search::{Acquisition, Origin};
use shell::statistics::{central_width, clopper_pearson};

/// Most trials that are predicted; of more, as many that are evenly spread.
pub const MOST_TRIALS: usize = 40;

/// Nominal levels at which intervals are checked.
pub const LEVELS: [f64; 4] = [0.5, 0.8, 0.9, 0.95];

/// One prediction and what came.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The trial.
    pub number: u64,
    /// Predicted mean of the log cost, in the wind that the trial met where winds are context.
    pub mean: f64,
    /// Predicted standard deviation of an observed log cost; absent where the surrogate claims
    /// none.
    pub std: Option<f64>,
    /// The acquisition's value there: κ std − mean, of the function without its noise.
    pub acquisition: f64,
    /// The cost that was observed [m]; absent where the flight was lost.
    pub observed_m: Option<f64>,
}

/// Predictions of a run's acquisition trials, one step ahead.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions {
    /// In order of the trials.
    pub of_trials: Vec<Prediction>,
    /// Trials that the acquisition chose.
    pub chosen: usize,
    /// Predicted trials whose acquisition value is not the recorded one, to one part in a thousand, of
    /// those that were the first of their round: the others were chosen with these supposed. Absent
    /// where the acquisition was not the upper confidence bound.
    pub departures: Option<usize>,
}

/// How often the observed cost lay within the interval of one nominal level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coverage {
    /// Share that should lie within.
    pub nominal: f64,
    /// How many did.
    pub within: usize,
    /// Of how many.
    pub count: usize,
}

impl Coverage {
    /// Share that lay within.
    pub fn observed(&self) -> f64 {
        self.within as f64 / self.count as f64
    }

    /// The 95 % interval of Clopper and Pearson for the share.
    pub fn interval(&self) -> [f64; 2] {
        clopper_pearson(self.within, self.count)
    }
}

impl Predictions {
    /// Refits the surrogate before each evaluation that it chose. Evaluations before which it cannot
    /// be fitted are left out.
    ///
    /// # Errors
    /// A search that cannot be reproduced.
    pub fn of(
        problem: &Problem,
        settings: &Settings,
        history: &[Evaluation],
        notify: Listener,
    ) -> Result<Predictions, Error> {
        let chosen: Vec<usize> = (0..history.len())
            .filter(|k| matches!(history[*k].origin, Origin::Acquisition { .. }))
            .collect();
        if settings.is_retired() {
            return Ok(Predictions {
                of_trials: Vec::new(),
                chosen: chosen.len(),
                departures: None,
            });
        }
        // The mean of a surrogate without deviation is its bound.
        let kappa = match settings.rule()? {
            Acquisition::Bound { kappa } => Some(kappa),
            Acquisition::LeastMean if settings.acquisition == "ucb" => Some(settings.kappa),
            _ => None,
        };
        let asked = spread(&chosen, MOST_TRIALS);
        notify(Event::Begins(Stage::Predictions, asked.len()));
        // One searcher goes from trial to trial: what some learn depends on what they learnt before.
        let predict = |asked: &[usize]| -> Result<Vec<Option<Prediction>>, Error> {
            let mut searcher = Bayesian::new(problem, settings)?;
            let mut predict = Vec::new();
            for k in asked {
                let kappa = kappa.unwrap_or(0.0);
                let known = settings.budget().batch_start(*k);
                predict.push(before(
                    &mut searcher,
                    &history[..known],
                    &history[*k],
                    kappa,
                )?);
                notify(Event::Done);
            }
            Ok(predict)
        };
        let each = asked.len().div_ceil(rayon::current_num_threads()).max(1);
        let predictions: Result<Vec<_>, Error> = asked.par_chunks(each).map(predict).collect();
        let of_trials: Vec<Prediction> = predictions?.into_iter().flatten().flatten().collect();
        let is_first = |k: usize| settings.budget().batch_start(k) == k;
        let departs = |prediction: &&Prediction| match history[prediction.number as usize].origin {
            Origin::Acquisition { value, .. } if is_first(prediction.number as usize) => {
                (prediction.acquisition - value).abs() > 1e-3 * value.abs().max(1.0)
            }
            _ => false,
        };
        Ok(Predictions {
            departures: kappa.map(|_| of_trials.iter().filter(departs).count()),
            chosen: chosen.len(),
            of_trials,
        })
    }

    /// Distance of each observed log cost from its prediction in standard deviations; crashes,
    /// which have no cost, are left out, and all where the surrogate claims no uncertainty.
    pub fn scores(&self) -> Vec<f64> {
        let score = |prediction: &Prediction| {
            let std = prediction.std.filter(|std| *std > 0.0)?;
            Some((prediction.observed_m?.ln() - prediction.mean) / std)
        };
        self.of_trials.iter().filter_map(score).collect()
    }

    /// Nominal against observed coverage of central normal intervals. A lost evaluation lies in no
    /// interval: without it, a surrogate that never saw the cliff would look cautious.
    pub fn coverage(&self) -> Vec<Coverage> {
        let scores = self.scores();
        let claims = |prediction: &&Prediction| prediction.std.is_some_and(|std| std > 0.0);
        let count = self.of_trials.iter().filter(claims).count();
        if count == 0 {
            return Vec::new();
        }
        let level = |nominal: f64| {
            let reach = central_width(nominal);
            Coverage {
                nominal,
                within: scores.iter().filter(|score| score.abs() <= reach).count(),
                count,
            }
        };
        LEVELS.into_iter().map(level).collect()
    }
}

/// At most `most` members, evenly spread, the first and the last among them.
fn spread(all: &[usize], most: usize) -> Vec<usize> {
    if all.len() <= most {
        return all.to_vec();
    }
    (0..most)
        .map(|k| all[k * (all.len() - 1) / (most - 1)])
        .collect()
}

/// The prediction of `searcher` for `next` after `past`.
fn before(
    searcher: &mut Bayesian,
    past: &[Evaluation],
    next: &Evaluation,
    kappa: f64,
) -> Result<Option<Prediction>, Error> {
    searcher.learn(past)?;
    let Some(aimed) = searcher.posterior(std::slice::from_ref(&next.x))? else {
        return Ok(None);
    };
    // The point was chosen for the wind that is aimed at; its cost came in the wind that it met.
    let Some(met) = searcher.posterior_of(next)? else {
        return Ok(None);
    };
    let first = |std: &Option<DVector<f64>>| std.as_ref().map(|std| std[0]);
    Ok(Some(Prediction {
        number: next.number,
        mean: met.mean[0],
        std: first(&met.observation_std).or(first(&met.std)),
        acquisition: kappa * first(&aimed.std).unwrap_or(0.0) - aimed.mean[0],
        observed_m: next.value(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tune::{NoObserver, tune};

    /// On hover the wind explains most of a flight's cost: with it as context, `auto` predicts closer in the wind
    /// that each flight met than in the mean wind.
    #[test]
    fn a_trial_is_predicted_in_the_wind_that_it_met() {
        let settings = Settings {
            iterations: 30,
            ..Settings::of_paper("hover", "auto", 5).expect("legal")
        };
        let problem = settings.problem().expect("legal");
        let mut searcher = Bayesian::new(&problem, &settings).expect("legal");
        let (budget, keep) = (settings.budget(), &mut |_: &Evaluation| Ok(()));
        let tuned = tune(
            &problem,
            &mut searcher,
            budget,
            Vec::new(),
            keep,
            &mut NoObserver,
        );
        let history = tuned.expect("nothing breaks it").evaluations;
        let predictions =
            Predictions::of(&problem, &settings, &history, &|_| ()).expect("made again");
        let mut searcher = Bayesian::new(&problem, &settings).expect("legal");
        let (mut met, mut mean, mut count) = (0.0, 0.0, 0);
        for prediction in &predictions.of_trials {
            let next = &history[prediction.number as usize];
            let Some(observed) = next.value().map(f64::ln) else {
                continue;
            };
            searcher
                .learn(&history[..prediction.number as usize])
                .expect("learnt");
            let aimed = searcher
                .posterior(std::slice::from_ref(&next.x))
                .expect("inside");
            met += (prediction.mean - observed).powi(2);
            mean += (aimed.expect("fitted").mean[0] - observed).powi(2);
            count += 1;
        }
        assert!(count > 20, "{count}");
        assert!(met < 0.75 * mean, "{met} {mean}");
    }

    fn predictions(scores: &[f64]) -> Predictions {
        let prediction = |score: &f64| Prediction {
            number: 0,
            mean: -1.0,
            std: Some(0.5),
            acquisition: 0.0,
            observed_m: Some((0.5 * score - 1.0f64).exp()),
        };
        Predictions {
            of_trials: scores.iter().map(prediction).collect(),
            chosen: scores.len(),
            departures: Some(0),
        }
    }

    #[test]
    fn coverage_counts_what_lies_within() {
        let coverage = predictions(&[0.1, -0.6, 1.0, -1.5, 1.7, 3.0]).coverage();
        let within: Vec<usize> = coverage.iter().map(|c| c.within).collect();
        assert_eq!(within, [2, 3, 4, 5]);
        assert!(predictions(&[]).coverage().is_empty());
        let mut some_lost = predictions(&[0.1, -0.6, 1.0, 3.0]);
        some_lost.of_trials[3].observed_m = None;
        let coverage = some_lost.coverage();
        assert_eq!((coverage[3].within, coverage[3].count), (3, 4));
    }

    #[test]
    fn the_interval_of_a_share_is_the_tabulated_one() {
        let coverage = Coverage {
            nominal: 0.9,
            within: 8,
            count: 10,
        };
        let [low, high] = coverage.interval();
        assert!((low - 0.4439).abs() < 1e-4 && (high - 0.9748).abs() < 1e-4);
    }

    #[test]
    fn many_trials_are_thinned_evenly_with_both_ends() {
        let all: Vec<usize> = (10..1010).collect();
        let asked = spread(&all, 150);
        assert_eq!((asked.len(), asked[0], asked[149]), (150, 10, 1009));
        assert_eq!(spread(&all[..20], 150), all[..20]);
    }

    #[test]
    fn crashes_have_no_score() {
        let mut some = predictions(&[0.0, 1.0]);
        some.of_trials[0].observed_m = None;
        assert_eq!(some.scores().len(), 1);
    }
}
