// How long the page takes to answer, by the Event Timing API, with a slow processor: what Interaction to Next Paint (INP) is made of, for the
// interactions of the main workflow in designs of several sizes. Prints Markdown for BENCHMARKS.md. See scripts/bench.
//
//   node inp.mjs DIST [--sizes 10,200,1000] [--repeat 5] [--cpu 4] [--only WORDS]
//
// The API rounds durations to 8 ms and leaves out those below 16 ms. The longest task is of a further time, in processor time of the main
// thread, which other programs hardly disturb; the slow processor of Chromium is part of it.
import { parseArgs } from "node:util";
import { watch } from "../../tests/e2e/freezes.mjs";
import { boost, chromium, median, sleep, waitIdle } from "../canvas/lib.mjs";
import { serve } from "./server.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: "string", default: "10,200,1000" },
    repeat: { type: "string", default: "5" },
    cpu: { type: "string", default: "4" },
    only: { type: "string", default: "" },
  },
});
if (positionals.length !== 1) throw new Error("usage: node inp.mjs DIST [--sizes 10,200,1000] [--repeat 5]");
const [sizes, repeat, rate] = [values.sizes.split(",").map(Number), Number(values.repeat), Number(values.cpu)];
/** The shortest duration that the API reports, in ms. */
const LEAST = 16;

/** Runs in the page before its scripts: the longest event of each interaction. */
function probe(least) {
  const longest = (globalThis.interactions = new Map());
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId) longest.set(interactionId, Math.max(duration, longest.get(interactionId) ?? 0));
    }
  }).observe({ type: "event", durationThreshold: least, buffered: true });
}

const tab = (page, name) => page.locator(".panel-tabs").getByRole("tab", { name });
const outline = (page, at) => page.locator(".outline ul").first().locator(".outline-row").nth(at);
const undo = (page) => page.keyboard.press("Control+z");
const showTable = (page) => tab(page, /^Table/).click();
const noFocus = (page) => page.evaluate(() => document.activeElement.blur());
const closeDialog = async (page) => {
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("dialog[open]"));
};

/** A press of the pointer, which is there a moment before. Playwright's own `click` listens to the events that are measured. */
async function press(page, locator) {
  await locator.waitFor();
  await locator.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await locator.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await sleep(150);
  await page.mouse.down();
  await page.mouse.up();
}

/** A dialog that is opened by `act`. */
const dialog = (name, act) => ({ name: `open ${name}`, act, done: (page) => page.locator("dialog[open]").waitFor(), after: closeDialog });
/** A dialog that is opened by Enter in the command palette, where the command is chosen. A benchmark design is not saved: it has no versions. */
const paletteDialog = (name, command) => ({
  ...dialog(name, (page) => page.keyboard.press("Enter")),
  before: async (page) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command palette" }).fill(command);
  },
  done: (page) => page.locator("dialog[open]:not(.commands)").waitFor(),
});
/** A tab of the panel that is opened from another one. */
const panelTab = (name, words, from = /^Export/) => ({ name: `open the tab ${name}`, before: (page) => tab(page, from).click(), act: (page) => press(page, tab(page, words)) });

/** Goes to an access pattern that nothing serves, and waits for suggestions. */
async function unserved(page) {
  await tab(page, /^Access patterns/).click();
  await page.locator(".patterns").getByRole("button", { name: "New access pattern", exact: true }).click();
  await page.locator(".chip.known").first().click();
  for (let chip = 1; !(await page.locator(".suggestion").first().isVisible()) && chip < 6; chip += 1) {
    await sleep(1500);
    if (!(await page.locator(".suggestion").first().isVisible())) await page.locator(".chip.known").nth(chip).click();
  }
  await page.locator(".suggestion").first().waitFor();
}

