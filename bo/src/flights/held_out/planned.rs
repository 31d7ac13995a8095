//! Planned: the flights that a test is to consist of.

use super::Test;
use crate::flights::tuning::Tuning;
use crate::interrupt::Interrupt;
use rayon::prelude::*;
use sim::{Flight, Gains};

/// Flights that one thread takes on at a time.
const BATCH: usize = 8;

/// Flies `gains` in the first `winds` held-out winds of each domain, on all cores; the result
/// does not depend on their number. Nothing when interrupted.
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
    /// Flies them on all cores; the result does not depend on their number. Nothing when interrupted.
    /// `flown` hears of every few flights, from any thread.
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
