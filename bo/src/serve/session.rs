//! Session: what has been said so far, and the answer to the next line.

use super::fault::Fault;
use super::message::{Init, Message, Tell, read};
use super::{LONGEST_LINE, Line};
use crate::search::{Optimiser, Refusal};
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

/// A conversation.
#[derive(Default)]
pub struct Session {
    search: Option<Search>,
}

/// A search that was begun.
struct Search {
    optimiser: Optimiser,
    maximise: bool,
    target_domain: Option<String>,
}

/// Why a line cannot be answered.
#[derive(Debug, thiserror::Error)]
enum Complaint {
    #[error("a line is longer than {LONGEST_LINE} bytes and was skipped")]
    TooLong,
    #[error("a line is not UTF-8")]
    NotText,
    #[error("`{0}` before `init`")]
    BeforeInit(&'static str),
    #[error("`init` was already said; start another process for another search")]
    SecondInit,
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl Session {
    /// The answer to `line`. A line that draws a complaint changes nothing.
    pub fn answer(&mut self, line: &Line, remark: &mut dyn FnMut(String)) -> Reply {
        match self.reply(line, remark) {
            Ok(reply) => reply,
            Err(complaint) => Reply::Json(json!({ "error": complaint.to_string() })),
        }
    }

    fn reply(&mut self, line: &Line, remark: &mut dyn FnMut(String)) -> Result<Reply, Complaint> {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => return Err(Complaint::TooLong),
            Line::NotText => return Err(Complaint::NotText),
        };
        match read(text, remark)? {
            Message::Init(init) => self.begin(*init),
            Message::Tell(tell) => self.search("tell")?.learn(&tell),
            Message::Ask => {
                let x = self.search("ask")?.optimiser.ask().x;
                Ok(Reply::Json(json!({ "x": x })))
            }
            Message::Recommend => {
                let x = self.search("recommend")?.optimiser.recommend()?;
                Ok(Reply::Json(json!({ "x": x })))
            }
            Message::Quit => Ok(Reply::Quit),
        }
    }

    fn begin(&mut self, init: Init) -> Result<Reply, Complaint> {
        if self.search.is_some() {
            return Err(Complaint::SecondInit);
        }
        self.search = Some(Search {
            optimiser: Optimiser::new(init.space, init.settings)?,
            maximise: init.maximise,
            target_domain: init.target_domain,
        });
        Ok(Reply::Nothing)
    }

    fn search(&mut self, what: &'static str) -> Result<&mut Search, Complaint> {
        self.search.as_mut().ok_or(Complaint::BeforeInit(what))
    }
}

impl Search {
    fn learn(&mut self, tell: &Tell) -> Result<Reply, Complaint> {
        let y = tell.y.map(|y| if self.maximise { -y } else { y });
        // Without a target there is nothing to tell domains apart for.
        let other = match (&self.target_domain, &tell.domain) {
            (Some(target), Some(domain)) if target != domain => Some(domain.as_str()),
            _ => None,
        };
        self.optimiser.tell_of(&tell.x, y, other)?;
        Ok(Reply::Nothing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INIT: &str = r#"{"type":"init","space":[{"name":"a","low":0,"high":1},{"name":"n","low":1,"high":9,"integer":true}],"initial":2,"seed":4,"noise":false,"direction":"max"}"#;

    fn say(session: &mut Session, text: &str) -> String {
        match session.answer(&Line::Text(text.to_owned()), &mut |_| {}) {
            Reply::Nothing => String::new(),
            Reply::Json(value) => value.to_string(),
            Reply::Quit => "quit".to_owned(),
        }
    }

    #[test]
    fn the_best_of_a_maximised_objective_is_recommended() {
        let mut session = Session::default();
        assert_eq!(say(&mut session, INIT), "");
        for (a, n, y) in [(0.1, 2, 1.0), (0.5, 4, 3.0), (0.9, 7, 2.0)] {
            let tell = format!(r#"{{"type":"tell","x":[{a},{n}],"y":{y}}}"#);
            assert_eq!(say(&mut session, &tell), "");
        }
        assert_eq!(
            say(&mut session, r#"{"type":"tell","x":[0.3,3],"y":NaN}"#),
            ""
        );
        assert_eq!(
            say(&mut session, r#"{"type":"recommend"}"#),
            r#"{"x":[0.5,4.0]}"#
        );
        assert!(say(&mut session, r#"{"type":"ask"}"#).starts_with(r#"{"x":["#));
        assert_eq!(say(&mut session, r#"{"type":"quit"}"#), "quit");
    }

    #[test]
    fn complaints_change_nothing() {
        let answers = |hostile: bool| {
            let mut session = Session::default();
            let bad = [
                r#"{"type":"init","space":[{"name":"a","low":2,"high":1}]}"#,
                r#"{"type":"tell","x":[0.5],"y":1}"#,
                r#"{"type":"tell","x":[7,3],"y":1}"#,
                r#"{"type":"tell","x":[NaN,3],"y":1}"#,
                "null",
            ];
            let mut replies = Vec::new();
            let good = [
                INIT,
                r#"{"type":"tell","x":[0.5,3],"y":1}"#,
                r#"{"type":"tell","x":[0.2,8],"y":2}"#,
                r#"{"type":"ask"}"#,
                r#"{"type":"ask"}"#,
                r#"{"type":"recommend"}"#,
            ];
            for line in good {
                if hostile {
                    for bad in bad {
                        assert!(say(&mut session, bad).starts_with(r#"{"error":""#), "{bad}");
                    }
                }
                replies.push(say(&mut session, line));
            }
            replies
        };
        assert_eq!(answers(false), answers(true));
    }

    #[test]
    fn the_order_of_messages_is_kept() {
        let mut session = Session::default();
        let before = r#"{"error":"`ask` before `init`"}"#;
        assert_eq!(say(&mut session, r#"{"type":"ask"}"#), before);
        say(&mut session, INIT);
        assert!(say(&mut session, INIT).contains("`init` was already said"));
        let nothing = say(&mut session, r#"{"type":"recommend"}"#);
        assert_eq!(
            nothing,
            r#"{"error":"nothing to recommend: 0 evaluations told, 0 of them crashed"}"#
        );
    }
}
