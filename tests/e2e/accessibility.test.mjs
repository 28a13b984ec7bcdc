import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { start } from "./app.mjs";
import { card, head, middle, openPattern, press, seeColumn, settled } from "./gestures.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let app;
before(async () => (app = await start()));
after(() => app?.close());

/** What axe finds serious in a part of the page as it is shown, one line for each element. */
async function violations(page, part, options = {}) {
  const found = await page.evaluate(
    ([part, options]) => axe.run(part, { resultTypes: ["violations"], preload: false, ...options }),
    [part, options],
  );
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => {
        const reasons = failureSummary.split("\n").slice(1).map((line) => line.trim());
        return `${id}: ${target.join(" ")}: ${reasons.join("; ")}`;
      }),
    );
}

/** Looks at a part of the page in the light theme, and at its colours in the dark one. */
async function checked(page, screen, part, all) {
  await settled(page);
  for (const found of await violations(page, part)) all.push(`${screen}: ${found}`);
  await page.emulateMedia({ colorScheme: "dark" });
  await settled(page);
  for (const found of await violations(page, part, { runOnly: ["color-contrast"] })) all.push(`${screen}, dark: ${found}`);
  await page.emulateMedia({ colorScheme: "light" });
  await settled(page);
}

/** Opens every closed section of the inspector. */
async function unfold(page) {
  const closed = ".inspector details:not([open]), .inspector [aria-expanded=false]:not([role=combobox])";
  await page.locator(closed).evaluateAll((all) =>
    all.forEach((one) => (one.tagName === "DETAILS" ? (one.open = true) : one.click())),
  );
  await settled(page);
}

/** Visits screens in one page, and expects nothing serious on any. */
function onScreens(name, options, visit) {
  test(name, async () => {
    const { page, complaints, close } = await app.open({ still: true, ...options });
    try {
      await page.locator(".canvas").waitFor();
      await page.evaluate(axe);
      const all = [];
      await visit(page, (screen, part = "body") => checked(page, screen, part, all));
      assert.equal(all.length, 0, `\n${all.join("\n")}`);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
}

onScreens("axe finds nothing serious: canvas and inspector", {}, async (page, check) => {
  await check("empty canvas");
  await openPattern(page);
  await unfold(page);
  await check("table inspector");
  await page.mouse.click(...(await head(page, "User")));
  await unfold(page);
  await check("entity inspector", ".inspector");
  await page.mouse.click(...(await head(page, "GSI1")));
  await unfold(page);
  await check("index inspector", ".inspector");
  await press(page, "Escape");
  await press(page, "i");
  await press(page, "1");
  await check("groups and labels of wires", ".canvas");
  await press(page, "Control+0");
  await page.mouse.dblclick(...(await middle(card(page, "GSI2").locator(".card-name"))));
  await page.keyboard.type("a b");
  await press(page, "Enter");
  await check("a refused name and a message", ".canvas, .notices");
});

onScreens("axe finds nothing serious: dialogs and menus", {}, async (page, check) => {
  await page.getByTitle("Start from a pattern of the library").click();
  await page.locator("[data-pattern]").first().waitFor();
  await check("library", "dialog[open]");
  await press(page, "Escape");
  await openPattern(page);
  await press(page, "?");
  await page.getByRole("dialog").waitFor();
  await check("help", "dialog[open]");
  await press(page, "Escape");
  await press(page, "Control+k");
  await page.keyboard.type("ten");
  await check("command palette", "dialog[open]");
  await press(page, "Escape");
  await page.mouse.click(...(await head(page, "Project")), { button: "right" });
  await page.getByRole("menu").waitFor();
  await check("context menu", ".context-menu");
  await press(page, "Escape");
  await page.getByLabel("Designs and files").click();
  await check("designs and files", ".top-bar");
});

onScreens("axe finds nothing serious: panel", {}, async (page, check) => {
  await openPattern(page);
  await seeColumn(page, "name");
  const cell = page.locator("[data-grid] [data-sample] [data-column=name]").first();
  await cell.click();
  await page.keyboard.press("F2");
  await page.locator("[data-grid] input, .grid-body input").first().waitFor();
  await check("a cell that is being edited", ".panel");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "GSI1" }).click();
  await check("items of an index", ".panel");
  await page.getByRole("tab", { name: /Access patterns/ }).click();
  await check("access patterns", ".panel");
  await page.getByRole("button", { name: "New access pattern" }).click();
  await page.locator(".chip.known").first().click();
  await page.locator(".suggestion").first().waitFor();
  await check("an access pattern that nothing serves", ".panel");
  await page.getByRole("button", { name: "Coverage" }).click();
  await page.locator(".coverage tbody td").first().waitFor();
  await check("coverage", ".panel");
  await page.getByRole("tab", { name: "Code" }).click();
  for (const format of ["CloudFormation", "Rust", "Picture"]) {
    await page.locator(".panel").getByRole("button", { name: format, exact: true }).click();
    await check(format, ".panel");
  }
});

onScreens("axe finds nothing serious: a phone", { size: [390, 844], touch: true }, async (page, check) => {
  await check("empty canvas");
  await openPattern(page);
  await page.locator(".entity-card").first().tap();
  const regions = { Outline: ".rail", Canvas: ".canvas", Inspector: ".inspector", Data: ".panel" };
  for (const [name, region] of Object.entries(regions)) {
    await page.getByRole("navigation", { name: "Regions" }).getByRole("button", { name }).tap();
    await check(name, `.top-bar, .pane-tabs, ${region}`);
  }
});

test("the keyboard focus is seen on cards, buttons, tabs and fields", async () => {
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

test("the card that Tab goes to comes into sight, and the canvas keeps its place", async () => {
  const { page, close } = await app.open();
  try {
    await openPattern(page);
    await press(page, "1");
    for (const _ of [1, 2, 3]) await press(page, "+");
    await card(page, "Project").focus();
    const region = await page.locator(".canvas").boundingBox();
    const corner = await page.locator(".canvas-corner").boundingBox();
    for (const name of ["User", "Subscription", "Tenant", "GSI3"]) {
      await press(page, "Shift+Tab");
      const focused = page.locator(":focus");
      assert.equal(await focused.locator(".card-name").textContent(), name);
      const box = await focused.locator(".card-head").boundingBox();
      const inside = box.x >= region.x && box.y >= region.y && box.x < region.x + region.width && box.y < region.y + region.height;
      assert.ok(inside, `${name} is at ${JSON.stringify(box)}`);
      assert.deepEqual(await page.locator(".canvas-corner").boundingBox(), corner, "the minimap stays");
    }
  } finally {
    await close();
  }
});

test("by keyboard cards are reached, moved and wired, and what was done is said", async () => {
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
    await press(page, "Alt+ArrowRight");
    assert.equal(await focused(), "GSI1");
    await press(page, "Alt+ArrowLeft");
    assert.equal(await focused(), "Project");
    await press(page, "Alt+ArrowUp");
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

test("who wants less motion gets none", async () => {
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
