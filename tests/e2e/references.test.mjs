// The references between entities: drawn as arrows when they are switched on.
import assert from "node:assert/strict";
import { card, head, patternTests, press, settled } from "./gestures.mjs";

const onPattern = patternTests({ clipboard: true });

const button = (page) => page.getByRole("toolbar", { name: "Zoom" }).getByRole("button", { name: "References" });
const arrows = (page) => page.locator(".canvas .reference");
/** The arrow with this title. */
const arrow = (page, title) => arrows(page).filter({ has: page.locator("title", { hasText: title }) });
/** Waits until they are switched on, or off. */
const isOn = (page, on) => page.getByRole("toolbar", { name: "Zoom" }).locator(`button[aria-label="References"][aria-pressed=${on}]`).waitFor();
const label = (page, name) => card(page, name).getAttribute("aria-label");

/** Switches the references on, or off, by the button. */
async function toggle(page, on) {
  await button(page).click();
  await isOn(page, on);
}

onPattern("arrows lead from what refers to what it refers to, while they are switched on", async (page) => {
  await isOn(page, false);
  assert.equal(await arrows(page).count(), 0);
  assert.ok(!(await label(page, "Project")).includes("refers to"));
  await toggle(page, true);
  await arrows(page).first().waitFor();
  const titles = await arrows(page).locator("title").allTextContents();
  assert.equal(new Set(titles).size, titles.length);
  for (const title of titles) {
    const [, from, attribute, to] = title.match(/^(.+)\.(.+) → (.+)$/);
    assert.ok((await label(page, from)).includes("refers to "));
    assert.ok((await label(page, from)).includes(`${to} by ${attribute}`), `${title}: ${await label(page, from)}`);
    // Its head is at the card referred to.
    const [point, target] = [await arrow(page, title).locator(".reference-head").boundingBox(), await card(page, to).boundingBox()];
    const sides = [target.x - point.x - point.width, target.x + target.width - point.x];
    assert.ok(sides.some((side) => Math.abs(side) < 10), `${title}: ${sides}`);
  }
  await toggle(page, false);
  assert.equal(await arrows(page).count(), 0);
  assert.ok(!(await label(page, "Project")).includes("refers to"));
});

onPattern("a key switches them, the palette finds them, and a reload keeps the choice", async (page) => {
  await page.mouse.click(...(await head(page, "Tenant")));
  await press(page, "Shift+R");
  await arrows(page).first().waitFor();
  await isOn(page, true);
  const before = await arrows(page).count();
  await page.reload();
  await arrows(page).first().waitFor();
  await isOn(page, true);
  await settled(page);
  assert.equal(await arrows(page).count(), before);
  await press(page, "Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("arrows");
  await page.getByRole("option", { name: /^Show or hide references/ }).waitFor();
  await press(page, "Enter");
  await isOn(page, false);
  assert.equal(await arrows(page).count(), 0);
});

onPattern("an arrow follows its card, and a drag is undone with it", async (page) => {
  await toggle(page, true);
  await arrows(page).first().waitFor();
  const title = await arrows(page).locator("title").first().textContent();
  const path = () => arrow(page, title).locator(".reference-line").getAttribute("d");
  const before = await path();
  await card(page, title.split(".")[0]).focus();
  await page.keyboard.press("ArrowLeft");
  await settled(page);
  assert.notEqual(await path(), before);
  await press(page, "Control+z");
  assert.equal(await path(), before);
  await toggle(page, false);
});

onPattern("a refused reference has no arrow, and undo brings it back", async (page) => {
  await toggle(page, true);
  await arrows(page).first().waitFor();
  const title = await arrows(page).locator("title").first().textContent();
  const count = await arrows(page).count();
  const [from] = title.split(" → ");
  await press(page, "Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("generate");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.locator("summary", { hasText: "References between entities" }).click();
  await dialog.getByRole("button", { name: `Refuse ${from} → ` }).first().click();
  await settled(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await settled(page);
  assert.equal(await arrow(page, title).count(), 0);
  assert.equal(await arrows(page).count(), count - 1);
  await press(page, "Control+z");
  await arrow(page, title).waitFor({ state: "attached" });
  await toggle(page, false);
});

onPattern("the exported picture has the arrows that the canvas shows", async (page) => {
  const picture = async () => {
    await page.getByRole("tab", { name: "Export", exact: true }).click();
    await page.locator(".code-panel").getByRole("button", { name: "Picture" }).click();
    await page.getByRole("button", { name: "Copy SVG" }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.ok(!(await picture()).includes(" → "));
  await toggle(page, true);
  await arrows(page).first().waitFor();
  const titles = await arrows(page).locator("title").allTextContents();
  const text = await picture();
  for (const title of titles) assert.ok(text.includes(`<title>${title}</title>`), title);
  await toggle(page, false);
});
