//! Pending: what is believed while evaluations are under way, whose values nobody knows yet. Each is
//! supposed to have some value, which tells the model that the next point should be another.

use super::learner::Learnt;
use super::view::matrix;
use super::{Belief, Lesson, dataset};
use crate::observations::{Observation, Observations};
use dilgp::Error;

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
        let contexts = self.target.len();
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
        // The kriging believer of Ginsbourger, Le Riche and Carraro (2010): the posterior mean takes the
        // uncertainty away and no more.
        let values: Vec<f64> = {
            let means = self.learnt.model().means(&matrix(&rows));
            means.iter().copied().collect()
        };
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
}
