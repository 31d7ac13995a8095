//! Lines: text broken and cut so that it fits.

use crate::page::letters::text_width;

/// Breaks text at white space into lines of at most `width` px. What does not fit into `most`
/// lines is cut, and an ellipsis says so. Line breaks count as white space.
pub fn wrap(text: &str, size: f64, width: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    let cut = lines.len() > most;
    lines.truncate(most);
    let last = lines.len().wrapping_sub(1);
    for (index, line) in lines.iter_mut().enumerate() {
        if (cut && index == last) || text_width(line, size) > width {
            shorten(line, size, width);
        }
    }
    lines
}

/// The text on one line of at most `width` px, cut where it is longer.
pub fn on_one_line(text: &str, size: f64, width: f64) -> String {
    let lines = wrap(text, size, width, 1);
    lines.into_iter().next().unwrap_or_default()
}

/// Cuts letters from the end until the line fits with an ellipsis.
fn shorten(line: &mut String, size: f64, width: f64) {
    let ends: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
    let fits = |&end: &usize| text_width(&format!("{}…", &line[..end]), size) <= width;
    // Halving: measuring once for each letter takes a minute for the longest names.
    let most = ends.partition_point(fits);
    line.truncate(most.checked_sub(1).map_or(0, |last| ends[last]));
    line.truncate(line.trim_end().len());
    line.push('…');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_lines_fit_and_lose_no_word() {
        let text = "tuned gains of the outer loop in a gust of ten metres per second";
        let lines = wrap(text, 24.0, 300.0, 99);
        assert!(lines.len() > 2);
        assert!(lines.iter().all(|line| text_width(line, 24.0) <= 300.0));
        assert_eq!(lines.join(" "), text);
    }

    #[test]
    fn a_title_of_sixty_thousand_letters_is_cut_at_once() {
        let started = std::time::Instant::now();
        let lines = wrap(&"w".repeat(60_000), 24.0, 300.0, 2);
        assert!(lines[0].ends_with('…') && text_width(&lines[0], 24.0) <= 300.0);
        let longer = lines[0].replace('…', "w…");
        assert!(
            text_width(&longer, 24.0) > 300.0,
            "no letter too many is cut"
        );
        // Letter by letter it takes minutes.
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }

    #[test]
    fn what_does_not_fit_is_cut_with_an_ellipsis() {
        let lines = wrap(&"word ".repeat(60), 24.0, 300.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with('…') && !lines[0].ends_with('…'));
        assert!(lines.iter().all(|line| text_width(line, 24.0) <= 300.0));
        let unbroken = wrap(&"w".repeat(400), 24.0, 300.0, 2);
        assert_eq!(unbroken.len(), 1);
        assert!(unbroken[0].ends_with('…') && text_width(&unbroken[0], 24.0) <= 300.0);
        assert!(wrap(" \n ", 24.0, 300.0, 2).is_empty());
    }
}
