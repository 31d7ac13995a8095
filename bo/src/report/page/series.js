// Series: the course of a flight over time, panel below panel on one time axis, with a cursor.

const AXIS_DASH = [[], [9, 4], [3, 3], [9, 3, 3, 3]];
const QUAD = ["1 front left", "2 front right", "3 rear right", "4 rear left"];
const LEFT = 62, TAIL = 44;
const SHORTEST_S = 0.2; // of the time axis

const degrees = (radians) => (radians * 180) / Math.PI;

// Roll, pitch and yaw [deg] of a unit quaternion, in the order z, y, x.
function eulerAngles([w, x, y, z]) {
  return [
    degrees(Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))),
    degrees(Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x))))),
    degrees(Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))),
  ];
}

const rotorNames = (count) => (count === 4 ? QUAD : Array.from({ length: count }, (_, k) => `${k + 1}`));

// What is drawn of `shown` beside `other`; panels of what a flight does not keep are left out.
function panelsOf(shown, other, gains, colours) {
  const curve = (name, lists, a, more) => ({ name, values: lists.map((v) => v[a]), colour: colours.axes[a % 4], dash: AXIS_DASH[(a + (a >> 2)) % 4], ...more });
  const curves = (names, lists) => names.map((name, a) => curve(name, lists, a));
  const setpoints = (lists) => [0, 1, 2].map((a) => curve("", lists, a, { dash: [2, 3], setpoint: true }));
  const error = (flight, which, dash) => ({ name: GAINS_NAME[which], values: flight.error, colour: colours.gains[which], dash });
  const errors = shown === other
    ? [{ ...error(shown, gains, []), name: "of this evaluation" }]
    : [error(shown, gains, []), error(other, 1 - gains, [6, 4])];
  const panels = [
    { title: "position error [m]", curves: errors, low: 0, digits: 3 },
    { title: "position [m]", curves: [...setpoints(shown.reference), ...curves(["x", "y", "z"], shown.position)], digits: 2 },
  ];
  if (!shown.attitude) return panels;
  const rates = shown.rates.map((v) => v.map(degrees)), asked = shown.setpoints.map((v) => v.map(degrees));
  return panels.concat([
    { title: "attitude [deg]", curves: curves(["roll", "pitch", "yaw"], shown.attitude.map(eulerAngles)), wraps: true },
    { title: "body rates [deg/s]", curves: [...setpoints(asked), ...curves(["roll", "pitch", "yaw"], rates)] },
    { title: "rotor speeds [rad/s]", curves: curves(rotorNames(shown.rotors[0].length), shown.rotors), marks: shown.saturated, marksName: "at a limit" },
    { title: "wind [m/s]", curves: curves(["x", "y", "z (up)"], shown.wind) },
  ]);
}

// Where panels lie in a picture of that size, and the times [from, to] that it shows.
function layoutOf(width, height, count, samples, stepS, [from, to]) {
  const tall = (height - TAIL) / count, wide = width - LEFT - 12;
  // On a narrow page the names of a panel take two lines.
  const gap = width > 760 ? 40 : 58;
  return {
    tall, width, height, samples, stepS, from, to, wide,
    top: (p) => p * tall + gap,
    bottom: (p) => (p + 1) * tall - 6,
    x: (seconds) => LEFT + (wide * (seconds - from)) / (to - from),
    seconds: (x) => Math.max(from, Math.min(to, from + ((x - LEFT) / wide) * (to - from))),
  };
}

