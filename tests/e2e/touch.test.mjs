import assert from "node:assert/strict";
import { fingers, longPress, swipe } from "./fingers.mjs";
import { card, emptySpot, head, middle, names, openMore, openPattern, patternTests, places, port, press, searchCommands, seeColumn, selected, settled, undoButton, view } from "./gestures.mjs";

const onPhone = patternTests({ size: [390, 844], touch: true });

const near = (a, b, by, what) => assert.ok(Math.abs(a - b) <= by, `${what}: ${a} is not ${b}`);

onPhone("a phone shows one region at a time, with tabs, and nothing is wider than the screen", async (page) => {
  const tabs = page.getByRole("navigation", { name: "Regions" });
  const regions = { Outline: ".rail", Canvas: ".canvas", Inspector: ".inspector", Data: ".panel" };
  for (const [name, selector] of Object.entries(regions)) {
    await tabs.getByRole("button", { name }).tap();
    await settled(page);
    for (const [other, each] of Object.entries(regions)) {
      assert.equal(await page.locator(each).isVisible(), other === name, `${other} in ${name}`);
    }
    const box = await page.locator(selector).boundingBox();
    assert.ok(box.width >= 380 && box.height > 500, `${name} has ${box.width} by ${box.height}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${name} is ${wide} wide`);
    const bar = await tabs.boundingBox();
    assert.ok(bar.y + bar.height <= 844.5, "the tabs are in sight");
  }
  await tabs.getByRole("button", { name: "Outline" }).tap();
  await page.locator(".outline").getByRole("button", { name: "Project", exact: true }).tap();
  await settled(page);
  assert.ok(await page.locator(".canvas").isVisible(), "what was chosen is shown on the canvas");
  assert.deepEqual(await selected(page), ["Project"]);
});

onPhone("an opened design is legible, and a button shows everything", async (page) => {
  await openPattern(page, "theatre-catalogue");
  const sizes = () =>
    page.evaluate(() => {
      const canvas = document.querySelector(".canvas").getBoundingClientRect();
      const names = [...document.querySelectorAll(".canvas .entity-card .card-name")];
      const inSight = names.filter((name) => {
        const box = name.getBoundingClientRect();
        return box.right > canvas.left && box.left < canvas.right && box.bottom > canvas.top && box.top < canvas.bottom;
      });
      return inSight.map((name) => (parseFloat(getComputedStyle(name).fontSize) * name.getBoundingClientRect().width) / name.offsetWidth);
    });
  const found = await sizes();
  assert.ok(found.length > 0 && found.every((size) => size >= 9 - 0.01), found.join());
  await page.getByRole("button", { name: "Show everything" }).tap();
  await settled(page);
  assert.equal((await sizes()).length, await page.locator(".entity-card").count());
});

onPhone("one finger pans the empty canvas and drags a card", async (page) => {
  const before = await places(page);
  const seen = await view(page);
  const spot = await emptySpot(page);
  await swipe(page, spot, [spot[0] + 60, spot[1] + 40]);
  const panned = await view(page);
  near(panned.x - seen.x, 60, 1, "to the right");
  near(panned.y - seen.y, 40, 1, "down");
  assert.equal(panned.zoom, seen.zoom);
  assert.deepEqual(await places(page), before);

  const from = await head(page, "Subscription");
  await swipe(page, from, [from[0] + 10, from[1] + 160]);
  const now = await places(page);
  near((now.e8[1] - before.e8[1]) * panned.zoom, 160, 7, "the card went down");
  assert.deepEqual(await view(page), panned, "the canvas stayed");
  assert.deepEqual(await selected(page), ["Subscription"]);
  await undoButton(page).tap();
  await settled(page);
  assert.deepEqual(await places(page), before);
});

onPhone("two fingers zoom at the point between them", async (page) => {
  const before = await places(page);
  const box = await card(page, "Project").boundingBox();
  // The fingers come down beside the corner that they are to keep, one of them on a card.
  const at = [box.x, box.y];
  const apart = (by) => [[at[0] - by, at[1]], [at[0] + by, at[1]]];
  const { zoom } = await view(page);
  const finger = await fingers(page);
  await finger.to(apart(30)[0]);
  await finger.to(...apart(30));
  for (const by of [40, 50, 60]) {
    await finger.to(...apart(by));
    await settled(page);
  }
  await finger.end();
  near((await view(page)).zoom / zoom, 2, 0.1, "twice as far apart");
  const after = await card(page, "Project").boundingBox();
  near(after.x, at[0], 3, "the corner's left");
  near(after.y, at[1], 3, "the corner's top");
  assert.deepEqual(await places(page), before);
});

