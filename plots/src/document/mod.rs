//! Document: a page of text and figures that a browser shows without a network, in the colours of the figures.

use crate::palette::{css_dark_marks, css_dark_palette, css_palette};
use std::fmt::Write;

/// Every document begins with this.
pub const MARKER: &str = "<!DOCTYPE html>\n<!-- Windhover report -->";

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

/// The parts of a page; all but its title are HTML already.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// What a browser calls it.
    pub title: &'a str,
    /// Elements of its head.
    pub head: &'a str,
    /// What the first screen shows, the heading of the page with it.
    pub first: &'a str,
    /// The entries of its contents list.
    pub contents: &'a str,
    /// What comes below.
    pub body: &'a str,
    /// What acts in it.
    pub scripts: &'a [&'a str],
}

impl Document<'_> {
    /// The whole file.
    pub fn html(&self) -> String {
        let title = escape(self.title);
        let script = match self.scripts {
            [] => String::new(),
            all => format!(
                "<script>\n\"use strict\";\n(() => {{\n{}}})();\n</script>\n",
                all.concat()
            ),
        };
        let style = style();
        // Only the template is searched for places, never what is put into them.
        let mut page = String::new();
        let mut rest = TEMPLATE;
        for (place, content) in [
            ("{{head}}", self.head),
            ("{{title}}", &title),
            ("{{style}}", &style),
            ("{{first}}", self.first),
            ("{{contents}}", self.contents),
            ("{{body}}", self.body),
            ("{{script}}", &script),
        ] {
            let (before, after) = rest
                .split_once(place)
                .expect("the template has each place in order");
            page += before;
            page += content;
            rest = after;
        }
        page + rest
    }
}

/// The style sheet with the colours of the pictures. Dark paper is for screens alone; what is printed
/// and what stands on light paper of its own keeps the light colours.
fn style() -> String {
    let marks = ":root:not(.light) :not(.paper, .paper *) > svg";
    format!(
        ":root, .paper {{ {} }}\n{STYLE}@media screen and (prefers-color-scheme: dark) {{\n\
         :root:not(.light) {{ {} }}\n{}}}\n",
        css_palette(),
        css_dark_palette(),
        css_dark_marks(marks)
    )
}

/// `text` with every character escaped that means something in HTML text or in an attribute.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // Control characters could hide what a name is.
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// Sections with their titles, and the links to them first. One without text is left out.
pub fn titled(sections: &[(&str, String)]) -> (String, String) {
    let (mut links, mut body) = (String::new(), String::new());
    for (title, text) in sections.iter().filter(|(_, text)| !text.is_empty()) {
        let id = title.to_lowercase().replace(' ', "-");
        // Writing to a String cannot fail.
        let _ = writeln!(links, "<li><a href=\"#{id}\">{title}</a></li>");
        let _ = write!(body, "<h2 id=\"{id}\">{title}</h2>\n{text}");
    }
    (links, body)
}

/// A table with a caption, whose rows begin with their titles; titles and cells are HTML already.
pub fn titled_table(caption: &str, titles: &[&str], rows: Vec<Vec<String>>) -> String {
    let head = titles.iter().map(|title| match title.is_empty() {
        true => "<td></td>".to_owned(),
        false => format!("<th scope=\"col\">{title}</th>"),
    });
    let row = |row: Vec<String>| {
        let mut cells = row.into_iter();
        let first = cells.next().unwrap_or_default();
        let cells: String = cells.map(|cell| format!("<td>{cell}</td>")).collect();
        format!("<tr><th scope=\"row\">{first}</th>{cells}</tr>\n")
    };
    format!(
        "<div class=\"wide\"><table><caption>{caption}</caption><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>\n",
        head.collect::<String>(),
        rows.into_iter().map(row).collect::<String>()
    )
}
