import { type Expression, type SqlBool, sql } from 'kysely';
import { personColumns, personNames } from '../../db/columns.ts';
import { beginningsFirst, beginsWith, containsAnyWord, containsWords } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import { query, statement } from './accounts.tables.ts';

interface Wanted {
  userId: string;
  words: readonly string[];
  limit: number;
}

export const findOrgsByWords = (db: Db, { userId, words, limit }: Wanted) =>
  query(db, (q) =>
    q
      .selectFrom('org_members')
      .innerJoin('owners', 'owners.id', 'org_members.org_id')
      .select(['owners.id', 'owners.name', 'owners.display_name', 'owners.avatar_url'])
      .where('org_members.user_id', '=', userId)
      .where(containsWords(words, ['owners.display_name_key', 'owners.name_key']))
      .orderBy(beginningsFirst(words, 'owners.display_name_key'))
      .orderBy('owners.id')
      .limit(limit),
  );

/** How many people are in a user's organizations, up to a limit; some more than once. */
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

/** The people of a user's organizations, each with one of these. */
export const findPeopleByWords = (db: Db, { userId, words, limit }: Wanted) =>
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
      .select([...personColumns, 'owners.display_name_key', sql<string | null>`people.org_name`.as('org_name')])
      .where(containsWords(words, personNames))
      .orderBy(beginningsFirst(words, 'owners.display_name_key'))
      .orderBy('users.id')
      .limit(limit),
  );

/** One way through the people of the whole server, in an order that an index has. */
interface Walk {
  /** What the index alone tells. */
  where: Expression<SqlBool>;
  by: Expression<unknown>;
}

const isPerson = sql<boolean>`owners.kind = 'user'`;
const byName = sql`owners.display_name_key, owners.id`;

/** The ways on which somebody with such words is met: those whose names begin with the first one, those with it in their names, and in their address. */
export const walksFor = ([first = '']: readonly string[]): [Walk, Walk, Walk] => [
  { where: sql<boolean>`${isPerson} and ${beginsWith(first, 'owners.display_name_key')}`, by: byName },
  {
    where: sql<boolean>`${isPerson} and ${containsAnyWord([first], ['owners.display_name_key', 'owners.name_key'])}`,
    by: byName,
  },
  { where: containsAnyWord([first], ['users.email_key']), by: sql.ref('users.email_key') },
];

/** Those who are met first: of the organizations of a user, each with one of these, or of the whole server. */
export const walkPeople = (
  db: Db,
  { where, by }: Walk,
  { userId, words, limit }: Omit<Wanted, 'userId'> & { userId: string | undefined },
) =>
  query(db, (q) => {
    const met = q
      .selectFrom('owners')
      .innerJoin('users', 'users.id', 'owners.id')
      .select([...personColumns, 'owners.display_name_key'])
      .where(where)
      .where(containsWords(words, personNames))
      .orderBy(by)
      .limit(limit);
    if (userId === undefined) return met.select(sql<string | null>`null`.as('org_name'));
    // A scalar, which no planner turns into a list of all of them.
    const org = sql<string | null>`(select min(orgs.name) from org_members as theirs
      join org_members as mine on mine.org_id = theirs.org_id and mine.user_id = ${userId}
      join owners as orgs on orgs.id = theirs.org_id where theirs.user_id = users.id)`;
    return met.select(org.as('org_name')).where(sql<boolean>`${org} is not null`);
  });
