//! Names: whose parameter a name is, and which names of ArduPilot are those of other versions.

use super::entries::Entry;

/// Beginnings of names that PX4 alone has.
const PX4: &str = "MC_ MPC_ CA_ IMU_ EKF2_ COM_ NAV_ SYS_ CAL_ CBRK_ SENS_ SDLOG_ THR_MDL_FAC PWM_ MAV_TYPE \
    DSHOT_ VT_ FW_ LPE_ ATT_";

/// Beginnings of names that ArduPilot alone has.
const ARDUPILOT: &str = "ATC_ PSC_ INS_ MOT_ AHRS_ EK2_ EK3_ ARMING_ FRAME_ FS_ PILOT_ WPNAV_ LOIT_ Q_A_ Q_P_ \
    Q_M_ SERVO NTF_ COMPASS_ ANGLE_MAX ACRO_ AUTOTUNE_ SCHED_ BRD_ FLTMODE LOG_ PHLD_ RCMAP_ \
    SYSID_ RATE_ STB_ POS_XY_ POS_Z_ VEL_XY_ VEL_Z_ ACCEL_Z_ SIM_";

/// Beginnings of names that Betaflight has, besides those of its gains.
const BETAFLIGHT: &str = "gyro_ dterm_ dyn_notch_ dyn_lpf_ rpm_filter_ simplified_ motor_ dshot_ tpa_ iterm_ \
    feedforward_ anti_gravity_ thrust_linear pid_process_denom d_min_ d_max_ vbat_";

/// Groups of the Crazyflie's parameters.
const CRAZYFLIE: &str = "posCtlPid velCtlPid pid_attitude pid_rate stabilizer posCtrlIndi ctrlINDI ctrlMel kalman \
    motorPowerSet powerDist commander quadSysId";

/// The autopilot that has a parameter of that name, where its name says so.
pub(super) fn autopilot(name: &str) -> Option<&'static str> {
    let begins = |with: &str| with.split_whitespace().any(|with| name.starts_with(with));
    if let Some((group, _)) = name.split_once('.') {
        return crazyflie_group(group).then_some("crazyflie");
    }
    if begins(PX4) {
        Some("px4")
    } else if begins(ARDUPILOT) {
        Some("ardupilot")
    } else if begins(BETAFLIGHT) || betaflight_gain(name) {
        Some("betaflight")
    } else {
        None
    }
}

/// Whether the Crazyflie has a group of parameters of that name.
pub(super) fn crazyflie_group(name: &str) -> bool {
    CRAZYFLIE.split_whitespace().any(|group| group == name)
}

/// Whether `name` is one of Betaflight's gains, whose values are numbers in each profile.
pub(super) fn betaflight_gain(name: &str) -> bool {
    let gain = |before: &str| ["p", "i", "d", "f", "s", "d_min", "d_max"].contains(&before);
    let axis = |after: &str| ["roll", "pitch", "yaw"].contains(&after);
    name.rsplit_once('_')
        .is_some_and(|(before, after)| gain(before) && axis(after))
}

/// Whether `name` is one setting of Betaflight's for all profiles, wherever it stands.
pub(super) fn betaflight_master(name: &str) -> bool {
    let all = "gyro_ dyn_notch_ rpm_filter_ motor_ dshot_ pid_process_denom";
    all.split_whitespace().any(|begin| name.starts_with(begin))
}

/// Beginnings of names that Copter had until a version, and those since.
const OLD: [(&str, &str, &str); 6] = [
    ("RATE_", "3.3", "ATC_RAT_"),
    ("STB_", "3.3", "ATC_ANG_"),
    ("POS_XY_", "3.5", "PSC_POSXY_"),
    ("POS_Z_", "3.5", "PSC_POSZ_"),
    ("VEL_XY_", "3.5", "PSC_VELXY_"),
    ("VEL_Z_", "3.5", "PSC_VELZ_"),
];

/// The first entry whose name is an old one of Copter's, and what there is to say of it.
pub(super) fn old(entries: &[Entry]) -> Option<(&Entry, String)> {
    entries.iter().find_map(|entry| {
        let of = |old: &&(&str, &str, &str)| entry.name.starts_with(old.0);
        let (_, version, since) = OLD.iter().find(of)?;
        let name = &entry.name;
        Some((
            entry,
            format!("{name} is a name of Copter {version} and earlier, {since}... since then"),
        ))
    })
}

/// Reads the names of a quadplane as those of a copter where the file has none of these, and says what
/// was read as something else and which names of two generations the file has.
pub(super) fn unified(entries: &mut [Entry]) -> Vec<String> {
    let mut notes = Vec::new();
    for (from, to) in [("Q_A_", "ATC_"), ("Q_P_", "PSC_"), ("Q_M_", "MOT_")] {
        let begins = |with: &str| entries.iter().any(|entry| entry.name.starts_with(with));
        if !begins(from) {
            continue;
        }
        if begins(to) {
            notes.push(format!(
                "The file has names with {from} and with {to}: the former, a quadplane's, are left out."
            ));
            continue;
        }
        for entry in entries.iter_mut() {
            if let Some(rest) = entry.name.strip_prefix(from) {
                entry.name = format!("{to}{rest}");
            }
        }
        notes.push(format!(
            "Names with {from}, a quadplane's, are read as {to}."
        ));
    }
    let first = |with: &[&str]| {
        let begins = |entry: &&Entry| with.iter().any(|with| entry.name.starts_with(with));
        entries.iter().find(begins).map(|entry| entry.name.as_str())
    };
    let until_46 = first(&["PSC_POSXY_", "PSC_POSZ_", "PSC_VELXY_", "PSC_VELZ_"]);
    let since_47 = first(&["PSC_NE_", "PSC_D_"]);
    if let (Some(old), Some(new)) = (until_46, since_47) {
        notes.push(format!(
            "The file has names of two generations: firmware up to 4.6 flies {old} and its kin, later ones \
             {new} and its kin."
        ));
    }
    notes
}
