//! Held out: the default, the recommended and the best observed gains in the same held-out winds.

use crate::Error;
use crate::flights::held_out::{Planned, Test};
use crate::flights::problem::Problem;
use crate::interrupt::Interrupt;
use crate::run::disk::journal::{Entry, Journal, Tested};
use crate::run::disk::record::Candidate;
use crate::run::tune::Observer;
use search::Recommendation;
use sim::Gains;

/// What the tests of the default gains are called.
const DEFAULT: &str = "default";

/// What the tests of the recommended ones are called.
const RECOMMENDED: &str = "recommended";

/// What the tests of the best observed ones are called.
const OBSERVED: &str = "observed";

/// Gains that are tested in each domain: the default, the recommended and the best observed ones.
pub(in crate::run) const CANDIDATES: u64 = 3;

/// What was tested, each with its tests.
pub(super) struct TestResults {
    pub default: Candidate,
    pub recommended: Candidate,
    pub observed: Candidate,
}

/// Gains flown in held-out winds, the tests of one domain kept before those of the next begin.
pub(super) struct HeldOut<'a> {
    pub observer: &'a mut dyn Observer,
    pub problem: &'a Problem,
    pub winds: u64,
    pub journal: &'a mut Journal,
    pub interrupt: &'a Interrupt,
    /// Evaluations that are kept.
    pub made: u64,
    /// Tests made now that the journal of a finished run does not take.
    pub unkept: Vec<Tested>,
}

impl HeldOut<'_> {
    /// The default gains and the two `answers`, those to deploy and the best observed ones, in the
    /// same held-out winds.
    pub fn test(mut self, answers: [Recommendation; 2]) -> Result<TestResults, Error> {
        let gains = [0, 1].map(|k| self.problem.space.gains_at(&answers[k].x));
        let default_gains = self.problem.yardstick;
        self.announce(&[
            (DEFAULT, default_gains),
            (RECOMMENDED, gains[0]),
            (OBSERVED, gains[1]),
        ])?;
        // The default ones first: the others are compared with them.
        let [tests] = self.tests([DEFAULT], [default_gains])?;
        let default = Candidate::default_gains(default_gains, tests);
        let [of_averaged, of_observed] = self.tests([RECOMMENDED, OBSERVED], gains)?;
        let [averaged, observed] = answers;
        Ok(TestResults {
            recommended: Candidate::recommended(averaged, gains[0], of_averaged, &default),
            observed: Candidate::recommended(observed, gains[1], of_observed, &default),
            default,
        })
    }

    /// Says how many flights there are, and how many of them are there already.
    fn announce(&mut self, candidates: &[(&str, Gains)]) -> Result<(), Error> {
        let domains = self.problem.tuning.domains.len();
        let mut kept = 0;
        for (name, gains) in candidates {
            for domain in 0..domains {
                kept += u64::from(self.kept(name, gains, domain)?.is_some());
            }
        }
        let due = CANDIDATES * domains as u64;
        self.observer.testing(due * self.winds, kept * self.winds);
        Ok(())
    }

    /// For each of `gains`, which are called `names`, its tests, one in each domain.
    fn tests<const N: usize>(
        &mut self,
        names: [&str; N],
        gains: [Gains; N],
    ) -> Result<[Vec<Test>; N], Error> {
        for domain in 0..self.problem.tuning.domains.len() {
            let mut due = Vec::new();
            for (name, gains) in names.into_iter().zip(gains) {
                if self.kept(name, &gains, domain)?.is_none() {
                    due.push((name, gains));
                }
            }
            if !due.is_empty() {
                self.fly(&due, domain)?;
            }
        }
        let mut tests = [const { Vec::new() }; N];
        for ((name, gains), tests) in names.into_iter().zip(&gains).zip(&mut tests) {
            for domain in 0..self.problem.tuning.domains.len() {
                tests.extend(self.kept(name, gains, domain)?.cloned());
            }
        }
        Ok(tests)
    }

    /// The test of these gains, called `name`, that was made before or now.
    fn kept(&self, name: &str, gains: &Gains, domain: usize) -> Result<Option<&Test>, Error> {
        let domain = &self.problem.tuning.domains[domain].name;
        let mut unkept = self.unkept.iter();
        let now = || unkept.find(|made| made.is_of(name, gains, domain));
        let before = self.journal.contents().test(name, gains, domain);
        let Some(made) = before.or_else(now) else {
            return Ok(None);
        };
        match made.fault(self.winds) {
            None => Ok(Some(&made.test)),
            Some(what) => Err(self.journal.foreign_test(made, what).into()),
        }
    }

    /// Tests the gains that are `due` in one domain, all in each wind while it is at hand.
    fn fly(&mut self, due: &[(&str, Gains)], domain: usize) -> Result<(), Error> {
        let gains: Vec<Gains> = due.iter().map(|(_, gains)| *gains).collect();
        let planned = Planned {
            tuning: &self.problem.tuning,
            gains: &gains,
            domain,
            winds: self.winds,
        };
        let flown = |flights| self.observer.tested(flights);
        let tests = planned.fly(self.interrupt, &flown);
        let flights = self.made;
        let tests = tests.ok_or(Error::Interrupted(flights))?;
        for ((name, gains), test) in due.iter().zip(tests) {
            let tested = Tested {
                gains: (*name).to_owned(),
                flown: Some(*gains),
                test,
            };
            match self.journal.contents().ended {
                true => self.unkept.push(tested),
                false => self.journal.append(Entry::Test(tested))?,
            }
        }
        Ok(())
    }
}
