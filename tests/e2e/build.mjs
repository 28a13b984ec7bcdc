// Pattern 1b of the library (SaaS multi-tenant, one overloaded GSI): what a person types to build it from the empty
// canvas, and what must be there in the end. How it is typed, by mouse or by keyboard, is the tests' own.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

const file = "../../crates/core/src/library/patterns/saas-multi-tenant-overloaded.json";
const library = JSON.parse(await readFile(new URL(file, import.meta.url), "utf8"));

/** What a design says, without its ids, places, colours, descriptions and generators of sample values. */
function spoken(design) {
  const name = (index) => design.indexes[index]?.name ?? index;
  const entities = Object.entries(design.entities).map(([id, entity]) => ({
    name: entity.name,
    attributes: entity.attributes.map(({ name, type, required }) => ({ name, type, required: required ?? false })),
    keys: Object.fromEntries(Object.entries(entity.keys).map(([index, entry]) => [name(index), entry])),
    rows: design.samples[id].map((sample) => sample.values),
  }));
  const indexes = Object.values(design.indexes).map(({ name, kind, key, projection }) => ({ name, kind, key, projection }));
  const { table, delimiter } = design;
  return { table, delimiter, indexes, entities };
}

/** The design to build: its table, indexes and entities in the order of the library. */
export const wanted = spoken(library);

/** Partition key, sort key of the table's items in DynamoDB's order, as the pattern's description has them. */
const tableKeys = [
  ["TENANT#t_01", "#METADATA"],
  ["TENANT#t_01", "#SUBSCRIPTION"],
  ["TENANT#t_01", "PROJECT#2026-02-01#p_01"],
  ["TENANT#t_01", "PROJECT#2026-02-10#p_02"],
  ["TENANT#t_01", "USER#u_01"],
  ["TENANT#t_01", "USER#u_02"],
  ["TENANT#t_02", "#METADATA"],
];

/** The same of GSI1. */
const indexKeys = [
  ["TENANT_LIST", "Acme Corp#t_01"],
  ["TENANT_LIST", "Globex Inc#t_02"],
  ["USER#u_01", "PROJECT#2026-02-01#p_01"],
  ["USER#u_02", "PROJECT#2026-02-10#p_02"],
  ["USER_EMAIL#alice@acme.com", "USER#u_01"],
  ["USER_EMAIL#bob@acme.com", "USER#u_02"],
];

/** Name of the library's design in the page. */
export const libraryName = library.name;

/** Waits until the items of the tab that is shown have the table's or, with `index`, GSI1's keys. */
async function seesKeys(page, index) {
  const columns = index ? ["gsi1pk", "gsi1sk"] : ["pk", "sk"];
  const keys = index ? indexKeys : tableKeys;
  const read = (columns) => {
    const text = (cell) => cell?.getAttribute("aria-label") ?? cell?.textContent ?? "";
    return [...document.querySelectorAll(".grid-body [data-sample]")]
      .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
      .map((row) => columns.map((column) => text(row.querySelector(`[data-column="${column}"]`))));
  };
  await page
    .locator(".grid-body [data-sample]")
    .nth(keys.length - 1)
    .waitFor();
  assert.deepEqual(await page.evaluate(read, columns), keys);
  assert.equal(await page.locator(".grid-row.severe").count(), 0);
}

/** Compares everything that was built with the library's design. `open` names what the person does to see a tab. */
export async function sees(page, open) {
  await open.table();
  await seesKeys(page, false);
  await open.index();
  await seesKeys(page, true);

  const saving = page.waitForEvent("download");
  await open.file();
  const saved = await (await saving).path();
  assert.deepEqual(spoken(JSON.parse(await readFile(saved, "utf8"))), wanted);

  await open.code();
  const built = await cloudFormation(page);
  await open.library();
  await page.waitForFunction((name) => document.querySelector("[aria-label='Design name']").value === name, libraryName);
  await open.code();
  assert.equal(built, await cloudFormation(page));
}

/** The exported CloudFormation without the two lines that hold the design's name and description. */
async function cloudFormation(page) {
  await page.locator(".code.long:not([aria-busy=true]) > code > span").first().waitFor();
  // Of a long text only the lines in sight are in the page: all of it is copied.
  const text = await page.getByLabel("CloudFormation", { exact: true }).evaluate((code) => {
    const options = { bubbles: true, cancelable: true };
    code.dispatchEvent(new KeyboardEvent("keydown", { key: "a", ctrlKey: true, ...options }));
    const clipboardData = new DataTransfer();
    code.dispatchEvent(new ClipboardEvent("copy", { clipboardData, ...options }));
    return clipboardData.getData("text/plain");
  });
  assert.match(text, /GSI1/);
  return text.replace(/^# Made by .*\n/, "").replace(/^Description: .*\n/m, "");
}
