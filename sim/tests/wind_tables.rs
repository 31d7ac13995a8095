//! Tables of wind as loggers and spreadsheets write them.

use sim::{Domain, WindFile};

/// One wind as people have it: every table gives the same rows, and says what was understood.
#[test]
fn tables_of_speed_and_direction_clocks_and_other_units_are_the_same_wind() {
    let rows: Vec<[f64; 3]> = (0..40)
        .map(|k| {
            let phase = f64::from(k) * 0.7;
            // From all directions, and over midnight.
            [
                86_390.0 + f64::from(k),
                6.0 + 2.0 * phase.sin(),
                (37.0 * phase) % 360.0,
            ]
        })
        .collect();
    let table = |header: &str, row: &dyn Fn(&[f64; 3]) -> String| -> String {
        let rows: Vec<String> = rows.iter().map(row).collect();
        format!("{header}\n{}\n", rows.join("\n"))
    };
    let clock = |t_s: f64| {
        let s = t_s as u32 % 86_400;
        format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
    };
    let date = |t_s: f64| format!("2026-05-{:02} {}", 3 + (t_s / 86_400.0) as u32, clock(t_s));
    let german = |number: f64| number.to_string().replace('.', ",");
    let wind = |speed: f64, from_deg: f64| {
        let (sin, cos) = from_deg.to_radians().sin_cos();
        [-speed * cos, speed * sin]
    };
    let plain = table("t,u,v,w\ns,m/s,m/s,m/s", &|[t, speed, from]| {
        let [u, v] = wind(*speed, *from);
        format!("{t},{u},{v},0")
    });
    let tables = [
        table(
            "Timestamp,Wind speed (m/s),Wind direction (deg),Temp",
            &|[t, s, d]| format!("{},{s},{d},21.5", date(*t)),
        ),
        table("Zeit;Geschwindigkeit;Richtung\ns;m/s;Grad", &|[t, s, d]| {
            format!("{};{};{}", german(*t), german(*s), german(*d))
        }),
        table("time,speed_kn,dir", &|[t, s, d]| {
            format!("{},{},{d}", clock(*t), s * 3600.0 / 1852.0)
        }),
        table(
            "\"Date\"\t\"Time\"\t\"Wind speed [km/h]\"\t\"Gust speed [km/h]\"\t\"Dir [deg]\"",
            &|[t, s, d]| {
                let day = 3 + (t / 86_400.0) as u32;
                format!("{day:02}.05.2026\t{}\t{}\t99\t{d}", clock(*t), s * 3.6)
            },
        ),
        table("time (ms),u (ft/s),v (ft/s),w (ft/s)", &|[t, s, d]| {
            let [u, v] = wind(*s, *d).map(|x| x / 0.3048);
            format!("{},{u},{v},0", 1e3 * t)
        }),
    ];
    let read = |text: &str| WindFile::from_csv("site.csv", text).expect("understood");
    let rows_of = |text: &str| {
        let domain = Domain::of_wind_file("site", read(text)).expect("legal");
        domain.record.expect("a record").rows().to_vec()
    };
    let expected = rows_of(&plain);
    assert_eq!(read(&plain).understood(), None);
    for text in tables {
        let said = read(&text).understood().expect("not as we write it");
        assert!(
            said.starts_with("site.csv: read as ") && said.lines().count() == 1,
            "{said}"
        );
        assert_eq!(
            said.contains("left out: Temp"),
            text.contains("Temp"),
            "{said}"
        );
        for (row, wanted) in rows_of(&text).iter().zip(&expected) {
            for (found, wanted) in row.iter().zip(wanted) {
                assert!((found - wanted).abs() < 1e-6, "{said}: {row:?}");
            }
        }
    }
}

#[test]
fn units_and_dates_that_cannot_be_known_are_refused_and_not_guessed() {
    let plain = "t,u,v,w\n0,1,2,3\n";
    for (text, wanted) in [
        (plain.to_owned(), "line 1: `u` states no unit"),
        (
            "time,speed,dir\n0,5,180\n".to_owned(),
            "line 1: `speed` states no unit",
        ),
        (
            "time,speed,dir\ns,furlongs,deg\n0,5,180\n".to_owned(),
            "line 2: the units are ",
        ),
        (
            "time,speed (cm/s),dir (deg)\n0,5,180\n".to_owned(),
            "line 1: `speed (cm/s)` states no unit",
        ),
        (
            "time,speed (m/s),direction (mil)\n0,5,180\n".to_owned(),
            "line 1: `direction (mil)` states no unit",
        ),
        (
            "time,speed (m/s),direction to (deg)\n0,5,180\n".to_owned(),
            "line 1: `direction to (deg)` is where the wind blows to",
        ),
        (
            "time (d),speed (m/s),dir (deg)\n0,5,180\n".to_owned(),
            "line 2, column time (d): `0` is not a number: expected a time",
        ),
        (
            "time,speed,dir\nd,m/s,deg\n0,5,180\n".to_owned(),
            "line 3, column time: `0` is not a number: expected a time",
        ),
        (
            "time,speed (m/s),dir (deg)\n05/03/2026 14:00:00,5,180\n".to_owned(),
            "line 2, column time: `05/03/2026 14:00:00` is not a number: expected a time",
        ),
        (
            "time,speed (m/s),dir (deg)\n0,-5,180\n".to_owned(),
            "line 2, column speed (m/s): -5 is out of range",
        ),
        (
            "time,speed (m/s),dir (deg)\n0,5,400\n".to_owned(),
            "line 2, column dir (deg): 400 is out of range",
        ),
    ] {
        let error = WindFile::from_csv("site.csv", &text).expect_err(wanted);
        assert!(
            error
                .to_string()
                .starts_with(&format!("site.csv: {wanted}")),
            "{error}"
        );
    }
}
