import { newId } from '../../src/kernel/ids.ts';
import type { TestApp } from './app.ts';

const times = { created_at: 1, updated_at: 1 };
const named = (name: string) => ({ name, name_key: name, display_name: name, display_name_key: name });
/** As many rows as a statement has parameters for. */
const BATCH_SIZE = 1000;

/** Inserts members of an organization directly, because operations would take a minute. */
export const addManyPeople = (app: TestApp, org: { id: string }, count: number): Promise<void> =>
  app.database.transaction(async (db) => {
    const flags = { is_admin: 0, is_disabled: 0, service_org_id: null, is_email_verified: 1 } as const;
    for (let at = 0; at < count; at += BATCH_SIZE) {
      const ids = Array.from({ length: Math.min(BATCH_SIZE, count - at) }, newId);
      const people = ids.map((id, n) => ({ id, name: `sailor-${at + n}`, email: `sailor-${at + n}@example.com` }));
      const owners = people.map(({ id, name }) => ({
        id,
        kind: 'user' as const,
        ...named(name),
        avatar_url: null,
        ...times,
      }));
      const users = people.map(({ id, email }) => ({ id, email, email_key: email, password_hash: '', ...flags }));
      const members = ids.map((user_id) => ({ org_id: org.id, user_id, role: 'member' as const, joined_at: 1 }));
      await db.query((q) => q.insertInto('owners').values(owners));
      await db.query((q) => q.insertInto('users').values(users));
      await db.query((q) => q.insertInto('org_members').values(members));
    }
  });
