//! The calibration picture: that its files say what they must, and what is refused.

use plots::{CalibrationPanel, CalibrationPicture, Error};

const LEVELS: [f64; 3] = [0.2, 0.5, 0.9];

fn drawn(shares: &[Option<Vec<f64>>], panels: usize) -> Result<String, Error> {
    let folder = tempfile::tempdir().unwrap();
    let labels: Vec<String> = (0..panels).map(|i| format!("set <{i}>")).collect();
    let panels: Vec<CalibrationPanel> = labels
        .iter()
        .map(|label| CalibrationPanel {
            label,
            shares,
            bars: &[],
        })
        .collect();
    let picture = CalibrationPicture {
        title: "calibration",
        levels: &LEVELS,
        methods: &["GP", "MLP"],
        bar_name: "",
        panels: &panels,
    };
    let [svg, png] = plots::draw(&picture, &folder.path().join("c"))?;
    assert!(std::fs::metadata(png).unwrap().len() > 10_000);
    Ok(std::fs::read_to_string(svg).unwrap())
}

#[test]
fn curves_are_named_and_a_method_without_one_is_not() {
    let shares = [Some(vec![0.1, 0.6, 0.9]), None];
    for panels in [1, 2, 7] {
        let svg = drawn(&shares, panels).unwrap();
        assert!(svg.contains(&format!("set &lt;{}&gt;", panels - 1)));
        assert!(svg.contains("GP") && !svg.contains("MLP"));
        assert!(svg.contains("probability of the predicted central interval"));
        assert_eq!(svg, drawn(&shares, panels).unwrap());
    }
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let message =
        |shares: &[Option<Vec<f64>>], panels| drawn(shares, panels).unwrap_err().to_string();
    let good = [Some(vec![0.1, 0.6, 0.9]), None];
    assert_eq!(message(&good, 0), "0 panels were given: expected 1 to 9");
    assert_eq!(message(&good, 10), "10 panels were given: expected 1 to 9");
    assert_eq!(
        message(&good[..1], 1),
        "the curves of calibration has 1 values for 2 of the methods"
    );
    assert_eq!(
        message(&[Some(vec![0.1]), None], 1),
        "the shares of calibration has 1 values for 3 of the levels"
    );
    assert_eq!(
        message(&[Some(vec![0.1, f64::NAN, 0.9]), None], 1),
        "value 1 of the shares of calibration is NaN: expected a probability"
    );
}
