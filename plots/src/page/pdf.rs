//! PDF: a sheet as a page of its own, for a document that is printed. Letters are drawn as their outlines, so
//! that no printer needs the font. The only file that uses pdf-writer.

use crate::page::letters::{Piece, outlines, text_width};
use crate::page::sheet::{Anchor, Mark, Place, Sheet, Text};
use crate::page::style::Colour;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, TextStr};

/// Units of a PDF page in an inch.
const POINTS_PER_INCH: f64 = 72.0;

/// Distance of the control points of a cubic curve that stays within 0.03 % of a quarter of a circle, in radii.
const QUARTER: f64 = 0.552_285;

/// The sheet as a PDF file so many inches wide.
pub fn pdf(sheet: &Sheet, width_in: f64) -> Vec<u8> {
    let scale = width_in * POINTS_PER_INCH / f64::from(sheet.width);
    let height = scale * f64::from(sheet.height);
    let mut page = Drawing::new();
    let content = &mut page.content;
    // The sheet counts down from its upper edge, a PDF page up from its lower one.
    content.transform([scale, 0.0, 0.0, -scale, 0.0, height].map(|number| number as f32));
    content.set_line_join(LineJoinStyle::RoundJoin);
    content.set_line_cap(LineCapStyle::ButtCap);
    for mark in &sheet.marks {
        page.mark(mark);
    }
    page.file(&sheet.title, [scale * f64::from(sheet.width), height])
}

/// A page while it is drawn.
struct Drawing {
    content: Content,
    /// The opacities that were used, each a set of parameters of the file.
    alphas: Vec<f64>,
}

impl Drawing {
    fn new() -> Self {
        Self {
            content: Content::new(),
            alphas: Vec::new(),
        }
    }

    fn mark(&mut self, mark: &Mark) {
        match mark {
            Mark::Line {
                points,
                width,
                colour,
            } => {
                self.ink(*colour);
                self.content.set_line_width(*width as f32);
                self.path(points);
                self.content.stroke();
            }
            Mark::Rectangle {
                upper_left: [left, top],
                lower_right: [right, bottom],
                colour,
            } => {
                self.ink(*colour);
                let sides = [*left, *top, right - left, bottom - top];
                let [x, y, width, height] = sides.map(rounded);
                self.content.rect(x, y, width, height).fill_nonzero();
            }
            Mark::Polygon { corners, colour } => {
                self.ink(*colour);
                self.path(corners);
                self.content.close_path().fill_nonzero();
            }
            Mark::Disc {
                centre,
                radius,
                colour,
            } => {
                self.ink(*colour);
                self.circle(*centre, *radius);
                self.content.fill_nonzero();
            }
            Mark::Text(text) => self.text(text),
        }
    }

    /// Sets the colour of lines and areas.
    fn ink(&mut self, colour: Colour) {
        let [red, green, blue] = colour.rgb.map(|part| f32::from(part) / 255.0);
        self.content.set_fill_rgb(red, green, blue);
        self.content.set_stroke_rgb(red, green, blue);
        let known = self.alphas.iter().position(|alpha| *alpha == colour.alpha);
        let number = known.unwrap_or_else(|| {
            self.alphas.push(colour.alpha);
            self.alphas.len() - 1
        });
        self.content.set_parameters(Name(name(number).as_bytes()));
    }

    fn path(&mut self, points: &[Place]) {
        for (index, point) in points.iter().enumerate() {
            let [x, y] = point.map(rounded);
            match index {
                0 => self.content.move_to(x, y),
                _ => self.content.line_to(x, y),
            };
        }
    }

    fn circle(&mut self, [x, y]: Place, radius: f64) {
        let at = |right: f64, down: f64| [x + radius * right, y + radius * down].map(rounded);
        let [x0, y0] = at(1.0, 0.0);
        self.content.move_to(x0, y0);
        for [c, s] in [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]] {
            let [x1, y1] = at(c - QUARTER * s, s + QUARTER * c);
            let [x2, y2] = at(QUARTER * c - s, QUARTER * s + c);
            let [x3, y3] = at(-s, c);
            self.content.cubic_to(x1, y1, x2, y2, x3, y3);
        }
    }

    fn text(&mut self, text: &Text) {
        self.ink(text.colour);
        let width = text_width(&text.words, text.size);
        let before = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5 * width,
            Anchor::End => width,
        };
        let [x, y] = text.at;
        let place = |[right, down]: Place| {
            let right = right - before;
            let turned = match text.upwards {
                true => [x + down, y - right],
                false => [x + right, y + down],
            };
            turned.map(rounded)
        };
        for piece in outlines(&text.words, text.size) {
            match piece {
                Piece::Begin(at) => {
                    let [x, y] = place(at);
                    self.content.move_to(x, y);
                }
                Piece::Curve(points) => {
                    let [[x1, y1], [x2, y2], [x3, y3]] = points.map(place);
                    self.content.cubic_to(x1, y1, x2, y2, x3, y3);
                }
            }
        }
        self.content.fill_nonzero();
    }

    /// The whole file, of a page of that width and height in points.
    fn file(self, title: &str, size: [f64; 2]) -> Vec<u8> {
        let [catalog, pages, page, content, info] = [1, 2, 3, 4, 5].map(Ref::new);
        let parameters = |number: usize| Ref::new(6 + number as i32);
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(pages);
        pdf.pages(pages).kids([page]).count(1);
        let mut written = pdf.page(page);
        let [width, height] = size.map(|side| side as f32);
        written.media_box(Rect::new(0.0, 0.0, width, height));
        written.parent(pages).contents(content);
        let mut resources = written.resources();
        let mut states = resources.ext_g_states();
        for number in 0..self.alphas.len() {
            states.pair(Name(name(number).as_bytes()), parameters(number));
        }
        states.finish();
        resources.finish();
        written.finish();
        for (number, alpha) in self.alphas.iter().enumerate() {
            let mut state = pdf.ext_graphics(parameters(number));
            let alpha = *alpha as f32;
            state.stroking_alpha(alpha).non_stroking_alpha(alpha);
        }
        pdf.stream(content, &self.content.finish());
        pdf.document_info(info).title(TextStr(title));
        pdf.finish()
    }
}

/// The name of a set of parameters.
fn name(number: usize) -> String {
    format!("A{number}")
}

/// To a hundredth of a pixel of the sheet: shorter numbers, and a shift that nobody sees.
fn rounded(number: f64) -> f32 {
    ((100.0 * number).round() / 100.0) as f32
}
