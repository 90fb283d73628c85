import { MAX_SEARCHED, type UserCtx } from '../../context.ts';
import type { AppsReader } from './apps.tables.ts';

/** Of so many of the newest things of all apps is asked whether the caller may look into their apps. */
const SAMPLE = 100;
/** Whoever may look into this share of them reads what is newest of all, instead of what is in each of their apps. */
const MUCH = 1 / 3;
/** What many things have is found among these. */
const FIRST_LOOKED_AT = 500;

export interface Newest<Row> {
  sample(reader: AppsReader, count: number): Promise<{ is_readable: unknown }[]>;
  /** Looks at `most` of them. */
  find(reader: AppsReader, most: number): Promise<Row[]>;
}

/** What of the newest things in apps that the caller may look into has some words. */
export async function searchNewest<Row>({ actor }: UserCtx, limit: number, { sample, find }: Newest<Row>) {
  const reader = { userId: actor.user.id, seesMuch: true };
  const sampled = await sample(reader, SAMPLE);
  const readable = sampled.filter(({ is_readable }) => Number(is_readable) === 1).length;
  if (readable < sampled.length * MUCH) return find({ ...reader, seesMuch: false }, MAX_SEARCHED);
  const first = await find(reader, FIRST_LOOKED_AT);
  return first.length === limit ? first : find(reader, MAX_SEARCHED);
}
