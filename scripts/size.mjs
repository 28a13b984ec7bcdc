// node scripts/size.mjs [FOLDER]: lists the size of the built app, file by file, against the budget. Fails above CEILING:
// the last size plus a little room. It goes down until it is BUDGET; code on demand has to bring it there. Each time that
// it was raised the commit says why. What wasm-opt makes of a small change varies by 3 000 bytes.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const folder = process.argv[2] ?? "dist";
const BUDGET = 400_000; // bytes of brotli for everything that is shipped
const CEILING = 1_113_500;

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
const share = `${((100 * total[3]) / BUDGET).toFixed(1)} % of the budget of ${BUDGET} bytes of brotli`;
console.log(`size: ${share}${total[3] > BUDGET ? ": OVER the budget" : ""}`);
if (rows.length === 0 || total[3] > CEILING) {
  console.error(`size: ${rows.length ? `more than the ${CEILING} bytes it may have now` : `${folder} is empty`}`);
  process.exit(1);
}
