//! Draws every kind of picture from made-up numbers, ordinary cases and awkward ones, into a
//! folder: `cargo run -p plots --example gallery -- FOLDER`. Made to be looked at after a change.

#[path = "gallery/comparisons.rs"]
mod comparisons;
#[path = "gallery/figures.rs"]
mod figures;
#[path = "gallery/records.rs"]
mod records;
#[path = "gallery/surrogates.rs"]
mod surrogates;

use plots::{Band, ConvergencePicture, FlightEnd, FlightPicture, Run, Scale, Series};
use std::error::Error;
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

/// Uniform numbers from 0 to 1 (D. E. Knuth's constants for a congruential generator).
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Nearly normal, of unit variance.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: gallery FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    flights(&folder)?;
    searches(&folder)?;
    records::draw(&folder)?;
    comparisons::draw(&folder)?;
    surrogates::draw(&folder)?;
    figures::draw(&folder)?;
    Ok(())
}

fn flights(folder: &Path) -> Result<(), Box<dyn Error>> {
    let eight = |t: f64| [2.0 * (TAU * t).sin(), (2.0 * TAU * t).sin(), 1.5];
    let spiral = |t: f64| [(3.0 * TAU * t).cos(), (3.0 * TAU * t).sin(), 0.5 + 6.0 * t];
    let forward = |t: f64| [20.0 * t, 1.5 * (2.0 * TAU * t).sin(), 2.0];
    let hover = |_: f64| [0.0, 0.0, 1.5];
    let ended = FlightEnd::Completed;
    flight(
        folder,
        "flight-eight",
        "fig8 in gusts, made-up numbers",
        eight,
        0.12,
        (1.0, 1.0),
        ended,
    )?;
    flight(
        folder,
        "flight-spiral",
        "spiral_up in a wind of 3 m/s: σ = 0.4 m/s, θ = 30°",
        spiral,
        0.1,
        (1.0, 1.0),
        ended,
    )?;
    flight(
        folder,
        "flight-forward",
        "sin_forward",
        forward,
        0.2,
        (1.0, 1.0),
        ended,
    )?;
    flight(
        folder,
        "flight-hover",
        "hover in calm air",
        hover,
        0.012,
        (1.0, 1.0),
        ended,
    )?;
    flight(
        folder,
        "flight-hover-exact",
        "hover without any disturbance",
        hover,
        0.0,
        (1.0, 1.0),
        ended,
    )?;
    flight(
        folder,
        "flight-hover-gusty",
        "hover in gusts",
        hover,
        0.5,
        (1.0, 1.0),
        ended,
    )?;
    flight(
        folder,
        "flight-lost",
        "fig8, lost in the first half, made-up numbers",
        eight,
        0.1,
        (0.62, 1.0),
        FlightEnd::Lost,
    )?;
    flight(
        folder,
        "flight-lost-far-away",
        "fig8, lost far away",
        eight,
        0.1,
        (0.8, 40.0),
        FlightEnd::Lost,
    )?;
    let long = "A very long title: sin_forward flown with the gains that the study recommends after one hundred and ten evaluations, in a Dryden gust field of moderate intensity, seed 20240131, with <angle brackets> & an ampersand";
    flight(
        folder,
        "flight-far-from-origin",
        long,
        move |t| {
            let [x, y, z] = eight(t);
            [x + 12_345.0, y - 98_765.0, z + 1000.0]
        },
        0.1,
        (1.0, 1.0),
        ended,
    )?;
    let one = [[1.0, 2.0, 3.0]];
    let picture = FlightPicture {
        title: "one point",
        reference_m: &one,
        path_m: &one,
        error_m: &[0.0],
        end: ended,
    };
    plots::draw(&picture, &folder.join("flight-one-point"))?;
    Ok(())
}

/// A path that swings about its reference; from `fall.0` of the way it falls away, `fall.1`
/// times as fast as a stone that starts at 1 m/s.
fn flight(
    folder: &Path,
    name: &str,
    title: &str,
    reference: impl Fn(f64) -> [f64; 3],
    swing_m: f64,
    fall: (f64, f64),
    end: FlightEnd,
) -> Result<(), Box<dyn Error>> {
    let mut noise = Noise(7);
    let (mut reference_m, mut path_m, mut error_m) = (Vec::new(), Vec::new(), Vec::new());
    let (mut gust, mut offset) = ([0.0; 3], [0.0; 3]);
    for index in 0..=2000 {
        let t = f64::from(index) / 2000.0;
        let wanted = reference(t);
        reference_m.push(wanted);
        let falling_s = 10.0 * (t - fall.0).max(0.0);
        if fall.1 == 1.0 && wanted[2] - 4.9 * falling_s * falling_s < 0.0 {
            continue;
        }
        for (gust, part) in gust.iter_mut().zip(&mut offset) {
            *gust = 0.98 * *gust + 0.2 * swing_m * noise.normal();
            *part += 0.02 * (*gust - *part);
        }
        let mut at = [
            wanted[0] + offset[0],
            wanted[1] + offset[1],
            wanted[2] + offset[2],
        ];
        at[0] += fall.1 * falling_s;
        at[2] += if fall.1 == 1.0 {
            -4.9 * falling_s * falling_s
        } else {
            fall.1 * falling_s
        };
        error_m.push(
            (0..3)
                .map(|axis| (at[axis] - wanted[axis]).powi(2))
                .sum::<f64>()
                .sqrt(),
        );
        path_m.push(at);
    }
    let picture = FlightPicture {
        title,
        reference_m: &reference_m,
        path_m: &path_m,
        error_m: &error_m,
        end,
    };
    plots::draw(&picture, &folder.join(name))?;
    Ok(())
}

