//! Scene: three dimensions on a page. A view is the box of space that is shown, and where its points
//! appear on the page.
//!
//! Parallel projection, with one scale for all axes: a circle flown is a circle seen from one
//! side. The eye looks from the right front, above; z is up on the page.

pub mod cage;
pub mod track;

use crate::page::sheet::Place;

/// A point in space \[m\]: x, y and z, with z up.
pub type Point = [f64; 3];

/// Least side of a box that is shown \[m\]: noise about one point must not fill the page.
const LEAST_SIDE_M: f64 = 0.05;
/// Least side as a part of its longest, so that labels find room on every axis.
const LEAST_SIDE: f64 = 0.25;

/// A box with sides along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Space {
    /// The smallest coordinates \[m\].
    pub low: Point,
    /// The largest coordinates \[m\].
    pub high: Point,
}

impl Space {
    /// The smallest box that holds the points, of which there is at least one.
    pub fn around(points: &[Point]) -> Self {
        let nothing = Self {
            low: [f64::INFINITY; 3],
            high: [f64::NEG_INFINITY; 3],
        };
        points.iter().fold(nothing, |space, &point| {
            space.with(Self {
                low: point,
                high: point,
            })
        })
    }

    /// The box that is shown of a reference and of paths: all of the one, and of the others what lies at
    /// most as many of its longest sides from it, or so many metres, whichever is more.
    pub fn shown(
        reference: &[Point],
        paths: impl Iterator<Item = Self>,
        [reach_sides, reach_m]: [f64; 2],
    ) -> Self {
        let reference = Self::around(reference);
        let reach = (reach_sides * reference.longest()).max(reach_m);
        let space = paths
            .fold(reference, Self::with)
            .within(reference.grown(reach))
            .at_least(LEAST_SIDE_M);
        let longest = space.longest();
        space.at_least(LEAST_SIDE * longest).grown(0.03 * longest)
    }

    /// Length of the longest side \[m\].
    pub fn longest(&self) -> f64 {
        (0..3)
            .map(|axis| self.high[axis] - self.low[axis])
            .fold(0.0, f64::max)
    }

    /// The box grown by `margin` m on every side.
    pub fn grown(self, margin: f64) -> Self {
        Self {
            low: self.low.map(|low| low - margin),
            high: self.high.map(|high| high + margin),
        }
    }

    /// The smallest box that holds both.
    pub fn with(self, other: Self) -> Self {
        Self {
            low: std::array::from_fn(|axis| self.low[axis].min(other.low[axis])),
            high: std::array::from_fn(|axis| self.high[axis].max(other.high[axis])),
        }
    }

    /// What both boxes hold; they overlap.
    pub fn within(self, other: Self) -> Self {
        Self {
            low: std::array::from_fn(|axis| self.low[axis].max(other.low[axis])),
            high: std::array::from_fn(|axis| self.high[axis].min(other.high[axis])),
        }
    }

    /// The box with every side at least `side` m, grown about its middle.
    pub fn at_least(mut self, side: f64) -> Self {
        for axis in 0..3 {
            let missing = side - (self.high[axis] - self.low[axis]);
            if missing > 0.0 {
                self.low[axis] -= 0.5 * missing;
                self.high[axis] += 0.5 * missing;
            }
        }
        self
    }

    /// Whether the box holds the point.
    pub fn holds(&self, point: Point) -> bool {
        (0..3).all(|axis| (self.low[axis]..=self.high[axis]).contains(&point[axis]))
    }

    /// The part of the line from `from` to `to` inside the box, if there is one (Y.-D. Liang and
    /// B. A. Barsky, "A new concept and method for line clipping", 1984).
    pub fn clip(&self, from: Point, to: Point) -> Option<[Point; 2]> {
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for axis in 0..3 {
            let along = to[axis] - from[axis];
            if along == 0.0 {
                if from[axis] < self.low[axis] || from[axis] > self.high[axis] {
                    return None;
                }
                continue;
            }
            let (a, b) = (
                (self.low[axis] - from[axis]) / along,
                (self.high[axis] - from[axis]) / along,
            );
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        let at =
            |part: f64| std::array::from_fn(|axis| from[axis] + part * (to[axis] - from[axis]));
        let first = if enter == 0.0 { from } else { at(enter) };
        let last = if leave == 1.0 { to } else { at(leave) };
        (enter <= leave).then_some([first, last])
    }

    /// The eight corners.
    pub fn corners(&self) -> [Point; 8] {
        std::array::from_fn(|corner| {
            std::array::from_fn(|axis| {
                if corner >> axis & 1 == 0 {
                    self.low[axis]
                } else {
                    self.high[axis]
                }
            })
        })
    }
}

/// Direction to the eye, seen from above: turned from the x axis towards y \[degrees\].
const AZIMUTH_DEG: f64 = -56.0;
/// Height of the eye above the horizon \[degrees\].
const ELEVATION_DEG: f64 = 24.0;

/// Where points of space appear on the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Pixels in a metre.
    pub px_per_m: f64,
    origin: Point,
    place: Place,
}

