// One design in two tabs, and a third that joins and leaves, at random: what one does appears in the others, no edit is lost (each entity
// that somebody added or renamed is there until somebody removes it or goes back in the history), no design is forked, and all end with the
// same design.
import { readFile } from "node:fs/promises";
import { start } from "../../e2e/app.mjs";
import { settled } from "../../e2e/gestures.mjs";
import { randomFrom } from "../random.mjs";
import { addEntity, crashOf, nameDesign, ready, textsOf } from "./page.mjs";

/** Gestures, each as likely as its weight says. */
const WEIGHTS = [
  [8, "add"],
  [6, "rename"],
  [3, "remove"],
  [5, "move"],
  [3, "undo"],
  [2, "redo"],
  [2, "nameIt"],
  [6, "editTwo"],
  [3, "join"],
  [2, "leave"],
  [2, "reload"],
];
/** So many entities at most: beyond, they are removed instead of added. */
const MANY = 20;
/** After so many steps the files of all tabs are compared. */
const OFTEN = 10;

/** So many seeded steps. */
export async function together({ steps, seed, verbose }) {
  const app = await start();
  const { page: first, context, url, complaints } = await app.open({ mayComplain: true });
  const random = randomFrom(seed);
  const faults = [];
  let open = [first];
  let made = 0;
  const counted = {};
  /** The names that the entities must have: of each list one, because two tabs can rename an entity at the same time. */
  let wanted = [];
  /** The names that may be there: of entities that one tab removed while another renamed them. */
  let allowed = new Set();
  /** The lists of this step by the names before it. */
  let renamed = new Map();
  /** The names of the design, of which it has one. */
  let designNames = [];
  /** Whether the step goes back or forth in the history, which is that of all tabs. */
  let isHistory = false;
  const did = {
    add: (name) => wanted.push([name]),
    rename(before, name) {
      const own = wanted.find((names) => names.includes(before)) ?? renamed.get(before);
      renamed.set(before, own);
      if (!own) allowed.add(name);
      else if (own.includes(before)) own[own.indexOf(before)] = name;
      else own.push(name);
    },
    remove(name) {
      const own = wanted.find((names) => names.includes(name)) ?? renamed.get(name);
      wanted = wanted.filter((names) => names !== own);
      for (const one of [name, ...(own ?? [])]) if (renamed.size > 0) allowed.add(one);
      renamed.set(name, undefined);
    },
  };
  /** What is wrong with the design after a step; the next one begins with what is there. */
  const checkEdits = (what, stored) => {
    const names = Object.values(stored.entities).map((entity) => entity.name);
    if (!isHistory) {
      const lost = wanted.filter((list) => !list.some((name) => names.includes(name)));
      const more = names.filter((name) => !allowed.has(name) && !wanted.some((list) => list.includes(name)));
      if (lost.length) faults.push(`${what}: lost ${lost.map((list) => list.join(" or ")).join(", ")}`);
      if (more.length) faults.push(`${what}: nobody made ${more.join(", ")}`);
      if (!designNames.includes(stored.name)) faults.push(`${what}: the design is called ${stored.name} instead of ${designNames.join(" or ")}`);
    }
    wanted = names.map((name) => [name]);
    designNames = [stored.name];
    allowed = new Set();
    renamed = new Map();
    isHistory = false;
  };
  /** The name of the selected entity. */
  const selectedName = (page) => page.locator(".inspector input").first().inputValue();
  const callIt = async (page, name) => {
    await nameDesign(page, name);
    // A name that another tab gave at the same time may win.
    designNames.push(name);
  };
  const addIt = async (page) => {
    const name = `E${++made}`;
    await addEntity(page, name);
    did.add(name);
  };

  const rows = (page) => page.locator(".rail .outline ul").first().locator(".outline-row");
  const outline = (page) => rows(page).locator(".outline-name").allTextContents();
  /** Selects a random entity; `false` if there is none. */
  const pick = async (page) => {
    const count = await rows(page).count();
    if (count === 0) return false;
    await rows(page).nth(random.int(0, count - 1)).click();
    // The inspector follows after the paint.
    await settled(page);
    return true;
  };
  const join = async () => {
    const page = await context.newPage();
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(url);
    await ready(page);
    open.push(page);
  };
  const gestures = {
    add: async (page) => ((await rows(page).count()) < MANY ? addIt(page) : gestures.remove(page)),
    async rename(page) {
      if (!(await pick(page))) return;
      const [before, name] = [await selectedName(page), `R${++made}`];
      await page.locator(".inspector input").first().click();
      await page.keyboard.press("Control+a");
      await page.keyboard.type(name);
      did.rename(before, name);
    },
    async remove(page) {
      if (!(await pick(page))) return;
      const name = await selectedName(page);
      await page.locator(".canvas").focus();
      await page.keyboard.press("Delete");
      did.remove(name);
    },
    async move(page) {
      if (!(await pick(page))) return;
      await page.locator(".canvas").focus();
      await page.keyboard.press(random.pick(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]));
    },
    async undo(page) {
      isHistory = true;
      await page.locator(".canvas").focus();
      await page.keyboard.press("Control+z");
    },
    async redo(page) {
      isHistory = true;
      await page.locator(".canvas").focus();
      await page.keyboard.press("Control+Shift+z");
    },
    async nameIt(page) {
      designNames = [];
      await callIt(page, `Design ${++made}`);
    },
    async editTwo() {
      // One after the other, so quickly that neither has heard of the other. A tab behind others draws nothing.
      const names = designNames;
      const given = [];
      for (const page of new Set([random.pick(open), random.pick(open), random.pick(open)])) {
        await page.bringToFront();
        const name = random.pick(["add", "rename", "move", "nameIt"]);
        await gestures[name](page);
        if (name === "nameIt") given.push(...designNames);
      }
      designNames = given.length ? given : names;
    },
    async join() {
      if (open.length < 3) await join();
    },
    async leave(page) {
      if (open.length < 3) return;
      open = open.filter((one) => one !== page);
      // As often as not with an edit that is not stored yet.
      if (random.chance(0.5)) await gestures.add(page);
      await page.close({ runBeforeUnload: false });
      // What it left in local storage takes a moment to be there in the other tabs, which also give it a moment to save.
      await open[0].waitForTimeout(200);
    },
    async reload(page) {
      await page.reload();
      await ready(page);
    },
  };

  /** How many designs a closed tab left in the journal, which another one has not stored yet. */
  const journals = (page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("keyfold:journal:")).length);
  /** Waits until all tabs have stored everything and show what is stored. */
  const rest = async (what) => {
    let shown;
    let expected;
    for (let wait = 0; wait < 100; wait++) {
      // Before the design: another tab stores what is in the journal and removes it from there afterwards.
      const isRead = (await journals(open[0])) === 0;
      const states = await Promise.all(open.map((page) => page.locator(".save-state").textContent()));
      const texts = Object.values(await textsOf(open[0]));
      const stored = texts.map((text) => JSON.parse(text)).at(-1);
      const names = Object.values(stored?.entities ?? {}).map((entity) => entity.name).sort();
      expected = { names, name: stored?.name };
      shown = await Promise.all(open.map(async (page) => ({ names: (await outline(page)).sort(), name: await page.locator("[aria-label='Design name']").inputValue() })));
      const isSame = shown.every((one) => one.name === stored?.name && JSON.stringify(one.names) === JSON.stringify(names));
      if (texts.length === 1 && isSame && isRead && states.every((state) => state === "Saved")) return checkEdits(what, stored);
      await open[0].waitForTimeout(100);
    }
    const texts = Object.values(await textsOf(open[0]));
    const differences = shown.map(({ names, name }, at) => {
      const more = names.filter((one) => !expected.names.includes(one));
      const less = expected.names.filter((one) => !names.includes(one));
      return name === expected.name && !more.length && !less.length ? null : `tab ${at} shows ${name} with ${more.join(" ") || "nothing"} more and ${less.join(" ") || "nothing"} less`;
    });
    const states = await Promise.all(open.map((page) => page.locator(".save-state").textContent()));
    faults.push(`${what}: the tabs do not come to the same design: ${differences.filter(Boolean).join("; ")}; stored: ${expected.name}; ${texts.length} designs; ${states.join(", ")}`);
  };
  const fileOf = async (page) => {
    await page.bringToFront();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command palette" }).fill("Save as Keyfold file");
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    const design = JSON.parse(await readFile(await download.path(), "utf8"));
    // A tab gives no id twice, and need not know which ones others gave.
    delete design.nextId;
    return JSON.stringify(design);
  };
  const compareFiles = async (what) => {
    const files = [];
    for (const page of open) files.push(await fileOf(page));
    const differs = files.findIndex((file) => file !== files[0]);
    if (differs < 0) return;
    const at = [...files[0]].findIndex((letter, at) => letter !== files[differs][at]);
    faults.push(`${what}: the files of tabs 0 and ${differs} differ: ${files[0].slice(at - 80, at + 80)} | ${files[differs].slice(at - 80, at + 80)}`);
  };

  let done = 0;
  try {
    await ready(first);
    await callIt(first, "Design 0");
    await addEntity(first, "E0");
    did.add("E0");
    await rest("before the first step");
    await join();
    for (; done < steps && faults.length < 5; done++) {
      const name = random.weighted(WEIGHTS);
      const at = random.int(0, open.length - 1);
      const page = open[at];
      const what = `step ${done}, ${name} in tab ${at} of ${open.length}`;
      counted[name] = (counted[name] ?? 0) + 1;
      if (verbose) console.log(what);
      await page.bringToFront();
      await gestures[name](page).catch((error) => faults.push(`${what}: ${String(error.message).split("\n")[0]}`));
      await rest(what);
      for (const page of open) {
        const crash = await crashOf(page);
        if (crash) faults.push(`${what}: a tab has stopped: ${complaints.find((one) => one.includes("panicked")) ?? crash}`);
      }
      if (done % OFTEN === OFTEN - 1) await compareFiles(what);
    }
    if (open.length < 3) await join();
    await rest("at the end");
    await compareFiles("at the end");
  } finally {
    await app.close();
  }
  return { summary: `${done} steps on one design in up to 3 tabs (${Object.entries(counted).map(([name, count]) => `${name} ${count}`).join(", ")})`, faults };
}
