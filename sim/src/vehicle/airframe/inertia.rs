//! Inertia: as a file gives it, by rows or by its diagonal.

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// One entry of the list: a row, or an entry of the diagonal.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Diagonal(f64),
    Row([f64; 3]),
}

/// Three rows, or the three entries of the diagonal.
struct Rows;

impl<'de> Visitor<'de> for Rows {
    type Value = [[f64; 3]; 3];

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("three rows of three numbers [kg m²], or the three of the diagonal")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<[[f64; 3]; 3], A::Error> {
        let wanted = || A::Error::custom(format!("expected {}", Expected));
        let mut rows = [[0.0; 3]; 3];
        let mut diagonal = [false; 3];
        for (axis, row) in rows.iter_mut().enumerate() {
            match list.next_element::<Entry>().map_err(|_| wanted())? {
                Some(Entry::Row(given)) => *row = given,
                Some(Entry::Diagonal(given)) => (row[axis], diagonal[axis]) = (given, true),
                None => return Err(wanted()),
            }
        }
        let mixed = diagonal.contains(&true) && diagonal.contains(&false);
        if mixed
            || list
                .next_element::<Entry>()
                .map_err(|_| wanted())?
                .is_some()
        {
            return Err(wanted());
        }
        Ok(rows)
    }
}

/// What is wanted, in words.
struct Expected;

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        Rows.expecting(f)
    }
}

/// Reads an inertia.
pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[[f64; 3]; 3], D::Error> {
    deserializer.deserialize_seq(Rows)
}

#[cfg(test)]
mod tests {
    use crate::Airframe;

    const ROWS: &str = "inertia_kg_m2 = [\n    [3.60025e-3, 0.0, 0.0],\n    [0.0, 3.60025e-3, 0.0],\n    [0.0, 0.0, 3.60025e-3],\n]";

    fn with(inertia: &str) -> Result<Airframe, crate::Error> {
        let text = include_str!("../../../airframes/omac.toml");
        assert!(text.contains(ROWS));
        Airframe::from_toml(&text.replace(ROWS, &format!("inertia_kg_m2 = {inertia}")))
    }

    #[test]
    fn a_diagonal_is_the_rows_it_stands_for() {
        let airframe = with("[3.60025e-3, 3.60025e-3, 3.60025e-3]").expect("legal");
        assert_eq!(airframe, Airframe::omac());
    }

    #[test]
    fn anything_else_is_answered_with_what_is_wanted_and_its_line() {
        for wrong in [
            "[1.0, 2.0]",
            "[1, [0, 1, 0], 1]",
            "[1, 2, 3, 4]",
            "3.0",
            "[[1, 0], [0, 1]]",
        ] {
            let message = with(wrong).expect_err("not legal").to_string();
            assert!(message.contains("line 8"), "{message}");
            assert!(message.contains("three rows of three numbers"), "{message}");
        }
    }
}
