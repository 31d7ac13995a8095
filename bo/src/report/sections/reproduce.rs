//! How to make the run again.

use crate::report::Report;
use crate::report::html::escape;

/// The commands, the version and the seed.
pub fn reproduce(report: &Report) -> String {
    let recorded = &report.recorded;
    let settings = &recorded.settings;
    let folder = quoted(&report.name);
    let (made, note) = if report.has_config {
        (
            format!("bo --config {folder}/config.toml --out again"),
            "config.toml in the run’s folder holds every setting.".to_owned(),
        )
    } else {
        (flags(report), String::new())
    };
    let commands = [
        made,
        format!("bo report {folder}"),
        format!("bo export {folder} --to json"),
    ];
    let commands = commands.map(|line| escape(&line)).join("\n");
    format!(
        "<h3>How to reproduce</h3>\n<pre>{}</pre>\n<p>Windhover {}, seed {}, run in the folder that holds {}. {note} \
         The same version, build and settings give the same run.json and the same report, byte for byte, on \
         any number of threads. Another processor or compiler may differ in the last bits.</p>\n",
        commands,
        escape(&recorded.versions.windhover),
        settings.seed,
        escape(&folder),
    )
}

fn flags(report: &Report) -> String {
    let s = &report.recorded.settings;
    let exportable = s.exportable.as_ref().map_or(String::new(), |name| {
        format!(" --exportable {}", quoted(name))
    });
    format!(
        "bo --traj {} --surrogate {} --seed {} --initial {} --iterations {} --kappa {} --held-out {}{exportable} --out again",
        quoted(&s.trajectory),
        quoted(&s.surrogate),
        s.seed,
        s.initial,
        s.iterations,
        s.kappa,
        s.held_out_winds
    )
}

/// `word` as a POSIX shell takes it for one word.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("fig8-dil-gp-1"), "fig8-dil-gp-1");
        assert_eq!(quoted("my run"), "'my run'");
        assert_eq!(quoted("a'; rm -rf b"), "'a'\\''; rm -rf b'");
        assert_eq!((quoted(""), quoted("-x")), ("''".into(), "'-x'".into()));
    }
}
