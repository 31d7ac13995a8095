//! Published: the two data files of the paper's Table 2, which are not part of this project: where
//! a user gets them, and how they are recognised.

use std::path::Path;

use dilgp::Dataset;
use shell::files::{self, FileError};

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
        let found = digest(&bytes);
        let warning = (found != self.sha256).then(|| {
            let path = path.display();
            let expected = self.sha256;
            format!("warning: {path} has SHA-256 {found}, not {expected}; figures may differ")
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

/// The first 32 bits of the fractional parts of a root of each of the first primes. The roots are
/// below 8, so double precision leaves 50 bits behind the point.
fn fractional_bits<const N: usize>(root: fn(f64) -> f64) -> [u32; N] {
    let is_prime = |n: &u32| {
        (2..*n)
            .take_while(|d| d * d <= *n)
            .all(|d| !n.is_multiple_of(d))
    };
    let mut primes = (2..).filter(is_prime);
    std::array::from_fn(|_| {
        let prime = primes.next().unwrap_or(2);
        (root(f64::from(prime)).fract() * 4_294_967_296.0) as u32
    })
}

/// The SHA-256 digest (FIPS 180-4) of `bytes`, in lower-case hexadecimal digits.
fn digest(bytes: &[u8]) -> String {
    let constants = fractional_bits(f64::cbrt);
    let mut state: [u32; 8] = fractional_bits(f64::sqrt);
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((8 * bytes.len() as u64).to_be_bytes());
    for block in padded.chunks_exact(64) {
        compress(&mut state, block, &constants);
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

fn compress(state: &mut [u32; 8], block: &[u8], constants: &[u32; 64]) {
    let mut w = [0_u32; 64];
    for (word, bytes) in w.iter_mut().zip(block.chunks_exact(4)) {
        *word = (bytes.iter()).fold(0, |word, byte| (word << 8) | u32::from(*byte));
    }
    for i in 16..64 {
        let (a, b) = (w[i - 15], w[i - 2]);
        let small_a = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
        let small_b = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
        w[i] = w[i - 16]
            .wrapping_add(small_a)
            .wrapping_add(w[i - 7])
            .wrapping_add(small_b);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, constant) in w.iter().zip(constants) {
        let sum = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let first = [sum, choice, *constant, *word]
            .into_iter()
            .fold(h, u32::wrapping_add);
        let sum = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let second = sum.wrapping_add(majority);
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(second));
    }
    for (word, add) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(add);
    }
}

#[cfg(test)]
mod tests {
    use super::digest;

    /// The examples of FIPS 180-2, appendix B, and the empty message.
    #[test]
    fn the_standard_s_examples() {
        for (message, expected) in [
            (
                "",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ),
            (
                "abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
        ] {
            assert_eq!(digest(message.as_bytes()), expected);
        }
    }
}
