import { MAX_SEARCH_WORDS } from '@mooring/contract';
import { badRequest } from './errors.ts';

const LONGEST = 200;

/** Text as it is searched and sorted by: without case and accents, and short enough for a cursor. */
export const searchKey = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().slice(0, LONGEST).toWellFormed();

/** A word that is looked for: its key, and how it may be spelled in text that has none. */
export interface SearchWord {
  key: string;
  spellings: string[];
}

/** The words of a search, which all have to occur in what is found. */
export function searchWords(search = ''): SearchWord[] {
  const typed = search.toWellFormed().split(/\s+/);
  const words = typed.map((word) => {
    const key = searchKey(word);
    return { key, spellings: [...new Set([key, word.toLowerCase(), word])] };
  });
  const found = [...new Map(words.map((word) => [word.key, word])).values()].filter(({ key }) => key !== '');
  if (found.length > MAX_SEARCH_WORDS) {
    throw badRequest(`search takes at most ${MAX_SEARCH_WORDS} words; leave some away.`);
  }
  return found;
}
