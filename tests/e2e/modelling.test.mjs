// Modelling: lists of attributes, several entities at once, findings mended together and in place, references, cards that grow.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { card, emptySpot, head, openPattern, overlaps, patternTests, places, press, seeColumn, settled, undoButton } from "./gestures.mjs";
import { Person } from "./person.mjs";
import { isStored } from "./storage.mjs";

const onPattern = patternTests({ clipboard: true });
const inspector = (page) => page.locator(".inspector[aria-busy=false]");
const names = (page) => inspector(page).getByLabel("Attribute name").evaluateAll((all) => all.map((input) => input.value));
const tab = (page, name) => page.locator(".panel-tabs").getByRole("tab", { name });

/** Clicks the heads of cards; all but the first with Shift. */
async function choose(page, ...wanted) {
  for (const [at, name] of wanted.entries()) {
    if (at > 0) await page.keyboard.down("Shift");
    await page.mouse.click(...(await head(page, name)));
    if (at > 0) await page.keyboard.up("Shift");
  }
  await settled(page);
}

async function undo(page) {
  await undoButton(page).click();
  await settled(page);
}

onPattern("a key-only attribute is dimmed in the table, a changed cell changes the keys, and undo stores it again", async (page) => {
  await choose(page, "User");
  await inspector(page).getByRole("button", { name: /\buserId\b/ }).first().click();
  await inspector(page).getByRole("checkbox", { name: /^Key-only/ }).check();
  await settled(page);
  await seeColumn(page, "userId");
  const cells = page.locator("[data-grid] [data-sample] .key-only");
  const before = await cells.allTextContents();
  assert.ok(before.length > 1 && before.every((text) => text.startsWith("u_")), before.join());
  const cell = cells.first();
  assert.match(await cell.getAttribute("title"), /^Key-only/);
  const sample = await cell.evaluate((it) => it.closest("[data-sample]").dataset.sample);
  await cell.click();
  await page.keyboard.type("u_99");
  await press(page, "Enter");
  await seeColumn(page, "sk");
  await page.locator(`[data-grid] [data-sample="${sample}"]`, { hasText: "USER#u_99" }).waitFor();
  await undo(page);
  await undo(page);
  await seeColumn(page, "userId");
  assert.equal(await cells.count(), 0);
});

onPattern("Enter begins the next attribute, and a pasted list becomes attributes", async (page) => {
  const person = new Person(page);
  await choose(page, "User");
  const before = await names(page);
  await person.click(inspector(page).getByRole("button", { name: "Add attribute" }));
  await person.type("isAdmin");
  await person.press("Enter");
  await person.type("loginCount");
  assert.deepEqual(await names(page), [...before, "isAdmin", "loginCount"]);
  const types = await inspector(page).locator(".attribute-row select").evaluateAll((all) => all.slice(-2).map((it) => it.value));
  assert.deepEqual(types, ["BOOL", "N"]);
  await person.press("Enter");
  await person.paste("phone string\nage: number\nnotes, likes");
  assert.deepEqual(await names(page), [...before, "isAdmin", "loginCount", "phone", "age", "notes", "likes"]);
  const last = await page.evaluate(() => [document.activeElement.value, document.activeElement.getBoundingClientRect().bottom <= innerHeight]);
  assert.deepEqual(last, ["likes", true]);
  // The list is one step.
  await undo(page);
  assert.deepEqual((await names(page)).slice(0, -1), [...before, "isAdmin", "loginCount"]);
});

