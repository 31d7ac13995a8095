//! Data: the published files of the paper's second table, as a user gets them.

pub mod automobile;
pub mod housing;
pub mod published;
mod sha256;
