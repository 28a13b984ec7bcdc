// Keeps the files of the app, so that it opens without a network. scripts/offline.mjs writes FILES: the path of each file with the
// start of the SHA-256 of its content.
const FILES = {};

const scope = new URL(registration.scope);
// Another Keyfold on the same host, under another path, has caches of its own.
const PREFIX = `keyfold ${scope.pathname} `;
const ID_DIGITS = 16;
const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const hashOf = async (bytes) => hex(await crypto.subtle.digest("SHA-256", bytes)).slice(0, ID_DIGITS);
const nameOfCache = hashOf(new TextEncoder().encode(JSON.stringify(FILES))).then((hash) => PREFIX + hash);

/** The path of a file under the scope; the page is "". */
const pathOf = (url) => (url.origin === scope.origin && url.pathname.startsWith(scope.pathname) ? url.pathname.slice(scope.pathname.length).replace(/^index\.html$/, "") : undefined);
const keyOf = (path) => new URL(`${path}?${FILES[path]}`, scope);

/** Puts all files into the cache: those of the version before that are the same, and the others from the server. */
async function install() {
  const cache = await caches.open(await nameOfCache);
  const put = async (path) => {
    const key = keyOf(path);
    const known = await caches.match(key);
    if (known) return cache.put(key, known);
    const response = await fetch(new URL(path, scope), { cache: "no-cache" });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    // While a new version is put on the server, a file can be one of another version.
    const hash = await hashOf(await response.clone().arrayBuffer());
    if (hash !== FILES[path]) throw new Error(`${path} is of another version`);
    await cache.put(key, response);
  };
  await Promise.all(Object.keys(FILES).map(put));
}

/** An entry of the caches of versions that were in use. Others can be of a version that never was, or was not read whole. */
const IN_USE = new URL("version-in-use", scope);

/** Deletes the caches but that of this version and of the one in use before, which another tab may still use. */
async function activate() {
  const own = await nameOfCache;
  await (await caches.open(own)).put(IN_USE, new Response(""));
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== own);
  const used = await Promise.all(others.map(async (name) => (await caches.open(name)).match(IN_USE)));
  const last = others.findLast((_, at) => used[at]) ?? others.at(-1);
  await Promise.all(others.filter((name) => name !== last).map((name) => caches.delete(name)));
  // A page that is not controlled yet, on a first visit, works without the network from now on.
  await clients.claim();
}

async function answer(request, path) {
  const cache = await caches.open(await nameOfCache);
  const own = path in FILES && (await cache.match(keyOf(path)));
  if (own) return own;
  // A tab with the version before asks for files that this one does not have.
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const before = await (await caches.open(name)).match(new URL(path, scope), { ignoreSearch: true });
    if (before) return before;
  }
  return fetch(request);
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("message", ({ data }) => {
  if (data === "use") skipWaiting();
});
addEventListener("fetch", (event) => {
  const path = pathOf(new URL(event.request.url));
  if (event.request.method === "GET" && path !== undefined) event.respondWith(answer(event.request, path));
});
