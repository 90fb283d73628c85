import type { Ctx, Deps } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { conflict } from '../../../kernel/errors.ts';
import { parseOwnJson } from '../../../kernel/text/json.ts';
import type { Day, DayRange, Erasure, WrittenPart } from '../../../telemetry/index.ts';
import { deleteFiles, type PartInfo, type PartRef, storeFiles } from './files.ts';
import {
  changeState,
  deletePart,
  finishDraft,
  insertPart,
  type LivePartRow,
  listDeadParts,
  listLiveParts,
  listLivePartsForApps,
  listReadParts,
} from './parts.store.ts';

/** A range of batches, inclusive. */
export interface Batches {
  first: number;
  last: number;
}

/** A segment as stored in the database. */
export interface StoredPart extends PartRef {
  isSealed: boolean;
  logCount: number;
  /** Unknown for segments of earlier versions. */
  batches: Batches | undefined;
  files: PartInfo;
  /** Erasures of logs that the files still contain. */
  forgotten: readonly Erasure[];
}

export const toPart = (appId: string, row: LivePartRow): StoredPart => ({
  appId,
  id: row.id,
  day: row.day,
  isSealed: row.is_sealed === 1,
  logCount: row.log_count,
  batches:
    row.first_batch === null || row.last_batch === null ? undefined : { first: row.first_batch, last: row.last_batch },
  files: parseOwnJson<PartInfo>(row.files),
  forgotten: parseOwnJson<Erasure[]>(row.forgotten),
});

/** The segments of an app for these days. Together they contain each log once. */
export const listParts = async ({ db }: Pick<Deps, 'db'>, appId: string, days: DayRange): Promise<StoredPart[]> =>
  (await listLiveParts.all(db, { appId, ...days })).map((row) => toPart(appId, row));

/** Like `listParts` for several apps; only apps with segments. */
export async function listPartsByApp(
  { db }: Pick<Deps, 'db'>,
  appIds: readonly string[],
  days: DayRange,
): Promise<Map<string, StoredPart[]>> {
  const rows = await listLivePartsForApps.all(db, { appIds: JSON.stringify(appIds), ...days });
  return Map.groupBy(
    rows.map((row) => toPart(row.app_id, row)),
    ({ appId }) => appId,
  );
}

/** The batches of several segments. */
export function getBatchRange(parts: readonly StoredPart[]): Batches | undefined {
  const known = parts.flatMap(({ batches }) => batches ?? []);
  if (known.length < parts.length || known.length === 0) return undefined;
  return { first: Math.min(...known.map(({ first }) => first)), last: Math.max(...known.map(({ last }) => last)) };
}

/** Stores a draft. It is not read until `publishParts`, and deleted later if that never happens. */
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
 * Makes drafts live in the caller's transaction, in place of the segments that they replace. Refuses if those have changed
 * since they were read.
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
  for (const { id, day, forgotten: erasures } of replaced) {
    const change = { appId, id, from: 'live', to: 'old', forgotten: JSON.stringify(erasures), now } as const;
    if (!(await changeState.run(ctx.db, change))) throw changed(day);
  }
}

const changed = (day: Day) => conflict(`Another process has changed the files of day ${day}. Retry.`);

/** Lets the engine drop its copies of segments that were not read since a time. */
export const dropCopies = ({ db, telemetry }: Pick<Deps, 'db' | 'telemetry'>, since: number): Promise<void> =>
  telemetry.drop(async (partIds) => {
    const read = await listReadParts.all(db, { ids: JSON.stringify(partIds), since });
    return new Map(read.map(({ id, app_id: appId }) => [id, appId]));
  });

const SWEPT_AT_ONCE = 100;

/**
 * Deletes files of segments that were replaced or abandoned before a time, then their rows. Segments with erased logs are
 * deleted sooner.
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
