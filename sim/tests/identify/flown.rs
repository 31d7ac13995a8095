//! Flights of a drawn vehicle, as its sensors show them.

use super::drawn::drawn;
use nalgebra::Vector3;
use sim::log::Measured;
use sim::{Airframe, Domain, Dryden, Manoeuvre, SensorNoise, Setup, Start, Steady, Wind, fly, mix};
use std::sync::Arc;
use trajectories::{Fig8, Hover, Trajectory, Waypoints};

/// Where it flies at two to three metres a second, in every direction.
const TOUR: &str = "t,x,y,z\n0,0,0,0\n2,3,1,0.6\n4,0,-2,-0.5\n6,-3,1,0.6\n8,0,3,-0.4\n10,3,-1,0.5\n12,0,-3,0\n\
                    14,-3,0,0.7\n16,0,2,-0.5\n18,3,1,0.5\n20,0,0,0\n";

fn boxed(trajectory: impl Trajectory + 'static) -> Box<dyn Trajectory> {
    Box::new(trajectory)
}

/// What is flown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// A hover with doublets and a tour: what is advised.
    Advised,
    /// A hover.
    Hover,
    /// Figure-8s.
    Figure,
}

/// A vehicle with what its sensors showed.
pub struct Flown {
    pub airframe: Airframe,
    pub sensors: SensorNoise,
    /// That of vehicle and flights.
    pub seed: u64,
    pub gusty: bool,
    /// One or more flights.
    pub shown: Vec<Vec<Measured>>,
    /// Mean wind of all of them [m/s].
    pub wind_m_s: Vector3<f64>,
    /// What the accelerometer is off by along z [m/s²].
    pub bias_z_m_s2: f64,
}

impl Flown {
    /// What vehicle `seed` shows where it flies `plan`; `None` where it is lost.
    pub fn of(seed: u64, plan: Plan, gusty: bool) -> Option<Flown> {
        let (airframe, sensors) = drawn(seed);
        let mut flown = Flown {
            airframe,
            sensors,
            seed,
            gusty,
            shown: Vec::new(),
            wind_m_s: Vector3::zeros(),
            bias_z_m_s2: 0.0,
        };
        let doublets = Manoeuvre::doublets(40.0);
        let hover = |lasts_s: f64| boxed(Hover { lasts_s });
        let tour = Waypoints::from_csv("tour", TOUR).expect("legal");
        let flights: Vec<(Box<dyn Trajectory>, Option<Manoeuvre>)> = match plan {
            Plan::Advised => vec![(hover(41.0), Some(doublets)), (boxed(tour), None)],
            Plan::Hover => vec![(hover(40.0), None)],
            Plan::Figure => vec![(boxed(Fig8), None)],
        };
        let mut ticks = 0.0;
        for (number, (trajectory, manoeuvre)) in (0..).zip(flights) {
            let setup = Setup {
                sensors: flown.sensors,
                record_every: 1,
                start: Start::Equilibrium,
                manoeuvre: manoeuvre.map(Arc::new),
                ..Setup::new(flown.airframe.clone())
            };
            let mut wind: Box<dyn Wind> = match gusty {
                true => Box::new(Dryden::new(&Domain::gusty(), mix(&[seed, number]))),
                false => Box::new(Steady(Vector3::zeros())),
            };
            // All with the seed of the vehicle, whose sensors are off by as much in each flight.
            let gains = &flown.airframe.gains;
            let flight = fly(&setup, trajectory.as_ref(), gains, wind.as_mut(), seed);
            if !flight.completed() {
                return None;
            }
            let samples = &flight.samples;
            flown
                .shown
                .push(Measured::of(samples, &flown.sensors, seed));
            flown.wind_m_s += samples
                .iter()
                .map(|sample| sample.wind_m_s)
                .sum::<Vector3<f64>>();
            ticks += samples.len() as f64;
            if number == 0 {
                let with = |accelerometer_bias_m_s2: f64| {
                    let quiet = SensorNoise {
                        accelerometer_bias_m_s2,
                        accelerometer_m_s2: 0.0,
                        vibration_m_s2: 0.0,
                        dropouts_per_s: 0.0,
                        ..flown.sensors
                    };
                    Measured::of(&samples[..1], &quiet, seed)[0]
                        .accelerometer_m_s2
                        .z
                };
                flown.bias_z_m_s2 = with(flown.sensors.accelerometer_bias_m_s2) - with(0.0);
            }
        }
        flown.wind_m_s /= ticks;
        Some(flown)
    }

    /// Vehicle `number` of those that fly `plan`, and how many were lost before: each is replaced by another.
    pub fn number(number: u64, plan: Plan, gusty: bool) -> (Flown, usize) {
        let seeds = (0..).map(|attempt| number + 1_000_000 * attempt);
        let mut flown = seeds.map(|seed| Flown::of(seed, plan, gusty)).enumerate();
        flown
            .find_map(|(lost, flown)| Some((flown?, lost)))
            .expect("one of them flies")
    }

    /// What is known of it before: mass, arm and greatest speed.
    pub fn nominal(&self) -> Airframe {
        let mut nominal = self.airframe.clone();
        nominal.rotors.lag_s = 0.03;
        nominal.rotors.thrust_n_s2_per_rad2 *= 1.1;
        nominal.inertia_kg_m2 = [0, 1, 2].map(|i| nominal.inertia_kg_m2[i].map(|x| 1.3 * x));
        nominal
    }
}
