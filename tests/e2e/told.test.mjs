// What the page says of itself is so: whether the panel is open, how many access patterns are not served, what is wrong with a
// template and when, what goes with a card that is deleted, what is offered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./app.mjs";
import { card, drag, emptySpot, middle, names, openPattern, patternTests, port, press, settled, undoButton } from "./gestures.mjs";

const onPattern = patternTests();

/** The height of the panel, and what its button says. */
const panel = async (page) => ({
  height: Math.round((await page.locator(".panel").boundingBox()).height),
  button: await page.locator(".panel-toggle").getAttribute("aria-label"),
});

onPattern("a closed panel stays closed during other gestures", async (page) => {
  await page.getByRole("button", { name: "Close panel" }).click();
  await settled(page);
  const closed = await panel(page);
  assert.equal(closed.button, "Open panel");
  assert.ok(closed.height < 60, `${closed.height}`);
  // A double click on a key goes to its field.
  await card(page, "User").locator(".key-row").first().dblclick();
  await settled(page);
  assert.deepEqual(await panel(page), closed, "after a double click on a key");
  // A wire that is dropped on nothing.
  await drag(page, await port(page, "User"), await emptySpot(page));
  assert.deepEqual(await panel(page), closed, "after a wire was dropped");
  await press(page, "Escape");
  // Copies.
  await card(page, "User").locator(".card-name").click();
  await press(page, "Control+d");
  assert.deepEqual(await panel(page), closed, "after duplicating");
  await press(page, "Control+z");
  await page.getByRole("button", { name: "Open panel" }).click();
  await settled(page);
  assert.ok((await panel(page)).height > 200);
});

onPattern("changing the color keeps a card selected and its wires unchanged", async (page) => {
  await card(page, "User").locator(".card-name").click();
  await settled(page);
  const wires = () =>
    page.evaluate(() => {
      const classes = (wire) => [...wire.classList].filter((name) => !name.startsWith("hue-")).sort();
      const id = document.querySelector(".entity-card.selected")?.dataset.card;
      return [...document.querySelectorAll(`[data-wire^="${id}-"]`)].map(classes);
    });
  const before = await wires();
  assert.ok(before.length > 1 && before.some((classes) => classes.includes("primary")), JSON.stringify(before));
  await page.locator(".hues .swatch").nth(7).click();
  await settled(page);
  assert.ok(await card(page, "User").evaluate((card) => card.classList.contains("selected")));
  assert.ok(await card(page, "User").evaluate((card) => card.classList.contains("hue-7")));
  assert.deepEqual(await wires(), before);
});

onPattern("an unfinished placeholder is not reported until its field is left", async (page) => {
  await page.getByRole("tab", { name: /^Table/ }).click();
  await card(page, "User").locator(".card-name").click();
  const field = page.getByRole("combobox", { name: /^Table sort key/ });
  await field.click();
  await press(page, "End");
  const reported = () =>
    page.evaluate(() => ({
      label: document.querySelector(".entity-card.selected").getAttribute("aria-label"),
      broken: document.querySelectorAll(".entity-card .broken, .template-backdrop .broken").length,
      rows: document.querySelectorAll(".grid-body [data-sample].failed, .grid-body [data-sample] .problem").length,
      tab: [...document.querySelectorAll("[role=tab]")].map((tab) => tab.textContent).find((text) => text.startsWith("Problems")),
      messages: document.querySelectorAll(".inspector .field-error p").length,
    }));
  // What is found is looked for after a moment.
  await page.keyboard.type("#");
  await page.waitForTimeout(600);
  const before = await reported();
  const text = await field.inputValue();
  for (const letter of "{us") {
    await page.keyboard.type(letter);
    await page.waitForTimeout(500);
    assert.deepEqual(await reported(), before, `after ${letter}`);
  }
  assert.equal(await field.inputValue(), `${text}{us`);
  // With the caret elsewhere it is still being typed.
  await press(page, "Home");
  await page.keyboard.type("A");
  await page.waitForTimeout(500);
  assert.deepEqual(await reported(), before, "with the caret elsewhere");
  await page.keyboard.press("Tab");
  await page.waitForTimeout(600);
  const after = await reported();
  assert.equal(await field.inputValue(), `A${text}{us`);
  assert.ok(after.broken > 0 && after.messages > 0, JSON.stringify(after));
  assert.notEqual(after.label, before.label);
  assert.notEqual(after.tab, before.tab);
  // One step back is one step.
  await undoButton(page).click();
  await settled(page);
  assert.equal(await field.inputValue(), text);
});

