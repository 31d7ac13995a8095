use super::*;
use proptest::prelude::*;

fn span(low: f64, high: f64, log: bool) -> Span {
    let scale = if log { Scale::Log } else { Scale::Linear };
    Span { low, high, scale }
}

fn real(name: &str, low: f64, high: f64, log: bool) -> Result<Parameter, Refusal> {
    Parameter::new(name, Range::Real(span(low, high, log)))
}

fn mixed() -> Space {
    let integer = Range::Integer(Span::linear(2.0, 9.0));
    let ratio = Range::Integer(Span::log(1.0, 1024.0));
    Space::new(vec![
        real("kp", 0.02, 2.0, true).expect("legal"),
        Parameter::new("mass", Range::Fixed(1.5)).expect("legal"),
        Parameter::new("poles", integer).expect("legal"),
        real("offset", -3.0, 4.0, false).expect("legal"),
        Parameter::new("size", ratio).expect("legal"),
    ])
    .expect("legal")
}

proptest! {
    #[test]
    fn the_cube_and_natural_units_map_onto_each_other(
        unit in prop::array::uniform4(0.0f64..=1.0),
    ) {
        let space = mixed();
        let snapped = space.snapped(&unit);
        let natural = space.natural(&unit);
        prop_assert_eq!(&natural, &space.natural(&snapped));
        prop_assert_eq!(natural[1], 1.5);
        prop_assert_eq!(natural[2].fract(), 0.0);
        let back = space.unit(&natural).expect("inside");
        for (a, b) in back.iter().zip(&snapped) {
            prop_assert!((a - b).abs() < 1e-12);
        }
    }

    #[test]
    fn any_bounds_are_taken_or_refused_and_never_panic(
        low in prop::num::f64::ANY, high in prop::num::f64::ANY,
        log: bool, integer: bool, unit in 0.0f64..=1.0,
    ) {
        let range = if integer {
            Range::Integer(span(low, high, log))
        } else {
            Range::Real(span(low, high, log))
        };
        if let Ok(parameter) = Parameter::new("x", range) {
            let value = parameter.natural(unit);
            prop_assert!((low..=high).contains(&value), "{value}");
            prop_assert!((0.0..=1.0).contains(&parameter.unit(value)));
        }
    }
}

#[test]
fn the_corners_are_the_bounds_exactly() {
    let space = mixed();
    assert_eq!(space.natural(&[0.0; 4]), [0.02, 1.5, 2.0, -3.0, 1.0]);
    assert_eq!(space.natural(&[1.0; 4]), [2.0, 1.5, 9.0, 4.0, 1024.0]);
    assert_eq!(space.dimensions(), 4);
    assert!(!space.is_continuous());
}

#[test]
fn neighbours_differ_by_one_along_one_integer_and_stay_inside() {
    let space = mixed();
    let corner = space.unit(&[1.0, 1.5, 2.0, 0.0, 7.0]).expect("inside");
    let around: Vec<Vec<f64>> = space
        .neighbours(&corner)
        .iter()
        .map(|unit| space.natural(unit))
        .collect();
    let integers: Vec<(f64, f64)> = around.iter().map(|x| (x[2], x[4])).collect();
    assert_eq!(integers, [(3.0, 7.0), (2.0, 6.0), (2.0, 8.0)]);
}

#[test]
fn each_bad_bound_has_its_line() {
    let line = |low, high, log| real("k", low, high, log).expect_err("bad").to_string();
    assert_eq!(
        line(2.0, 1.0, false),
        "`k` runs from 2 to 1; low must be below high"
    );
    assert_eq!(
        line(1.0, 1.0, true),
        "`k` runs from 1 to 1; low must be below high"
    );
    assert_eq!(
        line(0.0, 1.0, true),
        "`k` is on a logarithmic scale from 0; its low must be above 0"
    );
    assert_eq!(
        line(f64::NAN, 1.0, false),
        "a bound of `k` is NaN, not a finite number"
    );
    assert!(line(-1e308, 1e308, false).contains("too wide a range"));
    let half = Range::Integer(Span::linear(0.5, 3.0));
    let error = Parameter::new("n", half).expect_err("half").to_string();
    assert_eq!(error, "`n` is an integer, but a bound is 0.5");
}

