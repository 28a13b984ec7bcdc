// What the canvas says at fit, for every pattern of the library and a model of ten entities: legible, with all keys, and no wire runs
// over a label; and again after all cards were arranged.
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { start } from "./app.mjs";
import { card, openPattern, press, settled } from "./gestures.mjs";
import { asText } from "./github.mjs";

const app = await start();
test.after(() => app.close());

const folder = new URL("../../crates/core/src/library/patterns/", import.meta.url);
const patterns = (await readdir(folder)).map((file) => file.replace(".json", ""));

/** Designs of at most so many entities are legible at fit. */
const LEGIBLE = 12;
/** The smallest text, in CSS pixels on the screen. */
const SMALLEST = 9;

/** What is seen of texts, keys and wires. */
const seen = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector(".canvas");
    const world = new DOMMatrix(getComputedStyle(document.querySelector(".world")).transform).a;
    const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const scale = (element) => {
      if (element.getScreenCTM) return element.getScreenCTM().a;
      return element.closest(".world") ? world : 1;
    };
    const texts = [];
    const walker = document.createTreeWalker(canvas, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const [text, element] = [walker.currentNode.textContent.trim(), walker.currentNode.parentElement];
      // Titles are tooltips, and texts for screen readers are one pixel wide.
      if (text === "" || element.localName === "title" || !isShown(element) || element.getBoundingClientRect().width <= 1) continue;
      texts.push([parseFloat(getComputedStyle(element).fontSize) * scale(element), text, element.className.baseVal ?? element.className]);
    }
    const box = (element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { left, right, top, bottom };
    };
    const groups = [...document.querySelectorAll(".wire-group")].filter(isShown);
    const labels = groups.flatMap((group) => [...group.querySelectorAll(".wire-label-ground")].map((label) => [group.dataset.wire, box(label), label]));
    const struck = [];
    for (const group of groups) {
      const path = group.querySelector(".wire");
      const matrix = path.getScreenCTM();
      const length = path.getTotalLength();
      const points = [];
      for (let at = 0; at <= length; at += 3) points.push(path.getPointAtLength(at).matrixTransform(matrix));
      for (const [wire, { left, right, top, bottom }, label] of labels) {
        // What is drawn before a label is behind its ground.
        const [own, its] = [group, label].map((element) => Number(getComputedStyle(element.closest("svg")).zIndex) || 0);
        const isBefore = own < its || (own === its && group.compareDocumentPosition(label) & Node.DOCUMENT_POSITION_FOLLOWING);
        if (wire === group.dataset.wire || isBefore) continue;
        const isOver = ({ x, y }) => x > left + 1 && x < right - 1 && y > top + 1 && y < bottom - 1;
        if (points.some(isOver)) struck.push(`${group.dataset.wire} over the label of ${wire}`);
      }
    }
    // Underscores that would be read as part of the row below.
    const touching = [];
    const pen = document.createElement("canvas").getContext("2d");
    for (const group of document.querySelectorAll(".card-group")) {
      const rows = [...group.querySelectorAll(".key-row > .template")].filter(isShown);
      for (const [at, upper] of rows.slice(0, -1).entries()) {
        const style = getComputedStyle(upper);
        pen.font = `${style.fontSize} ${style.fontFamily}`;
        const [underscore, capital] = ["_", "T"].map((letter) => pen.measureText(letter));
        const rowTop = (template) => box(template.closest(".key-row")).top / scale(template);
        const gap = rowTop(rows[at + 1]) - rowTop(upper) - underscore.actualBoundingBoxDescent - capital.actualBoundingBoxAscent;
        // Half a pixel that both touch is drawn as one line.
        if (upper.textContent.includes("_") && gap * scale(upper) < 1) touching.push(`${upper.textContent} over ${rows[at + 1].textContent}`);
      }
    }
    const cards = [...document.querySelectorAll(".entity-card")].map((card) => [
      card.querySelector(".card-name").textContent,
      [...card.querySelectorAll(".card-group.primary .template")].filter((key) => isShown(key) && key.textContent.trim() !== "").length,
    ]);
    return { texts, cards, labels: labels.length, struck, touching };
  });

async function check(page, name) {
  await press(page, "Shift+1");
  await settled(page);
  await settled(page);
  const { texts, cards, struck, touching } = await seen(page);
  assert.ok(cards.length > 0 && texts.length > cards.length, `${name}: ${texts.length} texts on ${cards.length} cards`);
  assert.deepEqual(struck, [], name);
  assert.deepEqual(touching, [], name);
  if (cards.length <= LEGIBLE) {
    const small = texts.filter(([size]) => size < SMALLEST - 0.05);
    assert.deepEqual(small.slice(0, 5), [], `${name}: texts below ${SMALLEST} px`);
    assert.deepEqual(cards.filter(([, keys]) => keys === 0), [], `${name}: cards without keys`);
  }
  // The wires of a selected card have labels.
  let labels = 0;
  for (const id of await page.locator(".entity-card").evaluateAll((all) => all.map((it) => it.dataset.card))) {
    await page.locator(`[data-card="${id}"] .card-name`).click();
    await settled(page);
    const lit = await seen(page);
    assert.deepEqual(lit.struck, [], `${name}, ${id} selected`);
    labels += lit.labels;
  }
  await press(page, "Escape");
  return labels;
}

async function checkAll(page, names, show) {
  let labels = 0;
  for (const name of names) {
    await show(page, name);
    await page.locator(".canvas").focus();
    labels += await check(page, name);
    await press(page, "Shift+A");
    await settled(page);
    labels += await check(page, `${name}, arranged`);
  }
  return labels;
}

test("every pattern of the library is legible at fit, as opened and as arranged", async () => {
  const { page, complaints, close } = await app.open({ still: true });
  try {
    await page.locator(".canvas").waitFor();
    assert.ok(patterns.length >= 23);
    const labels = await checkAll(page, patterns, (page, name) => openPattern(page, name));
    assert.ok(labels > 0, "no label was seen");
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("a model of ten entities is legible at fit", async () => {
  const { page, complaints, close } = await app.open({ still: true });
  try {
    await page.locator(".welcome").waitFor();
    await checkAll(page, ["GitHub"], async () => {
      await page.locator("input[type=file][accept*=keyfold]").setInputFiles({ name: "github.keyfold", mimeType: "text/plain", buffer: Buffer.from(asText()) });
      await card(page, "Gist").waitFor();
    });
    assert.equal(await page.locator(".entity-card").count(), 10);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
