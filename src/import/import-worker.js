// The worker in which files of other tools are read. It gets files, and answers with what `read` of crates/import-worker returns:
// `{ found }`, `{ refused }` with the reason, or `{ failed }`: "load" or "read".
import init, { read } from "./keyfold-import-worker.js";

const ready = init();

onmessage = async ({ data: files }) => {
  try {
    await ready;
  } catch {
    return postMessage({ failed: "load" });
  }
  try {
    const contents = [];
    for (const file of files) contents.push(new Uint8Array(await file.arrayBuffer()));
    const names = files.map((file) => file.name);
    postMessage({ found: read(names, contents) });
  } catch (error) {
    postMessage(typeof error === "string" ? { refused: error } : { failed: "read" });
  }
};
