// The cells of the live table: what they show and where an edit in them goes, while columns and rows come and go.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { open } from "./app.mjs";
import { names, patternTests, press, seeColumn, settled, undoButton } from "./gestures.mjs";

const onPattern = patternTests();
const onClipboard = patternTests({ clipboard: true });
const fixture = (name) => fileURLToPath(new URL(`../fixtures/e2e/${name}`, import.meta.url));

/** Opens a design file as a person does, and shows its table. */
async function openFile(page, name) {
  await page.locator('input[type=file][accept=".json,.keyfold,application/json"]').setInputFiles(fixture(name));
  const { name: design } = JSON.parse(await readFile(fixture(name), "utf8"));
  await page.waitForFunction((name) => document.querySelector("[aria-label='Design name']").value === name, design);
  await page.locator(".panel-tabs").getByRole("tab", { name: "Table", exact: true }).click();
  await page.locator("[data-grid] [data-sample] [data-column]").first().waitFor();
  await settled(page);
}

/** The design as it is, read from the file that the page offers. */
async function design(page) {
  await page.getByLabel("Designs and files").click();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as Keyfold file" }).click();
  return JSON.parse(await readFile(await (await saved).path(), "utf8"));
}

/** The rows of an entity's samples, by the samples' ids: their values by the names of the attributes. */
function samplesOf(design) {
  const rows = {};
  for (const [entity, { attributes }] of Object.entries(design.entities)) {
    for (const sample of design.samples[entity] ?? []) {
      rows[sample.id] = { entity, attributes: attributes.map((a) => a.name), values: sample.values };
    }
  }
  return rows;
}

/** What is in the page of the table: for each row its sample and its cells, in the order of the page. */
const cells = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("[data-grid] .grid-body [data-sample]")]
      .filter((row) => row.querySelector("[data-column]"))
      .map((row) => ({
        sample: row.dataset.sample,
        cells: [...row.querySelectorAll("[data-column]")].map((cell) => ({
          column: cell.dataset.column,
          text: cell.getAttribute("aria-label") ?? cell.textContent,
          index: cell.getAttribute("aria-colindex"),
          left: Math.round(cell.getBoundingClientRect().left),
        })),
      })),
  );

/** Holds every cell in the page to its column's head and to the design. */
async function checkCells(page, where) {
  const heads = await page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll("[data-grid] .grid-head [data-name]")].map((head) => [
        head.dataset.name,
        [head.getAttribute("aria-colindex"), Math.round(head.getBoundingClientRect().left)],
      ]),
    ),
  );
  const rows = samplesOf(await design(page));
  const shown = await cells(page);
  assert.ok(shown.length > 0, "there are rows");
  for (const row of shown) {
    const sample = rows[row.sample];
    assert.ok(sample, `${where}: ${row.sample} is in the design`);
    for (const { column, text, index, left } of row.cells) {
      const name = `${where}: ${row.sample} ${column}`;
      assert.ok(heads[column], `${name}: there is such a column`);
      assert.deepEqual([index, left], heads[column], `${name} stands below its head`);
      const value = sample.values[column];
      if (typeof value === "string") assert.equal(text, value, name);
      if (value === undefined && sample.attributes.includes(column)) assert.equal(text, "", name);
    }
  }
  return shown;
}

const deleteEntity = async (page, name) => {
  await page.locator(".outline").getByRole("button", { name, exact: true }).click();
  await page.getByRole("button", { name: "Delete entity" }).click();
  await settled(page);
};

onPattern("cells show their attribute after an entity is deleted, and an edit changes that attribute", async (page) => {
  await openFile(page, "shift-bug.keyfold.json");
  await page.getByLabel("Entity of new row").selectOption({ label: "User" });
  await page.getByTitle("Add a row of this entity").click();
  await settled(page);
  await deleteEntity(page, "Order");
  await settled(page);
  await checkCells(page, "after the deletion");
  const before = samplesOf(await design(page));
  // A cell of a user's name, as far down as there is one.
  await seeColumn(page, "name");
  const cell = page.locator("[data-grid] [data-sample] [data-column=name]:not(.absent)").last();
  const sample = await cell.evaluate((cell) => cell.closest("[data-sample]").dataset.sample);
  await cell.dblclick();
  await page.locator(".editor input").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Somebody Else");
  await press(page, "Enter");
  before[sample].values.name = "Somebody Else";
  assert.deepEqual(samplesOf(await design(page)), before, "this value changed and no other");
  await checkCells(page, "after the edit");
  await undoButton(page).click();
  await undoButton(page).click();
  await settled(page);
  await checkCells(page, "after undo");
});

