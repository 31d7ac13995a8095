// Scene: one instant of a flight, drawn in three dimensions.

// The colours of the style sheet as they hold for an element: some stand on dark paper, some on light.
function coloursOf(element) {
  const style = getComputedStyle(element);
  const colour = (name) => style.getPropertyValue("--" + name).trim();
  const names = ["paper", "ink", "note", "grid", "loss", "wind", "shadow"];
  return {
    ...Object.fromEntries(names.map((name) => [name, colour(name)])),
    axes: [0, 1, 2, 3].map((k) => colour("series-" + k)),
    gains: [colour("default"), colour("recommended")],
  };
}

// From near to far; lightness falls all the way, so that the scale also reads in grey.
const ERROR_STOPS = [0, 1, 2, 3].map((k) => {
  const stop = getComputedStyle(document.documentElement).getPropertyValue("--scale-" + k).trim();
  return [1, 3, 5].map((at) => parseInt(stop.slice(at, at + 2), 16));
});
const SHADES = 24;
const SHADE = Array.from({ length: SHADES }, (_, k) => {
  const place = (k / (SHADES - 1)) * (ERROR_STOPS.length - 1);
  const below = Math.min(Math.floor(place), ERROR_STOPS.length - 2);
  const mix = ERROR_STOPS[below].map((c, i) => Math.round(c + (place - below) * (ERROR_STOPS[below + 1][i] - c)));
  return `rgb(${mix})`;
});
const FONT = " system-ui, 'DejaVu Sans', sans-serif";
const GAINS_NAME = ["default gains", "recommended gains"];

function shadeOf(error, most) {
  return Math.min(SHADES - 1, Math.floor((error / most) * SHADES));
}

function trace(g, points) {
  g.beginPath();
  points.forEach(([x, y], k) => (k ? g.lineTo(x, y) : g.moveTo(x, y)));
}

function line(g, points, colour, width, dash = []) {
  trace(g, points);
  g.strokeStyle = colour;
  g.lineWidth = width;
  g.setLineDash(dash);
  g.stroke();
  g.setLineDash([]);
}

// Words that would stand beyond an edge of the picture move in.
function words(g, text, x, y, colour = g.colours.ink, align = "left") {
  const wide = g.measureText(text).width;
  const before = { left: 0, center: wide / 2, right: wide }[align];
  x = Math.max(2 + before, Math.min(g.canvas.clientWidth - 2 - wide + before, x));
  g.textAlign = align;
  g.lineWidth = 4;
  g.strokeStyle = g.colours.paper;
  g.globalAlpha = 0.85;
  g.strokeText(text, x, y);
  g.globalAlpha = 1;
  g.fillStyle = colour;
  g.fillText(text, x, y);
}

// The smallest of 1, 2 and 5 times a power of ten that is at least `least`.
function roundStep(least) {
  const decade = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((m) => m * decade).find((step) => step >= least * 0.999);
}

// Bounds of all paths, widened to whole steps of the grid.
function boundsOf(flights) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const flight of flights) {
    for (const path of [flight.position, flight.reference]) {
      for (const point of path) {
        for (let a = 0; a < 3; a++) {
          low[a] = Math.min(low[a], point[a]);
          high[a] = Math.max(high[a], point[a]);
        }
      }
    }
  }
  const widest = Math.max(...high.map((h, a) => h - low[a]), 0.5);
  const step = roundStep(widest / 6);
  for (let a = 0; a < 3; a++) {
    low[a] = Math.floor(low[a] / step - 0.25) * step;
    high[a] = Math.ceil(high[a] / step + 0.25) * step;
  }
  const centre = low.map((l, a) => (l + high[a]) / 2);
  const radius = 0.5 * Math.hypot(...high.map((h, a) => h - low[a]));
  return { low, high, step, centre, radius };
}

function label(value, step) {
  return value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9))).replace("-", "−");
}

