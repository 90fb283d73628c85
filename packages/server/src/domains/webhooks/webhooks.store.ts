import type { Kysely } from 'kysely';
import { inChunks } from '../../db/chunks.ts';
import type { Db } from '../../db/open.ts';
import { insertInto, query, statement, type Tables, updateRow } from './webhooks.tables.ts';

const selectWebhooks = (q: Kysely<Tables>) =>
  q
    .selectFrom('webhooks')
    .innerJoin('delivery_endpoints', 'delivery_endpoints.id', 'webhooks.id')
    .selectAll('delivery_endpoints')
    .select([
      'webhooks.app_id',
      'webhooks.org_id',
      'webhooks.name',
      'webhooks.event_types',
      'webhooks.format',
      'webhooks.filter',
    ]);

export const listWebhooksOfApp = statement((q, p: { id: string }) =>
  selectWebhooks(q).where('webhooks.app_id', '=', p.id).orderBy('webhooks.id'),
);

export const listWebhooksOfOrg = statement((q, p: { id: string }) =>
  selectWebhooks(q).where('webhooks.org_id', '=', p.id).orderBy('webhooks.id'),
);

export const findWebhookRow = statement((q, p: { id: string }) => selectWebhooks(q).where('webhooks.id', '=', p.id));

/** By their ids. */
export const findWebhooks = async (db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, WebhookRow>> => {
  const rows = await query(db, (q) => selectWebhooks(q).where('webhooks.id', 'in', ids));
  return new Map(rows.map((row) => [row.id, row]));
};

/** By the IDs of webhooks: the owner of its app, or its organization. */
export async function findWebhookOwners(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>();
  await inChunks(ids, async (some) => {
    const rows = await query(db, (q) =>
      q
        .selectFrom('webhooks')
        .leftJoin('apps', 'apps.id', 'webhooks.app_id')
        .select(['webhooks.id', 'webhooks.org_id', 'apps.owner_id'])
        .where('webhooks.id', 'in', some),
    );
    for (const { id, org_id, owner_id } of rows) owners.set(id, org_id ?? owner_id ?? id);
  });
  return owners;
}

export type WebhookRow = NonNullable<Awaited<ReturnType<typeof findWebhookRow.first>>>;

export const insertWebhook = insertInto('webhooks');
export const updateWebhookRow = updateRow('webhooks');

/** Those that may want what happens to an app and its owner, or to an organization. */
export const listListening = statement((q, p: { appId: string; ownerId: string }) =>
  q
    .selectFrom('webhooks')
    .innerJoin('delivery_endpoints', 'delivery_endpoints.id', 'webhooks.id')
    .select(['webhooks.id', 'webhooks.event_types', 'webhooks.filter'])
    .where('delivery_endpoints.is_enabled', '=', 1)
    .where((eb) => eb.or([eb('webhooks.app_id', '=', p.appId), eb('webhooks.org_id', '=', p.ownerId)])),
);

/** Organizations that have a webhook. */
export const listListeningOrgs = statement((q) =>
  q
    .selectFrom('webhooks')
    .innerJoin('delivery_endpoints', 'delivery_endpoints.id', 'webhooks.id')
    .select(['webhooks.org_id', 'webhooks.event_types'])
    .where('delivery_endpoints.is_enabled', '=', 1)
    .where('webhooks.org_id', 'is not', null),
);

/** Endpoints whose webhook went with its app or its organization. */
export const listLostEndpoints = statement((q, p: { channel: string }) =>
  q
    .selectFrom('delivery_endpoints')
    .select('id')
    .where('channel', '=', p.channel)
    .where('id', 'not in', q.selectFrom('webhooks').select('webhooks.id')),
);

/** Who looks after an app: its managers. */
export const listManagers = statement((q, p: { appId: string }) =>
  q
    .selectFrom('app_members')
    .innerJoin('users', 'users.id', 'app_members.user_id')
    .select(['users.email'])
    .where('app_members.app_id', '=', p.appId)
    .where('app_members.permission', '=', 'manager')
    .where('users.is_disabled', '=', 0),
);

export const listAdmins = statement((q, p: { orgId: string }) =>
  q
    .selectFrom('org_members')
    .innerJoin('users', 'users.id', 'org_members.user_id')
    .select(['users.email'])
    .where('org_members.org_id', '=', p.orgId)
    .where('org_members.role', '=', 'admin')
    .where('users.is_disabled', '=', 0),
);
