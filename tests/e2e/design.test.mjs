import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./app.mjs";
import { openPattern, settled } from "./gestures.mjs";
import { isStored, storedDesigns } from "./storage.mjs";

const names = (page) => page.locator(".entity-card .card-name").allTextContents();

test("typing names an entity dropped from the palette, and its row follows its template", async () => {
  const { page, complaints, close } = await open();
  try {
    const piece = await page.locator("[data-piece=Entity]").boundingBox();
    await page.mouse.move(piece.x + 20, piece.y + 20);
    await page.mouse.down();
    await page.mouse.move(500, 250, { steps: 6 });
    await page.mouse.up();
    await page.waitForFunction(() => document.activeElement?.closest(".inspector"));
    await page.keyboard.type("User");
    assert.deepEqual(await names(page), ["User"]);
    const key = (text) => page.locator("[data-grid] [data-sample] [data-column=PK]", { hasText: text });
    await key("USER#user-1").waitFor();
    await page.getByLabel("Table partition key PK").fill("MEMBER#{userId}");
    await key("MEMBER#user-1").waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("changes stored by another tab appear here", async () => {
  const { page, url, close } = await open();
  try {
    await page.locator(".canvas").waitFor();
    await page.keyboard.press("e");
    await page.locator(".entity-card").waitFor();
    await isStored(page);
    assert.match((await storedDesigns(page)).at(-1).text, /ENTITY#/);
    const other = await page.context().newPage();
    await other.goto(url);
    await other.locator(".entity-card").waitFor();
    await other.keyboard.press("e");
    await page.locator(".entity-card").nth(1).waitFor({ timeout: 5000 });
    assert.equal((await names(page)).length, 2);
  } finally {
    await close();
  }
});

test("of 1000 entities, only those near the view are in the page, and they can be dragged", async () => {
  const { page, complaints, close } = await open({ query: "?stress=1000&view=near" });
  try {
    await page.locator(".entity-card:visible").first().waitFor();
    await page.waitForTimeout(500);
    const shown = await page.locator(".entity-card").count();
    assert.ok(shown > 4 && shown < 200, `${shown} cards`);
    const canvas = await page.locator(".canvas").boundingBox();
    const middle = { x: canvas.x + canvas.width / 2, y: canvas.y + canvas.height / 2 };
    const head = await page.evaluateHandle(({ x, y }) => {
      const distance = (card) => {
        const box = card.getBoundingClientRect();
        return Math.hypot(box.x - x, box.y - y);
      };
      const cards = [...document.querySelectorAll(".entity-card")];
      return cards.sort((a, b) => distance(a) - distance(b))[0].querySelector(".card-head");
    }, middle);
    const before = await head.boundingBox();
    await page.mouse.move(before.x + 100, before.y + 15);
    await page.mouse.down();
    await page.mouse.move(before.x + 160, before.y + 55, { steps: 5 });
    await page.mouse.up();
    await page.waitForTimeout(200);
    const after = await head.boundingBox();
    assert.deepEqual([after.x - before.x, after.y - before.y].map(Math.round), [60, 40]);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("the guide ends when a design with content opens", async () => {
  const { page, complaints, close } = await open();
  try {
    await page.getByRole("button", { name: /Learn by doing/ }).click();
    const guide = page.getByRole("complementary", { name: "Guided first design" });
    await guide.waitFor();
    await page.keyboard.press("e");
    await page.waitForFunction(() => document.activeElement?.closest(".inspector"));
    await page.keyboard.type("User");
    await page.getByText("Step 2 of 10").waitFor();
    await openPattern(page);
    assert.equal(await guide.count(), 0);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("the reason for a refused value is readable in the last column too", async () => {
  const { page, complaints, close } = await open();
  try {
    await openPattern(page, "e-commerce");
    await page.locator(".grid-row [data-column=PK]", { hasText: "PRODUCT#" }).first().click();
    await page.keyboard.press("End");
    await page.keyboard.type("abc");
    await page.keyboard.press("Enter");
    await settled(page);
    const message = page.locator(".cell-error");
    assert.match(await message.innerText(), /abc/);
    const [told, grid] = [await message.boundingBox(), await page.locator("[data-grid]").boundingBox()];
    assert.ok(told.x >= grid.x && told.x + told.width <= grid.x + grid.width, JSON.stringify([told, grid]));
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
