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

/** What domains count of an app; those that count the same are added. */
async function figuresOf(ctx: Ctx, appId: string, month: Month, only?: MeasureName): Promise<Figures> {
  const figures: Figures = {};
  for (const measure of ctx.measures) {
    if (only && measure.name !== only) continue;
    figures[measure.name] = (figures[measure.name] ?? 0) + (await measure.count(ctx, appId, month));
  }
  return figures;
}

const add = (to: Figures, more: Figures): void => {
  for (const [name, value] of Object.entries(more) as [MeasureName, number][]) to[name] = (to[name] ?? 0) + value;
};

async function usageOf(ctx: Ctx, accountId: string, apps: readonly CountedApp[], period?: PeriodName): Promise<Usage> {
  const month = monthOf(ctx.clock.now(), period);
  const usage: Usage = { accountId, month, all: {}, apps: {} };
  for (const { id, name, owner_name } of apps) {
    const figures = await figuresOf(ctx, id, month);
    usage.apps[`${owner_name}/${name}`] = figures;
    add(usage.all, figures);
  }
  return usage;
}

export const usageOfApp = (ctx: AppCtx, period?: PeriodName): Promise<Usage> => {
  const { id, name, ownerId, ownerName } = ctx.app;
  return usageOf(ctx, ownerId, [{ id, name, owner_name: ownerName }], period);
};

export const usageOfOrg = async (ctx: OrgCtx, period?: PeriodName): Promise<Usage> =>
  usageOf(ctx, ctx.org.id, await listAppsOf.all(ctx.db, { ownerId: ctx.org.id }), period);

/** One's own apps, and those of organizations that one administers. */
export async function usageOfAll(ctx: UserCtx, period?: PeriodName): Promise<Usage> {
  const userId = ctx.actor.user.id;
  const apps: CountedApp[] = [];
  for (const { id } of await listAccountsOf.all(ctx.db, { userId })) {
    apps.push(...(await listAppsOf.all(ctx.db, { ownerId: id })));
  }
  return usageOf(ctx, userId, apps, period);
}

/** What all apps of an account use of one thing. */
export async function totalOf(ctx: Ctx, ownerId: string, measure: MeasureName): Promise<number> {
  const month = monthOf(ctx.clock.now());
  let total = 0;
  for (const { id } of await listAppsOf.all(ctx.db, { ownerId })) {
    total += (await figuresOf(ctx, id, month, measure))[measure] ?? 0;
  }
  return total;
}
