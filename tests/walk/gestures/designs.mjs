// Designs, the page around them, undo and redo.

const patterns = (walk) => walk.patterns;

/** The designs that are not open and can be told apart by their names. */
const others = (walk) => {
  const names = walk.look.keys.map((key) => walk.nameOf(key));
  return walk.look.keys.filter((key, at) => key !== walk.look.open && names.indexOf(names[at]) === names.lastIndexOf(names[at]));
};

/** Opens the menu that a narrow top bar has for its last buttons, if there is one. */
async function openMore(walk) {
  const isMenu = await walk.hand.sees(".more-button");
  if (isMenu) await walk.hand.press(".more-button");
  await walk.hand.frame();
  return isMenu;
}

const undo = (label) => ({
  weight: label === "undo" ? 9 : 4,
  choose: (walk, random) => (walk.look[label] ? { how: random.pick(["key", "button"]) } : null),
  async run(walk, { how }) {
    if (!walk.look[label]) return;
    const name = label === "undo" ? "Undo" : "Redo";
    if (how === "button") await walk.hand.press(`button[aria-label=${name}]`);
    else {
      walk.byKey = walk.staysAt = true;
      await walk.hand.keys(label === "undo" ? "Control+z" : "Control+Shift+z");
    }
    walk.does = label;
  },
});

export const designs = {
  openPattern: {
    weight: 0.5,
    choose: (walk, random) => (walk.look.keys.length < 6 ? { pattern: random.pick(patterns(walk)) } : null),
    async run(walk, { pattern }) {
      await openMore(walk);
      await walk.hand.press('[title="Start from a pattern of the library"]');
      await walk.hand.frame();
      await walk.hand.press(`[data-pattern=${pattern}]`);
      await walk.hand.frame();
      await walk.hand.press("[data-use-pattern]");
      const { text } = await walk.ask({ op: "pattern", name: pattern, taken: walk.takenNames() });
      walk.does = { opens: text, isOther: true, isPattern: true };
    },
  },
  newDesign: {
    weight: 0.3,
    choose: (walk) => (walk.look.keys.length < 6 ? {} : null),
    async run(walk) {
      await walk.hand.press(".menu summary");
      await walk.hand.press(".menu .menu-item", { text: "New design" });
      walk.does = { opens: null, isOther: true };
    },
  },
  openDesign: {
    weight: 0.5,
    choose: (walk, random) => {
      const keys = others(walk);
      return keys.length ? { name: walk.nameOf(random.pick(keys)) } : null;
    },
    async run(walk, { name }) {
      const key = others(walk).find((key) => walk.nameOf(key) === name);
      if (!key) return;
      await walk.hand.press(".menu summary");
      await walk.hand.press(".menu .menu-row > .menu-item", { text: name });
      walk.does = { opens: walk.texts[key], isOther: true };
    },
  },
  deleteDesign: {
    weight: 0.3,
    choose: (walk, random) => {
      const keys = others(walk);
      return keys.length > 1 ? { name: walk.nameOf(random.pick(keys)) } : null;
    },
    async run(walk, { name }) {
      const key = others(walk).find((key) => walk.nameOf(key) === name);
      if (!key) return;
      await walk.hand.press(".menu summary");
      const button = `.menu .menu-row [aria-label=${JSON.stringify(`Delete ${name}`)}]`;
      await walk.hand.press(button);
      // The first press asks.
      await walk.hand.press(".menu .menu-row .armed");
      walk.deletes = key;
      await walk.hand.keys("Escape");
      if (await walk.hand.sees(".menu[open] .menu-item")) await walk.hand.press(".menu summary");
    },
  },
  designName: {
    weight: 0.7,
    choose: (_, random) => ({ name: random.pick(["Shop", "", "Réservé", "A # b", "x".repeat(40)]), end: random.pick(["Enter", "Escape", "Tab"]) }),
    async run(walk, { name, end }) {
      await walk.hand.press(".design-name input");
      await walk.hand.replace(name);
      await walk.hand.keys(end);
      walk.byKey = end === "Tab";
      walk.does = name ? [{ c: "renameDesign", name }] : [];
    },
  },
  reload: {
    weight: 0.5,
    choose: () => ({}),
    async run(walk) {
      await walk.reload();
      walk.does = { opens: walk.text() };
    },
  },
  resize: {
    weight: 0.8,
    choose: (walk, random) =>
      walk.hand.touch
        ? { size: random.pick([[390, 844], [844, 390], [768, 1024]]) }
        : { size: random.pick([[1440, 900], [1440, 900], [1000, 700], [1920, 1080], [680, 900]]) },
    async run(walk, { size }) {
      await walk.page.setViewportSize({ width: size[0], height: size[1] });
    },
  },
  theme: {
    weight: 0.4,
    choose: () => ({}),
    async run(walk) {
      const isMenu = await openMore(walk);
      await walk.hand.press('.top-bar [aria-label^="Theme:"]');
      if (isMenu) await walk.hand.press(".more-button");
    },
  },
  undo: undo("undo"),
  redo: undo("redo"),
};
