//! TradeOff: the gains that a run flew, by their error, their motor activity and their margins, and the
//! fronts on which none of these can be had for less of the others.
//!
//! An evaluation's own cost is that of its wind; the error here is what the surrogate predicts after all
//! evaluations. Margins need no flight: they are those at hover, with sensors as late as the card has them.

use crate::Error;
use crate::flights::evaluation::Evaluation;
use crate::flights::held_out::{Test, mean_of, scores};
use crate::flights::margins::{Least, MarginLimits, Places, margin};
use crate::flights::problem::Problem;
use crate::flights::tuning::limits::activity;
use crate::run::bayesian::Bayesian;
use crate::run::disk::archive::Read;
use crate::run::disk::record::{Candidate, Record};
use crate::statistics::MedianInterval;
use crate::study::flown_by;
use rayon::prelude::*;
use serde::Serialize;
use shell::Failure;
use sim::Gains;
use sim::margins::LOOPS;

/// Most digits after the point of a demand that is made up.
const DIGITS: usize = 6;

/// Gains with what is traded.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Traded {
    /// The evaluation, from 0; `None` of gains that were not flown in the search.
    pub evaluation: Option<u64>,
    /// All gains.
    pub gains: Gains,
    /// The predicted error, the median over winds [m].
    pub error_m: f64,
    /// Motor activity [full ranges per s], of an evaluation in its own wind, else in test winds; `None` if an
    /// earlier version flew it.
    pub motor_activity_per_s: Option<f64>,
    /// The least margins at hover; `None` if the vehicle is not stable.
    pub margins: Option<Least>,
}

/// What gains are good in besides the error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Little motor activity [full ranges per s].
    Activity,
    /// Phase margin [deg].
    Phase,
    /// Gain margin, up or down [dB].
    Gain,
    /// Disk margin.
    Disk,
}

/// Each of them by its name.
pub const AXES: [(&str, Axis); 4] = [
    ("motor-activity", Axis::Activity),
    ("phase", Axis::Phase),
    ("gain", Axis::Gain),
    ("disk", Axis::Disk),
];

/// Least error at a demand: at most so much activity, or at least such a margin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Demand {
    axis: Axis,
    value: f64,
}

impl std::str::FromStr for Demand {
    type Err = String;

    fn from_str(text: &str) -> Result<Demand, String> {
        let wanted = || {
            let names = AXES.map(|(name, _)| name).join(", ");
            format!("expected NAME=NUMBER, as in phase=45; names: {names}")
        };
        let (name, value) = text.split_once('=').ok_or_else(wanted)?;
        let axis = AXES.iter().find(|(known, _)| *known == name.trim());
        let value: f64 = value.trim().parse().map_err(|_| wanted())?;
        match axis {
            Some((_, axis)) if value.is_finite() => Ok(Demand { axis: *axis, value }),
            _ => Err(wanted()),
        }
    }
}

impl std::fmt::Display for Demand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = self.value;
        match self.axis {
            Axis::Activity => write!(f, "at most {value} full ranges per s of motor activity"),
            Axis::Phase => write!(f, "a phase margin of at least {value} degrees"),
            Axis::Gain => write!(f, "a gain margin of at least {value} dB"),
            Axis::Disk => write!(f, "a disk margin of at least {value}"),
        }
    }
}

impl Traded {
    /// Where it stands on `axis`; `None` if that is not known.
    pub fn on(&self, axis: Axis) -> Option<f64> {
        let cost = Some(self.cost(axis)).filter(|cost| cost.is_finite());
        cost.map(f64::abs)
    }

    /// Error, motor activity, and the least phase, gain and disk margins with their loops, as a table has them.
    pub fn cells(&self) -> [String; 5] {
        let least = |of: fn(&Least) -> Option<(f64, String)>, unit: &str| match &self.margins {
            None => "not stable".to_owned(),
            Some(least) => of(least).map_or("no limit".to_owned(), |found| margin(&found, unit)),
        };
        let activity = self.motor_activity_per_s;
        [
            format!("{:.3} m", self.error_m),
            activity.map_or("-".to_owned(), |activity| format!("{activity:.2} 1/s")),
            least(|least| least.phase_deg.clone(), " deg"),
            least(Least::gain_db, " dB"),
            least(|least| least.disk.clone(), ""),
        ]
    }

