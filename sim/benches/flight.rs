//! How fast the simulator is. The work of the headline figure: a closed-loop figure-8 of 20 s by
//! the `omac` airframe with side force, sensor noise, Dryden wind at 1 kHz, RK4 at 1 ms, attitude
//! and rate loops at 1 kHz, on one core, in double precision: 20,000 steps.

use divan::Bencher;
use divan::counter::ItemsCount;
use sim::margins::{LOOPS, Linearised, usual_wind_m_s};
use sim::{
    Airframe, Domain, Dryden, Gains, Instructions, Integrator, Multirotor, Setup, State, Wind, fly,
    fly_all, fly_many,
};

const STEPS: u64 = 20_000;

fn main() {
    divan::main();
}

fn computed_with(instructions: Instructions) -> Setup {
    let mut setup = Setup::new(Airframe::omac());
    setup.instructions = instructions;
    setup
}

/// Flights of a batch.
const FLIGHTS: u64 = 16;

/// Items are integration steps, here and below.
#[divan::bench(args = [Instructions::Avx512, Instructions::Avx2, Instructions::Portable])]
fn closed_loop_flight(bencher: Bencher, instructions: Instructions) {
    let setup = computed_with(instructions);
    let fig8 = trajectories::by_name("fig8").expect("legal");
    let domain = Domain::gusty();
    bencher.counter(ItemsCount::new(STEPS)).bench(|| {
        let mut wind = Dryden::new(&domain, 3);
        fly(&setup, fig8.as_ref(), &setup.airframe.gains, &mut wind, 3)
    });
}

/// As `sim montecarlo` flies: the same flights, several at once. A processor without the
/// instructions falls back to the next best.
#[divan::bench(args = [Instructions::Avx512, Instructions::Avx2, Instructions::Portable])]
fn closed_loop_batch(bencher: Bencher, instructions: Instructions) {
    let setup = computed_with(instructions);
    let fig8 = trajectories::by_name("fig8").expect("legal");
    let domain = Domain::gusty();
    let gains = setup.airframe.gains;
    let seeds: Vec<u64> = (0..FLIGHTS).collect();
    let steps = ItemsCount::new(FLIGHTS * STEPS);
    bencher.counter(steps).bench(|| {
        let wind = |seed| Dryden::new(&domain, seed);
        fly_many(&setup, fig8.as_ref(), &gains, wind, &seeds)
    });
}

/// Eight flights, each with gains and a wind of its own, as a round of evaluations is flown: what
/// they cost in single flights is their time over that of `closed_loop_flight`.
#[divan::bench(args = [Instructions::Avx512, Instructions::Avx2, Instructions::Portable])]
fn side_by_side(bencher: Bencher, instructions: Instructions) {
    let setup = computed_with(instructions);
    let fig8 = trajectories::by_name("fig8").expect("legal");
    let domain = Domain::gusty();
    let softer = |n: u64| {
        let mut gains = setup.airframe.gains;
        gains.position_xy.kp *= 1.0 - 0.02 * n as f64;
        gains
    };
    let flights: Vec<(Gains, u64)> = (0..8).map(|n| (softer(n), n)).collect();
    bencher.counter(ItemsCount::new(8 * STEPS)).bench(|| {
        let wind = |seed| Dryden::new(&domain, seed);
        fly_all(&setup, fig8.as_ref(), &flights, wind)
    });
}

#[divan::bench]
fn wind_alone(bencher: Bencher) {
    let domain = Domain::gusty();
    bencher.counter(ItemsCount::new(STEPS)).bench(|| {
        let mut wind = Dryden::new(&domain, 3);
        (0..STEPS).map(|_| wind.step().x).sum::<f64>()
    });
}

#[divan::bench]
fn body_alone(bencher: Bencher) {
    let airframe = Airframe::omac();
    let multirotor = Multirotor::new(&airframe);
    let hover = airframe.hover_speed_rad_s();
    let wind = nalgebra::Vector3::new(3.0, 1.0, 0.5);
    let start = State {
        position_m: Default::default(),
        velocity_m_s: Default::default(),
        attitude: Default::default(),
        rates_rad_s: Default::default(),
        rotors_rad_s: [hover; 4].into(),
    };
    bencher.counter(ItemsCount::new(STEPS)).bench(|| {
        let mut state = start;
        let mut integrator = Integrator::new(&multirotor, 1e-3);
        for _ in 0..STEPS {
            integrator.step(&mut state, &[hover; 4].into(), &wind);
        }
        state
    });
}

/// The margins of all twelve loops of the hovering vehicle.
#[divan::bench]
fn margins_at_hover(bencher: Bencher) {
    let airframe = Airframe::omac();
    let wind = usual_wind_m_s(Some(&Domain::gusty()));
    bencher.bench(|| Linearised::hover(&airframe, &airframe.gains, 0, wind).all_margins(&LOOPS));
}

/// Whether the hovering vehicle is stable.
#[divan::bench]
fn mode_at_hover(bencher: Bencher) {
    let airframe = Airframe::omac();
    let wind = usual_wind_m_s(Some(&Domain::gusty()));
    bencher.bench(|| Linearised::hover(&airframe, &airframe.gains, 0, wind).mode());
}
