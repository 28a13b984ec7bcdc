// Judges exported TypeScript with the libraries that it is for.
// usage: node judge.mjs FOLDER
// FOLDER holds NAME.electrodb.ts, NAME.onetable.ts and NAME.cdk.ts of each design, and expected.json. Prints a line for
// each thing that is wrong; writes what the CDK makes of each design to synthesized.json.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const here = createRequire(import.meta.url);
const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
const wrong = (...words) => console.log(words.join(" "));

// The compiler.
const tsc = fileURLToPath(new URL("node_modules/.bin/tsc", import.meta.url));
try {
  execFileSync(tsc, ["-p", folder], { encoding: "utf8" });
} catch (error) {
  process.stdout.write(error.stdout ?? String(error));
}
const compiled = (name) => import(pathToFileURL(join(folder, "js", `${name}.js`)));

// DynamoDB JSON as plain values.
function plain(value) {
  const [[kind, content]] = Object.entries(value);
  switch (kind) {
    case "N": return Number(content);
    case "B": return Buffer.from(content, "base64");
    case "NULL": return null;
    case "L": return content.map(plain);
    case "M": return item(content);
    case "SS": return content;
    case "NS": return content.map(Number);
    case "BS": return content.map((bytes) => Buffer.from(bytes, "base64"));
    default: return content;
  }
}
/** Whether JavaScript's numbers hold all that are in the value. */
function fits(value) {
  return typeof value !== "object" || value === null
    ? true
    : Object.entries(value).every(([kind, content]) =>
        kind === "N" ? isExact(content) : kind === "NS" ? content.every(isExact) : fits(content));
}
const isExact = (text) => String(Number(text)) === text && (!Number.isInteger(Number(text)) || Number.isSafeInteger(Number(text)));
const item = (attributes) => Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, plain(value)]));

function compare(place, keys, found) {
  for (const [name, value] of Object.entries(keys)) {
    const ours = value === null ? undefined : plain(value);
    if (found[name] !== ours) wrong(place, name, `ours ${JSON.stringify(ours)}, theirs ${JSON.stringify(found[name])}`);
  }
}

/** The library must refuse values with the delimiter in a key, with words on the validation. */
async function mustFail(place, values, put) {
  try {
    await put();
    wrong(place, JSON.stringify(values), "is not refused");
  } catch (error) {
    if (!/valid|not a whole number/i.test(error.message)) wrong(place, JSON.stringify(values), error.message);
    else judged.refused += 1;
  }
}

const { createConversions } = await import("electrodb");
const { unmarshall } = here("@aws-sdk/util-dynamodb");

async function electrodb(name, entities) {
  const exported = await compiled(`${name}.electrodb`);
  const all = exported.service?.entities ?? {};
  const models = Object.fromEntries(Object.values(all).map((entity) => [entity.model.entity, entity]));
  for (const { entity, samples, refused } of entities) {
    if (!Object.hasOwn(models, entity)) continue;
    const model = models[entity];
    const fields = new Set(Object.values(model.model.indexes).flatMap(({ pk, sk }) => [pk.field, sk.field]));
    const { toKeys } = createConversions(model).fromComposite;
    const [variable] = Object.entries(exported).find(([, value]) => value === model);
    const [, given] = Object.entries(exported).find(([name]) => name.toLowerCase() === `${variable}Keys`.toLowerCase()) ?? [];
    for (const { values, keys } of samples.filter(({ values }) => fits(values))) {
      const place = `electrodb ${name} ${entity}`;
      try {
        const known = Object.fromEntries(Object.entries(item(values)).filter(([name]) => Object.hasOwn(model.schema.attributes, name)));
        // What the file wants to be given besides the item.
        Object.assign(known, given?.(known));
        const { Item } = model.put(known).params();
        const ours = Object.fromEntries(Object.entries(keys).filter(([name]) => fields.has(name)));
        compare(`${place} put`, ours, Item);
        // The conversion knows nothing of conditions, and begins a key whose values are not all there.
        const there = Object.fromEntries(Object.entries(ours).filter(([, value]) => value !== null));
        compare(`${place} toKeys`, there, toKeys({ ...known, ...Item }));
        judged.electrodb += 1;
      } catch (error) {
        wrong(place, JSON.stringify(values), error.message);
      }
    }
    for (const values of refused) {
      const known = item(values);
      await mustFail(`electrodb ${name} ${entity}`, values, () => model.put({ ...known, ...given?.(known) }).params());
    }
  }
}

async function onetable(name, entities) {
  const { table, schema } = await compiled(`${name}.onetable`);
  // A design whose keys it cannot have.
  if (!table) return;
  table.setClient(new (here("@aws-sdk/client-dynamodb").DynamoDBClient)({ region: "local" }));
  for (const { entity, samples, refused } of entities) {
    if (!Object.hasOwn(schema.models, entity)) continue;
    const fields = schema.models[entity];
    for (const { values, keys, keyOnly } of samples.filter(({ values }) => fits(values))) {
      const place = `onetable ${name} ${entity}`;
      try {
        const known = Object.fromEntries(Object.entries(item(values)).filter(([name]) => Object.hasOwn(fields, name) && !fields[name].value));
        const command = await table.getModel(entity).create(known, { execute: false, exists: null, hidden: true, log: false });
        const found = command.Item ?? command.input?.Item;
        const theirs = unmarshall(found);
        const ours = Object.fromEntries(Object.entries(keys).filter(([name]) => Object.hasOwn(fields, name)));
        compare(place, ours, theirs);
        // What is encoded in a key is not stored, and read from it.
        const read = table.getModel(entity).transformReadItem("get", theirs, {}, { hidden: true });
        for (const name of keyOnly.filter((name) => fields[name]?.encode)) {
          if (Object.hasOwn(theirs, name)) wrong(place, name, "is stored");
          if (read[name] !== known[name]) wrong(place, name, `read as ${JSON.stringify(read[name])}`);
          judged.encoded += 1;
        }
        judged.onetable += 1;
      } catch (error) {
        wrong(place, JSON.stringify(values), error.message);
      }
    }
    for (const values of refused) {
      const create = () => table.getModel(entity).create(item(values), { execute: false, exists: null, hidden: true, log: false });
      await mustFail(`onetable ${name} ${entity}`, values, create);
    }
  }
}

const { App, Stack } = await import("aws-cdk-lib");
const { Template } = await import("aws-cdk-lib/assertions");
const synthesized = {};
async function cdk(name) {
  const exported = await compiled(`${name}.cdk`);
  const [Construct] = Object.values(exported);
  try {
    const stack = new Stack(new App(), "Stack", { env: { account: "111122223333", region: "us-east-1" } });
    new Construct(stack, "Design");
    synthesized[name] = Template.fromStack(stack).toJSON();
  } catch (error) {
    wrong(`cdk ${name}`, error.message);
  }
}

const judged = { electrodb: 0, onetable: 0, encoded: 0, refused: 0 };
for (const [name, entities] of Object.entries(expected)) {
  await electrodb(name, entities).catch((error) => wrong(`electrodb ${name}`, error.message));
  await onetable(name, entities).catch((error) => wrong(`onetable ${name}`, error.message));
  await cdk(name);
}
writeFileSync(join(folder, "synthesized.json"), JSON.stringify(synthesized));
writeFileSync(join(folder, "judged.json"), JSON.stringify(judged));
