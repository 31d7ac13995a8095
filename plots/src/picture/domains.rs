//! Domains: how the error of several methods grows as the test data move away from the training
//! data, domain by domain.

use crate::axes::legend::{self, Entry};
use crate::axes::panel::{Panel, room_below, room_left};
use crate::axes::{Axes, Axis, HEADROOM, range};
use crate::error::{Error, FINITE, present, same_length, within};
use crate::page::sheet::{Anchor, Page, Sheet};
use crate::page::style::{
    BLACK, CURVE_WIDTH, LABEL_SIZE, MARGIN, OVER_WIDTH, RULE_WIDTH, TICK_LENGTH, WHITE,
    series_colour, series_dash,
};
use crate::picture::Picture;

/// Half the width of the ends of a bar \[px\].
const BAR_END: f64 = 6.0;
/// Colours before they repeat.
const COLOURS: usize = 6;
/// Share of the distance between domains over which the methods are spread.
const SPREAD: f64 = 0.6;

/// Methods compared over domains.
#[derive(Debug, Clone, Copy)]
pub struct DomainsPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// Name of the value, with its unit.
    pub y_name: &'a str,
    /// What the bars show, for the legend.
    pub bar_name: &'a str,
    /// The domains in their order, each a label.
    pub domains: &'a [String],
    /// The methods, each with its own colour and dash pattern.
    pub methods: &'a [Method<'a>],
}

/// One method.
#[derive(Debug, Clone, Copy)]
pub struct Method<'a> {
    /// Name in the legend.
    pub label: &'a str,
    /// For each domain the value and the two ends of its bar.
    pub values: &'a [[f64; 3]],
}

impl Picture for DomainsPicture<'_> {
    /// No method or domain, not one value a domain, a number that is not finite or too large.
    fn check(&self) -> Result<(), Error> {
        present("list of methods", self.methods)?;
        present("list of domains", self.domains)?;
        for method in self.methods {
            let (quantity, domains) = ("list of values of a method", self.domains.len());
            same_length(quantity, method.values.len(), "domains", domains)?;
            within(quantity, method.values.iter().flatten().copied(), FINITE)?;
        }
        Ok(())
    }

    fn sheet(&self, page: Page) -> Sheet {
        let (mut sheet, top) = Sheet::on(page.wide(), self.title);
        let entries = entries(self);
        let right = legend::at_right(&mut sheet, &entries, top);
        let bottom = sheet.bottom() - room_below();
        let values = self.methods.iter().flat_map(|m| m.values).flatten();
        let y = Axis::linear(range(values.copied(), HEADROOM), bottom, top);
        let left = MARGIN + room_left(&y, 8);
        let count = self.domains.len() as f64;
        let x = Axis::linear((-0.5, count - 0.5), left, right);
        let axes = Axes { x, y };
        // The domains are names, not numbers: no ticks across.
        let panel = Panel::new(axes, [0, 8]);
        panel.grid(&mut sheet);
        for (index, method) in self.methods.iter().enumerate() {
            draw_method(&mut sheet, self, &axes, index, method);
        }
        panel.frame(&mut sheet, [false, true]);
        for (index, domain) in self.domains.iter().enumerate() {
            let at = [
                axes.x.place(index as f64),
                bottom + 1.5 * TICK_LENGTH + 0.9 * LABEL_SIZE,
            ];
            sheet.label(at, domain, Anchor::Middle);
        }
        panel.names(&mut sheet, "", self.y_name);
        sheet
    }
}

fn draw_method(
    sheet: &mut Sheet,
    picture: &DomainsPicture,
    axes: &Axes,
    index: usize,
    method: &Method,
) {
    let colour = series_colour(index);
    let methods = picture.methods.len() as f64;
    let aside = SPREAD * ((index as f64 + 0.5) / methods - 0.5);
    let place = |domain: usize, value: f64| axes.place(domain as f64 + aside, value);
    let values = method.values.iter().enumerate();
    let means = values.clone().map(|(domain, v)| place(domain, v[0]));
    let faint = colour.faded(0.45);
    sheet.dashed(
        means.clone().collect(),
        series_dash(index),
        OVER_WIDTH,
        faint,
    );
    for (domain, [_, low, high]) in values {
        let (from, to) = (place(domain, *low), place(domain, *high));
        sheet.line(vec![from, to], CURVE_WIDTH, colour);
        for [x, y] in [from, to] {
            sheet.line(vec![[x - BAR_END, y], [x + BAR_END, y]], RULE_WIDTH, colour);
        }
    }
    for at in means {
        sheet.disc(at, 7.0, colour);
        // Colours repeat; hollow marks tell the second round from the first.
        if index >= COLOURS {
            sheet.disc(at, 3.5, WHITE);
        }
    }
}

fn entries(picture: &DomainsPicture) -> Vec<Entry> {
    let methods = picture.methods.iter().enumerate();
    let series = methods.map(|(index, method)| Entry::series(method.label, index));
    let mut entries: Vec<Entry> = series.collect();
    entries.push(Entry::gap());
    entries.push(Entry::line(picture.bar_name, BLACK, CURVE_WIDTH, &[]));
    entries
}
