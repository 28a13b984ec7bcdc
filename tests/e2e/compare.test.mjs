// Two designs compared: stored ones, files, texts; the list, the effects, the picture, and what is taken along.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { start } from "./app.mjs";
import { openPattern, press, settled } from "./gestures.mjs";
import { isStored, storedDesigns } from "./storage.mjs";

const app = await start();
test.after(() => app.close());

const example = readFileSync(new URL("../../crates/app/src/text/example.keyfold", import.meta.url), "utf8");
const dialog = (page) => page.getByRole("dialog", { name: "Compare designs", exact: true });
const side = (page, name) => dialog(page).getByRole("group", { name, exact: true });
const choice = (page, name) => side(page, name).getByLabel(name, { exact: true });
const status = (page) => dialog(page).locator(".compare-bar [role=status]");
const found = (page) => dialog(page).getByRole("region", { name: "Differences", exact: true });
const file = (name, text) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });

/** Chooses a command, a part of the design or a place by the command palette. */
async function command(page, name) {
  await press(page, "Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill(name);
  await settled(page);
  await press(page, "Enter");
  await settled(page);
}

/** Waits until the effects are known. */
const compared = (page) => status(page).filter({ hasText: /^(\d+ differences?|The designs are equal)\.$/ }).waitFor();

/** Opens a design and a changed copy of it: another sort key of User, a new entity. */
async function changedCopy(page) {
  await page.locator(".canvas").waitFor();
  await openPattern(page, "saas-multi-tenant");
  await page.getByLabel("Design name").fill("Old");
  await settled(page);
  await isStored(page);
  await command(page, "Show all designs");
  await page.getByRole("button", { name: "Duplicate Old", exact: true }).click();
  await page.waitForFunction(() => document.querySelector("[aria-label='Design name']")?.value === "Old 2");
  await command(page, "User");
  await command(page, "Go to inspector");
  await page.getByRole("combobox", { name: /^Table sort key/ }).fill("MEMBER#{userId}");
  await page.keyboard.press("Tab");
  await page.locator(".canvas").focus();
  await press(page, "e");
  await page.waitForFunction(() => document.activeElement?.closest(".inspector"));
  await isStored(page);
}

test("a design is compared with an earlier one: words, effects, picture, files", async () => {
  const { page, complaints, close } = await app.open({ clipboard: true });
  try {
    await changedCopy(page);
    await page.locator("summary[title='Designs and files']").click();
    await page.getByRole("button", { name: "Compare designs…" }).click();
    // The open design and the one that was changed last before it.
    await compared(page);
    assert.equal(await choice(page, "Before").locator("option:checked").innerText(), "Old");
    assert.match(await choice(page, "After").locator("option:checked").innerText(), /The open design, “Old 2”/);
    const text = await found(page).innerText();
    assert.match(text, /Changes\s+Design[\s\S]*Entities/);
    assert.match(text, /User: sort key template changed from .* to MEMBER#\{userId\}; \d+ items get a different key/);
    const user = found(page).locator("li.changed", { hasText: "User: sort key template" });
    assert.equal(await user.locator(".compare-sign").innerText(), "~");
    assert.ok((await found(page).locator("li.added .compare-sign", { hasText: "+" }).count()) > 0);
    assert.match(text, /Effects[\s\S]*Deployment/);

    const picture = dialog(page).getByRole("region", { name: "Picture of the differences" });
    await picture.locator("img[src]").first().waitFor();
    assert.ok(await picture.locator("img").first().evaluate(async (img) => (await img.decode(), img.naturalWidth > 100)));
    const before = await picture.locator("img").first().evaluate((img) => img.width);
    await dialog(page).getByRole("button", { name: "Full size" }).click();
    const [after, natural] = await picture.locator("img").first().evaluate((img) => [img.width, img.naturalWidth]);
    assert.equal(after, natural);
    assert.ok(after > before || before === natural);

    await dialog(page).getByRole("button", { name: "Copy as Markdown" }).click();
    await dialog(page).getByText("Copied").waitFor();
    const markdown = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(markdown, /^### /);
    assert.match(markdown, /- changed: User: sort key template changed from `.*` to `MEMBER#\{userId\}`/);
    const saved = page.waitForEvent("download");
    await dialog(page).getByRole("button", { name: "Download SVG" }).click();
    const download = await saved;
    assert.equal(download.suggestedFilename().endsWith(".svg"), true);
    const svg = await readFile(await download.path(), "utf8");
    assert.match(svg, />\+ added<\/text>/);
    assert.match(svg, />~ changed<\/text>/);
    // The wire whose template differs is marked too.
    assert.match(svg, /<title>User, [^<]*: changed<\/title>/);

    // The other way round.
    await choice(page, "After").selectOption({ label: "Old" });
    await choice(page, "Before").selectOption({ index: 0 });
    await compared(page);
    assert.ok((await found(page).locator("li.removed .compare-sign", { hasText: "-" }).count()) > 0);
    // A design and itself.
    await choice(page, "Before").selectOption({ label: "Old" });
    await status(page).filter({ hasText: "The designs are equal." }).waitFor();
    assert.equal(await found(page).count(), 0);
    await press(page, "Escape");
    await dialog(page).waitFor({ state: "hidden" });
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "BODY");
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("the list of designs compares each with the open one; the dialog is used by keyboard", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await changedCopy(page);
    await openPattern(page, "blog");
    await page.getByLabel("Design name").fill("Blog");
    await settled(page);
    await command(page, "Show all designs");
    await page.locator(".design").first().waitFor();
    assert.equal(await page.getByRole("button", { name: "Compare Blog with the open design" }).count(), 0);
    await page.getByRole("button", { name: "Compare Old with the open design" }).focus();
    await press(page, "Enter");
    await compared(page);
    assert.equal(await choice(page, "Before").locator("option:checked").innerText(), "Old");
    await page.waitForFunction(() => document.activeElement?.closest(".compare-side[aria-label=Before]"));
    const reached = [];
    for (let steps = 0; steps < 8; steps += 1) {
      await page.keyboard.press("Tab");
      reached.push(await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim()));
    }
    for (const name of ["Copy as Markdown", "Download SVG", "Full size", "Picture of the differences"]) assert.ok(reached.includes(name), `${name}: ${reached}`);
    await press(page, "Escape");
    await dialog(page).waitFor({ state: "hidden" });
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "BODY");
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("files and texts are compared; what cannot be read is named and changes nothing", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await changedCopy(page);
    const [old] = (await storedDesigns(page)).filter(({ name }) => name === "Old");
    await command(page, "Compare designs");
    await compared(page);
    await choice(page, "Before").selectOption({ label: "A file or a text" });
    await status(page).filter({ hasText: "Choose two designs." }).waitFor();

    const refusal = side(page, "Before").getByRole("alert");
    const picker = side(page, "Before").getByLabel("File before");
    await picker.setInputFiles(file("cut.keyfold.json", old.text.slice(0, 200)));
    await refusal.filter({ hasText: /^Before: cut\.keyfold\.json cannot be read: line \d+, column \d+/ }).waitFor();
    await picker.setInputFiles(file("package.json", '{"name": "x"}'));
    await refusal.filter({ hasText: /^Before: package\.json cannot be read: this is not a Keyfold design/ }).waitFor();
    await side(page, "Before").getByLabel("Text before").fill("entity User {\n");
    await side(page, "Before").getByRole("button", { name: "Read text" }).click();
    await refusal.filter({ hasText: /^Before: the pasted text cannot be read: line \d+, column \d+/ }).waitFor();
    assert.equal(await found(page).count(), 0);

    // Names and descriptions of a file are text, whatever they contain.
    const hostile = JSON.stringify({ ...JSON.parse(old.text), description: "<img src=x onerror=alert(1)>" });
    await picker.setInputFiles(file("old.keyfold.json", hostile));
    await compared(page);
    assert.equal(await refusal.innerText(), "");
    assert.match(await found(page).innerText(), /description .*<img src=x onerror=alert\(1\)>/);
    assert.equal(await found(page).locator("img").count(), 0);

    // What follows is refused, and the last comparison stays.
    const shown = await found(page).innerText();
    await picker.setInputFiles(file("empty.json", ""));
    await refusal.filter({ hasText: "the file is empty" }).waitFor();
    assert.equal(await found(page).innerText(), shown);

    // A text has no ids: parts are known by their names.
    await side(page, "Before").getByLabel("Text before").fill(example);
    await side(page, "Before").getByRole("button", { name: "Read text" }).click();
    await compared(page);
    await side(page, "After").evaluate((side, text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "shop.keyfold"));
      for (const kind of ["dragover", "drop"]) side.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    }, example.replace("email?   email", "mail?    email"));
    await side(page, "After").getByText("Read: shop.keyfold").waitFor();
    await compared(page);
    assert.match(await found(page).innerText(), /User, attribute mail: /);
    const name = await page.getByLabel("Design name").inputValue();
    assert.equal(name, "Old 2", "the dropped file did not open as a design");
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("on a phone the dialog fits, and nothing in it is cut off", async () => {
  const { page, complaints, close } = await app.open({ size: [390, 844], touch: true });
  try {
    await page.locator(".canvas").waitFor();
    await openPattern(page, "saas-multi-tenant");
    await command(page, "Compare designs");
    await compared(page);
    const wide = await dialog(page).evaluate((dialog) =>
      [...dialog.querySelectorAll(".compare *:not(.compare-picture *)")].filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.className || one.tagName),
    );
    assert.deepEqual(wide, []);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
