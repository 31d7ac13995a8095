//! Held out: how good gains are in winds that no tuning flight met.
//!
//! A mean over flights of which one in hundreds is lost has no interval that a few hundred flights
//! could give: what was never drawn is in no sample. Nor has the mean of the completed flights, some
//! of which come near a loss. So the completed flights are judged by their median, the losses by an
//! exact bound of their probability, both of which hold whatever the distribution; the mean that
//! counts a loss as the cap is given without an interval. `cargo run -p bo --example coverage`
//! measures how often the intervals hold.

use crate::flights::tuning::Tuning;
use crate::interrupt::Interrupt;
use crate::statistics::{MedianInterval, upper_bound};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sim::{ACE_CAP_M, Flight, Gains, Score};

/// Flights of each set of gains of which more than the error is looked at.
const SCORED: u64 = 8;

/// The scores of `gains` in the first held-out winds of the first domain.
pub fn scores(tuning: &Tuning, gains: &Gains) -> Vec<Score> {
    let seeds = (0..SCORED).map(|number| tuning.held_out_weather(0, number).seed);
    let flown = tuning.fly_batch(&[*gains], 0, &seeds.collect::<Vec<u64>>());
    flown.iter().flatten().map(|flight| flight.score).collect()
}

/// The mean of a part of `scores`.
pub fn mean_of(scores: &[Score], of: impl Fn(&Score) -> f64) -> f64 {
    scores.iter().map(of).sum::<f64>() / scores.len() as f64
}

/// The flights of one set of gains in the held-out winds of one domain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Kept")]
pub struct Test {
    /// Name of the wind domain.
    pub domain: String,
    /// Cost of each flight in the order of the winds: ACE, capped; the cap for a lost one [m].
    pub ace_m: Vec<f64>,
    /// Numbers of the winds, from 0, in which the vehicle was lost.
    pub lost: Vec<u64>,
    /// How many these are.
    pub crashes: usize,
    /// What the probability of a loss keeps below with 95 % confidence, exact.
    pub loss_probability_at_most: f64,
    /// Median ACE of the completed flights with its 95 % interval over winds [m]; absent where every
    /// flight was lost.
    pub completed_m: Option<MedianInterval>,
    /// Mean of `ace_m` [m].
    pub mean_m: f64,
}

/// Flights lost among some, and how probable a loss can be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// How many were lost.
    pub lost: usize,
    /// Of how many.
    pub flights: usize,
    /// What the probability of a loss keeps below with 95 % confidence, exact (Clopper and Pearson
    /// 1934, one-sided).
    pub at_most: f64,
}

impl Losses {
    /// After `lost` of `flights`.
    pub fn of(lost: usize, flights: usize) -> Losses {
        Losses {
            lost,
            flights,
            at_most: upper_bound(lost, flights),
        }
    }
}

/// A test as files hold it, those of earlier versions included: all else follows from this.
#[derive(Deserialize)]
struct Kept {
    domain: String,
    ace_m: Vec<f64>,
    /// Absent in records of the first two forms.
    lost: Option<Vec<u64>>,
    #[serde(default)]
    crashes: usize,
}

impl From<Kept> for Test {
    fn from(kept: Kept) -> Test {
        // A record that does not say which flights were lost shows them as the cap. Where a
        // completed flight reached the cap too, the first ones are taken for the lost ones.
        let at_cap = (0..).zip(&kept.ace_m).filter(|(_, ace)| **ace >= ACE_CAP_M);
        let lost = kept
            .lost
            .unwrap_or_else(|| at_cap.map(|(wind, _)| wind).take(kept.crashes).collect());
        Test::of(kept.domain, kept.ace_m, lost)
    }
}

impl Test {
    /// The test that consists of these flights, lost in the winds of the numbers `lost`. A test
    /// without a flight, which only a damaged file has, has no mean.
    pub fn of(domain: String, ace_m: Vec<f64>, lost: Vec<u64>) -> Test {
        let completed: Vec<f64> = completed(&ace_m, &lost).flatten().collect();
        Test {
            crashes: lost.len(),
            loss_probability_at_most: Losses::of(lost.len(), ace_m.len()).at_most,
            completed_m: (!completed.is_empty()).then(|| MedianInterval::of(&completed)),
            mean_m: ace_m.iter().sum::<f64>() / ace_m.len() as f64,
            domain,
            ace_m,
            lost,
        }
    }

    /// The ACE in each wind in order [m]; `None` if the vehicle was lost.
    pub fn flights(&self) -> impl Iterator<Item = Option<f64>> + Clone {
        completed(&self.ace_m, &self.lost)
    }

    /// Its lost flights.
    pub fn losses(&self) -> Losses {
        Losses::of(self.lost.len(), self.ace_m.len())
    }
}

fn completed<'a>(
    ace_m: &'a [f64],
    lost: &'a [u64],
) -> impl Iterator<Item = Option<f64>> + Clone + 'a {
    let flights = (0u64..).zip(ace_m);
    flights.map(|(wind, ace)| (!lost.contains(&wind)).then_some(*ace))
}

/// Flights that one thread takes on at a time.
const BATCH: usize = 8;

