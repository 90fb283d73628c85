import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { userColumns, userNames } from '../../db/rows/columns.ts';
import { beginningsFirst, beginsWith, containsAnyTerm, containsTerms } from '../../db/rows/listing.ts';
import { query, statement } from './accounts.tables.ts';

interface SearchParams {
  userId: string;
  terms: readonly string[];
  limit: number;
}

export const findOrgsByTerms = (db: Db, { userId, terms, limit }: SearchParams) =>
  query(db, (q) =>
    q
      .selectFrom('org_members')
      .innerJoin('owners', 'owners.id', 'org_members.org_id')
      .select(['owners.id', 'owners.name', 'owners.display_name', 'owners.avatar_url'])
      .where('org_members.user_id', '=', userId)
      .where(containsTerms(terms, ['owners.display_name_key', 'owners.name_key']))
      .orderBy(beginningsFirst(terms, 'owners.display_name_key'))
      .orderBy('owners.id')
      .limit(limit),
  );

/** Counts the people in a user's organizations, up to a limit; members of several organizations count several times. */
export const countPeople = statement((q, p: { userId: string; limit: number }) =>
  q
    .selectFrom(
      q
        .selectFrom('org_members as mine')
        .innerJoin('org_members as theirs', 'theirs.org_id', 'mine.org_id')
        .select(sql`1`.as('one'))
        .where('mine.user_id', '=', p.userId)
        .limit(p.limit)
        .as('people'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count')),
);

/** Finds people in a user's organizations who match one of the terms. */
export const findPeopleByTerms = (db: Db, { userId, terms, limit }: SearchParams) =>
  query(db, (q) =>
    q
      .selectFrom((eb) =>
        eb
          .selectFrom('org_members as mine')
          .innerJoin('org_members as theirs', 'theirs.org_id', 'mine.org_id')
          .innerJoin('owners as orgs', 'orgs.id', 'theirs.org_id')
          .select(({ fn }) => ['theirs.user_id', fn.min('orgs.name').as('org_name')])
          .where('mine.user_id', '=', userId)
          .groupBy('theirs.user_id')
          .as('people'),
      )
      .innerJoin('users', 'users.id', 'people.user_id')
      .innerJoin('owners', 'owners.id', 'users.id')
      .select([...userColumns, 'owners.display_name_key', sql<string | null>`people.org_name`.as('org_name')])
      .where(containsTerms(terms, userNames))
      .orderBy(beginningsFirst(terms, 'owners.display_name_key'))
      .orderBy('users.id')
      .limit(limit),
  );

/** One scan over all people of the server, in the order of an index. */
interface Walk {
  /** Condition that the index alone can evaluate. */
  where: Expression<SqlBool>;
  by: Expression<unknown>;
}

const isPerson = sql<boolean>`owners.kind = 'user'`;
const byName = sql`owners.display_name_key, owners.id`;

/**
 * Three ways to find people by terms: names that begin with the first term, names that contain it, and names or addresses
 * that contain it.
 */
export const walksFor = ([first = '']: readonly string[]): [Walk, Walk, Walk] => [
  { where: sql<boolean>`${isPerson} and ${beginsWith(first, 'owners.display_name_key')}`, by: byName },
  {
    where: sql<boolean>`${isPerson} and ${containsAnyTerm([first], ['owners.display_name_key', 'owners.name_key'])}`,
    by: byName,
  },
  { where: containsAnyTerm([first], ['users.email_key']), by: sql.ref('users.email_key') },
];

/** Returns the first people of a scan who match: people in the user's organizations, or anyone on the server. */
export const walkPeople = (
  db: Db,
  { where, by }: Walk,
  { userId, terms, limit }: Omit<SearchParams, 'userId'> & { userId: string | undefined },
) =>
  query(db, (q) => {
    const met = q
      .selectFrom('owners')
      .innerJoin('users', 'users.id', 'owners.id')
      .select([...userColumns, 'owners.display_name_key'])
      .where(where)
      .where(containsTerms(terms, userNames))
      .orderBy(by)
      .limit(limit);
    if (userId === undefined) return met.select(sql<string | null>`null`.as('org_name'));
    // A scalar subquery, so that no planner materializes the list of all people.
    const org = sql<string | null>`(select min(orgs.name) from org_members as theirs
      join org_members as mine on mine.org_id = theirs.org_id and mine.user_id = ${userId}
      join owners as orgs on orgs.id = theirs.org_id where theirs.user_id = users.id)`;
    return met.select(org.as('org_name')).where(sql<boolean>`${org} is not null`);
  });
