import { start } from "./app.mjs";
import { openPattern, settled } from "./gestures.mjs";
import { isStored } from "./storage.mjs";
const app = await start();
const { page, close, complaints } = await app.open({ mayComplain: true });
await page.locator(".welcome").waitFor();
await openPattern(page, "e-commerce");
await page.getByLabel("Design name").fill("Shop");
await isStored(page);
const editor = (p) => p.locator(".text-editor .cm-content");
const show = async (p) => { await p.locator(".panel-tabs").getByRole("tab", { name: "Text" }).click(); await editor(p).waitFor(); await settled(p); };
await show(page);
const other = await page.context().newPage();
await other.goto(page.url());
await other.locator(".canvas [data-card]").first().waitFor();
await show(other);
const text = async (p) => { await p.bringToFront(); await settled(p); const [d] = await Promise.all([p.waitForEvent("download"), p.locator(".text-bar").getByRole("button", { name: "Download" }).click()]); const c = []; for await (const x of await d.createReadStream()) c.push(x); return Buffer.concat(c).toString(); };
const WAIT = Number(process.argv[2]);
const rounds = 3;
const count = async (p, w) => (await text(p)).split(w).length - 1;
for (let at = 0; at < rounds; at++) {
  await page.bringToFront();
  await editor(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(`\n// A${at}.`);
  console.log(at, "A typed", await count(page, "// A"), await count(page, "// B"), "saved", await page.locator(".save-state").textContent());
  await page.waitForTimeout(WAIT);
  console.log(at, "A waited", await count(page, "// A"), await count(page, "// B"), "saved", await page.locator(".save-state").textContent());
  await other.bringToFront();
  console.log(at, "B sees", await count(other, "// A"), await count(other, "// B"));
  await editor(other).click();
  await other.keyboard.press("Control+Home");
  await other.keyboard.type(at % 3 === 2 ? `// B${at}.\nbogus${at}\n` : `// B${at}.\n`);
  console.log(at, "B typed", await count(other, "// A"), await count(other, "// B"));
  await other.waitForTimeout(WAIT);
  console.log(at, "B waited", await count(other, "// A"), await count(other, "// B"), await count(page, "// A"), await count(page, "// B"));
}
await other.waitForTimeout(3000);
const [a, b] = [await text(page), await text(other)];
console.log("equal", a === b);
for (let at = 0; at < rounds; at++) for (const w of [`// A${at}.`, `// B${at}.`]) { const n = a.split(w).length - 1, m = b.split(w).length - 1; if (n !== 1 || m !== 1) console.log(w, n, m); }
await page.reload(); await show(page);
const c = await text(page);
console.log("after reload equal", c === a, complaints.length);
if (a !== b) { console.log(a.slice(0, 600)); console.log("-----"); console.log(b.slice(0, 600)); console.log(a.slice(-300), "----", b.slice(-300)); }
await close(); await app.close();
