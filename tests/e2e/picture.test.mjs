import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { open } from "./app.mjs";
import { openPattern, settled } from "./gestures.mjs";

const preview = ".picture img";

/** The page with a pattern of the library open and its picture in sight. */
async function openPicture() {
  const opened = await open();
  const { page } = opened;
  await openPattern(page);
  await page.getByRole("tab", { name: "Export", exact: true }).click();
  await page.getByRole("button", { name: "Picture", exact: true }).click();
  await drawn(page);
  return opened;
}

/** Waits until the preview shows a picture other than `before`, and returns the addresses of its layers. */
async function drawn(page, before = "") {
  const handle = await page.waitForFunction(
    ([selector, old]) => {
      const images = [...document.querySelectorAll(selector)];
      const addresses = images.map((image) => image.getAttribute("src")).join(" ");
      return addresses && addresses !== old && images.every((image) => image.complete && image.naturalWidth > 0) && addresses;
    },
    [preview, before],
  );
  // A layer comes with each frame.
  for (let last = await handle.jsonValue(); ; ) {
    for (let frame = 0; frame < 4; frame++) await settled(page);
    const now = (await sources(page)).join(" ");
    if (now === last) return now;
    last = now;
  }
}

const sources = (page) => page.locator(preview).evaluateAll((images) => images.map((image) => image.getAttribute("src")));

async function downloaded(page, button) {
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const download = await waiting;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test("the canvas is downloaded as SVG and as PNG of twice its size", async () => {
  const { page, complaints, close } = await openPicture();
  try {
    const svg = await downloaded(page, "Download SVG");
    assert.match(svg.name, /\.svg$/);
    const text = svg.bytes.toString("utf8");
    const [, width, height] = text.match(/^<svg [^>]*width="([\d.]+)" height="([\d.]+)"/);
    for (const name of await page.locator(".entity-card .card-name").allTextContents()) {
      assert.ok(text.includes(`>${name}</text>`), name);
    }

    const png = await downloaded(page, "Download PNG");
    assert.match(png.name, /\.png$/);
    assert.equal(png.bytes.subarray(0, 8).toString("hex"), "89504e470d0a1a0a");
    const size = [png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)];
    assert.deepEqual(size, [width * 2, height * 2].map(Math.round));
    assert.ok(png.bytes.length > 10_000, `${png.bytes.length} bytes are an empty picture`);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("the preview follows the design and the theme, and frees its memory", async () => {
  const { page, complaints, close } = await openPicture();
  try {
    const first = await drawn(page);
    await page.getByRole("button", { name: "Dark", exact: true }).click();
    const dark = await drawn(page, first);
    const text = (await downloaded(page, "Download SVG")).bytes.toString("utf8");
    assert.ok(text.includes("#0e1013") && !text.includes("#f6f7f9"));

    await page.locator(".entity-card").first().focus();
    await page.keyboard.press("ArrowRight");
    const moved = await drawn(page, dark);
    const isGone = (address) =>
      page.evaluate(
        (address) =>
          new Promise((answer) => {
            const image = new Image();
            image.onload = () => answer(false);
            image.onerror = () => answer(true);
            image.src = address;
          }),
        address,
      );
    const now = moved.split(" ");
    assert.ok(dark.split(" ").some((address) => now.includes(address)), "an edit leaves layers as they are");
    for (const address of [first, dark, moved].join(" ").split(" ")) {
      assert.equal(await isGone(address), !now.includes(address), address);
    }
    // The browser complains about those that are gone.
    const others = complaints.splice(0).filter((text) => !text.includes("net::ERR_FILE_NOT_FOUND"));
    assert.deepEqual(others, []);

    // What nobody sees is not drawn.
    await page.getByRole("button", { name: "Close panel" }).click();
    await page.locator(".entity-card").first().focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(300);
    assert.deepEqual(await sources(page), now);
    await page.getByRole("button", { name: "Open panel" }).click();
    await drawn(page, moved);
    // The addresses that were given back are the only thing the browser may complain of.
    assert.deepEqual(complaints.filter((text) => !/blob:|ERR_FILE_NOT_FOUND/.test(text)), []);
  } finally {
    await close();
  }
});

test("a picture has the groups that the canvas shows", async () => {
  const { page, complaints, close } = await openPicture();
  try {
    const tints = async () => {
      const text = (await downloaded(page, "Download SVG")).bytes.toString("utf8");
      return [...text.matchAll(/<rect[^>]* fill-opacity="[^"]*"[^>]*\/><text[^>]*>([^<]*)<\/text>/g)].map(([, name]) => name);
    };
    const opened = await drawn(page);
    await page.getByLabel("Item collections").selectOption({ label: "No groups" });
    const before = await drawn(page, opened);
    assert.deepEqual(await tints(), []);
    await page.getByLabel("Item collections").selectOption({ label: "Table" });
    const grouped = await drawn(page, before);
    const shown = await page.locator(".group-name").allTextContents();
    assert.equal(shown.length, 1);
    assert.deepEqual(await tints(), shown);
    await page.getByLabel("Item collections").selectOption({ label: "No groups" });
    await drawn(page, grouped);
    assert.deepEqual(await tints(), []);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a picture that is too large for a PNG is scaled down, with a message", async () => {
  const { page, close } = await open({ query: "?stress=1000" });
  try {
    await page.locator(".canvas").waitFor();
    await page.getByRole("tab", { name: "Export", exact: true }).click();
    await page.getByRole("button", { name: "Picture", exact: true }).click();
    const png = await downloaded(page, "Download PNG");
    const size = [png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)];
    assert.ok(Math.max(...size) <= 16_000 && size[0] * size[1] <= 64_100_000, String(size));
    await page.locator(".notices", { hasText: "too large for a PNG" }).waitFor();
  } finally {
    await close();
  }
});
