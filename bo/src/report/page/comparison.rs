//! Comparison: the page about a folder of `bo compare`, from its tables and pictures.

use super::{LEAD, SCRIPTS};
use crate::report::html::escape;
use crate::report::sections;
use plots::document::{Document, titled};

/// What a comparison's folder holds.
pub struct Compared {
    /// Its name.
    pub name: String,
    /// Its tables as Markdown, as `table.md` has them.
    pub tables: String,
    /// Its pictures: name and SVG document.
    pub pictures: Vec<(String, String)>,
    /// Its other files, as paths that lead there from the folder of the page.
    pub files: Vec<String>,
    /// The files of its cells, likewise.
    pub cells: Vec<String>,
}

/// The page about a comparison.
pub fn comparison(compared: &Compared) -> String {
    let cells = match compared.cells.is_empty() {
        true => "<p>No cell lies in a folder that the page can lead to.</p>\n".to_owned(),
        false => sections::files(&compared.cells),
    };
    // The page opens with what the differences say and with the picture of the means, where there are any.
    let (said, rest) = match compared.tables.split_once("\n\n") {
        Some((said, rest)) if !said.starts_with('#') => (said, rest),
        _ => ("", &*compared.tables),
    };
    let means = |(name, _): &&(String, String)| name.starts_with("intervals-");
    let best = compared.pictures.iter().find(means);
    let others = compared
        .pictures
        .iter()
        .filter(|picture| best != Some(*picture));
    let parts = [
        ("Tables", tables(rest)),
        ("Pictures", others.map(picture).collect()),
        ("Cells", cells),
    ];
    let (links, body) = titled(&parts);
    let title = format!("Windhover comparison: {}", compared.name);
    Document {
        title: &title,
        head: "",
        first: &format!(
            "<h1>{}</h1>\n{LEAD}{}{}",
            escape(&title),
            tables(said),
            best.map_or(String::new(), picture)
        ),
        contents: &links,
        body: &(sections::files(&compared.files) + &body),
        scripts: &SCRIPTS,
    }
    .html()
}

/// A picture as an image: whatever its file says cannot act on the page.
fn picture((name, svg): &(String, String)) -> String {
    let name = escape(name);
    format!(
        "<figure class=\"broad\"><div class=\"wide paper\"><img alt=\"{name}\" src=\"data:image/svg+xml,{}\"></div><figcaption>{name}</figcaption></figure>\n",
        sections::percent_encoded(svg)
    )
}

/// Headings, tables and paragraphs of Markdown as [`crate::table::Table::markdown`] writes it.
fn tables(markdown: &str) -> String {
    let mut html = String::new();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for line in markdown.lines().chain([""]) {
        if let Some(cells) = line.strip_prefix('|') {
            let cells = cells.trim_end().trim_end_matches('|').split('|');
            rows.push(cells.map(|cell| escape(cell.trim())).collect());
            continue;
        }
        if let Some((head, rest)) = rows.split_first() {
            let head: Vec<&str> = head.iter().map(String::as_str).collect();
            // The rule below the head is no row; nor is what has another number of cells.
            let whole = |row: &&Vec<String>| row.len() == head.len();
            let rest: Vec<Vec<String>> = rest.iter().skip(1).filter(whole).cloned().collect();
            html += &sections::table(&head, rest);
        }
        rows.clear();
        html += &match line.trim_start_matches('#') {
            "" => String::new(),
            text if text.len() < line.len() => format!("<h3>{}</h3>\n", escape(text.trim())),
            text => format!("<p>{}</p>\n", escape(text)),
        };
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn tables_of_a_comparison_stand_in_its_page_and_nothing_in_them_acts() {
        let table =
            Table::of_numbers(["", "ACE"]).with([vec!["<b>gp".to_owned(), "0.31".to_owned()]]);
        let compared = Compared {
            name: "compare-fig8".to_owned(),
            tables: format!(
                "Nothing <b> differs.\n\n### fig8, gusty\n\n{}\nACE in metres.\n",
                table.markdown()
            ),
            pictures: vec![
                ("convergence".to_owned(), "<svg/>".to_owned()),
                (
                    "intervals-mixture".to_owned(),
                    "<svg onload=\"alert(1)\"/>".to_owned(),
                ),
            ],
            files: vec!["compare.json".to_owned()],
            cells: vec!["cells/a.json".to_owned()],
        };
        let page = comparison(&compared);
        for part in [
            "<h3>fig8, gusty</h3>",
            "<th scope=\"col\">ACE</th>",
            "<tr><td>&lt;b&gt;gp</td><td>0.31</td></tr>",
            "<p>ACE in metres.</p>",
            "src=\"data:image/svg+xml,%3Csvg%20onload%3D%22alert%281%29%22/%3E\"",
            "href=\"./cells/a.json\"",
            "<a href=\"#pictures\">",
        ] {
            assert!(page.contains(part), "{part}");
        }
        assert!(!page.contains("---"));
        let order = [
            "<p>Nothing &lt;b&gt; differs.</p>",
            "alt=\"intervals-mixture\"",
            "<h3>fig8, gusty</h3>",
            "alt=\"convergence\"",
        ];
        let places = order.map(|part| page.find(part));
        assert!(
            places.iter().all(Option::is_some) && places.is_sorted(),
            "{places:?}"
        );
        assert_eq!(page.matches("<img").count(), 2);
    }
}
