//! Session: what has been said so far, and the answer to the next line. The time is told with each
//! line, so that the same lines at the same times give the same answers, whenever that is.

mod complaint;
mod search;

use super::Line;
use super::leases::{Leases, MOST_PENDING, Terms};
use super::message::{Fault, Init, Message, Tell, read};
use ::search::Origin;
use complaint::Complaint;
use dilgp::threads::on_all_cores;
use search::Search;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The answer to a line.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// None is due.
    Nothing,
    /// One object.
    Json(Value),
    /// The end.
    Quit,
}

/// What a line did.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Nothing that a later answer depends on.
    None,
    /// Something.
    Some,
    /// A point was chosen.
    Asked(Asked),
}

/// A point that was chosen, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// In the unit cube.
    pub unit: Vec<f64>,
    /// Where it came from.
    #[serde(flatten)]
    pub origin: Origin,
}

/// A line that is heard.
pub struct Said<'a> {
    /// The line.
    pub line: &'a Line,
    /// When it was said \[ms\].
    pub at_ms: u64,
    /// What came of it, where it was heard before and only its effect is wanted.
    pub asked: Option<&'a Asked>,
}

/// A conversation, or several that share a search.
#[derive(Default)]
pub struct Session {
    search: Option<Search>,
    /// Whose the evaluations are; nothing on a pipe that keeps no record.
    leases: Option<Leases>,
}

type Heard = Result<(Reply, Effect), Complaint>;

/// An answer that changes nothing.
fn only(reply: Value) -> Heard {
    Ok((Reply::Json(reply), Effect::None))
}

impl Session {
    /// A conversation in which evaluations are lent.
    pub fn lending(terms: Terms) -> Session {
        Session {
            search: None,
            leases: Some(Leases::new(terms)),
        }
    }

    /// A process takes the conversation up; from now on leases last so long \[s\].
    pub fn begin(&mut self, lease_s: Option<u64>) {
        if let Some(leases) = &mut self.leases {
            leases.begin(lease_s);
        }
    }

    /// The answer to `line` on a pipe that keeps no record. A line that draws a complaint changes
    /// nothing.
    pub fn answer(&mut self, line: &Line, remark: &mut dyn FnMut(String)) -> Reply {
        let said = Said {
            line,
            at_ms: 0,
            asked: None,
        };
        self.hear(&said, remark).0
    }

    /// The answer to what is said, and what it did.
    pub fn hear(&mut self, said: &Said, remark: &mut dyn FnMut(String)) -> (Reply, Effect) {
        if let Some(leases) = &mut self.leases {
            leases.expire(said.at_ms);
        }
        // Somebody waits for the answer.
        on_all_cores(|| self.reply(said, remark))
            .unwrap_or_else(|complaint| (complaint.reply(), Effect::None))
    }

    fn reply(&mut self, said: &Said, remark: &mut dyn FnMut(String)) -> Heard {
        let text = match said.line {
            Line::Text(text) => text,
            Line::TooLong => return Err(Complaint::TooLong),
            Line::NotText => return Err(Complaint::NotText),
        };
        match read(text, remark)? {
            Message::Init(init) => self.init(*init),
            Message::Tell(tell) => self.tell(&tell),
            Message::Ask(lease_s) => self.ask(said, lease_s),
            Message::Recommend => {
                let x = self.search("recommend")?.optimiser.recommend()?;
                // It has learnt, and the next fit begins where this one ended.
                Ok((Reply::Json(json!({ "x": x })), Effect::Some))
            }
            Message::Status => only(self.status()),
            Message::Study => {
                let study = self.search("study")?.begun.study.as_ref();
                only(json!({ "study": study.ok_or(Complaint::NoStudy)? }))
            }
            Message::Quit => Ok((Reply::Quit, Effect::None)),
        }
    }

    /// Whether there are several who ask, each for a time.
    fn shared(&self) -> bool {
        let leases = self.leases.as_ref();
        leases.is_some_and(|leases| leases.terms().lease_s.is_some())
    }

