// Pattern 1b from the empty canvas with the keyboard alone, from the moment the page is there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./app.mjs";
import { libraryName, sees, wanted } from "./build.mjs";
import { Keys } from "./keys.mjs";

/** Puts a text in place of what the field holds: a field that is entered by Tab has all its text selected. */
async function replace(keys, text) {
  await keys.type(text);
  const held = await keys.page.evaluate(() => document.activeElement.value);
  assert.equal(held, String(text));
}

async function makeEntity(keys, page, entity) {
  await keys.press("e");
  await keys.on("Name");
  await replace(keys, entity.name);
  await keys.tabTo("Table partition key pk", 5);
  await replace(keys, entity.keys.primary.partition);
  // An attribute to insert, and what the linter says, may be on the way.
  await keys.tabTo("Table sort key sk", 6);
  await replace(keys, entity.keys.primary.sort);

  const rows = page.locator(".inspector[aria-busy=false] [data-attribute]");
  for (const [at, attribute] of entity.attributes.entries()) {
    if (at < (await rows.count())) {
      await keys.tabTo("Attribute name", at === 0 ? 10 : 4);
    } else {
      await keys.tabTo("Add attribute", 3);
      await keys.press("Enter");
      await keys.on("Attribute name");
    }
    await replace(keys, attribute.name);
    await keys.tabTo(`Type of ${attribute.name}`, 1);
    // A closed list goes to the next entry that begins with the letter. The type may have followed from the name.
    const type = page.getByLabel(`Type of ${attribute.name}`, { exact: true });
    if (attribute.type === "N" && (await type.inputValue()) !== "N") await keys.type("N");
    await keys.tabTo(`${attribute.name} is required`, 1);
    if ((await rows.nth(at).getByRole("checkbox").isChecked()) !== attribute.required) await keys.press(" ");
  }
}

/** To an entity's card by the command palette, then into GSI1 by the card's menu. */
async function join(keys, entity) {
  await keys.command(entity.name);
  await keys.on(entity.name);
  await keys.press("Shift+F10");
  await keys.on("Copy");
  // The first letter leads to "Add sample to selected entity", then to the line.
  await keys.type("aa");
  await keys.on("Add to GSI1");
  await keys.press("Enter");
  // The templates are a first guess: their fields are next.
  await keys.on("GSI1 partition key gsi1pk");
  await replace(keys, entity.keys.GSI1.partition);
  // What the linter says of the partition key, and its repair, may be on the way.
  await keys.tabTo("GSI1 sort key gsi1sk", 5);
  await replace(keys, entity.keys.GSI1.sort);
}

/** The active cell: its row and whose it is, its column, its text. */
const cell = (page) =>
  page.evaluate(() => {
    const cell = document.activeElement.closest("[data-column], [data-head]");
    const row = cell?.closest("[data-sample]");
    if (!row) throw new Error("the focus is on no cell");
    return {
      sample: row.dataset.sample,
      entity: row.querySelector(".row-head .visually-hidden").textContent,
      column: cell.dataset.column,
      text: cell.getAttribute("aria-label") ?? cell.textContent,
    };
  });

/** Presses a key in the table until the active cell is the right one; it shows each time. */
async function walk(keys, key, most, there) {
  for (let presses = 0; presses <= most; presses += 1) {
    await keys.shown();
    if (there(await cell(keys.page))) return;
    await keys.press(key);
  }
  assert.fail(`${most} times ${key} lead to ${JSON.stringify(await cell(keys.page))}`);
}

/** Types the active row's values, from its first cell to the right; the row may go elsewhere as its keys change. */
async function enterRow(keys, values) {
  const { sample } = await cell(keys.page);
  await keys.press("Home");
  let typed = false;
  for (let left = Object.keys(values).length, steps = 0; left > 0; steps += 1) {
    assert.ok(steps < 30, "not all values have a column");
    await keys.press("Tab");
    await keys.shown();
    const at = await cell(keys.page);
    assert.equal(at.sample, sample, "the active cell is no longer on its row");
    if (!(at.column in values)) continue;
    left -= 1;
    typed = at.text !== String(values[at.column]);
    if (typed) await keys.type(values[at.column]);
  }
  if (typed) await keys.press("Enter");
  await keys.shown();
}

async function enterRows(keys, entity) {
  const [first, ...others] = entity.rows;
  await keys.command("Go to table");
  await keys.press("Control+ArrowUp");
  await walk(keys, "ArrowDown", 8, (at) => at.entity === entity.name);
  await enterRow(keys, first);
  for (const values of others) {
    await keys.press("Home");
    await keys.tabTo("Entity of new row", 9, "Shift+Tab");
    await keys.type(entity.name);
    await keys.tabTo("Add row", 1, "Shift+Tab");
    await keys.press("Enter");
    await keys.page.waitForFunction(() => document.activeElement.closest("[data-sample]"));
    await enterRow(keys, values);
  }
}

test("pattern 1b is built with the keyboard alone", async () => {
  const { page, complaints, close } = await open();
  const keys = new Keys(page);
  try {
    await page.locator(".canvas").waitFor();
    await keys.command("Go to inspector");
    await keys.on("Table name");
    await replace(keys, wanted.table.name);
    await keys.tabTo("Partition key", 4);
    await replace(keys, "pk");
    await keys.tabTo("Sort key", 3);
    await replace(keys, "sk");
    for (const entity of wanted.entities) {
      await keys.command("Go to canvas");
      await keys.shown();
      await makeEntity(keys, page, entity);
    }
    await keys.command("Go to canvas");
    await keys.shown();
    await keys.press("g");
    await keys.on("Index name");
    await keys.command("Go to canvas");
    await keys.on("GSI1");
    // On the canvas: the view follows a card that leaves it.
    const place = () => page.evaluate(() => new DOMMatrix(getComputedStyle(document.activeElement).transform).e);
    const before = await place();
    for (let steps = 0; steps < 6; steps += 1) await keys.press("Shift+ArrowRight");
    assert.equal(Math.round((await place()) - before), 240);

    for (const entity of wanted.entities.filter((entity) => entity.keys.GSI1)) await join(keys, entity);
    await keys.command("Go to canvas");
    await keys.press("Shift+A");
    await keys.shown();
    for (const entity of wanted.entities) await enterRows(keys, entity);

    await sees(page, {
      table: () => keys.command("Go to table"),
      index: () => keys.command("Go to items of GSI1"),
      file: () => keys.command("Save as Keyfold file"),
      code: () => keys.command("Go to exports"),
      library: () => keys.command(`Open pattern: ${libraryName}`),
    });
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