onPhone("two fingers on a card select nothing", async (page) => {
  await page.touchscreen.tap(...(await head(page, "User")));
  await settled(page);
  const before = await selected(page);
  assert.deepEqual(before, ["User"]);
  const [x, y] = await head(page, "Project");
  const { zoom } = await view(page);
  const finger = await fingers(page);
  await finger.to([x, y]);
  for (const by of [30, 45, 60]) {
    await finger.to([x, y], [x, y + by]);
    await settled(page);
  }
  await finger.end();
  assert.ok((await view(page)).zoom > zoom, "they zoom");
  assert.deepEqual(await selected(page), before);
});

onPhone("a third finger on a card neither drags nor selects it", async (page) => {
  await page.touchscreen.tap(...(await head(page, "User")));
  await settled(page);
  const before = await places(page);
  const [x, y] = await head(page, "Project");
  const [left, top] = await emptySpot(page);
  const two = [[left + 4, top + 4], [left + 36, top + 36]];
  const finger = await fingers(page);
  await finger.to(two[0]);
  await finger.to(...two);
  for (const by of [0, 20, 40]) {
    await finger.to(...two, [x, y + by]);
    await settled(page);
  }
  await finger.end();
  assert.deepEqual(await places(page), before);
  assert.deepEqual(await selected(page), ["User"]);
});

onPhone("a long press adds a card to the selection and removes it", async (page) => {
  await page.touchscreen.tap(...(await head(page, "User")));
  await settled(page);
  const choose = async (name, line) => {
    const menu = await longPress(page, await head(page, name));
    await menu.getByRole("menuitem", { name: line }).tap();
    await settled(page);
  };
  await choose("Project", "Add to selection");
  assert.deepEqual(await selected(page), ["Project", "User"]);
  await choose("User", "Remove from selection");
  assert.deepEqual(await selected(page), ["Project"]);
});

onPhone("a tap on the empty canvas clears the selection, and a tap on a thin wire selects it", async (page) => {
  await page.touchscreen.tap(...(await head(page, "User")));
  await settled(page);
  assert.deepEqual(await selected(page), ["User"]);
  await page.touchscreen.tap(...(await emptySpot(page)));
  await settled(page);
  assert.deepEqual(await selected(page), []);
  // A person does not tap that quickly on two places either.
  await page.waitForTimeout(400);
  // From afar wires cannot be touched.
  for (const _ of [1, 2]) await page.getByRole("button", { name: "Zoom in" }).tap();
  await settled(page);
  const [wire, at] = await page.evaluate(() => {
    const paths = [...document.querySelectorAll("[data-wire] .wire-hit")];
    for (const path of paths) {
      for (const part of [0.5, 0.4, 0.6, 0.3, 0.7]) {
        const { x, y } = path.getPointAtLength(path.getTotalLength() * part).matrixTransform(path.getScreenCTM());
        if (document.elementFromPoint(x, y) === path) return [path.closest("[data-wire]").dataset.wire, [x, y]];
      }
    }
    throw new Error("no wire is in sight");
  });
  await page.touchscreen.tap(...at);
  await settled(page);
  assert.deepEqual(await page.locator("[data-wire].chosen, [data-wire].selected").evaluateAll((all) => all.map((one) => one.dataset.wire)), [wire]);
});

onPhone("a long press opens the menu, and lifting the finger runs no command", async (page) => {
  const menu = await longPress(page, await head(page, "Project"));
  assert.equal(await menu.getAttribute("aria-label"), "Project");
  assert.ok(await menu.isVisible(), "it stays");
  const box = await menu.boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 844, JSON.stringify(box));
  assert.equal((await names(page)).length, 4);
  await menu.getByRole("menuitem", { name: "Duplicate" }).tap();
  await settled(page);
  assert.equal((await names(page)).length, 5);
});

onPhone("a wire is drawn by touch, from an entity's port to an index", async (page) => {
  // Both ends are on the screen: no finger gets beyond its edge.
  await page.getByRole("button", { name: "Show everything" }).tap();
  await settled(page);
  await swipe(page, await port(page, "Subscription"), await middle(card(page, "GSI1")));
  assert.equal(await page.locator('[data-wire="e8-i1"]').count(), 1);
  assert.deepEqual(await selected(page), ["Subscription"]);
  // Its fields open: the guess is there to be changed.
  const open = await page.evaluate(() => {
    const { width } = document.activeElement.getBoundingClientRect();
    return document.activeElement.matches(".inspector input") && width > 0;
  });
  assert.ok(open, "the fields of the wire are open");
});

