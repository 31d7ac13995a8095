//! Windhover: tune quadrotor gains for the wind they will meet.
//!
//! The experiment of Zhao et al., "Domain invariant learning for Gaussian processes and Bayesian
//! exploration" (AAAI 2024), Algorithm 2: fit a surrogate to the flights so far, maximise an
//! upper-confidence-bound acquisition, fly once, repeat. One flight is one evaluation; flights
//! come from a mixture of two wind domains whose labels the surrogate never sees; what was found
//! is flown again in winds that no tuning flight met.
//!
//! * [`space`]: the unit cube in which the search works, and the gains it stands for
//! * [`tuning`]: what one evaluation is
//! * [`study`]: Algorithm 2
//! * [`learning`]: what is believed of the cost, and [`environments`]: in which winds
//! * [`acquisition`]: where to fly next
//! * [`warm_start`]: what an earlier run knew
//! * [`recommend`]: which gains to deploy
//! * [`held_out`]: how good they are in winds never flown
//! * [`run`]: all of these in order, and [`record`]: what is written down
//! * [`config`]: the study file, and [`journal`]: what survives the process
//! * [`streams`]: the random streams of one seed
//! * [`report`]: a run as a page for a browser
//! * [`finished`]: a run read back, and [`files`] and [`terminal`]: the edges of the program

pub mod acquisition;
pub mod args;
pub mod benchmark;
pub mod cma_es;
pub mod command;
pub mod comparison;
pub mod config;
pub mod engine;
pub mod environments;
mod error;
pub mod export;
pub mod files;
pub mod finished;
pub mod floor;
pub mod folder;
pub mod held_out;
pub mod history;
pub mod interrupt;
pub mod journal;
pub mod learning;
pub mod manifest;
pub mod markdown;
pub mod pictures;
pub mod progress;
pub mod published;
pub mod recommend;
pub mod record;
pub mod regret;
pub mod report;
pub mod run;
pub mod serve;
pub mod settings;
pub mod sobol;
pub mod space;
pub mod statistics;
pub mod streams;
pub mod study;
pub mod surrogates;
pub mod table;
pub mod terminal;
pub mod tuning;
pub mod verdict;
pub mod warm_start;

pub use error::Error;
