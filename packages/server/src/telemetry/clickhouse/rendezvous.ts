import { createHash } from 'node:crypto';

const computeScore = (name: string, key: string): string =>
  createHash('sha256').update(`${name}\n${key}`).digest('hex');

/**
 * Rendezvous hashing: sorts places by their score for a key, with the same result in every process. Adding or removing
 * a place changes the first place only for its share of keys.
 */
export function ranked<T extends { readonly name: string }>(places: readonly T[], key: string): T[] {
  if (places.length < 2) return [...places];
  const scores = new Map(places.map((place) => [place, computeScore(place.name, key)]));
  return places.toSorted((a, b) => ((scores.get(a) ?? '') < (scores.get(b) ?? '') ? 1 : -1));
}
