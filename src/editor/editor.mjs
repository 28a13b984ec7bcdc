// The editor of the design as text: CodeMirror, without a language of its own. Colors, problems, blocks, completions and
// tooltips come from Keyfold's parser through `ask`, so that there is one grammar. `scripts/editor` makes
// editor.bundle.js of this file; the page loads that when the tab opens (src/platform/editor.rs).
//
// Positions are in UTF-16 units. `ask(kind, ...)` is called for what the user does:
//   changed(text)              a new text; the page shows its colors and problems after the next frame
//   moved(position)            the cursor is elsewhere
//   undo(), redo(), format()   keys that belong to the page
//   complete(position)         -> { from, options: [{ label, detail }] } or null
//   hover(position)            -> { from, to, title, paragraphs: [{ text } or { code }] } or null
//   define(position)           -> the position of the definition, or -1
//   name(position)             -> the name that F2 changes, or null
//   rename(position, name)     another name, everywhere
//   fix(number)                the fix of a problem
import { acceptCompletion, autocompletion, completionKeymap, completionStatus, selectedCompletionIndex, setSelectedCompletion, startCompletion } from "@codemirror/autocomplete";
import { defaultKeymap } from "@codemirror/commands";
import { codeFolding, foldGutter, foldKeymap, foldService } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorSelection, EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  ViewPlugin,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  showDialog,
  tooltips,
} from "@codemirror/view";
import { theme } from "./theme.mjs";

/** Marks a change that the page makes: it is not reported back. */
const fromPage = Annotation.define();
/** What the parser says of the text: `spans` as from, to, number of a class; `blocks` as start, end of the first line, end. */
const read = StateEffect.define();
const reading = StateField.define({
  create: () => ({ spans: [], classes: [], blocks: [] }),
  update: (before, transaction) => transaction.effects.reduce((value, effect) => (effect.is(read) ? effect.value : value), before),
});

const marks = new Map();
/** The mark of a class. A part that the page highlights by its name tells it. */
function mark(name, follows) {
  const key = `${name} ${follows}`;
  if (!marks.has(key)) marks.set(key, Decoration.mark({ class: name, attributes: follows ? { "data-follow": follows } : undefined }));
  return marks.get(key);
}

