//! Session: the state of a conversation, and the answer to the next line. The time comes with each
//! line, so that the same lines at the same times give the same answers, whenever that is.

mod search;

use super::leases::{LeaseConfig, Leases, MOST_PENDING, Standing};
use super::message::{Init, Message, Points, ProtocolError, Tell, read};
use super::{LONGEST_LINE, Line};
use ::search::Origin;
use dilgp::threads::on_all_cores;
use search::Search;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

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

/// A line with its time.
pub struct Request<'a> {
    /// The line.
    pub line: &'a Line,
    /// When it arrived \[ms\].
    pub at_ms: u64,
    /// The point that was chosen, if the line is replayed from a journal.
    pub asked: Option<&'a Asked>,
}

/// A conversation, or several that share a search.
#[derive(Default)]
pub struct Session {
    search: Option<Search>,
    /// The leases; `None` on a pipe without a journal.
    leases: Option<Leases>,
    /// The numbers of the evaluations from elsewhere, by what they are known by.
    from_elsewhere: BTreeMap<String, u64>,
}

type Answer = Result<(Reply, Effect), ProtocolError>;

/// An answer that changes nothing.
fn only(reply: Value) -> Answer {
    Ok((Reply::Json(reply), Effect::None))
}

impl Session {
    /// A conversation in which evaluations are leased.
    pub fn with_leases(config: LeaseConfig) -> Session {
        Session {
            search: None,
            leases: Some(Leases::new(config)),
            from_elsewhere: BTreeMap::new(),
        }
    }

    /// A process takes the conversation up; from now on leases last so long \[s\].
    pub fn begin(&mut self, lease_s: Option<u64>) {
        if let Some(leases) = &mut self.leases {
            leases.begin(lease_s);
        }
    }

    /// The answer to `line` on a pipe without a journal. A line that is refused changes nothing.
    pub fn answer(&mut self, line: &Line, remark: &mut dyn FnMut(String)) -> Reply {
        let request = Request {
            line,
            at_ms: 0,
            asked: None,
        };
        self.handle(&request, remark).0
    }

    /// The answer to the request, and its effect.
    pub fn handle(&mut self, request: &Request, remark: &mut dyn FnMut(String)) -> (Reply, Effect) {
        if let Some(leases) = &mut self.leases {
            leases.expire(request.at_ms);
        }
        // Somebody waits for the answer.
        on_all_cores(|| self.reply(request, remark))
            .unwrap_or_else(|error| (refused(&error), Effect::None))
    }

    fn reply(&mut self, request: &Request, remark: &mut dyn FnMut(String)) -> Answer {
        let text = match request.line {
            Line::Text(text) => text,
            Line::TooLong => {
                let sentence =
                    format!("a line is longer than {LONGEST_LINE} bytes and was skipped");
                return Err(sentence.into());
            }
            Line::NotText => return Err("a line is not UTF-8".into()),
        };
        let mut notes = Vec::new();
        let message = read(text, &mut |note| notes.push(note))?;
        notes.iter().cloned().for_each(&mut *remark);
        match message {
            Message::Init(init) => self.init(*init),
            Message::Tell(tell) => self.tell(&tell, notes, remark),
            Message::Ask(lease_s) => self.ask(request, lease_s),
            Message::Renew(id, key) => self.renew(request, id, &key),
            Message::Predict(all) => {
                let answer = self.search("predict")?.predicted(&all)?;
                Ok((Reply::Json(answer), Effect::Some))
            }
            Message::Importance => {
                let answer = self.search("importance")?.importance()?;
                Ok((Reply::Json(answer), Effect::Some))
            }
            Message::Note(id, text) => {
                self.search("note")?.note(id, text)?;
                Ok((
                    Reply::Json(json!({ "id": id, "noted": true })),
                    Effect::Some,
                ))
            }
            Message::Withdraw(id, why) => {
                self.search("withdraw")?.withdraw(id, &why)?;
                Ok((
                    Reply::Json(json!({ "id": id, "withdrawn": true })),
                    Effect::Some,
                ))
            }
            Message::History => {
                let answer = self.search("history")?.history();
                only(answer)
            }
            Message::Recommend => {
                let answer = self.search("recommend")?.recommended()?;
                // It has learnt, and the next fit begins where this one ended.
                Ok((Reply::Json(answer), Effect::Some))
            }
            Message::Front => {
                let search = self.search("front")?;
                let effect = match search.begun.settings.noisy {
                    // It has learnt.
                    true => Effect::Some,
                    false => Effect::None,
                };
                Ok((Reply::Json(search.front()), effect))
            }
            Message::Status => only(self.status()),
            Message::Study => {
                let study = self.search("study")?.begun.study.as_ref();
                only(json!({ "study": study.ok_or("no `init` said what the study is")? }))
            }
            Message::Quit => Ok((Reply::Quit, Effect::None)),
        }
    }

