/** The same numbers in the same order, whenever it starts from the same seed. */
export interface Chance {
  /** From 0 up to, without, 1. */
  next(): number;
  /** A whole number from `min` to `max`. */
  between(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  /** So many different ones, in their order. */
  some<T>(items: readonly T[], count: number): T[];
}

/** Mulberry32: small, and good enough to make a world look uneven. */
export function createChance(seed: number): Chance {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new RangeError('There is nothing to pick from.');
      return item;
    },
    some: (items, count) => {
      const ranks = items.map((_, at) => ({ at, rank: next() })).sort((a, b) => a.rank - b.rank);
      const chosen = new Set(ranks.slice(0, count).map(({ at }) => at));
      return items.filter((_, at) => chosen.has(at));
    },
  };
}
