import { MAX_SEARCHED, type UserCtx } from '../../context.ts';
import type { AppsReader, Sample } from './apps.tables.ts';

/** Whoever may look into fewer than a third of these sees little; of hardly any, nobody does. */
const VERY_NEWEST = { among: 100, every: 1 };
const HARDLY_ANY = 10;
/** What many things have is found among these. */
const FIRST_LOOKED_AT = 500;
/** Whoever may look into 95 % of these sees nearly all, and then at least as many as are searched. */
const SPREAD = { among: 1.1 * MAX_SEARCHED, every: 31 };
const ENOUGH = 100;

export interface Newest<Row> {
  sample(sample: Sample): Promise<{ is_readable: unknown }[]>;
  /** Looks at `most` of them. */
  find(reader: AppsReader, most: number): Promise<Row[]>;
}

const shareOf = (sampled: readonly { is_readable: unknown }[]): number =>
  sampled.filter(({ is_readable }) => Number(is_readable) === 1).length / sampled.length;

/**
 * What of the newest things in apps that the caller may look into has some words. Who sees little of what is newest has what is in
 * their apps put in order; who sees much reads what is newest of all, and each is asked whether they may, and if that is nearly all,
 * only of what has the words.
 */
export async function searchNewest<Row>({ actor }: UserCtx, limit: number, { sample, find }: Newest<Row>) {
  const reader: AppsReader = { userId: actor.user.id, sees: 'much' };
  const newest = await sample({ reader, ...VERY_NEWEST });
  if (newest.length >= HARDLY_ANY && shareOf(newest) < 1 / 3) return find({ ...reader, sees: 'little' }, MAX_SEARCHED);
  const first = await find(reader, FIRST_LOOKED_AT);
  if (first.length === limit) return first;
  const spread = await sample({ reader, ...SPREAD });
  const isNearlyAll = spread.length >= ENOUGH && shareOf(spread) >= 0.95;
  return isNearlyAll ? find({ ...reader, sees: 'nearly all' }, SPREAD.among) : find(reader, MAX_SEARCHED);
}
