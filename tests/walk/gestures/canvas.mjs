// Cards and wires.

const card = (id) => `.canvas [data-card="${id}"]`;
const head = [0.3, 0.1];

/** Where a card can be pressed: at its head, a note anywhere. */
const cardHead = (id) => [id.startsWith("n") ? card(id) : `${card(id)} .card-head`, { scroll: false, part: [0.35, 0.5], not: "[data-port]", inside: ".canvas", clear: 10 }];
/** Where a wire is dropped on a card. */
const dropOn = (id) => [`${card(id)} .card-head`, { scroll: false, part: [0.35, 0.5], not: "[data-port]", inside: ".canvas", clear: 4, strict: true }];

/** Goes to a card as one does by the outline: it comes into sight. */
async function reveal(walk, id) {
  await walk.show("Canvas");
  if (await walk.hand.sees(...cardHead(id))) return;
  await walk.page.evaluate((selector) => document.querySelector(selector)?.focus(), card(id));
  await walk.hand.keys("Shift+Digit1");
  await walk.hand.advance(300);
  await walk.hand.frame();
}


const anyNamed = (walk, random) => random.pick([...walk.truth.entities, ...walk.truth.indexes]);
const anyCard = (walk, random) => random.pick([...walk.truth.entities, ...walk.truth.indexes, ...walk.truth.notes]);

/** An entity's entry in a secondary index. */
const anyWire = (walk, random, more) => {
  const all = walk.truth.entities.flatMap(({ id, keys }) => keys.filter((key) => key.index !== "primary").map((key) => ({ entity: id, index: key.index })));
  return all.length ? { ...random.pick(all), ...more } : null;
};

/** Where a wire can be pressed. What is under the mouse lights up, and may lie below another wire from then on. */
async function wireAt(walk, id) {
  await walk.show("Canvas");
  const point = () => walk.page.evaluate((id) => window.__walk.wirePoint(id), id);
  const at = await point();
  if (!at || walk.hand.touch) return at;
  await walk.page.mouse.move(...at);
  await walk.hand.frame();
  const same = await point();
  return same && same.every((part, axis) => part === at[axis]) ? at : null;
}

/** Gives a card the keyboard focus, and selects it alone. */
async function focusCard(walk, id) {
  await reveal(walk, id);
  await walk.hand.pressAt(await walk.hand.at(...cardHead(id)));
}

const noteTexts = ["", "Ask", "Which GSI serves this?\nSee the runbook.", "a".repeat(70), "Ünï cødé 名前", "# *x* <b>"];

export const names = ["Thing", "", "User", "Ünï cødé", "a".repeat(60), "Order Item", "X#Y", "GSI1", "2nd", "  padded "];

