import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./app.mjs";

test("the release build starts under a sub-path without a complaint from the browser", async () => {
  const { page, complaints, close } = await open();
  try {
    await page.locator("#app:not(:has(.boot))").waitFor({ timeout: 20_000 });
    assert.match(await page.locator("#app").innerText(), /\S/);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

test("the page's policy lets no inline script, inline style or foreign request through", async () => {
  const { page, close } = await open();
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
