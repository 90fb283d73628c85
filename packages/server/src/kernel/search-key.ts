import { MAX_SEARCH_WORDS } from '@mooring/contract';
import { badRequest } from './errors.ts';

const LONGEST = 200;

/** Text as it is searched and sorted by: without case and accents, and short enough for a cursor. */
export const searchKey = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().slice(0, LONGEST).toWellFormed();

/** The words of a search, as keys that have to occur in what is found. */
export function searchWords(search = ''): string[] {
  const words = [...new Set(searchKey(search).split(/\s+/).filter(Boolean))];
  if (words.length > MAX_SEARCH_WORDS) {
    throw badRequest(`search takes at most ${MAX_SEARCH_WORDS} words; leave some away.`);
  }
  return words;
}
