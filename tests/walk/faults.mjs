// Faults that must cost nobody more than a second of work: the browser killed, storage full, denied or broken, several tabs at once.
//
//   node tests/walk/faults.mjs kill [--times 100] [--seed S]
//   node tests/walk/faults.mjs storage
//   node tests/walk/faults.mjs tabs [--steps 500] [--seed S] [--tabs 3]
//   node tests/walk/faults.mjs together [--steps 500] [--seed S]
//
// The page is that of target/e2e-dist. Prints a line with figures, and each fault; ends with 1 if there is any.
import { parseArgs } from "node:util";
import { kill } from "./faults/kill.mjs";
import { storage } from "./faults/storage.mjs";
import { tabs } from "./faults/tabs.mjs";
import { together } from "./faults/together.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: "string", default: "100" },
    steps: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
    tabs: { type: "string", default: "3" },
    verbose: { type: "boolean", default: false },
  },
});
const parts = { kill, storage, tabs, together };
const options = { ...values, times: Number(values.times), steps: Number(values.steps), seed: Number(values.seed), tabs: Number(values.tabs) };
const wanted = positionals.length ? positionals : Object.keys(parts);
let passed = 0;
for (const name of wanted) {
  const { summary, faults } = await parts[name](options);
  for (const fault of faults) console.log(`${name}: ${fault}`);
  console.log(`${name}: ${summary}, ${faults.length} faults`);
  if (faults.length) process.exitCode = 1;
  else passed++;
}
console.log(`# pass ${passed}`);
