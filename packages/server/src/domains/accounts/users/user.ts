import type { User } from '../../../context.ts';
import type { UserRow } from './users.store.ts';

export const toUser = (
  row: Pick<UserRow, 'id' | 'name' | 'display_name' | 'email' | 'avatar_url' | 'is_admin'>,
): User => ({
  id: row.id,
  name: row.name,
  displayName: row.display_name,
  email: row.email,
  avatarUrl: row.avatar_url ?? undefined,
  isAdmin: row.is_admin === 1,
});
