// Drives `keyfold lsp` as VS Code does. KEYFOLD is the path of the program.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, ErrorCodes, edited, part, run, start } from "./client.mjs";

const URI = "file:///shop.keyfold";
const SHOP = `/// Ein Laden 🦀.
design Shop

table shop (PK, SK)

gsi GSI1 (GSI1PK, GSI1SK)

/// A buyer.
entity User
  userId  ulid  /// 🦀🦀 Sortable.
  name    person-name

  key  USER#{userId} / PROFILE

  | userId | name  |
  | u-1    | Ada 🦀 |

entity Order
  orderId  ulid
  userId   -> User
  total    decimal 1 to 500
  status   PENDING | PAID

  key         USER#{userId} / ORDER#{orderId}
  index GSI1  STATUS#{status} / {orderId} when status = PENDING

  | orderId | userId | total | status  |
  | o-1     | u-1    | 12.50 | PENDING |
  | o-2     | u-1    | 99    | PAID    |

// Kept.
pattern Orders of a user
  Query USER#{userId} / begins_with ORDER#
  returns Order
  sample Order 1
`;

/** The offset after the first `after`. */
const after = (text, after) => {
  const at = text.indexOf(after);
  assert.ok(at >= 0, after);
  return at + after.length;
};

async function session(text = SHOP) {
  const client = new Client();
  await client.initialize();
  await client.open(URI, text);
  return client;
}

const ended = (end) => assert.deepEqual(end, { answer: null, code: 0, errors: "" });

test("the server says what it can", async () => {
  const client = new Client();
  const early = await client.fails("textDocument/hover", {});
  assert.equal(early.code, ErrorCodes.ServerNotInitialized);
  const { capabilities, serverInfo } = await client.initialize();
  assert.equal(serverInfo.name, "keyfold");
  assert.equal(capabilities.textDocumentSync, 2);
  for (const name of [
    "completionProvider", "hoverProvider", "definitionProvider", "renameProvider", "codeActionProvider",
    "documentFormattingProvider", "documentSymbolProvider", "foldingRangeProvider",
  ]) assert.ok(capabilities[name], name);
  ended(await client.shutdown());
});

test("problems and findings follow the text", async () => {
  const client = await session();
  const codes = (all) => all.map((finding) => finding.code);
  assert.deepEqual(codes(await client.diagnostics(URI)), ["K014", "I002"]);

  // A mistake after characters of two units.
  await client.replace(URI, after(SHOP, "🦀🦀 Sortable."), 0, "\n  /// 🦀\n  \"🦀\" what");
  // The findings stay: those of the last text without errors.
  const [mistake, ...more] = await client.diagnostics(URI);
  assert.equal(part(client.texts.get(URI), mistake.range), "what");
  assert.equal(mistake.severity, 1);
  assert.match(mistake.message, /expected a type/);
  assert.deepEqual(codes(more), ["K014", "I002"]);
  assert.equal(part(client.texts.get(URI), more[0].range), "STATUS#{status}");

  // Several changes in one message, in order; the second range counts from after the first change.
  const text = SHOP.replace("STATUS#{status}", "{status}");
  await client.change(URI, [
    { text: SHOP.replace("STATUS#{status}", "") },
    { range: { start: { line: 24, character: 14 }, end: { line: 24, character: 14 } }, text: "{status}" },
  ]);
  client.texts.set(URI, text);
  const found = await client.diagnostics(URI);
  assert.ok(found.length > 0);
  for (const finding of found) {
    assert.match(finding.code, /^[A-Z]\d{3}$/);
    assert.equal(finding.source, "keyfold");
  }
  await client.close(URI);
  ended(await client.shutdown());
});

