// The browser is killed while somebody types; what is older than a second is there afterwards, and undo goes back as before.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, chromiumPath, serve } from "../../e2e/app.mjs";
import { randomFrom } from "../random.mjs";
import { keepVersion, ready, savedState, textsOf, versionTexts, versionsOf } from "./page.mjs";

const BASE = "/any/path/";
/** What may be lost, in milliseconds. */
const MAY_BE_LOST = 1000;

/** A browser in a process group of its own, on a profile that stays. */
async function launch(profile) {
  const args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"];
  const child = spawn(chromiumPath(), args, { detached: true, stdio: ["ignore", "ignore", "pipe"] });
  const address = await new Promise((done, fail) => {
    let told = "";
    child.stderr.on("data", (data) => {
      told += data;
      const found = /DevTools listening on (ws:\S+)/.exec(told);
      if (found) done(found[1]);
    });
    child.on("exit", () => fail(new Error(`the browser ended: ${told.slice(-500)}`)));
  });
  const gone = new Promise((done) => child.on("exit", done));
  const browser = await chromium.connectOverCDP(address);
  const kill = async () => {
    process.kill(-child.pid, "SIGKILL");
    await gone;
    await browser.close().catch(() => {});
  };
  return { context: browser.contexts()[0], kill };
}

/** A design of some 600 KB, as a file. */
function largeDesign(folder) {
  const path = fileURLToPath(new URL("../../fixtures/shift-bug.keyfold.json", import.meta.url));
  const design = JSON.parse(readFileSync(path, "utf8"));
  const [entity, samples] = Object.entries(design.samples).find(([, samples]) => samples.length);
  while (samples.length < 5000) samples.push({ ...samples[0], id: `s${design.nextId++}`, values: { ...samples[0].values, name: `somebody ${samples.length}, who is a long name to store` } });
  design.samples[entity] = samples;
  const file = join(folder, "large.keyfold.json");
  writeFileSync(file, JSON.stringify(design));
  return file;
}

/** Undoes everything. Returns the names that the design has on the way. */
async function undoAll(page) {
  const names = [];
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  while ((await undo.getAttribute("aria-disabled")) !== "true") {
    await undo.click();
    names.push(await page.locator("[aria-label='Design name']").inputValue());
  }
  return names;
}

/** What is wrong with the names that undo went through, from the kept number back over the ends of steps to the first name. */
function undoFault(undone, kept, ends, first) {
  const numbers = undone.slice(0, -1).map((name) => Number(/^n(\d+)\.$/.exec(name)?.[1]));
  const missing = ends.filter((end) => end < kept && !numbers.includes(end));
  const isDescending = numbers.every((number, at) => number < (numbers[at - 1] ?? kept));
  if (missing.length === 0 && isDescending && undone.at(-1) === first) return null;
  return `undo from number ${kept} went over ${undone.join(", ")}; wanted the ends of steps ${ends.join(", ")} and then ${first}`;
}

