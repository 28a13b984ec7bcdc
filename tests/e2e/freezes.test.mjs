// No step of a person holds the page up: with 30 entities no task of the main thread takes more than LIMIT milliseconds of its
// processor time. At a desk ENTITIES is another number of entities, and REPORT=1 prints the longest task of each step.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { start } from "./app.mjs";
import { watch } from "./freezes.mjs";
import { drag, press, settled, undoButton } from "./gestures.mjs";

const ENTITIES = Number(process.env.ENTITIES ?? 30);
const LIMIT = Number(process.env.LIMIT ?? 200);
const REPORT = process.env.REPORT === "1";

let app, page, url, complaints, watched;

before(async () => {
  app = await start();
  ({ page, url, complaints } = await app.open());
  // Leaving the page ends what it is still loading, of which the browser complains.
  await page.waitForLoadState("networkidle");
  watched = await watch(page);
});
after(() => app?.close());

/** A step that must not hold the page up, `then` included: what follows from it. */
async function step(name, act, then = quiet) {
  const tasks = await watched.during(async () => {
    await act();
    await then();
  });
  const shown = tasks.slice(0, 3).map((task) => task.toFixed(1));
  if (REPORT) console.log(`${name.padEnd(44)} ${shown.join("  ")} ms`);
  assert.ok(tasks[0] <= LIMIT, `${name}: a task of ${shown[0]} ms of processor time`);
}

/** Waits until all that follows from a step is done: items, exports, findings, and what begins after a pause. */
async function quiet() {
  await page.waitForTimeout(600);
  await page.waitForFunction(() => !document.querySelector(".code[aria-busy=true], [data-grid][aria-busy=true]"));
  await page.waitForTimeout(600);
  await settled(page);
}

const tab = (name) => page.getByRole("tab", { name });
/** The template of the entity that is inspected. */
const template = () => page.getByRole("combobox", { name: /^Table sort key/ });
/** The first entity of the outline. */
const aCard = () => page.locator(".outline-row").first();

/** Types letters into a template, one after the other as a person does. */
async function typeLetters(text) {
  await template().click();
  await page.keyboard.press("Home");
  for (const letter of text) {
    await page.keyboard.type(letter);
    await page.waitForTimeout(60);
  }
}

test(`a design of ${ENTITIES} entities is opened`, async () => {
  await step("open", () => page.goto(`${url}?stress=${ENTITIES}`), async () => {
    await page.locator(".outline h2 .count", { hasText: String(ENTITIES) }).waitFor();
    await quiet();
  });
  await step("select", () => aCard().click());
  await step("type into a template", () => typeLetters("AB"));
  await step("undo", () => press(page, "Control+z"));
});

test("letters are typed while each export is shown", async () => {
  await step("Export", () => tab("Export").click());
  const formats = page.locator(".code-formats [aria-pressed]");
  const names = await formats.allInnerTexts();
  assert.ok(names.length > 10, names.join());
  for (const [at, name] of names.entries()) {
    await step(`show ${name}`, () => formats.nth(at).click());
    await step(`type, ${name} shown`, () => typeLetters("AB"));
  }
});

test("the changes since the last export and the change plan follow typing", async () => {
  // A measuring design is not stored, and so its exports are not remembered: it is opened as a file.
  const menu = page.getByLabel("Designs and files");
  await menu.click();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as Keyfold file" }).click();
  const file = await (await saved).path();
  const [buffer, name] = [await readFile(file), "stress.keyfold.json"];
  await step("open a file", () => page.locator("input[type=file]").first().setInputFiles({ name, mimeType: "application/json", buffer }));
  await aCard().click();
  await tab("Export").click();
  // A long export is not remembered.
  await page.locator(".code-formats [aria-pressed]", { hasText: /^ElectroDB$/ }).click();
  await quiet();
  await step("download", async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download", exact: true }).click();
    await download;
  });
  await step("type after the download", () => typeLetters("CD"));
  // No more is remembered of a larger design.
  if (ENTITIES > 100) return;
  await step("changes", () => page.getByRole("button", { name: "Changes" }).click());
  await page.locator(".code ins").first().waitFor();
  await step("type, changes shown", () => typeLetters("EF"));
  await page.getByRole("button", { name: "Changes" }).click();
  await page.locator(".code-formats [aria-pressed]", { hasText: "CloudFormation JSON" }).click();
  await quiet();
  await page.getByRole("button", { name: "Download", exact: true }).click();
  await page.locator(".code-formats [aria-pressed]", { hasText: "Change plan" }).click();
  await step("change plan", () => page.locator(".plan-last").click());
  await step("type, change plan shown", () => typeLetters("GH"));
});

test("everything is downloaded as one archive", async () => {
  await step("zip", async () => {
    const download = page.waitForEvent("download", { timeout: 120_000 });
    await page.getByRole("button", { name: "All as zip" }).click();
    await download;
  });
});

test("a long preview is scrolled", async () => {
  await page.locator(".code-formats [aria-pressed]", { hasText: /^Rust$/ }).click();
  await quiet();
  await step("scroll", async () => {
    await page.locator(".code").hover();
    for (let turn = 0; turn < 20; turn++) {
      await page.mouse.wheel(0, 400);
      await settled(page);
    }
    await page.locator(".code").focus();
    await press(page, "End");
    await press(page, "Home");
  });
});

