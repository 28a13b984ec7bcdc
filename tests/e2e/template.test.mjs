// Key templates as a person types them: what completes a placeholder, and when a mistake is one.
import assert from "node:assert/strict";
import { card, patternTests, settled } from "./gestures.mjs";

const onPattern = patternTests();

/** Opens the template of a user's sort key with the caret at its end. */
async function sortKey(page) {
  await card(page, "User").locator(".card-name").click();
  const field = page.getByRole("combobox", { name: /^Table sort key/ });
  await field.click();
  await page.keyboard.press("End");
  return field;
}

const offered = (page) => page.locator(".template-offers:visible [role=option] .chip").allTextContents();
const taken = (page) => page.locator(".template-offers:visible [aria-selected=true] .chip").allTextContents();
const messages = (page) => page.locator(".inspector .template-field .field-error p").allTextContents();
const isIn = (field) => field.evaluate((input) => input === document.activeElement);

onPattern("Enter, Tab or a click completes a placeholder while it is typed", async (page) => {
  const field = await sortKey(page);
  const before = await field.inputValue();
  await page.keyboard.type("#{");
  await settled(page);
  assert.ok((await offered(page)).includes("email"));
  assert.deepEqual(await messages(page), [], "what is not yet typed to its end is no mistake");
  await page.keyboard.type("e");
  await settled(page);
  assert.deepEqual(await offered(page), ["email"]);
  const option = await field.getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`[id="${option}"]`).innerText().then((text) => text.trim()), "email");
  await page.keyboard.press("Enter");
  await page.keyboard.type("#{na");
  await settled(page);
  await page.keyboard.press("Tab");
  assert.equal(await field.inputValue(), `${before}#{email}#{name}`);
  assert.ok(await isIn(field));
  await settled(page);
  assert.deepEqual(await offered(page), []);
  await page.keyboard.type("{");
  await settled(page);
  await page.locator(".template-offers:visible [role=option]", { hasText: "role" }).click();
  assert.equal(await field.inputValue(), `${before}#{email}#{name}{role}`);
  assert.ok(await isIn(field));
  await page.keyboard.press("Tab");
  assert.ok(!(await isIn(field)), "with nothing to complete Tab goes on");
});

onPattern("arrow keys choose a completion, and typing replaces the argument of a modifier", async (page) => {
  const field = await sortKey(page);
  const before = await field.inputValue();
  await page.keyboard.type("#{");
  await settled(page);
  const [first, second] = await offered(page);
  await page.keyboard.press("ArrowDown");
  await settled(page);
  assert.deepEqual(await taken(page), [second]);
  await page.keyboard.press("ArrowUp");
  await settled(page);
  assert.deepEqual(await taken(page), [first]);
  await page.keyboard.type("name:fi");
  await settled(page);
  assert.deepEqual(await offered(page), ["first(n)"]);
  await page.keyboard.press("Enter");
  await page.keyboard.type("3");
  assert.equal(await field.inputValue(), `${before}#{name:first(3)}`);
  await settled(page);
  assert.deepEqual(await messages(page), []);
});

onPattern("undo closes the completions, and completing a name keeps the text after it", async (page) => {
  const field = await sortKey(page);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("USER:{userId}");
  await page.keyboard.press("Home");
  await page.keyboard.type("{em");
  await settled(page);
  await page.keyboard.press("Enter");
  assert.equal(await field.inputValue(), "{email}USER:{userId}");
  await page.keyboard.press("End");
  await page.waitForTimeout(700); // What is typed after a pause is a step of its own.
  await page.keyboard.type("{em");
  await settled(page);
  assert.deepEqual(await offered(page), ["email"]);
  await page.keyboard.press("Control+z");
  await settled(page);
  assert.equal(await field.inputValue(), "{email}USER:{userId}");
  assert.deepEqual(await offered(page), []);
});

onPattern("the completions are visible below a field at the lower edge", async (page) => {
  await page.setViewportSize({ width: 1440, height: 480 });
  await sortKey(page);
  await page.keyboard.type("{");
  await settled(page);
  await settled(page);
  const whole = await page.evaluate(() => {
    const list = document.querySelector(".template-offers:not([hidden])").getBoundingClientRect();
    const around = document.querySelector(".inspector").getBoundingClientRect();
    return list.bottom <= around.bottom && list.top >= around.top;
  });
  assert.ok(whole);
});

onPattern("Escape closes the completions, and then the error is shown", async (page) => {
  const field = await sortKey(page);
  await page.keyboard.type("#{em");
  await settled(page);
  await page.keyboard.press("Escape");
  await settled(page);
  assert.deepEqual(await offered(page), []);
  assert.ok(await isIn(field));
  assert.equal((await messages(page)).length, 1);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("A#{nothing");
  await settled(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Backspace");
  assert.equal(await field.inputValue(), "A#{nothin", "the first Escape leaves the placeholder, not the field");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("A#{email}");
  await settled(page);
  assert.deepEqual(await messages(page), []);
});
