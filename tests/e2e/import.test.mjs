// Designs of files of other tools: what the dialog finds, and what becomes of it.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { start } from "./app.mjs";
import { watch } from "./freezes.mjs";
import { openPattern, searchCommands } from "./gestures.mjs";

// Milliseconds of a task of the page while files are read, and of one that opens a design; the size of the files.
const SHORT = Number(process.env.SHORT ?? 50);
const LIMIT = Number(process.env.LIMIT ?? 200);
// A design with so many samples is stored as one text, in one task.
const WHOLE = Number(process.env.WHOLE ?? 3000);
const MEGABYTES = Number(process.env.MEGABYTES ?? 20);

const app = await start();
test.after(() => app.close());

const model = readFileSync(new URL("../../crates/import/tests/import/fixtures/nosql-workbench/aws-samples--socialnetworkschema.json", import.meta.url), "utf8");
const dialog = (page) => page.getByRole("dialog", { name: "Import", exact: true });
const designName = (page) => page.getByLabel("Design name").inputValue();

/** Drops files on the canvas. */
const drop = (page, files) =>
  page.evaluate((files) => {
    const data = new DataTransfer();
    for (const [name, text] of Object.entries(files)) data.items.add(new File([text], name));
    for (const kind of ["dragover", "drop"]) {
      const event = new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
      document.querySelector(".canvas").dispatchEvent(event);
    }
  }, files);

/** Opens the dialog by the command palette. */
async function openDialog(page) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("Import files of other tools");
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("button", { name: "Choose files…" }).waitFor();
}

/** An entity that was found. */
const entity = (page, name) => dialog(page).locator(`[data-import="${name}"]`);

const items = (count) =>
  Array.from({ length: count }, (_, at) => ({
    PK: { S: `USER#u${at % 7}` },
    SK: { S: at < 7 ? "PROFILE" : `ORDER#o${at}` },
    userId: { S: `u${at % 7}` },
    ...(at < 7 ? { email: { S: `u${at}@example.com` } } : { orderId: { S: `o${at}` }, total: { N: String(at) } }),
  }));

