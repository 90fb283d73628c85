import { plainName } from '@mooring/contract';
import { badRequest } from '../errors.ts';

/** Refuses names that a URL path can't contain. */
export function refuseDots(name: string | undefined): void {
  if (/^\.{1,2}$/.test(name ?? ''))
    throw badRequest('name can\'t be "." or "..", because URLs can\'t contain them. Choose another name.');
}

const TRIES = 50;

/** Candidates for a name from a display name: the plain one first, then with a number. */
export function nameFrom(text: string): string[] {
  const base = plainName(text);
  return [base, ...Array.from({ length: TRIES }, (_, n) => `${base}-${n + 1}`)];
}

const NAMED = 5;

/** The first few names, as many as fit a sentence; undefined if there are none. */
export async function namedSome(list: (limit: number) => Promise<{ name: string }[]>): Promise<string | undefined> {
  const names = (await list(NAMED + 1)).map(({ name }) => name);
  return names.length === 0 ? undefined : names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ', …' : '');
}
