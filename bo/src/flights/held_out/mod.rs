//! Held out: how good gains are in winds that no tuning flight met.
//!
//! A mean over flights of which one in hundreds is lost has no interval that a few hundred flights
//! could give: what was never drawn is in no sample. Nor has the mean of the completed flights, some
//! of which come near a loss. So the completed flights are judged by their median, the losses by an
//! exact bound of their probability, both of which hold whatever the distribution; the mean that
//! counts a loss as the cap is given without an interval. `cargo run -p bo --example coverage`
//! measures how often the intervals hold.

mod planned;

pub use planned::{Planned, test};

use crate::statistics::{MedianInterval, upper_bound};
use serde::{Deserialize, Serialize};
use sim::ACE_CAP_M;

/// The flights of one set of gains in the held-out winds of one domain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Kept")]
pub struct Test {
    /// Name of the wind domain.
    pub domain: String,
    /// Cost of each flight in the order of the winds: ACE, capped; the cap for a lost one [m].
    pub ace_m: Vec<f64>,
    /// Numbers of the winds, from 0, in which the vehicle was lost.
    pub lost: Vec<u64>,
    /// How many these are.
    pub crashes: usize,
    /// What the probability of a loss keeps below with 95 % confidence, exact.
    pub loss_probability_at_most: f64,
    /// Median ACE of the completed flights with its 95 % interval over winds [m]; absent where every
    /// flight was lost.
    pub completed_m: Option<MedianInterval>,
    /// Mean of `ace_m` [m].
    pub mean_m: f64,
}

/// Flights lost among some, and how probable a loss can be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// How many were lost.
    pub lost: usize,
    /// Of how many.
    pub flights: usize,
    /// What the probability of a loss keeps below with 95 % confidence, exact (Clopper and Pearson
    /// 1934, one-sided).
    pub at_most: f64,
}

impl Losses {
    /// After `lost` of `flights`.
    pub fn of(lost: usize, flights: usize) -> Losses {
        Losses {
            lost,
            flights,
            at_most: upper_bound(lost, flights),
        }
    }
}

/// A test as files hold it, those of earlier versions included: all else follows from this.
#[derive(Deserialize)]
struct Kept {
    domain: String,
    ace_m: Vec<f64>,
    /// Absent in records of the first two forms.
    lost: Option<Vec<u64>>,
    #[serde(default)]
    crashes: usize,
}

impl From<Kept> for Test {
    fn from(kept: Kept) -> Test {
        // A record that does not say which flights were lost shows them as the cap. Where a
        // completed flight reached the cap too, the first ones are taken for the lost ones.
        let at_cap = (0..).zip(&kept.ace_m).filter(|(_, ace)| **ace >= ACE_CAP_M);
        let lost = kept
            .lost
            .unwrap_or_else(|| at_cap.map(|(wind, _)| wind).take(kept.crashes).collect());
        Test::of(kept.domain, kept.ace_m, lost)
    }
}

impl Test {
    /// The test that consists of these flights, lost in the winds of the numbers `lost`. A test
    /// without a flight, which only a damaged file has, has no mean.
    pub fn of(domain: String, ace_m: Vec<f64>, lost: Vec<u64>) -> Test {
        let completed: Vec<f64> = completed(&ace_m, &lost).flatten().collect();
        Test {
            crashes: lost.len(),
            loss_probability_at_most: Losses::of(lost.len(), ace_m.len()).at_most,
            completed_m: (!completed.is_empty()).then(|| MedianInterval::of(&completed)),
            mean_m: ace_m.iter().sum::<f64>() / ace_m.len() as f64,
            domain,
            ace_m,
            lost,
        }
    }

    /// The ACE in each wind in order [m]; nothing where the vehicle was lost.
    pub fn flights(&self) -> impl Iterator<Item = Option<f64>> + Clone {
        completed(&self.ace_m, &self.lost)
    }

    /// Its lost flights.
    pub fn losses(&self) -> Losses {
        Losses::of(self.lost.len(), self.ace_m.len())
    }
}

fn completed<'a>(
    ace_m: &'a [f64],
    lost: &'a [u64],
) -> impl Iterator<Item = Option<f64>> + Clone + 'a {
    let flights = (0u64..).zip(ace_m);
    flights.map(|(wind, ace)| (!lost.contains(&wind)).then_some(*ace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_flights_are_counted_apart_from_the_error_of_the_others() {
        let test = Test::of("gusty".to_owned(), vec![0.2, 2.0, 0.4, 0.3], vec![1]);
        assert_eq!(test.completed_m, Some(MedianInterval::of(&[0.2, 0.4, 0.3])));
        assert_eq!((test.crashes, test.mean_m), (1, 0.725));
        assert_eq!(test.loss_probability_at_most, upper_bound(1, 4));
        let flights: Vec<Option<f64>> = test.flights().collect();
        assert_eq!(flights, [Some(0.2), None, Some(0.4), Some(0.3)]);
        let all = Test::of("gusty".to_owned(), vec![2.0, 2.0], vec![0, 1]);
        assert_eq!((all.completed_m, all.loss_probability_at_most), (None, 1.0));
    }

    #[test]
    fn a_test_is_read_back_as_it_was_and_from_earlier_records() {
        let test = Test::of("gusty".to_owned(), vec![0.2, 2.0, 0.4, 2.0], vec![3]);
        let json = serde_json::to_string(&test).expect("finite");
        assert_eq!(serde_json::from_str::<Test>(&json).expect("legal"), test);
        let earlier = r#"{"domain":"gusty","ace_m":[0.2,2.0,0.4,2.0],"crashes":1,"mean":{}}"#;
        let earlier: Test = serde_json::from_str(earlier).expect("legal");
        assert_eq!((earlier.lost, earlier.crashes), (vec![1], 1));
    }
}
