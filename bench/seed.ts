import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Database, openDatabase } from '../packages/server/src/db/open.ts';
import { mintToken } from '../packages/server/src/domains/tokens/token-value.ts';
import { newId } from '../packages/server/src/kernel/ids.ts';

const BATCH = 400;
const USERS = 50;

export async function migrated(location: string): Promise<Database> {
  if (!location.includes('://')) mkdirSync(path.dirname(location), { recursive: true });
  const database = openDatabase({ location });
  await database.migrate();
  return database;
}

interface Person {
  id: string;
  name: string;
}

const people = (count: number): Person[] =>
  Array.from({ length: count }, (_, n) => ({ id: newId(), name: `user-${n}` }));
const emailOf = ({ name }: Person): string => `${name}@example.com`;

async function insertUsers(database: Database, users: readonly Person[]): Promise<void> {
  const times = { created_at: 1, updated_at: 1 };
  const flags = { is_admin: 0, is_disabled: 0, service_org_id: null, is_email_verified: 1 } as const;
  await database.transaction(async (db) => {
    for (let at = 0; at < users.length; at += BATCH) {
      const batch = users.slice(at, at + BATCH);
      const owners = batch.map(({ id, name }) => ({
        id,
        kind: 'user' as const,
        name,
        name_key: name,
        display_name: `Somebody with a name of quite usual length, number ${name}`,
        display_name_key: `somebody with a name of quite usual length, number ${name}`,
        avatar_url: `https://avatars.example.com/${'x'.repeat(200)}.png`,
        ...times,
      }));
      await db.query((q) => q.insertInto('owners').values(owners));
      const accounts = batch.map((person) => {
        const email = emailOf(person);
        return { id: person.id, email, email_key: email, password_hash: '', ...flags };
      });
      await db.query((q) => q.insertInto('users').values(accounts));
    }
  });
}

/** A migrated database with many users; returns their e-mail addresses in no order. */
export async function seedUsers(location: string, count: number): Promise<string[]> {
  const database = await migrated(location);
  const users = people(count);
  await insertUsers(database, users);
  await database.close();
  return users
    .map((user) => ({ user, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ user }) => emailOf(user));
}

/** A migrated database with some users and many tokens; returns the values of the first `keep` tokens. */
export async function seedTokens(location: string, tokens: number, keep: number): Promise<string[]> {
  const database = await migrated(location);
  const users = people(USERS);
  await insertUsers(database, users);
  const kept: string[] = [];
  const minted = Array.from({ length: tokens }, () => {
    const { value, hash, lastFour } = mintToken('user');
    if (kept.length < keep) kept.push(value);
    return hash + lastFour;
  });
  // In the order of the index, which is many times faster to fill.
  minted.sort();
  for (let made = 0; made < tokens; ) {
    await database.transaction(async (db) => {
      for (const end = Math.min(tokens, made + 50 * BATCH); made < end; made += BATCH) {
        const rows = minted.slice(made, Math.min(end, made + BATCH)).map((token, n) => ({
          hash: token.slice(0, -4),
          id: newId(),
          app_id: null,
          created_by: users[(made + n) % USERS]?.id ?? '',
          description: `token ${made + n}`,
          scope: 'all' as const,
          last_four: token.slice(-4),
          created_at: 1,
          expires_at: null,
          last_used_at: null,
        }));
        await db.query((q) => q.insertInto('api_tokens').values(rows));
      }
    });
  }
  await database.close();
  return kept;
}

const ORGS = 20;
const APPS_PER_ORG = 100;

/**
 * Somebody in 20 organizations with 100 apps each, reached as admin, by a team and by membership; beside them, apps of
 * other people. Returns their token.
 */
