import type { Kysely } from 'kysely';
import type { Db } from '../../db/open.ts';
import { inChunks } from '../../db/rows/chunks.ts';
import { insertInto, query, statement, type Tables, updateRow } from './webhooks.tables.ts';

const selectWebhooks = (q: Kysely<Tables>) =>
  q
    .selectFrom('webhooks')
    .innerJoin('channel_endpoints', 'channel_endpoints.id', 'webhooks.id')
    .selectAll('channel_endpoints')
    .select([
      'webhooks.app_id',
      'webhooks.org_id',
      'webhooks.name',
      'webhooks.event_types',
      'webhooks.format',
      'webhooks.filter',
    ]);

export const listAppWebhooks = statement((q, p: { id: string }) =>
  selectWebhooks(q).where('webhooks.app_id', '=', p.id).orderBy('webhooks.id'),
);

export const listOrgWebhooks = statement((q, p: { id: string }) =>
  selectWebhooks(q).where('webhooks.org_id', '=', p.id).orderBy('webhooks.id'),
);

export const findWebhookRow = statement((q, p: { id: string }) => selectWebhooks(q).where('webhooks.id', '=', p.id));

/** Finds webhooks by ID. */
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
        .leftJoin('app_names', 'app_names.id', 'webhooks.app_id')
        .select(['webhooks.id', 'webhooks.org_id', 'app_names.owner_id'])
        .where('webhooks.id', 'in', some),
    );
    for (const { id, org_id, owner_id } of rows) owners.set(id, org_id ?? owner_id ?? id);
  });
  return owners;
}

export type WebhookRow = NonNullable<Awaited<ReturnType<typeof findWebhookRow.first>>>;

export const insertWebhook = insertInto('webhooks');
export const updateWebhookRow = updateRow('webhooks');

/** Lists webhooks that may receive events of an app and its owner, or of an organization. */
export const listListening = statement((q, p: { appId: string; ownerId: string }) =>
  q
    .selectFrom('webhooks')
    .innerJoin('channel_endpoints', 'channel_endpoints.id', 'webhooks.id')
    .select(['webhooks.id', 'webhooks.event_types', 'webhooks.filter'])
    .where('channel_endpoints.is_enabled', '=', 1)
    .where((eb) => eb.or([eb('webhooks.app_id', '=', p.appId), eb('webhooks.org_id', '=', p.ownerId)])),
);

/** Organizations with a webhook. */
export const listListeningOrgs = statement((q) =>
  q
    .selectFrom('webhooks')
    .innerJoin('channel_endpoints', 'channel_endpoints.id', 'webhooks.id')
    .select(['webhooks.org_id', 'webhooks.event_types'])
    .where('channel_endpoints.is_enabled', '=', 1)
    .where('webhooks.org_id', 'is not', null),
);

/** Endpoints whose webhook was deleted with its app or organization. */
export const listLostEndpoints = statement((q, p: { channel: string }) =>
  q
    .selectFrom('channel_endpoints')
    .select('id')
    .where('channel', '=', p.channel)
    .where('id', 'not in', q.selectFrom('webhooks').select('webhooks.id')),
);

/** The managers of an app. */
export const listManagers = statement((q, p: { appId: string }) =>
  q
    .selectFrom('app_managers')
    .innerJoin('people', 'people.id', 'app_managers.user_id')
    .select(['people.email'])
    .where('app_managers.app_id', '=', p.appId)
    .where('people.is_disabled', '=', 0),
);

export const listAdmins = statement((q, p: { orgId: string }) =>
  q
    .selectFrom('organization_members')
    .innerJoin('people', 'people.id', 'organization_members.user_id')
    .select(['people.email'])
    .where('organization_members.org_id', '=', p.orgId)
    .where('organization_members.role', '=', 'admin')
    .where('people.is_disabled', '=', 0),
);
