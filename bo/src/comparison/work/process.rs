//! Process: a command at work that answers on its standard output, one JSON object a line. No answer is waited
//! for without end, and what it writes to standard error is kept in a file.

use crate::Error;
use crate::files::FileError;
use crate::interrupt::Interrupt;
use serde_json::Value;
use shell::lines::{Line, Lines};
use shell::{Failure, exit};
use std::fs::{self, File};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often an interrupt is looked for while an answer is awaited.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long a process may take to end once its input has ended.
const GRACE: Duration = Duration::from_secs(2);

/// Lines that may wait to be read; a process that prints more waits itself.
const MOST_LINES: usize = 64;

/// Bytes at the end of standard error among which its last line is sought.
const LAST: u64 = 4096;

/// A command at work.
pub(super) struct Process {
    child: Child,
    /// Lines for its standard input, which ends when this is dropped.
    lines: Option<Sender<String>>,
    answers: Receiver<Line>,
    stderr: PathBuf,
    patience: Duration,
}

impl Process {
    /// Starts `command`, as `sh -c` reads it, with its standard error in the file `stderr`. An answer may take
    /// as long as `patience`.
    ///
    /// # Errors
    /// A file that cannot be made, or a shell that cannot be started.
    pub(super) fn start(
        command: &str,
        stderr: PathBuf,
        patience: Duration,
    ) -> Result<Process, Error> {
        let made = stderr.parent().map_or(Ok(()), fs::create_dir_all);
        let file = made.and_then(|()| File::create(&stderr));
        let mut shell = Command::new("sh");
        shell
            .args(["-c", command])
            .stderr(file.map_err(FileError::write(&stderr))?);
        // A group of its own: it is ended with all that it started.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let started = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started
            .map_err(|source| Failure::new(format!("cannot start sh: {source}"), exit::SOFTWARE))?;
        let mut input = child.stdin.take().expect("it is piped");
        let output = child.stdout.take().expect("it is piped");
        let (lines, due) = channel::<String>();
        // Threads of their own: neither a full pipe nor a silent process holds this one up.
        thread::spawn(move || {
            due.iter()
                .all(|line| input.write_all(line.as_bytes()).is_ok())
        });
        let (said, answers) = sync_channel(MOST_LINES);
        thread::spawn(move || {
            let mut lines = Lines::new(BufReader::new(output));
            while let Ok(Some(line)) = lines.next_line() {
                if said.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Process {
            child,
            lines: Some(lines),
            answers,
            stderr,
            patience,
        })
    }

    /// Sends a message. Whether the process still reads is seen by its next answer.
    pub(super) fn send(&self, message: &Value) {
        if let Some(lines) = &self.lines {
            let _ = lines.send(format!("{message}\n"));
        }
    }

    /// What it printed within `wait` though it has answered everything.
    pub(super) fn unasked(&self, wait: Duration) -> Option<String> {
        self.answers.recv_timeout(wait).ok().map(|line| match line {
            Line::Text(text) => shortened(&text),
            _ => "a line that is too long or no UTF-8".to_owned(),
        })
    }

    /// The next line of its standard output, an object; else what is wrong.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(super) fn answer(&mut self, interrupt: &Interrupt) -> Result<Result<Value, String>, Error> {
        let since = Instant::now();
        loop {
            if interrupt.raised() {
                // This program ends soon, and does not wait for others.
                self.kill();
                return Err(Error::Interrupted(0));
            }
            return Ok(match self.answers.recv_timeout(LOOK_EVERY) {
                Ok(Line::Text(text)) => match serde_json::from_str(&text) {
                    Ok(answer @ Value::Object(_)) => Ok(answer),
                    _ => Err(format!("printed no JSON object: {}", shortened(&text))),
                },
                Ok(_) => Err("printed a line that is too long or no UTF-8".to_owned()),
                Err(RecvTimeoutError::Timeout) if since.elapsed() < self.patience => continue,
                Err(RecvTimeoutError::Timeout) => Err(format!(
                    "has not answered within {} s",
                    self.patience.as_secs()
                )),
                Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
            });
        }
    }

    /// That it has ended, and how.
    fn ended(&mut self) -> String {
        match self.awaited() {
            Some(status) => format!("ended with {status}"),
            None => "closed its standard output".to_owned(),
        }
    }

    fn awaited(&mut self) -> Option<std::process::ExitStatus> {
        let since = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(None) if since.elapsed() < GRACE => thread::sleep(Duration::from_millis(5)),
                ended => return ended.ok().flatten(),
            }
        }
    }

    /// Ends it and all that it started.
    fn kill(&mut self) {
        #[cfg(unix)]
        let _ = Command::new("kill")
            .args(["-KILL", "--", &format!("-{}", self.child.id())])
            .stderr(Stdio::null())
            .status();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The last line of its standard error that says anything.
    pub(super) fn last_words(&self) -> Option<String> {
        let mut file = File::open(&self.stderr).ok()?;
        let length = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LAST)))
            .ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines().map(str::trim).rev();
        lines.find(|line| !line.is_empty()).map(shortened)
    }
}

impl Drop for Process {
    /// Ends its input, and then all that it started, and it where it has not ended.
    fn drop(&mut self) {
        self.lines = None;
        self.awaited();
        self.kill();
        if is_empty(&self.stderr) {
            let _ = fs::remove_file(&self.stderr);
        }
    }
}

fn is_empty(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.len() == 0)
}

/// At most two hundred letters of what was printed.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
