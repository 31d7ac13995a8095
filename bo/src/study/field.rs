//! Field: one setting of a study: what it is called in the study file and as a flag, what it means,
//! what it may be, and where it lies in a [`Config`].

use super::{Config, Fault};
use crate::choice;
use crate::run::settings::Limit;
use serde::Deserialize;
use std::ops::Range;
use std::path::Path;
use toml::de::{DeValue, ValueDeserializer};
use toml::{Spanned, Value};

/// One setting of a study.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its key in the study file, behind its table's: `budget.initial`.
    pub key: &'static str,
    /// What stands above it in a study file. `{names}`, `{least}` and `{most}` stand for what
    /// [`Field::legal`] says.
    pub meaning: &'static str,
    /// How a command line says it, where one can.
    pub flag: Option<Flag>,
    /// What it means there, on one line; filled as the meaning is.
    pub help: &'static str,
    /// What it may be.
    pub legal: Legal,
    /// Its value in a study.
    pub get: fn(&Config) -> Value,
    /// Puts a legal value into a study whose files lie in the folder; none for a field that is read
    /// together with others.
    pub set: Option<Set>,
}

/// Puts a value into a study; files that it names are looked for in the folder.
pub type Set = fn(&mut Config, &Value, &Path) -> Result<(), Fault>;

/// A setting on a command line.
#[derive(Debug, Clone, Copy)]
pub struct Flag {
    /// Its name, without its dashes.
    pub name: &'static str,
    /// What help calls its value.
    pub value: &'static str,
}

