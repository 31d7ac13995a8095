//! Estimates beside the truth, and tables of how often their intervals hold it.

use super::form::Form;
use super::truth::{is_absolute, takes_velocity};

/// One estimate of one vehicle.
#[derive(Debug, Clone)]
pub struct Judged {
    pub name: &'static str,
    /// Of the vehicle.
    pub number: u64,
    pub form: Form,
    pub gusty: bool,
    /// Whether the program tells it.
    pub told: bool,
    pub truth: f64,
    pub mean: f64,
    /// Half width of the interval of 90 %.
    pub half: f64,
    /// What a regression makes of it.
    pub regressed: Option<f64>,
}

impl Judged {
    /// Whether its form of log holds what it takes.
    pub fn can_be_told(&self) -> bool {
        self.form.has_velocity() || !takes_velocity(self.name)
    }

    /// How far it is from the truth, in half widths of its interval.
    pub fn off(&self) -> f64 {
        (self.mean - self.truth) / self.half
    }

    pub fn holds(&self) -> bool {
        self.off().abs() <= 1.0
    }

    /// A difference as it is shown: in the unit, or in per cent of the truth.
    fn shown(&self, difference: f64) -> f64 {
        match is_absolute(self.name) {
            true => difference,
            false => 100.0 * difference / self.truth.abs(),
        }
    }
}

/// Those that are told.
pub fn told(all: &[Judged]) -> Vec<&Judged> {
    all.iter().filter(|judged| judged.told).collect()
}

/// Share of `of` that are `so`; `None` of nothing.
pub fn share(of: &[&Judged], so: impl Fn(&Judged) -> bool) -> Option<f64> {
    let count = of.iter().filter(|judged| so(judged)).count();
    (!of.is_empty()).then(|| count as f64 / of.len() as f64)
}

/// The interval of 95 % of a share of `count`, by Wilson.
fn wilson(share: f64, count: usize) -> [f64; 2] {
    let (n, z) = (count as f64, 1.96f64);
    let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    [(middle - half).max(0.0), (middle + half).min(1.0)]
}

/// A share with its interval, in per cent.
fn cell(of: &[&Judged], so: impl Fn(&Judged) -> bool) -> String {
    let Some(share) = share(of, so) else {
        return "-".to_owned();
    };
    let [low, high] = wilson(share, of.len());
    format!(
        "{:3.0} [{:2.0}, {:3.0}]",
        100.0 * share,
        100.0 * low,
        100.0 * high
    )
}

fn median(numbers: impl Iterator<Item = f64>) -> String {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.get(numbers.len() / 2);
    middle.map_or("-".to_owned(), |middle| format!("{middle:.3}"))
}

/// The names of the properties, in their order.
fn names(all: &[Judged]) -> Vec<&'static str> {
    let mut names = Vec::new();
    for judged in all {
        if !names.contains(&judged.name) {
            names.push(judged.name);
        }
    }
    names
}

/// Of each property, of all of them, and of each form of log: how many the logs tell out of those that the form can tell, in
/// how many of 100 the interval of 90 % holds the truth, in still air and in gusts, with what 95 % lie in; then
/// medians of the error, of the half width and of the error of a regression of the same vehicles, in per cent of the
/// truth or in the unit.
pub fn intervals(all: &[Judged]) -> String {
    let mut text = format!(
        "Told: of those that the form of log can tell. In so many of 100 the interval of 90 % holds the truth, with \
         what that can be\nby chance (95 %). Then medians of those told: error, half width, error of a regression.\n\
         {:36} {:>11} {:>15} {:>15} {:>8} {:>8} {:>10}\n",
        "property", "told", "still air", "gusts", "error", "±", "regression"
    );
    let row = |name: &str, of: &dyn Fn(&Judged) -> bool, sizes: bool| {
        let able = all
            .iter()
            .filter(|one| of(one) && one.can_be_told())
            .count();
        let of_it: Vec<&Judged> = told(all).into_iter().filter(|one| of(one)).collect();
        let air = |gusty: bool| -> Vec<&Judged> {
            let alike = of_it.iter().filter(|one| one.gusty == gusty);
            alike.copied().collect()
        };
        let size = |each: &dyn Fn(&Judged) -> Option<f64>| match sizes {
            true => median(of_it.iter().filter_map(|one| Some(one.shown(each(one)?)))),
            false => String::new(),
        };
        let line = format!(
            "{name:36} {:>11} {:>15} {:>15} {:>8} {:>8} {:>10}",
            format!("{} of {able}", of_it.len()),
            cell(&air(false), Judged::holds),
            cell(&air(true), Judged::holds),
            size(&|one| Some((one.mean - one.truth).abs())),
            size(&|one| Some(one.half)),
            size(&|one| Some((one.regressed? - one.truth).abs())),
        );
        line.trim_end().to_owned() + "\n"
    };
    for name in names(all) {
        let unit = if is_absolute(name) { "" } else { ", %" };
        text += &row(&format!("{name}{unit}"), &|one| one.name == name, true);
    }
    text += &row("all", &|_| true, false);
    for form in Form::ALL {
        text += &row(form.name(), &|one| one.form == form, false);
    }
    text
}

/// Of each property and of all of them, for each of `flights`: how many the logs tell out of those that the form can tell, and
/// how many of 100 told are further from the truth than the interval reaches.
pub fn wrong(flights: &[(&str, Vec<Judged>)]) -> String {
    let mut text = format!(
        "Wrong: in so many of 100 told the truth is beyond the interval of 90 %.\n{:36}",
        "property"
    );
    for (flight, _) in flights {
        text += &format!(" {:>11} {:>15}", format!("{flight} told"), "wrong");
    }
    text += "\n";
    let every = names(&flights[0].1);
    for name in every.iter().copied().map(Some).chain([None]) {
        text += &format!("{:36}", name.unwrap_or("all"));
        for (_, all) in flights {
            let of_it = all
                .iter()
                .filter(|one| name.is_none_or(|name| one.name == name));
            let able: Vec<&Judged> = of_it.filter(|one| one.can_be_told()).collect();
            let told: Vec<&Judged> = able.iter().copied().filter(|one| one.told).collect();
            let count = format!("{} of {}", told.len(), able.len());
            text += &format!(" {count:>11} {:>15}", cell(&told, |one| !one.holds()));
        }
        text += "\n";
    }
    text
}
