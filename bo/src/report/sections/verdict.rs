//! What was gained.

use super::{figures, table};
use crate::report::html::{escape, metres, plus_minus, range};
use crate::report::recorded::{Candidate, Recorded};
use crate::report::{Report, Verdict, charts};
use crate::statistics::Interval;

/// The recommended gains against the default ones on the same held-out winds.
pub fn verdict(report: &Report) -> String {
    let recorded = &report.recorded;
    let domains = 0..recorded.recommended.tests.len();
    let mut text = "<h3>Verdict</h3>\n".to_owned();
    for domain in domains.clone() {
        text += &sentence(recorded, domain);
    }
    let rows: Vec<Vec<String>> = domains.map(|domain| row(recorded, domain)).collect();
    let head = [
        "wind",
        "default ACE [m]",
        "recommended ACE [m]",
        "recommended − default [m]",
        "best observed flight’s gains ACE [m]",
        "best observed − default [m]",
    ];
    text += &table(&head, &rows);
    text += &format!(
        "<p>ACE, the average control error, is the root of the time mean of the squared distance \
         to the reference. Means are over {} held-out winds a domain, the same ones for all gains; \
         none was flown in tuning. A lost flight counts 2 m. Intervals are at 95 %, by Student’s t \
         over winds; those of differences are over the differences wind by wind.</p>\n<p>{}</p>\n",
        recorded.settings.held_out_winds,
        chosen(recorded),
    );
    let caption =
        "Each set of gains minus the default gains, wind by wind: mean and 95 % interval.";
    text + &figures(&[(charts::differences(recorded), caption.to_owned())])
}

fn sentence(recorded: &Recorded, domain: usize) -> String {
    let difference = recorded.difference(&recorded.recommended, domain);
    let verdict = Verdict::of(&difference);
    let (before, after) = (
        &recorded.default.tests[domain],
        &recorded.recommended.tests[domain],
    );
    let means = [&before.ace_m, &after.ace_m].map(|ace| Interval::of(ace).mean);
    let wind = escape(&before.domain);
    let [low, high] = [difference.low(), difference.high()];
    let change = format!(
        "from {} to {} m ({:+.0} %)",
        metres(means[0]),
        metres(means[1]),
        100.0 * (means[1] / means[0] - 1.0)
    )
    .replace('-', "−");
    let words = match verdict {
        Verdict::Better => format!(
            "are <b>better</b> than the default gains: the average control error falls by {} m (95 % interval {} to {} m), {change}.",
            metres(-difference.mean),
            metres(-high),
            metres(-low)
        ),
        Verdict::Worse => format!(
            "are <b>worse</b> than the default gains: the average control error rises by {} m (95 % interval {} to {} m), {change}.",
            metres(difference.mean),
            metres(low),
            metres(high)
        ),
        Verdict::Unclear => format!(
            "cannot be told from the default gains: <b>no difference can be told</b>. The average control error changes by {} m, and the 95 % interval holds zero; {change}.",
            range(&difference)
        ),
        Verdict::Unchanged => "fly exactly as the default gains do: <b>unchanged</b>.".to_owned(),
    };
    let words = words.replace("95 %", "95\u{a0}%");
    format!(
        "<p class=\"verdict {}\">In <b>{wind}</b> wind the recommended gains {words} Lost flights: {} with the default gains, {} with the recommended ones, of {} each.</p>\n",
        verdict.style(),
        before.crashes,
        after.crashes,
        before.ace_m.len(),
    )
}

fn row(recorded: &Recorded, domain: usize) -> Vec<String> {
    let mean = |candidate: &Candidate| {
        let test = &candidate.tests[domain];
        let lost = match test.crashes {
            0 => String::new(),
            n => format!(" ({n} lost)"),
        };
        plus_minus(&Interval::of(&test.ace_m)) + &lost
    };
    let difference = |candidate: &Candidate| {
        let difference = recorded.difference(candidate, domain);
        let verdict = Verdict::of(&difference);
        let (style, words) = (verdict.style(), verdict.words());
        format!(
            "{} <span class=\"{style}\">{words}</span>",
            range(&difference)
        )
    };
    vec![
        escape(&recorded.default.tests[domain].domain),
        mean(&recorded.default),
        mean(&recorded.recommended),
        difference(&recorded.recommended),
        mean(&recorded.observed),
        difference(&recorded.observed),
    ]
}

/// How the recommended gains were chosen.
fn chosen(recorded: &Recorded) -> String {
    let one = match recorded.settings.flights_per_evaluation {
        1 => "flight",
        _ => "evaluation",
    };
    let by = recorded
        .recommended
        .choice
        .as_ref()
        .map_or("", |choice| choice.by.as_str());
    let how = match by {
        "centroid" => format!(
            "the middle of the ten {one}s that the surrogate believes best; averaging takes out most of the luck of single {one}s"
        ),
        "level_set" => format!(
            "the middle of all that one {one} could hardly tell from the best, as the surrogate believes; no single lucky {one} decides it"
        ),
        "near_best" => format!(
            "those of the {one} that the surrogate believes best, or the middle of good ones near it; the middle of all good ones is believed to be worse"
        ),
        "observed_before" => format!(
            "those of the best {one} of the warm start, because the surrogate could not be fitted"
        ),
        "baseline_by_belief" => {
            "the default gains themselves: the surrogate believes nothing to be better".to_owned()
        }
        "observed" => {
            format!("those of the best observed {one}, because the surrogate could not be fitted")
        }
        "baseline_by_default" => {
            "the default gains themselves, because every evaluation lost a flight".to_owned()
        }
        other => {
            return format!(
                "The recommended gains were chosen by the rule “{}”.",
                escape(other)
            );
        }
    };
    format!(
        "The recommended gains are {how}. The best observed {one}’s gains are the paper’s choice; one lucky wind can decide it."
    )
}