onPattern("an attribute that Enter began goes when its row is left without a name", async (page) => {
  const person = new Person(page);
  await choose(page, "User");
  const before = await names(page);
  for (const [last, leave] of [
    ["isAdmin", () => person.press("Escape")],
    ["phone", () => choose(page, "Project").then(() => choose(page, "User"))],
    ["city", async () => page.mouse.click(...(await emptySpot(page))).then(() => choose(page, "User"))],
    ["street", () => inspector(page).getByLabel("Attribute name").first().click()],
    ["color", () => page.locator(".palette-button", { hasText: "Entity" }).click().then(() => choose(page, "User"))],
    ["size", () => page.locator(".palette-button", { hasText: "GSI" }).click().then(() => choose(page, "User"))],
  ]) {
    await person.click(inspector(page).getByRole("button", { name: "Add attribute" }));
    await person.type(last);
    await person.press("Enter");
    assert.equal((await names(page)).length, before.length + 2);
    const isSeen = await page.evaluate(() => document.activeElement.getBoundingClientRect().bottom <= innerHeight);
    assert.ok(isSeen, "the next name is in sight");
    await leave();
    await settled(page);
    before.push(last);
    assert.deepEqual(await names(page), before);
    // The user undid nothing.
    assert.equal(await page.locator(".spoken", { hasText: "Undone" }).count(), 0);
  }
  // Undo takes back what was entered, and nothing twice.
  await person.click(inspector(page).getByRole("button", { name: "Add attribute" }));
  await person.type("zip");
  await person.press("Enter");
  await undo(page);
  assert.deepEqual(await names(page), [...before, "zip"]);
  // A name that is refused begins nothing.
  await person.click(inspector(page).getByRole("button", { name: "Add attribute" }));
  await person.type("a{b");
  await person.press("Enter");
  assert.equal((await names(page)).length, before.length + 2);
  assert.equal(await page.evaluate(() => document.activeElement.ariaInvalid), "true");
});

onPattern("an attribute keeps its color after a reload", async (page) => {
  // Names that are typed take colors in another order than that of the design.
  for (const [entity, old, name] of [["Project", "projectId", "boardId"], ["User", "userId", "memberId"], ["Tenant", "tenantId", "orgId"]]) {
    await choose(page, entity);
    const fields = inspector(page).getByLabel("Attribute name");
    await fields.nth((await names(page)).indexOf(old)).fill(name);
    await press(page, "Tab");
    await settled(page);
  }
  const colors = () =>
    page.evaluate(() => Object.fromEntries([...document.querySelectorAll(".entity-card .chip")].map((chip) => [chip.dataset.follow, /hue-\d+/.exec(chip.className)[0]])));
  const before = await colors();
  assert.ok("orgId" in before && "boardId" in before && "memberId" in before, Object.keys(before).join());
  await isStored(page);
  await page.reload();
  await page.locator(".entity-card .chip").first().waitFor();
  await settled(page);
  assert.deepEqual(await colors(), before);
});

onPattern("several entities are edited together, each edit in one step", async (page) => {
  const person = new Person(page);
  await choose(page, "User", "Project");
  const shared = inspector(page).getByRole("list", { name: "Required in all" });
  const hues = () =>
    page.locator(".entity-card.selected .badge").evaluateAll((all) => new Set(all.map((badge) => getComputedStyle(badge).backgroundColor)).size);
  assert.equal(await hues(), 2);
  await person.click(inspector(page).getByRole("radio").nth(5));
  assert.equal(await hues(), 1);
  await undo(page);
  assert.equal(await hues(), 2);

  await person.click(inspector(page).getByLabel("Attribute to add to all"));
  await person.type("deletedAt string");
  await person.press("Enter");
  const required = shared.getByRole("checkbox", { name: "deletedAt is required" });
  for (const name of ["User", "Project"]) await card(page, name).getByText("deletedAt").first().waitFor({ state: "attached" });
  assert.ok(!(await required.isChecked()));
  await person.click(required);
  assert.ok(await required.isChecked());
  await undo(page);
  assert.ok(!(await required.isChecked()));
  await undo(page);
  assert.equal(await required.count(), 0);

  const select = inspector(page).getByLabel("Index to add entities to");
  await select.selectOption({ label: "GSI3" });
  const keysIn = (index) => page.locator(".entity-card.selected", { hasText: `${index}pk` }).count();
  assert.ok((await keysIn("gsi3")) < 2);
  const joined = await keysIn("gsi3");
  await person.click(inspector(page).getByRole("button", { name: "Add to index" }));
  assert.equal(await keysIn("gsi3"), 2);
  await undo(page);
  assert.equal(await keysIn("gsi3"), joined);
});

