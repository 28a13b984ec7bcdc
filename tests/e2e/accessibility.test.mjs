import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { start } from "./app.mjs";
import { card, head, middle, names, openPattern, press, searchCommands, seeColumn, settled } from "./gestures.mjs";

let app;
before(async () => (app = await start()));
after(() => app?.close());

test("the keyboard focus is visible on cards, buttons, tabs and fields", async () => {
  const { page, close } = await app.open();
  try {
    await openPattern(page);
    const wanted = {
      "an entity's card": ".entity-card",
      "an index's card": ".index-card:not(.primary-card)",
      "a button of the palette": ".palette-button",
      "a button of the top bar": ".top-bar button:enabled",
      "a row of the outline": ".outline-row",
      "a tab": ".panel-tabs [aria-selected=true]",
      "the zoom": ".zoom-bar button",
      "a field": ".inspector input",
      "a splitter": "[role=separator]",
      "a cell": '[data-grid] [tabindex="0"], .grid-body [tabindex="0"]',
    };
    const look = (element) => {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor } = getComputedStyle(element);
      const outline = outlineStyle === "none" || outlineWidth === "0px" ? "none" : outlineColor;
      return { outline, boxShadow, borderColor, backgroundColor };
    };
    // The last input was a key: the focus that follows is the keyboard's.
    await press(page, "Escape");
    for (const [what, selector] of Object.entries(wanted)) {
      const element = page.locator(selector).filter({ visible: true }).first();
      await press(page, "Tab");
      await page.evaluate(() => document.activeElement.blur());
      const quiet = await element.evaluate(look);
      await element.focus();
      await settled(page);
      assert.ok(await element.evaluate((element) => element.matches(":focus-visible")), `${what} has the focus`);
      const focused = await element.evaluate(look);
      const accent = await page.evaluate(() => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.color = "var(--accent)";
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      });
      const marks = [focused.outline !== "none", focused.boxShadow !== quiet.boxShadow, focused.backgroundColor === accent];
      assert.ok(marks.some(Boolean), `${what}: ${JSON.stringify(focused)}`);
    }
  } finally {
    await close();
  }
});

test("the card that Page up goes to comes into sight, and the canvas keeps its place", async () => {
  const { page, close } = await app.open();
  try {
    await openPattern(page);
    await press(page, "1");
    for (const _ of [1, 2, 3]) await press(page, "+");
    await card(page, "Project").focus();
    const region = await page.locator(".canvas").boundingBox();
    const corner = await page.locator(".canvas-corner").boundingBox();
    for (const name of ["User", "Subscription", "Tenant", "GSI3"]) {
      await press(page, "PageUp");
      const focused = page.locator(":focus");
      assert.equal(await focused.locator(".card-name").textContent(), name);
      const box = await focused.locator(".card-head").boundingBox();
      const inside = box.x >= region.x && box.y >= region.y && box.x < region.x + region.width && box.y < region.y + region.height;
      assert.ok(inside, `${name} is at ${JSON.stringify(box)}`);
      assert.deepEqual(await page.locator(".canvas-corner").boundingBox(), corner, "the tools stay");
    }
  } finally {
    await close();
  }
});

test("the keyboard reaches, moves and wires cards, and each change is announced", async () => {
  const { page, close } = await app.open();
  try {
    await openPattern(page);
    const spoken = page.locator(".spoken");
    assert.equal(await spoken.getAttribute("aria-live"), "polite");
    await card(page, "Project").focus();
    await press(page, "ArrowRight");
    assert.match(await spoken.innerText(), /Project/);
    assert.match(await spoken.innerText(), /move/i);

    const focused = () => page.evaluate(() => document.activeElement.querySelector(".card-name")?.textContent);
    await press(page, "Alt+ArrowLeft");
    assert.equal(await focused(), "User");
    await press(page, "Alt+ArrowRight");
    assert.equal(await focused(), "Project");
    await press(page, "Alt+ArrowUp");
    assert.equal(await focused(), "Subscription");
    await press(page, "Alt+ArrowDown");
    await press(page, "Alt+ArrowLeft");
    assert.equal(await focused(), "User");
    const walked = [];
    for (const keys of ["w", "w", "Shift+W"]) {
      await press(page, keys);
      walked.push(await focused());
    }
    assert.deepEqual(walked.slice(0, 2).sort(), ["GSI1", "saas"], "along its wires");
    assert.equal(walked[2], "User", "and back");

    // From the menu the entity is added to an index and removed from it.
    for (const [verb, wires] of [["Add to", 1], ["Remove from", 0]]) {
      await card(page, "Subscription").focus();
      await press(page, "Shift+F10");
      await page.getByRole("menu").waitFor();
      const line = page.getByRole("menuitem", { name: `${verb} GSI1` });
      for (let at = 0; at < 30 && !(await line.evaluate((line) => line === document.activeElement)); at += 1) await press(page, "ArrowDown");
      await press(page, "Enter");
      assert.equal(await page.locator('[data-wire="e8-i1"]').count(), wires);
      assert.match(await spoken.innerText(), /Subscription/);
      assert.match(await spoken.innerText(), /GSI1/);
      const at = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
      assert.match(at, verb === "Add to" ? /^GSI1 partition key/ : /^Subscription/, "to the fields, or back");
    }
    await press(page, "Control+z");
    assert.match(await spoken.innerText(), /^Undone/);
  } finally {
    await close();
  }
});

