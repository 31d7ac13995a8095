//! Functions of global optimisation with known optima.

pub mod table;

use super::Problem;
use search::{Parameter, Range, Space, Span};

/// Levels of the noise by the ending of a problem's name: its standard deviation as a share of the
/// range near the optimum.
pub const NOISES: [(&str, f64); 2] = [("-noise10", 0.1), ("-noise50", 0.5)];

/// What the table states of a function.
struct Stated {
    /// Its box.
    bounds: Vec<(f64, f64)>,
    /// Itself.
    value: fn(&[f64]) -> f64,
    /// Where it is least; one place of several, and just inside where a constraint ends there.
    minimiser: Vec<f64>,
    /// Its least value.
    optimum: f64,
    /// How far above that the best tenth of the box ends that has a value.
    near: f64,
}

impl Stated {
    /// One that is 0 where every coordinate is, and nowhere less.
    fn of_zeros(value: fn(&[f64]) -> f64, bounds: Vec<(f64, f64)>, near: f64) -> Stated {
        Stated {
            minimiser: vec![0.0; bounds.len()],
            bounds,
            value,
            optimum: 0.0,
            near,
        }
    }
}

/// The problem of that name, with or without the ending of a level of noise.
pub fn by_name(name: &str) -> Option<Problem> {
    let noisy = NOISES.iter().find_map(|(ending, share)| {
        let plain = name.strip_suffix(ending)?;
        Some((plain, *share))
    });
    let (plain, share) = noisy.unwrap_or((name, 0.0));
    let stated = table::stated(plain)?;
    Some(Problem {
        name: name.to_owned(),
        space: space(&stated.bounds),
        value: stated.value,
        noise: share * stated.near,
        minimiser: stated.minimiser,
        optimum: stated.optimum,
    })
}

/// Each of `plain` at every level of noise, those without noise first.
pub fn at_every_noise(plain: &[&str]) -> Vec<String> {
    let endings = [""].into_iter().chain(NOISES.map(|(ending, _)| ending));
    let at = |ending: &str| -> Vec<String> {
        let named = plain.iter().map(|name| format!("{name}{ending}"));
        named.collect()
    };
    endings.flat_map(at).collect()
}

/// Edges of length `edge`, the first from -`first` on and each later one `step` lower, so that the origin
/// lies at another share of each.
fn moved(dimensions: usize, first: f64, edge: f64, step: f64) -> Vec<(f64, f64)> {
    let low = |k: usize| -first - step * k as f64;
    (0..dimensions).map(|k| (low(k), low(k) + edge)).collect()
}

fn space(bounds: &[(f64, f64)]) -> Space {
    let parameters = bounds.iter().enumerate().map(|(index, (low, high))| {
        let range = Range::Real(Span::linear(*low, *high));
        Parameter::new(format!("x{}", index + 1), range).expect("literal bounds are legal")
    });
    Space::new(parameters.collect()).expect("literal names differ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use search::maximise::points;

    #[test]
    fn each_function_has_its_optimum_where_it_is_stated() {
        for name in [&table::DEVELOPMENT[..], &table::TEST].concat() {
            let problem = by_name(name).expect("listed");
            let value = (problem.value)(&problem.minimiser);
            let optimum = problem.optimum;
            assert_relative_eq!(value, optimum, epsilon = 1e-12, max_relative = 1e-12);
            problem.space.unit(&problem.minimiser).expect("inside");
        }
    }

    fn values(problem: &Problem, count: usize) -> Vec<f64> {
        let points = points::sobol(problem.space.dimensions(), 0, count, 1);
        let at = |unit: &Vec<f64>| (problem.value)(&problem.space.natural(unit));
        points.iter().map(at).collect()
    }

    #[test]
    fn nothing_lies_below_the_optimum_and_the_range_near_it_is_what_a_tenth_of_the_box_has() {
        for name in [&table::DEVELOPMENT[..], &table::TEST].concat() {
            let problem = by_name(name).expect("known");
            let mut values = values(&problem, 8192);
            values.retain(|value| value.is_finite());
            values.sort_by(f64::total_cmp);
            assert!(values[0] >= problem.optimum - 1e-9, "{name}");
            let near = values[values.len() / 10] - problem.optimum;
            let noise = by_name(&format!("{name}-noise50")).expect("known").noise / 0.5;
            assert!((near / noise - 1.0).abs() < 0.06, "{name}: {near} {noise}");
        }
    }

    #[test]
    fn a_name_says_how_much_noise_there_is_and_none_stands_twice() {
        let names = at_every_noise(&table::TEST);
        assert_eq!(names.len(), 30);
        for name in &names {
            let problem = by_name(name).expect("listed");
            assert_eq!(&problem.name, name);
            assert_eq!(problem.noise > 0.0, name.contains("-noise"), "{name}");
        }
        assert!(by_name("levy4-noise20").is_none() && by_name("-noise10").is_none());
    }

    #[test]
    fn of_those_with_constraints_the_documented_share_has_a_value() {
        let shares = [("wedge2", 0.217), ("parcel3", 0.194)];
        for (name, share) in shares {
            let values = values(&by_name(name).expect("known"), 8192);
            let finished = values.iter().filter(|value| value.is_finite()).count();
            let found = finished as f64 / 8192.0;
            assert!((found - share).abs() < 0.01, "{name}: {found}");
        }
    }
}
