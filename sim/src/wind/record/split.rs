//! Split: which segments of a record are for tuning, and which are held out.

use crate::error::RecordFault;
use serde::{Deserialize, Serialize};

/// Times closer together than this are one [s].
pub(super) const SLACK_S: f64 = 1e-6;

/// Most blocks that a record is cut into.
const MOST_BLOCKS: f64 = 10_000.0;

/// Which part of a record flights meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// All of it, whatever is told apart in it.
    #[default]
    Whole,
    /// The segments for tuning.
    Tune,
    /// Those that are held out.
    Test,
}

impl Part {
    /// What a file calls it.
    pub fn word(self) -> &'static str {
        match self {
            Part::Whole => "whole",
            Part::Tune => "tune",
            Part::Test => "test",
        }
    }
}

/// The segments of a record, in time since its first row, none of which shares a time with
/// another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// For tuning: from, to [s].
    pub tune: Vec<[f64; 2]>,
    /// Held out: from, to [s].
    pub test: Vec<[f64; 2]>,
}

impl Split {
    /// Alternating blocks of `block_s`, of which `share` are for tuning, the first among them. What
    /// is left over behind the last whole block belongs to neither.
    pub(crate) fn blocks(lasts_s: f64, block_s: f64, share: f64) -> Result<Split, RecordFault> {
        let count = ((lasts_s + SLACK_S) / block_s).floor();
        if !(2.0..=MOST_BLOCKS).contains(&count) {
            return Err(RecordFault::Blocks { lasts_s, block_s });
        }
        let mut split = Split {
            tune: Vec::new(),
            test: Vec::new(),
        };
        for k in 0..count as u32 {
            let passed = |blocks: u32| (f64::from(blocks) * share - 1e-9).ceil();
            let list = match passed(k + 1) > passed(k) {
                true => &mut split.tune,
                false => &mut split.test,
            };
            let [from_s, to_s] = [k, k + 1].map(|k| (f64::from(k) * block_s).min(lasts_s));
            match list.last_mut() {
                // Neighbours are one segment, in which longer flights find room.
                Some(last) if last[1] == from_s => last[1] = to_s,
                _ => list.push([from_s, to_s]),
            }
        }
        Ok(split)
    }

    /// Checks that each segment lies within a record that lasts so long, and that none overlap.
    pub(super) fn check(&self, lasts_s: f64) -> Result<(), RecordFault> {
        let lists = [("tune", &self.tune), ("test", &self.test)];
        for (list, segments) in lists {
            if segments.is_empty() {
                return Err(RecordFault::Split {
                    wanted: "at least one segment under each of tune and test",
                });
            }
            for [from_s, to_s] in segments.iter().copied() {
                if !(0.0 <= from_s && from_s < to_s && to_s <= lasts_s + SLACK_S) {
                    return Err(RecordFault::Segment {
                        list,
                        from_s,
                        to_s,
                        lasts_s,
                    });
                }
            }
        }
        let mut all: Vec<[f64; 2]> = self.tune.iter().chain(&self.test).copied().collect();
        all.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let clash = all.windows(2).find(|pair| pair[1][0] < pair[0][1]);
        clash.map_or(Ok(()), |pair| {
            let [a, b] = [pair[0], pair[1]];
            Err(RecordFault::Overlap { a, b })
        })
    }
}
