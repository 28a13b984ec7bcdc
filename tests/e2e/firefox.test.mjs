// The main workflow in Firefox: Debian's firefox-esr, driven by geckodriver. The other end-to-end tests run in Chromium.
import assert from "node:assert/strict";
import { test } from "node:test";
import { serve } from "./app.mjs";
import { Firefox } from "./webdriver.mjs";

/** Collects what Firefox and the page complain about. It runs before the scripts of the page. */
function collect() {
  const complaints = (globalThis.complaints = []);
  const text = (value) => (value instanceof Error ? `${value}\n${value.stack}` : String(value));
  addEventListener("error", (event) => complaints.push(text(event.error ?? event.message ?? event.target.src)), true);
  addEventListener("unhandledrejection", (event) => complaints.push(text(event.reason)));
  document.addEventListener("securitypolicyviolation", (event) => complaints.push(`${event.violatedDirective}: ${event.blockedURI}`));
  for (const kind of ["error", "warn"]) {
    const before = console[kind].bind(console);
    console[kind] = (...values) => {
      complaints.push(values.map(text).join(" "));
      before(...values);
    };
  }
}

const base = "/any/path/";

test("the main workflow is done in Firefox", async () => {
  const server = await serve(base, `(${collect})()`);
  let firefox;
  try {
    firefox = await Firefox.start();
    const root = `http://127.0.0.1:${server.address().port}${base}`;
    await firefox.open(root);
    assert.match(await firefox.run(() => navigator.userAgent), /Firefox\/\d+/);
    await mainJob(firefox, root);
  } finally {
    await firefox?.close();
    server.closeAllConnections();
    server.close();
  }
});

