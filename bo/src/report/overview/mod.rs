//! Overview: runs in short, for a terminal: which there are, and what one of them came to.
//!
//! * [`entry`]: what a folder holds: a run, whole or not, or a comparison
//! * [`row`]: one line of a list
//! * [`words`]: what a run came to, in sentences, and the commands that go on from it

pub mod entry;
pub mod row;
pub mod words;

pub use entry::{Begun, Entry, Found, entries};
pub use row::{Row, list};