onPhone("scrolled columns go under the frozen column", async (page) => {
  await page.getByRole("navigation", { name: "Regions" }).getByRole("button", { name: "Data" }).tap();
  await settled(page);
  const box = await page.locator("[data-grid]").boundingBox();
  await swipe(page, [box.x + 300, box.y + 100], [box.x + 180, box.y + 100]);
  const covered = await page.evaluate(() => {
    const grid = document.querySelector("[data-grid]");
    const stays = [...grid.querySelectorAll(".frozen-0")].filter((cell) => cell.getBoundingClientRect().height > 0);
    const seen = stays.filter((cell) => cell.getBoundingClientRect().bottom < grid.getBoundingClientRect().bottom);
    const over = seen.filter((cell) => {
      const { right, top, height } = cell.getBoundingClientRect();
      return !cell.contains(document.elementFromPoint(right - 12, top + height / 2));
    });
    return { scrolled: grid.scrollLeft, cells: seen.length, over: over.length };
  });
  assert.ok(covered.scrolled > 50 && covered.cells > 2, JSON.stringify(covered));
  assert.equal(covered.over, 0, JSON.stringify(covered));
});

/** Shows the table, scrolled so far to the right. */
async function openTable(page, left) {
  await page.getByRole("navigation", { name: "Regions" }).getByRole("button", { name: "Data" }).tap();
  await settled(page);
  await page.evaluate((left) => (document.querySelector("[data-grid]").scrollLeft = left), left);
  await settled(page);
}

/** A spot in the visible part of each cell of the table: its column, its sample, and where. */
const visibleCells = (page) =>
  page.evaluate(() => {
    const grid = document.querySelector("[data-grid]").getBoundingClientRect();
    const cells = [...document.querySelectorAll("[data-grid] .grid-body [data-sample] [data-column]")];
    return cells.flatMap((cell) => {
      const box = cell.getBoundingClientRect();
      const y = box.top + box.height / 2;
      for (let x = Math.max(box.left, grid.left) + 6; x < Math.min(box.right, grid.right) - 6; x += 12) {
        if (y < grid.bottom && cell.contains(document.elementFromPoint(x, y))) {
          return [{ column: cell.dataset.column, sample: cell.closest("[data-sample]").dataset.sample, at: [x, y] }];
        }
      }
      return [];
    });
  });

const samples = (page) =>
  page.locator("[data-grid] .grid-body [data-sample]").evaluateAll((all) => all.map((row) => row.dataset.sample).sort());

onPhone("a long press in the table acts on the row under the finger, not on the one that was tapped before", async (page) => {
  await openTable(page, 0);
  const all = await samples(page);
  const long = async (at, what) => {
    const menu = await longPress(page, at);
    await menu.getByRole("menuitem", { name: what }).tap();
    await settled(page);
  };
  const [tapped, pressed] = [0, 2].map((row) => all[row]);
  const spots = await visibleCells(page);
  const spotOf = (sample) => spots.find((spot) => spot.sample === sample);
  await page.touchscreen.tap(...spotOf(tapped).at);
  await settled(page);
  await long(spotOf(pressed).at, "Delete rows");
  assert.deepEqual(await samples(page), all.filter((sample) => sample !== pressed));
});

onPhone("a tap does not move the cell under the finger, so a double tap edits that cell", async (page) => {
  let tapped = 0;
  for (const left of [0, 90, 180, 270]) {
    await openTable(page, left);
    const seen = new Map((await visibleCells(page)).map((spot) => [spot.column, spot]));
    for (const { column, sample, at } of seen.values()) {
      await page.evaluate((left) => (document.querySelector("[data-grid]").scrollLeft = left), left);
      await settled(page);
      await page.touchscreen.tap(...at);
      await settled(page);
      const under = await page.evaluate(([x, y]) => {
        const cell = document.elementFromPoint(x, y).closest("[data-column]");
        return [cell?.dataset.column, cell?.closest("[data-sample]").dataset.sample];
      }, at);
      assert.deepEqual(under, [column, sample], `scrolled by ${left}`);
      tapped++;
    }
  }
  assert.ok(tapped > 8, `${tapped} cells`);
});

