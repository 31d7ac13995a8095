//! Figures for a page of text, all on one page, `figures.html`.

use super::{Noise, search};
use plots::{
    Band, BoundsPicture, CalibrationPanel, CalibrationPicture, ConvergencePicture, CurveKind,
    CurvesPicture, Estimate, IntervalPanel, IntervalsPicture, MarkedCurve, Pair, PairsPicture, Run,
    Series,
};
use std::error::Error;
use std::path::Path;

pub fn draw(folder: &Path) -> Result<(), Box<dyn Error>> {
    let figures = [
        convergence()?,
        pairs(0.0)?,
        pairs(0.1)?,
        calibration()?,
        amplitudes()?,
        intervals()?,
    ];
    let figures = figures.map(|svg| format!("<figure style=\"width: 540px\">{svg}</figure>\n"));
    let bounds = plots::svg(&BoundsPicture {
        title: "a value near its lower bound, one near its upper bound",
        values: [0.05, 0.97],
        colours: [1, 0],
    })?;
    let bounds = format!("<p style=\"width: 140px\">{bounds}</p>\n");
    let page = format!(
        "<!DOCTYPE html><meta charset=\"utf-8\">\n{}{bounds}",
        figures.concat()
    );
    std::fs::write(folder.join("figures.html"), page)?;
    Ok(())
}

fn convergence() -> Result<String, plots::Error> {
    let mut run: Run = search(3, 40, 1.0);
    run.designed = vec![true; 10];
    plots::svg(&ConvergencePicture {
        title: "one search",
        y_name: "ACE [m]",
        series: &[Series {
            label: "gp",
            runs: &[run],
        }],
        initial: 10,
        baseline: Some(("default gains, first evaluation", 0.41)),
        band: Band::Quartiles,
        scale: plots::Scale::Automatic,
    })
}

/// Pairs about the line, a part of them lost; with bars where some are.
fn pairs(lost: f64) -> Result<String, plots::Error> {
    let mut noise = Noise(7);
    let mut pair = || {
        let x = 0.3 * (0.3 * noise.normal()).exp();
        let is_lost = noise.uniform() < lost;
        let y = 0.8 * x * (0.2 * noise.normal()).exp();
        Pair {
            x: (!is_lost).then_some(x),
            y,
            bar: (lost > 0.0).then_some([0.7 * y, 1.5 * y]),
            lost: is_lost,
        }
    };
    let pairs: Vec<Pair> = (0..60).map(|_| pair()).collect();
    plots::svg(&PairsPicture {
        title: "pairs",
        x_name: "ACE with the default gains [m]",
        y_name: "ACE with the tuned gains [m]",
        pair_name: "one wind",
        lost_name: "lost",
        equal_name: "equal; below it the tuned gains are better",
        pairs: &pairs,
    })
}

fn calibration() -> Result<String, plots::Error> {
    plots::svg(&CalibrationPicture {
        title: "calibration",
        levels: &[0.5, 0.8, 0.9, 0.95],
        methods: &["gp"],
        bar_name: "95 % interval of the share",
        panels: &[CalibrationPanel {
            label: "",
            shares: &[Some(vec![0.42, 0.71, 0.86, 0.93])],
            bars: &[Some(vec![
                [0.3, 0.55],
                [0.6, 0.8],
                [0.75, 0.93],
                [0.83, 0.98],
            ])],
        }],
    })
}

fn amplitudes() -> Result<String, plots::Error> {
    let spectrum = |scale: f64| -> Vec<[f64; 2]> {
        let frequencies = (0..80).map(|k| 0.2 * 1.08_f64.powi(k));
        let value = |f: f64| scale * (100.0 / (1.0 + f) + 20.0 * (-(f - 6.0).powi(2)).exp());
        frequencies.map(|f| [f, value(f)]).collect()
    };
    let both = [spectrum(1.0), spectrum(0.7)];
    let names = ["tuned gains", "default gains"];
    let curves = [0, 1].map(|k| MarkedCurve {
        label: names[k].to_owned(),
        points: both[k].clone(),
        peak: both[k].get(44).copied(),
        settled: None,
    });
    plots::svg(&CurvesPicture {
        title: "amplitudes",
        kind: CurveKind::Amplitudes,
        names: ["frequency [Hz]", "body rate [deg/s/√Hz]"],
        peak_name: "largest peak",
        curves: &curves,
    })
}

fn intervals() -> Result<String, plots::Error> {
    let around = |mean: f64| {
        Some(Estimate {
            mean,
            low: mean - 0.008,
            high: mean + 0.008,
        })
    };
    let estimates: Vec<[Option<Estimate>; 2]> = [0.02, 0.0, -0.01, 0.005]
        .map(|mean| [around(mean), around(-0.8 * mean)])
        .to_vec();
    plots::svg(&IntervalsPicture {
        title: "intervals",
        x_name: "change of ACE [m], left of 0 is better",
        columns: &[""],
        rows: &[""],
        methods: &[
            "position_xy.kp",
            "position_xy.ki",
            "position_z.kp",
            "position_z.ki",
        ],
        marks: ["gain −20 %", "gain +20 %"],
        colours: [1, 0],
        references: &["no change"],
        judged_against: None,
        panels: &[IntervalPanel {
            estimates: &estimates,
            references: &[Some(Estimate {
                mean: 0.0,
                low: 0.0,
                high: 0.0,
            })],
        }],
        held: &[],
    })
}
