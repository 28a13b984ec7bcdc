// The release build in target/e2e-dist (made by `scripts/test e2e`), served as a static host under a sub-path would, and opened in the
// system's Chromium. `open()` gives a page and the list of everything the browser complained about.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const dist = fileURLToPath(new URL("../../target/e2e-dist/", import.meta.url));
const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};

async function serve(base) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    try {
      if (!path.startsWith(base)) throw new Error("outside");
      const file = normalize(join(dist, path.slice(base.length) || "index.html"));
      if (!file.startsWith(dist)) throw new Error("outside");
      const body = await readFile(file);
      response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return server;
}

function chromiumPath() {
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
      // Try the next name.
    }
  }
  throw new Error("no chromium on PATH");
}

export async function open({ base = "/any/path/", query = "" } = {}) {
  const server = await serve(base);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? chromiumPath(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()}: ${response.status()}`);
  });

  const url = `http://127.0.0.1:${server.address().port}${base}${query}`;
  await page.goto(url);
  const close = async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  };
  return { page, url, complaints, close };
}
