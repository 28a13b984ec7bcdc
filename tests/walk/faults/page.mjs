// The page as the fault tests use it: with its own clock.
import { readDesigns } from "../storage.mjs";

/** Waits until the page is there. */
export const ready = (page) =>
  page.waitForFunction(() => document.querySelector(".save-state") && document.querySelector(".panel-tabs [role=tab]"), undefined, { timeout: 30_000 });

/** Waits until what was done is stored. */
export const stored = (page) => page.waitForFunction(() => document.querySelector(".save-state")?.textContent === "Saved", undefined, { timeout: 10_000 });

/** The stored designs by key: their texts. */
export const textsOf = async (page) => (await page.evaluate(readDesigns)).texts;

/** What the page says of storing. */
export const savedState = (page) => page.locator(".save-state").textContent();

/** The message of a page that has stopped. */
export const crashOf = async (page) => ((await page.locator(".crash").count()) ? page.locator(".crash").first().textContent() : null);

/** The messages that are shown. */
export const notices = (page) => page.locator(".notice-text").allTextContents();

/** Gives the design another name, key by key. */
export async function nameDesign(page, name) {
  await page.locator("input[aria-label='Design name']").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(name);
}

/** Adds an entity of this name on the canvas, by keys. */
export async function addEntity(page, name) {
  await page.locator(".canvas").focus();
  await page.keyboard.press("e");
  await page.waitForFunction(() => document.activeElement?.matches(".inspector input"));
  await page.keyboard.press("Control+a");
  await page.keyboard.type(name);
}

/** Opens the dialog of versions. */
async function openVersions(page) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("Versions");
  await page.locator("[role=option]", { hasText: "Versions" }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByLabel("Name of the version", { exact: true }).waitFor();
}

/** Keeps the design as a version of this name. */
export async function keepVersion(page, name) {
  await openVersions(page);
  const count = await page.locator(".version").count();
  await page.getByLabel("Name of the version", { exact: true }).fill(name);
  await page.keyboard.press("Enter");
  await page.waitForFunction((count) => document.querySelectorAll(".version").length > count, count);
  await page.keyboard.press("Escape");
}

/** The names of the versions that are listed, and what is said of each; an automatic one has an empty name. */
export async function versionsOf(page) {
  await openVersions(page);
  await page.waitForFunction(() => ![...document.querySelectorAll(".version-changes")].some((one) => one.textContent === "…"));
  const rows = await page.locator(".version").evaluateAll((rows) => rows.map((row) => [row.querySelector("input").value, row.querySelector(".version-changes").innerText]));
  await page.keyboard.press("Escape");
  return rows;
}

/** The texts of the versions of all designs, by their names. */
export const versionTexts = (page) =>
  page.evaluate(async () => {
    const asked = (request) => new Promise((done, fail) => Object.assign(request, { onsuccess: () => done(request.result), onerror: () => fail(request.error) }));
    const database = await asked(indexedDB.open("keyfold"));
    const store = database.transaction("designs", "readonly").objectStore("designs");
    const [keys, texts] = await Promise.all([asked(store.getAllKeys()), asked(store.getAll())]);
    database.close();
    const all = new Map(keys.map((key, at) => [key, texts[at]]));
    const found = {};
    for (const [key, list] of all) {
      if (!key.endsWith(":versions")) continue;
      for (const { name, number } of JSON.parse(list).versions) if (name) found[name] = all.get(key.replace(/versions$/, `version:${number}`));
    }
    return found;
  });

/** Opens the menu of designs and presses a line of it. */
export async function fromMenu(page, name) {
  await page.locator(".menu > summary").click();
  await page.locator(".menu .menu-item").filter({ hasText: new RegExp(`^${name}$`) }).first().click();
}

/** A text in place of the one that is stored of a design. */
export const overwrite = (page, key, text) =>
  page.evaluate(
    async ([key, text]) => {
      const names = (await indexedDB.databases()).map((one) => one.name);
      if (!names.includes("keyfold")) return localStorage.setItem(`keyfold:design:${key}`, text);
      const asked = (request) => new Promise((done, fail) => Object.assign(request, { onsuccess: () => done(request.result), onerror: () => fail(request.error) }));
      const database = await asked(indexedDB.open("keyfold"));
      await asked(database.transaction("designs", "readwrite").objectStore("designs").put(text, key));
      database.close();
    },
    [key, text],
  );

/** Fills the storage of the page's origin to the last byte, beside what the page itself stores. */
export const fill = (page) =>
  page.evaluate(async () => {
    let size = 1 << 20;
    for (let number = 0; size >= 1; number++) {
      try {
        localStorage.setItem(`ballast-${number}`, "x".repeat(size));
      } catch {
        size = Math.floor(size / 2);
      }
    }
    const asked = (request) => new Promise((done, fail) => Object.assign(request, { onsuccess: () => done(request.result), onerror: () => fail(request.error) }));
    const opening = indexedDB.open("ballast");
    opening.onupgradeneeded = () => opening.result.createObjectStore("ballast");
    const database = await asked(opening).catch(() => null);
    if (!database) return "no database";
    const put = (number, text) =>
      new Promise((done) => {
        const writing = database.transaction("ballast", "readwrite");
        Object.assign(writing, { oncomplete: () => done(true), onabort: () => done(false), onerror: () => done(false) });
        writing.objectStore("ballast").put(text, number);
      });
    let bytes = 0;
    let part = 1 << 18;
    for (let number = 0; part >= 64 && number < 2000; number++) {
      const text = Array.from({ length: part / 8 }, () => Math.random().toString(36).slice(2, 10).padEnd(8, "x")).join("");
      if (await put(number, text)) bytes += part;
      else part >>= 1;
    }
    database.close();
    return bytes;
  });

/** Takes away what [`fill`] has put there. */
export const empty = (page) =>
  page.evaluate(async () => {
    for (const key of Object.keys(localStorage)) if (key.startsWith("ballast-")) localStorage.removeItem(key);
    await new Promise((done) => Object.assign(indexedDB.deleteDatabase("ballast"), { onsuccess: done, onerror: done, onblocked: done }));
  });
