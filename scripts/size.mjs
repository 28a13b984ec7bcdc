// node scripts/size.mjs [FOLDER]: lists the size of the built app, file by file, against the budgets, in bytes of brotli.
// Fails where a part is larger than its ceiling: the last size plus a little room. A ceiling only goes down; where it was raised
// the commit says why. What wasm-opt makes of a small change varies by 3 000 bytes.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const folder = process.argv[2] ?? "dist";
const GOAL = 400_000; // for what the first cards need
const MISSING = "none";
// Everything that is on no other list is loaded before the cards can be seen and edited. The panels follow by themselves.
const PARTS = [
  { name: "panels", files: /^panels-/, ceiling: 188_000 },
  { name: "tools", files: /^tools-/, ceiling: 491_500 },
  // The Cost tab and the heat on the canvas.
  { name: "cost", files: /^cost-/, ceiling: 85_500 },
  { name: "menus", files: /^menus-/, ceiling: 206_500 },
  // The design as text: loaded when the Text tab or such a file is opened.
  { name: "language", files: /^language-/, ceiling: 100_500 },
  // Only for `?stress=N`.
  { name: "benchmark", files: /^benchmark-/, ceiling: 5_000 },
  { name: "shared", files: /^chunk_/, ceiling: 494_500 },
  // The worker that reads files of other tools.
  { name: "import", files: /^(keyfold-)?import(-worker)?-[0-9a-f]{16}(_bg)?\.(js|wasm)$/, ceiling: 592_500 },
  { name: "editor", files: /^editor\.bundle-/, ceiling: 107_000 },
  { name: "rules", files: /^rules\.md$/, ceiling: 12_500 },
  // Loaded once the page is there.
  { name: "offline and files", files: /^(offline|files)-\w+\.js$|^service-worker\.js$|^manifest\.|^icon(-\d+)?\.(png|svg)$/, ceiling: 25_000 },
  { name: "first cards", files: /./, ceiling: 551_000 },
];

const rows = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const bytes = readFileSync(path);
    return [path, bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  })
  .sort((a, b) => b[3] - a[3]);
const total = ["total", ...[1, 2, 3].map((i) => rows.reduce((sum, row) => sum + row[i], 0))];

const width = Math.max(...rows.map(([path]) => path.length));
for (const [path, ...sizes] of [["", "raw", "gzip", "brotli"], ...rows, total]) {
  console.log(path.padEnd(width), ...sizes.map((size) => String(size).padStart(9)));
}
const sums = new Map(PARTS.map((part) => [part, 0]));
for (const [path, , , size] of rows) {
  const part = PARTS.find((part) => part.files.test(path.split(/[\\/]/).pop()));
  sums.set(part, sums.get(part) + size);
}
let isOver = false;
for (const [{ name, ceiling }, size] of sums) {
  const fits = size > 0 && size <= ceiling;
  isOver ||= !fits;
  console.log(`size: ${name.padEnd(14)} ${String(size || MISSING).padStart(8)} of ${ceiling}${fits ? "" : size ? ": TOO LARGE" : ": not built by scripts/build"}`);
}
const first = sums.get(PARTS.at(-1));
console.log(`size: what the first cards need is ${((100 * first) / GOAL).toFixed(0)} % of the goal of ${GOAL} bytes`);
process.exitCode = isOver ? 1 : 0;
