// Pattern 1b from the empty canvas with the mouse alone. Text is typed into fields that were clicked; no key does
// anything else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./app.mjs";
import { sees, wanted } from "./build.mjs";
import { seeColumn } from "./gestures.mjs";

/** Where the entities' heads go, as parts of the canvas. */
const places = { Tenant: [0.2, 0.12], Subscription: [0.2, 0.6], User: [0.8, 0.12], Project: [0.8, 0.6] };

async function middle(locator) {
  const box = await locator.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Presses on one thing and lets go at a point. */
async function drag(page, from, [x, y]) {
  await page.mouse.move(...(await middle(from)));
  await page.mouse.down();
  await page.mouse.move(x, y, { steps: 8 });
  await page.mouse.up();
}

const onCanvas = async (page, [x, y]) => {
  const box = await page.locator(".canvas").boundingBox();
  return [box.x + box.width * x, box.y + box.height * y];
};

/** Replaces a field's text: three clicks select it, once it is where it stays while it is entered. On a slow machine a
 * message that comes meanwhile may move it away from the pointer. */
async function fill(page, field, text) {
  await field.click();
  const isSelected = (field) =>
    document.activeElement === field && field.selectionEnd - field.selectionStart === field.value.length;
  let isReady = false;
  for (let tries = 0; tries < 5 && !isReady; tries++) {
    await field.click({ clickCount: 3 });
    isReady = await field.evaluate(isSelected);
  }
  assert.ok(isReady, "what is typed would go elsewhere");
  await page.keyboard.type(text);
  assert.equal(await field.inputValue(), text);
}

const exactly = (name) => ({ hasText: new RegExp(`^${name}$`) });

const card = (page, name) => page.locator(".entity-card", { has: page.locator(".card-name", exactly(name)) });

/** Clicks a card where it has nothing of its own to be clicked. */
const choose = (page, name) => card(page, name).locator(".card-head").click({ position: { x: 4, y: 6 } });

async function makeEntity(page, entity) {
  const inspector = page.locator(".inspector[aria-busy=false]");
  await drag(page, page.locator("[data-piece=Entity]"), await onCanvas(page, places[entity.name]));
  await inspector.getByRole("heading", { name: /Entity/ }).waitFor();
  await fill(page, inspector.getByLabel("Name", { exact: true }), entity.name);

  const rows = inspector.locator("[data-attribute]");
  for (const [at, attribute] of entity.attributes.entries()) {
    if (at >= (await rows.count())) {
      await inspector.getByRole("button", { name: "Add attribute" }).click();
    }
    const row = rows.nth(at);
    await fill(page, row.getByLabel("Attribute name"), attribute.name);
    // The list that opens belongs to the system, not to the page: a click in it is out of a script's reach.
    if (attribute.type !== "S") await row.getByRole("combobox").selectOption(attribute.type);
    const required = row.getByRole("checkbox");
    if ((await required.isChecked()) !== attribute.required) await required.click();
  }
  await fill(page, inspector.getByLabel("Table partition key pk"), entity.keys.primary.partition);
  await fill(page, inspector.getByLabel("Table sort key sk"), entity.keys.primary.sort);
}

async function join(page, entity) {
  const index = page.locator(".index-card:not(.primary-card)");
  await drag(page, card(page, entity.name).locator("[data-port]"), await middle(index));
  const inspector = page.locator(".inspector[aria-busy=false]");
  const partition = inspector.getByLabel("GSI1 partition key gsi1pk");
  await partition.waitFor();
  await fill(page, partition, entity.keys.GSI1.partition);
  await fill(page, inspector.getByLabel("GSI1 sort key gsi1sk"), entity.keys.GSI1.sort);
}

/** The rows of an entity, by their heads. */
const rowsOf = (page, name) =>
  page.locator(".grid-body [data-sample]", { has: page.locator(".row-head .visually-hidden", exactly(name)) });

async function enterRows(page, entity) {
  await choose(page, entity.name);
  const rows = rowsOf(page, entity.name);
  const known = new Set();
  for (const [at, values] of entity.rows.entries()) {
    if (at > 0) await page.getByRole("button", { name: "Add row" }).click();
    await rows.nth(at).waitFor();
    const ids = await rows.evaluateAll((rows) => rows.map((row) => row.dataset.sample));
    const id = ids.find((id) => !known.has(id));
    known.add(id);
    for (const [column, value] of Object.entries(values)) {
      await seeColumn(page, column);
      const cell = page.locator(`[data-sample="${id}"] [data-column="${column}"]`);
      if ((await cell.textContent()) === String(value)) continue;
      await cell.click();
      await page.keyboard.type(String(value));
    }
    // A click elsewhere stores the last one.
    await choose(page, entity.name);
  }
}

test("pattern 1b is built with the mouse alone", async () => {
  const { page, complaints, close } = await open();
  const inspector = page.locator(".inspector[aria-busy=false]");
  try {
    await page.locator(".canvas").waitFor();
    await fill(page, inspector.getByLabel("Table name"), wanted.table.name);
    await fill(page, inspector.getByLabel("Partition key", { exact: true }), "pk");
    await fill(page, inspector.getByLabel("Sort key", { exact: true }), "sk");

    const further = page.getByRole("button", { name: "Zoom out" });
    await further.click();
    await further.click();
    for (const entity of wanted.entities) await makeEntity(page, entity);
    await drag(page, page.locator("[data-piece=GSI]"), await onCanvas(page, [0.5, 0.75]));
    await inspector.getByLabel("Index name").waitFor();
    for (const entity of wanted.entities.filter((entity) => entity.keys.GSI1)) await join(page, entity);
    for (const entity of wanted.entities) await enterRows(page, entity);

    await sees(page, {
      table: () => page.getByRole("tab", { name: "Table" }).click(),
      index: () => page.getByRole("tab", { name: "GSI1" }).click(),
      file: async () => {
        await page.getByLabel("Designs and files").click();
        await page.getByRole("button", { name: "Save as Keyfold file" }).click();
      },
      code: () => page.getByRole("tab", { name: "Export", exact: true }).click(),
      library: async () => {
        await page.getByTitle("Start from a pattern of the library").click();
        await page.locator("[data-pattern=saas-multi-tenant-overloaded]").dblclick();
      },
    });
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
