//! Pending: what is believed while evaluations are under way, whose values nobody knows yet. Each is
//! supposed to have some value, which tells the model that the next point should be another.

use super::learner::Learnt;
use super::view::matrix;
use super::{Belief, Lesson, dataset};
use crate::search::observations::{Observation, Observations};
use dilgp::Error;

/// What an evaluation under way is supposed to have come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pending {
    /// The worst finished value: the constant liar of Ginsbourger, Le Riche and Carraro (2010), which
    /// keeps the next point away.
    Worst,
    /// The posterior mean: their kriging believer, which takes the uncertainty away and no more. The
    /// default: its regret was the least at 2 to 64 evaluations under way.
    #[default]
    Mean,
    /// A draw from the joint posterior at all of them, another one for each question (Snoek, Larochelle
    /// and Adams 2012, with one fantasy).
    Draw,
}

/// Legal names.
pub const PENDING: [(&str, Pending); 3] = [
    ("worst", Pending::Worst),
    ("mean", Pending::Mean),
    ("draw", Pending::Draw),
];

impl Belief {
    /// What is believed while evaluations at `points` are under way. A process grows by their rows;
    /// another surrogate learns anew from `seen` and them.
    ///
    /// # Errors
    /// Numbers that defeat the surrogate.
    pub fn supposing(
        &self,
        points: &[Vec<f64>],
        seen: &Observations,
        lesson: &Lesson,
    ) -> Result<Learnt, Error> {
        let contexts = self.targets[0].len();
        let under_way = |x: &Vec<f64>| Observation {
            x: x.clone(),
            value: None,
            domain: 0,
            earlier: false,
            gain_nats: 0.0,
        };
        let under_way: Vec<Observation> = points.iter().map(under_way).collect();
        let numbered = || (seen.count()..).zip(&under_way);
        let rows: Vec<Vec<f64>> = numbered()
            .map(|(index, observation)| lesson.row(index, observation, contexts))
            .collect();
        let values = self.supposed(&rows, lesson);
        if let Some(process) = self.learnt.process() {
            return Ok(Learnt::Process(process.append_all(&rows, &values)?));
        }
        let supposed = |o: &Observation| {
            let place = under_way.iter().position(|other| std::ptr::eq(o, other));
            place.map_or(self.worst, |place| values[place])
        };
        let rows = lesson.lessons(seen).chain(numbered());
        let data = dataset(rows, lesson, contexts, |o| {
            let value = o.value.map(|value| self.image.apply(value));
            value.unwrap_or_else(|| supposed(o))
        })?;
        lesson.learner.learn(&data, None, lesson.seed)
    }

    /// The values that evaluations at `rows` are supposed to have, in the model's units.
    fn supposed(&self, rows: &[Vec<f64>], lesson: &Lesson) -> Vec<f64> {
        let (model, x) = (self.learnt.model(), matrix(rows));
        let mean = || model.means(&x);
        let values = match lesson.pending {
            Pending::Worst => return vec![self.worst; rows.len()],
            Pending::Mean => mean(),
            Pending::Draw => model.draw(&x, lesson.pending_seed).unwrap_or_else(mean),
        };
        values.iter().copied().collect()
    }
}
