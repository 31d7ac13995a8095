//! Verdict: what a difference to the default gains says.

use crate::statistics::Interval;

/// What a paired difference says, at 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The whole interval is below zero.
    Better,
    /// The whole interval is above zero.
    Worse,
    /// The interval holds zero.
    Unclear,
    /// Every pair is equal.
    Unchanged,
}

impl Verdict {
    /// Of a difference "these minus default".
    pub fn of(difference: &Interval) -> Verdict {
        if difference.mean == 0.0 && difference.half_width == Some(0.0) {
            Verdict::Unchanged
        } else if difference.high() < 0.0 {
            Verdict::Better
        } else if difference.low() > 0.0 {
            Verdict::Worse
        } else {
            Verdict::Unclear
        }
    }

    /// In plain words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Unclear => "no difference can be told",
            Verdict::Unchanged => "unchanged",
        }
    }

    /// Name of its style in the page.
    pub fn style(self) -> &'static str {
        match self {
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Unclear | Verdict::Unchanged => "unclear",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_the_interval() {
        let verdict = |mean, half| {
            Verdict::of(&Interval {
                mean,
                half_width: half,
                count: 5,
            })
        };
        assert_eq!(verdict(-0.1, Some(0.05)), Verdict::Better);
        assert_eq!(verdict(0.1, Some(0.05)), Verdict::Worse);
        assert_eq!(verdict(-0.1, Some(0.2)), Verdict::Unclear);
        assert_eq!(verdict(-0.1, None), Verdict::Unclear);
        assert_eq!(verdict(0.0, Some(0.0)), Verdict::Unchanged);
    }
}