#[test]
fn each_bad_space_has_its_line() {
    let line = |parameters| Space::new(parameters).expect_err("bad").to_string();
    assert_eq!(line(vec![]), "the space has no parameter to tune");
    let fixed = Parameter::new("a", Range::Fixed(1.0)).expect("legal");
    assert_eq!(line(vec![fixed]), "the space has no parameter to tune");
    let a = real("a", 0.0, 1.0, false).expect("legal");
    assert_eq!(line(vec![a.clone(), a]), "parameter `a` stands twice");
    let many = (0..201).map(|i| real(&i.to_string(), 0.0, 1.0, false).expect("legal"));
    assert_eq!(
        line(many.collect()),
        "the space has 201 parameters to tune; the limit is 200"
    );
}

#[test]
fn each_bad_point_has_its_line() {
    let line = |x: &[f64]| mixed().unit(x).expect_err("bad").to_string();
    assert_eq!(line(&[1.0]), "x has 1 numbers; the space has 5");
    assert_eq!(
        line(&[3.0, 1.5, 2.0, 0.0, 1.0]),
        "x[0] (`kp`) is 3, outside 0.02 to 2"
    );
    assert_eq!(
        line(&[1.0, 1.5, 2.0, f64::NAN, 1.0]),
        "x[3] (`offset`) is NaN, not a finite number"
    );
    assert_eq!(
        line(&[1.0, 1.5, 2.5, 0.0, 1.0]),
        "x[2] (`poles`) is 2.5, not an integer"
    );
    assert_eq!(
        line(&[1.0, 1.6, 2.0, 0.0, 1.0]),
        "x[1] (`mass`) is 1.6, outside 1.5 to 1.5"
    );
}

fn counted() -> Space {
    Space::new(vec![
        Parameter::new("kernel", Range::Choice(3)).expect("legal"),
        Parameter::new("rate", Range::Stepped(Span::linear(0.1, 0.7), 0.2)).expect("legal"),
        Parameter::new("seed", Range::Fixed(7.0)).expect("legal"),
    ])
    .expect("legal")
}

proptest! {
    #[test]
    fn counted_values_are_their_own_points(unit in prop::array::uniform4(0.0f64..=1.0)) {
        let space = counted();
        let snapped = space.snapped(&unit);
        let natural = space.natural(&unit);
        prop_assert_eq!(&natural, &space.natural(&snapped));
        prop_assert_eq!(snapped[..3].iter().sum::<f64>(), 1.0);
        let steps = (natural[1] - 0.1) / 0.2;
        prop_assert!((steps - steps.round()).abs() < 1e-12);
        let back = space.unit(&natural).expect("inside");
        for (a, b) in back.iter().zip(&snapped) {
            prop_assert!((a - b).abs() < 1e-12);
        }
        let around = space.neighbours(&snapped);
        let inside = if (0.2..0.6).contains(&natural[1]) { 2 } else { 1 };
        prop_assert_eq!(around.len(), 2 + inside);
        for neighbour in around {
            let there = space.natural(&neighbour);
            let moved = (there[1] - natural[1]).abs();
            prop_assert!((there[0] != natural[0]) ^ ((moved - 0.2).abs() < 1e-12), "{:?}", there);
        }
    }
}

#[test]
fn a_counted_space_knows_how_many_points_it_has() {
    assert_eq!(counted().points(), Some(12));
    assert_eq!(mixed().points(), None, "two parameters are real");
    assert_eq!(counted().dimensions(), 4);
}

#[test]
fn what_was_met_outside_has_coordinates_outside_and_nothing_far_outside_has() {
    let space = mixed();
    let met = space
        .coordinates(&[20.0, 1.5, 12.0, -10.0, 1.0])
        .expect("met");
    assert!(
        (met[0] - 1.5).abs() < 1e-12,
        "half the width in ratios: {met:?}"
    );
    assert!((met[1] - 10.0 / 7.0).abs() < 1e-12 && met[2] == -1.0);
    assert!(!space.holds(&met));
    let inside = [1.0, 1.5, 2.0, 0.0, 7.0];
    let unit = space.unit(&inside).expect("inside");
    assert_eq!(space.coordinates(&inside).expect("met"), unit);
    assert!(space.holds(&unit));
    for x in [
        [1.0, 1.5, 2.0, 1e6, 7.0],
        [-1.0, 1.5, 2.0, 0.0, 7.0],
        [1.0, 1.4, 2.0, 0.0, 7.0],
    ] {
        let error = space.coordinates(&x).expect_err("says nothing").to_string();
        assert!(error.contains("outside"), "{error}");
    }
}
