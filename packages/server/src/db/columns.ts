import { sql } from 'kysely';

/** What makes a person, wherever `users` is joined with `owners`. */
export const personColumns = [
  'users.id',
  'owners.name',
  'owners.display_name',
  'users.email',
  'owners.avatar_url',
  'users.is_admin',
] as const;

/** What people are found by there. */
export const personNames = ['owners.display_name_key', 'owners.name_key', 'users.email_key'] as const;

/** And what lists of them are sorted by. */
export const personKeys = {
  display_name: sql.ref<string>('owners.display_name_key'),
  name: sql.ref<string>('owners.name_key'),
  email: sql.ref<string>('users.email_key'),
};
