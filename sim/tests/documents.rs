//! What the documents say that this program prints.

mod program;

use program::{sim, stdout, temporary};
use std::path::Path;

#[test]
fn blocks_of_the_documents_are_what_the_program_prints() {
    let documents = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"));
    let here = temporary();
    let held = checks::documents::hold(documents, "sim", |arguments| {
        stdout(&sim(here.path(), arguments))
    });
    assert!(held >= 6, "{held} blocks");
}