test("reduced motion disables animations", async () => {
  const { page, close } = await app.open({ still: true });
  try {
    await openPattern(page);
    const moving = () =>
      page.evaluate(() => {
        // What only says whether something can be pressed moves nothing.
        const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
        const frames = rules.filter((rule) => rule instanceof CSSKeyframesRule);
        const isStill = (rule) => [...rule.cssRules].every(({ style }) => style.length === 1 && style[0] === "pointer-events");
        const still = ["none", ...frames.filter(isStill).map((rule) => rule.name)];
        const all = [...document.querySelectorAll("*")].filter((element) => {
          const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
          const slow = transitionDuration.split(", ").some((duration) => parseFloat(duration) > 0);
          const plain = getComputedStyle(element).transitionProperty === "none";
          return (slow && !plain) || !still.includes(animationName) || scrollBehavior === "smooth";
        });
        return all.map((element) => element.className);
      });
    assert.deepEqual(await moving(), []);
    // With motion there is some, or the rule above would be about nothing.
    await page.emulateMedia({ reducedMotion: "no-preference" });
    assert.notEqual((await moving()).length, 0);
  } finally {
    await close();
  }
});

/** A test on a page with a pattern open. */
function onPattern(name, options, body) {
  test(name, async () => {
    const { page, complaints, close } = await app.open({ still: true, ...options });
    try {
      await openPattern(page);
      await body(page);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
}

onPattern("with forced colors one sees the focus, what is chosen, where a menu ends and the colors of entities", {}, async (page) => {
  await page.emulateMedia({ forcedColors: "active" });
  const look = (selector) =>
    page.locator(selector).first().evaluate((element) => {
      const { outlineStyle, outlineWidth, backgroundColor, borderStyle, borderWidth } = getComputedStyle(element);
      const lined = (style, width) => style !== "none" && parseFloat(width) > 0;
      return { outlined: lined(outlineStyle, outlineWidth), bordered: lined(borderStyle, borderWidth), ground: backgroundColor };
    });
  const differ = async (chosen, other) => assert.notEqual((await look(chosen)).ground, (await look(other)).ground, `${chosen} is like ${other}`);
  const cell = page.locator("[data-grid] [data-sample] [data-column]").first();
  await cell.click();
  await settled(page);
  assert.ok((await look("[data-grid] .grid-cell.active")).outlined, "the active cell");
  await differ(".panel-tabs [aria-selected=true]", ".panel-tabs [aria-selected=false]");
  await page.mouse.click(...(await head(page, "User")));
  await settled(page);
  await differ(".outline-row[aria-current]", ".outline-row:not([aria-current])");
  const colors = await page.locator(".swatch input").evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  assert.equal(new Set(colors).size, colors.length, "each color is its own");
  await press(page, "Shift+F10");
  await page.getByRole("menu").waitFor();
  assert.ok((await look(".context-menu")).bordered, "the menu");
  assert.ok((await look(".context-menu .menu-item:focus")).outlined, "its line");
  await press(page, "Escape");
  await press(page, "Control+k");
  await page.locator(".command").first().waitFor();
  assert.ok((await look(".command[aria-selected=true]")).outlined, "the line of the palette");
  await differ(".command[aria-selected=true]", ".command[aria-selected=false]");
  await press(page, "Escape");
  await page.getByRole("tab", { name: "Export", exact: true }).click();
  await page.locator(".code-formats [aria-pressed=true]").waitFor();
  await differ(".code-formats [aria-pressed=true]", ".code-formats [aria-pressed=false]");
});

onPattern("who wants more contrast gets stronger lines and texts", {}, async (page) => {
  const tokens = () =>
    page.evaluate(() =>
      ["--text-3", "--line", "--line-strong"].map((token) => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.color = `var(${token})`;
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      }),
    );
  const before = await tokens();
  await page.emulateMedia({ contrast: "more" });
  const after = await tokens();
  assert.ok(before.every((color, at) => color !== after[at]), `${before} and ${after}`);
});

onPattern("letters act on the canvas only, and not at all where they are switched off", {}, async (page) => {
  const count = async () => (await names(page)).length;
  const before = await count();
  await page.getByRole("button", { name: "Export" }).focus();
  await press(page, "e");
  assert.equal(await count(), before, "E on a button adds nothing");
  await press(page, "?");
  await page.getByRole("dialog").waitFor();
  const letters = page.getByRole("checkbox", { name: "Single-letter shortcuts" });
  assert.ok(await letters.isChecked());
  await letters.click();
  await press(page, "Escape");
  await page.locator(".canvas").focus();
  for (const key of ["e", "g", "?", "Shift+A"]) await press(page, key);
  assert.equal(await count(), before);
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.reload();
  await page.locator(".entity-card").first().waitFor();
  await page.locator(".canvas").focus();
  await press(page, "e");
  assert.equal(await count(), before, "it is remembered");
  await searchCommands(page, "Keyboard and gestures");
  await press(page, "Enter");
  await letters.click();
  await press(page, "Escape");
  await page.locator(".canvas").focus();
  await press(page, "e");
  assert.equal(await count(), before + 1);
});

onPattern("the zoom of the browser keeps its keys", {}, async (page) => {
  await page.evaluate(() => addEventListener("keydown", (event) => (globalThis.taken = event.defaultPrevented)));
  await page.locator(".canvas").focus();
  for (const keys of ["Control+0", "Control+-", "Control+="]) {
    await press(page, keys);
    assert.equal(await page.evaluate(() => globalThis.taken), false, keys);
  }
  await press(page, "Shift+Digit0");
  assert.match(await page.locator(".zoom-value").innerText(), /^100%$/);
});

onPattern("F6 goes from region to region, and the cards are one stop of Tab", {}, async (page) => {
  const region = () =>
    page.evaluate(() => document.activeElement.closest(".top-bar, .rail, .canvas, .panel, .inspector")?.classList[0]);
  await page.locator(".top-bar .search-button").focus();
  const order = ["rail", "canvas", "panel", "inspector", "top-bar"];
  for (const name of order) {
    await press(page, "F6");
    await settled(page);
    assert.equal(await region(), name);
  }
  for (const name of ["inspector", "panel", "canvas"]) {
    await press(page, "Shift+F6");
    await settled(page);
    assert.equal(await region(), name);
  }
  const onCard = () => page.evaluate(() => document.activeElement.matches("[data-card]"));
  assert.ok(await onCard(), "the canvas passes the focus on to a card");
  const first = await page.evaluate(() => document.activeElement.dataset.card);
  await press(page, "PageDown");
  await settled(page);
  const next = await page.evaluate(() => document.activeElement.dataset.card);
  assert.notEqual(next, first);
  await press(page, "Tab");
  assert.equal(await onCard(), false, "one Tab leaves the cards");
  await press(page, "Shift+Tab");
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.card), next, "and comes back to the same");
  await press(page, "Shift+Tab");
  await settled(page);
  assert.notEqual(await region(), "canvas");
});

