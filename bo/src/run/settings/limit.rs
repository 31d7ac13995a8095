//! Limit: a number's legal range, and those of every setting.

use crate::Error;
use shell::Failure;
use sim::SensorNoise;

/// Most evaluations of one run: an exact Gaussian process over more costs minutes a step.
pub const MOST_EVALUATIONS: u64 = 2_000;

/// A number's legal range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// Its flag.
    pub flag: &'static str,
    /// Least value.
    pub least: f64,
    /// Greatest value.
    pub most: f64,
    /// Both in words.
    pub wanted: &'static str,
}

const COUNT: &str = "a whole number from 1 to 2000";

/// Evaluations of the initial design.
pub const INITIAL: Limit = Limit::new("initial", 1.0, MOST_EVALUATIONS as f64, COUNT);
/// Evaluations that the surrogate chooses.
pub const ITERATIONS: Limit = Limit::new("iterations", 1.0, MOST_EVALUATIONS as f64, COUNT);
/// Flights of one evaluation.
pub const FLIGHTS: Limit = Limit::new("flights", 1.0, 1000.0, "a whole number from 1 to 1000");
/// Evaluations flown side by side.
pub const TOGETHER: Limit = Limit::new("together", 1.0, 64.0, "a whole number from 1 to 64");
/// Held-out winds in each domain.
pub const HELD_OUT: Limit = Limit::new("held-out", 2.0, 1e5, "a whole number from 2 to 100000");
/// Weight of the standard deviation in the acquisition.
pub const KAPPA: Limit = Limit::new("kappa", 0.0, 1e6, "finite and not negative");

/// Weight of the invariance penalty.
pub const LAMBDA: Limit = Limit::new("lambda", 0.0, 1e6, "finite and not negative");

/// Weight of a part of the cost.
pub const COST_WEIGHT: Limit = Limit::new("", 0.0, 1e6, "finite and not negative [m]");
/// Flights of a training domain in proportion to the others'.
pub const SHARE: Limit = Limit::new("", f64::MIN_POSITIVE, 1e9, "positive, at most 1e9");
/// Threads.
pub const THREADS: Limit = Limit::new(
    "threads",
    0.0,
    1024.0,
    "a whole number from 0 (one a core) to 1024",
);
/// Standard deviation of what a sensor measures.
pub const SENSOR_NOISE: Limit =
    Limit::new("sensors", 0.0, SensorNoise::GREATEST, "between 0 and 1e6");
/// Age of a measurement [ms].
pub const DELAY: Limit = Limit::new(
    "sensors.delay_periods",
    0.0,
    SensorNoise::LONGEST_DELAY as f64,
    "a whole number from 0 to 1000",
);
/// Longest flight [s].
pub const FLIGHT_S: Limit = Limit::new("", 0.01, 86_400.0, "from 0.01 to 86400 s");
/// What the score leaves out from the start of a flight [s].
pub const SETTLE_S: Limit = Limit::new("", 0.0, 3600.0, "from 0 to 3600 s");

/// Most motor activity [full ranges per s].
pub const MOST_ACTIVITY: Limit = Limit::new(
    "",
    1e-3,
    1e4,
    "from 0.001 to 10000 full ranges per s, or none",
);
/// Most share of flights or of time.
pub const MOST_SHARE: Limit = Limit::new("", 0.0, 1.0, "from 0 to 1, or none");

/// Least phase margin [deg].
pub const MARGIN_DEG: Limit = Limit::new("", 0.1, 180.0, "from 0.1 to 180 degrees, or none");
/// Least gain margin [dB].
pub const MARGIN_DB: Limit = Limit::new("", 0.1, 100.0, "from 0.1 to 100 dB, or none");
/// Least delay margin [ms].
pub const MARGIN_MS: Limit = Limit::new("", 0.1, 1e4, "from 0.1 to 10000 ms, or none");
/// Least disk margin.
pub const MARGIN_DISK: Limit = Limit::new("", 0.01, 2.0, "from 0.01 to 2, or none");
/// Most overshoot of a step, as a share of it.
pub const MOST_OVERSHOOT: Limit = Limit::new("", 1e-3, 10.0, "from 0.001 to 10, or none");
/// Longest time until a step has settled [s].
pub const MOST_SETTLING_S: Limit = Limit::new("", 0.1, 10.0, "from 0.1 to 10 s, or none");
/// How far a step goes [m].
pub const STEP_M: Limit = Limit::new("", 0.01, 100.0, "from 0.01 to 100 m");

impl Limit {
    /// From `least` to `most`, in the words `wanted`, for the flag of that name; a limit of what has
    /// no flag has no name.
    pub const fn new(flag: &'static str, least: f64, most: f64, wanted: &'static str) -> Limit {
        Limit {
            flag,
            least,
            most,
            wanted,
        }
    }

    /// Whether `value` is legal.
    pub fn holds(&self, value: f64) -> bool {
        (self.least..=self.most).contains(&value)
    }

    /// Refuses an illegal value by its flag.
    ///
    /// # Errors
    /// A number out of range, naming the flag.
    pub fn check(&self, value: f64) -> Result<(), Error> {
        if self.holds(value) {
            return Ok(());
        }
        Err(Failure::out_of_range(self.flag, value, self.wanted).into())
    }
}
