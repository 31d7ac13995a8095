//! Firmware: what an autopilot's parameters do besides the gains that an export writes.
//!
//! Every parameter of a tune is *read* (a gain, or something that the simulation has a place for),
//! *acting* (it acts on the loop and is not simulated), *harmless* or *unknown*. What acts and is not as
//! the firmware comes, and every unknown name of a control family, forbids the best verdict.

mod ardupilot;
pub(super) mod betaflight;
mod crazyflie;
mod px4;

use super::targets::common::all_thrust_n;
use super::targets::full_torques_of;
use crate::{Airframe, ControllerLimits, Frame, GRAVITY_M_S2, Gains};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Delay of sensors, filters, loop and speed controllers that is taken where no autopilot is named [ms].
pub const UNKNOWN_DELAY_MS: f64 = 10.0;

/// What one firmware's parameters mean.
pub(super) struct Firmware {
    /// Values as the firmware comes, of what [`Firmware::structure`] reads.
    stock: &'static [(&'static str, f64)],
    /// What acts on the loop and is not simulated: the values with which the firmware's versions come, and
    /// the names, a `*` standing for anything.
    acting: &'static [(&'static [f64], &'static str)],
    /// The names of what does not act on the loop; the comment above each says where that is seen.
    harmless: &'static [&'static str],
    /// How names of families that act on the loop begin.
    control: &'static str,
    /// The names of settings that are words and act, and the words with which they come.
    words: &'static [(&'static str, &'static str)],
    /// The vehicle's controller, delay and slopes.
    structure: fn(&Settings, &Airframe) -> Structure,
}

/// What a tune says of the controller besides its gains.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Structure {
    /// Limits, filters and law.
    pub(super) controller: ControllerLimits,
    /// What all measurements are late by, with the filters and the speed controllers in it [ms].
    pub(super) delay_ms: f64,
    /// Where that comes from, in words.
    pub(super) delay_said: String,
    /// By what gains act more strongly near hover than with thrust linear in the command.
    pub(super) slopes: Slopes,
    /// Greatest speeds that the position loop asks for, each by its parameter: across, up and down [m/s].
    pub(super) speeds_m_s: Vec<(&'static str, f64)>,
    /// What may not fit the airframe; one sentence each.
    pub(super) mismatches: Vec<String>,
    /// What the file says of another frame than the airframe's; one sentence each.
    pub(super) foreign: Vec<String>,
    /// What alone forbids a flight; one sentence each.
    pub(super) forbidding: Vec<String>,
}

/// By what gains act more strongly than their numbers say: rates by torque, the vertical loop by thrust where it is
/// the autopilot's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Slopes {
    pub(super) rate: f64,
    pub(super) vertical: f64,
}

impl Slopes {
    /// As the numbers say.
    pub(super) const NONE: Slopes = Slopes {
        rate: 1.0,
        vertical: 1.0,
    };

    /// The gains that numbers like `gains` act as.
    pub(super) fn acting(&self, gains: &Gains) -> Gains {
        let mut gains = *gains;
        for terms in [&mut gains.rate_kp, &mut gains.rate_ki, &mut gains.rate_kd] {
            terms.iter_mut().for_each(|gain| *gain *= self.rate);
        }
        let z = &mut gains.position_z;
        for gain in [&mut z.kp, &mut z.ki, &mut z.kd] {
            *gain *= self.vertical;
        }
        gains
    }

    /// The numbers that act as `gains`.
    pub(super) fn written(&self, gains: &Gains) -> Gains {
        let inverse = Slopes {
            rate: 1.0 / self.rate,
            vertical: 1.0 / self.vertical,
        };
        inverse.acting(gains)
    }
}

/// What a tune holds that is not read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Unread {
    /// What acts, is not simulated and is not as the firmware comes, with its values; one sentence each.
    pub(super) acting: Vec<String>,
    /// What acts and is as the firmware comes.
    pub(super) at_stock: Vec<String>,
    /// How many other names are unknown.
    pub(super) unknown: usize,
}

/// The firmware of `target`; `None` for a target without one.
pub(super) fn of(target: &str) -> Option<&'static Firmware> {
    Some(match target {
        "px4" => &px4::FIRMWARE,
        "ardupilot" => &ardupilot::FIRMWARE,
        "betaflight" => &betaflight::FIRMWARE,
        "crazyflie" => &crazyflie::FIRMWARE,
        _ => return None,
    })
}

impl Firmware {
    /// The values as the firmware comes.
    pub(super) fn stock(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.stock.iter().copied()
    }

    /// What `settings` say of the controller of `airframe`.
    pub(super) fn structure(&self, settings: &Settings, airframe: &Airframe) -> Structure {
        (self.structure)(settings, airframe)
    }

