// Key rendering against ElectroDB's `toKeys`, natively and in Chromium, in one run: `benches/keys/run` builds both first.
// usage: node run.mjs NATIVE_BINARY FOLDER_OF_THE_WASM [ROUNDS]
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { keysRate, keysText } from "./electrodb.mjs";

const [native, wasm, rounds = "5"] = process.argv.slice(2);
const ORDERS = 2000;
const MILLISECONDS = 500;
const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1];

function same(place, ours, theirs) {
  if (ours !== theirs || ours.split("\n").length !== ORDERS * 4 + 1) throw new Error(`${place}: the keys differ`);
}

function report(place, pairs) {
  const [ours, theirs] = [median(pairs.map((pair) => pair[0])), median(pairs.map((pair) => pair[1]))];
  const ratio = median(pairs.map((pair) => pair[0] / pair[1]));
  const figure = (rate) => `${rate.toFixed(2)} M keys/s`;
  console.log(`${place}: Keyfold ${figure(ours)}, ElectroDB ${figure(theirs)}, ratio ${ratio.toFixed(1)}`);
}

function ourNative() {
  const lines = execFileSync(native, ["keys", ORDERS, MILLISECONDS].map(String), { encoding: "utf8" }).trimEnd().split("\n");
  const rate = Number(lines.pop());
  return { text: `${lines.join("\n")}\n`, rate };
}

const pairs = [];
for (let round = 0; round < Number(rounds); round++) {
  const ours = ourNative();
  same("native", ours.text, keysText(ORDERS));
  pairs.push([ours.rate, keysRate(ORDERS, MILLISECONDS)]);
}
report("native and node", pairs);

// ElectroDB also brings the AWS SDK, which needs node and has no part in making keys.
const withoutSdk = {
  name: "without-sdk",
  setup(build) {
    build.onResolve({ filter: /^@aws-sdk\// }, ({ path }) => ({ path, namespace: "none" }));
    build.onLoad({ filter: /.*/, namespace: "none" }, () => ({ contents: "module.exports = {};" }));
  },
};
const bundle = await build({
  entryPoints: [new URL("./electrodb.mjs", import.meta.url).pathname],
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  define: { global: "globalThis" },
  plugins: [withoutSdk],
  write: false,
});
const files = {
  "/": ["text/html", "<!doctype html><title>keys</title>"],
  "/electrodb.js": ["text/javascript", bundle.outputFiles[0].text],
  "/keyfold_bench.js": ["text/javascript", await readFile(join(wasm, "keyfold_bench.js"))],
  "/keyfold_bench_bg.wasm": ["application/wasm", await readFile(join(wasm, "keyfold_bench_bg.wasm"))],
};
const server = createServer((request, response) => {
  const [type, body] = files[request.url] ?? [];
  response.writeHead(body ? 200 : 404, { "content-type": type ?? "text/plain" }).end(body);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const found = await page.evaluate(
    async ([orders, milliseconds, rounds]) => {
      const ours = await import("/keyfold_bench.js");
      const theirs = await import("/electrodb.js");
      await ours.default();
      const pairs = [];
      for (let round = 0; round < rounds; round++) {
        pairs.push([ours.keys_rate(orders, milliseconds), theirs.keysRate(orders, milliseconds)]);
      }
      return { pairs, ours: ours.keys_text(orders), theirs: theirs.keysText(orders) };
    },
    [ORDERS, MILLISECONDS, Number(rounds)],
  );
  same("Chromium", found.ours, found.theirs);
  report(`Chromium ${browser.version()}`, found.pairs);
} finally {
  await browser.close();
  server.close();
}
