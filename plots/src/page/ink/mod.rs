//! Ink: what turns a sheet into pixels or into SVG. The only file that uses plotters, of which
//! the two drawing backends serve here.

use crate::page::letters::{self, FONT, HEIGHT_PER_EM, text_width};
use crate::page::sheet::{Anchor, Mark, Place, Sheet, Text};
use crate::page::style::{Colour, WHITE};
use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, ShapeStyle, TextStyle,
    register_font,
};
use std::sync::Once;

/// Font families in the order an SVG viewer tries them. The first is the embedded font; the
/// second has the same widths; the third is what every viewer has.
const FAMILIES: &str = "DejaVu Sans, Verdana, sans-serif";

/// Points of a page pixel that the pixel drawing is finer by, in x and in y.
pub const FINER: u32 = 3;
/// Units of the SVG in a page pixel: plotters places in whole units, and at one unit a pixel
/// curves would show steps.
const SVG_UNITS: u32 = 10;

/// What every mark takes from the element around it where it says nothing else.
const INHERITED: &str = "stroke-linejoin=\"round\" fill=\"none\"";
/// What the backend writes for every mark although it is the default.
const IMPLIED: [(&str, &str); 3] = [
    (" opacity=\"1\"", ""),
    (" fill=\"none\"", ""),
    (" \"/>", "\"/>"),
];

/// plotters writes an SVG `font-size` smaller than the text size by this factor.
const SVG_SIZE_PER_EM: f64 = 1.24;
/// plotters starts SVG text this far above its baseline, in em.
const SVG_BASELINE: f64 = 0.76;

/// The page in pixels, red, green and blue in turn, row by row, `FINER` times as large as the
/// page in both directions.
pub fn pixels(sheet: &Sheet) -> Vec<u8> {
    let (width, height) = (sheet.width * FINER, sheet.height * FINER);
    let mut buffer = vec![255; 3 * width as usize * height as usize];
    {
        let backend = BitMapBackend::with_buffer(&mut buffer, (width, height));
        Pen {
            backend,
            units: f64::from(FINER),
            medium: Medium::Pixels,
        }
        .draw(sheet);
    }
    buffer
}

/// The page as an SVG document, its text as text; where it is printed, it says how wide \[in\].
pub fn svg(sheet: &Sheet, width_in: Option<f64>) -> String {
    let (document, size) = drawn(sheet);
    // The backend states its own units as the size of the page; the page is smaller.
    let stated = format!("width=\"{}\" height=\"{}\"", size.0, size.1);
    let (width, height) = match width_in {
        None => (sheet.width.to_string(), sheet.height.to_string()),
        Some(width) => {
            let height = width * f64::from(sheet.height) / f64::from(sheet.width);
            (format!("{width}in"), format!("{height:.3}in"))
        }
    };
    let meant = format!("width=\"{width}\" height=\"{height}\" {INHERITED}");
    // The drawn title may be cut short; this one, which viewers show as a tooltip and read aloud,
    // is not.
    let title = format!("<title>{}</title>\n<rect", escaped(&sheet.title));
    document
        .replacen(&stated, &meant, 1)
        .replacen("<rect", &title, 1)
}

/// The page as an SVG element that stands in the text of an HTML page: as large as its place, without
/// paper, its title for those who cannot see it. It has no identifiers, so that many can stand in
/// one page.
pub fn figure(sheet: &Sheet) -> String {
    let (document, (width, height)) = drawn(sheet);
    let font = format!(" font-family=\"{FAMILIES}\"");
    // The first mark is the paper; the page has its own.
    let paper = document.find("<rect");
    let marks = paper.and_then(|at| document[at..].split_once('\n'));
    let marks = marks.map_or("", |(_, marks)| marks);
    let marks = marks.replace(&font, "");
    let marks = marks.trim_end().trim_end_matches("</svg>");
    let label = escaped(&sheet.title).replace('"', "&quot;");
    let units = |length: f64| (length * f64::from(SVG_UNITS)).round();
    let note = |([x, y], radius, words): &(Place, f64, String)| {
        format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" pointer-events=\"all\"><title>{}</title></circle>\n",
            units(*x),
            units(*y),
            units(*radius),
            escaped(words)
        )
    };
    let notes: String = sheet.notes.iter().map(note).collect();
    format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\" {INHERITED}{font}>\n{marks}{notes}</svg>\n"
    )
}

