// A static host as it should be: brotli, files with a hash in their names are kept forever, others are asked for again and answered
// with 304 if they are the same. `log` has what was sent.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, relative, resolve, sep } from "node:path";
import { sizesOf } from "../canvas/serve.mjs";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".md": "text/markdown; charset=utf-8",
};
/** A name with the hash of its content: those of Trunk, of scripts/build and of Vite. */
const HASHED = /-[\w-]{8,}\.\w+$/;

/** Serves a built page. Everything is compressed before (brotli 11, kept between runs in the folder for temporary files). */
export async function serve(root) {
  const folder = resolve(root);
  const files = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const { raw, br } = sizesOf(path);
    const etag = `"${createHash("sha256").update(raw).digest("hex").slice(0, 20)}"`;
    files.set(`/${relative(folder, path).split(sep).join("/")}`, { raw, br, etag });
  }
  const log = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const file = files.get(name);
    if (!file) return response.writeHead(404).end();
    const { raw, br, etag } = file;
    const headers = { etag, "cache-control": HASHED.test(name) ? "public, max-age=31536000, immutable" : "no-cache" };
    if (request.headers["if-none-match"] === etag) {
      log.push({ name, bytes: 0 });
      return response.writeHead(304, headers).end();
    }
    const body = br.length < raw.length ? br : raw;
    log.push({ name, bytes: body.length });
    if (body === br) headers["content-encoding"] = "br";
    headers["content-type"] = TYPES[extname(name)] ?? "application/octet-stream";
    headers["content-length"] = body.length;
    response.writeHead(200, headers).end(body);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, log, close };
}
