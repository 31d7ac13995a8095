//! Published: the two data files of the paper's Table 2, which are not part of this project: where
//! a user gets them, and how they are recognised.

use std::path::Path;

use dilgp::Dataset;
use shell::files::{self, FileError, checksum};

use crate::csv::{self, Line};
use crate::fit::data::dataset;
use shell::Failure;

/// A published file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The flag that names it.
    pub flag: &'static str,
    /// What it is called, where it is published and what is in it.
    pub about: &'static str,
    /// The names of its columns, in order, parted by commas.
    columns: &'static str,
    /// The SHA-256 of the copy that the figures of this project were computed from.
    pub sha256: &'static str,
    /// Its CRC-32: what tells a copy from another file.
    crc32: &'static str,
}

/// House sales in King County, May 2014 to May 2015.
pub static HOUSING: Source = Source {
    flag: "housing",
    about: "kc_house_data.csv: `House Sales in King County, USA` by harlfoxem on Kaggle, 21613 \
            rows of 21 columns with a header line (copies with blanked or rounded cells are about)",
    columns: "id,date,price,bedrooms,bathrooms,sqft_living,sqft_lot,floors,waterfront,view,\
              condition,grade,sqft_above,sqft_basement,yr_built,yr_renovated,zipcode,lat,long,\
              sqft_living15,sqft_lot15",
    sha256: "d0875baa0251b21d4bdc9d2ae940a4fe0bb6009824f23dd0e2a5b2bf04557b7e",
    crc32: "81b7af5d",
};

/// Cars imported in 1985.
pub static AUTOMOBILE: Source = Source {
    flag: "automobile",
    about: "imports-85.data: `Automobile` in the UCI Machine Learning Repository, 205 rows of 26 \
            columns without a header line, missing cells written as `?`",
    columns: "symboling,normalized-losses,make,fuel-type,aspiration,num-of-doors,body-style,\
              drive-wheels,engine-location,wheel-base,length,width,height,curb-weight,\
              engine-type,num-of-cylinders,engine-size,fuel-system,bore,stroke,\
              compression-ratio,horsepower,peak-rpm,city-mpg,highway-mpg,price",
    sha256: "125db8bd36a84801f7223faf54071d15f85f26c13a9a7aee63375ac46098fb7f",
    crc32: "5f0f9ecc",
};

impl Source {
    /// How to get the file.
    pub fn advice(&self) -> String {
        format!(
            "--{} FILE: {}; SHA-256 {}",
            self.flag, self.about, self.sha256
        )
    }

    /// The names of its columns, in order.
    pub fn columns(&self) -> Vec<&'static str> {
        self.columns.split(',').collect()
    }

    /// The place of a column.
    ///
    /// # Panics
    /// If there is none of that name.
    pub fn column(&self, name: &str) -> usize {
        let found = self.columns().iter().position(|column| *column == name);
        found.expect("the columns asked for are those of the list")
    }

    /// The lines of the file at `path`, and a warning if it is another copy.
    ///
    /// # Errors
    /// A file that is not there (the message says where it is published), or a line that has not
    /// as many cells as there are columns.
    pub fn read(&'static self, path: &Path) -> Result<(Vec<Line>, Option<String>), Failure> {
        let bytes = files::read(path, files::MOST_DATA);
        let advised = |failure: Failure| failure.with(format!("; get it as {}", self.advice()));
        let bytes = bytes.map_err(FileError::read(path));
        let bytes = bytes.map_err(|error| advised(error.into()))?;
        let found = checksum(&bytes);
        let warning = (found != self.crc32).then(|| {
            let path = path.display();
            let expected = self.crc32;
            format!("warning: {path} has CRC-32 {found}, not {expected}; figures may differ")
        });
        let lines = csv::lines(path)?;
        for line in &lines {
            let words = "; the published file has";
            let counted = line.expect_cells(self.columns().len(), words);
            counted.map_err(|fault| Failure::in_file(path)(format!("{fault} in each line")))?;
        }
        Ok((lines, warning))
    }

    /// The inputs and then the target of some lines of the file at `path`: the columns that are not
    /// `dropped`.
    ///
    /// # Errors
    /// A cell that is not a number.
    pub fn rows<'a>(
        &self,
        path: &Path,
        lines: impl Iterator<Item = &'a Line>,
        dropped: &[&str],
        target: &str,
    ) -> Result<Vec<Vec<f64>>, Failure> {
        let used = |name: &str| name != target && !dropped.contains(&name);
        let names = self.columns().into_iter().enumerate();
        let inputs = names.filter(|(_, name)| used(name)).map(|(place, _)| place);
        let columns: Vec<usize> = inputs.chain([self.column(target)]).collect();
        let rows: Result<Vec<_>, String> = lines.map(|line| line.numbers(&columns)).collect();
        rows.map_err(Failure::in_file(path))
    }
}

/// Some of `rows`, whose last column is the target.
pub fn pick(rows: &[Vec<f64>], chosen: &[usize]) -> Result<Dataset, Failure> {
    dataset(chosen.len(), rows[0].len() - 1, |i, j| rows[chosen[i]][j])
}
