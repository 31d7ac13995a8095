//! How often intervals hold the truth, over vehicles that are drawn at random and fly through the program's own path
//! and each form of log.
//!
//! `WINDHOVER_VEHICLES=200 cargo test -p sim --test suite identify::coverage -- --nocapture` prints the tables of 200
//! vehicles, with a line for each; `WINDHOVER_VEHICLES=37..38` prints every estimate of vehicle 37.
//! `RAYON_NUM_THREADS` limits the processors, on whose number nothing depends; one takes a quarter of an hour for 200.

use super::flown::{Flown, Plan};
use super::form::Form;
use super::regression::regressed;
use super::table::{self, Judged, share, told};
use super::truth::truth;
use rayon::prelude::*;
use sim::identify::{IdentifyError, Log, identify};
use std::collections::HashMap;
use std::ops::Range;

/// Vehicles that are flown where nobody asks for more: one of each form of log.
const FEW: u64 = 6;

/// Those that are asked for.
fn numbers() -> Range<u64> {
    let asked = std::env::var("WINDHOVER_VEHICLES").ok();
    let Some(asked) = asked.as_deref() else {
        return 0..FEW;
    };
    let (from, to) = asked.split_once("..").unwrap_or(("0", asked));
    let [from, to] = [from, to].map(|text| text.parse().expect("a number, or two as in 3..7"));
    from..to
}

/// What is said of one vehicle.
struct Found {
    judged: Vec<Judged>,
    /// Vehicles that were lost in its place.
    lost: usize,
    /// Why nothing is told, where it is not.
    refused: Option<IdentifyError>,
    /// Whether the motors were taken for others.
    unusual: bool,
}

/// Flies vehicle `number`, writes its logs and identifies it.
fn found(number: u64, plan: Plan) -> Found {
    let form = Form::ALL[number as usize % Form::ALL.len()];
    // Each form in turn in still air and in gusts.
    let gusty = (number / Form::ALL.len() as u64 + number) % 2 == 1;
    let (flown, lost) = Flown::number(number, plan, gusty);
    let sources = form.logs(&flown);
    let logs: Vec<Log> = (sources.iter().enumerate())
        .map(|(flight, source)| Log {
            name: format!("flight {flight}"),
            source,
        })
        .collect();
    let identified = match identify(&logs, None, &flown.nominal()) {
        Ok(identified) => identified,
        Err(error) => {
            return Found {
                judged: Vec::new(),
                lost,
                refused: Some(error),
                unusual: false,
            };
        }
    };
    let regressed = match plan {
        Plan::Advised => regressed(&flown),
        _ => HashMap::new(),
    };
    // No simulated battery empties.
    let estimates = identified.estimates.iter();
    let estimates = estimates.filter(|estimate| !estimate.name.contains("battery"));
    let judged = estimates.map(|estimate| {
        let [low, high] = estimate.interval;
        Judged {
            name: estimate.name,
            number,
            form,
            gusty,
            told: estimate.not_told.is_none(),
            truth: truth(&flown, estimate.name),
            mean: estimate.mean,
            half: 0.5 * (high - low),
            regressed: regressed.get(estimate.name).copied(),
        }
    });
    let found = Found {
        judged: judged.collect(),
        lost,
        refused: None,
        unusual: identified.order.is_none_or(|order| order.unusual),
    };
    if numbers() != (0..FEW) {
        println!("{}", said(&flown, plan, form, number, &found));
    }
    found
}

