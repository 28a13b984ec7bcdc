// axe-core finds nothing on any screen or dialog: WCAG 2.0 to 2.2 A and AA, and axe's best practices. Each screen is looked at in the light
// and the dark theme and in forced colors, in a window of a desk, at 400 % zoom and on a phone.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { start } from "./app.mjs";
import { openPattern, press, settled } from "./gestures.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const pattern = await readFile(new URL("../../crates/core/src/library/patterns/leaderboard.json", import.meta.url), "utf8");

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Names of rules that are left out, each with its reason here. */
const LEFT_OUT = [];
/** What can differ between the themes, and in forced colors: the elements are the same. */
const OF_COLORS = ["color-contrast", "link-in-text-block"];

/** What lies over the page while it is open. */
const POPUP = "[role=menu], .menu[open] .menu-list, .bar-popover, .template-offers:not([hidden])";

const WINDOWS = {
  desk: { size: [1440, 900] },
  // 1280 by 1024 pixels at 400 %, and a higher window: WCAG 1.4.10 asks for 320 CSS pixels.
  "400 % zoom": { size: [320, 256], ratio: 4 },
  "400 % zoom of a high window": { size: [320, 640], ratio: 4 },
  phone: { size: [390, 844], touch: true },
};

let app;
before(async () => (app = await start()));
after(() => app?.close());

/** What axe finds in the page as it is shown, one line for each element. */
async function violations(page, rules) {
  const runOnly = rules ? { type: "rule", values: rules } : { type: "tag", values: TAGS };
  const off = Object.fromEntries(LEFT_OUT.map((rule) => [rule, { enabled: false }]));
  const options = { resultTypes: ["violations"], preload: false, runOnly, ...(rules ? {} : { rules: off }) };
  const find = async ([options, popup]) => {
    const { violations } = await axe.run(document, options);
    // What an open menu covers can be hit once it is closed.
    const open = document.querySelector(popup);
    const isCovered = (target) => open !== null && !open.contains(document.querySelector(target[0]));
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ target }) => id !== "target-size" || !isCovered(target)) }));
  };
  const found = await page.evaluate(find, [options, POPUP]);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => {
      const reasons = failureSummary.split("\n").slice(1).map((line) => line.trim());
      return `${id}: ${target.join(" ")}: ${reasons.join("; ")}`;
    }),
  );
}

/** The regions that show less than two lines: what is around them leaves them no room. */
function withoutRoom() {
  const regions = [...document.querySelectorAll("[data-grid], .problem-list, .pattern-list, .code.long")].filter((one) => one.getClientRects().length > 0);
  return regions.filter((one) => one.clientHeight < 48).map((one) => `room: .${one.className.split(" ").join(".")} is ${one.clientHeight} high`);
}

/**
 * Looks at a screen in both themes and in forced colors. At 400 % zoom nothing may need scrolling in two directions (WCAG 1.4.10), and
 * the contents have room.
 */