test("a NoSQL Workbench file is dropped, reviewed, opened and taken back", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".welcome").waitFor();
    await drop(page, { "social.json": model });
    const found = dialog(page).getByRole("region", { name: "What was found" });
    await found.waitFor();
    assert.match(await found.innerText(), /NoSQL Workbench/);
    const entities = await found.locator("[data-import]").count();
    assert.ok(entities > 0);
    const before = await designName(page);
    await page.keyboard.press("Enter");
    await page.locator(".notices", { hasText: "as a new design" }).waitFor();
    assert.notEqual(await designName(page), before);
    // Not all cards are there in the first frame.
    await page.waitForFunction((count) => document.querySelectorAll(".canvas [data-card^=e]").length === count, entities);
    await page.locator(".notices").getByRole("button", { name: "Undo" }).first().click();
    await page.waitForFunction((name) => document.querySelector("[aria-label='Design name']")?.value === name, before);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("the review stays with its edits if a design cannot be made", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".welcome").getByRole("button", { name: /^Import/ }).click();
    await dialog(page).getByLabel("Text to import").fill(JSON.stringify({ Items: items(40), Count: 40 }));
    await dialog(page).getByRole("button", { name: "Read text" }).click();
    await entity(page, "Order").getByLabel("Name of Order").fill("Purchase");
    await page.keyboard.press("Tab");
    await entity(page, "Purchase").waitFor();
    await page.evaluate(() => {
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message, ...rest) {
        if (message.call !== "design") return post.call(this, message, ...rest);
        Worker.prototype.postMessage = post;
        this.onmessage({ data: { id: message.id, refused: "no room" } });
      };
    });
    const open = dialog(page).getByRole("button", { name: "Open as new design" });
    await open.click();
    await dialog(page).getByRole("status").filter({ hasText: "is not imported: no room." }).waitFor();
    await entity(page, "Purchase").waitFor();
    await open.click();
    await page.locator(".entity-card", { hasText: "Purchase" }).waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("the output of a scan is pasted: entities and templates are found in its items", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".welcome").getByRole("button", { name: /^Import/ }).click();
    await dialog(page).getByLabel("Text to import").fill(JSON.stringify({ Items: items(40), Count: 40 }));
    await dialog(page).getByRole("button", { name: "Read text" }).click();
    const found = dialog(page).getByRole("region", { name: "What was found" });
    await found.waitFor();
    const orders = entity(page, "Order");
    assert.equal(await orders.getByLabel("Template of PK").inputValue(), "USER#{userId}");
    assert.equal(await orders.getByLabel("Template of SK").inputValue(), "ORDER#{orderId}");
    assert.match(await orders.innerText(), /33 items, all explained by the templates/);
    await dialog(page).getByRole("button", { name: "Open as new design" }).click();
    await page.locator(".canvas [data-card^=e]").nth(1).waitFor();
    assert.equal(await page.locator(".canvas [data-card^=e]").count(), 2);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("items and files are pasted on the canvas; items may join the open design", async () => {
  const { page, complaints, close } = await app.open({ clipboard: true });
  const paste = async (text) => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await page.keyboard.press("Control+v");
  };
  const rows = () => page.locator("[data-grid] .grid-body [data-sample]").count();
  try {
    await page.locator(".welcome").waitFor();
    await paste(JSON.stringify({ Items: items(9), Count: 9 }));
    await entity(page, "Order").waitFor();
    // Nothing is open that the items could join.
    const add = dialog(page).getByRole("button", { name: "Add items to open design…" });
    assert.equal(await add.count(), 0);
    await dialog(page).getByRole("button", { name: "Open as new design" }).click();
    await page.locator(".canvas [data-card^=e]").nth(1).waitFor();
    await page.waitForFunction(() => document.querySelectorAll("[data-grid] .grid-body [data-sample]").length === 9);
    const design = await designName(page);
    await page.locator(".canvas").focus();
    await paste(items(12).slice(9).map((item) => JSON.stringify({ Item: item })).join("\n"));
    await add.click();
    const samples = page.getByRole("dialog", { name: "Import samples" });
    await samples.getByRole("button", { name: "Import 3 samples" }).click();
    await samples.waitFor({ state: "hidden" });
    await page.waitForFunction(() => document.querySelectorAll("[data-grid] .grid-body [data-sample]").length === 12);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll("[data-grid] .grid-body [data-sample]").length === 9);
    assert.equal(await designName(page), design);
    // A line of prose is no file.
    await page.locator(".canvas").focus();
    await paste("what is this?");
    await page.locator(".notices", { hasText: "Nothing was pasted" }).waitFor();
    assert.equal(await rows(), 9);
    // A copied file.
    await page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([text], "social.json"));
      document.querySelector(".canvas").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, model);
    await dialog(page).getByRole("region", { name: "What was found" }).waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("what was found is changed before it is opened: names, templates, merges and splits", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".welcome").waitFor();
    await drop(page, { "scan.json": JSON.stringify({ Items: items(40), Count: 40 }) });
    await entity(page, "Order").waitFor();
    const undo = dialog(page).getByRole("button", { name: "Undo change" });
    assert.ok(await undo.isDisabled());
    // A name that is taken is refused, and stays to be mended.
    const name = entity(page, "Order").getByLabel("Name of Order");
    await name.fill("Profile");
    await name.press("Tab");
    await entity(page, "Order").getByRole("alert").waitFor();
    await name.fill("Purchase");
    await name.press("Tab");
    await entity(page, "Purchase").waitFor();
    assert.equal(await dialog(page).getByRole("alert").count(), 0);
    // A template that no item has, and one that is none, are refused.
    const template = entity(page, "Purchase").getByLabel("Template of SK");
    const alert = entity(page, "Purchase").getByRole("alert");
    for (const [text, why] of [
      ["BUY#{orderId}", /none of the 33 items of Purchase gets its key: it gives `BUY#o7` for `ORDER#o7`/],
      ["ORDER#{", /Not changed/],
    ]) {
      await template.fill(text);
      await template.press("Tab");
      await page.waitForFunction((why) => new RegExp(why).test(document.querySelector("[data-import=Purchase] [role=alert]")?.innerText ?? ""), why.source);
    }
    await template.fill("ORDER#{orderId:lower}");
    await template.press("Tab");
    await alert.waitFor({ state: "detached" });
    assert.match(await entity(page, "Purchase").innerText(), /33 items/);
    await undo.click();
    await page.waitForFunction(() => document.querySelector("[data-import=Purchase] [aria-label='Template of SK']").value === "ORDER#{orderId}");
    for (const name of ["Profile", "Purchase"]) await entity(page, name).getByLabel(`Select ${name} to merge it`).check();
    await dialog(page).getByRole("button", { name: "Merge 2 entities" }).click();
    await entity(page, "Purchase").waitFor({ state: "detached" });
    assert.match(await entity(page, "Profile").innerText(), /40 items/);
    await entity(page, "Profile").getByLabel("Split Profile").selectOption({ label: "by key structure" });
    await page.waitForFunction(() => document.querySelectorAll("[data-import]").length === 2);
    await undo.click();
    await undo.click();
    await entity(page, "Purchase").waitFor();
    await dialog(page).getByRole("button", { name: "Open as new design" }).click();
    await page.locator(".canvas [data-card^=e]").nth(1).waitFor();
    const names = await page.locator(".canvas [data-card^=e] .card-name").allTextContents();
    assert.deepEqual(names.sort(), ["Profile", "Purchase"]);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

