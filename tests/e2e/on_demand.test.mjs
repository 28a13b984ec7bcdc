// Code in files of its own: loaded when it is asked for, and what the page does while it cannot be loaded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { start } from "./app.mjs";
import { openPattern, press } from "./gestures.mjs";
import { isStored } from "./storage.mjs";

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

/** Waits until the file with this part of the code is loaded. */
const arrives = (page, part) =>
  page.waitForFunction((part) => performance.getEntriesByType("resource").some(({ name, responseEnd }) => name.includes(`/${part}-`) && responseEnd > 0), part);

test("the first visit loads the main file, and the rest follows without a request by the user", async () => {
  const loaded = [];
  const { page, complaints, close } = await app.open({ before: (page) => page.on("request", (request) => loaded.push(request.url().split("/").pop())) });
  try {
    await opened(page);
    const of = (name) => loaded.filter((file) => file.startsWith(`${name}-`) && file.endsWith(".wasm")).length;
    await arrives(page, "language");
    assert.deepEqual(["panels", "tools", "menus", "cost", "language"].map(of), [1, 1, 1, 1, 1]);
    const order = ["panels", "menus", "cost", "language"].map((part) => loaded.findIndex((file) => file.startsWith(`${part}-`)));
    assert.deepEqual(order, [...order].sort((a, b) => a - b), "what is used first comes first");
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
  ["Text", ".text-tab", "language"],
  // Shared by several parts.
  ["Export", ".code-panel", "chunk_*"],
]) {
  test(`${tab} without ${part}: a failed load is reported at its place and can be retried`, async () => {
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
    await page.locator(".inspector[aria-busy=false] .on-demand").waitFor();
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
    const template = page.locator(".inspector[aria-busy=false] .template-input").first();
    await template.fill("ENTITY#{unknown}");
    await template.press("Tab");
    await allow();
    // The page tries again after some seconds.
    await page.locator(".problem-counts").filter({ hasText: /[1-9]/ }).waitFor({ timeout: 20_000 });
  } finally {
    await close();
  }
});

test("a file in the language that cannot be read yet is reported, and opens later", async () => {
  const { page, allow, close } = await without("**/language-*.wasm");
  try {
    await opened(page);
    const buffer = Buffer.from("design Orders\n\ntable orders (PK, SK)\n");
    const choose = () => page.locator("input[type=file][accept*=keyfold]").setInputFiles({ name: "orders.keyfold", mimeType: "text/plain", buffer });
    await choose();
    await page.locator(".notice").filter({ hasText: "did not load. Check the connection" }).waitFor();
    await allow();
    await choose();
    await page.waitForFunction(() => document.title.startsWith("Orders"));
  } finally {
    await close();
  }
});

test("the explanation of a rule that did not load can be loaded again", async () => {
  const { page, allow, close } = await without("**/rules.md");
  try {
    await opened(page);
    await page.keyboard.press("e");
    const template = page.locator(".inspector[aria-busy=false] .template-input").first();
    await template.fill("ENTITY#{unknown}");
    await template.press("Tab");
    await page.getByRole("tab", { name: "Problems" }).click();
    await page.locator(".problem-list .problem").first().click();
    const failed = page.locator(".problems .hint", { hasText: "The explanation could not be loaded." });
    await failed.waitFor();
    await allow();
    await failed.getByRole("button", { name: "Try again" }).click();
    await page.locator(".problems .explanation h3").first().waitFor();
  } finally {
    await close();
  }
});

test("a returning visitor sees the cards and their groups while everything else is loading, and then the wires, without a jump", async () => {
  const { page, close } = await app.open({ mayComplain: true });
  const parts = "**/{panels,tools,menus}-*.wasm";
  try {
    await opened(page);
    await openPattern(page, "saas-multi-tenant-overloaded");
    await isStored(page);
    await page.route(parts, (route) => route.abort());
    await page.reload();
    await page.locator(".entity-card").first().waitFor();
    const places = () => page.locator(".canvas [data-card], .groups .group").evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
    const before = await places();
    assert.equal(await page.locator(".entity-card").count(), 4);
    assert.equal(await page.locator(".groups .group").count(), 1);
    assert.equal(await page.locator(".wire-group").count(), 0);
    await page.unroute(parts);
    // The page tries again after some seconds.
    await page.locator(".wire-group:not([hidden])").first().waitFor({ state: "attached", timeout: 20_000 });
    assert.equal(await page.locator(".wire-group").count(), 7);
    assert.deepEqual(await places(), before);
  } finally {
    await close();
  }
});

test("a context menu that did not load is reported, and opens later", async () => {
  const { page, allow, close } = await without("**/menus-*.wasm");
  try {
    await opened(page);
    await page.keyboard.press("e");
    await page.locator(".entity-card").click({ button: "right", position: { x: 40, y: 12 } });
    await page.locator(".notice").filter({ hasText: "The menu was not opened" }).waitFor();
    await page.locator("summary[title='Designs and files']").click();
    const alert = page.locator(".menu-list [role=alert]");
    await alert.waitFor();
    await allow();
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.locator(".menu-list").getByRole("button", { name: "New design", exact: true }).waitFor();
    await press(page, "Escape");
    await page.locator(".entity-card").click({ button: "right", position: { x: 40, y: 12 } });
    await page.getByRole("menu").getByRole("menuitem").first().waitFor();
  } finally {
    await close();
  }
});

test("when the connection is lost, the page works and stores edits", async () => {
  const { page, context, close } = await app.open({ mayComplain: true });
  try {
    await opened(page);
    await arrives(page, "language");
    await context.setOffline(true);
    await page.keyboard.press("e");
    await page.keyboard.press("Control+k");
    await page.locator(".commands input").waitFor();
    await page.keyboard.press("Escape");
    for (const [tab, shows] of [
      ["Export", ".code-panel"],
      ["Cost", ".cost"],
      ["Text", ".text-tab"],
    ]) {
      await page.getByRole("tab", { name: tab, exact: true }).click();
      await page.locator(`.panel-body ${shows}`).waitFor();
    }
    // The editor is a script of its own, for which the connection is needed once.
    const editor = page.locator(".text-tab [role=alert]");
    await editor.waitFor();
    await press(page, "Control+k");
    await page.getByRole("combobox", { name: "Command palette" }).fill("Versions");
    await press(page, "Enter");
    const versions = page.getByRole("dialog", { name: "Versions", exact: true });
    await versions.getByLabel("Name of the version", { exact: true }).fill("Without a network");
    await press(page, "Enter");
    await versions.locator(".version").waitFor();
    await press(page, "Escape");
    await page.locator(".save-state").filter({ hasText: "Saved" }).waitFor();
    await context.setOffline(false);
    await editor.getByRole("button", { name: "Try again" }).click();
    await page.locator(".text-editor .cm-content").waitFor();
    await page.reload();
    await page.locator(".canvas [data-card^=e]").waitFor();
  } finally {
    await close();
  }
});

test("Text: an editor that did not load is reported at its place and can be loaded again", async () => {
  const { page, allow, close } = await without("**/editor.bundle-*");
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
