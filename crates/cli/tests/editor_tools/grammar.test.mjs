// Reads the designs of the library with `editors/keyfold.tmLanguage.json`, as VS Code and GitHub do, and compares the words
// that it colors with those that the language server explains.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";
import { Client, run } from "./client.mjs";

const path = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
await oniguruma.loadWASM(readFileSync(path).buffer);
const file = new URL("../../../../editors/keyfold.tmLanguage.json", import.meta.url);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) =>
    scope === "source.keyfold" ? textmate.parseRawGrammar(readFileSync(file, "utf8"), file.pathname) : null,
});
const grammar = await registry.loadGrammar("source.keyfold");

/** The tokens of a text: line, start, text and innermost scope. */
function tokens(text) {
  let state = textmate.INITIAL;
  return text.split("\n").flatMap((line, number) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    return result.tokens.map(({ startIndex, endIndex, scopes }) => ({
      line: number, start: startIndex, text: line.slice(startIndex, endIndex), scope: scopes.at(-1),
    }));
  });
}

const isKeyword = (scope) => /^(storage\.|keyword\.other|support\.)/.test(scope);

test("the grammar colors the words that the server explains, in the library and the documentation", async () => {
  const texts = new Map();
  for (const name of (await run(["patterns"])).match(/(?<=^  )\S+/gm)) {
    texts.set(name, await run(["pattern", name, "--text"]));
  }
  const docs = readFileSync(new URL("../../../../docs/language.md", import.meta.url), "utf8");
  for (const [at, [, example]] of [...docs.matchAll(/```keyfold\n([^]*?)```/g)].entries()) texts.set(`example-${at}`, example);
  const client = new Client();
  await client.initialize();
  const wrong = [];
  let words = 0;
  for (const [name, text] of texts) {
    const uri = `file:///${name}.keyfold`;
    await client.open(uri, text);
    const colored = tokens(text);
    const lines = text.split("\n");
    const found = lines.flatMap((line, number) => [...line.matchAll(/[A-Za-z_][\w-]*/g)].map((word) => ({ number, word })));
    await Promise.all(found.map(async ({ number, word: { 0: word, index } }) => {
      const position = { line: number, character: index };
      const hover = await client.connection.sendRequest("textDocument/hover", { textDocument: { uri }, position });
      const isExplained = hover?.range.start.character === index && !hover.contents.value.startsWith("**");
      const token = colored.findLast((token) => token.line === number && token.start <= index);
      const isColored = isKeyword(token.scope) && token.start === index && token.text === word;
      if (isExplained !== isColored) wrong.push(`${name}:${number + 1}: ${word}: ${token.scope}`);
    }));
    words += found.length;
  }
  await client.shutdown();
  assert.ok(words > 5000, `${words}`);
  assert.deepEqual(wrong, []);
});

test("names, templates, values and comments have scopes of their own", () => {
  const text = `/// About.
design My shop // note
table shop (PK, SK number)
  stream keys-only
entity Show at venue
  status?  string PENDING*3 | "a b" /// Why.
  userId   -> User skewed
  at       integer 1 to 500 key-only
  key  USER#{userId:pad(6)} / X
  index GSI1  {status} when status in (PENDING, 3)
  | a | 12 | "q" |
pattern P
  Query index GSI1 A#{b} / begins_with C limit 20
  filter total > :least AND attribute_exists(PK)
  parameter least = 10
silence T001 entity User / key
canvas
  48, 60  note color 7
    > text // kept
`;
  const found = tokens(text);
  const scope = (word, line) => found.find((token) => token.line === line && token.text.trim() === word)?.scope;
  for (const [line, word, wanted] of [
    [0, "/// About.", "comment.line.documentation"],
    [1, "My shop", "entity.name.section"],
    [1, "// note", "comment.line.double-slash"],
    [2, "SK", "variable.other.member"],
    [2, "number", "support.type"],
    [3, "keys-only", "constant.language"],
    [4, "Show at venue", "entity.name.type"],
    [5, "status", "variable.other.member"],
    [5, "*3", "constant.numeric"],
    [5, "string", "support.type"],
    [5, "/// Why.", "comment.line.documentation"],
    [6, "User", "entity.name.type"],
    [6, "skewed", "keyword.other"],
    [7, "500", "constant.numeric"],
    [7, "key-only", "keyword.other"],
    [8, "USER#", "string.unquoted"],
    [8, "userId", "variable.other.member"],
    [8, ":pad(6)", "entity.name.function"],
    [9, "GSI1", "entity.name.type"],
    [9, "3", "constant.numeric"],
    [10, "12", "constant.numeric"],
    [12, "20", "constant.numeric"],
    [13, ":least", "variable.parameter"],
    [13, "attribute_exists", "entity.name.function"],
    [14, "least", "variable.parameter"],
    [15, "T001", "constant.other"],
    [17, "7", "constant.numeric"],
    [18, "text // kept", "string.unquoted"],
  ]) assert.ok(scope(word, line)?.startsWith(wanted), `${word}: ${scope(word, line)}`);
});
