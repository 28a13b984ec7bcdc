// The design as text, in step with the canvas while either is edited.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./app.mjs";
import { card, drag, middle, names, openPattern, patternTests, place, port, selected, settled, undoButton } from "./gestures.mjs";
import { isStored } from "./storage.mjs";

const onPattern = patternTests();

const editor = (page) => page.locator(".text-editor .cm-content");
const status = (page) => page.locator(".text-error");

/** Shows the text. */
async function showText(page) {
  await page.locator(".panel-tabs").getByRole("tab", { name: "Text" }).click();
  await editor(page).waitFor();
  await settled(page);
}

/** The whole text, also the lines that are out of view: as the button copies it. */
async function text(page) {
  await settled(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(".text-bar").getByRole("button", { name: "Download" }).click(),
  ]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Puts the cursor at the end of the text. */
async function toEnd(page) {
  await editor(page).click();
  await page.keyboard.press("Control+End");
}

/** Puts the cursor behind the first place of a text. */
async function behind(page, words) {
  await editor(page).click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+f");
  await page.locator(".cm-search [name=search]:focus").waitFor();
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowRight");
}

const lines = (text) => text.split("\n");
/** The lines of a text that another one does not have. */
const without = (text, other) => lines(text).filter((line) => !lines(other).includes(line));

onPattern("a typed entity has a card, a row and a wire, and undo takes it away letter by letter or as one step", async (page) => {
  await showText(page);
  const before = await text(page);
  const cards = await names(page);
  const wires = await page.locator("[data-wire]:not(.primary)").count();
  await behind(page, "/// A person with");
  await page.keyboard.press("ArrowUp");
  // The editor indents the lines of a block.
  await page.keyboard.type("\nentity Coupon\ncode string\nkey COUPON#{code} / COUPON\nindex GSI1 CODE#{code} / COUPON\n| code |\n| SALE10 |\n");
  assert.equal(await status(page).textContent(), "");
  assert.deepEqual(await names(page), [...cards, "Coupon"]);
  assert.equal(await page.locator("[data-wire]:not(.primary)").count(), wires + 1);
  await page.locator(".panel-tabs").getByRole("tab", { name: "Table" }).click();
  await page.locator("[data-grid]").getByText("COUPON#SALE10").first().waitFor();
  await showText(page);
  assert.match(await text(page), /entity Coupon/);
  while ((await names(page)).includes("Coupon")) await undoButton(page).click();
  for (let step = 0; step < 12 && (await undoButton(page).isEnabled()); step += 1) await undoButton(page).click();
  assert.equal(await text(page), before);
});

onPattern("a wire drawn on the canvas changes one line, and undo gives back the text with its comments", async (page) => {
  await showText(page);
  await behind(page, "entity User");
  await page.keyboard.press("End");
  await page.keyboard.type("\n// Only for sign-in.");
  const before = await text(page);
  assert.match(before, /\n {2}\/\/ Only for sign-in\.\n/);
  await drag(page, await port(page, "Subscription"), await middle(card(page, "GSI3")));
  // The card that grew moved others, whose places stand in the last block.
  const read = (text) => text.split("\ncanvas")[0];
  const after = read(await text(page));
  assert.deepEqual(without(read(before), after), []);
  assert.equal(without(after, before).length, 1);
  assert.match(without(after, before)[0], /GSI3/);
  await undoButton(page).click();
  assert.equal(await text(page), before);
});

onPattern("a mistake names its line, the canvas keeps the design, and the end of it is one step with the mistake", async (page) => {
  await showText(page);
  const before = await text(page);
  const cards = await names(page);
  await behind(page, "entity User");
  await page.keyboard.press("Home");
  await page.keyboard.type("x");
  await page.locator(".text-error.wrong").waitFor();
  const line = lines(before).findIndex((line) => line.startsWith("entity User")) + 1;
  assert.match(await status(page).textContent(), new RegExp(`^Line ${line}, column `));
  assert.deepEqual(await names(page), cards);
  await page.locator(".cm-lintRange-error").first().waitFor();
  await page.keyboard.press("Backspace");
  await page.waitForFunction(() => document.querySelector(".text-error").textContent === "");
  assert.equal(await text(page), before);
});

onPattern("F2 renames an entity everywhere, with its samples, access patterns and place", async (page) => {
  await showText(page);
  const at = await place(page, "Project");
  await behind(page, "entity Pro");
  await page.keyboard.press("F2");
  await page.getByLabel("New name").fill("Initiative");
  await page.keyboard.press("Enter");
  await card(page, "Initiative").waitFor();
  assert.deepEqual(await place(page, "Initiative"), at);
  assert.doesNotMatch(await text(page), /\bProject\b(?!s)/);
  await page.locator(".panel-tabs").getByRole("tab", { name: "Access patterns" }).click();
  assert.match(await page.locator(".panel-tabs").getByRole("tab", { name: "Access patterns" }).textContent(), /^Access patterns \(\d+\)$/);
  await page.keyboard.press("Control+z");
  await card(page, "Project").waitFor();
});

onPattern("the cursor selects the card of its lines, and a card scrolls to its lines", async (page) => {
  await showText(page);
  await behind(page, "entity User");
  assert.deepEqual(await selected(page), ["User"]);
  await card(page, "Tenant").locator(".card-name").click();
  await settled(page);
  await page.getByText("entity Tenant").first().waitFor();
  assert.ok(await page.locator(".cm-line", { hasText: /^entity Tenant/ }).isVisible());
});

onPattern("completion offers the words of the language and the attributes of the entity", async (page) => {
  await showText(page);
  await behind(page, "entity User");
  await page.keyboard.press("End");
  await page.keyboard.type("\n  key X#{em");
  await page.locator(".cm-tooltip-autocomplete", { hasText: "email" }).waitFor();
  await page.keyboard.press("Escape");
});

onPattern("the pointer on a name tells of its samples, and an unknown name comes with the one that was meant", async (page) => {
  await showText(page);
  await behind(page, "entity User");
  const name = page.locator(".cm-activeLine").getByText("User", { exact: true });
  await name.hover();
  const tooltip = page.locator(".cm-tooltip-hover");
  await tooltip.waitFor();
  const [word, ...keys] = (await tooltip.innerText()).split("\n");
  assert.equal(word, "User");
  assert.ok(keys.some((line) => /^TENANT#\S+ \/ USER#/.test(line)), keys.join("\n"));
  await toEnd(page);
  await page.keyboard.type("\nentity Coupon\ncode string\nkey COUPON#{code} / COUPON\nindex GS1 CODE#{code} / COUPON\n");
  await page.locator(".text-error", { hasText: "did you mean `GSI1`?" }).waitFor();
});

onPattern("Enter ends a line whatever is offered, Tab completes, and a block begins at the left margin", async (page) => {
  await showText(page);
  await toEnd(page);
  const offered = (name) => page.locator(".cm-tooltip-autocomplete li", { hasText: name }).first().waitFor();
  await page.keyboard.type("\nentity Coupon\ncode uli");
  await offered("ulid");
  await page.keyboard.type("d\nname n");
  await offered("null");
  await page.keyboard.type("\nstate stri");
  await offered("string");
  await page.keyboard.press("Tab");
  await page.keyboard.type("\nkey COUPON#{code} / COUPON\n\npattern One\nGetItem COUPON#{code} / COUPON\n");
  await card(page, "Coupon").waitFor();
  await settled(page);
  const [seen, canvas] = [await card(page, "Coupon").boundingBox(), await page.locator(".canvas").boundingBox()];
  assert.ok(seen.x >= canvas.x && seen.x + seen.width <= canvas.x + canvas.width, "the new card is in sight");
  const typed = (await text(page)).split("entity Coupon\n")[1];
  assert.equal(typed, "  code ulid\n  name n\n  state string\n  key COUPON#{code} / COUPON\n\npattern One\n  GetItem COUPON#{code} / COUPON\n  ");
  assert.match(await status(page).textContent(), /found `n`/);
});

onPattern("F12 goes to a definition out of view, and the page stays where it is", async (page) => {
  await showText(page);
  await toEnd(page);
  await page.keyboard.type("\npattern Found\n  Scan\n  returns Tenant");
  await page.keyboard.press("F12");
  await page.locator(".cm-activeLine", { hasText: /^entity Tenant/ }).waitFor();
  await settled(page);
  const [scrolled, height] = await page.evaluate(() => [scrollY, document.documentElement.scrollHeight - innerHeight]);
  assert.deepEqual([scrolled, height], [0, 0]);
});

onPattern("the tab counts the errors while another is shown, and another design begins at its top", async (page) => {
  await showText(page);
  await toEnd(page);
  await page.keyboard.type("\nentity Broken\nwhat is this");
  const tab = (name) => page.locator(".panel-tabs").getByRole("tab", { name });
  await page.locator(".text-error.wrong").waitFor();
  assert.equal(await tab("Text").innerText(), "Text");
  await tab("Problems").click();
  await tab(/^Text \(\d errors?\)$/).click();
  await editor(page).waitFor();
  await toEnd(page);
  await openPattern(page, "e-commerce");
  await page.locator(".cm-line", { hasText: "E-commerce" }).first().waitFor();
  await settled(page);
  assert.equal(await page.locator(".cm-scroller").evaluate((it) => it.scrollTop), 0);
});

test("on a phone a long message leaves the typed line in view", async () => {
  const { page, complaints, close } = await open({ size: [390, 844], touch: true });
  try {
    await openPattern(page, "e-commerce");
    await page.getByRole("navigation", { name: "Regions" }).getByRole("button", { name: "Data" }).tap();
    await page.locator(".panel-tabs").getByRole("tab", { name: "Text" }).tap();
    await editor(page).waitFor();
    await toEnd(page);
    await page.keyboard.type("\ntable shop (PK, SK)\n  unheardOfSetting on");
    await page.locator(".text-error.wrong").waitFor();
    await settled(page);
    const bar = await status(page).boundingBox();
    assert.ok(bar.height <= 40, `${bar.height}`);
    const [line, box] = [await page.locator(".cm-activeLine").boundingBox(), await page.locator(".cm-scroller").boundingBox()];
    assert.ok(line.y >= box.y && line.y + line.height <= box.y + box.height, JSON.stringify([line, box]));
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a .keyfold file opens as a design with its comments, and one with an error names the line", async () => {
  const { page, complaints, close } = await open();
  try {
    await page.locator(".welcome").waitFor();
    const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    const choose = (it) => page.locator("input[type=file][accept*=keyfold]").setInputFiles(it);
    const small = "design Small\n\n// Mine.\ntable small (pk, sk)\n\nentity Thing\n  id string\n  key THING#{id} / THING\n";
    await choose(file("small.keyfold", small));
    await card(page, "Thing").waitFor();
    assert.equal(await page.getByLabel("Design name").inputValue(), "Small");
    await showText(page);
    assert.match(await text(page), /\n\/\/ Mine\.\ntable small \(pk, sk\)\n/);
    await choose(file("bad.keyfold", small.replace("entity", "entiti")));
    await page.getByText(/“bad.keyfold” was not opened: line 6, column 1: /).waitFor();
    assert.deepEqual(await names(page), ["Thing"]);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("comments are there after a reload", async () => {
  const { page, complaints, close } = await open();
  try {
    await openPattern(page, "e-commerce");
    await showText(page);
    await toEnd(page);
    await page.keyboard.type("\n// Kept.\n");
    await isStored(page);
    await page.waitForTimeout(500);
    await page.reload();
    await card(page, "Order").waitFor();
    await showText(page);
    assert.match(await text(page), /\n\/\/ Kept\.\n$/);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

const small = `// Before all.
design Small

table small (PK, SK)

entity Thing
  id    string  // given by the shop
  name  string

  key  THING#{id} / THING

  | id | name |
  | 1  | One  |
  | 2  | Two  |

pattern Get a thing
  GetItem THING#{id} / THING

canvas
  400, 40  table
  40, 40   entity Thing
`;

/** A page with a design of this text, which is shown. */
async function openedText(text = small, options = {}) {
  const opened = await open(options);
  await opened.page.locator(".welcome").waitFor();
  const file = { name: "small.keyfold", mimeType: "text/plain", buffer: Buffer.from(text) };
  await opened.page.locator("input[type=file][accept*=keyfold]").setInputFiles(file);
  await card(opened.page, "Thing").waitFor();
  await showText(opened.page);
  return opened;
}

const tab = (page, name) => page.locator(".panel-tabs").getByRole("tab", { name });

test("an entity renamed letter by letter keeps its samples, its place and the names of access patterns", async () => {
  const { page, complaints, close } = await openedText();
  try {
    const at = await place(page, "Thing");
    await behind(page, "entity Thing");
    for (const letter of ["s", " ", "X"]) {
      await page.keyboard.type(letter);
      await settled(page);
      assert.equal((await names(page)).length, 1);
    }
    for (let letter = 0; letter < 8; letter += 1) await page.keyboard.press("Backspace");
    await page.keyboard.type("Item");
    await card(page, "Item").waitFor();
    assert.deepEqual(await names(page), ["Item"]);
    assert.deepEqual(await place(page, "Item"), at);
    // The line of its place is as it was typed.
    assert.equal(await text(page), small.replace("entity Thing", "entity Item"));
    await tab(page, "Table").click();
    await page.waitForFunction(() => document.querySelectorAll("[data-grid] .grid-body [data-sample]").length === 2);
    await tab(page, "Access patterns").click();
    await page.locator(".pattern-row", { hasText: "Get a thing" }).waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a typed word is one step of undo", async () => {
  const { page, complaints, close } = await openedText();
  try {
    await behind(page, "given by the shop");
    await page.keyboard.type(" and never changed");
    assert.match(await text(page), /given by the shop and never changed\n/);
    await undoButton(page).click();
    assert.equal(await text(page), small);
    // What is left is no step of typing.
    assert.equal(await undoButton(page).isEnabled(), false);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a fix of a finding is pressed in the editor", async () => {
  const { page, complaints, close } = await openedText(small.replace("  id    string", "  id?   string"));
  try {
    // It stands at the key that needs the attribute.
    await page.locator(".cm-lintRange-warning", { hasText: "{id}" }).first().hover();
    const fix = page.locator(".cm-tooltip .cm-diagnosticAction").first();
    await fix.waitFor();
    assert.match(await fix.innerText(), /required/i);
    await fix.click();
    await page.locator(".cm-line", { hasText: /^ {2}id {4}string/ }).waitFor();
    assert.equal(await text(page), small);
    await undoButton(page).click();
    assert.match(await text(page), /\n {2}id\? {3}string {2}\/\/ given by the shop\n/);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("an entity folds to its first line by its arrow, and opens again", async () => {
  const { page, complaints, close } = await openedText();
  try {
    const line = page.locator(".cm-line", { hasText: /^ {2}name/ });
    assert.equal(await line.count(), 1);
    await page.locator(".cm-fold-open").first().click();
    await page.locator(".cm-foldPlaceholder").waitFor();
    assert.equal(await line.count(), 0);
    assert.equal(await page.locator(".cm-line", { hasText: /^pattern Get a thing/ }).count(), 1);
    assert.equal(await text(page), small);
    await page.locator(".cm-fold-closed[title=Unfold]").last().click();
    await line.waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

onPattern("an attribute has one tint on its card and in the text", async (page) => {
  await showText(page);
  await behind(page, "entity User");
  const tints = await page.evaluate(() => {
    const hue = (element) => getComputedStyle(element).getPropertyValue("--hue-text").trim();
    const of = (root) => {
      const all = [...document.querySelectorAll(`${root} [data-follow]`)];
      return Object.fromEntries(all.map((element) => [element.dataset.follow, [hue(element), getComputedStyle(element).color]]));
    };
    return { card: of(".canvas .template"), text: of(".text-editor .cm-content") };
  });
  const both = Object.keys(tints.text).filter((name) => name in tints.card);
  assert.ok(both.length >= 2, JSON.stringify(Object.keys(tints.text)));
  for (const name of both) assert.equal(tints.text[name][0], tints.card[name][0], name);
  assert.ok(new Set(both.map((name) => tints.text[name][0])).size > 1, "not all attributes have one tint");
});

test("a dropped, a pasted and a duplicated text keep their comments", async () => {
  const { page, complaints, close } = await open({ clipboard: true });
  try {
    await page.locator(".welcome").waitFor();
    await page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "small.keyfold"));
      for (const kind of ["dragover", "drop"]) {
        document.querySelector(".canvas").dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
      }
    }, small);
    await card(page, "Thing").waitFor();
    await showText(page);
    assert.equal(await text(page), small);

    const second = small.replace("design Small", "design Second").replace("entity Thing", "entity Item").replace("entity Thing", "entity Item");
    await page.evaluate((text) => navigator.clipboard.writeText(text), second);
    await page.locator(".canvas").focus();
    await page.keyboard.press("Control+v");
    await card(page, "Item").waitFor();
    assert.equal(await text(page), second);
    await page.evaluate((text) => navigator.clipboard.writeText(text), small.replace("  GetItem", "  GetItm"));
    await page.locator(".canvas").focus();
    await page.keyboard.press("Control+v");
    await page.locator(".notices", { hasText: /“the pasted text” was not opened: line 17, column 3/ }).waitFor();

    await isStored(page);
    await page.waitForTimeout(500);
    await page.reload();
    await card(page, "Item").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command palette" }).fill("Show all designs");
    await page.keyboard.press("Enter");
    const designs = page.getByRole("dialog", { name: "Designs" });
    await designs.getByRole("button", { name: /Duplicate/ }).first().click();
    await page.waitForFunction(() => /2$/.test(document.querySelector("[aria-label='Design name']").value));
    const name = await page.getByLabel("Design name").inputValue();
    if (await designs.isVisible()) await page.keyboard.press("Escape");
    await showText(page);
    const copy = await text(page);
    assert.ok(copy.startsWith("// Before all.\n") && copy.includes("// given by the shop"), copy);
    assert.ok(copy.includes(`design ${name}\n`), copy);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a first visit loads the language after everything else, and the editor with the Text tab", async () => {
  const loaded = [];
  const { page, complaints, close } = await open({ before: (page) => page.on("request", (request) => loaded.push(request.url().split("/").pop())) });
  try {
    await page.locator(".welcome").waitFor();
    await page.waitForFunction(() => performance.getEntriesByType("resource").some((entry) => /language-\w+\.wasm$/.test(entry.name)));
    await page.waitForTimeout(500);
    const parts = loaded.filter((file) => /^(panels|tools|menus|cost|language)-\w+\.wasm$/.test(file));
    assert.ok(parts.length >= 5 && parts.at(-1).startsWith("language"), loaded.join(" "));
    const editor = () => loaded.filter((file) => file.startsWith("editor"));
    assert.deepEqual(editor(), []);
    await showText(page);
    assert.equal(editor().length, 1, loaded.join(" "));
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("the text has half the height of the window, and stands beside the canvas on a wide screen if asked for", async () => {
  const { page, complaints, close } = await openedText();
  try {
    const box = (selector) => page.locator(selector).boundingBox();
    assert.ok((await box(".panel")).height >= 440, `${(await box(".panel")).height}`);
    const toggle = page.locator(".text-bar").getByRole("button", { name: "Beside canvas" });
    assert.equal(await toggle.getAttribute("aria-pressed"), "false");
    await toggle.focus();
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await toggle.getAttribute("aria-pressed"), "true");
    const [canvas, panel, inspector] = [await box(".canvas"), await box(".panel"), await box(".inspector")];
    assert.ok(canvas.x + canvas.width <= panel.x + 1 && panel.x + panel.width <= inspector.x + 1, JSON.stringify([canvas, panel, inspector]));
    assert.ok(Math.abs(canvas.height - panel.height) <= 1 && panel.height > 700, JSON.stringify([canvas, panel]));
    assert.ok(canvas.width >= 280, `${canvas.width}`);
    // Wider by the keyboard; typing goes on.
    await page.getByRole("separator", { name: "Text width" }).focus();
    await page.keyboard.press("ArrowLeft");
    await settled(page);
    assert.equal((await box(".panel")).width, panel.width + 16);
    await behind(page, "entity Thing");
    await page.keyboard.type("s");
    await card(page, "Things").waitFor();
    // Other tabs are below the canvas.
    await tab(page, "Table").click();
    await settled(page);
    assert.ok((await box(".panel")).y > (await box(".canvas")).y + 100);
    await tab(page, "Text").click();
    await settled(page);
    assert.ok((await box(".panel")).y === (await box(".canvas")).y);
    // A narrow window has no room for both.
    await page.setViewportSize({ width: 1100, height: 900 });
    await settled(page);
    assert.equal(await toggle.isVisible(), false);
    assert.ok((await box(".panel")).y > (await box(".canvas")).y + 100);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

onPattern("the proof that is shown again follows what the text changed meanwhile", async (page) => {
  const tab = (name) => page.locator(".panel-tabs").getByRole("tab", { name });
  await tab(/^Access patterns/).click();
  await page.locator(".pattern-row").first().click();
  await page.locator(".pattern-proof .proof-verdict", { hasText: "served" }).waitFor();
  const name = await page.locator(".pattern-editor input").first().inputValue();
  await showText(page);
  await behind(page, `pattern ${JSON.stringify(name)}`.replaceAll('"', ""));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.type("X");
  await settled(page);
  await tab(/^Access patterns/).click();
  const verdict = await page.locator(".pattern-row[aria-selected=true] .verdict").getAttribute("class");
  await page.waitForFunction(() => !document.querySelector(".pattern-proof .proof-verdict")?.textContent.startsWith("served"), undefined, { timeout: 10_000 });
  assert.ok(verdict);
});

test("a comment of one tab appears in the text of another, and an edit there keeps it", async () => {
  const { page, complaints, close } = await open();
  try {
    await page.locator(".welcome").waitFor();
    await openPattern(page, "e-commerce");
    await page.getByLabel("Design name").fill("Shop");
    await isStored(page);
    await showText(page);
    const other = await page.context().newPage();
    other.on("pageerror", (error) => complaints.push(String(error)));
    await other.goto(page.url());
    await other.locator(".canvas [data-card]").first().waitFor();
    await showText(other);
    const comment = "// Asked in the review.";
    await page.bringToFront();
    await toEnd(page);
    await page.keyboard.type(`\n${comment}`);
    await isStored(page);
    // A comment changes nothing in the design, and is stored and shown nevertheless.
    await other.bringToFront();
    for (let turn = 0; turn < 50 && !(await text(other)).includes(comment); turn++) await other.waitForTimeout(100);
    assert.ok((await text(other)).includes(comment), "in the other tab");
    await other.getByLabel("Design name").fill("Magazine");
    await isStored(other);
    await page.bringToFront();
    await page.waitForFunction(() => document.querySelector("[aria-label='Design name']").value === "Magazine");
    assert.ok((await text(page)).includes(comment));
    await page.reload();
    await showText(page);
    assert.ok((await text(page)).includes(comment), "after a reload");
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

/** Types behind the line of the table what makes it an error. */
async function spoilTable(page, table) {
  await behind(page, `table ${table}`);
  await page.keyboard.press("End");
  await page.keyboard.type(" bogus");
  await status(page).waitFor();
}

onPattern("what is typed below a line with an error outlives changes on the canvas and a reload", async (page) => {
  await showText(page);
  await spoilTable(page, "saas");
  await toEnd(page);
  await page.keyboard.type("\nentity Invoice\n  number string\nkey INVOICE#{number}\n");
  assert.ok(!(await names(page)).includes("Invoice"), "the text has an error");
  // A change elsewhere while the text is not shown.
  await page.locator(".panel-tabs").getByRole("tab", { name: "Table" }).click();
  await card(page, "Project").locator(".card-name").click();
  await settled(page);
  await page.locator(".inspector input").first().fill("Purchase");
  await isStored(page);
  await page.reload();
  await showText(page);
  assert.ok((await text(page)).includes("entity Invoice"), "after a reload");
  await behind(page, " bogus");
  for (let letter = 0; letter < 6; letter++) await page.keyboard.press("Backspace");
  await settled(page);
  assert.ok((await names(page)).includes("Invoice"), "without the error");
  assert.ok((await names(page)).includes("Purchase"));
});

test("unfinished lines of one tab stay when another tab types or renames", async () => {
  const { page, complaints, close } = await open();
  try {
    await page.locator(".welcome").waitFor();
    await openPattern(page, "e-commerce");
    await page.getByLabel("Design name").fill("Shop");
    await isStored(page);
    await showText(page);
    const other = await page.context().newPage();
    other.on("pageerror", (error) => complaints.push(String(error)));
    await other.goto(page.url());
    await other.locator(".canvas [data-card]").first().waitFor();
    await showText(other);
    await page.bringToFront();
    await spoilTable(page, "shop");
    await toEnd(page);
    await page.keyboard.type("\nentity Invoice\n  number string\nkey INVOICE#{number}\n");
    await isStored(page);
    await other.bringToFront();
    const has = async (page, words) => {
      for (let turn = 0; turn < 50 && !(await text(page)).includes(words); turn++) await page.waitForTimeout(100);
      assert.ok((await text(page)).includes(words), words);
    };
    await has(other, "entity Invoice");
    await toEnd(other);
    await other.keyboard.type("\n// Second.\n");
    await isStored(other);
    await page.bringToFront();
    await has(page, "// Second.");
    await behind(page, " bogus");
    for (let letter = 0; letter < 6; letter++) await page.keyboard.press("Backspace");
    await isStored(page);
    await page.reload();
    await showText(page);
    for (const words of ["entity Invoice", "// Second."]) await has(page, words);
    assert.ok((await names(page)).includes("Invoice"));
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

onPattern("a change plan starts from a design as text", async (page) => {
  await showText(page);
  const before = await text(page);
  await card(page, "Project").locator(".card-name").click();
  await settled(page);
  await page.locator(".inspector input").first().fill("Work");
  await page.locator(".panel-tabs").getByRole("tab", { name: "Export" }).click();
  await page.locator(".code-formats [aria-pressed]", { hasText: "Change plan" }).click();
  await page.locator(".plan-form textarea").fill(before);
  await page.getByRole("button", { name: "Show plan" }).click();
  await page.locator("pre.code", { hasText: "Work: rewrite these attributes" }).waitFor();
  // The next version is not pasted behind this one.
  await page.getByRole("button", { name: "Another version" }).click();
  assert.equal(await page.locator(".plan-form textarea").inputValue(), "");
});
