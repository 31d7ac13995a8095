//! Owner: a process among all processes of all machines, and whether it lives.

use crate::files::checksum;
use serde::{Deserialize, Serialize};
use std::fs;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// A process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Owner {
    /// Name of its machine.
    pub(super) host: String,
    /// Its number there.
    pub(super) process: u32,
    /// Where that number means this process: the running system and, in it, the space of numbers;
    /// empty where that is not known.
    space: String,
    /// When it began, in the system's own count, which tells it from a later one of its number.
    born: String,
    /// When it began [s since 1970].
    pub(super) since_s: u64,
}

impl Owner {
    /// This process.
    pub(super) fn this_process() -> &'static Owner {
        static OWNER: OnceLock<Owner> = OnceLock::new();
        OWNER.get_or_init(|| {
            let process = std::process::id();
            Owner {
                host: host(),
                process,
                space: space(),
                born: state_of(process).map_or_else(String::new, |(_, born)| born),
                since_s: now_s(),
            }
        })
    }

    /// Whether this process can tell that it is dead; never for a process of another machine.
    pub(super) fn is_dead(&self) -> bool {
        let here = Owner::this_process();
        if here.space.is_empty() || here.space != self.space {
            return false;
        }
        match state_of(self.process) {
            Some((state, born)) => state == "Z" || born != self.born,
            None => true,
        }
    }

    /// Fit for the name of a file, and no other process's.
    pub(super) fn token(&self) -> String {
        let (space, process) = (checksum(self.space.as_bytes()), self.process);
        format!("{space}-{process}-{}", self.born)
    }

    /// Whether the name of a file ends in the token of a process, and a number, that is dead for
    /// certain.
    pub(super) fn is_stale(&self, name: &str) -> bool {
        let mut parts = name.rsplit('.');
        let mut token = parts.nth(1).unwrap_or_default().split('-');
        let (Some(space), Some(process), Some(born)) = (token.next(), token.next(), token.next())
        else {
            return false;
        };
        let Ok(process) = process.parse() else {
            return false;
        };
        let there = Owner {
            process,
            born: born.to_owned(),
            ..self.clone()
        };
        space == checksum(self.space.as_bytes()) && there.is_dead()
    }
}

/// Seconds since 1970 by the machine's clock.
pub(super) fn now_s() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

fn host() -> String {
    let named = ["/proc/sys/kernel/hostname", "/etc/hostname"];
    let mut named = named
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok());
    let named = named.next().or_else(|| std::env::var("HOSTNAME").ok());
    named.map_or_else(|| "unknown".to_owned(), |name| name.trim().to_owned())
}

fn space() -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    let numbers = fs::read_link("/proc/self/ns/pid");
    match (boot, numbers) {
        (Ok(boot), Ok(numbers)) => format!("{} {}", boot.trim(), numbers.display()),
        _ => String::new(),
    }
}

/// The state of a process of this machine and when it began, where it exists.
fn state_of(process: u32) -> Option<(String, String)> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Its name, in parentheses, may hold anything.
    let mut words = text.rsplit_once(')')?.1.split_whitespace();
    let state = words.next()?.to_owned();
    // The 22nd word of all, counted from 1; the state is the third.
    Some((state, words.nth(18)?.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_lives() {
        assert!(!Owner::this_process().is_dead());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn one_that_was_killed_is_dead_and_one_elsewhere_may_live() {
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .expect("sleep exists");
        let (_, born) = state_of(child.id()).expect("alive");
        let owner = Owner {
            process: child.id(),
            born,
            ..Owner::this_process().clone()
        };
        assert!(!owner.is_dead());
        child.kill().expect("alive");
        // Nobody has asked for its state yet: it is a zombie.
        while !owner.is_dead() {
            std::thread::yield_now();
        }
        child.wait().expect("dead");
        assert!(owner.is_dead());
        let here = Owner::this_process();
        assert!(here.is_stale(&format!("a.json.{}.7", owner.token())));
        assert!(!here.is_stale(&format!("a.json.{}.7", here.token())));
        assert!(!here.is_stale("a.json"));
        let elsewhere = Owner {
            space: "another machine".to_owned(),
            ..owner
        };
        assert!(!elsewhere.is_dead());
    }
}
