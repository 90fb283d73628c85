import { plainName } from '@mooring/contract';
import { badRequest } from './errors.ts';

/** Names that could not stand in an address. */
export function refuseDots(name: string | undefined): void {
  if (/^\.{1,2}$/.test(name ?? '')) throw badRequest('name cannot be "." or "..": addresses could not hold it.');
}

const TRIES = 50;

/** Names made from what people call a thing: the plain one first, then with a number, for as long as it makes sense. */
export function nameFrom(text: string): string[] {
  const base = plainName(text);
  return [base, ...Array.from({ length: TRIES }, (_, n) => `${base}-${n + 1}`)];
}

const NAMED = 5;

/** The first few names, as many as fit a sentence; nothing if there are none. */
export async function namedSome(list: (limit: number) => Promise<{ name: string }[]>): Promise<string | undefined> {
  const names = (await list(NAMED + 1)).map(({ name }) => name);
  return names.length === 0 ? undefined : names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ', …' : '');
}
