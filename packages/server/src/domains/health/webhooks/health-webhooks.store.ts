import type { Kysely } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { inChunks } from '../../../db/rows/chunks.ts';
import { insertInto, query, statement, type Tables, updateRow } from '../health.tables.ts';

export const countWebhooks = statement((q, p: { subscriptionId: string }) =>
  q
    .selectFrom('health_webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('subscription_id', '=', p.subscriptionId),
);

export const insertWebhook = insertInto('health_webhooks');

const selectWebhooks = (q: Kysely<Tables>, p: { subscriptionId: string }) =>
  q
    .selectFrom('health_webhooks')
    .innerJoin('channel_endpoints', 'channel_endpoints.id', 'health_webhooks.id')
    .innerJoin('owner_names', 'owner_names.id', 'health_webhooks.created_by')
    .selectAll('channel_endpoints')
    .select(['health_webhooks.created_by', 'health_webhooks.filter', 'owner_names.name as maker_name'])
    .where('health_webhooks.subscription_id', '=', p.subscriptionId);

export const listWebhookRows = statement((q, p: { subscriptionId: string }) =>
  selectWebhooks(q, p).orderBy('health_webhooks.id'),
);

export const findWebhookRow = statement((q, p: { subscriptionId: string; id: string }) =>
  selectWebhooks(q, p).where('health_webhooks.id', '=', p.id),
);

export type WebhookRow = NonNullable<Awaited<ReturnType<typeof findWebhookRow.first>>>;

/** The creator whose access the webhook uses, and its subscription. */
export const findWebhookGrant = statement((q, p: { id: string }) =>
  q.selectFrom('health_webhooks').select(['subscription_id', 'created_by']).where('id', '=', p.id),
);

/** By the IDs of webhooks: the users who created them. */
export async function findWebhookOwners(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>();
  await inChunks(ids, async (some) => {
    const rows = await query(db, (q) =>
      q.selectFrom('health_webhooks').select(['id', 'created_by']).where('id', 'in', some),
    );
    for (const { id, created_by } of rows) owners.set(id, created_by);
  });
  return owners;
}

export const updateWebhookRow = updateRow('health_webhooks');

/** Lists webhooks that were created through an OAuth client, of one user or of all. */
export const listClientWebhooks = (db: Db, { clientId, userId }: { clientId: string; userId?: string }) =>
  query(db, (q) => {
    const all = q
      .selectFrom('health_webhooks')
      .innerJoin('channel_endpoints', 'channel_endpoints.id', 'health_webhooks.id')
      .select(['channel_endpoints.id', 'channel_endpoints.url'])
      .where('health_webhooks.oauth_client_id', '=', clientId);
    return userId === undefined ? all : all.where('health_webhooks.created_by', '=', userId);
  });

/** Endpoints whose webhook was deleted with its subscription or creator. */
export const listLostEndpoints = statement((q, p: { channel: string }) =>
  q
    .selectFrom('channel_endpoints')
    .select('id')
    .where('channel', '=', p.channel)
    .where('id', 'not in', q.selectFrom('health_webhooks').select('health_webhooks.id')),
);

/** Enabled webhooks, with the fields that determine which changes they receive. */
export const pageEnabledWebhooks = statement((q, p: { after: string; limit: number }) =>
  q
    .selectFrom('health_webhooks')
    .innerJoin('channel_endpoints', 'channel_endpoints.id', 'health_webhooks.id')
    .innerJoin('subscription_names', 'subscription_names.id', 'health_webhooks.subscription_id')
    .select([
      'health_webhooks.id',
      'health_webhooks.filter',
      'health_webhooks.subscription_id',
      'subscription_names.tenant_id',
    ])
    .where('channel_endpoints.is_enabled', '=', 1)
    .where('health_webhooks.id', '>', p.after)
    .orderBy('health_webhooks.id')
    .limit(p.limit),
);
