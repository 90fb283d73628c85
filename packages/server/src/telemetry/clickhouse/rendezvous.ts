import { createHash } from 'node:crypto';

const scoreOf = (name: string, key: string): string => createHash('sha256').update(`${name}\n${key}`).digest('hex');

/**
 * Places in the order in which they suit a key, the same for everybody. One that is added or goes away changes the first place
 * of its share of keys, and of no other.
 */
export function ranked<T extends { readonly name: string }>(places: readonly T[], key: string): T[] {
  if (places.length < 2) return [...places];
  const scores = new Map(places.map((place) => [place, scoreOf(place.name, key)]));
  return places.toSorted((a, b) => ((scores.get(a) ?? '') < (scores.get(b) ?? '') ? 1 : -1));
}