export const canvas = {
  addEntity: {
    weight: 2,
    choose: (walk, random) => (walk.truth.entities.length < 12 ? { how: random.pick(["key", "palette", "drag"]), spot: [random.part(), random.part()] } : null),
    async run(walk, { how, spot }) {
      await add(walk, "Entity", how, spot);
      walk.does = [{ c: "addEntity" }];
    },
  },
  addIndex: {
    weight: 1,
    choose: (walk, random) =>
      walk.truth.indexes.length < 6 ? { lsi: random.chance(0.3), how: random.pick(["key", "palette", "drag"]), spot: [random.part(), random.part()] } : null,
    async run(walk, { lsi, how, spot }) {
      await add(walk, lsi ? "LSI" : "GSI", lsi && how === "key" ? "palette" : how, spot);
      walk.does = [{ c: "addIndex", lsi }];
    },
  },
  selectCard: {
    weight: 3,
    choose: (walk, random) => ({ card: anyCard(walk, random).id, way: random.pick(["canvas", "outline"]) }),
    async run(walk, { card: id, way }) {
      // The outline has no notes.
      if (way === "canvas" || id.startsWith("n")) return focusCard(walk, id);
      await walk.inspect(id);
    },
  },
  selectNothing: {
    weight: 0.7,
    choose: (_, random) => ({ spot: [random.part(), random.part()] }),
    async run(walk, { spot }) {
      await walk.show("Canvas");
      await walk.hand.pressAt(await walk.hand.emptySpot(spot));
    },
  },
  marquee: {
    weight: 0.7,
    choose: (_, random) => ({ from: [random.part(), random.part()], to: [random.part(), random.part()] }),
    async run(walk, { from, to }) {
      await walk.show("Canvas");
      await walk.hand.drag(await walk.hand.emptySpot(from), await walk.hand.emptySpot(to));
    },
  },
  dragCard: {
    weight: 3,
    choose: (walk, random) => ({ card: anyCard(walk, random).id, by: [random.int(-150, 150), random.int(-120, 120)], escape: random.chance(0.2) }),
    async run(walk, { card: id, by, escape }) {
      await focusCard(walk, id);
      await walk.hand.frame();
      const from = await walk.hand.at(...cardHead(id));
      const to = [from[0] + by[0], from[1] + by[1]];
      await walk.hand.drag(from, to, { keep: escape });
      if (!escape) return void (walk.does = [{ c: "move", cards: [id] }]);
      await walk.hand.keys("Escape");
      await walk.hand.letGo();
    },
  },
  nudge: {
    weight: 1,
    choose: (walk, random) => ({ card: anyCard(walk, random).id, key: random.pick(["ArrowLeft", "ArrowUp", "Shift+ArrowDown", "ArrowRight"]) }),
    async run(walk, { card: id, key }) {
      await focusCard(walk, id);
      walk.byKey = true;
      await walk.hand.keys(key);
      walk.does = [{ c: "move", cards: [id] }];
    },
  },
  wire: {
    weight: 2,
    choose: (walk, random) => {
      const entity = random.pick(walk.truth.entities);
      return entity ? { entity: entity.id, index: random.pick(walk.truth.indexes).id } : null;
    },
    async run(walk, { entity, index }) {
      await reveal(walk, entity);
      const from = await walk.hand.at(`${card(entity)} [data-port]`, { scroll: false, inside: ".canvas" });
      await walk.hand.drag(from, await walk.hand.at(...dropOn(index)));
      walk.does = [{ c: "join", entity, index }];
    },
  },
  leaveByWire: {
    weight: 1,
    choose: (walk, random) => anyWire(walk, random, { how: random.pick(["key", "menu"]) }),
    async run(walk, { entity, index, how }) {
      const at = await wireAt(walk, `${entity}-${index}`);
      if (!at) return;
      if (how === "key") {
        await walk.hand.pressAt(at);
        await walk.hand.keys("Delete");
      } else {
        await walk.hand.menuAt(at);
        await walk.hand.frame();
        await walk.chooseLine("Delete");
      }
      walk.does = [{ c: "leave", entity, index }];
    },
  },
  moveWire: {
    weight: 1,
    choose: (walk, random) => anyWire(walk, random, { to: random.pick(walk.truth.indexes).id }),
    async run(walk, { entity, index, to }) {
      await walk.show("Canvas");
      const at = await walk.page.evaluate((id) => window.__walk.wirePoint(id, true), `${entity}-${index}`);
      if (!at) return;
      await walk.hand.drag(at, await walk.hand.at(...dropOn(to)));
      // The ends of several wires lie upon each other: which is meant is not foretold.
      walk.does = "any";
    },
  },
  wireToEmpty: {
    weight: 0.7,
    choose: (walk, random) => {
      const entity = random.pick(walk.truth.entities);
      return entity && walk.truth.indexes.length < 6 ? { entity: entity.id, spot: [random.part(), random.part()] } : null;
    },
    async run(walk, { entity, spot }) {
      await reveal(walk, entity);
      const from = await walk.hand.at(`${card(entity)} [data-port]`, { scroll: false, inside: ".canvas" });
      await walk.hand.drag(from, await walk.hand.emptySpot(spot));
      walk.does = [{ c: "addIndexFor", entity }];
    },
  },
  addNote: {
    weight: 1,
    choose: (walk, random) =>
      walk.truth.notes.length < 5
        ? { how: random.pick(["key", "palette", "drag"]), spot: [random.part(), random.part()], text: random.pick(noteTexts), end: random.pick(["Control+Enter", "Escape", "press"]) }
        : null,
    async run(walk, { how, spot, text, end }) {
      await add(walk, "Note", how, spot);
      walk.does = [{ c: "addNote" }];
      await walk.hand.frame();
      await write(walk, text, end, null);
    },
  },
  writeNote: {
    weight: 1,
    choose: (walk, random) =>
      walk.truth.notes.length
        ? { note: random.pick(walk.truth.notes).id, way: random.pick(["Enter", "F2", "twice"]), text: random.pick(noteTexts), end: random.pick(["Control+Enter", "Escape", "press"]) }
        : null,
    async run(walk, { note, way, text, end }) {
      await focusCard(walk, note);
      if (way === "twice") await walk.hand.twiceAt(await walk.hand.at(...cardHead(note)));
      else await walk.hand.keys(way);
      await walk.hand.frame();
      await write(walk, text, end, note);
    },
  },
  noteHue: {
    weight: 0.4,
    choose: (walk, random) => (walk.truth.notes.length ? { note: random.pick(walk.truth.notes).id, hue: random.int(0, 11) } : null),
    async run(walk, { note, hue }) {
      await focusCard(walk, note);
      await walk.show("Inspector");
      await walk.hand.press(`.inspector .swatch.hue-${hue}`);
      walk.does = [{ c: "noteHue", note, hue }];
    },
  },
  renameCard: {
    weight: 1.5,
    choose: (walk, random) => ({ card: anyNamed(walk, random).id, name: random.pick(names), end: random.pick(["Enter", "Escape", "press"]), way: random.pick(["F2", "twice"]) }),
    async run(walk, { card: id, name, end, way }) {
      await focusCard(walk, id);
      if (way === "F2") await walk.hand.keys("F2");
      else await walk.hand.twiceAt(await walk.hand.at(`${card(id)} .card-name`, { scroll: false }));
      await walk.hand.frame();
      // A field under the minimap is open, but cannot be seen.
      if (!(await walk.hand.sees(".card-rename"))) return walk.hand.keys("Escape");
      await walk.hand.replace(name);
      if (end === "press") await walk.hand.pressAt(await walk.hand.emptySpot([0.5, 0.5]));
      else await walk.hand.keys(end);
      if (end !== "Escape") walk.does = [{ c: "renameCard", card: id, name }];
      // A name that is refused stays in the field.
      await walk.hand.frame();
      if (await walk.hand.sees(".card-rename")) await walk.hand.keys("Escape");
      walk.byKey = end !== "press";
    },
  },
  deleteCard: {
    weight: 1.3,
    choose: (walk, random) => {
      const all = [...walk.truth.entities, ...walk.truth.indexes.slice(1), ...walk.truth.notes];
      return all.length ? { card: random.pick(all).id, how: random.pick(["key", "menu", "inspector"]) } : null;
    },
    async run(walk, { card: id, how }) {
      if (how === "inspector") {
        if (id.startsWith("n")) {
          await focusCard(walk, id);
          await walk.show("Inspector");
        } else await walk.inspect(id);
        await walk.hand.press(".inspector-foot .danger");
      } else {
        await focusCard(walk, id);
        if (how === "key") {
          await walk.hand.keys("Delete");
          walk.byKey = true;
        } else {
          await walk.hand.menuAt(await walk.hand.at(...cardHead(id)));
          await walk.chooseLine("Delete");
        }
      }
      walk.does = [{ c: "delete", cards: [id] }];
    },
  },
  duplicateCard: {
    weight: 0.7,
    choose: (walk, random) => {
      const all = [...(walk.truth.entities.length < 10 ? walk.truth.entities : []), ...(walk.truth.notes.length < 5 ? walk.truth.notes : [])];
      return all.length ? { card: random.pick(all).id } : null;
    },
    async run(walk, { card: id }) {
      await focusCard(walk, id);
      await walk.hand.keys("Control+d");
      walk.byKey = true;
      walk.does = [{ c: "duplicate", cards: [id] }];
    },
  },
  cardMenu: {
    weight: 2,
    choose: (walk, random) => {
      const entity = random.pick(walk.truth.entities);
      if (!entity) return null;
      const lines = ["", "Rename", "Add sample to selected entity", "Show selection"];
      for (const index of walk.truth.indexes.slice(1)) {
        lines.push(`${entity.keys.some((key) => key.index === index.id) ? "Leave" : "Join"} ${index.id}`);
      }
      return { entity: entity.id, line: random.pick(lines), byKey: random.chance(0.3) };
    },
    async run(walk, { entity, line, byKey }) {
      await focusCard(walk, entity);
      if (byKey) await walk.hand.keys("Shift+F10");
      else await walk.hand.menuAt(await walk.hand.at(...cardHead(entity)));
      await walk.hand.frame();
      walk.byKey = byKey;
      if (line === "") return walk.hand.keys("Escape");
      const [, verb, index] = /^(Leave|Join) (i\d+)$/.exec(line) ?? [];
      const name = index && walk.truth.indexes.find((one) => one.id === index)?.name;
      if (index && name === undefined) return walk.hand.keys("Escape");
      await walk.chooseLine(index ? `${verb === "Join" ? "Add to" : "Remove from"} ${name}` : line, byKey);
      if (verb) walk.does = [{ c: verb.toLowerCase(), entity, index }];
      if (line.startsWith("Add sample")) walk.does = [{ c: "addRow", entity }];
      if (line === "Rename") {
        await walk.hand.frame();
        await walk.hand.keys("Escape");
      }
    },
  },
  look: {
    weight: 2,
    choose: (_, random) => ({ keys: random.pick(["Shift+Digit0", "1", "+", "-", "Shift+2", "Alt+1", "Alt+2", "Alt+3", "Alt+1", "i", "m", "Shift+Digit1", "w", "Alt+ArrowRight"]) }),
    async run(walk, { keys }) {
      await walk.show("Canvas");
      await walk.hand.pressAt(await walk.hand.emptySpot([0.3, 0.3]));
      await walk.hand.keys(keys);
    },
  },
  panCanvas: {
    weight: 1,
    choose: (_, random) => ({ by: [random.int(-200, 200), random.int(-200, 200)], zoom: random.chance(0.3) }),
    async run(walk, { by, zoom }) {
      await walk.show("Canvas");
      const at = await walk.hand.emptySpot([0.4, 0.4]);
      if (zoom) await walk.page.keyboard.down("Control");
      await walk.hand.wheel(at, ...by);
      if (zoom) await walk.page.keyboard.up("Control");
    },
  },
};

