//! Knob: one gain that may be tuned, with its bounds.

use serde::{Deserialize, Serialize};
use sim::Gains;

/// How the cube's coordinate runs from a knob's least to its greatest value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// By equal ratios: gains act by ratio.
    Log,
    /// By equal differences.
    Linear,
}

/// One gain that is tuned, with its bounds. The cube's coordinate is 0 at `low` and 1 at `high`.
#[derive(Debug, Clone, Copy)]
pub struct Knob {
    /// Name, as in a gains file.
    pub name: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
    /// What lies between them.
    pub scale: Scale,
    read: fn(&Gains) -> f64,
    write: fn(&mut Gains, f64),
}

impl Knob {
    /// The knob of that name, on a logarithmic scale between its usual bounds. For the position
    /// loop, whose gains are accelerations, these hold for every vehicle: 1..30 1/s², 0.02..10
    /// 1/s³, 1..12 1/s. For the attitude and rate loops they are a quarter of the gain in `base`
    /// and four times it; nothing lies between them where that gain is 0.
    ///
    /// A name that ends in `.xy` turns two axes: the first takes the value, the second keeps its
    /// ratio to the first.
    pub fn by_name(name: &str, base: &Gains) -> Option<Knob> {
        let form = FORMS.iter().find(|form| form.name == name)?;
        let value = (form.read)(base);
        let [low, high] = form.usual.unwrap_or([value / 4.0, value * 4.0]);
        Some(Knob {
            name: form.name,
            unit: form.unit,
            low,
            high,
            scale: Scale::Log,
            read: form.read,
            write: form.write,
        })
    }

    /// Value of this gain in `gains`.
    pub fn value(&self, gains: &Gains) -> f64 {
        (self.read)(gains)
    }

    /// Turns this gain of `gains` to `value`.
    pub fn set(&self, gains: &mut Gains, value: f64) {
        (self.write)(gains, value);
    }

    /// The gain at coordinate `unit`, clamped to the bounds.
    pub fn at(&self, unit: f64) -> f64 {
        let unit = unit.clamp(0.0, 1.0);
        let value = match self.scale {
            Scale::Log => self.low * (self.high / self.low).powf(unit),
            Scale::Linear => self.low + (self.high - self.low) * unit,
        };
        value.clamp(self.low, self.high)
    }

    /// Coordinate of `value`, clamped to the bounds.
    pub fn unit_of(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        match self.scale {
            Scale::Log => (value / self.low).ln() / (self.high / self.low).ln(),
            Scale::Linear => (value - self.low) / (self.high - self.low),
        }
    }
}

/// The knobs of the position loop.
pub const POSITION: [&str; 6] = [
    "position_xy.kp",
    "position_xy.ki",
    "position_xy.kd",
    "position_z.kp",
    "position_z.ki",
    "position_z.kd",
];

/// The knobs of the whole cascade.
pub const CASCADE: [&str; 14] = [
    "position_xy.kp",
    "position_xy.ki",
    "position_xy.kd",
    "position_z.kp",
    "position_z.ki",
    "position_z.kd",
    "attitude_kp.xy",
    "attitude_kp.z",
    "rate_kp.xy",
    "rate_kp.z",
    "rate_ki.xy",
    "rate_ki.z",
    "rate_kd.xy",
    "rate_kd.z",
];

/// The gains of the cascade that are not among the `tuned` ones because they are 0 in `base`.
pub fn left_out(tuned: &[&str], base: &Gains) -> Vec<&'static str> {
    let zero = |form: &&Form| form.usual.is_none() && (form.read)(base) == 0.0;
    let untuned = FORMS.iter().filter(|form| !tuned.contains(&form.name));
    untuned.filter(zero).map(|form| form.name).collect()
}

/// Whether `tuned` is the whole cascade of a vehicle with the gains `base`, but for gains that are 0
/// there; and which those are.
pub fn whole_cascade(tuned: &[&str], base: &Gains) -> Option<Vec<&'static str>> {
    let left_out = left_out(tuned, base);
    let there = |name: &&str| tuned.contains(name) || left_out.contains(name);
    CASCADE.iter().all(there).then_some(left_out)
}

struct Form {
    name: &'static str,
    unit: &'static str,
    usual: Option<[f64; 2]>,
    read: fn(&Gains) -> f64,
    write: fn(&mut Gains, f64),
}

const fn form(
    name: &'static str,
    unit: &'static str,
    usual: Option<[f64; 2]>,
    read: fn(&Gains) -> f64,
    write: fn(&mut Gains, f64),
) -> Form {
    Form {
        name,
        unit,
        usual,
        read,
        write,
    }
}

const KP: Option<[f64; 2]> = Some([1.0, 30.0]);
const KI: Option<[f64; 2]> = Some([0.02, 10.0]);
const KD: Option<[f64; 2]> = Some([1.0, 12.0]);

