//! The simulator and its program from outside: one program, since each would bring a copy of
//! all that it is linked with.

mod architecture;
mod autopilot;
mod bad_input;
mod batch;
mod cases;
mod cli;
mod cli_refusals;
mod contact;
mod documents;
mod dryden_mistakes;
mod flight_logs;
mod flights;
#[cfg(unix)]
mod hostile;
mod identify;
mod json;
mod log;
mod log_writers;
mod manoeuvres;
mod margins;
mod multirotor;
mod others;
mod parsers;
mod physics;
mod plausible;
mod program;
mod replays;
mod serve;
mod start;
mod templates;
mod textbook;
mod trust;
mod wind;
mod wind_record;
mod wind_shape;
mod wind_tables;
