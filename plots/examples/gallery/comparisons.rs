//! Pictures that compare ways of tuning: intervals, grids of flights and slices of a surrogate,
//! all from made-up numbers.

use super::Noise;
use plots::{
    Estimate, FlightGridPicture, FlightResult, GridColumn, GridFlight, IntervalPanel,
    IntervalsPicture, Moment, Scale, Slice, SliceObservation, SliceParameter, SlicePoint,
    SlicesPicture,
};
use std::error::Error;
use std::f64::consts::TAU;
use std::path::Path;

pub fn draw(folder: &Path) -> Result<(), Box<dyn Error>> {
    intervals(folder)?;
    grids(folder)?;
    slices(folder)
}

const METHODS: [&str; 14] = [
    "DIL-GP",
    "GP, ARD-RBF",
    "GP, Matérn-5/2",
    "hierarchical GP",
    "random forest",
    "MLP, five members",
    "environments inferred",
    "trust region",
    "random, 110 flights",
    "CMA-ES, 110 flights",
    "CMA-ES, 10 080 flights",
    "a method with a label far too long for its column",
    "default gains",
    "floor, 10 080 flights",
];
const TRAJECTORIES: [&str; 4] = ["hover", "fig8", "sin_forward", "spiral_up"];

fn around(mean: f64, half: f64) -> Option<Estimate> {
    Some(Estimate {
        mean,
        low: mean - half,
        high: mean + half,
    })
}

/// Estimates of all methods on one trajectory: some missing, one that failed, one alone that is
/// uncertain.
fn estimates(noise: &mut Noise, level: f64) -> Vec<[Option<Estimate>; 2]> {
    let mut pairs: Vec<[Option<Estimate>; 2]> = (0..METHODS.len())
        .map(|_| {
            let mean = level * (1.0 + 0.25 * noise.uniform());
            let half = level * (0.01 + 0.04 * noise.uniform());
            [
                around(mean, half),
                around(mean * (1.0 + 0.1 * noise.uniform()), 1.6 * half),
            ]
        })
        .collect();
    pairs[4] = [around(2.0, 0.0004), around(1.7, 1.45)];
    pairs[5][0] = around(1.31 * level, 0.4);
    pairs[8][0] = None;
    pairs[11] = [None; 2];
    pairs[12] = [around(1.45 * level, 0.006), None];
    pairs[13] = [around(0.9 * level, 0.002), None];
    pairs
}

fn intervals(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut noise = Noise(5);
    let levels = [0.09, 0.29, 0.34, 0.21, 0.22, 0.52, 0.61, 0.48];
    let estimates: Vec<_> = levels.map(|level| estimates(&mut noise, level)).to_vec();
    let references: Vec<[Option<Estimate>; 2]> = estimates
        .iter()
        .map(|pairs| [pairs[12][0], pairs[13][0]])
        .collect();
    let panel = |index: usize, methods: usize| IntervalPanel {
        estimates: &estimates[index][..methods],
        references: &references[index],
    };
    let panels: Vec<IntervalPanel> = (0..8).map(|index| panel(index, 14)).collect();
    let picture = IntervalsPicture {
        title: "ACE in 200 held-out winds a domain, 20 seeds, made-up numbers",
        x_name: "ACE [m]",
        columns: &TRAJECTORIES,
        rows: &["steady wind", "gusty wind"],
        methods: &METHODS,
        marks: [
            "recommended: mean, 95 % interval",
            "best observed: mean, 95 % interval",
        ],
        references: &["default gains", "floor"],
        judged_against: Some(0),
        panels: &panels,
        colours: [0, 1],
        held: &[],
    };
    plots::draw(&picture, &folder.join("intervals-all"))?;
    let two = IntervalsPicture {
        columns: &TRAJECTORIES[1..2],
        judged_against: None,
        panels: &[panels[1], panels[5]],
        ..picture
    };
    plots::draw(&two, &folder.join("intervals-one-trajectory"))?;
    let four: Vec<IntervalPanel> = (0..2).map(|index| panel(index, 4)).collect();
    let few = IntervalsPicture {
        title: "Four methods, one domain",
        columns: &TRAJECTORIES[..2],
        rows: &["steady wind"],
        methods: &METHODS[..4],
        panels: &four,
        ..picture
    };
    plots::draw(&few, &folder.join("intervals-few"))?;
    paired(folder)
}

/// Differences to one method, most of them about zero; a reference far beyond the axis.
fn paired(folder: &Path) -> Result<(), Box<dyn Error>> {
    let differences: Vec<[Option<Estimate>; 2]> = [-0.021, 0.004, 0.0, -0.003, 0.012, -0.6]
        .map(|mean| [around(mean, 0.008), None])
        .to_vec();
    let panel = IntervalPanel {
        estimates: &differences,
        references: &[around(0.0, 0.0), around(0.9, 0.01)],
    };
    let picture = IntervalsPicture {
        title: "Paired differences, 95 % intervals corrected for five comparisons",
        x_name: "ACE minus that of gp [m]",
        columns: &["fig8", "hover"],
        rows: &["steady wind", "gusty wind"],
        methods: &METHODS[..6],
        marks: [
            "recommended: mean, 95 % interval",
            "best observed: mean, 95 % interval",
        ],
        references: &["no difference", "all lost"],
        judged_against: Some(0),
        colours: [0, 1],
        panels: &[panel; 4],
        held: &[],
    };
    plots::draw(&picture, &folder.join("intervals-paired"))?;
    Ok(())
}

