//! Places: where a study looks at margins, and whether gains keep their limits there.

use super::{Found, Least, MarginLimits, MarginViolation, MarginsAt, Unstable, found};
use crate::flights::space::Space;
use crate::flights::tuning::Tuning;
use dilgp::threads::{both, each};
use sim::margins::{LOOPS, Linearised, Loop, Mode, instants, usual_wind_m_s};
use sim::{Airframe, Domain, Gains, Setup};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use trajectories::Trajectory;

/// A vehicle where its margins are looked at.
#[derive(Debug)]
pub struct Places {
    airframe: Airframe,
    /// At hover, then at the instants of a trajectory [s].
    places: Vec<(Option<f64>, Linearised)>,
    /// Who flies steps of position, and how far they go [m], where they are looked at.
    steps: Option<(Setup, f64)>,
}

impl Places {
    /// The vehicle of `setup` in wind as it is often met in `domain`, at hover and, where one that
    /// moves is named, at instants of a trajectory.
    pub fn of(setup: &Setup, domain: Option<&Domain>, along: Option<&dyn Trajectory>) -> Places {
        let (airframe, delay) = (setup.airframe.clone(), setup.sensors.delay_periods);
        let (gains, wind_m_s) = (airframe.gains, usual_wind_m_s(domain));
        let hover = Linearised::hover(&airframe, &gains, delay, wind_m_s);
        let at = |trajectory: &dyn Trajectory, t_s: f64| {
            let linear = Linearised::along(&airframe, &gains, delay, wind_m_s, (trajectory, t_s));
            (Some(t_s), linear)
        };
        let mut places = vec![(None, hover)];
        if let Some(trajectory) = along.filter(|trajectory| moves(*trajectory)) {
            places.extend(instants(trajectory).map(|t_s| at(trajectory, t_s)));
        }
        Places {
            airframe,
            places,
            steps: None,
        }
    }

    /// The vehicle `seed` of those that the one of `setup` may turn out to be, at hover in such wind, with the autopilot
    /// of `setup`.
    pub fn drawn(setup: &Setup, domain: Option<&Domain>, seed: u64) -> Places {
        let airframe = setup.airframe.drawn_with_this_thrust(seed);
        let (gains, delay) = (airframe.gains, setup.sensors.delay_periods);
        let hover = Linearised::hover(&airframe, &gains, delay, usual_wind_m_s(domain));
        let hover = hover.taken_for(setup.airframe.mass_kg / airframe.mass_kg);
        Places {
            airframe,
            places: vec![(None, hover)],
            steps: None,
        }
    }

    /// How a small disturbance of the hovering vehicle ends with these gains.
    pub fn mode_at_hover(&self, gains: &Gains) -> Mode {
        let (_, hover) = &self.places[0];
        hover.with(&self.airframe, gains).mode()
    }

    /// The least margins of `loops` with these gains.
    ///
    /// # Errors
    /// The first place at which the vehicle is not stable.
    pub fn least(&self, gains: &Gains, loops: &[Loop]) -> Result<Least, Unstable> {
        let least = Least::among(self.all(gains, loops)?.iter());
        Ok(self.with_steps(least, gains))
    }

    /// `least`, with what steps show, where they are looked at.
    fn with_steps(&self, least: Least, gains: &Gains) -> Least {
        match &self.steps {
            Some((setup, size_m)) => least.with_steps(setup, gains, *size_m),
            None => least,
        }
    }

    /// The same of each of `loops`.
    ///
    /// # Errors
    /// As [`Places::least`].
    pub fn by_loop(&self, gains: &Gains, loops: &[Loop]) -> Result<Vec<(Loop, Least)>, Unstable> {
        let all = self.all(gains, loops)?;
        Ok(each_of(loops, &all))
    }

    fn all(&self, gains: &Gains, loops: &[Loop]) -> Result<Vec<Found>, Unstable> {
        let at = |(at_s, linear): &(Option<f64>, Linearised)| {
            let place = at_s.map_or("at hover".to_owned(), |t_s| format!("at {t_s:.2} s"));
            let linear = linear.with(&self.airframe, gains);
            if !linear.mode().is_stable() {
                return Err(Unstable(place));
            }
            let place = at_s.map_or(String::new(), |_| format!(" {place}"));
            Ok(found(&linear, loops, &place))
        };
        let all = each(&self.places, at).into_iter();
        let all: Vec<Vec<Found>> = all.collect::<Result<_, _>>()?;
        Ok(all.concat())
    }
}

