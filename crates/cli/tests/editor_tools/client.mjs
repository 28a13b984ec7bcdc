// A client of the language server: the connection of VS Code to `keyfold lsp`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import protocol from "vscode-languageserver-protocol/node";

export const { ErrorCodes } = protocol;
const keyfold = process.env.KEYFOLD;

/** The output of `keyfold` with these arguments. */
export async function run(args) {
  const child = spawn(keyfold, args, { stdio: ["ignore", "pipe", "inherit"] });
  const chunks = [];
  child.stdout.on("data", (chunk) => chunks.push(chunk));
  await once(child, "close");
  return Buffer.concat(chunks).toString();
}

/** Starts a server that has no session yet. `sent` has the raw bytes for its input. */
export function start() {
  const child = spawn(keyfold, ["lsp"], { stdio: ["pipe", "pipe", "pipe"] });
  const errors = [];
  child.stderr.on("data", (chunk) => errors.push(chunk));
  const exit = once(child, "close").then(([code]) => ({ code, errors: Buffer.concat(errors).toString() }));
  return { child, exit };
}

/** A session with a server. */
export class Client {
  constructor() {
    Object.assign(this, start());
    const { StreamMessageReader, StreamMessageWriter, createProtocolConnection } = protocol;
    this.connection = createProtocolConnection(
      new StreamMessageReader(this.child.stdout),
      new StreamMessageWriter(this.child.stdin),
    );
    /** The texts as the client has them, by address. */
    this.texts = new Map();
    this.versions = new Map();
    this.published = new Map();
    this.waiting = [];
    this.connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => {
      this.published.set(params.uri, params);
      this.waiting = this.waiting.filter((check) => !check());
    });
    this.connection.listen();
  }

  async initialize() {
    const params = { processId: process.pid, rootUri: null, capabilities: {} };
    const result = await this.connection.sendRequest(protocol.InitializeRequest.type, params);
    await this.connection.sendNotification(protocol.InitializedNotification.type, {});
    return result;
  }

  async open(uri, text) {
    this.texts.set(uri, text);
    this.versions.set(uri, 1);
    const textDocument = { uri, languageId: "keyfold", version: 1, text };
    await this.connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument });
  }

  async close(uri) {
    await this.connection.sendNotification(protocol.DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  }

  /** Replaces `length` UTF-16 units from `start`, as an editor does: by lines and characters. */
  async replace(uri, start, length, text) {
    const before = this.texts.get(uri);
    const range = { start: position(before, start), end: position(before, start + length) };
    this.texts.set(uri, before.slice(0, start) + text + before.slice(start + length));
    await this.change(uri, [{ range, text }]);
  }

  async change(uri, contentChanges) {
    const version = this.versions.get(uri) + 1;
    this.versions.set(uri, version);
    const params = { textDocument: { uri, version }, contentChanges };
    await this.connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, params);
  }

  /** The diagnostics of the newest version. */
  diagnostics(uri) {
    const wanted = this.versions.get(uri);
    return new Promise((resolve) => {
      const check = () => {
        const params = this.published.get(uri);
        if (params?.version !== wanted) return false;
        resolve(params.diagnostics);
        return true;
      };
      if (!check()) this.waiting.push(check);
    });
  }

  /** Asks about a text, at an offset if there is one. */
  ask(method, uri, offset, more = {}) {
    const at = offset === undefined ? {} : { position: position(this.texts.get(uri), offset) };
    return this.connection.sendRequest(`textDocument/${method}`, { textDocument: { uri }, ...at, ...more });
  }

  /** The error of a request that fails. */
  async fails(method, params) {
    try {
      await this.connection.sendRequest(method, params);
    } catch (error) {
      return error;
    }
    throw new Error(`${method} does not fail`);
  }

  async shutdown() {
    const answer = await this.connection.sendRequest(protocol.ShutdownRequest.type);
    await this.connection.sendNotification(protocol.ExitNotification.type);
    const end = await this.exit;
    this.connection.dispose();
    return { answer, ...end };
  }
}

/** The position of an offset in UTF-16 units. */
export function position(text, offset) {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length - 1, character: before.at(-1).length };
}

/** The offset of a position. */
export function offset(text, { line, character }) {
  const lines = text.split("\n");
  return lines.slice(0, line).reduce((sum, other) => sum + other.length + 1, 0) + character;
}

/** The part of a text in a range. */
export const part = (text, range) => text.slice(offset(text, range.start), offset(text, range.end));

/** A text after edits. */
export function edited(text, edits) {
  const last = (edit) => offset(text, edit.range.start);
  for (const edit of [...edits].sort((a, b) => last(b) - last(a))) {
    text = text.slice(0, last(edit)) + edit.newText + text.slice(offset(text, edit.range.end));
  }
  return text;
}