async function add(walk, piece, how, spot) {
  if (how === "key") {
    await walk.show("Canvas");
    await walk.hand.pressAt(await walk.hand.emptySpot(spot));
    return walk.hand.keys({ Entity: "e", GSI: "g", Note: "n" }[piece]);
  }
  // On a small screen the canvas comes to the front once the piece is dragged.
  if (how === "drag" && !walk.look.small) {
    const to = await walk.hand.emptySpot(spot);
    await walk.show("Outline");
    return walk.hand.drag(await walk.hand.at(`[data-piece=${piece}]`), to);
  }
  await walk.show("Outline");
  await walk.hand.press(`[data-piece=${piece}]`);
}

/** Writes into the note whose text is being edited; `null` is the newest one. */
async function write(walk, text, end, note) {
  if (!(await walk.hand.sees(".note-edit"))) return;
  await walk.hand.replace(text);
  if (end !== "Escape") walk.does = [...(walk.does ?? []), { c: "noteText", note, text }];
  // Without a free spot, the keyboard ends it: the text must not stay in the field.
  const spot = end === "press" ? await walk.hand.emptySpot([0.5, 0.5]).catch(() => null) : null;
  walk.byKey = spot === null;
  if (spot) await walk.hand.pressAt(spot);
  else await walk.hand.keys(end === "press" ? "Control+Enter" : end);
}
