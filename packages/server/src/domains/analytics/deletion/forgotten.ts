import type { AppCtx, Ctx, Deps, SentBatch } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue } from '../../../jobs/index.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { cutText } from '../../../kernel/cut-text.ts';
import { conflict } from '../../../kernel/errors.ts';
import type { Forgotten } from '../../../telemetry/index.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { type Batch, forgetSender, type Log } from '../../ingest/index.ts';
import { usageLogs } from '../parts/consumer.ts';
import { listMarked, listPinnedOld, setForgotten } from '../parts/parts.store.ts';
import { listParts, toPart } from '../parts/parts.ts';
import {
  deleteForgotten,
  findLastBatch,
  findOldestBatch,
  listAppsOfForgotten,
  listForgotten,
  saveForgotten,
} from './forgotten.store.ts';

const CLEANED_AFTER = 10 * SECOND;
export const batchesClean = defineJob<{ appId: string }>('analytics_batches.clean');

/** As much of the id of a user is kept. */
export const USER_LENGTH = 256;

const ALL_DAYS = { from: -1_000_000_000, to: 1_000_000_000 };

const isSame = (a: Forgotten, b: Forgotten): boolean => a.kind === b.kind && a.value === b.value;

/**
 * From now on nobody sees what came of it until now; what comes later counts. Parts are marked at once and written anew by the
 * next compaction.
 */
export async function markForgotten(ctx: Ctx, appId: string, { kind, value }: Forgotten): Promise<void> {
  const forgotten = { kind, value };
  await lock(ctx, 'analytics-parts', appId);
  const last = await findLastBatch.first(ctx.db, { appId });
  const parts = await listParts(ctx, appId, ALL_DAYS);
  await saveForgotten.run(ctx.db, {
    appId,
    ...forgotten,
    upTo: last?.last_number ?? 0,
    now: ctx.clock.now(),
    partCount: parts.length,
  });
  const replaced = (await listPinnedOld.all(ctx.db, { appId })).map((row) => toPart(appId, row));
  for (const part of [...parts, ...replaced]) {
    const marks = [...part.forgotten.filter((mark) => !isSame(mark, forgotten)), forgotten];
    await setForgotten.run(ctx.db, { appId, id: part.id, forgotten: JSON.stringify(marks) });
  }
  await enqueue(ctx, usageLogs.job, { appId });
  // Not at once: what waits is counted first.
  if (kind !== 'event') await enqueue(ctx, batchesClean, { appId }, { runAt: ctx.clock.now() + CLEANED_AFTER });
}

export const deleteEvent = (ctx: AppCtx, name: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    await markForgotten(ctx, ctx.app.id, { kind: 'event', value: name });
    await record(ctx, 'analytics_event.delete', appSubject(ctx.app), { before: { name } });
  });

/** Deletes all that an installation sent. */
export const deleteInstallLogs = (ctx: AppCtx, installId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const value = installId.toLowerCase();
    await forgetSender(ctx, { appId: ctx.app.id, kind: 'install', value });
    await record(ctx, 'analytics_install.delete', appSubject(ctx.app), { before: { install_id: value } });
  });

/** Deletes all that was sent with the id that an app gave a user of it. Who that was is not kept in the audit log either. */
export const deleteUserLogs = (ctx: AppCtx, userId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    await forgetSender(ctx, { appId: ctx.app.id, kind: 'user', value: userId });
    await record(ctx, 'analytics_user.delete', appSubject(ctx.app));
  });

/** What was deleted while some of it may wait in batches. */
export type KnownForgotten = readonly (Forgotten & { upTo: number })[];

export const listKnownForgotten = async ({ db }: Pick<Deps, 'db'>, appId: string): Promise<KnownForgotten> =>
  (await listForgotten.all(db, { appId })).map(({ kind, value, up_to }) => ({ kind, value, upTo: up_to }));

