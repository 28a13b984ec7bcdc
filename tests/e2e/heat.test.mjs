// The heat on the canvas: Shift+H shows and hides it, its figures are in words, it follows the cards and the workload, and nothing of
// it is stored.
import assert from "node:assert/strict";
import { test } from "node:test";
import { start } from "./app.mjs";
import { card, openPattern, press, searchCommands, settled, undoButton } from "./gestures.mjs";
import { isStored, storedTexts } from "./storage.mjs";

const app = await start();
test.after(() => app.close());

const marks = (page) => page.locator(".canvas .heat-mark:not(.on-wire)");
/** The mark of the card with this name. */
const markOf = async (page, name) => page.locator(`.heat-mark[data-heat="${await card(page, name).getAttribute("data-card")}"]`);
const button = (page) => page.getByRole("toolbar", { name: "Zoom" }).getByRole("button", { name: "Heat", exact: true });

/** The canvas of e-commerce, with the focus on a card. */
function onHeat(name, body, options) {
  test(name, async () => {
    const { page, complaints, close } = await app.open(options);
    try {
      await openPattern(page, "e-commerce");
      await card(page, "Order").focus();
      await body(page);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
}

async function show(page) {
  await press(page, "Shift+H");
  await marks(page).first().waitFor();
}

onHeat("a key shows the marks and hides them, and nothing stored changes", async (page) => {
  await isStored(page);
  const before = await storedTexts(page);
  assert.equal(await button(page).getAttribute("aria-pressed"), "false");
  assert.equal(await marks(page).count(), 0);
  await show(page);
  assert.equal(await button(page).getAttribute("aria-pressed"), "true");
  // The table and each index: a figure, and sentences for the rest.
  for (const index of await page.locator(".index-card").evaluateAll((all) => all.map((one) => one.dataset.card))) {
    const mark = page.locator(`.heat-mark[data-heat="${index}"]`);
    assert.match(await mark.textContent(), /\d%|no load/);
    assert.match(await mark.getAttribute("title"), /takes .*% of a partition: .* of 1,000 write units\/s and .* of 3,000 read units\/s\.|No access pattern/);
    assert.equal(await mark.getAttribute("aria-label"), await mark.getAttribute("title"));
  }
  assert.match(await (await markOf(page, "Order")).textContent(), /% of writes/);
  const legend = await page.getByRole("group", { name: "Heat", exact: true }).innerText();
  for (const words of ["under 50%", "50–80%", "80–100%", "over 100%: throttles"]) assert.ok(legend.includes(words), legend);
  await press(page, "Shift+H");
  assert.equal(await page.locator(".heat-mark, .heat-frame, .heat-legend").count(), 0);
  assert.equal(await storedTexts(page), before);
  assert.equal(await undoButton(page).isDisabled(), true);
});

onHeat("a mark follows its card", async (page) => {
  await show(page);
  const mark = await markOf(page, "Order");
  const distance = async () => (await mark.boundingBox()).x - (await card(page, "Order").boundingBox()).x;
  const [x, before] = [(await mark.boundingBox()).x, await distance()];
  await card(page, "Order").focus();
  await press(page, "ArrowLeft");
  assert.ok((await mark.boundingBox()).x < x);
  assert.ok(Math.abs((await distance()) - before) < 1);
});

onHeat("the marks follow the workload, and the table has the item collection's figure", async (page) => {
  await show(page);
  await page.locator(".panel-tabs").getByRole("tab", { name: "Cost", exact: true }).click();
  const rate = page.locator(".cost").getByLabel("Place an order, Average rate", { exact: true });
  await rate.fill("5000/s");
  await press(page, "Tab");
  await page.locator(".heat-mark.heat-over").first().waitFor();
  const hot = await page.locator(".heat-mark.heat-over").first().getAttribute("title");
  assert.match(hot, /It throttles\./);
  await page.locator(".panel-tabs").getByRole("tab").first().click();
  // The first row of each item collection has the figure.
  const heat = page.locator(".live-table [role=rowheader] .row-heat");
  await heat.first().waitFor();
  assert.match(await heat.first().textContent(), /^ heat .*\d%$/);
  assert.match(await heat.first().getAttribute("title"), /of a partition/);
  const collections = page.locator(".live-table .grid-row.lead");
  assert.ok((await collections.count()) >= (await heat.count()));
  assert.ok((await page.locator(".live-table .row-head", { hasText: "Heat" }).first().isVisible()));
  await searchCommands(page, "hide heat");
  await page.getByRole("option", { name: /^Show or hide heat on the canvas/ }).waitFor();
  await press(page, "Enter");
  assert.equal(await marks(page).count(), 0);
  await settled(page);
  assert.equal(await page.locator(".row-heat").count(), 0);
});

onHeat(
  "on a phone the legend is within the screen",
  async (page) => {
    await button(page).click();
    await marks(page).first().waitFor();
    const { x, width } = await page.locator(".heat-legend").boundingBox();
    assert.ok(x >= 0 && x + width <= 390, `${x}, ${width}`);
  },
  { size: [390, 844] },
);
