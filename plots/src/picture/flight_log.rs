//! Flight log: what a flight did over time, in panels that share the time axis.
//!
//! Position error, attitude, body rates, motor speeds and wind lie one below the other. However
//! many samples there are, every peak is drawn at its full height.

use crate::axes::legend::{self, Entry};
use crate::axes::panel::{Panel, room_below, stack, x_name};
use crate::axes::{Axis, HEADROOM, ends, range};
use crate::error::{Error, FINITE, never_descending, present, same_length, within};
use crate::page::curve::{self, decimate};
use crate::page::sheet::{Anchor, Page, Place, Sheet};
use crate::page::style::{
    BLACK, DARK_GREY, GAP, LABEL_SIZE, LEADING, MARGIN, OVER_WIDTH, RULE_WIDTH, series_colour,
    series_dash,
};
use crate::picture::Picture;

/// The record of one flight: every list has as many entries as there are times.
#[derive(Debug, Clone, Copy)]
pub struct FlightLog<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// Times of the samples, never descending \[s\].
    pub time_s: &'a [f64],
    /// Position minus reference along world x, y and z \[m\].
    pub position_error_m: &'a [[f64; 3]],
    /// Roll, pitch and yaw \[rad\]; drawn in degrees. A step of more than half a turn is a wrap
    /// and not drawn.
    pub attitude_rad: &'a [[f64; 3]],
    /// Rates about the body axes x, y and z \[rad/s\].
    pub rates_rad_s: &'a [[f64; 3]],
    /// Speed of each motor, as many in each sample; the first twelve are drawn \[rad/s\].
    pub motors_rad_s: &'a [Vec<f64>],
    /// Least and greatest speed that a motor can have \[rad/s\].
    pub motor_range_rad_s: [f64; 2],
    /// Wind along world x, y and z \[m/s\].
    pub wind_m_s: &'a [[f64; 3]],
    /// When the vehicle was lost \[s\].
    pub lost_at_s: Option<f64>,
}

/// Names of the motors.
const MOTORS: [&str; 12] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
];

impl FlightLog<'_> {
    /// How many motors there are.
    fn motors(&self) -> usize {
        self.motors_rad_s.first().map_or(0, Vec::len)
    }

    /// The speeds of one.
    fn motor(&self, motor: usize) -> impl Iterator<Item = f64> {
        self.motors_rad_s.iter().map(move |sample| sample[motor])
    }
}

fn check_list<const N: usize>(
    quantity: &'static str,
    list: &[[f64; N]],
    log: &FlightLog,
) -> Result<(), Error> {
    same_length(quantity, list.len(), "time", log.time_s.len())?;
    (0..N).try_for_each(|column| within(quantity, list.iter().map(|row| row[column]), FINITE))
}

/// Widths of the two columns of the legends \[px\].
const LEGEND_COLUMNS: [f64; 2] = [162.0, 192.0];
/// Width of each of three columns, where two would be too long \[px\].
const NARROW_COLUMN: f64 = 116.0;
/// Most entries in two columns.
const IN_TWO_COLUMNS: usize = 8;
/// Time that is shown after a loss, as a part of the time before it.
const AFTER_LOSS: f64 = 0.03;
/// Dash pattern of the loss \[px\].
const LOSS_DASH: &[f64] = &[10.0, 6.0];
/// Dash pattern of a limit \[px\].
const LIMIT_DASH: &[f64] = &[3.0, 5.0];

