// Opens a report in a headless Chromium and uses it as a person would: plays, scrubs, turns,
// zooms, switches. Fails on any message of the console, any request to a network, anything wider
// than the window, and a replay that does not move.
//
//   node report.mjs PAGE.html [FOLDER FOR SCREENSHOTS]
//
// Needs nothing but Node and a Chromium, which it finds in $CHROME or on the path; exits with 77
// where there is none. It talks to the browser over a pipe.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [page, pictures] = process.argv.slice(2);
const names = [process.env.CHROME, "chromium", "chromium-browser", "google-chrome", "chrome"].filter(Boolean);
const chrome = names.find((name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0);
if (!chrome) {
  console.log("no Chromium found: set CHROME or put one on the path");
  process.exit(77);
}

const profile = mkdtempSync(join(tmpdir(), "report-browser-"));
const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
  "--disable-dev-shm-usage", "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank"];
const browser = spawn(chrome, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const [out, back] = [browser.stdio[3], browser.stdio[4]];

let number = 0, received = "", session;
const waiting = new Map(), listeners = [];
back.on("data", (chunk) => {
  received += chunk;
  const messages = received.split("\0");
  received = messages.pop();
  for (const text of messages) {
    const message = JSON.parse(text);
    if (message.id) {
      const { done, failed } = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) failed(new Error(message.error.message));
      else done(message.result);
    } else listeners.forEach((listener) => listener(message));
  }
});
const send = (method, params = {}) => new Promise((done, failed) => {
  number += 1;
  waiting.set(number, { done, failed });
  out.write(JSON.stringify({ id: number, method, params, sessionId: session }) + "\0");
});
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const complaints = [];
listeners.push(({ method, params }) => {
  if (method === "Runtime.consoleAPICalled") complaints.push(`console.${params.type}: ${params.args.map((a) => a.value ?? a.description).join(" ")}`);
  if (method === "Runtime.exceptionThrown") complaints.push(`exception: ${params.exceptionDetails.exception?.description ?? params.exceptionDetails.text}`);
  if (method === "Log.entryAdded" && params.entry.level !== "verbose") complaints.push(`${params.entry.source}: ${params.entry.text}`);
  if (method === "Network.requestWillBeSent" && !/^(file|data):/.test(params.request.url)) complaints.push(`request: ${params.request.url}`);
});

function check(holds, what) {
  if (!holds) throw new Error(what);
}

async function evaluate(expression) {
  const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
  check(!exceptionDetails, `${expression}: ${exceptionDetails?.exception?.description}`);
  return result.value;
}

const state = () => evaluate(`({ ...document.querySelector(".scene").dataset, picture: document.querySelector(".scene").toDataURL(), series: document.querySelector(".series").toDataURL() })`);

async function until(holds, what) {
  for (let tries = 0; tries < 100; tries++) {
    if (await holds()) return;
    await pause(100);
  }
  throw new Error(`waited for nothing: ${what}`);
}

async function size(width, height = 900) {
  await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  await pause(300);
}

// The whole page in pieces as high as they can be looked at.
async function picture(name, width) {
  if (!pictures) return;
  const whole = await evaluate("document.documentElement.scrollHeight");
  for (let y = 0, piece = 1; y < whole; y += 1300, piece++) {
    const clip = { x: 0, y, width, height: Math.min(1300, whole - y), scale: 1 };
    const { data } = await send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip });
    writeFileSync(join(pictures, `${name}-${piece}.png`), Buffer.from(data, "base64"));
  }
}

async function open() {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  ({ sessionId: session } = await send("Target.attachToTarget", { targetId, flatten: true }));
  for (const domain of ["Runtime", "Log", "Network", "Page"]) await send(`${domain}.enable`);
  await size(1200);
  await send("Page.navigate", { url: pathToFileURL(resolve(page)).href });
  await until(() => evaluate("document.readyState === 'complete' && !!document.querySelector('.scene')?.dataset.time"), "the page");
}

async function use() {
  const first = await state();
  await evaluate("document.querySelector('.play').click()");
  await until(async () => Number((await state()).time) > Number(first.time) + 0.2, "the replay moves");
  await evaluate("document.querySelector('.play').click()");
  const played = await state();
  check(played.playing === "false", "it pauses");
  check(played.picture !== first.picture && played.series !== first.series, "scene and cursor moved");
  await pause(300);
  check((await state()).time === played.time, "a paused replay stands still");

  await evaluate("(() => { const c = document.querySelector('.clock'); c.value = 25; c.dispatchEvent(new Event('input')); })()");
  check((await state()).time === "0.500", "the slider goes to half a second");

  await evaluate("document.querySelector('.scene').scrollIntoView({ block: 'center' })");
  const box = await evaluate("(() => { const { x, y, width, height } = document.querySelector('.scene').getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 }; })()");
  const mouse = (type, more) => send("Input.dispatchMouseEvent", { type, x: box.x, y: box.y, button: "left", buttons: 1, clickCount: 1, ...more });
  const still = await state();
  await mouse("mousePressed");
  await mouse("mouseMoved", { x: box.x + 120, y: box.y + 30 });
  await mouse("mouseReleased", { x: box.x + 120, y: box.y + 30 });
  const turned = await state();
  check(turned.azimuth !== still.azimuth && turned.picture !== still.picture, "dragging turns");
  await mouse("mouseWheel", { deltaX: 0, deltaY: -300, button: "none", buttons: 0 });
  await until(async () => Number((await state()).zoom) > 1.2, "the wheel zooms");

  await evaluate("document.querySelector('.scene').focus()");
  await send("Input.dispatchKeyEvent", { type: "keyDown", key: "ArrowRight", code: "ArrowRight", windowsVirtualKeyCode: 39 });
  check((await state()).time === "0.600", "an arrow key steps");

  const before = await state();
  await evaluate("document.querySelectorAll('.replay input[type=radio]')[1]?.click()");
  const other = await state();
  check(other.domain !== before.domain && other.series !== before.series, "the other domain is shown");
  await evaluate("(() => { const s = document.querySelector('select.gains'); s.value = '0'; s.dispatchEvent(new Event('change')); })()");
  check((await state()).gains === "default gains", "the default gains are shown");
  await evaluate("document.querySelector('[data-view=top]').click()");
  check((await state()).picture !== other.picture, "the view from above is another one");
}

