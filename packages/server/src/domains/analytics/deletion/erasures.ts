import type { AppCtx, Ctx, Deps } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue } from '../../../jobs/index.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { conflict } from '../../../kernel/errors.ts';
import { cutText } from '../../../kernel/text/cut-text.ts';
import { parseOwnJson } from '../../../kernel/text/json.ts';
import type { Erasure } from '../../../telemetry/index.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { type Batch, eraseDataSubject, findOldestNumber, getLastNumber, type Log } from '../../ingest/index.ts';
import { usageLogs } from '../parts/consumer.ts';
import { listMarked, listPinnedOld, savePartErasures } from '../parts/parts.store.ts';
import { listParts, toPart } from '../parts/parts.ts';
import { deleteErasure, listAppsWithErasures, listErasures, saveErasure } from './erasures.store.ts';

const CLEANED_AFTER = 10 * SECOND;
export const batchesClean = defineJob<{ appId: string }>('analytics_batches.clean');

/** Longer user IDs are cut to this length. */
export const USER_LENGTH = 256;

const ALL_DAYS = { from: -1_000_000_000, to: 1_000_000_000 };

const isSame = (a: Erasure, b: Erasure): boolean => a.kind === b.kind && a.value === b.value;

/** Hides everything received so far; later logs count again. Marks segments immediately; the next compaction rewrites them. */
export async function markErased(ctx: Ctx, appId: string, { kind, value }: Erasure): Promise<void> {
  const erasure = { kind, value };
  await lock(ctx, 'analytics-parts', appId);
  const upTo = await getLastNumber(ctx, appId);
  const parts = await listParts(ctx, appId, ALL_DAYS);
  await saveErasure.run(ctx.db, {
    appId,
    ...erasure,
    upTo,
    now: ctx.clock.now(),
    partCount: parts.length,
  });
  const replaced = (await listPinnedOld.all(ctx.db, { appId })).map((row) => toPart(appId, row));
  for (const part of [...parts, ...replaced]) {
    const marks = [...part.forgotten.filter((mark) => !isSame(mark, erasure)), erasure];
    await savePartErasures.run(ctx.db, { appId, id: part.id, forgotten: JSON.stringify(marks) });
  }
  await enqueue(ctx, usageLogs.job, { appId });
  // Delayed, because waiting batches are counted first.
  if (kind !== 'event') await enqueue(ctx, batchesClean, { appId }, { runAt: ctx.clock.now() + CLEANED_AFTER });
}

export const deleteEvent = (ctx: AppCtx, name: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    await markErased(ctx, ctx.app.id, { kind: 'event', value: name });
    await record(ctx, 'analytics_event.delete', appSubject(ctx.app), { before: { name } });
  });

/** Deletes all logs of an install. */
export const deleteInstallLogs = (ctx: AppCtx, installId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const value = installId.toLowerCase();
    await eraseDataSubject(ctx, { appId: ctx.app.id, kind: 'install', value });
    await record(ctx, 'analytics_install.delete', appSubject(ctx.app), { before: { install_id: value } });
  });

/** Deletes all logs with a user ID that the app set. The audit log does not record the ID either. */
export const deleteUserLogs = (ctx: AppCtx, userId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    await eraseDataSubject(ctx, { appId: ctx.app.id, kind: 'user', value: userId });
    await record(ctx, 'analytics_user.delete', appSubject(ctx.app));
  });

/** Erasures that may apply to waiting batches. */
export type KnownErasures = readonly (Erasure & { upTo: number })[];

export const listKnownErasures = async ({ db }: Pick<Deps, 'db'>, appId: string): Promise<KnownErasures> =>
  (await listErasures.all(db, { appId })).map(({ kind, value, up_to }) => ({ kind, value, upTo: up_to }));

