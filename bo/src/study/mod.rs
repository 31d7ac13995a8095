//! Study: what was asked for, checked before anything flies.

pub mod file;
pub mod settings;
pub mod warm_start;