function drawFloor(g, project, box, camera) {
  const { low, high, step } = box;
  const floor = low[2];
  const count = (a) => Math.round((high[a] - low[a]) / step);
  for (let a = 0; a < 2; a++) {
    for (let k = 0; k <= count(a); k++) {
      const from = [low[0], low[1], floor], to = [high[0], high[1], floor];
      from[a] = to[a] = low[a] + k * step;
      line(g, [project(from), project(to)], g.colours.grid, 1);
    }
  }
  if (Math.abs(camera.elevation) < 0.03) return;
  // Numbers stand at the edges that face the camera.
  const near = [Math.cos(camera.azimuth) > 0 ? high[0] : low[0], Math.sin(camera.azimuth) > 0 ? high[1] : low[1]];
  for (let a = 0; a < 2; a++) {
    const every = Math.ceil(count(a) / 6);
    for (let k = 0; k <= count(a); k += every) {
      const at = [near[0], near[1], floor];
      at[a] = low[a] + k * step;
      const out = at.slice();
      out[1 - a] += (near[1 - a] === high[1 - a] ? 1 : -1) * 0.09 * box.radius;
      const [x, y] = project(out);
      words(g, label(at[a], step), x, y + 5, g.colours.note, "center");
    }
    const middle = [near[0], near[1], floor];
    middle[a] = (low[a] + high[a]) / 2 + 0.5 * step;
    middle[1 - a] += (near[1 - a] === high[1 - a] ? 1 : -1) * 0.2 * box.radius;
    const [x, y] = project(middle);
    words(g, ["x [m]", "y [m]"][a], x, y + 5, g.colours.note, "center");
  }
}

function drawHeights(g, project, box) {
  const { low, high, step } = box;
  const corners = [[low[0], low[1]], [low[0], high[1]], [high[0], low[1]], [high[0], high[1]]];
  const pole = corners.reduce((a, b) => (project([...b, low[2]])[0] < project([...a, low[2]])[0] ? b : a));
  line(g, [project([...pole, low[2]]), project([...pole, high[2]])], g.colours.note, 1);
  const tall = Math.abs(project([...pole, low[2]])[1] - project([...pole, high[2]])[1]);
  if (tall < 60) return;
  const count = Math.round((high[2] - low[2]) / step), every = Math.ceil(count / 5);
  for (let k = 0; k <= count; k += every) {
    const [x, y] = project([...pole, low[2] + k * step]);
    line(g, [[x, y], [x - 6, y]], g.colours.note, 1);
    words(g, label(low[2] + k * step, step), x - 9, y + 5, g.colours.note, "right");
  }
  const [x, y] = project([...pole, high[2]]);
  words(g, "z [m]", x, y - 10, g.colours.note, "center");
}

// A path coloured by its error: what has been flown is bold.
function drawPath(g, points, errors, now, most) {
  for (const [from, to, width, alpha] of [[now, points.length - 1, 1.6, 0.4], [0, now, 3.6, 1]]) {
    g.globalAlpha = alpha;
    for (let k = from; k < to; ) {
      const shade = shadeOf(errors[k], most);
      let end = k + 1;
      while (end < to && shadeOf(errors[end], most) === shade) end++;
      line(g, points.slice(k, end + 1), SHADE[shade], width);
      k = end;
    }
    g.globalAlpha = 1;
  }
}

// Arms and rotors, `enlarged` times as large as life; the front rotors are filled.
function drawVehicle(g, project, at, attitude, hubs, enlarged, colour, alpha) {
  g.globalAlpha = alpha;
  const world = (v) => rotate(attitude, v.map((c) => c * enlarged)).map((c, a) => c + at[a]);
  const centre = project(at);
  const reach = Math.hypot(...hubs[0]);
  hubs.forEach((hub) => {
    line(g, [centre, project(world(hub))], colour, 3);
    const disc = Array.from({ length: 21 }, (_, k) => {
      const [c, s] = [Math.cos((k * Math.PI) / 10), Math.sin((k * Math.PI) / 10)];
      return project(world([hub[0] + 0.42 * reach * c, hub[1] + 0.42 * reach * s, hub[2]]));
    });
    trace(g, disc);
    g.fillStyle = hub[0] > 0.1 * reach ? colour : g.colours.paper;
    g.fill();
    line(g, disc, colour, 1.6);
  });
  g.globalAlpha = 1;
}

function drawArrow(g, [x0, y0], [x1, y1], colour) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 3) return;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const head = Math.min(16, 0.5 * length);
  const neck = [x1 - head * ux, y1 - head * uy];
  line(g, [[x0, y0], neck], colour, 4);
  trace(g, [[x1, y1], [neck[0] - 0.5 * head * uy, neck[1] + 0.5 * head * ux], [neck[0] + 0.5 * head * uy, neck[1] - 0.5 * head * ux]]);
  g.fillStyle = colour;
  g.fill();
}