onPattern("equal findings are fixed together, after a preview, in one step", async (page) => {
  const file = "../../crates/core/src/library/patterns/saas-multi-tenant.json";
  const design = JSON.parse(await readFile(new URL(file, import.meta.url), "utf8"));
  // 16 templates with an attribute that the entity does not have.
  const [tenant] = Object.entries(design.entities);
  for (let at = 0; at < 8; at++) {
    const entity = { ...tenant[1], name: `Part ${at}`, keys: { primary: { partition: `P${at}#{first}`, sort: "Q#{second}" } } };
    entity.attributes = [{ id: `a${900 + at}`, name: "title", type: "S" }];
    design.entities[`e${800 + at}`] = entity;
  }
  design.nextId = 1000;
  const buffer = Buffer.from(JSON.stringify(design));
  await page.locator('input[type=file][accept=".json,.keyfold,application/json"]').setInputFiles({ name: "a.json", mimeType: "application/json", buffer });
  await card(page, "Part 7").waitFor();
  await tab(page, /^Problems/).click();
  const equal = page.locator(".problem", { hasText: "Part" }).filter({ hasText: /attribute/ });
  await equal.first().waitFor();
  const code = await equal.first().locator(".problem-code").textContent();
  const of = page.locator(".problem", { has: page.locator(".problem-code", { hasText: code }) });
  assert.equal(await of.count(), 16);
  const person = new Person(page);
  const taken = await person.count(async () => {
    await person.click(of.first());
    const all = page.locator(".fix-all");
    await all.getByRole("table", { name: "Design changes of all fixes" }).waitFor();
    assert.ok((await all.locator("tbody tr").count()) >= 12);
    await person.click(all.getByRole("button", { name: "Fix all 16" }));
  });
  assert.equal(taken, 2);
  await of.first().waitFor({ state: "detached" });
  await undo(page);
  await of.nth(15).waitFor();
});

onPattern("a finding of a template is repaired below it with one press", async (page) => {
  const person = new Person(page);
  await choose(page, "Project");
  const sort = inspector(page).getByRole("combobox", { name: /^Table sort key/ });
  const before = await sort.inputValue();
  await person.replace(sort, "PROJECT#{code}");
  const repairs = inspector(page).getByRole("group", { name: "Repairs" });
  await repairs.getByRole("button").first().waitFor();
  await person.click(repairs.getByRole("button", { name: /Add .*code/ }));
  assert.ok((await names(page)).includes("code"));
  await repairs.getByRole("button", { name: /Add .*code/ }).waitFor({ state: "detached" });
  await undo(page);
  assert.ok(!(await names(page)).includes("code"));
  assert.notEqual(await sort.inputValue(), before);
});

onPattern("the inspector follows quick changes of what is selected", async (page) => {
  await page.evaluate(async () => {
    document.activeElement.blur();
    for (const [key, ctrlKey] of [["e", false], ["z", true], ["e", false]]) {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true }));
      await new Promise((done) => setTimeout(done));
    }
  });
  await settled(page);
  const name = inspector(page).getByRole("textbox", { name: "Name", exact: true }).first();
  assert.equal(await name.inputValue(), "Entity");
  await name.fill("Renamed");
  assert.equal(await inspector(page).locator("h2").innerText().then((text) => text.split("\n").at(-1)), "Renamed");

  // A selection of several has no field; the table has.
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Control+a");
  await settled(page);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Go to table settings");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.matches(".inspector :is(input, select, textarea)"));
  assert.equal(await inspector(page).locator(".kind").first().innerText(), "Table");
});

onPattern("a long repair stays within the inspector", async (page) => {
  const person = new Person(page);
  await choose(page, "Project");
  const sort = inspector(page).getByRole("combobox", { name: /^Table sort key/ });
  await person.replace(sort, "PROJECT#{aNameThatIsLongerThanTheInspectorIsWideAtItsNarrowest}");
  const repair = inspector(page).getByRole("group", { name: "Repairs" }).getByRole("button", { name: /Add .*Narrowest/ });
  await repair.waitFor();
  const [edge, ...ends] = await repair.evaluate((button) => {
    const block = button.closest(".key-block");
    return [block, button, ...block.querySelectorAll("input, .icon-button")].map((one) => one.getBoundingClientRect().right);
  });
  assert.ok(ends.every((end) => end <= edge), `${ends} beyond ${edge}`);
  assert.ok(await repair.evaluate((button) => button.scrollWidth <= button.clientWidth));
});

