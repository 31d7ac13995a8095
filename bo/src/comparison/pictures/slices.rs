//! The illustration of the loop: what a surrogate believes along each gain, through the incumbent,
//! at a few moments of one run.

use super::Gallery;
use crate::Error;
use crate::comparison::cell::TrialLine;
use crate::comparison::method::Method;
use crate::comparison::training::Training;
use crate::flights::space::Knob;
use crate::run::perform::Bench;
use crate::search::belief::surrogates;
use crate::search::history::{History, Observation, Origin, Trial};
use crate::streams::{Stream, Study};
use crate::study::settings::Settings;
use dilgp::Model;
use dilgp::Surrogate;
use nalgebra::DMatrix;
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
        let settings = Settings::of_paper(trajectory, name, seed)?;
        let bench = Bench::of(&settings, self.plan.budget.airframe.clone())?;
        let knobs = bench.space.knobs();
        let surrogate = surrogates::with_lambda(name, self.plan.budget.lambda)?;
        let initial = self.plan.budget.initial as usize;
        let mut counts = vec![initial, (initial + trials.len()) / 2, trials.len()];
        counts.dedup();
        let kappa = self.plan.budget.kappa;
        let beliefs: Vec<Belief> = counts
            .into_iter()
            .filter_map(|count| {
                Belief::after(&trials[..count], surrogate.as_ref(), knobs, kappa, seed)
            })
            .collect();
        if beliefs.is_empty() {
            return Ok(None);
        }
        let labels: Vec<String> = knobs
            .iter()
            .map(|k| format!("{} [{}]", k.name, k.unit))
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
        trials: &[TrialLine],
        surrogate: &dyn Surrogate,
        knobs: &[Knob],
        kappa: f64,
        seed: u64,
    ) -> Option<Belief> {
        let history = history(trials);
        let incumbent = history.best()?.x.clone();
        let data = history.dataset().ok()?;
        let seed = Study::Slices.at(seed, trials.len() as u64);
        let model = surrogate.fit(&data, seed).ok()?;
        let along = knobs.iter().enumerate().map(|(k, knob)| {
            (
                slice(model.as_ref(), &incumbent, k, knob, kappa),
                knob.at(incumbent[k]),
                observations(trials, &incumbent, k, knob),
            )
        });
        Some(Belief {
            label: format!("after {} flights", trials.len()),
            along: along.collect(),
        })
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

fn slice(model: &dyn Model, at: &[f64], k: usize, knob: &Knob, kappa: f64) -> Vec<SlicePoint> {
    let unit = |row: usize| row as f64 / (POINTS - 1) as f64;
    let points = DMatrix::from_fn(POINTS, at.len(), |row, column| {
        if column == k { unit(row) } else { at[column] }
    });
    let prediction = model.predict(&points);
    (0..POINTS)
        .map(|row| {
            let mean = prediction.mean[row];
            let std = prediction.std.as_ref().map_or(0.0, |std| std[row]);
            SlicePoint {
                x: knob.at(unit(row)),
                mean: mean.exp(),
                low: (mean - 2.0 * std).exp(),
                high: (mean + 2.0 * std).exp(),
                acquisition: kappa * std - mean,
            }
        })
        .collect()
}

fn observations(
    trials: &[TrialLine],
    incumbent: &[f64],
    k: usize,
    knob: &Knob,
) -> Vec<SliceObservation> {
    let seen = trials.iter().map(|trial| {
        let coordinates = trial.x.iter().zip(incumbent).enumerate();
        let off = coordinates.filter(|(column, _)| *column != k);
        let square: f64 = off.map(|(_, (a, b))| (a - b) * (a - b)).sum();
        SliceObservation {
            x: knob.at(trial.x[k]),
            y: (!trial.crashed).then_some(trial.cost_m),
            weight: (-0.5 * square / (NEAR * NEAR)).exp(),
        }
    });
    seen.collect()
}

fn history(trials: &[TrialLine]) -> History {
    let trials = trials.iter().enumerate().map(|(number, trial)| Trial {
        number: number as u64,
        x: trial.x.clone(),
        origin: Origin::Initial,
        observation: Observation {
            cost: trial.cost_m,
            crashed: trial.crashed,
        },
    });
    History {
        trials: trials.collect(),
        ..History::default()
    }
}