export async function seedApps(location: string, foreignApps: number): Promise<string> {
  const database = await migrated(location);
  const { value, hash, lastFour } = mintToken('user');
  await database.transaction(async (db) => {
    const owner = async (kind: 'user' | 'org', name: string) => {
      const id = newId();
      const display = { display_name: `The owner called ${name}`, display_name_key: `the owner called ${name}` };
      const names = { name, name_key: name, ...display, avatar_url: null };
      await db.query((q) => q.insertInto('owners').values({ id, kind, ...names, created_at: 1, updated_at: 1 }));
      return id;
    };
    const user = async (name: string) => {
      const id = await owner('user', name);
      const email = `${name}@example.com`;
      const flags = { is_admin: 0, is_disabled: 0, service_org_id: null, is_email_verified: 1 } as const;
      await db.query((q) => q.insertInto('users').values({ id, email, email_key: email, password_hash: '', ...flags }));
      return id;
    };
    const apps = async (ownerId: string, count: number, prefix: string) => {
      const ids: string[] = [];
      while (ids.length < count) {
        const rows = Array.from({ length: Math.min(BATCH, count - ids.length) }, (_, n) => ({
          id: newId(),
          owner_id: ownerId,
          name: `${prefix}-${ids.length + n}`,
          name_key: `${prefix}-${ids.length + n}`,
          display_name: `${(ids.length + n) % 97} things to do, by ${prefix}`,
          display_name_key: `${(ids.length + n) % 97} things to do, by ${prefix}`,
          description: 'Says in a sentence or two what the app is good for, as people do.',
          os: 'Android',
          platform: 'Java',
          release_type: 'Beta',
          icon_url: null,
          app_secret: crypto.randomUUID(),
          created_at: 1,
          updated_at: 1,
        }));
        await db.query((q) => q.insertInto('apps').values(rows));
        ids.push(...rows.map(({ id }) => id));
      }
      return ids;
    };
    const somebody = await user('somebody');
    const stranger = await user('stranger');
    await db.query((q) =>
      q.insertInto('api_tokens').values({
        hash,
        id: newId(),
        app_id: null,
        created_by: somebody,
        description: null,
        scope: 'all',
        last_four: lastFour,
        created_at: 1,
        expires_at: null,
        last_used_at: null,
      }),
    );
    for (let n = 0; n < ORGS; n++) {
      const org = await owner('org', `org-${n}`);
      const ids = await apps(org, APPS_PER_ORG, `app-${n}`);
      const role = n % 2 === 0 ? 'admin' : 'member';
      await db.query((q) => q.insertInto('org_members').values({ org_id: org, user_id: somebody, role, joined_at: 1 }));
      if (n % 4 === 1) {
        const permission = 'developer' as const;
        const rows = ids.map((app_id) => ({ app_id, user_id: somebody, permission }));
        await db.query((q) => q.insertInto('app_members').values(rows));
      } else if (n % 4 === 3) {
        const team = newId();
        const names = { name: 'all', name_key: 'all', display_name: 'All', description: null };
        await db.query((q) => q.insertInto('teams').values({ id: team, org_id: org, ...names, created_at: 1 }));
        await db.query((q) => q.insertInto('team_members').values({ team_id: team, user_id: somebody }));
        const rows = ids.map((app_id) => ({ app_id, team_id: team, permission: 'viewer' as const }));
        await db.query((q) => q.insertInto('team_apps').values(rows));
      }
    }
    for (let n = 0; n < foreignApps; n += 1000) {
      const org = await owner('org', `foreign-${n}`);
      const ids = await apps(org, Math.min(1000, foreignApps - n), `foreign-${n}`);
      await db.query((q) =>
        q.insertInto('org_members').values({ org_id: org, user_id: stranger, role: 'admin', joined_at: 1 }),
      );
      for (let at = 0; at < ids.length; at += BATCH) {
        const rows = ids
          .slice(at, at + BATCH)
          .map((app_id) => ({ app_id, user_id: stranger, permission: 'manager' as const }));
        await db.query((q) => q.insertInto('app_members').values(rows));
      }
    }
  });
  await database.close();
  return value;
}
