import type { AppCtx, Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { type DayRange, fileKinds, toDay } from '../../../telemetry/index.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { listParts } from '../parts/parts.ts';
import { deleteRetention, findRetention, saveRetention } from './retention.store.ts';

const ALL_DAYS = { from: -1_000_000_000, to: 1_000_000_000 };

/** The longest retention that an app may choose; never less than the server's default. */
const mostDays = ({ config }: Pick<Deps, 'config'>): number =>
  Math.max(config.analyticsRetentionDays, config.analyticsMaxRetentionDays ?? 0);

/** Days that the telemetry of an app is retained: its own setting, limited by the server, or the server's default. */
export async function retentionDays(deps: Pick<Deps, 'db' | 'config'>, appId: string): Promise<number> {
  const own = await findRetention.first(deps.db, { appId });
  return own ? Math.min(own.days, mostDays(deps)) : deps.config.analyticsRetentionDays;
}

/** The longest range for which an app can have data. */
export async function getRetainedRange(ctx: AppCtx): Promise<DayRange> {
  const today = toDay(ctx.clock.now());
  return { from: today - (await retentionDays(ctx, ctx.app.id)), to: today + 3 };
}

/** Amount of stored data of an app, and its retention. */
export async function getStorage(ctx: AppCtx) {
  const appId = ctx.app.id;
  const own = await findRetention.first(ctx.db, { appId });
  const serverDays = ctx.config.analyticsRetentionDays;
  const parts = await listParts(ctx, appId, ALL_DAYS);
  const sum = (of: (part: (typeof parts)[number]) => number) => parts.reduce((all, part) => all + of(part), 0);
  return {
    days: await retentionDays(ctx, appId),
    serverDays,
    mostDays: mostDays(ctx),
    isOwn: own !== undefined,
    logCount: sum(({ logCount }) => logCount),
    bytes: sum(({ files }) => fileKinds.reduce((all, kind) => all + files[kind].bytes, 0)),
    oldestDay: parts.at(0)?.day,
    newestDay: parts.at(-1)?.day,
  };
}

/** The next cleanup deletes older days. */
export const setRetention = (ctx: AppCtx, days: number | null): Promise<void> =>
  tx(ctx, async (ctx) => {
    const appId = ctx.app.id;
    const most = mostDays(ctx);
    if (days !== null && days > most)
      throw badRequest(
        `retention_days must be at most ${most} on this server. Its operator can raise the limit with MOORING_ANALYTICS_MAX_RETENTION_DAYS.`,
      );
    const before = await retentionDays(ctx, appId);
    if (days === null) await deleteRetention.run(ctx.db, { appId });
    else await saveRetention.run(ctx.db, { appId, days });
    await record(ctx, 'analytics_retention.update', appSubject(ctx.app), {
      before: { retention_days: before },
      after: { retention_days: await retentionDays(ctx, appId) },
    });
  });