/// The least margins of each of `loops` among `all`.
fn each_of(loops: &[Loop], all: &[Found]) -> Vec<(Loop, Least)> {
    let of = |l: &Loop| {
        let own = all.iter().filter(|found| found.of == *l);
        (*l, Least::among(own))
    };
    loops.iter().map(of).collect()
}

/// Whether a vehicle on `trajectory` ever moves.
fn moves(trajectory: &dyn Trajectory) -> bool {
    instants(trajectory).any(|t_s| {
        let reference = trajectory.at(t_s);
        reference.velocity_m_s.norm() + reference.acceleration_m_s2.norm() > 0.0
    })
}

/// What decides whether gains keep their limits, besides the gains.
#[derive(Debug)]
pub struct MarginCheck {
    /// What the study asks of them.
    pub limits: MarginLimits,
    /// What each loop must keep.
    required: Vec<(Loop, MarginLimits)>,
    space: Space,
    places: Places,
    /// The slacks asked for before: one may take longer than a fit.
    known: Mutex<BTreeMap<Vec<u64>, f64>>,
}

impl MarginLimits {
    /// The vehicle of `tuning` in wind as it is often met in its first training domain, with what is
    /// asked of its margins; `None` if nothing is.
    pub fn check(&self, tuning: &Tuning, space: &Space) -> Option<Arc<MarginCheck>> {
        if self.is_none() {
            return None;
        }
        let places = self.places(tuning);
        let required = match places.by_loop(&tuning.setup.airframe.gains, &self.loops()) {
            Ok(start) => self.required(&start, |l| space.tunes(l)),
            // Start gains with which the vehicle is not stable have no margins to keep.
            Err(_) if self.states_none() => return None,
            Err(_) => {
                let loops = self.loops().into_iter();
                loops.map(|l| (l, self.without_steps())).collect()
            }
        };
        Some(Arc::new(MarginCheck {
            limits: self.clone(),
            required,
            space: space.clone(),
            places,
            known: Mutex::default(),
        }))
    }

    /// The vehicle of `tuning` where its margins are looked at.
    fn places(&self, tuning: &Tuning) -> Places {
        let along = (self.at == MarginsAt::Trajectory).then_some(tuning.trajectory.as_ref());
        let mut setup = tuning.setup.clone();
        setup.sensors.delay_periods = self.delay_ms(setup.sensors.delay_periods);
        let places = Places::of(&setup, tuning.usual_wind(), along);
        Places {
            steps: self.of_steps().map(|_| (setup, self.step_m())),
            ..places
        }
    }

    /// What each loop must keep whose margins with the start gains are `start`, where some are `tuned`.
    fn required(
        &self,
        start: &[(Loop, Least)],
        tuned: impl Fn(Loop) -> bool,
    ) -> Vec<(Loop, MarginLimits)> {
        let named = |l: &Loop| self.loops.is_empty() || self.loops.contains(l);
        let of_loop = |(l, least): &(Loop, Least)| (*l, self.of_loop(least, tuned(*l)));
        start
            .iter()
            .filter(|(l, _)| named(l))
            .map(of_loop)
            .collect()
    }

    /// The margins of `old` and of `new` gains of `tuning`, and whether those of all loops are sound with the
    /// new ones, whatever the study asks of them.
    pub fn judge(&self, tuning: &Tuning, [old, new]: [&Gains; 2]) -> JudgedMargins {
        // Limits that are stated are for some loops alone, and the search has kept them.
        let asked = MarginLimits {
            sound: true,
            at: self.at,
            ..MarginLimits::default()
        };
        let places = asked.places(tuning);
        let [old, new] = [old, new].map(|gains| places.all(gains, &LOOPS));
        let none = || LOOPS.iter().map(|l| (*l, Least::default())).collect();
        let start = old
            .as_ref()
            .map_or_else(|_| none(), |all| each_of(&LOOPS, all));
        let by_loop = new.as_ref().map(|all| each_of(&LOOPS, all));
        let violation = violation(
            &asked.required(&start, |_| true),
            by_loop.map_err(Clone::clone),
        );
        let least = |all: Result<Vec<Found>, Unstable>| all.map(|all| Least::among(all.iter()));
        JudgedMargins {
            violation,
            sides: [least(old), least(new)],
            conditions: asked.conditions(tuning.setup.sensors.delay_periods),
        }
    }
}