/// One panel: its curves, and the values that it marks with thin lines.
struct Content {
    heading: &'static str,
    curves: Vec<(&'static str, Vec<f64>)>,
    limits: Option<[f64; 2]>,
    /// A larger step is a wrap and not drawn.
    largest_step: f64,
}

impl Content {
    /// The range of all that it shows.
    fn range(&self) -> (f64, f64) {
        let values = self.curves.iter().flat_map(|(_, values)| values).copied();
        range(values.chain(self.limits.into_iter().flatten()), HEADROOM)
    }
}

fn contents(log: &FlightLog) -> [Content; 5] {
    let panel = |heading, curves| Content {
        heading,
        curves,
        limits: None,
        largest_step: f64::INFINITY,
    };
    let norm = |e: &[f64; 3]| e[0].hypot(e[1]).hypot(e[2]);
    let mut error = columns(["x", "y", "z"], log.position_error_m);
    error.push(("distance", log.position_error_m.iter().map(norm).collect()));
    let mut attitude = columns(["roll", "pitch", "yaw"], log.attitude_rad);
    for (_, angles) in &mut attitude {
        angles
            .iter_mut()
            .for_each(|angle| *angle = angle.to_degrees());
    }
    let motors = MOTORS.into_iter().zip(0..log.motors());
    let motors = motors.map(|(name, motor)| (name, log.motor(motor).collect()));
    [
        panel("position error [m]", error),
        Content {
            largest_step: 180.0,
            ..panel("attitude [°]", attitude)
        },
        panel(
            "body rates [rad/s]",
            columns(["x", "y", "z"], log.rates_rad_s),
        ),
        Content {
            limits: Some(log.motor_range_rad_s),
            ..panel("motor speeds [rad/s]", motors.collect())
        },
        panel("wind [m/s]", columns(["x", "y", "z"], log.wind_m_s)),
    ]
}

fn columns<const N: usize>(
    names: [&'static str; N],
    rows: &[[f64; N]],
) -> Vec<(&'static str, Vec<f64>)> {
    let column = |index: usize| rows.iter().map(|row| row[index]).collect();
    names
        .into_iter()
        .enumerate()
        .map(|(index, name)| (name, column(index)))
        .collect()
}

impl Picture for FlightLog<'_> {
    /// No samples, lists of different lengths, times that descend, a number that is not finite or
    /// too large.
    fn check(&self) -> Result<(), Error> {
        present("time", self.time_s)?;
        within("time", self.time_s.iter().copied(), FINITE)?;
        never_descending("time", self.time_s)?;
        check_list("position error", self.position_error_m, self)?;
        check_list("attitude", self.attitude_rad, self)?;
        check_list("body rates", self.rates_rad_s, self)?;
        let motors = self.motors_rad_s;
        same_length("motor speeds", motors.len(), "time", self.time_s.len())?;
        for sample in motors {
            same_length("motors of a sample", sample.len(), "motors", self.motors())?;
        }
        within("motor speeds", motors.iter().flatten().copied(), FINITE)?;
        check_list("wind", self.wind_m_s, self)?;
        within("motor range", self.motor_range_rad_s, FINITE)?;
        within("time of the loss", self.lost_at_s, FINITE)
    }

    /// The page: its panels, their curves and what each is called.
    fn sheet(&self, page: Page) -> Sheet {
        let (mut sheet, mut top) = Sheet::on(page.wide(), self.title);
        if self.lost_at_s.is_some() {
            top += LEADING * LABEL_SIZE;
        }
        let contents = contents(self);
        let bottom = sheet.bottom() - room_below();
        let right = sheet.right() - LEGEND_COLUMNS.iter().sum::<f64>() - 2.0 * GAP;
        let ranges = contents.iter().map(Content::range).collect::<Vec<_>>();
        let panels = stack(times(self), &ranges, [MARGIN, top], [right, bottom], 8);
        for (index, (content, panel)) in contents.iter().zip(&panels).enumerate() {
            draw(&mut sheet, self, content, panel);
            panel.frame(&mut sheet, [index + 1 == panels.len(), true]);
            let y = panel.axes.y;
            key(
                &mut sheet,
                content,
                [right + 2.0 * GAP, y.to],
                y.from - y.to,
            );
        }
        let x = panels[0].axes.x;
        loss(&mut sheet, self, x, [top, bottom]);
        x_name(&mut sheet, "time [s]", x.from, x.to, bottom);
        sheet
    }
}

/// From when to when the axis goes.
fn times(log: &FlightLog) -> (f64, f64) {
    let (first, last) = ends(log.time_s.iter().copied());
    let last = log.lost_at_s.map_or(last, |at_s| {
        let end = last.max(at_s);
        end + AFTER_LOSS * (end - first)
    });
    if last > first {
        (first, last)
    } else {
        // A single sample stands in the middle.
        (first - 0.5, first + 0.5)
    }
}

fn draw(sheet: &mut Sheet, log: &FlightLog, content: &Content, panel: &Panel) {
    panel.grid(sheet);
    let axes = &panel.axes;
    for limit in content.limits.into_iter().flatten() {
        sheet.dashed(axes.level(limit), LIMIT_DASH, RULE_WIDTH, DARK_GREY);
    }
    for (index, (_, values)) in content.curves.iter().enumerate() {
        let colour = series_colour(index);
        for stretch in curve::unwrapped_stretches(values, content.largest_step) {
            let places = stretch.map(|sample| axes.place(log.time_s[sample], values[sample]));
            let points = decimate(&places.collect::<Vec<_>>());
            curve::draw(sheet, points, series_dash(index), colour);
        }
    }
}

/// Draws the heading of a panel and, in columns below it, what its curves are.
fn key(sheet: &mut Sheet, content: &Content, [x, top]: Place, height: f64) {
    let mut entries: Vec<Entry> = (content.curves.iter().enumerate())
        .map(|(index, (name, _))| {
            Entry::line(*name, series_colour(index), OVER_WIDTH, series_dash(index))
        })
        .collect();
    if content.limits.is_some() {
        entries.push(Entry::line("limit", DARK_GREY, RULE_WIDTH, LIMIT_DASH));
    }
    let row = LEADING * LABEL_SIZE;
    let (columns, width) = match entries.len() {
        0..=IN_TWO_COLUMNS => (2, LEGEND_COLUMNS[0]),
        _ => (3, NARROW_COLUMN),
    };
    let rows = entries.len().div_ceil(columns) as f64;
    let mut y = top + 0.5 * (height - row * (rows + 1.0));
    let at = [x, y + 0.8 * row];
    sheet.label(at, content.heading, Anchor::Start);
    for entries in entries.chunks(columns) {
        y += row;
        for (column, entry) in entries.iter().enumerate() {
            let from = column as f64 * width;
            // The last of a row has all that is left of it, and the gap before the edge.
            let room = match column + 1 == entries.len() {
                true => LEGEND_COLUMNS.iter().sum::<f64>() + GAP - from,
                false => width,
            };
            legend::column(sheet, std::slice::from_ref(entry), [x + from, y], room);
        }
    }
}

/// Marks the loss through all panels, and says when it was.
fn loss(sheet: &mut Sheet, log: &FlightLog, x: Axis, [top, bottom]: [f64; 2]) {
    let Some(at_s) = log.lost_at_s else {
        return;
    };
    let across = x.place(at_s);
    let rule = vec![[across, top], [across, bottom]];
    sheet.dashed(rule, LOSS_DASH, 1.5 * RULE_WIDTH, BLACK);
    let anchor = if across > 0.5 * (x.from + x.to) {
        Anchor::End
    } else {
        Anchor::Start
    };
    let at = [across, top - 0.4 * LABEL_SIZE];
    let words = format!("lost at {at_s:.3} s");
    sheet.label(at, words, anchor);
}
