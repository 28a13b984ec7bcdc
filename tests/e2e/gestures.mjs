// What a person does and sees on the canvas, for the scripts that need a real pointer.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./app.mjs";

/**
 * Makes tests on a page with these options of `open()`. For each a pattern is opened anew; the page, and the browser with it, are
 * those of the test before, unless that failed. None may make the browser complain.
 */
export function patternTests(options) {
  let app;
  let kept;
  before(async () => (app = await start()));
  after(() => app?.close());
  return (name, body) =>
    test(name, async () => {
      const opened = kept ?? (await app.open(options));
      kept = undefined;
      await openPattern(opened.page);
      await body(opened.page);
      assert.deepEqual(opened.complaints, []);
      kept = opened;
    });
}

/** Opens a pattern of the library and waits until it is drawn. */
export async function openPattern(page, pattern = "saas-multi-tenant") {
  await openMore(page);
  await page.getByTitle("Start from a pattern of the library").click();
  await page.locator(`[data-pattern=${pattern}]`).click();
  await page.getByRole("button", { name: "Open as new design" }).click();
  await page.locator(".entity-card").first().waitFor();
  await settled(page);
}

/** Opens the command palette and searches it: its field may come later, with its code. */
export async function searchCommands(page, text) {
  await press(page, "Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill(text);
  await settled(page);
}

/** Opens the menu that a narrow top bar has for its last buttons. */
export async function openMore(page) {
  const more = page.locator(".more-button");
  await more.waitFor({ state: "attached" });
  if ((await more.isVisible()) && (await more.getAttribute("aria-expanded")) === "false") await more.click();
}

/** The button that takes the last step back. */
export const undoButton = (page) => page.getByRole("button", { name: "Undo", exact: true });

/** Waits until what was done is drawn: two frames, and the inspector of what is selected. */
export const settled = (page) =>
  page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    for (let frames = 0; frames < 2 || document.querySelector(".inspector[aria-busy=true]"); frames += 1) await frame();
  });

/** What is done while the page's processor is so many times slower. */
export async function slowed(page, rate, act) {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
  await act();
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await session.detach();
  await settled(page);
}

/** Turns the wheel sideways over the table until a column is in sight: only such have cells. */
export async function seeColumn(page, name) {
  for (let turn = 0; turn < 20; turn++) {
    const { x, y, over } = await page.evaluate((name) => {
      const grid = document.querySelector("[data-grid]");
      const [seen, head] = [grid, grid.querySelector(`[data-name="${name}"]`)].map((it) => it.getBoundingClientRect());
      const stays = [...grid.querySelectorAll(".grid-head .frozen")].map((it) => it.getBoundingClientRect().right);
      const isFrozen = grid.querySelector(`.frozen[data-name="${name}"]`);
      const hidden = Math.max(...stays, seen.left) - head.left;
      const over = hidden > 0 ? -hidden : Math.max(0, Math.min(head.right - seen.left - grid.clientWidth, -hidden));
      return { x: seen.left + seen.width / 2, y: seen.top + 40, over: isFrozen ? 0 : over };
    }, name);
    if (Math.abs(over) < 1) return;
    await page.mouse.move(x, y);
    await page.mouse.wheel(over, 0);
    await settled(page);
  }
  assert.fail(`the column ${name} does not come into sight`);
}

/** The card with this name. */
export const card = (page, name) =>
  page.locator(".canvas [data-card]").filter({ has: page.locator(".card-name", { hasText: new RegExp(`^${name}$`) }) });

/** The names of all entities' cards. */
export const names = (page) => page.locator(".entity-card .card-name").allTextContents();

/** Where every card stands on the canvas, by its id. */
export const places = (page) =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll(".canvas [data-card]")].map((card) => {
        const { e, f } = new DOMMatrix(getComputedStyle(card).transform);
        return [card.dataset.card, [e, f]];
      }),
    ),
  );

/** Where a card stands on the canvas. */
export async function place(page, name) {
  const id = await card(page, name).getAttribute("data-card");
  return (await places(page))[id];
}

/** The pan and zoom of the canvas. */
export const view = (page) =>
  page.evaluate(() => {
    const { a, e, f } = new DOMMatrix(getComputedStyle(document.querySelector(".world")).transform);
    return { x: e, y: f, zoom: a };
  });

/** The names of the selected cards, sorted. */
export const selected = async (page) => (await page.locator(".canvas .selected .card-name").allTextContents()).sort();

/** A spot in a card's head, beside its name. */
export async function head(page, name) {
  const box = await card(page, name).boundingBox();
  const { zoom } = await view(page);
  return [box.x + 14 * zoom, box.y + 8 * zoom];
}

/** The port of an entity's card. */
export const port = (page, name) => middle(card(page, name).locator("[data-port]"));

/** The middle of what a locator finds. */
export async function middle(locator) {
  const box = await locator.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** A spot of the canvas on which there is nothing, with as much free space to its right and below. */
export async function emptySpot(page, width = 40, height = 40) {
  const spot = await page.evaluate(
    ([width, height]) => {
      const canvas = document.querySelector(".canvas");
      const box = canvas.getBoundingClientRect();
      const free = (x, y) => document.elementFromPoint(x, y) === canvas;
      for (let y = box.top + 12; y + height < box.bottom - 12; y += 10) {
        for (let x = box.left + 12; x + width < box.right - 12; x += 10) {
          const steps = [0, 0.25, 0.5, 0.75, 1];
          if (steps.every((i) => steps.every((j) => free(x + i * width, y + j * height)))) return [x, y];
        }
      }
      return null;
    },
    [width, height],
  );
  assert.ok(spot, `no free ${width} by ${height} on the canvas`);
  return spot;
}

/** Presses at one spot and moves to another; `hold` keys are down meanwhile, `keep` leaves the button down. */
export async function drag(page, from, to, { button = "left", hold = [], keep = false, steps = 6 } = {}) {
  await page.mouse.move(...from);
  for (const key of hold) await page.keyboard.down(key);
  await page.mouse.down({ button });
  await page.mouse.move(...to, { steps });
  await settled(page);
  if (keep) return;
  await page.mouse.up({ button });
  for (const key of hold) await page.keyboard.up(key);
  await settled(page);
}

/** Presses a key combination and waits for what it does. */
export async function press(page, keys) {
  await page.keyboard.press(keys);
  await settled(page);
}

/** Whether two cards stand on one another, and which; the boxes as they are seen. */
export const overlaps = (page) =>
  page.evaluate(() => {
    const cards = [...document.querySelectorAll(".canvas [data-card]")].map((card) => [
      card.querySelector(".card-name").textContent,
      card.getBoundingClientRect(),
    ]);
    return cards.flatMap(([name, a], at) =>
      cards
        .slice(at + 1)
        .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
        .map(([other]) => `${name} on ${other}`),
    );
  });
