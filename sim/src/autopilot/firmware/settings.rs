//! Settings: the values of a tune's file with the firmware's own behind them, and which were asked for.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Values by name.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    file: BTreeMap<String, f64>,
    stock: BTreeMap<&'static str, f64>,
    read: RefCell<BTreeSet<String>>,
}

impl Settings {
    /// Those of a file; what it does not hold is as in `stock`.
    pub(crate) fn of(
        file: &BTreeMap<String, f64>,
        stock: impl Iterator<Item = (&'static str, f64)>,
    ) -> Settings {
        Settings {
            file: file.clone(),
            stock: stock.collect(),
            read: RefCell::default(),
        }
    }

    /// The value in the file.
    pub(crate) fn own(&self, name: &str) -> Option<f64> {
        let value = self.file.get(name).copied();
        if value.is_some() {
            self.read.borrow_mut().insert(name.to_owned());
        }
        value
    }

    /// The value in the file, or else the firmware's own.
    pub(crate) fn any(&self, name: &str) -> Option<f64> {
        self.own(name).or_else(|| self.stock.get(name).copied())
    }

    /// The same; 0 of a name that neither has.
    pub(crate) fn value(&self, name: &str) -> f64 {
        self.any(name).unwrap_or(0.0)
    }

    /// The value of the first of `names` that the file holds, or else of the first that the firmware
    /// comes with.
    pub(crate) fn first(&self, names: &[&str]) -> f64 {
        let own = names.iter().find_map(|name| self.own(name));
        own.unwrap_or_else(|| names.iter().find_map(|name| self.any(name)).unwrap_or(0.0))
    }

    /// The settings of the file that were never asked for.
    pub(super) fn unread(&self) -> Vec<(&str, f64)> {
        let read = self.read.borrow();
        let left = self.file.iter().filter(|(name, _)| !read.contains(*name));
        left.map(|(name, value)| (name.as_str(), *value)).collect()
    }
}
