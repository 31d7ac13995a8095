//! The files of a picture: `stem.svg` and `stem.png`, and `stem.pdf` of one that is printed. The only file that uses png.

use crate::error::Error;
use crate::page::ink::{self, FINER};
use crate::page::pdf;
use crate::page::sheet::Sheet;
use crate::page::style::DOTS_PER_INCH;
use std::io::Write;
use std::path::{Path, PathBuf};

const METRES_PER_INCH: f64 = 0.0254;

/// Writes the sheet to `stem.svg` and `stem.png`; an extension of `stem` is kept, as part of its
/// name. Where it is printed so many inches wide, both say it.
pub fn write(sheet: &Sheet, stem: &Path, width_in: Option<f64>) -> Result<[PathBuf; 2], Error> {
    let [svg, png] = ["svg", "png"].map(|extension| named(stem, extension));
    save(&svg, ink::svg(sheet, width_in).as_bytes())?;
    let page = shrink(&ink::pixels(sheet), sheet.width as usize);
    let dots_per_inch = width_in.map_or(DOTS_PER_INCH, |width| f64::from(sheet.width) / width);
    let page = encode(&page, [sheet.width, sheet.height], dots_per_inch);
    save(&png, &page.map_err(|source| failed(&png, source))?)?;
    Ok([svg, png])
}

/// Writes the sheet to `stem.pdf`, so many inches wide.
pub fn write_pdf(sheet: &Sheet, stem: &Path, width_in: f64) -> Result<PathBuf, Error> {
    let path = named(stem, "pdf");
    save(&path, &pdf::pdf(sheet, width_in))?;
    Ok(path)
}

fn failed(path: &Path, source: std::io::Error) -> Error {
    let path = path.to_owned();
    Error::Write { path, source }
}

/// Writes a file; one that could not be written in full is taken away again.
fn save(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let written = std::fs::File::create(path).and_then(|mut file| {
        file.write_all(bytes).inspect_err(|_| {
            let _ = std::fs::remove_file(path);
        })
    });
    written.map_err(|source| failed(path, source))
}

/// `Path::with_extension` would take the 5 of `gust-2.5` for an extension.
fn named(stem: &Path, extension: &str) -> PathBuf {
    let mut name = stem.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// The mean over every block of `FINER` by `FINER` points, rounded: smooth edges. Most of the time that a
/// picture takes is spent here, so the loops are over fixed numbers of points.
fn shrink(fine: &[u8], width: usize) -> Vec<u8> {
    const SIDE: usize = FINER as usize;
    const POINTS: u32 = FINER * FINER;
    let mut page = Vec::with_capacity(fine.len() / (SIDE * SIDE));
    for rows in fine.chunks_exact(3 * SIDE * width * SIDE) {
        let (blocks, _) = rows.as_chunks::<{ 3 * SIDE }>();
        let (above, rest) = blocks.split_at(width);
        let (middle, below) = rest.split_at(width);
        for column in 0..width {
            let (above, middle, below) = (&above[column], &middle[column], &below[column]);
            for channel in 0..3 {
                let mut sum = POINTS / 2;
                for point in 0..SIDE {
                    let at = 3 * point + channel;
                    sum += u32::from(above[at]) + u32::from(middle[at]) + u32::from(below[at]);
                }
                page.push((sum / POINTS) as u8);
            }
        }
    }
    page
}

/// The page as a PNG file, 8 bits a channel, with its resolution.
fn encode(page: &[u8], [width, height]: [u32; 2], dots_per_inch: f64) -> std::io::Result<Vec<u8>> {
    let dots_per_metre = (dots_per_inch / METRES_PER_INCH).round() as u32;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // Lines on a plain page: unfiltered rows repeat, and compress better and sooner.
    encoder.set_filter(png::Filter::NoFilter);
    // A fifth of the time of the usual level; the file is half as large again.
    encoder.set_deflate_compression(png::DeflateCompression::Level(1));
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: dots_per_metre,
        yppu: dots_per_metre,
        unit: png::Unit::Meter,
    }));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(page)?;
    writer.finish()?;
    file.flush()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::style::{PAGE_HEIGHT, PAGE_WIDTH};

    #[test]
    fn a_block_becomes_its_mean() {
        let (width, finer) = (PAGE_WIDTH as usize, FINER as usize);
        let mut fine = vec![255; 3 * width * PAGE_HEIGHT as usize * finer * finer];
        // Three of the nine points of the second block of the first row are black in green.
        for column in 0..finer {
            fine[3 * (finer + column) + 1] = 0;
        }
        let page = shrink(&fine, width);
        assert_eq!(page.len(), 3 * width * PAGE_HEIGHT as usize);
        assert_eq!(&page[..9], &[255, 255, 255, 255, 170, 255, 255, 255, 255]);
        assert!(page[9..].iter().all(|&channel| channel == 255));
    }

    #[test]
    fn a_dot_in_the_stem_is_no_extension() {
        assert_eq!(
            named(Path::new("out/gust-2.5"), "svg"),
            Path::new("out/gust-2.5.svg")
        );
    }
}
