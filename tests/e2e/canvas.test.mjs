import assert from "node:assert/strict";
import {
  card,
  drag,
  emptySpot,
  head,
  middle,
  names,
  overlaps,
  patternTests,
  place,
  places,
  press,
  searchCommands,
  seeColumn,
  selected,
  settled,
  undoButton,
  view,
} from "./gestures.mjs";

const onPattern = patternTests({ clipboard: true });

const near = (a, b, by, what) => assert.ok(Math.abs(a - b) <= by, `${what}: ${a} is not ${b}`);
const nearAll = (a, b, by, what) => a.forEach((value, at) => near(value, b[at], by, what));

/** The step that was just made is undone by one Ctrl+Z, and nothing was left to undo before it. */
async function wasOneStep(page, before) {
  await press(page, "Control+z");
  assert.deepEqual(await places(page), before);
  assert.ok(await undoButton(page).isDisabled(), "one more step was left");
}

/** Selects cards by click and Shift+click. */
async function select(page, ...wanted) {
  for (const [at, name] of wanted.entries()) {
    const modifiers = at === 0 ? [] : ["Shift"];
    for (const key of modifiers) await page.keyboard.down(key);
    await page.mouse.click(...(await head(page, name)));
    for (const key of modifiers) await page.keyboard.up(key);
  }
  await settled(page);
  assert.deepEqual(await selected(page), [...wanted].sort());
}

/** Boxes of cards as they are seen. */
const boxes = (page, ...wanted) => Promise.all(wanted.map((name) => card(page, name).boundingBox()));

onPattern("the wheel, Space and the middle button pan the canvas", async (page) => {
  const before = await places(page);
  const shift = async (act) => {
    const from = (await boxes(page, "Project"))[0];
    await act();
    const to = (await boxes(page, "Project"))[0];
    return [to.x - from.x, to.y - from.y];
  };
  const wheel = async () => {
    await page.mouse.move(...(await emptySpot(page)));
    await page.mouse.wheel(30, -50);
    await settled(page);
  };
  nearAll(await shift(wheel), [-30, 50], 1, "wheel");
  // Over a card, too.
  await card(page, "Tenant").focus();
  const [x, y] = await head(page, "Project");
  nearAll(await shift(() => drag(page, [x, y], [x + 40, y + 25], { hold: ["Space"] })), [40, 25], 1, "Space");
  const spot = await emptySpot(page);
  const to = [spot[0] - 35, spot[1] + 20];
  nearAll(await shift(() => drag(page, spot, to, { button: "middle" })), [-35, 20], 1, "middle button");
  assert.deepEqual(await places(page), before);
  assert.deepEqual(await selected(page), ["Tenant"]);
});

onPattern("panning with Space does not press the button that has the focus", async (page) => {
  await page.getByTitle("Start from a pattern of the library").focus();
  const spot = await emptySpot(page);
  await drag(page, spot, [spot[0] + 40, spot[1] + 25], { hold: ["Space"] });
  assert.equal(await page.locator("dialog[open]").count(), 0);
});

onPattern("Space that is released in another window pans no more", async (page) => {
  await card(page, "Tenant").focus();
  await page.keyboard.down("Space");
  // As the browser does when the window loses the focus.
  await page.evaluate(() => dispatchEvent(new Event("blur")));
  await page.mouse.click(...(await head(page, "Project")));
  await page.keyboard.up("Space");
  await settled(page);
  assert.deepEqual(await selected(page), ["Project"]);
});

onPattern("zooming keeps what is under the pointer, and the keys and buttons zoom too", async (page) => {
  const corner = async () => {
    const box = (await boxes(page, "Project"))[0];
    return [box.x, box.y];
  };
  const at = await corner();
  await page.mouse.move(...at);
  await page.keyboard.down("Control");
  for (const by of [-40, -40, 25]) await page.mouse.wheel(0, by);
  await page.keyboard.up("Control");
  await settled(page);
  assert.ok((await view(page)).zoom > 0.7, "it has zoomed in");
  nearAll(await corner(), at, 1, "the spot under the pointer");

  const zoom = async () => (await view(page)).zoom;
  const shown = () => page.getByRole("button", { name: /zoom to 100%$/i }).innerText();
  await press(page, "1");
  assert.equal(await zoom(), 1);
  assert.equal(await shown(), "100%");
  await press(page, "+");
  near(await zoom(), 1.25, 0.001, "+");
  await press(page, "-");
  await press(page, "-");
  near(await zoom(), 0.8, 0.001, "-");
  assert.equal(await shown(), "80%");

  const canvas = await page.locator(".canvas").boundingBox();
  const inside = (box) =>
    box.x >= canvas.x && box.y >= canvas.y && box.x + box.width <= canvas.x + canvas.width &&
    box.y + box.height <= canvas.y + canvas.height;
  await page.mouse.move(...(await emptySpot(page)));
  await page.mouse.wheel(600, 600);
  await press(page, "Shift+Digit1");
  const all = ["saas", "Subscription", "User", "Project", "Tenant", "GSI1", "GSI2", "GSI3"];
  assert.ok((await boxes(page, ...all)).every(inside), "every card is seen");
  const whole = await zoom();
  await select(page, "GSI2", "Project");
  await press(page, "Shift+Digit2");
  assert.ok((await zoom()) > whole, "two cards are seen larger than all");
  assert.ok((await boxes(page, "GSI2", "Project")).every(inside), "the selected cards are seen");
});

