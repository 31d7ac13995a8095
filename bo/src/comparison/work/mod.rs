//! Work: how the cells of a comparison are worked out.

pub mod floor;
pub mod flying;
mod searchers;
pub mod times;
mod tuner;
