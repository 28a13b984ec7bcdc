// The live table.

const texts = ["x", "hello world", "7", "-3.5", "", "TENANT#1", "ünï", "true", "2024-05-01T10:00:00Z", "a,b", "user-001", "1e400", "  "];
const cell = (sample, column) => `[data-grid] [data-sample="${sample}"] [data-column=${JSON.stringify(column)}]`;
const rowHead = (sample) => `[data-grid] [data-sample="${sample}"] [data-head]`;
const columnHead = (name) => `[data-grid] .grid-head [data-name=${JSON.stringify(name)}]`;

const isTable = (walk) => !!walk.look.grid && !!walk.truth.table && walk.truth.table.items.length > 0;
const anyRow = (walk, random) => random.pick(walk.truth.table.items)[0];
const anyColumn = (walk, random) => random.pick(walk.truth.table.columns);

/** Rows near one another, and columns likewise. */
function block(walk, random) {
  const { items, columns } = walk.truth.table;
  if (!columns.length) return null;
  const line = random.int(0, items.length - 1);
  const at = random.int(0, columns.length - 1);
  const last = items[Math.min(items.length - 1, line + random.int(0, 3))];
  return { from: [items[line][0], columns[at]], to: [last[0], columns[Math.min(columns.length - 1, at + random.int(0, 2))]] };
}

/** Brings a cell into sight. */
async function reveal(walk, sample, column) {
  const line = walk.lineOf(sample);
  if (line < 0) return false;
  await walk.page.evaluate(([line, column]) => window.__walk.showCell(line, column), [line, column]);
  await walk.hand.frame();
  await walk.hand.frame();
  return true;
}

async function press(walk, sample, column) {
  if (!(await reveal(walk, sample, column))) return false;
  await walk.hand.press(column === null ? rowHead(sample) : cell(sample, column), { scroll: false });
  await walk.hand.frame();
  return true;
}

/** Selects the cells from one to another. */
async function select(walk, from, to, how) {
  if (!(await press(walk, ...from))) return false;
  if (from[0] === to[0] && from[1] === to[1]) return true;
  const { items, columns } = walk.truth.table;
  const line = (sample) => items.findIndex(([id]) => id === sample);
  const at = (name) => columns.indexOf(name);
  const [down, right] = [line(to[0]) - line(from[0]), at(to[1]) - at(from[1])];
  if (line(to[0]) < 0 || at(to[1]) < 0) return false;
  if (how === "press" && !walk.hand.touch) {
    await walk.page.keyboard.down("Shift");
    try {
      await press(walk, ...to);
    } finally {
      await walk.page.keyboard.up("Shift");
    }
    return true;
  }
  for (let step = 0; step < Math.abs(down); step++) await walk.hand.keys(down > 0 ? "Shift+ArrowDown" : "Shift+ArrowUp");
  for (let step = 0; step < Math.abs(right); step++) await walk.hand.keys(right > 0 ? "Shift+ArrowRight" : "Shift+ArrowLeft");
  return true;
}

/** Chooses a line of the menu of a column. */
async function columnMenu(walk, column, line, byKey) {
  await walk.page.evaluate(([line, column]) => window.__walk.showCell(line, column), [0, column]);
  await walk.hand.frame();
  const at = await walk.hand.at(columnHead(column), { scroll: false, part: [0.3, 0.5] });
  if (byKey) {
    await walk.page.evaluate((selector) => document.querySelector(selector)?.focus(), columnHead(column));
    await walk.hand.keys("Enter");
  } else await walk.hand.menuAt(at);
  await walk.hand.frame();
  await walk.chooseLine(line, byKey);
  walk.byKey = byKey;
}

const opened = (walk) => walk.page.evaluate(() => [!!document.querySelector("[data-grid] [data-draft]"), !!document.querySelector(".cell-dialog")]);

/** A text that is no value stays in the field of its cell: takes it back. */
async function letGo(walk) {
  await walk.hand.frame();
  const [isStill] = await opened(walk);
  if (!isStill) return;
  await walk.page.evaluate(() => document.querySelector("[data-grid] [data-draft]").focus());
  await walk.hand.keys("Escape");
}