onPattern("references are accepted and refused in the samples form", async (page) => {
  await choose(page, "Project");
  await tab(page, "Table").click();
  await page.getByRole("button", { name: "Generate samples" }).last().click();
  const dialog = page.locator("dialog[open]");
  await dialog.getByText("References between entities").click();
  const lines = dialog.getByRole("list", { name: "References" }).getByRole("listitem");
  await lines.first().waitFor();
  const status = dialog.locator(".references-head [role=status]");
  const line = lines.first();
  const [accept, refuse] = [line.getByRole("button", { name: /^Accept/ }), line.getByRole("button", { name: /^Refuse/ })];
  const all = await lines.count();
  await refuse.click();
  await settled(page);
  assert.equal(await refuse.getAttribute("aria-pressed"), "true");
  assert.match(await status.innerText(), /1 refused/);
  await accept.click();
  await settled(page);
  assert.equal(await accept.getAttribute("aria-pressed"), "true");
  assert.match(await status.innerText(), /0 refused/);
  await accept.click();
  await settled(page);
  assert.match(await status.innerText(), /1 guessed/);
  await dialog.getByRole("button", { name: "Accept all" }).click();
  await settled(page);
  assert.match(await status.innerText(), new RegExp(`^${all} references: 0 guessed, ${all} accepted`));
  await page.keyboard.press("Escape");
});

onPattern("a card that grows moves what is below, in the same step", async (page) => {
  const person = new Person(page);
  // What stands below one of the cards in this design.
  const find = () =>
    page.evaluate(() => {
      const cards = [...document.querySelectorAll(".canvas .entity-card")].map((card) => ({
        name: card.querySelector(".card-name").textContent,
        box: card.getBoundingClientRect(),
      }));
      for (const upper of cards) {
        const below = cards.find(({ box }) => Math.abs(box.left - upper.box.left) < 20 && box.top > upper.box.bottom);
        if (below) return [upper.name, below.name];
      }
      return null;
    });
  const [upper] = await find();
  await choose(page, upper);
  await person.click(inspector(page).getByRole("button", { name: "Add attribute" }));
  const before = await places(page);
  await person.paste(Array.from({ length: 14 }, (_, at) => `field${at}`).join("\n"));
  await settled(page);
  assert.deepEqual(await overlaps(page), []);
  const moved = Object.entries(await places(page)).filter(([id, [, y]]) => y > before[id][1]);
  assert.ok(moved.length > 0, "nothing moved");
  await undo(page);
  assert.deepEqual(await places(page), before);
});

onPattern("another attribute for the range of an access pattern brings its own values", async (page) => {
  await openPattern(page, "saas-multi-tenant-overloaded");
  await page.getByRole("tab", { name: /^Access patterns/ }).click();
  await page.getByRole("button", { name: "New access pattern" }).click();
  const form = page.getByRole("region", { name: "Access pattern", exact: true });
  await form.getByLabel("Entity", { exact: true }).selectOption({ label: "Project" });
  const values = async (attribute) => {
    await form.getByLabel("Range", { exact: true }).selectOption(attribute);
    await settled(page);
    return form.locator(".parameter input").evaluateAll((all) => all.map((input) => input.value));
  };
  const ids = await values("projectId");
  assert.equal(ids.length, 2);
  assert.deepEqual(await values("createdAt"), ["2026-02-01", "2026-02-10"]);
  assert.deepEqual(await values(""), []);
  assert.deepEqual(await values("projectId"), ids);
});

onPattern("a long key is cut before its last word at each zoom, and its title has all of it", async (page) => {
  await openPattern(page, "multi-branch-finance");
  const keys = () =>
    page.locator('.card .template[title^="TENANT#"][title$="TRANSACTION"]').evaluateAll((all) =>
      all.map((key) => {
        const shown = [...key.children].filter((cut) => cut.getClientRects().length > 0);
        const [row, end] = [key.getBoundingClientRect(), shown.at(-1).getBoundingClientRect()];
        return [shown.map((cut) => cut.textContent).join(" and "), end.right <= row.right + 1];
      }),
    );
  for (const zoom of ["Digit1", "Shift+Digit1"]) {
    await page.mouse.click(...(await emptySpot(page)));
    await page.keyboard.press(zoom);
    await settled(page);
    const [[text, isInside], ...others] = await keys();
    assert.match(text, /^(TENANT#(tenantId#)?)?…#TRANSACTION$/, zoom);
    assert.ok(isInside && others.length === 0, zoom);
  }
});