/// The page as the backend writes it, and its size in units.
fn drawn(sheet: &Sheet) -> (String, (u32, u32)) {
    let size = (sheet.width * SVG_UNITS, sheet.height * SVG_UNITS);
    let mut document = String::new();
    {
        let backend = SVGBackend::with_string(&mut document, size);
        Pen {
            backend,
            units: f64::from(SVG_UNITS),
            medium: Medium::Svg,
        }
        .draw(sheet);
    }
    let implied = IMPLIED.into_iter();
    let document = implied.fold(document, |text, (long, short)| text.replace(long, short));
    (document, size)
}

fn escaped(words: &str) -> String {
    words
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn font(size: f64) -> FontDesc<'static> {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        if register_font(FAMILIES, FontStyle::Normal, FONT).is_err() {
            unreachable!("the embedded font is a valid TrueType file");
        }
    });
    FontDesc::new(FontFamily::Name(FAMILIES), size, FontStyle::Normal)
}

/// Where the ink goes, for what the two media do differently.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Medium {
    Pixels,
    Svg,
}

/// A drawing backend, and how many of its units a page pixel has.
struct Pen<B: DrawingBackend> {
    backend: B,
    units: f64,
    medium: Medium,
}

/// Both backends draw into memory, and every font they are asked for is embedded.
fn done<E: std::fmt::Debug>(drawn: Result<(), E>) {
    drawn.expect("drawing into memory with a registered font cannot fail");
}

impl<B: DrawingBackend> Pen<B> {
    fn draw(&mut self, sheet: &Sheet) {
        let paper = Mark::Rectangle {
            upper_left: [0.0, 0.0],
            lower_right: [f64::from(sheet.width), f64::from(sheet.height)],
            colour: WHITE,
        };
        for mark in std::iter::once(&paper).chain(&sheet.marks) {
            self.mark(mark);
        }
        done(self.backend.present());
    }

    fn mark(&mut self, mark: &Mark) {
        match mark {
            Mark::Line {
                points,
                width,
                colour,
            } => match self.medium {
                Medium::Pixels => self.stroke(points, *width, *colour),
                Medium::Svg => {
                    let style = self.pen_style(*width, *colour);
                    let points: Vec<_> = points.iter().map(|&p| self.units(p)).collect();
                    done(self.backend.draw_path(points, &style));
                }
            },
            Mark::Rectangle {
                upper_left,
                lower_right,
                colour,
            } => {
                let (from, to) = (self.units(*upper_left), self.units(*lower_right));
                self.fill_rectangle(from, to, *colour);
            }
            Mark::Polygon { corners, colour } => {
                let corners: Vec<_> = corners.iter().map(|&p| self.units(p)).collect();
                done(self.backend.fill_polygon(corners, &ink(*colour)));
            }
            Mark::Disc {
                centre,
                radius,
                colour,
            } => {
                let radius = (radius * self.units).round() as u32;
                let centre = self.units(*centre);
                done(
                    self.backend
                        .draw_circle(centre, radius, &ink(*colour).filled(), true),
                );
            }
            Mark::Text(text) => self.text(text),
        }
    }

