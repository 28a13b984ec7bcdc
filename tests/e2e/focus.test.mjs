// Where the keyboard focus goes, and that keys act on what has it: with the pointer and the keyboard of a person.
import assert from "node:assert/strict";
import {
  card,
  drag,
  head,
  middle,
  names,
  patternTests,
  press,
  searchCommands,
  seeColumn,
  settled,
  slowed,
  undoButton,
  view,
} from "./gestures.mjs";

const onPattern = patternTests();

const focused = (page) =>
  page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.className);
const filter = (page) => page.getByRole("searchbox", { name: "Filter rows" });
const rows = (page) => page.locator("[data-grid] .grid-row[data-sample]").count();
const emails = (page) => page.locator(".live-table [role=gridcell][data-column=email]").allTextContents();

/** Opens the first cell with an email address for editing and types. */
async function editCell(page, text) {
  await seeColumn(page, "email");
  const cell = page.locator(".live-table [role=gridcell][data-column=email]", { hasText: "@" }).first();
  await cell.dblclick();
  await page.locator(".editor input").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

onPattern("a press outside an edited cell stores the typed text, and moves the focus to what was pressed", async (page) => {
  await editCell(page, "n@x.io");
  await filter(page).click();
  await settled(page);
  await settled(page);
  assert.equal(await focused(page), "Filter rows");
  assert.ok((await emails(page)).includes("n@x.io"));
  await page.keyboard.type("n@");
  assert.equal(await filter(page).inputValue(), "n@");
  await page.keyboard.press("Escape");

  await editCell(page, "o@x.io");
  const before = await names(page);
  await card(page, "User").locator(".card-name").click();
  await settled(page);
  await settled(page);
  await page.keyboard.press("Delete");
  await settled(page);
  assert.equal((await names(page)).length, before.length - 1, "the card is deleted");
  await undoButton(page).click();
  await settled(page);
  assert.ok((await emails(page)).includes("o@x.io"), "and not the cell's value");
});

onPattern("an element with the focus that goes by itself passes the focus on", async (page) => {
  await card(page, "User").locator(".card-name").click();
  const button = page.locator(".inspector[aria-busy=false] .attribute-row button, .inspector [data-attribute] button").first();
  await button.focus();
  // As a finding does that is computed after the key that came to it.
  await button.evaluate((button) => button.remove());
  await page.waitForFunction(() => !["BODY", "HTML"].includes(document.activeElement.tagName));
  assert.ok(await page.evaluate(() => !!document.activeElement.closest(".inspector")), await focused(page));
});

onPattern("Escape clears a search field, and a second Escape goes to the list", async (page) => {
  const all = await rows(page);
  await filter(page).click();
  await page.keyboard.type("order");
  await settled(page);
  assert.ok((await rows(page)) < all);
  await page.keyboard.press("Escape");
  await settled(page);
  assert.equal(await filter(page).inputValue(), "");
  assert.equal(await rows(page), all);
  assert.equal(await focused(page), "Filter rows");
  await page.keyboard.press("Escape");
  await settled(page);
  await settled(page);
  const before = await names(page);
  assert.ok(await page.evaluate(() => document.activeElement.closest("[data-grid]") !== null), "the focus is in the table");
  await press(page, "Control+a");
  assert.deepEqual(await page.locator(".canvas .selected").count(), 0);
  assert.deepEqual(await names(page), before);

  for (const tab of ["Access patterns", "Problems"]) {
    await page.getByRole("tab", { name: new RegExp(`^${tab}`) }).click();
    const search = page.locator(".panel input[type=search]").first();
    await search.waitFor();
    const options = page.locator(".panel [role=option]");
    const there = await options.count();
    await search.click();
    await page.keyboard.type("zzz");
    await settled(page);
    assert.equal(await options.count(), 0, tab);
    await page.keyboard.press("Escape");
    await settled(page);
    assert.equal(await options.count(), there, tab);
    await page.keyboard.press("Escape");
    await settled(page);
    await settled(page);
    const inList = await page.evaluate(() => document.activeElement.getAttribute("role") === "option");
    assert.equal(inList, there > 0, tab);
  }
  await page.getByRole("tab", { name: "Table" }).click();
});

onPattern("removing something in the inspector by keyboard keeps the focus at its place", async (page) => {
  await card(page, "User").locator(".card-name").click();
  const removers = page.locator(".inspector[aria-busy=false] .attribute button[aria-label^=Delete]");
  await removers.first().waitFor();
  const before = await removers.count();
  await removers.nth(1).focus();
  await page.keyboard.press("Enter");
  await settled(page);
  await settled(page);
  assert.equal(await removers.count(), before - 1);
  assert.ok(await page.evaluate(() => document.activeElement.closest(".inspector") !== null), "the focus stays in the inspector");
});

onPattern("Enter in the search field of the library opens the previewed pattern", async (page) => {
  await page.getByTitle("Start from a pattern of the library").click();
  const search = page.getByRole("searchbox", { name: "Search patterns" });
  await search.fill("inverted");
  const title = (await page.locator("[data-pattern][aria-pressed=true] strong").textContent()).trim();
  await search.press("Enter");
  await page.locator(".gallery").waitFor({ state: "hidden" });
  await page.waitForFunction((title) => document.title.startsWith(title), title);
});

onPattern("a dialog closes on a press outside, but not when a press that begins in it ends there", async (page) => {
  await page.getByTitle("Start from a pattern of the library").click();
  const search = page.getByRole("searchbox", { name: "Search patterns" });
  await search.fill("inverted");
  const outside = [6, 6];
  assert.ok((await page.locator("dialog[open]").boundingBox()).y > outside[1]);
  await drag(page, await middle(search), outside);
  assert.equal(await page.locator("dialog[open]").count(), 1);
  assert.equal(await search.inputValue(), "inverted");
  await page.mouse.click(...outside);
  await page.locator(".gallery").waitFor({ state: "hidden" });
});

onPattern("Undo and Redo do not move while a change is stored", async (page) => {
  const at = () => undoButton(page).evaluate((button) => button.getBoundingClientRect().x);
  const before = await at();
  await page.evaluate(() => {
    const undo = document.querySelector("button[aria-label=Undo]");
    const state = document.querySelector(".save-state");
    globalThis.seen = [];
    new MutationObserver(() => globalThis.seen.push([state.textContent, undo.getBoundingClientRect().x])).observe(state, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await card(page, "User").locator(".card-name").click();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => globalThis.seen.at(-1)?.[0] === "Saved");
  const seen = await page.evaluate(() => globalThis.seen);
  assert.deepEqual(new Set(seen.map(([, x]) => x)), new Set([before]), JSON.stringify(seen));
});

onPattern("panning with the middle button pastes nothing", async (page) => {
  await page.evaluate(() => {
    globalThis.pasted = 0;
    addEventListener("paste", () => globalThis.pasted++, true);
  });
  const from = [500, 200];
  await drag(page, from, [560, 260], { button: "middle" });
  await settled(page);
  assert.equal(await page.evaluate(() => globalThis.pasted), 0);
  assert.equal(await page.locator(".notice").count(), 0);
});

onPattern("the line between two heads sets the width of a column", async (page) => {
  const head = page.locator(".grid-head [data-name]").first();
  const box = await head.boundingBox();
  const y = box.y + box.height / 2;
  await drag(page, [box.x + box.width - 1, y], [box.x + box.width + 59, y]);
  await settled(page);
  const now = await head.boundingBox();
  assert.ok(Math.abs(now.width - box.width - 60) <= 1, `${box.width} to ${now.width}`);
});

const active = (page) => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
const inspectorButton = (page, name) => page.locator(".inspector[aria-busy=false]").getByRole("button", { name, exact: true });

/** Selects the card of an entity and waits for its fields. */
async function inspect(page, name) {
  await card(page, name).locator(".card-name").click();
  await page.locator(".inspector[aria-busy=false] h2", { hasText: name }).waitFor();
}

/** Presses Enter on what has the focus and waits until the focus has moved. */
async function enter(page) {
  await page.keyboard.press("Enter");
  for (let frame = 0; frame < 3; frame++) await settled(page);
}

onPattern("after the last attribute is removed, the focus goes to the previous one, never to the button that deletes the entity", async (page) => {
  await inspect(page, "User");
  const removers = page.locator(".inspector[aria-busy=false] .attribute button[aria-label^=Delete]");
  await removers.last().focus();
  for (let left = (await removers.count()) - 1; left > 0; left--) {
    await enter(page);
    assert.equal(await removers.count(), left);
    assert.equal(await active(page), await removers.last().getAttribute("aria-label"));
  }
  await enter(page);
  assert.equal(await removers.count(), 0);
  assert.match(await active(page), /Add attribute/);
  await inspectorButton(page, "Delete entity").focus();
  await enter(page);
  assert.ok(!(await names(page)).includes("User"));
  assert.ok(await page.evaluate(() => document.activeElement.closest(".canvas") !== null), "the focus is on the canvas");
});

onPattern("a field that is left with refused text shows its previous value again", async (page) => {
  const before = await names(page);
  await inspect(page, "User");
  const field = page.locator(".inspector[aria-busy=false]").getByLabel("Name", { exact: true });
  await field.fill("");
  await field.pressSequentially("Project");
  assert.equal(await field.inputValue(), "Project");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  await page.keyboard.press("Tab");
  await settled(page);
  assert.equal(await field.inputValue(), "User");
  assert.deepEqual(await names(page), before);
  await page.locator(".notice", { hasText: "Reverted to “User”" }).waitFor();
});

onPattern("a refused text after an undo in the field reverts to what the undo made of it", async (page) => {
  await inspect(page, "User");
  const field = page.locator(".inspector[aria-busy=false]").getByLabel("Name", { exact: true });
  await field.fill("Member");
  await page.keyboard.press("Tab");
  await settled(page);
  assert.ok((await names(page)).includes("Member"));
  await field.focus();
  await page.keyboard.press("Control+z");
  await settled(page);
  assert.equal(await field.inputValue(), "User");
  await field.fill("Project");
  await page.keyboard.press("Tab");
  await settled(page);
  assert.equal(await field.inputValue(), "User");
  assert.ok((await names(page)).includes("User"));
  await page.locator(".notice", { hasText: "Reverted to “User”" }).waitFor();
});

onPattern("after an undo removes the inspected card, typing does not go into another card's fields", async (page) => {
  await page.locator(".canvas").focus();
  await page.keyboard.press("e");
  await page.locator(".inspector[aria-busy=false] h2", { hasText: "Entity" }).waitFor();
  await settled(page);
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement.tagName === "TEXTAREA"));
  await page.keyboard.press("Control+z");
  for (let frame = 0; frame < 3; frame++) await settled(page);
  assert.ok(await page.evaluate(() => document.activeElement.closest(".inspector") === null), "the focus left the fields");
  await page.locator(".inspector[aria-busy=false] h2").waitFor();
  const description = page.locator(".inspector[aria-busy=false]").getByLabel("Design description");
  const there = await description.inputValue();
  await page.keyboard.type("oh");
  await settled(page);
  assert.equal(await description.inputValue(), there);
});

onPattern("adding fields moves the focus to the first of them", async (page) => {
  await inspect(page, "Tenant");
  await page.getByLabel("Index to add entity to").selectOption({ label: "New GSI" });
  await inspectorButton(page, "Add to index").focus();
  await enter(page);
  assert.match(await active(page), /partition key/);
  await inspectorButton(page, "Add condition").last().focus();
  await enter(page);
  const attribute = page.getByLabel("Condition attribute").last();
  assert.ok(await attribute.evaluate((field) => field === document.activeElement), "the condition's attribute");
});

onPattern("a double click on a line of a card goes to its field", async (page) => {
  const user = card(page, "User");
  // Only larger cards show attributes.
  while ((await view(page)).zoom < 0.82) await press(page, "+");
  await user.locator(".attributes li").nth(1).dblclick();
  await settled(page);
  await settled(page);
  const name = (await user.locator(".attributes .attribute-name").nth(1).textContent()).trim();
  assert.equal(await page.evaluate(() => document.activeElement.value), name);
  await user.locator(".primary .key-row").nth(1).dblclick();
  await settled(page);
  await settled(page);
  assert.match(await active(page), /^Table sort key/);
});

onPattern("the Export button and the problem counts open their panels", async (page) => {
  for (const [button, tab] of [["Export", "Export"], [/^Problems: /, "Problems"]]) {
    await page.getByRole("button", { name: button }).first().focus();
    await enter(page);
    assert.match(await active(page), new RegExp(`^${tab}`));
  }
});

onPattern("a repeated message is announced again", async (page) => {
  await page.evaluate(() => {
    globalThis.told = 0;
    const region = document.querySelector(".spoken");
    new MutationObserver(() => (globalThis.told += 1)).observe(region, { characterData: true, childList: true, subtree: true });
  });
  await card(page, "User").focus();
  for (let time = 1; time <= 3; time++) {
    await page.keyboard.press("r");
    await settled(page);
    assert.equal(await page.evaluate(() => globalThis.told), time);
  }
});

onPattern("\"Go to inspector\" has a target even if the inspector has no field", async (page) => {
  await card(page, "User").locator(".card-name").click();
  await press(page, "Control+a");
  await searchCommands(page, "Go to inspector");
  await press(page, "Enter");
  await settled(page);
  await settled(page);
  assert.ok(await page.evaluate(() => document.activeElement.closest(".inspector")), await focused(page));
});

for (const rate of [1, 6]) {
  onPattern(`F8 in a field goes to the list of problems, even if the list is long and the field disappears, ${rate} times slower`, async (page) => {
    await page.goto(page.url().replace(/[?#].*|$/, "?stress=30"));
    await page.locator(".entity-card").first().waitFor();
    await settled(page);
    await page.locator(".outline-row").first().click();
    await page.locator(".inspector[aria-busy=false] .template-input").first().click();
    await slowed(page, rate, async () => {
      await press(page, "Shift+F8");
      await page.locator(".problem-list [aria-selected=true]").waitFor();
    });
    assert.equal(await page.evaluate(() => !!document.activeElement.closest(".problem-list [aria-selected=true]")), true);
  });
}

onPattern("an access pattern offers some of many entities, and all on request", async (page) => {
  await page.goto(page.url().replace(/[?#].*|$/, "?stress=30"));
  await page.locator(".entity-card").first().waitFor();
  await page.getByRole("tab", { name: /^Access patterns/ }).click();
  await page.getByRole("button", { name: "Add all" }).click();
  await settled(page);
  const chips = page.locator(".pattern-entity");
  // What is meant comes first, and stays when it is left out.
  await page.locator(".pattern-row").last().click();
  await settled(page);
  assert.equal(await chips.count(), 13);
  assert.equal(await chips.first().getAttribute("aria-pressed"), "true");
  await chips.first().click();
  await settled(page);
  assert.equal(await chips.count(), 13);
  await page.getByRole("button", { name: "All 30 entities" }).focus();
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await chips.count(), 30);
  assert.equal(await page.evaluate(() => document.activeElement === document.querySelectorAll(".pattern-entity")[13]), true);
});

/** Whether the focus is on nothing, or on something that is hidden. */
const isLost = (page) => page.evaluate(() => document.activeElement === document.body || !document.activeElement.checkVisibility());

/** Makes the panel so narrow that the list and what is chosen in it take turns. */
async function narrowed(page, tab, body) {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 1000, height: 700 });
  // The access patterns reach below the inspector: only a wide outline makes them narrow.
  const widen = async (key) => {
    if (tab !== "Access patterns") return;
    await page.getByRole("separator", { name: "Outline width" }).focus();
    for (let step = 0; step < 17; step++) await page.keyboard.press(key);
  };
  await widen("ArrowRight");
  await settled(page);
  try {
    await body();
  } finally {
    await widen("ArrowLeft");
    await page.setViewportSize(size);
    await page.getByRole("tab", { name: "Table" }).click();
  }
}

for (const [tab, row, back] of [
  ["Access patterns", ".pattern-row", "← All access patterns"],
  ["Problems", ".problem-list .problem", "← All findings"],
]) {
  onPattern(`in a narrow panel the focus goes from the list of ${tab.toLowerCase()} to the details and back`, async (page) => {
    await card(page, "User").locator(".card-name").click();
    await narrowed(page, tab, async () => {
      await page.getByRole("tab", { name: new RegExp(`^${tab}`) }).click();
      // One that was chosen before is shown in place of the list.
      const shown = page.getByRole("button", { name: back });
      if (await shown.isVisible()) await shown.click();
      await page.locator(row).nth(1).click();
      await page.getByRole("button", { name: back }).waitFor();
      await settled(page);
      await settled(page);
      assert.equal(await page.evaluate(() => document.activeElement.textContent), back);
      // The card that is selected is not what one looks at.
      const before = await names(page);
      await page.keyboard.press("Delete");
      await settled(page);
      assert.deepEqual(await names(page), before);
      await page.keyboard.press("Enter");
      await settled(page);
      await settled(page);
      assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "option");
    });
  });
}

onPattern("the focus stays in the list when the problem with the focused button disappears", async (page) => {
  await card(page, "User").locator(".card-name").click();
  const field = page.locator(".inspector[aria-busy=false] .template-input").first();
  await field.click();
  await field.fill("{nobody}");
  await page.keyboard.press("Enter");
  await page.getByRole("tab", { name: /^Problems/ }).click();
  await page.locator(".problem", { hasText: "K002" }).first().click();
  const fix = page.locator(".problem-detail .fix > button").first();
  await fix.waitFor();
  await fix.focus();
  await page.keyboard.press("Control+z");
  // Another problem may be the chosen one now.
  await page.waitForFunction(() => !document.querySelector(".problem-detail")?.textContent.includes("K002"));
  await page.waitForTimeout(300);
  assert.equal(await isLost(page), false);
  await page.getByRole("tab", { name: "Table" }).click();
});

onPattern("keys that edit cards do nothing on another card's row of the outline, on an access pattern or in the top bar", async (page) => {
  await page.mouse.click(...(await head(page, "User")));
  await settled(page);
  const before = await names(page);
  const row = (name) => page.locator(".outline").getByRole("button", { name, exact: true });
  const others = {
    "another entity": row("Project"),
    "an access pattern": page.locator("[id^=outline-pattern]").first(),
    "the top bar": page.locator(".top-bar button:visible").last(),
  };
  for (const [what, other] of Object.entries(others)) {
    await other.focus();
    for (const key of ["Delete", "Backspace", "Control+d", "F2"]) await press(page, key);
    assert.deepEqual(await names(page), before, what);
    assert.equal(await page.locator(".card-rename").count(), 0, what);
  }
  await row("User").focus();
  await press(page, "Delete");
  assert.deepEqual(await names(page), before.filter((name) => name !== "User"), "its own row");
});

onPattern("after a press on a blank spot of a panel or the inspector, no key acts on the canvas", async (page) => {
  await card(page, "Project").click();
  await settled(page);
  const before = await names(page);
  await page.getByRole("tab", { name: /^Access patterns/ }).click();
  await settled(page);
  for (const [selector, x] of [[".patterns-bar .spring", 0.5], [".inspector-head", 0.9]]) {
    const { x: left, y, width, height } = await page.locator(selector).first().boundingBox();
    await page.mouse.click(left + width * x, y + height / 2);
    const zoom = await view(page);
    for (const key of ["Backspace", "Delete", "1", "e"]) await page.keyboard.press(key);
    await settled(page);
    assert.deepEqual(await names(page), before, selector);
    assert.deepEqual(await view(page), zoom, selector);
  }
});

onPattern("the first name of a design names its table, and one undo takes back both", async (page) => {
  await page.keyboard.press("Control+k");
  await page.keyboard.type("New design");
  await page.keyboard.press("Enter");
  const name = page.getByRole("textbox", { name: "Design name" });
  await page.waitForFunction(() => document.querySelector(".design-name input").value.startsWith("Untitled"));
  await settled(page);
  await name.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Vet clinics", { delay: 20 });
  await page.keyboard.press("Enter");
  await settled(page);
  const table = page.locator(".inspector-head h2");
  assert.equal(await table.textContent(), "Vet-clinics");
  await page.keyboard.press("Control+z");
  await settled(page);
  assert.equal(await table.textContent(), "Untitled");
  assert.match(await name.inputValue(), /^Untitled/);
});
