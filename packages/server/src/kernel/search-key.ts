import { MAX_SEARCH_WORDS } from '@mooring/contract';
import { badRequest } from './errors.ts';

const LONGEST = 200;

/** Text without case and accents. */
export const foldText = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Text as it is searched and sorted by: folded, and short enough for a cursor. */
export const searchKey = (text: string): string => foldText(text).slice(0, LONGEST).toWellFormed();

/** The words of a search, as keys; all have to occur in what is found. */
export function searchWords(search = ''): string[] {
  const found = [...new Set(search.split(/\s+/).map(searchKey))].filter((key) => key !== '');
  if (found.length > MAX_SEARCH_WORDS) {
    throw badRequest(`search takes at most ${MAX_SEARCH_WORDS} words; leave some away.`);
  }
  return found;
}