/** What can be pressed, is shown and is smaller than this, in CSS pixels. */
const smallerThan = (page, width, height, selector) =>
  page.locator(selector).evaluateAll(
    (all, [width, height]) =>
      all
        .filter((one) => one.checkVisibility() && !one.matches(".skip"))
        .map((one) => [one.getAttribute("aria-label") ?? one.textContent, one.getBoundingClientRect()])
        .filter(([, box]) => box.width < width || box.height < height)
        .map(([name, box]) => `${name}: ${box.width} by ${box.height}`),
    [width, height],
  );

onPhone("what a finger has to hit is large enough", async (page) => {
  const tabs = page.getByRole("navigation", { name: "Regions" });
  const most = ".top-bar button, .top-bar summary, .pane-tabs button, .panel-tabs button, .outline-row, .problem, .pattern-row, .zoom-bar .icon-button";
  const check = async (where) => {
    await settled(page);
    assert.deepEqual(await smallerThan(page, 44, 44, most), [], where);
    assert.deepEqual(await smallerThan(page, 36, 36, "button, summary, [role=option], select"), [], where);
  };
  for (const pane of ["Outline", "Canvas", "Inspector", "Data"]) {
    await tabs.getByRole("button", { name: pane }).tap();
    await check(pane);
  }
  assert.deepEqual(await smallerThan(page, 44, 44, ".grid-body .grid-cell"), []);
  for (const tab of ["Access patterns", "Problems", "Cost", "Export"]) {
    await page.getByRole("tab", { name: new RegExp(`^${tab}`) }).tap();
    await check(tab);
  }
  await page.getByRole("tab", { name: "Table" }).tap();
});

onPhone("a narrow screen is as wide as the page, and nothing of the top bar is out of reach", async (page) => {
  const more = page.getByRole("button", { name: "More", exact: true });
  for (const width of [320, 360, 375, 390, 420]) {
    await page.setViewportSize({ width, height: 640 });
    await settled(page);
    const wide = await page.evaluate(() => [document.documentElement, document.querySelector(".top-bar")].map((one) => one.scrollWidth));
    assert.ok(Math.max(...wide) <= width, `${wide} at ${width}`);
    await more.tap();
    for (const name of ["Patterns", "Export", /^Theme/, "Keyboard and gestures"]) {
      const box = await page.locator(".more-list").getByRole("button", { name }).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= width && box.height >= 44, `${name} at ${width}: ${JSON.stringify(box)}`);
    }
    await page.keyboard.press("Escape");
    await settled(page);
    assert.equal(await page.locator(".more-list").isVisible(), false, "Escape closes it");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "More");
  }
  await openMore(page);
  await page.getByRole("button", { name: "Keyboard and gestures" }).tap();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "More");
  await page.setViewportSize({ width: 390, height: 844 });
});

onPhone("the guide covers nothing that it asks for, and asks for no key", async (page) => {
  const tabs = page.getByRole("navigation", { name: "Regions" });
  for (const [width, height] of [[390, 844], [360, 640]]) {
    await page.setViewportSize({ width, height });
    await page.getByRole("button", { name: "Command palette" }).or(page.locator(".search-button")).first().tap();
    await page.keyboard.type("Guided first");
    await page.keyboard.press("Enter");
    const guide = page.getByRole("complementary", { name: "Guided first design" });
    await guide.waitFor();
    assert.doesNotMatch(await guide.innerText(), /press E/i);
    await tabs.getByRole("button", { name: "Outline" }).tap();
    await page.locator(".palette-button").first().tap();
    await tabs.getByRole("button", { name: "Inspector" }).tap();
    await settled(page);
    await page.locator(".inspector[aria-busy=false]").getByLabel("Name", { exact: true }).first().fill("User");
    await guide.getByText("Step 2").waitFor();
    const add = page.getByRole("button", { name: "Add attribute" });
    await add.scrollIntoViewIfNeeded();
    const isFree = (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    };
    assert.ok(await add.evaluate(isFree), `at ${width} by ${height}`);
    await guide.getByRole("button", { name: "End guide" }).tap();
  }
  await page.setViewportSize({ width: 390, height: 844 });
});

const focusIn = (page, selector) => page.evaluate((selector) => !!document.activeElement?.closest(selector), selector);

