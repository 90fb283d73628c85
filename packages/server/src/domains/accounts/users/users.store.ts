import { type Kysely, sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { isAmong, lockRows } from '../../../db/portable.ts';
import { userColumns, userKeys, userNames } from '../../../db/rows/columns.ts';
import { containsTerms, selectPage } from '../../../db/rows/listing.ts';
import type { Listing } from '../../../kernel/paging.ts';
import { insertInto, query, statement, type Tables, updateRow } from '../accounts.tables.ts';

const selectUsers = (q: Kysely<Tables>) =>
  q
    .selectFrom('users')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select([
      ...userColumns,
      'users.is_disabled',
      'users.is_email_verified',
      'users.service_org_id',
      'users.password_hash',
      'owners.created_at',
    ]);

export interface UserRow {
  id: string;
  name: string;
  display_name: string;
  email: string;
  avatar_url: string | null;
  is_admin: 0 | 1;
  is_disabled: 0 | 1;
  is_email_verified: 0 | 1;
  service_org_id: string | null;
  password_hash: string;
  created_at: number;
}

export const findUser = statement((q, p: { id: string }) => selectUsers(q).where('users.id', '=', p.id));

/** Keys are in lower case. */
export const findUserByName = statement((q, p: { key: string }) => selectUsers(q).where('owners.name_key', '=', p.key));

export const findUserByEmail = statement((q, p: { key: string }) =>
  selectUsers(q).where('users.email_key', '=', p.key),
);

const pageKeys = { ...userKeys, created_at: sql.ref<number>('owners.created_at') };

export const pageUsers = (db: Db, listing: Listing<keyof typeof pageKeys>) =>
  query(db, (q) =>
    selectPage(
      selectUsers(q).where(containsTerms(listing.terms, userNames)),
      { key: pageKeys[listing.sort], id: sql.ref('users.id') },
      listing,
    ),
  );

export const findAnyAdmin = statement((q) => q.selectFrom('users').select('id').where('is_admin', '=', 1).limit(1));

/** Locked so that two administrators can't demote each other at the same time. */
export const lockActiveAdmins = statement((q, _p: Record<never, never>, dialect) =>
  lockRows(dialect, q.selectFrom('users').select('id').where('is_admin', '=', 1).where('is_disabled', '=', 0)),
);

/** `ids` is a JSON array. Locks in order, so that transactions that lock the same users can't deadlock. */
export const lockUsers = statement((q, p: { ids: string }, dialect) =>
  lockRows(
    dialect,
    q
      .selectFrom('users')
      .select('id')
      .where(isAmong(dialect, 'id', p.ids))
      .orderBy('id'),
  ),
);

/** Returns nothing if the name is taken. */
export const insertOwner = insertInto('owners', (insert) =>
  insert.onConflict((c) => c.column('name_key').doNothing()).returning('id'),
);

/** Returns nothing if the email is taken. */
export const insertUser = insertInto('users', (insert) =>
  insert.onConflict((c) => c.column('email_key').doNothing()).returning('id'),
);

export const updateOwner = updateRow('owners');

export const updateUser = updateRow('users');

export const saveEmailVerified = statement((q, p: { id: string }) =>
  q.updateTable('users').set({ is_email_verified: 1 }).where('id', '=', p.id).where('is_email_verified', '=', 0),
);
