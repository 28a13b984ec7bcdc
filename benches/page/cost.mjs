// The longest task when a rate is edited in the Cost tab. The design is that of `benches/cost/run FILE`.
//
//   node cost.mjs DIST DESIGN [--repeat 21]
import { parseArgs } from "node:util";
import { sleep } from "../canvas/lib.mjs";
import { longestTask } from "./longest.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { repeat: { type: "string", default: "21" } } });
if (positionals.length !== 2) throw new Error("usage: node cost.mjs DIST DESIGN [--repeat 21]");
const [dist, file] = positionals;
const total = (page) => page.locator(".cost-total").textContent();
await longestTask({
  dist,
  file,
  repeat: Number(values.repeat),
  what: "an edit of one rate",
  prepare: async (page) => {
    await page.locator(".panel-tabs").getByRole("tab", { name: "Cost", exact: true }).click();
    await page.locator(".cost-total").waitFor({ timeout: 60_000 });
  },
  edit: async (page, round) => {
    await page.locator(".cost").getByLabel(/, Average rate$/).first().focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(`${1000 + round}/s`);
    await sleep(400);
    const before = await total(page);
    return async () => {
      await page.keyboard.press("Enter");
      await page.waitForFunction((before) => document.querySelector(".cost-total").textContent !== before, before);
    };
  },
});
