// For scripts/build: writes the service worker with the list of the files of the app.
//
//   node scripts/offline.mjs DIST
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { smaller } from "./smaller.mjs";

const dist = process.argv[2];
const WORKER = "service-worker.js";
// The design of a benchmark is not needed without a network.
const LEFT_OUT = [/^benchmark-/, new RegExp(`^${WORKER.replace(".", "\\.")}$`)];

const names = readdirSync(dist).filter((name) => !LEFT_OUT.some((left) => left.test(name)));
const files = {};
for (const name of names.sort()) {
  const hash = createHash("sha256").update(readFileSync(join(dist, name))).digest("hex").slice(0, 16);
  files[name === "index.html" ? "" : name] = hash;
}
const source = readFileSync(new URL(`../src/offline/${WORKER}`, import.meta.url), "utf8");
const before = "const FILES = {};";
if (!source.includes(before)) throw new Error(`${WORKER} has no list of files`);
writeFileSync(join(dist, WORKER), smaller(source.replace(before, `const FILES = ${JSON.stringify(files)};`)));
