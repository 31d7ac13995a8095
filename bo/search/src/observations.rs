//! Observations: the evaluations with their outcomes, in the unit cube.

/// One evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// The point in the unit cube, snapped; outside the cube if it was met there.
    pub x: Vec<f64>,
    /// The value, finite; `None` if the evaluation was lost.
    pub value: Option<f64>,
    /// The domain in which it was observed: 0 is the target, `usize::MAX` that of what is learnt from alone.
    pub domain: usize,
    /// What it measured beside the value, an entry for each output of the settings; not finite where it
    /// was not measured.
    pub outputs: Vec<f64>,
    /// The standard error of the value beside the noise of the objective; 0 where none is known.
    pub error: f64,
    /// Whether an earlier search made it: data, but none of this search's evaluations.
    pub earlier: bool,
}

/// The domain of observations that count for the surrogate and can be neither best nor recommended, as those
/// outside the cube.
pub const NOWHERE: usize = usize::MAX;

/// A point with its value. Crashed evaluations have none.
pub type Known<'a> = (&'a [f64], f64);

/// All observations, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observations {
    all: Vec<Observation>,
    /// Names of the domains other than the target, in the order in which they were first met.
    others: Vec<String>,
}

impl Observations {
    /// The observations.
    pub fn all(&self) -> &[Observation] {
        &self.all
    }

    /// Their number.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Those that this search made.
    pub fn own(&self) -> usize {
        self.all.iter().filter(|o| !o.earlier).count()
    }

    /// How many of them crashed.
    pub fn crashed(&self) -> usize {
        self.all.iter().filter(|o| o.value.is_none()).count()
    }

    /// Domains met beside the target.
    pub fn other_domains(&self) -> usize {
        self.others.len()
    }

    /// The number of a domain: 0 of the target, which has no name, and its own of another.
    pub fn domain(&mut self, other: Option<&str>) -> usize {
        let Some(name) = other else { return 0 };
        let known = self.others.iter().position(|other| other == name);
        1 + known.unwrap_or_else(|| {
            self.others.push(name.to_owned());
            self.others.len() - 1
        })
    }

    /// Appends an observation.
    pub fn push(&mut self, observation: Observation) {
        self.all.push(observation);
    }

    /// Removes an observation; those behind it move up.
    pub fn remove(&mut self, place: usize) {
        self.all.remove(place);
    }

    /// The same, of which only what is `allowed` is of the target: all keep their numbers.
    pub fn only(&self, allowed: impl Fn(&Observation) -> bool) -> Observations {
        let mut only = self.clone();
        let rejected = only.all.iter_mut().filter(|o| !allowed(o));
        rejected.for_each(|o| o.domain = NOWHERE);
        only
    }

    /// The finished observation of the target with the least value; the earliest of equals.
    pub fn best(&self) -> Option<&Observation> {
        let finished = self.of_target().filter_map(|o| Some((o, o.value?)));
        let best = finished.min_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|(observation, _)| observation)
    }

    /// The observations of the target.
    pub fn of_target(&self) -> impl Iterator<Item = &Observation> {
        self.all.iter().filter(|o| o.domain == 0)
    }

    /// Points and values of the finished observations of the target.
    pub fn finished(&self) -> impl Iterator<Item = Known<'_>> {
        self.of_target()
            .filter_map(|o| o.value.map(|value| (o.x.as_slice(), value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(all: &[(Option<f64>, Option<&str>)]) -> Observations {
        let mut seen = Observations::default();
        for (k, (value, other)) in all.iter().enumerate() {
            let domain = seen.domain(*other);
            seen.push(Observation {
                x: vec![0.1 * k as f64],
                value: *value,
                domain,
                outputs: Vec::new(),
                error: 0.0,
                earlier: k == 0,
            });
        }
        seen
    }

    #[test]
    fn crashes_are_counted_and_only_the_target_s_values_compete() {
        let seen = seen(&[
            (Some(3.0), None),
            (None, None),
            (Some(1.0), None),
            (Some(1.0), None),
            (Some(-9.0), Some("other")),
        ]);
        assert_eq!(
            (seen.count(), seen.crashed(), seen.other_domains()),
            (5, 1, 1)
        );
        assert_eq!(seen.own(), 4);
        let best = seen.best().expect("three finished");
        assert_eq!((best.x[0], best.value), (0.2, Some(1.0)), "the earliest");
        let values: Vec<f64> = seen.finished().map(|known| known.1).collect();
        assert_eq!(values, [3.0, 1.0, 1.0]);
    }

    #[test]
    fn a_domain_keeps_its_number() {
        let value = Some(0.0);
        let seen = seen(&[
            (value, Some("a")),
            (value, None),
            (value, Some("b")),
            (value, Some("a")),
        ]);
        let domains: Vec<usize> = seen.all().iter().map(|o| o.domain).collect();
        assert_eq!(domains, [1, 0, 2, 1]);
    }
}