    /// Whether there are several who ask, each for a time.
    fn shared(&self) -> bool {
        let leases = self.leases.as_ref();
        leases.is_some_and(|leases| leases.config().lease_s.is_some())
    }

    fn init(&mut self, init: Init) -> Answer {
        let ready = match self.shared() {
            true => Reply::Json(json!({ "ready": true })),
            false => Reply::Nothing,
        };
        match &self.search {
            // Every worker sends `init`, and a loop that is started again sends it again.
            Some(search) if self.leases.is_some() && search.begun == init => {
                return Ok((ready, Effect::None));
            }
            Some(search) if search.begun.name != init.name => {
                let name = |init: &Init| match &init.name {
                    Some(name) => format!("the study `{name}`"),
                    None => "a study without a name".to_owned(),
                };
                let (ours, theirs) = (name(&search.begun), name(&init));
                return Err(format!(
                    "this server has {ours}, not {theirs}; start another server for another study"
                )
                .into());
            }
            Some(_) => {
                let sentence = "`init` was already said; start another process for another search";
                return Err(sentence.into());
            }
            None => {}
        }
        self.search = Some(Search::begin(init)?);
        Ok((ready, Effect::Some))
    }

    fn ask(&mut self, request: &Request, lease_s: Option<u64>) -> Answer {
        let shared = self.shared();
        let search = self.search.as_mut().ok_or_else(|| before_init("ask"))?;
        let Some(leases) = &mut self.leases else {
            if search.is_spent() {
                return only(json!({ "done": true }));
            }
            let x = search.optimiser.ask().x;
            let reply = json!({ "x": search.begun.points.said(&x) });
            return Ok((Reply::Json(search.noted(reply)), Effect::Some));
        };
        let waiting = leases.next_waiting().map(|(id, x)| (id, x.to_vec()));
        let (id, x, effect) = match waiting {
            Some((id, x)) => (id, x, Effect::Some),
            None => {
                if search.is_spent() {
                    return only(json!({ "done": true }));
                }
                // The client of a pipe would wait for itself.
                let budget = search.begun.settings.budget.filter(|_| shared);
                let (told, open) = (search.optimiser.seen().own(), leases.open().len());
                if budget.is_some_and(|budget| told + open >= budget) {
                    return only(json!({ "wait": true }));
                }
                if open >= MOST_PENDING {
                    let sentence = format!("{MOST_PENDING} evaluations are under way, the limit");
                    return Err(sentence.into());
                }
                let (x, asked) = search.choose(request.asked);
                (leases.number(x.clone()), x, Effect::Asked(asked))
            }
        };
        let lease = leases.lease(id, request.at_ms, lease_s);
        let x = search.begun.points.said(&x);
        let mut reply = json!({ "id": id, "key": lease.key, "x": x });
        if let Some(lease_s) = lease.lease_s {
            reply["lease_s"] = lease_s.into();
        }
        Ok((Reply::Json(search.noted(reply)), effect))
    }

    fn renew(&mut self, request: &Request, id: u64, key: &str) -> Answer {
        let leases = self.leases.as_mut().ok_or("a pipe has no leases")?;
        let renewed = leases.renew(id, key, request.at_ms)?;
        let effect = if renewed { Effect::Some } else { Effect::None };
        Ok((Reply::Json(json!({ "id": id, "renewed": renewed })), effect))
    }

