// Several tabs of one browser at random: no design is lost, none stands in another's place, no edit is lost.
import { start } from "../../e2e/app.mjs";
import { randomFrom } from "../random.mjs";
import { addEntity, crashOf, fromMenu, nameDesign, notices, ready, textsOf } from "./page.mjs";

/** Gestures, each as likely as its weight says. */
const WEIGHTS = [
  [10, "edit"],
  [3, "newDesign"],
  [2, "openPattern"],
  [5, "openOther"],
  [2, "deleteDesign"],
  [2, "closeTab"],
  [3, "newTab"],
  [2, "reload"],
  [4, "editTwo"],
];

/** So many seeded steps. */
export async function tabs({ steps, seed, tabs: most, verbose }) {
  const app = await start();
  const { page: first, context, url, complaints } = await app.open({ mayComplain: true });
  const random = randomFrom(seed);
  const faults = [];
  let open = [first];
  let made = 0;
  /** The edits that are to be there, each with the tag of its design; the tag is a part of the design's name and never changes. */
  const edits = new Map();
  const gone = new Set();
  const tagOf = (text) => /"name": "(D\d+)/.exec(text)?.[1] ?? null;
  const shownTag = async (page) => /^D\d+/.exec(await page.locator("[aria-label='Design name']").inputValue())?.[0] ?? null;
  const counted = {};

  const rest = async () => {
    for (const page of open) {
      await page.waitForFunction(() => document.querySelector(".save-state")?.textContent !== "Saving…", undefined, { timeout: 10_000 }).catch(() => faults.push("a tab does not come to rest"));
    }
  };
  const tag = async (page) => {
    const name = `D${++made}`;
    await nameDesign(page, name);
    await page.waitForFunction(() => document.querySelector(".save-state")?.textContent === "Saved", undefined, { timeout: 10_000 });
    return name;
  };
  const edit = async (page) => {
    const name = `E${++made}`;
    await addEntity(page, name);
    edits.set(name, await shownTag(page));
  };
  const gestures = {
    edit,
    async editTwo() {
      // One after the other, so quickly that neither is stored yet. A tab behind others draws nothing.
      for (const page of new Set([random.pick(open), random.pick(open)])) {
        await page.bringToFront();
        await edit(page);
      }
    },
    async newDesign(page) {
      await fromMenu(page, "New design");
      await tag(page);
    },
    async openPattern(page) {
      await page.locator('[title="Start from a pattern of the library"]').click();
      await page.locator("[data-pattern=saas-multi-tenant]").click();
      await page.locator("[data-use-pattern]").click();
      await page.waitForFunction(() => document.querySelector("[aria-label='Design name']").value.startsWith("SaaS"));
      await tag(page);
    },
    async openOther(page) {
      await page.locator(".menu > summary").click();
      // Its lines are made when it opens.
      await page.locator(".menu .menu-row > .menu-item").first().waitFor();
      const names = await page.locator(".menu .menu-row > .menu-item").allTextContents();
      const name = random.pick(names.map((name) => name.trim()));
      await page.locator(".menu .menu-row > .menu-item").filter({ hasText: new RegExp(`^\\s*${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\s*$`) }).first().click();
      const shown = await page.locator("[aria-label='Design name']").inputValue();
      if (shown !== name) {
        await page.waitForFunction((name) => document.querySelector("[aria-label='Design name']").value === name, name, { timeout: 3000 }).catch(() => faults.push(`opened ${name}, and ${shown} is shown`));
      }
      if (!/^D\d+/.test(name)) await tag(page);
    },
    async deleteDesign(page) {
      const own = await shownTag(page);
      const shownAnywhere = new Set(await Promise.all(open.map(shownTag)));
      const names = (await page.locator(".menu .menu-row > .menu-item").allTextContents()).map((name) => name.trim());
      // Now and then one that another tab shows.
      const name = random.pick(names.filter((name) => /^D\d+$/.test(name) && name !== own && (random.chance(0.3) || !shownAnywhere.has(name))));
      if (!name || names.length < 4) return;
      await page.locator(".menu > summary").click();
      await page.locator(`.menu [aria-label="Delete ${name}"]`).click();
      // The first press asks.
      await page.locator(".menu .menu-row .armed").click();
      await page.keyboard.press("Escape");
      if (await page.locator(".menu[open]").count()) await page.locator(".menu > summary").click();
      gone.add(name);
      for (const [edit, of] of edits) if (of === name) edits.delete(edit);
    },
    async closeTab(page) {
      if (open.length < 2) return;
      open = open.filter((one) => one !== page);
      await page.close();
    },
    async newTab() {
      if (open.length >= most) return;
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(String(error)));
      await page.goto(url);
      await ready(page);
      open.push(page);
    },
    async reload(page) {
      await page.reload();
      await ready(page);
    },
  };

  let done = 0;
  try {
    await ready(first);
    await tag(first);
    for (; done < steps && faults.length < 10; done++) {
      const name = random.weighted(WEIGHTS);
      const at = random.int(0, open.length - 1);
      const page = open[at];
      counted[name] = (counted[name] ?? 0) + 1;
      const before = await textsOf(page);
      await page.bringToFront();
      await gestures[name](page).catch((error) => faults.push(`step ${done}, ${name} in tab ${at}: ${String(error.message).split("\n")[0]}`));
      await rest();
      const what = `step ${done}, ${name} in tab ${at}`;
      const texts = await textsOf(open[0]);
      if (verbose) console.log(what, Object.values(texts).map(tagOf).join(" "));
      for (const [key, text] of Object.entries(before)) {
        const was = tagOf(text);
        const is = texts[key] === undefined ? null : tagOf(texts[key]);
        if (is === null && was && !gone.has(was)) faults.push(`${what}: design ${was} (${key}) is gone`);
        if (is && was && is !== was) faults.push(`${what}: design ${is} stands in place of ${was} (${key})`);
      }
      for (const deleted of gone) if (Object.values(texts).some((text) => tagOf(text) === deleted && text.includes(`"name": "${deleted}",`)) && !Object.values(before).some((text) => tagOf(text) === deleted)) faults.push(`${what}: the deleted design ${deleted} is back`);
      const all = Object.values(texts).join("\n");
      for (const [edit, of] of edits) {
        if (!all.includes(`"name": "${edit}"`)) {
          faults.push(`${what}: edit ${edit} of ${of} is lost`);
          edits.delete(edit);
        }
      }
      for (const [at, page] of open.entries()) {
        const crash = await crashOf(page);
        if (crash) {
          faults.push(`${what}: tab ${at} has stopped: ${complaints.find((one) => one.includes("panicked"))?.split("\n").slice(0, 2).join(" ") ?? crash}`);
          await page.reload();
          await ready(page);
        }
        const shown = await page.locator("[aria-label='Design name']").inputValue();
        if (!Object.values(texts).some((text) => text.includes(`"name": ${JSON.stringify(shown)},`))) faults.push(`${what}: tab ${at} shows ${shown}, which is not stored; it says ${(await notices(page)).join(" / ")}`);
      }
    }
  } finally {
    await app.close();
  }
  return { summary: `${done} steps in up to ${most} tabs, ${edits.size} edits that are to be there (${Object.entries(counted).map(([name, count]) => `${name} ${count}`).join(", ")})`, faults };
}
