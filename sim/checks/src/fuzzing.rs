//! For tests only: texts that are nearly right, made from right ones by changes that know what a
//! number, a word and a line are. The same seed gives the same texts on every machine.
//!
//! ```
//! let (mut numbers, mut all) = (0, 0);
//! checks::fuzzing::fuzz("numbers", &["1.5", "-2e3"], 200, |text| {
//!     numbers += u32::from(text.parse::<f64>().is_ok());
//!     all += 1;
//! });
//! assert!((2..all).contains(&numbers), "some are still numbers, and not all");
//! ```

use std::time::{Duration, Instant};

/// The environment variable that makes a test go on for so many seconds a parser, in place of its
/// fixed number of cases.
pub const SECONDS: &str = "WINDHOVER_FUZZ_SECONDS";

/// The environment variable that multiplies the fixed number of cases: more of them, and still the
/// same ones on every machine.
pub const TIMES: &str = "WINDHOVER_FUZZ_TIMES";

/// Numbers at which parsers break, as they are typed.
const NUMBERS: [&str; 22] = [
    "0",
    "-0.0",
    "-1",
    "1",
    "2",
    "0.5",
    "1e-320",
    "1e308",
    "-1e308",
    "1e400",
    "nan",
    "-inf",
    "inf",
    "NaN",
    "null",
    "9007199254740993",
    "18446744073709551616",
    "-9223372036854775808",
    "1e5",
    "0x10",
    "1_0",
    "\"1\"",
];

/// Words at which they break; the last are made longer than a line is.
const WORDS: [&str; 12] = [
    "",
    "\u{1b}[31m",
    "\u{0}",
    "\r\n",
    "\u{feff}",
    "\u{202e}é",
    "\"",
    "\\\"\\u001b",
    "[[",
    "}",
    ",",
    "#",
];

/// Letters of the longest word.
const LONG: usize = 70_000;

/// Levels of the deepest nesting.
const DEEP: usize = 3_000;

/// Calls `judge` with texts made of `examples`, which are right and tried first: `cases` of them
/// ([`TIMES`] so many where that is set), or as many as fit into [`SECONDS`] where that is set. `name` sets the seed, so that two tests do
/// not try the same changes. A panic of `judge` comes after a line with the text's number.
pub fn fuzz(name: &str, examples: &[&str], cases: u64, mut judge: impl FnMut(&str)) {
    for example in examples {
        judge(example);
    }
    let seconds = std::env::var(SECONDS).ok().and_then(|s| s.parse().ok());
    let times = std::env::var(TIMES)
        .ok()
        .and_then(|s| s.parse::<u64>().ok());
    let cases = cases * times.unwrap_or(1);
    let until = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let seed = name
        .bytes()
        .fold(0, |hash, byte| mixed(hash ^ u64::from(byte)));
    for number in 0.. {
        let over = until.map_or(number >= cases, |until| Instant::now() >= until);
        if over {
            return;
        }
        let text = mutant(examples, seed, number);
        let told = Told {
            name,
            number,
            text: &text,
        };
        judge(&text);
        std::mem::forget(told);
    }
}

/// Tells which text was judged when a judge panics.
struct Told<'a> {
    name: &'a str,
    number: u64,
    text: &'a str,
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        let beginning: String = self.text.chars().take(2_000).collect();
        eprintln!("{} number {}: {beginning:?}", self.name, self.number);
    }
}

/// The text of that number.
fn mutant(examples: &[&str], seed: u64, number: u64) -> String {
    let mut dice = Dice(mixed(seed ^ mixed(number)));
    let mut text = dice.one_of(examples).to_string();
    for _ in 0..1 + dice.below(3) {
        text = match dice.below(8) {
            0..=3 => token_changed(&text, &mut dice),
            4 | 5 => line_changed(&text, &mut dice),
            6 => letter_changed(&text, &mut dice),
            _ => {
                let other = dice.one_of(examples);
                let (one, two) = (place(&text, &mut dice), place(other, &mut dice));
                format!("{}{}", &text[..one], &other[two..])
            }
        };
    }
    text
}

