// Reads files of other tools in a worker. The page loads this when somebody imports (src/platform/importer.rs).

/**
 * Begins to read files, or to keep them for `place`. `answer` is what the worker says about them (import-worker.js); the
 * other calls ask it more, and are answered in order. After `stop()` no answer comes.
 */
export function begin(call, files) {
  const worker = new Worker(new URL("./import-worker.js", import.meta.url), { type: "module" });
  const waiting = new Map();
  let count = 0;
  let broken = false;
  worker.onmessage = ({ data: { id, ...answer } }) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  };
  // The worker did not start, or does not go on: nothing else is answered.
  worker.onerror = (event) => {
    event.preventDefault();
    broken = true;
    for (const done of waiting.values()) done({ failed: "load" });
    waiting.clear();
    worker.terminate();
  };
  const ask = (call, argument) =>
    new Promise((done) => {
      if (broken) return done({ failed: "load" });
      count += 1;
      waiting.set(count, done);
      worker.postMessage({ id: count, call, argument });
    });
  return {
    answer: ask(call, files),
    edit: (json) => ask("edit", json),
    undo: () => ask("undo"),
    design: (table, most) => ask("design", { table, most }),
    place: (tables, design, entity) => ask("place", { tables, design, entity }),
    takeSamples: (table) => ask("takeSamples", { table }),
    samples: (from) => ask("samples", { from }),
    stop: () => worker.terminate(),
  };
}
