// Judges exported Terraform with HashiCorp's own parser and formatter, which are packed for Node.
// usage: node terraform.mjs FOLDER
// Prints a line for each file of FOLDER that cannot be parsed, or that `terraform fmt` would change.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const { format } = require("@cdktf/hcl-tools");
const { parse } = require("@cdktf/hcl2json");

const folder = process.argv[2];
for (const name of readdirSync(folder).filter((name) => name.endsWith(".tf"))) {
  const text = readFileSync(join(folder, name), "utf8");
  try {
    await parse(name, text);
    const formatted = (await format(text)).split("\n");
    const at = text.split("\n").findIndex((line, at) => line !== formatted[at]);
    if (at >= 0) console.log(`${name}:${at + 1}: ${text.split("\n")[at]} becomes ${formatted[at]}`);
  } catch (error) {
    console.log(`${name}: ${error.message ?? error}`);
  }
}
process.exit(0);
