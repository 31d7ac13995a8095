// Series: the course of a flight over time, panel below panel, with a cursor.

const AXIS_COLOUR = [0, 1, 2, 3].map((k) => colour("series-" + k));
const AXIS_DASH = [[], [9, 4], [3, 3], [9, 3, 3, 3]];
const LEFT = 62, GAP = 40, TAIL = 44;

const degrees = (radians) => (radians * 180) / Math.PI;

// Roll, pitch and yaw [deg] of a unit quaternion, in the order z, y, x.
function eulerAngles([w, x, y, z]) {
  return [
    degrees(Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))),
    degrees(Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x))))),
    degrees(Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))),
  ];
}

// What is drawn of `shown` beside `other`.
function panelsOf(shown, other, gains) {
  const three = (names, lists) => names.map((name, a) => ({ name, values: lists.map((v) => v[a]), colour: AXIS_COLOUR[a], dash: AXIS_DASH[a] }));
  const error = [0, 1].map((k) => {
    const which = k ? 1 - gains : gains;
    return { name: GAINS_NAME[which], values: (k ? other : shown).error, colour: GAINS_COLOUR[which], dash: k ? [6, 4] : [] };
  });
  return [
    { title: "position error [m]", curves: error, low: 0 },
    { title: "attitude [deg]", curves: three(["roll", "pitch", "yaw"], shown.attitude.map(eulerAngles)), wraps: true },
    { title: "body rates [deg/s]", curves: three(["roll", "pitch", "yaw"], shown.rates.map((v) => v.map(degrees))) },
    { title: "rotor speeds [rad/s]", curves: three(["1 front left", "2 front right", "3 rear right", "4 rear left"], shown.rotors), marks: shown.saturated, marksName: "at a limit" },
    { title: "wind [m/s]", curves: three(["x", "y", "z (up)"], shown.wind) },
  ];
}

// Where panels lie in a picture of that size.
function layoutOf(width, height, count, samples, stepS) {
  const tall = (height - TAIL) / count;
  const duration = (samples - 1) * stepS;
  return {
    tall, width, height, samples, stepS, duration,
    top: (p) => p * tall + GAP,
    bottom: (p) => (p + 1) * tall - 6,
    x: (seconds) => LEFT + ((width - LEFT - 12) * seconds) / duration,
    seconds: (x) => Math.max(0, Math.min(duration, ((x - LEFT) / (width - LEFT - 12)) * duration)),
  };
}

function extremes(panel) {
  let low = panel.low ?? Infinity, high = -Infinity;
  for (const curve of panel.curves) {
    for (const value of curve.values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  const room = 0.06 * Math.max(high - low, 1e-3);
  return [panel.low ?? low - room, high + room];
}

function drawPanel(g, panel, p, at) {
  const [low, high] = extremes(panel);
  const [top, bottom] = [at.top(p), at.bottom(p)];
  const y = (value) => bottom - ((bottom - top) * (value - low)) / (high - low);
  const step = roundStep((high - low) / 4);
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) {
    line(g, [[LEFT, y(tick)], [at.width - 12, y(tick)]], GRID, 1);
    words(g, label(Math.abs(tick) < 1e-9 ? 0 : tick, step), LEFT - 6, y(tick) + 5, INK, "right");
  }
  const second = roundStep(at.duration / (at.width > 700 ? 10 : 5));
  for (let tick = 0; tick <= at.duration + 1e-9; tick += second) {
    line(g, [[at.x(tick), top], [at.x(tick), bottom]], GRID, 1);
  }
  for (const curve of panel.curves) {
    // An angle that passes half a turn comes in again on the other side: that is no line.
    const jumps = curve.values.map((value, k) => k).filter((k) => k > 0 && panel.wraps && Math.abs(curve.values[k] - curve.values[k - 1]) > 180);
    [0, ...jumps].forEach((from, piece) => {
      const points = curve.values.slice(from, jumps[piece]).map((value, k) => [at.x((from + k) * at.stepS), y(value)]);
      line(g, points, curve.colour, 1.6, curve.dash);
    });
  }
  if (panel.marks) {
    g.fillStyle = LOSS;
    panel.marks.forEach((mark, k) => mark && g.fillRect(at.x(k * at.stepS) - 0.5, top, Math.max(1, at.x(at.stepS) - LEFT), 6));
  }
  g.strokeStyle = INK;
  g.lineWidth = 1;
  g.strokeRect(LEFT, top, at.width - 12 - LEFT, bottom - top);
}

// The picture without its cursor.
function drawSeries(g, panels, at) {
  g.clearRect(0, 0, at.width, at.height);
  g.font = "14px system-ui, 'DejaVu Sans', sans-serif";
  panels.forEach((panel, p) => drawPanel(g, panel, p, at));
  const second = roundStep(at.duration / (at.width > 700 ? 10 : 5));
  for (let tick = 0; tick <= at.duration + 1e-9; tick += second) {
    words(g, label(tick, second), at.x(tick), at.height - TAIL + 14, INK, "center");
  }
  words(g, "time [s]", (LEFT + at.width) / 2, at.height - 8, INK, "center");
}

// The cursor, and each panel's name and values there.
function drawCursor(g, panels, at, place) {
  const x = at.x(place * at.stepS);
  line(g, [[x, at.top(0)], [x, at.bottom(panels.length - 1)]], INK, 1.6);
  g.font = "14px system-ui, 'DejaVu Sans', sans-serif";
  panels.forEach((panel, p) => {
    const y = at.top(p) - 8;
    words(g, panel.title, LEFT, y);
    let left = LEFT + g.measureText(panel.title).width + 18;
    const room = at.width > 760;
    for (const curve of panel.curves) {
      const value = curve.values[Math.min(Math.round(place), curve.values.length - 1)];
      const digits = p === 0 ? 3 : 1;
      const name = room ? curve.name : curve.name.split(" ")[0];
      const number = value === undefined ? "–" : value.toFixed(digits).replace("-", "−");
      const text = at.width > 480 ? name + " " + number : name;
      line(g, [[left, y - 5], [left + 22, y - 5]], curve.colour, 2.6, curve.dash);
      words(g, text, left + 27, y);
      left += 27 + Math.max(g.measureText(text).width, at.width > 480 ? g.measureText(name + " −000.0").width : 0) + 12;
    }
    if (panel.marks && at.width > 800) words(g, "▬ " + panel.marksName, at.width - 12, y, LOSS, "right");
  });
}
