import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./app.mjs";

test("the release build starts under a sub-path without browser errors", async () => {
  const { page, complaints, close } = await open();
  try {
    await page.locator("#app:not(:has(#frame))").waitFor({ timeout: 20_000 });
    assert.match(await page.locator("#app").innerText(), /\S/);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("the page's policy blocks inline scripts, inline styles and requests to other hosts", async () => {
  const { page, close } = await open({ mayComplain: true });
  try {
    const blocked = await page.evaluate(async () => {
      const seen = [];
      addEventListener("securitypolicyviolation", (event) => seen.push(event.effectiveDirective));
      const script = document.createElement("script");
      script.textContent = "globalThis.injected = true";
      document.body.append(script);
      document.body.setAttribute("style", "color: red");
      await fetch("http://127.0.0.1:9/").catch(() => {});
      await new Promise((later) => setTimeout(later, 50));
      return { seen: seen.sort(), injected: "injected" in globalThis };
    });
    assert.deepEqual(blocked, {
      seen: ["connect-src", "script-src-elem", "style-src-attr"],
      injected: false,
    });
  } finally {
    await close();
  }
});

const regions = [".top-bar", ".brand", ".rail", ".inspector", ".panel", ".panel-bar"];
for (const [what, size, kept] of [
  ["1440x900", [1440, 900]],
  ["a phone", [390, 844]],
  ["remembered sizes", [1440, 900], { theme: "dark", panelHeight: 410, railWidth: 300, inspectorWidth: 420 }],
  ["closed regions", [1440, 900], { rail: false, panel: false }],
]) {
  test(`the frame of the page is there before the app, and nothing moves when the app takes over: ${what}`, async () => {
    const before = async (page) => {
      await page.addInitScript((kept) => kept && localStorage.setItem("keyfold:desk", JSON.stringify(kept)), kept);
      await page.addInitScript((regions) => {
        globalThis.shifts = [];
        new PerformanceObserver((list) => shifts.push(...list.getEntries().map((entry) => entry.value))).observe({ type: "layout-shift", buffered: true });
        globalThis.places = () =>
          Object.fromEntries(
            regions.map((region) => {
              const element = document.querySelector(region);
              const { x, y, width, height } = element.getBoundingClientRect();
              return [region, { x, y, width, height, color: getComputedStyle(element).backgroundColor }];
            }),
          );
        addEventListener("DOMContentLoaded", () => (globalThis.early = document.getElementById("frame") && places()));
      }, regions);
    };
    const { page, close } = await open({ size, before });
    try {
      await page.locator(".canvas").waitFor();
      await page.locator(".outline").waitFor({ state: "attached" });
      const { early, now, shifted } = await page.evaluate(() => ({ early, now: places(), shifted: shifts.reduce((sum, one) => sum + one, 0) }));
      assert.ok(early, "the frame was there before the app");
      assert.deepEqual(now, early);
      assert.ok(shifted < 0.01, `the layout shifted by ${shifted}`);
    } finally {
      await close();
    }
  });
}

test("the height that access patterns get by themselves is not remembered", async () => {
  const { page, close } = await open({ size: [1440, 900] });
  try {
    await page.locator(".panel-tabs").getByRole("tab", { name: /^Access patterns/ }).click();
    const height = () => page.locator(".panel").evaluate((panel) => panel.getBoundingClientRect().height);
    await page.waitForFunction(() => document.querySelector(".panel").getBoundingClientRect().height > 400);
    await page.reload();
    await page.locator(".outline").waitFor({ state: "attached" });
    assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("keyfold:desk")).panelHeight), 300);
    assert.equal(await height(), 300);
  } finally {
    await close();
  }
});
