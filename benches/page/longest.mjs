// What the main thread does at once when something is edited in an open file: the longest task, in milliseconds of its processor
// time, which other programs hardly disturb.
import { watch } from "../../tests/e2e/freezes.mjs";
import { chromium, median, sleep } from "../canvas/lib.mjs";
import { serve } from "./server.mjs";

/**
 * Opens `file` (a path, or a name and content) in the app of `dist`, calls `prepare(page)`, then `edit(page, round)` as often as
 * `repeat` says, and prints the longest task of each edit as that of `what`. `edit` returns what it does and waits for.
 */
export async function longestTask({ dist, file, repeat, what, prepare, edit }) {
  const server = await serve(dist);
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(server.url);
    await page.locator(".canvas").waitFor();
    await page.getByLabel("Designs and files").click();
    await page.locator("input[type=file]").first().setInputFiles(file);
    await prepare(page);
    const watching = await watch(page);
    const longest = [];
    for (let round = 0; round < repeat; round++) {
      const act = await edit(page, round);
      const tasks = await watching.during(async () => {
        await act();
        // The frame that shows it is over, and the design is not saved yet.
        await sleep(100);
      });
      longest.push(tasks[0]);
    }
    const [least, most] = [Math.min(...longest), Math.max(...longest)];
    console.log(`longest task of ${what}, ms of processor time: ${least.toFixed(1)} to ${most.toFixed(1)}, median ${median(longest).toFixed(1)}`);
  } finally {
    await browser.close();
    server.close();
  }
}
