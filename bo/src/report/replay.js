// Replay: the page's own clock; it moves the scene and the cursor together.

// Numbers as the page holds them, into numbers as they are drawn.
function decoded(recording) {
  const count = recording.saturated.length;
  const rows = (lists, unit) => Array.from({ length: count }, (_, k) => lists.map((list) => list[k] * unit));
  const position = rows(recording.position, 1e-4), reference = rows(recording.reference, 1e-4);
  return {
    step: recording.step_ms / 1000,
    position,
    reference,
    error: position.map((point, k) => Math.hypot(...point.map((c, a) => c - reference[k][a]))),
    attitude: rows(recording.attitude, 1e-4),
    rates: rows(recording.rates, 1e-3),
    rotors: rows(recording.rotors, 0.1),
    wind: rows(recording.wind, 1e-3),
    saturated: recording.saturated,
    ace: recording.ace * 1e-4,
    lost: recording.lost,
  };
}

// The flight at a place between samples; it stays where it ended.
function instant(flight, at) {
  const last = flight.position.length - 1;
  const k = Math.min(Math.floor(at), last), next = Math.min(k + 1, last);
  const part = Math.min(at, last) - k;
  const mix = (list) => list[k].map((c, a) => c + part * (list[next][a] - c));
  const attitude = mix(flight.attitude);
  const length = Math.hypot(...attitude);
  return {
    time: Math.min(at, last) * flight.step,
    position: mix(flight.position),
    reference: mix(flight.reference),
    attitude: attitude.map((c) => c / length),
    wind: mix(flight.wind),
    error: flight.error[k] + part * (flight.error[next] - flight.error[k]),
  };
}

// An error that few instants exceed, for the colour scale.
function mostError(flights) {
  const all = flights.flatMap((flight) => flight.error).sort((a, b) => a - b);
  return roundStep(Math.max(all[Math.floor(0.97 * (all.length - 1))], 0.01) / 5) * 5;
}

function sized(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const g = canvas.getContext("2d");
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  return [g, width, height];
}

