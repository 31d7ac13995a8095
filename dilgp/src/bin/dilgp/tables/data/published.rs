//! Published: the two data files of the paper's Table 2, which are not part of this project: where
//! a user gets them, and how they are recognised.

use std::path::Path;

use shell::files;

use super::sha256::digest;
use crate::csv::{self, Line};
use crate::error::{Error, Fault};

/// A published file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The flag that names it.
    pub flag: &'static str,
    /// What it is called, where it is published and what is in it.
    pub about: &'static str,
    /// Its columns, in order.
    pub columns: &'static [&'static str],
    /// The SHA-256 of the copy that the figures of this project were computed from.
    pub sha256: &'static str,
}

/// House sales in King County, May 2014 to May 2015.
pub static HOUSING: Source = Source {
    flag: "housing",
    about: "kc_house_data.csv: `House Sales in King County, USA` by harlfoxem on Kaggle, 21613 \
            rows of 21 columns with a header line (copies with blanked or rounded cells are about)",
    columns: &[
        "id",
        "date",
        "price",
        "bedrooms",
        "bathrooms",
        "sqft_living",
        "sqft_lot",
        "floors",
        "waterfront",
        "view",
        "condition",
        "grade",
        "sqft_above",
        "sqft_basement",
        "yr_built",
        "yr_renovated",
        "zipcode",
        "lat",
        "long",
        "sqft_living15",
        "sqft_lot15",
    ],
    sha256: "d0875baa0251b21d4bdc9d2ae940a4fe0bb6009824f23dd0e2a5b2bf04557b7e",
};

/// Cars imported in 1985.
pub static AUTOMOBILE: Source = Source {
    flag: "automobile",
    about: "imports-85.data: `Automobile` in the UCI Machine Learning Repository, 205 rows of 26 \
            columns without a header line, missing cells written as `?`",
    columns: &[
        "symboling",
        "normalized-losses",
        "make",
        "fuel-type",
        "aspiration",
        "num-of-doors",
        "body-style",
        "drive-wheels",
        "engine-location",
        "wheel-base",
        "length",
        "width",
        "height",
        "curb-weight",
        "engine-type",
        "num-of-cylinders",
        "engine-size",
        "fuel-system",
        "bore",
        "stroke",
        "compression-ratio",
        "horsepower",
        "peak-rpm",
        "city-mpg",
        "highway-mpg",
        "price",
    ],
    sha256: "125db8bd36a84801f7223faf54071d15f85f26c13a9a7aee63375ac46098fb7f",
};

impl Source {
    /// How to get the file.
    pub fn advice(&self) -> String {
        format!(
            "--{} FILE: {}; SHA-256 {}",
            self.flag, self.about, self.sha256
        )
    }

    /// The place of a column.
    ///
    /// # Panics
    /// If there is none of that name.
    pub fn column(&self, name: &str) -> usize {
        let found = self.columns.iter().position(|column| *column == name);
        found.expect("the columns asked for are those of the list")
    }

    /// The lines of the file at `path`, and a warning where it is another copy.
    ///
    /// # Errors
    /// A file that is not there (the message says where it is published), or a line that has not
    /// as many cells as there are columns.
    pub fn read(&'static self, path: &Path) -> Result<(Vec<Line>, Option<String>), Error> {
        let bytes = files::read(path, files::MOST_DATA).map_err(|source| Error::Unpublished {
            path: path.to_owned(),
            source,
            advice: self.advice(),
        })?;
        let found = digest(&bytes);
        let warning = (found != self.sha256).then(|| {
            format!(
                "warning: {} has SHA-256 {found}, not {}; figures may differ",
                path.display(),
                self.sha256
            )
        });
        let lines = csv::lines(path)?;
        for line in &lines {
            if line.cells.len() != self.columns.len() {
                return Err(Error::Data {
                    path: path.to_owned(),
                    fault: Fault::NotPublished {
                        line: line.number,
                        found: line.cells.len(),
                        expected: self.columns.len(),
                    },
                });
            }
        }
        Ok((lines, warning))
    }
}
