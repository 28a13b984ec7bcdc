// Pattern 1b from the empty canvas with fingers alone, on phones: taps, long presses and drags. Text is typed into fields that were
// tapped; no key does anything else.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./app.mjs";
import { sees, wanted } from "./build.mjs";
import { Finger, longPress, swipe } from "./fingers.mjs";
import { card, head, middle, port, settled } from "./gestures.mjs";

const SIZES = [[390, 844], [360, 640], [844, 390]];

let app;
before(async () => (app = await start()));
after(() => app?.close());

class Phone extends Finger {
  /** Shows one of the four regions. */
  async region(name) {
    await this.tap(this.page.getByRole("navigation", { name: "Regions" }).getByRole("button", { name }));
  }

  /** Chooses a tab of the data. */
  async tab(name) {
    await this.region("Data");
    await this.tap(this.page.getByRole("tab", { name }));
  }

  async button(name) {
    await this.tap(this.page.getByRole("button", { name, exact: true }));
  }

  /** Chooses a command of the command palette. */
  async command(name) {
    await this.tap(this.page.locator(".top-bar").getByRole("button", { name: /^Command palette/ }));
    await this.page.keyboard.type(name);
    await this.tap(this.page.getByRole("dialog").getByRole("option").first());
  }

  get inspector() {
    return this.page.locator(".inspector[aria-busy=false]");
  }
}

/** Adds a piece: the first by a tap, others by a drag from the outline to the canvas, where there is nothing. */
async function add(phone, piece, isFirst) {
  await phone.region("Outline");
  const button = phone.page.locator(`[data-piece=${piece}]`);
  if (isFirst) return phone.tap(button);
  const { width, height } = phone.page.viewportSize();
  await swipe(phone.page, await phone.reach(button), [width * 0.4, height * 0.35]);
  assert.ok(await phone.page.locator(".canvas").isVisible(), "what is dragged is dropped on the canvas");
}

async function makeEntity(phone, entity, isFirst) {
  const { page, inspector } = phone;
  await add(phone, "Entity", isFirst);
  await phone.region("Inspector");
  await phone.fill(inspector.getByLabel("Name", { exact: true }), entity.name);
  const rows = inspector.locator("[data-attribute]");
  for (const [at, attribute] of entity.attributes.entries()) {
    if (at >= (await rows.count())) await phone.tap(inspector.getByRole("button", { name: "Add attribute" }));
    const row = rows.nth(at);
    await phone.fill(row.getByLabel("Attribute name"), attribute.name);
    // The list that opens belongs to the system, not to the page: a tap in it is out of a script's reach.
    await phone.reach(row.getByRole("combobox"));
    if (attribute.type !== "S") await row.getByRole("combobox").selectOption(attribute.type);
    const required = row.getByRole("checkbox");
    if ((await required.isChecked()) !== attribute.required) await phone.tap(required);
  }
  await phone.fill(inspector.getByLabel("Table partition key pk"), entity.keys.primary.partition);
  await phone.fill(inspector.getByLabel("Table sort key sk"), entity.keys.primary.sort);
  await phone.region("Canvas");
  assert.ok(await card(page, entity.name).isVisible());
}

/** Adds an entity to the index, by a wire or by the card's menu, and writes its templates. */
async function join(phone, entity, isWire) {
  const { page, inspector } = phone;
  await phone.region("Canvas");
  if (isWire) {
    await swipe(page, await port(page, entity.name), await middle(card(page, "GSI1")));
  } else {
    // What is chosen in the outline comes into sight on the canvas.
    await phone.region("Outline");
    await phone.tap(page.locator(".outline").getByRole("button", { name: entity.name, exact: true }));
    const menu = await longPress(page, await head(page, entity.name));
    assert.equal(await menu.getAttribute("aria-label"), entity.name);
    await phone.tap(menu.getByRole("menuitem", { name: "Add to GSI1" }));
  }
  await phone.region("Inspector");
  await phone.fill(inspector.getByLabel("GSI1 partition key gsi1pk"), entity.keys.GSI1.partition);
  await phone.fill(inspector.getByLabel("GSI1 sort key gsi1sk"), entity.keys.GSI1.sort);
}

/** Scrolls the table sideways, finger by finger, until a column is in sight. */
async function seeColumn(phone, name) {
  const { page } = phone;
  for (let turn = 0; turn < 30; turn += 1) {
    const by = await page.evaluate((name) => {
      const grid = document.querySelector("[data-grid]");
      const head = grid.querySelector(`.grid-head [data-name="${name}"]`);
      if (head.closest(".frozen")) return 0;
      const stays = [...grid.querySelectorAll(".grid-head .frozen")].map((it) => it.getBoundingClientRect().right);
      const [seen, box] = [grid.getBoundingClientRect(), head.getBoundingClientRect()];
      const left = Math.max(seen.left, ...stays);
      const middle = box.left + Math.min(box.width, seen.right - left) / 2;
      return middle < left + 20 ? middle - left - 40 : middle > seen.right - 20 ? middle - seen.right + 40 : 0;
    }, name);
    if (by === 0) return;
    const box = await page.locator("[data-grid]").boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height * 0.6];
    const most = box.width * 0.3;
    await swipe(page, [x, y], [x - Math.max(-most, Math.min(most, by)), y]);
  }
  assert.fail(`the column ${name} does not come into sight`);
}

