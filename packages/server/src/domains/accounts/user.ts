import type { User } from '../../context.ts';
import type { UserRow } from './users.store.ts';

/** A person, from any row that has their columns. */
export const toUser = (row: Omit<UserRow, 'password_hash' | 'is_disabled' | 'created_at'>): User => ({
  id: row.id,
  name: row.name,
  displayName: row.display_name,
  email: row.email,
  avatarUrl: row.avatar_url ?? undefined,
  isAdmin: row.is_admin === 1,
});