onPattern("an edited cell moves with its column, and nothing else is written", async (page) => {
  const before = samplesOf(await design(page));
  const heads = () =>
    page.locator("[data-grid] .grid-head [data-name]").evaluateAll((all) => all.map((head) => head.dataset.name));
  const known = await heads();
  await page.locator(".outline").getByRole("button", { name: "User", exact: true }).click();
  await page.getByRole("button", { name: "Add attribute" }).click();
  await settled(page);
  const added = (await heads()).find((name) => !known.includes(name));
  const sample = Object.keys(before).find((id) => before[id].attributes.includes("email"));
  await seeColumn(page, added);
  await page.locator(`[data-grid] [data-sample=${sample}] [data-column="${added}"]`).dblclick();
  await page.locator(".editor input").waitFor();
  await page.keyboard.type("typed");
  // As when another tab takes the attribute away: no press and no key tells the table beforehand.
  await page.evaluate(() => document.querySelector("[aria-label=Undo]").click());
  await settled(page);
  await settled(page);
  assert.equal(await page.locator(".editor input").count(), 0, "the field is gone with its column");
  assert.match(await page.locator(".table-remark").innerText(), /not saved/);
  const active = page.locator(".grid-cell.active");
  assert.ok(await active.getAttribute("data-column"), "a cell is active, not the head of the row");
  await press(page, "Enter");
  await press(page, "Escape");
  assert.deepEqual(samplesOf(await design(page)), before);
});

onPattern("a pressed row stays under the pointer, even at the lower edge with its reason below", async (page) => {
  const grid = page.locator("[data-grid]");
  // Items without a sort key are refused, each with its reason in a line of its own.
  await page.locator(".outline-row").filter({ hasText: /^.*User$/ }).first().click();
  const sort = page.getByRole("combobox", { name: /^Table sort key/ });
  await sort.click();
  await press(page, "Control+a");
  await press(page, "Delete");
  await page.locator(".inspector-head").click();
  await page.locator("[data-grid] .grid-note").first().waitFor({ state: "attached" });
  await settled(page);
  const refused = page.locator("[data-grid] .grid-row.severe[data-sample]").last();
  // The last refused item stands at the lower edge, its reason is out of sight.
  await grid.evaluate((grid) => grid.scrollTo(0, grid.scrollHeight - grid.clientHeight - 28));
  await settled(page);
  const before = await refused.boundingBox();
  const lower = await grid.boundingBox();
  assert.ok(Math.abs(before.y + before.height - lower.y - lower.height) < 30, JSON.stringify([before, lower]));
  const id = await refused.getAttribute("data-sample");
  const head = page.locator(`[data-grid] [data-sample="${id}"] [data-head]`);
  const box = await head.boundingBox();
  await page.mouse.move(box.x + 12, box.y + 12);
  await page.mouse.down();
  await settled(page);
  await settled(page);
  assert.deepEqual(await refused.boundingBox(), before, "a press moves nothing");
  await page.mouse.up();
  await settled(page);
  assert.equal(await page.locator(`[data-grid] [data-sample="${id}"]`).first().getAttribute("aria-selected"), "true");
  assert.deepEqual(await refused.boundingBox(), before, "nor does the click");
});

onPattern("in a table that is hardly higher than its head, cells are selected with the mouse", async (page) => {
  const grid = page.locator("[data-grid]");
  // As in a low window.
  const setHeight = async (style) => {
    await grid.evaluate((grid, style) => Object.assign(grid.style, style), style);
    await settled(page);
  };
  await setHeight({ flex: "none", height: "45px", minHeight: "0" });
  // A spot in each of two cells of the first row, which is hardly in sight.
  const spots = await page.evaluate(() => {
    const { left, top, bottom } = document.querySelector("[data-grid]").getBoundingClientRect();
    const columns = new Map();
    for (let y = top + 20; y < bottom; y += 1) {
      for (let x = left + 20; x < left + 600; x += 10) {
        const cell = document.elementFromPoint(x, y)?.closest("[data-grid] [data-sample] [data-column]");
        if (cell && !columns.has(cell.dataset.column)) columns.set(cell.dataset.column, [x, y]);
      }
    }
    return [...columns.values()];
  });
  assert.ok(spots.length > 1, "two cells are in sight");
  const select = async ([from, to], beyond) => {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 4 });
    for (const by of beyond) await page.mouse.move(to[0], to[1] + by, { steps: 2 });
    await page.mouse.up();
    await settled(page);
  };
  // Beyond the edges, too.
  await select(spots, [40, -60, 0]);
  // The page still works: a handler that panics would not.
  await setHeight({ flex: "", height: "", minHeight: "" });
  await page.keyboard.press("Escape");
  await select(spots.map(([x, y]) => [x, y + 8]), []);
  assert.ok((await page.locator("[data-grid] .grid-cell.ranged").count()) > 1, "cells are selected");
});