export const table = {
  pressCell: {
    weight: 3,
    choose: (walk, random) => (isTable(walk) ? { sample: anyRow(walk, random), column: random.chance(0.15) ? null : anyColumn(walk, random) ?? null } : null),
    run: (walk, { sample, column }) => press(walk, sample, column),
  },
  editCell: {
    weight: 7,
    choose: (walk, random) => {
      if (!isTable(walk) || !walk.truth.table.columns.length) return null;
      const other = [anyRow(walk, random), anyColumn(walk, random)];
      const end = random.pick(["Enter", "Tab", "Shift+Enter", "Shift+Tab", "Escape", "cell", "cell", "canvas", "tab", "undo"]);
      return { sample: anyRow(walk, random), column: anyColumn(walk, random), way: random.pick(["twice", "F2", "type", "Enter"]), text: random.pick(texts), end, other };
    },
    async run(walk, { sample, column, way, text, end, other }) {
      if (!(await reveal(walk, sample, column))) return;
      const at = await walk.hand.at(cell(sample, column), { scroll: false });
      if (way === "twice") await walk.hand.twiceAt(at);
      else {
        await walk.hand.pressAt(at);
        await walk.hand.frame();
        await walk.hand.frame();
        if (way !== "type") await walk.hand.keys(way);
        else await walk.hand.type(/^[ -~]/.test(text.trim()) ? text.trim()[0] : "x"); // Another letter would be put where the caret was.
      }
      await walk.hand.frame();
      const [isOpen, isLarge] = await opened(walk);
      if (isLarge) return walk.hand.keys("Escape");
      // It is locked, or a value to be switched.
      if (!isOpen) return;
      await walk.hand.replace(text);
      walk.byKey = !["cell", "canvas", "tab"].includes(end);
      const set = [{ c: "setValue", sample, attribute: column, text }];
      const others = [];
      if (end === "cell") {
        if (walk.lineOf(other[0]) >= 0 && (await reveal(walk, ...other)) && (await walk.hand.sees(cell(...other), { scroll: false }))) await walk.hand.press(cell(...other), { scroll: false });
        else await walk.hand.keys("Enter");
      } else if (end === "canvas" && !walk.look.small) await walk.hand.pressAt(await walk.hand.emptySpot([0.2, 0.2]));
      else if (end === "tab") await walk.hand.press(".panel-tabs #tab-problems");
      else if (end === "undo") {
        walk.byKey = false;
        if (!(await walk.hand.sees("button[aria-label=Undo]:not([aria-disabled])"))) await walk.hand.keys("Enter");
        else {
          await walk.hand.press("button[aria-label=Undo]");
          walk.undoes = set;
          return letGo(walk);
        }
      } else await walk.hand.keys(end === "canvas" ? "Enter" : end);
      walk.does = end === "Escape" ? null : [...set, ...others];
      await letGo(walk);
    },
  },
  keysInCells: {
    weight: 2,
    choose: (walk, random) => {
      const keys = ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "PageDown", "PageUp", "Home", "End", "Control+ArrowDown", "Control+Home", "Control+End", "Shift+ArrowDown", "Shift+ArrowRight", "Tab", "Escape", "Shift+Space", "Control+Space"];
      return isTable(walk) ? { sample: anyRow(walk, random), column: anyColumn(walk, random) ?? null, keys: Array.from({ length: random.int(1, 4) }, () => random.pick(keys)) } : null;
    },
    async run(walk, { sample, column, keys }) {
      if (!(await press(walk, sample, column))) return;
      walk.byKey = true;
      await walk.hand.keys(...keys);
    },
  },
  clearCells: {
    weight: 1.2,
    choose: (walk, random) => isTable(walk) && withHow(block(walk, random), random),
    async run(walk, { from, to, how }) {
      const at = walk.table();
      if (!(await select(walk, from, to, how))) return;
      await walk.hand.keys("Delete");
      walk.byKey = true;
      walk.does = [{ c: "clear", table: at, from, to }];
    },
  },
  fillDown: {
    weight: 1,
    choose: (walk, random) => isTable(walk) && withHow(block(walk, random), random, { series: random.chance(0.4) }),
    async run(walk, { from, to, how, series }) {
      const at = walk.table();
      if (!(await select(walk, from, to, how))) return;
      await walk.hand.keys(series ? "Control+Shift+d" : "Control+d");
      walk.byKey = true;
      walk.does = [{ c: "fill", table: at, from, to, series }];
    },
  },
  paste: {
    weight: 1,
    choose: (walk, random) => {
      if (!isTable(walk) || !walk.truth.table.columns.length) return null;
      const lines = Array.from({ length: random.int(1, 3) }, () => Array.from({ length: random.int(1, 3) }, () => random.pick(texts)).join("\t"));
      return walk.truth.table.items.length < 80 ? { at: [anyRow(walk, random), anyColumn(walk, random)], text: lines.join("\n") } : null;
    },
    async run(walk, { at, text }) {
      if (!text) return;
      const looked = walk.table();
      if (!(await press(walk, ...at))) return;
      await walk.page.evaluate((text) => navigator.clipboard.writeText(text), text);
      await walk.hand.keys("Control+v");
      walk.byKey = true;
      walk.does = [{ c: "paste", table: looked, at, text }];
    },
  },
  addRow: {
    weight: 2,
    choose: (walk, random) => (isTable(walk) && walk.truth.table.items.length < 80 ? { entity: random.pick(walk.truth.entities).id } : walk.look.grid && walk.truth.entities.length ? { entity: random.pick(walk.truth.entities).id } : null),
    async run(walk, { entity }) {
      const select = walk.page.locator('.table-bar select[aria-label="Entity of new row"]');
      await walk.chooseOption(select, entity);
      await walk.hand.press(".table-bar .add-row button");
      walk.does = [{ c: "addRow", entity }];
      walk.rowAdded(entity);
    },
  },
  deleteRows: {
    weight: 2,
    choose: (walk, random) => {
      if (!isTable(walk)) return null;
      const first = random.int(0, walk.truth.table.items.length - 1);
      const samples = walk.truth.table.items.slice(first, first + random.int(1, 2)).map(([id]) => id);
      return { focus: random.chance(0.6) ? [anyRow(walk, random), anyColumn(walk, random) ?? null] : null, samples, how: random.pick(["menu", "menu", "key", "bar", "Delete"]) };
    },
    async run(walk, { focus, samples, how }) {
      const there = samples.filter((sample) => walk.lineOf(sample) >= 0);
      if (!there.length) return;
      // Somewhere else first: what is deleted is what is asked for then.
      if (focus && walk.lineOf(focus[0]) >= 0) await press(walk, ...focus);
      if (how === "menu") {
        const [sample] = there;
        const column = focus?.[1] ?? walk.truth.table.columns[0] ?? null;
        if (!(await reveal(walk, sample, column))) return;
        const at = await walk.hand.at(column === null ? rowHead(sample) : cell(sample, column), { scroll: false });
        // The menu of a cell in a range is that of the range.
        const ranged = await walk.page.evaluate((at) => !!document.elementFromPoint(...at).closest(".ranged"), at);
        if (ranged) await walk.hand.pressAt(at);
        await walk.hand.menuAt(at);
        await walk.hand.frame();
        await walk.chooseLine("Delete rows");
        walk.does = [{ c: "deleteRows", samples: [sample] }];
        return;
      }
      for (const [at, sample] of there.entries()) {
        // A tap adds to what is selected, a click without a key begins anew.
        if (at && !walk.hand.touch) await walk.page.keyboard.down("Control");
        try {
          await press(walk, sample, null);
        } finally {
          if (at && !walk.hand.touch) await walk.page.keyboard.up("Control");
        }
      }
      const selected = await walk.page.evaluate(() => [...document.querySelectorAll('[data-grid] .grid-row[aria-selected="true"]')].map((row) => row.dataset.sample));
      if (there.some((sample) => !selected.includes(sample)) || selected.length !== there.length) {
        return walk.hand.touch ? walk.hand.keys("Escape") : walk.complain("selection", `selected ${selected}, wanted ${there}`);
      }
      if (how === "bar") await walk.hand.press('.table-bar [aria-label^="Delete row"], .table-bar [aria-label^="Delete "]:not([aria-label*="design"])');
      else await walk.hand.keys(how === "key" ? "Control+Backspace" : "Delete");
      walk.byKey = how !== "bar";
      walk.does = [{ c: "deleteRows", samples: there }];
    },
  },
  duplicateRow: {
    weight: 1,
    choose: (walk, random) => (isTable(walk) && walk.truth.table.items.length < 80 ? { sample: anyRow(walk, random), column: anyColumn(walk, random) ?? null, how: random.pick(["bar", "menu"]) } : null),
    async run(walk, { sample, column, how }) {
      if (!(await press(walk, sample, column))) return;
      if (how === "bar") await walk.hand.press('.table-bar [aria-label^="Duplicate"]');
      else {
        await walk.hand.menuAt(await walk.hand.at(column === null ? rowHead(sample) : cell(sample, column), { scroll: false }));
        await walk.hand.frame();
        await walk.chooseLine("Duplicate rows");
      }
      walk.does = [{ c: "duplicateRows", samples: [sample] }];
      walk.rowAdded(walk.truth.table.items.find(([id]) => id === sample)[1]);
    },
  },
  cellMenu: {
    weight: 1,
    choose: (walk, random) => (isTable(walk) ? { focus: [anyRow(walk, random), anyColumn(walk, random) ?? null], sample: anyRow(walk, random), column: anyColumn(walk, random) ?? null, line: random.pick(["", "Clear cells", "Fill down", "Copy cells", "Edit cell"]), byKey: random.chance(0.3) } : null),
    async run(walk, { focus, sample, column, line, byKey }) {
      if (column === null || !(await press(walk, ...focus))) return;
      const at = walk.table();
      if (byKey) {
        if (!(await press(walk, sample, column))) return;
        await walk.hand.keys("Shift+F10");
      } else {
        if (!(await reveal(walk, sample, column))) return;
        await walk.hand.menuAt(await walk.hand.at(cell(sample, column), { scroll: false }));
      }
      await walk.hand.frame();
      walk.byKey = byKey;
      if (line === "") return walk.hand.keys("Escape");
      await walk.chooseLine(line, byKey);
      const [from, to] = [[sample, column], [sample, column]];
      if (line === "Clear cells") walk.does = [{ c: "clear", table: at, from, to }];
      if (line === "Fill down") walk.does = [{ c: "fill", table: at, from, to, series: false }];
      if (line === "Edit cell") {
        await walk.hand.frame();
        await walk.hand.keys("Escape");
      }
    },
  },
  sort: {
    weight: 1.2,
    choose: (walk, random) => (isTable(walk) && anyColumn(walk, random) ? { column: anyColumn(walk, random), descending: random.chance(0.5), byKey: random.chance(0.3) } : null),
    async run(walk, { column, descending, byKey }) {
      if (!walk.truth.table.columns.includes(column)) return;
      await columnMenu(walk, column, `Sort column ${descending ? "descending" : "ascending"}`, byKey);
      walk.arrangement().sort = [column, descending];
    },
  },
  unsort: {
    weight: 1,
    choose: (walk) => (walk.look.grid?.order ? {} : null),
    async run(walk) {
      if (!walk.look.grid?.order) return;
      await walk.hand.press(".order-chip");
      walk.arrangement().sort = null;
    },
  },
  hideColumn: {
    weight: 1,
    choose: (walk, random) => (isTable(walk) && walk.truth.table.columns.length > 3 ? { column: anyColumn(walk, random), byKey: random.chance(0.3) } : null),
    async run(walk, { column, byKey }) {
      if (!walk.truth.table.columns.includes(column)) return;
      await columnMenu(walk, column, "Hide column", byKey);
      walk.arrangement().arranged.push({ toggle: column });
    },
  },
  showColumns: {
    weight: 0.7,
    choose: (walk) => (walk.look.grid?.hidden.some(([name, count]) => name === "Columns" && count) && walk.truth.table?.columns.length ? {} : null),
    async run(walk) {
      const [column] = walk.truth.table?.columns ?? [];
      if (!column || !walk.look.grid) return;
      await columnMenu(walk, column, "Show all columns", false);
      walk.arrangement().arranged.push("showAll");
    },
  },
  moveColumn: {
    weight: 1,
    choose: (walk, random) => (isTable(walk) && walk.truth.table.columns.length > 3 ? { column: anyColumn(walk, random), right: random.chance(0.5), byKey: random.chance(0.3) } : null),
    async run(walk, { column, right, byKey }) {
      const { columns, natural, keys } = walk.truth.table ?? {};
      const at = columns?.indexOf(column) ?? -1;
      if (at < 0) return;
      const to = columns[Math.min(columns.length - 1, Math.max(0, at + (right ? 1 : -1)))];
      await columnMenu(walk, column, `Move column ${right ? "right" : "left"}`, byKey);
      walk.arrangement().arranged.push({ put: [column, to, natural, keys] });
    },
  },
  resizeColumn: {
    weight: 0.8,
    choose: (walk, random) => (isTable(walk) && !walk.hand.touch && anyColumn(walk, random) ? { column: anyColumn(walk, random), by: random.int(-80, 120), fit: random.chance(0.2) } : null),
    async run(walk, { column, by, fit }) {
      if (!walk.truth.table?.columns.includes(column)) return;
      await walk.page.evaluate(([line, column]) => window.__walk.showCell(line, column), [0, column]);
      await walk.hand.frame();
      const at = await walk.hand.at(`${columnHead(column)} .edge`, { scroll: false });
      if (fit) return walk.hand.twiceAt(at);
      await walk.hand.drag(at, [at[0] + by, at[1]]);
    },
  },
  filter: {
    weight: 1.2,
    choose: (walk, random) => (walk.look.grid ? { text: random.pick(["", "", "a", "TENANT", "user", "1", "#", "zzzz", "É"]) } : null),
    async run(walk, { text }) {
      await walk.hand.press(".table-filter input");
      await walk.hand.replace(text);
    },
  },
  entities: {
    weight: 0.8,
    choose: (walk, random) => (walk.look.grid && walk.truth.entities.length > 1 ? { entity: random.chance(0.3) ? null : random.pick(walk.truth.entities).id } : null),
    async run(walk, { entity }) {
      const arrangement = walk.arrangement();
      await walk.hand.press(".table-bar .bar-menu > button", { nth: 0 });
      await walk.hand.frame();
      if (entity === null) {
        await walk.hand.press(".bar-popover .button", { text: "Show all" });
        arrangement.without = [];
      } else {
        const nth = walk.truth.entities.findIndex((one) => one.id === entity);
        if (nth >= 0) {
          await walk.hand.press(".bar-popover .bar-line", { nth });
          arrangement.without = arrangement.without.includes(entity) ? arrangement.without.filter((one) => one !== entity) : [...arrangement.without, entity];
        }
      }
      await walk.hand.keys("Escape");
    },
  },
  scroll: {
    weight: 3,
    choose: (walk, random) => (isTable(walk) ? { by: [random.pick([0, 0, 120, -120, 400, -400, 1500]), random.pick([0, 0, 100, -100, 300, -300, 2000, -2000])] } : null),
    async run(walk, { by }) {
      const [left, top, width, height] = walk.look.grid?.box ?? [];
      if (left === undefined) return;
      const middle = [left + width / 2, top + Math.min(height, 200) / 2 + 20];
      await walk.hand.wheel(middle, ...by);
    },
  },
};

const withHow = (block, random, more = {}) => (block ? { ...block, how: random.pick(["press", "keys"]), ...more } : null);
