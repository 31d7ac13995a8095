//! XML: the elements of a document, and the numbers in them. A document type is refused: it could make a
//! small file a large one.

use super::refused;
use crate::error::Error;
use nalgebra::{Isometry3, Translation3, UnitQuaternion};
use roxmltree::{Document, Node};
use std::f64::consts::TAU;

/// One element of a document.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Element<'a>(Node<'a, 'a>);

/// What marks a model whose parts are those of the model around it.
const MERGED: &str = "merged=\"true\"";

/// Most models that include one another, and most bytes of all together.
const DEEPEST: usize = 8;
const MOST_BYTES: usize = 1 << 24;

/// The document of `text`, which is `what`.
fn parsed<'t>(text: &'t str, what: &str) -> Result<Document<'t>, Error> {
    Document::parse(text).map_err(|fault| {
        let found = format!("no XML that is read ({fault})");
        let wanted = "SDF, URDF or JSON, without a document type";
        refused(what, found, wanted)
    })
}

/// `text` with spaces in place of its comments, which may stand within numbers.
pub(super) fn without_comments(text: &str) -> String {
    let mut parts = text.split("<!--");
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // Lines keep their numbers.
        let (comment, rest) = part.split_once("-->").unwrap_or((part, ""));
        made.extend(comment.chars().map(|c| if c == '\n' { c } else { ' ' }));
        made += rest;
    }
    made
}

/// `text` with the models that it includes in their places, `depth` deep already.
///
/// # Errors
/// [`Error::VehicleFile`] for what is no XML, and for a model that is not there.
pub(super) fn whole(
    (text, what): (&str, &str),
    included: &dyn Fn(&str) -> Option<String>,
    depth: usize,
) -> Result<String, Error> {
    let text = &without_comments(text);
    let document = parsed(text, what)?;
    let root = Element(document.root_element());
    let (mut made, mut at) = (String::new(), 0);
    for include in root.all("include").filter(|_| root.tag() == "sdf") {
        let uri = include.word("uri");
        let refusal = || {
            let wanted = "in the folder beside this model's, or put in its place: `gz sdf -p FILE` prints the whole";
            refused("the include", format!("another file, `{uri}`"), wanted)
        };
        let text_of_one = included(uri)
            .filter(|_| depth < DEEPEST)
            .ok_or_else(refusal)?;
        if include.child("placement_frame").is_some() {
            let wanted =
                "a pose alone, or the model put in its place: `gz sdf -p FILE` prints the whole";
            let found = format!("a placement_frame, of `{uri}`");
            return Err(refused("the include", found, wanted));
        }
        let what = format!("the included `{uri}`");
        let one = whole((&text_of_one, &what), included, depth + 1)?;
        let one = parsed(&one, &what)?;
        let model = Element(one.root_element())
            .all("model")
            .next()
            .ok_or_else(refusal)?;
        let parts = model.0.children();
        let body: String = parts.map(|part| &one.input_text()[part.range()]).collect();
        made += &text[at..include.0.range().start];
        at = include.0.range().end;
        // A pose of the include stands before that of the model, and so counts.
        let pose = include
            .child("pose")
            .map_or("", |pose| &text[pose.0.range()]);
        let name = match include.word("name") {
            "" => model.attribute("name"),
            name => name,
        };
        // The parts of a merged one keep their place, and are found as parts of the model around.
        let merged = match include.attribute("merge") {
            "true" => MERGED,
            _ => "",
        };
        made += &format!("<model name=\"{name}\" {merged}>{pose}{body}</model>");
        if made.len() + text.len() > MOST_BYTES {
            let found = "more than 16 MiB with all it includes";
            return Err(refused("the file", found, "less"));
        }
    }
    Ok(made + &text[at..])
}

/// What `read` makes of the root of a document.
///
/// # Errors
/// [`Error::VehicleFile`] for what is no XML, for macros that are not expanded, and what `read` finds.
pub(super) fn with_root<T>(
    text: &str,
    read: impl FnOnce(Element) -> Result<T, Error>,
) -> Result<T, Error> {
    let document = parsed(text, "the file")?;
    let of_macros = |node: &Node| {
        let space = node.tag_name().namespace();
        space.is_some_and(|space| space.ends_with("/xacro"))
    };
    if let Some(node) = document.descendants().find(of_macros) {
        let name = format!("xacro:{}", node.tag_name().name());
        let wanted = "expanded: `xacro FILE > vehicle.urdf`";
        return Err(refused(name, "a macro", wanted));
    }
    read(Element(document.root_element()))
}

