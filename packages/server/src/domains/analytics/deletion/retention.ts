import type { AppCtx, Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { type DayRange, dayOf, fileKinds } from '../../../telemetry/index.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { listParts } from '../parts/parts.ts';
import { deleteRetention, findRetention, saveRetention } from './retention.store.ts';

const ALL_DAYS = { from: -1_000_000_000, to: 1_000_000_000 };

/** What an app may ask for; never less than all have. */
const mostDays = ({ config }: Pick<Deps, 'config'>): number =>
  Math.max(config.analyticsRetentionDays, config.analyticsMaxRetentionDays ?? 0);

/** How many days telemetry of an app is kept: as it says itself, as far as the server lets it, or as the server does. */
export async function retentionDays(deps: Pick<Deps, 'db' | 'config'>, appId: string): Promise<number> {
  const own = await findRetention.first(deps.db, { appId });
  return own ? Math.min(own.days, mostDays(deps)) : deps.config.analyticsRetentionDays;
}

/** As far back as anything of an app can be. */
export async function keptRange(ctx: AppCtx): Promise<DayRange> {
  const today = dayOf(ctx.clock.now());
  return { from: today - (await retentionDays(ctx, ctx.app.id)), to: today + 3 };
}

/** What is kept of an app, and for how long. */
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

/** Days that are older go with the next tidying up. */
export const setRetention = (ctx: AppCtx, days: number | null): Promise<void> =>
  tx(ctx, async (ctx) => {
    const appId = ctx.app.id;
    const most = mostDays(ctx);
    if (days !== null && days > most)
      throw badRequest(
        `retention_days is at most ${most} on this server; its operator can allow more with MOORING_ANALYTICS_MAX_RETENTION_DAYS.`,
      );
    const before = await retentionDays(ctx, appId);
    if (days === null) await deleteRetention.run(ctx.db, { appId });
    else await saveRetention.run(ctx.db, { appId, days });
    await record(ctx, 'analytics_retention.update', appSubject(ctx.app), {
      before: { retention_days: before },
      after: { retention_days: await retentionDays(ctx, appId) },
    });
  });
