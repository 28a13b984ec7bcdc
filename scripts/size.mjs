// node scripts/size.mjs [FOLDER] [BUDGET]: what the built app weighs, file by file. Fails when all of it
// together is over BUDGET bytes of brotli.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const folder = process.argv[2] ?? "dist";
const budget = Number(process.argv[3] ?? 400_000);

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
if (rows.length === 0 || total[3] > budget) {
  console.error(`size: ${rows.length ? `over the budget of ${budget} bytes of brotli` : `${folder} is empty`}`);
  process.exit(1);
}
console.log(`size: ${((100 * total[3]) / budget).toFixed(1)} % of the budget of ${budget} bytes of brotli`);
