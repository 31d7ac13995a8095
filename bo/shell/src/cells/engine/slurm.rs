//! Slurm: an array of jobs, one a task, and a job that collects when all have ended, however.

use super::{Parts, SUBMIT};
use crate::terminal::word;
use std::path::Path;

/// How long before the end of its time, or before it is preempted, a task is told [s].
const NOTICE_S: u32 = 60;

/// File names and texts.
pub(super) fn scripts(parts: &Parts) -> Vec<(String, String)> {
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
