//! Minimise: L-BFGS on a smooth function of a few variables, from one start or the best of several.
//!
//! The only file that names the optimisation library argmin. It asks for cost and gradient
//! separately, so the pair last computed is kept; its line search has no bound on evaluations,
//! so the function itself refuses once the budget is spent ([`Guarded`]).

use std::cell::RefCell;

use argmin::core::{CostFunction, Executor, Gradient, State, TerminationReason};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;

use crate::threads::each;
use crate::{Ending, Error};

/// A function's value and gradient at one point.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The value.
    pub value: f64,
    /// The gradient.
    pub gradient: Vec<f64>,
}

impl Evaluation {
    /// Whether value and gradient are finite.
    pub fn is_finite(&self) -> bool {
        self.value.is_finite() && self.gradient.iter().all(|slope| slope.is_finite())
    }

    /// Adds `factor` times a value and its gradient.
    pub(crate) fn add(&mut self, factor: f64, value: f64, gradient: &[f64]) {
        self.value += factor * value;
        for (entry, slope) in self.gradient.iter_mut().zip(gradient) {
            *entry += factor * slope;
        }
    }
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Evaluations allowed.
    pub evaluations: u64,
    /// Stop where an iteration lowers the value by less than this.
    pub smallest_decrease: f64,
    /// Stop where the gradient's Euclidean norm is below this.
    pub smallest_gradient: f64,
}

/// The lowest point seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimum {
    /// Where.
    pub at: Vec<f64>,
    /// The value there.
    pub value: f64,
    /// Evaluations used.
    pub evaluations: u64,
    /// How the search ended.
    pub ending: Ending,
}

/// Past steps remembered (Nocedal and Wright, *Numerical Optimization*, section 7.2).
const MEMORY: usize = 7;
/// Sufficient decrease and curvature of the line search (Moré and Thuente 1994).
const WOLFE: (f64, f64) = (1e-4, 0.9);
/// Variables further from zero than this are not evaluated: they are logarithms, and
/// exp(60) = 1e26 is beyond any hyper-parameter of standardised data.
const LARGEST_VARIABLE: f64 = 60.0;

/// A function as argmin is given it: never evaluated beyond its budget, nor twice in a row at one
/// point, and with its lowest point kept, however a solver ends.
pub struct Guarded<F> {
    function: F,
    start: Vec<f64>,
    effort: Effort,
    /// Divides values and gradients, so that argmin's first step, minus the gradient, is at most
    /// one unit long.
    scale: f64,
    /// Euclidean norm of the gradient at the start.
    slope: f64,
    seen: RefCell<Seen>,
}

/// L-BFGS with the line search of Moré and Thuente, as argmin has it.
pub type Lbfgs = LBFGS<MoreThuenteLineSearch<Vec<f64>, Vec<f64>, f64>, Vec<f64>, Vec<f64>, f64>;

struct Seen {
    evaluations: u64,
    refused_for_budget: bool,
    last: (Vec<f64>, Evaluation),
    best: (Vec<f64>, f64),
}

impl<F: Fn(&[f64]) -> Option<Evaluation>> Guarded<F> {
    /// `function` from `start`; `None` if it has no finite value there.
    pub fn new(function: F, start: &[f64], effort: Effort) -> Option<Guarded<F>> {
        let first = evaluate(&function, start)?;
        let slope = norm(&first.gradient);
        Some(Guarded {
            function,
            start: start.to_vec(),
            effort,
            scale: slope.max(1.0),
            slope,
            seen: RefCell::new(Seen {
                evaluations: 1,
                refused_for_budget: false,
                best: (start.to_vec(), first.value),
                last: (start.to_vec(), first),
            }),
        })
    }

    /// The solver with this function's tolerances.
    ///
    /// # Errors
    /// Tolerances that argmin refuses: negative ones.
    pub fn lbfgs(&self) -> Result<Lbfgs, argmin::core::Error> {
        let search = MoreThuenteLineSearch::new().with_c(WOLFE.0, WOLFE.1)?;
        LBFGS::new(search, MEMORY)
            .with_tolerance_grad(self.effort.smallest_gradient / self.scale)?
            .with_tolerance_cost(self.effort.smallest_decrease / self.scale)
    }

    /// Where a solver begins.
    pub fn start(&self) -> Vec<f64> {
        self.start.clone()
    }

