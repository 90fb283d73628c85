/** Deterministic random numbers for a seed. */
export interface Random {
  /** From 0 to 1, exclusive. */
  next(): number;
  /** A whole number from `min` to `max`. */
  between(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  /** A number of distinct items, in their original order. */
  some<T>(items: readonly T[], count: number): T[];
}

/** Mulberry32: small, and good enough for demo data. */
export function createRandom(seed: number): Random {
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
      if (item === undefined) throw new RangeError('Cannot pick from an empty list.');
      return item;
    },
    some: (items, count) => {
      const ranks = items.map((_, at) => ({ at, rank: next() })).sort((a, b) => a.rank - b.rank);
      const chosen = new Set(ranks.slice(0, count).map(({ at }) => at));
      return items.filter((_, at) => chosen.has(at));
    },
  };
}
