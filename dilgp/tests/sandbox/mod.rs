//! A folder with files in it, the program that runs there, and its output.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use assert_cmd::Command;
#[cfg(unix)]
use assert_cmd::cargo::cargo_bin;
use temp_dir::TempDir;

/// A folder with files in it.
pub struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = temp_dir::TempDir::new().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The files in one of its folders, by name.
    pub fn files(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(name)).unwrap();
        let files = entries.map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.is_file());
        let name = |path: PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        let mut names: Vec<String> = files.map(name).collect();
        names.sort();
        names
    }

    /// What is in one of its JSON files.
    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }

    pub fn run(&self, line: &str) -> Ran {
        Ran::of(self.command(line).output().unwrap())
    }

    /// On so many threads.
    pub fn run_on(&self, threads: &str, line: &str) -> Ran {
        let mut command = self.command(line);
        command.env("RAYON_NUM_THREADS", threads);
        Ran::of(command.output().unwrap())
    }

    /// A line of a shell, in which `$DILGP` is the program.
    #[cfg(unix)]
    pub fn shell(&self, line: &str) -> Ran {
        let mut command = Command::new("sh");
        command.env("DILGP", cargo_bin("dilgp")).args(["-c", line]);
        Ran::of(command.current_dir(&self.folder).output().unwrap())
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::cargo_bin("dilgp").unwrap();
        command.current_dir(&self.folder).args(line.split(' '));
        command
    }
}

pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Checks that the program refused with one line that says so.
    pub fn refused(&self, code: i32, message: &str) {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "");
        assert_eq!(self.stderr, format!("error: {message}\n"));
    }

    pub fn json(&self) -> serde_json::Value {
        assert_eq!(self.code, 0, "{}", self.stderr);
        serde_json::from_str(self.stdout.lines().last().unwrap()).unwrap()
    }
}
