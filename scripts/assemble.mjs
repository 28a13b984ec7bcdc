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

/** A wasm file without the sections that engines pass over. */
function withoutCustomSections(file) {
  const kept = [file.subarray(0, 8)];
  for (let at = 8; at < file.length; ) {
    const start = at;
    const kind = file[at++];
    // The size, as LEB128: seven bits a byte.
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = file[at++];
      size += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    at += size;
    if (kind !== 0) kept.push(file.subarray(start, at));
  }
  return Buffer.concat(kept);
}

const parts = readdirSync(join(work, "parts")).filter((name) => /^(split|chunk)_.*\.wasm$/.test(name));
if (!parts.some((name) => name.startsWith("split_"))) fail("the app was not split");
// Side by side: each takes a core for a minute or more.
copyFileSync(join(dist, "keyfold-import-worker_bg.wasm"), join(work, "worker.wasm"));
const [main, reader, ...contents] = await Promise.all([
  optimized(join(work, "main/keyfold-web_bg.wasm"), true),
  optimized(join(work, "worker.wasm"), true),
  ...parts.map((part) => optimized(join(work, "parts", part), false)),
]);
let script = smaller(readFileSync(join(work, "main/keyfold-web.js"), "utf8"));
let loader = smaller(readFileSync(join(work, "parts/__wasm_split.js"), "utf8"));

/** Puts a name in place of another one, which must be there. */
const rename = (text, from, to) => (text.includes(from) ? text.replaceAll(from, to) : fail(`${from} is not mentioned where it should be`));

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

const whole = readdirSync(dist).find((name) => /^keyfold-web-.*_bg\.wasm$/.test(name)) ?? fail(`${dist} has no app`);
const before = whole.replace("_bg.wasm", "");
rmSync(join(dist, whole));
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
const names = { "import.js": hashed("import.js", rename(text("import.js"), "./import-worker.js", `./${worker}`)) };
for (const name of ["editor.bundle.js", "files.js", "offline.js"]) names[name] = hashed(name, text(name));

const page = join(dist, "index.html");
let html = rename(readFileSync(page, "utf8"), before, `keyfold-web-${id}`);
html = rename(html, '<meta name="keyfold-app"', `<meta name="keyfold-app" data-scripts='${JSON.stringify(names)}'`);
html = html.replace('<link rel="modulepreload"', `<link rel="modulepreload" href="./split-${id}.js" crossorigin="anonymous">$&`);
// The browser does not look ahead on a page with a policy in a <meta>: what stands after the style sheet and the script
// of the frame would be requested only when both are there, a fifth of a second later on a phone's network.
const preloads = html.match(/<link rel="(?:modulepreload|preload)"[^>]*>/g) ?? fail(`${page} preloads nothing`);
for (const link of preloads) html = html.replace(link, "");
html = html.replace('<link rel="stylesheet"', `${preloads.join("\n")}\n$&`);
writeFileSync(page, html);
