//! RefitSchedule: how often hyper-parameters are searched for, how carefully, and with how much work an
//! acquisition is climbed.

use dilgp::Effort;

/// Observations up to which the process is refitted at every step.
const REFIT_ALWAYS: usize = 60;

/// Later at one observation in so many, where that is rarer than the pace asks for: a refit costs
/// O(n^3), and where the data grow by a thirtieth hyper-parameters hardly move.
const REFIT_GROWTH: usize = 33;

/// One guard in so many, where not every refit has one.
const GUARDED_IN: u64 = 4;

/// How much work a climb may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// Raw points looked at.
    pub raw: usize,
    /// Raw points climbed from.
    pub starts: usize,
    /// Evaluations of one climb.
    pub evaluations: u64,
}

/// The pace of a search with a process that grows; does not change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefitSchedule {
    /// Beyond [`REFIT_ALWAYS`] observations, the least number of steps between refits.
    every: usize,
    /// Points up to which each refit has a cold start as a guard.
    guarded: usize,
    /// Beyond [`REFIT_ALWAYS`] points, the most evaluations of the evidence from each start of a refit.
    refit: u64,
    /// The work of a climb up to so many observations: each look costs O(points^2).
    works: [(usize, Work); 4],
}

const MOST: Work = work(512, 4, 60);
const MUCH: Work = work(384, 3, 40);
const SOME: Work = work(256, 2, 40);
const LITTLE: Work = work(256, 2, 30);
const LEAST: Work = work(192, 2, 25);

const fn work(raw: usize, starts: usize, evaluations: u64) -> Work {
    Work {
        raw,
        starts,
        evaluations,
    }
}

/// Where one flight costs far more than a suggestion.
pub const THOROUGH: RefitSchedule = RefitSchedule {
    every: 5,
    guarded: 120,
    refit: u64::MAX,
    works: [(150, MOST), (400, MUCH), (700, LITTLE), (usize::MAX, LEAST)],
};

/// Where suggestions are to be quick: at 100 observations of six parameters one takes about half of
/// the time, and regret at 150 evaluations does not differ from that of [`THOROUGH`]
/// (1.01 [.88, 1.16] times).
pub const QUICK: RefitSchedule = RefitSchedule {
    every: 10,
    guarded: 60,
    refit: 8,
    works: [(60, MOST), (400, SOME), (700, LITTLE), (usize::MAX, LEAST)],
};

impl RefitSchedule {
    /// Steps from one refit to the next once there are so many observations.
    pub fn refit_cycle(&self, observations: usize) -> usize {
        match observations <= REFIT_ALWAYS {
            true => 1,
            false => self.every.max(observations / REFIT_GROWTH),
        }
    }

    /// What a climb may be once there are so many observations.
    pub fn work(&self, observations: usize) -> Work {
        let affordable = self.works.iter().find(|(most, _)| observations <= *most);
        affordable.map_or(LEAST, |(_, work)| *work)
    }

    /// What a search for hyper-parameters may be, each evaluation of which costs O(points^3): a first
    /// one or, from where one ended, a refit.
    pub fn effort(&self, points: usize, refit: bool) -> Effort {
        let most = match points {
            0..=100 => 60,
            101..=300 => 30,
            _ => 12,
        };
        let evaluations = match refit && points > REFIT_ALWAYS {
            true => self.refit.min(most),
            false => most,
        };
        Effort {
            evaluations,
            smallest_decrease: 1e-5,
            smallest_gradient: 1e-3,
        }
    }

    /// Whether a refit begins from a cold start too: always while points are few, later at one of
    /// four, because it costs as much as the refit itself and seldom ends elsewhere.
    pub fn guards(&self, points: usize, seed: u64) -> bool {
        points <= self.guarded || (seed >> 8).is_multiple_of(GUARDED_IN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_observations_never_buy_a_longer_climb() {
        let spent = |work: Work| (work.raw, work.starts, work.evaluations);
        for schedule in [&QUICK, &THOROUGH] {
            for n in 0..1000 {
                let (now, next) = (spent(schedule.work(n)), spent(schedule.work(n + 1)));
                assert!(next.0 <= now.0 && next.1 <= now.1 && next.2 <= now.2, "{n}");
            }
            assert_eq!(schedule.work(60), MOST);
            assert_eq!(schedule.work(100_000), LEAST);
        }
        assert_eq!((QUICK.work(61), THOROUGH.work(61)), (SOME, MOST));
    }

    #[test]
    fn both_paces_refit_each_step_at_first_and_as_rarely_in_the_end() {
        for observations in [1, 30, 60] {
            assert_eq!(QUICK.refit_cycle(observations), 1);
            assert_eq!(THOROUGH.refit_cycle(observations), 1);
        }
        assert_eq!((QUICK.refit_cycle(61), THOROUGH.refit_cycle(61)), (10, 5));
        assert_eq!((QUICK.refit_cycle(200), THOROUGH.refit_cycle(200)), (10, 6));
        for observations in [330, 500, 1000] {
            let cycle = observations / 33;
            assert_eq!(QUICK.refit_cycle(observations), cycle);
            assert_eq!(THOROUGH.refit_cycle(observations), cycle);
        }
    }

    #[test]
    fn a_quick_refit_is_short_once_points_are_many_and_a_first_fit_never() {
        let most =
            |schedule: &RefitSchedule, points, refit| schedule.effort(points, refit).evaluations;
        assert_eq!((most(&QUICK, 60, true), most(&QUICK, 61, true)), (60, 8));
        assert_eq!((most(&QUICK, 301, true), most(&QUICK, 61, false)), (8, 60));
        for points in [60, 61, 200, 400] {
            let first = most(&THOROUGH, points, false);
            assert_eq!(most(&THOROUGH, points, true), first);
            assert_eq!(most(&QUICK, points, false), first);
        }
    }

    #[test]
    fn one_refit_of_four_is_guarded_once_points_are_many() {
        let share = |schedule: &RefitSchedule, points| {
            let seeds = (0..4000_u64).map(|seed| shell::seeds::mix(&[seed]));
            seeds.filter(|seed| schedule.guards(points, *seed)).count()
        };
        for (schedule, few) in [(&QUICK, 60), (&THOROUGH, 120)] {
            assert_eq!(share(schedule, few), 4000);
            // Four standard deviations of a count of 1,000 in 4,000.
            assert!(share(schedule, few + 1).abs_diff(1000) < 110);
        }
    }
}
