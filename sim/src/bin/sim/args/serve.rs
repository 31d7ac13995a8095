//! Flags of the lock-step simulation, and the messages of its protocol.

use clap::Args;

/// Flags of the lock-step simulation.
#[derive(Debug, Args)]
#[command(after_help = SERVE_HELP)]
pub struct ServeArgs {
    /// One JSON object a line, in and out; the only form there is
    #[arg(long, required = true)]
    pub jsonl: bool,
}

const SERVE_HELP: &str = r#"Requests, one a line; each is answered by one state, or by {"error":"…"}, which changes nothing:
  {"type":"init","airframe":"crazyflie","dt_s":0.01,"trajectory":"fig8","wind":"steady","seed":3}
  {"type":"step","rotors_rad_s":[…4]}   or   {"type":"step","thrust_n":T,"moment_n_m":[…3]}
  {"type":"reset"} (also with "seed")        {"type":"quit"} or the end of the input

init: airframe  a name, a path, or an object as in an airframe file
      start     position_m, velocity_m_s, attitude_wxyz, rates_rad_s, rotors_rad_s, each if
                wanted, in place of a trajectory to start on
      wind      "still", [x,y,z] in m/s, "gusty", "steady", a path, or a domain as an object
      sensors   {"position_m":0.02,"velocity_m_s":0.1,"attitude_rad":0,"rates_rad_s":0,
                "delay_periods":0}: states then carry what is measured beside the truth
State: t_s, position_m, velocity_m_s, attitude_wxyz, rates_rad_s, rotors_rad_s, wind_m_s.
SI, z up, body x forward and y left; rotors front left, front right, rear right, rear left.
There is no ground and no obstacle: what falls goes on falling."#;
