//! A picture as its two files, for the tests of pictures of any height.

use plots::Error;
use std::path::{Path, PathBuf};

/// Where nothing can be written.
pub const NOWHERE: &str = "no such folder/picture";

/// The two files of a picture.
pub struct Drawn {
    /// The one, as text.
    pub svg: String,
    /// Red, green and blue, row by row.
    pub pixels: Vec<u8>,
    /// Rows of points.
    pub height: usize,
}

/// Draws into a folder of its own, and checks what holds for all pictures.
pub fn drawn(draw: impl Fn(&Path) -> Result<[PathBuf; 2], Error>) -> Drawn {
    let folder = tempfile::tempdir().unwrap();
    let [svg, png] = draw(&folder.path().join("picture")).unwrap();
    assert_eq!(png, folder.path().join("picture.png"));
    let file = std::io::BufReader::new(std::fs::File::open(png).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    let height = frame.height as usize;
    assert_eq!(frame.width, 1500);
    let white = |x: usize, y: usize| pixels[3 * (1500 * y + x)..][..3] == [255; 3];
    assert!((0..1500).all(|x| (0..10).all(|y| white(x, y) && white(x, height - 1 - y))));
    assert!((0..height).all(|y| (0..10).all(|x| white(x, y) && white(1499 - x, y))));
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with(&format!("<svg width=\"1500\" height=\"{height}\"")));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    Drawn {
        svg,
        pixels,
        height,
    }
}

impl Drawn {
    /// Whether a text stands there, in full.
    pub fn says(&self, words: &str) -> bool {
        self.svg.lines().any(|line| line == words)
    }

    /// Points of a colour.
    pub fn count(&self, colour: [u8; 3]) -> usize {
        let pixels = self.pixels.chunks_exact(3);
        pixels.filter(|pixel| *pixel == colour).count()
    }

    /// The points of every line of one colour [0.1 px].
    pub fn lines(&self, colour: &str) -> Vec<Vec<[f64; 2]>> {
        let stroke = format!("stroke=\"{colour}\"");
        let lines = self.svg.lines();
        let ours = lines.filter(|l| l.starts_with("<polyline") && l.contains(&stroke));
        ours.map(|line| {
            let points = line.split("points=\"").nth(1).unwrap();
            let points = points.split('"').next().unwrap().split_whitespace();
            points
                .map(|point| {
                    let (x, y) = point.split_once(',').unwrap();
                    [x.parse().unwrap(), y.parse().unwrap()]
                })
                .collect()
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

    /// Where the discs of a colour and radius [0.1 px] have their middles, from the left.
    pub fn discs(&self, colour: &str, radius: u32) -> Vec<[f64; 2]> {
        let wanted = [format!("r=\"{radius}\""), format!("fill=\"{colour}\"")];
        let lines = self.svg.lines().filter(|line| line.starts_with("<circle"));
        let ours = lines.filter(|line| wanted.iter().all(|w| line.contains(w.as_str())));
        let number = |line: &str, name: &str| -> f64 {
            let after = line.split(&format!(" {name}=\"")).nth(1).unwrap();
            after.split('"').next().unwrap().parse().unwrap()
        };
        ours.map(|line| [number(line, "cx"), number(line, "cy")])
            .collect()
    }
}
