//! Serve: the simulator in lock-step with a controller of the user's own, over two streams.
//!
//! One JSON object a line in, one JSON object a line out; nothing moves between two steps, so the
//! controller may take as long as it likes and be written in any language. SI units, radians, the
//! frames of this crate (world z up, body x forward, y left; quaternions w, x, y, z).
//!
//! ```text
//! -> {"type":"init","airframe":"crazyflie","dt_s":0.01,"trajectory":"fig8","wind":"steady","seed":3}
//! <- {"type":"state","t_s":0,"position_m":[…],"velocity_m_s":[…],"attitude_wxyz":[…],
//!     "rates_rad_s":[…],"rotors_rad_s":[…],"wind_m_s":[…],"airframe":{…}}
//! -> {"type":"step","rotors_rad_s":[…]}              four rotor speed commands, held for dt_s
//! -> {"type":"step","thrust_n":5.1,"moment_n_m":[…]} or a wrench, mixed as the autopilot does
//! <- {"type":"state",…,"command_rad_s":[…],"saturated":false}
//! -> {"type":"reset","seed":4}                       to the start; a new seed if one is given
//! <- {"type":"state",…}
//! -> {"type":"quit"}                                 no reply; the end of the input does the same
//! ```
//!
//! `init` takes
//! * `airframe`: a shipped name, a file's path, or an object as the file has it (required);
//! * `dt_s`: time between two commands, 1e-4 to 1 s (default 0.01);
//! * `trajectory`: start on it with its velocity; or `start`: an object with any of `position_m`,
//!   `velocity_m_s`, `attitude_wxyz`, `rates_rad_s`, `rotors_rad_s` (default: at the origin, at
//!   rest, level, at hover speed);
//! * `wind`: `"still"` (the default), a constant `[x, y, z]` in m/s, a shipped domain, a file's
//!   path, or a domain as an object;
//! * `seed`: decides gusts and noise (default 1);
//! * `sensors`: noise and delay as in [`SensorNoise`](crate::SensorNoise); with it, states carry
//!   `measured` in addition to the true state.
//!
//! The answer to `init` carries `warnings`, a list of sentences, where something makes the states
//! mean less than they seem to: wind on a vehicle without aerodynamic forces ([`Concern`]).
//!
//! A line that is no request, or asks for what cannot be, is answered by one `{"error":"…"}` and
//! changes nothing. Lines above 1 MB are refused without being kept. Every reply is flushed.
//!
//! The integrator takes steps of at most 1 ms; wind is held over each. There is no ground and
//! nothing to hit: the vehicle flies freely.

mod request;
mod rig;
mod setup;

use crate::Guarded;
use request::{Fault, Request};
use rig::Rig;
use serde_json::{Map, Value, json};
use setup::Setup;
use shell::lines::{Line, Lines};
use std::io::{BufRead, Write};

/// The text of the file that a word of a request means, given the names that it may be instead:
/// `None` if it means a name, an error if the file cannot be read.
pub type FindFile = dyn Fn(&str, &[&str]) -> Option<std::io::Result<String>>;

/// A [`FindFile`] for which every word is a name.
pub fn no_files(_: &str, _: &[&str]) -> Option<std::io::Result<String>> {
    None
}

/// Answers requests until the input ends or says to quit. Files that a request names are found by
/// `files`.
///
/// # Errors
/// When a stream fails. A faulty request is no error; it is answered.
pub fn serve(input: impl BufRead, mut output: impl Write, files: &FindFile) -> std::io::Result<()> {
    let mut session = Session { rig: None, files };
    let mut lines = Lines::new(input);
    while let Some(line) = lines.next_line()? {
        let reply = match session.answer(&line) {
            Ok(Some(state)) => Value::Object(state),
            Ok(None) => return Ok(()),
            Err(fault) => json!({ "error": fault.to_string() }),
        };
        writeln!(output, "{reply}")?;
        output.flush()?;
    }
    Ok(())
}

struct Session<'a> {
    /// What is being simulated, if anything yet.
    rig: Option<Rig>,
    files: &'a FindFile,
}

impl Session<'_> {
    /// The state after a request, nothing after the one to quit, or what is wrong with it; then
    /// nothing has changed.
    fn answer(&mut self, line: &Line) -> Result<Option<Map<String, Value>>, Fault> {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => return Err(Fault::TooLong),
            Line::NotText => return Err(Fault::NotText),
        };
        let request = Request::from_json(text)?;
        let started = self.rig.as_mut().ok_or(Fault::BeforeInit);
        match request {
            Request::Quit => Ok(None),
            Request::Init(init) => {
                let rig = Rig::new(Setup::of(&init, self.files)?);
                let mut state = rig.state();
                let airframe = serde_json::to_value(rig.airframe());
                state.insert("airframe".into(), airframe.unwrap_or_default());
                let concerns: Vec<String> = rig.concerns().iter().map(Guarded::said).collect();
                if !concerns.is_empty() {
                    state.insert("warnings".into(), json!(concerns));
                }
                self.rig = Some(rig);
                Ok(Some(state))
            }
            Request::Step(step) => started?.step(&step).map(Some),
            Request::Reset(reset) => Ok(Some(started?.reset(reset.seed))),
        }
    }
}

#[cfg(test)]
mod tests;
