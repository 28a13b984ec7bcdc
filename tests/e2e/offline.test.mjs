// Visits without a network: the service worker keeps the app, under any path, and offers new versions without forcing them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium, chromiumPath, dist, serve, watch } from "./app.mjs";
import { openPattern, press } from "./gestures.mjs";
import { isStored, storedTexts } from "./storage.mjs";

// The browser reports what the service worker requests too.
process.env.PW_EXPERIMENTAL_SERVICE_WORKER_NETWORK_EVENTS = "1";

/** A browser with a page of the app under `base`, on a server that can be stopped and get another version. */
async function visit(base, act) {
  const version = { folder: dist };
  const server = await serve(base, undefined, version);
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const complaints = [];
  const url = `http://127.0.0.1:${server.address().port}${base}`;
  watch(context, new Set([new URL(url).origin]), complaints);
  const tab = async () => {
    const page = await context.newPage();
    await page.goto(url);
    await page.locator(".save-state").waitFor();
    return page;
  };
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  try {
    await act({ tab, stop, version });
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
    stop();
  }
}

/** Waits until the app is kept. */
const kept = (page) => page.evaluate(async () => void (await navigator.serviceWorker.ready));

/** Opens what is loaded on demand. */
async function useAll(page) {
  for (const tab of ["Export", "Problems", "Cost", "Access patterns", "Text", "Table"]) {
    await page.getByRole("tab", { name: tab, exact: false }).first().click();
    await page.waitForFunction(() => !document.querySelector(".on-demand"));
  }
  await press(page, "Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("Versions");
  await press(page, "Enter");
  await page.getByRole("dialog", { name: "Versions", exact: true }).locator("input").first().waitFor();
  await press(page, "Escape");
}

for (const base of ["/", "/some/path/"]) {
  test(`the second visit needs no server, under ${base}`, () =>
    visit(base, async ({ tab, stop }) => {
      const page = await tab();
      await openPattern(page, "leaderboard");
      await isStored(page);
      await kept(page);
      stop();
      await page.reload();
      await page.locator(".entity-card").first().waitFor();
      await useAll(page);
      await page.locator(".canvas").focus();
      await press(page, "e");
      await page.keyboard.type("Offline");
      await isStored(page);
      // Another tab, and the page under its other name.
      const other = await tab();
      await other.locator(".entity-card", { hasText: "Offline" }).waitFor();
      // Files of other tools are read in a worker.
      const file = JSON.stringify({ Resources: { Music: { Type: "AWS::DynamoDB::Table", Properties: { AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }], KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }], BillingMode: "PAY_PER_REQUEST" } } } });
      await press(other, "Control+k");
      await other.getByRole("combobox", { name: "Command palette" }).fill("Import files of other tools");
      await press(other, "Enter");
      const dialog = other.getByRole("dialog", { name: /^Import/ });
      await dialog.locator("input[type=file]").first().setInputFiles({ name: "template.json", mimeType: "application/json", buffer: Buffer.from(file) });
      await dialog.getByText("Music").first().waitFor();
    }));
}

/** The app as a later version: the page says so, and a file with code has another name. */
function laterVersion() {
  const folder = mkdtempSync(join(tmpdir(), "keyfold-later-"));
  cpSync(dist, folder, { recursive: true });
  const file = (pattern) => join(folder, readdirSync(folder).find((name) => pattern.test(name)));
  const change = (path, from, to) => {
    const text = readFileSync(path, "utf8");
    assert.ok(text.includes(from), `${path} has ${from}`);
    writeFileSync(path, text.replaceAll(from, to));
  };
  const tools = file(/^tools-/);
  const name = tools.slice(folder.length + 1);
  renameSync(tools, join(folder, "tools-later.wasm"));
  change(file(/^split-/), name, "tools-later.wasm");
  change(join(folder, "index.html"), '<html lang="en">', '<html lang="en" data-later>');
  execFileSync("node", [fileURLToPath(new URL("../../scripts/offline.mjs", import.meta.url)), folder]);
  return folder;
}

for (const base of ["/", "/some/path/"]) {
  test(`a new version is offered while somebody types, used when they want it, and leaves other tabs alone, under ${base}`, async () => {
    const folder = laterVersion();
    try {
      await visit(base, async ({ tab, version }) => {
        const page = await tab();
        await openPattern(page, "leaderboard");
        await isStored(page);
        await kept(page);
        // From the second visit on the page comes from the cache.
        await page.reload();
        await page.locator(".entity-card").first().waitFor();
        const other = await tab();
        await other.locator(".entity-card").first().waitFor();
        await page.bringToFront();
        await page.locator(".canvas").focus();
        await press(page, "e");
        await page.keyboard.type("Half");
        version.folder = folder;
        await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
        const offer = page.locator(".notices", { hasText: "There is a new version of Keyfold" });
        await offer.waitFor();
        await page.keyboard.type("way");
        const isLater = (page) => page.evaluate(() => "later" in document.documentElement.dataset);
        assert.equal(await isLater(page), false);
        await offer.getByRole("button", { name: "Reload" }).click();
        await page.waitForFunction(() => "later" in document.documentElement.dataset && document.querySelector(".entity-card"));
        assert.ok((await storedTexts(page)).includes('"Halfway"'));
        await useAll(page);
        // The other tab is of the version before, and has code of it that it did not load yet.
        assert.equal(await isLater(other), false);
        await useAll(other);
        await other.reload();
        await other.locator(".entity-card").first().waitFor();
        assert.equal(await isLater(other), true);
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test("a file of another version is not kept", async () => {
  const folder = laterVersion();
  try {
    // The page is of another version than the list of files says.
    writeFileSync(join(folder, "index.html"), readFileSync(join(folder, "index.html"), "utf8").replace("data-later", "data-mixed"));
    await visit("/", async ({ tab, version }) => {
      const page = await tab();
      await page.locator(".welcome").waitFor();
      await kept(page);
      await page.reload();
      await page.locator(".save-state").waitFor();
      version.folder = folder;
      const state = await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        await registration.update().catch(() => {});
        const worker = registration.installing;
        if (worker) await new Promise((done) => (worker.onstatechange = done));
        return [registration.waiting === null, worker?.state ?? "redundant"];
      });
      assert.deepEqual(state, [true, "redundant"]);
      // A page that is left while it loads gives its requests up.
      await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name, responseEnd }) => /\/offline-\w+\.js$/.test(name) && responseEnd > 0));
      await page.reload();
      await page.locator(".save-state").waitFor();
      assert.equal(await page.evaluate(() => "mixed" in document.documentElement.dataset), false);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
