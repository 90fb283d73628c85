import { sql } from 'kysely';

/** Columns of the view `people` that describe a user. */
export const personColumns = [
  'people.id',
  'people.name',
  'people.display_name',
  'people.email',
  'people.avatar_url',
  'people.is_admin',
] as const;

/** Columns that people are searched by. */
export const personNames = ['people.display_name_key', 'people.name_key', 'people.email_key'] as const;

/** Sort keys of lists of people. */
export const personKeys = {
  display_name: sql.ref<string>('people.display_name_key'),
  name: sql.ref<string>('people.name_key'),
  email: sql.ref<string>('people.email_key'),
};

/** The same in `accounts`, whose stores join `users` with `owners`. */
export const userColumns = [
  'users.id',
  'owners.name',
  'owners.display_name',
  'users.email',
  'owners.avatar_url',
  'users.is_admin',
] as const;

/** Columns that users are searched by. */
export const userNames = ['owners.display_name_key', 'owners.name_key', 'users.email_key'] as const;

/** Sort keys of lists of users. */
export const userKeys = {
  display_name: sql.ref<string>('owners.display_name_key'),
  name: sql.ref<string>('owners.name_key'),
  email: sql.ref<string>('users.email_key'),
};
