//! Print: a study file that says everything, with each field's meaning, unit and range above it.

use super::{Config, Named, Route};
use crate::flights::environments::Target;
use crate::flights::space::{POSITION, Scale, whole_cascade};
use crate::flights::warm_start::WarmStart;
use serde::Serialize;
use std::fmt::Write;
use toml::Value;

/// The study file of `config`; reading it gives `config` back.
pub(super) fn print(config: &Config) -> String {
    let mut text = String::from(
        "# A Windhover study: bo --config FILE. Every field may be left out; flags override it.\n\n",
    );
    what(&mut text, config);
    budget(&mut text, config);
    gains(&mut text, config);
    winds(&mut text, config);
    limits(&mut text, config);
    text
}

fn what(text: &mut String, config: &Config) {
    let trajectory = match &config.route {
        Route::Shipped(name) => quoted(name),
        Route::Given { name, csv } => {
            format!("{{ name = {}, csv = {} }}", quoted(name), quoted(csv))
        }
    };
    let airframe = named(&config.airframe, |airframe| &airframe.name);
    let settings = &config.settings;
    let seed = match i64::try_from(settings.seed) {
        Ok(seed) => seed.to_string(),
        Err(_) => quoted(&settings.seed.to_string()),
    };
    let logs: Vec<String> = config.logs.iter().map(|f| quoted(f.name())).collect();
    let fields = [
        (
            "trajectory",
            trajectory,
            "What is flown: hover, fig8, sin-forward, spiral-up; a file of waypoints (t,x,y,z[,yaw] in\n\
             # s, m, rad) beside this one, or { name = \"...\", csv = \"...\" } with its text.",
        ),
        (
            "airframe",
            airframe,
            "The vehicle: omac, crazyflie, hummingbird; an airframe file beside this one, or its keys in\n\
             # a table.",
        ),
        (
            "surrogate",
            quoted(settings.surrogate),
            "What learns cost from gains: rf, mlp, gp, gp-rq, gp-dp, dil-gp, dil-gp-released,\n\
             # dil-gp-per-point, gp-informed, gp-matern, gp-level-set.",
        ),
        (
            "lambda",
            settings.lambda.map_or_else(|| quoted("none"), number),
            "Weight L of the invariance penalty, from 0; none for a surrogate without one. With g0 and g1\n\
             # the slopes of the likelihood in two environments of the n evaluations, what is minimised is\n\
             #   dil-gp            -log p + L (g0^2 + g1^2), the paper's Algorithm 1\n\
             #   dil-gp-released   (-log p + L/2 (g0^2 + g1^2)) / n, the authors' code\n\
             #   dil-gp-per-point  -log p + L/n * 1/2 (g0^2 + g1^2), ours",
        ),
        (
            "environments",
            quoted(settings.environments.name()),
            "Whether gp-informed, gp-matern or gp-level-set is told each flight's environment: none, telemetry\n\
             # (inferred from the flight itself), labels (the domain drawn for it).",
        ),
        (
            "target",
            quoted(settings.target.map_or("none", Target::name)),
            "With environments, the one aimed at: gusty, steady, worst, or mean (equal weights; so is none).",
        ),
        (
            "warm_start",
            config
                .warm_start
                .as_ref()
                .map_or_else(|| quoted("none"), started),
            "Evaluations of an earlier run as data beside the budget: none, its folder or run.json, or all\n\
             # of them in a table.",
        ),
        (
            "seed",
            seed,
            "Decides the initial design, every wind and every fit; 0 to 2^64 - 1, in quotes from 2^63.",
        ),
        (
            "log",
            format!("[{}]", logs.join(", ")),
            "Logs of the flight that is drawn, 1 kHz: any of \"csv\", \"mcap\" (Foxglove), \"ulog\" (PX4's\n\
             # tools). The result does not depend on it.",
        ),
    ];
    add(text, &fields);
}

fn budget(text: &mut String, config: &Config) {
    let settings = &config.settings;
    text.push_str("[budget]\n");
    add(
        text,
        &[
            (
                "initial",
                settings.initial.to_string(),
                "Evaluations before the surrogate is asked, 1 to 2000; the first has the start gains.",
            ),
            (
                "iterations",
                settings.iterations.to_string(),
                "Evaluations that the surrogate chooses, 1 to 2000.",
            ),
            (
                "flights",
                settings.flights_per_evaluation.to_string(),
                "Flights of one evaluation, each in a wind of its own, 1 to 1000; the cost is their mean.",
            ),
            (
                "held_out",
                settings.held_out_winds.to_string(),
                "Winds in each test domain in which the result is tested, 2 to 100000.",
            ),
        ],
    );
    text.push_str("[acquisition]\n");
    add(
        text,
        &[
            (
                "name",
                quoted(settings.acquisition),
                "What chooses the next gains: ucb, ucb-theory, ei, log-ei, mean, thompson, level-set.\n\
                 # ucb-theory has Theorem 2's schedule without its guarantee, which refits void.",
            ),
            (
                "kappa",
                number(settings.kappa),
                "Upper confidence bound: weight of the standard deviation of the log cost, from 0.",
            ),
        ],
    );
    text.push_str(
        "# The cost of an evaluation is the mean over its flights of\n\
         #   J = ACE + effort_m * effort + saturation_m * saturation   [m]\n\
         # with ACE the root of the time mean of |p - p_d|^2, effort the time mean over the rotors of\n\
         # (thrust / hover thrust - 1)^2, saturation the share of the time with a rotor at the end of\n\
         # its range. A lost flight has an ACE of 2 m; an evaluation that loses at least half of its\n\
         # flights has no cost. Tests report ACE alone.\n\
         [cost]\n",
    );
    let cost = &settings.cost;
    add(
        text,
        &[
            (
                "effort_m",
                number(cost.effort_m),
                "Weight of the effort [m], from 0.",
            ),
            (
                "saturation_m",
                number(cost.saturation_m),
                "Weight of the saturation [m], from 0.",
            ),
        ],
    );
}

