// What the main thread does at once when a rate is edited in the Cost tab: the longest task, in milliseconds of its processor time, which
// other programs hardly disturb. The design is that of `benches/cost/run FILE`.
//
//   node cost.mjs DIST DESIGN [--repeat 21]
import { parseArgs } from "node:util";
import { watch } from "../../tests/e2e/freezes.mjs";
import { chromium, median, sleep } from "../canvas/lib.mjs";
import { serve } from "./server.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { repeat: { type: "string", default: "21" } } });
if (positionals.length !== 2) throw new Error("usage: node cost.mjs DIST DESIGN [--repeat 21]");
const [dist, design] = positionals;
const server = await serve(dist);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(server.url);
  await page.locator(".canvas").waitFor();
  await page.getByLabel("Designs and files").click();
  await page.locator("input[type=file]").first().setInputFiles(design);
  await page.locator(".panel-tabs").getByRole("tab", { name: "Cost", exact: true }).click();
  await page.locator(".cost-total").waitFor({ timeout: 60_000 });
  const rate = page.locator(".cost").getByLabel(/, Average rate$/).first();
  const total = () => page.locator(".cost-total").textContent();
  const watching = await watch(browser);
  const longest = [];
  for (let round = 0; round < Number(values.repeat); round++) {
    await rate.focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(`${1000 + round}/s`);
    await sleep(400);
    const before = await total();
    const tasks = await watching.during(async () => {
      await page.keyboard.press("Enter");
      await page.waitForFunction((before) => document.querySelector(".cost-total").textContent !== before, before);
      // The frame that shows it is over, and the design is not saved yet.
      await sleep(100);
    });
    longest.push(tasks[0]);
  }
  const [least, most] = [Math.min(...longest), Math.max(...longest)];
  console.log(`longest task of an edit of one rate, ms of processor time: ${least.toFixed(1)} to ${most.toFixed(1)}, median ${median(longest).toFixed(1)}`);
} finally {
  await browser.close();
  server.close();
}