/// A point of a trajectory for a part of its duration from 0 to 1 \[m\].
type Curve = fn(f64) -> [f64; 3];

const CURVES: [Curve; 4] = [
    |_| [0.0, 0.0, 1.5],
    |t| [2.0 * (TAU * t).sin(), (2.0 * TAU * t).sin(), 1.5],
    |t| [20.0 * t, 1.5 * (2.0 * TAU * t).sin(), 2.0],
    |t| [(3.0 * TAU * t).cos(), (3.0 * TAU * t).sin(), 0.5 + 6.0 * t],
];

/// The points flown, and their distances from the reference.
type Flown = (Vec<[f64; 3]>, Vec<f64>);

/// Two thousand points about a curve; from `lost` of the way on the vehicle rises and drifts, and
/// the flight ends when it is so far off.
fn flown(noise: &mut Noise, curve: Curve, swing_m: f64, lost: f64, off_m: f64) -> Flown {
    let mut flown: Flown = (Vec::new(), Vec::new());
    let (mut gust, mut offset) = ([0.0; 3], [0.0; 3]);
    for index in 0..2000 {
        let t = f64::from(index) / 2000.0;
        let away = 10.0 * (t - lost).max(0.0);
        for (gust, part) in gust.iter_mut().zip(&mut offset) {
            *gust = 0.98 * *gust + 0.2 * swing_m * noise.normal();
            *part += 0.02 * (*gust - *part);
        }
        let wanted = curve(t);
        let drift = [3.0 * away * away, away, 8.0 * away * away];
        let at: [f64; 3] = std::array::from_fn(|k| wanted[k] + offset[k] + drift[k]);
        let distance = (0..3).map(|k| (at[k] - wanted[k]).powi(2)).sum::<f64>();
        flown.0.push(at);
        flown.1.push(distance.sqrt());
        if distance.sqrt() > off_m {
            break;
        }
    }
    flown
}

fn grids(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut noise = Noise(17);
    let references: Vec<Vec<[f64; 3]>> = CURVES
        .iter()
        .map(|curve| (0..=1000).map(|k| curve(f64::from(k) / 1000.0)).collect())
        .collect();
    let columns: Vec<GridColumn> = (TRAJECTORIES.iter().zip(&references))
        .map(|(label, reference_m)| GridColumn { label, reference_m })
        .collect();
    let paths: Vec<Flown> = (0..40)
        .map(|index| {
            let swing_m = 0.06 + 0.02 * (index / 4) as f64;
            let lost = if [13, 22, 23].contains(&index) {
                0.45
            } else {
                1.0
            };
            // The last of the lost ends inside its frame.
            let off_m = if index == 23 { 1.8 } else { 40.0 };
            flown(&mut noise, CURVES[index % 4], swing_m, lost, off_m)
        })
        .collect();
    let flight = |index: usize| {
        let (path_m, error_m) = &paths[index];
        let ace_m = error_m.iter().sum::<f64>() / error_m.len() as f64;
        let result = if error_m.len() < 2000 {
            let at_s = 0.01 * error_m.len() as f64;
            FlightResult::Lost { at_s }
        } else {
            FlightResult::Completed { ace_m }
        };
        (index != 18).then_some(GridFlight {
            path_m,
            error_m,
            result,
        })
    };
    let flights: Vec<Option<GridFlight>> = (0..40).map(flight).collect();
    let all = FlightGridPicture {
        title: "The wind of seed 3, domain gusty, gains of the median run, made-up numbers",
        rows: &METHODS[4..14],
        columns: &columns,
        flights: &flights,
    };
    let two = FlightGridPicture {
        title: "Six surrogates on two trajectories, made-up numbers",
        rows: &METHODS[..6],
        columns: &columns[1..3],
        flights: &(0..12)
            .map(|k| flight(4 * (k / 2) + 1 + k % 2))
            .collect::<Vec<_>>(),
    };
    let one = FlightGridPicture {
        title: "One flight that was lost",
        rows: &METHODS[..1],
        columns: &columns[3..],
        flights: &[flight(23)],
    };
    let hovering = FlightGridPicture {
        title: "Hover, three methods",
        rows: &METHODS[..3],
        columns: &columns[..1],
        flights: &[flight(0), None, flight(8)],
    };
    for (name, picture) in [
        ("all", all),
        ("two-trajectories", two),
        ("one", one),
        ("hover", hovering),
    ] {
        plots::draw(&picture, &folder.join(format!("grid-{name}")))?;
    }
    Ok(())
}