onPhone("what a tap opens has the focus, also where it takes the place of what was tapped", async (page) => {
  const tabs = page.getByRole("navigation", { name: "Regions" });
  const has = async (selector, what) => {
    for (let frame = 0; frame < 3; frame++) await settled(page);
    assert.ok(await focusIn(page, selector), `${what}: ${await page.evaluate(() => document.activeElement.outerHTML.slice(0, 120))}`);
  };
  await has(".canvas", "an opened pattern");
  await tabs.getByRole("button", { name: "Outline" }).tap();
  await page.locator(".palette-button").first().tap();
  await has(".canvas [data-card]", "a new entity");
  await tabs.getByRole("button", { name: "Data" }).tap();
  await page.getByRole("tab", { name: /^Access patterns/ }).tap();
  await page.getByRole("button", { name: "New access pattern" }).tap();
  await has(".pattern-editor input", "a new access pattern");
  assert.ok(await page.locator(".pattern-editor").isVisible());
  await page.getByRole("tab", { name: /^Problems/ }).tap();
  await page.locator(".problem").first().tap();
  await has(".problems-back", "a problem");
  await page.getByRole("tab", { name: "Table" }).tap();
  await openMore(page);
  await page.getByTitle("Start from a pattern of the library").tap();
  await page.locator("[data-pattern]").first().tap();
  await has(".gallery-back", "an entry of the gallery");
  await page.locator(".gallery-back").tap();
  await has("[data-pattern]", "the list again");
  await page.keyboard.press("Escape");
});

onPhone("a tablet shows the canvas with the table, a low screen has its tabs at the side", async (page) => {
  const tabs = page.getByRole("navigation", { name: "Regions" });
  await page.setViewportSize({ width: 820, height: 1180 });
  await settled(page);
  const [canvas, panel] = [await page.locator(".canvas").boundingBox(), await page.locator(".panel").boundingBox()];
  assert.ok(canvas.height > 400 && panel.height > 200 && panel.y >= canvas.y + canvas.height - 1, JSON.stringify([canvas, panel]));
  await tabs.getByRole("button", { name: "Data" }).tap();
  assert.ok((await page.locator(".panel").boundingBox()).height > 900);
  await tabs.getByRole("button", { name: "Canvas" }).tap();
  for (const [width, height, least] of [[844, 390, 330], [320, 256, 200]]) {
    await page.setViewportSize({ width, height });
    await settled(page);
    const box = await page.locator(".canvas").boundingBox();
    assert.ok(box.height >= least, `${box.height} of ${height}`);
    assert.equal(await page.locator(".panel").isVisible(), false);
  }
  // The button of a pattern is in sight without scrolling.
  await page.setViewportSize({ width: 844, height: 390 });
  await settled(page);
  await page.getByTitle("Start from a pattern of the library").tap();
  await page.locator("[data-pattern]").nth(1).tap();
  await settled(page);
  const open = await page.getByRole("button", { name: "Open as new design" }).boundingBox();
  assert.ok(open.y > 0 && open.y + open.height <= 390, JSON.stringify(open));
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 390, height: 844 });
});

onPhone("no field has text so small that iOS zooms the page on focus", async (page) => {
  const tabs = page.getByRole("navigation", { name: "Regions" });
  const small = () =>
    page.evaluate(() => {
      const fields = [...document.querySelectorAll("input:not([type=checkbox], [type=radio]), select, textarea")];
      const seen = fields.filter((field) => field.getClientRects().length > 0);
      const size = (field) => parseFloat(getComputedStyle(field).fontSize);
      const named = (field) => `${field.getAttribute("aria-label") ?? field.labels?.[0]?.textContent}: ${size(field)}`;
      return { count: seen.length, small: seen.filter((field) => size(field) < 16).map(named) };
    });
  const check = async (where, least) => {
    const found = await small();
    assert.deepEqual(found.small, [], where);
    assert.ok(found.count >= least, `${found.count} fields in ${where}`);
  };
  await check("the canvas", 2);
  await tabs.getByRole("button", { name: "Outline" }).tap();
  await settled(page);
  await check("the rail", 1);
  await page.locator(".outline").getByRole("button", { name: "Project", exact: true }).tap();
  await tabs.getByRole("button", { name: "Inspector" }).tap();
  await settled(page);
  await check("the inspector of an entity", 15);
  // The colors under a template are exactly under its letters.
  const [input, backdrop] = await page.evaluate(() =>
    [".template-input", ".template-backdrop"].map((selector) => {
      const { font, letterSpacing, paddingLeft } = getComputedStyle(document.querySelector(selector));
      return [font, letterSpacing, paddingLeft].join();
    }),
  );
  assert.equal(backdrop, input);
  await tabs.getByRole("button", { name: "Data" }).tap();
  await settled(page);
  await check("the table", 2);
  await seeColumn(page, "tenantId");
  await page.locator(".grid-body [data-sample] [data-column=tenantId]").first().dblclick();
  await page.locator(".editor input").waitFor();
  await check("the table with a cell open", 3);
  await page.keyboard.press("Escape");
});

