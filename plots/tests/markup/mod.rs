//! Mark-up: whether SVG is well formed, and what it says.

/// Checks that every tag is closed in order and that text and attributes hold no bare mark-up;
/// returns the texts, unescaped.
pub fn texts_of_well_formed(xml: &str) -> Vec<String> {
    let (mut open, mut texts, mut rest) = (Vec::new(), Vec::new(), xml);
    let mut roots = 0;
    while let Some(start) = rest.find('<') {
        let text = rest[..start].trim();
        if !text.is_empty() {
            texts.push(unescaped(text));
        }
        let end = start + rest[start..].find('>').expect("every tag ends");
        let tag = &rest[start + 1..end];
        assert!(!tag.contains('<'), "{tag}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "tags close in order");
        } else {
            let name = tag.split([' ', '/']).next().unwrap();
            roots += usize::from(open.is_empty());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty() && roots == 1);
    assert!(
        !xml.chars()
            .any(|letter| letter.is_control() && letter != '\n')
    );
    texts
}

/// The value of an attribute of a tag.
pub fn attribute<'a>(tag: &'a str, name: &str) -> &'a str {
    let after = tag.split(&format!(" {name}=\"")).nth(1).unwrap();
    after.split('"').next().unwrap()
}

/// A text without its escapes.
pub fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut parts = text.split('&');
    plain.push_str(parts.next().unwrap());
    for part in parts {
        let (name, after) = part.split_once(';').expect("a reference ends");
        plain.push_str(match name {
            "amp" => "&",
            "lt" => "<",
            "gt" => ">",
            "quot" => "\"",
            "apos" => "'",
            _ => panic!("&{name};"),
        });
        plain.push_str(after);
    }
    plain
}
