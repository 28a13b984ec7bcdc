// Files on the disk that designs are kept in, where the browser has the File System Access API. Which file a design has is
// remembered in a database of its own, because only there a handle can be. The page loads this on demand (src/platform/files.rs).

const TYPES = [{ description: "Keyfold design", accept: { "application/json": [".keyfold.json"], "text/plain": [".keyfold"] } }];

const asked = (request) => new Promise((done, fail) => Object.assign(request, { onsuccess: () => done(request.result), onerror: () => fail(request.error) }));

/** Calls `act` with the store of handles in a transaction. */
async function withStore(mode, act) {
  const request = indexedDB.open("keyfold-files", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("files");
  const database = await asked(request);
  try {
    return await asked(act(database.transaction("files", mode).objectStore("files")));
  } finally {
    database.close();
  }
}

/** The file of a design: `{ handle, text }`, with the text that it had when it was last read or written. */
export const fileOf = (key) => withStore("readonly", (store) => store.get(key));
export const remember = (key, handle, text) => withStore("readwrite", (store) => store.put({ handle, text }, key));
export const forget = (key) => withStore("readwrite", (store) => store.delete(key));

/** The key of the design that is kept in a file; `undefined` if there is none. */
export async function keyOf(handle) {
  const keys = await withStore("readonly", (store) => store.getAllKeys());
  for (const key of keys) {
    const file = await fileOf(key);
    if (file && (await file.handle.isSameEntry(handle))) return key;
  }
  return undefined;
}

/** The handles that a person chooses; none if they cancel. */
export async function choose() {
  try {
    return await showOpenFilePicker({ types: TYPES, multiple: true });
  } catch (error) {
    if (error.name === "AbortError") return [];
    throw error;
  }
}

/** The handle of the file that a person names; `undefined` if they cancel. */
export async function chooseNew(suggestedName) {
  try {
    return await showSaveFilePicker({ types: TYPES, suggestedName });
  } catch (error) {
    if (error.name === "AbortError") return undefined;
    throw error;
  }
}

/** The text of a file; `undefined` if that needs a permission and `ask` is false. */
export async function read(handle, ask) {
  if (!(await isAllowed(handle, "read", ask))) return undefined;
  return (await handle.getFile()).text();
}

/** Writes a file, all or nothing. `false` if the person does not allow it. */
export async function write(handle, text) {
  if (!(await isAllowed(handle, "readwrite", true))) return false;
  const stream = await handle.createWritable();
  await stream.write(text);
  await stream.close();
  return true;
}

async function isAllowed(handle, mode, ask) {
  // Only Chromium has permissions for handles.
  if (!handle.queryPermission) return true;
  if ((await handle.queryPermission({ mode })) === "granted") return true;
  return ask && (await handle.requestPermission({ mode })) === "granted";
}

/** Calls `open` with the handles of files that the system opens with the installed app. */
export function whenLaunched(open) {
  window.launchQueue?.setConsumer(({ files }) => files.length && open([...files]));
}
