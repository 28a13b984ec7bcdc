// A link with the whole design: making it, opening it read-only, copying the design, and the frame for other pages.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { start } from "./app.mjs";
import { drag, head, names, openPattern, places, press, settled } from "./gestures.mjs";
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

    // Another link in the address of the open page opens, too. A drag that is not over ends then.
    const dragged = async (options) => {
      const from = await head(page, "Project");
      await drag(page, from, [from[0] + 60, from[1] + 40], options);
    };
    await dragged({ keep: true });
    assert.notDeepEqual(await places(page), cards);
    await page.evaluate((link) => (location.href = link), link);
    await shared(page).waitFor();
    await page.mouse.up();
    await settled(page);
    assert.equal(await designName(page), name);
    assert.deepEqual(await places(page), cards);
    assert.ok((await page.locator("[data-grid] .grid-body [data-sample]").count()) > 0);
    await dragged();
    const refused = page.locator(".notice", { hasText: "This design is read-only." });
    await refused.waitFor();
    assert.doesNotMatch(await refused.innerText(), /above|\.\./);
    assert.deepEqual(await places(page), cards, "a card that cannot be moved goes back");
    await refused.getByRole("button", { name: "Close message" }).click();
    await page.locator(".canvas").focus();
    await press(page, "e");
    await refused.waitFor();
    assert.deepEqual(await places(page), cards);
    assert.equal((await storedDesigns(page)).length, kept, "it is not stored");

    await shared(page).getByRole("button", { name: "Make a copy" }).click();
    await shared(page).waitFor({ state: "detached" });
    assert.doesNotMatch(page.url(), /#/);
    assert.deepEqual(await places(page), cards);
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

/** The fragment of a link to a text, as the page would make it. */
function fragmentOf(text) {
  const data = deflateRawSync(text, { level: 9 }).toString("base64url");
  let sum = 0xffffffff;
  for (const byte of Buffer.from(data)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return `#v1.${data}.${((sum ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0")}`;
}

test("a hostile link is data: no markup, nothing runs, bounded", async () => {
  const pattern = await readFile(new URL("../../crates/core/src/library/patterns/leaderboard.json", import.meta.url), "utf8");
  const { page, complaints, close } = await app.open();
  const markup = "<img src=x onerror=alert(1)><script>alert(2)</script>";
  const asked = [];
  page.on("dialog", (dialog) => (asked.push(dialog.message()), dialog.dismiss()));
  try {
    await page.locator(".canvas").waitFor();
    await isStored(page);
    const before = (await storedDesigns(page)).length;
    const design = JSON.parse(pattern);
    Object.assign(design, { name: markup, description: `${markup} javascript:alert(3)` });
    for (const samples of Object.values(design.samples)) for (const { values } of samples) for (const name of Object.keys(values)) if (typeof values[name] === "string") values[name] = markup;
    await page.evaluate((fragment) => (location.hash = fragment), fragmentOf(JSON.stringify(design)));
    await shared(page).waitFor();
    await page.locator(".entity-card").first().waitFor();
    assert.equal(await designName(page), markup);
    await page.locator("[data-grid] .grid-body [data-sample]").first().waitFor();
    for (const tab of ["Export", "Problems", "Text", "Table"]) {
      await page.getByRole("tab", { name: tab, exact: false }).first().click();
      await page.waitForFunction(() => !document.querySelector(".on-demand"));
    }
    assert.equal(await page.locator("img[src=x], script:not([src]):not([type])").count(), 0);
    assert.deepEqual(asked, []);

    const refused = [
      // A megabyte that unpacks to more than the page reads.
      [fragmentOf(JSON.stringify(design) + " ".repeat(20 << 20)), "contains at most 16 MB"],
      ["#v1." + "A".repeat(1_100_000) + ".00000000", "has at most 1000000 characters"],
      [fragmentOf("{"), "does not contain a valid design"],
      [fragmentOf('{"keyfold": 99}'), "a newer version of Keyfold made this link"],
      [fragmentOf("[".repeat(100_000)), "does not contain a valid design"],
    ];
    for (const [fragment, reason] of refused) {
      await page.evaluate((fragment) => (location.hash = fragment), fragment);
      const notice = page.locator(".notice", { hasText: reason });
      await notice.waitFor();
      assert.equal(await designName(page), markup, "what was open stays");
      await notice.getByRole("button", { name: "Close message" }).click();
    }
    assert.equal((await storedDesigns(page)).length, before);
    // Such an address opens the page, too.
    await page.evaluate((fragment) => (location.hash = fragment), refused[2][0]);
    await page.reload();
    await page.locator(".notice", { hasText: "The shared design was not opened" }).waitFor();
    await page.locator(".canvas").waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("Back leaves a shared design for the one that was open before", async () => {
  const { link, name } = await linkTo("leaderboard");
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".canvas").waitFor();
    await isStored(page);
    await openPattern(page, "saas-multi-tenant");
    await isStored(page);
    const [own, cards] = [await designName(page), await places(page)];
    const open = async () => {
      await shared(page).waitFor();
      assert.equal(await designName(page), name);
    };
    await page.evaluate((link) => (location.href = link), link);
    await open();
    await page.goBack();
    await shared(page).waitFor({ state: "detached" });
    await settled(page);
    assert.equal(await designName(page), own);
    assert.deepEqual(await places(page), cards);
    await page.goForward();
    await open();
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a page that starts with a link stores what a closed page left", async () => {
  const { link } = await linkTo("leaderboard");
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".canvas").waitFor();
    await isStored(page);
    await page.evaluate(() => {
      const input = document.querySelector("[aria-label='Design name']");
      input.value = "Whole";
      input.dispatchEvent(new Event("input", { bubbles: true }));
      location.href = "about:blank";
    });
    await page.waitForURL("about:blank");
    await page.goto(link);
    await shared(page).waitFor();
    await page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith("keyfold:journal")));
    assert.deepEqual((await storedDesigns(page)).map((design) => design.name), ["Whole"]);
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
