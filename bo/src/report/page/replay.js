// Replay: the page's own clock; it moves the scene and the cursor together.

function sized(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const g = canvas.getContext("2d");
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.colours = coloursOf(canvas);
  return [g, width, height];
}

function startReplay(root) {
  const find = (name) => root.querySelector(name);
  const [scene, series, clock, output, play] = [".scene", ".series", ".clock", "output", ".play"].map(find);
  if (!scene) return;
  const data = JSON.parse(find(".flights").textContent);
  const flights = data.flights.map((pair) => pair.map(decoded));
  const all = flights.flat();
  const box = boundsOf(all);
  const most = mostError(all);
  const fastest = Math.max(...all.flatMap((flight) => flight.wind.map((v) => Math.hypot(...v))));
  const reach = Math.hypot(...data.rotors_m[0]);
  const radios = [...root.querySelectorAll(".replay input[type=radio]")];
  const state = {
    domain: 0, gains: 1, ghost: true, at: 0, playing: false, speed: 1, evaluation: null, window: null,
    camera: newCamera(box.centre, box.radius), panels: [], layout: null, still: null,
  };
  const pair = () => (state.evaluation ? [state.evaluation.flight, state.evaluation.flight] : flights[state.domain]);
  const samples = () => Math.max(...pair().map((flight) => flight.position.length));
  const step = () => pair()[0].step;
  const duration = () => Math.max((samples() - 1) * step(), SHORTEST_S);
  const view = () => ({
    camera: state.camera, box, most, gains: state.gains, at: state.at,
    shown: pair()[state.gains], other: state.ghost && !state.evaluation ? pair()[1 - state.gains] : null,
    hubs: data.rotors_m, enlarged: Math.max(1, (0.085 * box.radius) / reach),
    windScale: (0.55 * box.radius) / Math.max(fastest, 1e-9),
    title: state.evaluation?.title ?? `${data.domains[state.domain]} wind: ${GAINS_NAME[state.gains]}`,
  });

  // A window may have no size for a while; there is nothing to draw on then.
  const hidden = () => !scene.clientWidth || !scene.clientHeight || !series.clientWidth || !series.clientHeight;

  function drawAll() {
    if (hidden() || !state.still) return;
    const [g, width, height] = sized(scene);
    const seen = view();
    drawScene(g, width, height, seen);
    say(wordsOf(seen));
    drawNow();
    const time = state.at * step();
    clock.value = Math.round(state.at);
    output.textContent = `${time.toFixed(2)} s`;
    clock.setAttribute("aria-valuetext", `${time.toFixed(2)} seconds`);
    Object.assign(scene.dataset, {
      time: time.toFixed(3), azimuth: state.camera.azimuth.toFixed(3), zoom: state.camera.zoom.toFixed(3),
      domain: data.domains[state.domain], gains: GAINS_NAME[state.gains], playing: state.playing,
      evaluation: state.evaluation?.number ?? "",
    });
  }

  function say({ title, now, lost, keys }) {
    find(".title").textContent = title;
    find(".now").textContent = now;
    find(".lost-at").textContent = lost;
    const list = find(".keys");
    while (list.children.length > keys.length) list.lastChild.remove();
    keys.forEach(([name, text], k) => {
      const item = list.children[k] ?? list.appendChild(document.createElement("li"));
      item.className = name;
      if (item.textContent !== text) item.textContent = text;
    });
  }

  // The series change with the flight, the page's width and the time axis only; the cursor goes on top.
  function renew() {
    if (!scene.clientWidth) return;
    const [shown, other] = [pair()[state.gains], pair()[1 - state.gains]];
    state.panels = panelsOf(shown, other, state.gains, coloursOf(series));
    series.style.height = `${160 * state.panels.length + TAIL}px`;
    if (hidden()) return;
    const [g, width, height] = sized(series);
    const [from, to] = state.window ?? [0, duration()];
    state.layout = layoutOf(width, height, state.panels.length, samples(), shown.step, [from, to]);
    Object.assign(series.dataset, { from: from.toFixed(3), to: to.toFixed(3), panels: state.panels.length });
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

  // Shows the times [from, to], as far as there are any.
  function showTimes(from, to) {
    const whole = duration(), length = Math.min(whole, Math.max(SHORTEST_S, to - from));
    const start = Math.max(0, Math.min(whole - length, from));
    state.window = length < whole ? [start, start + length] : null;
    renew();
  }
  function zoomTime(factor, about = state.at * step()) {
    const { from, to } = state.layout;
    const at = Math.max(from, Math.min(to, about));
    showTimes(at - (at - from) / factor, at + (to - at) / factor);
  }
  function moveTime(part) {
    const { from, to } = state.layout;
    showTimes(from + part * (to - from), to + part * (to - from));
  }

  function go(at) {
    state.at = Math.max(0, Math.min(samples() - 1, at));
    drawAll();
  }

  // What is played stays in sight.
  function follow() {
    const time = state.at * step();
    if (state.window && (time > state.window[1] || time < state.window[0])) {
      showTimes(time, time + state.window[1] - state.window[0]);
    }
  }

  function setPlaying(playing) {
    state.playing = playing;
    play.textContent = playing ? "Pause" : "Play";
    if (!playing) return drawAll();
    if (state.at >= samples() - 1) state.at = 0;
    let before = null;
    const frame = (now) => {
      if (!state.playing) return;
      if (before !== null) state.at += (state.speed * (now - before)) / 1000 / step();
      before = now;
      if (state.at >= samples() - 1) {
        go(samples() - 1);
        return setPlaying(false);
      }
      follow();
      drawAll();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  // Another flight, at the same moment.
  function show(change) {
    const time = state.at * step();
    change();
    state.window = null;
    state.at = Math.min(samples() - 1, time / step());
    renew();
  }

  function showEvaluation(kept) {
    const position = rows(kept.position, 1e-3);
    const reference = rows(data.evaluations.reference, 1e-3).slice(0, position.length);
    const flight = {
      step: data.evaluations.step_ms / 1000, position, reference, error: distances(position, reference),
      ace: kept.ace * 1e-4, lost: kept.lost,
    };
    show(() => {
      state.evaluation = { number: kept.number, flight, title: `evaluation ${kept.number}, flown in ${kept.domain} wind` };
      radios.forEach((radio) => { radio.checked = false; });
      state.at = 0;
    });
    scene.scrollIntoView({ block: "center" });
    scene.focus({ preventScroll: true });
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
  // The wheel is the page's until the picture was chosen.
  const onWheel = (canvas, act) => canvas.addEventListener("wheel", (event) => {
    if (document.activeElement !== canvas && !event.ctrlKey) return;
    event.preventDefault();
    act(event);
  }, { passive: false });
  onWheel(scene, (event) => {
    zoomCamera(state.camera, Math.exp(-0.0015 * event.deltaY));
    drawAll();
  });
  scene.addEventListener("dblclick", () => look("free"));

  const turn = (across, up) => () => { turnCamera(state.camera, across, up); drawAll(); };
  const zoom = (factor) => () => { zoomCamera(state.camera, factor); drawAll(); };
  const onKeys = (canvas, keys) => canvas.addEventListener("keydown", (event) => {
    const act = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  const clockKeys = {
    " ": () => setPlaying(!state.playing), ArrowLeft: () => go(state.at - 0.1 / step()), ArrowRight: () => go(state.at + 0.1 / step()),
    Home: () => go(0), End: () => go(samples() - 1),
  };
  onKeys(scene, {
    ...clockKeys, "+": zoom(1.15), "=": zoom(1.15), "-": zoom(1 / 1.15),
    a: turn(0.03, 0), d: turn(-0.03, 0), w: turn(0, 0.03), s: turn(0, -0.03),
  });

  const times = {
    in: () => zoomTime(2), out: () => zoomTime(0.5), back: () => moveTime(-0.25), on: () => moveTime(0.25),
    all: () => showTimes(0, Infinity),
  };
  onKeys(series, { ...clockKeys, "+": times.in, "=": times.in, "-": times.out, a: times.back, d: times.on, 0: times.all });
  onWheel(series, (event) => {
    const across = event.shiftKey ? event.deltaY : event.deltaX;
    if (across) moveTime(across / 1000);
    else zoomTime(Math.exp(-0.0015 * event.deltaY), state.layout.seconds(event.offsetX));
  });
  series.addEventListener("dblclick", times.all);
  const seek = (event) => go(state.layout.seconds(event.offsetX) / state.layout.stepS);
  series.addEventListener("pointerdown", (event) => {
    series.setPointerCapture(event.pointerId);
    if (!event.shiftKey) seek(event);
  });
  series.addEventListener("pointermove", (event) => {
    if (!event.buttons) return;
    if (event.shiftKey) moveTime(-event.movementX / state.layout.wide);
    else seek(event);
  });
  root.querySelectorAll("[data-time]").forEach((button) =>
    button.addEventListener("click", () => times[button.dataset.time]()));

  play.addEventListener("click", () => setPlaying(!state.playing));
  clock.addEventListener("input", () => go(Number(clock.value)));
  find(".speed").addEventListener("change", (event) => { state.speed = Number(event.target.value); });
  find(".gains").addEventListener("change", (event) => show(() => { state.gains = Number(event.target.value); }));
  find(".ghost").addEventListener("change", (event) => { state.ghost = event.target.checked; drawAll(); });
  radios.forEach((radio) => radio.addEventListener("change", () =>
    show(() => { [state.domain, state.evaluation] = [Number(radio.value), null]; })));
  root.querySelectorAll("[data-view]").forEach((button) =>
    button.addEventListener("click", () => look(button.dataset.view)));
  for (const kept of data.evaluations?.flights ?? []) {
    const button = find(`[data-evaluation="${kept.number}"]`);
    if (!button) continue;
    button.hidden = false;
    button.addEventListener("click", () => showEvaluation(kept));
  }
  window.addEventListener("resize", renew);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", renew);
  // What is printed stands on white.
  const print = (printing) => () => { document.documentElement.classList.toggle("light", printing); renew(); };
  window.addEventListener("beforeprint", print(true));
  window.addEventListener("afterprint", print(false));

  // A browser may remember controls across a reload.
  state.domain = Number(radios.find((radio) => radio.checked)?.value ?? 0);
  radios[state.domain].checked = true;
  state.gains = Number(find(".gains").value);
  state.ghost = find(".ghost").checked;
  state.speed = Number(find(".speed").value);
  state.at = Math.floor(samples() / 3);
  renew();
}

document.querySelectorAll("section.run").forEach(startReplay);