/** Removes erased logs from a batch. Erased events stay, marked as such, because they still count as activity. */
export function excludeErased(
  { number, installId, logs }: Pick<Batch, 'number' | 'installId' | 'logs'>,
  known: KnownErasures,
  nameLength: number,
): readonly (Log & { isErased?: boolean })[] {
  const waiting = known.filter(({ upTo }) => number <= upTo);
  if (waiting.length === 0) return logs;
  const listValues = (kind: Erasure['kind']) =>
    new Set(waiting.flatMap((each) => (each.kind === kind ? each.value : [])));
  const [events, installs, users] = [listValues('event'), listValues('install'), listValues('user')];
  if (installs.has(installId)) return [];
  return logs
    .filter(({ value }) => !(users.size > 0 && users.has(cutText(String(value.userId), USER_LENGTH))))
    .map((log) =>
      log.type === 'event' && events.has(cutText(String(log.value.name), nameLength))
        ? { ...log, isErased: true }
        : log,
    );
}

/** For consumers that pass batches on. Attachments of an erased report are removed too. */
export async function withoutDeleted<B extends Pick<Batch, 'number' | 'installId' | 'logs'>>(
  ctx: Pick<Deps, 'db' | 'config'>,
  appId: string,
  batches: readonly B[],
): Promise<B[]> {
  const known = await listKnownErasures(ctx, appId);
  if (known.length === 0) return [...batches];
  const left = batches.map((batch) => ({
    ...batch,
    logs: excludeErased(batch, known, ctx.config.analyticsNameLength).filter((log) => !log.isErased),
  }));
  const idsIn = (some: readonly B[]) => new Set(some.flatMap(({ logs }) => logs.map(({ value }) => value.id)));
  const remainingIds = idsIn(left);
  const deleted = idsIn(batches).difference(remainingIds);
  const isLeft = ({ value }: B['logs'][number]) => value.errorId === undefined || !deleted.has(value.errorId);
  return left.map((batch) => ({ ...batch, logs: batch.logs.filter(isLeft) }));
}

/** Call in the transaction that publishes segments. Refuses if an erasure was added since they were begun. */
export async function checkErasures(ctx: Pick<Deps, 'db'>, appId: string, known: KnownErasures): Promise<void> {
  for (const now of await listKnownErasures(ctx, appId)) {
    const isKnown = known.some((each) => isSame(each, now) && each.upTo === now.upTo);
    if (!isKnown) throw conflict(`An erasure was added meanwhile: ${now.kind} ${now.value}. Retry.`);
  }
}

/** An erasure and its progress. */
export interface Deletion extends Erasure {
  upTo: number;
  /** Unknown for erasures from earlier versions. */
  requestedAt: number | undefined;
  partCount: number;
  partsLeft: number;
  previousParts: number;
  hasBatches: boolean;
}

/** Progress of the erasures, latest first. */
export async function listDeletions({ db }: Pick<Deps, 'db'>, appId: string): Promise<Deletion[]> {
  const rows = await listErasures.all(db, { appId });
  if (rows.length === 0) return [];
  const oldest = await findOldestNumber({ db }, appId);
  const counts = new Map<string, { live: number; old: number }>();
  for (const { state, forgotten } of await listMarked.all(db, { appId })) {
    for (const mark of parseOwnJson<Erasure[]>(forgotten)) {
      const count = counts.get(toKey(mark)) ?? { live: 0, old: 0 };
      if (state !== 'draft') count[state] += 1;
      counts.set(toKey(mark), count);
    }
  }
  return rows.map(({ kind, value, up_to, requested_at, part_count, cleaned_to }) => {
    const { live = 0, old = 0 } = counts.get(toKey({ kind, value })) ?? {};
    return {
      kind,
      value,
      upTo: up_to,
      requestedAt: requested_at === 0 ? undefined : requested_at,
      partCount: part_count,
      partsLeft: live,
      previousParts: old,
      hasBatches: oldest !== undefined && oldest <= up_to && cleaned_to < up_to,
    };
  });
}

const toKey = ({ kind, value }: Erasure): string => `${kind} ${value}`;

/** Deletes records of erasures that no file or batch contains data for. */
export async function releaseErasures(ctx: Pick<Ctx, 'db'>): Promise<void> {
  for (const { app_id: appId } of await listAppsWithErasures.all(ctx.db)) {
    const done = (await listDeletions(ctx, appId)).filter(
      ({ partsLeft, previousParts, hasBatches }) => partsLeft + previousParts === 0 && !hasBatches,
    );
    for (const { kind, value, upTo } of done)
      await tx(ctx, ({ db }) => deleteErasure.run(db, { appId, kind, value, upTo }));
  }
}
