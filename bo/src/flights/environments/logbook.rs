//! Logbook: what the surrogate is told of the winds in which evaluations were made.

use super::{Environments, Inference, Target, Winds};
use crate::flights::tuning::{Flown, Tuning};
use crate::search::Circumstances;
use crate::{ChoiceError, Error};
use serde::{Deserialize, Serialize};
use sim::WindEvidence;

/// What is known of one flight's environment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sensed {
    /// Name of the domain that was drawn for it.
    pub domain: String,
    /// What its telemetry says of the wind, where it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wind: Option<WindEvidence>,
    /// The wind itself, where the study tells of it; nothing of an earlier run's flights.
    #[serde(skip)]
    pub met: Option<[f64; Winds::NUMBERS]>,
}

impl Sensed {
    /// What is known of `flown`.
    pub fn of(flown: &Flown) -> Sensed {
        Sensed {
            domain: flown.weather.domain.clone(),
            wind: flown.wind,
            met: None,
        }
    }
}

/// What a study tells its surrogate.
#[derive(Debug, Clone)]
pub struct Logbook {
    environments: Environments,
    target: Target,
    /// Names of the training domains, which labels may be.
    domains: Vec<String>,
    /// The winds, where it tells of them.
    winds: Option<Winds>,
}

impl Logbook {
    /// The logbook of a study that trains in the winds of `tuning`; nothing where the surrogate is told
    /// of no environments.
    ///
    /// # Errors
    /// [`ChoiceError::NoSuchEnvironment`] where labels do not name the target.
    pub fn new(
        environments: Environments,
        target: Target,
        tuning: &Tuning,
    ) -> Result<Option<Logbook>, Error> {
        let domains: Vec<String> = tuning.training.iter().map(|own| own.name.clone()).collect();
        let named = domains.iter().any(|domain| domain == target.name());
        let by_name = matches!(target, Target::Gusty | Target::Steady);
        if environments == Environments::Labels && by_name && !named {
            return Err(ChoiceError::NoSuchEnvironment {
                target: target.name(),
                domains: domains.join(", "),
            }
            .into());
        }
        let logbook = Logbook {
            environments,
            target,
            domains,
            winds: (environments == Environments::Winds).then(|| Winds::of(tuning)),
        };
        Ok((environments != Environments::None).then_some(logbook))
    }

    /// The page of an evaluation with these flights.
    pub fn page(&self, flights: &[Flown]) -> Vec<Sensed> {
        let met = |flown: &Flown| self.winds.as_ref()?.met(&flown.weather);
        let sensed = flights.iter().map(|flown| Sensed {
            met: met(flown),
            ..Sensed::of(flown)
        });
        sensed.collect()
    }

    /// The circumstances of evaluations, of each of which a page has what was sensed in its
    /// flights, and those that are aimed at.
    pub fn circumstances(&self, pages: &[Vec<Sensed>]) -> Circumstances {
        let (rows, told_apart) = self.rows(pages);
        Circumstances {
            rows,
            targets: self.targets(told_apart),
        }
    }

    /// The circumstances of one evaluation with these flights, where they hang on no other's.
    pub fn row(&self, flights: &[Flown]) -> Vec<f64> {
        let (mut rows, _) = self.rows(&[self.page(flights)]);
        rows.swap_remove(0)
    }

    /// Numbers that describe an environment.
    pub fn contexts(&self) -> usize {
        match self.environments {
            Environments::Labels => self.domains.len(),
            Environments::Winds => Winds::NUMBERS,
            Environments::None | Environments::Telemetry => 2,
        }
    }

    /// One row a page: the mean over its flights.
    fn rows(&self, pages: &[Vec<Sensed>]) -> (Vec<Vec<f64>>, bool) {
        match self.environments {
            Environments::Labels => {
                // A flight of a warm start in a domain not trained in is of none of these.
                let label = |sensed: &Sensed| {
                    let own = |domain: &String| f64::from(u8::from(*domain == sensed.domain));
                    self.domains.iter().map(own).collect()
                };
                let rows = pages.iter().map(|page| mean(page.iter().map(label)));
                (rows.collect(), true)
            }
            Environments::Winds => {
                let met = |sensed: &Sensed| sensed.met.unwrap_or_default().to_vec();
                let rows = pages.iter().map(|page| mean(page.iter().map(met)));
                (rows.collect(), true)
            }
            Environments::None | Environments::Telemetry => {
                let flights: Vec<_> = pages.iter().flatten().map(|sensed| sensed.wind).collect();
                let inference = Inference::of(&flights);
                let mut posteriors = inference.flights.iter().map(|own| own.posterior.to_vec());
                let rows = pages
                    .iter()
                    .map(|page| mean(posteriors.by_ref().take(page.len())));
                (rows.collect(), inference.mixture.is_some())
            }
        }
    }

