//! A picture as its files, and the message for one that is refused.

use crate::legible;
use crate::markup::{attribute, texts_of_well_formed};
use plots::{Picture, Print};
use std::path::Path;

/// Where nothing can be written.
pub const NOWHERE: &str = "no such folder/picture";

/// The two files of a picture.
#[derive(PartialEq)]
pub struct Drawn {
    /// The one, as text.
    pub svg: String,
    /// Its texts.
    pub texts: Vec<String>,
    /// Red, green and blue, row by row.
    pub pixels: Vec<u8>,
    /// Rows of points.
    pub height: usize,
}

/// Draws into a folder of its own, and checks what holds for all pictures.
pub fn drawn(picture: &impl Picture) -> Drawn {
    let folder = temp_dir::TempDir::new().unwrap();
    let [svg, png] = plots::draw(picture, &folder.path().join("gust-2.5")).unwrap();
    assert_eq!(svg, folder.path().join("gust-2.5.svg"));
    assert_eq!(png, folder.path().join("gust-2.5.png"));
    let file = std::io::BufReader::new(std::fs::File::open(png).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    let height = frame.height as usize;
    assert_eq!((frame.width, pixels.len()), (1500, 3 * 1500 * height));
    let kind = (frame.color_type, frame.bit_depth);
    assert_eq!(kind, (png::ColorType::Rgb, png::BitDepth::Eight));
    let dims = reader.info().pixel_dims.expect("a resolution");
    let resolution = (dims.xppu, dims.yppu, dims.unit);
    assert_eq!(resolution, (7874, 7874, png::Unit::Meter));
    let white = |x: usize, y: usize| pixels[3 * (1500 * y + x)..][..3] == [255; 3];
    assert!((0..1500).all(|x| (0..10).all(|y| white(x, y) && white(x, height - 1 - y))));
    assert!((0..height).all(|y| (0..10).all(|x| white(x, y) && white(1499 - x, y))));
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with(&format!("<svg width=\"1500\" height=\"{height}\"")));
    assert!(svg.contains("sans-serif") && !svg.contains("NaN") && !svg.contains("inf"));
    legible::check(&svg);
    printed(picture, folder.path());
    Drawn {
        texts: texts_of_well_formed(&svg),
        svg,
        pixels,
        height,
    }
}

/// Prints a picture 3.4 inches wide without its title, and checks its three files.
fn printed(picture: &impl Picture, folder: &Path) {
    let print = Print {
        width_in: 3.4,
        titled: false,
    };
    let files = plots::print(picture, &folder.join("column"), &print).unwrap();
    let [svg, png, pdf] = files.map(|file| std::fs::read(file).unwrap());
    let svg = String::from_utf8(svg).unwrap();
    legible::check(&svg);
    assert!(svg.starts_with("<svg width=\"3.4in\" height=\""));
    let reader = png::Decoder::new(std::io::Cursor::new(png)).read_info();
    let reader = reader.unwrap();
    let (width, height) = reader.info().size();
    let dots_per_metre = reader.info().pixel_dims.unwrap().xppu;
    let metres = f64::from(width) / f64::from(dots_per_metre);
    assert!((metres / 0.0254 - 3.4).abs() < 1e-3, "{metres}");
    let pdf = String::from_utf8_lossy(&pdf);
    let points = 3.4 * 72.0;
    let tall = points * f64::from(height) / f64::from(width);
    let stated = pdf.split_once("/MediaBox [0 0 ").unwrap().1;
    let stated: Vec<&str> = stated.split([' ', ']']).take(2).collect();
    let stated: Vec<f64> = stated.iter().map(|side| side.parse().unwrap()).collect();
    assert!((stated[0] - points).abs() < 1e-3 && (stated[1] - tall).abs() < 1e-3);
    // Every line of the SVG is drawn, and nothing but the paper lies at or beyond the edges.
    let content = pdf.split_once("stream\n").unwrap().1;
    let content = content.split_once("\nendstream").unwrap().0;
    let mut strokes = 0;
    for line in content.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let (operator, numbers) = words.split_last().unwrap();
        strokes += usize::from(*operator == "S");
        if ["m", "l", "c"].contains(operator) {
            for (index, number) in numbers.iter().enumerate() {
                let side = f64::from([width, height][index % 2]);
                let at: f64 = number.parse().unwrap();
                assert!((0.0..=side).contains(&at), "{line} of {width} {height}");
            }
        }
    }
    assert_eq!(strokes, svg.matches("<polyline").count());
}