test("cards are dragged, tabs switched, edits undone", async () => {
  for (const name of [/^Table/, /^GSI1/, /^Access patterns/, /^Problems/, /^Table/]) {
    await step(`tab ${name.source.slice(1)}`, () => tab(name).click());
  }
  const card = page.locator(".entity-card:visible").first();
  const box = await card.boundingBox();
  await step("drag a card", () => drag(page, [box.x + 10, box.y + 8], [box.x + 90, box.y + 60]));
  await step("undo", () => undoButton(page).click());
  await step("redo", () => page.getByRole("button", { name: "Redo", exact: true }).click());
  await step("delete an entity", async () => {
    await aCard().click();
    await page.getByRole("button", { name: "Delete entity" }).click();
  });
  await step("undo the deletion", () => undoButton(page).click());
});

test("problems and access patterns", async () => {
  await step("tab Problems", () => tab(/^Problems/).click());
  const problem = page.locator(".problem").first();
  if (await problem.isVisible()) {
    await step("choose a problem", () => problem.click());
    await step("the next problem", () => page.keyboard.press("ArrowDown"));
  }
  await aCard().click();
  await step("type, problems shown", () => typeLetters("{x}"));
  await step("undo", () => press(page, "Control+z"));
  await step("tab Access patterns", () => tab(/^Access patterns/).click());
  await step("add all that are offered", () => page.getByRole("button", { name: "Add all" }).click());
  await step("the next access pattern", async () => {
    await page.locator(".pattern-row").first().click();
    await page.keyboard.press("ArrowDown");
  });
  await step("coverage", () => page.locator(".patterns-bar").getByRole("button", { name: "Coverage" }).click());
  await step("patterns", () => page.locator(".patterns-bar").getByRole("button", { name: "List" }).click());
  await aCard().click();
  await step("type, access patterns shown", () => typeLetters("IJ"));
  await step("Export", () => tab("Export").click());
  await page.locator(".code-formats [aria-pressed]", { hasText: "Markdown" }).click();
  await quiet();
  await step("type, Markdown with access patterns shown", () => typeLetters("KL"));
});

/** A design as text with so many lines for each entity: attributes, a key, a sample and an access pattern. */
function designText(entities) {
  const entity = (at) => `
entity E${at}
${Array.from({ length: 8 }, (_, of) => `  a${of} string /// What it is.\n`).join("")}  key E#{a0} / E#{a1}
  | a0 | a1 | a2 |
  | x${at} | y | z |

pattern P${at}
  GetItem E#{a0} / E#{a1}
  returns E${at}
`;
  const all = Array.from({ length: entities }, (_, at) => entity(at)).join("");
  // An entity that no access pattern names: it can be renamed letter by letter.
  return `design Text\n\ntable shop (PK, SK)\n\nentity First\n  key FIRST / FIRST\n${all}`;
}

test("letters are typed into a text of 1000 lines", async () => {
  const buffer = Buffer.from(designText(59));
  assert.equal(buffer.toString().split("\n").length, 1010);
  const file = { name: "long.keyfold", mimeType: "text/plain", buffer };
  await step("open a text", () => page.locator("input[type=file]").first().setInputFiles(file));
  await step("tab Text", () => tab("Text").click());
  const editor = page.locator(".text-editor .cm-content");
  /** Types letters behind the first place of these words. */
  const typeBehind = async (words, letters) => {
    await editor.click();
    await press(page, "Control+Home");
    await press(page, "Control+f");
    await page.locator(".cm-search [name=search]:focus").waitFor();
    await page.keyboard.type(words);
    for (const key of ["Enter", "Escape", "ArrowRight"]) await press(page, key);
    await quiet();
    await step(`type behind "${words}"`, async () => {
      for (const letter of letters) {
        await page.keyboard.type(letter);
        await page.waitForTimeout(60);
      }
    });
  };
  await typeBehind("design Text", "ABC");
  await typeBehind("entity First", "ABC");
  await typeBehind("key E#{a0} / E#", "ABC");
  await typeBehind("| y", "ABC");
  await step("undo", () => press(page, "Control+z"));
  assert.equal(await page.locator(".text-error").textContent(), "");
  await page.locator(".outline-name", { hasText: "FirstABC" }).waitFor({ state: "attached" });
});

test("two designs are compared", async () => {
  await page.goto(`${url}?stress=${ENTITIES}`);
  await page.locator(".outline h2 .count", { hasText: String(ENTITIES) }).waitFor();
  await quiet();
  await page.getByLabel("Designs and files").click();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as Keyfold file" }).click();
  const text = await readFile(await (await saved).path(), "utf8");
  // Another sort key everywhere: every item gets a different key, and each access pattern something else.
  const buffer = Buffer.from(text.replaceAll(/"sort": "(\w+)#/g, '"sort": "X#$1#'));
  const dialog = page.getByRole("dialog", { name: "Compare designs" });
  await step("open Compare", async () => {
    await press(page, "Control+k");
    await page.getByRole("combobox", { name: "Command palette" }).fill("Compare designs");
    await press(page, "Enter");
    await dialog.getByLabel("Before", { exact: true }).last().selectOption("given");
  });
  await step("compare", async () => {
    await dialog.getByLabel("File before").setInputFiles({ name: "old.keyfold.json", mimeType: "application/json", buffer });
    await dialog.locator(".compare-bar [role=status]", { hasText: /differences?\.$/ }).waitFor({ timeout: 60_000 });
  });
  await press(page, "Escape");
});

test("samples are generated", async () => {
  await tab(/^Table/).click();
  await page.getByRole("button", { name: "Generate samples" }).first().click();
  await step("generate", () => page.getByRole("dialog").getByRole("button", { name: "Generate", exact: true }).click());
  await step("undo", () => press(page, "Control+z"));
  assert.deepEqual(complaints, []);
});