/** Kills it at so many seeded moments. */
export async function kill({ times, seed, verbose }) {
  const server = await serve(BASE);
  const url = `http://127.0.0.1:${server.address().port}${BASE}`;
  const folder = mkdtempSync(join(tmpdir(), "keyfold-kill-"));
  const large = largeDesign(folder);
  const faults = [];
  let edits = 0;
  let worst = 0;
  let steps = 0;
  let keptVersions = 0;
  try {
    for (let time = 0; time < times; time++) {
      const random = randomFrom(seed * 1000 + time);
      const profile = join(folder, `profile-${time}`);
      const first = await launch(profile);
      const typed = [];
      const ends = [];
      /** The names of the versions that were kept, each with the number that the design had. */
      const versions = [["Before the work", 0]];
      let firstName = "";
      let killed = 0;
      let said = "";
      try {
        const page = await first.context.newPage();
        await page.goto(url);
        await ready(page);
        // Every third design is a large one.
        if (time % 3 === 2) {
          await page.locator(".menu input[type=file]").setInputFiles(large);
          await page.waitForFunction(() => document.querySelector("[aria-label='Design name']").value.startsWith("E-commerce"), undefined, { timeout: 20_000 });
        }
        await keepVersion(page, "Before the work");
        await page.locator("[aria-label='Design name']").click();
        firstName = await page.locator("[aria-label='Design name']").inputValue();
        const until = Date.now() + random.int(1200, 5000);
        for (let number = 1; Date.now() < until; number++) {
          await page.keyboard.press("Control+a");
          // At once: a name that is stored half typed would be taken for an earlier one.
          await page.keyboard.insertText(`n${number}.`);
          typed.push([number, Date.now()]);
          // The end of an undo step.
          if (random.int(0, 5) === 0) {
            await page.keyboard.press("Enter");
            await page.locator("[aria-label='Design name']").click();
            ends.push(number);
          }
          // A version, while the design is being stored too.
          if (random.int(0, 9) === 0) {
            await keepVersion(page, `Version ${number}`);
            versions.push([`Version ${number}`, number]);
            await page.locator("[aria-label='Design name']").click();
          }
          await new Promise((done) => setTimeout(done, random.int(10, 230)));
        }
        // A page that is busy does not answer: the browser is killed all the same.
        const late = new Promise((done) => setTimeout(done, 50, "nothing in 50 ms"));
        said = await Promise.race([savedState(page), late]);
        // Half of the browsers are killed while a version is being kept.
        if (random.chance(0.5)) {
          keepVersion(page, "Unfinished").catch(() => {});
          await new Promise((done) => setTimeout(done, random.int(0, 500)));
        }
      } finally {
        killed = Date.now();
        await first.kill();
      }
      edits += typed.length;
      const old = typed.filter(([, at]) => killed - at > MAY_BE_LOST).at(-1)?.[0] ?? 0;
      const second = await launch(profile);
      try {
        const page = await second.context.newPage();
        await page.goto(url);
        await ready(page);
        await new Promise((done) => setTimeout(done, 300));
        const names = Object.values(await textsOf(page)).map((text) => JSON.parse(text).name);
        const kept = Math.max(0, ...names.map((name) => Number(/^n(\d+)\.?$/.exec(name)?.[1] ?? 0)));
        const lost = typed.find(([number]) => number === kept + 1);
        const age = lost ? killed - lost[1] : 0;
        worst = Math.max(worst, age);
        const listed = await versionsOf(page);
        const unread = listed.filter(([, changes]) => /cannot be read/.test(changes));
        const texts = await versionTexts(page);
        // A version of an unchanged design gets the new name.
        const isThere = ([name, number]) => [name, "Unfinished"].some((name) => texts[name] && (number === 0 || JSON.parse(texts[name]).name === `n${number}.`));
        const wrong = versions.filter((version) => !isThere(version));
        if (unread.length || wrong.length) faults.push(`moment ${time} (seed ${seed}): wanted the versions ${JSON.stringify(wrong)}; there are ${JSON.stringify(listed)}`);
        keptVersions += versions.length;
        const fault = kept > 0 && undoFault(await undoAll(page), kept, ends, firstName);
        if (fault) faults.push(`moment ${time} (seed ${seed}): ${fault}`);
        steps += ends.filter((end) => end < kept).length;
        if (kept < old) faults.push(`moment ${time} (seed ${seed}): ${typed.length} edits, number ${kept} is kept, number ${old} was older than ${MAY_BE_LOST} ms; the oldest that is lost was ${age} ms old; the page said "${said}"`);
        if (verbose) console.log(`kill ${time}: ${typed.length} edits, kept ${kept}, the oldest that is lost is ${age} ms old, the page said "${said}"`);
      } finally {
        await second.kill();
      }
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  return { summary: `${times} moments, ${edits} edits, the oldest edit that was lost was ${worst} ms old, ${steps} finished steps undone, ${keptVersions} versions kept`, faults };
}
