//! Logbook: what the surrogate is told of the winds in which evaluations were made.

use super::{Environments, Inference, Target};
use crate::flights::tuning::Flown;
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
}

impl Sensed {
    /// What is known of `flown`.
    pub fn of(flown: &Flown) -> Sensed {
        Sensed {
            domain: flown.weather.domain.clone(),
            wind: flown.wind,
        }
    }
}

/// What a study tells its surrogate.
#[derive(Debug, Clone, PartialEq)]
pub struct Logbook {
    environments: Environments,
    target: Target,
    /// Names of the training domains, which labels may be.
    domains: Vec<String>,
}

impl Logbook {
    /// The logbook of a study with these training domains; nothing where the surrogate is told of
    /// no environments.
    ///
    /// # Errors
    /// [`ChoiceError::NoSuchEnvironment`] where labels do not name the target.
    pub fn new(
        environments: Environments,
        target: Target,
        domains: Vec<String>,
    ) -> Result<Option<Logbook>, Error> {
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
        };
        Ok((environments != Environments::None).then_some(logbook))
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

    /// Numbers that describe an environment.
    pub fn contexts(&self) -> usize {
        match self.environments {
            Environments::Labels => self.domains.len(),
            _ => 2,
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
            _ => {
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

    fn sensed(domain: &str) -> Sensed {
        Sensed {
            wind: None,
            domain: domain.to_owned(),
        }
    }

    /// What is told of so many of three evaluations.
    fn labelled(target: Target, count: usize) -> Circumstances {
        let domains = vec!["steady".to_owned(), "gusty".to_owned()];
        let logbook = Logbook::new(Environments::Labels, target, domains).expect("both are named");
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
        let domains = vec!["gusty".to_owned()];
        let logbook = Logbook::new(Environments::Telemetry, Target::Steady, domains);
        let logbook = logbook.expect("legal").expect("there are environments");
        let pages = [vec![sensed("gusty")], vec![sensed("gusty"); 2]];
        let told = logbook.circumstances(&pages);
        assert_eq!(told.rows, [[0.5, 0.5], [0.5, 0.5]]);
        assert_eq!(told.targets, [[0.5, 0.5]]);
    }

    #[test]
    fn a_target_that_no_label_names_is_refused() {
        let domains = vec!["breeze".to_owned(), "storm".to_owned()];
        let refused = Logbook::new(Environments::Labels, Target::Gusty, domains);
        assert_eq!(
            refused.expect_err("no such label").to_string(),
            "--target gusty names none of the training domains breeze, storm; use worst or mean, or --environments telemetry"
        );
    }
}
