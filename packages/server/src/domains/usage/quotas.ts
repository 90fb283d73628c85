import { limitedMeasures, type MeasureName } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { forbidden, notFound } from '../../kernel/errors.ts';
import { type ListInput, type Page, readList } from '../../kernel/paging.ts';
import { findOwner } from '../accounts/index.ts';
import { record } from '../audit/index.ts';
import { deleteQuota, findQuota, listOwnerQuotas, pageLimited, saveQuota } from './usage.store.ts';
import { getTotals } from './usage.ts';

export type Quotas = Partial<Record<(typeof limitedMeasures)[number], number>>;

const measureLabels: Record<(typeof limitedMeasures)[number], string> = {
  storage_bytes: 'bytes',
  build_minutes: 'build minutes this month',
};

const remedies: Record<(typeof limitedMeasures)[number], string> = {
  storage_bytes: 'Delete files',
  build_minutes: 'Wait for the next month',
};

async function getOwner(ctx: Pick<Ctx, 'db'>, name: string) {
  const owner = await findOwner(ctx, name);
  if (!owner) throw notFound('user or organization', name);
  return owner;
}

async function readQuotas({ db }: Pick<Ctx, 'db'>, ownerIds: readonly string[]): Promise<Map<string, Quotas>> {
  const quotas = new Map<string, Quotas>(ownerIds.map((id) => [id, {}]));
  for (const { owner_id, measure, most } of await listOwnerQuotas.all(db, { ownerIds: JSON.stringify(ownerIds) })) {
    const existing = quotas.get(owner_id);
    if (existing) existing[measure as keyof Quotas] = most;
  }
  return quotas;
}

const findQuotas = async (ctx: Pick<Ctx, 'db'>, ownerId: string): Promise<Quotas> =>
  (await readQuotas(ctx, [ownerId])).get(ownerId) ?? {};

/** Quotas of an account and its usage. */
export interface AccountQuotas {
  name: string;
  kind: 'user' | 'org';
  quotas: Quotas;
  used: Quotas;
}

type Account = { id: string; name: string; kind: 'user' | 'org' };

async function withUsed(ctx: Ctx, accounts: readonly Account[]): Promise<AccountQuotas[]> {
  const ids = accounts.map(({ id }) => id);
  const quotas = await readQuotas(ctx, ids);
  const used = await getTotals(ctx, ids, limitedMeasures);
  return accounts.map(({ id, name, kind }) => ({
    ...{ name, kind },
    ...{ quotas: quotas.get(id) ?? {}, used: used.get(id) ?? {} },
  }));
}

export async function getQuotas(ctx: Ctx, name: string): Promise<AccountQuotas> {
  const [account] = await withUsed(ctx, [await getOwner(ctx, name)]);
  if (!account) throw notFound('user or organization', name);
  return account;
}

const sorts = { name: 'name' } as const;

/** Lists the accounts with quotas. */
export async function listQuotas(ctx: Ctx, input: ListInput<'name'>): Promise<Page<AccountQuotas>> {
  const page = await readList(
    input,
    sorts,
    (listing) => pageLimited(ctx.db, listing),
    (row) => row,
  );
  return { ...page, values: await withUsed(ctx, page.values) };
}

export const setQuotas = (ctx: Ctx, name: string, quotas: Quotas): Promise<Quotas> =>
  tx(ctx, async (ctx) => {
    const { id: ownerId, kind } = await getOwner(ctx, name);
    const before = await findQuotas(ctx, ownerId);
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
    return findQuotas(ctx, ownerId);
  });

async function findQuotaUse(ctx: Ctx, ownerId: string, measure: MeasureName & keyof Quotas) {
  const quota = await findQuota.first(ctx.db, { ownerId, measure });
  if (!quota) return undefined;
  return { most: quota.most, used: (await getTotals(ctx, [ownerId], [measure])).get(ownerId)?.[measure] ?? 0 };
}

/** Refuses an operation that would store more if the owner of the app has used up the quota. */
export async function refuseOverQuota(
  ctx: Ctx & Pick<AppCtx, 'app'>,
  measure: MeasureName & keyof Quotas,
): Promise<void> {
  const share = await findQuotaUse(ctx, ctx.app.ownerId, measure);
  if (!share || share.used < share.most) return;
  throw forbidden(
    `${ctx.app.ownerName} uses ${share.used} of ${share.most} ${measureLabels[measure]}. ${remedies[measure]}, or ask an administrator to raise the quota.`,
  );
}

/** Bytes that the owner of an app may still store, for operations that cannot refuse. */
export async function storageLeft(ctx: Ctx & Pick<AppCtx, 'app'>): Promise<number> {
  const share = await findQuotaUse(ctx, ctx.app.ownerId, 'storage_bytes');
  return share ? share.most - share.used : Number.POSITIVE_INFINITY;
}
