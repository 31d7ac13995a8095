//! Leases: which evaluation is whose, and until when. Every evaluation has a number; a client
//! leases it for a while and proves by the lease's key that an answer is its own.
//!
//! An evaluation whose lease has expired is leased again before any new one is made. The lease that ran
//! out stays valid for an answer: what was evaluated late is data all the same, and where another client has
//! answered meanwhile, a second value of the same point.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use shell::token::{hexadecimal, same};
use std::collections::VecDeque;

/// Most evaluations that may be leased or waiting to be leased again.
pub const MOST_PENDING: usize = 1024;

/// Bytes of a key.
const KEY: usize = 16;

/// How evaluations are leased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseConfig {
    /// What the keys are made from.
    pub secret: [u8; 32],
    /// How long a lease lasts \[s\]; without end if there is one client alone.
    pub lease_s: Option<u64>,
}

/// What is handed out with a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The evaluation's number, from 0.
    pub id: u64,
    /// What its answer has to carry, in hexadecimal digits.
    pub key: String,
    /// How long it lasts \[s\].
    pub lease_s: Option<u64>,
}

/// The state of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Leased until then \[ms\].
    Leased(u64),
    /// To be leased again.
    Waiting,
    /// Answered.
    Answered,
}

/// One evaluation.
#[derive(Debug, Clone)]
struct Numbered {
    x: Vec<f64>,
    leases: u64,
    /// How long the last lease lasts \[s\].
    lease_s: Option<u64>,
    /// The leases that were answered.
    answers: Vec<u64>,
    state: State,
}

/// What an answer is to its evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The first, within its lease.
    InTime,
    /// The first, after its lease ran out.
    Late,
    /// Another lease was answered before.
    Second,
    /// This lease was answered before.
    Repeated,
}

/// Why an answer is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unanswerable {
    /// No evaluation has this number.
    #[error("there is no evaluation {0}")]
    NoSuch(u64),
    /// The key is of no lease of this evaluation.
    #[error("`key` is not that of a lease of evaluation {0}")]
    WrongKey(u64),
}

/// All evaluations that were numbered.
#[derive(Debug)]
pub struct Leases {
    config: LeaseConfig,
    all: Vec<Numbered>,
    /// Those not yet answered, in the order of their first leases.
    open: Vec<u64>,
    /// Those whose lease ran out, the first to run out first.
    waiting: VecDeque<u64>,
}

impl Leases {
    /// No evaluation yet.
    pub fn new(config: LeaseConfig) -> Leases {
        Leases {
            config,
            all: Vec::new(),
            open: Vec::new(),
            waiting: VecDeque::new(),
        }
    }

    /// The configuration of future leases.
    pub fn config(&self) -> &LeaseConfig {
        &self.config
    }

    /// From now on leases last so long. A client that held one without an end was alone and is gone,
    /// and if leases have no end the present client is alone.
    pub fn begin(&mut self, lease_s: Option<u64>) {
        self.config.lease_s = lease_s;
        for id in &self.open {
            let state = &mut self.all[*id as usize].state;
            if matches!(state, State::Leased(until) if lease_s.is_none() || *until == u64::MAX) {
                *state = State::Leased(0);
            }
        }
        self.expire(0);
    }

    /// Takes back leases that expired by `now_ms`: in the order of the ends of the leases, so that the
    /// result does not depend on how often this is called.
    pub fn expire(&mut self, now_ms: u64) {
        let of = |id: &u64| match self.all[*id as usize].state {
            State::Leased(until) if until <= now_ms => Some((until, *id)),
            _ => None,
        };
        let mut over: Vec<(u64, u64)> = self.open.iter().filter_map(of).collect();
        over.sort_unstable();
        for (_, id) in over {
            self.all[id as usize].state = State::Waiting;
            self.waiting.push_back(id);
        }
    }

    /// Evaluations not yet answered.
    pub fn open(&self) -> &[u64] {
        &self.open
    }

    /// The leases that have not run out: evaluation and end [ms].
    pub fn out(&self) -> impl Iterator<Item = (u64, u64)> {
        let of = |id: &u64| match self.all[*id as usize].state {
            State::Leased(until) => Some((*id, until)),
            _ => None,
        };
        self.open.iter().filter_map(of)
    }

