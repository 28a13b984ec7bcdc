// How long a page takes until it can be used, over a slow network and with a slow processor: a first visit, and a visit of someone who has
// a design of ten entities stored. Prints Markdown for BENCHMARKS.md. See scripts/bench.
//
//   node load.mjs DIST [--beside DIST]... [--react-flow DIST] [--runs 5] [--cpu 4] [--network fast4g|slow4g|none] [--visits first,returning]
//
// Each run has a browser and a profile of its own, the builds take turns. The first visit can be used when the first key adds an entity and
// its card is painted; a returning visitor's when the stored cards are.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { NETS, boost, chromium, cpuMeter, median, sleep, waitIdle } from "../canvas/lib.mjs";
import { serve } from "./server.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    beside: { type: "string", multiple: true, default: [] },
    "react-flow": { type: "string" },
    runs: { type: "string", default: "5" },
    cpu: { type: "string", default: "4" },
    network: { type: "string", default: "fast4g" },
    visits: { type: "string", default: "first,returning" },
  },
});
if (positionals.length !== 1 || !(values.network in NETS)) throw new Error("usage: node load.mjs DIST [--beside DIST]...");
const runs = Number(values.runs);
const rate = Number(values.cpu);

/**
 * Runs in the page before its scripts: notes what was painted and moved when, and presses a key in each frame until the page takes it and
 * adds an entity.
 */
function probe({ card, addsEntity }) {
  const seen = (globalThis.probe = { fcp: null, shifts: [], ready: null, pressed: null });
  const observe = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe("paint", ({ name, startTime }) => name === "first-contentful-paint" && (seen.fcp = startTime));
  observe("layout-shift", ({ value, startTime }) => seen.shifts.push([startTime, value]));
  const isShown = (selector) => {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    return box !== undefined && box.width > 0 && box.height > 0;
  };
  const turn = () => {
    // What this frame finds is painted when the next begins.
    if (isShown(card)) return requestAnimationFrame(() => (seen.ready = performance.now()));
    if (addsEntity && seen.pressed === null && isShown(".canvas")) {
      const began = performance.now();
      const isIgnored = document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "e", code: "KeyE", bubbles: true, cancelable: true }));
      if (!isIgnored) seen.pressed = began;
    }
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
}

/** Cumulative layout shift: the largest sum of a session of shifts. What follows a key within 500 ms is expected. */
function shiftOf({ shifts, pressed }) {
  let [sum, most, first, last] = [0, 0, 0, -Infinity];
  for (const [time, value] of shifts) {
    if (pressed !== null && time >= pressed && time < pressed + 500) continue;
    const goesOn = time - last < 1000 && time - first < 5000;
    [sum, first] = goesOn ? [sum + value, first] : [value, time];
    [most, last] = [Math.max(most, sum), time];
  }
  return most;
}

async function browse(profile, visit) {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    viewport: { width: 1440, height: 900 },
  });
  try {
    return await visit(context.pages()[0] ?? (await context.newPage()));
  } finally {
    await context.close();
  }
}

/** Visits a page slowly: times in ms from the navigation on, and what was sent. */
async function slowly(page, { server, path, card }, addsEntity) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  if (NETS[values.network]) await session.send("Network.emulateNetworkConditions", NETS[values.network]);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
  await page.addInitScript(probe, { card, addsEntity });
  server.log.length = 0;
  boost();
  const meter = cpuMeter();
  await page.goto(server.url + path, { waitUntil: "commit", timeout: 180_000 });
  await page.waitForFunction(() => globalThis.probe.ready !== null, undefined, { timeout: 180_000, polling: 200 });
  // What is loaded after the page can be used counts among the files, and may still move things.
  for (let sent = -1; sent !== server.log.length; ) {
    sent = server.log.length;
    await sleep(3000);
  }
  const seen = await page.evaluate(() => ({ ...globalThis.probe, files: performance.getEntriesByType("resource").map(({ name, responseEnd }) => [new URL(name).pathname, responseEnd]) }));
  const late = new Set(seen.files.filter(([, end]) => end === 0 || end > seen.ready).map(([name]) => name));
  const files = server.log.map(({ name, bytes }) => ({ name, bytes, isLate: late.has(name) }));
  const bytes = (some) => some.reduce((sum, file) => sum + file.bytes, 0);
  return { fcp: seen.fcp, ready: seen.ready, shift: shiftOf(seen), early: bytes(files.filter((file) => !file.isLate)), all: bytes(files), files, foreign: meter().foreign };
}

