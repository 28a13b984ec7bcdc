import assert from "node:assert/strict";
import { card, drag, emptySpot, head, middle, patternTests, places, port, press, selected, settled, undoButton, view } from "./gestures.mjs";

const onPattern = patternTests();

const wire = (page, id) => page.locator(`[data-wire="${id}"]`);
/** The wires to secondary indexes, as entity and index. */
const wires = (page) =>
  page.locator("[data-wire]:not(.primary)").evaluateAll((all) => all.map((one) => one.dataset.wire).sort());
const asOpened = ["e13-i1", "e19-i2", "e4-i3"];

/** A spot of the window at which a click hits the wire, and nothing above it. */
async function spotOn(page, id) {
  const spot = await wire(page, id).evaluate((group) => {
    const path = group.querySelector(".wire");
    const matrix = path.getScreenCTM();
    for (let part = 0.1; part < 0.9; part += 0.02) {
      const { x, y } = path.getPointAtLength(path.getTotalLength() * part).matrixTransform(matrix);
      if (document.elementFromPoint(x, y)?.closest("[data-wire]") === group) return [x, y];
    }
    return null;
  });
  assert.ok(spot, `no spot on ${id}`);
  return spot;
}

/** Where the end of a wire can be taken, once the pointer is on the wire: the half of it that its index does not cover. */
async function endOf(page, id) {
  await page.mouse.move(...(await spotOn(page, id)));
  await settled(page);
  const [x, y] = await middle(wire(page, id).locator("[data-wire-end]"));
  const { zoom } = await view(page);
  return [x - 3 * zoom, y];
}

/** The names of the cards over which a wire runs, those at its ends left out. */
const crossed = (page, id) =>
  wire(page, id).evaluate((group) => {
    const ends = group.dataset.wire.split("-");
    const path = group.querySelector(".wire");
    const matrix = path.getScreenCTM();
    const length = path.getTotalLength();
    const points = Array.from({ length: 400 }, (_, at) => path.getPointAtLength((length * at) / 399).matrixTransform(matrix));
    return [...document.querySelectorAll(".canvas [data-card]")]
      .filter((card) => !ends.includes(card.dataset.card))
      .filter((card) => {
        const box = card.getBoundingClientRect();
        return points.some(({ x, y }) => x > box.left + 1 && x < box.right - 1 && y > box.top + 1 && y < box.bottom - 1);
      })
      .map((card) => card.querySelector(".card-name").textContent);
  });

onPattern("a click on the end of a wire selects the wire, and Delete deletes nothing else", async (page) => {
  await page.mouse.click(...(await head(page, "User")));
  await page.mouse.click(...(await endOf(page, "e4-i3")));
  await settled(page);
  assert.deepEqual(await selected(page), []);
  await press(page, "Delete");
  assert.deepEqual(await wires(page), asOpened.filter((one) => one !== "e4-i3"));
  assert.equal(await card(page, "User").count(), 1);
});

onPattern("cards that are selected by Shift+click or a marquee take the place of a selected wire", async (page) => {
  const chosen = () => page.locator("[data-wire].chosen").count();
  const selectWire = async () => {
    await page.mouse.click(...(await spotOn(page, "e13-i1")));
    await settled(page);
    assert.equal(await chosen(), 1);
  };
  await selectWire();
  await page.keyboard.down("Shift");
  await page.mouse.click(...(await head(page, "GSI2")));
  await page.keyboard.up("Shift");
  await settled(page);
  assert.equal(await chosen(), 0);
  assert.deepEqual(await selected(page), ["GSI2"]);
  await press(page, "Delete");
  assert.equal(await card(page, "GSI2").count(), 0, "the card is deleted, and not the wire");
  await press(page, "Control+z");
  assert.deepEqual(await wires(page), asOpened);

  await selectWire();
  const [user, project] = await Promise.all(["User", "Project"].map((name) => card(page, name).boundingBox()));
  const from = [project.x + project.width + 30, project.y + 60];
  const to = [user.x + 30, user.y + 20];
  await drag(page, from, to, { keep: true });
  assert.equal(await chosen(), 0);
  await press(page, "Escape");
  await page.mouse.up();
  await settled(page);
  assert.equal(await chosen(), 1, "what Escape gives up leaves the wire selected");
  await drag(page, from, to);
  assert.equal(await chosen(), 0);
  assert.deepEqual(await selected(page), ["Project", "User"]);
  await press(page, "Delete");
  for (const name of ["Project", "User"]) assert.equal(await card(page, name).count(), 0, name);
});

