import { limitedMeasures, type MeasureName } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { forbidden, notFound } from '../../kernel/errors.ts';
import { type ListInput, type Page, readList } from '../../kernel/paging.ts';
import { findOwner } from '../accounts/index.ts';
import { record } from '../audit/index.ts';
import { deleteQuota, findQuota, pageLimited, saveQuota } from './usage.store.ts';
import { totalOf } from './usage.ts';

export type Quotas = Partial<Record<(typeof limitedMeasures)[number], number>>;

const words: Record<(typeof limitedMeasures)[number], string> = {
  storage_bytes: 'bytes',
  build_minutes: 'minutes of builds this month',
};

const mends: Record<(typeof limitedMeasures)[number], string> = {
  storage_bytes: 'delete something',
  build_minutes: 'wait for the next month',
};

async function getOwner(ctx: Pick<Ctx, 'db'>, name: string) {
  const owner = await findOwner(ctx, name);
  if (!owner) throw notFound('user or organization', name);
  return owner;
}

async function readQuotas({ db }: Pick<Ctx, 'db'>, ownerId: string): Promise<Quotas> {
  const quotas: Quotas = {};
  for (const measure of limitedMeasures) {
    const row = await findQuota.first(db, { ownerId, measure });
    if (row) quotas[measure] = row.most;
  }
  return quotas;
}

/** How much an account may use, and does. */
export interface AccountQuotas {
  name: string;
  kind: 'user' | 'org';
  quotas: Quotas;
  used: Quotas;
}

async function withUsed(ctx: Ctx, { id, name, kind }: { id: string; name: string; kind: 'user' | 'org' }) {
  const used: Quotas = {};
  for (const measure of limitedMeasures) used[measure] = await totalOf(ctx, id, measure);
  return { name, kind, quotas: await readQuotas(ctx, id), used };
}

export const getQuotas = async (ctx: Ctx, name: string): Promise<AccountQuotas> =>
  withUsed(ctx, await getOwner(ctx, name));

const sorts = { name: 'name' } as const;

/** Those that have any. */
export async function listQuotas(ctx: Ctx, input: ListInput<'name'>): Promise<Page<AccountQuotas>> {
  const page = await readList(
    input,
    sorts,
    (listing) => pageLimited(ctx.db, listing),
    (row) => row,
  );
  const values: AccountQuotas[] = [];
  for (const row of page.values) values.push(await withUsed(ctx, row));
  return { ...page, values };
}

export const setQuotas = (ctx: Ctx, name: string, quotas: Quotas): Promise<Quotas> =>
  tx(ctx, async (ctx) => {
    const { id: ownerId, kind } = await getOwner(ctx, name);
    const before = await readQuotas(ctx, ownerId);
    for (const measure of limitedMeasures) {
      const most = quotas[measure];
      if (most === undefined) await deleteQuota.run(ctx.db, { ownerId, measure });
      else await saveQuota.run(ctx.db, { owner_id: ownerId, measure, most });
    }
    const subject =
      kind === 'org'
        ? ({ kind: 'org', id: ownerId, name, orgId: ownerId } as const)
        : ({ kind: 'user', id: ownerId, name } as const);
    await record(ctx, 'quotas.set', subject, { before, after: quotas });
    return readQuotas(ctx, ownerId);
  });

/** For whoever is about to keep something more: refuses if the owner of the app has used up what they may. */
export async function refuseOverQuota(
  ctx: Ctx & Pick<AppCtx, 'app'>,
  measure: MeasureName & keyof Quotas,
): Promise<void> {
  const quota = await findQuota.first(ctx.db, { ownerId: ctx.app.ownerId, measure });
  if (!quota) return;
  const used = await totalOf(ctx, ctx.app.ownerId, measure);
  if (used < quota.most) return;
  throw forbidden(
    `${ctx.app.ownerName} uses ${used} of ${quota.most} ${words[measure]}; ${mends[measure]}, or ask whoever runs this server for more.`,
  );
}
