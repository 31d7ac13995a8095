//! Figures: what flights and margins say of a tune and of its baseline.

use super::Baseline;
use super::sequential::{Finding, Sequential};
use super::task::{Pilot, Task};
use crate::Error;
use crate::check::sequential::interval;
use crate::flights::held_out::Test;
use crate::flights::margins::{Least, Places, Unstable};
use crate::flights::verdict::Judgement;
use crate::interrupt::Interrupt;
use crate::report::analysis::oscillation::{AXES, Welch};
use crate::report::card::Tally;
use crate::statistics::clopper_pearson;
use nalgebra::Vector3;
use rayon::prelude::*;
use serde::Serialize;
use sim::margins::{LOOPS, Mode};
use sim::{ACE_CAP_M, CONTROL_PERIOD_S, Flight, Sample, Score};
use std::f64::consts::TAU;

/// Flights that one thread takes on at a time.
const SHARE: usize = 32;

/// Flights between two looks at the test.
const BLOCK: u64 = 128;

/// Flights of the baseline, which are those of the tune as far as these go.
const OF_BASELINE: u64 = 400;

/// Vehicles drawn for their margins.
const DRAWN: usize = 16;

/// Flights of each that are recorded.
const RECORDED: u64 = 3;

/// Quantiles of the ACE that are reported.
pub const QUANTILES: [f64; 3] = [0.5, 0.9, 0.95];

/// What is known of a tune and of the baseline.
#[derive(Debug, Clone, Serialize)]
pub struct Figures {
    /// What the sequential test found of the tune.
    pub finding: Finding,
    /// The tune.
    pub tune: Side,
    /// The baseline.
    pub baseline: Side,
    /// ACE of each flight of the tune in the order of the winds [m]; `None` if it was lost.
    #[serde(skip)]
    pub flown_m: Vec<Option<f64>>,
    /// Seed of the tune's worst flight: the first lost one, else the one of the greatest ACE; nothing
    /// where none was flown.
    pub worst_seed: Option<u64>,
}

/// One set of gains.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Side {
    /// Flights flown.
    pub flights: usize,
    /// Flights lost.
    pub lost: usize,
    /// Exact 95 % interval of the probability of a loss: of the tune, whose test decides how many flights
    /// there are, by the order of its ends ([`interval`]); of the baseline by Clopper and Pearson (1934).
    pub loss_probability: [f64; 2],
    /// Quantiles of the ACE, a lost flight worse than any number [m]; absent among the lost ones.
    pub ace_m: [Option<f64>; 3],
    /// Mean share of the time in which a rotor was at the end of its range.
    pub rotor_saturation: f64,
    /// Shares of the time in which the vehicle headed more than 30 and more than 90 degrees from where it
    /// should.
    pub heading_off: [f64; 2],
    /// The error of heading at 95 % of the recorded instants [deg].
    pub heading_deg: f64,
    /// How far the rotors' commands travel: their ranges a second, a mean over the four.
    pub motor_activity_per_s: f64,
    /// The strongest oscillation of the recorded flights.
    pub oscillation: Option<Oscillation>,
    /// Whether small disturbances of the hovering vehicle die away, and how.
    pub mode: Option<Mode>,
    /// The loops' least margins, at hover and where the trajectory leads; absent where the vehicle is not
    /// stable.
    pub margins: Option<Least>,
    /// The least phase margin at hover of vehicles drawn from the airframe's uncertainty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn: Option<Drawn>,
    /// The first place at which it is not: hover, or an instant of the trajectory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unstable: Option<String>,
}

/// Vehicles drawn from an airframe's uncertainty, hovering.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drawn {
    /// How many.
    pub vehicles: usize,
    /// How many of them are not stable.
    pub unstable: usize,
    /// The least phase margin of the others, with its loop [deg].
    pub phase_deg: Option<(f64, String)>,
}

impl Drawn {
    /// Those of `task`, flown by `pilot`; `None` where the airframe declares no uncertainty.
    fn of(task: &Task, pilot: &Pilot) -> Option<Drawn> {
        let setup = task.setup_of(pilot);
        let each = (0..DRAWN as u64).into_par_iter().map(|number| {
            let hover = Places::drawn(&setup, Some(&task.domain), task.seed_of(number));
            hover.least(&pilot.gains, &LOOPS).ok()
        });
        let each: Vec<Option<Least>> = setup.uncertain.then(|| each.collect())?;
        let phases = each
            .iter()
            .flatten()
            .filter_map(|least| least.phase_deg.clone());
        Some(Drawn {
            vehicles: each.len(),
            unstable: each.iter().filter(|least| least.is_none()).count(),
            phase_deg: phases.min_by(|a, b| a.0.total_cmp(&b.0)),
        })
    }
}

/// An oscillation of the body.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Oscillation {
    /// Its frequency [Hz].
    pub frequency_hz: f64,
    /// The axis about which it is strongest.
    pub axis: &'static str,
    /// Its amplitude [deg/s].
    pub amplitude_deg_s: f64,
}

