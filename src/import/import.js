// Reads files of other tools in a worker. The page loads this when somebody imports (src/platform/importer.rs).

/** Begins to read files. `answer` is what the worker says; after `stop()` it never comes. */
export function read(files) {
  const worker = new Worker(new URL("./import-worker.js", import.meta.url), { type: "module" });
  const answer = new Promise((done) => {
    worker.onmessage = ({ data }) => done(data);
    worker.onerror = (event) => {
      event.preventDefault();
      done({ failed: "load" });
    };
  }).finally(() => worker.terminate());
  worker.postMessage(files);
  return { answer, stop: () => worker.terminate() };
}
