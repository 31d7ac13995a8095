//! Cascade: the linear vehicle and all its loops, one control period after the other.

use super::POSITION_PERIOD_S;
use super::linear::{INPUTS, OUTPUTS, STATES, Sampled};
use super::trim::{LoopGains, Trim};
use crate::control::small_errors;
use crate::vehicle::airframe::Gains;
use crate::{Airframe, CONTROL_PERIOD_S};
use nalgebra::{DVector, Matrix3, SMatrix, Vector3};

/// The states of the loops: integrals of rate and position, the filter, what is
/// held, the shaped setpoint, climb, error, integral and held wish of the vertical loop, the filtered torque and the filtered thrust;
/// then the commands that have not yet come through.
pub(super) const OF_LOOPS: usize = 24;

/// The vehicle about one point, and what is fed back.
#[derive(Debug, Clone)]
pub(super) struct Cascade {
    pub(super) plant: Sampled,
    /// Turn (three rows) and thrust by wanted acceleration.
    pub(super) aim: SMatrix<f64, 4, 3>,
    pub(super) gains: LoopGains,
    /// Attitude errors by small turns about the body axes.
    pub(super) errors: Matrix3<f64>,
    /// The thrust over its vertical part.
    pub(super) lean: f64,
    pub(super) delay_periods: u32,
}

impl Cascade {
    pub(super) fn about(
        trim: &Trim,
        airframe: &Airframe,
        gains: &Gains,
        delay_periods: u32,
    ) -> Cascade {
        Cascade {
            plant: Sampled::of(airframe, trim),
            aim: trim.aim(),
            gains: LoopGains::of(airframe, gains),
            errors: small_errors(&airframe.controller.law(), &trim.state.attitude),
            lean: trim.specific_force_m_s2.norm() / trim.specific_force_m_s2.z,
            delay_periods,
        }
    }

    /// One control period of the linear cascade.
    pub(super) fn step(&self, all: &mut DVector<f64>, positions: bool) {
        let vehicle = all.fixed_rows::<STATES>(0).into_owned();
        let seen = vehicle.fixed_rows::<OUTPUTS>(0).into_owned();
        let at = |from: usize| seen.fixed_rows::<3>(from).into_owned();
        let [kp, ki, kd] = self.gains.position;
        if positions {
            let integral = (memory(all, 6) - at(0) * POSITION_PERIOD_S).zip_map(&ki, used);
            keep(all, 6, &integral);
            let wanted =
                ki.component_mul(&integral) - kp.component_mul(&at(0)) - kd.component_mul(&at(3));
            all.fixed_rows_mut::<4>(STATES + 9)
                .copy_from(&(self.aim * wanted));
            all[STATES + 19] = wanted.z;
        }
        let held = all.fixed_rows::<4>(STATES + 9).into_owned();
        let errors = self.errors * (held.fixed_rows::<3>(0) - at(6));
        let asked = errors.component_mul(&self.gains.attitude);
        let before = memory(all, 13);
        let setpoint = asked + (before - asked).component_mul(&self.gains.setpoint_decay);
        keep(all, 13, &setpoint);
        let [kp, ki, kd] = self.gains.rate;
        let error = setpoint - at(9);
        let integral = (memory(all, 0) + error * CONTROL_PERIOD_S).zip_map(&ki, used);
        let moved = (at(9) - memory(all, 3)) * (1.0 - self.gains.filter_decay);
        let filtered = memory(all, 3) + moved;
        keep(all, 0, &integral);
        keep(all, 3, &filtered);
        let [on_setpoint, on_change] = self.gains.feedforward;
        let feedforward = on_setpoint.component_mul(&setpoint)
            + on_change.component_mul(&(setpoint - before)) / CONTROL_PERIOD_S;
        let torque = kp.component_mul(&error) + ki.component_mul(&integral)
            - kd.component_mul(&moved) / CONTROL_PERIOD_S
            + feedforward;
        let decay = &self.gains.torque_decay;
        let torque = torque + (memory(all, 20) - torque).component_mul(decay);
        keep(all, 20, &torque.zip_map(decay, used));
        let thrust = held[3] + self.lift(all, at(3).z);
        let input = nalgebra::SVector::<f64, INPUTS>::new(thrust, torque.x, torque.y, torque.z);
        let input = self.delayed(all, input);
        let moved = self.plant.phi * vehicle + self.plant.gamma * input;
        all.fixed_rows_mut::<STATES>(0).copy_from(&moved);
    }

    /// What the loop on the vertical acceleration adds to the thrust over the mass.
    fn lift(&self, all: &mut DVector<f64>, climb: f64) -> f64 {
        let Some((law, [of_error, of_thrust])) = self.gains.vertical else {
            // The state holds only what is used.
            all.fixed_rows_mut::<3>(STATES + 16).fill(0.0);
            all[STATES + 23] = 0.0;
            return 0.0;
        };
        let wanted = all[STATES + 19];
        let felt = (climb - all[STATES + 16]) / CONTROL_PERIOD_S;
        all[STATES + 16] = climb;
        let error = wanted - felt;
        all[STATES + 17] = error + (all[STATES + 17] - error) * of_error;
        let integral = all[STATES + 18] + all[STATES + 17] * CONTROL_PERIOD_S;
        all[STATES + 18] = used(integral, law.ki);
        let force = law.kp * all[STATES + 17] + law.ki * all[STATES + 18];
        let filtered = force + (all[STATES + 23] - force) * of_thrust;
        all[STATES + 23] = used(filtered, of_thrust);
        self.lean * (filtered - wanted)
    }

    /// The command that comes through now; newest last. What is fed back is late by so much, and it is the
    /// same where the commands are, but for the shift of the loops' clocks: a third of the memory does.
    fn delayed(
        &self,
        all: &mut DVector<f64>,
        now: nalgebra::SVector<f64, INPUTS>,
    ) -> nalgebra::SVector<f64, INPUTS> {
        if self.delay_periods == 0 {
            return now;
        }
        let (from, end) = (STATES + OF_LOOPS, all.len());
        let through = all.fixed_rows::<INPUTS>(from).into_owned();
        all.as_mut_slice().copy_within(from + INPUTS..end, from);
        all.fixed_rows_mut::<INPUTS>(end - INPUTS).copy_from(&now);
        through
    }
}

/// What is remembered with no gain on it stays out of the state.
fn used(integral: f64, gain: f64) -> f64 {
    if gain == 0.0 { 0.0 } else { integral }
}

fn memory(all: &DVector<f64>, from: usize) -> Vector3<f64> {
    all.fixed_rows::<3>(STATES + from).into_owned()
}

fn keep(all: &mut DVector<f64>, from: usize, values: &Vector3<f64>) {
    all.fixed_rows_mut::<3>(STATES + from).copy_from(values);
}
