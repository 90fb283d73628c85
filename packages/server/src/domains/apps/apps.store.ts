import { type Expression, type Kysely, sql } from 'kysely';
import { personColumns } from '../../db/columns.ts';
import { beginningsFirst, containsAnyWord, containsWords, selectPage } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import { lockKeptRows } from '../../db/portable.ts';
import type { Listing } from '../../kernel/paging.ts';
import {
  insertInto,
  OF_ORG_ADMINS,
  OF_TESTERS,
  query,
  rankOfPermission,
  statement,
  type Tables,
  updateRow,
} from './apps.tables.ts';

/** The highest of what a user may do to each app: by membership, teams, distribution groups, and as an admin of the organization. */
const rankOf = <P extends { userId: string }>(q: Kysely<Tables>, p: P) =>
  sql<number>`coalesce((${q
    .selectFrom(
      q
        .selectFrom('app_members')
        .select(rankOfPermission('app_members.permission').as('rank'))
        .whereRef('app_members.app_id', '=', sql.ref('apps.id'))
        .where('app_members.user_id', '=', p.userId)
        .unionAll(
          q
            .selectFrom('team_apps')
            .innerJoin('team_members', 'team_members.team_id', 'team_apps.team_id')
            .select(rankOfPermission('team_apps.permission').as('rank'))
            .whereRef('team_apps.app_id', '=', sql.ref('apps.id'))
            .where('team_members.user_id', '=', p.userId),
        )
        .unionAll(
          q
            .selectFrom('org_members')
            .select(sql<number>`${sql.lit(OF_ORG_ADMINS)}`.as('rank'))
            .whereRef('org_members.org_id', '=', sql.ref('apps.owner_id'))
            .where('org_members.user_id', '=', p.userId)
            .where('org_members.role', '=', 'admin'),
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
  'owners.id as owner_id',
  'owners.kind as owner_kind',
  'owners.name as owner_name',
  'owners.display_name as owner_display_name',
  'owners.avatar_url as owner_avatar_url',
  'users.email as owner_email',
  'linked.id as subscription_id',
  'linked.tenant_id as subscription_tenant_id',
  'linked.display_name as subscription_name',
] as const;

const selectApps = (q: Kysely<Tables>) =>
  q
    .selectFrom('apps')
    .innerJoin('owners', 'owners.id', 'apps.owner_id')
    .leftJoin('users', 'users.id', 'owners.id')
    .leftJoin('app_linked_subscriptions as linked', (join) =>
      join.onRef('linked.app_id', '=', 'apps.id').on(({ eb }) =>
        eb(
          'linked.id',
          '=',
          // The one that it was linked to first.
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
    .select(appColumns);

/** An app by its address, with the rank of one user; an empty user id has none. */
export const findAppForUser = statement((q, p: { ownerKey: string; nameKey: string; userId: string }) =>
  q
    .selectFrom('apps')
    .innerJoin('owners', 'owners.id', 'apps.owner_id')
    .select(['apps.id', 'apps.name', 'owners.id as owner_id', 'owners.name as owner_name', rankOf(q, p).as('rank')])
    .where('owners.name_key', '=', p.ownerKey)
    .where('apps.name_key', '=', p.nameKey),
);

export const findRank = statement((q, p: { appId: string; userId: string }) =>
  q.selectFrom('apps').select(rankOf(q, p).as('rank')).where('apps.id', '=', p.appId),
);

/** None for an account that is disabled. */
export const findActiveRank = statement((q, p: { appId: string; userId: string }) =>
  q
    .selectFrom('apps')
    .innerJoin('users', (join) => join.on('users.id', '=', p.userId).on('users.is_disabled', '=', 0))
    .select(rankOf(q, p).as('rank'))
    .where('apps.id', '=', p.appId),
);

export const findApp = statement((q, p: { id: string }) => selectApps(q).where('apps.id', '=', p.id));

/** Every way to an app, so that only the user's own are looked at, however many there are. */
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
        .selectFrom('org_members')
        .innerJoin('apps', 'apps.owner_id', 'org_members.org_id')
        .select(columns)
        .where('org_members.user_id', '=', p.userId)
        .where('org_members.role', '=', 'admin'),
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
const ownerNames = ['owners.display_name_key', 'owners.name_key'];

const appKeys = {
  display_name: sql.ref<string>('apps.display_name_key'),
  name: sql.ref<string>('apps.name_key'),
  owner: sql.ref<string>('owners.display_name_key'),
  os: sql<string>`lower(apps.os)`,
  created_at: sql.ref<number>('apps.created_at'),
  updated_at: sql.ref<number>('apps.updated_at'),
};

export interface AppsFilter {
  userId: string;
  ownerKey?: string | undefined;
  os?: string | undefined;
}

/**
 * What a user can see of what has the words, each once: the apps of organizations that they administer straight from the
 * index of names, which may be very many, and single ones by their ids. No more is read of an app than its key.
 */
const selectNamed = (
  q: Kysely<Tables>,
  { userId, ownerKey, os, words }: AppsFilter & { words: readonly string[] },
  key: Expression<string | number>,
) => {
  const administered = q
    .selectFrom('org_members')
    .select('org_members.org_id')
    .where('org_members.user_id', '=', userId)
    .where('org_members.role', '=', 'admin');
  const given = q
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
  // Their names are looked at once, and not again for each of their apps: the limit keeps this apart.
  const orgs = q
    .selectFrom('owners')
    .select(['owners.id', 'owners.display_name_key', 'owners.name_key'])
    .select(words.map((word, at) => containsAnyWord([word], ownerNames).as(`has_${at}`)))
    .where('owners.id', 'in', administered)
    .limit(1_000_000);
  let ofOrgs = q
    .selectFrom(orgs.as('owners'))
    .innerJoin('apps', 'apps.owner_id', 'owners.id')
    .select(['apps.id', sql<string | number>`${key}`.as('key')])
    .where(containsWords(words, appNames, (at) => sql.ref(`owners.has_${at}`)));
  let single = q
    .selectFrom('owners')
    .innerJoin('apps', 'apps.owner_id', 'owners.id')
    .select(['apps.id', sql<string | number>`${key}`.as('key')])
    .where(containsWords(words, [...appNames, ...ownerNames]))
    .where('apps.id', 'in', given)
    .where('owners.id', 'not in', administered);
  if (ownerKey !== undefined) {
    ofOrgs = ofOrgs.where('owners.name_key', '=', ownerKey);
    single = single.where('owners.name_key', '=', ownerKey);
  }
  if (os !== undefined) {
    ofOrgs = ofOrgs.where('apps.os', '=', os);
    single = single.where('apps.os', '=', os);
  }
  return q.selectFrom(ofOrgs.unionAll(single).as('named'));
};

const foundColumns = [
  'apps.id',
  'apps.name',
  'apps.display_name',
  'apps.os',
  'apps.icon_url',
  'owners.name as owner_name',
] as const;

/** An app that a user can see, by its id or its secret. */
export const findAppById = statement((q, p: { userId: string; id: string }) =>
  q
    .selectFrom('apps')
    .innerJoin('owners', 'owners.id', 'apps.owner_id')
    .select(foundColumns)
    .where((eb) => eb.or([eb('apps.id', '=', p.id), eb('apps.app_secret', '=', p.id)]))
    .where(rankOf(q, p), '>', 0),
);

export const findAppsByWords = (db: Db, p: { userId: string; words: readonly string[]; limit: number }) =>
  query(db, (q) => {
    const found = selectNamed(q, p, appKeys.display_name)
      .select('named.id')
      .orderBy(beginningsFirst(p.words, 'named.key'))
      .orderBy('named.id')
      .limit(p.limit);
    return q
      .selectFrom(found.as('found'))
      .innerJoin('apps', 'apps.id', 'found.id')
      .innerJoin('owners', 'owners.id', 'apps.owner_id')
      .select(foundColumns)
      .orderBy(beginningsFirst(p.words, 'apps.display_name_key'))
      .orderBy('apps.id');
  });

/** The page is picked first here, too. */
export const pageApps = (db: Db, filter: AppsFilter, listing: Listing<keyof typeof appKeys>) =>
  query(db, (q) => {
    const matching = selectNamed(q, { ...filter, words: listing.words }, appKeys[listing.sort]).select('named.id');
    const page = selectPage(matching, { key: sql.ref('named.key'), id: sql.ref('named.id') }, listing);
    return q
      .selectFrom(page.as('page'))
      .innerJoin('apps', 'apps.id', 'page.id')
      .innerJoin('owners', 'owners.id', 'apps.owner_id')
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
        'owners.kind as owner_kind',
        'owners.name as owner_name',
        'owners.display_name as owner_display_name',
        'owners.avatar_url as owner_avatar_url',
        'page.sort_key',
        'page.sort_id',
        'page.total',
        rankOf(q, filter).as('rank'),
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
  selectApps(q).innerJoin(visibleTo(q, p), 'visible.id', 'apps.id').select(rankOf(q, p).as('rank'));

type Order = 'display_name' | 'name';

const orderOf = (order: Order, table: 'apps' | 'visible') =>
  order === 'name' ? sql.ref(`${table}.name_key`) : sql`lower(${sql.ref(`${table}.display_name`)})`;

/** The page is picked first, so that owners and ranks are looked up for its rows only. */
const pageVisible = (q: Kysely<Tables>, p: PageParams, order: Order, ownerId?: string) => {
  const visible = q.selectFrom(visibleTo(q, p)).select('visible.id');
  const wanted = ownerId === undefined ? visible : visible.where('visible.owner_id', '=', ownerId);
  const page = wanted.orderBy(orderOf(order, 'visible')).orderBy('visible.id').limit(p.limit).offset(p.offset);
  return selectApps(q)
    .innerJoin(page.as('page'), 'page.id', 'apps.id')
    .select(rankOf(q, p).as('rank'))
    .orderBy(orderOf(order, 'apps'))
    .orderBy('apps.id');
};

type OwnersPageParams = PageParams & { ownerId: string };

export const listVisibleApps = {
  display_name: statement((q, p: PageParams) => pageVisible(q, p, 'display_name')),
  name: statement((q, p: PageParams) => pageVisible(q, p, 'name')),
};
export const listVisibleAppsOfOwner = {
  display_name: statement((q, p: OwnersPageParams) => pageVisible(q, p, 'display_name', p.ownerId)),
  name: statement((q, p: OwnersPageParams) => pageVisible(q, p, 'name', p.ownerId)),
};

/** The apps of a team that a user can see, with what the team may do to them. */
const selectOfTeam = (q: Kysely<Tables>, p: { teamId: string; userId: string }) =>
  selectVisible(q, p)
    .innerJoin('team_apps', (join) =>
      join.onRef('team_apps.app_id', '=', 'apps.id').on('team_apps.team_id', '=', p.teamId),
    )
    .select('team_apps.permission as team_permission');

export const listAppsOfTeam = statement((q, p: { teamId: string; userId: string }) =>
  selectOfTeam(q, p).orderBy(orderOf('display_name', 'apps')).orderBy('apps.id'),
);

export const findAppOfTeam = statement((q, p: { teamId: string; userId: string; nameKey: string }) =>
  selectOfTeam(q, p).where('apps.name_key', '=', p.nameKey),
);

/** Nothing comes back when the owner has an app of that name. */
export const insertApp = insertInto('apps', (insert) =>
  insert.onConflict((c) => c.columns(['owner_id', 'name_key']).doNothing()).returning('id'),
);

export const findAppOfOwner = statement((q, p: { ownerId: string; nameKey: string }) =>
  q.selectFrom('apps').select('id').where('owner_id', '=', p.ownerId).where('name_key', '=', p.nameKey),
);

export const updateAppRow = updateRow('apps');

/** Its icon as it is until the transaction ends. */
export const lockAppIcon = statement((q, p: { id: string }, dialect) =>
  lockKeptRows(dialect, q.selectFrom('apps').select('icon_url').where('id', '=', p.id)),
);

/** An app that changes hands leaves the teams of organizations that do not own it. */
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
    .innerJoin('users', 'users.id', 'app_testers.user_id')
    .select('users.id')
    .where('app_testers.app_id', '=', p.appId)
    .where('users.email_key', '=', p.emailKey)
    .limit(1),
);

/** Everybody with access to an app but those who only test it, with the rank they have by all ways together. */
export const listUsersOfApp = statement((q, p: { appId: string; ownerId: string }) =>
  q
    .selectFrom(
      q
        .selectFrom('app_members')
        .select(['app_members.user_id', rankOfPermission('app_members.permission').as('rank')])
        .where('app_members.app_id', '=', p.appId)
        .unionAll(
          q
            .selectFrom('team_apps')
            .innerJoin('team_members', 'team_members.team_id', 'team_apps.team_id')
            .select(['team_members.user_id', rankOfPermission('team_apps.permission').as('rank')])
            .where('team_apps.app_id', '=', p.appId),
        )
        .unionAll(
          q
            .selectFrom('org_members')
            .select(['org_members.user_id', sql<number>`${sql.lit(OF_ORG_ADMINS)}`.as('rank')])
            .where('org_members.org_id', '=', p.ownerId)
            .where('org_members.role', '=', 'admin'),
        )
        .as('grants'),
    )
    .innerJoin('users', 'users.id', 'grants.user_id')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select([...personColumns, 'owners.name_key', (eb) => eb.fn.max('grants.rank').as('rank')])
    .groupBy([...personColumns, 'owners.name_key'])
    .orderBy('owners.name_key'),
);

export const listAppNamesOfOwner = statement((q, p: { ownerId: string; limit: number }) =>
  q.selectFrom('apps').select('name').where('owner_id', '=', p.ownerId).orderBy('name_key').limit(p.limit),
);

export const deleteMemberFromApps = statement((q, p: { orgId: string; userId: string }) =>
  q
    .deleteFrom('app_members')
    .where('user_id', '=', p.userId)
    .where('app_id', 'in', q.selectFrom('apps').select('id').where('owner_id', '=', p.orgId)),
);
