// How the page stores designs. The one place of the tests that knows it.

/** Runs in the page, as a whole. The stored designs: the key of the open one, and each as text, by key. */
export async function readDesigns() {
  const texts = {};
  const names = (await indexedDB.databases()).map((one) => one.name);
  if (names.includes("keyfold")) {
    const asked = (request) => new Promise((done, fail) => Object.assign(request, { onsuccess: () => done(request.result), onerror: () => fail(request.error) }));
    const database = await asked(indexedDB.open("keyfold"));
    try {
      const store = database.transaction("designs").objectStore("designs");
      const [keys, values] = await Promise.all([asked(store.getAllKeys()), asked(store.getAll())]);
      // The texts in the language have keys of their own.
      keys.forEach((key, at) => key.includes(":") || (texts[key] = values[at]));
    } finally {
      database.close();
    }
    return { open: sessionStorage.getItem("keyfold:open") ?? localStorage.getItem("keyfold:open") ?? "", texts };
  }
  const list = JSON.parse(localStorage.getItem("keyfold:list") ?? "{}");
  for (let at = 0; at < localStorage.length; at++) {
    const key = localStorage.key(at);
    if (key.startsWith("keyfold:design:")) texts[key.slice("keyfold:design:".length)] = localStorage.getItem(key);
  }
  return { open: String(list.open ?? ""), texts };
}