    /// How bad it is in `axis`, less being better; infinite if that is not known.
    fn cost(&self, axis: Axis) -> f64 {
        let margin = |of: fn(&Least) -> Option<(f64, String)>| match &self.margins {
            None => f64::INFINITY,
            // A margin that is not there is without end.
            Some(least) => of(least).map_or(f64::NEG_INFINITY, |(value, _)| -value),
        };
        match axis {
            Axis::Activity => self.motor_activity_per_s.unwrap_or(f64::INFINITY),
            Axis::Phase => margin(|least| least.phase_deg.clone()),
            Axis::Gain => margin(Least::gain_db),
            Axis::Disk => margin(|least| least.disk.clone()),
        }
    }

    fn meets(&self, demand: Demand) -> bool {
        let most = match demand.axis {
            Axis::Activity => demand.value,
            _ => -demand.value,
        };
        self.cost(demand.axis) <= most
    }
}

/// All gains that a run flew to the end, and those it compares.
#[derive(Debug, Clone, PartialEq)]
pub struct TradeOff {
    /// How late sensors are where margins are computed [ms].
    pub delay_ms: u32,
    /// What test flights say of the predicted errors, in a sentence; empty where none completed.
    pub tested: String,
    /// Those of the search that keep the study's limits, in their order.
    pub flown: Vec<Traded>,
    /// The default gains.
    pub default: Traded,
    /// The recommended ones.
    pub recommended: Traded,
}

impl TradeOff {
    /// That of the finished run `read`.
    ///
    /// # Errors
    /// A run whose problem cannot be made again, or whose surrogate no longer exists or cannot be fitted.
    pub fn of_run(read: &Read) -> Result<TradeOff, Error> {
        let record = &read.record;
        let (tuning, _) = flown_by(read)?;
        let problem = record.problem(tuning, record.knobs(read.folder())?)?;
        let mut search = Bayesian::new(&problem, &record.settings)?;
        search.learn(&record.trials)?;
        let found = TradeOff::of(&problem, record, &mut search)?;
        let none = "the surrogate cannot be fitted to this run, so that it has no front";
        Ok(found.ok_or_else(|| Failure::data(none))?)
    }

    /// That of the run `record` of `problem` by its search, which has learnt all evaluations; `None` if the surrogate
    /// cannot be fitted.
    ///
    /// # Errors
    /// Gains that are not of the problem.
    pub fn of(
        problem: &Problem,
        record: &Record,
        search: &mut Bayesian,
    ) -> Result<Option<TradeOff>, Error> {
        let tuning = &problem.tuning;
        let mut setup = tuning.setup.clone();
        let late = &mut setup.sensors.delay_periods;
        *late = MarginLimits::sound().delay_ms(*late);
        let delay_ms = *late;
        let places = Places::of(&setup, tuning.usual_wind(), None);
        let measured = &record.settings.measured;
        let kept = |made: &&Evaluation| {
            !made.lost && made.margin_violation.is_none() && measured.kept(&made.flights)
        };
        let finished = record.trials.iter().filter(kept);
        let mut all: Vec<(Option<&Evaluation>, Gains)> = finished
            .map(|made| (Some(made), problem.space.as_recorded(&made.x, &made.gains)))
            .collect();
        let compared = [&record.default, &record.recommended];
        all.extend(compared.map(|of| (None, of.gains)));
        let points = all.iter().map(|(_, gains)| problem.space.unit_of(gains));
        let points: Vec<Vec<f64>> = points.collect();
        let Some(posterior) = search.posterior(&points)? else {
            return Ok(None);
        };
        let traded = all
            .par_iter()
            .enumerate()
            .map(|(row, (made, gains))| Traded {
                evaluation: made.map(|made| made.number),
                gains: *gains,
                error_m: posterior.mean[row].exp(),
                // Earlier versions did not measure it.
                motor_activity_per_s: Some(match made {
                    Some(made) => activity(&made.flights),
                    None => mean_of(&scores(tuning, gains), |score| score.motor_activity_per_s),
                })
                .filter(|activity| *activity > 0.0),
                margins: places.least(gains, &LOOPS).ok(),
            });
        let mut flown: Vec<Traded> = traded.collect();
        let mut last = || flown.pop().expect("two are compared");
        let (recommended, default) = (last(), last());
        Ok(Some(TradeOff {
            delay_ms,
            tested: tested(compared),
            flown,
            default,
            recommended,
        }))
    }

