//! TradeOff: many settings by two figures of which neither is to be had for nothing, the front of those that
//! no other betters in both, and some that are named.

use crate::axes::legend::Entry;
use crate::axes::panel::{MOST_STEPS, Panel, plane};
use crate::axes::symbols::Symbol;
use crate::axes::{Axis, HEADROOM, range, ratio_range};
use crate::error::{Error, FINITE, NOT_NEGATIVE, present, within};
use crate::page::sheet::{Page, Place, Sheet};
use crate::page::style::{DARK_GREY, series_colour};
use crate::picture::Picture;

/// Opacity of a setting that is not on the front.
const ALPHA: f64 = 0.35;

/// Settings by two figures.
#[derive(Debug, Clone, Copy)]
pub struct TradeOffPicture<'a> {
    /// What the picture shows, for those who cannot see it.
    pub title: &'a str,
    /// Name of the first figure with its unit, to the right.
    pub x_name: &'a str,
    /// Name of the second figure with its unit, upwards, on a logarithmic scale.
    pub y_name: &'a str,
    /// What a dot is.
    pub setting_name: &'a str,
    /// The settings, of which there is at least one.
    pub settings: &'a [[f64; 2]],
    /// Those of the front, in the order of the line that joins them.
    pub front: &'a [[f64; 2]],
    /// Settings with names.
    pub named: &'a [(&'a str, [f64; 2])],
}

impl Picture for TradeOffPicture<'_> {
    /// No setting, a first figure that is not finite, or a second one that is negative or not finite.
    fn check(&self) -> Result<(), Error> {
        present("list of settings", self.settings)?;
        let all = || self.all();
        within("list of first figures", all().map(|at| at[0]), FINITE)?;
        within(
            "list of second figures",
            all().map(|at| at[1]),
            NOT_NEGATIVE,
        )
    }

    fn sheet(&self, page: Page) -> Sheet {
        let (mut sheet, top) = Sheet::on(page, self.title);
        let x = range(self.all().map(|at| at[0]), HEADROOM);
        let y = ratio_range(self.all().map(|at| at[1]), HEADROOM);
        let axes = [Axis::unplaced(x, false), Axis::unplaced(y, true)];
        let axes = plane(&mut sheet, &entries(self), axes, [top, 0.0]);
        let panel = Panel::new(axes, [MOST_STEPS; 2]);
        panel.grid(&mut sheet);
        let place = |at: &[f64; 2]| -> Place { axes.place(at[0], at[1]) };
        for at in self.settings {
            Symbol::Dot.draw(&mut sheet, place(at), DARK_GREY.faded(ALPHA));
        }
        sheet.series(self.front.iter().map(place).collect(), 0);
        for at in self.front {
            Symbol::Dot.draw(&mut sheet, place(at), series_colour(0));
        }
        for (index, (_, at)) in self.named.iter().enumerate() {
            Symbol::LargeDot.draw(&mut sheet, place(at), series_colour(index + 1));
        }
        panel.frame(&mut sheet, [true, true]);
        panel.names(&mut sheet, self.x_name, self.y_name);
        sheet
    }
}

impl TradeOffPicture<'_> {
    fn all(&self) -> impl Iterator<Item = [f64; 2]> {
        let named = self.named.iter().map(|(_, at)| *at);
        let settings = self.settings.iter().chain(self.front).copied();
        settings.chain(named)
    }
}

fn entries(picture: &TradeOffPicture) -> Vec<Entry> {
    let setting = Entry::symbol(picture.setting_name, Symbol::Dot, DARK_GREY);
    let named = picture.named.iter().enumerate();
    let named = named
        .map(|(index, (name, _))| Entry::symbol(*name, Symbol::LargeDot, series_colour(index + 1)));
    let front = Entry::series("the front", 0);
    [setting, front].into_iter().chain(named).collect()
}
