use super::*;
use crate::page::sheet::Page;
use crate::page::style::{BLACK, PAGE_WIDTH};

fn showing(words: &str) -> Sheet {
    let (mut sheet, _) = Sheet::on(Page::FILE, "");
    sheet.text([300.0, 300.0], words, 100.0, Anchor::Start, BLACK);
    sheet
}

#[test]
fn the_font_has_the_letters_of_the_field() {
    // What the font draws for a letter that it does not have.
    let missing = pixels(&showing("\u{10fffd}"));
    for letter in ["σ", "θ", "β", "±", "°", "μ", "µ", "Σ", "²", "−", "…", "×"] {
        let drawn = pixels(&showing(letter));
        assert!(
            drawn.iter().any(|&channel| channel < 60),
            "{letter} leaves no ink"
        );
        assert!(drawn != missing, "{letter} is not in the font");
    }
}

#[test]
fn text_stands_on_its_baseline_and_is_as_wide_as_measured() {
    let page = pixels(&showing("HH"));
    let width = (PAGE_WIDTH * FINER) as usize;
    let inked: Vec<(usize, usize)> = (0..page.len() / 3)
        .filter(|point| page[3 * point] < 128)
        .map(|point| (point % width, point / width))
        .collect();
    let lowest = inked.iter().map(|(_, y)| y + 1).max().unwrap() as f64 / f64::from(FINER);
    let right = inked.iter().map(|(x, _)| x + 1).max().unwrap() as f64 / f64::from(FINER);
    assert!((lowest - 300.0).abs() <= 1.0, "{lowest}");
    let measured = text_width("HH", 100.0);
    assert!(
        right <= 300.0 + measured && right > 300.0 + 0.8 * measured,
        "{right} {measured}"
    );
}