/// One number, word or mark of the text replaced, left out or doubled.
fn token_changed(text: &str, dice: &mut Dice) -> String {
    let tokens = tokens(text);
    if tokens.is_empty() {
        return text.to_owned();
    }
    let numeric =
        |token: &str| token.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let numbers: Vec<usize> = (0..tokens.len())
        .filter(|at| numeric(tokens[*at]))
        .collect();
    let at = match dice.below(2) {
        0 if !numbers.is_empty() => numbers[dice.below(numbers.len())],
        _ => dice.below(tokens.len()),
    };
    let token = tokens[at];
    let changed = match dice.below(8) {
        0 => String::new(),
        1 => token.repeat(2),
        2 => tokens[dice.below(tokens.len())].to_owned(),
        3 => dice.one_of(&WORDS).to_string(),
        4 if dice.below(4) == 0 => "w".repeat(LONG),
        5 if dice.below(4) == 0 => dice.one_of(&["[", "{\"a\":", "{a="]).repeat(DEEP),
        _ if numeric(token) => dice.one_of(&NUMBERS).to_string(),
        _ => dice
            .one_of(&["true", "-1", "{}", "[]", "\"x\"", "1979-05-27"])
            .to_string(),
    };
    let (before, after) = (tokens[..at].concat(), tokens[at + 1..].concat());
    before + &changed + &after
}

/// One line left out, doubled, or moved elsewhere.
fn line_changed(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = dice.below(lines.len().max(1));
    if at < lines.len() {
        let line = lines[at];
        match dice.below(3) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, line),
            _ => {
                lines.remove(at);
                lines.insert(dice.below(lines.len() + 1), line);
            }
        }
    }
    lines.concat()
}

/// The text cut, or with a letter that does not belong there.
fn letter_changed(text: &str, dice: &mut Dice) -> String {
    let at = place(text, dice);
    if dice.below(2) == 0 {
        return text[..at].to_owned();
    }
    format!("{}{}{}", &text[..at], dice.one_of(&WORDS), &text[at..])
}

/// Numbers, words, and all else letter by letter; together they are the text.
fn tokens(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_ascii_digit() || "+-.".contains(c) => 1,
        c if c.is_alphabetic() || c == '_' => 1,
        ' ' => 2,
        _ => 0,
    };
    let mut tokens = Vec::new();
    let (mut start, mut before) = (0, None);
    for (at, c) in text.char_indices() {
        let now = kind(c);
        if before.is_some_and(|before| before != now || now == 0) {
            tokens.push(&text[start..at]);
            start = at;
        }
        before = Some(now);
    }
    if start < text.len() {
        tokens.push(&text[start..]);
    }
    tokens
}

/// A place between two letters.
fn place(text: &str, dice: &mut Dice) -> usize {
    let mut at = dice.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Random numbers by SplitMix64.
struct Dice(u64);

impl Dice {
    /// From 0 to one less than `count`, which is positive.
    fn below(&mut self, count: usize) -> usize {
        self.0 = mixed(self.0);
        (self.0 % count as u64) as usize
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// The finaliser of SplitMix64.
fn mixed(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const EXAMPLE: &str = "name = \"é\"\nmass_kg = 1.5e-3\n[a]\nb = [1, 2]\n";

    #[test]
    fn tokens_are_the_text() {
        assert_eq!(tokens(EXAMPLE).concat(), EXAMPLE);
        assert_eq!(
            tokens("a = [1.5e-3,-2]"),
            ["a", " ", "=", " ", "[", "1.5e-3", ",", "-2", "]"]
        );
    }

    #[test]
    fn the_same_name_tries_the_same_texts_and_another_name_others() {
        let tried = |name: &str| {
            let mut texts = Vec::new();
            fuzz(name, &[EXAMPLE], 1_000, |text| texts.push(text.to_owned()));
            texts
        };
        let texts = tried("one");
        if std::env::var(SECONDS).is_err() && std::env::var(TIMES).is_err() {
            assert_eq!(texts, tried("one"));
            assert_eq!(texts.len(), 1_001);
        }
        assert_ne!(texts[1..20], tried("two")[1..20]);
        assert_eq!(texts[0], EXAMPLE);
        let different: HashSet<&String> = texts.iter().collect();
        assert!(different.len() > 700, "{}", different.len());
        for part in ["nan", "1e308", "\u{1b}", "[[["] {
            assert!(texts.iter().any(|text| text.contains(part)), "{part}");
        }
    }
}