/// The picture as an element of a page of text, in which nothing is over anything else.
pub fn figure(picture: &impl Picture) -> String {
    let svg = plots::svg(picture).unwrap();
    legible::check(&svg);
    svg
}

/// The message for a picture that is refused, or that cannot be written.
pub fn refusal(picture: &impl Picture) -> String {
    let error = plots::draw(picture, Path::new(NOWHERE)).unwrap_err();
    error.to_string()
}

/// Checks that a picture is refused for the reason given, if not for the folder.
pub fn refused(picture: &impl Picture, reason: &str) {
    assert_eq!(refusal(picture), reason);
}

/// Checks that nothing is wrong with a picture but its folder.
pub fn accepted(picture: &impl Picture) {
    refused(picture, &format!("cannot write {NOWHERE}.svg"));
}

impl Drawn {
    /// Whether a text stands there, in full.
    pub fn says(&self, words: &str) -> bool {
        self.times(words) > 0
    }

    /// How often a text stands there, in full.
    pub fn times(&self, words: &str) -> usize {
        self.texts.iter().filter(|text| *text == words).count()
    }

    /// Checks that all of these texts stand there, in full.
    pub fn says_all(&self, all: &[&str]) {
        for words in all {
            assert!(self.says(words), "{words} in {:?}", self.texts);
        }
    }

    fn points(&self) -> impl Iterator<Item = &[u8]> {
        self.pixels.chunks_exact(3)
    }

    /// Points of a colour.
    pub fn count(&self, colour: [u8; 3]) -> usize {
        self.points().filter(|pixel| *pixel == colour).count()
    }

    /// Number of different colours.
    pub fn colours(&self) -> usize {
        self.points()
            .collect::<std::collections::HashSet<_>>()
            .len()
    }

    /// Part of the page that is not white.
    pub fn ink(&self) -> f64 {
        1.0 - self.count([255; 3]) as f64 / (1500 * self.height) as f64
    }

    /// The points of every line of one colour [0.1 px].
    pub fn lines(&self, colour: &str) -> Vec<Vec<[f64; 2]>> {
        let stroke = format!("stroke=\"{colour}\"");
        let lines = self.svg.lines();
        let ours = lines.filter(|l| l.starts_with("<polyline") && l.contains(&stroke));
        ours.map(|line| {
            let points = attribute(line, "points").split_whitespace();
            let number = |text: &str| text.parse().unwrap();
            let points = points.map(|point| point.split_once(',').unwrap());
            points.map(|(x, y)| [number(x), number(y)]).collect()
        })
        .collect()
    }

    /// Left, top, right and bottom of the frames, in the order drawn [0.1 px].
    pub fn frames(&self) -> Vec<[f64; 4]> {
        let closed = |line: &Vec<[f64; 2]>| line.len() == 5 && line[0] == line[4];
        let lines = self.lines("#141414").into_iter().filter(closed);
        lines
            .map(|l| [l[0][0], l[0][1], l[2][0], l[2][1]])
            .collect()
    }

    /// Where the discs with these attributes have their middles, from the left [0.1 px].
    pub fn discs(&self, wanted: &[&str]) -> Vec<[f64; 2]> {
        let lines = self.svg.lines().filter(|line| line.starts_with("<circle"));
        let ours = lines.filter(|line| wanted.iter().all(|w| line.contains(w)));
        let number = |line: &str, name: &str| attribute(line, name).parse().unwrap();
        ours.map(|line| [number(line, "cx"), number(line, "cy")])
            .collect()
    }

    /// From the left, where a text begins [0.1 px].
    pub fn place_of(&self, words: &str) -> f64 {
        let lines: Vec<&str> = self.svg.lines().collect();
        let at = lines.iter().position(|line| *line == words).unwrap();
        attribute(lines[at - 1], "x").parse().unwrap()
    }
}
