//! What was gained.

use crate::flights::context::Context;
use crate::flights::evaluation::Evaluation;
use crate::flights::verdict::Verdict;
use crate::report::html::{difference, escape, lost, lost_in_table, metres, signed};
use crate::report::sections::{figures, table};
use crate::report::words;
use crate::report::{Report, charts};
use crate::run::disk::record::{Candidate, Record};
use crate::statistics::MedianInterval;
use search::{Choice, Judged, Origin};

/// The recommended gains against the default ones on the same held-out winds.
pub fn verdict(report: &Report) -> String {
    let recorded = &report.recorded;
    let domains = 0..recorded.recommended.tests.len();
    let mut text = String::new();
    for domain in domains.clone() {
        text += &sentence(recorded, domain);
    }
    let rows: Vec<Vec<String>> = domains.flat_map(|domain| rows(recorded, domain)).collect();
    let head = [
        "wind",
        "gains",
        "ACE of completed flights [m]",
        "minus default [m]",
        "flights lost in simulation, bound of probability",
        "",
    ];
    text += &table(&head, rows);
    let autopilots = words::autopilots(recorded);
    let autopilots: Vec<String> = autopilots.lines().map(escape).collect();
    text += &format!(
        "<p>ACE, the average control error, is the root of the time mean of the squared distance \
         to the reference. Medians are over the completed ones of {} held-out flights a domain, in the same \
         winds for all gains; all of it in simulation; none was flown in tuning. Intervals are at 95 %, by order statistics, which \
         hold whatever the distribution; those of differences are over the winds in which neither set \
         of gains lost the vehicle. The probability of a loss keeps below the stated bound with 95 % confidence \
         (exact, one-sided). Gains are called better where their error is lower and they lose no more \
         flights, or where they lose clearly fewer.</p>\n<p>{}</p>\n<p>{}.</p>\n",
        recorded.settings.held_out_winds,
        chosen(recorded),
        autopilots.join(".<br>"),
    );
    let candidates = [&recorded.recommended, &recorded.observed];
    let mut judgements = candidates.into_iter().flat_map(|candidate| {
        let domains = 0..candidate.tests.len();
        domains.map(move |domain| recorded.judgement(candidate, domain))
    });
    if judgements.all(|judgement| judgement.error_m.is_none()) {
        return text;
    }
    let caption = "Each set of gains minus the default gains, over the winds that both completed: median and 95 % interval.";
    text + &figures(&[(charts::differences(recorded), caption.to_owned())])
}

fn sentence(recorded: &Record, domain: usize) -> String {
    let judgement = recorded.judgement(&recorded.recommended, domain);
    let (before, after) = (
        &recorded.default.tests[domain],
        &recorded.recommended.tests[domain],
    );
    let words = match judgement.verdict {
        Verdict::Better => "are <b>better</b> than the default gains.",
        Verdict::CloserButLost => {
            "track <b>closer</b> than the default gains, <b>but lost more flights</b>; so few losses cannot tell which set of gains is the safer."
        }
        Verdict::Worse => "are <b>worse</b> than the default gains.",
        Verdict::LosesMore => {
            "are <b>worse</b>: they <b>lose more flights</b> than the default gains."
        }
        Verdict::Unclear => {
            "do not differ clearly from the default gains: <b>no clear difference</b>."
        }
        Verdict::Unchanged => "fly exactly as the default gains do: <b>unchanged</b>.",
    };
    let error = match (judgement.error_m, before.completed_m, after.completed_m) {
        (Some(error), Some(before), Some(after)) => format!(
            "Where both completed the flight, the average control error changes by {} m (median over winds and its 95 % interval); over all completed flights its median goes from {} to {} m ({:+.0} %).",
            error.range(signed),
            metres(before.median),
            metres(after.median),
            100.0 * (after.median / before.median - 1.0)
        ),
        _ => "In no wind did both complete the flight.".to_owned(),
    };
    let error = error.replace("(-", "(−");
    let text = format!(
        "In <b>{}</b> wind, in simulation, the recommended gains {words} {error} Lost flights: {} with the default gains, {} with the recommended ones.",
        escape(&before.domain),
        lost(&judgement.before),
        lost(&judgement.after)
    );
    format!(
        "<p class=\"verdict {}\">{}</p>\n",
        judgement.verdict.style(),
        text.replace("95 %", "95\u{a0}%")
    )
}