/// Every knob there is, in the order of [`CASCADE`].
#[rustfmt::skip]
const FORMS: [Form; 14] = [
    form("position_xy.kp", "1/s²", KP, |g| g.position_xy.kp, |g, v| g.position_xy.kp = v),
    form("position_xy.ki", "1/s³", KI, |g| g.position_xy.ki, |g, v| g.position_xy.ki = v),
    form("position_xy.kd", "1/s", KD, |g| g.position_xy.kd, |g, v| g.position_xy.kd = v),
    form("position_z.kp", "1/s²", KP, |g| g.position_z.kp, |g, v| g.position_z.kp = v),
    form("position_z.ki", "1/s³", KI, |g| g.position_z.ki, |g, v| g.position_z.ki = v),
    form("position_z.kd", "1/s", KD, |g| g.position_z.kd, |g, v| g.position_z.kd = v),
    form("attitude_kp.xy", "1/s", None, |g| g.attitude_kp[0], |g, v| both(&mut g.attitude_kp, v)),
    form("attitude_kp.z", "1/s", None, |g| g.attitude_kp[2], |g, v| g.attitude_kp[2] = v),
    form("rate_kp.xy", "N m s/rad", None, |g| g.rate_kp[0], |g, v| both(&mut g.rate_kp, v)),
    form("rate_kp.z", "N m s/rad", None, |g| g.rate_kp[2], |g, v| g.rate_kp[2] = v),
    form("rate_ki.xy", "N m/rad", None, |g| g.rate_ki[0], |g, v| both(&mut g.rate_ki, v)),
    form("rate_ki.z", "N m/rad", None, |g| g.rate_ki[2], |g, v| g.rate_ki[2] = v),
    form("rate_kd.xy", "N m s²/rad", None, |g| g.rate_kd[0], |g, v| both(&mut g.rate_kd, v)),
    form("rate_kd.z", "N m s²/rad", None, |g| g.rate_kd[2], |g, v| g.rate_kd[2] = v),
];

/// Turns x to `value` and keeps y's ratio to it; where x was 0 they become equal.
fn both(axes: &mut [f64; 3], value: f64) {
    let ratio = if axes[0] == 0.0 {
        1.0
    } else {
        axes[1] / axes[0]
    };
    axes[1] = value * ratio;
    axes[0] = value;
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::Airframe;

    #[test]
    fn every_knob_turns_what_it_reads_and_the_base_lies_between_its_bounds() {
        for airframe in sim::AIRFRAME_NAMES {
            let base = Airframe::by_name(airframe).expect("shipped").gains;
            for name in CASCADE {
                let knob = Knob::by_name(name, &base).expect("listed");
                let value = knob.value(&base);
                if value > 0.0 && !name.starts_with("position") {
                    assert!((knob.low..=knob.high).contains(&value), "{airframe} {name}");
                }
                let mut gains = base;
                knob.set(&mut gains, 0.125);
                assert_eq!(knob.value(&gains), 0.125, "{name}");
                let turned = CASCADE.into_iter().filter(|other| {
                    let other = Knob::by_name(other, &base).expect("listed");
                    other.value(&gains) != other.value(&base)
                });
                assert_eq!(turned.collect::<Vec<_>>(), [name], "only itself");
            }
        }
        assert!(Knob::by_name("position_xy.kq", &Airframe::omac().gains).is_none());
    }

    #[test]
    fn the_second_axis_of_a_pair_keeps_its_ratio() {
        let mut gains = Airframe::omac().gains;
        gains.rate_kp = [0.4, 0.6, 0.1];
        let knob = Knob::by_name("rate_kp.xy", &gains).expect("listed");
        knob.set(&mut gains, 0.8);
        assert!((gains.rate_kp[1] - 1.2).abs() < 1e-12);
        assert_eq!((gains.rate_kp[0], gains.rate_kp[2]), (0.8, 0.1));
    }

    #[test]
    fn both_scales_map_the_bounds_onto_the_cube_and_back() {
        let base = Airframe::omac().gains;
        for scale in [Scale::Log, Scale::Linear] {
            let knob = Knob {
                scale,
                ..Knob::by_name("position_xy.kp", &base).expect("listed")
            };
            assert_eq!((knob.at(0.0), knob.at(1.0)), (1.0, 30.0));
            for unit in [0.0, 0.2, 0.7, 1.0] {
                assert!((knob.unit_of(knob.at(unit)) - unit).abs() < 1e-12);
            }
        }
        let knob = Knob::by_name("position_xy.kp", &base).expect("listed");
        assert!(
            (knob.at(0.5) - 30f64.sqrt()).abs() < 1e-12,
            "the geometric middle"
        );
    }
}
