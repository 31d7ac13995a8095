//! Page: what is drawn, in which style, and with which pen.

pub mod curve;
pub mod ink;
pub mod letters;
pub mod pdf;
pub mod sheet;
pub mod style;
