// The designs of this browser: what is kept, and the list of all of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./app.mjs";
import { openPattern, settled } from "./gestures.mjs";
import { isStored, storedDesigns } from "./storage.mjs";

/** The names in the list of all designs, which this opens. */
async function listed(page) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("Show all designs");
  await page.keyboard.press("Enter");
  await page.locator(".design").first().waitFor();
  await settled(page);
  return page.locator(".design strong").allTextContents();
}

const opened = (page, name) =>
  page.waitForFunction((name) => document.querySelector("[aria-label='Design name']")?.value === name, name);

test("a pattern that was not edited is not kept, an edited one is", async () => {
  const { page, complaints, close } = await open();
  try {
    await page.locator(".welcome").waitFor();
    for (let time = 0; time < 3; time++) {
      await openPattern(page, "e-commerce");
      await opened(page, "E-commerce");
    }
    // It is there after a reload.
    await page.reload();
    await opened(page, "E-commerce");
    await openPattern(page, "activity-log");
    await opened(page, "Activity log");
    await page.locator(".canvas").focus();
    await page.keyboard.press("e");
    await page.waitForFunction(() => document.activeElement?.closest(".inspector"));
    await openPattern(page, "e-commerce");
    await opened(page, "E-commerce");
    assert.deepEqual((await listed(page)).sort(), ["Activity log", "E-commerce", "Untitled"]);
    await page.locator(".design", { hasText: "Activity log" }).locator(".design-open").click();
    await opened(page, "Activity log");
    await listed(page);
    await page.locator(".design", { hasText: "E-commerce" }).waitFor({ state: "detached" });
    assert.deepEqual((await page.locator(".design strong").allTextContents()).sort(), ["Activity log", "Untitled"]);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a pattern that is saved on purpose, or is open in another tab, is kept", async () => {
  const { page, context, url, complaints, close } = await open();
  try {
    const has = async (key) => (await storedDesigns(page)).some((design) => design.key === key);
    const last = async () => (await storedDesigns(page)).at(-1).key;
    // Opens another design, and waits until that one is stored.
    const leave = async () => {
      const count = async () => (await page.evaluate(() => localStorage.getItem("keyfold:open")));
      const before = await count();
      await openPattern(page, "activity-log");
      while ((await count()) === before) await page.waitForTimeout(50);
      await isStored(page);
      await page.waitForTimeout(300);
    };
    await openPattern(page, "e-commerce");
    await opened(page, "E-commerce");
    await isStored(page);
    const saved = await last();
    await page.locator(".canvas").focus();
    await page.keyboard.press("Control+s");
    await page.locator(".notices", { hasText: "Saved in this browser." }).waitFor();
    await leave();
    assert.ok(await has(saved));

    await openPattern(page, "leaderboard");
    await isStored(page);
    const shown = await last();
    const other = await context.newPage();
    await other.goto(url);
    await other.locator(".entity-card").first().waitFor();
    await leave();
    assert.ok(await has(shown));
    assert.equal(await other.locator(".notices", { hasText: "was deleted" }).count(), 0);
    await other.close();
    // What neither is, goes.
    const looked = await last();
    await openPattern(page, "e-commerce");
    await isStored(page);
    while (await has(looked)) await page.waitForTimeout(50);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("designs are listed with pictures, dates and sizes, searched, duplicated and put into folders", async () => {
  const { page, complaints, close } = await open();
  try {
    await page.locator(".welcome").waitFor();
    await openPattern(page, "e-commerce");
    await page.getByLabel("Design name").fill("Shop");
    await settled(page);
    await openPattern(page, "blog");
    await page.getByLabel("Design name").fill("Blog");
    await settled(page);
    assert.deepEqual(await listed(page), ["Blog", "Shop", "Untitled"]);
    const shop = page.locator(".design", { hasText: "Shop" });
    await shop.locator("img[src]").waitFor();
    assert.ok(await shop.locator("img").evaluate(async (img) => (await img.decode(), img.naturalWidth > 100)));
    assert.match(await shop.innerText(), /20\d\d-\d\d-\d\d \d\d:\d\d[\s\S]*\d+ entities, \d+ KB/);
    // Folders have headings, after the designs without one.
    await page.getByLabel("Folder of Blog").fill("Work");
    await page.keyboard.press("Tab");
    await page.locator(".designs-list h3", { hasText: "Work" }).waitFor();
    assert.deepEqual(await page.locator(".design strong").allTextContents(), ["Shop", "Untitled", "Blog"]);
    await page.getByRole("searchbox", { name: "Search designs" }).fill("work");
    await settled(page);
    assert.deepEqual(await page.locator(".design strong").allTextContents(), ["Blog"]);
    await page.getByRole("searchbox", { name: "Search designs" }).fill("");
    await page.getByRole("button", { name: "Duplicate Shop" }).click();
    await opened(page, "Shop 2");
    assert.deepEqual((await listed(page)).sort(), ["Blog", "Shop", "Shop 2", "Untitled"]);
    // The folder is still there after a reload, and a design is deleted by two presses.
    await page.reload();
    await opened(page, "Shop 2");
    assert.equal((await listed(page)).at(-1), "Blog");
    await page.getByRole("button", { name: "Delete Shop", exact: true }).click();
    await page.getByRole("button", { name: "Click again to delete Shop", exact: true }).click();
    await page.locator(".design strong", { hasText: /^Shop$/ }).waitFor({ state: "detached" });
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("what is typed into a folder field stays when the design is saved in another tab", async () => {
  const { page, complaints, close } = await open();
  try {
    await page.locator(".welcome").waitFor();
    await openPattern(page, "e-commerce");
    await page.getByLabel("Design name").fill("Shop");
    // A new tab opens what is stored.
    await isStored(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await opened(other, "Shop");
    await openPattern(other, "blog");
    await opened(other, "Blog platform");
    await other.getByLabel("Design name").fill("Magazine");
    await settled(other);
    await page.bringToFront();
    await listed(page);
    await page.getByLabel("Folder of Magazine").click();
    await page.keyboard.type("Work");
    await other.bringToFront();
    await other.getByLabel("Design name").fill("Journal");
    await page.locator(".design strong", { hasText: "Journal" }).waitFor();
    await page.bringToFront();
    assert.equal(await page.getByLabel("Folder of Journal").inputValue(), "Work");
    await page.keyboard.press("Enter");
    await page.locator(".designs-list h3", { hasText: "Work" }).waitFor();
    // The row moved to its folder, with the focus.
    await page.waitForFunction(() => document.activeElement?.closest(".design")?.textContent.includes("Journal"));
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("space is freed on request: histories of other designs go, the open one keeps its own", async () => {
  const { page, complaints, close } = await open();
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  const isOff = async () => (await undo.getAttribute("aria-disabled")) === "true";
  const add = async () => {
    await page.locator(".canvas").focus();
    await page.keyboard.press("e");
    await page.waitForFunction(() => document.activeElement?.closest(".inspector"));
    await isStored(page);
  };
  const openListed = async (name) => {
    await listed(page);
    await page.locator(".design", { hasText: name }).locator(".design-open").click();
    await opened(page, name);
  };
  try {
    await page.locator(".welcome").waitFor();
    for (const [pattern, name] of [
      ["leaderboard", "Write-sharded leaderboard"],
      ["activity-log", "Activity log"],
    ]) {
      await openPattern(page, pattern);
      await opened(page, name);
      await add();
    }
    await listed(page);
    const room = page.locator(".designs-room");
    await room.getByText(/undo histories \d/).waitFor();
    const before = await room.getByRole("status").innerText();
    // The first press asks, and leaving the button takes it back.
    const free = room.getByRole("button", { name: "Free space" });
    await free.click();
    await page.keyboard.press("Shift+Tab");
    await free.click();
    await room.getByRole("button", { name: "Click again to delete them" }).click();
    await page.waitForFunction((before) => document.querySelector(".designs-room [role=status]").innerText !== before, before);
    await page.keyboard.press("Escape");
    assert.equal(await isOff(), false, "the open design keeps its history");
    await openListed("Write-sharded leaderboard");
    assert.equal(await isOff(), true, "the history of another one is deleted");
    assert.equal(await page.locator(".entity-card").count() > 1, true);
    await openListed("Activity log");
    assert.equal(await isOff(), false);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
