//! Plan: everything that decides a comparison, checked.

pub mod cell;
pub mod method;
pub mod training;

use crate::comparison::plan::cell::{Cell, Piece, Recommender};
use crate::comparison::plan::method::Method;
use crate::comparison::plan::training::Training;
use crate::run::settings::Settings;
use crate::search::belief::surrogates::abilities;
use crate::study::{Config, field};
use serde::{Deserialize, Serialize};
use sim::Airframe;

/// How a comparison is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// As in the paper: the best observed flight is deployed; mean ± greatest deviation over seeds.
    Paper,
    /// Both recommenders, intervals, paired differences corrected for their number.
    Honest,
}

/// The settings of a study that every cell shares, by their keys: those of a [`Budget`].
pub const SHARED: [&str; 7] = [
    "airframe",
    "budget.initial",
    "budget.iterations",
    "budget.flights",
    "budget.held_out",
    "acquisition.kappa",
    "lambda",
];

/// The numbers that every cell shares. Cells of different budgets never share a folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Version of the program.
    pub windhover: String,
    /// The vehicle.
    #[serde(default = "Airframe::omac")]
    pub airframe: Airframe,
    /// Tuning flights before a surrogate is first asked.
    pub initial: u64,
    /// Tuning flights that the surrogate chooses.
    pub iterations: u64,
    /// Flights of one evaluation, each in a wind of its own.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub flights: u64,
    /// Weight of the standard deviation in the acquisition.
    pub kappa: f64,
    /// Weight of the penalty in every form of DIL-GP, where it is not each one's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lambda: Option<f64>,
    /// Rules of recommending whose gains are tested beside the recommended and the observed ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recommenders: Vec<Recommender>,
    /// Held-out winds in each domain.
    pub held_out_winds: u64,
    /// Flights of the floor's search in each domain.
    pub floor_flights: u64,
}

/// In a list, or `none`.
fn names(recommenders: &[Recommender]) -> String {
    let names: Vec<String> = recommenders.iter().map(|r| String::from(*r)).collect();
    match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(","),
    }
}

fn one() -> u64 {
    1
}

fn is_one(flights: &u64) -> bool {
    *flights == 1
}

impl Budget {
    /// What the cells of a comparison share of `study`, by this version of the program.
    pub fn of(study: &Config, floor_flights: u64) -> Budget {
        let settings = &study.settings;
        Budget {
            windhover: env!("CARGO_PKG_VERSION").to_owned(),
            airframe: study.airframe.get().clone(),
            initial: settings.initial,
            iterations: settings.iterations,
            flights: settings.flights_per_evaluation,
            kappa: settings.kappa,
            lambda: settings.lambda,
            recommenders: Vec::new(),
            held_out_winds: settings.held_out_winds,
            floor_flights,
        }
    }

    /// `usual` with these numbers; a surrogate with a penalty has its own weight where none is given
    /// here.
    pub fn given_to(&self, usual: Settings) -> Settings {
        Settings {
            initial: self.initial,
            iterations: self.iterations,
            flights_per_evaluation: self.flights,
            kappa: self.kappa,
            lambda: usual.lambda.map(|own| self.lambda.unwrap_or(own)),
            held_out_winds: self.held_out_winds,
            ..usual
        }
    }

    /// Tuning flights of one cell.
    pub fn tuning_flights(&self) -> u64 {
        self.evaluations() * self.flights
    }

    /// Evaluations of one cell.
    pub fn evaluations(&self) -> u64 {
        self.initial + self.iterations
    }

    /// The first number in which `self` and `other` differ: its flag and both values.
    pub fn difference(&self, other: &Budget) -> Option<(&'static str, String, String)> {
        let text = |value: &dyn std::fmt::Display| value.to_string();
        let theirs = &other.floor_flights;
        let own = [
            ("windhover", self.windhover.clone(), other.windhover.clone()),
            ("floor-flights", text(&self.floor_flights), text(theirs)),
            (
                "recommenders",
                names(&self.recommenders),
                names(&other.recommenders),
            ),
        ];
        let studies = [self.study(), other.study()];
        let shared = SHARED.into_iter().filter_map(field).filter_map(|field| {
            let [ours, theirs] = studies.each_ref().map(|study| match field.typed(study)? {
                none if none == "none" => Some("its default".to_owned()),
                value => Some(value),
            });
            Some((field.flag?.name, ours?, theirs?))
        });
        let mut pairs = own.into_iter().chain(shared);
        let differing = pairs.find(|(_, ours, theirs)| ours != theirs);
        differing.or_else(|| self.other_airframe(&other.airframe))
    }

