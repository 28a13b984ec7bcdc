// The inspector: names, templates, attributes.
import { names } from "./canvas.mjs";

const attributeNames = ["status", "email", "", "createdAt", "a b", "tenantId", "PK", "x", "größe", "type", "id{"];
const pieces = ["USER#", "{", "{id", "{tenantId}", "}", "#", "{email:lower}", "ORDER#{createdAt}#", "{x:pad(", "", "STATIC", "{{", "{status}"];

const entityOf = (walk, id) => walk.truth.entities.find((entity) => entity.id === id);
const anyEntity = (walk, random) => random.pick(walk.truth.entities);
const anyAttribute = (walk, random) => {
  const entity = random.pick(walk.truth.entities.filter((entity) => entity.attributes.length));
  return entity && { entity: entity.id, attribute: random.pick(entity.attributes).id };
};
const row = (attribute) => `.inspector [data-attribute=${attribute}]`;
const hasAttribute = (walk, { entity, attribute }) => entityOf(walk, entity)?.attributes.some((a) => a.id === attribute);

/** Each beginning of a text, as its letters come. */
const beginnings = (text) => ["", ...[...text].map((_, at, letters) => letters.slice(0, at + 1).join(""))];

/** What typing does to a field that gives each good text to the design; one that is left with a refused text holds again what it held. */
const typed = (text, held, command) => [...beginnings(text).map(command), { c: "ifRefused", then: command(held) }];