onPattern("cells without a value have a name, three links skip the top bar, and the opened design is announced", {}, async (page) => {
  const absent = page.locator("[data-grid] [data-sample] .absent").first();
  assert.equal(await absent.getAttribute("aria-label"), "no value");
  assert.match(await page.locator(".spoken").innerText(), /^SaaS multi-tenant.* opened$/);

  const targets = { "Skip to canvas": "[data-card]", "Skip to data": ".panel", "Skip to inspector": ".inspector" };
  assert.deepEqual(await page.locator(".skip").allInnerTexts(), Object.keys(targets));
  for (const [name, target] of Object.entries(targets)) {
    await page.getByRole("button", { name }).focus();
    await press(page, "Enter");
    await settled(page);
    await settled(page);
    assert.ok(await page.evaluate((target) => !!document.activeElement.closest(target), target), `${name} did not move the focus`);
  }
});

onPattern("an Enter that ends a composition commits nothing", {}, async (page) => {
  // Safari reports it after the composition, with this key code.
  const enter = () =>
    page.evaluate(() => {
      const init = { key: "Enter", code: "Enter", keyCode: 229, bubbles: true, cancelable: true };
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", init));
    });
  await seeColumn(page, "name");
  await page.locator("[data-grid] [data-sample] [data-column=name]", { hasText: /./ }).first().dblclick();
  await page.locator(".editor input").waitFor();
  await enter();
  await settled(page);
  assert.ok(await page.locator(".editor input").isVisible(), "the cell is still being edited");
  await press(page, "Escape");
  await searchCommands(page, "Add entity");
  await enter();
  await settled(page);
  assert.equal(await page.locator("dialog[open]").count(), 1, "no command has run");
  await press(page, "Escape");
  await page.mouse.dblclick(...(await middle(card(page, "User").locator(".card-name"))));
  await page.locator(".card-rename").waitFor();
  await enter();
  await settled(page);
  assert.ok(await page.locator(".card-rename").isVisible(), "the name is still being edited");
  await press(page, "Escape");
});

