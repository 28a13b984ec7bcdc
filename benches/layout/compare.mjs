// Compares Keyfold's layouts and wires with those of ELK's layered algorithm, for the designs that the example `layouts` of
// crates/app prints (standard input): the library and 50 random ones. Prints the sums that BENCHMARKS.md records. With
// `--each`, a line for each design too.
//
// Both get cards of the same sizes. ELK routes orthogonal wires and may choose where they start and end.
import { readFileSync } from "node:fs";
import ELK from "elkjs";

const designs = JSON.parse(readFileSync(0, "utf8"));
const engine = new ELK();

/** The layout that ELK makes of a design. */
async function byElk({ cards, wires }) {
  const graph = await engine.layout({
    id: "root",
    layoutOptions: {
      "elk.algorithm": "layered",
      "elk.direction": "RIGHT",
      "elk.edgeRouting": "ORTHOGONAL",
      // Components side by side, as wide as the canvas usually is.
      "elk.aspectRatio": "1.7",
      // The gaps that Keyfold has: room for the labels of wires.
      "elk.spacing.nodeNode": "32",
      "elk.layered.spacing.nodeNodeBetweenLayers": "112",
    },
    children: cards.map(({ id, width, height }) => ({ id, width, height })),
    edges: wires.map(({ from, to }, at) => ({ id: `w${at}`, sources: [from], targets: [to] })),
  });
  const found = graph.edges.map((edge) => {
    const [{ startPoint, bendPoints = [], endPoint }] = edge.sections;
    const points = [startPoint, ...bendPoints, endPoint].map(({ x, y }) => [x, y]);
    return { from: edge.sources[0], to: edge.targets[0], points };
  });
  return { cards: graph.children, wires: found };
}

const segments = (points) => points.slice(1).map((to, at) => [points[at], to]);

/** Whether two lines cross in a point inside both. */
function cross([a, b], [c, d]) {
  const side = (p, q, r) => Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

function crossings(wires) {
  const all = wires.map(({ points }) => segments(points));
  let count = 0;
  for (let i = 0; i < all.length; i++) {
    for (let j = i + 1; j < all.length; j++) {
      for (const one of all[i]) for (const other of all[j]) if (cross(one, other)) count++;
    }
  }
  return count;
}

const length = (wires) =>
  wires.flatMap(({ points }) => segments(points)).reduce((sum, [[x1, y1], [x2, y2]]) => sum + Math.hypot(x2 - x1, y2 - y1), 0);

/** Pairs of cards that cover each other, and wires that run over a card. */
function overlaps({ cards, wires }) {
  let count = 0;
  cards.forEach((one, at) => {
    for (const other of cards.slice(at + 1)) {
      const apart =
        one.x + one.width <= other.x || other.x + other.width <= one.x || one.y + one.height <= other.y || other.y + other.height <= one.y;
      if (!apart) count++;
    }
  });
  for (const { from, to, points } of wires) {
    for (const card of cards) {
      if (card.id === from || card.id === to) continue;
      const inside = ([[x1, y1], [x2, y2]]) =>
        Math.min(x1, x2) < card.x + card.width - 1 &&
        Math.max(x1, x2) > card.x + 1 &&
        Math.min(y1, y2) < card.y + card.height - 1 &&
        Math.max(y1, y2) > card.y + 1;
      if (segments(points).some(inside)) count++;
    }
  }
  return count;
}

/** The area of the cards as a part of the rectangle around everything, and the zoom that shows it in 860 by 500 pixels. */
function use({ cards, wires }) {
  const points = [...cards.flatMap(({ x, y, width, height }) => [[x, y], [x + width, y + height]]), ...wires.flatMap(({ points }) => points)];
  const extent = (at) => Math.max(...points.map((point) => point[at])) - Math.min(...points.map((point) => point[at]));
  const area = cards.reduce((sum, { width, height }) => sum + width * height, 0);
  const [width, height] = [extent(0), extent(1)];
  return { share: area / (width * height), zoom: Math.min(860 / width, 500 / height, 1) };
}

/** How far the other cards move on average after each small change, in pixels. */
function moves(before, changes) {
  const places = new Map(before.cards.map((card) => [card.id, card]));
  const all = changes.flatMap(({ cards }) => cards.filter(({ id }) => places.has(id)));
  const distance = ({ id, x, y }) => Math.hypot(x - places.get(id).x, y - places.get(id).y);
  return all.reduce((sum, card) => sum + distance(card), 0) / all.length;
}

const figures = (layout) => ({ crossings: crossings(layout.wires), length: length(layout.wires), overlaps: overlaps(layout), ...use(layout) });

const sums = {};
for (const design of designs) {
  const group = design.name.startsWith("random") ? "random designs" : "library";
  const elk = await byElk(design);
  const changed = [];
  for (const change of design.changes) changed.push(await byElk(change));
  const both = {
    Keyfold: { ...figures(design), moved: moves(design, design.changes) },
    ELK: { ...figures(elk), moved: moves(elk, changed) },
  };
  for (const [who, own] of Object.entries(both)) {
    const sum = ((sums[group] ??= {})[who] ??= { designs: 0 });
    sum.designs++;
    for (const [name, value] of Object.entries(own)) sum[name] = (sum[name] ?? 0) + value;
    if (process.argv.includes("--each")) {
      const { crossings, length, overlaps, share, zoom } = own;
      console.log(`${design.name.padEnd(32)} ${who.padEnd(8)} crossings ${crossings}, length ${Math.round(length)}, overlaps ${overlaps}, share ${share.toFixed(2)}, zoom ${zoom.toFixed(2)}`);
    }
  }
}
for (const [group, both] of Object.entries(sums)) {
  for (const [who, { designs, crossings, length, overlaps, share, zoom, moved }] of Object.entries(both)) {
    console.log(
      `${group}, ${designs} designs, ${who}: ${crossings} crossings, ${Math.round(length)} px of wires, ${overlaps} overlaps, ` +
        `${Math.round((100 * share) / designs)} % of the canvas used, zoom at fit ${(zoom / designs).toFixed(2)}, ` +
        `cards move ${Math.round(moved / designs)} px after a small change`,
    );
  }
}
