// Chance from a seed.

/** A stream of chance; the same seed gives the same. */
export function randomFrom(seed) {
  let state = (seed * 2654435761) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    part: () => Math.round(next() * 1000) / 1000,
    int: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (part) => next() < part,
    pick: (list) => list[Math.floor(next() * list.length)],
    /** One of these, each as likely as its weight says. */
    weighted(list) {
      let at = next() * list.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of list) if ((at -= weight) < 0) return value;
      return list.at(-1)[1];
    },
  };
}
