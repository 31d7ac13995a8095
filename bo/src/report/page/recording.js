// Recording: a flight as the page holds it, and what can be read off it.

// Numbers as the page holds them, into points as they are drawn: of each list every number but the
// first says by how much it changes.
function rows(lists, unit) {
  const sums = lists.map((list) => { let at = 0; return list.map((by) => (at += by)); });
  return sums[0].map((_, k) => sums.map((list) => list[k] * unit));
}

function decoded(recording) {
  const position = rows(recording.position, 1e-4), reference = rows(recording.reference, 1e-4);
  return {
    step: recording.step_ms / 1000,
    position,
    reference,
    error: distances(position, reference),
    attitude: rows(recording.attitude, 1e-4),
    rates: rows(recording.rates, 1e-3),
    setpoints: rows(recording.setpoints, 1e-3),
    rotors: rows(recording.rotors, 0.1),
    wind: rows(recording.wind, 1e-3),
    saturated: recording.saturated,
    ace: recording.ace * 1e-4,
    lost: recording.lost,
  };
}

function distances(position, reference) {
  return position.map((point, k) => Math.hypot(...point.map((c, a) => c - reference[k][a])));
}

// The flight at a place between samples; it stays where it ended.
function instant(flight, at) {
  const last = flight.position.length - 1;
  const k = Math.min(Math.floor(at), last), next = Math.min(k + 1, last);
  const part = Math.min(at, last) - k;
  const mix = (list) => list && list[k].map((c, a) => c + part * (list[next][a] - c));
  const attitude = mix(flight.attitude);
  const length = attitude && Math.hypot(...attitude);
  return {
    time: Math.min(at, last) * flight.step,
    position: mix(flight.position),
    reference: mix(flight.reference),
    attitude: attitude && attitude.map((c) => c / length),
    wind: mix(flight.wind),
    error: flight.error[k] + part * (flight.error[next] - flight.error[k]),
  };
}

// An error that few instants exceed, for the colour scale.
function mostError(flights) {
  const all = flights.flatMap((flight) => flight.error).sort((a, b) => a - b);
  return roundStep(Math.max(all[Math.floor(0.97 * (all.length - 1))], 0.01) / 5) * 5;
}
