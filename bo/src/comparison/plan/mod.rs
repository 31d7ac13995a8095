//! Plan: everything that decides a comparison, checked.

pub mod budget;
pub mod cell;
pub mod method;

pub use budget::{Budget, SHARED};

use crate::comparison::plan::cell::Cell;
use crate::comparison::plan::method::{Method, Training};
use serde::{Deserialize, Serialize};

/// How a comparison is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// As in the paper: the best observed flight is deployed; mean ± greatest deviation over seeds.
    Paper,
    /// Both recommenders, intervals, paired differences corrected for their number.
    Honest,
}

/// What is compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// How it is judged.
    pub protocol: Protocol,
    /// Names of the trajectories.
    pub trajectories: Vec<&'static str>,
    /// Winds of the tuning flights, one table each.
    pub trainings: Vec<Training>,
    /// Methods in the order of the tables' rows.
    pub methods: Vec<Method>,
    /// The method to which differences are taken, where it is one of `methods`.
    pub reference: Method,
    /// Seeds in order.
    pub seeds: Vec<u64>,
    /// What every cell shares.
    pub budget: Budget,
}

impl Plan {
    /// Every cell once: trajectories, then seeds, then methods, so that a comparison that is
    /// stopped early has whole seeds to show.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for trajectory in &self.trajectories {
            for seed in &self.seeds {
                for method in &self.methods {
                    let cell = |training| Cell {
                        trajectory,
                        training,
                        method: *method,
                        seed: *seed,
                    };
                    if method.trains() {
                        cells.extend(self.trainings.iter().map(|t| cell(Some(*t))));
                    } else {
                        cells.push(cell(None));
                    }
                }
            }
        }
        cells
    }

    /// The cell of one method within a table.
    pub fn cell(
        &self,
        trajectory: &'static str,
        training: Training,
        method: Method,
        seed: u64,
    ) -> Cell {
        Cell {
            trajectory,
            training: method.trains().then_some(training),
            method,
            seed,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use sim::Airframe;

    /// Two trainings, three methods, two seeds.
    pub(crate) fn plan() -> Plan {
        Plan {
            protocol: Protocol::Honest,
            trajectories: vec!["hover"],
            trainings: vec![Training::Mixture, Training::Gusty],
            methods: vec![
                Method::DefaultGains,
                Method::RandomSearch,
                Method::Surrogate("gp"),
            ],
            reference: Method::REFERENCE,
            seeds: vec![3, 4],
            budget: Budget {
                windhover: "0".to_owned(),
                airframe: Airframe::omac(),
                initial: 4,
                iterations: 3,
                flights: 1,
                together: 1,
                kappa: 2.0,
                lambda: None,
                environments: None,
                held_out_winds: 3,
                own_study: None,
            },
        }
    }

    #[test]
    fn methods_that_do_not_train_are_flown_once_whatever_the_trainings() {
        let cells = plan().cells();
        assert_eq!(cells.len(), 2 * (1 + 2 + 2));
        let mut keys: Vec<String> = cells.iter().map(Cell::key).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), cells.len());
    }
}