onPattern("click, Shift+click, marquee and Ctrl+A select cards; Escape cancels the marquee", async (page) => {
  await select(page, "Project", "GSI1", "Tenant");
  await page.keyboard.down("Shift");
  await page.mouse.click(...(await head(page, "GSI1")));
  await page.keyboard.up("Shift");
  assert.deepEqual(await selected(page), ["Project", "Tenant"]);

  const [user, project] = await boxes(page, "User", "Project");
  const from = [project.x + project.width + 30, project.y + 60];
  const to = [user.x + 30, user.y + 20];
  await drag(page, from, to, { keep: true });
  assert.ok(await page.locator(".marquee").isVisible());
  assert.deepEqual(await selected(page), ["Project", "User"]);
  await page.mouse.up();
  await settled(page);
  assert.ok(await page.locator(".marquee").isHidden());
  assert.deepEqual(await selected(page), ["Project", "User"]);

  // With Shift it adds; what Escape gives up leaves the selection as it was.
  const gsi = (await boxes(page, "GSI3"))[0];
  const beside = [gsi.x - 12, gsi.y - 12];
  const over = [gsi.x + 20, gsi.y + 20];
  await drag(page, beside, over, { keep: true });
  assert.deepEqual(await selected(page), ["GSI3"]);
  await page.mouse.move(over[0] - 4, over[1] + 4);
  await press(page, "Escape");
  assert.ok(await page.locator(".marquee").isHidden());
  await page.mouse.up();
  await drag(page, beside, over, { hold: ["Shift"] });
  assert.ok((await selected(page)).includes("GSI3"));

  await press(page, "Control+a");
  assert.equal((await selected(page)).length, 8);
  await press(page, "Escape");
  assert.deepEqual(await selected(page), []);
  assert.ok(await undoButton(page).isDisabled(), "selecting is no step");
});

onPattern("a marquee that Escape cancels leaves the selection as it was", async (page) => {
  await select(page, "Project", "Tenant");
  const gsi = (await boxes(page, "GSI1"))[0];
  await drag(page, [gsi.x - 12, gsi.y - 12], [gsi.x + 20, gsi.y + 20], { keep: true });
  assert.deepEqual(await selected(page), ["GSI1"]);
  await press(page, "Escape");
  await page.mouse.up();
  await settled(page);
  assert.deepEqual(await selected(page), ["Project", "Tenant"]);
});

onPattern("a dragged card snaps with guides, freely with Ctrl, and Escape puts it back", async (page) => {
  const before = await places(page);
  const { zoom } = await view(page);
  const [table] = await place(page, "saas");
  const [left] = await place(page, "Subscription");
  const from = await head(page, "Subscription");
  // Four pixels beside the table's left edge.
  const to = [from[0] + (table - left) * zoom + 4, from[1] + 33];

  await drag(page, from, to, { keep: true });
  assert.ok((await page.locator(".guide").count()) > 0, "a guide is shown");
  await page.mouse.up();
  await settled(page);
  assert.equal((await place(page, "Subscription"))[0], table);
  assert.equal(await page.locator(".guide").count(), 0);
  await wasOneStep(page, before);

  await page.mouse.move(...from);
  await page.mouse.down();
  await page.keyboard.down("Control");
  await page.mouse.move(...to, { steps: 6 });
  await settled(page);
  assert.equal(await page.locator(".guide").count(), 0);
  await page.mouse.up();
  await page.keyboard.up("Control");
  await settled(page);
  near((await place(page, "Subscription"))[0], table + 4 / zoom, 1, "free");
  await wasOneStep(page, before);

  await drag(page, from, to, { keep: true });
  assert.notDeepEqual(await places(page), before);
  await press(page, "Escape");
  assert.deepEqual(await places(page), before);
  assert.equal(await page.locator(".guide").count(), 0);
  await page.mouse.move(from[0] + 90, from[1] + 90);
  await page.mouse.up();
  await settled(page);
  assert.deepEqual(await places(page), before);
  assert.ok(await undoButton(page).isDisabled(), "a canceled drag is no step");
});

