// The exported code: of a long text only the lines in sight are in the page, and all of it is copied.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { patternTests, press, settled } from "./gestures.mjs";

const onPattern = patternTests({ clipboard: true });

const code = (page) => page.locator(".code.long");
const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

/** Shows a format, and waits until it is made. */
async function show(page, format) {
  await page.getByRole("tab", { name: "Export", exact: true }).click();
  await page.locator(".code-formats [aria-pressed]", { hasText: new RegExp(`^${format}$`) }).click();
  await made(page);
}

/** Waits until the text is that of the design as it is. */
async function made(page) {
  await settled(page);
  await page.locator(".code.long:not([aria-busy=true]) > code > span").first().waitFor();
  await settled(page);
}

/** What is downloaded of the file that is shown. */
async function downloaded(page) {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download", exact: true }).click();
  return readFile(await (await download).path(), "utf8");
}

onPattern("only the visible lines of a long text are in the page, at any scroll position", async (page) => {
  await show(page, "Rust");
  const text = await downloaded(page);
  const lines = text.split("\n");
  assert.ok(lines.length > 1000, `${lines.length} lines`);
  const inPage = () => code(page).locator("code > span").allTextContents();
  const atTop = await inPage();
  assert.ok(atTop.length < 150, `${atTop.length} lines are in the page`);
  assert.equal(atTop.join(""), lines.slice(0, atTop.length).map((line) => `${line}\n`).join(""));
  // As high as all of it: so is the scroll bar.
  const height = await code(page).evaluate((code) => code.scrollHeight);
  assert.equal(height, (lines.length - 1) * 18 + 24);
  // By keys: it is a part of the page that has the focus.
  await code(page).focus();
  await press(page, "End");
  await page.waitForFunction(() => {
    const code = document.querySelector(".code.long");
    return code.scrollTop + code.clientHeight >= code.scrollHeight - 1;
  });
  await settled(page);
  const atEnd = await inPage();
  assert.ok(text.endsWith(atEnd.join("")), "the last lines are in the page");
  assert.ok(atEnd.length < 150);
  const { bottom, seen } = await code(page).evaluate((code) => {
    const last = code.querySelector("code").lastElementChild;
    return { bottom: last.getBoundingClientRect().bottom, seen: code.getBoundingClientRect().bottom };
  });
  assert.ok(bottom <= seen && bottom > seen - 40, `the last line ends at ${bottom} of ${seen}`);
  assert.equal(await code(page).getAttribute("aria-label"), "Rust");
});

onPattern("Ctrl+A copies the whole text, a selection only the selected part", async (page) => {
  await show(page, "Rust");
  const text = await downloaded(page);
  await code(page).focus();
  await press(page, "Control+a");
  await press(page, "Control+c");
  assert.equal(await clipboard(page), text);
  // A press takes the selection of everything back.
  const first = code(page).locator("code > span").first();
  await first.dblclick({ position: { x: 30, y: 5 } });
  await press(page, "Control+c");
  const some = await clipboard(page);
  assert.ok(some.length > 0 && some.length < 40 && text.includes(some.trim()), some);
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.locator(".notice", { hasText: "Copied" }).waitFor();
  assert.equal(await clipboard(page), text);
});

onPattern("a selection scrolled out of view is copied as a whole", async (page) => {
  await show(page, "Rust");
  const lines = (await downloaded(page)).split("\n");
  const box = await code(page).boundingBox();
  await page.mouse.move(box.x + 20, box.y + 14);
  await page.mouse.down();
  await page.mouse.move(box.x + 200, box.y + 40, { steps: 4 });
  for (let turn = 0; turn < 12; turn++) {
    await page.mouse.wheel(0, 300);
    await settled(page);
  }
  await page.mouse.move(box.x + 210, box.y + 60, { steps: 3 });
  await page.mouse.up();
  await press(page, "Control+c");
  const copied = (await clipboard(page)).split("\n");
  assert.ok(copied.length > 150, `${copied.length} lines`);
  assert.deepEqual(copied.slice(1, -1), lines.slice(1, copied.length - 1));
});

onPattern("the previous text stays, marked as busy, until the new one is ready", async (page) => {
  await page.locator(".outline").getByRole("button", { name: "User", exact: true }).click();
  await show(page, "Rust");
  const field = page.getByRole("combobox", { name: /^Table sort key/ });
  await field.click();
  await press(page, "Home");
  const before = await code(page).locator("code").textContent();
  await page.keyboard.type("X");
  await page.locator(".code.long[aria-busy=true]").waitFor();
  assert.equal(await code(page).locator("code").textContent(), before);
  await made(page);
  const text = await downloaded(page);
  assert.match(text, /XUSER#/);
  // What is asked for while it is busy is that of the design as it is.
  await page.keyboard.press("Control+z");
  await field.click();
  await press(page, "Home");
  await page.keyboard.type("Y");
  await page.locator(".code.long[aria-busy=true]").waitFor();
  assert.match(await downloaded(page), /YUSER#/);
});
