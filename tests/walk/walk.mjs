// One walk through the page: gesture after gesture, each judged by the oracle.
import { differences } from "./compare.mjs";
import { gestures } from "./gestures.mjs";
import { Hand, Unreachable } from "./hand.mjs";
import { install } from "./page.mjs";
import { readDesigns } from "./storage.mjs";

/** How long the page may take until it shows what it must, in milliseconds. */
const PATIENCE = Number(process.env.WALK_PATIENCE ?? 3000);
/** How long a step may take at all, in milliseconds. */
const HANGS = 60_000;
/** Gestures that go to an item, for which the page lets filters go. */
const GOES_TO_ITEM = ["nextProblem", "fix", "addRow", "duplicateRow", "pattern"];

const isTab = (tab) => /^(primary|i\d+)$/.test(tab ?? "");
/** A design without the number that the next part gets: undo does not give numbers back. */
const withoutNextId = (text) => text?.replace(/"nextId": \d+/, "");

export class Walk {
  /** Opens a page of its own: `app` and `oracle` are started, `script` says `size` and `touch`. */
  static async begin(app, oracle, script) {
    // How fast the page's machine seems to be, as a number in place of a name: the function goes to the page as a text.
    const init = `window.__walkSpeed = ${script.speed ?? 0.1}; window.__walkDesigns = ${readDesigns}; (${install})();`;
    const { page, complaints, close } = await app.open({ mayComplain: true, size: script.size, touch: script.touch, still: true, clipboard: true, init: { content: init } });
    page.setDefaultTimeout(5000);
    const walk = new Walk();
    Object.assign(walk, { app, oracle, page, complaints, close, hand: new Hand(page, script.touch ?? false) });
    walk.ask = oracle.ask;
    walk.patterns = await oracle.ask({ op: "patterns" });
    await page.waitForFunction(() => document.querySelector(".save-state") && document.querySelector(".panel-tabs [role=tab]"));
    await walk.#see();
    walk.#opened();
    if (script.file) await walk.openFile(script.file);
    return walk;
  }

  texts = {};
  /** The texts of designs as they were opened from the library, by key. */
  patternTexts = {};
  /** The steps of each design, by its key. */
  histories = {};
  truth = null;
  arrangements = {};
  found = [];
  #asked = "";

  // ---- what gestures ask ----
  text = () => this.texts[this.look.open];
  nameOf = (key) => JSON.parse(this.texts[key]).name;
  /** The names that another design cannot get. A pattern that was never edited is not kept, and frees its name. */
  takenNames() {
    const { texts, patternTexts, look, history } = this;
    const isUnedited = texts[look.open] === patternTexts[look.open] && history.states.length === 1 && history.empty === 0;
    return look.keys.filter((key) => key !== look.open || !isUnedited).map(this.nameOf);
  }
  /** The number of an item's line. */
  lineOf(sample) {
    const { items, rows } = this.truth.table ?? { items: [] };
    const at = items.findIndex(([id]) => id === sample);
    return at < 0 || at < rows ? at : rows + 1 + 2 * (at - rows);
  }
  /** How the table that is shown is arranged. */
  arrangement() {
    return (this.arrangements[this.look.tab] ??= { sort: null, without: [], arranged: [] });
  }
  /** The table as the oracle is told of it. */
  table() {
    const { sort, without, arranged } = this.arrangement();
    return structuredClone({ index: this.look.tab, filter: this.look.grid?.filter ?? "", sort, without, arranged, lines: [0, 0] });
  }
  /** A row of this entity is added: where it would not be seen, filters go. */
  rowAdded(entity) {
    this.added = entity;
  }
  complain(kind, text) {
    this.found.push([kind, text]);
  }

  // ---- what gestures do ----
  /** Brings a region of the page to the front. */
  async show(pane) {
    if (await this.page.evaluate(() => !!document.querySelector(".pane-tabs")?.checkVisibility())) {
      const isFront = await this.page.evaluate((pane) => document.querySelector(".pane-tabs [aria-current=true]")?.textContent.trim() === pane, pane);
      if (!isFront) await this.hand.press(".pane-tabs button", { text: pane });
      await this.hand.frame();
    } else if (pane === "Data" && !this.look.panelOpen) {
      await this.hand.press(".panel-toggle");
      await this.page.waitForFunction(() => !window.__walk.isOpening());
    }
  }