export const inspector = {
  entityName: {
    weight: 1.2,
    choose: (walk, random) => {
      const entity = anyEntity(walk, random);
      return entity ? { entity: entity.id, name: random.pick(names), end: random.pick(["Tab", "Escape", "press"]) } : null;
    },
    async run(walk, { entity, name, end }) {
      const held = entityOf(walk, entity)?.name;
      if (held === undefined) return;
      await walk.inspect(entity);
      await walk.hand.press(".inspector .section-body.first input[type=text]");
      await walk.hand.replace(name);
      await leave(walk, end);
      walk.does = typed(name, held, (name) => ({ c: "renameCard", card: entity, name }));
    },
  },
  template: {
    weight: 4,
    choose: (walk, random) => {
      const entity = anyEntity(walk, random);
      const places = entity?.keys.flatMap((key) => ["partition", "sort"].filter((part) => key[part][1] !== null).map((part) => [key.index, part])) ?? [];
      if (!places.length) return null;
      const [index, part] = random.pick(places);
      const text = Array.from({ length: random.int(0, 3) }, () => random.pick(pieces)).join("");
      return { entity: entity.id, index, part, text, keep: random.chance(0.5), end: random.pick(["Tab", "Escape", "press", "Enter"]) };
    },
    async run(walk, { entity, index, part, text, keep, end }) {
      await walk.inspect(entity);
      const line = `.inspector [data-place="${entity}/${index}/${part}"] .template-input`;
      await walk.hand.press(line);
      const before = (await walk.page.evaluate((line) => document.querySelector(line)?.value, line)) ?? "";
      if (keep) await walk.hand.keys("End");
      else await walk.hand.keys("Control+a", "Delete");
      await walk.hand.type(text);
      // Enter and Tab take what completes the text: what stands in the field then is what was meant.
      if (end === "Enter") await walk.hand.keys("Enter");
      if (end === "Escape") await walk.hand.keys("Escape");
      if (end === "Tab") await walk.hand.keys("Tab");
      const value = await walk.page.evaluate((line) => document.querySelector(line)?.value, line);
      await leave(walk, "press");
      // A field that ends as it began changes nothing. On its way it may have been a template that makes attributes required.
      const held = keep ? before : "";
      const ways = text.length > 20 || !value?.startsWith(held) ? [] : beginnings(value.slice(held.length)).slice(keep ? 1 : 0).map((typed) => held + typed);
      walk.does = value === before ? [] : [...ways, value].map((text) => ({ c: "setTemplate", entity, index, part, text }));
      walk.many = true;
    },
  },
  removeTemplate: {
    weight: 0.5,
    choose: (walk, random) => {
      const entity = anyEntity(walk, random);
      const key = entity && random.pick(entity.keys.filter((key) => key.sort[1] !== null));
      return key ? { entity: entity.id, index: key.index, part: "sort" } : null;
    },
    async run(walk, { entity, index, part }) {
      await walk.inspect(entity);
      await walk.hand.press(`.inspector [data-place="${entity}/${index}/${part}"] .icon-button`);
      walk.does = [{ c: "setTemplate", entity, index, part, text: null }];
    },
  },
  writeTemplate: {
    weight: 0.7,
    choose: (walk, random) => {
      const place = random.pick((walk.look.inspector?.blocks ?? []).flatMap((block) => block.none));
      if (!place) return null;
      const [entity, index, part] = place.split("/");
      return { entity, index, part };
    },
    async run(walk, { entity, index, part }) {
      await walk.inspect(entity);
      await walk.hand.press(`.inspector [data-place="${entity}/${index}/${part}"] .link`);
      walk.does = [{ c: "writeTemplate", entity, index, part }];
    },
  },
  addAttribute: {
    weight: 1.2,
    choose: (walk, random) => {
      const entity = random.pick(walk.truth.entities.filter((entity) => entity.attributes.length < 12));
      return entity ? { entity: entity.id } : null;
    },
    async run(walk, { entity }) {
      await walk.inspect(entity);
      await walk.hand.press(".inspector .add-attribute");
      walk.does = [{ c: "addAttribute", entity }];
    },
  },
  attributeName: {
    weight: 2,
    choose: (walk, random) => {
      const found = anyAttribute(walk, random);
      return found ? { ...found, name: random.pick(attributeNames), end: random.pick(["Tab", "Escape", "press"]) } : null;
    },
    async run(walk, { entity, attribute, name, end }) {
      const held = entityOf(walk, entity)?.attributes.find((a) => a.id === attribute)?.name;
      if (held === undefined) return;
      await walk.inspect(entity);
      await walk.hand.press(`${row(attribute)} .attribute-row input[type=text]`);
      await walk.hand.replace(name);
      await leave(walk, end);
      const command = (name) => ({ c: "attributeName", entity, attribute, name });
      walk.does = typed(name, held, command);
    },
  },
  attributeType: {
    weight: 0.8,
    choose: (walk, random) => {
      const found = anyAttribute(walk, random);
      return found ? { ...found, word: random.pick(["string", "number", "boolean", "string set", "list", "binary"]) } : null;
    },
    async run(walk, { entity, attribute, word }) {
      await walk.inspect(entity);
      const select = walk.page.locator(`${row(attribute)} .attribute-row select`);
      const options = await select.locator("option").evaluateAll((all) => all.map((one) => one.value), undefined, { timeout: 1000 }).catch(() => []);
      const found = options.find((option) => option === word) ?? options[0];
      if (found === undefined) return;
      await walk.chooseOption(select, found);
      walk.does = [{ c: "attributeType", entity, attribute, word: found }];
    },
  },
  required: {
    weight: 0.7,
    choose: anyAttribute,
    async run(walk, { entity, attribute }) {
      const found = entityOf(walk, entity)?.attributes.find((a) => a.id === attribute);
      if (!found) return;
      await walk.inspect(entity);
      await walk.hand.press(`${row(attribute)} .toggle`);
      walk.does = [{ c: "required", entity, attribute, on: !found.required }];
    },
  },
  deleteAttribute: {
    weight: 1,
    choose: anyAttribute,
    async run(walk, { entity, attribute }) {
      if (!hasAttribute(walk, { entity, attribute })) return;
      await walk.inspect(entity);
      await walk.hand.press(`${row(attribute)} .remove`);
      walk.does = [{ c: "deleteAttribute", entity, attribute }];
    },
  },
  moveAttribute: {
    weight: 0.8,
    choose: (walk, random) => {
      const found = anyAttribute(walk, random);
      return found ? { ...found, by: random.pick([-1, 1]) } : null;
    },
    async run(walk, { entity, attribute, by }) {
      if (!hasAttribute(walk, { entity, attribute })) return;
      await walk.inspect(entity);
      await walk.hand.press(`${row(attribute)} .attribute-row input[type=text]`);
      await walk.hand.keys(by < 0 ? "Alt+ArrowUp" : "Alt+ArrowDown");
      walk.byKey = true;
      walk.does = [{ c: "moveAttribute", entity, attribute, by }];
    },
  },
  hue: {
    weight: 0.4,
    choose: (walk, random) => {
      const entity = anyEntity(walk, random);
      return entity ? { entity: entity.id, hue: random.int(0, 11) } : null;
    },
    async run(walk, { entity, hue }) {
      await walk.inspect(entity);
      await walk.hand.press(`.inspector .swatch.hue-${hue}`);
      walk.does = [{ c: "hue", entity, hue }];
    },
  },
  leaveIndex: {
    weight: 0.7,
    choose: (walk, random) => {
      const entity = random.pick(walk.truth.entities.filter((entity) => entity.keys.some((key) => key.index !== "primary")));
      return entity ? { entity: entity.id, index: random.pick(entity.keys.filter((key) => key.index !== "primary")).index } : null;
    },
    async run(walk, { entity, index }) {
      await walk.inspect(entity);
      await walk.hand.press(`.inspector [data-block="${entity}-${index}"] .leave`);
      walk.does = [{ c: "leave", entity, index }];
    },
  },
  joinIndex: {
    weight: 0.7,
    choose: (walk, random) => {
      const entity = anyEntity(walk, random);
      return entity && walk.truth.indexes.length < 6 ? { entity: entity.id } : null;
    },
    async run(walk, { entity }) {
      await walk.inspect(entity);
      const select = '.inspector select[aria-label="Index to add entity to"]';
      const value = await walk.page.evaluate((select) => document.querySelector(select)?.value, select);
      if (value === undefined) return;
      await walk.hand.press(".inspector .action-row .button", { text: "Add to index" });
      walk.does = value === "new" ? [{ c: "addIndexFor", entity }] : [{ c: "join", entity, index: value }];
    },
  },
};

/** Leaves a field. */
export async function leave(walk, end) {
  // Escape leaves a field for the page.
  walk.byKey = end === "Tab";
  if (end !== "press") await walk.hand.keys(end);
  else await walk.hand.press(".inspector-head h2");
}
