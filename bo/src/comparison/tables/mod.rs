//! Tables: what the cells say together, by our protocol and by the paper's.

pub mod honest;
pub mod paper;
pub mod summary;
pub mod table_3;