/// Flies `gains` in the first `winds` held-out winds of each domain, on all cores; the result
/// does not depend on their number. `None` if interrupted.
pub fn test(
    tuning: &Tuning,
    gains: &Gains,
    winds: u64,
    interrupt: &Interrupt,
) -> Option<Vec<Test>> {
    let domains = 0..tuning.domains.len();
    let planned = domains.map(|domain| Planned {
        tuning,
        gains: std::slice::from_ref(gains),
        domain,
        winds,
    });
    let flown = planned.map(|planned| planned.fly(interrupt, &|_| ()));
    let tests: Option<Vec<Vec<Test>>> = flown.collect();
    Some(tests?.into_iter().flatten().collect())
}

/// Tests to be flown: of each of `gains`, in the first `winds` held-out winds of one domain.
#[derive(Clone, Copy)]
pub struct Planned<'a> {
    /// The problem whose winds they are.
    pub tuning: &'a Tuning,
    /// What is tested; all in the same winds.
    pub gains: &'a [Gains],
    /// Number of the domain.
    pub domain: usize,
    /// How many winds.
    pub winds: u64,
}

impl Planned<'_> {
    /// Flies them on all cores; the result does not depend on their number. `None` if interrupted.
    /// `flown` receives the count of every few flights, from any thread.
    pub fn fly(&self, interrupt: &Interrupt, flown: &(dyn Fn(u64) + Sync)) -> Option<Vec<Test>> {
        let batches: Vec<Vec<Vec<Flight>>> = self
            .seeds()
            .par_chunks(BATCH)
            .map(|seeds| {
                if interrupt.raised() {
                    return None;
                }
                let made = self.tuning.fly_batch(self.gains, self.domain, seeds);
                flown((seeds.len() * self.gains.len()) as u64);
                Some(made)
            })
            .collect::<Option<_>>()?;
        let test = |of: usize| self.test(batches.iter().flat_map(|batch| &batch[of]));
        Some((0..self.gains.len()).map(test).collect())
    }

    /// The test that consists of `flights`, one a wind.
    fn test<'f>(&self, flights: impl Iterator<Item = &'f Flight> + Clone) -> Test {
        let lost = (0..)
            .zip(flights.clone())
            .filter(|(_, flight)| !flight.completed());
        Test::of(
            self.tuning.domains[self.domain].name.clone(),
            flights.map(Flight::cost_m).collect(),
            lost.map(|(wind, _)| wind).collect(),
        )
    }

    fn seeds(&self) -> Vec<u64> {
        let weather = |number| self.tuning.held_out_weather(self.domain, number);
        (0..self.winds).map(|number| weather(number).seed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn lost_flights_are_counted_apart_from_the_error_of_the_others() {
        let test = Test::of("gusty".to_owned(), vec![0.2, 2.0, 0.4, 0.3], vec![1]);
        assert_eq!(test.completed_m, Some(MedianInterval::of(&[0.2, 0.4, 0.3])));
        assert_eq!((test.crashes, test.mean_m), (1, 0.725));
        assert_eq!(test.loss_probability_at_most, upper_bound(1, 4));
        let flights: Vec<Option<f64>> = test.flights().collect();
        assert_eq!(flights, [Some(0.2), None, Some(0.4), Some(0.3)]);
        let all = Test::of("gusty".to_owned(), vec![2.0, 2.0], vec![0, 1]);
        assert_eq!((all.completed_m, all.loss_probability_at_most), (None, 1.0));
    }

    #[test]
    fn a_test_is_read_back_as_it_was_and_from_earlier_records() {
        let test = Test::of("gusty".to_owned(), vec![0.2, 2.0, 0.4, 2.0], vec![3]);
        let json = serde_json::to_string(&test).expect("finite");
        assert_eq!(serde_json::from_str::<Test>(&json).expect("legal"), test);
        let earlier = r#"{"domain":"gusty","ace_m":[0.2,2.0,0.4,2.0],"crashes":1,"mean":{}}"#;
        let earlier: Test = serde_json::from_str(earlier).expect("legal");
        assert_eq!((earlier.lost, earlier.crashes), (vec![1], 1));
    }

    #[test]
    fn tests_flown_together_are_those_flown_alone_and_an_interrupt_ends_them() {
        let hover = trajectories::by_name("hover").expect("legal");
        let tuning = Tuning::of_paper(hover, 3);
        let gains = tuning.setup.airframe.gains;
        let mut softer = gains;
        softer.position_xy.kp *= 0.5;
        let planned = Planned {
            tuning: &tuning,
            gains: &[gains, softer],
            domain: 0,
            winds: 20,
        };
        let flown = AtomicU64::new(0);
        let count = |flights| {
            flown.fetch_add(flights, Ordering::Relaxed);
        };
        let tests = planned.fly(&Interrupt::default(), &count).expect("flown");
        assert_eq!(flown.into_inner(), 40);
        for (tests, gains) in tests.chunks(1).zip([gains, softer]) {
            let alone = test(&tuning, &gains, 20, &Interrupt::default());
            assert_eq!(tests, &alone.expect("flown")[..1]);
        }
        let stopped = Interrupt::default();
        stopped.raise();
        assert_eq!(planned.fly(&stopped, &|_| ()), None);
    }
}