    /// Iterations that the budget can pay at most.
    pub fn most_iterations(&self) -> u64 {
        self.effort.evaluations
    }

    /// The lowest point seen, after a solver that met a tolerance or did not.
    pub fn minimum(self, converged: bool) -> Minimum {
        let seen = self.seen.into_inner();
        let ending = match (converged, seen.refused_for_budget) {
            (true, _) => Ending::Converged,
            (false, true) => Ending::Budget,
            (false, false) => Ending::Stalled,
        };
        Minimum {
            at: seen.best.0,
            value: seen.best.1,
            evaluations: seen.evaluations,
            ending,
        }
    }

    fn look(&self, at: &[f64]) -> Result<(), argmin::core::Error> {
        let mut seen = self.seen.borrow_mut();
        if seen.last.0 == at {
            return Ok(());
        }
        let budget = self.effort.evaluations.max(1);
        if seen.evaluations >= budget {
            seen.refused_for_budget = true;
            return Err(argmin::core::Error::msg("the budget is spent"));
        }
        seen.evaluations += 1;
        let found = evaluate(&self.function, at);
        let found = found.ok_or_else(|| argmin::core::Error::msg("no finite value"))?;
        if found.value < seen.best.1 {
            seen.best = (at.to_vec(), found.value);
        }
        seen.last = (at.to_vec(), found);
        Ok(())
    }
}

fn evaluate(function: &impl Fn(&[f64]) -> Option<Evaluation>, at: &[f64]) -> Option<Evaluation> {
    // Written so that NaN fails.
    if !at.iter().all(|v| v.abs() <= LARGEST_VARIABLE) {
        return None;
    }
    function(at).filter(Evaluation::is_finite)
}

impl<F: Fn(&[f64]) -> Option<Evaluation>> CostFunction for &Guarded<F> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, at: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        self.look(at)?;
        Ok(self.seen.borrow().last.1.value / self.scale)
    }
}

impl<F: Fn(&[f64]) -> Option<Evaluation>> Gradient for &Guarded<F> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, at: &Vec<f64>) -> Result<Vec<f64>, argmin::core::Error> {
        self.look(at)?;
        let seen = self.seen.borrow();
        let gradient = seen.last.1.gradient.iter();
        Ok(gradient.map(|g| g / self.scale).collect())
    }
}

/// Searches downhill from `start`; `None` if `function` has no finite value there.
///
/// `function` returns `None` if it has no value; the search then ends at the best point seen.
pub fn minimise(
    start: &[f64],
    effort: Effort,
    function: impl Fn(&[f64]) -> Option<Evaluation>,
) -> Option<Minimum> {
    let guarded = Guarded::new(function, start, effort)?;
    let converged = guarded.slope <= effort.smallest_gradient || run(&guarded);
    Some(guarded.minimum(converged))
}

