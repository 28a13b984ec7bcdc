import { test } from "node:test";
import { open } from "./app.mjs";
import { card, settled } from "./gestures.mjs";
test("x", async () => {
  const small = `// Before all.
design Small

table small (PK, SK)

entity Thing
  id?   string  // given by the shop
  name  string

  key  THING#{id} / THING

  | id | name |
  | 1  | One  |

pattern Get a thing
  GetItem THING#{id} / THING
`;
  const { page, close } = await open({ });
  await page.locator(".welcome").waitFor();
  await page.locator("input[type=file][accept*=keyfold]").setInputFiles({ name: "small.keyfold", mimeType: "text/plain", buffer: Buffer.from(small) });
  await card(page, "Thing").waitFor();
  await page.locator(".panel-tabs").getByRole("tab", { name: "Text" }).click();
  await page.locator(".text-editor .cm-content").waitFor();
  await page.waitForTimeout(2500);
  console.log(await page.locator("[class*=cm-lintRange]").evaluateAll((all) => all.map((it) => `${it.className}: ${it.textContent} | ${it.closest(".cm-line")?.textContent}`)));
  console.log(await page.locator(".cm-lint-marker, .cm-fold-open, .cm-foldGutter span").evaluateAll((all) => all.map((it) => it.className).join(",")));
  console.log(await page.evaluate(() => ({ card: [...new Set([...document.querySelectorAll(".canvas [data-follow]")].map((it) => `${it.dataset.follow}/${it.className}/${it.closest("[class*=hue-]")?.className}`))].slice(0, 20), text: [...document.querySelectorAll(".text-editor [data-follow]")].map((it) => `${it.dataset.follow}/${it.className}`).slice(0, 9), tpl: document.querySelector(".card .template")?.innerHTML.slice(0, 300) })));
  await page.locator(".text-bar").getByRole("button", { name: "Beside canvas" }).click();
  await settled(page);
  await page.screenshot({ path: "/tmp/hA_w/beside.png" });
  await page.emulateMedia({ colorScheme: "dark" });
  await settled(page);
  await page.screenshot({ path: "/tmp/hA_w/beside_dark.png" });
  await close();
  const phone = await open({ size: [390, 844], touch: true });
  await phone.page.locator(".welcome").waitFor();
  await phone.page.locator("input[type=file][accept*=keyfold]").setInputFiles({ name: "small.keyfold", mimeType: "text/plain", buffer: Buffer.from(small) });
  await phone.page.getByRole("navigation", { name: "Regions" }).getByRole("button", { name: "Data" }).tap();
  await phone.page.locator(".panel-tabs").getByRole("tab", { name: "Text" }).tap();
  await phone.page.locator(".text-editor .cm-content").waitFor();
  await phone.page.waitForTimeout(1000);
  await phone.page.screenshot({ path: "/tmp/hA_w/phone.png" });
  await phone.close();
});
