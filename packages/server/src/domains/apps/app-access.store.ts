import { type Kysely, sql } from 'kysely';
import { personColumns, personKeys, personNames } from '../../db/columns.ts';
import { containsWords, selectPage } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import type { Listing } from '../../kernel/paging.ts';
import { OF_ORG_ADMINS, query, rankOfPermission, type Tables } from './apps.tables.ts';

interface AccessParams {
  appId: string;
  ownerId: string;
}

const literal = (kind: 'direct' | 'team' | 'organization') =>
  sql<'direct' | 'team' | 'organization'>`${sql.lit(kind)}`.as('way');
const nothing = sql<string | null>`null`;

/** Every way of everybody to an app, but those of who only tests it. */
const waysTo = (q: Kysely<Tables>, p: AccessParams) =>
  q
    .selectFrom('app_members')
    .select([
      'app_members.user_id',
      rankOfPermission('app_members.permission').as('rank'),
      literal('direct'),
      nothing.as('way_name'),
      nothing.as('way_display_name'),
    ])
    .where('app_members.app_id', '=', p.appId)
    .unionAll(
      q
        .selectFrom('team_apps')
        .innerJoin('teams', 'teams.id', 'team_apps.team_id')
        .innerJoin('team_members', 'team_members.team_id', 'team_apps.team_id')
        .select([
          'team_members.user_id',
          rankOfPermission('team_apps.permission').as('rank'),
          literal('team'),
          sql<string | null>`teams.name`.as('way_name'),
          sql<string | null>`teams.display_name`.as('way_display_name'),
        ])
        .where('team_apps.app_id', '=', p.appId),
    )
    .unionAll(
      q
        .selectFrom('org_members')
        .innerJoin('owners', 'owners.id', 'org_members.org_id')
        .select([
          'org_members.user_id',
          sql<number>`${sql.lit(OF_ORG_ADMINS)}`.as('rank'),
          literal('organization'),
          sql<string | null>`owners.name`.as('way_name'),
          sql<string | null>`owners.display_name`.as('way_display_name'),
        ])
        .where('org_members.org_id', '=', p.ownerId)
        .where('org_members.role', '=', 'admin'),
    );

const keys = { ...personKeys, permission: sql.ref<number>('people.highest') };

/** One row for each way of everybody on the page, in its order. */
export const pageAccess = (db: Db, p: AccessParams, listing: Listing<keyof typeof keys>) =>
  query(db, (q) => {
    const { sort, order, words } = listing;
    return q
      .with('ways', () => waysTo(q, p))
      .with('page', (q) => {
        const people = q
          .selectFrom('ways')
          .select(({ fn }) => ['ways.user_id', fn.max('ways.rank').as('highest')])
          .groupBy('ways.user_id');
        const matching = q
          .selectFrom(people.as('people'))
          .innerJoin('users', 'users.id', 'people.user_id')
          .innerJoin('owners', 'owners.id', 'users.id')
          .select([...personColumns, 'people.highest'])
          .where(containsWords(words, personNames));
        return selectPage(matching, { key: keys[sort], id: sql.ref('users.id') }, listing);
      })
      .selectFrom('page')
      .innerJoin('ways', 'ways.user_id', 'page.id')
      .selectAll('page')
      .select(['ways.rank', 'ways.way', 'ways.way_name', 'ways.way_display_name'])
      .orderBy('page.sort_key', order)
      .orderBy('page.sort_id', order)
      .orderBy('ways.rank', 'desc')
      .orderBy('ways.way')
      .orderBy('ways.way_name');
  });
