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
  // A file in the language is chosen once it is there.
  const handle = async (create) => {
    const folder = await navigator.storage.getDirectory();
    return folder.getFileHandle("small.keyfold").catch(() => folder.getFileHandle("orders.keyfold.json", { create }));
  };
  window.showOpenFilePicker = async () => [await handle(false)];
  window.showSaveFilePicker = async () => handle(true);
}

/** What another program writes into the file. */
const writeFile = (page, text, name = FILE) =>
  page.evaluate(
    async ([text, name]) => {
      const handle = await (await navigator.storage.getDirectory()).getFileHandle(name, { create: true });
      const stream = await handle.createWritable();
      await stream.write(text);
      await stream.close();
    },
    [text, name],
  );
const fileText = (page, name = FILE) =>
  page.evaluate(async (name) => (await (await (await navigator.storage.getDirectory()).getFileHandle(name)).getFile()).text(), name);

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
    await page.locator(".notices", { hasText: "was changed on the disk, and the design with it" }).waitFor();
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
    await page.locator(".notices", { hasText: "was changed on the disk, and the design here" }).getByRole("button", { name: "Merge…" }).waitFor();
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

const SMALL = "small.keyfold";
const small = `// Ours: do not sort.
design Small

/// Things.
entity Thing
  id    string  // given by the shop
  name  string

  key  THING#{id} / THING

  | id | name |
  // The first one.
  | 1  | One  |

table small (PK, SK)  // at the end
`;

/** A page with a design whose file is in the language. */
async function openedText(text = small) {
  const opened = await app.open({ files: true, init: dialogs });
  await opened.page.locator(".canvas").waitFor();
  await writeFile(opened.page, text, SMALL);
  await command(opened.page, "Open Keyfold file");
  await opened.page.locator(".file-state", { hasText: SMALL }).waitFor();
  await isStored(opened.page);
  // The text is stored after the design.
  await opened.page.waitForTimeout(500);
  return opened;
}

async function save(page) {
  await press(page, "Control+s");
  await page.locator(".notices", { hasText: `Saved to “${SMALL}”.` }).waitFor();
}

test("a file in the language is saved byte for byte, also after a reload, and an edit changes only its lines", async () => {
  const { page, complaints, close } = await openedText();
  try {
    await save(page);
    assert.equal(await fileText(page, SMALL), small);
    await page.reload();
    await page.locator(".file-state", { hasText: SMALL }).waitFor();
    await settled(page);
    assert.equal(await page.locator(".file-state").innerText(), SMALL);
    await save(page);
    assert.equal(await fileText(page, SMALL), small);
    await page.reload();
    await page.locator(".file-state", { hasText: SMALL }).waitFor();
    await page.getByLabel("Design name").fill("Renamed");
    await press(page, "Enter");
    await isStored(page);
    await save(page);
    assert.equal(await fileText(page, SMALL), small.replace("design Small", "design Renamed"));
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("comments that another program changed stay when the design is saved", async () => {
  const { page, complaints, close } = await openedText();
  try {
    const commented = small.replace("// Ours: do not sort.", "// Theirs: sorted by hand.");
    await writeFile(page, commented, SMALL);
    await comeBack(page);
    await page.locator(".notices", { hasText: "was changed on the disk, and the design with it" }).waitFor();
    await save(page);
    assert.equal(await fileText(page, SMALL), commented);

    // Saved before the page was seen again; the design was changed here, its comments there.
    await page.getByLabel("Design name").fill("Mine");
    await press(page, "Enter");
    await isStored(page);
    const again = commented.replace("// The first one.", "// The only one.").replace("entity Thing", "entity Item");
    await writeFile(page, again, SMALL);
    await press(page, "Control+s");
    const merge = page.getByRole("dialog", { name: /Merge/ });
    await merge.waitFor();
    assert.equal(await fileText(page, SMALL), again);
    await merge.getByRole("button", { name: /^Merge/ }).click();
    await page.locator(".notices", { hasText: `Saved to “${SMALL}”.` }).waitFor();
    assert.equal(await fileText(page, SMALL), again.replace("design Small", "design Mine"));
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("comments of both sides stay, and a design that another program changed comes with its text", async () => {
  const { page, complaints, close } = await openedText();
  try {
    await page.locator(".panel-tabs").getByRole("tab", { name: "Text" }).click();
    const editor = page.locator(".text-editor .cm-content");
    await editor.waitFor();
    await editor.click();
    await press(page, "Control+End");
    await page.keyboard.type("// Typed here.");
    await isStored(page);
    const theirs = small.replace("// Ours: do not sort.", "// Theirs.");
    await writeFile(page, theirs, SMALL);
    await press(page, "Control+s");
    await page.locator(".notices", { hasText: `Saved to “${SMALL}”.` }).waitFor();
    const both = await fileText(page, SMALL);
    assert.ok(both.startsWith("// Theirs.\n") && both.includes("\n// Typed here."), both);
    assert.ok(await page.locator(".cm-line", { hasText: "// Theirs." }).isVisible());

    const renamed = both.replace("entity Thing", "// What it was: Thing.\nentity Item");
    await writeFile(page, renamed, SMALL);
    await comeBack(page);
    await page.locator(".entity-card", { hasText: "Item" }).waitFor();
    await save(page);
    assert.equal(await fileText(page, SMALL), renamed);
    await page.locator(".canvas").focus();
    await press(page, "Control+z");
    await page.locator(".entity-card", { hasText: "Thing" }).waitFor();
    await save(page);
    assert.equal(await fileText(page, SMALL), both);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
