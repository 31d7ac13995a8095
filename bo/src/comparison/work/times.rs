//! Times: about how long the cells of a plan take here, on one thread; for the size of tasks alone.

use crate::Error;
use crate::comparison::plan::Plan;
use crate::comparison::plan::cell::Cell;
use crate::comparison::plan::method::Method;
use crate::comparison::work::tuner::settings;
use crate::run::estimate::Estimate;
use shell::Failure;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Estimates that were made, one a trajectory and method.
pub struct Times<'a> {
    plan: &'a Plan,
    made: Mutex<BTreeMap<(&'static str, Method), Estimate>>,
}

impl<'a> Times<'a> {
    /// None yet.
    pub fn of(plan: &'a Plan) -> Times<'a> {
        let made = Mutex::default();
        Times { plan, made }
    }

    /// About how long `cell` takes on one thread [s]; a second where that cannot be said.
    pub fn seconds(&self, cell: &Cell) -> f64 {
        self.cell_s(cell).unwrap_or(1.0)
    }

    fn cell_s(&self, cell: &Cell) -> Result<f64, Error> {
        Ok(of_a_cell(cell.method, &self.estimate(cell)?))
    }

    /// Of the cell's trajectory and method, whatever its seed and winds.
    fn estimate(&self, cell: &Cell) -> Result<Estimate, Error> {
        let kind = (cell.trajectory, cell.method);
        // Only a panic in between could poison it, and a panic ends the program.
        let mut made = self.made.lock().unwrap_or_else(|error| error.into_inner());
        if let Some(made) = made.get(&kind) {
            return Ok(*made);
        }
        let settings = settings(cell, &self.plan.budget)?;
        let problem = self.plan.budget.problem(&settings)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let pool = pool.map_err(Failure::threads)?;
        let estimate = pool.install(|| Estimate::of(&settings, &problem))?;
        made.insert(kind, estimate);
        Ok(estimate)
    }
}

/// What `method` does of a run that takes so long [s].
fn of_a_cell(method: Method, estimate: &Estimate) -> f64 {
    let [flights_s, search_s, tests_s] =
        [estimate.flights, estimate.search, estimate.tests].map(|part| part.as_secs_f64());
    match method {
        Method::DefaultGains => tests_s / 2.0,
        Method::RandomSearch | Method::CmaEs => flights_s + tests_s,
        Method::Surrogate(_) | Method::Program(_) => flights_s + search_s + tests_s,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::plan::tests::plan;
    use std::time::Duration;

    #[test]
    fn a_cell_takes_as_long_as_what_its_method_does() {
        let estimate = Estimate {
            flights: Duration::from_secs(3),
            search: Duration::from_secs(5),
            tests: Duration::from_secs(8),
        };
        let of = |method| of_a_cell(method, &estimate);
        assert_eq!(of(Method::DefaultGains), 4.0);
        assert_eq!(of(Method::RandomSearch), 11.0);
        assert_eq!(of(Method::Surrogate("gp")), 16.0);
    }

    #[test]
    fn each_cell_of_a_plan_takes_its_time() {
        let plan = plan();
        let times = Times::of(&plan);
        for cell in plan.cells() {
            assert!(times.cell_s(&cell).expect("it can be timed") > 0.0);
        }
    }
}