/** Stores a design of ten entities, and gives the browser time to keep the compiled code. */
async function settleIn(page, { server, isKeyfold, path, card }) {
  await page.goto(server.url + path);
  if (isKeyfold) {
    await page.locator(".canvas").waitFor();
    for (let entity = 1; entity <= 10; entity += 1) {
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press("e");
      await page.waitForFunction((count) => document.querySelectorAll(".entity-card").length >= count, entity);
    }
    await page.locator(".save-state", { hasText: /^(Saved|Stored)$/ }).waitFor(); // the second in older builds
  }
  await page.locator(card).first().waitFor();
  await sleep(4000);
}

const VISITS = {
  first: async (build, profile) => browse(profile, (page) => slowly(page, build, build.isKeyfold)),
  async returning(build, profile) {
    await browse(profile, (page) => settleIn(page, build));
    return browse(profile, (page) => slowly(page, build, false));
  },
};

const keyfold = { isKeyfold: true, path: "", card: ".entity-card" };
const builds = [
  { name: "Keyfold", root: positionals[0], ...keyfold },
  ...values.beside.map((root) => ({ name: `Keyfold in ${basename(resolve(root))}`, root, ...keyfold })),
  ...(values["react-flow"] ? [{ name: "React Flow, 10 nodes", root: values["react-flow"], path: "?n=10", card: ".react-flow__node" }] : []),
];
for (const build of builds) build.server = await serve(build.root);

const ms = (time) => Math.round(time);
const kb = (bytes) => (bytes / 1000).toFixed(1);
const range = (all) => (all.length > 1 ? ` (${ms(Math.min(...all))} to ${ms(Math.max(...all))})` : "");
try {
  console.log(`${values.network}, processor ${rate} times slower, 1440 by 900, medians of ${runs} (shortest to longest). KB are 1000 bytes of brotli.\n`);
  console.log("| visit | build | first contentful paint | usable | layout shift | KB until usable | KB in all |\n|---|---|---|---|---|---|---|");
  const lists = [];
  for (const visit of values.visits.split(",")) {
    const results = new Map(builds.map((build) => [build, []]));
    for (let run = 0; run < runs; run += 1) {
      for (const build of builds) {
        await waitIdle({ timeout: Number(process.env.IDLE_TIMEOUT ?? 60) });
        const profile = mkdtempSync(join(tmpdir(), "keyfold-load-"));
        try {
          const result = await VISITS[visit](build, profile);
          if (result.foreign > 0.35) console.error(`bench: other programs used ${result.foreign} processors during a visit (${visit}, ${build.name})`);
          results.get(build).push(result);
        } finally {
          rmSync(profile, { recursive: true, force: true });
        }
      }
    }
    for (const [{ name }, all] of results) {
      const of = (key) => all.map((result) => result[key]);
      const [fcp, ready] = [of("fcp"), of("ready")];
      const cells = [visit, name, `${ms(median(fcp))} ms${range(fcp)}`, `**${ms(median(ready))} ms**${range(ready)}`, median(of("shift")).toFixed(3), kb(median(of("early"))), kb(median(of("all")))];
      console.log(`| ${cells.join(" | ")} |`);
      lists.push([visit, name, all.at(-1).files]);
    }
  }
  console.log("\n| visit | build | file | KB | when |\n|---|---|---|---|---|");
  for (const [visit, name, files] of lists) {
    for (const file of files.sort((a, b) => b.bytes - a.bytes)) {
      console.log(`| ${[visit, name, `\`${file.name.slice(1)}\``, file.bytes ? kb(file.bytes) : "unchanged", file.isLate ? "after" : "before it is usable"].join(" | ")} |`);
    }
  }
} finally {
  for (const build of builds) build.server.close();
}
