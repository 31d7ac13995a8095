//! Tables: the paper's, with its figures, beside ours.

pub mod automobile;
pub mod comparison;
pub mod curves;
pub mod figure1;
pub mod figure2;
pub mod housing;
pub mod markdown;
pub mod methods;
pub mod paper;
pub mod printed;
pub mod published;
pub mod table1;
pub mod table2;
