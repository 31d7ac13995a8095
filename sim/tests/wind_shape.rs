//! Wind that changes with the height, and discrete gusts, against the formulas of MIL-F-8785C.

use nalgebra::Vector3;
use sim::{
    Airframe, DiscreteGust, Domain, Instructions, OTHER_ROUGHNESS_M, PassingGust, Profile, Setup,
    Shear, TERMINAL_ROUGHNESS_M, Wind, World, fly, fly_many,
};
use trajectories::by_name;

const M_PER_FT: f64 = 0.3048;

/// 15 kt [m/s].
const W20_M_S: f64 = 15.0 * 1852.0 / 3600.0;

/// A mean wind alone.
fn mean(mean_m_s: [f64; 3]) -> Domain {
    Domain {
        mean_m_s,
        sigma_m_s: [0.0; 3],
        ..Domain::gusty()
    }
}

#[test]
fn the_profile_is_the_logarithm_of_the_specification() {
    for (profile, roughness_ft) in [(Profile::CategoryC, 0.15), (Profile::Other, 2.0)] {
        assert!((profile.roughness_m() - roughness_ft * M_PER_FT).abs() < 1e-12);
        let domain = Domain::low_altitude("x", 6.096, 15.0, 8.0, Some(profile)).expect("legal");
        assert!((domain.mean_m_s[0] - W20_M_S).abs() < 1e-12, "W20 at 20 ft");
        let shear = domain.shear.expect("a profile");
        for height_ft in [3.0, 10.0, 20.0, 50.0, 999.0f64] {
            let wanted = (height_ft / roughness_ft).ln() / (20.0 / roughness_ft).ln();
            let share = shear.share(height_ft * M_PER_FT);
            assert!((share - wanted).abs() < 1e-12, "{height_ft} ft: {share}");
        }
        // Where it is not defined the wind is that of the nearest height.
        assert_eq!(shear.share(-1.0), shear.share(3.0 * M_PER_FT));
        assert_eq!(shear.share(1e6), shear.share(1000.0 * M_PER_FT));
        assert!(shear.share(-1.0) > 0.0);
    }
    // Wherever the domain is, the wind at 20 ft is W20.
    let high = Domain::low_altitude("x", 60.0, 15.0, 8.0, Some(Profile::Other)).expect("legal");
    let at_20_ft = high.mean_m_s[0] * high.shear.expect("a profile").share(6.096);
    assert!((at_20_ft - W20_M_S).abs() < 1e-12, "{at_20_ft}");
}

#[test]
fn profiles_are_read_by_name_and_shears_by_number() {
    let low = |more: &str| {
        let text =
            "name = \"site\"\naltitude_m = 10\nwind_at_20_ft_kt = 15\nreference_speed_m_s = 8\n";
        Domain::from_toml(&(text.to_owned() + more))
    };
    let shear = |more: &str| low(more).expect("legal").shear;
    let roughness = |more: &str| shear(more).map(|shear| shear.roughness_m);
    assert_eq!(roughness(""), None);
    assert_eq!(
        roughness("profile = \"category-c\""),
        Some(TERMINAL_ROUGHNESS_M)
    );
    assert_eq!(roughness("profile = \"other\""), Some(OTHER_ROUGHNESS_M));
    let both = low("profile = \"other\"\nroughness_m = 0.1")
        .expect_err("twice")
        .to_string();
    assert!(
        both.starts_with("profile and roughness_m both say"),
        "{both}"
    );
    // Numbers of either origin come back from their text.
    let mut own = mean([3.0, 1.0, 0.0]);
    own.shear = Some(Shear {
        height_m: 6.0,
        roughness_m: 0.1,
    });
    own.gusts = vec![DiscreteGust {
        start_s: 2.0,
        magnitude_m_s: [1.0, 0.0, -1.0],
        length_m: [5.0; 3],
    }];
    assert_eq!(Domain::from_toml(&own.to_toml()).expect("legal"), own);
    for (spoil, wanted) in [
        (
            Shear {
                height_m: 0.5,
                roughness_m: 0.1,
            },
            "shear.height_m is 0.5",
        ),
        (
            Shear {
                height_m: 1.0,
                roughness_m: 1.2,
            },
            "shear.height_m is 1",
        ),
        (
            Shear {
                height_m: 6.0,
                roughness_m: 9.0,
            },
            "roughness_m is 9",
        ),
    ] {
        own.shear = Some(spoil);
        let message = own.check().expect_err(wanted).to_string();
        assert!(message.starts_with(wanted), "{message}");
    }
    own.shear = None;
    own.gusts[0].length_m[1] = 0.0;
    let message = own.check().expect_err("no way").to_string();
    assert!(message.starts_with("gusts.length_m is 0"), "{message}");
}

#[test]
fn a_vehicle_that_climbs_meets_the_wind_of_its_height() {
    let spiral = by_name("spiral-up").expect("legal");
    let mut domain = mean([2.0, 1.5, 0.5]);
    domain.shear = Some(Shear {
        height_m: 6.096,
        roughness_m: OTHER_ROUGHNESS_M,
    });
    let flown = |world: World| {
        let mut setup = Setup::new(Airframe::omac());
        setup.world = world;
        setup.record_every = 100;
        let mut wind = domain.wind(5, spiral.duration_s());
        fly(&setup, spiral.as_ref(), &setup.airframe.gains, &mut wind, 5)
    };
    let flight = flown(World::ground());
    assert!(flight.completed());
    let first_ft = flight.samples[0].state.position_m.z / M_PER_FT + 10.0;
    assert!(
        (first_ft - 10.0).abs() < 1e-9,
        "every flight starts at 10 ft"
    );
    for sample in &flight.samples {
        let height_ft = sample.state.position_m.z / M_PER_FT + 10.0;
        let share = (height_ft / 2.0).ln() / 10f64.ln();
        let wanted = Vector3::new(2.0 * share, 1.5 * share, 0.5);
        assert!(
            (sample.wind_m_s - wanted).norm() < 1e-9,
            "{height_ft} ft: {}",
            sample.wind_m_s
        );
    }
    let last = flight.samples.last().expect("recorded").wind_m_s;
    assert!(
        last.x > 1.4 * flight.samples[0].wind_m_s.x,
        "it climbed 6 m"
    );
    // Without a ground the start is as high.
    let nowhere = World::from_toml("ground = false").expect("legal");
    assert_eq!(
        flown(nowhere).samples[0].wind_m_s,
        flight.samples[0].wind_m_s
    );
}

