import type { Ctx, Deps } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { conflict } from '../../../kernel/errors.ts';
import type { Day, DayRange, Forgotten, WrittenPart } from '../../../telemetry/index.ts';
import { deleteFiles, type PartInfo, type PartRef, storeFiles } from './files.ts';
import {
  changeState,
  deletePart,
  finishDraft,
  insertPart,
  type LivePartRow,
  listDeadParts,
  listLiveParts,
  listLivePartsOf,
  listReadParts,
} from './parts.store.ts';

/** Batches of an app, both among them. */
export interface Batches {
  first: number;
  last: number;
}

/** Files with logs of an app and a day, as the table knows them. */
export interface StoredPart extends PartRef {
  isSealed: boolean;
  logCount: number;
  /** What its logs came in; not known of what earlier versions wrote. */
  batches: Batches | undefined;
  files: PartInfo;
  /** What is in it and must not be seen. */
  forgotten: readonly Forgotten[];
}

export const toPart = (appId: string, row: LivePartRow): StoredPart => ({
  appId,
  id: row.id,
  day: row.day,
  isSealed: row.is_sealed === 1,
  logCount: row.log_count,
  batches:
    row.first_batch === null || row.last_batch === null ? undefined : { first: row.first_batch, last: row.last_batch },
  files: JSON.parse(row.files),
  forgotten: JSON.parse(row.forgotten),
});

/** What there is of an app on these days; together it holds each log once. */
export const listParts = async ({ db }: Pick<Deps, 'db'>, appId: string, days: DayRange): Promise<StoredPart[]> =>
  (await listLiveParts.all(db, { appId, ...days })).map((row) => toPart(appId, row));

/** The same of several apps, for each that has anything. */
export async function listPartsOf(
  { db }: Pick<Deps, 'db'>,
  appIds: readonly string[],
  days: DayRange,
): Promise<Map<string, StoredPart[]>> {
  const rows = await listLivePartsOf.all(db, { appIds: JSON.stringify(appIds), ...days });
  return Map.groupBy(
    rows.map((row) => toPart(row.app_id, row)),
    ({ appId }) => appId,
  );
}

/** What the logs of several parts came in. */
export function batchesOf(parts: readonly StoredPart[]): Batches | undefined {
  const known = parts.flatMap(({ batches }) => batches ?? []);
  if (known.length < parts.length || known.length === 0) return undefined;
  return { first: Math.min(...known.map(({ first }) => first)), last: Math.max(...known.map(({ last }) => last)) };
}

/**
 * Stores what was written, as a draft: nobody reads it before `publishParts`, and if that never comes it is swept.
 */
export async function storePart(
  ctx: Ctx,
  appId: string,
  written: WrittenPart,
  { batches, isSealed = false }: { batches?: Batches | undefined; isSealed?: boolean } = {},
): Promise<StoredPart> {
  const part = { appId, id: ctx.newId(), day: written.day };
  await tx(ctx, ({ db }) =>
    insertPart.run(db, {
      app_id: appId,
      id: part.id,
      day: part.day,
      state: 'draft',
      is_sealed: isSealed ? 1 : 0,
      log_count: written.rows,
      first_batch: batches?.first ?? null,
      last_batch: batches?.last ?? null,
      files: '{}',
      forgotten: '[]',
      changed_at: ctx.clock.now(),
    }),
  );
  const files = await storeFiles(ctx, part, written.files);
  await tx(ctx, ({ db }) =>
    finishDraft.run(db, { appId, id: part.id, files: JSON.stringify(files), logCount: written.rows }),
  );
  return { ...part, isSealed, logCount: written.rows, batches, files, forgotten: [] };
}

/**
 * In the transaction that makes it true: from now on drafts are read, instead of the parts that they replace. Refuses if
 * those are not what they were when they were read.
 */
export async function publishParts(
  ctx: Ctx,
  appId: string,
  drafts: readonly PartRef[],
  replaced: readonly StoredPart[] = [],
): Promise<void> {
  await lock(ctx, 'analytics-parts', appId);
  const now = ctx.clock.now();
  for (const { id, day } of drafts) {
    const change = { appId, id, from: 'draft', to: 'live', forgotten: '[]', now } as const;
    if (!(await changeState.run(ctx.db, change))) throw changed(day);
  }
  for (const { id, day, forgotten } of replaced) {
    const change = { appId, id, from: 'live', to: 'old', forgotten: JSON.stringify(forgotten), now } as const;
    if (!(await changeState.run(ctx.db, change))) throw changed(day);
  }
}

const changed = (day: Day) => conflict(`Another process has changed the files of day ${day} meanwhile.`);

/** What counts telemetry lets go of its copies of parts that nobody has read since a time. */
export const dropCopies = ({ db, telemetry }: Pick<Deps, 'db' | 'telemetry'>, since: number): Promise<void> =>
  telemetry.drop(async (held) => {
    const read = await listReadParts.all(db, { ids: JSON.stringify(held), since });
    return new Map(read.map(({ id, app_id: appId }) => [id, appId]));
  });

const SWEPT_AT_ONCE = 100;

/**
 * Deletes the files of parts that were replaced, or never finished, before a time; then their rows. Parts in which something
 * was deleted stay for less long.
 */
export async function sweepParts(ctx: Ctx, before: number, deletedBefore = before): Promise<void> {
  for (;;) {
    const dead = await listDeadParts.all(ctx.db, { before, deletedBefore, limit: SWEPT_AT_ONCE });
    for (const { app_id: appId, id, day, state } of dead) {
      await deleteFiles(ctx, { appId, id, day });
      if (state !== 'live') await tx(ctx, ({ db }) => deletePart.run(db, { appId, id, state }));
    }
    if (dead.length < SWEPT_AT_ONCE) return;
  }
}
