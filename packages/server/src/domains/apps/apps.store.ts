import { type Expression, type Kysely, sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { isAmong, lockRows, lockRowsForNoKeyUpdate } from '../../db/portable.ts';
import { personColumns } from '../../db/rows/columns.ts';
import { beginningsFirst, containsAnyTerm, containsTerms, selectPage } from '../../db/rows/listing.ts';
import type { Listing } from '../../kernel/paging.ts';
import {
  insertInto,
  OF_ORG_ADMINS,
  OF_TESTERS,
  query,
  statement,
  type Tables,
  toPermissionRank,
  updateRow,
} from './apps.tables.ts';

/**
 * The highest permission of a user on each app: from membership, teams, distribution groups, or as an admin of the
 * organization.
 */
const selectRank = <P extends { userId: string }>(q: Kysely<Tables>, p: P) =>
  sql<number>`coalesce((${q
    .selectFrom(
      q
        .selectFrom('app_members')
        .select(toPermissionRank('app_members.permission').as('rank'))
        .whereRef('app_members.app_id', '=', sql.ref('apps.id'))
        .where('app_members.user_id', '=', p.userId)
        .unionAll(
          q
            .selectFrom('team_apps')
            .innerJoin('team_members', 'team_members.team_id', 'team_apps.team_id')
            .select(toPermissionRank('team_apps.permission').as('rank'))
            .whereRef('team_apps.app_id', '=', sql.ref('apps.id'))
            .where('team_members.user_id', '=', p.userId),
        )
        .unionAll(
          q
            .selectFrom('organization_members')
            .select(sql<number>`${sql.lit(OF_ORG_ADMINS)}`.as('rank'))
            .whereRef('organization_members.org_id', '=', sql.ref('apps.owner_id'))
            .where('organization_members.user_id', '=', p.userId)
            .where('organization_members.role', '=', 'admin'),
        )
        .unionAll(
          q
            .selectFrom('app_testers')
            .select(sql<number>`${sql.lit(OF_TESTERS)}`.as('rank'))
            .whereRef('app_testers.app_id', '=', sql.ref('apps.id'))
            .where('app_testers.user_id', '=', p.userId),
        )
        .as('grants'),
    )
    .select((eb) => eb.fn.max('grants.rank').as('rank'))}), 0)`;

const appColumns = [
  'apps.id',
  'apps.name',
  'apps.display_name',
  'apps.description',
  'apps.os',
  'apps.platform',
  'apps.release_type',
  'apps.icon_url',
  'apps.app_secret',
  'apps.created_at',
  'apps.updated_at',
  'owner_names.id as owner_id',
  'owner_names.kind as owner_kind',
  'owner_names.name as owner_name',
  'owner_names.display_name as owner_display_name',
  'owner_names.avatar_url as owner_avatar_url',
  'linked.id as subscription_id',
  'linked.tenant_id as subscription_tenant_id',
  'linked.display_name as subscription_name',
] as const;

const selectApps = (q: Kysely<Tables>) =>
  q
    .selectFrom('apps')
    .innerJoin('owner_names', 'owner_names.id', 'apps.owner_id')
    .leftJoin('app_linked_subscriptions as linked', (join) =>
      join.onRef('linked.app_id', '=', 'apps.id').on(({ eb }) =>
        eb(
          'linked.id',
          '=',
          // The oldest link.
          q
            .selectFrom('app_linked_subscriptions as first')
            .select('first.id')
            .whereRef('first.app_id', '=', sql.ref('apps.id'))
            .orderBy('first.linked_at')
            .orderBy('first.id')
            .limit(1),
        ),
      ),
    )
    .select(appColumns)
    // A subquery instead of a left join, for which SQLite would read all people.
    .select((eb) =>
      eb.selectFrom('people').select('people.email').whereRef('people.id', '=', 'apps.owner_id').as('owner_email'),
    );

/** An app by its path, with the rank of a user; an empty user ID has no rank. */
export const findAppForUser = statement((q, p: { ownerKey: string; nameKey: string; userId: string }) =>
  q
    .selectFrom('apps')
    .innerJoin('owner_names', 'owner_names.id', 'apps.owner_id')
    .select([
      'apps.id',
      'apps.name',
      'owner_names.id as owner_id',
      'owner_names.name as owner_name',
      selectRank(q, p).as('rank'),
    ])
    .where('owner_names.name_key', '=', p.ownerKey)
    .where('apps.name_key', '=', p.nameKey),
);

export const findRank = statement((q, p: { appId: string; userId: string }) =>
  q.selectFrom('apps').select(selectRank(q, p).as('rank')).where('apps.id', '=', p.appId),
);

/** No row for disabled accounts. */
export const findActiveRank = statement((q, p: { appId: string; userId: string }) =>
  q
    .selectFrom('apps')
    .innerJoin('people', (join) => join.on('people.id', '=', p.userId).on('people.is_disabled', '=', 0))
    .select(selectRank(q, p).as('rank'))
    .where('apps.id', '=', p.appId),
);

export const findApp = statement((q, p: { id: string }) => selectApps(q).where('apps.id', '=', p.id));

/** Lists every source of access, so that only the apps of the user are read. */
const visibleTo = (q: Kysely<Tables>, p: { userId: string }) => {
  const columns = ['apps.id', 'apps.owner_id', 'apps.name_key', 'apps.display_name'] as const;
  return q
    .selectFrom('app_members')
    .innerJoin('apps', 'apps.id', 'app_members.app_id')
    .select(columns)
    .where('app_members.user_id', '=', p.userId)
    .union(
      q
        .selectFrom('team_members')
        .innerJoin('team_apps', 'team_apps.team_id', 'team_members.team_id')
        .innerJoin('apps', 'apps.id', 'team_apps.app_id')
        .select(columns)
        .where('team_members.user_id', '=', p.userId),
    )
    .union(
      q
        .selectFrom('organization_members')
        .innerJoin('apps', 'apps.owner_id', 'organization_members.org_id')
        .select(columns)
        .where('organization_members.user_id', '=', p.userId)
        .where('organization_members.role', '=', 'admin'),
    )
    .union(
      q
        .selectFrom('app_testers')
        .innerJoin('apps', 'apps.id', 'app_testers.app_id')
        .select(columns)
        .where('app_testers.user_id', '=', p.userId),
    )
    .as('visible');
};

const appNames = ['apps.display_name_key', 'apps.name_key'];
const ownerNames = ['owner_names.display_name_key', 'owner_names.name_key'];

const appKeys = {
  display_name: sql.ref<string>('apps.display_name_key'),
  name: sql.ref<string>('apps.name_key'),
  owner: sql.ref<string>('owner_names.display_name_key'),
  os: sql<string>`lower(apps.os)`,
  created_at: sql.ref<number>('apps.created_at'),
  updated_at: sql.ref<number>('apps.updated_at'),
};

export interface AppsFilter {
  userId: string;
  ownerKey?: string | undefined;
  os?: string | undefined;
  isFavorite?: boolean;
}

/**
 * Apps that a user can see and that match the terms, each once. Apps of organizations that the user administers come from
 * the index of names, because there may be many; others by ID. Reads only the keys of apps.
 */
const selectNamed = (
  q: Kysely<Tables>,
  { userId, ownerKey, os, isFavorite = false, terms }: AppsFilter & { terms: readonly string[] },
  key: Expression<string | number>,
) => {
  const administered = q
    .selectFrom('organization_members')
    .select('organization_members.org_id')
    .where('organization_members.user_id', '=', userId)
    .where('organization_members.role', '=', 'admin');
  const sharedAppIds = q
    .selectFrom('app_members')
    .select('app_members.app_id')
    .where('app_members.user_id', '=', userId)
    .union(
      q
        .selectFrom('team_members')
        .innerJoin('team_apps', 'team_apps.team_id', 'team_members.team_id')
        .select('team_apps.app_id')
        .where('team_members.user_id', '=', userId),
    )
    .union(q.selectFrom('app_testers').select('app_testers.app_id').where('app_testers.user_id', '=', userId));
  // Read once instead of once per app; the limit prevents the planner from merging it.
  const orgs = q
    .selectFrom('owner_names')
    .select(['owner_names.id', 'owner_names.display_name_key', 'owner_names.name_key'])
    .select(terms.map((term, at) => containsAnyTerm([term], ownerNames).as(`has_${at}`)))
    .where('owner_names.id', 'in', administered)
    .limit(1_000_000);
  let ofOrgs = q
    .selectFrom(orgs.as('owner_names'))
    .innerJoin('apps', 'apps.owner_id', 'owner_names.id')
    .select(['apps.id', sql<string | number>`${key}`.as('key')])
    .where(containsTerms(terms, appNames, (at) => sql.ref(`owner_names.has_${at}`)));
  let single = q
    .selectFrom('owner_names')
    .innerJoin('apps', 'apps.owner_id', 'owner_names.id')
    .select(['apps.id', sql<string | number>`${key}`.as('key')])
    .where(containsTerms(terms, [...appNames, ...ownerNames]))
    .where('apps.id', 'in', sharedAppIds)
    .where('owner_names.id', 'not in', administered);
  if (ownerKey !== undefined) {
    ofOrgs = ofOrgs.where('owner_names.name_key', '=', ownerKey);
    single = single.where('owner_names.name_key', '=', ownerKey);
  }
  if (os !== undefined) {
    ofOrgs = ofOrgs.where('apps.os', '=', os);
    single = single.where('apps.os', '=', os);
  }
  if (isFavorite) {
    const favorites = q.selectFrom('app_favorites').select('app_id').where('user_id', '=', userId);
    ofOrgs = ofOrgs.where('apps.id', 'in', favorites);
    single = single.where('apps.id', 'in', favorites);
  }
  return q.selectFrom(ofOrgs.unionAll(single).as('named'));
};

const foundColumns = [
  'apps.id',
  'apps.name',
  'apps.display_name',
  'apps.os',
  'apps.icon_url',
  'owner_names.name as owner_name',
] as const;

/** An app that a user can see, by ID or secret. */
export const findAppById = statement((q, p: { userId: string; id: string }) =>
  q
    .selectFrom('apps')
    .innerJoin('owner_names', 'owner_names.id', 'apps.owner_id')
    .select(foundColumns)
    .where((eb) => eb.or([eb('apps.id', '=', p.id), eb('apps.app_secret', '=', p.id)]))
    .where(selectRank(q, p), '>', 0),
);

export const findAppsByTerms = (db: Db, p: { userId: string; terms: readonly string[]; limit: number }) =>
  query(db, (q) => {
    const found = selectNamed(q, p, appKeys.display_name)
      .select('named.id')
      .orderBy(beginningsFirst(p.terms, 'named.key'))
      .orderBy('named.id')
      .limit(p.limit);
    return q
      .selectFrom(found.as('found'))
      .innerJoin('apps', 'apps.id', 'found.id')
      .innerJoin('owner_names', 'owner_names.id', 'apps.owner_id')
      .select(foundColumns)
      .orderBy(beginningsFirst(p.terms, 'apps.display_name_key'))
      .orderBy('apps.id');
  });

/** Selects the page first, as `pageVisible` does. */
export const pageApps = (db: Db, filter: AppsFilter, listing: Listing<keyof typeof appKeys>) =>
  query(db, (q) => {
    const matching = selectNamed(q, { ...filter, terms: listing.terms }, appKeys[listing.sort]).select('named.id');
    const page = selectPage(matching, { key: sql.ref('named.key'), id: sql.ref('named.id') }, listing);
    return q
      .selectFrom(page.as('page'))
      .innerJoin('apps', 'apps.id', 'page.id')
      .innerJoin('owner_names', 'owner_names.id', 'apps.owner_id')
      .select([
        'apps.id',
        'apps.name',
        'apps.display_name',
        'apps.os',
        'apps.platform',
        'apps.release_type',
        'apps.icon_url',
        'apps.created_at',
        'apps.updated_at',
        'owner_names.kind as owner_kind',
        'owner_names.name as owner_name',
        'owner_names.display_name as owner_display_name',
        'owner_names.avatar_url as owner_avatar_url',
        'page.sort_key',
        'page.sort_id',
        'page.total',
        selectRank(q, filter).as('rank'),
      ])
      .orderBy('page.sort_key', listing.order)
      .orderBy('page.sort_id', listing.order);
  });

interface PageParams {
  userId: string;
  limit: number;
  offset: number;
}

const selectVisible = (q: Kysely<Tables>, p: { userId: string }) =>
  selectApps(q).innerJoin(visibleTo(q, p), 'visible.id', 'apps.id').select(selectRank(q, p).as('rank'));

type Order = 'display_name' | 'name';

const orderColumn = (order: Order, table: 'apps' | 'visible') =>
  order === 'name' ? sql.ref(`${table}.name_key`) : sql`lower(${sql.ref(`${table}.display_name`)})`;

/** Selects the page first, so that owners and ranks are looked up for its rows only. */
const pageVisible = (q: Kysely<Tables>, p: PageParams, order: Order, ownerId?: string) => {
  const visible = q.selectFrom(visibleTo(q, p)).select('visible.id');
  const requested = ownerId === undefined ? visible : visible.where('visible.owner_id', '=', ownerId);
  const page = requested.orderBy(orderColumn(order, 'visible')).orderBy('visible.id').limit(p.limit).offset(p.offset);
  return selectApps(q)
    .innerJoin(page.as('page'), 'page.id', 'apps.id')
    .select(selectRank(q, p).as('rank'))
    .orderBy(orderColumn(order, 'apps'))
    .orderBy('apps.id');
};

type OwnersPageParams = PageParams & { ownerId: string };

export const listVisibleApps = {
  display_name: statement((q, p: PageParams) => pageVisible(q, p, 'display_name')),
  name: statement((q, p: PageParams) => pageVisible(q, p, 'name')),
};
export const listVisibleOwnerApps = {
  display_name: statement((q, p: OwnersPageParams) => pageVisible(q, p, 'display_name', p.ownerId)),
  name: statement((q, p: OwnersPageParams) => pageVisible(q, p, 'name', p.ownerId)),
};

/** Apps of a team that a user can see, with the team's permissions. */
const selectTeamApps = (q: Kysely<Tables>, p: { teamId: string; userId: string }) =>
  selectVisible(q, p)
    .innerJoin('team_apps', (join) =>
      join.onRef('team_apps.app_id', '=', 'apps.id').on('team_apps.team_id', '=', p.teamId),
    )
    .select('team_apps.permission as team_permission');

export const listTeamAppRows = statement((q, p: { teamId: string; userId: string }) =>
  selectTeamApps(q, p).orderBy(orderColumn('display_name', 'apps')).orderBy('apps.id'),
);

export const findTeamApp = statement((q, p: { teamId: string; userId: string; nameKey: string }) =>
  selectTeamApps(q, p).where('apps.name_key', '=', p.nameKey),
);

/** Returns nothing if the owner has an app of that name. */
export const insertApp = insertInto('apps', (insert) =>
  insert.onConflict((c) => c.columns(['owner_id', 'name_key']).doNothing()).returning('id'),
);

export const findOwnerApp = statement((q, p: { ownerId: string; nameKey: string }) =>
  q.selectFrom('apps').select('id').where('owner_id', '=', p.ownerId).where('name_key', '=', p.nameKey),
);

export const updateAppRow = updateRow('apps');

/** Locked so that the app can't be transferred. */
export const lockOwnedAppRow = statement((q, p: { ownerId: string; nameKey: string }, dialect) =>
  lockRows(
    dialect,
    q.selectFrom('apps').select('id').where('owner_id', '=', p.ownerId).where('name_key', '=', p.nameKey),
  ),
);

/** `ids` is a JSON array. */
export const lockAppRows = statement((q, p: { ids: string }, dialect) =>
  lockRows(
    dialect,
    q
      .selectFrom('apps')
      .select('id')
      .where(isAmong(dialect, 'id', p.ids))
      .orderBy('id'),
  ),
);

/** Reads the icon and locks it until the transaction ends. */
export const findAppIcon = statement((q, p: { id: string }) =>
  q.selectFrom('apps').select('icon_url').where('id', '=', p.id),
);

export const lockAppIcon = statement((q, p: { id: string }, dialect) =>
  lockRowsForNoKeyUpdate(dialect, q.selectFrom('apps').select('icon_url').where('id', '=', p.id)),
);

/** A transferred app leaves the teams of other organizations. */
export const deleteFromForeignTeams = statement((q, p: { appId: string; ownerId: string }) =>
  q
    .deleteFrom('team_apps')
    .where('app_id', '=', p.appId)
    .where('team_id', 'not in', q.selectFrom('teams').select('id').where('org_id', '=', p.ownerId)),
);

export const deleteAppRow = statement((q, p: { id: string }) =>
  q.deleteFrom('apps').where('id', '=', p.id).returning('icon_url'),
);

export const saveAppMember = insertInto('app_members', (insert, p) =>
  insert.onConflict((c) => c.columns(['app_id', 'user_id']).doUpdateSet({ permission: p.permission })),
);

export const deleteAppMember = statement((q, p: { appId: string; userId: string }) =>
  q.deleteFrom('app_members').where('app_id', '=', p.appId).where('user_id', '=', p.userId),
);

export const findDirectMember = statement((q, p: { appId: string; userId: string }) =>
  q.selectFrom('app_members').select('permission').where('app_id', '=', p.appId).where('user_id', '=', p.userId),
);

export const findTester = statement((q, p: { appId: string; emailKey: string }) =>
  q
    .selectFrom('app_testers')
    .innerJoin('people', 'people.id', 'app_testers.user_id')
    .select('people.id')
    .where('app_testers.app_id', '=', p.appId)
    .where('people.email_key', '=', p.emailKey)
    .limit(1),
);

/** Grants on an app except those of distribution groups, for all users or one. */
const grantsOn = (q: Kysely<Tables>, p: { appId: string; ownerId: string }, userId?: string) => {
  const isOne = userId !== undefined;
  return q
    .selectFrom('app_members')
    .select(['app_members.user_id', toPermissionRank('app_members.permission').as('rank')])
    .where('app_members.app_id', '=', p.appId)
    .$if(isOne, (of) => of.where('app_members.user_id', '=', userId ?? ''))
    .unionAll(
      q
        .selectFrom('team_apps')
        .innerJoin('team_members', 'team_members.team_id', 'team_apps.team_id')
        .select(['team_members.user_id', toPermissionRank('team_apps.permission').as('rank')])
        .where('team_apps.app_id', '=', p.appId)
        .$if(isOne, (of) => of.where('team_members.user_id', '=', userId ?? '')),
    )
    .unionAll(
      q
        .selectFrom('organization_members')
        .select(['organization_members.user_id', sql<number>`${sql.lit(OF_ORG_ADMINS)}`.as('rank')])
        .where('organization_members.org_id', '=', p.ownerId)
        .where('organization_members.role', '=', 'admin')
        .$if(isOne, (of) => of.where('organization_members.user_id', '=', userId ?? '')),
    )
    .as('grants');
};

/** Users of an app except testers, with their highest rank. */
const selectAppUsers = (q: Kysely<Tables>, p: { appId: string; ownerId: string }, userId?: string) =>
  q
    .selectFrom(grantsOn(q, p, userId))
    .innerJoin('people', 'people.id', 'grants.user_id')
    .select([...personColumns, 'people.name_key', (eb) => eb.fn.max('grants.rank').as('rank')])
    .groupBy([...personColumns, 'people.name_key'])
    .orderBy('people.name_key');

export const listAppUserRows = statement((q, p: { appId: string; ownerId: string }) => selectAppUsers(q, p));

export const findAppUserRow = statement((q, p: { appId: string; ownerId: string; userId: string }) =>
  selectAppUsers(q, p, p.userId),
);

/** Another user with this rank on an app. */
export const findOtherUserWithRank = statement(
  (q, p: { appId: string; ownerId: string; userId: string; rank: number }) =>
    q
      .selectFrom(grantsOn(q, p))
      .select('grants.user_id')
      .where('grants.user_id', '<>', p.userId)
      .where('grants.rank', '=', p.rank)
      .limit(1),
);

export const listOwnerAppNames = statement((q, p: { ownerId: string; limit: number }) =>
  q.selectFrom('apps').select('name').where('owner_id', '=', p.ownerId).orderBy('name_key').limit(p.limit),
);

export const deleteMemberFromApps = statement((q, p: { orgId: string; userId: string }) =>
  q
    .deleteFrom('app_members')
    .where('user_id', '=', p.userId)
    .where('app_id', 'in', q.selectFrom('apps').select('id').where('owner_id', '=', p.orgId)),
);
