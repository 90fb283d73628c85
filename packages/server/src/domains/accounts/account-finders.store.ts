import { sql } from 'kysely';
import { personColumns, personNames } from '../../db/columns.ts';
import { beginningsFirst, containsWords } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import { query } from './accounts.tables.ts';

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
      .select([...personColumns, sql<string | null>`people.org_name`.as('org_name')])
      .where(containsWords(words, personNames))
      .orderBy(beginningsFirst(words, 'owners.display_name_key'))
      .orderBy('users.id')
      .limit(limit),
  );

/** The people of the whole server, for its administrators. */
export const findUsersByWords = (db: Db, { words, limit }: Omit<Wanted, 'userId'>) =>
  query(db, (q) =>
    q
      .selectFrom('users')
      .innerJoin('owners', 'owners.id', 'users.id')
      .select([...personColumns, sql<string | null>`null`.as('org_name')])
      .where(containsWords(words, personNames))
      .orderBy(beginningsFirst(words, 'owners.display_name_key'))
      .orderBy('users.id')
      .limit(limit),
  );
