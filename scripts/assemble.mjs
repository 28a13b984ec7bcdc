// For scripts/build: puts the split app into the folder that Trunk has built, in place of the whole one.
//
//   node scripts/assemble.mjs WORK DIST WASM_OPT_OPTIONS
//
// WORK/parts is what wasm-split-cli wrote, WORK/main what wasm-bindgen made of its main part. Each file gets a name with a
// hash of its content, so that a host may let browsers keep it forever. The two scripts of the app import each other: they
// share one. src/boot.js reads the names of the scripts that the page loads on demand from the <meta>.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { smaller } from "./smaller.mjs";

const [work, dist, options] = process.argv.slice(2);
const hash = (...contents) => {
  const sum = createHash("sha256");
  for (const content of contents) sum.update(content);
  return sum.digest("hex").slice(0, 16);
};
const fail = (why) => {
  console.error(`assemble: ${why}`);
  process.exit(1);
};

// wasm-opt takes the features of a file from a section that splitting leaves out.
const features = ["bulk-memory", "reference-types", "sign-ext", "mutable-globals", "nontrapping-float-to-int", "multivalue"];
// Last, functions are ordered by how often they are called: the main part is 1 600 bytes smaller in brotli.
const flags = ["-Oz", ...options.split(" "), "--reorder-functions", "--strip-debug", ...features.map((name) => `--enable-${name}`)];
/** A wasm file made smaller. Only the main part has the memory, which is zero at the start. */
async function optimized(path, isMain) {
  const out = `${path}.small`;
  const own = isMain ? flags : flags.filter((flag) => flag !== "--zero-filled-memory");
  await promisify(execFile)("wasm-opt", [path, "-o", out, ...own], { maxBuffer: 1 << 26 });
  return readFileSync(out);
}

/** A number of a wasm file, as LEB128: seven bits a byte. Returns it with the place behind it. */
function readNumber(file, at) {
  let number = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = file[at++];
    number += (byte & 127) * 2 ** shift;
    if (byte < 128) return [number, at];
  }
}
function writeNumber(number) {
  const bytes = [];
  for (; number > 127; number >>= 7) bytes.push((number & 127) | 128);
  return Buffer.from([...bytes, number]);
}

/** The sections of a wasm file, as [kind, whole section, content]. */
function* sections(file) {
  for (let start = 8; start < file.length; ) {
    const [size, content] = readNumber(file, start + 1);
    yield [file[start], file.subarray(start, content + size), file.subarray(content, content + size)];
    start = content + size;
  }
}

/** A wasm file without the sections that engines pass over. */
function withoutCustomSections(file) {
  const kept = [...sections(file)].filter(([kind]) => kind !== 0);
  return Buffer.concat([file.subarray(0, 8), ...kept.map(([, section]) => section)]);
}

const IMPORTS = 2;
/** A wasm file with other names of functions that it imports: texts in the section of imports, with their lengths in front. */
function withImportNames(file, names) {
  const unused = new Set(names.keys());
  const renamed = [...sections(file)].map(([kind, section, content]) => {
    if (kind !== IMPORTS) return section;
    let [count, at] = readNumber(content, 0);
    const pieces = [content.subarray(0, at)];
    for (; count > 0; count--) {
      for (let part = 0; part < 2; part++) {
        const [length, start] = readNumber(content, at);
        const name = content.toString("utf8", start, start + length);
        const text = Buffer.from(names.get(name) ?? name);
        unused.delete(name);
        pieces.push(writeNumber(text.length), text);
        at = start + length;
      }
      // What is imported: 0 a function with its type, 3 a global with its type and whether it changes. No other is there.
      const end = content[at] === 0 ? readNumber(content, at + 1)[1] : content[at] === 3 ? at + 3 : fail(`an import of kind ${content[at]}`);
      pieces.push(content.subarray(at, end));
      at = end;
    }
    const all = Buffer.concat(pieces);
    return Buffer.concat([Buffer.from([IMPORTS]), writeNumber(all.length), all]);
  });
  if (unused.size) fail(`${[...unused][0]} is not imported`);
  return Buffer.concat([file.subarray(0, 8), ...renamed]);
}