// Zooms the time axis, sorts the table of evaluations, and plays one of them.
async function use_more() {
  const series = () => evaluate("({ ...document.querySelector('.series').dataset })");
  const press = (key, code, text) => send("Input.dispatchKeyEvent", { type: "keyDown", key, code, text });
  const whole = await series();
  check(whole.from === "0.000" && whole.panels === "6", "the whole flight in six panels");
  await evaluate("document.querySelector('[data-time=in]').click()");
  const near = await series();
  check(Math.abs((near.to - near.from) - 0.5 * whole.to) < 0.02, `zoomed to half: ${near.from} to ${near.to}`);
  await evaluate("document.querySelector('.series').focus()");
  await press("d", "KeyD", "d");
  check(Number((await series()).from) > Number(near.from), "a key moves along");
  await press("0", "Digit0", "0");
  check((await series()).to === whole.to, "a key shows all");

  const costs = () => evaluate("[...document.querySelectorAll('.sortable tbody tr')].map((row) => row.cells[3].textContent)");
  const before = await costs();
  await evaluate("document.querySelectorAll('.sortable th button')[3].focus()");
  await press("Enter", "Enter", "\r");
  await send("Input.dispatchKeyEvent", { type: "keyUp", key: "Enter", code: "Enter" });
  const sorted = (await costs()).filter((cost) => cost !== "lost").map(Number);
  check(sorted.every((cost, k) => k === 0 || cost >= sorted[k - 1]), `by cost: ${sorted}`);
  check(before.length === (await costs()).length, "no row is lost");
  check(await evaluate("document.querySelectorAll('.sortable th')[3].getAttribute('aria-sort')") === "ascending", "the head says so");

  await evaluate("document.querySelector('[data-evaluation=\"2\"]').click()");
  const played = await state();
  check(played.evaluation === "2" && (await series()).panels === "2", "evaluation 2 is shown");
  check((await evaluate("document.querySelector('.said').textContent")).startsWith("evaluation 2, flown in"), "and named");
  await evaluate("document.querySelector('.clock').value = 20; document.querySelector('.clock').dispatchEvent(new Event('input'))");
  check((await state()).time === "2.000" && (await state()).picture !== played.picture, "it moves, ten points a second");
  await evaluate("document.querySelectorAll('.replay input[type=radio]')[0].click()");
  check((await state()).evaluation === "" && (await series()).panels === "6", "the held-out flight is back");
}

// Words whose colour stands out too little from what is behind them, by the Web Content Accessibility Guidelines 2.2.
const faint = () => evaluate(`(() => {
  const parts = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0.99) return colour;
    }
    return [255, 255, 255];
  };
  const found = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join("").trim();
    if (!/[A-Za-z0-9]/.test(own) || element.matches("script, option, select, noscript")) continue;
    const style = getComputedStyle(element);
    const colour = parts(element.namespaceURI.endsWith("svg") ? style.fill : style.color);
    const [a, b] = [luminance(colour), luminance(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.add(element.tagName + "." + (element.className.baseVal ?? element.className) + " " + ratio.toFixed(2) + ": " + own.slice(0, 30));
  }
  return [...found].join("; ");
})()`);

const cut = () => evaluate(`[...document.querySelectorAll(".wide, pre")].filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1).map((box) => box.textContent.slice(0, 40)).join("; ")`);

// On paper nothing is cut; in the dark every word can be read.
async function look() {
  const media = (media, dark) => send("Emulation.setEmulatedMedia", { media, features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
  await media("screen", false);
  check((await faint()) === "", `too faint: ${await faint()}`);
  await media("screen", true);
  await pause(200);
  check((await evaluate("getComputedStyle(document.body).backgroundColor")) === "rgb(22, 24, 29)", "the page is dark");
  check((await faint()) === "", `too faint in the dark: ${await faint()}`);
  await picture("report-dark", 1200);
  await size(687); // A4 between margins of 14 mm
  await media("print", false);
  await pause(200);
  check((await cut()) === "", `cut on paper: ${await cut()}`);
  await picture("report-print", 687);
  await media("", false);
}

let failure;
try {
  await open();
  await evaluate("(() => { const c = document.querySelector('.clock'); c.value = 500; c.dispatchEvent(new Event('input')); })()");
  for (const width of [1200, 600, 360]) {
    await size(width);
    const wide = await evaluate("document.documentElement.scrollWidth");
    check(wide <= width, `at ${width} px the page is ${wide} px wide`);
    await picture(`report-${width}`, width);
  }
  await size(1200);
  await use();
  await use_more();
  await look();
  check(complaints.length === 0, complaints.join("\n"));
  console.log("the report works: no complaint, the replay moves");
} catch (error) {
  failure = error;
  console.error([error.message, ...complaints].join("\n"));
} finally {
  session = undefined;
  await Promise.race([send("Browser.close").catch(() => {}), pause(3000)]);
  browser.kill();
  await pause(200);
  rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}
process.exit(failure ? 1 : 0);
