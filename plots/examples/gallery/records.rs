//! Pictures of what a simulator records: flight logs, wind spectra and scores of many flights,
//! all from made-up numbers.

use super::Noise;
use plots::{ConfidenceBand, Distribution, FlightLog, Spectra, SpectrumAxis};
use std::error::Error;
use std::f64::consts::{PI, TAU};
use std::path::Path;

pub fn draw(folder: &Path) -> Result<(), Box<dyn Error>> {
    let long = "A flight of 20 ms that ends with a loss on the way, with a title that takes two lines, made-up numbers";
    for (name, title, samples, lost_at_s) in [
        (
            "eight",
            "fig8 in a steady wind, made-up numbers",
            20_001,
            None,
        ),
        (
            "lost",
            "fig8, lost on the way, made-up numbers",
            7_313,
            Some(7.313),
        ),
        ("short", long, 21, Some(0.004)),
        ("one-sample", "One sample, made up", 1, None),
    ] {
        log(
            &folder.join(format!("log-{name}")),
            title,
            samples,
            lost_at_s,
        )?;
    }
    spectra(folder)?;
    distributions(folder)
}

/// A flight at 1 kHz.
fn log(
    stem: &Path,
    title: &str,
    samples: usize,
    lost_at_s: Option<f64>,
) -> Result<(), Box<dyn Error>> {
    let mut noise = Noise(11);
    let time_s: Vec<f64> = (0..samples).map(|k| 1e-3 * k as f64).collect();
    let (mut gust, mut jitter) = ([0.0; 3], [0.0; 4]);
    let (mut error, mut attitude, mut rates) = (Vec::new(), Vec::new(), Vec::new());
    let (mut motors, mut wind) = (Vec::new(), Vec::new());
    for &t in &time_s {
        for (axis, part) in gust.iter_mut().enumerate() {
            let sigma = if axis == 2 { 0.58 } else { 1.15 };
            *part += 1e-3 * -*part + sigma * 2e-3_f64.sqrt() * noise.normal();
        }
        for part in &mut jitter {
            *part = 0.9 * *part + 9.0 * noise.normal();
        }
        let w = TAU / 4.71;
        let fall = lost_at_s.map_or(0.0, |at_s| (t - at_s + 0.8).max(0.0));
        let swing = [
            0.25 * (w * t).sin(),
            0.2 * (w * t).cos(),
            0.12 * (2.0 * w * t).sin(),
        ];
        error.push([
            swing[0] + 0.02 * gust[0],
            swing[1] + 0.02 * gust[1],
            swing[2] - 2.5 * fall * fall,
        ]);
        let yaw = (0.9 * t + PI).rem_euclid(TAU) - PI;
        attitude.push([0.4 * (w * t).sin() + 2.5 * fall, 0.4 * (w * t).cos(), yaw]);
        let rate = |axis: usize| 0.5 * (w * t + axis as f64).cos() + 0.004 * jitter[axis];
        rates.push([rate(0) + 4.0 * fall, rate(1), 0.3 * rate(2)]);
        let speeds = [0, 1, 2, 3].map(|rotor: usize| {
            let push = 60.0 * (2.0 * w * t + 0.3 * rotor as f64).sin();
            (282.0 + push + jitter[rotor] + 700.0 * fall * rotor as f64 / 3.0).clamp(0.0, 1000.0)
        });
        motors.push(speeds.to_vec());
        wind.push([3.0 + gust[0], gust[1], 1.0 + gust[2]]);
    }
    let log = FlightLog {
        title,
        time_s: &time_s,
        position_error_m: &error,
        attitude_rad: &attitude,
        rates_rad_s: &rates,
        motors_rad_s: &motors,
        motor_range_rad_s: [0.0, 1000.0],
        wind_m_s: &wind,
        lost_at_s,
    };
    plots::draw(&log, stem)?;
    Ok(())
}

