import { expect, test } from 'vitest';
import { decoyHash } from '../../src/domains/accounts/sessions/sign-in.ts';
import { eachDatabase } from '../harness/services/databases.ts';
import { listRows, upgraded, user } from './upgraded-database.ts';

const audit = (id: string, action: string, actor: string, subject: string): string =>
  `insert into audit_events (id, at, action, actor_kind, subject_kind, subject_id)
    values ('${id}', 1, '${action}', '${actor}', 'user', '${subject}')`;

const session = (user: string): string =>
  `insert into sessions (hash, id, user_id, created_at, last_seen_at, expires_at, address)
    values ('${user}', '${user}', '${user}', 1, 1, 9, '::1')`;

const reset = (user: string): string =>
  `insert into password_resets (id, token_hash, user_id, expires_at) values ('${user}', '${user}', '${user}', 9)`;

const before = [
  `insert into owners (id, kind, name, name_key, display_name, created_at, updated_at)
    values ('org', 'org', 'harbour', 'harbour', 'Harbour', 1, 1)`,
  ...user('ada', { isAdmin: 1 }),
  ...user('grace'),
  ...user('linus'),
  ...user('robot', { isAdmin: 1, serviceOrg: `'org'` }),
  audit('1', 'server.set_up', 'anonymous', 'ada'),
  audit('2', 'user.create', 'user', 'grace'),
  audit('3', 'user.create', 'anonymous', 'linus'),
  audit('4', 'user.create', 'user', 'robot'),
  ...['grace', 'robot'].flatMap((name) => [session(name), reset(name)]),
];

eachDatabase('users from before emails were verified', (dialect) => {
  test('are verified if an administrator created them, and keep their sessions and password', async () => {
    const database = await upgraded(dialect, '0011-webhooks-and-feeds', before);
    expect(await listRows(database, 'users', 'id')).toMatchObject([
      { id: 'ada', is_email_verified: 1, is_admin: 1, password_hash: 'hash' },
      { id: 'grace', is_email_verified: 1, password_hash: 'hash' },
      { id: 'linus', is_email_verified: 0, password_hash: 'hash' },
      { id: 'robot', is_email_verified: 0 },
    ]);
    expect(await listRows(database, 'sessions')).toMatchObject([{ user_id: 'grace' }]);
    expect(await listRows(database, 'password_resets')).toMatchObject([{ user_id: 'grace', is_mailed: 0 }]);
  });

  test("service accounts lose password, sessions and rights that can't be granted to them", async () => {
    const database = await upgraded(dialect, '0011-webhooks-and-feeds', before);
    const robot = (await listRows(database, 'users', 'id')).at(-1);
    expect(robot).toMatchObject({ id: 'robot', is_admin: 0, password_hash: decoyHash, service_org_id: 'org' });
  });

  test('are found by their display name, regardless of case and accents', async () => {
    const database = await upgraded(dialect, '0011-webhooks-and-feeds', before);
    const keys = (await listRows(database, 'owners', 'id')).map((row) => [row.id, row.display_name_key]);
    expect(keys).toEqual([
      ['ada', 'eva ada'],
      ['grace', 'eva grace'],
      ['linus', 'eva linus'],
      ['org', 'harbour'],
      ['robot', 'eva robot'],
    ]);
  });
});

eachDatabase('invitations to groups from before they expired', (dialect) => {
  test('are valid for another week', async () => {
    const database = await upgraded(dialect, '0011-webhooks-and-feeds', [
      ...before,
      `insert into distribution_groups (id, org_id, name, name_key, is_public, created_at)
        values ('group', 'org', 'Beta', 'beta', 0, 1)`,
      `insert into distribution_group_invitations (group_id, email_key, email, token_hash)
        values ('group', 'eva@example.com', 'Eva@example.com', 'hash')`,
    ]);
    const [invitation] = await listRows(database, 'distribution_group_invitations');
    expect(invitation).toMatchObject({ email: 'Eva@example.com', token_hash: 'hash' });
    const days = (Number(invitation?.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
  });
});
