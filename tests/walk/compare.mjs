// What is in sight against what the pure core says of the stored design. A difference is `[kind, text]`.

/** Whether a shown text is this one, or its beginning with an ellipsis. */
const fits = (shown, whole) => shown === whole || (shown?.endsWith("…") && whole.startsWith(shown.slice(0, -1)));

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** A text as the page shows names in backticks: without them. */
const plain = (text) => text.replaceAll("`", "");

/** The differences between a look at the page and the truth about its design. `model`: how the driver has arranged the table. */
export function differences(look, truth, model) {
  const found = [];
  const differ = (kind, text) => found.push([kind, text]);
  const equal = (kind, what, shown, wanted) => {
    if (!same(shown, wanted)) differ(kind, `${what}: shown ${JSON.stringify(shown)}, wanted ${JSON.stringify(wanted)}`);
  };
  if (look.crash) differ("crash", look.crash);
  if (look.name !== null && !look.focus.what?.includes("Design name")) equal("name", "design name", look.name, truth.name);
  counts(look, truth, equal);
  tabs(look, truth, equal);
  if (look.outline) outline(look.outline, truth, equal);
  if (look.cards) cards(look, truth, equal, differ);
  if (look.cards && look.outline && !look.outline.search) selection(look, truth, equal);
  if (look.wires) wires(look, truth, equal, differ);
  if (look.inspector) inspector(look.inspector, truth, equal);
  if (look.grid && truth.table) table(look.grid, truth, model, equal, differ);
  if (look.problems && truth.problems) problems(look.problems, truth.problems, equal);
  if (look.patterns && truth.verdicts) patterns(look.patterns, truth, equal);
  if (look.code?.lines != null && truth.files && !look.code.changes) code(look.code, truth, differ);
  return found;
}

function counts(look, truth, equal) {
  const word = { error: ["error", "errors"], warning: ["warning", "warnings"], info: ["info", "info"] };
  const parts = truth.counts.filter(([, count]) => count > 0).map(([label, count]) => `${count} ${word[label][count === 1 ? 0 : 1]}`);
  const wanted = parts.length ? parts : ["none"];
  const shown = look.counts?.replace("Problems: ", "").split(", ");
  if (shown) equal("problem count", "counts", [...shown].sort(), [...wanted].sort());
}

