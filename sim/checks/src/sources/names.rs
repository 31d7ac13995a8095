//! Paths as they stand in the code: of `use` declarations, taken apart, and of everything else.

use super::tree::Module;
use proc_macro2::{Delimiter, Spacing, TokenTree};

/// One path, `crate::wind::Dryden` say, and the name under which a `use` makes it known.
#[derive(Clone)]
pub(super) struct Named {
    pub segments: Vec<String>,
    /// Where a `use` made it: the name by which the module knows it from there on.
    pub alias: Option<String>,
    /// Whether it begins with `::`, which only a foreign library does.
    pub foreign: bool,
}

impl Named {
    /// The path as it is typed.
    pub fn text(&self) -> String {
        self.segments.join("::")
    }
}

/// Every path of the tokens, those within brackets and attributes too.
pub(super) fn paths(tokens: &[TokenTree]) -> Vec<Named> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(word) if word == "use" && at + 1 < tokens.len() => {
                at = used(tokens, at + 1, &[], &mut found);
            }
            // `pub(super)` and `pub(in crate::wind)` say who may look, and name nothing.
            TokenTree::Ident(word) if word == "pub" => {
                at += 1 + usize::from(group(tokens, at + 1, Delimiter::Parenthesis).is_some());
            }
            TokenTree::Ident(_) => at = path(tokens, at, false, &mut found),
            TokenTree::Punct(_) if colons(tokens, at) => {
                at = path(tokens, at + 2, true, &mut found);
            }
            TokenTree::Group(group) => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                found.extend(paths(&inside));
                at += 1;
            }
            _ => at += 1,
        }
    }
    found
}

/// Whether the module names the foreign library, or the module of it whose path is given, and means
/// that and no module of its own.
pub(super) fn has_library(module: &Module, library: &str) -> bool {
    let wanted: Vec<&str> = library.split("::").collect();
    let first = wanted[0];
    let own = |named: &Named| {
        let local = named.alias.as_deref() == Some(first);
        local
            && named
                .segments
                .first()
                .is_some_and(|segment| is_own(segment))
    };
    let shadowed =
        module.children.iter().any(|child| child == first) || module.names.iter().any(own);
    module.names.iter().any(|named| {
        let begins = named.segments.len() >= wanted.len()
            && named.segments.iter().zip(&wanted).all(|(a, b)| a == b);
        let path = named.segments.len() > 1 || named.alias.is_some();
        begins && path && (named.foreign || !shadowed)
    })
}

fn is_own(segment: &str) -> bool {
    ["crate", "self", "super"].contains(&segment)
}

/// A path of an expression or a type from `at` on; what follows it.
fn path(tokens: &[TokenTree], mut at: usize, foreign: bool, found: &mut Vec<Named>) -> usize {
    let mut segments = Vec::new();
    while let Some(TokenTree::Ident(word)) = tokens.get(at) {
        segments.push(word.to_string());
        at += 1;
        if !colons(tokens, at) || !matches!(tokens.get(at + 2), Some(TokenTree::Ident(_))) {
            break;
        }
        at += 2;
    }
    // `::<` and the like end the path; without the colons they would begin another one.
    if colons(tokens, at) {
        at += 2;
    }
    if segments.len() > 1 || foreign {
        found.push(Named {
            segments,
            alias: None,
            foreign,
        });
    }
    at
}

/// The tree of one `use` from `at` on, its branches behind `before`; what follows it.
fn used(tokens: &[TokenTree], mut at: usize, before: &[String], found: &mut Vec<Named>) -> usize {
    let foreign = before.is_empty() && colons(tokens, at);
    let mut segments = before.to_vec();
    let mut alias = None;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(word) if word == "as" => {
                alias = tokens.get(at + 1).map(ToString::to_string);
                at += 1;
            }
            TokenTree::Ident(word) => segments.push(word.to_string()),
            TokenTree::Punct(mark) if mark.as_char() == '*' => segments.push("*".to_owned()),
            TokenTree::Punct(mark) if ";,".contains(mark.as_char()) => break,
            TokenTree::Group(group) => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                let mut branch = 0;
                while branch < inside.len() {
                    branch = used(&inside, branch, &segments, found);
                }
                return at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    // `use crate::wind::{self, Dryden}` makes `wind` known.
    if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
        segments.pop();
    }
    if segments.len() > before.len() || segments.len() > 1 {
        let alias = alias.or_else(|| segments.last().cloned());
        found.push(Named {
            segments,
            alias,
            foreign,
        });
    }
    at + 1
}

/// Whether `::` stands at `at`.
pub(super) fn colons(tokens: &[TokenTree], at: usize) -> bool {
    let colon = |at: usize| match tokens.get(at) {
        Some(TokenTree::Punct(mark)) if mark.as_char() == ':' => Some(mark.spacing()),
        _ => None,
    };
    colon(at) == Some(Spacing::Joint) && colon(at + 1).is_some()
}

/// What stands between such brackets at `at`.
pub(super) fn group(
    tokens: &[TokenTree],
    at: usize,
    brackets: Delimiter,
) -> Option<Vec<TokenTree>> {
    match tokens.get(at) {
        Some(TokenTree::Group(group)) if group.delimiter() == brackets => {
            Some(group.stream().into_iter().collect())
        }
        _ => None,
    }
}