    /// The gains flown that no others better in both the error and `axis`, by rising error.
    pub fn front(&self, axis: Axis) -> Vec<&Traded> {
        let mut kept: Vec<&Traded> = self.flown.iter().collect();
        kept.retain(|traded| traded.cost(axis) < f64::INFINITY);
        kept.sort_by(|a, b| {
            let by_error = a.error_m.total_cmp(&b.error_m);
            by_error.then(a.cost(axis).total_cmp(&b.cost(axis)))
        });
        let mut least = f64::INFINITY;
        kept.retain(|traded| {
            let better = traded.cost(axis) < least;
            least = least.min(traded.cost(axis));
            better
        });
        kept
    }

    /// The demand with the fewest digits, `first` of activity or phase, that `traded`, of the front, meets with the least
    /// error; `None` where the vehicle is not stable with it or another meets it too however it is put.
    pub fn demand(&self, traded: &Traded, first: Axis) -> Option<String> {
        // What is not stable is not exported.
        traded.margins.as_ref()?;
        let demands = (1..=DIGITS).flat_map(|digits| {
            let unit = 10f64.powi(digits as i32);
            let activity = traded.on(Axis::Activity);
            let activity = activity.map(|most| ("motor-activity", (most * unit).ceil()));
            let phase = traded.on(Axis::Phase);
            let phase = phase.map(|least| ("phase", (least * unit).floor()));
            let mut both = [activity, phase];
            if first == Axis::Phase {
                both.reverse();
            }
            both.into_iter()
                .flatten()
                .map(move |(axis, value)| format!("{axis}={:.digits$}", value / unit))
                .collect::<Vec<_>>()
        });
        let meets = |text: &String| {
            let demand = text.parse::<Demand>().ok();
            let taken = demand.and_then(|demand| self.at(demand).ok());
            taken.is_some_and(|taken| taken.evaluation == traded.evaluation)
        };
        demands.into_iter().find(meets)
    }

    /// The demand of the middle of the front in `axis`, as an example.
    pub fn middle(&self, axis: Axis) -> Option<String> {
        let front = self.front(axis);
        let stable: Vec<&&Traded> = front.iter().filter(|of| of.margins.is_some()).collect();
        self.demand(stable.get(stable.len() / 2)?, axis)
    }

    /// The gains flown of least error that meet `demand`.
    ///
    /// # Errors
    /// None that do, with the nearest.
    pub fn at(&self, demand: Demand) -> Result<&Traded, Failure> {
        let meeting = self.flown.iter().filter(|traded| traded.meets(demand));
        let best = meeting.min_by(|a, b| a.error_m.total_cmp(&b.error_m));
        best.ok_or_else(|| {
            let cost = |traded: &&Traded| traded.cost(demand.axis);
            let nearest = self.flown.iter().min_by(|a, b| cost(a).total_cmp(&cost(b)));
            let nearest = nearest.and_then(|nearest| Some((nearest, nearest.on(demand.axis)?)));
            let nearest = match nearest {
                None if self.flown.is_empty() => " and keeps the study's limits".to_owned(),
                None => "; with none of them the vehicle is stable at hover".to_owned(),
                Some((nearest, value)) => format!(
                    "; the nearest are those of evaluation {}, with {value:.3}",
                    nearest.evaluation.unwrap_or_default()
                ),
            };
            Failure::data(format!(
                "none of the gains that this run flew has {demand}{nearest}; a limit in the study searches there"
            ))
        })
    }
}

/// What test flights of the default and the recommended gains say of the predicted errors.
fn tested(compared: [&Candidate; 2]) -> String {
    let of = |candidate: &Candidate| {
        let flights: Vec<Option<f64>> = (candidate.tests.iter()).flat_map(Test::flights).collect();
        let completed: Vec<f64> = flights.iter().copied().flatten().collect();
        let lost = match flights.len() - completed.len() {
            0 => String::new(),
            lost => format!(" and lose {lost} of {} flights", flights.len()),
        };
        let median_m = (!completed.is_empty()).then(|| MedianInterval::of(&completed).median);
        Some(format!("{:.3} m{lost}", median_m?))
    };
    let [Some(default), Some(recommended)] = compared.map(of) else {
        return String::new();
    };
    format!(
        "Errors are predicted for the winds of the search; in the test winds the default gains have a median error of \
         {default}, the recommended ones of {recommended}."
    )
}
