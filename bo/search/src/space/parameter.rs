//! Parameter: one number that may be tuned, and how its range maps onto the unit interval.

use crate::Refusal;
use serde::{Deserialize, Serialize};

/// A given value may lie this share of the range outside it: rounding on its way through text.
const ROUNDING: f64 = 1e-9;

/// How far from the middle of its range a value may have been met, in widths of the range: what lies further
/// outside says nothing of the inside and costs digits.
const FURTHEST: f64 = 100.0;

/// How the coordinate runs from the least to the greatest value of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// By equal ratios.
    Log,
    /// By equal differences.
    Linear,
}

/// Two bounds and what lies between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Least value, at coordinate 0.
    pub low: f64,
    /// Greatest value, at coordinate 1.
    pub high: f64,
    /// What lies between them.
    pub scale: Scale,
}

/// How the values of a parameter are spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// Any number of a span.
    Real(Span),
    /// Any whole number of a span, both ends included.
    Integer(Span),
    /// The values of a linear span that are whole steps above its low, both ends included.
    Stepped(Span, f64),
    /// One of so many choices, as its number from 0.
    Choice(usize),
    /// One value.
    Fixed(f64),
}

impl Scale {
    /// "log" or "linear", as in a study file.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Log => "log",
            Scale::Linear => "linear",
        }
    }
}

impl Range {
    /// Its bounds; of one value, that value twice; of choices, the first and the last number.
    pub fn span(self) -> Span {
        match self {
            Range::Real(span) | Range::Integer(span) | Range::Stepped(span, _) => span,
            Range::Choice(choices) => Span::linear(0.0, choices.saturating_sub(1) as f64),
            Range::Fixed(value) => Span::linear(value, value),
        }
    }

    /// The distance from one value to the next, where they are counted.
    pub(super) fn step(self) -> Option<f64> {
        match self {
            Range::Integer(_) | Range::Choice(_) => Some(1.0),
            Range::Stepped(_, step) => Some(step),
            Range::Real(_) | Range::Fixed(_) => None,
        }
    }

    /// The value of this range that is nearest to one of its span.
    fn nearest(self, value: f64) -> f64 {
        let nearest = match self {
            Range::Integer(_) | Range::Choice(_) => value.round(),
            Range::Stepped(span, step) => span.low + ((value - span.low) / step).round() * step,
            Range::Real(_) => value,
            Range::Fixed(value) => value,
        };
        let Span { low, high, .. } = self.span();
        nearest.clamp(low, high)
    }
}

impl Span {
    /// From `low` to `high` by equal ratios.
    pub const fn log(low: f64, high: f64) -> Span {
        let scale = Scale::Log;
        Span { low, high, scale }
    }

    /// From `low` to `high` by equal differences.
    pub const fn linear(low: f64, high: f64) -> Span {
        let scale = Scale::Linear;
        Span { low, high, scale }
    }

    /// Whether `value` lies between the bounds or on one.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The value at coordinate `unit`, clamped to the bounds and exact at both.
    fn natural(&self, unit: f64) -> f64 {
        let Span { low, high, scale } = *self;
        let value = match (unit.clamp(0.0, 1.0), scale) {
            (0.0, _) => low,
            (1.0, _) => high,
            (unit, Scale::Log) => low * (high / low).powf(unit),
            (unit, Scale::Linear) => low + (high - low) * unit,
        };
        value.clamp(low, high)
    }

    /// The coordinate of `value`, below 0 or above 1 where it lies outside the bounds; not finite where no
    /// number stands for it.
    fn coordinate(&self, value: f64) -> f64 {
        let Span { low, high, scale } = *self;
        match scale {
            Scale::Log => (value / low).ln() / (high / low).ln(),
            Scale::Linear => (value - low) / (high - low),
        }
    }

    /// The coordinate of `value`, clamped to the bounds.
    fn unit(&self, value: f64) -> f64 {
        self.coordinate(value.clamp(self.low, self.high))
            .clamp(0.0, 1.0)
    }

    fn check(&self, name: &str) -> Result<(), Refusal> {
        let Span { low, high, scale } = *self;
        finite(name, low)?;
        finite(name, high)?;
        let name = || name.to_owned();
        if low >= high {
            return Err(Refusal::BoundsNotAscending {
                name: name(),
                low,
                high,
            });
        }
        if scale == Scale::Log && low <= 0.0 {
            return Err(Refusal::LogOfNonPositive { name: name(), low });
        }
        let width = match scale {
            Scale::Log => high / low,
            Scale::Linear => high - low,
        };
        if !width.is_finite() {
            return Err(Refusal::TooWide {
                name: name(),
                low,
                high,
            });
        }
        Ok(())
    }
}

/// A named parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    name: String,
    range: Range,
}

