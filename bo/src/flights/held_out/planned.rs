//! Planned: the flights that a test is to consist of, flown at once or begun ahead and finished later.

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
    let finished = planned.map(|planned| planned.finish(&[], interrupt, &|_| ()));
    let tests: Option<Vec<Vec<Test>>> = finished.collect();
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

/// The first flights of one set of gains in held-out winds, a few winds at a time, in their order.
#[derive(Debug, Clone, Default)]
pub struct Begun(Vec<Vec<Flight>>);

impl Begun {
    /// How many there are.
    pub fn count(&self) -> u64 {
        self.0.iter().map(Vec::len).sum::<usize>() as u64
    }
}

impl Planned<'_> {
    /// Flies the gains numbered `of` in the next few winds after those of `begun`, on this thread, and adds
    /// these flights; false where none was left.
    pub fn go_on(&self, of: usize, begun: &mut Begun) -> bool {
        let seeds = self.seeds();
        let Some(next) = seeds.chunks(BATCH).nth(begun.0.len()) else {
            return false;
        };
        begun.0.extend(self.fly(&self.gains[of..=of], next));
        true
    }

    /// Flies what is left after those of `begun`, one for each gains or none at all, on all cores; the
    /// result depends neither on their number nor on what was begun. Nothing when interrupted. `flown`
    /// hears of every few flights, from any thread.
    pub fn finish(
        &self,
        begun: &[Begun],
        interrupt: &Interrupt,
        flown: &(dyn Fn(u64) + Sync),
    ) -> Option<Vec<Test>> {
        let known = |of: usize, batch: usize| begun.get(of)?.0.get(batch);
        let batches: Vec<Vec<Vec<Flight>>> = self
            .seeds()
            .par_chunks(BATCH)
            .enumerate()
            .map(|(batch, seeds)| {
                let all = 0..self.gains.len();
                let due = all.clone().filter(|of| known(*of, batch).is_none());
                let due: Vec<Gains> = due.map(|of| self.gains[of]).collect();
                if !due.is_empty() && interrupt.raised() {
                    return None;
                }
                let mut made = self.fly(&due, seeds).into_iter();
                flown((seeds.len() * due.len()) as u64);
                let flights = all.map(|of| known(of, batch).cloned().or_else(|| made.next()));
                flights.collect()
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

    fn fly(&self, gains: &[Gains], seeds: &[u64]) -> Vec<Vec<Flight>> {
        self.tuning.fly_batch(gains, self.domain, seeds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn a_test_that_was_begun_ends_as_one_that_was_not_wherever_it_stopped() {
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
        let end = |begun: &[Begun]| {
            let flown = AtomicU64::new(0);
            let count = |flights| {
                flown.fetch_add(flights, Ordering::Relaxed);
            };
            let tests = planned.finish(begun, &Interrupt::default(), &count);
            (tests.expect("flown"), flown.into_inner())
        };
        let whole = end(&[]);
        assert_eq!(whole.1, 40);
        for (tests, gains) in whole.0.chunks(1).zip([gains, softer]) {
            let alone = test(&tuning, &gains, 20, &Interrupt::default());
            assert_eq!(tests, &alone.expect("flown")[..1]);
        }
        for (batches, left) in [
            ([0, 0], 40),
            ([1, 0], 32),
            ([0, 2], 24),
            ([3, 1], 12),
            ([3, 3], 0),
        ] {
            let mut begun = [Begun::default(), Begun::default()];
            for (of, begun) in begun.iter_mut().enumerate() {
                assert!((0..batches[of]).all(|_| planned.go_on(of, begun)));
            }
            assert_eq!(begun.iter().map(Begun::count).sum::<u64>(), 40 - left);
            assert_eq!(end(&begun), (whole.0.clone(), left));
        }
        let mut all = Begun::default();
        assert!((0..3).all(|_| planned.go_on(0, &mut all)));
        assert!(!planned.go_on(0, &mut all));
        // What is flown is kept, also by who is told to stop.
        let stopped = Interrupt::default();
        stopped.raise();
        let finish = |begun: &[Begun]| planned.finish(begun, &stopped, &|_| ());
        assert_eq!(
            finish(&[all.clone(), all.clone()]).map(|tests| tests.len()),
            Some(2)
        );
        assert_eq!(finish(&[all]), None);
    }
}
