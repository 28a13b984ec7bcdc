// node scripts/size.mjs [FOLDER]: what the built app weighs, file by file, against the budget. Fails when it weighs
// more than it may: CEILING is what it weighed last, with a little room, and goes down until it is BUDGET. It was raised
// ten times: from 590 000 for the tools of the canvas (palette, menus, clipboard, layout, routes, groups, pictures), and from
// 632 000 for the table as a spreadsheet, generated samples, sample files, 23 patterns and their gallery,
// from 780 000 for access patterns and their proofs, the query engine, the linter and eleven more export formats,
// from 1 050 000 for choices, changes, zip and change plan of the exports, and suggestions for several entities, and
// from 1 066 000 for cells of the columns in sight only and texts without a piece of memory each. Maps as lists in order
// and memos that are compiled once brought it down from 1 073 000; from 1 004 000 it was raised for edits of templates of
// many items that take a third of the time (what wasm-opt makes of a small change is a matter of 3 000 bytes up or down),
// and from 1 006 000 for the cards in a design's first frame and for work in tasks instead of a slice a frame. Signals that
// are compiled once brought it down from 1 006 500 to 1 004 500; it was raised for a first frame without what can wait and
// for what is said and selected after pasting; and from 1 005 500 for what two new users missed (labels off the cards, a view
// that goes along with what is dragged, where the focus goes, designs that could not be stored). From 1 012 500 it was raised
// for designs in IndexedDB, exports that are made in slices, and bounds of the analysis, and from 1 097 000 for what a finger
// hits, where the focus goes, typing that leaves no step of undo, and forms and lists of large designs; loading code on demand has
// to pay both back.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const folder = process.argv[2] ?? "dist";
const BUDGET = 400_000; // bytes of brotli for everything that is shipped
const CEILING = 1_103_000;

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