    /// The environments for which predictions are wanted.
    fn targets(&self, told_apart: bool) -> Vec<Vec<f64>> {
        let count = self.contexts();
        let only = |place: usize| {
            let mut one = vec![0.0; count];
            one[place] = 1.0;
            one
        };
        let named = |telemetry: usize| match self.environments {
            Environments::Labels => {
                let own = |domain: &String| domain == self.target.name();
                self.domains.iter().position(own).unwrap_or(telemetry)
            }
            _ => telemetry,
        };
        let middle = vec![1.0 / count as f64; count];
        match self.target {
            _ if self.winds.is_some() => vec![vec![0.0; count]],
            _ if !told_apart => vec![middle],
            Target::Gusty => vec![only(named(0))],
            Target::Steady => vec![only(named(1))],
            Target::Worst => (0..count).map(only).collect(),
            Target::Mean => vec![middle],
        }
    }
}

/// The mean of vectors, of which there is at least one.
fn mean(vectors: impl Iterator<Item = Vec<f64>>) -> Vec<f64> {
    let (mut sum, mut count) = (Vec::new(), 0.0);
    for vector in vectors {
        sum.resize(vector.len(), 0.0);
        for (sum, entry) in sum.iter_mut().zip(vector) {
            *sum += entry;
        }
        count += 1.0;
    }
    sum.iter().map(|entry| entry / count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::Domain;

    fn sensed(domain: &str) -> Sensed {
        Sensed {
            wind: None,
            domain: domain.to_owned(),
            met: None,
        }
    }

    /// Tuning in domains of these names.
    fn trained_in(names: &[&str]) -> Tuning {
        let hover = trajectories::by_name("hover").expect("shipped");
        let named = |name: &&str| Domain {
            name: (*name).to_owned(),
            ..Domain::gusty()
        };
        Tuning {
            training: names.iter().map(named).collect(),
            shares: vec![1.0 / names.len() as f64; names.len()],
            ..Tuning::of_paper(hover, 1)
        }
    }

    /// What is told of so many of three evaluations.
    fn labelled(target: Target, count: usize) -> Circumstances {
        let tuning = trained_in(&["steady", "gusty"]);
        let logbook = Logbook::new(Environments::Labels, target, &tuning).expect("both are named");
        let pages = [
            vec![sensed("gusty"), sensed("steady")],
            vec![sensed("steady")],
            vec![sensed("gusty")],
        ];
        let logbook = logbook.expect("there are environments");
        logbook.circumstances(&pages[..count])
    }

    #[test]
    fn labels_are_the_shares_of_an_evaluation_s_flights_in_each_domain() {
        let told = labelled(Target::Gusty, 3);
        assert_eq!(told.rows, [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]);
        assert_eq!(told.targets, [[0.0, 1.0]]);
        assert_eq!(labelled(Target::Steady, 1).targets, [[1.0, 0.0]]);
        assert_eq!(labelled(Target::Mean, 1).targets, [[0.5, 0.5]]);
        let worst = labelled(Target::Worst, 1).targets;
        assert_eq!(worst, [[1.0, 0.0], [0.0, 1.0]]);
    }

    #[test]
    fn flights_that_are_not_told_apart_are_all_of_one_environment() {
        let tuning = trained_in(&["gusty"]);
        let logbook = Logbook::new(Environments::Telemetry, Target::Steady, &tuning);
        let logbook = logbook.expect("legal").expect("there are environments");
        let pages = [vec![sensed("gusty")], vec![sensed("gusty"); 2]];
        let told = logbook.circumstances(&pages);
        assert_eq!(told.rows, [[0.5, 0.5], [0.5, 0.5]]);
        assert_eq!(told.targets, [[0.5, 0.5]]);
    }

    #[test]
    fn a_target_that_no_label_names_is_refused() {
        let tuning = trained_in(&["breeze", "storm"]);
        let refused = Logbook::new(Environments::Labels, Target::Gusty, &tuning);
        assert_eq!(
            refused.expect_err("no such label").to_string(),
            "--target gusty names none of the training domains breeze, storm; use worst or mean, or --environments telemetry"
        );
    }
}
