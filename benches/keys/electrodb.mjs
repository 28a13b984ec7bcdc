// The same orders and keys as `benches/engine/src/keys.rs`, made by ElectroDB. Runs in node and, bundled, in a page.
import { createConversions, Entity } from "electrodb";

const text = { type: "string", required: true };
const side = (field, composite, template) => ({ field, composite, template, casing: "none" });
const order = new Entity({
  model: { entity: "order", service: "shop", version: "1" },
  attributes: { userId: text, orderId: text, status: text, createdAt: text },
  indexes: {
    table: { pk: side("PK", ["userId"], "USER#${userId}"), sk: side("SK", ["orderId"], "ORDER#${orderId}") },
    byStatus: {
      index: "GSI1",
      pk: side("GSI1PK", ["status"], "STATUS#${status}"),
      sk: side("GSI1SK", ["createdAt"], "${createdAt}"),
    },
  },
});
const { toKeys } = createConversions(order).fromComposite;

function orders(count) {
  const padded = (number, width) => String(number).padStart(width, "0");
  return Array.from({ length: count }, (_, row) => ({
    userId: padded(row % 997, 6),
    orderId: padded(row, 8),
    status: ["PENDING", "PAID", "SHIPPED"][row % 3],
    createdAt: `2024-11-${padded((row % 28) + 1, 2)}T10:30:00Z`,
  }));
}

/** All keys, one a line. */
export function keysText(count) {
  const lines = orders(count).map((order) => {
    const keys = toKeys(order);
    return `${keys.PK}\n${keys.SK}\n${keys.GSI1PK}\n${keys.GSI1SK}\n`;
  });
  return lines.join("");
}

/** Makes all keys again and again for about this long; how many it were in a second, in millions. */
export function keysRate(count, milliseconds) {
  const all = orders(count);
  const start = performance.now();
  let keys = 0;
  let kept;
  while (performance.now() - start < milliseconds) {
    for (const order of all) {
      kept = toKeys(order);
      keys += 4;
    }
  }
  if (!kept) throw new Error("no time to make a key");
  return keys / (performance.now() - start) / 1000;
}
