// The bottom panel: its tabs, the problems, the access patterns, the exports.
import { Unreachable } from "../hand.mjs";
import { names } from "./canvas.mjs";

const tab = (id) => `.panel-tabs #tab-${id}`;

const anyPattern = (walk, random) => (walk.look.patterns?.list && walk.truth.patterns.length ? { pattern: random.pick(walk.truth.patterns).id } : null);

/** Chooses an access pattern in the list. Whether it is there. */
async function choosePattern(walk, id) {
  const nth = walk.truth.patterns.findIndex((pattern) => pattern.id === id);
  if (nth < 0 || !walk.look.patterns?.list || walk.look.patterns.search) return false;
  await walk.hand.press(".pattern-list .pattern-row", { nth });
  await walk.hand.frame();
  return true;
}

export const panel = {
  tab: {
    weight: 5,
    choose: (walk, random) => {
      const kinds = random.chance(0.6) ? walk.look.tabs.filter(([id]) => /^(primary|i\d+)$/.test(id)) : walk.look.tabs;
      return kinds.length ? { tab: random.pick(kinds)[0], how: random.pick(["press", "press", "twice"]) } : null;
    },
    async run(walk, { tab: id, how }) {
      if (!walk.look.tabs.some(([there]) => there === id)) return;
      await walk.show("Data");
      const at = await walk.hand.at(tab(id));
      await (how === "twice" ? walk.hand.twiceAt(at) : walk.hand.pressAt(at));
    },
  },
  tabKeys: {
    weight: 0.7,
    choose: (walk, random) => ({ keys: Array.from({ length: random.int(1, 4) }, () => random.pick(["ArrowRight", "ArrowLeft", "End", "Home"])) }),
    async run(walk, { keys }) {
      await walk.show("Data");
      await walk.hand.press(".panel-tabs [aria-selected=true]");
      walk.byKey = true;
      await walk.hand.keys(...keys);
    },
  },
  panelToggle: {
    weight: 0.7,
    choose: (walk) => (walk.look.small ? null : {}),
    run: (walk) => walk.hand.press(".panel-toggle"),
  },
  outlineToggle: {
    weight: 0.4,
    choose: (walk) => (walk.look.small ? null : {}),
    async run(walk) {
      await palette(walk, "Show or hide outline");
    },
  },
  pane: {
    weight: 2,
    choose: (walk, random) => (walk.look.small ? { pane: random.pick(["Outline", "Canvas", "Inspector", "Data", "Data"]) } : null),
    run: (walk, { pane }) => walk.show(pane),
  },
  outlineRow: {
    weight: 1,
    choose: (walk, random) => {
      const all = [...walk.truth.entities, ...walk.truth.indexes, ...walk.truth.patterns];
      return all.length ? { id: random.pick(all).id } : null;
    },
    run: (walk, { id }) => walk.inspect(id),
  },
  nextProblem: {
    weight: 1,
    choose: (_, random) => ({ back: random.chance(0.3) }),
    async run(walk, { back }) {
      walk.byKey = walk.staysAt = true;
      await walk.hand.keys(back ? "Shift+F8" : "F8");
    },
  },
  fix: {
    weight: 2,
    choose: (walk, random) => {
      const found = random.pick((walk.truth.problems ?? []).slice(0, 200).filter((line) => line.fix));
      return found && !found.silenced ? { code: found.code, place: found.at, number: found.number, apply: random.chance(0.8) } : null;
    },
    async run(walk, { code, place, number, apply }) {
      const lines = walk.truth.problems ?? [];
      const nth = lines.findIndex((line) => line.code === code && line.at === place && line.number === number);
      if (nth < 0 || !walk.look.problems?.list || walk.look.problems.silenced) return;
      await walk.hand.press(".problem-list .problem", { nth });
      await walk.hand.frame();
      await walk.hand.press(".problem-detail .fix > button");
      await walk.hand.frame();
      await walk.hand.press(".problem-detail .fix-buttons .button", { text: apply ? "Apply" : "Cancel" });
      if (apply) walk.does = [{ c: "fix", code, place, number }];
    },
  },
  problemFilters: {
    weight: 0.7,
    choose: (walk, random) => (walk.look.problems?.list ? { press: random.pick(["severity", "grouping", "search", "none"]), at: random.int(0, 2), text: random.pick(["key", "", "GSI1", "zzz"]) } : null),
    async run(walk, { press, at, text }) {
      if (!walk.look.problems || walk.look.problems.none) return;
      if (press === "severity") await walk.hand.press(".problems .severities button", { nth: at });
      if (press === "grouping") await walk.hand.press(".problems .problems-bar .segmented button", { nth: at });
      if (press === "search" || press === "none") {
        await walk.hand.press(".problems input[type=search]");
        await walk.hand.replace(press === "none" ? "" : text);
      }
    },
  },
  pattern: {
    weight: 1.5,
    choose: anyPattern,
    run: (walk, { pattern }) => choosePattern(walk, pattern),
  },
  patternEdit: {
    weight: 1.2,
    choose: (walk, random) => {
      const found = anyPattern(walk, random);
      return found && { ...found, edit: random.pick(["duplicate", "delete", "up", "down"]), how: random.pick(["button", "key"]) };
    },
    async run(walk, { pattern, edit, how }) {
      if (!(await choosePattern(walk, pattern))) return;
      const button = { duplicate: "Duplicate", delete: "Delete", up: "Move up", down: "Move down" }[edit];
      const key = { duplicate: "Control+d", delete: "Delete", up: "Alt+ArrowUp", down: "Alt+ArrowDown" }[edit];
      if (how === "key" && !walk.look.small) {
        const hasFocus = await walk.page.evaluate(() => {
          const row = document.querySelector(".pattern-list [aria-selected=true]");
          row?.focus();
          return row !== null && document.activeElement === row;
        });
        // In a narrow panel the list gives way to the chosen one.
        if (!hasFocus) throw new Unreachable("the list of access patterns");
        await walk.hand.keys(key);
        walk.byKey = true;
      } else await walk.hand.press(`.pattern-tools [aria-label^="${button}"]`);
      const moves = { up: -1, down: 1 }[edit];
      walk.does = [moves ? { c: "movePattern", pattern, by: moves } : { c: `${edit}Pattern`, pattern }];
    },
  },
  patternName: {
    weight: 0.8,
    choose: (walk, random) => {
      const found = anyPattern(walk, random);
      return found && { ...found, name: random.pick(names) };
    },
    async run(walk, { pattern, name }) {
      if (!(await choosePattern(walk, pattern))) return;
      const held = walk.truth.patterns.find((one) => one.id === pattern).name;
      await walk.hand.press(".pattern-editor input[type=text]");
      await walk.hand.replace(name);
      await walk.hand.keys("Tab");
      walk.byKey = true;
      const command = (name) => ({ c: "renamePattern", pattern, name });
      const texts = ["", ...[...name].map((_, at, letters) => letters.slice(0, at + 1).join(""))];
      walk.does = [...texts.map(command), { c: "ifRefused", then: command(held) }];
    },
  },
  newPattern: {
    weight: 0.6,
    choose: (walk) => (walk.look.patterns && walk.truth.patterns.length < 20 ? {} : null),
    async run(walk) {
      await walk.hand.press(".patterns .button", { text: "New access pattern" });
      walk.does = "any";
    },
  },
  serve: {
    weight: 2,
    choose: (walk, random) => {
      const found = random.pick((walk.truth.verdicts ?? []).filter((verdict) => verdict.suggestions.length));
      return found && walk.look.patterns?.list ? { pattern: found.id, number: random.int(0, found.suggestions.length - 1) } : null;
    },
    async run(walk, { pattern, number }) {
      if (!(await choosePattern(walk, pattern))) return;
      await walk.hand.frame();
      await walk.hand.press(".suggestions .suggestion", { nth: number });
      walk.does = [{ c: "serve", pattern, number }];
    },
  },
  format: {
    weight: 1.5,
    choose: (walk, random) => (walk.look.code ? { nth: random.int(0, 30) } : null),
    async run(walk, { nth }) {
      if (!walk.look.code) return;
      const count = await walk.page.evaluate(() => document.querySelectorAll(".code-formats .segmented button").length);
      await walk.hand.press(".code-formats .segmented button", { nth: nth % Math.max(1, count - 1) });
    },
  },
  command: {
    weight: 0.7,
    choose: (_, random) => ({ name: random.pick(["", "Arrange all cards", "Show everything", "Go to table", "Go to problems", "Go to the exports", "Go to inspector", "Select all"]) }),
    run: (walk, { name }) => palette(walk, name),
  },
};

/** Chooses a command by its name; none is chosen for an empty one. */
async function palette(walk, name) {
  walk.byKey = walk.staysAt = true;
  await walk.hand.keys("Control+k");
  await walk.hand.frame();
  if (!name) return walk.hand.keys("Escape");
  await walk.hand.type(name);
  await walk.hand.frame();
  await walk.hand.keys("Enter");
  if (name === "Arrange all cards") walk.does = [{ c: "move", cards: [...walk.truth.indexes, ...walk.truth.entities, ...walk.truth.notes].map((one) => one.id) }];
}