fn gains(text: &mut String, config: &Config) {
    let names: Vec<&str> = config.gains.iter().map(|bounds| bounds.name).collect();
    let tune = if names == POSITION {
        quoted("position")
    } else if whole_cascade(&names, &config.airframe.get().gains).is_some() {
        quoted("cascade")
    } else {
        let list: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        format!("[{}]", list.join(", "))
    };
    text.push_str("[gains]\n");
    add(
        text,
        &[
            (
                "tune",
                tune,
                "What is tuned: position (kp, ki, kd of the position loop, horizontal and vertical), cascade\n\
                 # (these, and attitude_kp, rate_kp, rate_ki, rate_kd for .xy and .z, but for gains that are 0\n\
                 # in the airframe and have no bounds below), or a list of gains.",
            ),
            (
                "exportable",
                quoted(config.settings.exportable.unwrap_or("none")),
                "Keep position gains within what an autopilot can hold: none, px4, ardupilot.",
            ),
        ],
    );
    text.push_str(
        "# Each gain that is tuned, in the unit behind its line. Every key may be left out:\n\
         #   low, high  bounds of the search [the usual ones; inner loops: a quarter of the airframe's\n\
         #              gain to four times it]; low < high, positive where scale is \"log\"\n\
         #   start      where the run starts, within the bounds [the airframe's gain]\n\
         #   scale      what lies between the bounds: \"log\" (equal ratios) or \"linear\" [\"log\"]\n\
         [gains.bounds]\n",
    );
    let base = config.airframe.get().gains;
    for bounds in &config.gains {
        let scale = match bounds.scale {
            Scale::Log => "log",
            Scale::Linear => "linear",
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{} = {{ low = {}, high = {}, start = {}, scale = \"{scale}\" }} # {}",
            quoted(bounds.name),
            number(bounds.low),
            number(bounds.high),
            number(bounds.start),
            bounds.knob(&base).unit
        );
    }
    text.push('\n');
}

fn winds(text: &mut String, config: &Config) {
    text.push_str(
        "# Winds of the training flights. A domain is gusty, steady, a domain file beside this one, or\n\
         # its keys in a table (u, v, w: along the mean wind, across, up):\n\
         #   { name = \"...\", mean_m_s = [x, y, z], sigma_m_s = [u, v, w], length_m = [u, v, w],\n\
         #     reference_speed_m_s = V }, or from MIL-F-8785C's low-altitude model\n\
         #   { name = \"...\", altitude_m = H, wind_at_20_ft_kt = W, reference_speed_m_s = V }\n\
         # whose mean wind is W's at H by the standard's profile, along x; mean_m_s = [x, y, z] overrides it.\n\
         # Ours and not the paper's in gusty and steady: V (15 m/s where there is no mean wind), its pairs\n\
         # of variances read as half-ranges of a uniform distribution, 10 ft, and the shares 100 : 15.\n",
    );
    for share in &config.training {
        let domain = named(&share.domain, |domain| &domain.name);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "[[training]]\n\
             # A domain.\n\
             domain = {domain}\n\
             # Its flights in proportion to those of the other domains, above 0.\n\
             share = {}\n",
            number(share.share)
        );
    }
    text.push_str("# Winds of the test flights, none of which is met in training.\n");
    for test in &config.tests {
        let domain = named(test, |domain| &domain.name);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "[[test]]\n# A domain, each once.\ndomain = {domain}\n"
        );
    }
}

fn limits(text: &mut String, config: &Config) {
    text.push_str("# The result does not depend on these.\n[limits]\n");
    add(
        text,
        &[
            (
                "threads",
                config.limits.threads.to_string(),
                "Threads, 0 (one a core) to 1024.",
            ),
            (
                "flight_s",
                number(config.limits.flight_s),
                "A trajectory that takes longer than this is refused, 0.01 to 86400 [s].",
            ),
        ],
    );
}

/// Fields with what they mean above them.
fn add(text: &mut String, fields: &[(&str, String, &str)]) {
    for (key, value, meaning) in fields {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "# {meaning}\n{key} = {value}");
    }
    text.push('\n');
}

fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// Digits that read back as the same number, always with a point or an exponent.
fn number(value: f64) -> String {
    format!("{value:?}")
}

/// A warm start in full, one evaluation a line: line feeds are legal within an array.
fn started(start: &WarmStart) -> String {
    fn inline(value: impl Serialize) -> String {
        let value = Value::try_from(value);
        value
            .expect("its numbers were read from JSON or TOML")
            .to_string()
    }
    let trials: String = start
        .trials
        .iter()
        .map(|trial| format!("    {},\n", inline(trial)))
        .collect();
    format!(
        "{{ run = {}, trajectory = {}, vehicle = {}, cost = {}, tuned = {}, trials = [\n{trials}] }}",
        quoted(&start.run),
        quoted(&start.trajectory),
        quoted(&start.vehicle),
        inline(start.cost),
        inline(&start.tuned)
    )
}

/// The name of what is shipped; the whole of what is given.
fn named<T: Serialize>(thing: &Named<T>, name: fn(&T) -> &String) -> String {
    match thing {
        Named::Shipped(thing) => quoted(name(thing)),
        Named::Given(thing) => {
            let value = Value::try_from(thing);
            value.expect("its numbers were read from TOML").to_string()
        }
    }
}