impl Figures {
    /// Flies the tune beside a baseline whose figures are known.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn of(
        task: &Task,
        tune: &Pilot,
        can_fly: bool,
        baseline: Side,
        most: u64,
        interrupt: &Interrupt,
    ) -> Result<Figures, Error> {
        if !can_fly {
            // What is no number cannot be flown, and what is negative nobody has to.
            return Ok(Figures {
                finding: Finding::Open,
                tune: Side::default(),
                baseline,
                flown_m: Vec::new(),
                worst_seed: None,
            });
        }
        let new = flown(task, tune, most, true, interrupt)?;
        let mut test = Sequential::default();
        new.iter().for_each(|flight| test.add(!flight.completed()));
        let worst = new.iter().enumerate().reduce(|worst, next| {
            if cost(next.1) > cost(worst.1) {
                next
            } else {
                worst
            }
        });
        let mut tune = Side::of(task, tune, &new);
        tune.loss_probability = interval(test);
        Ok(Figures {
            finding: test.finding(),
            tune,
            baseline,
            flown_m: new.iter().map(completed_m).collect(),
            worst_seed: worst.map(|(k, _)| task.seed_of(k as u64)),
        })
    }
}

/// The first flights of a task: as many as the test needs, where it may `stop`, and never more than
/// `most`. Which these are does not depend on the number of threads.
fn flown(
    task: &Task,
    pilot: &Pilot,
    most: u64,
    stop: bool,
    interrupt: &Interrupt,
) -> Result<Vec<Flight>, Error> {
    let mut all: Vec<Flight> = Vec::new();
    let mut test = Sequential::default();
    while (all.len() as u64) < most {
        if interrupt.raised() {
            let flights = all.len() as u64;
            return Err(Error::Interrupted(flights));
        }
        let from = all.len() as u64;
        let seeds: Vec<u64> = (from..(from + BLOCK).min(most))
            .map(|k| task.seed_of(k))
            .collect();
        let block: Vec<Flight> = seeds
            .par_chunks(SHARE)
            .flat_map_iter(|seeds| task.fly(pilot, seeds))
            .collect();
        for flight in block {
            test.add(!flight.completed());
            all.push(flight);
            if stop && test.finding() != Finding::Open {
                return Ok(all);
            }
        }
    }
    Ok(all)
}

fn completed_m(flight: &Flight) -> Option<f64> {
    flight.completed().then_some(flight.score.ace_m)
}

/// The ACE with a lost flight worse than any number.
fn cost(flight: &Flight) -> f64 {
    completed_m(flight).unwrap_or(f64::INFINITY)
}

/// The second tune against the first in the winds that both flew, those of `domain`; `None` if one of
/// them cannot be flown.
pub fn against([first, second]: [&Figures; 2], domain: &str) -> Option<Judgement> {
    let winds = first.flown_m.len().min(second.flown_m.len());
    let test = |figures: &Figures| {
        let flown = &figures.flown_m[..winds];
        let lost = (0u64..).zip(flown).filter(|(_, ace)| ace.is_none());
        let ace_m = flown.iter().map(|ace| ace.unwrap_or(ACE_CAP_M)).collect();
        Test::of(
            domain.to_owned(),
            ace_m,
            lost.map(|(wind, _)| wind).collect(),
        )
    };
    (winds > 0).then(|| Judgement::of(&test(first), &test(second)))
}

