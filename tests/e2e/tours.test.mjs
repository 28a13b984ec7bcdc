// The guided tours, followed with real events: each step is done by what it says, and nothing covers what it speaks of.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./app.mjs";
import { card, drag, emptySpot, port, settled } from "./gestures.mjs";

/** Waits for a step, and checks that the strip of the tour covers no region. */
async function isAt(page, step, title) {
  const guide = page.locator("aside.guide");
  await guide.getByText(`Step ${step} of`).waitFor({ timeout: 5000 });
  assert.equal(await guide.locator("h2").innerText(), title);
  const covered = await page.evaluate(() => {
    const own = document.querySelector("aside.guide").getBoundingClientRect();
    const meets = (element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return left < own.right - 1 && right > own.left + 1 && top < own.bottom - 1 && bottom > own.top + 1;
    };
    return [...document.querySelectorAll(".rail, .canvas, .panel, .inspector, .top-bar")].filter(meets).map((it) => it.className);
  });
  assert.deepEqual(covered, []);
}

const tab = (page, name) => page.locator(".panel-tabs").getByRole("tab", { name });

/** Types a value into a cell. */
async function edit(page, row, column, value) {
  const cell = page.locator("[data-grid] .grid-row").filter({ hasText: row }).first().locator(`[data-column="${column}"]`);
  await cell.scrollIntoViewIfNeeded();
  await cell.dblclick();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(value);
  await page.keyboard.press("Enter");
  await settled(page);
}

/** Adds an attribute to the selected entity. */
async function addAttribute(page, name) {
  const inspector = page.locator(".inspector[aria-busy=false]");
  await inspector.getByRole("button", { name: "Add attribute" }).click();
  await settled(page);
  const field = inspector.getByRole("textbox", { name: /^Name of attribute|^Attribute name/i }).last();
  await field.fill(name);
  await page.keyboard.press("Tab");
  await settled(page);
}

/** Types the beginning of a template into its field, takes the attribute that the list offers, and returns the field. */
async function typeTemplate(page, label, text, offered) {
  const field = page.getByRole("combobox", { name: label });
  await field.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
  await page.getByRole("option", { name: offered }).waitFor();
  await page.keyboard.press("Enter");
  return field;
}

test("the guided first design ends with rows in an index, a served access pattern and the exports", async () => {
  const { page, complaints, close } = await open();
  try {
    await page.getByRole("button", { name: /Learn by doing/ }).click();
    await isAt(page, 1, "Add an entity");
    await page.keyboard.press("e");
    await page.waitForFunction(() => document.activeElement?.closest(".inspector"));
    await page.keyboard.type("User");
    await isAt(page, 2, "Add an attribute");
    await addAttribute(page, "email");
    await isAt(page, 3, "Add a second entity");
    await page.locator(".canvas").focus();
    await page.keyboard.press("e");
    await page.waitForFunction(() => document.activeElement?.closest(".inspector"));
    await page.keyboard.type("Order");
    await isAt(page, 4, "Give the order its user");
    await addAttribute(page, "userId");
    await isAt(page, 5, "Share an item collection");
    // The list offers what the step asks for.
    const partition = await typeTemplate(page, /^Table partition key/, "USER#{u", "userId");
    assert.equal(await partition.inputValue(), "USER#{userId}");
    await typeTemplate(page, /^Table sort key/, "ORDER#{o", "orderId");
    await isAt(page, 6, "Join an order to its user");
    await edit(page, "Order", "userId", "user-1");
    await isAt(page, 7, "Add an index");
    const from = await port(page, "User");
    await drag(page, from, await emptySpot(page, 200, 120));
    await settled(page);
    await isAt(page, 8, "Fill the index");
    await edit(page, "User", "email", "ana@example.com");
    await tab(page, "GSI1").click();
    await isAt(page, 9, "Prove an access pattern");
    assert.equal(await page.locator("[data-grid] .grid-row[data-sample]").count(), 1);
    await tab(page, /^Access patterns/).click();
    await page.locator(".patterns-starters li button").first().click();
    await isAt(page, 10, "Export the design");
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.locator("aside.guide").getByText("Done").waitFor();
    assert.equal(await page.locator("aside.guide h2").innerText(), "Your single-table design is ready");
    // Without errors in what was made.
    assert.equal(await page.locator(".problem-counts").getByText(/error/).count(), 0);
    await page.getByRole("button", { name: "Next tour" }).click();
    await isAt(page, 1, "Look at one entity's keys");
    assert.deepEqual(complaints, []);
  } catch (error) {
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
    throw error;
  } finally {
    await close();
  }
});

test("the tour of index overloading ends with two questions that one index answers", async () => {
  const { page, complaints, close } = await open();
  try {
    await page.locator(".welcome").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command palette" }).fill("index overloading");
    await page.keyboard.press("Enter");
    await isAt(page, 1, "Look at one entity's keys");
    const row = page.locator(".outline li").filter({ hasText: "User" }).first();
    await row.hover();
    await row.locator(".outline-only").click();
    await isAt(page, 2, "Add an index for users");
    await row.locator(".outline-only").click();
    await settled(page);
    await drag(page, await port(page, "User"), await emptySpot(page, 200, 120));
    await isAt(page, 3, "Overload the index");
    await settled(page);
    const target = await card(page, "GSI1").boundingBox();
    await drag(page, await port(page, "Project"), [target.x + target.width / 2, target.y + target.height / 2]);
    await isAt(page, 4, "See both in one index");
    await tab(page, "GSI1").click();
    await isAt(page, 5, "Prove a question about users");
    for (const [entity, attribute, step, title] of [
      ["User", "email", 6, "Prove a question about projects"],
      ["Project", "status", 7, "Make it sparse"],
    ]) {
      await tab(page, /^Access patterns/).click();
      await page.locator(".patterns").getByRole("button", { name: "New access pattern" }).click();
      await page.locator(".pattern-editor").waitFor();
      const wanted = page.locator(".pattern-entity", { hasText: entity });
      if ((await wanted.getAttribute("aria-pressed")) === "false") await wanted.click();
      await settled(page);
      // It is the only one: it took the place of a guessed one.
      assert.equal(await page.locator(".pattern-entity[aria-pressed=true]").count(), 1);
      const offered = page.locator(".pattern-offer select").first();
      assert.equal(await offered.evaluate((select) => select.selectedOptions[0].text), entity);
      await page.locator(".chip.known", { hasText: attribute }).click();
      await page.locator(".suggestion", { hasText: "Read it through GSI1, which already serves it" }).click();
      await isAt(page, step, title);
    }
    await card(page, "Project").locator(".card-head").click();
    await page.locator(".inspector[aria-busy=false]").getByRole("button", { name: "Add condition" }).last().click();
    await settled(page);
    const condition = page.locator(".inspector[aria-busy=false]").getByLabel("Condition attribute").last();
    await condition.selectOption("status");
    const operator = page.locator(".inspector[aria-busy=false]").getByLabel("Condition operator").last();
    await operator.selectOption({ label: "equals" });
    await settled(page);
    // The value is what Tab reaches next.
    await operator.focus();
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement.closest(".condition-values") !== null));
    await isAt(page, 8, "Check the coverage");
    await tab(page, /^Access patterns/).click();
    await page.getByRole("button", { name: "Coverage" }).click();
    await page.locator("aside.guide").getByText("Done").waitFor();
    await page.getByRole("button", { name: "End guide" }).click();
    assert.equal(await page.locator("aside.guide").count(), 0);
    assert.deepEqual(complaints, []);
  } catch (error) {
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
    throw error;
  } finally {
    await close();
  }
});