    /// The point of evaluation `id`.
    pub fn point(&self, id: u64) -> &[f64] {
        &self.all[id as usize].x
    }

    /// Evaluations waiting to be leased again.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The evaluation that is to be leased again before any new one, with its point.
    pub fn next_waiting(&self) -> Option<(u64, &[f64])> {
        let id = *self.waiting.front()?;
        Some((id, &self.all[id as usize].x))
    }

    /// Numbers a new evaluation at `x`.
    pub fn number(&mut self, x: Vec<f64>) -> u64 {
        let id = self.all.len() as u64;
        self.all.push(Numbered {
            x,
            leases: 0,
            lease_s: None,
            answers: Vec::new(),
            state: State::Waiting,
        });
        self.open.push(id);
        id
    }

    /// Leases evaluation `id` at `now_ms`, for as long as is asked or else as configured.
    pub fn lease(&mut self, id: u64, now_ms: u64, asked_s: Option<u64>) -> Lease {
        self.waiting.retain(|waiting| *waiting != id);
        let lease_s = self.config.lease_s.map(|usual| asked_s.unwrap_or(usual));
        let evaluation = &mut self.all[id as usize];
        let key = hexadecimal(&key(&self.config.secret, id, evaluation.leases));
        evaluation.leases += 1;
        evaluation.lease_s = lease_s;
        evaluation.state = State::Leased(end(now_ms, lease_s));
        Lease { id, key, lease_s }
    }

    /// Lets the lease with this key last as long again from `now_ms`; whether it does: one that ran out goes on
    /// unless another client has the evaluation, and one that was answered need not.
    ///
    /// # Errors
    /// [`Unanswerable`].
    pub fn renew(&mut self, id: u64, given: &str, now_ms: u64) -> Result<bool, Unanswerable> {
        let lease = self.lease_of(id, given)?;
        let evaluation = &mut self.all[id as usize];
        let goes_on = evaluation.state != State::Answered && lease + 1 == evaluation.leases;
        if goes_on {
            evaluation.state = State::Leased(end(now_ms, evaluation.lease_s));
            self.waiting.retain(|waiting| *waiting != id);
        }
        Ok(goes_on)
    }

    /// Which lease of evaluation `id` has this key.
    fn lease_of(&self, id: u64, given: &str) -> Result<u64, Unanswerable> {
        let evaluation = self.all.get(id as usize);
        let evaluation = evaluation.ok_or(Unanswerable::NoSuch(id))?;
        let leases = 0..evaluation.leases;
        let keys = leases.map(|lease| hexadecimal(&key(&self.config.secret, id, lease)));
        let matching: Vec<bool> = keys
            .map(|key| same(key.as_bytes(), given.as_bytes()))
            .collect();
        let lease = matching.iter().position(|same| *same);
        lease
            .map(|lease| lease as u64)
            .ok_or(Unanswerable::WrongKey(id))
    }

    /// What an answer to evaluation `id` with this key is.
    ///
    /// # Errors
    /// [`Unanswerable`].
    pub fn standing(&self, id: u64, given: &str) -> Result<Standing, Unanswerable> {
        let lease = self.lease_of(id, given)?;
        let evaluation = &self.all[id as usize];
        Ok(match evaluation.state {
            State::Answered if evaluation.answers.contains(&lease) => Standing::Repeated,
            State::Answered => Standing::Second,
            State::Leased(_) if lease + 1 == evaluation.leases => Standing::InTime,
            State::Leased(_) | State::Waiting => Standing::Late,
        })
    }

    /// Records that evaluation `id` was answered, on the lease with this key where it was leased.
    pub fn answer(&mut self, id: u64, given: Option<&str>) {
        let lease = given.and_then(|given| self.lease_of(id, given).ok());
        let evaluation = &mut self.all[id as usize];
        evaluation.answers.extend(lease);
        evaluation.state = State::Answered;
        self.open.retain(|open| *open != id);
        self.waiting.retain(|waiting| *waiting != id);
    }
}

/// When a lease ends that begins at `now_ms` \[ms\].
fn end(now_ms: u64, lease_s: Option<u64>) -> u64 {
    lease_s.map_or(u64::MAX, |lease_s| {
        now_ms.saturating_add(lease_s.saturating_mul(1000))
    })
}

