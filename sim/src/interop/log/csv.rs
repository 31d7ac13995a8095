//! CSV: every sample, one a line, in SI units; quaternion with the scalar first.

use crate::Sample;
use std::io::Write;

/// Names of the columns.
const HEADER: &str = "t_s,x_m,y_m,z_m,vx_m_s,vy_m_s,vz_m_s,qw,qx,qy,qz,\
     wx_rad_s,wy_rad_s,wz_rad_s,n1_rad_s,n2_rad_s,n3_rad_s,n4_rad_s,\
     command1_rad_s,command2_rad_s,command3_rad_s,command4_rad_s,\
     ref_x_m,ref_y_m,ref_z_m,ref_vx_m_s,ref_vy_m_s,ref_vz_m_s,ref_yaw_rad,\
     wind_x_m_s,wind_y_m_s,wind_z_m_s\n";

pub(super) fn write(samples: &[Sample], out: &mut impl Write) -> std::io::Result<()> {
    out.write_all(HEADER.as_bytes())?;
    for sample in samples {
        let state = &sample.state;
        let q = state.attitude.quaternion();
        let values = [sample.time_s]
            .into_iter()
            .chain(state.position_m.iter().copied())
            .chain(state.velocity_m_s.iter().copied())
            .chain([q.w, q.i, q.j, q.k])
            .chain(state.rates_rad_s.iter().copied())
            .chain(state.rotors_rad_s)
            .chain(sample.command.speeds_rad_s)
            .chain(sample.reference.position_m.iter().copied())
            .chain(sample.reference.velocity_m_s.iter().copied())
            .chain([sample.reference.yaw_rad])
            .chain(sample.wind_m_s.iter().copied());
        for (k, value) in values.enumerate() {
            // Shortest digits that read back as the same number.
            write!(out, "{}{value}", if k == 0 { "" } else { "," })?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
