//! Remarks: what a person should know of a study besides its numbers, a sentence each.

use super::{Baseline, Config};
use crate::flights::margins::{MarginLimits, SOUND_DISK, SOUND_GAIN, SOUND_PHASE_DEG};
use crate::flights::space::left_out;
use sim::Domain;
use sim::autopilot::Tuned;
use sim::margins::{LOOPS, Loop};

impl Config {
    /// What a person should know of this study besides its numbers: one sentence each.
    pub fn remarks(&self) -> Vec<String> {
        let vehicle = self.airframe.get();
        let names: Vec<&str> = self.gains.iter().map(|bounds| bounds.name).collect();
        let left_out = left_out(&names, &vehicle.gains);
        let remark = |name: &str| {
            format!(
                "{name} is 0 in the airframe {} and is not tuned; bounds and a start under \
                 [gains.bounds] would tune it",
                vehicle.name
            )
        };
        let mut said: Vec<String> = left_out.into_iter().map(remark).collect();
        let late_ms = self.sensors().delay_periods;
        let stated_ms = self.conditions.sensors.delay_periods;
        let stock = self.settings.exportable.filter(|_| late_ms != stated_ms);
        said.extend(self.baseline_said());
        said.extend(self.margins_kept());
        said.extend(self.untuned_loops());
        said.extend(self.missing_loop());
        let added = |domain: &Domain| {
            let height_m = domain.turbulence_height_m?;
            let name = &domain.name;
            Some(format!(
                "turbulence at {height_m} m is added to the record of {name}"
            ))
        };
        said.extend(self.tests.iter().filter_map(|own| added(own.get())));
        said.extend(stock.map(|target| {
            format!(
                "sensors and speed controllers are {late_ms} ms late, as {target} comes; delay_periods under \
                 [sensors] says another delay"
            )
        }));
        said
    }

    /// Which gains are the baseline, where they are not those that the run starts from.
    fn baseline_said(&self) -> Option<String> {
        let (start, baseline) = (self.start_gains(), self.baseline_gains());
        let vehicle = self.airframe.get();
        if start == baseline && self.baseline != Baseline::Start {
            return None;
        }
        let differ = self.gains.iter().map(|bounds| bounds.gain());
        let differ = differ.filter(|gain| gain.value(&start) != gain.value(&vehicle.gains));
        let differ: Vec<String> = differ
            .map(|gain| {
                let [start, own] = [&start, &vehicle.gains].map(|of| gain.value(of));
                format!("{} {start}, not {own}", gain.name)
            })
            .collect();
        let starts = match differ.is_empty() {
            true => String::new(),
            false => format!("; the run starts from {}", differ.join(", ")),
        };
        match &self.baseline {
            Baseline::Airframe => Some(format!(
                "the baseline is the gains of the airframe {}{starts}",
                vehicle.name
            )),
            Baseline::Given { from, .. } => {
                let others = Tuned::by_change(&baseline, &vehicle.gains);
                let fly = match others.rate == [false; 3] && others.attitude == [false; 3] {
                    true => String::new(),
                    false => format!(
                        "; gains that are not tuned fly as in the airframe {}, not as in {from}, and are exported \
                         with the others: `sim template airframe --from` makes an airframe with the baseline's",
                        vehicle.name
                    ),
                };
                Some(format!("the baseline is {from}{starts}{fly}"))
            }
            Baseline::Start => (!differ.is_empty()).then(|| {
                format!(
                    "the baseline is the start gains, which are not those of the airframe {}{starts}",
                    vehicle.name
                )
            }),
        }
    }

    /// Which margins are kept by default, and which of them are those of the start gains.
    fn margins_kept(&self) -> Option<String> {
        let limits = &self.settings.margins;
        let problem = self.problem().ok().filter(|_| limits.sound)?;
        let delay_ms = limits.delay_ms(problem.tuning.setup.sensors.delay_periods);
        let off = "margins = \"stated\" under [limits] switches this off";
        let Some(check) = &problem.margins else {
            return Some(format!(
                "with sensors {delay_ms} ms late the start gains are not stable, so no margins are kept; \
                 delay_periods under [sensors] says another delay"
            ));
        };
        let less = |(of, kept): &(Loop, MarginLimits)| {
            let phase = kept.phase_margin_deg.filter(|deg| *deg < SOUND_PHASE_DEG);
            let gain = kept
                .gain_margin_db
                .filter(|db| *db < 20.0 * SOUND_GAIN.log10());
            let disk = kept.disk_margin.filter(|disk| *disk < SOUND_DISK);
            let phase = phase.map(|deg| format!("{deg:.1} degrees"));
            let gain = gain.map(|db| format!("{db:.1} dB"));
            let disk = disk.map(|disk| format!("disk {disk:.2}"));
            let less: Vec<String> = phase.into_iter().chain(gain).chain(disk).collect();
            (!less.is_empty()).then(|| format!("{} {}", of.name(), less.join(", ")))
        };
        let less: Vec<String> = check.required().iter().filter_map(less).collect();
        let but = match less.is_empty() {
            true => String::new(),
            false => format!(
                ", but as little as the start gains leave: {}",
                less.join("; ")
            ),
        };
        Some(format!(
            "gains are flown and recommended that keep 30 degrees of phase, a factor of 2 of gain and a disk \
             margin of 0.5 with sensors {delay_ms} ms late{but}; {off}"
        ))
    }

    /// That limits are for a loop that the vehicle does not have.
    fn missing_loop(&self) -> Option<String> {
        let airframe = self.airframe.get();
        let named = self.settings.margins.loops.contains(&Loop::Thrust);
        (named && airframe.controller.law().vertical.is_none()).then(|| {
            format!(
                "margins_of names the thrust loop, and {} has none: [controller.law] vertical in its airframe file is one",
                airframe.name
            )
        })
    }

    /// Which loops stated limits of margins are not for, since no gain of theirs is tuned.
    fn untuned_loops(&self) -> Option<String> {
        let limits = &self.settings.margins;
        let stated = MarginLimits {
            sound: false,
            ..limits.without_steps()
        };
        let problem = self.problem().ok()?;
        let law = problem.tuning.setup.airframe.controller.law();
        let flies = |l: &&Loop| **l != Loop::Thrust || law.vertical.is_some();
        let others = LOOPS
            .iter()
            .filter(flies)
            .filter(|l| !problem.space.tunes(**l));
        let others: Vec<&str> = others.map(|l| l.name()).collect();
        (!stated.is_none() && limits.loops.is_empty() && !others.is_empty()).then(|| {
            format!(
                "the limits of margins are for the loops that are tuned; {} keep what is sound, or what they have \
                 with the start gains; margins_of under [limits] names other loops",
                others.join(" and ")
            )
        })
    }
}