// Least and greatest value of a panel within the times that are shown.
function extremes(panel, at) {
  let low = panel.low ?? Infinity, high = -Infinity;
  const [first, last] = [Math.floor(at.from / at.stepS), Math.ceil(at.to / at.stepS)];
  for (const curve of panel.curves) {
    for (const value of curve.values.slice(first, last + 1)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (!(high >= low)) [low, high] = [panel.low ?? -1, 1];
  const room = 0.06 * Math.max(high - low, 1e-3);
  return [panel.low ?? low - room, high + room];
}

// Times that the axis names.
function timesOf(at) {
  const step = roundStep((at.to - at.from) / (at.width > 700 ? 10 : 5));
  const times = [];
  for (let k = Math.ceil(at.from / step - 1e-9); k * step <= at.to + 1e-9; k++) times.push(k * step);
  return [times, step];
}

function drawPanel(g, panel, p, at) {
  const { grid, ink, loss } = g.colours;
  const [low, high] = extremes(panel, at);
  const [top, bottom] = [at.top(p), at.bottom(p)];
  const y = (value) => bottom - ((bottom - top) * (value - low)) / (high - low);
  const step = roundStep((high - low) / 4);
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) {
    line(g, [[LEFT, y(tick)], [at.width - 12, y(tick)]], grid, 1);
    words(g, label(Math.abs(tick) < 1e-9 ? 0 : tick, step), LEFT - 6, y(tick) + 5, ink, "right");
  }
  for (const tick of timesOf(at)[0]) line(g, [[at.x(tick), top], [at.x(tick), bottom]], grid, 1);
  g.save();
  g.beginPath();
  g.rect(LEFT, top, at.wide, bottom - top);
  g.clip();
  for (const curve of panel.curves) {
    // An angle that passes half a turn comes in again on the other side: that is no line.
    const jumps = curve.values.map((value, k) => k).filter((k) => k > 0 && panel.wraps && Math.abs(curve.values[k] - curve.values[k - 1]) > 180);
    [0, ...jumps].forEach((from, piece) => {
      const points = curve.values.slice(from, jumps[piece]).map((value, k) => [at.x((from + k) * at.stepS), y(value)]);
      line(g, points, curve.colour, curve.setpoint ? 1.2 : 1.6, curve.dash);
    });
  }
  if (panel.marks) {
    const wide = Math.max(1, at.x(at.stepS) - at.x(0));
    g.fillStyle = loss;
    panel.marks.forEach((mark, k) => mark && g.fillRect(at.x(k * at.stepS) - 0.5, top, wide, 6));
  }
  g.restore();
  g.strokeStyle = ink;
  g.lineWidth = 1;
  g.strokeRect(LEFT, top, at.wide, bottom - top);
}

// The picture without its cursor.
function drawSeries(g, panels, at) {
  g.clearRect(0, 0, at.width, at.height);
  g.font = "14px" + FONT;
  panels.forEach((panel, p) => drawPanel(g, panel, p, at));
  const [times, step] = timesOf(at);
  for (const tick of times) words(g, label(tick, step), at.x(tick), at.height - TAIL + 14, g.colours.ink, "center");
  words(g, "time [s]", (LEFT + at.width) / 2, at.height - 8, g.colours.ink, "center");
}

// The cursor, and each panel's name and values there.
function drawCursor(g, panels, at, place) {
  const x = at.x(place * at.stepS);
  if (x >= LEFT - 1 && x <= at.width - 11) line(g, [[x, at.top(0)], [x, at.bottom(panels.length - 1)]], g.colours.ink, 1.6);
  g.font = "14px" + FONT;
  const roomy = at.width > 760;
  panels.forEach((panel, p) => {
    const named = panel.curves.filter((curve) => !curve.setpoint);
    words(g, panel.title, LEFT, at.top(p) - (roomy ? 8 : 27));
    let left = roomy ? LEFT + g.measureText(panel.title).width + 18 : LEFT;
    const y = at.top(p) - 8;
    for (const curve of named) {
      const value = curve.values[Math.min(Math.round(place), curve.values.length - 1)];
      const number = value === undefined ? "–" : value.toFixed(panel.digits ?? 1).replace("-", "−");
      const name = roomy ? curve.name : curve.name.split(" ")[0];
      const text = at.width > 480 ? name + " " + number : name;
      line(g, [[left, y - 5], [left + 22, y - 5]], curve.colour, 2.6, curve.dash);
      words(g, text, left + 27, y);
      left += 27 + Math.max(g.measureText(text).width, at.width > 480 ? g.measureText(name + " −000.0").width : 0) + 12;
    }
    const also = [named.length < panel.curves.length && "dotted: setpoint", panel.marks && "▬ " + panel.marksName].filter(Boolean).join(", ");
    if (also) words(g, also, at.width - 12, roomy ? y : y - 19, panel.marks ? g.colours.loss : g.colours.note, "right");
  });
}