onPhone("after an entity is deleted in the inspector, the page shows the canvas and a message", async (page) => {
  const tabs = page.getByRole("navigation", { name: "Regions" });
  await tabs.getByRole("button", { name: "Outline" }).tap();
  await page.locator(".outline").getByRole("button", { name: "Project", exact: true }).tap();
  await tabs.getByRole("button", { name: "Inspector" }).tap();
  await page.getByRole("button", { name: "Delete entity" }).tap();
  await settled(page);
  assert.ok(await page.locator(".canvas").isVisible(), "the canvas is shown");
  assert.equal((await names(page)).length, 3);
  const notice = page.locator(".notices[role=status] .notice");
  assert.equal(await notice.locator(".notice-text").innerText(), "Project deleted with 4 access patterns. Undo reverts this.");
  await undoButton(page).tap();
  await settled(page);
  assert.equal((await names(page)).length, 4);
  assert.equal(await notice.count(), 0, "it is about the last change");
});

onPhone("a tap followed by a small drag is not a double tap", async (page) => {
  const before = await names(page);
  const at = await middle(card(page, "User").locator(".card-name"));
  const finger = await fingers(page);
  await page.touchscreen.tap(...at);
  // Two taps that follow each other at once are none of a person.
  await page.waitForTimeout(80);
  await finger.to(at);
  for (const by of [3, 6, 9]) await finger.to([at[0] + by, at[1] + by]);
  await finger.end();
  await page.waitForTimeout(400);
  await settled(page);
  assert.equal(await page.locator(".card-rename").count(), 0);
  assert.deepEqual(await names(page), before);
});

onPhone("a tap on the empty canvas moves the focus there: keys act on the canvas", async (page) => {
  const before = await names(page);
  await page.locator(".menu summary").tap();
  await page.keyboard.press("Escape");
  await page.touchscreen.tap(...(await emptySpot(page)));
  await settled(page);
  await page.keyboard.press("e");
  await settled(page);
  assert.equal((await names(page)).length, before.length + 1);
});

onPhone("to rename a card from another region shows the canvas with the field of its name", async (page) => {
  const tabs = page.getByRole("navigation", { name: "Regions" });
  await page.touchscreen.tap(...(await head(page, "User")));
  await settled(page);
  await tabs.getByRole("button", { name: "Inspector" }).tap();
  await page.locator(".inspector[aria-busy=false]").waitFor();
  await searchCommands(page, "Rename");
  assert.equal(await page.locator(".command .command-text").first().innerText(), "Rename");
  await press(page, "Enter");
  await page.locator(".card-rename:focus").waitFor();
  assert.ok(await page.locator(".canvas").isVisible());
  await page.keyboard.type("Member");
  await press(page, "Enter");
  assert.ok((await names(page)).includes("Member"));
});

onPhone("keys of the canvas do nothing where another region is shown", async (page) => {
  const tabs = page.getByRole("navigation", { name: "Regions" });
  await page.touchscreen.tap(...(await head(page, "User")));
  await settled(page);
  const before = await names(page);
  await tabs.getByRole("button", { name: "Data" }).tap();
  // The click comes some time after the finger is lifted.
  await tabs.locator("button[aria-current=true]", { hasText: "Data" }).waitFor();
  await page.evaluate(() => document.activeElement.blur());
  for (const key of ["Delete", "e", "Control+d"]) {
    await page.keyboard.press(key);
    await settled(page);
  }
  await tabs.getByRole("button", { name: "Canvas" }).tap();
  await settled(page);
  assert.deepEqual(await names(page), before);
});

onPhone("Undo and Redo do not move when the name or the state of the design changes", async (page) => {
  const name = page.getByRole("textbox", { name: "Design name" });
  const redoButton = page.getByRole("button", { name: "Redo", exact: true });
  const both = async () => [await undoButton(page).boundingBox(), await redoButton.boundingBox()];
  for (const [width, height] of [[768, 1024], [390, 844]]) {
    await page.setViewportSize({ width, height });
    await name.fill("ab");
    await settled(page);
    const before = await both();
    for (const text of ["A design with quite a long name", "a"]) {
      await name.fill(text);
      await settled(page);
      assert.deepEqual(await both(), before, `named ${text} at ${width}`);
    }
  }
});
