//! Drawn: a wind that is kept as it is drawn, so that several flights that meet it draw it once.

use super::{Sheared, Wind};
use nalgebra::Vector3;
use std::cell::RefCell;

/// A wind and what was drawn of it so far.
#[derive(Debug, Clone)]
pub struct Drawn<W>(RefCell<Kept<W>>);

#[derive(Debug, Clone)]
struct Kept<W> {
    wind: W,
    steps: Vec<Vector3<f64>>,
}

/// The same wind from its start, for one flight: every step is the one that the wind itself gives.
#[derive(Debug, Clone)]
pub struct Met<'a, W> {
    drawn: &'a Drawn<W>,
    next: usize,
}

impl<W: Wind> Drawn<W> {
    /// Keeps `wind`, of which no step is drawn yet: 24 bytes a step that a flight gets to.
    pub fn new(wind: W) -> Drawn<W> {
        Drawn(RefCell::new(Kept {
            wind,
            steps: Vec::new(),
        }))
    }

    /// The wind from its start.
    pub fn from_start(&self) -> Met<'_, W> {
        Met {
            drawn: self,
            next: 0,
        }
    }
}

impl<W: Wind> Wind for Met<'_, W> {
    fn step(&mut self) -> Vector3<f64> {
        let mut wind = [Vector3::zeros()];
        self.steps(&mut wind);
        wind[0]
    }

    fn steps(&mut self, winds: &mut [Vector3<f64>]) {
        let mut kept = self.drawn.0.borrow_mut();
        let Kept { wind, steps } = &mut *kept;
        let end = self.next + winds.len();
        let drawn = steps.len();
        if drawn < end {
            steps.resize(end, Vector3::zeros());
            wind.steps(&mut steps[drawn..]);
        }
        winds.copy_from_slice(&steps[self.next..end]);
        self.next = end;
    }

    fn sheared(&self) -> Option<Sheared> {
        self.drawn.0.borrow().wind.sheared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Domain, Dryden, Profile};

    #[test]
    fn whoever_meets_a_drawn_wind_meets_the_wind_however_far_others_came() {
        let (domain, seed) = (Domain::gusty(), 5);
        let drawn = Drawn::new(Dryden::new(&domain, seed));
        for blocks in [[7, 16, 1], [16, 16, 16], [1, 2, 3]] {
            let (mut own, mut met) = (Dryden::new(&domain, seed), drawn.from_start());
            for length in blocks {
                let mut winds = vec![Vector3::zeros(); length];
                met.steps(&mut winds);
                assert!(winds.iter().all(|wind| *wind == own.step()));
            }
            assert_eq!(met.step(), own.step());
        }
    }

    #[test]
    fn what_the_height_adds_is_handed_on() {
        let profile = Profile::Other;
        let domain = Domain::with_profile("site", 30.0, 15.0, 5.0, profile).expect("legal");
        let own = domain.wind(1, 1.0);
        let drawn = Drawn::new(own.clone());
        let at_50_m = own.sheared().map(|sheared| sheared.at(50.0));
        assert!(at_50_m.is_some());
        let met = drawn.from_start().sheared();
        assert_eq!(met.map(|sheared| sheared.at(50.0)), at_50_m);
    }
}
