// Camera: turns points of the world, z up, into points of a picture.

// A camera that looks at `centre` so that a ball of `radius` fills the picture at zoom 1.
function newCamera(centre, radius) {
  return { centre, radius, azimuth: -1.05, elevation: 0.42, zoom: 1 };
}

// Turns by parts of a half turn; never over the pole.
function turnCamera(camera, across, up) {
  camera.azimuth -= across * Math.PI;
  const limit = Math.PI / 2;
  camera.elevation = Math.max(-limit, Math.min(limit, camera.elevation + up * Math.PI));
}

function zoomCamera(camera, factor) {
  camera.zoom = Math.max(0.3, Math.min(40, camera.zoom * factor));
}

// The function that takes a point [x, y, z] to [across, down, depth] in pixels and metres.
function projector(camera, width, height) {
  const [ca, sa] = [Math.cos(camera.azimuth), Math.sin(camera.azimuth)];
  const [ce, se] = [Math.cos(camera.elevation), Math.sin(camera.elevation)];
  const distance = 5 * camera.radius;
  const scale = 0.5 * Math.min(width, height * 1.08) * camera.zoom / camera.radius * distance;
  const [cx, cy, cz] = camera.centre;
  return ([px, py, pz]) => {
    const [x, y, z] = [px - cx, py - cy, pz - cz];
    const right = ca * y - sa * x;
    const up = ce * z - se * (ca * x + sa * y);
    const depth = distance - (ce * (ca * x + sa * y) + se * z);
    const size = scale / Math.max(depth, 0.05 * distance);
    return [width / 2 + size * right, 0.47 * height - size * up, depth];
  };
}

// The vector `v` of the body turned into the world by the unit quaternion [w, x, y, z].
function rotate([w, x, y, z], [a, b, c]) {
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [
    a + w * tx + y * tz - z * ty,
    b + w * ty + z * tx - x * tz,
    c + w * tz + x * ty - y * tx,
  ];
}
