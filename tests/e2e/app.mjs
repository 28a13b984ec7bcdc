// The release build in target/e2e-dist (made by `scripts/test e2e`), served as a static host under a sub-path would, and opened in the
// system's Chromium. `start()` gives a browser in which `open()` opens pages, each with a storage of its own and the list of everything
// the browser complained about; `open()` alone does both for a single page. `close()` fails if complaints are left in that list.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export { chromium };

/** The folder of the release build. */
export const dist = fileURLToPath(new URL(`../../target/${process.env.E2E_DIST ?? "e2e-dist"}/`, import.meta.url));
const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};

/** A server of the page under `base`. The page runs the script `first` before its own. `version.folder` has the files; it may change. */
export async function serve(base, first, version = { folder: dist }) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    try {
      if (!path.startsWith(base)) throw new Error("outside");
      const file = normalize(join(version.folder, path.slice(base.length) || "index.html"));
      if (!file.startsWith(normalize(version.folder))) throw new Error("outside");
      const isFirst = first !== undefined && path === `${base}first.js`;
      let body = isFirst ? first : await readFile(file);
      if (first !== undefined && extname(file) === ".html") body = String(body).replace("<head>", '<head><script src="first.js"></script>');
      response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return server;
}

/** Where the system's Chromium is. */
export function chromiumPath() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
      // Try the next name.
    }
  }
  throw new Error("no chromium on PATH");
}

/** A server and a browser with these further `args`: `open(options)` opens a page as [`openPage`] says, `close()` ends both. */
export async function start({ base = "/any/path/", args = [] } = {}) {
  const server = await serve(base);
  const opened = new Set();
  const close = async () => {
    try {
      for (const page of opened) await page.close();
    } finally {
      await browser?.close();
      server.closeAllConnections();
      server.close();
    }
  };
  let browser;
  try {
    browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", ...args],
    });
  } catch (error) {
    await close();
    throw error;
  }
  const root = `http://127.0.0.1:${server.address().port}${base}`;
  const open = async (options) => {
    const page = await openPage(browser, root, options);
    opened.add(page);
    const { close } = page;
    page.close = () => (opened.delete(page), close());
    return page;
  };
  return { open, close };
}

/**
 * Writes down what the browser complains about in the pages of a context, also in those that are opened later, and each request that
 * leaves these origins.
 */
export function watch(context, origins, complaints, isOurs = () => false) {
  // Code that does not load is a request that failed, too.
  const ofLoading = /^TypeError: (Failed to fetch|WebAssembly compilation aborted)/;
  context.on("console", (message) => {
    const text = message.text();
    if (["error", "warning"].includes(message.type()) && !ofLoading.test(text) && !isOurs(text)) complaints.push(text);
  });
  context.on("weberror", (error) => ofLoading.test(error.error()) || complaints.push(String(error.error())));
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^(http|ws)/.test(protocol) && !origins.has(origin)) complaints.push(`a request left the origin: ${request.url()}`);
  });
  /** Whether a request is one of the first page; that of a service worker or of a page that is not there yet has no frame. */
  const isOfFirst = (request) => {
    try {
      return request.frame().page() === context.pages()[0];
    } catch {
      return true;
    }
  };
  context.on("requestfailed", (request) => {
    const error = request.failure()?.errorText;
    // A picture that is no longer shown before it is read is no failure, nor is the icon or code that a page loads ahead when it is
    // left, or what a tab that is closed gives up.
    const isGivenUp = error === "net::ERR_ABORTED" && (/^blob:|\.(js|wasm)$|\/icon-\w+\.svg$/.test(request.url()) || !isOfFirst(request));
    if (!isGivenUp) complaints.push(`${request.url()}: ${error}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()}: ${response.status()}`);
  });
}

/**
 * A page of its own: `query` ends its address, `size` is its width and height, `touch` makes it a phone with a touch screen, `dark`
 * and `still` are what the system prefers, `ratio` is how many of the screen's pixels one of CSS has, `clipboard` lets it read and write the clipboard without a question, `init` is a
 * function that runs in the page before its scripts, `before` is called with the page before it is opened, `files` leaves it the system's dialogs for files,
 * `mayComplain` lets `close()` pass with complaints: for tests of faults, which read them. The test may add to `origins` those of servers of its own.
 */
async function openPage(browser, root, options = {}) {
  const { query = "", size = [1440, 900], touch = false, dark = false, still = false, ratio = 1, files = false, clipboard = false, mayComplain = false, init, before } = options;
  const [width, height] = size;
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: ratio,
    hasTouch: touch,
    isMobile: touch,
    colorScheme: dark ? "dark" : "light",
    reducedMotion: still ? "reduce" : "no-preference",
    permissions: clipboard ? ["clipboard-read", "clipboard-write"] : [],
    // Each would read all files of the app, for a page that is there once: offline.test.mjs has them.
    serviceWorkers: "block",
  });
  const complaints = [];
  const origins = new Set([new URL(root).origin]);
  const close = async () => {
    const left = mayComplain ? [] : [...complaints];
    await context.close();
    assert.deepEqual(left, [], "the browser complained");
  };
  try {
    watch(context, origins, complaints, (text) => text === "Service Worker registration blocked by Playwright");
    const page = await context.newPage();
    // The dialogs of the system cannot be seen by a test: without them files are downloaded.
    if (!files) await context.addInitScript(() => (delete window.showOpenFilePicker, delete window.showSaveFilePicker));
    if (init) await page.addInitScript(init);
    await before?.(page);
    const url = root + query;
    await page.goto(url);
    return { page, context, url, complaints, origins, close };
  } catch (error) {
    await context.close();
    throw error;
  }
}

/** A page in a browser of its own; `close()` ends both. */
export async function open({ base, ...options } = {}) {
  const app = await start({ base });
  try {
    const opened = await app.open(options);
    return { ...opened, close: app.close };
  } catch (error) {
    await app.close();
    throw error;
  }
}
