//! Two weeks of a rig by a clock of its own: workers whose evaluations take up to three leases, and kills of workers
//! and server at any instant.

use super::super::durable::{Replay, replayed};
use super::super::messages::{Entry, Header, Messages};
use super::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

const LEASE_S: u64 = 3600;

/// A server that keeps its messages, as its journal would, and can be killed.
struct Killable {
    session: Session,
    messages: Messages,
}

impl Killable {
    fn say(&mut self, at_ms: u64, message: &Value) -> Value {
        let line = message.to_string();
        let request = Request {
            line: &Line::Text(line.clone()),
            at_ms,
            asked: None,
        };
        let (reply, effect) = self.session.handle(&request, &mut |_| {});
        let Reply::Json(answer) = reply else {
            panic!("no answer to {message}");
        };
        assert!(answer["error"].is_null(), "{message}: {answer}");
        if effect != Effect::None {
            self.messages.entries.push(Entry::Request {
                at_ms,
                line,
                answer: Some(answer.to_string()),
                asked: match effect {
                    Effect::Asked(asked) => Some(asked),
                    _ => None,
                },
            });
        }
        answer
    }

    /// It starts again from what was kept.
    fn killed(&mut self, at_ms: u64) {
        let lease_s = Some(LEASE_S);
        self.messages.entries.push(Entry::Begun { at_ms, lease_s });
        self.session = replayed(&self.messages, Path::new("rig"), Replay::Resume).expect("whole");
    }
}

/// A worker with an evaluation, until it ends and when it renews next [ms].
struct Busy {
    lease: Value,
    ends: u64,
    renews: u64,
}

#[test]
fn two_weeks_of_kills_lose_no_value_and_end_no_worker() {
    let mut random = ChaCha8Rng::seed_from_u64(20);
    let header = Header::new([3; 32]);
    let mut server = Killable {
        session: Session::default(),
        messages: Messages {
            header,
            entries: Vec::new(),
        },
    };
    server.killed(0);
    let init = json!({
        "type": "init", "name": "rig", "seed": 1, "initial": 5000,
        "space": [{"name": "a", "low": 0, "high": 1}],
    });
    server.say(0, &init);
    let mut workers: [Option<Busy>; 3] = [None, None, None];
    let (mut now, mut values, mut kills) = (0u64, Vec::new(), 0);
    while now < 14 * 24 * 3600 * 1000 {
        now += random.random_range(1..120_000);
        let which = random.random_range(0..3usize);
        match workers[which].take() {
            None => {
                let lease = server.say(now, &json!({"type": "ask"}));
                let takes = random.random_range(5_000..3 * LEASE_S * 1000);
                workers[which] = Some(Busy {
                    lease,
                    ends: now + takes,
                    renews: now + LEASE_S * 1000 / 3,
                });
            }
            // A kill: what it was evaluating is gone.
            Some(_) if random.random_range(0..150u32) == 0 => kills += 1,
            Some(busy) if busy.ends <= now => {
                let x = busy.lease["x"][0].as_f64().expect("a number");
                let y = 2.0 * x + values.len() as f64;
                let tell = json!({
                    "type": "tell", "id": busy.lease["id"], "key": busy.lease["key"], "y": y,
                });
                assert_eq!(server.say(now, &tell)["told"], true);
                values.push((x, y));
                // The answer is lost on its way now and then, with the server or alone.
                if random.random_range(0..10u32) == 0 {
                    server.killed(now);
                    kills += 1;
                    assert_eq!(server.say(now, &tell)["told"], true);
                }
            }
            Some(mut busy) => {
                // The second worker has no thread that renews: its leases run out.
                if which != 1 && busy.renews <= now {
                    let renew = json!({
                        "type": "renew", "id": busy.lease["id"], "key": busy.lease["key"],
                    });
                    server.say(now, &renew);
                    busy.renews = now + LEASE_S * 1000 / 3;
                }
                workers[which] = Some(busy);
            }
        }
        if random.random_range(0..250u32) == 0 {
            server.killed(now);
            kills += 1;
        }
    }
    assert!(kills >= 200, "{kills}");
    let history = server.say(now, &json!({"type": "history"}));
    let kept = history["history"].as_array().expect("a list");
    let kept: Vec<(f64, f64)> = (kept.iter())
        .map(|o| (o["x"][0].as_f64().expect("x"), o["y"].as_f64().expect("y")))
        .collect();
    assert!(values.len() > 300, "{}", values.len());
    assert_eq!(
        kept, values,
        "each value at the point where it was measured"
    );
    let second = history["history"].as_array().expect("a list").iter();
    assert!(
        second.filter(|o| o["second"] == true).count() > 3,
        "leases ran out"
    );
}
