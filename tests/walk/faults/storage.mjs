// Storage that is full, denied or broken: the page goes on, says what is not kept, and loses nothing that was stored.
import { start } from "../../e2e/app.mjs";
import { addEntity, crashOf, empty, fill, keepVersion, notices, overwrite, ready, savedState, stored, textsOf, versionsOf } from "./page.mjs";

const designNamed = (texts, name) => Object.values(texts).some((text) => text.includes(`"name": "${name}"`));

/** Whether the page asks before it is left. */
async function asksBeforeLeaving(page) {
  let asked = false;
  page.once("dialog", async (dialog) => {
    asked = dialog.type() === "beforeunload";
    await dialog.dismiss();
  });
  await page.close({ runBeforeUnload: true });
  for (let turn = 0; turn < 40 && !asked && !page.isClosed(); turn++) await new Promise((done) => setTimeout(done, 50));
  return asked;
}

const cases = {
  async full(app, fault) {
    const { page, context, url, close } = await app.open({ mayComplain: true });
    await ready(page);
    await addEntity(page, "Kept");
    await stored(page);
    await keepVersion(page, "Named");
    const session = await context.newCDPSession(page);
    const origin = new URL(url).origin;
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 4 << 20 });
    await fill(page);
    await addEntity(page, "Unkept");
    await page.waitForTimeout(2500);
    const texts = await textsOf(page);
    const isKept = designNamed(texts, "Unkept");
    if (!designNamed(texts, "Kept")) fault("what was stored is gone");
    const state = await savedState(page);
    if (!isKept && state === "Saved") fault("it says Saved, and the change is not saved");
    if (!isKept && !(await notices(page)).length) fault("nothing is said of what is not stored");
    if (await crashOf(page)) fault(await crashOf(page));
    if (!isKept && !(await asksBeforeLeaving(page))) fault("it does not ask before it is left");
    // With room again the change is stored.
    await session.send("Storage.overrideQuotaForOrigin", { origin }).catch(() => {});
    await empty(page);
    await addEntity(page, "Later");
    await stored(page).catch(() => fault("with room again it is not stored"));
    const later = await textsOf(page);
    for (const name of ["Kept", "Unkept", "Later"]) if (!designNamed(later, name)) fault(`with room again ${name} is not stored`);
    // Versions with a name are never deleted for room, and the history goes on.
    if (!(await versionsOf(page)).some(([name]) => name === "Named")) fault("the version with a name is gone");
    await page.reload();
    await ready(page);
    if ((await page.getByRole("button", { name: "Undo", exact: true }).getAttribute("aria-disabled")) === "true") fault("after a reload there is nothing to undo");
    await close();
  },
  async fullFromTheStart(app, fault) {
    const { page, context, url, close } = await app.open({ mayComplain: true });
    await ready(page);
    await addEntity(page, "Kept");
    await stored(page);
    const session = await context.newCDPSession(page);
    await session.send("Storage.overrideQuotaForOrigin", { origin: new URL(url).origin, quotaSize: 4 << 20 });
    await fill(page);
    await page.reload();
    await ready(page).catch(() => fault("it does not open"));
    if (await crashOf(page)) fault(await crashOf(page));
    if (!(await page.locator(".entity-card .card-name").allTextContents()).includes("Kept")) fault("the stored design is not shown");
    if (!designNamed(await textsOf(page), "Kept")) fault("what was stored is gone");
    await close();
  },
  async denied(app, fault) {
    const denials = {
      "IndexedDB throws": () => {
        IDBFactory.prototype.open = () => {
          throw new DOMException("denied", "SecurityError");
        };
      },
      "local storage throws": () => {
        Object.defineProperty(window, "localStorage", {
          get() {
            throw new DOMException("denied", "SecurityError");
          },
        });
      },
      "both throw": () => {
        IDBFactory.prototype.open = () => {
          throw new DOMException("denied", "SecurityError");
        };
        Object.defineProperty(window, "localStorage", {
          get() {
            throw new DOMException("denied", "SecurityError");
          },
        });
      },
      "IndexedDB fails": () => {
        IDBFactory.prototype.open = () => {
          const request = new EventTarget();
          setTimeout(() => {
            request.error = new DOMException("denied", "UnknownError");
            request.onerror?.(new Event("error"));
            request.dispatchEvent(new Event("error"));
          }, 5);
          return request;
        };
      },
    };
    for (const [what, init] of Object.entries(denials)) {
      const { page, close } = await app.open({ mayComplain: true, init });
      await ready(page).catch(() => fault(`${what}: it does not open`));
      if (await page.locator(".save-state").count()) {
        await addEntity(page, "Thing").catch(() => fault(`${what}: no entity can be added`));
        await page.waitForTimeout(2500);
        if (await crashOf(page)) fault(`${what}: ${await crashOf(page)}`);
        const isDenied = what !== "local storage throws";
        if (isDenied && (await savedState(page)) === "Saved" && !(await textsOf(page).then((texts) => designNamed(texts, "Thing"), () => false))) fault(`${what}: it says Stored, and nothing is`);
      }
      await close();
    }
  },
  async broken(app, fault) {
    for (const garbage of ["", "{", "null", "\u0000\u0001", '{"keyfold":1}', '{"keyfold":99,"name":"x"}']) {
      const what = JSON.stringify(garbage);
      const { page, close } = await app.open({ mayComplain: true });
      await ready(page);
      await addEntity(page, "Kept");
      await stored(page);
      const [key] = Object.keys(await textsOf(page));
      // Without the page: what it knows it would store again.
      await page.goto("about:blank").catch(() => {});
      await page.goBack();
      await ready(page);
      await overwrite(page, key, garbage);
      await page.reload();
      await ready(page).catch(() => fault(`${what}: it does not open`));
      if (await crashOf(page)) fault(`${what}: ${await crashOf(page)}`);
      await page.waitForTimeout(700);
      const first = await textsOf(page);
      if (first[key] !== garbage) fault(`${what}: the stored text is another now`);
      await page.reload();
      await ready(page);
      await page.waitForTimeout(700);
      const again = await textsOf(page);
      if (Object.keys(again).length > Object.keys(first).length) fault(`${what}: after a reload there is a further copy`);
      for (let turn = 0; turn < 2; turn++) {
        await page.locator(".menu > summary").click();
        await page.locator(".menu .menu-row > .menu-item").first().click();
        await page.waitForTimeout(700);
      }
      const opened = await textsOf(page);
      if (Object.keys(opened).length > Object.keys(first).length) fault(`${what}: opened again, it makes further copies`);
      if (opened[key] !== garbage) fault(`${what}: opened again, the stored text is another`);
      if (await crashOf(page)) fault(`${what}: ${await crashOf(page)}`);
      await close();
    }
  },
};

/** All of them. */
export async function storage({ verbose }) {
  const app = await start();
  const faults = [];
  try {
    for (const [name, run] of Object.entries(cases)) {
      if (verbose) console.log(`storage: ${name}`);
      await run(app, (text) => faults.push(`${name}: ${text}`)).catch((error) => faults.push(`${name}: ${String(error.message).split("\n")[0]}`));
    }
  } finally {
    await app.close();
  }
  return { summary: `${Object.keys(cases).length} cases`, faults };
}
