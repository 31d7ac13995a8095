//! How fast the simulator is. The work of the headline figure: a closed-loop figure-8 of 20 s by
//! the `omac` airframe with side force, sensor noise, Dryden wind at 1 kHz, RK4 at 1 ms, attitude
//! and rate loops at 1 kHz, on one core, in double precision: 20,000 steps.

use divan::Bencher;
use divan::counter::ItemsCount;
use sim::{Airframe, Domain, Dryden, Quadrotor, Setup, State, Wind, fly};

const STEPS: u64 = 20_000;

fn main() {
    divan::main();
}

/// Items are integration steps.
#[divan::bench]
fn closed_loop_flight(bencher: Bencher) {
    let setup = Setup::new(Airframe::omac());
    let fig8 = trajectories::by_name("fig8").expect("legal");
    let domain = Domain::gusty();
    bencher.counter(ItemsCount::new(STEPS)).bench(|| {
        let mut wind = Dryden::new(&domain, 3);
        fly(&setup, fig8.as_ref(), &setup.airframe.gains, &mut wind, 3)
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
    let quadrotor = Quadrotor::new(&airframe);
    let hover = airframe.hover_speed_rad_s();
    let wind = nalgebra::Vector3::new(3.0, 1.0, 0.5);
    let start = State {
        position_m: Default::default(),
        velocity_m_s: Default::default(),
        attitude: Default::default(),
        rates_rad_s: Default::default(),
        rotors_rad_s: [hover; 4],
    };
    bencher.counter(ItemsCount::new(STEPS)).bench(|| {
        let mut state = start;
        for _ in 0..STEPS {
            quadrotor.step(&mut state, &[hover; 4], &wind, 1e-3);
        }
        state
    });
}
