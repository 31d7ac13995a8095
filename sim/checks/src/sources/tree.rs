//! The modules of a crate, read from its root on as the compiler does.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use std::path::{Path, PathBuf};

/// One module: a file, or a block within one.
pub(super) struct Module {
    /// Its path without `crate`; the root's is empty.
    pub path: Vec<String>,
    /// Its file, from the folder of the sources on.
    pub file: PathBuf,
    /// The modules that it declares.
    pub children: Vec<String>,
    /// The paths in its code.
    pub names: Vec<Named>,
    tokens: Vec<TokenTree>,
}

impl Module {
    /// Names that the module gives to modules, types, traits and functions.
    pub fn defined(&self) -> Vec<String> {
        const KEYWORDS: [&str; 6] = ["enum", "fn", "mod", "struct", "trait", "type"];
        fn within(tokens: &[TokenTree], found: &mut Vec<String>) {
            for (at, token) in tokens.iter().enumerate() {
                match (token, tokens.get(at + 1)) {
                    (TokenTree::Ident(word), Some(TokenTree::Ident(name)))
                        if KEYWORDS.iter().any(|keyword| word == keyword) =>
                    {
                        found.push(name.to_string());
                    }
                    (TokenTree::Group(group), _) => {
                        let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                        within(&inside, found);
                    }
                    _ => {}
                }
            }
        }
        let mut found = Vec::new();
        within(&self.tokens, &mut found);
        found.extend(self.children.iter().cloned());
        found
    }

    /// Whether the code calls the macro.
    pub fn has_macro(&self, name: &str) -> bool {
        fn within(tokens: &[TokenTree], name: &str) -> bool {
            tokens.iter().enumerate().any(|(at, token)| match token {
                TokenTree::Ident(ident) => ident == name && called(tokens.get(at + 1)),
                TokenTree::Group(group) => {
                    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                    within(&inside, name)
                }
                _ => false,
            })
        }
        // The mark of `!=` is joined to the next one.
        fn called(next: Option<&TokenTree>) -> bool {
            matches!(next, Some(TokenTree::Punct(mark))
                if mark.as_char() == '!' && mark.spacing() == Spacing::Alone)
        }
        within(&self.tokens, name)
    }
}

/// A module that names another.
pub(super) struct Edge {
    pub from: Vec<String>,
    pub to: Vec<String>,
    pub file: PathBuf,
    /// The path as it is typed.
    pub text: String,
}

/// A library or a program.
pub(super) struct Crate {
    pub modules: Vec<Module>,
}

/// Every crate whose sources lie in the folder: the library or the program at its root, and the
/// programs in `bin`.
pub(super) fn all(src: &Path) -> Vec<Crate> {
    let mut roots: Vec<PathBuf> = ["lib.rs", "main.rs"].map(|root| src.join(root)).into();
    if let Ok(programs) = std::fs::read_dir(src.join("bin")) {
        for program in programs.flatten() {
            roots.push(program.path().join("main.rs"));
            if program.path().is_file() {
                roots.push(program.path());
            }
        }
    }
    roots.retain(|root| root.is_file());
    assert!(!roots.is_empty(), "{}: no sources", src.display());
    (roots.iter().map(|root| Crate::read(src, root))).collect()
}

impl Crate {
    /// The library in the folder, or else the program.
    pub fn read_folder(src: &Path) -> Crate {
        let library = src.join("lib.rs");
        let root = if library.is_file() {
            library
        } else {
            src.join("main.rs")
        };
        Crate::read(src, &root)
    }

    /// The crate with that root file, whose files lie in `src`.
    pub fn read(src: &Path, root: &Path) -> Crate {
        let mut house = Crate {
            modules: Vec::new(),
        };
        house.read_module(src, root, Vec::new());
        house
    }

    fn read_module(&mut self, src: &Path, file: &Path, path: Vec<String>) {
        let text = std::fs::read_to_string(file)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let tokens: TokenStream = text
            .parse()
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        // A module's own files lie next to `mod.rs`, or in a folder of the module's name.
        let owns_folder = path.is_empty() || file.ends_with("mod.rs");
        let folder = if owns_folder {
            file.with_file_name("")
        } else {
            file.with_extension("")
        };
        self.read_tokens(src, file, &folder, path, tokens.into_iter().collect());
    }

    fn read_tokens(
        &mut self,
        src: &Path,
        file: &Path,
        folder: &Path,
        path: Vec<String>,
        tokens: Vec<TokenTree>,
    ) {
        let (tokens, inner) = without_modules(without_tests(tokens));
        let children = inner.iter().map(|(name, _)| name.clone()).collect();
        self.modules.push(Module {
            path: path.clone(),
            file: file.strip_prefix(src).unwrap_or(file).to_owned(),
            children,
            names: paths(&tokens),
            tokens,
        });
        for (name, block) in inner {
            let mut child = path.clone();
            child.push(name.clone());
            let below = folder.join(&name);
            match block {
                Some(block) => self.read_tokens(src, file, &below, child, block),
                None if below.join("mod.rs").is_file() => {
                    self.read_module(src, &below.join("mod.rs"), child);
                }
                None => self.read_module(src, &below.with_extension("rs"), child),
            }
        }
    }

