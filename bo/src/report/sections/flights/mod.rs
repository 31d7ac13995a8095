//! Flights: how the gains fly that the run began and ended with.

mod held_out;
mod oscillation;
mod replay;
mod side_by_side;
mod verdict;

pub use held_out::held_out;
pub use oscillation::oscillation;
pub use replay::replay;
pub use side_by_side::side_by_side;
pub use verdict::verdict;
