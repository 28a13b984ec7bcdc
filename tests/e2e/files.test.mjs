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

/** Waits until a file has this text. It cannot be read while it is written. */
async function hasText(page, name, text) {
  for (let left = 100; left > 0 && (await fileText(page, name).catch(() => "")) !== text; left--) await page.waitForTimeout(100);
  assert.equal(await fileText(page, name), text);
}

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

async function opened(text = pattern) {
  const opened = await app.open({ files: true, init: dialogs });
  await opened.page.locator(".canvas").waitFor();
  await writeFile(opened.page, text);
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

test("Merge of a file is for its design, whichever is open when it is pressed", async () => {
  const { page, complaints, close } = await opened();
  try {
    const [first] = await names(page);
    await addEntity(page, "Mine");
    await writeFile(page, withRenamed(pattern, first, "Theirs"));
    await comeBack(page);
    const merge = page.locator(".notices", { hasText: "and the design both changed" }).getByRole("button", { name: "Merge…" });
    await merge.waitFor();
    await command(page, "New design");
    await page.locator(".file-state").waitFor({ state: "detached" });
    await addEntity(page, "Other");
    // It opens its design, whose file is looked at again.
    await merge.click();
    await page.locator(".entity-card", { hasText: "Mine" }).waitFor();
    await merge.click();
    const dialog = page.getByRole("dialog", { name: /Merge/ });
    await dialog.getByRole("button", { name: /^Merge/ }).click();
    await page.locator(".entity-card", { hasText: "Theirs" }).waitFor();
    assert.ok((await names(page)).includes("Mine"));
    await isStored(page);
    const other = (await storedDesigns(page)).find(({ text }) => text.includes('"Other"'));
    assert.ok(!other.text.includes('"Theirs"'));
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("another design that opens while a file is read is not written into it", async () => {
  const { page, complaints, close } = await opened();
  try {
    await addEntity(page, "Mine");
    const before = await fileText(page);
    await page.evaluate(() => {
      const read = FileSystemFileHandle.prototype.getFile;
      FileSystemFileHandle.prototype.getFile = async function () {
        await new Promise((go) => (window.goOn = go));
        return read.call(this);
      };
    });
    await press(page, "Control+s");
    await page.waitForFunction(() => window.goOn);
    await command(page, "New design");
    await page.locator(".file-state").waitFor({ state: "detached" });
    await page.evaluate(() => window.goOn());
    await page.locator(".notices", { hasText: `“${FILE}” was not saved: another design was opened.` }).waitFor();
    await page.reload();
    assert.equal(await fileText(page), before);
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

/** Drops a file on the page, of which the browser says this handle. */
const drop = (page, name, text, hasHandle) =>
  page.evaluate(
    ({ name, text, hasHandle }) => {
      DataTransferItem.prototype.getAsFileSystemHandle = async () => (hasHandle ? (await navigator.storage.getDirectory()).getFileHandle(name) : null);
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], name));
      const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector(".canvas").dispatchEvent(event);
      return event.defaultPrevented;
    },
    { name, text, hasHandle },
  );

test("a dropped file is linked to its place on the disk, where the browser says it", async () => {
  const { page, complaints, close } = await app.open({ files: true, init: dialogs });
  try {
    await page.locator(".canvas").waitFor();
    await writeFile(page, pattern);
    assert.equal(await drop(page, FILE, pattern, true), true);
    await page.locator(".file-state", { hasText: FILE }).waitFor();
    await addEntity(page, "Dropped");
    await press(page, "Control+s");
    await page.locator(".notices", { hasText: `Saved to “${FILE}”.` }).waitFor();
    assert.ok((await fileText(page)).includes('"Dropped"'));
    // Dropped again, it is the same design.
    const before = (await storedDesigns(page)).length;
    await command(page, "New design");
    await page.locator(".file-state").waitFor({ state: "detached" });
    await drop(page, FILE, pattern, true);
    await page.locator(".entity-card", { hasText: "Dropped" }).waitFor();
    assert.ok((await storedDesigns(page)).length <= before + 1);
    // Without a handle it opens as a design without a file.
    await drop(page, "other.keyfold.json", pattern, false);
    await page.locator(".file-state").waitFor({ state: "detached" });
    await page.locator(".entity-card").first().waitFor();
    assert.ok(!(await names(page)).includes("Dropped"));
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a file that may not be read, or is gone, is said when it is saved; a granted question reads it", async () => {
  const { page, complaints, close } = await opened();
  try {
    // After a reload the browser asks again.
    await page.evaluate(() => localStorage.setItem("answer", "prompt"));
    await page.addInitScript(() => {
      FileSystemHandle.prototype.queryPermission = async () => localStorage.getItem("answer");
      FileSystemHandle.prototype.requestPermission = async () => (localStorage.getItem("asked") === "yes" ? "granted" : "denied");
    });
    await page.reload();
    await page.locator(".file-state", { hasText: FILE }).waitFor();
    const [first] = await names(page);
    // Nothing is asked without a gesture, so that what another program wrote is not seen yet.
    await writeFile(page, withRenamed(pattern, first, "Unseen"));
    await comeBack(page);
    await settled(page);
    assert.ok((await names(page)).includes(first));
    await press(page, "Control+s");
    await page.locator(".notices", { hasText: `“${FILE}” was not saved: the browser does not allow Keyfold to read it.` }).waitFor();
    assert.ok((await fileText(page)).includes('"Unseen"'));
    await page.evaluate(() => localStorage.setItem("asked", "yes"));
    await press(page, "Control+s");
    await page.getByRole("dialog", { name: /Merge/ }).waitFor();
    await press(page, "Escape");
    // The file is gone: saving says so, and the design is still in the browser.
    await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry("orders.keyfold.json"));
    await comeBack(page);
    await addEntity(page, "Kept");
    await press(page, "Control+s");
    await page.locator(".notices", { hasText: "Use “Save as Keyfold file”." }).waitFor();
    await page.reload();
    await page.locator(".entity-card", { hasText: "Kept" }).waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("files that the system gives the installed app open with their place on the disk", async () => {
  const launch = () => {
    const match = window.matchMedia.bind(window);
    window.matchMedia = (query) => (query === "(display-mode: standalone)" ? match("all") : match(query));
    Object.defineProperty(window, "launchQueue", { value: { setConsumer: (consumer) => (window.launched = consumer) } });
  };
  const { page, context, complaints, close } = await app.open({ files: true, init: launch });
  try {
    await page.locator(".canvas").waitFor();
    await writeFile(page, pattern);
    await page.waitForFunction(() => window.launched);
    await page.evaluate(async () => window.launched({ files: [await (await navigator.storage.getDirectory()).getFileHandle("orders.keyfold.json")] }));
    await page.locator(".file-state", { hasText: FILE }).waitFor();
    await page.locator(".entity-card").first().waitFor();
    // Started without a file, it opens what was open last.
    await page.evaluate(() => window.launched({ files: [] }));
    await settled(page);
    assert.equal(await page.locator(".file-state").innerText(), FILE);

    const session = await context.newCDPSession(page);
    const { url, errors, data } = await session.send("Page.getAppManifest");
    assert.deepEqual(errors, []);
    const manifest = JSON.parse(data);
    const root = new URL(".", page.url()).href;
    assert.equal(new URL(manifest.start_url, url).href, root);
    assert.equal(new URL(manifest.scope, url).href, root);
    // Without an id the address of the start is the id: two Keyfolds under different paths are two apps.
    assert.equal(manifest.id, undefined);
    const { appId } = await session.send("Page.getAppId");
    assert.equal(appId, root);
    const [handler] = manifest.file_handlers;
    assert.equal(new URL(handler.action, url).href, root);
    assert.deepEqual(Object.values(handler.accept).flat(), [".keyfold.json", ".keyfold"]);
    for (const { src, sizes } of manifest.icons) {
      const size = await page.evaluate(async (src) => {
        const picture = new Image();
        picture.src = src;
        await picture.decode();
        return [picture.naturalWidth, picture.naturalHeight].join("x");
      }, new URL(src, url).href);
      if (sizes !== "any") assert.equal(size, sizes, src);
    }
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

/** Saves, and waits until the file has this text. */
async function save(page, text) {
  await press(page, "Control+s");
  await page.locator(".notices", { hasText: `Saved to “${SMALL}”.` }).waitFor();
  await hasText(page, SMALL, text);
}

test("a file in the language is saved byte for byte, also after a reload, and an edit changes only its lines", async () => {
  const { page, complaints, close } = await openedText();
  try {
    await save(page, small);
    await page.reload();
    await page.locator(".file-state", { hasText: SMALL }).waitFor();
    await settled(page);
    assert.equal(await page.locator(".file-state").innerText(), SMALL);
    await save(page, small);
    await page.reload();
    await page.locator(".file-state", { hasText: SMALL }).waitFor();
    await page.getByLabel("Design name").fill("Renamed");
    await press(page, "Enter");
    await isStored(page);
    await save(page, small.replace("design Small", "design Renamed"));
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
    await page.locator(".notices", { hasText: "changed on disk. The design now has this change." }).waitFor();
    await save(page, commented);

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
    await hasText(page, SMALL, again.replace("design Small", "design Mine"));
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
    await save(page, renamed);
    await page.locator(".canvas").focus();
    await press(page, "Control+z");
    await page.locator(".entity-card .card-name", { hasText: /^Thing$/ }).waitFor();
    await save(page, both);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("where both sides changed the same, each conflict takes the side that was chosen", async () => {
  const pattern = await readFile(new URL("../../crates/core/src/library/patterns/saas-multi-tenant.json", import.meta.url), "utf8");
  const { page, complaints, close } = await opened(pattern);
  try {
    const [first, second] = await names(page);
    const rename = async (before, after) => {
      await page.locator(".rail .outline-row", { hasText: before }).first().click();
      await settled(page);
      await page.locator(".inspector[aria-busy=false] input").first().fill(after);
      await press(page, "Enter");
      await page.locator(".entity-card", { hasText: after }).waitFor();
    };
    await rename(first, "OursFirst");
    await rename(second, "OursSecond");
    await writeFile(page, withRenamed(withRenamed(pattern, first, "TheirsFirst"), second, "TheirsSecond"));
    await comeBack(page);
    await page.locator(".notices").getByRole("button", { name: "Merge…" }).click();
    const merge = page.getByRole("dialog", { name: "Merge changes", exact: true });
    await merge.getByRole("status").filter({ hasText: "2 conflicts: choose a side for each." }).waitFor();
    const conflict = (name) => merge.locator("fieldset", { hasText: name });
    const side = (name, whose) => conflict(name).getByRole("radio", { name: new RegExp(`^${whose}: `) });
    // Without a choice the open design's edit is taken.
    for (const name of ["OursFirst", "OursSecond"]) assert.equal(await side(name, "The open design").isChecked(), true);
    await side("OursSecond", FILE).check();
    assert.equal(await side("OursFirst", "The open design").isChecked(), true);
    assert.equal(await side("OursSecond", "The open design").isChecked(), false);
    // All of one side, and one of the other again.
    await merge.getByRole("button", { name: new RegExp(`^Take .*${FILE}.* in all conflicts$`) }).click();
    assert.equal(await side("OursFirst", FILE).isChecked(), true);
    await side("OursFirst", "The open design").check();
    await merge.getByText("TheirsSecond").first().waitFor();
    await merge.getByRole("button", { name: "Merge with 2 conflicts resolved" }).click();
    await merge.waitFor({ state: "hidden" });
    const merged = await names(page);
    assert.ok(merged.includes("OursFirst") && merged.includes("TheirsSecond"), `${merged}`);
    await press(page, "Control+s");
    await page.locator(".notices", { hasText: `Saved to “${FILE}”.` }).waitFor();
    const text = await fileText(page);
    assert.ok(text.includes('"OursFirst"') && text.includes('"TheirsSecond"') && !text.includes('"TheirsFirst"') && !text.includes('"OursSecond"'));
    // The merge is one step of undo.
    await page.locator(".canvas").focus();
    await press(page, "Control+z");
    await page.locator(".entity-card", { hasText: "OursSecond" }).waitFor();
    assert.ok((await names(page)).includes("OursFirst"));
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
