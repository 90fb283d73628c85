import type { MeasureName } from '@mooring/contract';
import type { AppCtx, Ctx, OrgCtx, UserCtx } from '../../context.ts';
import { listAccountsOf, listAppsOf } from './usage.store.ts';

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

/** A month of UTC. */
export function monthOf(now: number, period: PeriodName = 'Current'): Month {
  const date = new Date(now);
  const month = date.getUTCMonth() + offsets[period];
  return { from: Date.UTC(date.getUTCFullYear(), month), until: Date.UTC(date.getUTCFullYear(), month + 1) };
}

/** What domains count of each of some apps; those that count the same are added. */
async function figuresOf(
  ctx: Ctx,
  appIds: readonly string[],
  month: Month,
  only?: readonly MeasureName[],
): Promise<Map<string, Figures>> {
  const figures = new Map<string, Figures>(appIds.map((id) => [id, {}]));
  if (figures.size === 0) return figures;
  for (const measure of ctx.measures) {
    if (only && !only.includes(measure.name)) continue;
    const counts = await measure.count(ctx, appIds, month);
    for (const [id, known] of figures) add(known, { [measure.name]: counts.get(id) ?? 0 });
  }
  return figures;
}

const add = (to: Figures, more: Figures): void => {
  for (const [name, value] of Object.entries(more) as [MeasureName, number][]) to[name] = (to[name] ?? 0) + value;
};

async function usageOf(ctx: Ctx, accountId: string, apps: readonly CountedApp[], period?: PeriodName): Promise<Usage> {
  const month = monthOf(ctx.clock.now(), period);
  const usage: Usage = { accountId, month, all: {}, apps: {} };
  const counted = await figuresOf(
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

const appsOf = ({ db }: Pick<Ctx, 'db'>, ownerIds: readonly string[]) =>
  listAppsOf.all(db, { ownerIds: JSON.stringify(ownerIds) });

export const usageOfApp = (ctx: AppCtx, period?: PeriodName): Promise<Usage> => {
  const { id, name, ownerId, ownerName } = ctx.app;
  return usageOf(ctx, ownerId, [{ id, name, owner_name: ownerName }], period);
};

export const usageOfOrg = async (ctx: OrgCtx, period?: PeriodName): Promise<Usage> =>
  usageOf(ctx, ctx.org.id, await appsOf(ctx, [ctx.org.id]), period);

/** One's own apps, and those of organizations that one administers. */
export async function usageOfAll(ctx: UserCtx, period?: PeriodName): Promise<Usage> {
  const userId = ctx.actor.user.id;
  const accounts = await listAccountsOf.all(ctx.db, { userId });
  const apps = await appsOf(
    ctx,
    accounts.map(({ id }) => id),
  );
  return usageOf(ctx, userId, apps, period);
}

/** What all apps of each of some accounts use of these things. */
export async function totalsOf(
  ctx: Ctx,
  ownerIds: readonly string[],
  measures: readonly MeasureName[],
): Promise<Map<string, Figures>> {
  const none = () => Object.fromEntries(measures.map((measure) => [measure, 0])) as Figures;
  const totals = new Map(ownerIds.map((id) => [id, none()]));
  const owners = new Map((await appsOf(ctx, ownerIds)).map(({ id, owner_id }) => [id, owner_id]));
  for (const [appId, figures] of await figuresOf(ctx, [...owners.keys()], monthOf(ctx.clock.now()), measures)) {
    add(totals.get(owners.get(appId) ?? '') ?? {}, figures);
  }
  return totals;
}
