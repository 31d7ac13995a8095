//! Logbook: what was sensed during each evaluation of a study, and what the surrogate is told of
//! it.

use super::{Environments, Inference, Target};
use crate::Error;
use crate::flights::tuning::Flown;
use crate::search::belief::learning::{Circumstances, Surroundings};
use crate::study::warm_start::KnownFlight;
use sim::WindEvidence;
use std::sync::{Mutex, PoisonError};

/// What is known of one flight's environment.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensed {
    /// What its telemetry says of the wind.
    pub wind: Option<WindEvidence>,
    /// Name of the domain that was drawn for it.
    pub domain: String,
}

impl Sensed {
    /// What is known of `flown`.
    pub fn of(flown: &Flown) -> Sensed {
        Sensed {
            wind: flown.wind,
            domain: flown.weather.domain.clone(),
        }
    }

    /// What is known of a recorded flight.
    pub fn known(flight: &KnownFlight) -> Sensed {
        Sensed {
            wind: flight.wind,
            domain: flight.domain.clone(),
        }
    }
}

/// One page for each evaluation, with a line for each of its flights.
pub struct Logbook {
    environments: Environments,
    target: Target,
    /// Names of the training domains, which labels may be.
    domains: Vec<String>,
    pages: Mutex<Vec<Vec<Sensed>>>,
}

impl Logbook {
    /// An empty logbook of a study with these training domains; nothing where the surrogate is
    /// told of no environments.
    ///
    /// # Errors
    /// [`Error::NoSuchEnvironment`] where labels do not name the target.
    pub fn new(
        environments: Environments,
        target: Target,
        domains: Vec<String>,
    ) -> Result<Option<Logbook>, Error> {
        let named = domains.iter().any(|domain| domain == target.name());
        let by_name = matches!(target, Target::Gusty | Target::Steady);
        if environments == Environments::Labels && by_name && !named {
            return Err(Error::NoSuchEnvironment {
                target: target.name(),
                domains: domains.join(", "),
            });
        }
        let logbook = Logbook {
            environments,
            target,
            domains,
            pages: Mutex::default(),
        };
        Ok((environments != Environments::None).then_some(logbook))
    }

    /// Adds the page of the next evaluation.
    pub fn write(&self, flights: Vec<Sensed>) {
        // A page is added whole or not at all, so a panic elsewhere spoils none.
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.push(flights);
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

impl Surroundings for Logbook {
    fn circumstances(&self, rows: usize) -> Circumstances {
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let (rows, told_apart) = self.rows(&pages[..rows]);
        Circumstances {
            rows,
            targets: self.targets(told_apart),
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

    fn labelled(target: Target) -> Logbook {
        let domains = vec!["steady".to_owned(), "gusty".to_owned()];
        let logbook = Logbook::new(Environments::Labels, target, domains).expect("both are named");
        let logbook = logbook.expect("there are environments");
        for page in [&["gusty", "steady"][..], &["steady"], &["gusty"]] {
            let line = |domain: &&str| Sensed {
                wind: None,
                domain: (*domain).to_owned(),
            };
            logbook.write(page.iter().map(line).collect());
        }
        logbook
    }

    #[test]
    fn labels_are_the_shares_of_an_evaluation_s_flights_in_each_domain() {
        let told = labelled(Target::Gusty).circumstances(3);
        assert_eq!(told.rows, [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]);
        assert_eq!(told.targets, [[0.0, 1.0]]);
        assert_eq!(
            labelled(Target::Steady).circumstances(1).targets,
            [[1.0, 0.0]]
        );
        assert_eq!(
            labelled(Target::Mean).circumstances(1).targets,
            [[0.5, 0.5]]
        );
        let worst = labelled(Target::Worst).circumstances(1).targets;
        assert_eq!(worst, [[1.0, 0.0], [0.0, 1.0]]);
    }

    #[test]
    fn flights_that_are_not_told_apart_are_all_of_one_environment() {
        let domains = vec!["gusty".to_owned()];
        let logbook = Logbook::new(Environments::Telemetry, Target::Steady, domains);
        let logbook = logbook.expect("legal").expect("there are environments");
        let line = Sensed {
            wind: None,
            domain: "gusty".to_owned(),
        };
        logbook.write(vec![line.clone()]);
        logbook.write(vec![line.clone(), line]);
        let told = logbook.circumstances(2);
        assert_eq!(told.rows, [[0.5, 0.5], [0.5, 0.5]]);
        assert_eq!(told.targets, [[0.5, 0.5]]);
    }

    #[test]
    fn a_target_that_no_label_names_is_refused() {
        let domains = vec!["breeze".to_owned(), "storm".to_owned()];
        let refused = Logbook::new(Environments::Labels, Target::Gusty, domains);
        assert_eq!(
            refused.err().expect("no such label").to_string(),
            "--target gusty names none of the training domains breeze, storm; use worst or mean, or --environments telemetry"
        );
    }
}
