// The Cost tab: the total follows the workload and the prices, a missing price is named and never zero, a hot key is cured by shards as
// one undo step, and the report is taken away as CSV.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { start } from "./app.mjs";
import { openPattern, press, searchCommands, settled, undoButton } from "./gestures.mjs";

const app = await start();
test.after(() => app.close());

const cost = (page) => page.locator(".cost");
const total = (page) => page.locator(".cost-total").textContent();
const dollars = (text) => Number(/\$([\d,.]+)/.exec(text)[1].replaceAll(",", ""));
const cell = (page, name) => cost(page).getByLabel(name, { exact: true });

/** The tab of e-commerce, once its figures are there. */
function onCost(name, body, options) {
  test(name, async () => {
    const { page, complaints, close } = await app.open(options);
    try {
      await openPattern(page, "e-commerce");
      const data = page.getByRole("navigation", { name: "Regions" }).getByRole("button", { name: "Data" });
      if (await data.isVisible()) await data.click();
      await page.locator(".panel-tabs").getByRole("tab", { name: "Cost", exact: true }).click();
      await page.locator(".cost-total").waitFor();
      await body(page);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
}

/** Types into a field that takes its text when it is left. */
async function type(page, field, text) {
  await field.fill(text);
  await press(page, "Tab");
  await settled(page);
}

onCost("the total follows the workload, and undo", async (page) => {
  const before = await total(page);
  assert.match(before, /^\$[\d,]+\.\d\d a month$/);
  assert.match(await cost(page).textContent(), /\d+ of \d+ figures are assumed: rates are fixed assumptions, the rest follows from the samples\./);
  await type(page, cell(page, "Place an order, Average rate"), "50/s");
  const after = await total(page);
  assert.ok(dollars(after) > dollars(before), `${before}, ${after}`);
  // The table of modes agrees, and the shares say what it comes from.
  assert.equal(await page.locator(".cost tr.own td").first().textContent(), after.replace(" a month", ""));
  const first = page.getByRole("group", { name: "Shares of the access patterns" }).locator("tbody tr").first();
  assert.match(await first.textContent(), /^Place an order/);
  await undoButton(page).click();
  await settled(page);
  assert.equal(await total(page), before);
});

onCost("Enter and the arrow keys go through a column of the workload", async (page) => {
  const before = await total(page);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  await cell(page, "Get user, Average rate").focus();
  await page.keyboard.type("70/s");
  await press(page, "Enter");
  assert.equal(await focused(), "Get user with orders, Average rate");
  await settled(page);
  assert.ok(dollars(await total(page)) > dollars(before));
  assert.equal(await cell(page, "Get user, Average rate").inputValue(), "70/s");
  await press(page, "ArrowDown");
  assert.equal(await focused(), "List orders of a user, Average rate");
  await press(page, "ArrowUp");
  await press(page, "Shift+Enter");
  // What is there is selected: typing replaces it.
  await page.keyboard.type("50/s");
  await press(page, "Enter");
  await settled(page);
  assert.equal(await cell(page, "Get user, Average rate").inputValue(), "50/s");
});

onCost("an empty cell shows its assumed figure, and Escape takes back what was typed", async (page) => {
  const before = await total(page);
  const rate = cell(page, "Place an order, Average rate");
  assert.match(await rate.getAttribute("placeholder"), /^[\d.]+\/s$/);
  assert.equal(await cell(page, "Get user, Creates %").getAttribute("placeholder"), "–");
  await rate.fill("50/s");
  await page.keyboard.press("Escape");
  assert.equal(await rate.inputValue(), "");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Place an order, Average rate");
  await press(page, "Tab");
  await settled(page);
  assert.equal(await total(page), before);
  // The figures of empty cells follow.
  const peak = () => cell(page, "Place an order, Peak rate").getAttribute("placeholder").then(parseFloat);
  assert.ok((await peak()) < 50);
  await type(page, rate, "50/s");
  assert.ok((await peak()) > 50);
});

onCost("a figure that is refused stays in its cell with a mark, and the message names the cell", async (page) => {
  const before = await total(page);
  const rate = cell(page, "Get user, Average rate");
  await type(page, rate, "often");
  await page.locator(".notice", { hasText: "Get user, Average rate: enter" }).waitFor();
  assert.equal(await rate.inputValue(), "often");
  assert.equal(await rate.getAttribute("aria-invalid"), "true");
  assert.equal(await total(page), before);
  const skew = cell(page, "Get user, Skew");
  await type(page, skew, "userid zipf 1.2");
  await page.locator(".notice", { hasText: "there is no parameter userid: enter one of userId" }).waitFor();
  await type(page, skew, "userId zipf 1.2");
  assert.equal(await skew.getAttribute("aria-invalid"), null);
  assert.equal(await rate.inputValue(), "often");
  await rate.focus();
  await page.keyboard.press("Escape");
  assert.equal(await rate.inputValue(), "");
  assert.equal(await rate.getAttribute("aria-invalid"), null);
});

onCost("a column of a spreadsheet goes into the cells from the focused one down", async (page) => {
  await page.evaluate(() => navigator.clipboard.writeText("10/s\n20/s\n"));
  const first = cell(page, "Get user, Average rate");
  await first.focus();
  await page.keyboard.press("Control+v");
  await page.locator(".notice", { hasText: "Pasted 2 rows." }).waitFor();
  assert.equal(await first.inputValue(), "10/s");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.value), "20/s");
  await undoButton(page).click();
  await settled(page);
  assert.equal(await first.inputValue(), "");
}, { clipboard: true });

onCost("a price is edited and reset", async (page) => {
  const before = await total(page);
  const price = page.locator(".cost-bill").getByLabel("Price of Write request units, US dollars per million units", { exact: true });
  assert.equal(await price.inputValue(), "0.625");
  await type(page, price, "6.25");
  const after = await total(page);
  assert.ok(dollars(after) > dollars(before), `${before}, ${after}`);
  await page.locator(".cost-bill").getByRole("button", { name: "Reset the price of Write request units" }).click();
  await settled(page);
  assert.equal(await total(page), before);
  assert.equal(await price.inputValue(), "0.625");
  // Cleared, it is the listed price again; the button that would be next is gone, and the focus stays.
  await type(page, price, "6.25");
  await price.focus();
  await type(page, price, "");
  assert.equal(await total(page), before);
  // The focus comes back some frames after the button is gone.
  await page.waitForFunction((price) => price === document.activeElement, await price.elementHandle());
  // What is no price is refused, and stays with a mark; Escape takes it back.
  await type(page, price, "cheap");
  await page.locator(".notice", { hasText: "Price of Write request units, US dollars per million units: enter" }).waitFor();
  assert.equal(await total(page), before);
  assert.equal(await price.inputValue(), "cheap");
  assert.equal(await price.getAttribute("aria-invalid"), "true");
  assert.match(await price.getAttribute("title"), /^enter /);
  await price.focus();
  await page.keyboard.press("Escape");
  assert.equal(await price.inputValue(), "0.625");
  assert.equal(await price.getAttribute("aria-invalid"), null);
});

onCost("a missing price is named, and never zero", async (page) => {
  await cost(page).getByLabel("Region", { exact: true }).selectOption("us-east-2");
  await settled(page);
  assert.equal((await total(page)).trim(), "Unknown");
  const missing = page.locator(".cost-missing").first();
  assert.match(await missing.textContent(), /There is no price for Write request units: enter one in the bill\./);
  const row = page.locator(".cost-bill tr").filter({ hasText: "Write request units" }).first();
  assert.match(await row.textContent(), /unknown/);
  const price = page.locator(".cost-bill").getByLabel("Price of Write request units, US dollars per million units", { exact: true });
  assert.equal(await price.getAttribute("placeholder"), "No price: enter one");
  await type(page, price, "0.7");
  assert.doesNotMatch(await missing.textContent(), /for Write request units/);
  assert.match(await total(page), /^At least \$[1-9]/);
});

onCost("shards cure a hot key in one undo step", async (page) => {
  await type(page, cell(page, "Place an order, Average rate"), "1,000/s");
  const add = page.getByRole("button", { name: /^Add \d+ shards to STATUS#\{status\}…$/ });
  await add.waitFor();
  const heat = page.getByRole("group", { name: "Hottest partition keys" });
  assert.match(await heat.textContent(), /throttles now/);
  assert.match(await page.locator(".cost-findings").textContent(), /C004/);
  await add.click();
  const preview = page.getByRole("group", { name: "Shards for STATUS#{status}" });
  await preview.waitFor();
  assert.match(await preview.textContent(), /List pending orders[^]*requests, one for each shard/);
  await preview.getByText(/\$.* with the shards/).waitFor();
  await preview.getByRole("button", { name: /^Apply \d+ shards$/ }).click();
  await settled(page);
  assert.match(await heat.textContent(), /STATUS#\{status\}#\{shard\}/);
  assert.equal(await preview.count(), 0);
  assert.equal(await add.count(), 0);
  await undoButton(page).click();
  await settled(page);
  assert.doesNotMatch(await heat.textContent(), /\{[^}]*shard/);
  await add.waitFor();
});

onCost(
  "the report is taken away",
  async (page) => {
    const saved = page.waitForEvent("download");
    await cost(page).getByRole("button", { name: "Download CSV" }).click();
    const download = await saved;
    assert.equal(download.suggestedFilename(), "shop-cost.csv");
    assert.match(await readFile(await download.path(), "utf8"), /Write request units/);
    await cost(page).getByRole("button", { name: "Copy Markdown" }).click();
    await page.getByText("Copied.").first().waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^## Monthly bill/);
  },
  { clipboard: true },
);

onCost("Problems lists what a stated workload leads to, also after a reload, until it is undone", async (page) => {
  const problems = async () => {
    await page.locator(".panel-tabs").getByRole("tab", { name: "Problems" }).click();
    await page.getByLabel("Kind", { exact: true }).selectOption("C");
  };
  const line = page.locator(".problem-list").getByText(/takes .* write units per second at the peak/);
  await type(page, cell(page, "Place an order, Average rate"), "5000/s");
  await problems();
  await line.first().waitFor();
  await page.reload();
  await page.locator(".panel-tabs").getByRole("tab", { name: "Problems" }).waitFor();
  await problems();
  await line.first().waitFor();
  // Its rule is explained, and it goes to the template that writes the key.
  await line.first().click();
  await page.locator(".problem-detail").getByText("hot-partition-key").first().waitFor();
  await undoButton(page).click();
  await line.first().waitFor({ state: "detached" });
});

test("without access patterns the tab says to add one", async () => {
  const { page, complaints, close } = await app.open();
  try {
    await page.locator(".canvas").waitFor();
    await searchCommands(page, "Go to cost");
    await press(page, "Enter");
    await cost(page).getByRole("button", { name: "Add access patterns" }).click();
    await page.locator(".patterns").waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

onCost(
  "on a phone it is one column, as wide as the screen",
  async (page) => {
    const wide = await page.evaluate(() => [document.documentElement, document.querySelector(".cost-page")].map((one) => one.scrollWidth));
    assert.ok(Math.max(...wide) <= 390, String(wide));
    const lefts = await page.locator(".cost-page > section").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    assert.equal(new Set(lefts).size, 1);
  },
  { size: [390, 844] },
);
