//! The modules of a crate, read from its root on as the compiler does.

use super::names::{Named, group, paths};
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
        // A module's own files lie beside `mod.rs`, or in a folder of the module's name.
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