/// The key of the `lease`-th lease of evaluation `id`: without the secret it cannot be distinguished from
/// random digits.
fn key(secret: &[u8; 32], id: u64, lease: u64) -> [u8; KEY] {
    let mut stream = ChaCha20Rng::from_seed(*secret);
    stream.set_stream(id);
    stream.set_word_pos(u128::from(lease) * (KEY as u128 / 4));
    let mut key = [0; KEY];
    stream.fill_bytes(&mut key);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leases() -> Leases {
        Leases::new(LeaseConfig {
            secret: [7; 32],
            lease_s: Some(10),
        })
    }

    #[test]
    fn what_runs_out_waits_in_the_order_of_the_ends_however_often_anybody_looks() {
        let waiting = |looks: &[u64]| {
            let mut leases = leases();
            for (asked_s, now_ms) in [(None, 0), (Some(3), 1000), (Some(1), 2500), (Some(60), 0)] {
                let id = leases.number(vec![0.5]);
                leases.lease(id, now_ms, asked_s);
            }
            looks.iter().for_each(|now_ms| leases.expire(*now_ms));
            leases.waiting
        };
        assert_eq!(waiting(&[10_000]), [2, 1, 0]);
        assert_eq!(waiting(&[3499, 3500, 9000, 9999, 10_000]), [2, 1, 0]);
        assert!(waiting(&[3499]).is_empty());
    }

    #[test]
    fn a_lease_that_is_renewed_lives_unless_another_has_the_evaluation() {
        let mut leases = leases();
        let id = leases.number(vec![0.1]);
        let first = leases.lease(id, 0, Some(3));
        for now_ms in [2_000, 4_000, 6_900] {
            leases.expire(now_ms);
            assert_eq!(leases.renew(id, &first.key, now_ms), Ok(true), "{now_ms}");
        }
        leases.expire(9_900);
        assert_eq!(leases.waiting(), 1, "it ran out");
        assert_eq!(
            leases.renew(id, &first.key, 9_950),
            Ok(true),
            "nobody has it"
        );
        assert_eq!(leases.waiting(), 0);
        leases.expire(13_000);
        let second = leases.lease(id, 13_000, None);
        assert_eq!(leases.renew(id, &first.key, 13_001), Ok(false));
        assert_eq!(leases.renew(id, &second.key, 13_001), Ok(true));
        leases.answer(id, Some(&second.key));
        assert_eq!(leases.renew(id, &second.key, 13_002), Ok(false), "answered");
        let wrong = Err(Unanswerable::WrongKey(id));
        assert_eq!(leases.renew(id, "0123", 13_002), wrong);
    }

    #[test]
    fn a_key_is_of_its_own_lease_and_an_answer_is_taken_once() {
        let mut leases = leases();
        let (a, b) = (leases.number(vec![0.1]), leases.number(vec![0.2]));
        let first = leases.lease(a, 0, None);
        let other = leases.lease(b, 0, None);
        assert_eq!((first.key.len(), first.lease_s), (32, Some(10)));
        assert_eq!(leases.standing(a, &first.key), Ok(Standing::InTime));
        let wrong = Err(Unanswerable::WrongKey(a));
        assert_eq!(leases.standing(a, &other.key), wrong);
        assert_eq!(leases.standing(9, &first.key), Err(Unanswerable::NoSuch(9)));
        leases.expire(10_000);
        assert_eq!(leases.standing(a, &first.key), Ok(Standing::Late));
        assert_eq!(leases.next_waiting(), Some((a, &[0.1][..])));
        let second = leases.lease(a, 10_000, None);
        assert_ne!(second.key, first.key);
        assert_eq!(leases.standing(a, &first.key), Ok(Standing::Late), "still");
        assert_eq!(leases.standing(a, &second.key), Ok(Standing::InTime));
        leases.answer(a, Some(&first.key));
        assert_eq!(leases.standing(a, &first.key), Ok(Standing::Repeated));
        assert_eq!(leases.standing(a, &second.key), Ok(Standing::Second));
        leases.answer(a, Some(&second.key));
        assert_eq!(leases.standing(a, &second.key), Ok(Standing::Repeated));
        assert_eq!((leases.open(), leases.waiting()), (&[b][..], 1));
    }
}
