// Designs of files of other tools: what the dialog finds, and what becomes of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { start } from "./app.mjs";

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
    assert.equal(await page.locator(".canvas [data-card^=e]").count(), entities);
    await page.locator(".notices").getByRole("button", { name: "Undo" }).first().click();
    await page.waitForFunction((name) => document.querySelector("[aria-label='Design name']")?.value === name, before);
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
      ["BUY#{orderId}", /none of the 33 items of Purchase: it gives `BUY#o7` for `ORDER#o7`/],
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
    await entity(page, "Profile").getByLabel("Split Profile").selectOption({ label: "by what the keys show" });
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

test("files with several tables: the chosen ones become designs", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".welcome").waitFor();
    const table = (name) =>
      JSON.stringify({
        TableName: name,
        AttributeDefinitions: [{ AttributeName: "PK", AttributeType: "S" }],
        KeySchema: [{ AttributeName: "PK", KeyType: "HASH" }],
        BillingMode: "PAY_PER_REQUEST",
      });
    await drop(page, { "orders.json": table("orders"), "users.json": table("users"), "logs.json": table("logs") });
    const tables = dialog(page).locator(".import-table");
    await tables.nth(2).waitFor();
    await dialog(page).getByRole("checkbox", { name: "users" }).uncheck();
    await dialog(page).getByRole("button", { name: "Open 2 new designs" }).click();
    await page.locator(".notices", { hasText: "Imported “logs” as a new design" }).waitFor();
    assert.equal(await page.locator(".notices", { hasText: "Imported “users”" }).count(), 0);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
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