/** Waits until a cell stays where it is: key columns grow some time after the last letter, and move the columns beside them. */
async function atRest(phone, cell) {
  for (let last, same = 0; same < 4; ) {
    const now = JSON.stringify(await cell.boundingBox());
    [last, same] = [now, now === last ? same + 1 : 0];
    await phone.page.waitForTimeout(250);
  }
}

async function enterRows(phone, entity) {
  const { page } = phone;
  await phone.tab(/^Table/);
  const rows = page.locator(".grid-body [data-sample]", {
    has: page.locator(".row-head .visually-hidden", { hasText: new RegExp(`^${entity.name}$`) }),
  });
  const known = new Set();
  for (const [at, values] of entity.rows.entries()) {
    if (at > 0) {
      const of = page.getByLabel("Entity of new row");
      await phone.reach(of);
      await of.selectOption({ label: entity.name });
      await phone.button("Add row");
    }
    await rows.nth(at).waitFor();
    const ids = await rows.evaluateAll((rows) => rows.map((row) => row.dataset.sample));
    const id = ids.find((id) => !known.has(id));
    known.add(id);
    for (const [column, value] of Object.entries(values)) {
      await seeColumn(phone, column);
      const cell = page.locator(`[data-sample="${id}"] [data-column="${column}"]`);
      if ((await cell.textContent()) === String(value)) continue;
      await atRest(phone, cell);
      await phone.doubleTap(cell);
      const label = await page.locator(".editor input").getAttribute("aria-label");
      assert.ok(label.includes(column), `the editor of ${label} is open, not that of ${column}`);
      await page.keyboard.press("Control+a");
      await page.keyboard.type(String(value));
      // A tap on another cell stores the value.
      await phone.tap(page.locator(`[data-sample="${id}"] .row-head`));
    }
  }
}

/** Adds an access pattern by what is known, and sees its verdict. */
async function proveAccessPattern(phone) {
  const { page } = phone;
  await phone.tab(/^Access patterns/);
  await phone.button("New access pattern");
  // A narrow panel shows the list of all, or one.
  if (!(await page.locator(".pattern-editor").isVisible())) await phone.tap(page.locator(".pattern-row"));
  await phone.fill(page.locator(".pattern-editor").getByLabel("Name", { exact: true }), "What a tenant has");
  await phone.tap(page.locator(".chip.known", { hasText: /^tenantId$/ }));
  const index = page.locator(".pattern-editor").getByLabel("Table or index");
  await phone.reach(index);
  await index.selectOption("Table");
  const verdict = page.locator(".proof-verdict .verdict").filter({ hasText: /^served$/ });
  await phone.reach(verdict);
}

for (const size of SIZES) {
  test(`pattern 1b is built with fingers alone on a phone of ${size.join(" by ")}`, async () => {
    const { page, complaints, close } = await app.open({ size, touch: true });
    page.setDefaultTimeout(10_000);
    const phone = new Phone(page);
    const { inspector } = phone;
    try {
      await page.locator(".canvas").waitFor();
      await settled(page);
      const seen = await page.evaluate(() => [innerWidth, innerHeight]);
      assert.deepEqual(seen, size, "a part of the page is wider than the phone: the page can be moved, and its lower edge is out of sight");
      await phone.tap(page.locator("summary[title='Designs and files']"));
      await phone.button("New design");
      await phone.region("Inspector");
      await phone.fill(inspector.getByLabel("Table name"), wanted.table.name);
      await phone.fill(inspector.getByLabel("Partition key", { exact: true }), "pk");
      await phone.fill(inspector.getByLabel("Sort key", { exact: true }), "sk");

      for (const [at, entity] of wanted.entities.entries()) {
        await makeEntity(phone, entity, at === 0);
        // Room for the next.
        await phone.button("Zoom out");
        await phone.button("Show everything");
      }
      await add(phone, "GSI", true);
      await phone.command("Arrange all cards");
      await phone.button("Show everything");
      for (const [at, entity] of wanted.entities.filter((entity) => entity.keys.GSI1).entries()) await join(phone, entity, at === 0);
      for (const entity of wanted.entities) await enterRows(phone, entity);
      await proveAccessPattern(phone);

      const toLeft = async () => {
        for (const column of ["pk", "gsi1pk"]) if (await page.locator(`.grid-head [data-name="${column}"]`).count()) await seeColumn(phone, column);
      };
      await sees(page, {
        table: async () => {
          await phone.tab(/^Table/);
          await toLeft();
        },
        index: async () => {
          await phone.tab(/^GSI1/);
          await toLeft();
        },
        file: async () => {
          await phone.tap(page.locator("summary[title='Designs and files']"));
          await phone.button("Save as Keyfold file");
        },
        code: () => phone.tab("Export"),
        library: async () => {
          const more = page.locator(".more-button");
          if (await more.isVisible()) await phone.tap(more);
          await phone.tap(page.getByTitle("Start from a pattern of the library"));
          await phone.tap(page.locator("[data-pattern=saas-multi-tenant-overloaded]"));
          await phone.tap(page.getByRole("button", { name: "Open as new design" }));
        },
      });
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
}
