//! Peers: median regrets of other optimisers on the problems of the benchmark, all of them made by
//! `bo/oracle/peers.py`, whose output stands in `bo/oracle/README.md`: each seed's run begins with
//! the ten Sobol' points of ours.

/// One optimiser's median regret.
pub type Peer = (&'static str, f64);

/// Evaluations of a run and points of its initial design: the budget under which they were measured.
pub const MEASURED_AT: [usize; 2] = [60, 10];

/// What was run.
pub const SOURCE: &str = "bo/oracle/peers.py, seeds 0 to 9 (TPE: Optuna 5.0.0 with multivariate; \
                          NGOpt: Nevergrad 1.0.12; egobox 1.0.0)";

/// The peers' medians on the problem of that name.
pub fn of(problem: &str) -> &'static [Peer] {
    match problem {
        "branin2" => &[("egobox", 5.0e-8), ("TPE", 0.111), ("NGOpt", 8.1e-6)],
        "hartmann6" => &[("egobox", 0.0554), ("TPE", 0.288), ("NGOpt", 0.130)],
        "ackley5" => &[("egobox", 6.95), ("TPE", 9.59), ("NGOpt", 7.36)],
        "levy4" => &[("egobox", 0.964), ("TPE", 0.604), ("NGOpt", 0.704)],
        "rosenbrock4" => &[("egobox", 191.0), ("TPE", 97.1), ("NGOpt", 103.0)],
        "hartmann6-noisy" => &[("egobox", 0.598), ("TPE", 0.363), ("NGOpt", 0.290)],
        "pid6" => &[("egobox", 0.0551), ("TPE", 0.004_73), ("NGOpt", 0.003_84)],
        _ => &[],
    }
}