/** The colors of the visible lines. */
function colored(view) {
  const { spans, classes } = view.state.field(reading);
  const ranges = [];
  for (const { from, to } of view.visibleRanges) {
    let low = 0;
    let high = spans.length / 3;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (spans[3 * middle + 1] <= from) low = middle + 1;
      else high = middle;
    }
    for (let at = 3 * low; at < spans.length && spans[at] < to; at += 3) {
      const name = classes[spans[at + 2]];
      const follows = name.startsWith("tint ") ? view.state.sliceDoc(spans[at], spans[at + 1]) : "";
      ranges.push(mark(name, follows).range(spans[at], spans[at + 1]));
    }
  }
  return Decoration.set(ranges);
}
const colors = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.decorations = colored(view);
    }
    update(update) {
      const isRead = update.transactions.some((transaction) => transaction.effects.some((effect) => effect.is(read)));
      if (isRead || (update.viewportChanged && !update.docChanged)) this.decorations = colored(update.view);
      else if (update.docChanged) this.decorations = this.decorations.map(update.changes);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** The end of the first line and the end of the block that begins at a position, if one does. */
function blockAt(state, start) {
  const { blocks } = state.field(reading);
  for (let at = 0; at < blocks.length && blocks[at] <= start; at += 3) {
    if (blocks[at] === start) return { head: blocks[at + 1], end: Math.min(blocks[at + 2], state.doc.length) };
  }
  return null;
}
const folds = foldService.of((state, from) => {
  const block = blockAt(state, from);
  return block && block.head < block.end ? { from: block.head, to: block.end } : null;
});

/** An element with these texts and elements in it. */
function element(name, ...parts) {
  const element = document.createElement(name);
  element.append(...parts);
  return element;
}

/** Accepts the selected completion, or the first; shows those that are about to be offered. Without any, Tab leaves the editor. */
function complete(view) {
  const status = completionStatus(view.state);
  if (status === "pending") return startCompletion(view);
  if (status !== "active") return false;
  if (selectedCompletionIndex(view.state) === null) view.dispatch({ effects: setSelectedCompletion(0) });
  return acceptCompletion(view);
}

/**
 * A new line is indented like the one above, or as the first of an entity or an access pattern. Below a blank line, and the one line
 * that other blocks mostly are, it is at the left margin: a block may begin there.
 */
function newLine(view) {
  const { state } = view;
  if (state.readOnly) return false;
  const change = state.changeByRange((range) => {
    const line = state.doc.lineAt(range.from);
    const before = line.text.slice(0, range.from - line.from);
    const isBlank = before.trim() === "" && range.from === line.to;
    const begins = /^(entity|pattern)\s/.test(before);
    const indent = isBlank ? "" : begins ? "  " : /^[ \t]*/.exec(before)[0];
    const from = isBlank ? line.from : range.from;
    return {
      changes: { from, to: range.to, insert: state.lineBreak + indent },
      range: EditorSelection.cursor(from + 1 + indent.length),
    };
  });
  view.dispatch(state.update(change, { scrollIntoView: true, userEvent: "input" }));
  return true;
}

/** Makes an editor in an element. */
export function create(parent, text, label, ask) {
  let isThere = true;
  const readOnly = new Compartment();
  // Completions that were about to be offered ask once more after the end.
  const on = (...question) => (isThere ? ask(...question) : null);
  const done = (kind) => () => {
    on(kind);
    return true;
  };
  const define = (view, position) => {
    const found = on("define", position);
    if (found < 0) return false;
    view.dispatch({ selection: { anchor: found }, effects: EditorView.scrollIntoView(found, { y: "center" }) });
    return true;
  };
  const rename = (view) => {
    const position = view.state.selection.main.head;
    const name = on("name", position);
    if (name === null) return true;
    const { result } = showDialog(view, {
      label: "New name",
      input: { name: "name", value: name, "aria-label": "New name" },
      submitLabel: "Rename",
      focus: true,
      top: true,
    });
    result.then((form) => {
      view.focus();
      if (!form) return;
      // The text may have changed meanwhile, and something else stand there.
      if (on("name", position) === name) on("rename", position, form.elements.name.value);
      else on("other name", name);
    });
    return true;
  };
  const keys = [
    { key: "Enter", run: newLine, shift: newLine },
    { key: "Tab", run: complete },
    { key: "Mod-z", run: done("undo"), preventDefault: true },
    { key: "Mod-y", run: done("redo"), preventDefault: true },
    { key: "Mod-Shift-z", run: done("redo"), preventDefault: true },
    { key: "Shift-Alt-f", run: done("format"), preventDefault: true },
    { key: "F2", run: rename },
    { key: "F12", run: (view) => define(view, view.state.selection.main.head) || true },
  ];
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        reading,
        colors,
        theme,
        lineNumbers(),
        lintGutter(),
        codeFolding(),
        folds,
        foldGutter({
          // Blocks come with the colors, after the text.
          foldingChanged: (update) => update.transactions.some((it) => it.effects.some((effect) => effect.is(read))),
          markerDOM: (isOpen) => {
            const marker = document.createElement("span");
            marker.className = isOpen ? "cm-fold-open" : "cm-fold-closed";
            marker.title = isOpen ? "Fold" : "Unfold";
            return marker;
          },
        }),
        drawSelection(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        search({ top: true }),
        tooltips({ parent: document.body }),
        readOnly.of(EditorState.readOnly.of(false)),
        EditorState.allowMultipleSelections.of(true),
        EditorView.clickAddsSelectionRange.of((event) => event.altKey),
        EditorState.languageData.of(() => [{ commentTokens: { line: "//" } }]),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", autocapitalize: "off", autocorrect: "off" }),
        autocompletion({
          icons: false,
          // Enter ends a line; it accepts only what the arrow keys have selected.
          selectOnOpen: false,
          interactionDelay: 0,
          override: [
            (context) => {
              const found = on("complete", context.pos);
              if (!found || (!context.explicit && found.from === context.pos && !found.always)) return null;
              return { from: found.from, options: found.options, validFor: /^[\w.-]*$/ };
            },
          ],
        }),
        hoverTooltip((_, position) => {
          const found = on("hover", position);
          return (
            found && {
              pos: found.from,
              end: found.to,
              create: () => {
                const dom = element("div", "");
                dom.className = "cm-keyfold-hover";
                if (found.title !== "") dom.append(element("strong", found.title));
                for (const { text, code } of found.paragraphs) {
                  if (text === undefined) dom.append(element("pre", code));
                  // Names are between backticks.
                  else dom.append(element("p", ...text.split("`").map((part, at) => (at % 2 === 0 ? part : element("code", part)))));
                }
                return { dom };
              },
            }
          );
        }),
        EditorView.domEventHandlers({
          mousedown: (event, view) => {
            if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false;
            const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
            return position !== null && define(view, position);
          },
          // A file opens as a design, as everywhere in the page.
          drop: (event) => event.dataTransfer.files.length > 0,
        }),
        keymap.of([...keys, ...completionKeymap, ...searchKeymap, ...foldKeymap, ...lintKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.transactions.some((transaction) => transaction.annotation(fromPage))) return;
          if (update.docChanged) on("changed", update.state.sliceDoc());
          if (update.docChanged || update.selectionSet) on("moved", update.state.selection.main.head);
        }),
      ],
    }),
  });
  // Where the message above the text or the keyboard of a phone takes its room, the line being typed stays in view.
  const resized = new ResizeObserver(() => {
    if (view.hasFocus) view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head), annotations: fromPage.of(true) });
  });
  resized.observe(view.scrollDOM);
  return {
    /** What the parser says of the text. */
    color(spans, classes, blocks) {
      view.dispatch({ effects: read.of({ spans, classes, blocks }), annotations: fromPage.of(true) });
    },
    /** What is wrong with the text. */
    showProblems(problems) {
      const diagnostics = problems.map(({ fix, title, ...problem }) => ({
        ...problem,
        actions: title === undefined ? [] : [{ name: title, apply: () => on("fix", fix) }],
      }));
      view.dispatch(setDiagnostics(view.state, diagnostics), { annotations: fromPage.of(true) });
    },
    /** Replaces a part of the text. With `goes`, the cursor goes there. */
    change(from, to, insert, goes) {
      const selection = goes ? { anchor: from + insert.length } : undefined;
      view.dispatch({ changes: { from, to, insert }, selection, scrollIntoView: goes, annotations: fromPage.of(true) });
    },
    /** Whether the text can be edited. */
    setReadOnly(is) {
      view.dispatch({ effects: readOnly.reconfigure(EditorState.readOnly.of(is)), annotations: fromPage.of(true) });
    },
    text: () => view.state.sliceDoc(),
    hasFocus: () => view.hasFocus,
    /** Scrolls to a position that is out of view. */
    reveal(position) {
      const box = view.scrollDOM.getBoundingClientRect();
      const block = view.lineBlockAt(position);
      const top = view.documentTop + block.top;
      if (top < box.top || top + block.height > box.bottom) {
        view.dispatch({ effects: EditorView.scrollIntoView(position, { y: "start", yMargin: 24 }), annotations: fromPage.of(true) });
      }
    },
    destroy() {
      isThere = false;
      resized.disconnect();
      view.destroy();
    },
  };
}
