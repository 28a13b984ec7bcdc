// Panels that fit: the table's bar and heads, one entity's rows alone, the outline's width, the presentation, paper.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./app.mjs";
import { patternTests, seeColumn, settled } from "./gestures.mjs";

const onPattern = patternTests();
const tab = (page, name) => page.locator(".panel-tabs").getByRole("tab", { name });
const column = (page, name) =>
  page.locator(`[data-grid] .grid-row [data-column="${name}"]`).evaluateAll((cells) =>
    cells
      .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map((cell) => cell.textContent),
  );
const heads = (page) => page.locator("[data-grid] .grid-head [data-name]").evaluateAll((all) => all.map((head) => head.dataset.name));
const boxes = (page, selector) =>
  page.locator(selector).evaluateAll((all) =>
    all.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [element.className, x, y, width, height].join(" ");
    }),
  );

onPattern("rows are sorted by the control in a column head", async (page) => {
  await tab(page, "Table").click();
  const head = page.locator("[data-grid] [data-name=sk]");
  const control = head.locator(".sort-button");
  const natural = await column(page, "sk");
  await control.click();
  await settled(page);
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  assert.deepEqual(await column(page, "sk"), [...natural].sort());
  await control.click();
  await settled(page);
  assert.equal(await head.getAttribute("aria-sort"), "descending");
  assert.deepEqual(await column(page, "sk"), [...natural].sort().reverse());
  assert.ok(await page.getByRole("button", { name: "Sorted by sk: not DynamoDB's order" }).isVisible());
  await control.click();
  await settled(page);
  assert.equal(await head.getAttribute("aria-sort"), null);
  assert.deepEqual(await column(page, "sk"), natural);
});

onPattern("one action shows one entity's rows alone, with its columns", async (page) => {
  await tab(page, "Problems").click();
  const row = page.locator(".outline li").filter({ hasText: "User" }).first();
  await row.hover();
  await row.getByRole("button", { name: "Show only the rows of User" }).click();
  await page.locator("[data-grid] .grid-row").first().waitFor();
  await settled(page);
  const keys = await column(page, "sk");
  assert.ok(keys.length > 0 && keys.every((key) => key.startsWith("USER#")), String(keys));
  const shown = await heads(page);
  assert.ok(shown.includes("email") && shown.includes("gsi1pk"), String(shown));
  for (const name of ["seats", "plan", "projectId", "gsi2pk"]) assert.ok(!shown.includes(name), `${name} in ${shown}`);
  assert.match(await page.getByRole("button", { name: /^Entities/ }).innerText(), /only User/);

  const added = page.getByLabel("Entity of new row").locator("option:checked");
  assert.equal(await added.innerText(), "User");

  // In the table itself, and back.
  await page.getByRole("button", { name: /^Entities/ }).click();
  await page.getByRole("button", { name: "Only this: Project" }).click();
  await settled(page);
  assert.ok((await heads(page)).includes("projectId"));
  assert.ok((await column(page, "sk")).every((key) => key.startsWith("PROJECT#")));
  await page.keyboard.press("Escape");
  const other = page.getByRole("button", { name: "Show only the rows of Project" });
  assert.equal(await other.getAttribute("aria-pressed"), "true");
  await other.click();
  await settled(page);
  assert.ok((await heads(page)).includes("seats"));
  // By key, for the selected card.
  await page.locator(".entity-card .card-head", { hasText: "Tenant" }).click();
  await page.keyboard.press("o");
  await settled(page);
  assert.ok((await column(page, "sk")).every((key) => key === "#METADATA"));
  await page.keyboard.press("o");
});

onPattern("the table's bar fits from 700 px on, and selecting cells moves nothing", async (page) => {
  await tab(page, "Table").click();
  for (const width of [1440, 1252, 899, 800, 700]) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    await settled(page);
    const parts = ".table-bar, .table-bar > *, .table-bar button, .table-bar select";
    const cut = await page.locator(parts).evaluateAll((all) =>
      all
        .filter((element) => element.checkVisibility())
        .filter((element) => {
          const bar = element.closest(".table-bar").getBoundingClientRect();
          const own = element.getBoundingClientRect();
          return element.scrollWidth > element.clientWidth + 1 || own.right > bar.right + 1 || own.height > bar.height;
        })
        .map((element) => element.outerHTML.slice(0, 80)),
    );
    assert.deepEqual(cut, [], `at ${width}`);
    assert.ok((await page.locator(".table-bar").boundingBox()).height < 60, `one line at ${width}`);
    await page.locator("[data-grid] .grid-row [data-column=sk]").first().click();
    await settled(page);
    const before = await boxes(page, ".table-bar > *, [data-grid] .grid-head > *, [data-grid]");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await settled(page);
    assert.match(await page.locator(".table-selected").innerText(), /3 × 1 cells/);
    assert.deepEqual(await boxes(page, ".table-bar > *, [data-grid] .grid-head > *, [data-grid]"), before, `at ${width}`);
    await page.keyboard.press("ArrowUp");
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});