async function look(page, screen, found) {
  const add = (mode, lines) => lines.forEach((line) => found.set(line, [...(found.get(line) ?? []), mode ? `${screen} (${mode})` : screen]));
  await settled(page);
  add("", await violations(page));
  const [width, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  if (width > page.viewportSize().width) add("", [`reflow: the page is ${width} wide, the window ${page.viewportSize().width} (${inner})`]);
  add("", await page.evaluate(withoutRoom));
  for (const [mode, media] of [["dark", { colorScheme: "dark" }], ["forced colors", { forcedColors: "active" }]]) {
    await page.emulateMedia(media);
    await settled(page);
    add(mode, await violations(page, OF_COLORS));
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
  }
  await settled(page);
}

/** The screens, by what a person does to see them. Most of them are reached by the command palette, which is there in each window. */
const SCREENS = {
  async "welcome, guide and dialogs"(page, check) {
    await check("welcome");
    await command(page, "Guided first design");
    await page.locator(".guide").waitFor();
    await check("guide");
    await command(page, "Start from pattern");
    await page.locator("[data-pattern]").first().waitFor();
    await check("library");
    await page.locator("dialog[open] input[type=search]").fill("xqzw");
    await check("library without a result");
    await press(page, "Escape");
    await close(page);
    await openPattern(page);
    await command(page, "Keyboard and gestures");
    await check("help");
    await close(page);
    await press(page, "Control+k");
    await check("command palette");
    await page.keyboard.type("ten");
    await check("command palette with results");
    await page.keyboard.type("xqzw");
    await check("command palette without a result");
    await close(page);
    await page.locator("summary[title='Designs and files']").click();
    await check("designs and files");
    await press(page, "Escape");
    await command(page, "Generate samples…");
    await check("generate samples");
    await close(page);
    await command(page, "Import samples");
    await check("import samples");
    const [name, mimeType] = ["a.csv", "text/csv"];
    await page.locator("dialog[open]").getByLabel("Sample file").setInputFiles({ name, mimeType, buffer: Buffer.from("userId,email,x\nu_9,a@b,1\n,,2\n") });
    await page.locator("dialog[open] table, dialog[open] .import-notes, dialog[open] li").first().waitFor();
    await check("import samples, a file chosen");
    await close(page);
    await command(page, "Import files of other tools");
    await page.locator("dialog[open] .import-choose").waitFor();
    await check("import");
    const item = (id) => ({ PK: { S: `USER#${id}` }, SK: { S: "PROFILE" }, userId: { S: id } });
    await page.locator("dialog[open]").getByLabel("Text to import").fill(JSON.stringify({ Items: ["a", "b", "c"].map(item) }));
    await page.locator("dialog[open]").getByRole("button", { name: "Read text" }).click();
    await page.locator("dialog[open] [data-import]").first().waitFor();
    await check("import, what was found");
    await close(page);
    await command(page, "Compare designs");
    await page.locator("dialog[open] .compare-found").waitFor();
    await page.locator("dialog[open] .compare-picture img[src]").first().waitFor();
    await check("compare designs");
    await page.locator("dialog[open]").getByLabel("Before", { exact: true }).last().selectOption("given");
    await page.locator("dialog[open]").getByLabel("Text before").fill("what is this");
    await page.locator("dialog[open]").getByRole("button", { name: "Read text" }).click();
    await page.locator("dialog[open] .compare-side [role=alert]", { hasText: /cannot be read/ }).waitFor();
    await check("compare designs, a text refused");
    await close(page);
    await command(page, "Share as link");
    await page.locator("dialog[open]").getByText(/The link has/).waitFor();
    await check("share");
    const link = await page.locator("dialog[open]").getByLabel("Link", { exact: true }).inputValue();
    await close(page);
    await page.evaluate((link) => (location.href = link), link);
    await page.locator(".shared-bar").waitFor();
    await page.locator(".entity-card").first().waitFor();
    await page.evaluate(axe);
    await check("shared design");
  },

  async "canvas and inspector"(page, check) {
    await openPattern(page);
    await check("canvas with a pattern");
    await command(page, "Show or hide item collections");
    await command(page, "Zoom to 100%");
    await check("canvas with item collections");
    await command(page, "Go to outline");
    await check("outline");
    await command(page, "Go to inspector");
    await unfold(page);
    await check("inspector of the table");
    for (const [kind, name] of [["entity", "User"], ["index", "GSI1"]]) {
      await command(page, name);
      await command(page, "Go to inspector");
      await unfold(page);
      await check(`inspector of an ${kind}`);
    }
    await command(page, "User");
    await command(page, "Go to inspector");
    const template = page.getByRole("combobox", { name: /^Table sort key/ });
    await template.click();
    await page.keyboard.press("End");
    await page.keyboard.type("#{");
    await check("offers of a template");
    await page.keyboard.type("nothing}");
    await page.keyboard.press("Tab");
    await check("a template with an error");
    await page.getByLabel("Name", { exact: true }).fill("Tenant");
    await check("a refused name");
    await press(page, "Escape");
    await command(page, "Add LSI (local secondary index)");
    await command(page, "Go to inspector");
    await unfold(page);
    await check("inspector of an LSI");
    await command(page, "Add note");
    await check("a note that is written");
    await page.keyboard.type("A note");
    await press(page, "Escape");
    await command(page, "Go to inspector");
    await check("inspector of a note");
    await command(page, "User");
    await command(page, "Go to canvas");
    await press(page, "Shift+F10");
    await page.getByRole("menu").waitFor();
    await check("context menu of a card");
    await press(page, "Escape");
    await command(page, "Delete");
    await check("a notice");
  },

  async table(page, check) {
    await openPattern(page);
    await command(page, "Go to table");
    await check("table");
    for (const menu of ["Entities", "Columns"]) {
      await page.locator(".table-bar").getByRole("button", { name: new RegExp(`^${menu}`) }).click();
      await check(`menu ${menu}`);
      await press(page, "Escape");
    }
    await page.getByRole("button", { name: "Find in table" }).click();
    await page.keyboard.type("acme");
    await check("find in the table");
    await press(page, "Escape");
    await command(page, "Go to table");
    await press(page, "Control+Home");
    await press(page, "ArrowRight");
    await press(page, "Shift+F10");
    await page.getByRole("menu").waitFor();
    await check("context menu of a cell");
    await press(page, "Escape");
    await page.locator("[data-grid] .grid-head [data-name]").first().focus();
    await press(page, "Enter");
    await page.getByRole("menu").waitFor();
    await check("context menu of a column");
    await press(page, "Escape");
    await command(page, "Go to table");
    await press(page, "Control+Home");
    for (let steps = 0; steps < 12 && !(await page.locator(".editor").count()); steps += 1) {
      await press(page, "ArrowRight");
      await press(page, "F2");
    }
    await page.locator(".editor").waitFor();
    await check("a cell that is edited");
    await press(page, "Escape");
    await page.getByRole("searchbox", { name: "Filter rows" }).fill("xqzw");
    await check("table without a row");
    await page.getByRole("searchbox", { name: "Filter rows" }).fill("");
    await command(page, "Go to items of GSI1");
    await check("items of an index");
  },

  async "access patterns and problems"(page, check) {
    await command(page, "Go to access patterns");
    await check("no access patterns");
    await openPattern(page);
    await command(page, "Go to access patterns");
    await check("access patterns");
    const row = page.locator(".pattern-row").first();
    if (await row.isVisible()) await row.click();
    await page.locator(".proof-verdict").waitFor();
    await check("an access pattern that is served");
    await back(page);
    await page.getByRole("button", { name: "New access pattern" }).click();
    if (!(await page.locator(".pattern-editor").isVisible())) await page.locator(".pattern-row[aria-selected=true]").click();
    await page.locator(".chip.known").first().click();
    await page.locator(".suggestion").first().waitFor();
    await check("an access pattern that nothing serves");
    for (const kind of await page.locator(".pattern-editor").getByLabel("Operation", { exact: true }).first().locator("option").allTextContents()) {
      await page.locator(".pattern-editor").getByLabel("Operation", { exact: true }).first().selectOption(kind);
      await check(`editor of ${kind}`);
    }
    await back(page);
    await page.getByRole("button", { name: "Coverage" }).click();
    await page.locator(".coverage tbody td").first().waitFor();
    await check("coverage");
    await command(page, "User");
    await command(page, "Go to inspector");
    await page.getByRole("combobox", { name: /^Table sort key/ }).fill("USER#{nothing}");
    await press(page, "Tab");
    await command(page, "Go to text");
    await page.locator(".text-editor .cm-content").waitFor();
    await check("text");
    await page.locator(".text-editor .cm-content").focus();
    await page.keyboard.type("x");
    await page.locator(".text-error.wrong").waitFor();
    await check("text with an error");
    await press(page, "Backspace");
    await command(page, "Go to problems");
    await page.locator(".problem").first().waitFor();
    await check("problems");
    await page.locator(".problem").first().dispatchEvent("click");
    await page.locator(".problem-detail").waitFor();
    await check("a problem");
    const fix = page.locator(".problem-detail .fix > button").first();
    if (await fix.isVisible()) {
      await fix.dispatchEvent("click");
      await check("a fix");
    }
  },

  async exports(page, check) {
    await openPattern(page);
    await command(page, "Go to exports");
    const formats = page.locator(".code-formats [aria-pressed]");
    await formats.first().waitFor();
    for (const [at, name] of (await formats.allInnerTexts()).entries()) {
      await formats.nth(at).click();
      await page.waitForFunction(() => !document.querySelector(".code[aria-busy=true]"));
      await check(name);
    }
  },

  async "the design as text"(page, check) {
    await openPattern(page);
    await command(page, "Go to text");
    await page.locator(".text-editor .cm-content").waitFor();
    await check("text");
    await page.locator(".text-editor .cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\nwhat is this");
    await page.locator(".text-error.wrong").waitFor();
    await check("text with an error");
    await page.locator(".text-bar").getByRole("button", { name: "Syntax" }).click();
    await page.locator("dialog[open] dl").first().waitFor();
    await check("syntax of the text");
    await close(page);
  },

  async "cost and heat"(page, check) {
    await openPattern(page, "e-commerce");
    await command(page, "Show or hide heat on the canvas");
    await page.locator(".heat-mark").first().waitFor();
    await check("heat on the canvas");
    await command(page, "Go to cost");
    await page.locator(".cost-total").waitFor();
    await page.locator(".cost details:not([open])").evaluateAll((all) => all.forEach((one) => (one.open = true)));
    for (const section of await page.locator(".cost h3[id], .cost h2[id]").all()) {
      await section.scrollIntoViewIfNeeded();
      await check(`cost: ${await section.innerText()}`);
    }
  },

  async "versions and designs"(page, check) {
    await openPattern(page);
    await isStored(page);
    await command(page, "Versions…");
    const versions = page.getByRole("dialog", { name: "Versions", exact: true });
    const name = versions.getByLabel("Name of the version", { exact: true });
    await name.waitFor();
    await check("no versions");
    await name.fill("Before");
    await press(page, "Enter");
    await versions.locator(".version").waitFor();
    await check("versions");
    await versions.getByRole("button", { name: "Show Before" }).click();
    await page.getByRole("region", { name: "Earlier version" }).waitFor();
    await check("an earlier version");
    await page.getByRole("button", { name: "Back to the design" }).click();
    await page.getByRole("region", { name: "Earlier version" }).waitFor({ state: "detached" });
    await command(page, "Show all designs");
    await page.locator("dialog[open] .designs-list, dialog[open] ul, dialog[open] table").first().waitFor();
    await check("all designs");
    await close(page);
    await command(page, "Start or end presentation");
    await page.getByRole("button", { name: "End presentation" }).waitFor();
    await check("presentation");
    await press(page, "Escape");
    // A design that cannot be read.
    await page.evaluate(async () => {
      const asked = (request) => new Promise((done, fail) => Object.assign(request, { onsuccess: () => done(request.result), onerror: () => fail(request.error) }));
      const database = await asked(indexedDB.open("keyfold"));
      const store = database.transaction("designs", "readwrite").objectStore("designs");
      for (const key of await asked(store.getAllKeys())) if (!key.includes(":")) await asked(store.put("{ broken", key));
      database.close();
    });
    await page.reload();
    await page.locator(".notices", { hasText: "cannot be read" }).waitFor();
    await page.evaluate(axe);
    await check("a design that cannot be read");
    // A new version of the app, from a service worker that is no real one.
    await page.addInitScript(() => {
      const registration = Object.assign(new EventTarget(), { waiting: { postMessage() {} }, update: async () => {} });
      const value = Object.assign(new EventTarget(), { controller: {}, register: async () => registration });
      Object.defineProperty(navigator, "serviceWorker", { value });
    });
    await page.reload();
    await page.locator(".notices", { hasText: "There is a new version of Keyfold" }).waitFor();
    await page.evaluate(axe);
    await check("a new version");
  },

  async merge(page, check) {
    // The design is kept in a file, which another program changes while the design is changed too.
    await page.addInitScript(() => {
      const handle = async () => (await navigator.storage.getDirectory()).getFileHandle("orders.keyfold.json", { create: true });
      window.showOpenFilePicker = async () => [await handle()];
      window.showSaveFilePicker = handle;
    });
    await page.reload();
    await page.locator(".canvas").waitFor();
    await page.evaluate(axe);
    const write = (text) =>
      page.evaluate(async (text) => {
        const handle = await window.showSaveFilePicker();
        const stream = await handle.createWritable();
        await stream.write(text);
        await stream.close();
      }, text);
    await write(pattern);
    await command(page, "Open Keyfold file");
    await page.locator(".entity-card").first().waitFor();
    const entity = await page.locator(".entity-card .card-name").first().innerText();
    await command(page, entity);
    await command(page, "Go to inspector");
    await page.getByLabel("Name", { exact: true }).fill("Mine");
    await press(page, "Tab");
    await isStored(page);
    await write(pattern.replaceAll(`"name": "${entity}"`, '"name": "Theirs"'));
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await page.locator(".notices").getByRole("button", { name: "Merge…" }).click();
    await page.getByRole("dialog", { name: /Merge/ }).getByRole("radio").first().waitFor();
    await check("merge with a conflict");
    await close(page);
  },

  async "a page that cannot start"(page, check) {
    await page.route("**/*.wasm", (route) => route.abort());
    await page.reload();
    await page.locator("#boot-status", { hasText: /could not start/ }).waitFor();
    await page.evaluate(axe);
    await check("the page cannot start");
  },
};

/** Chooses a command, a part of the design or a place by the command palette. */
async function command(page, name) {
  await press(page, "Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill(name);
  await settled(page);
  await press(page, "Enter");
  // What was chosen begins a frame after the focus is back, and gives it to another a frame later.
  await settled(page);
  await settled(page);
}

/** Waits until the open design is stored. A narrow page does not show that it is. */
const isStored = (page) => page.locator(".save-state", { hasText: /^Saved$/ }).waitFor({ state: "attached" });

/** Closes the dialog. */
async function close(page) {
  await press(page, "Escape");
  await page.waitForFunction(() => !document.querySelector("dialog[open]"));
}

/** In a narrow panel: from the access pattern to the list of all. */
async function back(page) {
  const button = page.locator(".patterns-back button");
  if (await button.isVisible()) await button.click();
}

/** Opens every closed section of the inspector. */
async function unfold(page) {
  const closed = ".inspector details:not([open]), .inspector [aria-expanded=false]:not([role=combobox])";
  await page.locator(closed).evaluateAll((all) => all.forEach((one) => (one.tagName === "DETAILS" ? (one.open = true) : one.click())));
  await settled(page);
}

for (const [window, options] of Object.entries(WINDOWS)) {
  for (const [name, visit] of Object.entries(SCREENS)) {
    test(`axe finds nothing: ${name}, ${window}`, async () => {
      const { page, complaints, close } = await app.open({ still: true, mayComplain: name === "a page that cannot start", ...options });
      page.setDefaultTimeout(10_000);
      try {
        await page.locator(".canvas").waitFor();
        await page.evaluate(axe);
        const found = new Map();
        let shown = "the first screen";
        const check = (screen) => look(page, (shown = screen), found);
        const stuck = await visit(page, check).catch((error) => error);
        const lines = [...found].map(([line, screens]) => `${line}\n    on: ${screens.join(", ")}`);
        if (stuck instanceof Error) lines.push(`no way on from ${shown}: ${stuck.stack.replace(/Call log:[^]*?(?=\n    at )/, "")}`);
        if (name !== "a page that cannot start") lines.push(...complaints);
        assert.ok(lines.length === 0, `\n${lines.join("\n")}`);
      } finally {
        await close();
      }
    });
  }
}
