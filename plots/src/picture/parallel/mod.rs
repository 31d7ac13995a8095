//! Parallel coordinates: every evaluation of a search as a line across one upright axis for each
//! parameter, in the colour of what it came to. The best lie over the worse; those that were lost
//! have no value and lie on top, dashed.

mod upright;

use crate::axes::colour_bar;
use crate::axes::colour_scale::colour_at;
use crate::axes::legend::{self, Entry, Sample};
use crate::axes::marks;
use crate::error::{Error, LARGEST_M, count, refused, same_length, within};
use crate::page::ink::figure;
use crate::page::sheet::{Place, Sheet, page_width};
use crate::page::style::{
    CURVE_WIDTH, GAP, LABEL_SIZE, LEADING, LOSS, MARGIN, OVER_WIDTH, PAGE_WIDTH,
};
use upright::{axis_words, placed};

/// Most axes of a picture of parallel coordinates.
pub const MOST_PARALLEL_AXES: usize = 32;

/// Height of the axes \[px\].
const TALL: f64 = 460.0;
/// Room for the colour scale at the right \[px\].
const BAR_ROOM: f64 = 190.0;
/// Part of all values that the colour scale holds; the worst few go beyond it.
const HELD: f64 = 0.9;
/// Dash pattern of what was lost.
const LOST_DASH: &[f64] = &[26.0, 13.0];
/// Opacity of a lost line: many may cross.
const LOST_ALPHA: f64 = 0.75;

/// Evaluations across their parameters.
#[derive(Debug, Clone, Copy)]
pub struct ParallelPicture<'a> {
    /// What the picture shows, for those who cannot see it.
    pub title: &'a str,
    /// The parameters, from the left: 1 to [`MOST_PARALLEL_AXES`].
    pub axes: &'a [ParallelAxis<'a>],
    /// The evaluations, of which there is at least one.
    pub lines: &'a [ParallelLine<'a>],
    /// Name of what they came to, with its unit.
    pub value_name: &'a str,
}

/// One parameter.
#[derive(Debug, Clone, Copy)]
pub struct ParallelAxis<'a> {
    /// Its name with its unit.
    pub label: &'a str,
    /// Value at the lower end.
    pub low: f64,
    /// Value at the upper end, more than the lower.
    pub high: f64,
    /// Whether equal distances mean equal ratios; both ends are then positive.
    pub logarithmic: bool,
}

/// One evaluation.
#[derive(Debug, Clone, Copy)]
pub struct ParallelLine<'a> {
    /// A value for each parameter; what lies outside an axis stands at its end.
    pub values: &'a [f64],
    /// What it came to, not negative; none where it was lost.
    pub value: Option<f64>,
}

/// The picture as the text of an SVG element for a page that says what its title would.
///
/// # Errors
/// No axis or more than fit, no line, an axis that ends before it begins or is logarithmic and not
/// positive, a line that has not one value for each axis, or a value that is negative, not finite
/// or too large.
pub fn svg_parallel(picture: &ParallelPicture) -> Result<String, Error> {
    check(picture)?;
    Ok(figure(&sheet(picture)))
}

fn check(picture: &ParallelPicture) -> Result<(), Error> {
    count("axes", picture.axes.len(), MOST_PARALLEL_AXES)?;
    if picture.lines.is_empty() {
        let quantity = "list of lines";
        return Err(Error::NoValues { quantity });
    }
    for (index, axis) in picture.axes.iter().enumerate() {
        let ends = [axis.low, axis.high];
        within("list of ends", ends, -LARGEST_M..=LARGEST_M, "within 1e12")?;
        if axis.low >= axis.high {
            return refused(
                "upper end of an axis",
                index,
                axis.high,
                "more than the lower",
            );
        }
        if axis.logarithmic && axis.low <= 0.0 {
            return refused("lower end of an axis", index, axis.low, "positive");
        }
    }
    for line in picture.lines {
        same_length("line", line.values.len(), "axes", picture.axes.len())?;
        let values = line.values.iter().copied();
        within("line", values, -LARGEST_M..=LARGEST_M, "within 1e12")?;
    }
    let values = picture.lines.iter().filter_map(|line| line.value);
    within("list of values", values, 0.0..=LARGEST_M, "from 0 to 1e12")
}

