//! The illustration of the loop: what a surrogate believes along each gain, through the incumbent,
//! at a few moments of one run.

use super::Gallery;
use crate::Error;
use crate::comparison::plan::method::Method;
use crate::comparison::plan::training::Training;
use crate::flights::evaluation::{Evaluation, best};
use crate::flights::problem::Problem;
use crate::flights::space::Knob;
use crate::run::bayesian::Bayesian;
use crate::run::settings::Settings;
use crate::search::belief::surrogates;
use crate::streams::{Stream, Study};
use plots::{
    Moment, Scale, Slice, SliceObservation, SliceParameter, SlicePoint, SlicesPicture, draw_slices,
};

/// The surrogate that is drawn where it is compared; else the first that has an uncertainty.
const PREFERRED: &str = "dil-gp";

/// Points along a slice.
const POINTS: usize = 81;

/// Distance in the unit cube at which an observation is drawn with weight e^-1/2.
const NEAR: f64 = 0.25;

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
        let usual = Settings::of_paper(trajectory, name, seed)?;
        let settings = self.plan.budget.given_to(usual);
        let problem = settings.problem_of(self.plan.budget.airframe.clone())?;
        let knobs = problem.space.knobs();
        let beliefs = beliefs(&problem, &settings, trials)?;
        if beliefs.is_empty() {
            return Ok(None);
        }
        let labels: Vec<String> = knobs
            .iter()
            .map(|knob| format!("{} [{}]", knob.gain.name, knob.gain.unit))
            .collect();
        let parameters: Vec<SliceParameter> = labels
            .iter()
            .map(|label| SliceParameter {
                label,
                logarithmic: true,
            })
            .collect();
        let slices: Vec<Vec<Slice>> = beliefs.iter().map(Belief::slices).collect();
        let moments: Vec<Moment> = beliefs
            .iter()
            .zip(&slices)
            .map(|(belief, slices)| Moment {
                label: &belief.label,
                slices,
            })
            .collect();
        let title = format!(
            "{trajectory}: what {method} believes along each gain, through the best flight so far (seed {seed})"
        );
        let picture = SlicesPicture {
            title: &title,
            y_name: "ACE [m]",
            y_scale: Scale::Logarithmic,
            band_name: "± 2 standard deviations",
            acquisition_name: "upper confidence bound",
            parameters: &parameters,
            moments: &moments,
        };
        let name = format!("slices-{trajectory}-{}", training.name());
        self.drawn(name, |stem| draw_slices(&picture, stem).map(|_| ()))
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

/// What is believed after the initial design, half way, and at the end, as far as it can be drawn.
fn beliefs(
    problem: &Problem,
    settings: &Settings,
    trials: &[Evaluation],
) -> Result<Vec<Belief>, Error> {
    let initial = settings.initial as usize;
    let mut counts = vec![initial, (initial + trials.len()) / 2, trials.len()];
    counts.dedup();
    let mut beliefs = Vec::new();
    for count in counts {
        let seed = Study::Slices.at(settings.seed, count as u64);
        let searcher = Bayesian::seeded(problem, settings, seed)?;
        let (made, knobs) = (&trials[..count], problem.space.knobs());
        beliefs.extend(Belief::after(made, searcher, knobs, settings.kappa)?);
    }
    Ok(beliefs)
}

/// Whether the surrogate is searched by the confidence bound that the picture shows.
fn is_bounded(name: &str) -> bool {
    surrogates::claims_deviation(name) && surrogates::usual_acquisition(name) == "ucb"
}

/// What a surrogate believes after some trials.
struct Belief {
    label: String,
    /// For each gain the points of its slice, where the incumbent stands and what was observed.
    along: Vec<(Vec<SlicePoint>, f64, Vec<SliceObservation>)>,
}

impl Belief {
    /// Nothing where every flight was lost or the surrogate cannot be fitted.
    fn after(
        made: &[Evaluation],
        mut searcher: Bayesian,
        knobs: &[Knob],
        kappa: f64,
    ) -> Result<Option<Belief>, Error> {
        let Some(best) = best(made) else {
            return Ok(None);
        };
        searcher.learn(made)?;
        let mut along = Vec::new();
        for (k, knob) in knobs.iter().enumerate() {
            let Some(points) = slice(&mut searcher, &best.x, k, knob, kappa)? else {
                return Ok(None);
            };
            let observed = observations(made, &best.x, k, knob);
            along.push((points, knob.parameter.natural(best.x[k]), observed));
        }
        Ok(Some(Belief {
            label: format!("after {} flights", made.len()),
            along,
        }))
    }

    fn slices(&self) -> Vec<Slice<'_>> {
        let slices = self
            .along
            .iter()
            .map(|(points, incumbent, observations)| Slice {
                points,
                incumbent: *incumbent,
                observations,
            });
        slices.collect()
    }
}

fn slice(
    searcher: &mut Bayesian,
    at: &[f64],
    k: usize,
    knob: &Knob,
    kappa: f64,
) -> Result<Option<Vec<SlicePoint>>, Error> {
    let unit = |row: usize| row as f64 / (POINTS - 1) as f64;
    let point = |row: usize| {
        let mut x = at.to_vec();
        x[k] = unit(row);
        x
    };
    let points: Vec<Vec<f64>> = (0..POINTS).map(point).collect();
    let Some(believed) = searcher.believed(&points)? else {
        return Ok(None);
    };
    let seen = |row: usize| {
        let mean = believed.mean[row];
        let std = believed.std.as_ref().map_or(0.0, |std| std[row]);
        SlicePoint {
            x: knob.parameter.natural(unit(row)),
            mean: mean.exp(),
            low: (mean - 2.0 * std).exp(),
            high: (mean + 2.0 * std).exp(),
            acquisition: kappa * std - mean,
        }
    };
    Ok(Some((0..POINTS).map(seen).collect()))
}

fn observations(
    made: &[Evaluation],
    incumbent: &[f64],
    k: usize,
    knob: &Knob,
) -> Vec<SliceObservation> {
    let seen = made.iter().map(|made| {
        let coordinates = made.x.iter().zip(incumbent).enumerate();
        let off = coordinates.filter(|(column, _)| *column != k);
        let square: f64 = off.map(|(_, (a, b))| (a - b) * (a - b)).sum();
        SliceObservation {
            x: knob.parameter.natural(made.x[k]),
            y: made.value(),
            weight: (-0.5 * square / (NEAR * NEAR)).exp(),
        }
    });
    seen.collect()
}
