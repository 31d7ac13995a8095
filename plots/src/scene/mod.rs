//! Scene: three dimensions on a page.

pub mod cage;
pub mod view;