const parts = readdirSync(join(work, "parts")).filter((name) => /^(split|chunk)_.*\.wasm$/.test(name));
if (!parts.some((name) => name.startsWith("split_"))) fail("the app was not split");
// Side by side: each takes a core for a minute or more.
copyFileSync(join(dist, "keyfold-import-worker_bg.wasm"), join(work, "worker.wasm"));
const [whole, reader, ...contents] = await Promise.all([
  optimized(join(work, "main/keyfold-web_bg.wasm"), true),
  optimized(join(work, "worker.wasm"), true),
  ...parts.map((part) => optimized(join(work, "parts", part), false)),
]);
/** Puts a name in place of another one, which must be there. */
const rename = (text, from, to) => (text.includes(from) ? text.replaceAll(from, to) : fail(`${from} is not mentioned where it should be`));

let script = smaller(readFileSync(join(work, "main/keyfold-web.js"), "utf8"));
let loader = smaller(readFileSync(join(work, "parts/__wasm_split.js"), "utf8"));

// wasm-bindgen puts a hash into the name of each function that it imports, which nothing compresses.
const names = new Map([["./keyfold-web_bg.js", "page"]]);
for (const [name] of script.matchAll(/\b__wb\w+_[0-9a-f]{16}\b/g)) names.set(name, names.get(name) ?? `i${names.size.toString(36)}`);
for (const [from, to] of names) script = rename(script, from, to);
const main = withImportNames(whole, names);

for (const [at, part] of parts.entries()) {
  const content = contents[at];
  const name = `${part.replace(/^split_|\.wasm$/g, "")}-${hash(content)}.wasm`;
  loader = rename(loader, `./${part}`, `./${name}`);
  writeFileSync(join(dist, name), content);
}
const id = hash(main, script, loader);
// In the wasm file it keeps its name.
script = rename(script, 'from "./__wasm_split.js"', `from "./split-${id}.js"`).replaceAll("keyfold-web_bg.wasm", `keyfold-web-${id}_bg.wasm`);
loader = rename(loader, "./keyfold-web.js", `./keyfold-web-${id}.js`);

const unsplit = readdirSync(dist).find((name) => /^keyfold-web-.*_bg\.wasm$/.test(name)) ?? fail(`${dist} has no app`);
const before = unsplit.replace("_bg.wasm", "");
rmSync(join(dist, unsplit));
rmSync(join(dist, `${before}.js`));
writeFileSync(join(dist, `keyfold-web-${id}_bg.wasm`), main);
writeFileSync(join(dist, `keyfold-web-${id}.js`), script);
writeFileSync(join(dist, `split-${id}.js`), loader);

/** Puts a file with a hash in its name in place of one without. Returns the new name. */
function hashed(name, content) {
  const [, stem, ending] = name.match(/^(.*?)((?:_bg)?\.\w+)$/);
  const named = `${stem}-${hash(content)}${ending}`;
  rmSync(join(dist, name));
  writeFileSync(join(dist, named), content);
  return named;
}
const text = (name) => readFileSync(join(dist, name), "utf8");
// The worker that reads files of other tools is not split, but it has the relocations too: in sections of their own, as names are.
const code = hashed("keyfold-import-worker_bg.wasm", withoutCustomSections(reader));
const glue = hashed("keyfold-import-worker.js", rename(smaller(text("keyfold-import-worker.js")), "'keyfold-import-worker_bg.wasm'", `'${code}'`));
const worker = hashed("import-worker.js", rename(text("import-worker.js"), "./keyfold-import-worker.js", `./${glue}`));
const scripts = { "import.js": hashed("import.js", rename(text("import.js"), "./import-worker.js", `./${worker}`)) };
for (const name of ["editor.bundle.js", "files.js", "offline.js"]) scripts[name] = hashed(name, text(name));

const page = join(dist, "index.html");
let html = rename(readFileSync(page, "utf8"), before, `keyfold-web-${id}`);
html = rename(html, '<meta name="keyfold-app"', `<meta name="keyfold-app" data-scripts='${JSON.stringify(scripts)}'`);
html = html.replace('<link rel="modulepreload"', `<link rel="modulepreload" href="./split-${id}.js" crossorigin="anonymous">$&`);
// The browser does not look ahead on a page with a policy in a <meta>: what stands after the style sheet and the script
// of the frame would be requested only when both are there, a fifth of a second later on a phone's network.
const preloads = html.match(/<link rel="(?:modulepreload|preload)"[^>]*>/g) ?? fail(`${page} preloads nothing`);
for (const link of preloads) html = html.replace(link, "");
html = html.replace('<link rel="stylesheet"', `${preloads.join("\n")}\n$&`);
writeFileSync(page, html);