onPattern("typed text is kept when another card is selected or the page is reloaded", async (page) => {
  const field = () => page.getByRole("combobox", { name: /^Table sort key/ });
  await card(page, "User").locator(".card-name").click();
  await field().fill("USER#{userI");
  await card(page, "Tenant").locator(".card-head").click();
  await settled(page);
  await card(page, "User").locator(".card-head").click();
  await settled(page);
  assert.equal(await field().inputValue(), "USER#{userI");
});

onPattern("deleting an entity reports the access patterns deleted with it, and can be undone", async (page) => {
  const patterns = async () => {
    const tab = await page.getByRole("tab", { name: /^Access patterns/ }).innerText();
    return Number(/\((\d+)/.exec(tab)[1]);
  };
  const before = await patterns();
  await card(page, "User").locator(".card-name").click();
  await press(page, "Delete");
  const gone = before - (await patterns());
  assert.ok(gone > 1, `${gone} went along`);
  const notice = page.locator(".notice");
  assert.equal(await notice.locator(".notice-text").innerText(), `User deleted with ${gone} access patterns. Undo reverts this.`);
  assert.match(await undoButton(page).getAttribute("title"), new RegExp(`delete with ${gone} access patterns`));
  assert.equal((await page.locator(".spoken").innerText()).trim(), `User deleted with ${gone} access patterns`);
  await notice.getByRole("button", { name: "Undo last change" }).click();
  await settled(page);
  assert.equal(await patterns(), before);
  assert.ok((await names(page)).includes("User"));
  assert.equal(await notice.count(), 0);
});

test("after a reload the tab shows the number of access patterns not served before it is opened", async () => {
  const { page, complaints, close } = await open();
  try {
    await openPattern(page);
    const tab = page.getByRole("tab", { name: /^Access patterns/ });
    await tab.click();
    await page.getByRole("button", { name: "New access pattern" }).click();
    await page.getByRole("tab", { name: /unserved/ }).waitFor();
    const said = await tab.innerText();
    await page.getByRole("tab", { name: /^Table/ }).click();
    // Stored a moment after the last change.
    await page.waitForTimeout(1500);
    await page.reload();
    await page.locator(".entity-card").first().waitFor();
    await page.getByRole("tab", { name: /unserved/ }).waitFor({ timeout: 5000 });
    assert.equal(await tab.innerText(), said);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("the tab forgets the verdict of an access pattern that an undo takes back", async () => {
  const { page, complaints, close } = await open({ query: "?stress=3" });
  try {
    await page.locator(".entity-card").first().waitFor();
    await page.getByRole("tab", { name: /^Access patterns/ }).click();
    await page.getByRole("button", { name: "New access pattern" }).first().click();
    await page.getByRole("tab", { name: "Access patterns (1, 1 unserved)" }).waitFor();
    await page.getByRole("tab", { name: /^Table/ }).click();
    await page.keyboard.press("Control+z");
    await page.getByRole("tab", { name: "Access patterns (0)" }).waitFor({ timeout: 5000 });
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("adding one access pattern keeps the other offers", async () => {
  const { page, complaints, close } = await open({ query: "?stress=3" });
  try {
    await page.locator(".entity-card").first().waitFor();
    await page.getByRole("tab", { name: /^Access patterns/ }).click();
    const offered = page.locator(".patterns-starters button");
    const all = await page.getByRole("list", { name: "Suggested access patterns" }).getByRole("button").allInnerTexts();
    assert.ok(all.length > 2, all.join());
    await page.getByRole("button", { name: all[1], exact: true }).click();
    await page.locator(".pattern-row").waitFor();
    await settled(page);
    const others = page.getByRole("list", { name: "Suggested access patterns" }).getByRole("button");
    assert.deepEqual(await others.allInnerTexts(), all.filter((name) => name !== all[1]));
    await others.first().click();
    await settled(page);
    assert.equal(await page.locator(".pattern-row").count(), 2);
    await page.getByRole("button", { name: "Add all" }).click();
    await settled(page);
    assert.equal(await page.locator(".pattern-row").count(), all.length);
    assert.equal(await offered.count(), 0);
    // All of them were one step.
    await undoButton(page).click();
    await settled(page);
    assert.equal(await page.locator(".pattern-row").count(), 2);
    await page.getByRole("button", { name: "Hide suggestions" }).click();
    await settled(page);
    assert.equal(await offered.count(), 0);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