/// First-order spectra for u, second-order ones for v and w, with chance scatter about them.
fn spectra(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut noise = Noise(3);
    let frequency_hz: Vec<f64> = (1..=2048).map(|k| 50.0 * f64::from(k) / 2048.0).collect();
    let tolerance = vec![0.28; frequency_hz.len()];
    let laws = [
        (1.155, 7.29, true),
        (1.155, 7.29, false),
        (0.577, 0.96, false),
    ];
    let mut curves = laws.map(|(sigma, time_s, first_order): (f64, f64, bool)| {
        let analytic: Vec<f64> = (frequency_hz.iter())
            .map(|f| {
                let x = (TAU * f * time_s).powi(2);
                let shape = if first_order {
                    2.0 / (1.0 + x)
                } else {
                    (1.0 + 3.0 * x) / (1.0 + x).powi(2)
                };
                2.0 * sigma * sigma * time_s * shape
            })
            .collect();
        let scatter = |a: &f64| a * (1.0 + 0.09 * noise.normal());
        let measured: Vec<f64> = analytic.iter().map(scatter).collect();
        (sigma, analytic, measured)
    });
    let labels = ["u, along the mean wind", "v, across", "w, up"];
    let draw = |name: &str, title: &str, curves: &[(f64, Vec<f64>, Vec<f64>)]| {
        let axes: Vec<SpectrumAxis> = (curves.iter().zip(labels))
            .map(|((sigma, analytic, measured), label)| SpectrumAxis {
                label,
                frequency_hz: &frequency_hz,
                measured,
                analytic,
                tolerance: &tolerance,
                sigma_measured_m_s: sigma * 1.004,
                sigma_analytic_m_s: *sigma,
            })
            .collect();
        plots::draw(&Spectra { title, axes: &axes }, &folder.join(name))
    };
    draw(
        "spectra",
        "Dryden wind, domain steady, made-up measurement",
        &curves,
    )?;
    draw("spectra-one", "One axis, made-up measurement", &curves[..1])?;
    for density in &mut curves[1].2 {
        *density *= 1.8;
    }
    curves[2].0 = 0.0;
    curves[2].1.fill(0.0);
    curves[2].2.fill(0.0);
    draw(
        "spectra-wrong",
        "v too strong and w without wind, made-up measurement",
        &curves,
    )?;
    Ok(())
}

fn distributions(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut noise = Noise(5);
    for (name, title, flights, lost) in [
        (
            "thousand",
            "fig8, domain steady, 1000 flights, made-up numbers",
            1000,
            0,
        ),
        ("losses", "fig8, domain gusty, made-up numbers", 1000, 37),
        ("few", "Twelve flights, made-up numbers", 12, 1),
        ("many", "100 000 flights, made-up numbers", 100_000, 25),
        ("one", "One flight, made up", 1, 0),
    ] {
        let ace_m: Vec<f64> = (0..flights)
            .map(|_| 0.22 * (0.18 * noise.normal() + 0.06 * noise.normal().powi(2)).exp())
            .skip(lost)
            .collect();
        // Dvoretzky, Kiefer and Wolfowitz with Massart's constant, 95 %.
        let half = (40_f64.ln() / (2.0 * flights as f64)).sqrt();
        let share = |k: usize| k as f64 / flights as f64;
        let lower: Vec<f64> = (1..=ace_m.len())
            .map(|k| (share(k) - half).max(0.0))
            .collect();
        let upper: Vec<f64> = (1..=ace_m.len())
            .map(|k| (share(k) + half).min(1.0))
            .collect();
        let picture = Distribution {
            title,
            ace_m: &ace_m,
            lost,
            band: (flights > 1).then_some(ConfidenceBand {
                label: "95 % confidence band (DKW)",
                lower: &lower,
                upper: &upper,
            }),
        };
        plots::draw(&picture, &folder.join(format!("ace-{name}")))?;
    }
    Ok(())
}
