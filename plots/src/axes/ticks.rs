//! Ticks: the round numbers at which an axis is divided, and how they are written.

use crate::page::letters::text_width;
use crate::page::style::LABEL_SIZE;

/// Ticks of one axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    /// Values that get a label, ascending.
    pub labelled: Vec<f64>,
    /// The label of each.
    pub labels: Vec<String>,
    /// Values that get a short tick only, ascending.
    pub unlabelled: Vec<f64>,
}

impl Ticks {
    /// An axis that is not divided.
    pub fn none() -> Self {
        Self {
            labelled: Vec::new(),
            labels: Vec::new(),
            unlabelled: Vec::new(),
        }
    }

    /// Width of the widest label \[px\].
    pub fn width(&self) -> f64 {
        let widths = self.labels.iter();
        widths
            .map(|label| text_width(label, LABEL_SIZE))
            .fold(0.0, f64::max)
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least `least`, which is positive.
pub fn round_step(least: f64) -> f64 {
    let decade = least.log10().floor() as i32;
    // Written as decimal text and read back, so that 0.1 is the double nearest to 0.1.
    let of = |mantissa: u32, decade: i32| -> f64 {
        format!("{mantissa}e{decade}")
            .parse()
            .expect("a digit and an exponent are a number")
    };
    let slack = least * (1.0 - 1e-9);
    [
        of(1, decade),
        of(2, decade),
        of(5, decade),
        of(1, decade + 1),
    ]
    .into_iter()
    .find(|&step| step >= slack)
    .unwrap_or_else(|| of(2, decade + 1))
}

/// Ticks at multiples of `step` from `low` to `high`.
pub fn every(step: f64, low: f64, high: f64) -> Ticks {
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let count = (last - first).max(-1.0) as usize + 1;
    let per_unit = (1.0 / step).round();
    let value = |index: usize| {
        let multiple = first + index as f64;
        // A division by a whole number is exact to the last digit; 3 * 0.1 is not.
        if step < 1.0 {
            multiple / per_unit
        } else {
            multiple * step
        }
    };
    let labelled: Vec<f64> = (0..count).map(value).collect();
    let labels = labelled.iter().map(|&tick| label(tick, step)).collect();
    Ticks {
        labelled,
        labels,
        unlabelled: Vec::new(),
    }
}

/// Linear ticks from `low` to `high`: at most `most` steps of at least `least_step`.
pub fn linear(low: f64, high: f64, most: usize, least_step: f64) -> Ticks {
    every(
        round_step(((high - low) / most as f64).max(least_step)),
        low,
        high,
    )
}

/// Ticks of a logarithmic axis from `low` to `high`, both positive. Labels at 1, 2 and 5 of
/// every decade while these are at most `most`, at every decade or every few decades beyond;
/// unlabelled ticks at the other whole mantissas while labels take every decade.
pub fn logarithmic(low: f64, high: f64, most: usize) -> Ticks {
    let (first, last) = (low.log10().floor() as i32, high.log10().floor() as i32);
    let inside = |value: &f64| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(value);
    let at = |mantissas: &[u32]| -> Vec<f64> {
        (first..=last)
            .flat_map(|decade| {
                mantissas
                    .iter()
                    .map(move |mantissa| format!("{mantissa}e{decade}"))
            })
            .filter_map(|text| text.parse().ok())
            .filter(inside)
            .collect()
    };
    let fine = at(&[1, 2, 5]);
    if fine.len() < 2 {
        return linear(low, high, most, 0.0);
    }
    let decades = at(&[1]);
    let every = decades.len().div_ceil(most.max(1)).max(1);
    let labelled = if fine.len() <= most {
        fine
    } else {
        // From the first on where those that an even division takes would be too few.
        let of = |from: usize| decades.iter().copied().skip(from).step_by(every);
        let even = decades
            .iter()
            .position(|tick| decade(*tick).rem_euclid(every as i32) == 0);
        let from = even.filter(|from| of(*from).count() > 1).unwrap_or(0);
        of(from).collect()
    };
    let unlabelled = if every == 1 {
        at(&[1, 2, 3, 4, 5, 6, 7, 8, 9])
    } else {
        Vec::new()
    };
    let unlabelled = unlabelled
        .into_iter()
        .filter(|tick| !labelled.contains(tick))
        .collect();
    let labels = labelled.iter().map(|&tick| label(tick, tick)).collect();
    Ticks {
        labelled,
        labels,
        unlabelled,
    }
}

/// A tick with as many decimals as its step needs; with an exponent where that is shorter.
fn label(tick: f64, step: f64) -> String {
    if tick == 0.0 && !(-4..6).contains(&decade(step)) {
        return "0".to_owned();
    }
    let finest = decade(step);
    let largest = if tick == 0.0 {
        finest
    } else {
        decade(tick.abs()).max(finest)
    };
    let text = if tick != 0.0 && (largest >= 6 || finest <= -5) {
        format!("{tick:.*e}", usize::try_from(largest - finest).unwrap_or(0))
    } else {
        format!("{tick:.*}", usize::try_from(-finest).unwrap_or(0))
    };
    text.replace('-', "\u{2212}")
}

/// A measured value for reading: three significant digits, whole numbers in full.
pub fn reading(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let decade = decade(value.abs());
    let text = if (-4..6).contains(&decade) {
        format!("{value:.*}", usize::try_from(2 - decade).unwrap_or(0))
    } else {
        format!("{value:.2e}")
    };
    text.replace('-', "\u{2212}")
}

fn decade(value: f64) -> i32 {
    (value.log10() + 1e-9).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranges over many magnitudes, from a multiplicative congruential generator.
    fn ranges() -> impl Iterator<Item = (f64, f64)> {
        let mut state = 20_240_131_u64;
        let mut uniform = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..4000).map(move |_| {
            let span = 10_f64.powf(12.0 * uniform() - 6.0);
            let low = span * (20.0 * uniform() - 10.0);
            (low, low + span)
        })
    }

    #[test]
    fn steps_are_one_two_or_five_and_the_smallest_that_suffices() {
        for (low, high) in ranges() {
            let least = high - low;
            let step = round_step(least);
            let text = format!("{step:e}");
            let mantissa = text.split('e').next().unwrap();
            assert!(["1", "2", "5"].contains(&mantissa), "{text}");
            assert!(step >= least * (1.0 - 1e-8) && step <= 2.5 * least * (1.0 + 1e-8));
        }
        assert_eq!(
            [round_step(0.1), round_step(0.11), round_step(2.5)],
            [0.1, 0.2, 5.0]
        );
    }

    #[test]
    fn linear_ticks_lie_inside_evenly_and_are_as_many_as_allowed() {
        for (low, high) in ranges() {
            let ticks = linear(low, high, 8, 0.0);
            let slack = 1e-8 * (high - low);
            assert!(
                ticks
                    .labelled
                    .iter()
                    .all(|&t| t >= low - slack && t <= high + slack)
            );
            assert!(
                (3..=9).contains(&ticks.labelled.len()),
                "{low} {high} {ticks:?}"
            );
            let step = ticks.labelled[1] - ticks.labelled[0];
            for pair in ticks.labelled.windows(2) {
                assert!((pair[1] - pair[0] - step).abs() < 1e-6 * step, "{ticks:?}");
            }
        }
    }

    #[test]
    fn labels_read_back_as_their_ticks_and_differ() {
        for (low, high) in ranges() {
            let ticks = linear(low, high, 8, 0.0);
            for (tick, label) in ticks.labelled.iter().zip(&ticks.labels) {
                let read: f64 = label.replace('\u{2212}', "-").parse().unwrap();
                assert!((read - tick).abs() <= 1e-6 * (high - low), "{tick} {label}");
            }
            assert!(
                ticks.labels.windows(2).all(|pair| pair[0] != pair[1]),
                "{ticks:?}"
            );
        }
    }

    #[test]
    fn decimals_follow_the_step() {
        assert_eq!(
            linear(1.95, 2.05, 5, 0.0).labels,
            ["1.96", "1.98", "2.00", "2.02", "2.04"]
        );
        assert_eq!(
            linear(-0.1, 0.3, 5, 0.0).labels,
            ["−0.1", "0.0", "0.1", "0.2", "0.3"]
        );
        assert_eq!(linear(0.5, 1.5, 8, 1.0).labels, ["1"]);
        assert_eq!(
            linear(0.0, 4e6, 4, 0.0).labels,
            ["0", "1e6", "2e6", "3e6", "4e6"]
        );
    }

    #[test]
    fn logarithmic_ticks_at_one_two_five() {
        let ticks = logarithmic(0.08, 3.0, 12);
        assert_eq!(ticks.labels, ["0.1", "0.2", "0.5", "1", "2"]);
        assert!(ticks.unlabelled.contains(&0.3) && !ticks.unlabelled.contains(&0.5));
    }

    #[test]
    fn logarithmic_ticks_thin_out_and_never_vanish() {
        let wide = logarithmic(1e-3, 1e5, 12);
        assert_eq!(wide.labels[..4], ["0.001", "0.01", "0.1", "1"]);
        let wider = logarithmic(1e-30, 1e30, 12);
        assert!(wider.labelled.len() <= 13 && wider.unlabelled.is_empty());
        assert_eq!(logarithmic(2.1, 4.9, 12).labels.first().unwrap(), "2.5");
        // A decade that the axis only touches counts for nothing.
        let touched = logarithmic(0.02, 10.0, 3);
        assert_eq!(touched.labels, ["0.1", "1", "10"]);
        assert!(touched.unlabelled.contains(&0.02) && touched.unlabelled.contains(&5.0));
        assert_eq!(logarithmic(0.02, 10.0, 2).labels, ["0.1", "10"]);
    }

    #[test]
    fn readings_have_three_digits() {
        let read = [0.0, 0.04567, 0.4567, 4.567, 456.7, 45670.0, -1.5, 1.23e-7].map(reading);
        assert_eq!(
            read,
            [
                "0",
                "0.0457",
                "0.457",
                "4.57",
                "457",
                "45670",
                "−1.50",
                "1.23e−7"
            ]
        );
    }
}
