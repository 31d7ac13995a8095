//! Observations: what was told, in the unit cube.

use crate::search::climb::local::Known;

/// One evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// The point in the unit cube, snapped.
    pub x: Vec<f64>,
    /// The value, finite; nothing where the evaluation crashed.
    pub value: Option<f64>,
    /// The domain in which it was observed; 0 is the target.
    pub domain: usize,
}

/// All that was told, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observations {
    all: Vec<Observation>,
    /// Names of the domains beside the target, in the order in which they were first met.
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

    /// How many of them crashed.
    pub fn crashed(&self) -> usize {
        self.all.iter().filter(|o| o.value.is_none()).count()
    }

    /// Domains met beside the target.
    pub fn other_domains(&self) -> usize {
        self.others.len()
    }

    /// Appends an observation of the target, or of another domain by its name.
    pub fn push(&mut self, x: Vec<f64>, value: Option<f64>, other: Option<&str>) {
        let domain = other.map_or(0, |name| {
            let known = self.others.iter().position(|other| other == name);
            known.unwrap_or_else(|| {
                self.others.push(name.to_owned());
                self.others.len() - 1
            }) + 1
        });
        self.all.push(Observation { x, value, domain });
    }

    /// The finished observation of the target with the least value; the earliest of equals.
    pub fn best(&self) -> Option<Known<'_>> {
        self.finished().min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The finished observations of the target.
    pub fn finished(&self) -> impl Iterator<Item = Known<'_>> {
        let target = self.all.iter().filter(|o| o.domain == 0);
        target.filter_map(|o| o.value.map(|value| (o.x.as_slice(), value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crashes_are_counted_and_only_the_target_s_values_compete() {
        let mut seen = Observations::default();
        seen.push(vec![0.1], Some(3.0), None);
        seen.push(vec![0.2], None, None);
        seen.push(vec![0.3], Some(1.0), None);
        seen.push(vec![0.4], Some(-9.0), Some("other"));
        assert_eq!(
            (seen.count(), seen.crashed(), seen.other_domains()),
            (4, 1, 1)
        );
        assert_eq!(seen.best().map(|known| known.1), Some(1.0));
        let values: Vec<f64> = seen.finished().map(|known| known.1).collect();
        assert_eq!(values, [3.0, 1.0]);
    }

    #[test]
    fn a_domain_keeps_its_number() {
        let mut seen = Observations::default();
        for name in [Some("a"), None, Some("b"), Some("a")] {
            seen.push(vec![0.5], Some(0.0), name);
        }
        let domains: Vec<usize> = seen.all().iter().map(|o| o.domain).collect();
        assert_eq!(domains, [1, 0, 2, 1]);
    }
}
