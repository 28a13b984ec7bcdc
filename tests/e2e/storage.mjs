// What the browser has stored of the page's designs.

/** All stored designs, in the order in which they were made: `{ key, name, version, text }`. */
export function storedDesigns(page) {
  return page.evaluate(
    () =>
      new Promise((done, fail) => {
        const request = indexedDB.open("keyfold");
        // It is not for a test to make the database.
        request.onupgradeneeded = () => request.transaction.abort();
        request.onerror = (event) => {
          event.preventDefault();
          done([]);
        };
        request.onsuccess = () => {
          const db = request.result;
          const transaction = db.transaction(["entries", "designs"], "readonly");
          const [entries, keys, texts] = [
            transaction.objectStore("entries").getAll(),
            transaction.objectStore("designs").getAllKeys(),
            transaction.objectStore("designs").getAll(),
          ];
          transaction.onerror = () => fail(transaction.error);
          transaction.oncomplete = () => {
            db.close();
            const known = new Map(entries.result.map((entry) => JSON.parse(entry)).map((entry) => [String(entry.key), entry]));
            const designs = keys.result.map((key, at) => ({ ...known.get(key), key, text: texts.result[at] }));
            // The texts in the language have keys of their own.
            done(designs.filter(({ key }) => !key.includes(":")).sort((a, b) => a.created - b.created));
          };
        };
      }),
  );
}

/** Waits until the page says that the open design is stored. */
export function isStored(page) {
  return page.locator(".save-state", { hasText: /^Saved$/ }).waitFor();
}

/** The texts of all stored designs, one after the other. */
export async function storedTexts(page) {
  return (await storedDesigns(page)).map(({ text }) => text).join("\n");
}