impl<'a> Element<'a> {
    pub(super) fn tag(self) -> &'a str {
        self.0.tag_name().name()
    }

    /// What the attribute says; nothing where there is none.
    pub(super) fn attribute(self, name: &str) -> &'a str {
        self.0.attribute(name).unwrap_or_default()
    }

    /// The elements of that name directly below.
    pub(super) fn children(self, name: &str) -> impl Iterator<Item = Element<'a>> {
        let named = move |node: &Node| node.has_tag_name(name);
        self.0.children().filter(named).map(Element)
    }

    pub(super) fn child(self, name: &str) -> Option<Element<'a>> {
        self.children(name).next()
    }

    /// This element and those below, however deep, that have the name.
    pub(super) fn all(self, name: &str) -> impl Iterator<Item = Element<'a>> {
        let named = move |node: &Node| node.has_tag_name(name);
        self.0.descendants().filter(named).map(Element)
    }

    /// The element around; the root has none.
    pub(super) fn around(self) -> Option<Element<'a>> {
        self.0.parent_element().map(Element)
    }

    /// Whether its parts are those of the model around it.
    fn is_merged(self) -> bool {
        self.attribute("merged") == "true"
    }

    /// The model whose parts the elements directly below are.
    pub(super) fn scope(self) -> Element<'a> {
        match self.around().filter(|_| self.is_merged()) {
            Some(around) => around.scope(),
            None => self,
        }
    }

    /// The elements of that name directly below, and those of merged models there.
    pub(super) fn parts(self, name: &'a str) -> Vec<Element<'a>> {
        let merged = self.children("model").filter(|model| model.is_merged());
        let theirs = merged.flat_map(|model| model.parts(name));
        self.children(name).chain(theirs).collect()
    }

    /// What stands in the child, or in an attribute of that name; nothing where there is neither.
    pub(super) fn word(self, name: &str) -> &'a str {
        let text = |child: Element<'a>| child.0.text().unwrap_or_default();
        self.child(name).map_or(self.attribute(name), text).trim()
    }

    /// Where it stands below the root, with names where elements have them; plugins, which may share theirs, with
    /// their links'.
    pub(super) fn path(self, below: &str) -> String {
        let around = self.0.ancestors().filter(Node::is_element).map(Element);
        let named = |element: Element| match [element.attribute("name"), element.word("linkName")] {
            ["", ""] => element.tag().to_owned(),
            [name, ""] | ["", name] => format!("{}[{name}]", element.tag()),
            [name, link] => format!("{}[{name}, {link}]", element.tag()),
        };
        let mut words: Vec<String> = around.map(named).collect();
        words.pop();
        words.reverse();
        words.push(below.to_owned());
        words.join("/")
    }

    /// The number in the child or the attribute `name`; `None` where there is neither.
    pub(super) fn number(self, name: &str) -> Result<Option<f64>, Error> {
        let text = match self.child(name).map(|child| child.attribute("value")) {
            None if self.attribute(name).is_empty() => return Ok(None),
            None | Some("") => self.word(name),
            Some(value) => value,
        };
        let [number] = numbers(self.path(name), text, "a number")?;
        Ok(Some(number))
    }

    /// Where it is [m and rad]: its `pose` in SDF, its `origin` in URDF.
    pub(super) fn pose(self) -> Result<Isometry3<f64>, Error> {
        let or_zero = |text: &'a str| if text.is_empty() { "0 0 0" } else { text };
        let (path, origin) = (self.path("pose"), self.child("origin"));
        let text = match (self.word("pose"), origin) {
            ("", Some(origin)) => ["xyz", "rpy"]
                .map(|name| or_zero(origin.attribute(name)))
                .join(" "),
            ("", None) => return Ok(Isometry3::identity()),
            (pose, _) => pose.to_owned(),
        };
        let numbers = numbers(path.clone(), &text, "six numbers, x y z roll pitch yaw")?;
        let [x, y, z, mut roll, mut pitch, mut yaw] = numbers;
        let pose = self.child("pose");
        if pose.is_some_and(|pose| pose.attribute("degrees") == "true") {
            [roll, pitch, yaw] = [roll, pitch, yaw].map(f64::to_radians);
        }
        let mut angles = [roll, pitch, yaw].into_iter();
        if let Some(angle) = angles.find(|angle| angle.abs() > TAU + 0.01) {
            let wanted = "in radians, at most a whole turn: is it in degrees?";
            return Err(refused(format!("an angle in {path}"), angle, wanted));
        }
        let turned = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
        Ok(Isometry3::from_parts(Translation3::new(x, y, z), turned))
    }
}

/// The finite numbers in `text`, which stands at `path`.
fn numbers<const N: usize>(
    path: String,
    text: &str,
    wanted: &'static str,
) -> Result<[f64; N], Error> {
    let finite = |word: &str| word.parse().ok().filter(|x: &f64| x.is_finite());
    let found: Option<Vec<f64>> = text.split_whitespace().map(finite).collect();
    let found = found.and_then(|found| found.try_into().ok());
    found.ok_or_else(|| refused(path, format!("`{text}`"), wanted))
}