onPattern("wires show templates and sparse index conditions at close zoom, and nothing far out", async (page) => {
  // The same design with a condition, pasted into it as text.
  await page.mouse.click(...(await head(page, "User")));
  const text = await page.evaluate(() => {
    const data = new DataTransfer();
    document.activeElement.dispatchEvent(new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true }));
    return data.getData("text/plain");
  });
  const conditional = JSON.stringify(JSON.parse(text), (_, value) =>
    value?.partition === "USER_EMAIL#{email}" ? { ...value, when: [{ attribute: "role", test: "exists" }] } : value,
  );
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, conditional);
  await settled(page);
  assert.deepEqual(await page.locator(".notices").innerText(), "");
  await press(page, "Escape");

  const labels = () => page.locator(".wire-label").allTextContents();
  await press(page, "1");
  const near = await labels();
  assert.ok(near.includes("TENANT_LIST"), near.join());
  const condition = page.locator("[data-wire].sparse");
  assert.equal(await condition.count(), 1);
  assert.match(await condition.locator("title").textContent(), /when role exists/);

  await page.mouse.move(...(await emptySpot(page)));
  while ((await view(page)).zoom > 0.35) await press(page, "-");
  assert.deepEqual(await labels(), []);
});

onPattern("a wire is selected from afar, too", async (page) => {
  await page.mouse.move(...(await emptySpot(page)));
  while ((await view(page)).zoom > 0.3) await press(page, "-");
  await page.mouse.click(...(await spotOn(page, "e13-i1")));
  await settled(page);
  assert.match(await wire(page, "e13-i1").getAttribute("class"), /\bchosen\b/);
  await press(page, "Delete");
  assert.deepEqual(await wires(page), asOpened.filter((one) => one !== "e13-i1"));
});