    fn module(&self, path: &[String]) -> Option<&Module> {
        self.modules.iter().find(|module| module.path == path)
    }

    /// The names of the modules directly below that one.
    pub fn children(&self, path: &[String]) -> Vec<String> {
        self.module(path)
            .map_or_else(Vec::new, |module| module.children.clone())
    }

    /// Every naming of one module in another.
    pub fn edges(&self) -> Vec<Edge> {
        let of = |module: &Module, named: &Named| {
            Some(Edge {
                from: module.path.clone(),
                to: self.resolved(&module.path, named, 0)?,
                file: module.file.clone(),
                text: named.text(),
            })
        };
        (self.modules.iter())
            .flat_map(|module| {
                module
                    .names
                    .iter()
                    .filter_map(move |named| of(module, named))
            })
            .filter(|edge| edge.from != edge.to)
            .collect()
    }

    /// The module that holds what the path means in `from`; none for a foreign one.
    fn resolved(&self, from: &[String], named: &Named, depth: usize) -> Option<Vec<String>> {
        let mut at = from.to_vec();
        let mut rest = named.segments.as_slice();
        if named.foreign {
            return None;
        }
        match rest.first()?.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => drop(at.pop()),
            first if self.children(from).iter().any(|child| child == first) => {
                return self.walked(at, rest, depth);
            }
            _ => return None,
        }
        rest = &rest[1..];
        while rest.first().is_some_and(|word| word == "super") {
            at.pop();
            rest = &rest[1..];
        }
        self.walked(at, rest, depth)
    }

    /// From the module `at` along the names, through re-exports; ends at the first name that is no
    /// module.
    fn walked(&self, mut at: Vec<String>, names: &[String], depth: usize) -> Option<Vec<String>> {
        // Two modules that re-export each other's names in a circle do not compile.
        if depth > 32 {
            return Some(at);
        }
        for (number, name) in names.iter().enumerate() {
            let module = self.module(&at)?;
            if module.children.contains(name) {
                at.push(name.clone());
                continue;
            }
            let exported = module
                .names
                .iter()
                .find(|named| named.alias.as_deref() == Some(name));
            let Some(through) = exported else { break };
            let mut whole = through.clone();
            whole.segments.extend_from_slice(&names[number + 1..]);
            return self.resolved(&at, &whole, depth + 1);
        }
        Some(at)
    }
}

/// Without the items that only tests compile, at every depth.
fn without_tests(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if is_test_attribute(&tokens, at) {
            at = after_item(&tokens, at + 2);
        } else {
            kept.push(match &tokens[at] {
                TokenTree::Group(group) => {
                    let inside = without_tests(group.stream().into_iter().collect());
                    let stream = inside.into_iter().collect();
                    TokenTree::Group(Group::new(group.delimiter(), stream))
                }
                token => token.clone(),
            });
            at += 1;
        }
    }
    kept
}

fn is_test_attribute(tokens: &[TokenTree], at: usize) -> bool {
    let mark = matches!(&tokens[at], TokenTree::Punct(mark) if mark.as_char() == '#');
    let text = group(tokens, at + 1, Delimiter::Bracket).map(|inside| {
        let stream: TokenStream = inside.into_iter().collect();
        stream.to_string().replace(' ', "")
    });
    mark && text.is_some_and(|text| text == "cfg(test)")
}

/// Where the item that begins at `at` is over: behind its braces or its semicolon.
fn after_item(tokens: &[TokenTree], at: usize) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Punct(mark) => mark.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    // The braces of a `use` are followed by a semicolon.
    let is_use = tokens[at..]
        .iter()
        .take_while(|token| !ends(token))
        .any(|token| matches!(token, TokenTree::Ident(word) if word == "use"));
    let rest = &tokens[at..];
    let end = rest.iter().position(|token| match token {
        TokenTree::Group(_) if is_use => false,
        token => ends(token),
    });
    at + end.map_or(rest.len(), |end| end + 1)
}

/// A module within another: its name, and its block where it has one.
type Inner = (String, Option<Vec<TokenTree>>);

/// Without the declarations of modules, and these.
fn without_modules(tokens: Vec<TokenTree>) -> (Vec<TokenTree>, Vec<Inner>) {
    let (mut kept, mut inner) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        let declares = matches!(&tokens[at], TokenTree::Ident(word) if word == "mod");
        match tokens.get(at + 1) {
            Some(TokenTree::Ident(name)) if declares => {
                let block = group(&tokens, at + 2, Delimiter::Brace);
                inner.push((name.to_string(), block));
                at += 3;
            }
            _ => {
                kept.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    (kept, inner)
}

// Paths as they stand in the code: of `use` declarations, taken apart, and of everything else.

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
