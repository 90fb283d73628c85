import { sql } from 'kysely';
import { onceATurn } from './once-a-turn.ts';
import type { Db } from './open.ts';
import { lockRows } from './portable.ts';
import { statement } from './statement.ts';

const readEpoch = statement((q) => q.selectFrom('authority').select('epoch').where('id', '=', 1));
const nextEpoch = statement((q) =>
  q.updateTable('authority').set({ epoch: sql<number>`epoch + 1` }).where('id', '=', 1),
);

/**
 * Tells every process, by the transaction it runs in, that remembered credentials no longer hold.
 * Call it last in a verb that takes rights away or changes what an actor shows: on PostgreSQL the row is then locked.
 */
export const changeAuthority = (ctx: { db: Db }): Promise<number> => nextEpoch.run(ctx.db);

const lockEpoch = statement((q, _p: Record<never, never>, dialect) =>
  lockRows(dialect, q.selectFrom('authority').select('epoch').where('id', '=', 1)),
);

/** Makes transactions that must not overlap, on any process, take turns. */
export const lockAuthority = async (ctx: { db: Db }): Promise<void> => {
  await lockEpoch.first(ctx.db);
};

const read = async (db: Db): Promise<number> => (await readEpoch.first(db))?.epoch ?? 0;

/** Reads the epoch as it is now. Every request asks, so those of one turn of the event loop share one query. */
export const authorityReader = (db: Db): (() => Promise<number>) => onceATurn(() => read(db));
