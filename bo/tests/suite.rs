//! The program and the library from outside: one program, since each would bring a copy of
//! all that it is linked with.

mod airframe;
mod architecture;
mod baseline;
mod candidates;
mod cascade;
mod cells;
mod check;
mod cli;
mod compare;
mod conditions;
mod config;
mod documents;
#[cfg(unix)]
mod edges;
#[cfg(unix)]
mod engines;
mod export;
mod export_ranges;
mod export_refusals;
mod export_sources;
mod exported;
mod fields;
mod fly;
mod fuzz;
mod guardrails;
mod journal;
mod json;
mod logs;
mod manifest;
mod mistakes;
#[cfg(unix)]
mod names;
mod overview;
mod program;
#[cfg(unix)]
mod programs;
mod published;
mod report;
mod report_refusals;
mod report_studies;
mod report_unfinished;
mod reported;
mod searches;
mod serve;
#[cfg(unix)]
mod served;
mod served_account;
#[cfg(unix)]
mod served_optuna;
#[cfg(unix)]
mod served_strangers;
#[cfg(unix)]
mod served_workers;
#[cfg(unix)]
mod server;
mod trade_off;
mod trust;
mod warm_start;
mod wind_record;
