use super::*;
use std::collections::HashSet;

fn tuning(seed: u64) -> Tuning {
    Tuning::of_paper(trajectories::by_name("hover").expect("legal"), seed)
}

#[test]
fn training_and_held_out_winds_never_meet() {
    let mut seeds = HashSet::new();
    for seed in 0..20 {
        let tuning = tuning(seed);
        for number in 0..200 {
            assert!(seeds.insert(tuning.training_weather(number).seed));
            for domain in 0..2 {
                assert!(seeds.insert(tuning.held_out_weather(domain, number).seed));
            }
        }
    }
}

#[test]
fn flights_side_by_side_each_with_its_gains_and_weather_are_the_flights_alone() {
    let tuning = tuning(2);
    let gains = |n: u64| {
        let mut gains = tuning.setup.airframe.gains;
        gains.position_xy.kp *= 1.0 + 0.1 * (n / 3) as f64;
        gains
    };
    let flights = (0..21).map(|n| (gains(n), tuning.training_weather(n)));
    let flights: Vec<(Gains, Weather)> = flights.collect();
    assert!(flights.iter().any(|(_, w)| w.domain == "steady"));
    let together = tuning.evaluate(&flights);
    assert_eq!(together.len(), 21);
    for ((gains, weather), flown) in flights.iter().zip(&together) {
        assert_eq!(&flown.weather, weather);
        assert_eq!(tuning.fly(gains, weather, 0).score, flown.score);
    }
}

#[test]
fn flights_in_a_batch_are_the_flights_alone() {
    let tuning = tuning(2);
    let gains = tuning.setup.airframe.gains;
    let weathers: Vec<Weather> = (0..6).map(|n| tuning.held_out_weather(0, n)).collect();
    let seeds: Vec<u64> = weathers.iter().map(|weather| weather.seed).collect();
    let mut softer = gains;
    softer.position_xy.kp *= 0.5;
    for tested in [&[gains][..], &[gains, softer]] {
        let batches = tuning.fly_batch(tested, 0, &seeds);
        assert_eq!(batches.len(), tested.len());
        for (gains, batch) in tested.iter().zip(&batches) {
            for (weather, flight) in weathers.iter().zip(batch) {
                assert_eq!(tuning.fly(gains, weather, 0).score, flight.score);
            }
        }
    }
}

#[test]
fn the_mixture_is_87_to_13() {
    let gusty = (0..20_000)
        .filter(|number| tuning(5).training_weather(*number).domain == "gusty")
        .count();
    // Standard error of a share of 0.87 over 20 000 draws: 0.0024.
    assert!(
        (gusty as f64 / 20_000.0 - GUSTY_SHARE).abs() < 4.0 * 0.0024,
        "{gusty}"
    );
}

fn flown(ace_m: f64, outcome: Outcome) -> Flown {
    Flown {
        weather: tuning(1).training_weather(0),
        outcome,
        score: Score {
            ace_m,
            mean_distance_m: 0.0,
            mean_square_m2: 0.0,
            max_error_m: 0.0,
            mean_state_error: 0.0,
            effort: 0.5,
            rotor_saturation: 0.25,
            motor_activity_per_s: 3.0,
            force_limitation: 0.0,
            heading_off: [0.0; 2],
        },
    }
}

#[test]
fn the_cost_is_the_mean_of_error_and_weighted_effort_and_saturation() {
    let flights = [
        flown(0.2, Outcome::Completed),
        flown(0.4, Outcome::Completed),
    ];
    let plain = Cost::default().of(&flights).expect("completed");
    assert!((plain - 0.3).abs() < 1e-12);
    let weighted = Cost {
        effort_m: 0.1,
        saturation_m: 2.0,
    };
    let cost = weighted.of(&flights).expect("completed");
    assert!(
        (cost - (0.3 + 0.1 * 0.5 + 2.0 * 0.25)).abs() < 1e-12,
        "{cost}"
    );
}

#[test]
fn a_lost_flight_counts_the_cap_and_as_many_as_half_leave_no_cost() {
    let lost = Outcome::Lost {
        at_s: 1.0,
        why: sim::Loss::Spinning,
    };
    let [kept, lost] = [flown(0.2, Outcome::Completed), flown(0.1, lost)];
    let of = |flights: &[&Flown]| {
        let flights: Vec<Flown> = flights.iter().map(|flown| (*flown).clone()).collect();
        Cost::default().of(&flights)
    };
    assert_eq!(of(&[&lost]), None);
    assert_eq!(of(&[&kept, &lost]), None);
    let one_of_three = of(&[&kept, &lost, &kept]).expect("one of three is lost");
    assert!((one_of_three - (0.4 + ACE_CAP_M) / 3.0).abs() < 1e-12);
}

#[test]
fn evaluations_of_several_flights_share_no_weather() {
    let tuning = tuning(4);
    assert_eq!(tuning.weathers(7, 1), [tuning.training_weather(7)]);
    let seeds = (0..50).flat_map(|n| tuning.weathers(n, 3)).map(|w| w.seed);
    assert_eq!(seeds.collect::<HashSet<_>>().len(), 150);
}

#[test]
fn a_mixture_of_three_domains_is_drawn_by_its_shares() {
    let mut tuning = tuning(5);
    let third = Domain {
        name: "third".to_owned(),
        ..Domain::steady()
    };
    tuning.training.push(third);
    tuning.shares = vec![0.5, 0.2, 0.3];
    let drawn = (0..20_000).filter(|n| tuning.training_weather(*n).domain == "third");
    let share = drawn.count() as f64 / 20_000.0;
    // Standard error of a share of 0.3 over 20 000 draws: 0.0032.
    assert!((share - 0.3).abs() < 4.0 * 0.0032, "{share}");
}

#[test]
fn the_same_weather_with_the_same_gains_is_the_same_flight() {
    let tuning = tuning(1);
    let weather = tuning.training_weather(0);
    let gains = tuning.setup.airframe.gains;
    let (once, again) = (
        tuning.fly(&gains, &weather, 0),
        tuning.fly(&gains, &weather, 10),
    );
    assert_eq!(once.score, again.score);
}