/// True if argmin reports that a tolerance was met.
fn run<F: Fn(&[f64]) -> Option<Evaluation>>(guarded: &Guarded<F>) -> bool {
    let attempt = || {
        let (start, most) = (guarded.start(), guarded.most_iterations());
        Executor::new(guarded, guarded.lbfgs()?)
            .configure(|state| state.param(start).max_iters(most))
            .ctrlc(false)
            .timer(false)
            .run()
    };
    // An error means that the function refused or the line search gave up: what was seen stands.
    attempt().is_ok_and(|result| {
        let reason = result.state().get_termination_reason();
        matches!(reason, Some(TerminationReason::SolverConverged))
    })
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// The lowest end of descents from each of `starts`, with the evaluations of all of them; of equal
/// ends the first.
///
/// # Errors
/// That of the objective at the first start if no start has a finite value.
pub(crate) fn lowest(
    surrogate: &'static str,
    starts: &[Vec<f64>],
    effort: Effort,
    objective: impl Fn(&[f64]) -> Result<Evaluation, Error> + Sync,
) -> Result<Minimum, Error> {
    let value = |at: &[f64]| objective(at).ok();
    let ends = each(starts, |start| minimise(start, effort, value));
    let spent = |end: &Option<Minimum>| end.as_ref().map_or(1, |end| end.evaluations);
    let evaluations = ends.iter().map(spent).sum();
    let lower = |best: Minimum, end: Minimum| if end.value < best.value { end } else { best };
    let Some(best) = ends.into_iter().flatten().reduce(lower) else {
        objective(&starts[0])?;
        return Err(Error::TrainingDiverged {
            surrogate,
            steps: evaluations,
        });
    };
    Ok(Minimum {
        evaluations,
        ..best
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort {
        evaluations: 200,
        smallest_decrease: 1e-14,
        smallest_gradient: 1e-8,
    };

    fn rosenbrock(at: &[f64]) -> Option<Evaluation> {
        let (x, y) = (at[0], at[1]);
        let valley = y - x * x;
        Some(Evaluation {
            value: (1.0 - x).powi(2) + 100.0 * valley * valley,
            gradient: vec![-2.0 * (1.0 - x) - 400.0 * x * valley, 200.0 * valley],
        })
    }

    #[test]
    fn the_bottom_of_rosenbrocks_valley_is_found() {
        let found = minimise(&[-1.2, 1.0], EFFORT, rosenbrock).unwrap();
        assert_eq!(found.ending, Ending::Converged);
        approx::assert_abs_diff_eq!(found.at[0], 1.0, epsilon = 1e-5);
        approx::assert_abs_diff_eq!(found.at[1], 1.0, epsilon = 1e-5);
    }

    #[test]
    fn the_budget_is_never_overdrawn_and_its_end_is_reported() {
        let calls = std::cell::Cell::new(0);
        let effort = Effort {
            evaluations: 7,
            ..EFFORT
        };
        let found = minimise(&[-1.2, 1.0], effort, |at| {
            calls.set(calls.get() + 1);
            rosenbrock(at)
        })
        .unwrap();
        assert_eq!((calls.get(), found.evaluations), (7, 7));
        assert_eq!(found.ending, Ending::Budget);
        assert!(found.value < rosenbrock(&[-1.2, 1.0]).unwrap().value);
    }

    #[test]
    fn a_function_that_ends_before_its_minimum_stalls_at_the_best_point_seen() {
        let found = minimise(&[0.0], EFFORT, |at| {
            (at[0] < 0.9).then(|| Evaluation {
                value: -at[0],
                gradient: vec![-1.0],
            })
        })
        .unwrap();
        assert_eq!(found.ending, Ending::Stalled);
        assert!(found.at[0] >= 0.0 && found.at[0] < 0.9);
    }

    #[test]
    fn no_value_at_the_start_is_no_minimum() {
        assert_eq!(minimise(&[0.0], EFFORT, |_| None), None);
        assert_eq!(minimise(&[f64::NAN, 0.0], EFFORT, rosenbrock), None);
    }

    /// Valleys at -1 and 1, the first `deeper` below the second; no value beyond 5.
    fn valleys(deeper: f64) -> impl Fn(&[f64]) -> Result<Evaluation, Error> + Sync {
        move |at: &[f64]| {
            let x = at[0];
            Ok(Evaluation {
                value: match x.abs() <= 5.0 {
                    true => (x * x - 1.0).powi(2) + if x < 0.0 { -deeper } else { 0.0 },
                    false => f64::NAN,
                },
                gradient: vec![4.0 * x * (x * x - 1.0)],
            })
        }
    }

    #[test]
    fn the_lowest_end_is_kept_and_of_equal_ends_the_first() {
        let starts = [vec![2.0], vec![-2.0], vec![9.0]];
        let each = starts[..2]
            .iter()
            .map(|start| minimise(start, EFFORT, |at| valleys(0.1)(at).ok()));
        let spent: u64 = each.map(|end| end.map_or(0, |end| end.evaluations)).sum();
        let found = lowest("gp", &starts, EFFORT, valleys(0.1)).unwrap();
        approx::assert_abs_diff_eq!(found.at[0], -1.0, epsilon = 1e-6);
        assert_eq!(found.evaluations, spent + 1);
        for first in [1.0, -1.0] {
            let found = lowest("gp", &[vec![first], vec![-first]], EFFORT, valleys(0.0)).unwrap();
            assert_eq!(found.at, [first]);
        }
        let (surrogate, steps) = ("gp", 2);
        assert_eq!(
            lowest(surrogate, &[vec![9.0], vec![7.0]], EFFORT, valleys(0.0)),
            Err(Error::TrainingDiverged { surrogate, steps })
        );
    }
}
