// Walks through the page at random and compares all that is in sight with the pure core after each step.
//
//   node tests/walk/run.mjs [--seed S] [--steps N] [--length L] [--size 1440x900|390x844] [--touch] [--only kept|walk]
//   node tests/walk/run.mjs --replay script.json
//
// A walk has `--length` steps; there are as many, with seeds from S on, as `--steps` takes. One with a difference is shrunk to a
// short script, which is printed and can be kept in tests/walk/kept/. The scripts there are replayed first. SIGUSR2 ends the
// run after the walk that it is in. The page is that of target/e2e-dist, the oracle target/walk/walk-oracle; `scripts/test walk`
// builds both.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { start } from "../e2e/app.mjs";
import { startOracle } from "./oracle.mjs";
import { randomFrom } from "./random.mjs";
import { Walk } from "./walk.mjs";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    steps: { type: "string", default: "300" },
    length: { type: "string", default: "150" },
    size: { type: "string", default: "1440x900" },
    touch: { type: "boolean", default: false },
    only: { type: "string" },
    replay: { type: "string" },
    shrink: { type: "string", default: "60" },
    minutes: { type: "string" },
    findings: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const known = JSON.parse(readFileSync(here("known.json"), "utf8"));
/** Whether a difference after a step is one of those that are passed over. */
const isKnown = ([kind, text], step) =>
  known.some((one) => new RegExp(`^(${one.kind})$`).test(kind) && new RegExp(one.text).test(text) && new RegExp(one.step ?? "").test(JSON.stringify(step)));

// Frames come as fast as they are made: nobody looks at them.
const app = await start({ args: ["--disable-frame-rate-limit", "--disable-gpu-vsync"] });
const oracle = startOracle();
const size = values.size.split("x").map(Number);
let steps = 0;
let walks = 0;
let skipped = 0;
let ignored = 0;
const failures = [];
const counted = {};

/** Replays a script. Returns the first differences and the number of their step; `null`: there is none. */
async function replay(script) {
  const walk = await Walk.begin(app, oracle, script);
  try {
    for (const [at, step] of script.steps.entries()) {
      const found = (await walk.step(step, { replaying: true })).filter((one) => !isKnown(one, step));
      if (values.verbose) console.log(at, JSON.stringify(step), walk.skipped ?? "", found);
      if (found.length) return { at, found };
    }
    return null;
  } finally {
    await walk.close();
  }
}

/** The shortest script that was found in so many replays and that still ends with a difference of this kind. */
async function shrink(script, kind, most) {
  let best = script;
  let left = most;
  const holds = async (steps) => {
    left--;
    const result = await replay({ ...script, steps }).catch(() => null);
    return result?.found.some(([found]) => found === kind) ? steps.slice(0, result.at + 1) : null;
  };
  for (let chunk = Math.ceil(best.steps.length / 2); chunk >= 1 && left > 0; chunk = chunk === 1 ? 0 : Math.ceil(chunk / 2)) {
    for (let from = best.steps.length - 1 - chunk; from > -chunk && left > 0; from -= chunk) {
      const steps = best.steps.filter((_, at) => at < from || at >= from + chunk);
      const shorter = steps.length < best.steps.length && (await holds(steps));
      if (shorter) {
        best = { ...best, steps: shorter };
        from = Math.min(from, best.steps.length);
      }
    }
  }
  return best;
}

async function walkOnce(seed) {
  const random = randomFrom(seed);
  // Each fourth walk is on a slow machine.
  const script = { seed, size, touch: values.touch, speed: seed % 4 === 3 ? 5 : 0.1, steps: [] };
  const walk = await Walk.begin(app, oracle, script);
  walks++;
  let found = [];
  try {
    const first = { g: "openPattern", pattern: random.pick(walk.patterns) };
    for (let at = 0; at < Number(values.length) && !found.length; at++) {
      const step = at === 0 ? first : walk.choose(random);
      script.steps.push(step);
      const began = performance.now();
      const all = await walk.step(step);
      const count = (counted[step.g] ??= { times: 0, ms: 0, skipped: 0 });
      count.times++;
      count.ms += performance.now() - began;
      steps++;
      if (walk.skipped) {
        skipped++;
        count.skipped++;
      }
      if (values.verbose) console.log(at, JSON.stringify(step), walk.skipped ?? "", all);
      found = all.filter((one) => !isKnown(one, step));
      ignored += all.length - found.length;
      // A page that has stopped goes nowhere.
      if (walk.look.crash) break;
    }
  } finally {
    await walk.close();
  }
  if (!found.length) return;
  console.log(`seed ${seed}, step ${script.steps.length}: ${found.map((one) => one.join(": ")).slice(0, 4).join("\n  ")}`);
  const short = Number(values.shrink) && found[0][0] !== "driver" ? await shrink(script, found[0][0], Number(values.shrink)) : script;
  const failure = { about: found[0].join(": "), ...short };
  failures.push(failure);
  console.log(`shrunk from ${script.steps.length} to ${short.steps.length} steps; to keep it, put this into tests/walk/kept/:`);
  console.log(JSON.stringify(failure));
  if (values.findings) writeFileSync(`${values.findings}-${seed}.json`, JSON.stringify(failure, null, 1));
}

const began = performance.now();
try {
  if (values.replay) {
    const result = await replay(JSON.parse(readFileSync(values.replay, "utf8")));
    console.log(result ? `step ${result.at}: ${result.found.map((one) => one.join(": ")).join("\n  ")}` : "no difference");
    if (result) failures.push(result);
  } else {
    if (values.only !== "walk") {
      for (const name of readdirSync(here("kept")).filter((name) => name.endsWith(".json"))) {
        const script = JSON.parse(readFileSync(here(`kept/${name}`), "utf8"));
        if (script.file) script.file = here(`../../${script.file}`);
        const result = await replay(script);
        steps += script.steps.length;
        walks++;
        if (result) {
          failures.push({ name, ...result });
          console.log(`kept/${name}, step ${result.at}: ${result.found.map((one) => one.join(": ")).join("\n  ")}`);
        }
      }
    }
    const end = values.minutes ? began + Number(values.minutes) * 60_000 : Infinity;
    let isEnough = false;
    process.once("SIGUSR2", () => (isEnough = true));
    const goesOn = () => values.only !== "kept" && !isEnough && steps < Number(values.steps) && performance.now() < end;
    for (let seed = Number(values.seed), told = 0; goesOn(); seed++) {
      await walkOnce(seed);
      if (steps - told < 1000) continue;
      told = steps;
      console.log(`walked ${steps} steps, to seed ${seed}, ${failures.length} with differences`);
    }
  }
} finally {
  await app.close();
  oracle.close();
}
const seconds = (performance.now() - began) / 1000;
if (values.verbose) console.table(Object.fromEntries(Object.entries(counted).map(([name, { times, ms, skipped }]) => [name, { times, skipped, ms: Math.round(ms / times) }])));
console.log(
  `walk: ${steps} steps in ${walks} walks (${skipped} not possible), ${Math.round(seconds)} s, ${Math.round((seconds * 1000) / Math.max(1, steps))} ms a step, ` +
    `${failures.length} with differences${ignored ? `, ${ignored} known differences passed over` : ""}`,
);
console.log(`# pass ${walks - failures.length}`);
process.exitCode = failures.length ? 1 : 0;
