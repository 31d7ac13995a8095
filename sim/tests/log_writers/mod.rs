//! Writers of logs of others' autopilots, as small as tests need them.

pub mod blackbox;
pub mod crazyflie;
pub mod dataflash;
