//! Looked at: functions that have judged a form of `auto`, each ten by the form that they judged.
//! Constants may be chosen on them since.

pub mod eleventh_form;
pub mod eleventh_form_again;
pub mod fifth_form;
pub mod fifth_form_again;
pub mod first_form;
pub mod ninth_form;
pub mod ninth_form_again;
pub mod tenth_form;
pub mod third_form;

use super::Stated;

/// Names without noise, in the order of the tables.
pub const NAMES: [&str; 90] = [
    "camel2",
    "goldstein2",
    "gramacy2",
    "hartmann3",
    "shekel4",
    "pressure4",
    "michalewicz5",
    "styblinski5",
    "dixon7",
    "trid10",
    "beale2",
    "spring3",
    "colville4",
    "hartmann4",
    "beam4",
    "rastrigin5",
    "zakharov6",
    "powell8",
    "borehole8",
    "wing10",
    "mccormick2",
    "bars2",
    "ishigami3",
    "powersum4",
    "cantilever5",
    "otl6",
    "piston7",
    "robot8",
    "griewank9",
    "ellipsoid10",
    "holder2",
    "bird2",
    "helical3",
    "perm4",
    "himmelblau5",
    "schwefel6",
    "powers7",
    "qing8",
    "alpine9",
    "quartic10",
    "eggholder2",
    "townsend2",
    "boxbetts3",
    "cosine4",
    "friedman5",
    "hesse6",
    "salomon7",
    "dette8",
    "brown9",
    "paviani10",
    "crossintray2",
    "disc2",
    "wolfe3",
    "ibeam4",
    "corrugated5",
    "stretched6",
    "absolute7",
    "sargan8",
    "csendes9",
    "trigonometric10",
    "truss2",
    "bukin2",
    "gulf3",
    "miele4",
    "keane5",
    "watson6",
    "quintic7",
    "broyden8",
    "montalvo9",
    "whitley10",
    "floudas2",
    "langermann2",
    "bard3",
    "suzuki4",
    "osborne5",
    "biggs6",
    "pinter7",
    "flood8",
    "cigar9",
    "lunacek10",
    "gomez2",
    "hosaki2",
    "gauss3",
    "hock4",
    "happycat5",
    "weierstrass6",
    "schaffer7",
    "sector8",
    "exponential9",
    "griebanana10",
];

pub(super) fn stated(name: &str) -> Option<Stated> {
    let forms = [
        first_form::stated,
        third_form::stated,
        fifth_form::stated,
        fifth_form_again::stated,
        ninth_form::stated,
        ninth_form_again::stated,
        tenth_form::stated,
        eleventh_form::stated,
        eleventh_form_again::stated,
    ];
    forms.iter().find_map(|form| form(name))
}
