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

/// What a flight of the gallery is: where its reference goes, how far its path swings about it, from
/// which part of the way it falls away, and how many times as fast as a stone that starts at 1 m/s.
type Flown<'a> = (&'a dyn Fn(f64) -> [f64; 3], f64, [f64; 2]);

fn flights(folder: &Path) -> Result<(), Box<dyn Error>> {
    let eight = |t: f64| [2.0 * (TAU * t).sin(), (2.0 * TAU * t).sin(), 1.5];
    let spiral = |t: f64| [(3.0 * TAU * t).cos(), (3.0 * TAU * t).sin(), 0.5 + 6.0 * t];
    let forward = |t: f64| [20.0 * t, 1.5 * (2.0 * TAU * t).sin(), 2.0];
    let hover = |_: f64| [0.0, 0.0, 1.5];
    let far = |t: f64| [eight(t)[0] + 12_345.0, eight(t)[1] - 98_765.0, 1001.5];
    let long = "A very long title: sin_forward flown with the gains that the study recommends after one hundred and ten evaluations, in a Dryden gust field of moderate intensity, seed 20240131, with <angle brackets> & an ampersand";
    let wind = "spiral_up in a wind of 3 m/s: σ = 0.4 m/s, θ = 30°";
    let lost = "fig8, lost in the first half, made-up numbers";
    let flights: [(&str, &str, Flown); 9] = [
        (
            "eight",
            "fig8 in gusts, made-up numbers",
            (&eight, 0.12, [1.0, 1.0]),
        ),
        ("spiral", wind, (&spiral, 0.1, [1.0, 1.0])),
        ("forward", "sin_forward", (&forward, 0.2, [1.0, 1.0])),
        ("hover", "hover in calm air", (&hover, 0.012, [1.0, 1.0])),
        (
            "hover-exact",
            "hover without any disturbance",
            (&hover, 0.0, [1.0, 1.0]),
        ),
        ("hover-gusty", "hover in gusts", (&hover, 0.5, [1.0, 1.0])),
        ("lost", lost, (&eight, 0.1, [0.62, 1.0])),
        (
            "lost-far-away",
            "fig8, lost far away",
            (&eight, 0.1, [0.8, 40.0]),
        ),
        ("far-from-origin", long, (&far, 0.1, [1.0, 1.0])),
    ];
    for (name, title, flown) in flights {
        flight(&folder.join(format!("flight-{name}")), title, flown)?;
    }
    let one = [[1.0, 2.0, 3.0]];
    let picture = FlightPicture {
        title: "one point",
        reference_m: &one,
        path_m: &one,
        error_m: &[0.0],
        end: FlightEnd::Completed,
    };
    plots::draw(&picture, &folder.join("flight-one-point"))?;
    Ok(())
}

fn flight(stem: &Path, title: &str, flown: Flown) -> Result<(), Box<dyn Error>> {
    let (reference, swing_m, [from, speed]) = flown;
    let mut noise = Noise(7);
    let (mut reference_m, mut path_m, mut error_m) = (Vec::new(), Vec::new(), Vec::new());
    let (mut gust, mut offset) = ([0.0; 3], [0.0; 3]);
    for index in 0..=2000 {
        let t = f64::from(index) / 2000.0;
        let wanted = reference(t);
        reference_m.push(wanted);
        let falling_s = 10.0 * (t - from).max(0.0);
        if speed == 1.0 && wanted[2] - 4.9 * falling_s * falling_s < 0.0 {
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
        at[0] += speed * falling_s;
        at[2] += if speed == 1.0 {
            -4.9 * falling_s * falling_s
        } else {
            speed * falling_s
        };
        let apart = (0..3).map(|axis| (at[axis] - wanted[axis]).powi(2));
        error_m.push(apart.sum::<f64>().sqrt());
        path_m.push(at);
    }
    let picture = FlightPicture {
        title,
        reference_m: &reference_m,
        path_m: &path_m,
        error_m: &error_m,
        end: match from {
            1.0 => FlightEnd::Completed,
            _ => FlightEnd::Lost,
        },
    };
    plots::draw(&picture, stem)?;
    Ok(())
}

fn searches(folder: &Path) -> Result<(), Box<dyn Error>> {
    let run = |value_m: f64, evaluations: usize, lost: bool| Run {
        value_m: vec![value_m; evaluations],
        lost: vec![lost; evaluations],
        ..Run::default()
    };
    let default = Some(("default gains, made up", 0.412));
    let px4 = Some(("gains that Pixhawk 4 ships with", 0.5));
    let (quartiles, range, auto) = (Band::Quartiles, Band::Range, Scale::Automatic);
    let single = vec![search(1, 40, 1.0)];
    let five: Vec<Run> = (1..=5).map(|seed| search(seed, 60, 1.0)).collect();
    let of_method = |method: u64| -> Vec<Run> {
        let slowness = 1.0 + 0.35 * method as f64;
        let seeds = (0..5).map(|seed| search(100 * method + seed, 110, slowness));
        seeds.collect()
    };
    let six: Vec<Vec<Run>> = (0..6).map(of_method).collect();
    let (lost, once) = (
        vec![vec![run(5.0, 25, true)]],
        vec![vec![run(0.34, 1, false)]],
    );
    let equal = vec![vec![run(0.25, 30, false)]];
    let (single, five) = (vec![single], vec![five]);
    let methods: &[&str] = &[
        "DIL-GP",
        "GP, ARD-RBF",
        "hierarchical GP",
        "random forest",
        "MLP, five members",
        "random search",
    ];
    let long: &[&str] = &[
        "DIL-GP with the domains inferred by k-means & β = 2 <beta>",
        "a label of unbroken_letters_that_goes_on_without_end_and_then_some_more",
    ];
    let title = "A title that does not end ".repeat(9);
    let searches = [
        (
            "one-run",
            "Tuning on fig8, seed 1",
            methods,
            &single,
            10,
            (default, quartiles, auto),
        ),
        (
            "five-runs",
            "Tuning on fig8, five seeds",
            methods,
            &five,
            10,
            (default, quartiles, auto),
        ),
        (
            "linear",
            "The same on a linear axis",
            methods,
            &five,
            10,
            (default, range, Scale::Linear),
        ),
        (
            "six",
            "Six surrogates on fig8, 5 seeds each",
            methods,
            &six,
            10,
            (default, quartiles, auto),
        ),
        ("long-labels", &title, long, &six, 10, (px4, range, auto)),
        (
            "all-lost",
            "Nothing flew",
            methods,
            &lost,
            10,
            (None, quartiles, auto),
        ),
        (
            "all-lost-default",
            "Nothing flew but the default",
            methods,
            &lost,
            10,
            (default, quartiles, auto),
        ),
        (
            "one-evaluation",
            "One evaluation",
            methods,
            &once,
            0,
            (None, quartiles, auto),
        ),
        (
            "equal",
            "Equal values",
            methods,
            &equal,
            5,
            (None, quartiles, auto),
        ),
    ];
    for (name, title, labels, runs, initial, (baseline, band, scale)) in searches {
        let series = labels.iter().zip(runs);
        let series: Vec<Series> = series.map(|(label, runs)| Series { label, runs }).collect();
        let picture = ConvergencePicture {
            title,
            y_name: "average control error (ACE) [m]",
            series: &series,
            initial,
            baseline,
            band,
            scale,
        };
        plots::draw(&picture, &folder.join(format!("search-{name}")))?;
    }
    Ok(())
}

/// A search that finds better values the longer it runs, with lost evaluations early on.
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
