import type { AppCtx, Ctx, Deps } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { enqueue, publish } from '../../jobs/index.ts';
import { cutText } from '../../kernel/cut-text.ts';
import { conflict } from '../../kernel/errors.ts';
import type { Forgotten } from '../../telemetry/index.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { type Batch, type Log, senderForgotten } from '../ingest/index.ts';
import { usageLogs } from './consumer.ts';
import { deleteForgotten, findLastBatch, listForgotten, saveForgotten } from './forgotten.store.ts';
import { listPinnedOld, setForgotten } from './parts.store.ts';
import { listParts, toPart } from './parts.ts';

/** As much of the id of a user is kept. */
const USER_LENGTH = 256;

const ALL_DAYS = { from: -1_000_000_000, to: 1_000_000_000 };

const isSame = (a: Forgotten, b: Forgotten): boolean => a.kind === b.kind && a.value === b.value;

/**
 * From now on nobody sees what came of it until now; what comes later counts. Parts are marked at once and written anew by the
 * next compaction.
 */
async function forget(ctx: AppCtx, { kind, value }: Forgotten): Promise<void> {
  const forgotten = { kind, value };
  const appId = ctx.app.id;
  await lock(ctx, 'analytics-parts', appId);
  const last = await findLastBatch.first(ctx.db, { appId });
  await saveForgotten.run(ctx.db, { appId, ...forgotten, upTo: last?.last_number ?? 0 });
  const replaced = (await listPinnedOld.all(ctx.db, { appId })).map((row) => toPart(appId, row));
  for (const part of [...(await listParts(ctx, appId, ALL_DAYS)), ...replaced]) {
    const marks = [...part.forgotten.filter((mark) => !isSame(mark, forgotten)), forgotten];
    await setForgotten.run(ctx.db, { appId, id: part.id, forgotten: JSON.stringify(marks) });
  }
  await enqueue(ctx, usageLogs.job, { appId });
  const until = Math.max(ctx.clock.now(), last?.last_received_at ?? 0);
  if (kind !== 'event') await publish(ctx, senderForgotten, { appId, kind, value, until });
}

export const deleteEvent = (ctx: AppCtx, name: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    await forget(ctx, { kind: 'event', value: name });
    await record(ctx, 'analytics_event.delete', appSubject(ctx.app), { before: { name } });
  });

/** Deletes all that an installation sent. */
export const deleteInstallLogs = (ctx: AppCtx, installId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const value = installId.toLowerCase();
    await forget(ctx, { kind: 'install', value });
    await record(ctx, 'analytics_install.delete', appSubject(ctx.app), { before: { install_id: value } });
  });

/** Deletes all that was sent with the id that an app gave a user of it. Who that was is not kept in the audit log either. */
export const deleteUserLogs = (ctx: AppCtx, userId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    await forget(ctx, { kind: 'user', value: userId });
    await record(ctx, 'analytics_user.delete', appSubject(ctx.app));
  });

/** What was deleted while some of it may wait in batches. */
export type KnownForgotten = readonly (Forgotten & { upTo: number })[];

export const listKnownForgotten = async ({ db }: Pick<Deps, 'db'>, appId: string): Promise<KnownForgotten> =>
  (await listForgotten.all(db, { appId })).map(({ kind, value, up_to }) => ({ kind, value, upTo: up_to }));

/** The logs of a batch that count, and of events that do not, that something happened. */
export function withoutForgotten(
  { number, installId, logs }: Batch,
  known: KnownForgotten,
  nameLength: number,
): (Log & { isForgotten?: boolean })[] {
  const waiting = known.filter(({ upTo }) => number <= upTo);
  const valuesOf = (kind: Forgotten['kind']) =>
    new Set(waiting.flatMap((each) => (each.kind === kind ? each.value : [])));
  const [events, installs, users] = [valuesOf('event'), valuesOf('install'), valuesOf('user')];
  if (waiting.length === 0) return [...logs];
  if (installs.has(installId)) return [];
  return logs
    .filter(({ value }) => !(users.size > 0 && users.has(cutText(String(value.userId), USER_LENGTH))))
    .map((log) =>
      log.type === 'event' && events.has(cutText(String(log.value.name), nameLength))
        ? { ...log, isForgotten: true }
        : log,
    );
}

/** In the transaction that publishes parts: refuses if something was deleted since they were begun. */
export async function checkForgotten(ctx: Pick<Deps, 'db'>, appId: string, known: KnownForgotten): Promise<void> {
  for (const now of await listKnownForgotten(ctx, appId)) {
    const isKnown = known.some((each) => isSame(each, now) && each.upTo === now.upTo);
    if (!isKnown) throw conflict(`Something was deleted meanwhile: the ${now.kind} ${now.value}.`);
  }
}

/** What came until then is in no batch any more, from which it could be shown or made again. */
export async function releaseForgotten(ctx: Pick<Ctx, 'db'>, appId: string): Promise<void> {
  const isAny = (await listForgotten.all(ctx.db, { appId })).length > 0;
  if (isAny) await tx(ctx, ({ db }) => deleteForgotten.run(db, { appId }));
}