onPattern("on a column head, keys that change cells do nothing", async (page) => {
  const before = samplesOf(await design(page));
  await seeColumn(page, "email");
  await page.locator("[data-grid] [data-sample] [data-column=email]", { hasText: "@" }).first().click();
  await press(page, "Control+c");
  await press(page, "Control+ArrowUp");
  await press(page, "ArrowUp");
  const onHead = () => page.evaluate(() => document.activeElement.closest("[data-grid] .grid-head") !== null);
  assert.ok(await onHead(), "the focus is on a column head");
  for (const key of ["Delete", "Backspace", "Control+Backspace", "Control+d", "Control+x", "Control+v"]) {
    await press(page, key);
    assert.ok(await onHead(), key);
  }
  assert.ok(await undoButton(page).isDisabled(), "nothing was changed");
  await press(page, "Control+f");
  await page.locator("input[aria-label='Find in table']:focus").waitFor();
  await press(page, "Escape");
  assert.deepEqual(samplesOf(await design(page)), before);
});

onClipboard("a copied cell keeps its type, and what fills undeclared attributes says so", async (page) => {
  const item = { tenantId: { S: "acme" }, userId: { S: "u_9" }, email: { S: "n@acme.com" }, extra: { N: "5" } };
  await page.evaluate((text) => navigator.clipboard.writeText(text), JSON.stringify([item]));
  await seeColumn(page, "email");
  const email = page.locator("[data-grid] [data-sample] [data-column=email]", { hasText: "@" });
  await email.first().click();
  await press(page, "Control+v");
  await settled(page);
  await seeColumn(page, "extra");
  const of = (sample) => page.locator(`[data-grid] [data-sample="${sample}"] [data-column=extra]`);
  const rows = samplesOf(await design(page));
  const sample = (text) => Object.keys(rows).find((id) => rows[id].values.email === text);
  const [from, to] = [sample("n@acme.com"), sample("alice@acme.com")];
  await of(from).click();
  await press(page, "Control+c");
  await of(to).click();
  await press(page, "Control+v");
  const after = samplesOf(await design(page));
  assert.deepEqual(after[to].values.extra, after[from].values.extra);
  // The row below has no such attribute either.
  await of(to).click();
  await press(page, "Shift+ArrowDown");
  await press(page, "Control+d");
  assert.match(await page.locator(".table-remark").innerText(), /without `?extra/);
});

test("a table that was scrolled down and has few rows left when one comes back shows them", async () => {
  const { page, close } = await open({ query: "?stress=items:500" });
  try {
    const grid = page.locator("[data-grid]");
    await page.locator("[data-grid] [data-sample]").first().waitFor();
    await grid.evaluate((it) => (it.scrollTop = it.scrollHeight));
    await settled(page);
    await page.locator(".panel-tabs").getByRole("tab").nth(1).click();
    const all = await names(page);
    for (const name of all.slice(1)) {
      await page.locator(".outline").getByRole("button", { name, exact: true }).click();
      await page.locator(".inspector[aria-busy=false]").getByRole("button", { name: "Delete entity" }).click();
      await settled(page);
    }
    await page.locator(".panel-tabs").getByRole("tab").first().click();
    for (let frame = 0; frame < 4; frame++) await settled(page);
    const first = await grid.evaluate((it) => it.querySelector(".grid-body [data-sample]")?.getBoundingClientRect().top - it.getBoundingClientRect().top);
    assert.ok(first >= 0 && first < 100, `the first row is at ${first}`);
  } finally {
    await close();
  }
});
