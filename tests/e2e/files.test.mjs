// A design kept in a file on the disk: opened, saved in place, followed when another program changes it, merged when both changed. The
// system's dialogs cannot be pressed by a test: they answer with files of the browser's private file system.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { start } from "./app.mjs";
import { names, press, settled } from "./gestures.mjs";
import { isStored, storedDesigns } from "./storage.mjs";

const app = await start();
test.after(() => app.close());

const FILE = "orders.keyfold.json";
const pattern = await readFile(new URL("../../crates/core/src/library/patterns/leaderboard.json", import.meta.url), "utf8");

function dialogs() {
  const handle = async (create) => (await navigator.storage.getDirectory()).getFileHandle("orders.keyfold.json", { create });
  window.showOpenFilePicker = async () => [await handle(false)];
  window.showSaveFilePicker = async () => handle(true);
}

/** What another program writes into the file. */
const writeFile = (page, text) =>
  page.evaluate(async (text) => {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle("orders.keyfold.json", { create: true });
    const stream = await handle.createWritable();
    await stream.write(text);
    await stream.close();
  }, text);
const fileText = (page) => page.evaluate(async () => (await (await (await navigator.storage.getDirectory()).getFileHandle("orders.keyfold.json")).getFile()).text());

async function command(page, name) {
  await press(page, "Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill(name);
  await press(page, "Enter");
}

async function addEntity(page, name) {
  await page.locator(".canvas").focus();
  await press(page, "e");
  await page.keyboard.type(name);
  await press(page, "Enter");
  await isStored(page);
}

/** The text of a design with another entity. */
const withRenamed = (text, from, to) => {
  assert.ok(text.includes(`"name": "${from}"`));
  return text.replace(`"name": "${from}"`, `"name": "${to}"`);
};

/** The user comes back to the page. */
const comeBack = (page) => page.evaluate(() => window.dispatchEvent(new Event("focus")));

async function opened() {
  const opened = await app.open({ files: true, init: dialogs });
  await opened.page.locator(".canvas").waitFor();
  await writeFile(opened.page, pattern);
  await command(opened.page, "Open Keyfold file");
  await opened.page.locator(".file-state", { hasText: FILE }).waitFor();
  await isStored(opened.page);
  return opened;
}

test("a file is opened, saved in place, and known after a reload", async () => {
  const { page, complaints, close } = await opened();
  try {
    await addEntity(page, "Fresh");
    await page.locator(".file-state", { hasText: `${FILE} •` }).waitFor();
    assert.ok(!(await fileText(page)).includes('"Fresh"'));
    await press(page, "Control+s");
    await page.locator(".notices", { hasText: `Saved to “${FILE}”.` }).waitFor();
    assert.ok((await fileText(page)).includes('"Fresh"'));
    assert.equal(await page.locator(".file-state").innerText(), FILE);
    await page.reload();
    await page.locator(".file-state", { hasText: FILE }).waitFor();
    await addEntity(page, "Later");
    await press(page, "Control+s");
    await page.locator(".notices", { hasText: `Saved to “${FILE}”.` }).waitFor();
    assert.ok((await fileText(page)).includes('"Later"'));
    // Opening the file again opens the same design.
    const before = (await storedDesigns(page)).length;
    await command(page, "New design");
    await page.locator(".file-state").waitFor({ state: "detached" });
    await command(page, "Open Keyfold file");
    await page.locator(".entity-card", { hasText: "Later" }).waitFor();
    await page.locator(".file-state", { hasText: FILE }).waitFor();
    assert.ok((await storedDesigns(page)).length <= before + 1);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a design is saved as a new file, which is its file from then on", async () => {
  const { page, complaints, close } = await app.open({ files: true, init: dialogs });
  try {
    await page.locator(".canvas").waitFor();
    await addEntity(page, "Order");
    await command(page, "Save as Keyfold file");
    await page.locator(".file-state", { hasText: FILE }).waitFor();
    assert.ok((await fileText(page)).includes('"Order"'));
    await addEntity(page, "Line");
    await press(page, "Control+s");
    await page.locator(".notices", { hasText: `Saved to “${FILE}”.` }).waitFor();
    assert.ok((await fileText(page)).includes('"Line"'));
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a file that another program changed is followed, and merged if the design was changed too", async () => {
  const { page, complaints, close } = await opened();
  try {
    const [first] = await names(page);
    await writeFile(page, withRenamed(pattern, first, "Renamed"));
    await comeBack(page);
    await page.locator(".entity-card", { hasText: "Renamed" }).waitFor();
    await page.locator(".notices", { hasText: "changed on disk. The design now has this change" }).waitFor();
    await page.locator(".canvas").focus();
    await press(page, "Control+z");
    await settled(page);
    assert.ok((await names(page)).includes(first));
    await press(page, "Control+Shift+z");
    await settled(page);

    // Both change.
    await addEntity(page, "Mine");
    await writeFile(page, withRenamed(pattern, first, "Twice"));
    await comeBack(page);
    await page.locator(".notices", { hasText: "and the design both changed" }).getByRole("button", { name: "Merge…" }).waitFor();
    // Saving does not overwrite what the other program wrote.
    await press(page, "Control+s");
    const merge = page.getByRole("dialog", { name: /Merge/ });
    await merge.waitFor();
    assert.ok((await fileText(page)).includes('"Twice"'));
    await merge.getByRole("button", { name: /^Merge/ }).click();
    await page.locator(".notices", { hasText: `Saved to “${FILE}”.` }).waitFor();
    const text = await fileText(page);
    assert.ok(text.includes('"Twice"') && text.includes('"Mine"'));
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a broken file on the disk changes nothing and is not overwritten", async () => {
  const { page, complaints, close } = await opened();
  try {
    const before = await names(page);
    await writeFile(page, "{ broken");
    await comeBack(page);
    await page.locator(".notices", { hasText: "was changed on the disk and cannot be read" }).waitFor();
    await addEntity(page, "Mine");
    await press(page, "Control+s");
    await settled(page);
    assert.equal(await fileText(page), "{ broken");
    assert.equal((await names(page)).length, before.length + 1);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