function tabs(look, truth, equal) {
  if (!look.tabs.length) return;
  const secondary = truth.indexes.slice(1).map((index) => [index.id, index.name]);
  const open = truth.open === 0 ? "Problems" : `Problems (${truth.open})`;
  const wanted = [["primary", "Table"], ...secondary, ["access-patterns", "Access patterns"], ["problems", open], ["cost", "Cost"], ["text", "Text"], ["export", "Export"]];
  const shown = look.tabs.map(([id, name]) => [id, id === "access-patterns" ? name.replace(/ \(.*/, "") : name]);
  equal("tabs", "tabs", shown, wanted);
  const patterns = look.tabs.find(([id]) => id === "access-patterns")?.[1] ?? "";
  const [, count, unserved = "0"] = /\((\d+)(?:, (\d+) unserved)?\)/.exec(patterns) ?? [];
  equal("tabs", "access patterns in the tab", Number(count), truth.patterns.length);
  if (truth.verdicts) {
    const wanted = truth.verdicts.filter((verdict) => !verdict.served).length;
    equal("unserved in the tab", "unserved", Number(unserved), wanted);
  }
}

function outline(outline, truth, equal) {
  const wanted = outline.search.toLowerCase().trim();
  const matching = (parts) => parts.map((part) => part.name).filter((name) => name.toLowerCase().includes(wanted));
  const groups = [truth.entities, truth.indexes, truth.patterns].map(matching);
  const shown = [outline.entities, outline.indexes, outline.patterns];
  ["entities", "indexes", "access patterns"].forEach((name, at) => {
    // Of very many entities only those in sight are in the page.
    const first = at === 0 ? outline.first : 0;
    if (groups[at].length <= 30) equal("outline", `outline, ${name}`, shown[at], groups[at].slice(first, at === 0 ? first + shown[at].length : undefined));
    if (at === 0) equal("outline", "outline, rows that are in sight and not in the page", outline.gap, false);
    equal("outline", `outline, number of ${name}`, outline.counts[at], groups[at].length);
  });
}

function cards(look, truth, equal, differ) {
  const shown = new Map(look.cards.map((card) => [card.id, card]));
  const ids = [...truth.indexes, ...truth.entities, ...truth.notes].map((part) => part.id);
  equal("cards", "cards", [...shown.keys()].sort(), [...ids].sort());
  for (const entity of truth.entities) {
    const card = shown.get(entity.id);
    if (!card) continue;
    const what = (part) => `card of ${entity.name} (${entity.id}), ${part}`;
    if (!card.renaming) equal("card", what("name"), card.name, entity.name);
    equal("card", what("hue"), Number(card.hue), entity.hue);
    equal("card", what("rows"), Number(card.rows), entity.rows);
    equal("card", what("place"), card.place, entity.place);
    const rows = entity.rows === 1 ? "1 sample" : `${entity.rows} samples`;
    const failing = entity.failing ? `, ${entity.failing} with findings` : "";
    equal("card", what("label"), card.label, `${entity.name}, ${rows}${failing}`);
    if (look.detail !== "names") {
      equal("card", what("keys"), card.keys.map((key) => key.title), entity.keys.map((key) => key.name));
      entity.keys.forEach((key, at) => keyLines(card.keys[at], key, what, differ));
    }
    if (look.detail === "all") {
      const wanted = entity.attributes.map((a) => [a.name, a.kind, a.required]);
      const is = card.attributes.every(([name, kind, required], at) => {
        const [wantedName = "", ...rest] = wanted[at] ?? [];
        return fits(name, wantedName) && same([kind, required], rest);
      });
      if (!is || card.attributes.length !== wanted.length) equal("card", what("attributes"), card.attributes, wanted);
    }
  }
  for (const index of truth.indexes) {
    const card = shown.get(index.id);
    if (!card) continue;
    const what = (part) => `card of ${index.name} (${index.id}), ${part}`;
    if (!card.renaming && !fits(card.name, index.name)) equal("card", what("name"), card.name, index.name);
    equal("card", what("kind"), card.kind, index.kind);
    if (index.place) equal("card", what("place"), card.place, index.place);
    if (look.detail !== "names") {
      const lines = card.keys.flatMap((key) => key.rows.map(([side, , name]) => [side, name]));
      const is = lines.length === index.key.length && lines.every(([side, name], at) => side === index.key[at][0] && fits(name, index.key[at][1]));
      if (!is) equal("card", what("key"), lines, index.key);
      equal("card", what("members"), card.members, Math.min(index.members, 7));
    }
  }
  notes(look, shown, truth, equal);
}

function notes(look, shown, truth, equal) {
  for (const note of truth.notes) {
    const card = shown.get(note.id);
    if (!card) continue;
    const what = (part) => `note ${note.id}, ${part}`;
    equal("card", what("label"), card.label, note.label);
    equal("card", what("hue"), Number(card.hue), note.hue);
    equal("card", what("place"), card.place, note.place);
    equal("card", what("text"), card.note, card.writing ? null : look.detail === "names" ? note.line : note.lines);
  }
}

/** The outline and the canvas show the same selection. */
function selection(look, truth, equal) {
  const parts = [...truth.entities, ...truth.indexes].map((part) => part.id);
  if (truth.entities.length > 30 || look.outline.current.length < parts.length) return;
  const current = parts.filter((_, at) => look.outline.current[at]).sort();
  // The outline has no notes.
  const selected = look.cards.filter((card) => card.selected && parts.includes(card.id)).map((card) => card.id);
  equal("selection", "cards that look selected", selected.sort(), current);
}

function keyLines(shown, key, what, differ) {
  const lines = [key.partition, key.sort].filter(([, text]) => text !== null);
  if (key.partition[1] === null && key.sort[1] === null && !key.when.length) lines.push([key.name, key.key.join(", ")]);
  if (key.when.length) lines.push(["when", key.when.join(" and ")]);
  // The whole template is the title of what is shown of it.
  const is = shown?.rows.length === lines.length && lines.every(([label, text], at) => fits(shown.rows[at][0], label ?? "") && (shown.rows[at][1] ?? "") !== null && fits(shown.rows[at][1] ?? "", text));
  if (!is) differ("card", `${what(`key of ${key.name}`)}: shown ${JSON.stringify(shown?.rows)}, wanted ${JSON.stringify(lines)}`);
}

function wires(look, truth, equal) {
  const wanted = truth.entities.flatMap((entity) => entity.keys.map((key) => [`${entity.id}-${key.index}`, entity, key]));
  equal("wires", "wires", look.wires.map((wire) => wire.id).sort(), wanted.map(([id]) => id).sort());
  const shown = new Map(look.wires.map((wire) => [wire.id, wire]));
  for (const [id, entity, key] of wanted) {
    const wire = shown.get(id);
    if (!wire) continue;
    equal("wire", `hue of wire ${id}`, Number(wire.hue), entity.hue);
    equal("wire", `sparse wire ${id}`, wire.sparse, key.when.length > 0);
    const lines = [key.partition[1], key.sort[1], key.when.length ? `when ${key.when.join(" and ")}` : null].filter((line) => line !== null);
    const title = wire.title.split("\n").slice(0, lines.length);
    if (lines.join("\n") !== title.join("\n")) equal("wire", `title of wire ${id}`, title, lines);
    if (wire.labels.length) {
      // Lines are wrapped, or cut.
      const whole = (lines) => lines.join("").replace(/\s+/g, "");
      const isCut = wire.labels.length === lines.length && wire.labels.every((label, at) => fits(label, lines[at]));
      const is = whole(wire.labels) === whole(lines) || isCut;
      if (!is) equal("wire", `label of wire ${id}`, wire.labels, lines);
    }
  }
}

function inspector(inspector, truth, equal) {
  // Which note it is, the inspector does not say.
  if (inspector.text !== null && !inspector.invalid) {
    equal("inspector", `text of a note ${JSON.stringify(inspector.text)}`, truth.notes.some((note) => note.text === inspector.text), true);
  }
  const [block] = inspector.blocks;
  if (!block || inspector.invalid) return;
  const entity = truth.entities.find((entity) => block.id.startsWith(`${entity.id}-`));
  if (!entity) return equal("inspector", "inspected entity", block.id, null);
  const what = (part) => `inspector of ${entity.name} (${entity.id}), ${part}`;
  equal("inspector", what("title"), inspector.title?.endsWith(entity.name), true);
  const shown = Object.fromEntries(inspector.blocks.flatMap((b) => b.inputs));
  const wanted = {};
  for (const key of entity.keys) {
    if (!inspector.blocks.some((b) => b.id === `${entity.id}-${key.index}`)) equal("inspector", what("block"), null, key.index);
    // A key of several attributes has no templates.
    if (!inspector.blocks.some((b) => b.inputs.some(([place]) => place.includes(`/${key.index}/`)))) continue;
    for (const part of ["partition", "sort"]) {
      if (key[part][1] !== null && `${entity.id}/${key.index}/${part}` in shown) wanted[`${entity.id}/${key.index}/${part}`] = key[part][1];
    }
  }
  for (const [place, text] of Object.entries(shown)) equal("inspector", what(place), text, wanted[place] ?? null);
  if (!inspector.attributes) return;
  equal(
    "inspector",
    what("attributes"),
    inspector.attributes.map((a) => [a.id, a.name, a.kind, a.required]),
    entity.attributes.map((a) => [a.id, a.name, a.word, a.required]),
  );
}

function table(grid, truth, model, equal, differ) {
  const { table } = truth;
  const names = new Map(truth.entities.map((entity) => [entity.id, entity.name]));
  equal("table", "number of lines", grid.count, table.count);
  equal("table", "columns", grid.heads.map((head) => head.name), table.columns);
  equal("table", "number of columns", grid.columns, table.columns.length);
  const rows = `${table.all} ${table.all === 1 ? "row" : "rows"}`;
  const counted = grid.counted?.split(" · ").at(-1);
  equal("table", "count", counted, table.rows < table.all ? `${table.rows} of ${table.all}` : rows);
  const order = model.sort ? `Sorted by ${model.sort[0]}: not DynamoDB's order` : null;
  equal("table", "order", grid.order, order);
  const heads = new Map(grid.heads.map((head) => [head.name, head]));
  const at = new Map(table.columns.map((name, at) => [name, at]));
  const lines = new Map();
  for (const row of grid.rows) {
    if (lines.has(row.at)) differ("row", `two rows for line ${row.at}`);
    lines.set(row.at, row);
    const wanted = table.lines[row.at - table.from];
    if (row.at < table.from || row.at >= table.from + table.lines.length) continue;
    if (!wanted) {
      differ("row", `line ${row.at} is shown, and there is none: ${JSON.stringify(row.sample ?? row.note)}`);
      continue;
    }
    if (Math.abs(row.top - grid.row * (row.at + 1)) > 1) differ("row", `line ${row.at} stands at ${row.top}`);
    if (wanted.heading !== undefined || wanted.reason !== undefined) {
      const note = wanted.heading === undefined ? wanted.reason : `${wanted.heading} ${wanted.heading === 1 ? "item" : "items"} that cannot be stored`;
      equal("row", `line ${row.at}`, row.note ?? row.sample, note);
      continue;
    }
    const what = (part) => `line ${row.at}, ${part}`;
    equal("row", what("item"), row.sample, wanted.sample);
    if (row.sample !== wanted.sample) continue;
    equal("row", what("entity"), row.name, names.get(wanted.entity));
    equal("row", what("severe"), row.severe, wanted.severe);
    equal("row", what("marked"), row.mark !== null, wanted.marked);
    if (wanted.text) equal("row", what("mark"), row.mark, wanted.text);
    if (wanted.first !== undefined) equal("row", what("bands"), [row.first, row.odd], [wanted.first, wanted.odd]);
    const found = new Set();
    for (const cell of row.cells) {
      const column = at.get(cell.name);
      if (found.has(cell.name)) differ("cell", `${what(cell.name)} is there twice`);
      found.add(cell.name);
      if (column === undefined) {
        differ("cell", `${what(cell.name)}: a cell of no column, it shows ${JSON.stringify(cell.text)}`);
        continue;
      }
      const [value, locked] = wanted.cells[column];
      if (cell.text !== (value ?? "") || cell.absent !== (value === null)) {
        differ("cell", `${what(`${wanted.sample}.${cell.name}`)}: shown ${JSON.stringify(cell.text)}, wanted ${JSON.stringify(value)}`);
      }
      if (!fits(cell.shown, value ?? "")) differ("cell", `${what(cell.name)}: ${JSON.stringify(cell.shown)} is not ${JSON.stringify(value)}`);
      if (cell.locked !== locked) differ("cell", `${what(cell.name)}: locked ${cell.locked}, wanted ${locked}`);
      if (cell.at !== column + 2) differ("cell", `${what(cell.name)}: is column ${cell.at}, wanted ${column + 2}`);
      const head = heads.get(cell.name);
      if (head && (Math.abs(head.left - cell.left) > 1 || Math.abs(head.width - cell.width) > 1)) {
        differ("cell", `${what(cell.name)}: stands at ${cell.left} and is ${cell.width} wide, its head ${head.left} and ${head.width}`);
      }
    }
    const [left, , width] = grid.box;
    for (const head of grid.heads) {
      const isSeen = head.left + head.width > left + 56 + 1 && head.left < left + width - 1;
      if (isSeen && !found.has(head.name)) differ("cell", `${what(head.name)}: has no cell`);
    }
  }
  const first = Math.floor(grid.top / grid.row);
  const last = Math.min(table.count, Math.floor((grid.top + grid.height) / grid.row));
  for (let line = first; line < last; line++) if (!lines.has(line)) differ("row", `line ${line} is not there`);
}

function problems(shown, wanted, equal) {
  if (shown.none !== undefined) return equal("problems", "list", shown.none.startsWith("No findings"), wanted.length === 0);
  if (!shown.list) return;
  equal(
    "problems",
    "list",
    shown.list.map((line) => [line.severity, line.code, line.message, line.place]),
    wanted.slice(0, 200).map((line) => [line.severity, line.code, plain(line.message).trim(), line.place.trim()]),
  );
}

function patterns(shown, truth, equal) {
  if (!shown.list) return;
  const wanted = shown.search.toLowerCase().trim();
  const all = truth.patterns.map((pattern, at) => ({ ...pattern, verdict: truth.verdicts[at] }));
  const listed = all.filter(({ name, kind }) => `${name} ${kind}`.toLowerCase().includes(wanted));
  equal(
    "access patterns",
    "list",
    shown.list.map((row) => [row.name, row.kind, row.verdict]),
    listed.map((row) => [row.name, row.kind, verdictClass[row.verdict.name] ?? row.verdict.name]),
  );
}

const verdictClass = { served: "served", readsTooMuch: "reads", unserved: "unserved", impossible: "impossible" };

function code(shown, truth, differ) {
  const file = truth.files.find(([name]) => name === shown.file) ?? truth.files[0];
  const wanted = file[1].split("\n");
  const at = shown.lines.findIndex((line, at) => line !== wanted[shown.first + at]);
  if (at < 0 && (shown.lines.length > 0 || file[1] === "")) return;
  const line = shown.first + Math.max(at, 0);
  differ("code", `${shown.format}, line ${line + 1}: shown ${JSON.stringify(shown.lines[at])}, wanted ${JSON.stringify(wanted[line])}`);
}