impl Side {
    /// Of a baseline, which flies `most` flights too, but no more than are needed beside a tune's.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn of_baseline(
        task: &Task,
        baseline: &Baseline,
        most: u64,
        interrupt: &Interrupt,
    ) -> Result<Side, Error> {
        let pilot = task.pilot(&baseline.tune);
        let old = flown(task, &pilot, OF_BASELINE.min(most), false, interrupt)?;
        let mut side = Side::of(task, &pilot, &old);
        side.loss_probability = clopper_pearson(side.lost, side.flights.max(1));
        Ok(side)
    }

    /// What a card says of it, after flights in the wind `domain`.
    pub fn tally(&self, domain: &str) -> Tally {
        let unstable = self.unstable.iter().map(|at| Err(Unstable(at.clone())));
        let margins = self.margins.iter().cloned().map(Ok).chain(unstable).next();
        Tally {
            ace_m: vec![(domain.to_owned(), self.ace_m[0])],
            lost: [self.lost, self.flights],
            margins,
            motor_activity_per_s: self.mode.map(|_| self.motor_activity_per_s),
        }
    }

    /// The interval in words, rounded outwards: what is left out is as improbable as said.
    pub fn loss_percent(&self) -> String {
        let [low, high] = self.loss_probability.map(|p| 1e4 * p);
        format!("{:.2} to {:.2} %", low.floor() / 100.0, high.ceil() / 100.0)
    }

    fn of(task: &Task, pilot: &Pilot, flights: &[Flight]) -> Side {
        let along = Some(task.trajectory.as_ref());
        let places = Places::of(&task.setup_of(pilot), Some(&task.domain), along);
        let gains = &pilot.gains;
        let lost = flights.iter().filter(|flight| !flight.completed()).count();
        let mut costs: Vec<f64> = flights.iter().map(cost).collect();
        costs.sort_by(f64::total_cmp);
        let at = |p: f64| {
            let rank = ((p * costs.len() as f64).ceil() as usize).max(1) - 1;
            costs.get(rank).copied().filter(|cost| cost.is_finite())
        };
        let mean = |of: &dyn Fn(&Score) -> f64| {
            let sum: f64 = flights.iter().map(|flight| of(&flight.score)).sum();
            sum / flights.len().max(1) as f64
        };
        let recorded: Vec<Flight> = (0..RECORDED)
            .into_par_iter()
            .map(|k| task.recorded(pilot, task.seed_of(k)))
            .collect();
        let mode = places.mode_at_hover(gains);
        let margins = places.least(gains, &LOOPS);
        Side {
            flights: flights.len(),
            lost,
            loss_probability: [0.0, 1.0],
            ace_m: QUANTILES.map(at),
            rotor_saturation: mean(&|score| score.rotor_saturation),
            heading_off: [0, 1].map(|k| mean(&|score| score.heading_off[k])),
            heading_deg: heading_deg(&recorded),
            motor_activity_per_s: mean(&|score| score.motor_activity_per_s),
            oscillation: oscillation(&recorded),
            mode: Some(mode),
            drawn: Drawn::of(task, pilot),
            unstable: margins.as_ref().err().map(|at| at.0.clone()),
            margins: margins.ok(),
        }
    }
}

/// The error of heading at 95 % of the recorded instants [deg].
fn heading_deg(recorded: &[Flight]) -> f64 {
    let error = |sample: &Sample| {
        let nose = sample.state.attitude * Vector3::x();
        let apart = nose.y.atan2(nose.x) - sample.reference.yaw_rad;
        (apart - TAU * (apart / TAU).round()).abs().to_degrees()
    };
    let samples = recorded.iter().flat_map(|flight| &flight.samples);
    let mut errors: Vec<f64> = samples.map(error).collect();
    errors.sort_by(f64::total_cmp);
    let rank = (0.95 * errors.len() as f64).ceil() as usize;
    errors.get(rank.max(1) - 1).copied().unwrap_or_default()
}

fn oscillation(recorded: &[Flight]) -> Option<Oscillation> {
    let mut welch = Welch::new(CONTROL_PERIOD_S);
    for flight in recorded {
        let axis = |k: usize| {
            flight
                .samples
                .iter()
                .map(|s| s.state.rates_rad_s[k])
                .collect()
        };
        welch.add(&[axis(0), axis(1), axis(2)]);
    }
    let peak = welch.spectrum()?.peak()?;
    Some(Oscillation {
        frequency_hz: peak.frequency_hz,
        axis: AXES[peak.axis],
        amplitude_deg_s: peak.amplitude_deg_s,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::{Airframe, Domain, Setup, Uncertainty};

    #[test]
    fn drawn_vehicles_have_the_nominal_margin_or_less_the_wider_their_ranges() {
        let airframe = Airframe::by_name("hummingbird").expect("shipped");
        let pilot = Pilot {
            gains: airframe.gains,
            controller: airframe.controller.clone(),
            delay_periods: 2,
        };
        let drawn = |wide: f64| {
            let mut setup = Setup::new(airframe.clone());
            setup.uncertain = true;
            setup.airframe.uncertainty = Uncertainty {
                inertia_rel: 0.5 * wide,
                rotor_lag_rel: 0.8 * wide,
                thrust_rel: 0.4 * wide,
                ..Uncertainty::default()
            };
            let task = Task {
                setup,
                trajectory: trajectories::by_name("hover").expect("known"),
                domain: Domain::gusty(),
                seed: 1,
                delay_ms: None,
                rotor_out: None,
                taken: Vec::new(),
            };
            let nominal = Places::of(&task.setup_of(&pilot), Some(&task.domain), None);
            let nominal = nominal.least(&pilot.gains, &LOOPS).ok();
            let drawn = Drawn::of(&task, &pilot).expect("it is uncertain");
            let phase = |of: Option<(f64, String)>| of.map_or(0.0, |(degrees, _)| degrees);
            assert_eq!(drawn.vehicles, DRAWN);
            let least = if drawn.unstable > 0 {
                0.0
            } else {
                phase(drawn.phase_deg)
            };
            [phase(nominal.and_then(|least| least.phase_deg)), least]
        };
        let [nominal, alike] = drawn(0.0);
        assert!(
            nominal > 0.0 && (nominal - alike).abs() < 1e-9,
            "{nominal} {alike}"
        );
        let (some, more) = (drawn(0.3)[1], drawn(1.0)[1]);
        assert!(nominal > some && some > more, "{nominal} {some} {more}");
    }
}
