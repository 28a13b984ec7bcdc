// Key templates as a person types them: what completes a placeholder, and when a mistake is one.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
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
const messages = (page) => page.locator(".inspector[aria-busy=false] .template-field .field-error p").allTextContents();
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

/** Opens the SaaS pattern with other names of attributes and entities. */
async function openRenamed(page, names) {
  // A test before left a low window, in which cards show names only.
  await page.setViewportSize({ width: 1440, height: 900 });
  const file = new URL("../../crates/core/src/library/patterns/saas-multi-tenant.json", import.meta.url);
  let text = await readFile(file, "utf8");
  for (const [from, to] of Object.entries(names)) text = text.replaceAll(new RegExp(`\\b${from}\\b`, "g"), to);
  const before = await page.title();
  await page.locator("input[type=file][accept*=keyfold]").setInputFiles({ name: "renamed.keyfold.json", mimeType: "application/json", buffer: Buffer.from(text.replace(/"name": "[^"]*"/, '"name": "Renamed"')) });
  await page.waitForFunction((before) => document.title !== before && document.querySelector(".entity-card"), before);
  await settled(page);
}

/** The pieces of a template from left to right, as they are drawn: literals without white space, and names of attributes. */
const drawn = (element, kind) =>
  element.evaluate((element, kind) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const pieces = [];
    while (walker.nextNode()) {
      const [node, range] = [walker.currentNode, document.createRange()];
      // A long key is there for each size of the text.
      if (!node.parentElement.checkVisibility()) continue;
      const name = node.parentElement.closest(kind);
      // Literals word by word: one literal may be in several places.
      for (const { 0: word, index } of name ? [{ 0: node.data, index: 0 }] : node.data.matchAll(/[^#]+/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        pieces.push([range.getBoundingClientRect().left, word.replace(/[{}]/g, "")]);
      }
    }
    return pieces.sort(([a], [b]) => a - b).map(([, word]) => word);
  }, kind);

onPattern("the pieces of an Arabic template are in the same order on the card and in the field", async (page) => {
  await openRenamed(page, { userId: "معرف", role: "رقم" });
  const field = await sortKey(page);
  for (const template of ["مستخدم#{معرف}", "مستخدم#{email}", "USER#{معرف}#{رقم}", "A#{معرف}#طلب#{email}", "{رقم}#طلب#{معرف}"]) {
    await field.fill(template);
    await page.keyboard.press("Tab");
    await settled(page);
    // A card that just came into view has no boxes yet.
    await card(page, "User").locator(".card-group.primary .template .chip:visible").last().waitFor();
    const onCard = await drawn(card(page, "User").locator(".card-group.primary .template").last(), ".chip");
    const inField = await drawn(page.locator(".template-field", { has: field }).locator(".template-backdrop"), "mark");
    assert.equal(onCard.length, template.split(/[#{}]+/).filter(Boolean).length, template);
    assert.deepEqual(onCard, inField, template);
    await field.click();
  }
});

onPattern("names of 90 letters: chips stay in the form, and the end of a name is cut, not its beginning", async (page) => {
  const long = (letter) => `${letter}${"abcdefghij".repeat(9)}`.slice(0, 90);
  await openRenamed(page, { userId: long("x"), tenantId: long("t"), User: long("U") });
  const entity = card(page, long("U"));
  await entity.locator(".card-head").click();
  const field = page.getByRole("combobox", { name: /^Table sort key/ });
  await field.click();
  await page.keyboard.press("End");
  await page.keyboard.type("#{x");
  await settled(page);
  /** The elements of a region that are wider than it. */
  const outside = (region, of) =>
    page.locator(region).first().evaluate((region, of) => {
      const right = region.getBoundingClientRect().right;
      return [...region.querySelectorAll(of)].filter((one) => one.getBoundingClientRect().right > right + 0.5).map((one) => one.textContent);
    }, of);
  assert.deepEqual(await offered(page), [long("x")]);
  assert.deepEqual(await outside(".template-offers:not([hidden])", ".chip"), []);
  await page.keyboard.press("Escape");
  await field.click();
  await page.locator(".template-chips .chip").first().waitFor();
  assert.deepEqual(await outside(".inspector", ".chip, .template-chips"), []);
  await page.locator(".panel-tabs").getByRole("tab", { name: /^Access patterns/ }).click();
  await page.getByRole("button", { name: "New access pattern" }).click();
  await page.locator(".pattern-editor .chip.known", { hasText: long("t") }).first().waitFor();
  assert.deepEqual(await outside(".pattern-editor", ".chip"), []);
  // At each zoom, the first letters of the name are on the card.
  for (const steps of [0, 4, 8]) {
    await page.locator(".canvas").focus();
    for (let step = 0; step < steps; step += 1) await page.keyboard.press("-");
    await settled(page);
    const start = await entity.locator(".card-name").evaluate((name) => {
      const range = document.createRange();
      range.setStart(name.firstChild, 0);
      range.setEnd(name.firstChild, 1);
      const [letter, card] = [range, name.closest(".card")].map((one) => one.getBoundingClientRect());
      return letter.left >= card.left - 0.5 && letter.top >= card.top - 0.5 && letter.bottom <= card.bottom + 0.5 && name.textContent.startsWith("Uabc");
    });
    assert.ok(start, `after ${steps} steps out`);
  }
});

onPattern("a press in the next key of an access pattern hits that key, however often", async (page) => {
  await page.locator(".panel-tabs").getByRole("tab", { name: /^Access patterns/ }).click();
  await page.locator(".pattern-row", { hasText: "GetItem" }).first().click();
  const [partition, sort] = [0, 1].map((at) => page.locator(".pattern-editor .template-field input").nth(at));
  await partition.click();
  await settled(page);
  const place = await sort.boundingBox();
  await page.mouse.click(place.x + 30, place.y + place.height / 2, { clickCount: 3 });
  await page.keyboard.type("LEAVE");
  assert.equal(await sort.inputValue(), "LEAVE");
  assert.deepEqual((await sort.boundingBox()).y, place.y);
  // Beside the attributes, too, the focus stays in the field.
  const offers = page.locator(".pattern-editor .template-chips").last();
  const { x, y, width, height } = await offers.boundingBox();
  await page.mouse.click(x + width - 2, y + height - 2);
  await page.keyboard.type("S");
  assert.equal(await sort.inputValue(), "LEAVES");
});
