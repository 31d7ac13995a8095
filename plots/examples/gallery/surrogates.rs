//! Pictures of fits: one variable in panels, an error map of two, and methods over domains, all
//! from made-up numbers.

use super::Noise;
use plots::{
    DomainsPicture, ErrorMapPicture, FitPoint, Method, Panel, PointSet, RegressionPicture,
};
use std::error::Error;
use std::path::Path;

pub fn draw(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut noise = Noise(29);
    regressions(&mut noise, folder)?;
    error_map(&mut noise, folder)?;
    domains(folder)
}

fn regressions(noise: &mut Noise, folder: &Path) -> Result<(), Box<dyn Error>> {
    let observed: Vec<[f64; 2]> = (0..60)
        .map(|_| {
            let x = 10.0 * noise.uniform();
            [x, x.sin() + 0.1 * noise.normal()]
        })
        .collect();
    let fits: Vec<Vec<FitPoint>> = (0..8)
        .map(|method| {
            let half_width = (method % 3 != 2).then_some(0.1 + 0.05 * f64::from(method));
            let point = |k: i32| {
                let x = 0.1 * f64::from(k);
                let mean = x.sin() + 0.06 * f64::from(method) * (0.7 * x).cos();
                FitPoint {
                    x,
                    mean,
                    half_width,
                }
            };
            (0..=100).map(point).collect()
        })
        .collect();
    let rests: Vec<Vec<[f64; 2]>> = (0..8)
        .map(|method| {
            let miss = 0.06 * f64::from(method);
            let left = observed.iter().map(|[x, y]| [*x, y - x.sin() - miss]);
            left.collect()
        })
        .collect();
    let truth = [(0..=100)
        .map(|k| 0.1 * f64::from(k))
        .map(|x| [x, x.sin()])
        .collect()];
    for count in [1, 3, 8] {
        let labels: Vec<String> = (1..=count).map(|k| format!("method {k}")).collect();
        let panels: Vec<Panel> = (0..count)
            .map(|k| Panel {
                label: &labels[k],
                fit: &fits[k],
                rest: &rests[k],
            })
            .collect();
        let picture = RegressionPicture {
            title: "Fits of one variable, made-up numbers",
            x_name: "place [m]",
            y_name: "force [N]",
            rest_name: "rest [N]",
            panels: &panels,
            points: &[PointSet {
                label: "observed",
                at: &observed,
            }],
            truth: &truth,
        };
        plots::draw(&picture, &folder.join(format!("fits-{count}")))?;
    }
    Ok(())
}

fn error_map(noise: &mut Noise, folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut points = |count, from: f64| -> Vec<[f64; 2]> {
        let point = |_| [from + noise.uniform(), 3.0 * noise.uniform()];
        (0..count).map(point).collect()
    };
    let (train, test) = (points(80, 0.0), points(120, 0.6));
    let error: Vec<f64> = test.iter().map(|[x, _]| (x - 0.9).max(0.0)).collect();
    let picture = ErrorMapPicture {
        title: "Errors beyond the training data, made-up numbers",
        names: ["east [km]", "north [km]"],
        error_name: "|error| [K]",
        train: &train,
        test: &test,
        error: &error,
    };
    plots::draw(&picture, &folder.join("error-map"))?;
    Ok(())
}

fn domains(folder: &Path) -> Result<(), Box<dyn Error>> {
    let domains = ["calm", "breeze", "gale", "storm"].map(str::to_owned);
    let values: Vec<Vec<[f64; 3]>> = (1..=8)
        .map(|method| {
            let value = |k: usize| 0.1 * f64::from(method) * (1.0 + k as f64).sqrt();
            let ends = |v: f64| [v, 0.9 * v, 1.2 * v];
            (0..4).map(|k| ends(value(k))).collect()
        })
        .collect();
    let labels: Vec<String> = (1..=8).map(|k| format!("method {k}")).collect();
    let methods: Vec<Method> = (labels.iter().zip(&values))
        .map(|(label, values)| Method { label, values })
        .collect();
    let picture = DomainsPicture {
        title: "Eight methods over four domains, made-up numbers",
        y_name: "RMSE [m]",
        bar_name: "95 % interval",
        domains: &domains,
        methods: &methods,
    };
    plots::draw(&picture, &folder.join("domains"))?;
    Ok(())
}