/// The margins of old and new gains, and whether the new ones are sound.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedMargins {
    /// The margin of the new gains that is neither sound nor what the old ones have, if there is one: that of
    /// which the least share is reached.
    pub violation: Option<MarginViolation>,
    /// The least margins with the old and with the new gains, or where the vehicle is not stable.
    pub sides: [Result<Least, Unstable>; 2],
    /// Where they were computed, and with which delay.
    pub conditions: String,
}

/// The limit that loops with these margins do not keep, if any: the one of which the least share is
/// reached.
fn violation(
    required: &[(Loop, MarginLimits)],
    found: Result<Vec<(Loop, Least)>, Unstable>,
) -> Option<MarginViolation> {
    match found {
        Ok(leasts) => {
            let pairs = required.iter().zip(&leasts);
            let broken = pairs.filter_map(|((_, limits), (_, least))| limits.violation(Ok(least)));
            broken.min_by(|a, b| a.share().total_cmp(&b.share()))
        }
        Err(unstable) => {
            let mut all = required.iter();
            all.find_map(|(_, limits)| limits.violation(Err(&unstable)))
        }
    }
}

impl MarginCheck {
    /// The least margins of the loops that are checked against limits.
    ///
    /// # Errors
    /// The first place at which the vehicle is not stable.
    pub fn least(&self, gains: &Gains) -> Result<Least, Unstable> {
        self.places.least(gains, &self.limits.loops())
    }

    /// What each loop must keep.
    pub fn required(&self) -> &[(Loop, MarginLimits)] {
        &self.required
    }

    /// The limit that `gains` do not keep, if any: the one of which the least share is reached.
    pub fn violation(&self, gains: &Gains) -> Option<MarginViolation> {
        let found = self.places.by_loop(gains, &self.limits.loops());
        let steps = match &found {
            Ok(_) => Ok(self.places.with_steps(Least::default(), gains)),
            Err(unstable) => Err(unstable),
        };
        let of_steps = self.limits.of_steps();
        let of_steps = of_steps.and_then(|limits| limits.violation(steps.as_ref().map_err(|u| *u)));
        let broken = violation(&self.required, found).into_iter().chain(of_steps);
        broken.min_by(|a, b| a.share().total_cmp(&b.share()))
    }

    /// The same of the gains at a point of the cube.
    pub fn violation_at(&self, x: &[f64]) -> Option<MarginViolation> {
        (self.slack_at(x) < 0.0).then(|| self.violation(&self.space.gains_at(x)))?
    }

    /// The slack of the gains at a point of the cube ([`MarginLimits::slack`]); where they break a limit
    /// at hover, the slack there.
    pub fn slack_at(&self, x: &[f64]) -> f64 {
        let key: Vec<u64> = x.iter().map(|x| x.to_bits()).collect();
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slack) = known().get(&key) {
            return *slack;
        }
        let gains = self.space.gains_at(x);
        let slack = |(_, linear): &(Option<f64>, Linearised)| {
            let linear = linear.with(&self.places.airframe, &gains);
            match both(|| linear.mode().is_stable(), || self.slack_of(&linear)) {
                (true, slack) => slack,
                (false, _) => -1.0,
            }
        };
        let (hover, along) = self.places.places.split_at(1);
        let mut least = slack(&hover[0]);
        if let Some(limits) = self.limits.of_steps().filter(|_| least > -1.0) {
            let steps = self.places.with_steps(Least::default(), &gains);
            least = least.min(limits.slack(&steps));
        }
        if least >= 0.0 {
            least = each(along, slack).into_iter().fold(least, f64::min);
        }
        known().insert(key, least);
        least
    }

    /// The least slack of the loops.
    fn slack_of(&self, linear: &Linearised) -> f64 {
        let loops = self.limits.loops();
        let leasts = each_of(&loops, &found(linear, &loops, ""));
        let pairs = self.required.iter().zip(&leasts);
        let slacks = pairs.map(|((_, limits), (_, least))| limits.slack(least));
        slacks.fold(1.0, f64::min)
    }
}
