import { MAX_SEARCH_WORDS } from '@mooring/contract';
import { badRequest } from '../errors.ts';

const MAX_LENGTH = 200;

export const foldText = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Text for searching and sorting: folded, and short enough for a cursor. */
export const searchKey = (text: string): string => foldText(text).slice(0, MAX_LENGTH).toWellFormed();

/** Splits a search into folded terms. All of them must match. */
export function parseSearchTerms(search = ''): string[] {
  const found = [...new Set(search.split(/\s+/).map(searchKey))].filter((key) => key !== '');
  if (found.length > MAX_SEARCH_WORDS) {
    throw badRequest(`search accepts at most ${MAX_SEARCH_WORDS} words. Remove some.`);
  }
  return found;
}