onPattern("a card that leaves the canvas quickly is dragged until the button is released", async (page) => {
  const before = await places(page);
  const from = await head(page, "Subscription");
  const canvas = await page.locator(".canvas").boundingBox();
  // One move, so that the pointer is never again over the canvas before it is outside.
  const outside = [from[0], canvas.y + canvas.height + 40];
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...outside);
  await page.mouse.move(from[0] + 60, from[1] + 20);
  await settled(page);
  assert.notDeepEqual(await places(page), before, "it follows");
  await page.mouse.up();
  await settled(page);
  await wasOneStep(page, before);

  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...outside);
  await page.mouse.up();
  await settled(page);
  const dropped = await places(page);
  assert.notDeepEqual(dropped, before, "it is dropped where the button was released");
  await page.mouse.move(from[0] + 60, from[1] + 60, { steps: 4 });
  await settled(page);
  assert.deepEqual(await places(page), dropped, "without a button it follows no more");
  await wasOneStep(page, before);
});

onPattern("selected cards are dragged together, and arrow keys nudge them", async (page) => {
  const before = await places(page);
  const { zoom } = await view(page);
  await select(page, "User", "GSI1");
  const [x, y] = await head(page, "User");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.keyboard.down("Control");
  await page.mouse.move(x + 20, y - 10, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Control");
  await settled(page);
  const moved = await places(page);
  for (const id of Object.keys(before)) {
    const by = id === "e13" || id === "i1" ? [20 / zoom, -10 / zoom] : [0, 0];
    nearAll(moved[id], [before[id][0] + by[0], before[id][1] + by[1]], 1, id);
  }
  await wasOneStep(page, before);

  await card(page, "Project").focus();
  const [px, py] = await place(page, "Project");
  await press(page, "ArrowRight");
  const small = (await place(page, "Project"))[0] - px;
  assert.ok(small > 0 && small <= 10, `a nudge of ${small}`);
  await press(page, "Shift+ArrowDown");
  const large = (await place(page, "Project"))[1] - py;
  assert.ok(large >= 4 * small, `with Shift ${large}`);
});

onPattern("arrow keys in quick succession are one undo step", async (page) => {
  const before = await places(page);
  await card(page, "Project").focus();
  // All at once: a browser under load may take its time for each key.
  await page.evaluate(() => {
    const press = () => new KeyboardEvent("keydown", { key: "ArrowRight", code: "ArrowRight", bubbles: true, cancelable: true });
    for (let count = 0; count < 5; count += 1) document.activeElement.dispatchEvent(press());
  });
  await settled(page);
  const project = await card(page, "Project").getAttribute("data-card");
  near((await place(page, "Project"))[0] - before[project][0], 20, 0.5, "five nudges");
  await wasOneStep(page, before);
});

onPattern("Shift+click beside the cards keeps the selection, and a click there clears it", async (page) => {
  await select(page, "User", "Project");
  const spot = await emptySpot(page);
  await page.keyboard.down("Shift");
  await page.mouse.click(...spot);
  await page.keyboard.up("Shift");
  await settled(page);
  assert.deepEqual(await selected(page), ["Project", "User"]);
  await page.mouse.click(...spot);
  await settled(page);
  assert.deepEqual(await selected(page), []);
});

onPattern("several cards are selected by Alt+Shift+arrow, Ctrl+Space and the menu", async (page) => {
  await card(page, "User").focus();
  assert.deepEqual(await selected(page), ["User"]);
  for (const way of ["Left", "Right", "Up", "Down"]) {
    if ((await selected(page)).length === 1) await press(page, `Alt+Shift+Arrow${way}`);
  }
  const both = await selected(page);
  assert.ok(both.length === 2 && both.includes("User"), String(both));
  const other = both.find((name) => name !== "User");
  assert.equal(await page.evaluate(() => document.activeElement.querySelector(".card-name").textContent), other);
  await press(page, "Control+Space");
  assert.deepEqual(await selected(page), ["User"]);
  await press(page, "Control+Space");
  assert.deepEqual(await selected(page), both);

  await select(page, "User");
  const menu = page.getByRole("menu");
  const choose = async (name, line) => {
    await page.mouse.click(...(await head(page, name)), { button: "right" });
    await menu.getByRole("menuitem", { name: line }).click();
    await settled(page);
  };
  await choose("Project", "Add to selection");
  assert.deepEqual(await selected(page), ["Project", "User"]);
  await choose("Tenant", "Add to selection");
  assert.deepEqual(await selected(page), ["Project", "Tenant", "User"]);
  await choose("User", "Remove from selection");
  assert.deepEqual(await selected(page), ["Project", "Tenant"]);
  // A card that alone is selected needs no such line.
  await select(page, "User");
  await page.mouse.click(...(await head(page, "User")), { button: "right" });
  const lines = menu.locator(".menu-text", { hasText: /selection$/ });
  assert.deepEqual(await lines.allTextContents(), ["Show selection"]);
  await press(page, "Escape");
  assert.ok(await undoButton(page).isDisabled(), "selecting is no step");
});

onPattern("undo restores deleted cards, and redo deletes them again", async (page) => {
  const before = await places(page);
  const wires = await page.locator("[data-wire]").count();
  await select(page, "User", "GSI2");
  await press(page, "Delete");
  assert.deepEqual(await names(page), ["Tenant", "Subscription", "Project"]);
  assert.equal(await card(page, "GSI2").count(), 0);
  await wasOneStep(page, before);
  assert.equal(await page.locator("[data-wire]").count(), wires);
  await press(page, "Control+Shift+z");
  assert.deepEqual(await names(page), ["Tenant", "Subscription", "Project"]);
  await press(page, "Control+z");
  await press(page, "Control+y");
  assert.equal(await card(page, "GSI2").count(), 0);
});

onPattern("cards are aligned and distributed by keys", async (page) => {
  const before = await places(page);
  const ways = {
    "Alt+a": (box) => box.x,
    "Alt+h": (box) => box.x + box.width / 2,
    "Alt+d": (box) => box.x + box.width,
    "Alt+w": (box) => box.y,
    "Alt+v": (box) => box.y + box.height / 2,
    "Alt+s": (box) => box.y + box.height,
  };
  await select(page, "Subscription", "User", "GSI2");
  for (const [keys, of] of Object.entries(ways)) {
    await press(page, keys);
    const lines = (await boxes(page, "Subscription", "User", "GSI2")).map(of);
    assert.ok(Math.max(...lines) - Math.min(...lines) < 1, `${keys}: ${lines}`);
    assert.notDeepEqual(await places(page), before);
    await wasOneStep(page, before);
  }

  const gaps = (boxes, from, length) => {
    const sorted = [...boxes].sort((a, b) => a[from] - b[from]);
    return sorted.slice(1).map((box, at) => box[from] - (sorted[at][from] + sorted[at][length]));
  };
  await press(page, "Alt+Shift+h");
  const [first, second] = gaps(await boxes(page, "Subscription", "User", "GSI2"), "x", "width");
  near(first, second, 1, "gaps beside one another");
  assert.notDeepEqual(await places(page), before);
  await wasOneStep(page, before);

  await card(page, "Project").focus();
  await press(page, "Shift+ArrowDown");
  await select(page, "User", "Project", "Tenant");
  const uneven = gaps(await boxes(page, "User", "Project", "Tenant"), "y", "height");
  assert.ok(Math.abs(uneven[0] - uneven[1]) > 20, String(uneven));
  await press(page, "Alt+Shift+v");
  const even = gaps(await boxes(page, "User", "Project", "Tenant"), "y", "height");
  near(even[0], even[1], 1, "gaps below one another");
});

onPattern("arranging all cards leaves no overlap, and arranging again changes nothing", async (page) => {
  const from = await head(page, "Subscription");
  const [user] = await boxes(page, "User");
  await drag(page, from, [user.x + 60, user.y + 50]);
  assert.notDeepEqual(await overlaps(page), []);
  const before = await places(page);
  await press(page, "Shift+A");
  assert.deepEqual(await overlaps(page), []);
  const arranged = await places(page);
  await press(page, "Shift+A");
  assert.deepEqual(await places(page), arranged);
  await card(page, "Project").focus();
  await press(page, "ArrowRight");
  assert.notDeepEqual(await places(page), arranged);
  await press(page, "Shift+A");
  assert.deepEqual(await places(page), arranged, "a card that was nudged goes back");
  for (const _ of ["arranged", "nudged", "arranged"]) await press(page, "Control+z");
  assert.deepEqual(await places(page), before);
});

onPattern("cards show all attributes, keys or names", async (page) => {
  const user = card(page, "User");
  const seen = async () => [await user.locator(".attributes li").count(), await user.locator(".key-row").count()];
  const choice = page.getByLabel("Card details");
  const heights = [(await user.boundingBox()).height];
  assert.deepEqual(await seen(), [5, 4]);
  await press(page, "Alt+2");
  heights.push((await user.boundingBox()).height);
  assert.deepEqual(await seen(), [0, 4]);
  await choice.selectOption({ label: "Names only" });
  heights.push((await user.boundingBox()).height);
  assert.deepEqual(await seen(), [0, 0]);
  assert.ok(heights[0] > heights[1] && heights[1] > heights[2], String(heights));
  await press(page, "Escape");
  await press(page, "Alt+1");
  assert.deepEqual(await seen(), [5, 4]);
  assert.equal(await choice.locator("option:checked").innerText(), "All attributes");
});

onPattern("item collections are shown as named groups around their cards", async (page) => {
  assert.match(await page.locator(".group-name").first().textContent(), /^TENANT#/);
  const grounds = await page.locator(".group").evaluateAll((all) => all.map((rect) => rect.getBoundingClientRect().toJSON()));
  for (const name of ["Tenant", "Subscription", "User", "Project"]) {
    const box = (await boxes(page, name))[0];
    const holds = (ground) =>
      ground.left < box.x && ground.top < box.y && ground.right > box.x + box.width && ground.bottom > box.y + box.height;
    assert.ok(grounds.some(holds), `${name} is on no ground`);
  }
  await page.getByLabel("Item collections").selectOption({ label: "GSI1" });
  assert.equal(await page.locator(".group").count(), 0, "nothing is shared in GSI1");
  await page.keyboard.press("Escape");
  await press(page, "i");
  assert.equal(await page.getByLabel("Item collections").locator("option:checked").innerText(), "No groups");
});

onPattern("a card is renamed in place; Escape and a refused name keep the old name", async (page) => {
  const field = page.locator(".card-rename");
  await page.mouse.dblclick(...(await middle(card(page, "User").locator(".card-name"))));
  await field.waitFor();
  await page.keyboard.type("Member");
  await press(page, "Enter");
  assert.deepEqual(await names(page), ["Tenant", "Subscription", "Member", "Project"]);
  assert.ok(await page.locator(".outline-row", { hasText: "Member" }).isVisible());
  assert.equal(await page.evaluate(() => document.activeElement.querySelector(".card-name")?.textContent), "Member");

  await press(page, "F2");
  await page.keyboard.type("Other");
  await press(page, "Escape");
  assert.equal(await field.count(), 0);
  assert.equal(await card(page, "Member").count(), 1);
  await press(page, "Control+z");
  assert.equal(await card(page, "User").count(), 1);

  await page.mouse.dblclick(...(await middle(card(page, "GSI1").locator(".card-name"))));
  await field.waitFor();
  await page.keyboard.type("a b");
  await press(page, "Enter");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.match(await page.locator(".notices").innerText(), /\S/);
  await press(page, "Escape");
  assert.equal(await card(page, "GSI1").count(), 1);
  assert.ok(await undoButton(page).isDisabled(), "a refused name is no step");
});

onPattern("a right click opens the menu of a card and of the canvas", async (page) => {
  const menu = page.getByRole("menu");
  await page.mouse.click(...(await head(page, "Project")), { button: "right" });
  assert.equal(await menu.getAttribute("aria-label"), "Project");
  assert.deepEqual(await selected(page), ["Project"]);
  await menu.getByRole("menuitem", { name: "Duplicate" }).click();
  assert.equal((await names(page)).length, 5);
  await press(page, "Control+z");
  assert.equal((await names(page)).length, 4);

  const spot = await emptySpot(page);
  await page.mouse.click(...spot, { button: "right" });
  assert.equal(await menu.getAttribute("aria-label"), "Canvas");
  await press(page, "Escape");
  assert.equal(await menu.count(), 0);
  await page.mouse.click(...spot, { button: "right" });
  await menu.getByRole("menuitem", { name: "Add entity" }).click();
  await settled(page);
  const [box] = await boxes(page, "Entity");
  nearAll([box.x, box.y], spot, 1, "it is where the menu was opened");
});

onPattern("with an open menu, Ctrl+X and Ctrl+C act on what it was opened for", async (page) => {
  const before = await names(page);
  const menu = page.getByRole("menu");
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await select(page, "User");
  await seeColumn(page, "email");
  const found = page.locator("[data-grid] [data-sample] [data-column=email]", { hasText: "@" }).first();
  const text = (await found.textContent()).trim();
  const sample = await found.evaluate((cell) => cell.closest("[data-sample]").dataset.sample);
  const cell = page.locator(`[data-grid] [data-sample="${sample}"] [data-column=email]`);
  await cell.click({ button: "right" });
  assert.equal(await menu.getAttribute("aria-label"), "Cells");
  await press(page, "Control+x");
  assert.equal(await menu.count(), 0);
  assert.deepEqual(await names(page), before, "the selected card stays");
  assert.doesNotMatch(await cell.textContent(), /@/);
  assert.ok((await copied()).includes(text));

  await page.mouse.click(...(await head(page, "Project")), { button: "right" });
  assert.equal(await menu.getAttribute("aria-label"), "Project");
  await press(page, "Control+c");
  assert.equal(await menu.count(), 0);
  assert.match(await copied(), /PROJECT#/);
});

onPattern("a click on the minimap goes there", async (page) => {
  await press(page, "1");
  // Where it covers no card.
  await page.mouse.move(...(await emptySpot(page)));
  await page.mouse.wheel(500, 0);
  await settled(page);
  const map = await page.locator(".minimap").boundingBox();
  const before = await view(page);
  const to = [map.x + map.width * 0.55, map.y + map.height * 0.6];
  // A menu beside the map, which the press closes.
  const region = await page.locator(".canvas").boundingBox();
  const isLeft = map.x < region.x + region.width / 2;
  await page.mouse.click(isLeft ? map.x + map.width + 40 : map.x - 400, region.y + 30, { button: "right" });
  await page.getByRole("menu").waitFor();
  await page.mouse.click(...to);
  assert.equal(await page.getByRole("menu").count(), 0);
  await settled(page);
  assert.notDeepEqual(await view(page), before);
  nearAll(await middle(page.locator(".map-seen")), to, 2, "the middle of what is seen");
  assert.equal((await view(page)).zoom, 1);
});

onPattern("Ctrl+D and Alt+drag make copies", async (page) => {
  const before = await places(page);
  await select(page, "User", "GSI1");
  await press(page, "Control+d");
  assert.equal((await names(page)).length, 5);
  assert.equal((await selected(page)).length, 2, "the copies are selected");
  await wasOneStep(page, before);

  const { zoom } = await view(page);
  const from = await head(page, "Subscription");
  await drag(page, from, [from[0] - 60, from[1] + 190], { hold: ["Alt"] });
  const now = await places(page);
  const added = Object.keys(now).filter((id) => !(id in before));
  assert.equal(added.length, 1);
  const old = Object.fromEntries(Object.entries(now).filter(([id]) => id in before));
  assert.deepEqual(old, before, "what was dragged stays");
  const [x, y] = await place(page, "Subscription");
  nearAll(now[added[0]], [x - 60 / zoom, y + 190 / zoom], 11, "the copy is where it was dropped");
  await wasOneStep(page, before);
});

onPattern("Alt+drag of a card together with the table puts the copy where it is dropped", async (page) => {
  const before = await places(page);
  await select(page, "saas", "User");
  const { zoom } = await view(page);
  const from = await head(page, "User");
  await drag(page, from, [from[0] + 40, from[1] + 60], { hold: ["Alt"] });
  const now = await places(page);
  const added = Object.keys(now).filter((id) => !(id in before));
  assert.equal(added.length, 1, "the table is not copied");
  const [x, y] = before.e13;
  nearAll(now[added[0]], [x + 40 / zoom, y + 60 / zoom], 11, "the copy is where it was dropped");
  await wasOneStep(page, before);
});

onPattern(
  "cards are copied as text through the system clipboard, within a design and to another",
  async (page) => {
    const before = await places(page);
    await select(page, "User", "GSI1");
    await press(page, "Control+c");
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(text, /USER_EMAIL#/);
    await press(page, "Control+v");
    assert.equal((await names(page)).length, 5);
    assert.equal((await selected(page)).length, 2);
    await wasOneStep(page, before);

    // After a click on the empty canvas, too.
    await page.mouse.click(...(await emptySpot(page)));
    await press(page, "Control+v");
    assert.equal((await names(page)).length, 5);
    await wasOneStep(page, before);

    await select(page, "User");
    await press(page, "Control+x");
    assert.deepEqual(await names(page), ["Tenant", "Subscription", "Project"]);
    await press(page, "Control+v");
    assert.equal((await names(page)).length, 4);
    assert.equal(await card(page, "User").count(), 1);
    await press(page, "Control+z");
    await wasOneStep(page, before);

    await page.evaluate(() => navigator.clipboard.writeText("no cards at all"));
    await card(page, "Tenant").focus();
    await press(page, "Control+v");
    assert.match(await page.locator(".notices").innerText(), /Nothing was pasted/);
    assert.deepEqual(await places(page), before);
    assert.ok(await undoButton(page).isDisabled());

    await select(page, "User", "GSI1");
    await press(page, "Control+c");
    await searchCommands(page, "New design");
    await press(page, "Enter");
    await page.waitForFunction(() => !document.querySelector(".entity-card"));
    await press(page, "Control+v");
    assert.deepEqual(await names(page), ["User"]);
    assert.equal(await page.locator(".index-card:not(.primary-card)").count(), 1);
    const user = card(page, "User");
    assert.match(await user.innerText(), /USER_EMAIL#/);
    assert.equal(await page.locator("[data-wire]:not(.primary)").count(), 1, "they are wired as they were");
  },
);

onPattern("the canvas has its own layer only while it is panned", async (page) => {
  // In one go: with a pause between them, turns of the wheel are turns of their own.
  const turned = (times) => page.evaluate(async (times) => {
    for (let turn = 0; turn < times; turn += 1) {
      const options = { deltaY: 40, bubbles: true, cancelable: true };
      document.querySelector(".canvas").dispatchEvent(new WheelEvent("wheel", options));
    }
    await new Promise((drawn) => requestAnimationFrame(drawn));
    return getComputedStyle(document.querySelector(".world")).animationName;
  }, times);
  const layered = () => page.locator(".world").evaluate((world) => getComputedStyle(world).animationName);
  for (const motion of ["no-preference", "reduce"]) {
    await page.emulateMedia({ reducedMotion: motion });
    assert.equal(await turned(1), "none", "one turn is not worth it");
    assert.equal(await turned(3), "still");
    await page.waitForFunction(() => !document.querySelector(".canvas.sliding"));
    assert.equal(await layered(), "none");

    await page.mouse.move(700, 300);
    await page.mouse.down({ button: "middle" });
    await page.mouse.move(740, 340, { steps: 3 });
    assert.equal(await layered(), "still");
    await page.mouse.up({ button: "middle" });
    assert.equal(await layered(), "none");
  }
});

onPattern("of two overlapping cards, the selected one is on top", async (page) => {
  const under = await card(page, "Tenant").boundingBox();
  await drag(page, await head(page, "User"), [under.x + 60, under.y + 50]);
  const [user, tenant] = [await card(page, "User").boundingBox(), await card(page, "Tenant").boundingBox()];
  const spot = [Math.max(user.x, tenant.x) + 20, Math.max(user.y, tenant.y) + 20];
  const top = () => page.evaluate(([x, y]) => document.elementFromPoint(x, y).closest("[data-card]").dataset.card, spot);
  for (const name of ["Tenant", "User", "Tenant"]) {
    await card(page, name).focus();
    await settled(page);
    assert.deepEqual(await selected(page), [name]);
    assert.equal(await top(), await card(page, name).getAttribute("data-card"), `${name} is selected`);
  }
});

onPattern("a drag at the edge moves the view while it stays there", async (page) => {
  const region = await page.locator(".canvas").boundingBox();
  const edge = [region.x + region.width - 4, region.y + region.height / 2];
  const seen = await view(page);
  const [x] = await place(page, "User");
  await drag(page, await head(page, "User"), edge, { keep: true, hold: ["Control"] });
  await page.waitForFunction((from) => new DOMMatrix(getComputedStyle(document.querySelector(".world")).transform).e < from - 200, seen.x);
  const under = await card(page, "User").boundingBox();
  assert.ok(edge[0] >= under.x && edge[0] <= under.x + under.width, "the card stays under the pointer");
  await page.mouse.move(region.x + region.width / 2, edge[1]);
  await settled(page);
  await settled(page);
  const rests = await view(page);
  await settled(page);
  assert.deepEqual(await view(page), rests, "away from the edge the view rests");
  await page.mouse.up();
  await page.keyboard.up("Control");
  await settled(page);
  const moved = (await place(page, "User"))[0] - x;
  assert.ok(moved > (seen.x - rests.x) / seen.zoom, "by what the view went and more");
  await press(page, "Control+z");
  assert.equal((await place(page, "User"))[0], x, "it was one step");
});

onPattern("a key hides and shows the minimap, and a reload keeps the choice", async (page) => {
  const map = page.locator(".minimap");
  await page.mouse.move(...(await emptySpot(page)));
  await page.mouse.wheel(600, 0);
  await map.waitFor();
  await press(page, "m");
  await map.waitFor({ state: "hidden" });
  await page.reload();
  await page.locator(".entity-card").first().waitFor();
  await page.mouse.move(...(await emptySpot(page)));
  await page.mouse.wheel(600, 0);
  await settled(page);
  assert.ok(!(await map.isVisible()));
  await press(page, "m");
  await map.waitFor();
});

onPattern("a minimap that has nothing to show says so when it is switched on", async (page) => {
  await press(page, "m");
  assert.equal(await page.locator(".notices").innerText(), "");
  await press(page, "m");
  await page.locator(".notices", { hasText: "shown while cards are out of view" }).waitFor();
});

onPattern("the minimap never covers a card, and is smaller where there is less room", async (page) => {
  const map = page.locator(".minimap");
  const widths = new Set();
  for (let turn = 0; turn < 24; turn++) {
    await page.mouse.move(...(await emptySpot(page)));
    await page.mouse.wheel(turn % 4 < 2 ? 90 : -90, turn % 2 ? 70 : -70);
    if (turn % 6 === 5) await press(page, turn % 12 === 5 ? "+" : "-");
    await settled(page);
    if (!(await map.isVisible())) continue;
    const own = await map.boundingBox();
    widths.add(Math.round(own.width));
    for (const box of await Promise.all((await page.locator(".canvas [data-card]").all()).map((card) => card.boundingBox()))) {
      const apart = box.x >= own.x + own.width || box.x + box.width <= own.x || box.y >= own.y + own.height || box.y + box.height <= own.y;
      assert.ok(apart, `${JSON.stringify(box)} is under ${JSON.stringify(own)}`);
    }
  }
  assert.ok(widths.size > 0 && [...widths].every((width) => width === 160 || width === 96), [...widths].join());
});

onPattern("the inspector of several cards offers to align them", async (page) => {
  await select(page, "User", "Project");
  await page.locator(".inspector[aria-busy=false]").getByRole("button", { name: "Align left" }).click();
  await settled(page);
  const [user, project] = await boxes(page, "User", "Project");
  assert.equal(user.x, project.x);
});

onPattern("a fitted view stays fitted when the canvas is resized, until the user moves the view", async (page) => {
  const inSight = () =>
    page.evaluate(() => {
      const canvas = document.querySelector(".canvas").getBoundingClientRect();
      const cards = [...document.querySelectorAll(".canvas [data-card]")].map((card) => card.getBoundingClientRect());
      return cards.every((card) => card.top >= canvas.top && card.bottom <= canvas.bottom && card.right <= canvas.right);
    });
  assert.ok(await inSight());
  const before = await view(page);
  await page.getByRole("tab", { name: /^Access patterns/ }).click();
  await settled(page);
  await settled(page);
  assert.ok((await view(page)).zoom < before.zoom);
  assert.ok(await inSight());
  assert.ok(!(await page.locator(".minimap").isVisible()), "a map of what is in sight is in the way");
  await page.getByRole("tab", { name: "Table", exact: true }).click();
  await settled(page);
  await settled(page);
  assert.deepEqual(await view(page), before);
  await page.mouse.move(...(await emptySpot(page)));
  await page.mouse.wheel(0, 10);
  await settled(page);
  const moved = await view(page);
  await page.getByRole("tab", { name: /^Access patterns/ }).click();
  await settled(page);
  await settled(page);
  assert.deepEqual(await view(page), moved);
});

onPattern("keys other than Escape do nothing while a card is dragged", async (page) => {
  await drag(page, await head(page, "Tenant"), await head(page, "Tenant").then(([x, y]) => [x + 30, y + 60]));
  const before = await places(page);
  const [x, y] = await head(page, "Project");
  await drag(page, [x, y], [x + 40, y + 40], { keep: true });
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Delete");
  await page.mouse.up();
  await settled(page);
  await press(page, "Control+z");
  assert.deepEqual(await places(page), before, "the drag is undone, and the step before it is still there");
  assert.ok(await undoButton(page).isEnabled());
});

onPattern("a double click on a port or a wire adds no entity", async (page) => {
  const before = await names(page);
  await page.mouse.dblclick(...(await middle(card(page, "User").locator("[data-port]"))));
  const wire = await page.evaluate(() => {
    const path = document.querySelector("[data-wire] .wire-hit");
    const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
    const at = new DOMPoint(x, y).matrixTransform(path.getScreenCTM());
    return [at.x, at.y];
  });
  await page.mouse.dblclick(...wire);
  await settled(page);
  assert.deepEqual(await names(page), before);
});

onPattern("Escape cancels a drag from the palette", async (page) => {
  const before = await names(page);
  const from = await middle(page.locator("[data-piece=Entity]"));
  await drag(page, from, await emptySpot(page), { keep: true });
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await settled(page);
  assert.deepEqual(await names(page), before);
  // By keyboard the button still adds one.
  await page.locator("[data-piece=Entity]").focus();
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal((await names(page)).length, before.length + 1);
});

onPattern("a dragged card stays under the pointer when the wheel pans or zooms", async (page) => {
  const from = await head(page, "Project");
  const to = [from[0] - 60, from[1] - 40];
  const before = await card(page, "Project").boundingBox();
  const { zoom } = await view(page);
  await drag(page, from, to, { keep: true, hold: ["Control"] });
  const held = async () => {
    const box = await card(page, "Project").boundingBox();
    const now = (await view(page)).zoom;
    return [(to[0] - box.x) / now, (to[1] - box.y) / now];
  };
  const grip = [(from[0] - before.x) / zoom, (from[1] - before.y) / zoom];
  nearAll(await held(), grip, 1.5, "dragged");
  await page.mouse.wheel(0, 60);
  await settled(page);
  await settled(page);
  nearAll(await held(), grip, 1.5, "zoomed with Ctrl");
  assert.notEqual((await view(page)).zoom, zoom);
  await page.keyboard.up("Control");
  await page.mouse.wheel(40, 70);
  await settled(page);
  await settled(page);
  // It may snap now that Ctrl is up.
  nearAll(await held(), grip, 12, "panned");
  await page.mouse.up();
});

onPattern("a double click that begins on a tab that moves away adds nothing to the canvas", async (page) => {
  const before = await page.locator(".entity-card").count();
  await page.getByRole("tab", { name: /Access patterns/ }).click();
  const tab = await page.getByRole("tab", { name: "GSI1" }).boundingBox();
  // Nor with a press on the canvas just before, which is elsewhere.
  const canvas = await page.locator(".canvas").boundingBox();
  await page.mouse.click(canvas.x + canvas.width - 20, canvas.y + canvas.height - 20);
  await page.mouse.dblclick(tab.x + tab.width / 2, tab.y + tab.height / 2);
  await settled(page);
  assert.equal(await page.locator(".entity-card").count(), before);
});