/// What a setting may be.
#[derive(Debug, Clone, Copy)]
pub enum Legal {
    /// A whole number within limits.
    Count(Limit),
    /// A number within limits.
    Number(Limit),
    /// A number within limits, or `none`.
    NumberOrNone(Limit),
    /// Any whole number from 0 to 2⁶⁴ − 1.
    Seed,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// Some of these words, each once.
    Words(fn() -> Vec<&'static str>),
    /// One of these names; the setting itself answers another one with the nearest.
    Name(fn() -> Vec<&'static str>),
    /// One of these names, a file, or what is meant in full.
    Shipped(fn() -> Vec<&'static str>),
    /// What the setting itself knows.
    Own,
}

/// The word that says that there is no such thing.
pub(super) const NONE: &str = "none";

impl Field {
    /// The table of the study file in which it stands, and its key there.
    pub fn place(&self) -> (&'static str, &'static str) {
        self.key.split_once('.').unwrap_or(("", self.key))
    }

    /// The legal names, where it has some.
    pub fn names(&self) -> Option<Vec<&'static str>> {
        match self.legal {
            Legal::Word(names) | Legal::Words(names) => Some(names()),
            Legal::Name(names) | Legal::Shipped(names) => Some(names()),
            _ => None,
        }
    }

    fn limit(&self) -> Option<Limit> {
        match self.legal {
            Legal::Count(limit) | Legal::Number(limit) | Legal::NumberOrNone(limit) => Some(limit),
            _ => None,
        }
    }

    /// `text` with what it may be in place of its marks.
    fn filled(&self, text: &str) -> String {
        let names = self.names().unwrap_or_default().join(", ");
        let [least, most] = self.limit().map_or(Default::default(), |limit| {
            [limit.least, limit.most].map(|bound| bound.to_string())
        });
        text.replace("{names}", &names)
            .replace("{least}", &least)
            .replace("{most}", &most)
    }

    /// What stands above it in a study file.
    pub(super) fn comment(&self) -> String {
        self.filled(self.meaning)
    }

    /// What its flag means, with what goes without saying in `usual`.
    pub fn help(&self, usual: &Config) -> String {
        let help = self.filled(self.help);
        match said((self.get)(usual)) {
            Some(default) if !default.is_empty() && default != NONE => {
                format!("{help} [default: {default}]")
            }
            _ => help,
        }
    }

    /// Its value in `config` as its flag says it, where a flag can.
    pub fn typed(&self, config: &Config) -> Option<String> {
        self.flag.and_then(|_| said((self.get)(config)))
    }

    /// The value that `text` is behind its flag.
    ///
    /// # Errors
    /// What is wrong with a number.
    pub fn of_flag(
        &self,
        text: &str,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync + 'static>> {
        let words = |text: &str| text.split(',').map(|word| word.trim().into()).collect();
        Ok(match self.legal {
            Legal::Count(_) => Value::Integer(text.parse()?),
            Legal::NumberOrNone(_) if text == NONE => text.into(),
            Legal::Number(_) | Legal::NumberOrNone(_) => Value::Float(text.parse()?),
            Legal::Seed => whole(text.parse()?),
            Legal::Words(names) if text == "all" => Value::Array(words(&names().join(","))),
            Legal::Words(_) => Value::Array(words(text)),
            Legal::Own if text.is_empty() => return Err("it is empty".into()),
            _ => text.into(),
        })
    }

    /// Puts what the study file in `folder` has into `config`.
    pub(super) fn read(
        &self,
        config: &mut Config,
        given: &Spanned<DeValue>,
        folder: &Path,
    ) -> Result<(), Placed> {
        let value = match self.legal {
            Legal::Count(_) => Value::Integer(taken(given)?),
            Legal::Number(_) => Value::Float(taken(given)?),
            Legal::Word(_) | Legal::Name(_) => Value::String(taken(given)?),
            Legal::Words(_) => self.words(taken(given)?)?,
            _ => taken(given)?,
        };
        let done = self.put(config, &value, folder);
        done.map_err(|fault| (given.span(), fault))
    }

    /// A list of which each member is refused where it stands.
    fn words(&self, given: Vec<Spanned<String>>) -> Result<Value, Placed> {
        let mut words = Vec::new();
        for word in given {
            let span = word.span();
            words.push(Value::String(word.into_inner()));
            self.check(&Value::Array(words.clone()))
                .map_err(|fault| (span, fault))?;
        }
        Ok(Value::Array(words))
    }

    /// Puts a `value` into `config`; files that it names are looked for in `folder`.
    pub(super) fn put(
        &self,
        config: &mut Config,
        value: &Value,
        folder: &Path,
    ) -> Result<(), Fault> {
        self.check(value)?;
        self.set.map_or(Ok(()), |set| set(config, value, folder))
    }

    fn check(&self, value: &Value) -> Result<(), Fault> {
        match self.legal {
            Legal::Count(limit) | Legal::Number(limit) => self.within(value, &limit),
            Legal::NumberOrNone(_) if value.as_str() == Some(NONE) => Ok(()),
            Legal::NumberOrNone(limit) => self.within(value, &limit),
            Legal::Word(names) => self.known(value, &names()),
            Legal::Words(names) => {
                let words = value.as_array().map_or(&[][..], Vec::as_slice);
                let names = names();
                let mut numbered = words.iter().enumerate();
                numbered.try_for_each(|(n, word)| {
                    self.known(word, &names)?;
                    self.once(word, &words[..n])
                })
            }
            Legal::Seed | Legal::Name(_) | Legal::Shipped(_) | Legal::Own => Ok(()),
        }
    }

    fn within(&self, value: &Value, limit: &Limit) -> Result<(), Fault> {
        let wanted = Fault::Kind {
            key: self.key,
            wanted: "a number, or none",
        };
        let value = number(value).ok_or(wanted)?;
        within(self.key, value, limit)
    }

    /// Refuses a word that stands among those before it.
    fn once(&self, word: &Value, before: &[Value]) -> Result<(), Fault> {
        match before.contains(word) {
            false => Ok(()),
            true => Err(Fault::Twice {
                what: match self.key {
                    "log" => "the log",
                    "objective" => "the objective",
                    _ => "the loop",
                },
                name: word.as_str().unwrap_or_default().to_owned(),
            }),
        }
    }

    fn known(&self, word: &Value, names: &[&str]) -> Result<(), Fault> {
        let given = word.as_str().unwrap_or_default();
        if names.contains(&given) {
            return Ok(());
        }
        let key = self.flag.map_or(self.key, |flag| flag.name);
        choice::refuse_retired(key, given).map_err(|error| Fault::Choice(Box::new(error)))?;
        Err(Fault::Unknown {
            key: self.key.to_owned(),
            given: given.to_owned(),
            known: names.join(", "),
        })
    }
}

/// A whole number as a study file can hold it: TOML's end at 2⁶³ − 1, greater ones are quoted.
pub(super) fn whole(number: u64) -> Value {
    i64::try_from(number).map_or_else(|_| number.to_string().into(), Value::Integer)
}

/// The number that `value` is.
pub(super) fn number(value: &Value) -> Option<f64> {
    let whole = value.as_integer().map(|number| number as f64);
    value.as_float().or(whole)
}

/// A value as one word of a command line; a table is none.
fn said(value: Value) -> Option<String> {
    match value {
        Value::String(word) => Some(word),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Array(words) => {
            let words: Option<Vec<String>> = words.into_iter().map(said).collect();
            words.map(|words| words.join(","))
        }
        _ => None,
    }
}

/// What is wrong, and between which bytes.
pub(super) type Placed = (Range<usize>, Fault);

/// What `read` makes of a value, or where it went wrong.
pub(super) fn placed<T, U>(
    given: &Spanned<T>,
    read: impl FnOnce(&T) -> Result<U, Fault>,
) -> Result<U, Placed> {
    read(given.get_ref()).map_err(|fault| (given.span(), fault))
}

/// A value of the kind that is wanted, or where it is of another one.
pub(super) fn taken<'de, T: Deserialize<'de>>(given: &Spanned<DeValue<'de>>) -> Result<T, Placed> {
    T::deserialize(ValueDeserializer::from(given.clone())).map_err(|error| {
        let span = error.span().unwrap_or(given.span());
        (span, Fault::Syntax(error))
    })
}

/// Refuses a number out of range by its key.
pub(super) fn within(key: &str, value: f64, limit: &Limit) -> Result<(), Fault> {
    match limit.holds(value) {
        true => Ok(()),
        false => Err(Fault::OutOfRange {
            key: key.to_owned(),
            value,
            wanted: limit.wanted,
        }),
    }
}
