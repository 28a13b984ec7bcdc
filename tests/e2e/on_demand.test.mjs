// Code in files of its own: loaded when it is asked for, and what the page does while it cannot be loaded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { start } from "./app.mjs";

const app = await start();
test.after(() => app.close());

/** A page whose requests for these files fail until `allow` is called. */
async function without(files) {
  const opened = await app.open({ before: (page) => page.route(files, (route) => route.abort()) });
  const close = () => {
    // The browser complains about what the test refuses.
    const others = opened.complaints.splice(0).filter((text) => !text.includes("net::ERR_FAILED"));
    opened.complaints.push(...others);
    return opened.close();
  };
  return { ...opened, close, allow: () => opened.page.unroute(files) };
}
const opened = (page) => page.locator(".canvas").waitFor();

test("the first visit loads the main file, and the rest follows without a request by the user", async () => {
  const loaded = [];
  const { page, complaints, close } = await app.open({ before: (page) => page.on("request", (request) => loaded.push(request.url().split("/").pop())) });
  try {
    await opened(page);
    const of = (name) => loaded.filter((file) => file.startsWith(`${name}-`) && file.endsWith(".wasm")).length;
    await page.waitForFunction(() => performance.getEntriesByType("resource").some((entry) => /menus-\w+\.wasm$/.test(entry.name)));
    assert.deepEqual([of("panels"), of("tools"), of("menus")], [1, 1, 1]);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

for (const [tab, shows, part] of [
  ["Access patterns", ".patterns", "tools"],
  ["Problems", ".problems", "tools"],
  ["Cost", ".cost", "cost"],
  ["Export", ".code-panel", "tools"],
]) {
  test(`${tab}: a failed load is reported at its place and can be retried`, async () => {
    const { page, allow, close } = await without(`**/${part}-*.wasm`);
    try {
      await opened(page);
      await page.keyboard.press("e");
      await page.getByRole("tab", { name: tab }).click();
      const alert = page.locator(".panel-body [role=alert]");
      await alert.waitFor();
      assert.match(await alert.innerText(), /did not load\. Check the connection/);
      await allow();
      await alert.getByRole("button", { name: "Try again" }).click();
      await page.locator(`.panel-body ${shows}`).waitFor();
      assert.equal(await page.locator(".outline ul").first().locator(".outline-row").count(), 1, "the entity is kept");
    } finally {
      await close();
    }
  });
}

test("inspector and table: a load that fails says so at its place and can be tried again", async () => {
  const { page, allow, close } = await without("**/panels-*.wasm");
  try {
    await opened(page);
    await page.keyboard.press("e");
    await page.locator(".canvas [data-card^=e]").waitFor();
    for (const [region, shows] of [
      [".inspector", ".inspector-head"],
      [".panel-body", ".live-table"],
    ]) {
      const alert = page.locator(`${region} [role=alert]`);
      assert.match(await alert.innerText(), /did not load\. Check the connection/);
      await allow();
      await alert.getByRole("button", { name: "Try again" }).click();
      await page.locator(`${region} ${shows}`).waitFor();
    }
    assert.equal(await page.locator(".canvas [data-card^=e]").count(), 1, "the entity is kept");
  } finally {
    await close();
  }
});

test("a new entity's name has the focus, also if the inspector's code comes late", async () => {
  let allow;
  const later = new Promise((done) => (allow = done));
  const { page, close } = await app.open({
    before: (page) =>
      page.route("**/panels-*.wasm", async (route) => {
        await later;
        await route.continue();
      }),
  });
  try {
    await opened(page);
    await page.keyboard.press("e");
    await page.locator(".inspector .on-demand").waitFor();
    await page.waitForTimeout(1000);
    allow();
    await page.waitForFunction(() => document.activeElement?.closest(".inspector"));
  } finally {
    await close();
  }
});

test("until the linter's code is there, the top bar does not claim that there are no problems", async () => {
  const { page, allow, close } = await without("**/tools-*.wasm");
  try {
    await opened(page);
    const counts = page.locator(".problem-counts");
    assert.match(await counts.getAttribute("title"), /Problems: not checked yet/);
    await allow();
    await page.locator(".problem-counts[title^='Problems: none'], .problem-counts:has-text('1')").waitFor({ timeout: 20_000 });
  } finally {
    await close();
  }
});

test("a dialog reports that its code did not load, closes, and works later", async () => {
  const { page, allow, close } = await without("**/menus-*.wasm");
  try {
    await opened(page);
    await page.keyboard.press("Control+k");
    const alert = page.locator("dialog[open] [role=alert]");
    await alert.waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog[open]").waitFor({ state: "detached" }).catch(() => {});
    assert.equal(await page.locator("dialog[open]").count(), 0);
    await allow();
    await page.keyboard.press("Control+k");
    await page.locator(".commands input").waitFor();
    await page.keyboard.type("entity");
    await page.keyboard.press("Enter");
    await page.locator(".canvas [data-card^=e]").waitFor();
  } finally {
    await close();
  }
});

test("problems appear once the linter can be loaded, without another edit", async () => {
  const { page, allow, close } = await without("**/tools-*.wasm");
  try {
    await opened(page);
    await page.keyboard.press("e");
    const template = page.locator(".inspector .template-input").first();
    await template.fill("ENTITY#{unknown}");
    await template.press("Tab");
    await allow();
    // The page tries again after some seconds.
    await page.locator(".problem-counts").filter({ hasText: /[1-9]/ }).waitFor({ timeout: 20_000 });
  } finally {
    await close();
  }
});

test("when the connection is lost, the page works and stores edits", async () => {
  const { page, context, close } = await app.open();
  try {
    await opened(page);
    await page.waitForFunction(() => performance.getEntriesByType("resource").some((entry) => /menus-\w+\.wasm$/.test(entry.name)));
    await context.setOffline(true);
    await page.keyboard.press("e");
    await page.keyboard.press("Control+k");
    await page.locator(".commands input").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Export", exact: true }).click();
    await page.locator(".panel-body .code-panel").waitFor();
    await page.locator(".save-state").filter({ hasText: "Saved" }).waitFor();
    await context.setOffline(false);
    await page.reload();
    await page.locator(".canvas [data-card^=e]").waitFor();
  } finally {
    await close();
  }
});

test("Text: an editor that did not load is reported at its place and can be loaded again", async () => {
  const { page, allow, close } = await without("**/editor.bundle.js*");
  try {
    await opened(page);
    await page.locator(".panel-tabs").getByRole("tab", { name: "Text" }).click();
    const alert = page.locator(".text-tab [role=alert]");
    await alert.waitFor();
    await allow();
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.locator(".text-editor .cm-content").waitFor();
    assert.equal(await alert.count(), 0);
  } finally {
    await close();
  }
});
