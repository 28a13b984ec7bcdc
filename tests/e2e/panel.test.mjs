// The bottom panel in a hurry: what asks for a frame, a task or a time may be gone when it comes.
import assert from "node:assert/strict";
import { patternTests, searchCommands, settled, slowed } from "./gestures.mjs";
import { Keys } from "./keys.mjs";

const onPattern = patternTests();

const tab = (page, name) => page.locator(".panel-tabs").getByRole("tab", { name });

for (const rate of [1, 6]) {
  onPattern(`the palette leads to the items of an index and of the table, ${rate} times slower`, async (page) => {
    const keys = new Keys(page);
    await slowed(page, rate, async () => {
      for (const [command, name] of [["Go to items of GSI1", "GSI1"], ["Go to table", "Table"], ["Go to items of GSI1", "GSI1"]]) {
        await keys.command(command);
        // The items of the tab before are gone, and with them what had the focus there.
        await page.waitForFunction((name) => document.querySelector("[data-grid]")?.ariaLabel === `Items of ${name}`, name);
        for (let frames = 0; frames < 3; frames++) await keys.drawn();
        assert.equal(await page.evaluate(() => document.activeElement.closest("[data-grid]")?.ariaLabel), `Items of ${name}`);
      }
    });
  });
}

// None of these may make the browser complain: `patternTests` looks.
onPattern("tabs can be chosen faster than they are drawn", async (page) => {
  await slowed(page, 20, async () => {
    for (let time = 0; time < 3; time++) {
      await tab(page, "GSI1").click();
      await tab(page, "Table").dblclick();
    }
    await tab(page, "Table").focus();
    for (let time = 0; time < 8; time++) await page.keyboard.press("ArrowRight");
  });
  for (let time = 0; time < 5; time++) {
    // In one task, and then one task after the other without a frame.
    await page.evaluate(async () => {
      const next = () =>
        new Promise((done) => {
          const channel = new MessageChannel();
          channel.port1.onmessage = done;
          channel.port2.postMessage(0);
        });
      const all = [...document.querySelectorAll(".panel-tabs [role=tab]")];
      for (const at of [1, 0, 0, 1, 2, 0, 3, 0]) all[at].click();
      for (const at of [1, 0, 2, 0, 3, 0, 4, 1, 0]) {
        all[at]?.click();
        await next();
      }
    });
    await settled(page);
  }
});

onPattern("choosing the open tab again changes nothing", async (page) => {
  await tab(page, "Table").click();
  await page.getByRole("searchbox", { name: "Filter rows" }).fill("acme");
  await page.evaluate(() => (document.querySelector("[data-grid]").mark = "same"));
  await tab(page, "Table").dblclick();
  await settled(page);
  assert.equal(await page.evaluate(() => document.querySelector("[data-grid]").mark), "same");
});

onPattern("menus of the toolbar and of heads can be closed before the next frame", async (page) => {
  await page.evaluate(() => {
    const all = [...document.querySelectorAll(".panel-tabs [role=tab]")];
    const columns = [...document.querySelectorAll(".table-bar button")].find((b) => b.textContent.startsWith("Columns"));
    columns.click();
    all[1].click();
  });
  await settled(page);
  await page.evaluate(() => document.querySelectorAll(".panel-tabs [role=tab]")[0].click());
  await settled(page);
  await page.locator("[data-grid] .grid-head [data-name]").last().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Hide column" }).waitFor();
  await page.evaluate(async () => {
    [...document.querySelectorAll("[role=menuitem]")].find((b) => b.textContent.startsWith("Hide column")).click();
    for (let turn = 0; turn < 20; turn++) await null;
    document.querySelectorAll(".panel-tabs [role=tab]")[1].click();
  });
  await settled(page);
  await settled(page);
});

onPattern("a file that is read after its dialog closed causes no error", async (page) => {
  await page.route("**/keyfold-import-worker*", async (route) => {
    await new Promise((done) => setTimeout(done, 300));
    await route.continue();
  });
  await searchCommands(page, "Import samples");
  await page.keyboard.press("Enter");
  await page.locator("dialog[open]").getByLabel("Sample file").setInputFiles({
    name: "a.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("a,b\n1,2\n"),
  });
  await page.keyboard.press("Escape");
  await page.waitForTimeout(600);
  await settled(page);
});

onPattern("the second press of a double click on a tab does not press what opens there", async (page) => {
  await page.evaluate(() => {
    window.pressed = [];
    addEventListener("pointerdown", (event) => window.pressed.push(!!event.target.closest(".panel-body")), true);
  });
  const twice = async (name) => {
    const box = await tab(page, name).boundingBox();
    await page.mouse.dblclick(box.x + 30, box.y + box.height / 2);
    await settled(page);
    assert.deepEqual(await page.evaluate(() => window.pressed.splice(0)), [false, false], name.source);
    assert.equal(await tab(page, name).getAttribute("aria-selected"), "true");
  };
  await tab(page, "Table").click();
  await page.getByRole("button", { name: "Close panel" }).click();
  await settled(page);
  await page.evaluate(() => window.pressed.splice(0));
  await twice(/^Table/);
  // It needs more height than the table.
  await twice(/^Access patterns/);
  // A press that comes later is for it.
  await page.getByRole("button", { name: "New access pattern" }).click();
  await page.locator(".pattern-editor").waitFor();
});