/** A definition of a table. */
const table = (name) =>
  JSON.stringify({
    TableName: name,
    AttributeDefinitions: [{ AttributeName: "PK", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "PK", KeyType: "HASH" }],
    BillingMode: "PAY_PER_REQUEST",
  });

/** Opens the list of all designs: the names of the designs in a folder. */
async function inFolder(page, folder) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("Show all designs");
  await page.keyboard.press("Enter");
  await page.locator(".design").first().waitFor();
  const folders = page.locator(".design [aria-label^='Folder of']");
  const names = [];
  for (const field of await folders.all()) {
    if ((await field.inputValue()) === folder) names.push((await field.getAttribute("aria-label")).replace("Folder of ", ""));
  }
  await page.keyboard.press("Escape");
  return names.sort();
}

test("the chosen tables of several files become designs of one folder, and are taken back together", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".welcome").waitFor();
    const before = await designName(page);
    await drop(page, { "orders.json": table("orders"), "users.json": table("users"), "logs.json": table("logs") });
    const tables = dialog(page).locator(".import-table");
    await tables.nth(2).waitFor();
    await dialog(page).getByRole("checkbox", { name: "users" }).uncheck();
    await dialog(page).getByRole("button", { name: "Open 2 new designs" }).click();
    const notice = page.locator(".notices", { hasText: "Imported 2 tables as new designs in the folder “orders”." });
    await notice.waitFor();
    assert.equal(await designName(page), "orders");
    assert.deepEqual(await inFolder(page, "orders"), ["logs", "orders"]);
    await notice.getByRole("button", { name: "Undo" }).first().click();
    await page.locator(".notices", { hasText: "Deleted 2 designs." }).waitFor();
    await page.waitForFunction((name) => document.querySelector("[aria-label='Design name']")?.value === name, before);
    assert.deepEqual(await inFolder(page, "orders"), []);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("the folder of the tables of a NoSQL Workbench model has the name of the model", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".welcome").waitFor();
    const part = (name) => ({
      TableName: name,
      KeyAttributes: { PartitionKey: { AttributeName: "id", AttributeType: "S" } },
      TableData: [{ id: { S: "1" } }, { id: { S: "2" } }],
    });
    await drop(page, { "file.json": JSON.stringify({ ModelName: "Two tables", DataModel: [part("first"), part("second")] }) });
    await dialog(page).getByRole("button", { name: "Open 2 new designs" }).click();
    await page.locator(".notices", { hasText: "in the folder “Two tables”." }).waitFor();
    assert.deepEqual(await inFolder(page, "Two tables"), ["first", "second"]);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a CSV file is reviewed, and its rows join the open design with the types of its attributes", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".welcome").waitFor();
    await openPattern(page, "e-commerce");
    const design = await designName(page);
    const count = () => page.evaluate(() => document.querySelectorAll("[data-grid] .grid-body [data-sample]").length);
    // Without the design, the ids would be numbers.
    await drop(page, { "products.csv": "PK,SK,productId,name\nPRODUCT#901,PRODUCT#901,901,Lamp\n" });
    await dialog(page).getByRole("region", { name: "What was found" }).waitFor();
    await dialog(page).getByRole("button", { name: "Add items to open design…" }).click();
    const samples = page.getByRole("dialog", { name: "Import samples" });
    await samples.getByText("products.csv").first().waitFor();
    await samples.getByRole("button", { name: /^Import 1 sample/ }).click();
    await samples.waitFor({ state: "hidden" });
    assert.ok((await count()) > 0);
    assert.equal(await designName(page), design);
    // Rows without keys make no design, but may join one.
    await drop(page, { "rows.csv": "name,price\nLamp,1\nLamp,1\n" });
    await dialog(page).getByRole("alert").waitFor();
    await dialog(page).getByRole("button", { name: "Add items to open design…" }).click();
    await samples.getByLabel("Entity").selectOption({ label: "Product" });
    await samples.getByRole("button", { name: "Import 2 samples" }).waitFor();
    await page.keyboard.press("Escape");
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a long text of samples is read by the worker, and a short one by the page", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".welcome").waitFor();
    await openPattern(page, "e-commerce");
    await searchCommands(page, "Import samples");
    await page.keyboard.press("Enter");
    const samples = page.getByRole("dialog", { name: "Import samples" });
    const text = samples.getByLabel("Sample text");
    const rows = Array.from({ length: 8000 }, (_, at) => `${at},Lamp ${at}`);
    await page.evaluate(() => {
      const post = Worker.prototype.postMessage;
      window.calls = [];
      Worker.prototype.postMessage = function (message, ...rest) {
        window.calls.push(message.call);
        return post.call(this, message, ...rest);
      };
    });
    await samples.getByLabel("Entity").selectOption({ label: "Product" });
    // As pasted: playwright's `fill` takes many seconds for so many lines.
    await text.evaluate((field, value) => {
      field.value = value;
      field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
    }, `productId,name\n${rows.join("\n")}`);
    await samples.getByText("Reading the text…").waitFor();
    await samples.getByRole("button", { name: "Import 8000 samples" }).waitFor();
    assert.ok((await text.inputValue()).endsWith("Lamp 7999"));
    assert.ok((await page.evaluate(() => window.calls)).includes("place"));
    // A short text in its place is read by the page.
    await page.evaluate(() => void (window.calls = []));
    await text.fill("productId,name\n1,Lamp");
    await samples.getByRole("button", { name: "Import 1 sample" }).waitFor();
    assert.deepEqual(await page.evaluate(() => window.calls), []);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a file that is too large is refused before it is read", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".welcome").waitFor();
    const large = (names, megabytes) =>
      page.evaluate(
        ([names, megabytes]) => {
          const data = new DataTransfer();
          const blob = new Blob([new Uint8Array(1 << 20)]);
          for (const name of names) data.items.add(new File(Array(megabytes).fill(blob), name));
          document.querySelector(".canvas").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        [names, megabytes],
      );
    const alert = dialog(page).getByRole("alert");
    await large(["items.json"], 200);
    await alert.waitFor();
    assert.match(await alert.innerText(), /“items\.json”: the file has more than 64 MB, the most that an import reads/);
    await page.keyboard.press("Escape");
    await large(["a.json", "b.json"], 40);
    await alert.waitFor();
    assert.match(await alert.innerText(), /the files have more than 64 MB together/);
    await page.keyboard.press("Escape");
    await large(["mine.keyfold.json"], 200);
    await page.locator(".notices", { hasText: "“mine.keyfold.json” was not opened: the file has more than 64 MB" }).waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

/** Items of so many MEGABYTES, as lines of a table export or as CSV. */
function large(kind) {
  const rows = [];
  const header = "PK,SK,userId,orderId,total,note\n";
  let size = 0;
  for (let at = 0; size < MEGABYTES << 20; at++) {
    const [user, order] = [`u${at % 997}`, `o${at}`];
    const note = `order ${at} `.repeat(8);
    const row =
      kind === "csv"
        ? `USER#${user},ORDER#${order},${user},${order},${at},${note}`
        : JSON.stringify({
            Item: { PK: { S: `USER#${user}` }, SK: { S: `ORDER#${order}` }, userId: { S: user }, orderId: { S: order }, total: { N: String(at) }, note: { S: note } },
          });
    rows.push(row);
    size += row.length + 1;
  }
  return (kind === "csv" ? header : "") + rows.join("\n") + "\n";
}

test("large files are read, reviewed and opened, and no task of the page is long", async () => {
  const folder = mkdtempSync(join(tmpdir(), "keyfold-import-"));
  writeFileSync(join(folder, "orders.json"), large("json"));
  writeFileSync(join(folder, "orders.csv"), large("csv"));
  const { page, complaints, close } = await app.open();
  const watched = await watch(page);
  /** What a person does must not hold the page up, what follows from it included. */
  const step = async (name, most, act) => {
    const tasks = await watched.during(async () => {
      await act();
      await page.waitForTimeout(1500);
    });
    const shown = tasks.slice(0, 3).map((task) => task.toFixed(1));
    if (process.env.REPORT === "1") console.log(`${name.padEnd(44)} ${shown.join("  ")} ms`);
    assert.ok(tasks[0] <= most, `${name}: a task of ${shown[0]} ms of processor time`);
  };
  try {
    await page.locator(".welcome").waitFor();
    // The page loads its parts ahead, the language last.
    await page.waitForFunction(() => performance.getEntriesByType("resource").some((entry) => /language-\w+\.wasm$/.test(entry.name)));
    await page.waitForTimeout(500);
    await openDialog(page);
    // Files on the disk: the page would decode others in a task of its own.
    const choose = (name) => dialog(page).locator("input[type=file]").setInputFiles(join(folder, name));
    const found = dialog(page).getByRole("region", { name: "What was found" });
    const samples = page.getByRole("dialog", { name: "Import samples" });
    await step("read", SHORT, async () => {
      await choose("orders.json");
      await found.waitFor({ timeout: 120_000 });
    });
    await step("open with the first samples", LIMIT, async () => {
      await dialog(page).getByRole("button", { name: "Open as new design" }).click();
      await page.locator(".canvas [data-card^=e]").first().waitFor();
    });
    await openDialog(page);
    await step("read CSV", SHORT, async () => {
      await choose("orders.csv");
      await found.waitFor({ timeout: 120_000 });
    });
    await step("make samples for the open design", SHORT, async () => {
      await dialog(page).getByRole("button", { name: "Add items to open design…" }).click();
      await samples.getByRole("button", { name: /^Import \d+ samples/ }).waitFor({ timeout: 120_000 });
    });
    await step("add them", WHOLE, async () => {
      await samples.getByRole("button", { name: /^Import \d+ samples/ }).click();
      await samples.waitFor({ state: "hidden", timeout: 120_000 });
    });
    await openDialog(page);
    await choose("orders.json");
    await found.waitFor({ timeout: 120_000 });
    await step("open with all samples", WHOLE, async () => {
      await dialog(page).getByLabel(/^Samples:/).first().selectOption("true");
      await dialog(page).getByRole("button", { name: "Open as new design" }).click();
      await dialog(page).waitFor({ state: "hidden", timeout: 120_000 });
    });
    assert.deepEqual(complaints, []);
  } finally {
    await watched.close();
    await close();
    rmSync(folder, { recursive: true });
  }
});

test("a wrong file is refused with the reason, and changes nothing", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".welcome").waitFor();
    await page.keyboard.press("e");
    await page.locator(".canvas [data-card^=e]").waitFor();
    const before = await designName(page);
    for (const [files, reason] of [
      [{ "photo.png": "\u0089PNG\r\n" }, /“photo.png”: /],
      [{ "cut.json": '{"Items": [{"PK": {"S": "a"}' }, /“cut.json”: /],
      [{ "empty.json": "" }, /“empty.json”: /],
    ]) {
      await drop(page, files);
      const alert = dialog(page).getByRole("alert");
      await alert.waitFor();
      assert.match(await alert.innerText(), reason);
      assert.match(await alert.innerText(), /Nothing was changed\.$/);
      await page.keyboard.press("Escape");
      await dialog(page).waitFor({ state: "hidden" });
    }
    assert.equal(await designName(page), before);
    assert.equal(await page.locator(".canvas [data-card^=e]").count(), 1);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("reading a large file can be canceled", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".welcome").waitFor();
    await openDialog(page);
    const buffer = Buffer.from(items(60_000).map((item) => JSON.stringify({ Item: item })).join("\n"));
    await dialog(page).locator("input[type=file]").setInputFiles({ name: "large.json", mimeType: "application/json", buffer });
    await dialog(page).getByText("Reading large.json…").waitFor();
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await dialog(page).getByRole("button", { name: "Choose files…" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".welcome").waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("code that does not load is reported, and the next try reads", async () => {
  const files = "**/keyfold-import-worker*";
  const { page, complaints, close } = await app.open({ before: (page) => page.route(files, (route) => route.abort()) });
  try {
    await page.locator(".welcome").waitFor();
    await drop(page, { "social.json": model });
    await dialog(page).getByRole("alert").waitFor();
    assert.match(await dialog(page).getByRole("alert").innerText(), /did not load\. Check the connection/);
    await page.unroute(files);
    const failed = complaints.splice(0);
    assert.ok(failed.length > 0 && failed.every((text) => text.includes("keyfold-import-worker")), failed.join("\n"));
    await drop(page, { "social.json": model });
    await dialog(page).getByRole("region", { name: "What was found" }).waitFor();
  } finally {
    await close();
  }
});
