// Versions of a design: kept after a pause of work and under a name, with what changed, looked at, restored, deleted.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { start } from "./app.mjs";
import { names, openPattern, press, settled } from "./gestures.mjs";
import { isStored, storedTexts } from "./storage.mjs";

const app = await start();
test.after(() => app.close());

const dialog = (page) => page.getByRole("dialog", { name: "Versions", exact: true });
const earlier = (page) => page.getByRole("region", { name: "Earlier version" });
const rows = (page) => dialog(page).locator(".version");

async function openVersions(page) {
  await press(page, "Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("Versions");
  await press(page, "Enter");
  await dialog(page).getByLabel("Name of the version", { exact: true }).waitFor();
}

async function saveVersion(page, name) {
  const count = await rows(page).count();
  await dialog(page).getByLabel("Name of the version", { exact: true }).fill(name);
  await press(page, "Enter");
  await page.waitForFunction((count) => document.querySelectorAll(".version").length > count, count);
}

/** The versions as they are listed: names and what changed. */
const listed = async (page) => {
  await page.waitForFunction(() => ![...document.querySelectorAll(".version-changes")].some((one) => one.textContent === "…"));
  return rows(page).evaluateAll((rows) => rows.map((row) => [row.querySelector("input").value, row.querySelector(".version-changes").innerText]));
};

async function addEntity(page, name) {
  await page.locator(".canvas").focus();
  await press(page, "e");
  await page.keyboard.type(name);
  await press(page, "Enter");
  await isStored(page);
}

test("versions are named, looked at, restored and deleted", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".canvas").waitFor();
    await openPattern(page, "leaderboard");
    await isStored(page);
    await openVersions(page);
    await dialog(page).getByText("No versions. Keyfold saves one").waitFor();
    await press(page, "Enter");
    await dialog(page).getByRole("alert").filter({ hasText: "Type a name" }).waitFor();
    await saveVersion(page, "Before review");
    assert.deepEqual(await listed(page), [["Before review", "The oldest version."]]);
    await press(page, "Escape");
    const before = (await names(page)).sort();
    await addEntity(page, "Fresh");
    await openVersions(page);
    await saveVersion(page, "After <b>review</b>");
    const [newest, oldest] = await listed(page);
    assert.equal(newest[0], "After <b>review</b>");
    assert.match(newest[1], /^\+\s[\s\S]*Fresh/);
    assert.equal(oldest[0], "Before review");

    // A look at a version changes nothing.
    await dialog(page).getByRole("button", { name: "Show Before review" }).click();
    await earlier(page).getByText("Before review").waitFor();
    await settled(page);
    assert.deepEqual((await names(page)).sort(), before);
    await page.locator(".canvas").focus();
    await press(page, "e");
    await page.locator(".notices", { hasText: "read-only" }).waitFor();
    await earlier(page).getByRole("button", { name: "Back to the design" }).click();
    await earlier(page).waitFor({ state: "detached" });
    await page.locator(".entity-card", { hasText: "Fresh" }).waitFor();

    // Restoring is one step of undo.
    await openVersions(page);
    await dialog(page).getByRole("button", { name: "Restore Before review" }).click();
    await page.locator(".entity-card", { hasText: "Fresh" }).waitFor({ state: "detached" });
    assert.deepEqual((await names(page)).sort(), before);
    await isStored(page);
    assert.ok(!(await storedTexts(page)).includes('"Fresh"'));
    await page.locator(".canvas").focus();
    await press(page, "Control+z");
    await page.locator(".entity-card", { hasText: "Fresh" }).waitFor();
    await isStored(page);

    // Renaming and deleting, which undo takes back, also after a reload.
    await page.reload();
    await page.locator(".entity-card", { hasText: "Fresh" }).waitFor();
    await openVersions(page);
    await listed(page);
    await rows(page).last().locator("input").fill("Start");
    await press(page, "Tab");
    await dialog(page).getByRole("button", { name: "Show Start" }).waitFor();
    await dialog(page).getByRole("button", { name: "Delete Start" }).click();
    await dialog(page).getByRole("button", { name: "Show Start" }).waitFor({ state: "detached" });
    assert.equal(await rows(page).count(), 1);
    await press(page, "Escape");
    await page.locator(".notices").getByRole("button", { name: "Undo" }).click();
    await openVersions(page);
    await dialog(page).getByRole("button", { name: "Show Start" }).waitFor();
    // The dialog covers the message, so it has a button of its own.
    await dialog(page).getByRole("button", { name: "Delete Start" }).click();
    await dialog(page).getByRole("button", { name: "Show Start" }).waitFor({ state: "detached" });
    await dialog(page).getByRole("button", { name: "Undo", exact: true }).click();
    await dialog(page).getByRole("button", { name: "Show Start" }).waitFor();
    assert.equal(await page.locator(".notice", { hasText: "Deleted the version" }).count(), 0);
    // An edit does not take undo away.
    await dialog(page).getByRole("button", { name: "Delete Start" }).click();
    await dialog(page).getByRole("button", { name: "Show Start" }).waitFor({ state: "detached" });
    await press(page, "Escape");
    await addEntity(page, "Later");
    await page.locator(".notice", { hasText: "Deleted the version “Start”." }).getByRole("button", { name: "Undo" }).click();
    await openVersions(page);
    await dialog(page).getByRole("button", { name: "Show Start" }).waitFor();
    // From the look at a version it is restored too.
    await dialog(page).getByRole("button", { name: "Show Start" }).click();
    await earlier(page).getByRole("button", { name: "Restore" }).click();
    await earlier(page).waitFor({ state: "detached" });
    await page.locator(".entity-card", { hasText: "Fresh" }).waitFor({ state: "detached" });
    await isStored(page);
    assert.ok(!(await storedTexts(page)).includes('"Fresh"'));
    await page.reload();
    await page.locator(".entity-card").first().waitFor();
    assert.deepEqual((await names(page)).sort(), before);
    await page.locator(".canvas").focus();
    await press(page, "Control+z");
    await page.locator(".entity-card", { hasText: "Fresh" }).waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a version is kept after a pause of work, and as the design was before the first change of a visit", async () => {
  // Two minutes are ten seconds.
  const init = () => {
    const wait = window.setTimeout.bind(window);
    window.setTimeout = (act, time, ...rest) => wait(act, time >= 100_000 ? time / 12 : time, ...rest);
  };
  const { page, complaints, close } = await app.open({ init });
  try {
    await page.locator(".canvas").waitFor();
    await openPattern(page, "leaderboard");
    await isStored(page);
    await addEntity(page, "First");
    await addEntity(page, "Second");
    await openVersions(page);
    assert.deepEqual(await listed(page), []);
    await press(page, "Escape");
    await page.waitForTimeout(12_000);
    await openVersions(page);
    await page.locator(".version").waitFor();
    assert.deepEqual(await listed(page), [["", "The oldest version."]]);
    await press(page, "Escape");
    await addEntity(page, "Third");
    await page.reload();
    await page.locator(".entity-card", { hasText: "Third" }).waitFor();
    await addEntity(page, "Fourth");
    await openVersions(page);
    await page.waitForFunction(() => document.querySelectorAll(".version").length === 2);
    const [newest] = await listed(page);
    assert.match(newest[1], /Third/);
    assert.doesNotMatch(newest[1], /Fourth/);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("two deleted versions with one name both come back", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".canvas").waitFor();
    for (const name of ["One", "Two"]) {
      await addEntity(page, name);
      await openVersions(page);
      await saveVersion(page, "Same");
      await press(page, "Escape");
    }
    await openVersions(page);
    for (const left of [1, 0]) {
      await dialog(page).getByRole("button", { name: "Delete Same" }).first().click();
      await page.waitForFunction((left) => document.querySelectorAll(".version").length === left, left);
    }
    await press(page, "Escape");
    for (const left of [1, 0]) {
      await page.locator(".notices").getByRole("button", { name: "Undo" }).first().click();
      await page.waitForFunction((left) => document.querySelectorAll(".notices .notice button").length <= left * 2, left);
    }
    await openVersions(page);
    await dialog(page).getByRole("button", { name: "Show Same" }).first().waitFor();
    assert.equal(await rows(page).count(), 2);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a version that cannot be read says so", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".canvas").waitFor();
    await openPattern(page, "leaderboard");
    await isStored(page);
    await openVersions(page);
    await saveVersion(page, "Broken");
    await press(page, "Escape");
    await page.evaluate(async () => {
      const asked = (request) => new Promise((done, fail) => Object.assign(request, { onsuccess: () => done(request.result), onerror: () => fail(request.error) }));
      const database = await asked(indexedDB.open("keyfold"));
      const store = database.transaction("designs", "readwrite").objectStore("designs");
      for (const key of await asked(store.getAllKeys())) if (key.includes(":version:")) await asked(store.put("{", key));
      database.close();
    });
    await openVersions(page);
    assert.match((await listed(page))[0][1], /cannot be read/);
    const saved = page.waitForEvent("download");
    await dialog(page).getByRole("button", { name: "Download" }).click();
    assert.equal(await readFile(await (await saved).path(), "utf8"), "{");
    const before = (await names(page)).sort();
    await dialog(page).getByRole("button", { name: "Restore Broken" }).click();
    const notice = page.locator(".notice", { hasText: "The version “Broken” cannot be read" });
    await notice.getByRole("button", { name: "Download" }).waitFor();
    assert.deepEqual((await names(page)).sort(), before);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a version is compared with the design, and with another version", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".canvas").waitFor();
    await openPattern(page, "leaderboard");
    await isStored(page);
    await openVersions(page);
    await saveVersion(page, "First");
    await press(page, "Escape");
    await addEntity(page, "Fresh");
    await openVersions(page);
    await saveVersion(page, "Second");
    await press(page, "Escape");
    await addEntity(page, "Later");
    await openVersions(page);
    await dialog(page).getByRole("button", { name: "Compare First with the open design" }).click();
    const compare = page.getByRole("dialog", { name: "Compare designs", exact: true });
    const found = compare.getByRole("region", { name: "Differences" });
    const side = (name) => compare.getByRole("group", { name, exact: true }).getByLabel(name, { exact: true });
    const chosen = (name) => side(name).locator("option:checked").innerText();
    await found.locator("li.added", { hasText: "Later" }).waitFor();
    assert.ok((await found.locator("li.added", { hasText: "Fresh" }).count()) > 0);
    assert.match(await chosen("Before"), /^First, /);
    assert.match(await chosen("After"), /^The open design/);
    assert.equal(await side("Before").locator("optgroup[label='Versions of the open design'] option").count(), 2);
    const label = await side("After").locator("optgroup option", { hasText: "Second" }).innerText();
    await side("After").selectOption({ label });
    await found.locator("li.added", { hasText: "Later" }).waitFor({ state: "detached" });
    await found.locator("li.added", { hasText: "Fresh" }).first().waitFor();
    // And back to the open design.
    await side("After").selectOption("open");
    await found.locator("li.added", { hasText: "Later" }).first().waitFor();
    await press(page, "Escape");
    await compare.waitFor({ state: "hidden" });
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "BODY");
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