    /// What of `settings` was not read until now, and of the `words`.
    pub(super) fn unread(&self, settings: &Settings, words: &[(usize, String, String)]) -> Unread {
        let mut unread = Unread::default();
        for (name, value) in settings.unread() {
            let acting = self.acting.iter().find(|(_, names)| is_among(names, name));
            let stock = acting.map(|(stock, _)| *stock);
            if stock.is_some_and(|stock| stock.iter().any(|own| near(*own, value))) {
                unread.at_stock.push(name.to_owned());
                continue;
            }
            let stock = stock.and_then(|stock| stock.first()).map(f64::to_string);
            self.sort(&mut unread, name, &value.to_string(), stock);
        }
        for (_, name, word) in words {
            let own = self.words.iter().find(|(names, _)| is_among(names, name));
            let stock = own.map(|(_, stock)| *stock);
            if !stock.is_some_and(|stock| is_among_words(stock, word)) {
                self.sort(&mut unread, name, word, stock.map(str::to_owned));
            }
        }
        unread
    }

    /// Puts a setting that is not as the firmware comes, `stock`, where it belongs; what does not act has
    /// none.
    fn sort(&self, unread: &mut Unread, name: &str, value: &str, stock: Option<String>) {
        let harmless = || self.harmless.iter().any(|names| is_among(names, name));
        match stock {
            Some(stock) => unread.acting.push(format!(
                "{name} {value} acts on the loop and is not simulated (the firmware comes with {stock})"
            )),
            None if harmless() => {}
            None if self.is_control(name) => unread.acting.push(format!(
                "{name} {value} is not known, and names like it act on the loop"
            )),
            None => unread.unknown += 1,
        }
    }

    fn is_control(&self, name: &str) -> bool {
        let mut families = self.control.split_whitespace();
        families.any(|family| name.starts_with(family))
    }
}

/// Whether `name` is among `names`, in which `*` stands for anything.
fn is_among(names: &str, name: &str) -> bool {
    names
        .split_whitespace()
        .any(|known| match known.split_once('*') {
            Some((before, after)) => {
                name.len() >= before.len() + after.len()
                    && name.starts_with(before)
                    && name.ends_with(after)
            }
            None => known == name,
        })
}

/// Whether `word` is among `words`, in any case.
fn is_among_words(words: &str, word: &str) -> bool {
    let mut words = words.split_whitespace();
    words.any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether two values are the same but for how a file rounds them.
fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-4 * one.abs().max(other.abs())
}

/// The share of its full thrust at which each rotor of `airframe` hovers.
fn hover_share(airframe: &Airframe) -> f64 {
    airframe.mass_kg * GRAVITY_M_S2 / all_thrust_n(airframe)
}

/// Delay of a low-pass of second order at `cutoff_hz` [ms]; none where that is 0.
fn second_order_ms(cutoff_hz: f64) -> f64 {
    match cutoff_hz > 0.0 {
        true => 225.0 / cutoff_hz,
        false => 0.0,
    }
}

/// Time constant of a low-pass of first order at `cutoff_hz` [s]; next to none where that is 0.
fn first_order_s(cutoff_hz: f64) -> f64 {
    match cutoff_hz > 0.0 {
        true => 1.0 / (std::f64::consts::TAU * cutoff_hz),
        false => 1e-4,
    }
}

/// The clamp of the rate error's integral [rad] where the torque that it may ask for is limited to the
/// share `most` of the full one and the gain is `ki`, the share for 1 rad.
fn integral_limit_rad(most: f64, ki: f64) -> f64 {
    match ki > 0.0 {
        true => (most / ki).clamp(0.0, 1e6),
        false => 1e6,
    }
}

/// What is wrong where a thrust limit leaves less than the weight.
fn below_weight(name: &str, value: f64, most_n: f64, airframe: &Airframe) -> Option<String> {
    let weight_n = airframe.mass_kg * GRAVITY_M_S2;
    (most_n <= weight_n).then(|| {
        format!(
            "{name} {value} leaves {most_n:.1} N of thrust, and {} weighs {weight_n:.1} N",
            airframe.name
        )
    })
}

/// That filters `of` the file, each with its highest usual cut-off [Hz], are off or let more pass: what vibration does
/// then is not simulated, so that they look better here than they are.
fn open_filters(settings: &Settings, of: &[(&str, f64)]) -> Vec<String> {
    let open = |(name, most): &(&str, f64)| {
        let hz = settings
            .file
            .get(*name)
            .filter(|hz| **hz == 0.0 || *hz > most)?;
        Some(format!(
            "{name} {hz} lets vibration pass, which is not simulated"
        ))
    };
    of.iter().filter_map(open).collect()
}

