// The page around the canvas: the panel that closes, the palette that finds things by the words people have for them.
import assert from "node:assert/strict";
import { patternTests, press, settled } from "./gestures.mjs";

const onPattern = patternTests();

onPattern("a closed panel leaves its tabs in the window, and nothing scrolls", async (page) => {
  const { height } = page.viewportSize();
  const tabs = page.locator(".panel-bar");
  const isWhole = async () => {
    const box = await tabs.boundingBox();
    assert.ok(box.y + box.height <= height, `the tabs end at ${box.y + box.height} of ${height}`);
    const root = await page.evaluate(() => [document.documentElement.scrollHeight, document.documentElement.scrollTop]);
    assert.deepEqual(root, [height, 0]);
  };
  await page.getByRole("button", { name: "Close panel" }).click();
  await settled(page);
  await isWhole();
  await page.reload();
  await page.getByRole("button", { name: "Open panel" }).waitFor();
  await settled(page);
  await isWhole();
  await page.getByRole("button", { name: "Open panel" }).click();
  await page.getByRole("button", { name: "Close panel" }).waitFor();
  await isWhole();
});

onPattern("the palette finds synonyms, and nothing for nonsense", async (page) => {
  await press(page, "Control+k");
  const field = page.getByRole("combobox", { name: "Command palette" });
  const first = page.locator(".command-text").first();
  for (const [typed, found] of [
    ["layout", "Arrange all cards"],
    ["fit", "Show everything"],
    ["new gsi", "Add GSI (global secondary index)"],
    ["help", "Keyboard and gestures"],
    ["shortcuts", "Keyboard and gestures"],
    ["minimap", "Show or hide minimap"],
    ["groups", "Show or hide item collections"],
    ["terraform", "Export: Terraform"],
    ["cloudformation", "Export: CloudFormation"],
    ["png", "Export: Picture"],
    ["picture", "Export: Picture"],
    ["migration", "Export: Change plan"],
  ]) {
    await field.fill(typed);
    await settled(page);
    assert.ok((await first.textContent()).startsWith(found), `${typed}: ${await first.textContent()}`);
  }
  await field.fill("xqzw");
  await settled(page);
  assert.equal(await page.locator(".command").count(), 0);
  await field.fill("picture");
  await settled(page);
  await page.keyboard.press("Enter");
  await page.locator(".code-panel [aria-pressed=true]", { hasText: "Picture" }).waitFor();
});
