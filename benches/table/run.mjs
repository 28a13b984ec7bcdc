// The live table with many items: opens `?stress=items:N` of a built app, edits a template, writes a value, filters and
// scrolls, and prints for each how long it took, the longest time that input was blocked, and the frames.
// usage: node run.mjs DIST [ITEMS]      after `npm ci` here; see BENCHMARKS.md
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { chromium } from "playwright-core";

const dist = resolve(process.argv[2] ?? "dist");
const items = Number(process.argv[3] ?? 100_000);
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  const file = normalize(join(dist, path === "/" ? "index.html" : path));
  try {
    if (!file.startsWith(dist)) throw new Error("outside");
    const body = await readFile(file);
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"],
});

try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.on("pageerror", (error) => console.log("the page says:", error.message));
  // Blocked: tasks of the main thread of more than 50 ms, the browser's own "long tasks".
  await page.addInitScript(() => {
    // The memory that a module exports, once it is there.
    for (const name of ["instantiate", "instantiateStreaming"]) {
      const before = WebAssembly[name];
      WebAssembly[name] = async (...given) => {
        const made = await before.apply(WebAssembly, given);
        const memory = (made.instance ?? made).exports.memory;
        globalThis.wasmBytes = () => memory.buffer.byteLength;
        return made;
      };
    }
    const probe = { blocked: [], frames: [], on: false };
    globalThis.probe = probe;
    const observer = new PerformanceObserver((list) => probe.blocked.push(...list.getEntries().map((task) => task.duration)));
    observer.observe({ type: "longtask" });
    let frame = performance.now();
    const turn = (now) => {
      if (!probe.on) return;
      probe.frames.push(now - frame);
      frame = now;
      requestAnimationFrame(turn);
    };
    probe.start = () => {
      probe.blocked = [];
      probe.frames = [];
      probe.on = true;
      frame = performance.now();
      requestAnimationFrame(turn);
    };
    probe.stop = () => {
      probe.on = false;
      return { blocked: probe.blocked, frames: probe.frames };
    };
  });

  const state = () => page.locator(".table-holds").textContent();
  const idle = async () => {
    await page.waitForFunction(
      () => document.querySelector("[data-grid][aria-busy=false] .grid-row[data-sample]"),
      undefined,
      { timeout: 300_000 },
    );
  };
  const report = (what, took, { blocked, frames }, tasks) => {
    const work = tasks.filter((ms) => ms > 1).reduce((sum, ms) => sum + ms, 0);
    const sorted = frames.slice(1).sort((a, b) => a - b);
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
    const figures = [
      `${Math.round(took)} ms until shown`,
      `processor ${Math.round(work)} ms in tasks over 1 ms, at most ${Math.round(tasks.reduce((most, ms) => Math.max(most, ms), 0))} ms in one`,
      blocked.length === 0 ? "input never blocked for 50 ms" : `input blocked for ${blocked.map(Math.round).join(", ")} ms`,
      `p95 frame ${p95.toFixed(1)} ms`,
    ];
    console.log(`${what}: ${figures.join(", ")}`);
  };
  const session = await page.context().newCDPSession(page);
  let events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  // The tasks of the page's main thread in milliseconds of processor time, which other programs hardly disturb.
  const tasks = () => {
    const names = events.filter((event) => event.name === "thread_name" && event.args.name === "CrRendererMain");
    const threads = new Map(names.map(({ pid, tid }) => [`${pid} ${tid}`, []]));
    for (const event of events) if (event.ph === "X") threads.get(`${event.pid} ${event.tid}`)?.push(event);
    const busiest = [...threads.values()].sort((a, b) => b.length - a.length)[0] ?? [];
    let end = 0;
    return busiest.sort((a, b) => a.ts - b.ts || b.dur - a.dur).flatMap(({ ts, dur, tdur }) => {
      if (ts < end) return [];
      end = ts + dur;
      return [(tdur ?? 0) / 1000];
    });
  };
  const measure = async (what, act, done) => {
    events = [];
    await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel"] } });
    await page.evaluate(() => globalThis.probe.start());
    const start = performance.now();
    await act();
    await done();
    const took = performance.now() - start;
    await page.waitForTimeout(100);
    const probed = await page.evaluate(() => globalThis.probe.stop());
    const complete = new Promise((ready) => session.once("Tracing.tracingComplete", ready));
    await session.send("Tracing.end");
    await complete;
    report(what, took, probed, tasks());
  };

  const start = performance.now();
  await page.goto(`http://127.0.0.1:${server.address().port}/?stress=items:${items}`);
  await idle();
  console.log(`open: ${Math.round(performance.now() - start)} ms until the rows are there (${await state()})`);

  const wheel = async () => {
    const box = await page.locator("[data-grid]").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    for (let turn = 0; turn < 120; turn++) {
      await page.mouse.wheel(0, 200);
      await page.waitForTimeout(8);
    }
  };
  const jumps = () =>
    page.evaluate(async () => {
      const grid = document.querySelector("[data-grid]");
      for (let jump = 1; jump <= 60; jump++) {
        grid.scrollTop = (grid.scrollHeight * jump) / 61;
        await new Promise(requestAnimationFrame);
      }
      grid.scrollTop = 0;
    });
  const memory = async (when) => {
    const cdp = await browser.newBrowserCDPSession();
    const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
    const processes = await Promise.all(
      processInfo.filter((one) => one.type === "renderer").map(async (one) => {
        const status = await readFile(`/proc/${one.id}/status`, "utf8").catch(() => "");
        return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
      }),
    );
    const wasm = (await page.evaluate(() => globalThis.wasmBytes?.() ?? 0)) / 2 ** 20;
    console.log(`memory ${when}: ${Math.round(Math.max(...processes))} MB of the page's process, ${Math.round(wasm)} of them the WebAssembly's`);
  };

  // First with nothing that watches: what watches makes garbage of its own.
  await page.waitForTimeout(3000);
  await memory("opened");
  await wheel();
  await jumps();
  await memory("after scrolling");
  await session.send("HeapProfiler.collectGarbage");
  await page.waitForTimeout(500);
  await memory("after a garbage collection");
  await measure("scroll, 120 turns of the wheel", wheel, async () => {});
  await measure("scroll, 60 jumps through all rows", jumps, async () => {});

  // Letters typed into a template's field, in two entities: a quarter of the items, and most of them.
  for (const entity of ["Order", "Line"]) {
    await page.locator(".outline-name", { hasText: new RegExp(`^${entity}$`) }).first().click();
    const field = page.locator(`[aria-label^="Table"][aria-label$=" SK"]`).first();
    await field.waitFor();
    await field.focus();
    await page.keyboard.press("Home");
    await page.waitForTimeout(300);
    for (const letter of ["Z", "Y"]) {
      const shown = () =>
        page.waitForFunction(() => document.querySelector("[data-grid][aria-busy=false]"), undefined, { polling: "raf", timeout: 120_000 });
      await measure(`${entity}: \`${letter}\` typed into the sort key's template`, () => page.keyboard.press(letter), shown);
    }
    // Some more, with nothing that watches; all that the main thread does, of which what is not for the letter is about 2 ms.
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const spent = async () => {
      const { metrics } = await session.send("Performance.getMetrics");
      return metrics.find((metric) => metric.name === "TaskDuration").value * 1000;
    };
    const each = [];
    for (const letter of "XWVUTSRQP") {
      const before = await spent();
      await page.keyboard.press(letter);
      await page.waitForTimeout(100);
      await page.waitForFunction(() => document.querySelector("[data-grid][aria-busy=false]"));
      await page.waitForTimeout(100);
      each.push((await spent()) - before);
      // The column of the key grows when the typing rests.
      await page.waitForTimeout(600);
    }
    await session.send("Performance.disable");
    const sorted = each.toSorted((a, b) => a - b).map(Math.round);
    console.log(`${entity}: nine more letters: median ${sorted[4]} ms of processor time, ${sorted[0]} to ${sorted[8]}`);
    await page.keyboard.press("Escape");
  }

  const cell = page.locator(".grid-row [role=gridcell]").last();
  await cell.click();
  await measure("one value written", async () => {
    await page.keyboard.press("7");
    await page.keyboard.press("Enter");
  }, idle);
  await page.keyboard.press("Escape");

  const filter = page.getByLabel("Filter rows");
  await measure("filter: `9`", () => filter.pressSequentially("9"), async () => {});
  await measure("filter: `99`", () => filter.pressSequentially("9"), async () => {});
  await measure("filter: nothing has it", () => filter.fill("nowhere"), async () => {});
  await filter.fill("");
  await page.waitForTimeout(500);
} finally {
  await browser.close();
  server.close();
}
