import type { MeasureName } from '@mooring/contract';
import type { AppCtx, Ctx, OrgCtx, UserCtx } from '../../context.ts';
import { usageMeasures } from '../../extensions/usage-measures.ts';
import { listOwnerApps, listUserAccounts } from './usage.store.ts';

export type Figures = Partial<Record<MeasureName, number>>;

export interface Month {
  from: number;
  until: number;
}

export interface Usage {
  accountId: string;
  month: Month;
  all: Figures;
  /** By owner and name. */
  apps: Record<string, Figures>;
}

interface CountedApp {
  id: string;
  name: string;
  owner_name: string;
}

const offsets = { Previous: -1, Current: 0, Next: 1 } as const;
export type PeriodName = keyof typeof offsets;

/** A calendar month in UTC. */
export function toMonth(now: number, period: PeriodName = 'Current'): Month {
  const date = new Date(now);
  const month = date.getUTCMonth() + offsets[period];
  return { from: Date.UTC(date.getUTCFullYear(), month), until: Date.UTC(date.getUTCFullYear(), month + 1) };
}

/** Usage of each app by all domains; equal measures are added. */
async function countFigures(
  ctx: Ctx,
  appIds: readonly string[],
  month: Month,
  only?: readonly MeasureName[],
): Promise<Map<string, Figures>> {
  const figures = new Map<string, Figures>(appIds.map((id) => [id, {}]));
  if (figures.size === 0) return figures;
  for (const measure of usageMeasures.list(ctx)) {
    if (only && !only.includes(measure.name)) continue;
    const counts = await measure.count(ctx, appIds, month);
    for (const [id, known] of figures) add(known, { [measure.name]: counts.get(id) ?? 0 });
  }
  return figures;
}

const add = (to: Figures, more: Figures): void => {
  for (const [name, value] of Object.entries(more) as [MeasureName, number][]) to[name] = (to[name] ?? 0) + value;
};

async function countUsage(
  ctx: Ctx,
  accountId: string,
  apps: readonly CountedApp[],
  period?: PeriodName,
): Promise<Usage> {
  const month = toMonth(ctx.clock.now(), period);
  const usage: Usage = { accountId, month, all: {}, apps: {} };
  const counted = await countFigures(
    ctx,
    apps.map(({ id }) => id),
    month,
  );
  for (const { id, name, owner_name } of apps) {
    const figures = counted.get(id) ?? {};
    usage.apps[`${owner_name}/${name}`] = figures;
    add(usage.all, figures);
  }
  return usage;
}

const listApps = ({ db }: Pick<Ctx, 'db'>, ownerIds: readonly string[]) =>
  listOwnerApps.all(db, { ownerIds: JSON.stringify(ownerIds) });

export const getAppUsage = (ctx: AppCtx, period?: PeriodName): Promise<Usage> => {
  const { id, name, ownerId, ownerName } = ctx.app;
  return countUsage(ctx, ownerId, [{ id, name, owner_name: ownerName }], period);
};

export const getOrgUsage = async (ctx: OrgCtx, period?: PeriodName): Promise<Usage> =>
  countUsage(ctx, ctx.org.id, await listApps(ctx, [ctx.org.id]), period);

/** Usage of the caller's apps, and those of organizations that they administer. */
export async function getUserUsage(ctx: UserCtx, period?: PeriodName): Promise<Usage> {
  const userId = ctx.actor.user.id;
  const accounts = await listUserAccounts.all(ctx.db, { userId });
  const apps = await listApps(
    ctx,
    accounts.map(({ id }) => id),
  );
  return countUsage(ctx, userId, apps, period);
}

/** Usage of all apps of these accounts. */
export async function getTotals(
  ctx: Ctx,
  ownerIds: readonly string[],
  measures: readonly MeasureName[],
): Promise<Map<string, Figures>> {
  const none = () => Object.fromEntries(measures.map((measure) => [measure, 0])) as Figures;
  const totals = new Map(ownerIds.map((id) => [id, none()]));
  const owners = new Map((await listApps(ctx, ownerIds)).map(({ id, owner_id }) => [id, owner_id]));
  for (const [appId, figures] of await countFigures(ctx, [...owners.keys()], toMonth(ctx.clock.now()), measures)) {
    add(totals.get(owners.get(appId) ?? '') ?? {}, figures);
  }
  return totals;
}
