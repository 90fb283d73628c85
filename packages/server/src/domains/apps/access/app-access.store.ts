import { type Kysely, sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { personColumns, personKeys, personNames } from '../../../db/rows/columns.ts';
import { containsTerms, selectPage } from '../../../db/rows/listing.ts';
import type { Listing } from '../../../kernel/paging.ts';
import { OF_ORG_ADMINS, query, type Tables, toPermissionRank } from '../apps.tables.ts';

interface AccessParams {
  appId: string;
  ownerId: string;
}

const literal = (kind: 'direct' | 'team' | 'organization') =>
  sql<'direct' | 'team' | 'organization'>`${sql.lit(kind)}`.as('way');
const nothing = sql<string | null>`null`;

/** All sources of access of all users to an app, except of testers. */
const waysTo = (q: Kysely<Tables>, p: AccessParams) =>
  q
    .selectFrom('app_members')
    .select([
      'app_members.user_id',
      toPermissionRank('app_members.permission').as('rank'),
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
          toPermissionRank('team_apps.permission').as('rank'),
          literal('team'),
          sql<string | null>`teams.name`.as('way_name'),
          sql<string | null>`teams.display_name`.as('way_display_name'),
        ])
        .where('team_apps.app_id', '=', p.appId),
    )
    .unionAll(
      q
        .selectFrom('organization_members')
        .innerJoin('owner_names', 'owner_names.id', 'organization_members.org_id')
        .select([
          'organization_members.user_id',
          sql<number>`${sql.lit(OF_ORG_ADMINS)}`.as('rank'),
          literal('organization'),
          sql<string | null>`owner_names.name`.as('way_name'),
          sql<string | null>`owner_names.display_name`.as('way_display_name'),
        ])
        .where('organization_members.org_id', '=', p.ownerId)
        .where('organization_members.role', '=', 'admin'),
    );

const keys = { ...personKeys, permission: sql.ref<number>('ranked.highest') };

/** One row per user and source of access, in the order of the page. */
export const pageAccess = (db: Db, p: AccessParams, listing: Listing<keyof typeof keys>) =>
  query(db, (q) => {
    const { sort, order, terms } = listing;
    return q
      .with('ways', () => waysTo(q, p))
      .with('page', (q) => {
        const ranked = q
          .selectFrom('ways')
          .select(({ fn }) => ['ways.user_id', fn.max('ways.rank').as('highest')])
          .groupBy('ways.user_id');
        const matching = q
          .selectFrom(ranked.as('ranked'))
          .innerJoin('people', 'people.id', 'ranked.user_id')
          .select([...personColumns, 'ranked.highest'])
          .where(containsTerms(terms, personNames));
        return selectPage(matching, { key: keys[sort], id: sql.ref('people.id') }, listing);
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
