//! Page: what is drawn, in which style, and with which pen.

pub mod curve;
pub mod ink;
#[cfg(test)]
pub mod legible;
pub mod letters;
pub mod lines;
pub mod sheet;
pub mod style;
