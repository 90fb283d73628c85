import type { UserCtx } from '../../../context.ts';
import { MAX_SEARCHED } from '../../../extensions/finders.ts';
import type { AppsReader, Sample } from '../apps.tables.ts';

/** A user who can view fewer than a third of these sees little. A sample below HARDLY_ANY decides nothing. */
const VERY_NEWEST = { among: 100, every: 1 };
const HARDLY_ANY = 10;
/** Common terms are found among these. */
const FIRST_LOOKED_AT = 500;
/** A user who can view 95% of these sees nearly all. The sample covers at least as many rows as are searched. */
const SPREAD = { among: 1.1 * MAX_SEARCHED, every: 31 };
const ENOUGH = 100;

export interface Newest<Row> {
  sample(sample: Sample): Promise<{ is_readable: unknown }[]>;
  /** Searches at most `most` rows. */
  find(reader: AppsReader, most: number): Promise<Row[]>;
}

const toReadableShare = (sampled: readonly { is_readable: unknown }[]): number =>
  sampled.filter(({ is_readable }) => Number(is_readable) === 1).length / sampled.length;

/**
 * Finds the newest matching rows in apps that the caller may view. Chooses the strategy by the share that the caller can
 * view: little, then it sorts the rows of their apps; much, then it reads the newest rows of all apps and checks each;
 * nearly all, then it checks only matching rows.
 */
export async function searchNewest<Row>({ actor }: UserCtx, limit: number, { sample, find }: Newest<Row>) {
  const reader: AppsReader = { userId: actor.user.id, sees: 'much' };
  const newest = await sample({ reader, ...VERY_NEWEST });
  if (newest.length >= HARDLY_ANY && toReadableShare(newest) < 1 / 3)
    return find({ ...reader, sees: 'little' }, MAX_SEARCHED);
  const first = await find(reader, FIRST_LOOKED_AT);
  if (first.length === limit) return first;
  const spread = await sample({ reader, ...SPREAD });
  const isNearlyAll = spread.length >= ENOUGH && toReadableShare(spread) >= 0.95;
  return isNearlyAll ? find({ ...reader, sees: 'nearly all' }, SPREAD.among) : find(reader, MAX_SEARCHED);
}