  /** Goes to an entity, an index or an access pattern by the outline, or, where that is closed, by its card. */
  async inspect(id) {
    const lists = [this.truth.entities, this.truth.indexes, this.truth.patterns];
    const list = lists.findIndex((list) => list.some((one) => one.id === id));
    if (list < 0) throw new Unreachable(id);
    await this.show("Outline");
    const rows = `.rail .outline ul:nth-of-type(${list + 1}) .outline-row`;
    if (await this.page.evaluate(() => document.querySelector(".rail .outline")?.checkVisibility())) {
      const at = lists[list].findIndex((one) => one.id === id);
      // Of many rows only those in sight are in the page.
      await this.page.evaluate(
        ([rows, at]) => {
          const first = document.querySelector(rows);
          const list = first?.closest("ul");
          const outline = list?.closest(".outline");
          if (!outline || !list.style.paddingTop) return;
          outline.scrollTop = list.offsetTop - outline.offsetTop + at * first.offsetHeight - outline.clientHeight / 2;
        },
        [rows, at],
      );
      await this.hand.frame();
      const name = lists[list][at].name.trim();
      const nth = lists[list].slice(0, at).filter((one) => one.name.trim() === name).length;
      await this.hand.press(`${rows} .outline-name`, { text: name, nth });
    } else if (list < 2) {
      await this.hand.press(`.canvas [data-card="${id}"] .card-head`, { scroll: false, part: [0.35, 0.5], clear: 10 });
    } else throw new Unreachable(id);
    if (list < 2) await this.show("Inspector");
    await this.hand.frame();
  }

  /** Chooses an option of a select. */
  async chooseOption(select, option) {
    await select.selectOption(option, { timeout: 1000 }).catch(() => {
      throw new Unreachable(option);
    });
  }

  /** Chooses a line of the menu that is open. */
  async chooseLine(line, byKey = false) {
    if (!byKey) return this.hand.press("[role=menu] .menu-item .menu-text", { text: line });
    const lines = await this.page.evaluate(() => [...document.querySelectorAll("[role=menu] .menu-text")].map((one) => one.textContent.trim()));
    const at = lines.indexOf(line);
    if (at < 0) {
      await this.hand.keys("Escape");
      throw new Unreachable(line);
    }
    for (let step = 0; step < at; step++) await this.hand.keys("ArrowDown");
    await this.hand.keys("Enter");
  }

  async reload() {
    await this.page.reload();
    await this.page.waitForFunction(() => document.querySelector(".save-state") && document.querySelector(".panel-tabs [role=tab]"));
  }

  /** Opens a design file as a person does. */
  async openFile(path) {
    const before = this.look.open;
    await this.page.locator(".menu input[type=file]").setInputFiles(path);
    // It is open before it is stored.
    for (let turn = 0; turn < 200 && (this.look.open === before || this.text() === undefined); turn++) await this.#see();
    this.#opened();
  }

  // ---- a step ----
  /** A gesture that is possible now, as data. */
  choose(random) {
    const all = Object.entries(gestures).map(([name, gesture]) => [gesture.weight, name]);
    for (let turn = 0; turn < 100; turn++) {
      const name = random.weighted(all);
      const data = gestures[name].choose(this, random);
      if (data) return { g: name, ...data };
    }
    throw new Error("nothing is possible");
  }

  /** Does a gesture. Returns the differences that are there afterwards. */
  async step({ g, ...data }, { replaying = false } = {}) {
    Object.assign(this, { does: null, many: false, byKey: false, staysAt: false, deletes: null, undoes: null, added: null, found: [], skipped: null });
    const before = { look: this.look, text: this.text(), keys: this.look.keys, texts: this.texts };
    const work = async () => {
      try {
        await gestures[g].run(this, data);
      } catch (error) {
        if (!(error instanceof Unreachable) && !(replaying && error instanceof TypeError)) throw error;
        this.skipped = error.message;
      }
      await this.#see();
      await this.#tidy();
      await this.#awaitOpening(before.look.open);
      await this.#awaitDeletion();
      await this.#judge(g, before);
    };
    let timer;
    const hangs = new Promise((_, fail) => (timer = setTimeout(() => fail(new Error("the page hangs")), HANGS)));
    try {
      await Promise.race([work(), hangs]);
    } catch (error) {
      if (process.env.WALK_DEBUG) console.error(error);
      this.complain(error.message === "the page hangs" ? "hang" : "driver", String(error.message).split("\n")[0]);
    } finally {
      clearTimeout(timer);
    }
    return this.found;
  }