/** What is measured: `act` is the interaction, `before` leads to it, `after` takes it back. */
const INTERACTIONS = [
  {
    name: "type a letter in a template",
    before: async (page) => {
      await outline(page, 0).click();
      await page.getByRole("combobox", { name: /^Table sort key/ }).click();
      await page.keyboard.press("Home");
    },
    act: (page) => page.keyboard.press("A"),
    after: (page) => page.keyboard.press("Backspace"),
  },
  panelTab("Table", /^Table/),
  panelTab("GSI1", /^GSI1/),
  panelTab("Access patterns", /^Access patterns/),
  panelTab("Problems", /^Problems/),
  panelTab("Cost", "Cost"),
  panelTab("Text", "Text"),
  panelTab("Export", /^Export/, /^Table/),
  dialog("the command palette", (page) => page.keyboard.press("Control+k")),
  dialog("the pattern library", (page) => press(page, page.getByTitle("Start from a pattern of the library"))),
  dialog("the shortcuts", (page) => press(page, page.getByTitle(/^Keyboard/).first())),
  { ...dialog("the generator of samples", (page) => press(page, page.getByRole("button", { name: "Generate samples" }).first())), before: showTable },
  paletteDialog("the import of samples", "Import samples"),
  paletteDialog("the import of other tools' files", "Import files of other tools"),
  paletteDialog("the versions", "Versions…"),
  paletteDialog("all designs", "Show all designs"),
  paletteDialog("the link", "Share as link"),
  paletteDialog("the comparison of designs", "Compare designs"),
  {
    ...dialog("the syntax of the text", (page) => press(page, page.locator(".text-bar").getByRole("button", { name: "Syntax" }))),
    before: async (page) => {
      await tab(page, "Text").click();
      await page.locator(".text-editor .cm-content").waitFor();
    },
  },
  { name: "accept a suggestion", before: unserved, act: (page) => press(page, page.locator(".suggestion").first()), after: undo },
  {
    name: "undo",
    before: async (page) => {
      await showTable(page);
      await noFocus(page);
      await page.keyboard.press("e");
      await sleep(800);
      await noFocus(page);
    },
    act: undo,
  },
  { name: "select an entity in the outline", before: (page) => outline(page, 1).click(), act: (page) => press(page, outline(page, 0)) },
  { name: "add an entity", before: noFocus, act: (page) => page.keyboard.press("e"), after: undo },
  { name: "add a row", before: showTable, act: (page) => press(page, page.getByRole("button", { name: "Add row" })), after: undo },
  { name: "click a cell", before: showTable, act: (page) => press(page, cell(page)) },
  {
    name: "edit a cell by Enter",
    before: async (page) => {
      await showTable(page);
      await cell(page).click();
    },
    act: (page) => page.keyboard.press("Enter"),
    after: (page) => page.keyboard.press("Escape"),
  },
];

/** A cell whose value can be edited, in sight. */
const cell = (page) => page.locator("[data-grid] [data-sample] [data-column]:not(.locked):not(.frozen)").first();

/** Waits until everything that follows is done. */
async function quiet(page) {
  await sleep(500);
  await page.waitForFunction(() => !document.querySelector(".code[aria-busy=true], [data-grid][aria-busy=true]"), undefined, { timeout: 120_000 });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  await sleep(200);
}

/** The longest event of each time, and the longest task of a further time. */
async function measure(page, watched, { before, act, done, after }) {
  const all = [];
  let task;
  for (let time = 0; time <= repeat; time += 1) {
    await before?.(page);
    await quiet(page);
    const once = async () => {
      await act(page);
      await done?.(page);
      await quiet(page);
    };
    await page.evaluate(() => globalThis.interactions.clear());
    if (time < repeat) await once();
    else [task] = await watched.during(once);
    if (time < repeat) all.push(await page.evaluate(() => Math.max(0, ...globalThis.interactions.values())));
    await after?.(page);
  }
  return { all, task };
}

const server = await serve(positionals[0]);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"] });
try {
  const results = new Map();
  for (const size of sizes) {
    await waitIdle({ timeout: Number(process.env.IDLE_TIMEOUT ?? 60) });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(20_000);
    await page.addInitScript(probe, LEAST);
    await page.goto(`${server.url}?stress=${size}`);
    await page.locator(".outline h2 .count", { hasText: String(size) }).waitFor();
    await quiet(page);
    // The code of panels and dialogs is there before somebody asks for it.
    await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => /language-\w+\.wasm$/.test(name))).catch(() => {});
    boost();
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate });
    const watched = await watch(page, rate);
    for (const interaction of INTERACTIONS.filter(({ name }) => name.includes(values.only))) {
      try {
        results.set(`${interaction.name} ${size}`, await measure(page, watched, interaction));
      } catch (error) {
        console.error(`bench: ${interaction.name}, ${size} entities: ${error.message}`);
        await closeDialog(page).catch(() => {});
      }
    }
    await page.context().close();
  }
  const shown = (ms) => (ms < LEAST ? `< ${LEAST}` : Math.round(ms));
  const figures = ({ all, task } = {}) => (all ? `${shown(Math.max(...all))} (${shown(median(all))}), ${task.toFixed(0)}` : "not measured");
  console.log(`Processor ${rate} times slower, 1440 by 900, ${repeat} times each: worst (median) duration in ms, longest task in ms of processor time.\n`);
  console.log(`| interaction | ${sizes.map((size) => `${size} entities`).join(" | ")} |\n|---|${sizes.map(() => "---|").join("")}`);
  for (const { name } of INTERACTIONS.filter(({ name }) => name.includes(values.only))) {
    console.log(`| ${name} | ${sizes.map((size) => figures(results.get(`${name} ${size}`))).join(" | ")} |`);
  }
} finally {
  await browser.close();
  server.close();
}
