//! Search: the optimisation of any costly function on the unit cube. Nothing here knows a vehicle.

pub mod acquisition;
pub mod algorithm2;
pub mod cma_es;
pub mod engine;
pub mod history;
pub mod learning;
pub mod recommend;
pub mod sobol;
pub mod surrogates;
