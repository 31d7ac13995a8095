//! Pictures: what is drawn beside a table.

pub mod curves;
pub mod figure1;
pub mod figure2;
