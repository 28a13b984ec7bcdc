// A link with the whole design: making it, opening it read-only, copying the design, and the frame for other pages.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { start } from "./app.mjs";
import { names, openPattern, places, press, settled } from "./gestures.mjs";
import { isStored, storedDesigns } from "./storage.mjs";

const app = await start();
test.after(() => app.close());

const dialog = (page) => page.getByRole("dialog", { name: "Share", exact: true });
const shared = (page) => page.getByRole("region", { name: "Shared design" });
const designName = (page) => page.getByLabel("Design name").inputValue();

/** Opens the dialog and waits for the link. */
async function linkOf(page) {
  await press(page, "Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("Share as link");
  await press(page, "Enter");
  await dialog(page).getByText(/The link has \d+ characters/).waitFor();
  return dialog(page).getByLabel("Link", { exact: true }).inputValue();
}

/** The link to a pattern of the library. */
async function linkTo(pattern) {
  const { page, close } = await app.open();
  try {
    await page.locator(".canvas").waitFor();
    await openPattern(page, pattern);
    return { link: await linkOf(page), cards: await places(page), name: await designName(page) };
  } finally {
    await close();
  }
}

test("a design is shared, opened read-only, and copied", async () => {
  const { page, complaints, close } = await app.open({ clipboard: true });
  try {
    await page.locator(".canvas").waitFor();
    await openPattern(page, "saas-multi-tenant");
    const [name, cards] = [await designName(page), await places(page)];
    const link = await linkOf(page);
    assert.match(link, /^http:\/\/[^?#]+#v1\.[\w-]+\.[0-9a-f]{8}$/);
    assert.ok(link.length < 8192);
    await dialog(page).getByRole("button", { name: "Copy link" }).click();
    await dialog(page).getByText("Copied").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
    await dialog(page).getByText(/^Include \d+ samples$/).click();
    await page.waitForFunction((length) => {
      const link = document.querySelector(".share-dialog textarea").value;
      return link.length > 0 && link.length < length;
    }, link.length);
    await press(page, "Escape");
    const kept = (await storedDesigns(page)).length;

    // Another link in the address of the open page opens, too.
    await page.evaluate((link) => (location.href = link), link);
    await shared(page).waitFor();
    assert.equal(await designName(page), name);
    assert.deepEqual(await places(page), cards);
    assert.ok((await page.locator("[data-grid] .grid-body [data-sample]").count()) > 0);
    await page.locator(".canvas").focus();
    await press(page, "e");
    await page.locator(".notices", { hasText: "This design is read-only." }).waitFor();
    assert.deepEqual(await places(page), cards);
    assert.equal((await storedDesigns(page)).length, kept, "it is not stored");

    await shared(page).getByRole("button", { name: "Make a copy" }).click();
    await shared(page).waitFor({ state: "detached" });
    assert.doesNotMatch(page.url(), /#/);
    await isStored(page);
    assert.equal((await storedDesigns(page)).length, kept + 1);
    await page.locator(".canvas").focus();
    await press(page, "e");
    await settled(page);
    assert.equal((await names(page)).length, Object.keys(cards).filter((card) => card.startsWith("e")).length + 1);
    await isStored(page);
    await page.reload();
    await page.locator(".entity-card").first().waitFor();
    assert.equal(await shared(page).count(), 0);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a link that is cut off says so, and the last design opens", async () => {
  const { link } = await linkTo("leaderboard");
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".canvas").waitFor();
    for (const [address, reason] of [
      [link.slice(0, -20), /cut off or changed/],
      [link.replace("#v1.", "#v7."), /newer version of Keyfold/],
    ]) {
      await page.evaluate((address) => (location.href = address), address);
      await page.locator(".notices", { hasText: "The shared design was not opened" }).waitFor();
      assert.match(await page.locator(".notices").innerText(), reason);
      assert.equal(await shared(page).count(), 0);
      await press(page, "e");
      await page.locator(".entity-card").first().waitFor();
    }
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a page of another origin shows the design in a frame", async () => {
  const { link, name } = await linkTo("saas-multi-tenant");
  const { page, complaints, origins, close } = await app.open();
  // A page that is left while it loads gives its requests up.
  await page.waitForLoadState("networkidle");
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><title>Wiki</title><h1>Our table</h1><iframe src="${link.replace("#", "?embed#")}" title="x" width="1000" height="480"></iframe>`);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  try {
    const wiki = `http://127.0.0.1:${server.address().port}`;
    origins.add(wiki);
    await page.goto(wiki);
    const frame = page.frameLocator("iframe");
    await frame.locator(".entity-card").first().waitFor();
    await frame.locator("[data-grid] .grid-body [data-sample]").first().waitFor();
    for (const hidden of [".top-bar", ".rail", ".inspector"]) assert.equal(await frame.locator(hidden).isVisible(), false, hidden);
    const open = frame.getByRole("link", { name: "Open in Keyfold" });
    assert.equal(await open.getAttribute("href"), link);
    assert.equal(await open.getAttribute("target"), "_blank");
    assert.match(await frame.locator(".shared-bar").innerText(), new RegExp(name.slice(0, 10)));
    assert.deepEqual(complaints, []);
  } finally {
    server.closeAllConnections();
    server.close();
    await close();
  }
});
