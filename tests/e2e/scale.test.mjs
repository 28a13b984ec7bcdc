import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./app.mjs";
import { drag, places, press, selected, settled, view } from "./gestures.mjs";

let app;
const kept = {};
before(async () => (app = await start()));
after(() => app?.close());

const cards = (page) => page.locator(".entity-card").count();
const boxes = (page) => page.locator(".overview");

/** A page with so many entities, seen whole; opened once for all tests of that number. */
async function seenWhole(entities) {
  kept[entities] ??= await app.open({ query: `?stress=${entities}` });
  const { page, complaints } = kept[entities];
  await page.locator(".outline h2 .count", { hasText: String(entities) }).waitFor();
  await press(page, "Escape");
  await press(page, "Shift+Digit1");
  await boxes(page).waitFor();
  return { page, complaints };
}

/** Where a box is, away from those that cards cover: by the colors of the drawing, in the window's pixels. */
async function aBox(page) {
  const spot = await page.evaluate(() => {
    const area = document.querySelector(".overview");
    const frame = area.getBoundingClientRect();
    const ratio = area.width / frame.width;
    const pen = new OffscreenCanvas(area.width, area.height).getContext("2d", { willReadFrequently: true });
    pen.drawImage(area, 0, 0);
    const { data } = pen.getImageData(0, 0, area.width, area.height);
    const inked = (x, y) => data[(Math.round(y * ratio) * area.width + Math.round(x * ratio)) * 4 + 3] > 200;
    for (let y = frame.height * 0.3; y < frame.height * 0.6; y += 3) {
      for (let x = frame.width * 0.4; x < frame.width * 0.7; x += 3) {
        // Nor at the edge of one: the gaps between boxes are a pixel or two.
        const all = [-3, -2, -1, 0, 1, 2, 3].every((dx) => [-2, -1, 0, 1, 2].every((dy) => inked(x + dx, y + dy)));
        const under = document.elementFromPoint(frame.left + x, frame.top + y);
        if (all && !under.closest("[data-card]")) return [frame.left + x, frame.top + y];
      }
    }
    return null;
  });
  assert.ok(spot, "no box on the drawing area");
  return spot;
}

/** Zooms in with the wheel until cards can be read. */
async function zoomIn(page) {
  await page.mouse.move(...(await aBox(page)));
  await page.keyboard.down("Control");
  while ((await view(page)).zoom < 0.8) {
    await page.mouse.wheel(0, -30);
    await settled(page);
  }
  await page.keyboard.up("Control");
  await boxes(page).waitFor({ state: "hidden" });
}

for (const entities of [1000, 5000]) {
  test(`${entities} entities: when all are visible they are boxes, and one is clicked, dragged and put back`, async () => {
    const { page, complaints } = await seenWhole(entities);
    assert.ok(await boxes(page).isVisible(), "the drawing area is shown");
    assert.ok((await cards(page)) < 30, `${await cards(page)} cards are in the page`);

    const spot = await aBox(page);
    await page.mouse.click(...spot);
    await settled(page);
    const [name] = await selected(page);
    assert.match(name, /\S/);
    const chosen = page.locator(".entity-card.selected");
    assert.ok(await chosen.isVisible(), "its card is shown");
    const box = await chosen.boundingBox();
    assert.ok(box.x <= spot[0] && spot[0] <= box.x + box.width && box.y <= spot[1] && spot[1] <= box.y + box.height);
    assert.equal(await page.locator(".inspector[aria-busy=false]").getByRole("textbox").first().inputValue(), name);

    const before = await places(page);
    const [id] = await chosen.evaluateAll((all) => all.map((card) => card.dataset.card));
    await drag(page, spot, [spot[0] + 120, spot[1] + 80]);
    const moved = await chosen.boundingBox();
    assert.ok(Math.abs(moved.x - box.x - 120) <= 8 && Math.abs(moved.y - box.y - 80) <= 8, "it was dragged");
    await press(page, "Control+z");
    assert.deepEqual((await places(page))[id], before[id]);
    assert.deepEqual(complaints, []);
  });
}