    /// A line in pixels, piece by piece with round joints: the joints that plotters computes for
    /// a wide line grow spikes where its points lie closer than it is wide.
    fn stroke(&mut self, points: &[Place], width: f64, colour: Colour) {
        let half = 0.5 * width;
        for pair in points.windows(2) {
            let ([ax, ay], [bx, by]) = (pair[0], pair[1]);
            let (dx, dy) = (bx - ax, by - ay);
            let length = dx.hypot(dy);
            if length == 0.0 {
                continue;
            }
            if dx == 0.0 || dy == 0.0 {
                let (across, down) = if dx == 0.0 { (half, 0.0) } else { (0.0, half) };
                let from = self.units([ax.min(bx) - across, ay.min(by) - down]);
                let to = self.units([ax.max(bx) + across, ay.max(by) + down]);
                self.fill_rectangle(from, to, colour);
                continue;
            }
            let (nx, ny) = (-dy / length * half, dx / length * half);
            let corners = [
                self.units([ax + nx, ay + ny]),
                self.units([bx + nx, by + ny]),
                self.units([bx - nx, by - ny]),
                self.units([ax - nx, ay - ny]),
            ];
            done(self.backend.fill_polygon(corners, &ink(colour)));
        }
        // plotters draws a disc a point larger than asked.
        let radius = (half * self.units - 1.0) as u32;
        if radius > 0 && points.len() > 2 {
            for joint in &points[1..points.len() - 1] {
                let centre = self.units(*joint);
                done(
                    self.backend
                        .draw_circle(centre, radius, &ink(colour).filled(), true),
                );
            }
        }
    }

    fn fill_rectangle(&mut self, from: (i32, i32), to: (i32, i32), colour: Colour) {
        // Both backends leave the far edges out; what is thinner than a unit still shows.
        let to = (to.0.max(from.0 + 1), to.1.max(from.1 + 1));
        done(
            self.backend
                .draw_rect(from, to, &ink(colour).filled(), true),
        );
    }

    fn text(&mut self, text: &Text) {
        match self.medium {
            Medium::Pixels => self.letters(text),
            Medium::Svg => self.words(text),
        }
    }

    /// Text in pixels, letter by letter.
    fn letters(&mut self, text: &Text) {
        let width = text_width(&text.words, text.size);
        let before = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5 * width,
            Anchor::End => width,
        };
        let height = text.size * self.units * HEIGHT_PER_EM;
        let (x, y) = self.units(text.at);
        let colour = rgba(text.colour);
        let from = -before * self.units;
        letters::ink(FONT, &text.words, height, from, |right, down, covered| {
            let at = if text.upwards {
                (x + down, y - right)
            } else {
                (x + right, y + down)
            };
            let shade = colour.mix(covered).to_backend_color();
            done(self.backend.draw_pixel(at, shade));
        });
    }

    /// Text as text.
    fn words(&mut self, text: &Text) {
        let em = text.size * self.units;
        let (size, above) = (em * SVG_SIZE_PER_EM, em * SVG_BASELINE);
        let (x, y) = (text.at[0] * self.units, text.at[1] * self.units);
        let (turn, at) = if text.upwards {
            (FontTransform::Rotate270, (x - above, y))
        } else {
            (FontTransform::None, (x, y - above))
        };
        let anchor = match text.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let colour = rgba(text.colour);
        let style = TextStyle::from(font(size).transform(turn))
            .color(&colour)
            .pos(Pos::new(anchor, VPos::Top));
        let at = (at.0.round() as i32, at.1.round() as i32);
        done(self.backend.draw_text(&text.words, &style, at));
    }

    fn units(&self, [x, y]: Place) -> (i32, i32) {
        (
            (x * self.units).round() as i32,
            (y * self.units).round() as i32,
        )
    }

    fn pen_style(&self, width: f64, colour: Colour) -> ShapeStyle {
        rgba(colour).stroke_width((width * self.units).round().max(1.0) as u32)
    }
}

fn rgba(colour: Colour) -> RGBAColor {
    let [red, green, blue] = colour.rgb;
    RGBAColor(red, green, blue, colour.alpha)
}

fn ink(colour: Colour) -> ShapeStyle {
    ShapeStyle::from(rgba(colour))
}

#[cfg(test)]
mod tests;