function startReplay(root) {
  const find = (name) => root.querySelector(name);
  const [scene, series, clock, output, play] = [".scene", ".series", ".clock", "output", ".play"].map(find);
  const data = JSON.parse(find(".flights").textContent);
  const flights = data.flights.map((pair) => pair.map(decoded));
  const all = flights.flat();
  const box = boundsOf(all);
  const most = mostError(all);
  const fastest = Math.max(...all.flatMap((flight) => flight.wind.map((v) => Math.hypot(...v))));
  const reach = Math.hypot(...data.rotors_m[0]);
  const state = {
    domain: 0, gains: 1, ghost: true, at: 0, playing: false, speed: 1,
    camera: newCamera(box.centre, box.radius), panels: [], layout: null, still: null,
  };
  const pair = () => flights[state.domain];
  const samples = () => Math.max(...pair().map((flight) => flight.position.length));
  const view = () => ({
    camera: state.camera, box, most, gains: state.gains, at: state.at,
    shown: pair()[state.gains], other: state.ghost ? pair()[1 - state.gains] : null,
    hubs: data.rotors_m, enlarged: Math.max(1, (0.085 * box.radius) / reach),
    windScale: (0.55 * box.radius) / Math.max(fastest, 1e-9), title: `${data.domains[state.domain]} wind`,
  });

  // A window may have no size for a while; there is nothing to draw on then.
  const hidden = () => !scene.clientWidth || !scene.clientHeight || !series.clientWidth || !series.clientHeight;

  function drawAll() {
    if (hidden() || !state.still) return;
    const [g, width, height] = sized(scene);
    drawScene(g, width, height, view());
    drawNow();
    const time = state.at * pair()[0].step;
    clock.value = Math.round(state.at);
    output.textContent = `${time.toFixed(2)} s`;
    clock.setAttribute("aria-valuetext", `${time.toFixed(2)} seconds`);
    Object.assign(scene.dataset, {
      time: time.toFixed(3), azimuth: state.camera.azimuth.toFixed(3), zoom: state.camera.zoom.toFixed(3),
      domain: data.domains[state.domain], gains: GAINS_NAME[state.gains], playing: state.playing,
    });
  }

  // The series change with the flight and the page's width only; the cursor goes on top.
  function renew() {
    if (hidden()) return;
    const [g, width, height] = sized(series);
    const [shown, other] = [pair()[state.gains], pair()[1 - state.gains]];
    state.panels = panelsOf(shown, other, state.gains);
    state.layout = layoutOf(width, height, state.panels.length, samples(), shown.step);
    drawSeries(g, state.panels, state.layout);
    state.still = document.createElement("canvas");
    [state.still.width, state.still.height] = [series.width, series.height];
    state.still.getContext("2d").drawImage(series, 0, 0);
    clock.max = samples() - 1;
    state.at = Math.min(state.at, samples() - 1);
    drawAll();
  }

  function drawNow() {
    const g = series.getContext("2d");
    g.save();
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.clearRect(0, 0, series.width, series.height);
    g.drawImage(state.still, 0, 0);
    g.restore();
    drawCursor(g, state.panels, state.layout, state.at);
  }

  function go(at) {
    state.at = Math.max(0, Math.min(samples() - 1, at));
    drawAll();
  }

  function setPlaying(playing) {
    state.playing = playing;
    play.textContent = playing ? "Pause" : "Play";
    if (!playing) return drawAll();
    if (state.at >= samples() - 1) state.at = 0;
    let before = null;
    const frame = (now) => {
      if (!state.playing) return;
      if (before !== null) state.at += (state.speed * (now - before)) / 1000 / pair()[0].step;
      before = now;
      if (state.at >= samples() - 1) {
        go(samples() - 1);
        return setPlaying(false);
      }
      drawAll();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  const looks = { free: [-1.05, 0.42], top: [-Math.PI / 2, Math.PI / 2], side: [-Math.PI / 2, 0] };
  function look(name) {
    [state.camera.azimuth, state.camera.elevation] = looks[name];
    state.camera.zoom = 1;
    drawAll();
  }

  const pointers = new Map();
  scene.addEventListener("pointerdown", (event) => {
    scene.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  scene.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const here = [event.clientX, event.clientY];
    if (pointers.size === 1) {
      turnCamera(state.camera, (here[0] - before[0]) / scene.clientWidth, (here[1] - before[1]) / scene.clientHeight);
    } else {
      const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      const apart = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
      zoomCamera(state.camera, apart(here) / Math.max(apart(before), 1));
    }
    pointers.set(event.pointerId, here);
    drawAll();
  });
  for (const name of ["pointerup", "pointercancel"]) scene.addEventListener(name, (event) => pointers.delete(event.pointerId));
  scene.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoomCamera(state.camera, Math.exp(-0.0015 * event.deltaY));
    drawAll();
  }, { passive: false });
  scene.addEventListener("dblclick", () => look("free"));

  const turn = (across, up) => () => { turnCamera(state.camera, across, up); drawAll(); };
  const zoom = (factor) => () => { zoomCamera(state.camera, factor); drawAll(); };
  const keys = {
    " ": () => setPlaying(!state.playing), ArrowLeft: () => go(state.at - 5), ArrowRight: () => go(state.at + 5),
    Home: () => go(0), End: () => go(samples() - 1), "+": zoom(1.15), "=": zoom(1.15), "-": zoom(1 / 1.15),
    a: turn(0.03, 0), d: turn(-0.03, 0), w: turn(0, 0.03), s: turn(0, -0.03),
  };
  scene.addEventListener("keydown", (event) => {
    const act = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });

  const seek = (event) => go(state.layout.seconds(event.offsetX) / state.layout.stepS);
  series.addEventListener("pointerdown", (event) => { series.setPointerCapture(event.pointerId); seek(event); });
  series.addEventListener("pointermove", (event) => event.buttons && seek(event));
  play.addEventListener("click", () => setPlaying(!state.playing));
  clock.addEventListener("input", () => go(Number(clock.value)));
  find(".speed").addEventListener("change", (event) => { state.speed = Number(event.target.value); });
  find(".gains").addEventListener("change", (event) => { state.gains = Number(event.target.value); renew(); });
  find(".ghost").addEventListener("change", (event) => { state.ghost = event.target.checked; drawAll(); });
  root.querySelectorAll("input[type=radio]").forEach((radio) =>
    radio.addEventListener("change", () => { state.domain = Number(radio.value); renew(); }));
  root.querySelectorAll("[data-view]").forEach((button) =>
    button.addEventListener("click", () => look(button.dataset.view)));
  window.addEventListener("resize", renew);
  window.addEventListener("beforeprint", renew);

  // A browser may remember controls across a reload.
  state.domain = Number(root.querySelector("input[type=radio]:checked").value);
  state.gains = Number(find(".gains").value);
  state.ghost = find(".ghost").checked;
  state.speed = Number(find(".speed").value);
  state.at = Math.floor(samples() / 3);
  renew();
}

document.querySelectorAll("section.run").forEach(startReplay);