    /// The default study with these numbers.
    fn study(&self) -> Config {
        let usual = Config::default();
        Config {
            settings: Settings {
                lambda: self.lambda,
                ..self.given_to(usual.settings)
            },
            ..usual
        }
    }

    /// How `other` differs from this vehicle, where it does.
    fn other_airframe(&self, other: &Airframe) -> Option<(&'static str, String, String)> {
        let ours = &self.airframe;
        let theirs = match ours.name == other.name {
            true => format!("{} with other numbers", other.name),
            false => other.name.clone(),
        };
        (ours != other).then(|| ("airframe", ours.name.clone(), theirs))
    }
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

    /// The rules beside its own and the observed one by which the gains of `method` are tested.
    pub fn further(&self, method: Method) -> impl Iterator<Item = Recommender> {
        let believing = method.believes().map(abilities);
        let rules = self.budget.recommenders.iter().copied();
        rules.filter(move |recommender| match (recommender, believing) {
            (Recommender::By(rule), Some(abilities)) => {
                *recommender != Recommender::OBSERVED && rule.check(&abilities).is_ok()
            }
            _ => false,
        })
    }

    /// All that is worked out: the floor's searches, which its cells wait for, and every cell.
    pub fn pieces(&self) -> Vec<Piece> {
        let trajectories = self
            .trajectories
            .iter()
            .filter(|_| self.methods.contains(&Method::Floor));
        let floors = trajectories.flat_map(|trajectory| Piece::floors(trajectory));
        floors
            .chain(self.cells().into_iter().map(Piece::Cell))
            .collect()
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

    /// Two trainings, three methods, two seeds.
    pub(crate) fn plan() -> Plan {
        Plan {
            protocol: Protocol::Honest,
            trajectories: vec!["hover"],
            trainings: vec![Training::Mixture, Training::Steady],
            methods: vec![
                Method::DefaultGains,
                Method::RandomSearch,
                Method::Surrogate("gp"),
            ],
            seeds: vec![3, 4],
            budget: Budget {
                windhover: "0".to_owned(),
                airframe: Airframe::omac(),
                initial: 4,
                iterations: 3,
                flights: 1,
                kappa: 2.0,
                lambda: None,
                recommenders: Vec::new(),
                held_out_winds: 3,
                floor_flights: 0,
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

    #[test]
    fn a_difference_between_budgets_is_named_with_both_values() {
        let ours = plan().budget;
        assert_eq!(ours.difference(&ours.clone()), None);
        let other = Budget {
            kappa: 3.0,
            ..ours.clone()
        };
        let expected = ("kappa", "2".to_owned(), "3".to_owned());
        assert_eq!(ours.difference(&other), Some(expected));
        let centre = Recommender::By(crate::search::Recommender::Centre);
        let other = Budget {
            recommenders: vec![centre, Recommender::OBSERVED],
            ..ours.clone()
        };
        let expected = (
            "recommenders",
            "none".to_owned(),
            "centre,observed".to_owned(),
        );
        assert_eq!(ours.difference(&other), Some(expected));
        let other = Budget {
            lambda: Some(0.5),
            ..ours.clone()
        };
        let expected = ("lambda", "its default".to_owned(), "0.5".to_owned());
        assert_eq!(ours.difference(&other), Some(expected));
        let of = |airframe: Airframe| Budget {
            airframe,
            ..ours.clone()
        };
        let crazyflie = Airframe::by_name("crazyflie").expect("shipped");
        let expected = ("airframe", "omac".to_owned(), "crazyflie".to_owned());
        assert_eq!(ours.difference(&of(crazyflie)), Some(expected));
        let mut heavier = Airframe::omac();
        heavier.mass_kg *= 1.1;
        let expected = "omac with other numbers".to_owned();
        let found = ours.difference(&of(heavier)).map(|difference| difference.2);
        assert_eq!(found, Some(expected));
    }
}
