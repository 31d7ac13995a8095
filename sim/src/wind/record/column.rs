//! Column: what one column of a table of wind holds, and in which unit, by its name.

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Time,
    Date,
    U,
    V,
    W,
    Speed,
    Direction,
    /// A direction that the wind blows towards.
    Toward,
    Other,
}

/// Speeds by the words for their unit [m/s].
const SPEEDS: [(&[&str], f64, &str); 5] = [
    (&["m/s", "m_s", "ms-1", "m s-1", "mps"], 1.0, "m/s"),
    (&["km/h", "km_h", "kmh", "kph"], 1.0 / 3.6, "km/h"),
    (&["kn", "kt", "kts", "knot", "knots"], 1852.0 / 3600.0, "kn"),
    (&["mph"], 0.447_04, "mph"),
    (&["ft/s", "ft_s", "fps"], 0.3048, "ft/s"),
];

/// Angles by the words for their unit [rad]. A logger's `Grad` is the German degree.
const ANGLES: [(&[&str], f64, &str); 2] = [
    (
        &["deg", "degree", "degrees", "°", "grad", "degt", "°t"],
        std::f64::consts::PI / 180.0,
        "deg",
    ),
    (&["rad"], 1.0, "rad"),
];

/// Times by the words for their unit [s].
const TIMES: [(&[&str], f64, &str); 5] = [
    (&["s", "sec", "secs", "second", "seconds"], 1.0, "s"),
    (&["ms"], 1e-3, "ms"),
    (&["us", "µs"], 1e-6, "us"),
    (&["min"], 60.0, "min"),
    (&["h", "hours"], 3600.0, "h"),
];

/// A unit of [`SPEEDS`], [`ANGLES`] or [`TIMES`].
pub(super) type Unit = (f64, &'static str);

pub(super) fn unit_of(kind: Kind, word: &str) -> Option<Unit> {
    let known: &[(&[&str], f64, &'static str)] = match kind {
        Kind::Time => &TIMES,
        Kind::Direction => &ANGLES,
        Kind::U | Kind::V | Kind::W | Kind::Speed => &SPEEDS,
        Kind::Date | Kind::Toward | Kind::Other => return None,
    };
    let unit = known.iter().find(|(words, ..)| words.contains(&word))?;
    Some((unit.1, unit.2))
}

/// One column: its name as the header has it, what it holds, and the unit if that is known.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) unit: Option<Unit>,
    /// Whether a unit is stated that is not known.
    pub(super) is_odd: bool,
}

impl Column {
    pub(super) fn of(cell: &str) -> Column {
        let name = cell.trim_matches('"').trim().to_owned();
        let lower = name.to_lowercase();
        let (word, bracketed) = match lower.find(['(', '[']) {
            Some(at) => (
                lower[..at].trim(),
                Some(lower[at..].trim_matches(['(', ')', '[', ']', ' '])),
            ),
            None => (lower.as_str(), None),
        };
        let kind = match kind_of(word) {
            Kind::Direction if is_toward(&name) => Kind::Toward,
            kind => kind,
        };
        // As in speed_kn or u_m_s.
        let behind = || {
            let ends = word
                .match_indices(['_', ' '])
                .map(|(at, _)| &word[at + 1..]);
            ends.filter_map(|end| unit_of(kind, end)).next()
        };
        let unit = bracketed
            .and_then(|unit| stated(kind, unit))
            .or_else(behind);
        // A vane's direction is in degrees unless it says otherwise; what was understood says so.
        let is_odd = unit.is_none() && bracketed.is_some();
        let degrees = || (kind == Kind::Direction && !is_odd).then(|| (ANGLES[0].1, ANGLES[0].2));
        let unit = unit.or_else(degrees);
        Column {
            name,
            kind,
            unit,
            is_odd,
        }
    }
}

/// The unit in brackets, with words behind it or without; a direction from another north is not one from north.
fn stated(kind: Kind, bracketed: &str) -> Option<Unit> {
    let other = ["mag", "grid"]
        .iter()
        .any(|north| bracketed.contains(north));
    let first = bracketed.split_whitespace().next().filter(|_| !other);
    unit_of(kind, bracketed).or_else(|| unit_of(kind, first?))
}

/// Whether a direction of that name is the one that the wind blows towards.
fn is_toward(name: &str) -> bool {
    let mut spaced = String::new();
    for letter in name.chars() {
        // As in dirTo.
        if letter.is_uppercase() && spaced.ends_with(char::is_lowercase) {
            spaced.push(' ');
        }
        spaced.push(letter);
    }
    let lower = spaced.to_lowercase();
    let words: Vec<&str> = lower.split([' ', '_', '-', '(', '[']).collect();
    let toward = |word: &&str| ["to", "toward", "towards", "nach"].contains(word);
    words.iter().any(toward) && !words.contains(&"relative")
}

fn kind_of(word: &str) -> Kind {
    let has = |parts: &[&str]| parts.iter().any(|part| word.contains(part));
    let first = word.split(['_', ' ']).next().unwrap_or_default();
    match first {
        "t" => return Kind::Time,
        "u" => return Kind::U,
        "v" => return Kind::V,
        "w" => return Kind::W,
        _ => {}
    }
    match word {
        // The peak of an interval is not its wind.
        _ if has(&["gust", "max", "böe"]) => Kind::Other,
        _ if has(&["time", "zeit", "second"]) => Kind::Time,
        _ if has(&["date", "datum"]) => Kind::Date,
        _ if has(&["dir", "richtung", "bearing"]) => Kind::Direction,
        _ if has(&["vertical"]) => Kind::W,
        _ if has(&["speed", "geschw", "wspd"]) => Kind::Speed,
        _ => Kind::Other,
    }
}
