// The worker in which files of other tools are read, and what was found in them is kept while a person reviews it. A
// message is `{ id, call, argument }`: the name of a function of crates/import-worker and its argument, which for `read`
// and `keep` are files. The answer has the same id, and one of `found` (the text that the function returns), `refused` (the reason)
// and `failed` ("load" or "work").
import init, { check, design, edit, keep, place, read, samples, takeSamples, undo } from "./keyfold-import-worker.js";

const calls = {
  read: (files) => withContents(files, read),
  keep: (files) => withContents(files, keep),
  edit,
  undo,
  design: ({ table, most }) => design(table, most),
  place: ({ tables, design, entity }) => place(tables, design, entity),
  takeSamples: ({ table }) => takeSamples(table),
  samples: ({ from }) => samples(from),
};
const ready = init();
// Messages are answered one after the other: reading files takes several turns.
let last = ready.catch(() => {});

onmessage = ({ data: { id, call, argument } }) => {
  last = last.then(async () => postMessage({ id, ...(await answer(call, argument)) }));
};

async function answer(call, argument) {
  try {
    await ready;
  } catch {
    return { failed: "load" };
  }
  try {
    return { found: await calls[call](argument) };
  } catch (error) {
    return typeof error === "string" ? { refused: error } : { failed: "work" };
  }
}

async function withContents(files, call) {
  const names = files.map((file) => file.name);
  check(
    names,
    files.map((file) => file.size),
  );
  const contents = [];
  for (const file of files) contents.push(new Uint8Array(await file.arrayBuffer()));
  return call(names, contents);
}