/// That the mixer which `autopilot` has for the rotors is not known.
fn unknown_frame(autopilot: &str, airframe: &Airframe) -> Option<String> {
    let known = airframe.rotors.count() == 4 || Frame::of(&airframe.rotors).is_some();
    (!known).then(|| {
        format!(
            "the {} rotors of {} are no frame that is known here: how strongly the mixer of {autopilot} acts is not known",
            airframe.rotors.count(),
            airframe.name
        )
    })
}

/// That the hover throttle of the file is not the airframe's, by more than a factor of 1.5: a battery from full
/// to nearly empty (4.2 to 3.5 V a cell) changes the thrust of a command by 1.44, so that one vehicle has both.
fn hover_throttle(
    name: &str,
    of_file: Option<f64>,
    own: f64,
    airframe: &Airframe,
) -> Option<String> {
    let given = of_file.filter(|given| *given > 0.0)?;
    let apart = (given / own).max(own / given);
    (apart > 1.5).then(|| {
        format!(
            "{name} {given} is not the hover throttle of {}, {own:.2}: is it the file of this vehicle?",
            airframe.name
        )
    })
}

// Curve: thrust by command, where thrust goes with the square of the command of the speed controller.
//
// Settings: the values of a tune's file with the firmware's own behind them, and which were asked for.

/// Values by name.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    file: BTreeMap<String, f64>,
    stock: BTreeMap<&'static str, f64>,
    read: RefCell<BTreeSet<String>>,
}

impl Settings {
    /// Those of a file; what it does not hold is as in `stock`.
    pub(crate) fn of(
        file: &BTreeMap<String, f64>,
        stock: impl Iterator<Item = (&'static str, f64)>,
    ) -> Settings {
        Settings {
            file: file.clone(),
            stock: stock.collect(),
            read: RefCell::default(),
        }
    }

    /// Of the settings of the file that were asked for those that are no numbers, and those below 0 whose stock value is
    /// not, but for what bends a curve either way.
    pub(super) fn senseless(&self) -> [Vec<String>; 2] {
        let read = self.read.borrow();
        let said = |is_so: &dyn Fn(&str, f64) -> bool| {
            let found = self
                .file
                .iter()
                .filter(|(name, value)| read.contains(*name) && is_so(name, **value));
            found
                .map(|(name, value)| format!("{name} {value}"))
                .collect()
        };
        let below = |name: &str, value: f64| {
            let stock = self.stock.get(name);
            value < 0.0 && stock.is_some_and(|stock| *stock >= 0.0) && name != "MOT_THST_EXPO"
        };
        [said(&|_, value| !value.is_finite()), said(&below)]
    }

    /// The value in the file.
    pub(crate) fn own(&self, name: &str) -> Option<f64> {
        let value = self.file.get(name).copied();
        if value.is_some() {
            self.read.borrow_mut().insert(name.to_owned());
        }
        value
    }

    /// Whether the value of the file was asked for.
    pub(super) fn is_read(&self, name: &str) -> bool {
        self.read.borrow().contains(name)
    }

    /// The value in the file, or else the firmware's own.
    pub(crate) fn any(&self, name: &str) -> Option<f64> {
        self.own(name).or_else(|| self.stock.get(name).copied())
    }

    /// The limits of speed `stock`, as the file has them. What differs is named as acting all the same: it limits what
    /// gusts are answered with, too.
    pub(super) fn speeds_m_s(&self, stock: [(&'static str, f64); 3]) -> Vec<(&'static str, f64)> {
        let of = |(name, own)| (name, self.file.get(name).copied().unwrap_or(own));
        stock.map(of).into()
    }

    /// The same; 0 of a name that neither has.
    pub(crate) fn value(&self, name: &str) -> f64 {
        self.any(name).unwrap_or(0.0)
    }

    /// The value of the first of `names` that the file holds, or else of the first that the firmware
    /// comes with.
    pub(crate) fn first(&self, names: &[&str]) -> f64 {
        let own = names.iter().find_map(|name| self.own(name));
        own.unwrap_or_else(|| names.iter().find_map(|name| self.any(name)).unwrap_or(0.0))
    }

    /// Whether the file holds one of `names`.
    pub(crate) fn says(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.own(name).is_some())
    }

    /// The settings of the file that were never asked for.
    fn unread(&self) -> Vec<(&str, f64)> {
        let read = self.read.borrow();
        let left = self.file.iter().filter(|(name, _)| !read.contains(*name));
        left.map(|(name, value)| (name.as_str(), *value)).collect()
    }
}

#[cfg(test)]
mod tests;