onPattern("the table's bar also fits while it names the only entity that is shown", async (page) => {
  await tab(page, "Table").click();
  const only = page.getByRole("button", { name: "Show only the rows of Subscription", exact: true });
  await only.click();
  for (const width of [1440, 1360, 1252]) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    await settled(page);
    assert.match(await page.locator(".bar-hidden").innerText(), /^only /);
    const [room, content, filter] = await page
      .locator(".table-bar")
      .evaluate((bar) => [bar.clientWidth, bar.scrollWidth, bar.querySelector(".table-filter").offsetWidth]);
    assert.ok(content <= room, `${content} in ${room} at ${width}`);
    assert.ok(filter >= 90, `the filter has ${filter} at ${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await only.click();
});

onPattern("key columns grow at once, but not under the pointer or while a cell has the focus", async (page) => {
  await tab(page, "Table").click();
  await page.locator(".entity-card .card-head", { hasText: "User" }).click();
  const width = () => page.locator("[data-grid] [data-name=sk]").evaluate((head) => head.getBoundingClientRect().width);
  const sort = page.getByRole("combobox", { name: /^Table sort key/ });
  await sort.click();
  await page.keyboard.press("Home");
  let before = await width();
  await page.keyboard.insertText("LONG_PREFIX_OF_USERS#");
  await settled(page);
  const grown = await width();
  assert.ok(grown > before + 50, `${before}, then ${grown}`);
  // With the pointer over the cells, no column moves until it leaves.
  const grid = await page.locator("[data-grid]").boundingBox();
  await page.mouse.move(grid.x + 300, grid.y + 60);
  await page.keyboard.insertText("AND_LONGER#");
  await page.waitForTimeout(600);
  assert.equal(await width(), grown);
  await page.mouse.move(grid.x + 300, grid.y - 200);
  await settled(page);
  assert.ok((await width()) > grown);
  // An edit in the table changes its key; the next cell stays where it is.
  before = await width();
  await seeColumn(page, "userId");
  await page.locator("[data-grid] .grid-row", { hasText: "USER#u_01" }).locator("[data-column=userId]").dblclick();
  await page.mouse.move(grid.x + 300, grid.y - 200);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("u_0123456789_0123456789");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(600);
  assert.equal(await width(), before);
  await sort.click();
  await settled(page);
  await settled(page);
  assert.ok((await width()) >= before);
});

onPattern("the outline is resized by pointer and by keyboard, and keeps its width", async (page) => {
  const width = () => page.locator(".rail").evaluate((rail) => rail.getBoundingClientRect().width);
  const splitter = page.getByRole("separator", { name: "Outline width" });
  const from = await splitter.boundingBox();
  await page.mouse.move(from.x + 4, from.y + 200);
  await page.mouse.down();
  await page.mouse.move(from.x + 84, from.y + 210, { steps: 4 });
  await page.mouse.up();
  await settled(page);
  assert.equal(Math.round(await width()), 292);
  await splitter.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  assert.equal(Math.round(await width()), 308);
  await page.reload();
  await page.locator(".outline-row").first().waitFor();
  assert.equal(Math.round(await width()), 308);
  for (let turn = 0; turn < 6; turn++) {
    await splitter.focus();
    await page.keyboard.press("ArrowLeft");
  }
});

onPattern("a key hides all panels, and Escape shows them again", async (page) => {
  const regions = ".top-bar, .rail, .inspector, .panel";
  const shown = () => page.locator(regions).evaluateAll((all) => all.filter((it) => it.checkVisibility()).length);
  const seen = () => page.locator(".world").evaluate((world) => world.style.transform);
  assert.equal(await shown(), 4);
  const before = await seen();
  await page.locator(".canvas").focus();
  await page.keyboard.press("p");
  await settled(page);
  await settled(page);
  assert.equal(await shown(), 0);
  const canvas = await page.locator(".canvas").boundingBox();
  assert.deepEqual([canvas.width, canvas.height], [1440, 900]);
  assert.notEqual(await seen(), before);
  await page.keyboard.press("Escape");
  await settled(page);
  assert.equal(await shown(), 4);
  assert.equal(await seen(), before);
  await page.keyboard.press("p");
  await page.getByRole("button", { name: "End presentation" }).click();
  assert.equal(await shown(), 4);
  // Also while a tab is open that takes the width of the inspector.
  await tab(page, "Export").click();
  await page.locator(".canvas").focus();
  await page.keyboard.press("p");
  await settled(page);
  await settled(page);
  const whole = await page.locator(".canvas").boundingBox();
  assert.deepEqual([whole.width, whole.height], [1440, 900]);
  await page.keyboard.press("Escape");
});

test("the canvas and the tables are printed", async () => {
  const init = () => {
    window.printed = 0;
    window.print = () => (window.printed += 1);
  };
  const { page, complaints, close } = await open({ init });
  try {
    const { openPattern } = await import("./gestures.mjs");
    await openPattern(page);
    await page.keyboard.press("Control+p");
    await page.waitForFunction(() => window.printed === 1);
    await page.emulateMedia({ media: "print" });
    const pages = page.locator(".print-pages");
    assert.ok(await pages.isVisible());
    assert.ok(!(await page.locator(".shell").isVisible()));
    assert.ok(await pages.locator("img").evaluate((img) => img.complete && img.naturalWidth > 100));
    assert.deepEqual(await pages.locator("h2").allTextContents(), ["saas", "GSI1", "GSI2", "GSI3"]);
    assert.equal(await pages.locator("table").first().locator("tbody tr").count(), 7);
    await page.emulateMedia({ media: "screen" });
    assert.ok(!(await pages.isVisible()));
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await pages.waitFor({ state: "detached" });
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

onPattern("an access pattern's name, operation, condition and verdict fit without scrolling", async (page) => {
  await tab(page, /^Access patterns/).click();
  await page.getByRole("button", { name: "New access pattern" }).click();
  await page.locator(".pattern-editor").waitFor();
  await page.locator(".chip.known").first().click();
  await page.locator(".pattern-proof .proof-verdict").waitFor();
  await settled(page);
  for (const part of [
    page.getByLabel("Name", { exact: true }).first(),
    page.getByLabel("Operation", { exact: true }).first(),
    page.locator(".chip.known").last(),
    page.locator(".pattern-offer select").last(),
    page.locator(".proof-verdict"),
  ]) {
    const isSeen = await part.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const at = [1, height - 1].map((y) => document.elementFromPoint(left + width / 2, top + y));
      return at.every((hit) => hit && (element.contains(hit) || hit.contains(element)));
    });
    assert.ok(isSeen, String(part));
  }
  assert.equal(await page.locator(".pattern-editor").evaluate((it) => it.scrollTop), 0);
  // The inspector is still there, above.
  const [inspector, panel] = [await page.locator(".inspector[aria-busy=false]").boundingBox(), await page.locator(".panel").boundingBox()];
  assert.ok(inspector.y + inspector.height <= panel.y + 1, JSON.stringify([inspector, panel]));
  assert.ok(panel.x + panel.width >= 1439);
});

onPattern("the code of a request is not cut, in a wide and in a narrow form", async (page) => {
  await tab(page, /^Access patterns/).click();
  await page.locator(".pattern-row").first().click();
  const code = page.locator(".requests .code");
  for (const width of [1440, 1000, 700]) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    await code.first().scrollIntoViewIfNeeded();
    await settled(page);
    const { over, hidden } = await code.first().evaluate((it) => {
      const panel = it.closest(".panel-body").getBoundingClientRect();
      const own = it.getBoundingClientRect();
      return { over: it.scrollWidth - it.clientWidth, hidden: Math.max(panel.left - own.left, own.right - panel.right) };
    });
    assert.ok(over <= 0 && hidden <= 0, `${over} ${hidden} at ${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});

onPattern("Export opens the tab Export", async (page) => {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  assert.equal(await tab(page, "Export").getAttribute("aria-selected"), "true");
  await page.locator(".code-panel").waitFor();
});

onPattern("the palette lists what was used last first, and finds actions by the task", async (page) => {
  const options = () => page.locator(".command .command-text").allTextContents();
  const find = async (words) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command palette" }).fill(words);
    await settled(page);
    return options();
  };
  for (const [words, wanted] of [
    ["fix", "Go to problems"],
    ["cost", "Go to table settings"],
    ["coverage", "Go to coverage matrix"],
    ["settings", "Go to table settings"],
    ["tour", "Guided first design"],
    ["tour", "Tour: index overloading"],
    ["print", "Print design"],
    ["present", "Start or end presentation"],
    ["folder", "Show all designs…"],
  ]) {
    const found = await find(words);
    assert.ok(found.slice(0, 8).includes(wanted), `${words}: ${found.slice(0, 8).join(", ")}`);
    await page.keyboard.press("Escape");
  }
  assert.equal((await find("coverage"))[0], "Go to coverage matrix");
  await page.keyboard.press("Enter");
  await page.locator(".coverage table").waitFor();
  assert.match(await page.locator(".coverage-legend").innerText(), /Could serve/);
  await page.keyboard.press("Control+k");
  await settled(page);
  assert.equal((await options())[0], "Go to coverage matrix");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "List", exact: true }).click();
});

test("nothing covers the ways to start on a low screen", async () => {
  for (const size of [[844, 390], [360, 640], [320, 256]]) {
    const { page, close } = await open({ size, touch: true });
    try {
      await page.locator(".welcome .way").first().waitFor();
      for (const way of await page.locator(".welcome .way").all()) {
        await way.scrollIntoViewIfNeeded();
        const isFree = await way.evaluate((element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        });
        assert.ok(isFree, `${await way.innerText()} at ${size}`);
      }
    } finally {
      await close();
    }
  }
});
