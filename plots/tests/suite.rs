//! The pictures from outside: one program, since each would bring a copy of
//! all that it is linked with.

#![allow(clippy::unwrap_used)] // helpers of tests fail by panicking

mod architecture;
mod drawing;
mod figures;
mod flight_grid;
mod intervals;
mod legible;
mod markup;
mod pictures;
mod records;
mod slices;
mod surrogates;