// The colour scale: upright at the right, or along the top where the picture is narrow.
function drawScale(g, width, most) {
  const narrow = width < 560;
  const [x, y, long] = narrow ? [84, 10, width - 84 - 30] : [width - 34, 58, 150];
  words(g, "error [m]", narrow ? 8 : width - 12, narrow ? 21 : y - 14, g.colours.ink, narrow ? "left" : "right");
  SHADE.forEach((shade, k) => {
    g.fillStyle = shade;
    const [from, piece] = [(k * long) / SHADES, long / SHADES + 0.6];
    if (narrow) g.fillRect(x + from, y, piece, 12);
    else g.fillRect(x, y + long - from - piece, 18, piece);
  });
  for (const part of [0, 0.5, 1]) {
    const text = (part === 1 ? "≥ " : "") + (part * most).toFixed(2);
    if (narrow) words(g, text, x + part * long, y + 27, g.colours.ink, "center");
    else words(g, text, x - 6, y + long * (1 - part) + 5, g.colours.ink, "right");
  }
}

// Everything at one instant. `view` holds: camera, box, shown, other (or null), gains, most,
// hubs, enlarged, windScale, at (a place between samples), title.
function drawScene(g, width, height, view) {
  const { camera, box, shown, other, most } = view;
  const project = projector(camera, width, height);
  g.clearRect(0, 0, width, height);
  g.font = (width < 720 ? "12.5px" : "14px") + FONT;
  g.lineJoin = "round";
  drawFloor(g, project, box, camera);
  drawHeights(g, project, box);
  const floor = (point) => project([point[0], point[1], box.low[2]]);
  line(g, shown.position.map(floor), g.colours.shadow, 1.6);
  line(g, shown.reference.map(project), g.colours.ink, 1.3);
  if (other) {
    const there = Math.min(Math.floor(view.at), other.position.length - 1);
    g.globalAlpha = 0.75;
    line(g, other.position.slice(0, there + 1).map(project), g.colours.gains[1 - view.gains], 1.6);
    g.globalAlpha = 1;
  }
  const last = shown.position.length - 1;
  const now = Math.min(Math.floor(view.at), last);
  drawPath(g, shown.position.map(project), shown.error, now, most);
  const state = instant(shown, view.at);
  const target = project(state.reference), here = project(state.position);
  line(g, [here, floor(state.position)], g.colours.note, 1, [3, 4]);
  line(g, [here, target], g.colours.ink, 1.6);
  g.beginPath();
  g.arc(target[0], target[1], 5, 0, 2 * Math.PI);
  g.strokeStyle = g.colours.ink;
  g.lineWidth = 2;
  g.stroke();
  if (other) {
    const ghost = instant(other, view.at);
    drawVehicle(g, project, ghost.position, ghost.attitude, view.hubs, view.enlarged, g.colours.gains[1 - view.gains], 0.45);
  }
  drawShown(g, project, view, state, here);
  drawScale(g, width, most);
}

// The vehicle and the wind that it feels; of a flight that keeps its path alone, a dot.
function drawShown(g, project, view, state, here) {
  const colour = g.colours.gains[view.gains];
  if (!view.shown.attitude) {
    g.beginPath();
    g.arc(...here.slice(0, 2), 7, 0, 2 * Math.PI);
    g.fillStyle = colour;
    return g.fill();
  }
  drawVehicle(g, project, state.position, state.attitude, view.hubs, view.enlarged, colour, 1);
  const tip = state.position.map((c, a) => c + view.windScale * state.wind[a]);
  drawArrow(g, here, project(tip), g.colours.wind);
}

// What is said beside the picture: the flight, the instant, and what its marks mean.
function wordsOf(view) {
  const { shown, other } = view;
  const state = instant(shown, view.at);
  const size = view.enlarged > 1.05 ? `${view.enlarged.toFixed(1)} times its size` : "at its size";
  const keys = [["reference", "reference (ring: where it should be now)"]];
  if (shown.attitude) keys.push(["vehicle", `vehicle ${size}, front rotors filled`]);
  if (shown.wind) keys.push(["wind", `wind ${Math.hypot(...state.wind).toFixed(1)} m/s; the arrow is ${view.windScale.toFixed(2)} m long for 1 m/s`]);
  if (other) {
    const lost = other.lost ? ", lost" : "";
    keys.push([["default", "recommended"][1 - view.gains], `ghost: ${GAINS_NAME[1 - view.gains]}, ACE ${other.ace.toFixed(3)} m${lost}`]);
  }
  return {
    title: view.title,
    now: `t ${state.time.toFixed(2)} s · error ${state.error.toFixed(3)} m · ACE of the flight ${shown.ace.toFixed(3)} m`,
    lost: shown.lost ? `lost at ${(shown.lost.at_ms / 1000).toFixed(2)} s: ${shown.lost.why}` : "",
    keys,
  };
}
