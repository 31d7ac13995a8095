//! Tables: the paper's, with its figures, beside ours.

pub mod comparison;
pub mod data;
pub mod markdown;
pub mod methods;
pub mod paper;
pub mod pictures;
mod pieces;
pub mod printed;
pub mod row;
pub mod table1;
pub mod table2;
mod theorem;
