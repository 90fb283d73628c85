import { type Kysely, sql } from 'kysely';
import { beginningsFirst, containsWords, selectPage } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import type { Listing } from '../../kernel/paging.ts';
import type { SearchWord } from '../../kernel/search-key.ts';
import { OF_ORG_ADMINS, OF_TESTERS, query, rankOfPermission, type Tables } from './apps.tables.ts';

/** Every way of a user to apps, so that only their own are looked at, however many there are. */
const waysOf = (q: Kysely<Tables>, userId: string) =>
  q
    .selectFrom('app_members')
    .select(['app_members.app_id', rankOfPermission('app_members.permission').as('rank')])
    .where('app_members.user_id', '=', userId)
    .unionAll(
      q
        .selectFrom('team_members')
        .innerJoin('team_apps', 'team_apps.team_id', 'team_members.team_id')
        .select(['team_apps.app_id', rankOfPermission('team_apps.permission').as('rank')])
        .where('team_members.user_id', '=', userId),
    )
    .unionAll(
      q
        .selectFrom('org_members')
        .innerJoin('apps', 'apps.owner_id', 'org_members.org_id')
        .select(['apps.id as app_id', sql<number>`${sql.lit(OF_ORG_ADMINS)}`.as('rank')])
        .where('org_members.user_id', '=', userId)
        .where('org_members.role', '=', 'admin'),
    )
    .unionAll(
      q
        .selectFrom('app_testers')
        .select(['app_testers.app_id', sql<number>`${sql.lit(OF_TESTERS)}`.as('rank')])
        .where('app_testers.user_id', '=', userId),
    );

const names = ['apps.display_name_key', 'apps.name_key', 'owners.display_name_key', 'owners.name_key'];

const keys = {
  display_name: sql.ref<string>('apps.display_name_key'),
  name: sql.ref<string>('apps.name_key'),
  owner: sql.ref<string>('owners.display_name_key'),
  os: sql<string>`lower(apps.os)`,
  created_at: sql.ref<number>('apps.created_at'),
  updated_at: sql.ref<number>('apps.updated_at'),
};

/** The apps that a user can see, and what they may do to each. */
const visibleTo = (q: Kysely<Tables>, userId: string) =>
  q
    .selectFrom(waysOf(q, userId).as('ways'))
    .select(({ fn }) => ['ways.app_id', fn.max('ways.rank').as('rank')])
    .groupBy('ways.app_id')
    .as('visible');

export const findAppsByWords = (db: Db, p: { userId: string; words: readonly SearchWord[]; limit: number }) =>
  query(db, (q) =>
    q
      .selectFrom(visibleTo(q, p.userId))
      .innerJoin('apps', 'apps.id', 'visible.app_id')
      .innerJoin('owners', 'owners.id', 'apps.owner_id')
      .select(['apps.id', 'apps.name', 'apps.display_name', 'apps.os', 'apps.icon_url', 'owners.name as owner_name'])
      .where(containsWords(p.words, names))
      .orderBy(beginningsFirst(p.words, 'apps.display_name_key'))
      .orderBy('apps.id')
      .limit(p.limit),
  );

export interface AppsFilter {
  userId: string;
  ownerKey?: string | undefined;
  os?: string | undefined;
}

export const pageApps = (db: Db, { userId, ownerKey, os }: AppsFilter, listing: Listing<keyof typeof keys>) =>
  query(db, (q) => {
    let matching = q
      .selectFrom(visibleTo(q, userId))
      .innerJoin('apps', 'apps.id', 'visible.app_id')
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
        'visible.rank',
      ])
      .where(containsWords(listing.words, names));
    if (ownerKey !== undefined) matching = matching.where('owners.name_key', '=', ownerKey);
    if (os !== undefined) matching = matching.where('apps.os', '=', os);
    return selectPage(matching, { key: keys[listing.sort], id: sql.ref('apps.id') }, listing);
  });