for (const [where, options] of [
  ["a wide window", { query: "?stress=1000&view=near" }],
  ["a phone", { query: "?stress=1000&view=near", size: [390, 844], touch: true }],
  ["a wide window from afar, those of the indexes", { query: "?stress=1000" }],
]) {
  test(`1000 entities: the first frame has all visible cards in ${where}`, async () => {
    const init = () => {
      globalThis.cardsInSight = () => {
        const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        const canvas = document.querySelector(".canvas").getBoundingClientRect();
        const cards = [...document.querySelectorAll("[data-card]:not([hidden])")];
        return cards.filter((card) => meets(card.getBoundingClientRect(), canvas)).map((card) => card.dataset.card).sort();
      };
      const look = () => {
        if (!document.querySelector(".canvas")) return requestAnimationFrame(look);
        // In this frame, when it is laid out.
        const observer = new ResizeObserver(() => {
          observer.disconnect();
          globalThis.atFirst = globalThis.cardsInSight();
        });
        observer.observe(document.body);
      };
      requestAnimationFrame(look);
    };
    const { page, complaints, close } = await app.open({ init, ...options });
    await page.waitForFunction(() => globalThis.atFirst);
    await settled(page);
    const [first, then] = await page.evaluate(() => [globalThis.atFirst, globalThis.cardsInSight()]);
    assert.ok(then.length > 1, `${then.length} cards`);
    assert.deepEqual(first, then);
    assert.deepEqual(complaints, []);
    await close();
  });
}

test("1000 entities: zooming in shows cards, zooming out shows boxes again", async () => {
  const { page, complaints } = await seenWhole(1000);
  await zoomIn(page);
  const canvas = await page.locator(".canvas").boundingBox();
  const inSight = await page.locator(".entity-card:visible .card-name").evaluateAll(
    (all, canvas) =>
      all.filter((name) => {
        const box = name.getBoundingClientRect();
        return box.right > canvas.x && box.left < canvas.x + canvas.width && box.bottom > canvas.y && box.top < canvas.y + canvas.height;
      }).length,
    canvas,
  );
  assert.ok(inSight >= 4, `${inSight} cards are in sight`);
  assert.ok((await page.locator(".entity-card:visible .key-row").count()) > 4, "with their keys");
  await press(page, "Shift+Digit1");
  await boxes(page).waitFor();
  assert.equal(await page.locator(".entity-card:visible").count(), 0);
  assert.deepEqual(complaints, []);
});

test("1000 entities: Alt+arrows and the outline reach cards that are not in the page", async () => {
  const { page, complaints } = await app.open({ query: "?stress=1000&view=near" });
  await page.locator(".entity-card:visible").first().waitFor();
  await settled(page);
  // Looked up once: more cards may come into the page at any time.
  const there = await places(page);
  const known = new Set(Object.keys(there));
  const canvas = await page.locator(".canvas").boundingBox();
  const focused = () => page.evaluate(() => document.activeElement.dataset.card);
  const inSight = async (locator) => {
    const box = await locator.boundingBox();
    return box.x >= canvas.x && box.y >= canvas.y && box.x < canvas.x + canvas.width && box.y < canvas.y + canvas.height;
  };
  // From the rightmost of them.
  const all = Object.entries(there).filter(([id]) => id.startsWith("e"));
  const [rightmost] = all.reduce((a, b) => (b[1][0] > a[1][0] ? b : a));
  await page.locator(`.canvas [data-card=${rightmost}]`).focus();
  const reached = [];
  while (reached.length < 40 && known.has(await focused())) {
    await press(page, "Alt+ArrowRight");
    await settled(page);
    reached.push(await focused());
  }
  const last = reached.at(-1);
  assert.ok(last && !known.has(last), `from card to card: ${reached}`);
  assert.ok(await inSight(page.locator(`.canvas [data-card=${last}]`)), "the card is in sight");

  // Seen whole there are only boxes.
  await press(page, "Shift+Digit1");
  await boxes(page).waitFor();
  const from = await focused();
  await press(page, "Alt+ArrowLeft");
  await page.waitForFunction((from) => document.activeElement.dataset.card && document.activeElement.dataset.card !== from, from);

  await page.getByLabel("Search outline").fill("987");
  const row = page.locator(".outline-row", { hasText: "987" }).first();
  // Not `innerText`: the row may not be rendered yet (`content-visibility`).
  const name = (await row.locator(".outline-name").textContent()).trim();
  await row.click();
  const chosen = page.locator(".entity-card.selected", { hasText: name });
  await chosen.waitFor();
  assert.deepEqual(await selected(page), [name]);
  assert.ok(await inSight(chosen), "the chosen card is in sight");
  assert.deepEqual(complaints, []);
});

test("the minimap is complete on a high-resolution screen too", async () => {
  const { page, complaints } = await app.open({ query: "?stress=200&view=near", ratio: 2 });
  const map = page.locator(".minimap");
  // It is shown where it covers no card.
  await page.locator(".entity-card").first().waitFor();
  await page.mouse.move(600, 300);
  for (let turn = 0; turn < 30 && !(await map.isVisible()); turn++) {
    await page.mouse.wheel(-300, -300);
    await page.waitForTimeout(50);
  }
  await map.waitFor();
  assert.deepEqual(await map.locator("img").boundingBox(), await map.boundingBox());
  assert.deepEqual(complaints, []);
});