test("quick fixes change only their lines", async () => {
  const text = SHOP.replace("ORDER#{orderId}\n", "{orderId}\n").replace("begins_with ORDER#", "begins_with o");
  const client = await session(text);
  const found = await client.diagnostics(URI);
  let fixes = 0;
  for (const finding of found) {
    const context = { diagnostics: [finding], only: ["quickfix"] };
    const actions = await client.ask("codeAction", URI, undefined, { range: finding.range, context });
    const silence = actions.find((action) => action.title === `Silence ${finding.code} here, with a reason`);
    const silenced = edited(text, silence.edit.changes[URI]);
    assert.match(silenced, new RegExp(`/// Write the reason here.\nsilence ${finding.code} `));
    assert.equal(silenced.replace(/\/\/\/ Write the reason here.\nsilence .*\n\n?/, "").trim(), text.trim());
    for (const action of actions) {
      assert.equal(action.kind, "quickfix");
      assert.ok(action.diagnostics.length > 0 && action.title);
      const after = edited(text, action.edit.changes[URI]);
      assert.notEqual(after, text);
      assert.ok(after.includes("// Kept.") && after.includes("/// Ein Laden 🦀."), after);
      fixes += action !== silence ? 1 : 0;
      await client.change(URI, [{ text: after }]);
      const left = await client.diagnostics(URI);
      const same = (other) => other.code === finding.code && other.message === finding.message;
      if (action.diagnostics.some(same)) assert.ok(!left.some(same), `${action.title}: ${after}`);
      await client.change(URI, [{ text }]);
    }
  }
  assert.ok(fixes > 0, JSON.stringify(found, null, 1));
  const everywhere = { start: { line: 0, character: 0 }, end: { line: 999, character: 0 } };
  const refactorings = { diagnostics: [], only: ["refactor"] };
  assert.deepEqual(await client.ask("codeAction", URI, undefined, { range: everywhere, context: refactorings }), []);
  ended(await client.shutdown());
});

test("completion offers words, names, attributes and modifiers", async () => {
  const client = await session();
  const offers = async (at, typed) => {
    await client.replace(URI, at, 0, typed);
    const items = await client.ask("completion", URI, at + typed.length);
    const { version } = { version: client.texts.get(URI) };
    const first = items[0] && edited(version, [items[0].textEdit]);
    await client.replace(URI, at, typed.length, "");
    return { labels: items.map((item) => item.label), items, first };
  };
  const profile = after(SHOP, "USER#{userId} / PROFILE");
  const template = await offers(profile, "#{na");
  assert.deepEqual(template.labels.slice(0, 1), ["name"]);
  assert.ok(template.first.includes("/ PROFILE#{name}\n"), template.first);
  assert.ok((await offers(profile, "#{name:")).labels.includes("lower"));
  assert.deepEqual((await offers(after(SHOP, "-> User"), "\n  other -> ")).labels, ["User", "Order"]);
  const operation = await offers(after(SHOP, "sample Order 1"), "\n\npattern P\n  ");
  assert.deepEqual(operation.labels.slice(0, 2), ["GetItem", "Query"]);
  assert.equal(operation.items[0].detail, "Reads one item by its primary key.");
  assert.deepEqual((await offers(after(SHOP, "sample Order 1"), "\n\npattern P\n  Query index ")).labels, ["GSI1"]);
  assert.equal((await offers(SHOP.length, "\nen")).labels[0], "design");
  assert.equal(client.texts.get(URI), SHOP);
  ended(await client.shutdown());
});

