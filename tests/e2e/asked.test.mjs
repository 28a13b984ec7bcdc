// An action acts on what it was asked for, also if focus or selection are elsewhere by the time that it is carried out.
import assert from "node:assert/strict";
import {
  card,
  names,
  patternTests,
  press,
  searchCommands,
  seeColumn,
  selected,
  settled,
  undoButton,
} from "./gestures.mjs";

const onPattern = patternTests({ clipboard: true });

const samples = (page) =>
  page.locator("[data-grid] .grid-body [data-sample]").evaluateAll((all) => all.map((row) => row.dataset.sample).sort());
const cell = (page, sample, column) => page.locator(`[data-grid] [data-sample="${sample}"] [data-column="${column}"]`);
const heads = (page) =>
  page.locator("[data-grid] .grid-head [data-name]").evaluateAll((all) => all.map((head) => head.dataset.name));
const item = (page, name) =>
  page.getByRole("menuitem").filter({ has: page.locator(".menu-text", { hasText: new RegExp(`^${name}$`) }) });

/** Chooses a command in the open palette, and does `then` in the page before the next frame. */
async function command(page, name, then = () => {}) {
  await searchCommands(page, name);
  await settled(page);
  await page.evaluate(
    async ([name, then]) => {
      const options = [...document.querySelectorAll("dialog[open] [role=option]")];
      options.find((option) => option.querySelector(".command-text").textContent === name).click();
      for (let turn = 0; turn < 20; turn++) await null;
      new Function(`(${then})()`)();
    },
    [name, String(then)],
  );
  await settled(page);
  await settled(page);
}

onPattern("the menu of a cell acts on its row after the focus moved to another row", async (page) => {
  const all = await samples(page);
  const [asked, other] = [all[1], all[3]];
  await cell(page, asked, "sk").click({ button: "right" });
  await item(page, "Delete rows").waitFor();
  await cell(page, other, "sk").evaluate((cell) => cell.focus());
  await settled(page);
  await item(page, "Delete rows").evaluate((line) => line.click());
  await settled(page);
  assert.deepEqual(await samples(page), all.filter((sample) => sample !== asked));
});

onPattern("the menu of a card acts on it after another was selected", async (page) => {
  await card(page, "Project").locator(".card-name").click({ button: "right" });
  await item(page, "Delete").waitFor();
  await card(page, "User").evaluate((card) => card.focus());
  await settled(page);
  assert.deepEqual(await selected(page), ["User"], "the focus selects");
  await item(page, "Delete").evaluate((line) => line.click());
  await settled(page);
  const left = await names(page);
  assert.ok(left.includes("User") && !left.includes("Project"), left.join());
});

onPattern("a command acts on what was selected when the palette opened", async (page) => {
  await card(page, "Project").locator(".card-name").click();
  await command(page, "Delete", () => {
    const cards = [...document.querySelectorAll(".entity-card")];
    cards.find((card) => card.querySelector(".card-name").textContent === "User").focus();
  });
  const left = await names(page);
  assert.ok(left.includes("User") && !left.includes("Project"), left.join());
});

onPattern("the menu of a column is forgotten when it closes", async (page) => {
  const before = await heads(page);
  const [sample] = await samples(page);
  await page.locator("[data-grid] .grid-head [data-name=sk]").click({ button: "right" });
  await item(page, "Hide column").waitFor();
  await press(page, "Escape");
  await seeColumn(page, "name");
  await cell(page, sample, "name").click();
  await command(page, "Hide column");
  assert.deepEqual(await heads(page), before.filter((name) => name !== "name"));
});

onPattern("cutting deletes the cut cards, even if the selection changes before the clipboard answers", async (page) => {
  await page.evaluate(() => {
    const write = navigator.clipboard.writeText.bind(navigator.clipboard);
    navigator.clipboard.writeText = async (text) => {
      await new Promise((done) => setTimeout(done, 400));
      return write(text);
    };
  });
  await card(page, "Project").locator(".card-name").click({ button: "right" });
  await item(page, "Cut").click();
  await card(page, "User").locator(".card-name").click();
  await page.waitForTimeout(700);
  await settled(page);
  const left = await names(page);
  assert.ok(left.includes("User") && !left.includes("Project"), left.join());
  // Cells likewise.
  await seeColumn(page, "name");
  const filled = page.locator("[data-grid] [data-sample] [data-column=name]:not(.absent)");
  const [first, second] = await filled.evaluateAll((all) => all.map((it) => it.closest("[data-sample]").dataset.sample));
  const texts = () => Promise.all([first, second].map((sample) => cell(page, sample, "name").textContent()));
  const before = await texts();
  await cell(page, first, "name").click({ button: "right" });
  await item(page, "Cut cells").click();
  await cell(page, second, "name").click();
  await page.waitForTimeout(700);
  await settled(page);
  assert.deepEqual(await texts(), ["", before[1]]);
});

onPattern("pasting goes to the requested place, even if the selection changes before the clipboard answers", async (page) => {
  await page.evaluate(() => {
    navigator.clipboard.readText = async () => {
      await new Promise((done) => setTimeout(done, 400));
      return "pasted";
    };
  });
  await seeColumn(page, "name");
  const filled = page.locator("[data-grid] [data-sample] [data-column=name]:not(.absent)");
  const [first, second] = await filled.evaluateAll((all) => all.map((it) => it.closest("[data-sample]").dataset.sample));
  const texts = () => Promise.all([first, second].map((sample) => cell(page, sample, "name").textContent()));
  const before = await texts();
  await cell(page, first, "name").click({ button: "right" });
  await item(page, "Paste into table").click();
  await cell(page, second, "name").click();
  await page.waitForTimeout(700);
  await settled(page);
  assert.deepEqual(await texts(), ["pasted", before[1]]);
});

onPattern("a refused name is reverted as a whole when another card is pressed", async (page) => {
  await card(page, "Project").locator(".card-name").click();
  const field = page.locator(".inspector[aria-busy=false]").getByLabel("Name", { exact: true });
  await field.click();
  await page.keyboard.press("End");
  for (const letter of "Plan") await page.keyboard.type(letter);
  // Taken letter by letter, and then one that is not.
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Us");
  await page.keyboard.type("er");
  await settled(page);
  assert.match(await page.locator(".inspector[aria-busy=false] .field.invalid").innerText(), /./, "there is a User already");
  await card(page, "Subscription").locator(".card-head").click();
  await settled(page);
  assert.deepEqual((await names(page)).sort(), ["Project", "Subscription", "Tenant", "User"]);
});

onPattern("text being typed in a cell stays there when the menu of a head or of another cell opens", async (page) => {
  await seeColumn(page, "name");
  const filled = page.locator("[data-grid] [data-sample] [data-column=name]:not(.absent)");
  const [first, second] = await filled.evaluateAll((all) => all.map((it) => it.closest("[data-sample]").dataset.sample));
  await cell(page, first, "name").dblclick();
  await page.locator(".editor input").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("typed");
  await cell(page, second, "name").click({ button: "right" });
  await settled(page);
  assert.equal(await cell(page, first, "name").textContent(), "typed", "it is stored first");
  assert.equal(await page.locator(".editor input").count(), 0);
  await item(page, "Delete rows").click();
  await settled(page);
  assert.ok((await samples(page)).includes(first) && !(await samples(page)).includes(second));
  await undoButton(page).click();
  await undoButton(page).click();
});