fn searches(folder: &Path) -> Result<(), Box<dyn Error>> {
    let draw = |name: &str, title: &str, series: &[Series], initial, baseline, band, scale| {
        let picture = ConvergencePicture {
            title,
            y_name: "average control error (ACE) [m]",
            first: 1,
            series,
            initial,
            baseline,
            band,
            scale,
        };
        plots::draw(&picture, &folder.join(name))
    };
    let default = Some(("default gains, made up", 0.412));
    let (quartiles, range, auto) = (Band::Quartiles, Band::Range, Scale::Automatic);
    let single = [search(1, 40, 1.0)];
    let five: Vec<Run> = (1..=5).map(|seed| search(seed, 60, 1.0)).collect();
    let one = [Series {
        label: "DIL-GP",
        runs: &single,
    }];
    draw(
        "search-one-run",
        "Tuning on fig8, seed 1",
        &one,
        10,
        default,
        quartiles,
        auto,
    )?;
    let one = [Series {
        label: "DIL-GP",
        runs: &five,
    }];
    draw(
        "search-five-runs",
        "Tuning on fig8, five seeds",
        &one,
        10,
        default,
        quartiles,
        auto,
    )?;
    draw(
        "search-linear",
        "The same on a linear axis",
        &one,
        10,
        default,
        range,
        Scale::Linear,
    )?;

    let labels = [
        "DIL-GP",
        "GP, ARD-RBF",
        "hierarchical GP",
        "random forest",
        "MLP, five members",
        "random search",
    ];
    let runs: Vec<Vec<Run>> = (0..6)
        .map(|method| {
            (0..5)
                .map(|seed| search(100 * method + seed, 110, 1.0 + 0.35 * method as f64))
                .collect()
        })
        .collect();
    let six: Vec<Series> = labels
        .iter()
        .zip(&runs)
        .map(|(label, runs)| Series { label, runs })
        .collect();
    draw(
        "search-six",
        "Six surrogates on fig8, 5 seeds each",
        &six,
        10,
        default,
        quartiles,
        auto,
    )?;
    let long = [
        "DIL-GP with the domains inferred by k-means & β = 2 <beta>",
        "a label of unbroken_letters_that_goes_on_without_end_and_then_some_more",
    ];
    let two: Vec<Series> = long
        .iter()
        .zip(&runs)
        .map(|(label, runs)| Series { label, runs })
        .collect();
    draw(
        "search-long-labels",
        &"A title that does not end ".repeat(9),
        &two,
        10,
        Some(("gains that Pixhawk 4 ships with", 0.5)),
        range,
        auto,
    )?;

    let lost = [Run {
        value_m: vec![5.0; 25],
        lost: vec![true; 25],
        ..Run::default()
    }];
    let all = [Series {
        label: "DIL-GP",
        runs: &lost,
    }];
    draw(
        "search-all-lost",
        "Nothing flew",
        &all,
        10,
        None,
        quartiles,
        auto,
    )?;
    draw(
        "search-all-lost-default",
        "Nothing flew but the default",
        &all,
        10,
        default,
        quartiles,
        auto,
    )?;
    let once = [Run {
        value_m: vec![0.34],
        lost: vec![false],
        ..Run::default()
    }];
    let all = [Series {
        label: "DIL-GP",
        runs: &once,
    }];
    draw(
        "search-one-evaluation",
        "One evaluation",
        &all,
        0,
        None,
        quartiles,
        auto,
    )?;
    let equal = [Run {
        value_m: vec![0.25; 30],
        lost: vec![false; 30],
        ..Run::default()
    }];
    let all = [Series {
        label: "DIL-GP",
        runs: &equal,
    }];
    draw(
        "search-equal",
        "Equal values",
        &all,
        5,
        None,
        quartiles,
        auto,
    )?;
    Ok(())
}

/// A search that finds better values the longer it goes on, with lost evaluations early on.
fn search(seed: u64, evaluations: usize, slowness: f64) -> Run {
    let mut noise = Noise(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678);
    let mut run = Run::default();
    for index in 0..evaluations {
        let progress = (index as f64 - 9.0).max(0.0) / (14.0 * slowness);
        let floor = 0.14 + 0.05 * slowness;
        let value = floor
            + 0.5 * (-progress).exp() * (0.4 + noise.uniform())
            + 0.1 * noise.normal().abs().powi(3) * (0.2 + (-progress).exp());
        let lost = noise.uniform() < 0.05 + 0.35 * (-progress).exp();
        run.value_m.push(if lost { 5.0 } else { value });
        run.lost.push(lost);
    }
    run
}