async function mainJob(firefox, root) {
  const cardNames = () => firefox.run(() => [...document.querySelectorAll(".entity-card .card-name")].map((name) => name.textContent).sort());
  const noComplaints = async () => {
    assert.deepEqual(await firefox.run(() => globalThis.complaints), []);
    const loaded = () => performance.getEntriesByType("resource").map(({ name }) => name);
    const elsewhere = (await firefox.run(loaded)).filter((url) => url.startsWith("http") && !url.startsWith(root));
    assert.deepEqual(elsewhere, [], "a request left the page's folder");
  };
  const card = (name) =>
    firefox.until(`the card ${name}`, (name) => [...document.querySelectorAll(".canvas [data-card]")].find((card) => card.querySelector(".card-name").textContent === name), name);
  const choose = async (name) => firefox.drag(...(await twice(firefox.middle(await firefox.run((card) => card.querySelector(".card-name"), await card(name))))));
  const cells = (column) =>
    firefox.run((column) => [...document.querySelectorAll(`.grid-body [data-sample] [data-column="${column}"]`)].map((cell) => cell.getAttribute("aria-label") ?? cell.textContent), column);

  // A pattern of the library.
  await firefox.click("[title='Start from a pattern of the library']");
  await firefox.click("[data-pattern=saas-multi-tenant]");
  await firefox.click("dialog button", "Open as new design");
  await card("Project");
  assert.deepEqual(await cardNames(), ["Project", "Subscription", "Tenant", "User"]);

  // An entity by its key, and one from the palette.
  await firefox.run(() => document.activeElement.blur());
  await firefox.press("e");
  await firefox.until("the fifth card", () => document.querySelectorAll(".entity-card").length === 5);
  await firefox.until("the name of the new entity has the focus", () => document.activeElement.matches(".inspector input"));
  await firefox.type("Invoice");
  await card("Invoice");
  await firefox.drag(await firefox.middle(await firefox.find("[data-piece=Entity]")), await emptySpot(firefox));
  await firefox.until("the sixth card", () => document.querySelectorAll(".entity-card").length === 6);

  // A key template, and the cells that it writes.
  await choose("User");
  await firefox.click("input[role=combobox]", "Table sort key sk");
  assert.ok((await cells("sk")).includes("USER#u_01"));
  await firefox.press("Home");
  await firefox.type("MEMBER#");
  await firefox.until("the changed key in the table", () =>
    [...document.querySelectorAll('.grid-body [data-column="sk"]')].some((cell) => (cell.getAttribute("aria-label") ?? cell.textContent) === "MEMBER#USER#u_01"),
  );

  // A wire from an entity to an index.
  const port = await firefox.run((card) => card.querySelector("[data-port]"), await card("Subscription"));
  await firefox.drag(await firefox.middle(port), await firefox.middle(await card("GSI1")));
  await firefox.until("the wire", () => document.querySelector('[data-wire="e8-i1"]'));

  // An access pattern and its verdict.
  await firefox.click("[role=tab]", await tabNamed(firefox, "Access patterns"));
  await firefox.click(".patterns button", "New access pattern");
  await firefox.click(".chip.known");
  await firefox.until("the verdict", () => document.querySelector(".proof-verdict .verdict span")?.textContent);
  const verdict = await firefox.run(() => document.querySelector(".proof-verdict .verdict").title);
  assert.match(verdict, /served|reads|impossible/i);

  // Exports.
  await firefox.click("[role=tab]", "Export");
  for (const [format, contents] of [["CloudFormation", "AWS::DynamoDB::Table"], ["Rust", "MEMBER#"]]) {
    await firefox.click(".code-formats button", format);
    await firefox.until(`the export ${format}`, shows, format, contents);
  }

  // Undo: the access pattern, then the wire. Typing may be one more step.
  for (let steps = 0; await firefox.run(() => document.querySelector('[data-wire="e8-i1"]') !== null); steps += 1) {
    assert.ok(steps < 5, "the wire is still there");
    await firefox.click("button", "Undo");
    await firefox.run(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  }
  await noComplaints();

  // The design is kept.
  await firefox.until("the design is stored", () => document.querySelector(".save-state")?.textContent.trim() === "Saved");
  const before = await cardNames();
  const name = await firefox.run(() => document.querySelector("[aria-label='Design name']").value);
  await firefox.reload();
  await card("Invoice");
  assert.deepEqual(await cardNames(), before);
  assert.equal(await firefox.run(() => document.querySelector("[aria-label='Design name']").value), name);
  await noComplaints();
}

/** A press of the pointer at one spot: a drag that ends where it began. */
const twice = async (spot) => [await spot, await spot];

/** The full text of the tab that begins with these words: a count follows. */
const tabNamed = (firefox, words) =>
  firefox.until(`the tab ${words}`, (words) => [...document.querySelectorAll("[role=tab]")].map((tab) => tab.textContent.trim()).find((text) => text.startsWith(words)), words);

/** Whether the preview of an export is complete and has this text. Only the lines in sight are in the page, so all of it is copied. */
function shows(format, text) {
  const code = document.querySelector(`.code[aria-label="${format}"]:not([aria-busy=true])`);
  if (!code) return false;
  const options = { bubbles: true, cancelable: true };
  code.dispatchEvent(new KeyboardEvent("keydown", { key: "a", ctrlKey: true, ...options }));
  const copy = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), ...options });
  code.dispatchEvent(copy);
  return copy.clipboardData.getData("text/plain").includes(text);
}

/** A spot of the canvas with nothing on it, and free space around. */
function emptySpot(firefox) {
  return firefox.until("free space on the canvas", () => {
    const canvas = document.querySelector(".canvas");
    const box = canvas.getBoundingClientRect();
    const isFree = (x, y) => document.elementFromPoint(x, y) === canvas;
    for (let y = box.top + 60; y < box.bottom - 60; y += 10) {
      for (let x = box.left + 60; x < box.right - 60; x += 10) {
        if ([-40, 0, 40].every((dx) => [-20, 0, 20].every((dy) => isFree(x + dx, y + dy)))) return [x, y];
      }
    }
    return null;
  });
}
