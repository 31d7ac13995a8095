//! Documents: blocks of text that a program printed, held to what it prints today.
//!
//! Such a block stands between fences under a line `<!-- made by: PROGRAM ARGUMENTS -->`. Where the
//! environment has `WINDHOVER_WRITE_DOCUMENTS`, a block that differs is written anew.

use std::fs;
use std::path::{Path, PathBuf};

const MARK: &str = "<!-- made by: ";

/// A block of a document.
#[derive(Debug, PartialEq, Eq)]
struct Block<'a> {
    /// The command behind the mark.
    command: &'a str,
    /// What stands between the fences.
    text: &'a str,
}

/// Asks `printed` for what the program says to the arguments of each of its blocks in the Markdown
/// files of `folder`; returns the number of blocks.
///
/// # Panics
/// Where a block differs or has no fences, or a file cannot be read or written.
pub fn hold(folder: &Path, program: &str, printed: impl Fn(&[&str]) -> String) -> usize {
    let mut held = 0;
    for path in documents(folder) {
        let text = fs::read_to_string(&path).expect("a document is text");
        let mut renewed = text.clone();
        for block in blocks(&text) {
            let mut words = block.command.split_whitespace();
            if words.next() != Some(program) {
                continue;
            }
            held += 1;
            let today = printed(&words.collect::<Vec<_>>());
            if today != block.text {
                let old = framed(block.command, block.text);
                renewed = renewed.replace(&old, &framed(block.command, &today));
            }
        }
        if renewed == text {
            continue;
        }
        assert!(
            std::env::var_os("WINDHOVER_WRITE_DOCUMENTS").is_some(),
            "{} has blocks that {program} prints otherwise today; with WINDHOVER_WRITE_DOCUMENTS=1 \
             this test writes them anew",
            path.display()
        );
        fs::write(&path, renewed).expect("a document can be written");
    }
    held
}

fn documents(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder of the documents");
    let paths = entries.map(|entry| entry.expect("readable").path());
    let mut documents: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    documents.sort();
    documents
}

fn framed(command: &str, text: &str) -> String {
    format!("{MARK}{command} -->\n```text\n{text}```\n")
}

fn blocks(document: &str) -> Vec<Block<'_>> {
    let block = |(at, _): (usize, &str)| {
        let (command, rest) = document[at + MARK.len()..]
            .split_once(" -->\n")
            .expect("a mark ends in ` -->`");
        let rest = rest.strip_prefix("```text\n").expect("a fence ```text");
        // A block may be empty.
        let text = if rest.starts_with("```\n") {
            ""
        } else {
            let end = rest.find("\n```\n").expect("a fence at the end");
            &rest[..=end]
        };
        Block { command, text }
    };
    document.match_indices(MARK).map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Help\n\n<!-- made by: tool a b -->\n```text\none\ntwo\n```\n\nand\n\n\
        <!-- made by: other -->\n```text\n```\n";

    #[test]
    fn blocks_are_found_with_their_commands() {
        let [first, second] = &blocks(TEXT)[..] else {
            panic!("two blocks");
        };
        assert_eq!((first.command, first.text), ("tool a b", "one\ntwo\n"));
        assert_eq!((second.command, second.text), ("other", ""));
        assert!(TEXT.contains(&framed(first.command, first.text)));
    }

    #[test]
    fn a_block_that_differs_is_found_and_others_are_left_alone() {
        let folder = temp_dir::TempDir::new().expect("a folder");
        fs::write(folder.path().join("help.md"), TEXT).expect("written");
        let held = hold(folder.path(), "tool", |arguments| {
            assert_eq!(arguments, ["a", "b"]);
            "one\ntwo\n".to_owned()
        });
        assert_eq!(held, 1);
        let differs =
            std::panic::catch_unwind(|| hold(folder.path(), "tool", |_| "three\n".to_owned()));
        let written = std::env::var_os("WINDHOVER_WRITE_DOCUMENTS").is_some();
        assert_eq!(differs.is_ok(), written);
    }
}