onPattern("what a pointer has to hit is 24 px large, and a menu of the table is whole", {}, async (page) => {
  const small = () =>
    page.locator("button, summary, input[type=radio], [role=option]").evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility() && !one.matches(".skip, .link, .field-note"))
        .map((one) => [one.getAttribute("aria-label") ?? one.textContent, one.getBoundingClientRect()])
        .filter(([, box]) => box.width < 23.9 || box.height < 23.9)
        .map(([name, box]) => `${name}: ${box.width} by ${box.height}`),
    );
  await page.mouse.click(...(await head(page, "User")));
  await settled(page);
  assert.deepEqual(await small(), []);
  await page.getByRole("tab", { name: "Export", exact: true }).click();
  await page.locator(".code-formats button").first().waitFor();
  assert.deepEqual(await small(), []);
  await page.getByRole("tab", { name: "Table" }).click();
  const splitter = page.getByRole("separator", { name: "Panel height" });
  await splitter.focus();
  for (let step = 0; step < 12; step++) await page.keyboard.press("ArrowDown");
  await page.getByRole("button", { name: "Columns" }).click();
  await settled(page);
  await settled(page);
  const box = await page.locator(".bar-popover").boundingBox();
  assert.ok(box.height > 150 && box.y >= 0 && box.y + box.height <= 900 && box.x + box.width <= 1440, JSON.stringify(box));
  const isOnTop = await page.locator(".bar-popover").evaluate((popover) => {
    const { left, right, top, bottom } = popover.getBoundingClientRect();
    return [[left + 6, top + 6], [right - 20, top + 6], [right - 20, bottom - 6]].every(([x, y]) => popover.contains(document.elementFromPoint(x, y)));
  });
  assert.ok(isOnTop, "nothing covers it");
});

onPattern("with larger text the keys in the table still fit their columns", {
  init: () => {
    const larger = () => document.documentElement && (document.documentElement.style.fontSize = "150%");
    larger();
    document.addEventListener("readystatechange", larger);
  },
}, async (page) => {
  const over = await page.locator("[data-grid] [data-sample] [data-column] .text").evaluateAll((all) => {
    const font = parseFloat(getComputedStyle(all[0]).fontSize);
    const wide = all.filter((text) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return range.getBoundingClientRect().right > text.parentElement.getBoundingClientRect().right + 0.5;
    });
    return [font, all.length, ...wide.map((text) => text.textContent)];
  });
  assert.equal(over[0], 18);
  assert.ok(over[1] > 10);
  assert.deepEqual(over.slice(2), []);
});

test("browsers without light-dark() get the same colors, and Safari its own name of user-select", async () => {
  const folder = new URL("../../style/", import.meta.url);
  const tokens = await readFile(new URL("tokens.css", folder), "utf8");
  const at = tokens.indexOf("@supports not (color: light-dark(");
  assert.ok(at > 0);
  const [usual, fallback] = [tokens.slice(0, at), tokens.slice(at)];
  const pairs = [...usual.matchAll(/(--[\w-]+): ([^;]*light-dark\([^;]*);/g)];
  assert.ok(pairs.length > 30, `${pairs.length} colors`);
  // The arguments of light-dark(), which may have parentheses themselves.
  const one = (value, side) => {
    for (let from; (from = value.indexOf("light-dark(")) >= 0; ) {
      const parts = [""];
      let [end, depth] = [from + 11, 1];
      for (; depth > 0; end += 1) {
        const sign = value[end];
        depth += sign === "(" ? 1 : sign === ")" ? -1 : 0;
        if (sign === "," && depth === 1) parts.push("");
        else if (depth > 0) parts[parts.length - 1] += sign;
      }
      value = value.slice(0, from) + parts[side].trim() + value.slice(end);
    }
    return value;
  };
  for (const [, name, value] of pairs) {
    const count = (text) => fallback.split(`${name}: ${text};`).length - 1;
    const [light, dark] = [one(value, 0), one(value, 1)];
    if (light === dark) continue;
    assert.equal(count(light), 1, `${name} in light`);
    assert.equal(count(dark), 2, `${name} in dark: chosen, and of the system`);
  }
  for (const sheet of ["canvas", "table", "menus", "inspector", "fields"]) {
    const text = await readFile(new URL(`${sheet}.css`, folder), "utf8");
    const count = (property) => [...text.matchAll(new RegExp(`^ *${property}: `, "gm"))].length;
    assert.equal(count("user-select"), count("-webkit-user-select"), sheet);
  }
});