    fn init(&mut self, init: Init) -> Heard {
        let ready = match self.shared() {
            true => Reply::Json(json!({ "ready": true })),
            false => Reply::Nothing,
        };
        match &self.search {
            // Every worker says what it works for, and a loop that is begun again says it again.
            Some(search) if self.leases.is_some() && search.begun == init => {
                return Ok((ready, Effect::None));
            }
            Some(_) => return Err(Complaint::SecondInit),
            None => {}
        }
        self.search = Some(Search::begin(init)?);
        Ok((ready, Effect::Some))
    }

    fn ask(&mut self, said: &Said, lease_s: Option<u64>) -> Heard {
        let shared = self.shared();
        let search = self.search.as_mut().ok_or(Complaint::BeforeInit("ask"))?;
        let Some(leases) = &mut self.leases else {
            let x = search.optimiser.ask().x;
            return Ok((Reply::Json(json!({ "x": x })), Effect::Some));
        };
        let waiting = leases.next_waiting().map(|(id, x)| (id, x.to_vec()));
        let (id, x, effect) = match waiting {
            Some((id, x)) => (id, x, Effect::Some),
            None => {
                let budget = search.begun.settings.budget.filter(|_| shared);
                let (told, open) = (leases.told(), leases.open().len());
                if budget.is_some_and(|budget| told >= budget) {
                    return only(json!({ "done": true }));
                }
                if budget.is_some_and(|budget| told + open >= budget) {
                    return only(json!({ "wait": true }));
                }
                if open >= MOST_PENDING {
                    return Err(Complaint::TooMany);
                }
                let (x, asked) = search.choose(said.asked);
                (leases.number(x.clone()), x, Effect::Asked(asked))
            }
        };
        let lease = leases.lend(id, said.at_ms, lease_s);
        let mut reply = json!({ "id": id, "key": lease.key, "x": x });
        if let Some(lease_s) = lease.lease_s {
            reply["lease_s"] = lease_s.into();
        }
        Ok((Reply::Json(reply), effect))
    }

    fn tell(&mut self, tell: &Tell) -> Heard {
        let shared = self.shared();
        let search = self.search.as_mut().ok_or(Complaint::BeforeInit("tell"))?;
        let Some(leases) = &mut self.leases else {
            let x = tell.x.as_ref().ok_or(Fault::Missing("x"))?;
            let id = search.optimiser.pending_near(x)?;
            search.learn(id, x, tell)?;
            return Ok((Reply::Nothing, Effect::Some));
        };
        let (id, late) = match (&tell.lease, &tell.x) {
            (Some((id, key)), _) => (Some(*id), leases.answerable(*id, key)?),
            // Alone on a pipe whoever tells has asked; among several nobody answers for another.
            (None, Some(x)) if !shared => (search.optimiser.pending_near(x)?, false),
            (None, _) => (None, false),
        };
        let lent = id.map(|id| leases.point(id).to_vec());
        let x = tell.x.clone().or(lent).ok_or(Fault::Missing("x"))?;
        search.learn(id, &x, tell)?;
        let id = id.unwrap_or_else(|| leases.number(x));
        leases.tell(id);
        if !shared && tell.lease.is_none() {
            return Ok((Reply::Nothing, Effect::Some));
        }
        let mut reply = json!({ "id": id, "told": true });
        if late {
            reply["late"] = true.into();
        }
        Ok((Reply::Json(reply), Effect::Some))
    }

    fn status(&self) -> Value {
        let seen = self.search.as_ref().map(|search| search.optimiser.seen());
        let leases = self.leases.as_ref();
        let open = leases.map_or(0, |leases| leases.open().len());
        let waiting = leases.map_or(0, Leases::waiting);
        let begun = self.search.as_ref().map(|search| &search.begun);
        json!({
            "begun": begun.is_some(),
            "budget": begun.and_then(|begun| begun.settings.budget),
            "told": seen.map_or(0, |seen| seen.count()),
            "lost": seen.map_or(0, |seen| seen.crashed()),
            "out": open - waiting,
            "waiting": waiting,
        })
    }

    fn search(&mut self, what: &'static str) -> Result<&mut Search, Complaint> {
        self.search.as_mut().ok_or(Complaint::BeforeInit(what))
    }
}

#[cfg(test)]
mod tests;
