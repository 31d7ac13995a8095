//! The illustration of the loop: the posterior along each gain, through the incumbent,
//! at a few moments of one run.

use super::Gallery;
use crate::Error;
use crate::comparison::plan::method::Method;
use crate::comparison::plan::method::Training;
use crate::flights::evaluation::{Evaluation, best};
use crate::flights::problem::Problem;
use crate::run::bayesian::Bayesian;
use crate::run::partial_dependence::{PartialDependence, labels, parameters};
use crate::run::settings::Settings;
use crate::streams::{Stream, Study};
use plots::{Moment, Scale, Slice, SlicesPicture};
use search::surrogates;

/// The surrogate that is drawn where it is compared; else the first that has an uncertainty.
const PREFERRED: &str = "dil-gp";

impl Gallery<'_> {
    /// Of the first seed, after the initial design, half way, and at the end.
    pub(super) fn slices(
        &self,
        trajectory: &'static str,
        training: Training,
    ) -> Result<Option<String>, Error> {
        let Some(name) = self.drawn_surrogate() else {
            return Ok(None);
        };
        let seed = self.plan.seeds[0];
        let method = Method::Surrogate(name);
        let cell = self.plan.cell(trajectory, training, method, seed);
        let trials = &self.finished[&cell.key()].trials;
        let budget = &self.plan.budget;
        let settings = budget.given_to(budget.usual(trajectory, name, seed)?);
        let problem = budget.problem(&settings)?;
        let knobs = problem.space.knobs();
        let dependences = dependences(&problem, &settings, trials)?;
        if dependences.is_empty() {
            return Ok(None);
        }
        let labels = labels(knobs);
        let parameters = parameters(&labels, knobs);
        let slices: Vec<Vec<Slice>> = dependences
            .iter()
            .map(|(_, along)| along.slices())
            .collect();
        let moments: Vec<Moment> = dependences
            .iter()
            .zip(&slices)
            .map(|((label, _), slices)| Moment { label, slices })
            .collect();
        let title = format!(
            "{trajectory}: what {method} predicts along each gain, through the best flight so far (seed {seed})"
        );
        let picture = SlicesPicture {
            title: &title,
            y_name: "ACE [m]",
            y_scale: Scale::Logarithmic,
            band_name: "± 2 standard deviations",
            through: "incumbent",
            acquisition_name: Some("upper confidence bound"),
            parameters: &parameters,
            moments: &moments,
        };
        let name = format!("slices-{trajectory}-{}", training.name());
        self.drawn(name, &picture)
    }

    fn drawn_surrogate(&self) -> Option<&'static str> {
        let surrogates = self.plan.methods.iter().filter_map(|method| match method {
            Method::Surrogate(name) if is_bounded(name) => Some(*name),
            _ => None,
        });
        let names: Vec<&str> = surrogates.collect();
        let preferred = names.iter().find(|name| **name == PREFERRED);
        preferred.or(names.first()).copied()
    }
}

/// The posterior after the initial design, half way, and at the end, if it can be drawn.
fn dependences(
    problem: &Problem,
    settings: &Settings,
    trials: &[Evaluation],
) -> Result<Vec<(String, PartialDependence)>, Error> {
    let initial = settings.initial as usize;
    let mut counts = vec![initial, (initial + trials.len()) / 2, trials.len()];
    counts.dedup();
    let mut dependences = Vec::new();
    for count in counts {
        let seed = Study::Slices.at(settings.seed, count as u64);
        let mut searcher = Bayesian::seeded(problem, settings, seed)?;
        let (made, knobs) = (&trials[..count], problem.space.knobs());
        let Some(best) = best(made) else { continue };
        searcher.learn(made)?;
        let along = PartialDependence::of(&mut searcher, made, &best.x, knobs, settings.kappa)?;
        dependences.extend(along.map(|along| (format!("after {count} flights"), along)));
    }
    Ok(dependences)
}

/// Whether the surrogate is searched by the confidence bound that the picture shows.
fn is_bounded(name: &'static str) -> bool {
    surrogates::abilities(name).has_deviation && surrogates::usual_acquisition(name) == "ucb"
}