    /// The answer to `tell`; `notes` were made of it already.
    fn tell(
        &mut self,
        tell: &Tell,
        mut notes: Vec<String>,
        remark: &mut dyn FnMut(String),
    ) -> Answer {
        let shared = self.shared();
        let search = self.search.as_mut().ok_or_else(|| before_init("tell"))?;
        let once = tell.once.as_ref().filter(|_| tell.lease.is_none());
        if let Some(id) = once.and_then(|once| self.from_elsewhere.get(once)) {
            let note = search.not_taken(*id, tell.y);
            if !shared {
                note.into_iter().for_each(remark);
                return Ok((Reply::Nothing, Effect::None));
            }
            notes.extend(note);
            return only(with_notes(json!({ "told": true }), &notes));
        }
        let x = tell.x.as_ref().map(|x| search.begun.points.read(x));
        let x = x.transpose()?;
        let Some(leases) = &mut self.leases else {
            let x = x.ok_or("`x` is missing")?;
            let id = search.optimiser.pending_near(&x)?;
            search.observe(id, &x, tell, false)?;
            let id = search.number_last(None);
            self.from_elsewhere
                .extend(once.map(|once| (once.clone(), id)));
            return Ok((Reply::Nothing, Effect::Some));
        };
        let mut standing = Standing::InTime;
        let id = match (&tell.lease, &x) {
            (Some((id, key)), _) => {
                standing = leases.standing(*id, key)?;
                Some(*id)
            }
            // On a pipe the client that tells is the one that asked; among several no client answers for another.
            (None, Some(x)) if !shared => search.optimiser.pending_near(x)?,
            (None, _) => None,
        };
        let lent = id.map(|id| leases.point(id).to_vec());
        let x = x.or(lent).ok_or("`x` is missing")?;
        let (mut effect, key) = (
            Effect::Some,
            tell.lease.as_ref().map(|(_, key)| key.as_str()),
        );
        let id = match (standing, id) {
            (Standing::Repeated, Some(id)) => {
                effect = Effect::None;
                id
            }
            (Standing::Second, Some(id)) => {
                // Without noise it says nothing new.
                if search.begun.settings.noisy {
                    search.observe(None, &x, tell, true)?;
                    search.number_last(Some(id));
                }
                leases.answer(id, key);
                id
            }
            (_, id) => {
                search.observe(id, &x, tell, false)?;
                let id = id.unwrap_or_else(|| leases.number(x));
                self.from_elsewhere
                    .extend(once.map(|once| (once.clone(), id)));
                search.number_last(Some(id));
                leases.answer(id, key);
                id
            }
        };
        if !shared && tell.lease.is_none() {
            return Ok((Reply::Nothing, effect));
        }
        let mut reply = json!({ "id": id, "told": true });
        if matches!(standing, Standing::Repeated | Standing::Second) {
            notes.extend(search.not_taken(id, tell.y));
        }
        if matches!(standing, Standing::Late | Standing::Second) {
            reply["late"] = true.into();
        }
        Ok((Reply::Json(with_notes(reply, &notes)), effect))
    }

    fn status(&self) -> Value {
        let seen = self.search.as_ref().map(|search| search.optimiser.seen());
        let leases = self.leases.as_ref();
        let open = leases.map_or(0, |leases| leases.open().len());
        let waiting = leases.map_or(0, Leases::waiting);
        let begun = self.search.as_ref().map(|search| &search.begun);
        let lent = leases.into_iter().flat_map(|leases| {
            leases.out().map(|(id, until)| {
                let x = begun.map(|begun| begun.points.said(leases.point(id)));
                let until = (until != u64::MAX).then_some(until);
                json!({ "id": id, "x": x, "until_unix_ms": until })
            })
        });
        json!({
            "begun": begun.is_some(),
            "name": begun.and_then(|begun| begun.name.clone()),
            "budget": begun.and_then(|begun| begun.settings.budget),
            "told": seen.map_or(0, |seen| seen.count()),
            "lost": seen.map_or(0, |seen| seen.crashed()),
            "out": open - waiting,
            "waiting": waiting,
            "leases": lent.collect::<Vec<Value>>(),
        })
    }

    /// The parameters that are searched, once they were declared.
    pub fn points(&self) -> Option<&Points> {
        Some(&self.search.as_ref()?.begun.points)
    }

    fn search(&mut self, what: &'static str) -> Result<&mut Search, ProtocolError> {
        self.search.as_mut().ok_or_else(|| before_init(what))
    }
}

/// `reply` with the notes, if there are some.
fn with_notes(mut reply: Value, notes: &[String]) -> Value {
    if !notes.is_empty() {
        reply["note"] = notes.join("; ").into();
    }
    reply
}

fn before_init(what: &str) -> ProtocolError {
    format!("`{what}` before `init`").into()
}

/// What is answered instead.
fn refused(error: &ProtocolError) -> Reply {
    Reply::Json(json!({ "error": error.0 }))
}

#[cfg(test)]
mod measured;
#[cfg(test)]
mod rig;
#[cfg(test)]
mod tests;