#[test]
fn a_gust_grows_by_one_minus_cosine_and_a_second_ends_it() {
    let mut domain = mean([0.0, 4.0, 0.0]);
    domain.reference_speed_m_s = 5.0;
    let gust = |start_s: f64, sign: f64| DiscreteGust {
        start_s,
        magnitude_m_s: [3.0, 2.0, 1.0].map(|m| sign * m),
        length_m: [20.0, 10.0, 20.0],
    };
    domain.gusts = vec![gust(2.0, 1.0), gust(6.0, -1.0)];
    let mut wind = domain.wind(1, 20.0);
    let met: Vec<Vector3<f64>> = (0..20_000).map(|_| wind.step()).collect();
    // u lies along the mean wind, world y; v across it, world -x.
    let at = |time_s: f64| {
        let wind = met[(time_s * 1000.0).round() as usize];
        [wind.y - 4.0, -wind.x, wind.z]
    };
    let near = |time_s: f64, wanted: [f64; 3]| {
        let found = at(time_s);
        let off = found.iter().zip(wanted).map(|(a, b)| (a - b).abs());
        assert!(off.fold(0.0, f64::max) < 1e-12, "{time_s} s: {found:?}");
    };
    near(0.0, [0.0; 3]);
    near(2.0, [0.0; 3]);
    // After 5 m: half the way of v; a quarter of that of u, (1 - cos 45°)/2 of it.
    let quarter = 0.5 * (1.0 - 0.5f64.sqrt());
    near(3.0, [3.0 * quarter, 1.0, quarter]);
    near(4.0, [1.5, 2.0, 0.5]);
    // Full after 20 m, then the other one takes it away.
    near(6.0, [3.0, 2.0, 1.0]);
    near(7.0, [3.0 * (1.0 - quarter), 1.0, 1.0 - quarter]);
    near(10.0, [0.0; 3]);
    near(19.0, [0.0; 3]);
    let peak = met.iter().map(|wind| wind.y).fold(0.0, f64::max);
    assert!((peak - 7.0).abs() < 1e-12, "{peak}");
}

/// 4 m/s after 10 m of air at 5 m/s, gone after as much again.
#[test]
fn a_passing_gust_is_two_of_opposite_sign() {
    let gust: PassingGust = "2, 10, 4, 0, -1".parse().expect("a gust");
    let domain = Domain::calm(5.0).with_gusts(&[gust]).expect("legal");
    assert_eq!(domain.name, "still-gust");
    let mut wind = domain.wind(1, 10.0);
    let met: Vec<Vector3<f64>> = (0..10_000).map(|_| wind.step()).collect();
    for (time_s, wanted) in [(2.0, 0.0), (3.0, 2.0), (4.0, 4.0), (5.0, 2.0), (6.0, 0.0)] {
        let found = met[(1e3 * time_s) as usize];
        assert!((found - Vector3::new(wanted, 0.0, -wanted / 4.0)).norm() < 1e-9);
    }
    for fault in [
        "",
        "1,2",
        "1,2,3,4,5,6",
        "1,2,x",
        "1,-2,3",
        "-1,2,3",
        "1,2,nan",
    ] {
        assert!(fault.parse::<PassingGust>().is_err(), "{fault}");
    }
}

#[test]
fn batches_of_mixed_winds_are_flown_as_alone() {
    let spiral = by_name("spiral-up").expect("legal");
    let mut shaped =
        Domain::low_altitude("x", 10.0, 15.0, 8.0, Some(Profile::Other)).expect("legal");
    shaped.gusts = vec![DiscreteGust {
        start_s: 3.0,
        magnitude_m_s: [4.0, 1.0, -1.0],
        length_m: [10.0, 20.0, 30.0],
    }];
    // Beside one whose wind is the same at every height.
    let domains = [Domain::gusty(), shaped];
    let wind = |seed: u64| domains[seed as usize % 2].wind(seed, spiral.duration_s());
    let seeds: Vec<u64> = (0..10).collect();
    for instructions in [Instructions::Portable, Instructions::best()] {
        let mut setup = Setup::new(Airframe::omac());
        setup.instructions = instructions;
        let gains = &setup.airframe.gains;
        let together = fly_many(&setup, spiral.as_ref(), gains, wind, &seeds);
        for (seed, flight) in seeds.iter().zip(together) {
            let alone = fly(&setup, spiral.as_ref(), gains, &mut wind(*seed), *seed);
            assert_eq!(
                (alone.outcome, alone.score),
                (flight.outcome, flight.score),
                "{seed}"
            );
        }
    }
}

#[test]
fn a_domain_without_either_is_the_dryden_wind_it_was() {
    for domain in [Domain::gusty(), Domain::steady()] {
        let (mut before, mut now) = (sim::Dryden::new(&domain, 9), domain.wind(9, 20.0));
        let mut winds = [Vector3::zeros(); 48];
        now.steps(&mut winds);
        assert!(winds.iter().all(|wind| *wind == before.step()));
        assert!((0..100).all(|_| now.step() == before.step()));
    }
}
