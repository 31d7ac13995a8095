//! Names: what a word means that may be a shipped name or a file, and which name was meant by one
//! that does not exist.

#[cfg(feature = "program")]
use std::path::{Path, PathBuf};

/// The file of gains in the folder of a run.
#[cfg(feature = "program")]
pub const GAINS: &str = "gains.toml";

/// The name of `known` with the least edit distance to `given`, whatever its case.
///
/// # Panics
/// When nothing is known.
pub fn nearest<'a>(given: &str, known: &[&'a str]) -> &'a str {
    known
        .iter()
        .min_by_key(|known| distance(given, known))
        .expect("lists of names are not empty")
}

fn distance(given: &str, known: &str) -> usize {
    strsim::damerau_levenshtein(&given.to_lowercase(), known)
}

/// Names up to which a list is said whole.
const SAID_WHOLE: usize = 30;

/// What is said behind a word that the list `known` ("a, b") lacks: the name that was meant, where
/// one is so near that at most a third of the letters differ, and the list, or how many names it has
/// where it is long. What has a blank is no name but a remark.
pub fn rather(given: &str, known: &str) -> String {
    let (remarks, names): (Vec<&str>, Vec<&str>) =
        known.split(", ").partition(|name| name.contains(' '));
    let near = (!names.is_empty()).then(|| nearest(given, &names));
    let near = near.filter(|name| distance(given, name) <= given.chars().count() / 3);
    let list = match names.len() > SAID_WHOLE {
        true => {
            let count = format!("one of {} names, which --help lists", names.len());
            [vec![count.as_str()], remarks].concat().join(", ")
        }
        false => known.to_owned(),
    };
    match near {
        Some(near) => format!(": did you mean `{near}`? It may be {list}"),
        None => format!("; it may be {list}"),
    }
}

/// Whether a word is meant as a file rather than as one of the shipped `names`: it holds a dot or a
/// slash, which no shipped name does, or something in `folder` bears the name. A shipped name is
/// never a file; `./name` is.
#[cfg(feature = "program")]
pub fn is_file(given: &str, names: &[&str], folder: &Path) -> bool {
    let looks_like_one = given.contains(['.', '/', '\\']);
    !names.contains(&given) && (looks_like_one || folder.join(given).exists())
}

/// The file of gains that `given` means: itself, or, where it is the folder of a run or the record in
/// one, the gains that the run recommends.
#[cfg(feature = "program")]
pub fn gains_file(given: &Path) -> PathBuf {
    if given.is_dir() {
        return given.join(GAINS);
    }
    match given.file_name().is_some_and(|name| name == "run.json") {
        true => given.with_file_name(GAINS),
        false => given.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_whatever_the_case() {
        let known = ["hover", "fig8", "spiral-up"];
        assert_eq!(nearest("fig-8", &known), "fig8");
        assert_eq!(nearest("HOVER", &known), "hover");
    }

    #[test]
    fn a_name_is_guessed_where_one_is_near() {
        let said = |given| rather(given, "log-ei, ei, ucb, or a file");
        for (given, meant) in [("UCB", "ucb"), ("ucbb", "ucb"), ("logei", "log-ei")] {
            let start = format!(": did you mean `{meant}`? It may be log-ei, ");
            assert!(said(given).starts_with(&start), "{}", said(given));
        }
        for far in ["pi", "best", "", "or a fil"] {
            assert_eq!(said(far), "; it may be log-ei, ei, ucb, or a file");
        }
    }

    #[test]
    fn of_a_long_list_the_number_of_names_is_said() {
        let names: Vec<String> = (0..31).map(|k| format!("name{k}")).collect();
        let known = format!("{}, or a file", names.join(", "));
        assert_eq!(
            rather("names30", &known),
            ": did you mean `name30`? It may be one of 31 names, which --help lists, or a file"
        );
        let short = names[..30].join(", ");
        assert_eq!(rather("x", &short), format!("; it may be {short}"));
    }

    #[cfg(feature = "program")]
    #[test]
    fn a_file_needs_neither_a_dot_nor_a_slash() {
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        let here = folder.path();
        std::fs::write(here.join("mine"), "").expect("writable");
        std::fs::write(here.join("omac"), "").expect("writable");
        assert!(is_file("mine", &["omac"], here));
        assert!(
            !is_file("omac", &["omac"], here),
            "a shipped name comes first"
        );
        assert!(is_file("./omac", &["omac"], here));
        assert!(!is_file("yours", &["omac"], here), "a mistyped name");
        assert!(
            is_file("yours.toml", &["omac"], here),
            "a file that is missing"
        );
    }

    #[cfg(feature = "program")]
    #[test]
    fn a_run_stands_for_its_gains() {
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        let gains = folder.path().join("gains.toml");
        assert_eq!(gains_file(folder.path()), gains);
        assert_eq!(gains_file(&folder.path().join("run.json")), gains);
        assert_eq!(gains_file(Path::new("my.toml")), Path::new("my.toml"));
    }
}