fn sheet(picture: &ParallelPicture) -> Sheet {
    let mut sheet = Sheet::sized([PAGE_WIDTH, PAGE_WIDTH], picture.title);
    let line_height = LEADING * LABEL_SIZE;
    let axes = placed(picture, MARGIN + line_height + GAP);
    let mut values: Vec<f64> = picture.lines.iter().filter_map(|line| line.value).collect();
    values.sort_by(f64::total_cmp);
    let held = (HELD * values.len().saturating_sub(1) as f64).ceil() as usize;
    let top = values.get(held).copied().filter(|top| *top > 0.0);
    let exceeded = top.is_some_and(|top| values.last().is_some_and(|last| *last > top));
    for (line, colour_of) in ordered(picture.lines) {
        let points = line.values.iter().zip(&axes);
        let points: Vec<Place> = points
            .map(|(value, (x, axis))| [*x, axis.place(*value)])
            .collect();
        match (colour_of, top) {
            (Some(value), top) => {
                let colour = colour_at(top.map_or(0.0, |top| value / top));
                sheet.line(points.clone(), OVER_WIDTH, colour);
            }
            (None, _) => {
                let colour = LOSS.faded(LOST_ALPHA);
                sheet.dashed(points.clone(), LOST_DASH, OVER_WIDTH, colour);
            }
        }
        // Of a single parameter there is no line to see.
        if let ([at], Some(value)) = (&points[..], colour_of) {
            sheet.disc(
                *at,
                CURVE_WIDTH,
                colour_at(top.map_or(0.0, |top| value / top)),
            );
        } else if let [at] = &points[..] {
            marks::cross_mark(&mut sheet, *at, LOSS);
        }
    }
    let bottom = axis_words(&mut sheet, picture, &axes);
    let (axis_top, axis_bottom) = (axes[0].1.to, axes[0].1.from);
    if let Some(top) = top {
        let draw = if exceeded {
            colour_bar::draw_open
        } else {
            colour_bar::draw
        };
        let left = page_width() - MARGIN - BAR_ROOM + 3.0 * GAP;
        draw(
            &mut sheet,
            picture.value_name,
            top,
            [left, axis_top],
            axis_bottom,
        );
    }
    let entries = entries(picture.lines);
    let (left, right) = (MARGIN, sheet.right());
    let end = bottom + GAP + legend::rows_height(&entries, left, right);
    sheet.end_at(end);
    legend::rows(&mut sheet, &entries, left, right, end);
    sheet
}

/// Lines with their values in the order in which they are drawn: from the worst to the best, and
/// over them what was lost.
fn ordered<'a>(lines: &'a [ParallelLine<'a>]) -> Vec<(&'a ParallelLine<'a>, Option<f64>)> {
    let mut all: Vec<_> = lines.iter().map(|line| (line, line.value)).collect();
    let key = |value: Option<f64>| value.map_or(f64::NEG_INFINITY, |value| value);
    all.sort_by(|(_, a), (_, b)| key(*b).total_cmp(&key(*a)));
    all
}

fn entries(lines: &[ParallelLine]) -> Vec<Entry> {
    let mut entries = Vec::new();
    if lines.iter().any(|line| line.value.is_some()) {
        let ramp = Sample::Ramp { width: CURVE_WIDTH };
        entries.push(Entry::new(ramp, "one evaluation"));
    }
    if lines.iter().any(|line| line.value.is_none()) {
        let dashed = Sample::line(LOSS, OVER_WIDTH, LOST_DASH);
        entries.push(Entry::new(dashed, "lost: no cost"));
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::legible;

    fn picture_of<R>(count: usize, read: impl FnOnce(&ParallelPicture) -> R) -> R {
        let label = |k: usize| format!("position_xy.k{} [1/s²]", ["p", "i", "d"][k % 3]);
        let labels: Vec<String> = (0..count).map(label).collect();
        let axis = |label| ParallelAxis {
            label,
            low: 0.02,
            high: 30.0,
            logarithmic: true,
        };
        let axes: Vec<ParallelAxis> = labels.iter().map(|label| axis(label)).collect();
        let values: Vec<Vec<f64>> = (0..20)
            .map(|line| {
                (0..count)
                    .map(|k| 0.02 * 1.2_f64.powi(((3 * line + 5 * k) % 40) as i32))
                    .collect()
            })
            .collect();
        let line = |(k, values): (usize, &'static [f64])| ParallelLine {
            values,
            value: (k % 5 != 0).then_some(0.1 * k as f64),
        };
        let values: Vec<&'static [f64]> = values.into_iter().map(|one| &*one.leak()).collect();
        let lines: Vec<ParallelLine> = values.into_iter().enumerate().map(line).collect();
        read(&ParallelPicture {
            title: "every evaluation",
            axes: &axes,
            lines: &lines,
            value_name: "cost J [m]",
        })
    }

    #[test]
    fn words_are_clear_of_each_other_however_many_axes_there_are() {
        for count in [1, 2, 3, 6, 12, 16, MOST_PARALLEL_AXES] {
            picture_of(count, |picture| legible::check(&sheet(picture)));
        }
    }

    #[test]
    fn lost_lines_lie_on_top_and_the_best_over_the_worse() {
        let line = |value| ParallelLine {
            values: &[1.0],
            value,
        };
        let lines = [line(None), line(Some(0.1)), line(Some(0.7)), line(None)];
        let order: Vec<Option<f64>> = ordered(&lines)
            .into_iter()
            .map(|(_, value)| value)
            .collect();
        assert_eq!(order, [Some(0.7), Some(0.1), None, None]);
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        picture_of(3, |picture| {
            assert!(svg_parallel(picture).is_ok_and(|svg| svg.contains("lost: no cost")));
            let none = ParallelPicture {
                lines: &[],
                ..*picture
            };
            assert!(svg_parallel(&none).is_err());
            let mut axes = picture.axes.to_vec();
            axes[1].low = 0.0;
            let bad = ParallelPicture {
                axes: &axes,
                ..*picture
            };
            assert!(svg_parallel(&bad).is_err());
            let fewer = ParallelPicture {
                axes: &picture.axes[..2],
                ..*picture
            };
            assert!(svg_parallel(&fewer).is_err());
        });
    }
}
