//! Scripts: what each engine runs. Slurm gets an array of jobs, one per task, and a job that collects when all
//! have ended, whatever their outcome; GNU parallel runs one process per task, as many at once as there are processors.

use super::{Parts, SUBMIT};
use crate::terminal::word;
use std::path::Path;

/// How long before the end of its time, or before it is preempted, a task receives a notice [s].
const NOTICE_S: u32 = 60;

/// File names and texts.
pub(super) fn slurm(parts: &Parts) -> Vec<(String, String)> {
    let Parts {
        name,
        tasks,
        list,
        cells,
        collect,
        here,
        folder,
        ..
    } = parts;
    let array = format!("array-{name}.sh");
    let log = |pattern: &str| log_in(folder, pattern);
    let chdir = format!("#SBATCH --chdir={}\n", double_quoted(here));
    let cells_job = format!(
        "#!/bin/sh\n\
         #SBATCH --job-name=windhover\n\
         #SBATCH --array=1-{tasks}\n\
         {chdir}\
         #SBATCH --output={}\n\
         #SBATCH --open-mode=append\n\
         #SBATCH --requeue\n\
         #SBATCH --signal=B:TERM@{NOTICE_S}\n\
         WINDHOVER_THREADS=${{SLURM_CPUS_PER_TASK:-1}}\n\
         export WINDHOVER_THREADS\n\
         exec sh {cells} \"$(sed -n \"${{SLURM_ARRAY_TASK_ID}}p\" {list})\"\n",
        log("%A_%a.log")
    );
    let collect_job = format!(
        "#!/bin/sh\n\
         #SBATCH --job-name=windhover-collect\n\
         {chdir}\
         #SBATCH --output={}\n\
         #SBATCH --open-mode=append\n\
         #SBATCH --requeue\n\
         exec {collect}\n",
        log("collect-%j.log")
    );
    let submit = format!(
        "#!/bin/sh\n\
         # What follows the script's name goes to sbatch: --partition=short --time=1:00:00\n\
         set -eu\n\
         array=$(sbatch --parsable \"$@\" {})\n\
         array=${{array%%;*}}\n\
         echo \"Job $array: {tasks} tasks\"\n\
         collect=$(sbatch --parsable --dependency=\"afterany:$array\" \"$@\" {})\n\
         echo \"Job ${{collect%%;*}}: collects when they have ended\"\n",
        word(folder.join(&array)),
        word(folder.join("collect.sh"))
    );
    vec![
        (array, cells_job),
        ("collect.sh".to_owned(), collect_job),
        (SUBMIT.to_owned(), submit),
    ]
}

/// A log in `folder`, in whose name alone stand Slurm's own patterns.
fn log_in(folder: &Path, pattern: &str) -> String {
    let folder = folder.to_string_lossy().replace('%', "%%");
    double_quoted(&Path::new(&folder).join(pattern))
}

/// As a line for sbatch takes it for one word.
fn double_quoted(path: &Path) -> String {
    let path = path.to_string_lossy();
    format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
}

/// File names and texts.
///
/// `--resume-failed` begins what the log of jobs says failed or was killed, and what it does not
/// name. A request to terminate becomes SIGHUP, by which parallel begins no more and waits for those
/// that run; by SIGTERM it would end them.
pub(super) fn parallel(parts: &Parts) -> Vec<(String, String)> {
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