impl View {
    /// The view that shows all of `space` as large as possible, in the middle of the rectangle
    /// between two places.
    pub fn fitting(space: &Space, upper_left: Place, lower_right: Place) -> Self {
        let origin = std::array::from_fn(|axis| 0.5 * (space.low[axis] + space.high[axis]));
        let unit = Self {
            px_per_m: 1.0,
            origin,
            place: [0.0, 0.0],
        };
        let mut reach = [0.0_f64; 2];
        for corner in space.corners() {
            let place = unit.place(corner);
            reach = [reach[0].max(place[0].abs()), reach[1].max(place[1].abs())];
        }
        let room = [
            lower_right[0] - upper_left[0],
            lower_right[1] - upper_left[1],
        ];
        let px_per_m = (0.5 * room[0] / reach[0]).min(0.5 * room[1] / reach[1]);
        let place = [0, 1].map(|axis| 0.5 * (upper_left[axis] + lower_right[axis]));
        Self {
            px_per_m,
            origin,
            place,
        }
    }

    /// Where the point appears.
    pub fn place(&self, point: Point) -> Place {
        let from_middle = std::array::from_fn(|axis| point[axis] - self.origin[axis]);
        let [x, y] = Self::direction(from_middle);
        [
            self.place[0] + self.px_per_m * x,
            self.place[1] + self.px_per_m * y,
        ]
    }

    /// Where a direction of space points on the page, as long as it appears at 1 px a metre.
    pub fn direction([x, y, z]: Point) -> Place {
        let (azimuth, elevation) = (AZIMUTH_DEG.to_radians(), ELEVATION_DEG.to_radians());
        let right = -azimuth.sin() * x + azimuth.cos() * y;
        let towards_eye = azimuth.cos() * x + azimuth.sin() * y;
        [right, elevation.sin() * towards_eye - elevation.cos() * z]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Space = Space {
        low: [0.0; 3],
        high: [1.0; 3],
    };

    #[test]
    fn clipping_keeps_the_inside_part() {
        let [a, b] = UNIT.clip([-1.0, 0.5, 0.5], [3.0, 0.5, 0.5]).unwrap();
        assert_eq!((a, b), ([0.0, 0.5, 0.5], [1.0, 0.5, 0.5]));
        let inside = [[0.1, 0.2, 0.3], [0.9, 0.8, 0.7]];
        assert_eq!(UNIT.clip(inside[0], inside[1]), Some(inside));
        assert_eq!(UNIT.clip([-1.0, 0.0, 2.0], [3.0, 0.5, 2.0]), None);
        assert_eq!(UNIT.clip([-1.0, 0.5, 0.5], [0.5, 2.0, 0.5]), None);
        assert_eq!(UNIT.clip([0.5; 3], [0.5; 3]), Some([[0.5; 3]; 2]));
    }

    #[test]
    fn a_box_fits_its_rectangle_and_touches_two_sides() {
        for size in [
            [1.0, 1.0, 1.0],
            [20.0, 1.0, 1.0],
            [1.0, 1.0, 30.0],
            [0.1, 5.0, 0.2],
        ] {
            let space = Space {
                low: [3.0, -2.0, 1.0],
                high: [3.0 + size[0], -2.0 + size[1], 1.0 + size[2]],
            };
            let view = View::fitting(&space, [100.0, 50.0], [900.0, 650.0]);
            let places = space.corners().map(|corner| view.place(corner));
            let span = |axis: usize| {
                let values = places.map(|place| place[axis]);
                (
                    values.into_iter().fold(f64::INFINITY, f64::min),
                    values.into_iter().fold(0.0, f64::max),
                )
            };
            let ((left, right), (top, bottom)) = (span(0), span(1));
            assert!(left > 99.999 && right < 900.001 && top > 49.999 && bottom < 650.001);
            assert!(right - left > 799.999 || bottom - top > 599.999);
        }
    }

    #[test]
    fn lengths_across_the_line_of_sight_keep_one_scale() {
        let (azimuth, elevation) = (AZIMUTH_DEG.to_radians(), ELEVATION_DEG.to_radians());
        let across = View::direction([-azimuth.sin(), azimuth.cos(), 0.0]);
        let up = View::direction([
            -azimuth.cos() * elevation.sin(),
            -azimuth.sin() * elevation.sin(),
            elevation.cos(),
        ]);
        assert!((across[0] - 1.0).abs() < 1e-12 && across[1].abs() < 1e-12);
        assert!(up[0].abs() < 1e-12 && (up[1] + 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_point_gets_a_box_of_the_least_side() {
        let space = Space::around(&[[1.0, 2.0, 3.0]]).at_least(0.5);
        assert_eq!(
            space,
            Space {
                low: [0.75, 1.75, 2.75],
                high: [1.25, 2.25, 3.25]
            }
        );
    }
}