  /** Lets the page come to rest and looks at it. */
  async #see() {
    this.look = JSON.parse(await this.page.evaluate(() => window.__walk.settle()));
    this.texts = Object.fromEntries(this.look.keys.map((key) => [key, this.look.texts[key] ?? this.texts[key]]));
  }

  /** Another design is open in a moment: the page may still load what it needs for that. */
  async #awaitOpening(open) {
    const until = Date.now() + PATIENCE;
    while (this.does?.isOther && !this.skipped && this.look.open === open && Date.now() < until) await this.#see();
  }

  /** A design that is deleted goes in a moment: the page does not wait for it. */
  async #awaitDeletion() {
    const until = Date.now() + PATIENCE;
    while (this.deletes && !this.skipped && this.look.keys.includes(this.deletes) && Date.now() < until) await this.#see();
  }

  /** Closes what the gesture has left open. */
  async #tidy() {
    for (let turn = 0; turn < 3; turn++) {
      const { dialog, menu, largeEditor, grid } = this.look;
      if (!dialog && !menu && !largeEditor && !grid?.editing) return;
      await this.hand.keys("Escape");
      await this.#see();
    }
  }

  /** What the core says of what is looked at. */
  async #learn() {
    const { grid, problems, patterns, code, tab } = this.look;
    const question = { op: "show", design: this.text() };
    if (grid && isTab(tab)) {
      const lines = grid.rows.map((row) => row.at);
      const first = Math.floor(grid.top / grid.row);
      const from = Math.max(0, Math.min(first, ...lines));
      const to = Math.max(first + Math.ceil(grid.height / grid.row) + 1, ...lines) + 1;
      question.table = { ...this.table(), lines: [from, to] };
    }
    if (problems) {
      const { search = "", severity = null, kind = null, grouping = "", silenced = false } = problems;
      question.problems = { search, severity, kind, grouping: grouping ?? "", silenced };
    }
    if (patterns) question.verdicts = true;
    if (code?.format) question.format = code.format;
    const asked = JSON.stringify(question);
    if (asked !== this.#asked) this.truth = await this.ask(question);
    this.#asked = asked;
  }

  async #judge(g, before) {
    // Of a panic the first lines say where.
    for (const complaint of this.complaints.splice(0)) this.complain("console", complaint.split("\n").slice(0, 2).join(" "));
    if (this.look.crash) return this.complain("crash", this.look.crash);
    if (this.look.saved !== "Saved") this.complain("saved", this.look.saved);
    await this.#judgeChange(before);
    if (this.text() !== before.text && !this.look.grid) for (const tab of Object.values(this.arrangements)) tab.changedUnseen = true;
    this.#followFilters(g);
    const until = Date.now() + PATIENCE;
    for (;;) {
      await this.#learn();
      if (this.#followSort()) await this.#learn();
      const found = differences(this.look, this.truth, this.arrangement());
      if (!found.length || Date.now() > until) {
        this.found.push(...found);
        break;
      }
      await this.#see();
    }
    const hadNone = this.staysAt && before.look.focus.lost;
    const isLost = () => this.look.focus.lost && this.byKey && !hadNone && !this.skipped;
    // What gets the focus may be drawn a few frames later.
    while (isLost() && Date.now() < until) await this.#see();
    const { focus } = this.look;
    if (isLost()) this.complain("focus", "lost after a gesture by keyboard");
    if (!focus.lost && !focus.seen) this.complain("focus", `in something hidden: ${focus.what}`);
  }

  /**
   * The table follows a renamed column that it is sorted by, and ends the sort of one that is gone, while it is shown. Returns
   * whether the sort changed.
   */
  #followSort() {
    const arrangement = this.arrangement();
    const { grid, tab } = this.look;
    if (!grid || !isTab(tab) || !arrangement.sort) return false;
    const isThere = this.truth.table.natural.includes(arrangement.sort[0]);
    // In a closed panel the column may have gone and come back.
    if (isThere && !(arrangement.changedUnseen && grid.order === null)) return false;
    const column = grid.order?.match(/^Sorted by (.*): not DynamoDB's order$/)?.[1];
    if (column === arrangement.sort[0]) return false;
    if (column !== undefined && !this.truth.table.natural.includes(column)) return false;
    arrangement.sort = column === undefined ? null : [column, arrangement.sort[1]];
    return true;
  }

  /** Where the page goes to an item that filters would hide, it lets them go. */
  #followFilters(g) {
    if (!this.look.grid || !isTab(this.look.tab) || !(this.added || GOES_TO_ITEM.includes(g))) return;
    const arrangement = this.arrangement();
    const hidden = this.look.grid.hidden.find(([name]) => name === "Entities")?.[1];
    if (hidden === null || hidden === arrangement.without.length) return;
    arrangement.without = hidden === 0 ? [] : arrangement.without.filter((entity) => entity !== this.added);
  }

  /** Whether the stored designs changed as the gesture says. */
  async #judgeChange(before) {
    const { does } = this;
    const opens = does && typeof does === "object" && !Array.isArray(does) ? does : null;
    const isOther = this.look.open !== before.look.open;
    for (const key of before.keys) {
      if (key === this.deletes) continue;
      // A pattern that was not edited is not kept when another design opens.
      const isUnedited = before.texts[key] === this.patternTexts[key] && key !== this.look.open;
      if (!this.look.keys.includes(key) && isUnedited) continue;
      if (!this.look.keys.includes(key)) this.complain("designs", `design ${key} is gone`);
      else if (key !== before.look.open && this.texts[key] !== before.texts[key]) this.complain("designs", `design ${key} changed, which was not open`);
    }
    if (this.deletes && this.look.keys.includes(this.deletes) && !this.skipped) this.complain("designs", `design ${this.deletes} is still there`);
    if (opens) {
      if (opens.opens !== null && this.text() !== opens.opens) this.complain("opened", firstDifference(opens.opens, this.text()));
      const last = this.texts[before.look.open];
      if (isOther && last !== undefined && last !== before.text) this.complain("designs", "the design that was open changed");
      if (opens.isPattern) this.patternTexts[this.look.open] = this.text();
      return this.#opened();
    }
    if (isOther && this.skipped) return this.#opened();
    if (isOther) return this.complain("designs", `design ${this.look.open} is open instead of ${before.look.open}`);
    const after = this.text();
    const { states, at } = this.history;
    const isLike = (text) => text !== undefined && withoutNextId(text) === withoutNextId(after);
    // Typing that ends where it began leaves a step that changes nothing.
    const isEmpty = (does === "undo" || does === "redo") && isLike(before.text) && this.history.empty > 0;
    if (isEmpty) {
      this.history.empty--;
    } else if (does === "undo") {
      if (isLike(states[at - 1]?.text)) this.history.at--;
      else if (states[at]?.isMany && !isLike(states[at].text)) states.splice(at, 0, { text: after, isMany: true });
      else this.complain("undo", firstDifference(states[at - 1]?.text ?? "", after));
    } else if (does === "redo") {
      if (isLike(states[at + 1]?.text)) this.history.at++;
      else if (at + 1 === states.length || states[at + 1].isMany) states.splice(++this.history.at, 0, { text: after, isMany: true });
      else this.complain("redo", firstDifference(states[at + 1]?.text ?? "", after));
    } else if (this.undoes) {
      // What was typed is stored, and taken back; or it could not be stored, and the step before is taken back.
      if (isLike(before.text)) states.length = at + 1;
      else if (isLike(states[at - 1]?.text)) this.history.at--;
      else if (states[at]?.isMany) states.splice(at, 0, { text: after, isMany: true });
      else this.complain("undo", firstDifference(before.text, after));
    } else if (after !== before.text || does !== null) {
      if (Array.isArray(does)) {
        const { same, why } = await this.ask({ op: "check", before: before.text, after, commands: does });
        if (!same) this.complain("command", why);
      } else if (does === null && !this.skipped) {
        this.complain("look", `a gesture that only looks changed the design: ${firstDifference(before.text, after)}`);
      }
      if (after === before.text && this.isTyped(does)) this.history.empty += 2;
      if (after !== before.text) {
        states.length = at + 1;
        states.push({ text: after, isMany: does === null || this.isTyped(does) });
        this.history.at++;
      }
    }
  }

  /** Whether a gesture may have done several things: what is typed with pauses is several. */
  isTyped(does) {
    return this.many || does === "any" || (Array.isArray(does) && does.length > 1);
  }

  #opened() {
    this.arrangements = {};
    // A design that was open before has its steps.
    const kept = this.histories[this.look.open];
    if (kept && withoutNextId(kept.states[kept.at].text) === withoutNextId(this.text())) {
      this.history = kept;
      return;
    }
    this.history = this.histories[this.look.open] = { states: [{ text: this.text(), isMany: false }], at: 0, empty: 0 };
  }
}

function firstDifference(wanted = "", got = "") {
  const [a, b] = [wanted.split("\n"), got.split("\n")];
  const at = a.findIndex((line, at) => line !== b[at] && !line.includes('"nextId"'));
  return `line ${at + 1}: wanted ${a[at]?.trim()} | got ${b[at]?.trim()}`;
}
