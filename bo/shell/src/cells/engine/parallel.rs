//! GNU parallel: one process a task, as many at once as the machine has processors.

use super::{Parts, SUBMIT};
use crate::terminal::word;

/// File names and texts.
///
/// `--resume-failed` begins what the log of jobs says failed or was killed, and what it does not
/// name. A request to terminate becomes SIGHUP, by which parallel begins no more and waits for those
/// that run; by SIGTERM it would end them.
pub(super) fn scripts(parts: &Parts) -> Vec<(String, String)> {
    let Parts {
        name,
        list,
        cells,
        collect,
        here,
        folder,
        ..
    } = parts;
    let log = word(folder.join(format!("jobs-{name}.log")));
    let here = word(here);
    let submit = format!(
        "#!/bin/sh\n\
         # What follows the script's name goes to parallel: --jobs 8, or --sshlogin one,two where all\n\
         # machines see the same folders.\n\
         cd {here} || exit 73\n\
         parallel --workdir {here} --joblog {log} --resume-failed -q \"$@\" sh {cells} {{}} < {list} &\n\
         parallel=$!\n\
         trap 'kill -HUP \"$parallel\"' INT TERM\n\
         while kill -0 \"$parallel\" 2>/dev/null; do wait \"$parallel\"; done\n\
         trap - INT TERM\n\
         exec {collect}\n"
    );
    vec![(SUBMIT.to_owned(), submit)]
}