/// A line on a vehicle, with what is wrong and by how many half widths; of one alone every estimate.
fn said(flown: &Flown, plan: Plan, form: Form, number: u64, found: &Found) -> String {
    let told = told(&found.judged);
    let off = told.iter().filter(|one| !one.holds());
    let off = off.map(|one| format!("{} {:+.1}", one.name, one.off()));
    let mut text = format!(
        "{number} {plan:?} {} {}: seed {}, {:.3} kg, lag {:.0} ms, delay {} ms, {} told; off: {}",
        form.name(),
        if flown.gusty { "gusts" } else { "still" },
        flown.seed,
        flown.airframe.mass_kg,
        1e3 * flown.airframe.rotors.lag_s,
        flown.sensors.delay_periods,
        told.len(),
        off.collect::<Vec<_>>().join(", ")
    );
    if numbers().count() == 1 {
        for one in &found.judged {
            let told = if one.told { "" } else { ", not told" };
            let (name, truth, mean, half) = (one.name, one.truth, one.mean, one.half);
            text += &format!("\n  {name}: true {truth:.4e}, {mean:.4e} ± {half:.1e}{told}");
        }
    }
    text
}

/// All of `numbers`, with a line on those that say nothing.
fn all(numbers: Range<u64>, plan: Plan) -> Vec<Judged> {
    let found: Vec<(u64, Found)> = (numbers.clone().into_par_iter())
        .map(|number| (number, found(number, plan)))
        .collect();
    let lost: usize = found.iter().map(|(_, found)| found.lost).sum();
    println!(
        "{plan:?}: {} vehicles; {lost} more were lost in flight and replaced",
        found.len()
    );
    for (number, found) in &found {
        if let Some(error) = &found.refused {
            println!("{number} {plan:?}: {error}");
        }
        if found.unusual {
            println!("{number} {plan:?}: the motors are taken for others");
        }
    }
    let strange = found
        .iter()
        .filter(|(_, found)| found.refused.is_some() || found.unusual);
    let (strange, count) = (strange.count(), found.len());
    assert!(
        20 * strange <= count || count == 1,
        "{strange} of {count} are refused or have their motors mixed up"
    );
    found
        .into_iter()
        .flat_map(|(_, found)| found.judged)
        .collect()
}

#[test]
fn intervals_of_known_vehicles_hold_the_truth_as_often_as_they_say() {
    let numbers = numbers();
    let all = all(numbers.clone(), Plan::Advised);
    println!("{}", table::intervals(&all));
    let told = told(&all);
    let holds = share(&told, Judged::holds).expect("something is told");
    if numbers != (0..FEW) {
        // Of less the estimates of a vehicle or two decide.
        assert!(holds >= 0.8 || all.len() < 200, "{holds}");
        return;
    }
    assert!(told.len() >= 6 * 9, "{} told", told.len());
    // The estimates of one flight go together, so the share of 90 % is not sharp.
    assert!((0.75..=0.99).contains(&holds), "{holds}");
    // Four deviations: what an interval of 90 % leaves to one in ten thousand.
    let far = told.iter().filter(|one| one.off().abs() > 4.0 / 1.645);
    let far: Vec<_> = far.map(|one| (one.number, one.name, one.off())).collect();
    assert!(far.len() <= 2, "{far:?}");
}

#[test]
fn hovers_and_figure_8s_alone_tell_little_and_little_that_is_wrong() {
    let Range { start, end } = numbers();
    let few = start..end.min(start + (end - start).div_ceil(2));
    let flights = [
        ("hovers", all(few.clone(), Plan::Hover)),
        ("figure-8s", all(few, Plan::Figure)),
    ];
    println!("{}", table::wrong(&flights));
    let [(_, hovers), (_, figures)] = &flights;
    let wrong = share(&told(hovers), |one| !one.holds()).unwrap_or(0.0);
    assert!(wrong <= 0.25 || hovers.len() < 200, "{wrong}");
    if (start, end) != (0, FEW) {
        return;
    }
    let tells = |all: &[Judged], name: &str| {
        // In gusts it is harder to tell drag than in still air.
        let of_it = all.iter().filter(|one| one.name == name && !one.gusty);
        let untold: Vec<&Judged> = of_it.filter(|one| one.can_be_told() && !one.told).collect();
        assert!(untold.is_empty(), "{untold:?}");
    };
    for all in [hovers, figures] {
        tells(all, "thrust of a rotor at full command");
    }
    tells(figures, "in-plane drag at hover speed");
}
