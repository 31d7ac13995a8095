//! Durable: a session with a write-ahead journal. Nothing is answered before it is on the disk.

use super::Line;
use super::leases::LeaseConfig;
use super::messages::{Entry, Header, Messages};
use super::session::{Effect, Reply, Request, Session};
use crate::run::disk::journal::{JournalOf, Records, other_version};
use shell::Failure;
use shell::folder::Folder;
use shell::token;
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// What a process leaves behind that dies before its journal begins.
const LEFT_BEHIND: [&str; 4] = [
    "messages.log.part",
    "messages.pid",
    token::NAME,
    "token.part",
];

/// The time, which never goes back: that of the system when the process began, and from then on as much
/// as has passed.
#[derive(Debug, Clone, Copy)]
struct Clock {
    begun_ms: u64,
    since: Instant,
}

impl Clock {
    /// A clock that does not begin before `last_ms`.
    fn after(last_ms: u64) -> Clock {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now_ms = now.map_or(0, |now| now.as_millis() as u64);
        Clock {
            begun_ms: now_ms.max(last_ms),
            since: Instant::now(),
        }
    }

    fn now_ms(&self) -> u64 {
        self.begun_ms + self.since.elapsed().as_millis() as u64
    }
}

/// A session and its journal.
pub struct DurableSession {
    session: Session,
    journal: JournalOf<Messages>,
    clock: Clock,
}

/// Why a journal is replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replay {
    /// To resume: chosen points are taken from the journal.
    Resume,
    /// To verify that the answers are the same: every point is chosen again.
    Verify,
}

impl DurableSession {
    /// Takes up the journal in `folder`, or begins one there; leases last so long from now on \[s\].
    ///
    /// # Errors
    /// A folder that holds something else, a journal that another process holds or that is damaged, or
    /// one whose answers this program would not give.
    pub fn open(folder: &Path, lease_s: Option<u64>) -> Result<DurableSession, Failure> {
        let journal = match folder.join(Messages::NAME).is_file() {
            true => JournalOf::<Messages>::open(folder)?,
            false => begin(folder)?,
        };
        let session = replayed(
            journal.contents(),
            &folder.join(Messages::NAME),
            Replay::Resume,
        )?;
        let mut durable = DurableSession {
            session,
            clock: Clock::after(journal.contents().last_ms()),
            journal,
        };
        let at_ms = durable.clock.now_ms();
        durable.journal.append(Entry::Begun { at_ms, lease_s })?;
        durable.session.begin(lease_s);
        Ok(durable)
    }

    /// Bytes of an unfinished record that were dropped.
    pub fn dropped(&self) -> Option<u64> {
        self.journal.dropped()
    }

    /// Messages that are kept.
    pub fn kept(&self) -> u64 {
        self.journal.contents().count()
    }

    /// The answer to `line`, once it is on the disk.
    ///
    /// # Errors
    /// A journal that cannot be written. The request is not kept then, and this session must not be used any more.
    pub fn answer(
        &mut self,
        line: &Line,
        remark: &mut dyn FnMut(String),
    ) -> Result<Reply, Failure> {
        let at_ms = self.clock.now_ms();
        let request = Request {
            line,
            at_ms,
            asked: None,
        };
        let (reply, effect) = self.session.handle(&request, remark);
        let asked = match effect {
            Effect::None => return Ok(reply),
            Effect::Some => None,
            Effect::Asked(asked) => Some(asked),
        };
        if let Line::Text(line) = line {
            self.journal.append(Entry::Request {
                at_ms,
                line: line.clone(),
                answer: written(&reply),
                asked,
            })?;
        }
        Ok(reply)
    }
}

fn begin(folder: &Path) -> Result<JournalOf<Messages>, Failure> {
    let folder = Folder::claim(folder, &LEFT_BEHIND)?;
    let secret = token::bytes()?;
    let header = Entry::Header(Header::new(secret));
    JournalOf::create(folder.path(), header)
}

/// The session that `messages` of the journal at `path` made.
///
/// # Errors
/// A journal of another version, or a message that this program answers otherwise.
pub fn replayed(messages: &Messages, path: &Path, mode: Replay) -> Result<Session, Failure> {
    let header = &messages.header;
    let ours = header.windhover == env!("CARGO_PKG_VERSION");
    let (Some(secret), true) = (header.secret(), ours) else {
        return Err(other_version(path, &header.windhover));
    };
    let lease_s = None;
    let mut session = Session::with_leases(LeaseConfig { secret, lease_s });
    for (number, entry) in messages.entries.iter().enumerate() {
        let (at_ms, line, answer, asked) = match entry {
            Entry::Header(_) => continue,
            Entry::Begun { lease_s, .. } => {
                session.begin(*lease_s);
                continue;
            }
            Entry::Request {
                at_ms,
                line,
                answer,
                asked,
            } => (*at_ms, line, answer, asked),
        };
        let request = Request {
            line: &Line::Text(line.clone()),
            at_ms,
            asked: asked.as_ref().filter(|_| mode == Replay::Resume),
        };
        let (reply, effect) = session.handle(&request, &mut |_| ());
        let chosen = match effect {
            Effect::Asked(asked) => Some(asked),
            _ => None,
        };
        if written(&reply) != *answer || chosen != *asked {
            return Err(Failure::data(format!(
                "{}: message {} is answered otherwise now than then; go on with the build that wrote it",
                path.display(),
                number + 1
            )));
        }
    }
    Ok(session)
}

fn written(reply: &Reply) -> Option<String> {
    match reply {
        Reply::Json(value) => Some(value.to_string()),
        Reply::Nothing | Reply::Quit => None,
    }
}