impl Parameter {
    /// Checks and keeps a parameter.
    ///
    /// # Errors
    /// Bounds that are not finite, equal, reversed, too wide, not positive on a logarithmic scale,
    /// or not whole for an integer.
    pub fn new(name: impl Into<String>, range: Range) -> Result<Parameter, Refusal> {
        let name = name.into();
        match range {
            Range::Fixed(value) => finite(&name, value)?,
            Range::Real(span) => span.check(&name)?,
            Range::Integer(span) => {
                span.check(&name)?;
                for value in [span.low, span.high] {
                    if value.fract() != 0.0 || value.abs() > 2f64.powi(53) {
                        return Err(Refusal::BoundNotInteger { name, value });
                    }
                }
            }
            Range::Stepped(span, step) => {
                span.check(&name)?;
                finite(&name, step)?;
                let steps = (span.high - span.low) / step;
                let whole = (steps - steps.round()).abs() <= ROUNDING * steps;
                if step <= 0.0 || span.scale == Scale::Log || !whole {
                    let Span { low, high, .. } = span;
                    return Err(Refusal::Step {
                        name,
                        step,
                        low,
                        high,
                    });
                }
            }
            Range::Choice(choices) if choices < 2 => return Err(Refusal::OneChoice(name)),
            Range::Choice(_) => {}
        }
        Ok(Parameter { name, range })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its range.
    pub fn range(&self) -> Range {
        self.range
    }

    /// How many coordinates of the cube it has: one for each choice, else one, and none where it is fixed.
    pub(super) fn width(&self) -> usize {
        match self.range {
            Range::Fixed(_) => 0,
            Range::Choice(choices) => choices,
            _ => 1,
        }
    }

    /// The value at coordinate `unit`, clamped to the bounds; the number of the choice at a share of their
    /// numbers.
    pub fn natural(&self, unit: f64) -> f64 {
        match self.range {
            Range::Fixed(value) => value,
            range => range.nearest(range.span().natural(unit)),
        }
    }

    /// The coordinate of `value`, clamped to the bounds; 0 of a fixed parameter.
    pub fn unit(&self, value: f64) -> f64 {
        match self.range {
            Range::Fixed(_) => 0.0,
            range => range.span().unit(value),
        }
    }

    /// The coordinate of a value that was met, which may lie outside the bounds by as much as
    /// [`FURTHEST`] times what they are apart; a counted one at the nearest number.
    pub(super) fn coordinate(&self, index: usize, value: f64) -> Result<f64, Refusal> {
        self.check_kind(index, value)?;
        let span = self.range.span();
        let met = match self.range {
            Range::Integer(_) => value.round(),
            _ => value,
        };
        let coordinate = match self.check(index, value) {
            Ok(()) => self.unit(met),
            Err(_) if matches!(self.range, Range::Choice(_) | Range::Fixed(_)) => f64::NAN,
            Err(_) => span.coordinate(met),
        };
        // Written so that what is not a number is refused too.
        if (coordinate - 0.5).abs() <= FURTHEST {
            return Ok(coordinate);
        }
        Err(self.out_of_bounds(index, value))
    }

    /// The coordinate of a value that was met elsewhere, outside 0 to 1 where the value lies outside the bounds;
    /// `None` if it is not of this parameter, or too far outside to say anything of what lies inside.
    pub fn met(&self, value: f64) -> Option<f64> {
        self.coordinate(0, value).ok()
    }

    /// Refuses a value that is not of this parameter, or outside its bounds.
    pub(super) fn check(&self, index: usize, value: f64) -> Result<(), Refusal> {
        self.check_kind(index, value)?;
        let Span { low, high, .. } = self.range.span();
        let slack = ROUNDING * (high - low).max(low.abs().min(high.abs()));
        match value < low - slack || value > high + slack {
            true => Err(self.out_of_bounds(index, value)),
            false => Ok(()),
        }
    }

    fn out_of_bounds(&self, index: usize, value: f64) -> Refusal {
        let Span { low, high, .. } = self.range.span();
        Refusal::OutOfBounds {
            index,
            name: self.name.clone(),
            value,
            low,
            high,
        }
    }

    /// Refuses a value that is no number or between those that are counted.
    fn check_kind(&self, index: usize, value: f64) -> Result<(), Refusal> {
        let name = || self.name.clone();
        if !value.is_finite() {
            return Err(Refusal::NotFinite {
                index,
                name: name(),
                value,
            });
        }
        let Some(step) = self.range.step() else {
            return Ok(());
        };
        let low = self.range.span().low;
        let steps = (value - if step == 1.0 { 0.0 } else { low }) / step;
        if (steps - steps.round()).abs() > 1e-6 {
            let name = name();
            return Err(match self.range {
                Range::Stepped(..) => Refusal::BetweenSteps {
                    index,
                    name,
                    value,
                    low,
                    step,
                },
                _ => Refusal::NotInteger { index, name, value },
            });
        }
        Ok(())
    }
}

fn finite(name: &str, value: f64) -> Result<(), Refusal> {
    if value.is_finite() {
        return Ok(());
    }
    Err(Refusal::BoundNotFinite {
        name: name.to_owned(),
        value,
    })
}