const PARAMETERS: [(&str, bool); 6] = [
    ("position P [1/s]", false),
    ("position I [1/s²]", true),
    ("velocity P, horizontal [1/s]", false),
    ("velocity P, vertical [1/s]", true),
    ("attitude P [1/s]", true),
    ("body rate D [ms]", false),
];

/// One search, seen after some of its flights: the more, the narrower the band.
struct Search {
    at: Vec<[f64; 6]>,
    y: Vec<Option<f64>>,
}

/// The value of a parameter at a part of its range, which is 0.1 to 10.
fn natural(part: f64, logarithmic: bool) -> f64 {
    if logarithmic {
        10_f64.powf(2.0 * part - 1.0)
    } else {
        0.1 + 9.9 * part
    }
}

impl Search {
    fn new(noise: &mut Noise, flights: usize) -> Self {
        let at: Vec<[f64; 6]> = (0..flights)
            .map(|index| {
                let wide = 0.5 / (1.0 + index as f64 / 25.0);
                std::array::from_fn(|k| {
                    let best = 0.35 + 0.06 * k as f64;
                    (best + 2.0 * wide * (noise.uniform() - 0.5)).clamp(0.0, 1.0)
                })
            })
            .collect();
        let y = at.iter().map(|at| {
            let value = 0.28
                * (1.0
                    + at.iter()
                        .enumerate()
                        .map(|(k, part)| bowl(k, *part))
                        .sum::<f64>());
            (at[0] < 0.82 && at[5] < 0.9).then(|| value * (1.0 + 0.05 * noise.normal()))
        });
        Self { y: y.collect(), at }
    }

    fn slice(&self, parameter: usize, flights: usize) -> (Vec<SlicePoint>, Vec<SliceObservation>) {
        let logarithmic = PARAMETERS[parameter].1;
        let points = (0..=120).map(|k| {
            let part = f64::from(k) / 120.0;
            let nearest = self.at[..flights]
                .iter()
                .map(|at| (at[parameter] - part).abs());
            let sd = 0.03 + 0.9 * nearest.fold(1.0, f64::min) + 0.6 / flights as f64;
            let mean = 0.28 * (1.0 + bowl(parameter, part));
            let gain = (0.33 - mean) / (sd * mean);
            SlicePoint {
                x: natural(part, logarithmic),
                mean,
                low: mean * (-2.0 * sd).exp(),
                high: mean * (2.0 * sd).exp(),
                acquisition: sd * (-(2.0 - gain).max(0.0)).exp(),
            }
        });
        let observations = self.at[..flights].iter().zip(&self.y).map(|(at, &y)| {
            let others = at.iter().enumerate().filter(|(k, _)| *k != parameter);
            let far = others
                .map(|(k, part)| (part - 0.35 - 0.06 * k as f64).powi(2))
                .sum::<f64>();
            SliceObservation {
                x: natural(at[parameter], logarithmic),
                y,
                weight: (-far / 0.08).exp(),
            }
        });
        (points.collect(), observations.collect())
    }
}

fn bowl(parameter: usize, part: f64) -> f64 {
    (4.0 + parameter as f64) * (part - 0.35 - 0.06 * parameter as f64).powi(2)
}

fn slices(folder: &Path) -> Result<(), Box<dyn Error>> {
    let search = Search::new(&mut Noise(23), 110);
    let parameters = PARAMETERS.map(|(label, logarithmic)| SliceParameter { label, logarithmic });
    let title = "fig8: the surrogate through the incumbent, made-up numbers";
    for (name, title, parameters, after, y_scale) in [
        (
            "six",
            title,
            &parameters[..],
            &[10, 40, 110][..],
            Scale::Logarithmic,
        ),
        (
            "two",
            "Two gains",
            &parameters[..2],
            &[10, 40],
            Scale::Linear,
        ),
        (
            "one",
            "One gain",
            &parameters[1..2],
            &[110],
            Scale::Automatic,
        ),
    ] {
        let row = |&flights: &usize| -> Vec<_> {
            let slices = (0..parameters.len()).map(|k| search.slice(k, flights));
            slices.collect()
        };
        let made: Vec<Vec<_>> = after.iter().map(row).collect();
        let rows = made.iter().map(|row| {
            let slices = row.iter().enumerate();
            let slices = slices.map(|(k, (points, observations))| Slice {
                points,
                at: natural(0.36 + 0.06 * k as f64, PARAMETERS[k].1),
                observations,
            });
            slices.collect()
        });
        let rows: Vec<Vec<Slice>> = rows.collect();
        let labels: Vec<String> = after.iter().map(|n| format!("after {n} flights")).collect();
        let moments: Vec<Moment> = (labels.iter().zip(&rows))
            .map(|(label, slices)| Moment { label, slices })
            .collect();
        let picture = SlicesPicture {
            title,
            y_name: "ACE [m]",
            y_scale,
            band_name: "± 2 standard deviations",
            through: "incumbent",
            acquisition_name: Some("expected improvement"),
            parameters,
            moments: &moments,
        };
        plots::draw(&picture, &folder.join(format!("slices-{name}")))?;
    }
    Ok(())
}
