// A backend like GitHub's from nothing: ten entities, two GSIs, ten access patterns, with the mouse and the keyboard. What
// the hands do is counted, and may not become more. `crates/test-support/src/github.rs` has the same model.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { open } from "./app.mjs";
import { settled } from "./gestures.mjs";
import { entities } from "./github.mjs";
import { Person } from "./person.mjs";

/** Access patterns that the page suggests by these names. */
const suggested = [
  "Get user",
  "Memberships of a user",
  "Get repo",
  "Repos by owner",
  "Issues of a repo",
  "Issues of a repo by status",
  "Pull requests by creator",
  "Issue comments of an issue",
  "Stars of a repo",
];

const inspector = (page) => page.locator(".inspector[aria-busy=false]");
const template = (page, index, part) => inspector(page).getByRole("combobox", { name: new RegExp(`^${index} ${part} key`) });

async function templates(person, index, [partition, sort]) {
  await person.replace(template(person.page, index, "partition"), partition);
  await person.replace(template(person.page, index, "sort"), sort);
}

/** Adds an entity with its attributes and the templates of its primary key, and goes back to the canvas. */
async function makeEntity(person, [name, attributes, keys]) {
  const { page } = person;
  await person.press("e");
  await person.type(name);
  await person.click(page.locator(".add-attribute"));
  await person.paste(attributes.replaceAll(" ", "\n").replaceAll(":", " "));
  const wanted = attributes.split(" ").map((text) => text.split(":")[0]);
  const shown = () => inspector(page).getByLabel("Attribute name").evaluateAll((all) => all.map((input) => input.value));
  await templates(person, "Table", keys);
  // What an entity begins with: its id, and the attributes of a partition key that most entities share.
  for (const own of (await shown()).filter((own) => !wanted.includes(own))) {
    await person.click(inspector(page).getByRole("button", { name: `Delete ${own}`, exact: true }));
  }
  assert.deepEqual((await shown()).sort(), wanted.sort(), name);
  await person.press("Escape");
}

async function addToIndex(person, index, keys) {
  await person.click(inspector(person.page).getByRole("button", { name: "Add to index" }));
  await templates(person, index, keys);
}

/** The saved design. */
async function saved(page) {
  const saving = page.waitForEvent("download");
  await page.getByLabel("Designs and files").click();
  await page.getByRole("button", { name: "Save as Keyfold file" }).click();
  return JSON.parse(await readFile(await (await saving).path(), "utf8"));
}

/** The item collections of an index: for each partition key the entities of its rows. Text keys without modifiers but `pad`. */
function collections(design, index) {
  const found = new Map();
  for (const [id, entity] of Object.entries(design.entities)) {
    const entry = entity.keys[index];
    if (!entry) continue;
    for (const { values } of design.samples[id] ?? []) {
      // Without a value that a key needs, the item is not in the index.
      const needed = [...`${entry.partition}${entry.sort}`.matchAll(/\{(\w+)/g)].map(([, name]) => name);
      if (needed.some((name) => values[name] === undefined)) continue;
      const key = entry.partition.replace(/\{(\w+)(?::pad\((\d+)\))?\}/g, (_, name, digits) => String(values[name]).padStart(digits ?? 0, "0"));
      found.set(key, [...(found.get(key) ?? []), entity.name]);
    }
  }
  return [...found.values()];
}

test("a backend like GitHub's is built within the budget of actions", async (t) => {
  const { page, complaints, close } = await open({ clipboard: true });
  const person = new Person(page);
  try {
    await page.locator(".canvas").waitFor();
    await settled(page);

    // Ten entities in two GSIs.
    await person.press("g");
    await person.press("Escape");
    await person.press("g");
    await person.press("Escape");
    for (const entity of entities) {
      const taken = await person.count(() => makeEntity(person, entity));
      t.diagnostic(`${entity[0]}: ${taken} actions`);
      assert.ok(taken <= 12, `${entity[0]} takes ${taken} actions`);
    }
    for (const [name, , , first, second] of entities) {
      if (!first && !second) continue;
      await person.click(page.locator(".outline-row", { hasText: new RegExp(`${name}$`) }).first());
      if (!first) await inspector(page).getByLabel("Index to add entity to").selectOption({ label: "GSI2" });
      if (first) await addToIndex(person, "GSI1", first);
      if (second) await addToIndex(person, "GSI2", second);
    }
    const built = await saved(page);
    assert.equal(Object.keys(built.entities).length, 10);
    assert.equal(Object.keys(built.indexes).length, 2);
    for (const entity of Object.values(built.entities)) {
      const [, , keys, first, second] = entities.find(([name]) => name === entity.name);
      const [one, two] = Object.entries(built.indexes).map(([id]) => id);
      const wanted = { primary: keys, [one]: first, [two]: second };
      for (const [index, pair] of Object.entries(wanted)) {
        const entry = entity.keys[index];
        assert.deepEqual(entry && [entry.partition, entry.sort], pair, `${entity.name} in ${index}`);
      }
    }

    // Samples that join.
    await page.locator(".canvas").click({ position: { x: 4, y: 4 } });
    const samples = await person.count(() => person.press("Shift+g"));
    assert.equal(samples, 1);
    await page.locator(".notice", { hasText: /samples/ }).first().waitFor();
    const filled = await saved(page);
    const sets = Object.fromEntries(["primary", ...Object.keys(filled.indexes)].map((index) => [index, collections(filled, index)]));
    const [table, first] = Object.values(sets);
    t.diagnostic(Object.values(sets).map((all) => `${all.flat().length} rows in ${all.length} collections`).join(", "));
    assert.ok(table.flat().length > 500 && table.length < 150, `${table.length} collections`);
    assert.ok(first.flat().length > 200 && first.length < 30, `${first.length} collections in GSI1`);
    assert.ok(table.filter((names) => new Set(names).size > 2).length > 20, "item collections of several entities");

    // One entity's rows alone.
    const alone = await person.count(() => person.click(page.getByRole("button", { name: "Show only the rows of Issue", exact: true })));
    assert.equal(alone, 1);
    const types = await page.locator("[data-grid] .grid-row [data-column=type]").allTextContents();
    assert.ok(types.length > 5 && types.every((type) => type === "Issue"), String(types));
    await page.getByRole("button", { name: "Show only the rows of Issue", exact: true }).click();

    // Ten access patterns: one by its parts, the others are suggested.
    await person.click(page.getByRole("tab", { name: /^Access patterns/ }));
    for (const name of suggested) {
      const taken = await person.count(() => person.click(page.locator(".patterns-starters").getByRole("button", { name, exact: true })));
      assert.equal(taken, 1);
    }
    const pattern = await person.count(async () => {
      await person.click(page.locator(".rail .outline-row", { hasText: /Gist/ }).first());
      await person.click(page.getByRole("button", { name: "New access pattern" }));
      await person.type("Gists of an account");
      await person.click(page.locator(".pattern-editor .chip", { hasText: /^owner$/ }).first());
      await person.click(page.getByRole("button", { name: "Read it through the primary key of Gist, which already serves it" }));
    });
    t.diagnostic(`access pattern by its parts: ${pattern} actions`);
    assert.ok(pattern <= 5, `${pattern} actions`);
    await page.waitForFunction(() => document.querySelectorAll(".pattern-list .verdict.served").length === 10, undefined, { timeout: 20_000 });
    const names = await page.locator(".pattern-list .pattern-name").allTextContents();
    assert.deepEqual(names.sort(), ["Gists of an account", ...suggested].sort());

    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