/// The three sets of gains in one domain.
fn rows(recorded: &Record, domain: usize) -> Vec<Vec<String>> {
    let row = |name: &str, candidate: &Candidate| {
        let test = &candidate.tests[domain];
        let error = test
            .completed_m
            .as_ref()
            .map_or("-".to_owned(), MedianInterval::plain);
        [
            escape(&test.domain),
            name.to_owned(),
            error,
            String::new(),
            lost_in_table(&test.losses()),
            String::new(),
        ]
    };
    let against = |name: &str, candidate: &Candidate| {
        let judgement = recorded.judgement(candidate, domain);
        let (style, words) = (judgement.verdict.style(), judgement.verdict.words());
        let mut row = row(name, candidate);
        row[3] = difference(&judgement);
        row[5] = format!("<span class=\"{style}\">{words}</span>");
        row
    };
    let all = [
        row("default", &recorded.default),
        against("recommended", &recorded.recommended),
        against("best observed flight’s", &recorded.observed),
    ];
    all.map(Vec::from).to_vec()
}

/// How the recommended gains were chosen.
fn chosen(recorded: &Record) -> String {
    let one = match recorded.settings.flights_per_evaluation {
        1 => "flight",
        _ => "evaluation",
    };
    let how = match &recorded.recommended.choice {
        Some(Choice::Centre {
            share,
            ends,
            deviation,
            noise,
            ..
        }) => {
            let next = match recorded.settings.environments {
                Context::Winds => "the next in as rough a wind",
                _ => "the next",
            };
            let worse = ends[1] - ends[0];
            towards_the_centre(one, next, *share, worse, *deviation, *noise)
        }
        _ => crate::report::table::chosen(recorded).to_owned(),
    };
    let regime = regime(recorded, one).unwrap_or_default();
    format!(
        "How the recommended gains were chosen: {how}.{regime} The best observed {one}’s gains are the paper’s choice; one lucky wind can decide it."
    )
}

/// What the search judged of the noise, where it goes by that, and how often.
fn regime(recorded: &Record, one: &str) -> Option<String> {
    let judged = |evaluation: &Evaluation| match evaluation.origin {
        Origin::Acquisition { regime, .. } => regime,
        _ => None,
    };
    let all: Vec<Judged> = recorded.trials.iter().filter_map(judged).collect();
    let Judged { loud: noisy, last } = *all.last()?;
    let (informative, looked) = match noisy {
        true => (
            "not informative enough",
            "drew gains from all that a flight could hardly distinguish from the best",
        ),
        false => (
            "informative enough",
            "looked for the best gains rather than for a safe region",
        ),
    };
    let drawn = all.iter().filter(|judged| judged.loud).count();
    Some(format!(
        " At the end single {one}s were {informative} (signal {:.1} σ), so the search {looked}.</p>\n<details><summary>Details of the \
         search</summary><p>Signal: the median of the posterior mean over all gains lies {:.1} standard deviations of one {one} above \
         the best. Contrast: the middle of the good gains lies {:.1} standard deviations of their difference above the best. \
         Lost: {:.0} % of {one}s. Judged before each of the last {} {one}s; {drawn} of them were drawn from the gains that one \
         {one} could hardly distinguish from the best.</p></details>\n<p>",
        last.signal,
        last.signal,
        last.contrast,
        100.0 * last.lost,
        all.len(),
    ))
}

/// Why the gains lie so far from the posterior minimum on the way to the middle of all good ones. Costs
/// are learnt as logarithms.
fn towards_the_centre(
    one: &str,
    next: &str,
    share: f64,
    worse: f64,
    deviation: f64,
    noise: f64,
) -> String {
    let percent = |log: f64| 100.0 * log.exp_m1();
    let way = match share {
        s if s <= 0.0 => "the posterior minimum".to_owned(),
        s if s >= 1.0 => {
            format!("the middle of all that one {one} could hardly distinguish from the best")
        }
        s => format!(
            "{:.0} % of the way from the posterior minimum to the middle of all that one {one} could hardly distinguish from it",
            100.0 * s
        ),
    };
    format!(
        "{way}: one {one} differs from {next} by {:.0} %, that middle is predicted to cost {:+.0} % give or take {:.0} %, and gains are moved towards it as far as what that costs is at most half of what all {one}s leave open",
        percent(noise),
        percent(worse),
        percent(deviation)
    )
}
