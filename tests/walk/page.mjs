// What the walk has in the page: a clock that it can put forward, and eyes. `install` runs there before the page's own scripts.

/** Runs in the page, as a whole: nothing outside of it is there. */
export function install() {
  if (window.__walk) return;
  // ---- the clock: what the page waits for comes as soon as the walk says so, in the order in which it is due ----
  const later = window.setTimeout.bind(window);
  const never = window.clearTimeout.bind(window);
  const clock = performance.now.bind(performance);
  const timers = new Map();
  let ahead = 0;
  let made = 0;
  // How much time goes by for the page while a second does: with little it is on a fast machine, where work is done in one
  // slice, with much on a slow one.
  const speed = window.__walkSpeed ?? 0.1;
  // The letters of one text come within an undo step, however fast the clock and however busy the machine is.
  const BETWEEN_LETTERS = 300;
  let isTyping = false;
  let latest = Infinity;
  const now = () => Math.min(clock() * speed + ahead, latest);
  const hold = (pause) => {
    ahead = now() - clock() * speed;
    latest = now() + pause;
  };
  /** Says that a text is being typed, or that its last letter was. */
  const typing = (on) => {
    isTyping = on;
    hold(on ? BETWEEN_LETTERS : Infinity);
  };
  window.addEventListener("keydown", () => isTyping && hold(BETWEEN_LETTERS), true);
  performance.now = now;
  window.setTimeout = (run, delay = 0, ...rest) => {
    const id = ++made;
    const timer = { due: now() + Number(delay), run: () => (typeof run === "function" ? run(...rest) : undefined) };
    timer.real = later(() => timers.delete(id) && timer.run(), delay);
    timers.set(id, timer);
    return id;
  };
  window.clearTimeout = (id) => {
    never(timers.get(id)?.real);
    timers.delete(id);
  };
  /** Puts the clock forward by so many milliseconds and runs what is due until then. */
  const advance = (ms) => {
    const until = now() + ms;
    for (;;) {
      let next;
      for (const [id, timer] of timers) if (timer.due <= until && !(next?.timer.due <= timer.due)) next = { id, timer };
      if (!next) break;
      ahead += Math.max(0, next.timer.due - now());
      never(next.timer.real);
      timers.delete(next.id);
      next.timer.run();
    }
    ahead += Math.max(0, until - now());
  };
  // A frame in which nothing is drawn comes only with the screen's next refresh, one that draws at once: a dot changes its color.
  const dot = document.createElement("div");
  dot.style.cssText = "position: fixed; right: 0; bottom: 0; width: 1px; height: 1px; pointer-events: none";
  let isEven = false;
  const frame = () =>
    new Promise((done) => {
      if (!dot.isConnected) document.documentElement?.append(dot);
      dot.style.background = (isEven = !isEven) ? "#888" : "#999";
      requestAnimationFrame(() => done());
    });

  // ---- the eyes ----
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const one = (selector, inside = document) => inside.querySelector(selector);
  const seen = (element) => !!element && element.checkVisibility({ visibilityProperty: true });
  const text = (element) => element?.textContent.trim() ?? null;
  /** Height of a line of the table: more for a finger. */
  const rowHeight = () => Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row"));
  /** With the spaces at its ends: of a name they are a part. */
  const whole = (element) => element?.textContent ?? null;
  const round = (number) => Math.round(number);

  const designs = window.__walkDesigns;
  let sent = {};

  const outline = () => {
    const outline = one(".rail .outline");
    if (!seen(outline)) return null;
    const [entities, indexes, patterns] = all("ul", outline).map((list) =>
      all(".outline-row", list).map((row) => whole(one(".outline-name", row))),
    );
    // Of many entities only the rows in sight are in the page.
    const list = one("ul", outline);
    const [before, after] = ["paddingTop", "paddingBottom"].map((side) => parseFloat(getComputedStyle(list)[side]));
    const row = one(".outline-row", outline)?.getBoundingClientRect().height ?? 1;
    const [from, to] = [list.getBoundingClientRect().top + before, list.getBoundingClientRect().bottom - after];
    const { top, bottom } = outline.getBoundingClientRect();
    return {
      entities,
      first: round(before / row),
      gap: (before > 0 && from > top) || (after > 0 && to < bottom),
      indexes,
      patterns,
      current: all(".outline-row", outline).map((row) => row.getAttribute("aria-current") === "true"),
      counts: all("h2 .count", outline).map((count) => Number(text(count))),
      search: one(".rail input[type=search]")?.value ?? "",
    };
  };

  const cards = () => {
    const canvas = one(".canvas");
    if (!seen(canvas)) return null;
    return all(".canvas [data-card]").map((card) => {
      const { e, f } = new DOMMatrix(getComputedStyle(card).transform);
      return {
        id: card.dataset.card,
        label: card.getAttribute("aria-label"),
        name: whole(one(".card-name", card)) ?? one(".card-rename", card)?.value,
        renaming: !!one(".card-rename", card),
        hue: /hue-(\d+)/.exec(card.className)?.[1] ?? null,
        selected: card.classList.contains("selected"),
        hidden: card.hidden,
        rows: text(one(".card-count", card)),
        kind: text(one(".card-head .kind", card)),
        foot: text(one(".card-foot", card)),
        members: one(".members", card) ? all(".members .badge", card).length : null,
        keys: all(".card-group:not(.attributes)", card).map((group) => ({
          title: group.title,
          rows: all(".key-row", group).map((row) => [
            text(one(".key-label", row)),
            one(".template", row)?.title || whole(one(".template", row)),
            whole(one(".template", row)),
          ]),
        })),
        attributes: all(".attributes li", card).map((item) => [
          text(one(".attribute-name", item)),
          text(one(".attribute-type", item)),
          item.classList.contains("required"),
        ]),
        place: [round(e), round(f)],
        note: whole(one(".note-text", card)),
        writing: !!one(".note-edit", card),
      };
    });
  };

  const wires = () =>
    seen(one(".canvas"))
      ? all(".canvas [data-wire]").map((wire) => ({
          id: wire.dataset.wire,
          hue: /hue-(\d+)/.exec(wire.getAttribute("class"))?.[1],
          sparse: wire.classList.contains("sparse"),
          title: one("title", wire)?.textContent ?? "",
          labels: all(".wire-label", wire).map((label) => label.textContent),
        }))
      : null;

  const grid = () => {
    const grid = one("[data-grid]");
    if (!seen(grid)) return null;
    const box = grid.getBoundingClientRect();
    const heads = all(".grid-head [data-name]", grid).map((head) => {
      const { left, width } = head.getBoundingClientRect();
      return {
        name: head.dataset.name,
        sort: head.getAttribute("aria-sort"),
        left: round(left),
        width: round(width),
        frozen: head.classList.contains("frozen"),
        at: Number(head.getAttribute("aria-colindex")),
      };
    });
    const rows = all(".grid-body > .grid-row:not(.editor-row)", grid).map((row) => {
      const place = row.getBoundingClientRect();
      const line = { at: Number(row.getAttribute("aria-rowindex")) - 2, top: round(place.top - box.top + grid.scrollTop) };
      const note = one(".grid-note", row);
      if (note) return { ...line, note: text(note) };
      return {
        ...line,
        sample: row.dataset.sample,
        severe: row.classList.contains("severe"),
        odd: row.classList.contains("odd"),
        first: row.classList.contains("first"),
        selected: row.getAttribute("aria-selected") === "true",
        badge: one(".row-head .badge", row)?.title,
        name: whole(one(".row-head .visually-hidden", row)),
        mark: text(one(".mark-reason", row)),
        cells: all("[data-column]", row).map((cell) => {
          const { left, width } = cell.getBoundingClientRect();
          return {
            name: cell.dataset.column,
            at: Number(cell.getAttribute("aria-colindex")),
            // A cell without a value says so.
            text: cell.classList.contains("absent") ? "" : (cell.getAttribute("aria-label") ?? cell.textContent),
            shown: cell.textContent,
            locked: cell.getAttribute("aria-readonly") === "true",
            absent: cell.classList.contains("absent"),
            left: round(left),
            width: round(width),
          };
        }),
      };
    });
    const editor = one("[data-draft]", grid);
    return {
      index: one(".panel-tabs [aria-selected=true]")?.id.slice("tab-".length),
      count: Number(grid.getAttribute("aria-rowcount")) - 1,
      columns: Number(grid.getAttribute("aria-colcount")) - 1,
      top: grid.scrollTop,
      left: grid.scrollLeft,
      row: rowHeight(),
      height: grid.clientHeight - rowHeight(),
      box: [round(box.left), round(box.top), grid.clientWidth, grid.clientHeight],
      busy: grid.getAttribute("aria-busy") === "true",
      filter: one(".table-filter input")?.value ?? "",
      // How many are hidden; `null`: all but one ("only User").
      hidden: all(".bar-menu > button").map((button) => [
        button.firstChild?.textContent,
        Number.parseInt(text(one(".bar-hidden", button)) ?? "0"),
      ]),
      order: text(one(".order-chip span")),
      counted: text(one(".table-count")),
      editing: editor ? { value: editor.value, label: editor.getAttribute("aria-label") } : null,
      error: text(one(".cell-error", grid)) || null,
      heads,
      rows,
    };
  };

  const problems = () => {
    const panel = one(".problems");
    if (!seen(panel)) return null;
    if (one(".problems-none", panel)) return { none: text(one(".problems-none", panel)) };
    const pressed = (selector) => one(`${selector}[aria-pressed=true]`, panel);
    const severity = pressed(".severity")?.className.match(/error|warning|info/)?.[0] ?? null;
    return {
      search: one("input[type=search]", panel).value,
      severity,
      kind: one("select[aria-label=Kind]", panel).value || null,
      grouping: text(pressed(".problems-bar .segmented button")),
      silenced: one('.problems-bar > button[aria-pressed="true"]', panel) !== null,
      // On a small screen the list gives way to the chosen one.
      list: seen(one(".problem-list", panel))
        ? all(".problem", panel).map((line) => ({
            severity: text(one(".visually-hidden", line)),
            code: text(one(".problem-code", line)),
            message: text(one(".problem-message", line)),
            place: text(one(".problem-place", line)),
            selected: line.getAttribute("aria-selected") === "true",
          }))
        : null,
      buttons: all(".problem-detail .fix button", panel).map(text),
    };
  };

  const patterns = () => {
    const panel = one(".patterns");
    if (!seen(panel)) return null;
    const list = one(".pattern-list", panel);
    return {
      search: one(".pattern-list input[type=search]", panel)?.value ?? "",
      list: seen(list)
        ? all(".pattern-row", list).map((row) => ({
            name: whole(one(".pattern-name", row)),
            kind: text(one(".pattern-kind", row)),
            verdict: one(".verdict", row)?.className.replace("verdict", "").trim(),
            selected: row.getAttribute("aria-selected") === "true",
          }))
        : null,
      suggestions: all(".suggestion", panel).map(text),
    };
  };

  const code = () => {
    const panel = one(".code-panel");
    if (!seen(panel)) return null;
    const shown = one("pre.code", panel);
    return {
      format: text(one(".code-formats [aria-pressed=true]", panel)),
      file: text(one("[aria-label=File] [aria-pressed=true]", panel)),
      changes: all(".code-head [aria-pressed=true]", panel).length > 0,
      // Only the lines in sight are in the page.
      first: Math.round(parseFloat(shown?.querySelector("code")?.style.paddingTop || 0) / 18),
      lines: shown ? all("code > span", shown).map((line) => line.textContent.replace(/\n$/, "")) : null,
    };
  };

  const inspector = () => {
    const panel = one(".inspector");
    if (!seen(panel)) return null;
    return {
      kind: text(one(".inspector-head .kind", panel)),
      title: whole(one(".inspector-head h2", panel)),
      blocks: all("[data-block]", panel).map((block) => ({
        id: block.dataset.block,
        name: text(one("legend", block)),
        inputs: all(".template-line", block).map((line) => [line.dataset.place, one(".template-input", line).value]),
        none: all(".template-none", block).map((line) => line.dataset.place),
      })),
      // A section that is closed has nothing in the page.
      attributes: one(".attribute-list", panel)
        ? all("[data-attribute]", panel).map((row) => ({
            id: row.dataset.attribute,
            name: one(".attribute-row input[type=text]", row)?.value,
            kind: one(".attribute-row select", row)?.value,
            required: one(".attribute-row input[type=checkbox]", row)?.checked,
          }))
        : null,
      text: text(one(".inspector-head h2", panel)) === "Note" ? (one("textarea", panel)?.value ?? null) : null,
      invalid: all(".field.invalid, .template-field.invalid", panel).length,
    };
  };

  const focus = () => {
    const element = document.activeElement;
    if (!element || element === document.body) return { lost: true };
    const cell = element.closest("[data-column], [data-head]");
    return {
      lost: false,
      what: `${element.tagName.toLowerCase()}.${element.className?.baseVal ?? element.className} ${element.getAttribute("aria-label") ?? ""}`.trim(),
      seen: seen(element) && element.getClientRects().length > 0,
      inGrid: !!element.closest("[data-grid]"),
      field: element.matches("input, textarea, select"),
      card: element.dataset?.card ?? null,
      cell: cell ? [cell.closest("[data-sample]")?.dataset.sample, cell.dataset.column ?? null] : null,
    };
  };

  const KINDS = {
    field: "input[type=text], textarea",
    choice: "select",
    check: "input[type=checkbox]",
    button: "button:enabled, summary",
  };
  // Fields of templates have gestures of their own.
  const OTHERS = ".template-input, .menu *";
  /** The controls of a kind in a region that are in sight, with their names. */
  const controls = (region, kind) => {
    const found = all(`${region} :is(${KINDS[kind]})`).filter((element) => seen(element) && !element.matches(OTHERS));
    const label = (element) => element.getAttribute("aria-label") ?? (element.labels?.[0] ? text(element.labels[0]) : null) ?? text(element) ?? "";
    const named = found.map((element) => ({ element, name: `${label(element)}${element.closest("[data-attribute]")?.dataset.attribute ?? ""}` }));
    return named.map((one, at) => ({ ...one, name: `${one.name} ${named.slice(0, at).filter((other) => other.name === one.name).length || ""}`.trim() }));
  };
  /** Where a control can be pressed, once it is in sight; `null`: something lies over it. */
  const controlAt = (region, kind, nth) => {
    const element = controls(region, kind)[nth]?.element;
    if (!element) return null;
    element.scrollIntoView({ block: "nearest" });
    const target = element.matches("[type=checkbox]") ? (element.labels?.[0] ?? element) : element;
    const { left, top, width, height } = target.getBoundingClientRect();
    const at = [left + Math.min(width / 2, 40), top + height / 2];
    const hit = document.elementFromPoint(...at);
    return hit && (target.contains(hit) || hit.contains(target)) ? at : null;
  };
  const REGIONS = [".inspector", ".pattern-editor", ".pattern-proof", ".problem-detail", ".patterns-bar", ".patterns-first", ".code-head"];
  const allControls = () =>
    Object.fromEntries(REGIONS.filter((region) => seen(one(region))).map((region) => [region, Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, controls(region, kind).map((one) => one.name)]))]));

  /** All that is in sight, with the stored designs that are others than when they were last sent. */
  const look = async () => {
    const stored = await designs();
    const texts = {};
    for (const [key, value] of Object.entries(stored.texts)) if (sent[key] !== value) texts[key] = value;
    sent = stored.texts;
    return {
      size: [innerWidth, innerHeight],
      open: stored.open,
      keys: Object.keys(stored.texts),
      texts,
      saved: text(one(".save-state")),
      crash: text(one(".crash")),
      dialog: one("dialog[open]")?.getAttribute("aria-label") ?? null,
      largeEditor: !!one(".cell-dialog"),
      menu: one("[role=menu]") ? all("[role=menu] [role=menuitem]").map((line) => [text(one(".menu-text", line)), !line.ariaDisabled]) : null,
      menuName: one("[role=menu]")?.getAttribute("aria-label") ?? null,
      name: one(".design-name input")?.value ?? null,
      undo: !one("button[aria-label=Undo]")?.hasAttribute("aria-disabled"),
      redo: !one("button[aria-label=Redo]")?.hasAttribute("aria-disabled"),
      undoTitle: one("button[aria-label=Undo]")?.title ?? "",
      redoTitle: one("button[aria-label=Redo]")?.title ?? "",
      counts: text(one(".problem-counts .visually-hidden")),
      tab: one(".panel-tabs [aria-selected=true]")?.id.slice("tab-".length) ?? null,
      tabs: all(".panel-tabs [role=tab]").map((tab) => [tab.id.slice("tab-".length), whole(tab)]),
      panelOpen: one(".panel-toggle")?.getAttribute("aria-expanded") === "true",
      panelSeen: seen(one(".panel-body")) && one(".panel-body").getClientRects()[0]?.height > 20,
      pane: text(one(".pane-tabs [aria-current=true]")),
      small: seen(one(".pane-tabs")),
      detail: JSON.parse(localStorage.getItem("keyfold:desk") ?? "{}").detail ?? "all",
      notices: all(".notice-text").map(text),
      outline: outline(),
      cards: cards(),
      wires: wires(),
      grid: grid(),
      problems: problems(),
      patterns: patterns(),
      code: code(),
      inspector: inspector(),
      controls: allControls(),
      focus: focus(),
    };
  };

  /** Whether the panel has just opened or grown: it takes no press then. */
  const isOpening = () => getComputedStyle(one(".panel-body")).pointerEvents === "none";
  const isBusy = () =>
    one("[data-grid]")?.getAttribute("aria-busy") === "true" ||
    one("pre.code")?.getAttribute("aria-busy") === "true" ||
    one(".inspector")?.getAttribute("aria-busy") === "true" ||
    text(one(".save-state")) === "Saving…" ||
    one(".save-state") === null ||
    isOpening();

  /** Lets a second go by, and waits until the page has done what it does then. */
  const settle = async () => {
    await frame();
    advance(1000);
    await frame();
    const until = clock() + 10_000;
    while (isBusy() && clock() < until) {
      advance(50);
      await frame();
    }
    // As text: a driver takes objects apart property by property.
    return JSON.stringify(await look());
  };

  // ---- the hand: where something can be touched ----
  const inField = () => !!document.activeElement?.matches("input, textarea");
  /**
   * A point of the window where an element that fits can be pressed; `null`: there is none. `inside` is a region from whose
   * edges it is away, where a drag would scroll; a finger needs the element to be `clear` for so many pixels around, and with
   * `strict` so does a mouse: the pixel at the edge of a card belongs to whichever card its fractions are rounded to.
   */
  const point = (selector, { text: wanted, scroll = true, part = [0.5, 0.5], nth = 0, not, inside, clear, strict } = {}) => {
    const fits = (element) => wanted === undefined || text(element) === wanted;
    const element = all(selector).filter((it) => fits(it) && seen(it))[nth];
    if (!element) return null;
    const parts = [part, [0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8], [0.1, 0.1], [0.9, 0.9]];
    const region = inside && one(inside)?.getBoundingClientRect();
    const isAway = ([x, y]) => !region || (x > region.left + 28 && x < region.right - 28 && y > region.top + 28 && y < region.bottom - 28);
    // A browser takes a tap right beside a message for one on that.
    const isCoarse = matchMedia("(pointer: coarse)").matches;
    const isByNotice = ([x, y]) => [-16, 0, 16].some((dy) => document.elementFromPoint(x, y + dy)?.closest(".notices"));
    const found = (around) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return parts
        .map(([x, y]) => [left + width * x, top + height * y])
        .filter((at) => isAway(at) && !(isCoarse && !element.closest(".notices") && isByNotice(at)))
        .find((at) =>
          around.every(([x, y]) => {
            const hit = document.elementFromPoint(at[0] + x, at[1] + y);
            return hit && element.contains(hit) && !(not && hit.closest(not));
          }),
        );
    };
    // A browser may take a tap beside something that lies over the element for one on that.
    const far = clear ?? 6;
    const beside = [[0, 0], [-far, 0], [far, 0], [0, -far], [0, far]];
    for (const block of scroll ? ["nearest", "center"] : [null]) {
      if (block) element.scrollIntoView({ block, inline: block });
      const at = found(beside);
      if (at) return at;
    }
    return (strict || (clear && isCoarse) ? null : found([[0, 0]])) ?? null;
  };
  /** A spot of the canvas on which there is nothing, away from another one. */
  const emptySpot = (x, y, other) => {
    const canvas = one(".canvas");
    if (!seen(canvas)) return null;
    const box = canvas.getBoundingClientRect();
    for (let turn = 0; turn < 60; turn++) {
      const at = [box.left + box.width * ((x + turn * 0.618) % 1) * 0.9 + 12, box.top + box.height * ((y + turn * 0.377) % 1) * 0.9 + 8];
      // The corners of cards are round, and count as the card.
      const around = [[0, 0], [9, 9], [-9, 9], [9, -9], [-9, -9]];
      if (other && Math.hypot(at[0] - other[0], at[1] - other[1]) < 30) continue;
      if (around.every(([x, y]) => document.elementFromPoint(at[0] + x, at[1] + y) === canvas)) return at;
    }
    return null;
  };
  /** A spot on a wire where nothing lies over it; with `end` that of its end. */
  const wirePoint = (id, end) => {
    // A finger there may mean the card.
    const around = [-12, 0, 12].flatMap((dx) => [-12, 0, 12].map((dy) => [dx, dy]));
    const isByCard = (x, y) => around.some(([dx, dy]) => document.elementFromPoint(x + dx, y + dy)?.closest("[data-card]"));
    const path = one(`.canvas [data-wire="${id}"] .wire-hit`);
    const circle = one(`.canvas [data-wire="${id}"] [data-wire-end]`);
    const is = (x, y) => document.elementFromPoint(x, y)?.closest("[data-wire]")?.dataset.wire === id;
    if (end) {
      const box = circle?.getBoundingClientRect();
      const at = box && [box.left + box.width / 2, box.top + box.height / 2];
      return at && is(...at) ? at : null;
    }
    const length = path?.getTotalLength?.() ?? 0;
    if (!length) return null;
    for (const part of [0.5, 0.3, 0.7, 0.4, 0.6, 0.2, 0.8]) {
      const point = path.getPointAtLength(length * part).matrixTransform(path.getScreenCTM());
      // Some events have whole numbers only, and wires lie near each other.
      const [x, y] = [Math.round(point.x), Math.round(point.y)];
      if (is(x, y) && !(matchMedia("(pointer: coarse)").matches && isByCard(x, y))) return [x, y];
    }
    return null;
  };
  /** Scrolls the table until a cell is in sight, below the heads and beside the columns that stay. */
  const showCell = (line, column) => {
    const grid = one("[data-grid]");
    if (!seen(grid)) return;
    const row = rowHeight();
    const top = line * row;
    if (top < grid.scrollTop) grid.scrollTop = top;
    else if (top + row > grid.scrollTop + grid.clientHeight - row) grid.scrollTop = top + 2 * row - grid.clientHeight;
    const head = column === null ? null : one(`.grid-head [data-name=${CSS.escape(column)}]`, grid);
    if (!head || head.classList.contains("frozen")) return;
    const stays = all(".grid-head .frozen, .grid-head .row-head", grid).filter((it) => getComputedStyle(it).position === "sticky");
    const from = Math.max(...stays.map((it) => it.getBoundingClientRect().right));
    const box = head.getBoundingClientRect();
    const right = grid.getBoundingClientRect().left + grid.clientWidth;
    if (box.left < from) grid.scrollLeft -= from - box.left;
    else if (box.right > right) grid.scrollLeft += Math.min(box.right - right, box.left - from);
  };

  window.__walk = { advance, typing, frame, settle, look, point, emptySpot, showCell, designs, inField, controls, controlAt, wirePoint, isOpening };
}