test("hover shows what words say and what templates render", async () => {
  const client = await session();
  const hover = async (place) => (await client.ask("hover", URI, after(SHOP, place)))?.contents.value;
  assert.match(await hover("\nentity Ord"), /^\*\*Order\*\*[^]*PK \/ SK[^]*USER#u-1 \/ ORDER#o-1\nUSER#u-1 \/ ORDER#o-2/);
  assert.match(await hover("\nentity Ord"), /GSI1: `GSI1PK \/ GSI1SK`\n\n```text\nSTATUS#PENDING \/ o-1\n```/);
  assert.match(await hover("{userId} / OR"), /ORDER#o-1\nORDER#o-2/);
  assert.match(await hover("  nam"), /^\*\*User.name\*\*[^]*string[^]*Ada 🦀/i);
  assert.match(await hover("  Quer"), /^Reads the items of an item collection/);
  assert.match(await hover("begins_w"), /^Sort keys that begin/);
  assert.match(await hover("pattern Orders o"), /^\*\*Orders of a user\*\*/);
  assert.match(await hover("gsi GS"), /^\*\*GSI1\*\*[^]*Order/);
  assert.equal(await hover("// Ke"), undefined);
  ended(await client.shutdown());
});

test("definition and rename find each use", async () => {
  const client = await session();
  const target = async (place) => {
    const found = await client.ask("definition", URI, after(SHOP, place));
    assert.equal(found.uri, URI);
    return [part(SHOP, found.range), found.range.start.line];
  };
  assert.deepEqual(await target("-> Us"), ["User", 8]);
  assert.deepEqual(await target("index GSI1  STATUS#{sta"), ["status", 21]);
  assert.deepEqual(await target("when sta"), ["status", 21]);
  assert.deepEqual(await target("\n  index GS"), ["GSI1", 5]);
  assert.deepEqual(await target("returns Or"), ["Order", 17]);
  assert.deepEqual(await target("Query USER#{us"), ["userId", 19]);

  const renamed = async (place, newName) => {
    const edit = await client.ask("rename", URI, after(SHOP, place), { newName });
    return edited(SHOP, edit.changes[URI]);
  };
  const ready = await client.ask("prepareRename", URI, after(SHOP, "when sta"));
  assert.equal(ready.placeholder, "status");
  assert.equal(part(SHOP, ready.range), "status");
  assert.equal(await client.ask("prepareRename", URI, after(SHOP, "begins_wi")), null);
  assert.equal(
    (await renamed("-> Us", "Mein 🦀")).replaceAll(/ +/g, " "),
    SHOP.replace("entity User", "entity Mein 🦀").replace("-> User", "-> \"Mein 🦀\"").replaceAll(/ +/g, " "),
  );
  const state = (await renamed("when sta", "state")).replaceAll(/ +/g, " ");
  assert.equal(state, SHOP.replaceAll("status", "state").replaceAll(/ +/g, " "));
  assert.match(await renamed("\n  index GS", "byStatus"), /^ {2}index byStatus {2}STATUS/m);
  const taken = client.ask("rename", URI, after(SHOP, "-> Us"), { newName: "Order" });
  await assert.rejects(taken, /Order/);
  await assert.rejects(client.ask("rename", URI, after(SHOP, "begins_wi"), { newName: "x" }), /nothing here can be renamed/);
  ended(await client.shutdown());
});

test("formatting, outline and folding", async () => {
  const client = await session(SHOP.replace("  userId  ulid", "userId ulid").replace("  returns", "      returns"));
  const options = { tabSize: 8, insertSpaces: false };
  const edits = await client.ask("formatting", URI, undefined, { options });
  const formatted = edited(client.texts.get(URI), edits);
  assert.equal(formatted, SHOP);
  await client.change(URI, [{ text: formatted }]);
  client.texts.set(URI, formatted);
  assert.deepEqual(await client.ask("formatting", URI, undefined, { options }), []);

  const symbols = await client.ask("documentSymbol", URI);
  const outline = symbols.map((symbol) => [symbol.name, (symbol.children ?? []).map((child) => child.name)]);
  assert.deepEqual(outline, [
    ["shop", []],
    ["GSI1", []],
    ["User", ["userId", "name", "Table"]],
    ["Order", ["orderId", "userId", "total", "status", "Table", "GSI1"]],
    ["Orders of a user", []],
  ]);
  assert.equal(part(SHOP, symbols[2].selectionRange), "User");
  const folds = await client.ask("foldingRange", URI);
  assert.deepEqual(folds.map(({ startLine, endLine }) => [startLine, endLine]), [[8, 15], [17, 28], [31, 34]]);
  ended(await client.shutdown());
});

test("bad requests get errors, and the session goes on", async () => {
  const client = await session();
  const unknown = await client.fails("textDocument/inlayHint", {});
  assert.equal(unknown.code, ErrorCodes.MethodNotFound);
  assert.match(unknown.message, /inlayHint/);
  const bad = await client.fails("textDocument/hover", { textDocument: { uri: URI }, position: { line: -1 } });
  assert.equal(bad.code, ErrorCodes.InvalidParams);
  const closed = await client.fails("textDocument/hover", {
    textDocument: { uri: "file:///other.keyfold" }, position: { line: 0, character: 0 },
  });
  assert.match(closed.message, /other.keyfold is not open/);
  assert.equal((await client.fails("initialize", { capabilities: {} })).code, ErrorCodes.InvalidRequest);
  await client.connection.sendNotification("textDocument/didChange", { what: 1 });
  await client.connection.sendNotification("$/unknown", {});
  assert.equal(await client.ask("hover", URI, SHOP.length + 5), null);
  ended(await client.shutdown());
});

test("a session that ends without shutdown, or begins with other bytes, fails", async () => {
  const gone = start();
  gone.child.stdin.end();
  assert.equal((await gone.exit).code, 1);
  const other = start();
  other.child.stdin.end("GET / HTTP/1.1\r\n\r\n");
  const { code, errors } = await other.exit;
  assert.equal(code, 2);
  assert.match(errors, /not a message of an editor/);
});

/** The same random numbers for the same seed (mulberry32). */
function random(seed) {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

test("random edits never end the server, and it keeps the client's text", async () => {
  const pick = random(Number(process.env.SEED ?? 25));
  const start = await run(["pattern", "saas-orders", "--text"]);
  const client = await session(start);
  const pieces = ["\n", "\r\n", "\r", "🦀", "{", "}", "\"", "\\", " / ", "|", "entity ", "key ", "-> ", "when ", "ä", "(", "// ", "\t", "\u{feff}"];
  const requests = ["completion", "hover", "definition", "prepareRename", "documentSymbol", "foldingRange"];
  for (let round = 0; round < 250; round++) {
    if (round % 50 === 0) {
      await client.change(URI, [{ text: start }]);
      client.texts.set(URI, start);
    }
    const text = client.texts.get(URI);
    const at = pick(text.length + 1);
    // Ranges of whole characters, and no lone line ends, which split lines in another way than `position`.
    const whole = [...text.slice(0, at)].join("").replace(/[\ud800-\udbff]$/, "");
    const length = pick(3) === 0 ? [...text.slice(whole.length)].slice(0, pick(12)).join("").length : 0;
    const piece = pieces[pick(pieces.length)];
    const next = text.slice(0, whole.length) + piece + text.slice(whole.length + length);
    if (piece === "\r" || piece === "\r\n") {
      await client.change(URI, [{ text: next }]);
      client.texts.set(URI, next.replaceAll("\r", "\n"));
      await client.change(URI, [{ text: client.texts.get(URI) }]);
    } else await client.replace(URI, whole.length, length, piece);
    const place = pick(client.texts.get(URI).length + 1);
    await client.ask(requests[pick(requests.length)], URI, place);
    if (round % 10 === 0) {
      const all = { start: { line: 0, character: 0 }, end: { line: 9999, character: 0 } };
      await client.ask("codeAction", URI, undefined, { range: all, context: { diagnostics: [] } });
      await client.ask("rename", URI, place, { newName: pieces[pick(pieces.length)] + "x" }).catch(() => {});
      const edits = await client.ask("formatting", URI, undefined, { options: { tabSize: 2, insertSpaces: true } });
      const formatted = edited(client.texts.get(URI), edits);
      await client.change(URI, [{ text: formatted }]);
      client.texts.set(URI, formatted);
      const again = await client.ask("formatting", URI, undefined, { options: { tabSize: 2, insertSpaces: true } });
      assert.deepEqual(again, [], formatted);
    }
  }
  ended(await client.shutdown());
});
