// One attribute lights up wherever it is shown: in templates, in the table, in the exported code.
import assert from "node:assert/strict";
import { card, middle, patternTests, press, seeColumn, settled } from "./gestures.mjs";

const onPattern = patternTests();

/** The names of the attributes whose columns are lit in the table, and those of lit placeholders. */
const lit = (page) =>
  page.evaluate(() => {
    const names = (selector, attribute) => [
      ...new Set(
        [...document.querySelectorAll(selector)]
          .filter((element) => getComputedStyle(element).outlineStyle === "solid")
          .map((element) => element.getAttribute(attribute)),
      ),
    ];
    return { columns: names(".live-table [data-column]", "data-column"), chips: names(".canvas .chip", "data-follow") };
  });

const inCode = (page) =>
  page.evaluate(() => [...(CSS.highlights.get("follow") ?? [])].map((range) => range.toString()));

onPattern("a placeholder under the pointer is highlighted in templates and in the table", async (page) => {
  await seeColumn(page, "email");
  await page.mouse.move(...(await middle(card(page, "User").locator(".chip", { hasText: "email" }).first())));
  await settled(page);
  assert.deepEqual(await lit(page), { columns: ["email"], chips: ["email"] });
  await page.mouse.move(5, 300);
  await settled(page);
  assert.deepEqual(await lit(page), { columns: [], chips: [] });
});

onPattern("the attribute of the cell under the pointer is highlighted in templates", async (page) => {
  await seeColumn(page, "tenantId");
  await page.locator(".live-table [role=gridcell][data-column=tenantId]").first().hover();
  await settled(page);
  assert.deepEqual((await lit(page)).chips, ["tenantId"]);
});

onPattern("the attributes of the wire under the pointer are highlighted", async (page) => {
  const spot = await page.evaluate(() => {
    const group = [...document.querySelectorAll("[data-wire]")].find(
      (wire) => wire.querySelector("title").textContent.includes("USER_EMAIL"),
    );
    const path = group.querySelector("path");
    const at = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
    return [at.x, at.y];
  });
  await page.mouse.move(...spot);
  await settled(page);
  const { chips } = await lit(page);
  assert.deepEqual(chips.sort(), ["email", "userId"]);
});

onPattern("the attribute is highlighted in the exported code too", async (page) => {
  await page.getByRole("tab", { name: "Export", exact: true }).click();
  await page.getByRole("button", { name: "Rust", exact: false }).first().click();
  // Only what is in sight is in the page.
  const inSight = page.locator(".code", { hasText: /\btenant_id\b/ });
  await page.locator(".code.long > code > span").first().waitFor();
  await page.locator(".code").hover();
  for (let turn = 0; turn < 60 && (await inSight.count()) === 0; turn++) {
    await page.mouse.wheel(0, 200);
    await settled(page);
  }
  await page.mouse.move(...(await middle(card(page, "Tenant").locator(".chip", { hasText: "tenantId" }).first())));
  await settled(page);
  const words = new Set(await inCode(page));
  assert.ok(words.has("tenant_id"), [...words].join());
  await press(page, "Escape");
});