/** The logs of a batch that count, and of events that do not, that something happened. */
export function withoutForgotten(
  { number, installId, logs }: Pick<Batch, 'number' | 'installId' | 'logs'>,
  known: KnownForgotten,
  nameLength: number,
): readonly (Log & { isForgotten?: boolean })[] {
  const waiting = known.filter(({ upTo }) => number <= upTo);
  if (waiting.length === 0) return logs;
  const valuesOf = (kind: Forgotten['kind']) =>
    new Set(waiting.flatMap((each) => (each.kind === kind ? each.value : [])));
  const [events, installs, users] = [valuesOf('event'), valuesOf('install'), valuesOf('user')];
  if (installs.has(installId)) return [];
  return logs
    .filter(({ value }) => !(users.size > 0 && users.has(cutText(String(value.userId), USER_LENGTH))))
    .map((log) =>
      log.type === 'event' && events.has(cutText(String(log.value.name), nameLength))
        ? { ...log, isForgotten: true }
        : log,
    );
}

/** For whoever passes batches on: with a report that was deleted goes what came with it. */
export async function withoutDeleted<B extends SentBatch>(
  ctx: Pick<Deps, 'db' | 'config'>,
  appId: string,
  batches: readonly B[],
): Promise<B[]> {
  const known = await listKnownForgotten(ctx, appId);
  if (known.length === 0) return [...batches];
  const left = batches.map((batch) => ({
    ...batch,
    logs: withoutForgotten(batch, known, ctx.config.analyticsNameLength).filter((log) => !log.isForgotten),
  }));
  const idsIn = (some: readonly B[]) => new Set(some.flatMap(({ logs }) => logs.map(({ value }) => value.id)));
  const kept = idsIn(left);
  const deleted = idsIn(batches).difference(kept);
  const isLeft = ({ value }: B['logs'][number]) => value.errorId === undefined || !deleted.has(value.errorId);
  return left.map((batch) => ({ ...batch, logs: batch.logs.filter(isLeft) }));
}

/** In the transaction that publishes parts: refuses if something was deleted since they were begun. */
export async function checkForgotten(ctx: Pick<Deps, 'db'>, appId: string, known: KnownForgotten): Promise<void> {
  for (const now of await listKnownForgotten(ctx, appId)) {
    const isKnown = known.some((each) => isSame(each, now) && each.upTo === now.upTo);
    if (!isKnown) throw conflict(`Something was deleted meanwhile: the ${now.kind} ${now.value}.`);
  }
}

/** Something that was deleted, and where it still is, though nobody sees it. */
export interface Deletion extends Forgotten {
  upTo: number;
  /** Unknown of what was deleted by an earlier version. */
  requestedAt: number | undefined;
  partCount: number;
  partsLeft: number;
  formerParts: number;
  hasBatches: boolean;
}

/** How far deletions are, the latest first. */
export async function listDeletions({ db }: Pick<Deps, 'db'>, appId: string): Promise<Deletion[]> {
  const rows = await listForgotten.all(db, { appId });
  if (rows.length === 0) return [];
  const oldest = await findOldestBatch.first(db, { appId });
  const counts = new Map<string, { live: number; old: number }>();
  for (const { state, forgotten } of await listMarked.all(db, { appId })) {
    for (const mark of JSON.parse(forgotten) as Forgotten[]) {
      const count = counts.get(keyOf(mark)) ?? { live: 0, old: 0 };
      if (state !== 'draft') count[state] += 1;
      counts.set(keyOf(mark), count);
    }
  }
  return rows.map(({ kind, value, up_to, requested_at, part_count, cleaned_to }) => {
    const { live = 0, old = 0 } = counts.get(keyOf({ kind, value })) ?? {};
    return {
      kind,
      value,
      upTo: up_to,
      requestedAt: requested_at === 0 ? undefined : requested_at,
      partCount: part_count,
      partsLeft: live,
      formerParts: old,
      hasBatches: oldest !== undefined && oldest.number <= up_to && cleaned_to < up_to,
    };
  });
}

const keyOf = ({ kind, value }: Forgotten): string => `${kind} ${value}`;

/** Of what is in no file and in no batch any more, from which it could be shown or made again, nothing needs to be known. */
export async function releaseForgotten(ctx: Pick<Ctx, 'db'>): Promise<void> {
  for (const { app_id: appId } of await listAppsOfForgotten.all(ctx.db)) {
    const done = (await listDeletions(ctx, appId)).filter(
      ({ partsLeft, formerParts, hasBatches }) => partsLeft + formerParts === 0 && !hasBatches,
    );
    for (const { kind, value, upTo } of done)
      await tx(ctx, ({ db }) => deleteForgotten.run(db, { appId, kind, value, upTo }));
  }
}
