import { type Kysely, sql } from 'kysely';
import { personColumns, personKeys, personNames } from '../../../db/columns.ts';
import { containsWords, selectPage } from '../../../db/listing.ts';
import type { Db } from '../../../db/open.ts';
import { lockRows } from '../../../db/portable.ts';
import type { Listing } from '../../../kernel/paging.ts';
import { insertInto, query, statement, type Tables, updateRow } from '../accounts.tables.ts';

const selectUsers = (q: Kysely<Tables>) =>
  q
    .selectFrom('users')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select([
      ...personColumns,
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

const userKeys = { ...personKeys, created_at: sql.ref<number>('owners.created_at') };

export const pageUsers = (db: Db, listing: Listing<keyof typeof userKeys>) =>
  query(db, (q) =>
    selectPage(
      selectUsers(q).where(containsWords(listing.words, personNames)),
      { key: userKeys[listing.sort], id: sql.ref('users.id') },
      listing,
    ),
  );

export const findAnyAdmin = statement((q) => q.selectFrom('users').select('id').where('is_admin', '=', 1).limit(1));

/** Locks them, so that two administrators cannot demote each other at the same time. */
export const lockActiveAdmins = statement((q, _p: Record<never, never>, dialect) =>
  lockRows(dialect, q.selectFrom('users').select('id').where('is_admin', '=', 1).where('is_disabled', '=', 0)),
);

export const lockUser = statement((q, p: { id: string }, dialect) =>
  lockRows(dialect, q.selectFrom('users').select('id').where('id', '=', p.id)),
);

/** Nothing comes back when the name is taken. */
export const insertOwner = insertInto('owners', (insert) =>
  insert.onConflict((c) => c.column('name_key').doNothing()).returning('id'),
);

/** Nothing comes back when the e-mail is taken. */
export const insertUser = insertInto('users', (insert) =>
  insert.onConflict((c) => c.column('email_key').doNothing()).returning('id'),
);

export const updateOwner = updateRow('owners');

export const updateUser = updateRow('users');

export const saveEmailVerified = statement((q, p: { id: string }) =>
  q.updateTable('users').set({ is_email_verified: 1 }).where('id', '=', p.id).where('is_email_verified', '=', 0),
);