onPattern("a click selects a wire, and Delete removes the entity from the index", async (page) => {
  const before = await places(page);
  await page.mouse.click(...(await spotOn(page, "e13-i1")));
  await settled(page);
  assert.match(await wire(page, "e13-i1").getAttribute("class"), /\bchosen\b/);
  assert.deepEqual(await selected(page), []);
  assert.match(await page.locator(".inspector[aria-busy=false]").innerText(), /User/);
  await press(page, "Delete");
  assert.deepEqual(await wires(page), ["e19-i2", "e4-i3"]);
  assert.doesNotMatch(await card(page, "User").innerText(), /USER_EMAIL#/);
  assert.match(await card(page, "GSI1").textContent(), /no entities/);
  await press(page, "Control+z");
  assert.deepEqual(await wires(page), asOpened);
  assert.deepEqual(await places(page), before);
  assert.ok(await undoButton(page).isDisabled());

  // A wire to the table stays.
  await page.mouse.click(...(await spotOn(page, "e4-primary")));
  await press(page, "Delete");
  assert.equal(await wire(page, "e4-primary").count(), 1);
  assert.match(await page.locator(".notices").innerText(), /\S/);
});

onPattern("a wire is highlighted under the pointer and with its cards", async (page) => {
  const path = wire(page, "e13-i1").locator(".wire");
  const width = () => path.evaluate((path) => parseFloat(getComputedStyle(path).strokeWidth));
  await page.mouse.move(...(await emptySpot(page)));
  const quiet = await width();
  await page.mouse.move(...(await spotOn(page, "e13-i1")));
  await settled(page);
  const hovered = await width();
  assert.ok(hovered > quiet, `hover: ${hovered} after ${quiet}`);
  for (const name of ["User", "GSI1"]) {
    await page.mouse.click(...(await head(page, name)));
    await page.mouse.move(...(await emptySpot(page)));
    await settled(page);
    assert.ok((await width()) > quiet, `${name} is selected`);
  }
});

onPattern("the end of a wire is dragged to another index", async (page) => {
  const from = await endOf(page, "e13-i1");
  await drag(page, from, await middle(card(page, "GSI2")), { keep: true });
  assert.match(await card(page, "GSI2").getAttribute("class"), /\btarget\b/);
  await page.mouse.up();
  await settled(page);
  assert.deepEqual(await wires(page), ["e13-i2", "e19-i2", "e4-i3"]);
  assert.match(await card(page, "User").innerText(), /gsi2pk\s+USER_EMAIL#/);
  await press(page, "Control+z");
  assert.deepEqual(await wires(page), asOpened);
  assert.ok(await undoButton(page).isDisabled());

  // Dropped on nothing, it stays.
  await drag(page, await endOf(page, "e13-i1"), await emptySpot(page));
  assert.deepEqual(await wires(page), asOpened);
});

onPattern("a wire that cannot be moved stays selected", async (page) => {
  await drag(page, await endOf(page, "e13-i1"), await middle(card(page, "saas")));
  await page.locator(".notice", { hasText: "only wires between indexes can be moved" }).waitFor();
  const chosen = await page.locator("[data-wire].chosen").evaluateAll((all) => all.map((one) => one.dataset.wire));
  assert.deepEqual(chosen, ["e13-i1"]);
  await press(page, "Delete");
  assert.deepEqual(await wires(page), asOpened.filter((one) => one !== "e13-i1"));
});

onPattern("a wire from an entity's port to an index joins it, and its fields open", async (page) => {
  await drag(page, await port(page, "Subscription"), await middle(card(page, "GSI1")), { keep: true });
  assert.notEqual(await page.locator(".wire.loose").getAttribute("d"), "");
  assert.match(await card(page, "GSI1").getAttribute("class"), /\btarget\b/);
  await page.mouse.up();
  await settled(page);
  assert.deepEqual(await wires(page), [...asOpened, "e8-i1"].sort());
  assert.equal(await page.locator(".wire.loose").getAttribute("d"), "");
  assert.deepEqual(await selected(page), ["Subscription"]);
  // The first guess is selected: typing replaces it.
  const field = await page.evaluate(() => {
    const { value, selectionStart, selectionEnd } = document.activeElement;
    const label = document.activeElement.labels?.[0]?.textContent ?? document.activeElement.getAttribute("aria-label");
    const inside = document.activeElement.closest(".inspector") !== null;
    return { inside, label, guess: value, whole: selectionStart === 0 && selectionEnd === value.length };
  });
  assert.ok(field.inside, "the focus is in the inspector");
  assert.match(field.label, /gsi1pk/i);
  assert.match(field.guess, /\S/);
  assert.ok(field.whole, "the guess is selected");
  await page.keyboard.type("PLAN#{plan}");
  await page.keyboard.press("Tab");
  await settled(page);
  assert.match(await card(page, "Subscription").innerText(), /gsi1pk\s+PLAN#plan/);
  await undoButton(page).click();
  await undoButton(page).click();
  await settled(page);
  assert.deepEqual(await wires(page), asOpened);
  assert.ok(await undoButton(page).isDisabled(), "two steps: the wire and the text");
});

onPattern("a wire dropped on a note over an index joins the index; dropped on another card, a message says where to drop it", async (page) => {
  await page.mouse.click(...(await emptySpot(page)), { button: "right" });
  await page.getByRole("menuitem", { name: "Add note" }).click();
  await page.locator(".note-card textarea").waitFor();
  await press(page, "Escape");
  const under = await middle(card(page, "GSI1"));
  await drag(page, await middle(page.locator(".note-card")), under, { hold: ["Control"] });
  assert.ok(await page.evaluate(([x, y]) => document.elementFromPoint(x, y).closest(".note-card") !== null, under), "the note covers the index");
  await drag(page, await port(page, "Subscription"), under);
  assert.deepEqual(await wires(page), [...asOpened, "e8-i1"].sort());

  await drag(page, await port(page, "Subscription"), await middle(card(page, "Project")));
  assert.deepEqual(await wires(page), [...asOpened, "e8-i1"].sort());
  await page.locator(".notice", { hasText: "Drop on an index card or on the empty canvas" }).waitFor();
});

onPattern("a wire dropped on empty canvas adds an index there", async (page) => {
  const before = await places(page);
  const spot = await emptySpot(page, 100, 60);
  await drag(page, await port(page, "Subscription"), spot);
  const now = await places(page);
  const [added] = Object.keys(now).filter((id) => !(id in before));
  assert.deepEqual(await wires(page), [...asOpened, `e8-${added}`].sort());
  const box = await page.locator(`.canvas [data-card=${added}]`).boundingBox();
  assert.ok(Math.abs(box.x - spot[0]) <= 1, "it begins where the wire was dropped");
  assert.ok(box.y < spot[1] && spot[1] < box.y + box.height);
  assert.match(await page.locator(`.canvas [data-card=${added}]`).innerText(), /GSI/);
  assert.ok(await page.evaluate(() => document.activeElement.closest(".inspector") !== null), "its fields are open");
  await undoButton(page).click();
  await settled(page);
  assert.deepEqual(await places(page), before);
  assert.deepEqual(await wires(page), asOpened);
  assert.ok(await undoButton(page).isDisabled());
});

onPattern("Escape cancels a wire", async (page) => {
  const to = await middle(card(page, "GSI1"));
  for (const from of [await port(page, "Subscription"), await endOf(page, "e19-i2")]) {
    await drag(page, from, to, { keep: true });
    assert.notEqual(await page.locator(".wire.loose").getAttribute("d"), "");
    await press(page, "Escape");
    assert.equal(await page.locator(".wire.loose").getAttribute("d"), "");
    assert.doesNotMatch(await card(page, "GSI1").getAttribute("class"), /\btarget\b/);
    await page.mouse.up();
    await settled(page);
    assert.deepEqual(await wires(page), asOpened);
  }
  assert.ok(await undoButton(page).isDisabled());
});

onPattern("a wire goes around a card between its ends", async (page) => {
  // The index goes far to the left, the card of another entity between it and its entity.
  await page.mouse.move(...(await emptySpot(page)));
  await page.mouse.wheel(-320, 0);
  await settled(page);
  const { zoom } = await view(page);
  const move = async (name, dx, dy) => {
    const from = await head(page, name);
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.keyboard.down("Control");
    await page.mouse.move(from[0] + dx * zoom, from[1] + dy * zoom, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Control");
    await settled(page);
  };
  const straight = await wire(page, "e13-i1").locator(".wire").getAttribute("d");
  await move("GSI1", -420, 40);
  assert.deepEqual(await crossed(page, "e13-i1"), []);
  const boxes = () => Promise.all(["User", "Tenant", "GSI1"].map((name) => card(page, name).boundingBox()));
  const [right, other, left] = await boxes();
  const x = (left.x + left.width + right.x - other.width) / 2;
  await move("Tenant", (x - other.x) / zoom, (left.y - other.height / 2 - other.y) / zoom);
  const [user, between, index] = await boxes();
  assert.ok(index.x + index.width < between.x && between.x + between.width < user.x, "it stands between them");
  assert.ok(between.y < index.y && index.y < between.y + between.height, "and in the way");
  assert.deepEqual(await crossed(page, "e13-i1"), []);
  assert.notEqual(await wire(page, "e13-i1").locator(".wire").getAttribute("d"), straight);
});

onPattern("of overlapping wire ends, that of the selected wire or entity is dragged", async (page) => {
  // Two entities in one index: whichever wire was drawn last lies on top.
  await drag(page, await endOf(page, "e19-i2"), await middle(card(page, "GSI1")));
  assert.deepEqual(await wires(page), ["e13-i1", "e19-i1", "e4-i3"]);
  for (const id of ["e13-i1", "e19-i1"]) {
    await page.mouse.click(...(await spotOn(page, id)));
    assert.match(await wire(page, id).getAttribute("class"), /\bchosen\b/);
    await drag(page, await endOf(page, id), await middle(card(page, "GSI2")));
    assert.deepEqual(await wires(page), ["e13-i1", "e19-i1", "e4-i3"].map((other) => (other === id ? id.replace("i1", "i2") : other)));
    await press(page, "Control+z");
  }
  const names = { e13: "User", e19: await page.locator('[data-card="e19"] .card-name').textContent() };
  for (const [id, name] of Object.entries(names)) {
    await page.mouse.click(...(await head(page, name)));
    const [x, y] = await middle(wire(page, `${id}-i1`).locator("[data-wire-end]"));
    const { zoom } = await view(page);
    await drag(page, [x - 3 * zoom, y], await middle(card(page, "GSI2")));
    assert.ok((await wires(page)).includes(`${id}-i2`), `${name} moved`);
    await press(page, "Control+z");
  }
});

onPattern("a wire end dropped on empty canvas does not move, and a message states why", async (page) => {
  const before = await wires(page);
  await drag(page, await endOf(page, asOpened[0]), await emptySpot(page));
  await settled(page);
  assert.deepEqual(await wires(page), before);
  await page.locator(".notice", { hasText: "Wire not moved" }).waitFor();
});

/** The boxes of all labels, and of all cards, as they are seen. */
const labels = (page) =>
  page.evaluate(() => {
    const box = (element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { left, right, top, bottom };
    };
    return {
      labels: [...document.querySelectorAll(".wire-group g")].map(box),
      cards: [...document.querySelectorAll(".canvas [data-card]")].map(box),
    };
  });
const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

onPattern("the sign of a wire with a finding is between its two cards, with and without a label", async (page) => {
  const sign = page.locator(".wire-group[data-found=warning] .wire-mark");
  const [from, to] = await Promise.all([card(page, "Tenant").boundingBox(), page.getByRole("group", { name: "GSI3", exact: true }).boundingBox()]);
  const check = async () => {
    const box = await sign.boundingBox();
    assert.ok(box.x >= to.x + to.width && box.x + box.width <= from.x, JSON.stringify([to, box, from]));
    // With a label, it is above that.
    assert.ok(box.y >= Math.min(from.y, to.y) - 16 && box.y <= Math.max(from.y + from.height, to.y + to.height), JSON.stringify([to, box, from]));
  };
  await page.mouse.click(...(await emptySpot(page)));
  await settled(page);
  await check();
  await page.mouse.click(...(await head(page, "Tenant")));
  await settled(page);
  await check();
});

onPattern("wire labels cover no card and no other label, and are left out without room", async (page) => {
  let seen = 0;
  for (const name of ["Tenant", "Subscription", "User", "Project"]) {
    await page.mouse.click(...(await head(page, name)));
    await settled(page);
    const found = await labels(page);
    seen += found.labels.length;
    for (const [at, label] of found.labels.entries()) {
      assert.ok(!found.cards.some((card) => overlap(card, label)), `a label of ${name} is under a card`);
      assert.ok(!found.labels.slice(at + 1).some((other) => overlap(other, label)), `labels of ${name} lie on each other`);
    }
  }
  assert.ok(seen >= 6, `${seen} labels`);
  // The index right beside the card.
  const [entity, index] = asOpened[0].split("-");
  const box = (id) => page.locator(`.canvas [data-card="${id}"]`).boundingBox();
  const [from, to] = [await box(entity), await box(index)];
  const { zoom } = await view(page);
  const [x, y] = [to.x + 20 * zoom, to.y + 8 * zoom];
  await drag(page, [x, y], [x + from.x + from.width + 20 * zoom - to.x, y + from.y - to.y]);
  await settled(page);
  await page.mouse.click(...(await head(page, await page.locator(`[data-card="${entity}"] .card-name`).textContent())));
  await settled(page);
  assert.ok((await wire(page, asOpened[0]).getAttribute("class")).includes("lit"));
  assert.equal(await wire(page, asOpened[0]).locator(".wire-label").count(), 0);
});
