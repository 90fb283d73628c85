import { buffer } from 'node:stream/consumers';
import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import yauzl from 'yauzl';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/connection.ts';
import { personalTables, traitsOf } from '../../db/tables.ts';
import { DAY, toIso } from '../../kernel/clock.ts';
import { sweepDataRequests } from './data-requests.ts';

/** The files of a zip, by their names. */
async function unzip(bytes: Buffer): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const zip = await yauzl.fromBufferPromise(bytes);
  for await (const entry of zip.eachEntry()) {
    files[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString();
  }
  return files;
}

async function asked(app: TestApp, token: string, what: 'export' | 'delete'): Promise<string> {
  const answer = await app.call('POST', `/v0.1/user/dsr/${what}`, { token, body: {} });
  expect(answer.statusCode).toBe(202);
  return answer.json().token;
}

const exportOf = async (app: TestApp, token: string, id: string) =>
  (await app.call('GET', `/v0.1/user/dsr/export/${id}`, { token })).json();

const deletionOf = (app: TestApp, id: string, email: string) =>
  app.call('GET', `/v0.1/user/dsr/delete/${id}`, { query: { email } });

const sweep = (app: TestApp) => sweepDataRequests(systemCtx(app.deps));

/** The files that anybody with the link gets. */
async function download(app: TestApp, token: string, id: string): Promise<Record<string, string>> {
  const { sasUrl } = await exportOf(app, token, id);
  const answer = await app.http.inject({ method: 'GET', url: new URL(sasUrl).pathname });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip']);
  return unzip(answer.rawPayload);
}

/** Ada, an administrator beside her, and what is about her in several domains. */
async function withAda(dialect: DialectName, isEmailVerified = true) {
  const app = await testApp(dialect);
  const root = await app.addUser('root', { isAdmin: true });
  const ada = await app.addUser('ada', { isEmailVerified });
  const org = await app.addOrg(root, 'lighthouse');
  await app.addToOrg(org, ada, 'collaborator');
  const token = await app.userToken(ada, { description: 'for the night' });
  await app.call('PATCH', '/v0.1/user', { token, body: { display_name: 'Ada L.' } });
  const rootToken = await app.userToken(root);
  await app.addOrg(root, 'harbour');
  await app.call('POST', '/v0.1/orgs/harbour/invitations', {
    token: rootToken,
    body: { user_email: 'ADA@example.com' },
  });
  return { app, ada, root, token, rootToken };
}

/** Every column that refers to people, or is called after their address or what they did. */
const columnsAboutPeople: Record<DialectName, string> = {
  sqlite: `SELECT m.name AS "table", f."from" AS "column" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
      WHERE m.type = 'table' AND f."table" = 'users'
    UNION SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c
      WHERE m.type = 'table' AND (c.name IN ('email_key', 'to') OR c.name GLOB '*_by')`,
  postgres: `SELECT c.conrelid::regclass::text AS "table", a.attname AS "column" FROM pg_constraint c
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
      WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass
    UNION SELECT table_name, column_name FROM information_schema.columns
      WHERE table_schema = 'public' AND (column_name IN ('email_key', 'to') OR column_name LIKE '%\\_by')`,
};

const columnNames: Record<DialectName, string> = {
  sqlite: `SELECT name FROM pragma_table_info('$table')`,
  postgres: `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = '$table'`,
};

/** Columns in archives whose names sound like secrets, and why they are none. A new one is decided on here. */
const harmlessColumns = [
  // Names and addresses in lower case.
  'apps.display_name_key',
  'apps.icon_url',
  'apps.name_key',
  // Kind and ID of the credential, not the credential.
  'audit_events.actor_credential',
  'audit_events.actor_token_id',
  // Of the tracker; its token is left out.
  'bug_trackers.base_url',
  'distribution_group_invitations.email_key',
  'distribution_stores.name_key',
  'former_names.name_key',
  'invitations.email_key',
  'owners.avatar_url',
  'owners.display_name_key',
  'owners.name_key',
  'users.email_key',
];

eachDatabase('what is kept about a person', (dialect) => {
  test('is declared for every column that refers to one', async () => {
    const { database } = await testApp(dialect);
    const columns = await database.query<{ table: string; column: string }>(() => ({
      compile: () => CompiledQuery.raw(columnsAboutPeople[dialect]),
    }));
    expect(columns.length).toBeGreaterThan(15);
    const forgotten = columns.filter(({ table, column }) => traitsOf(table)?.personal?.by[column] === undefined);
    // The address of an account is in its row, which is found by its id.
    expect(forgotten).toEqual([{ table: 'users', column: 'email_key' }]);
  });

  test('comes as an archive of tables, without what is worth something to others', async () => {
    const { app, ada, token } = await withAda(dialect);
    const id = await asked(app, token, 'export');
    expect(await exportOf(app, token, id)).toEqual({ status: 'Created', message: 'The archive is being made.' });
    await app.runJobs();
    expect(await exportOf(app, token, id)).toMatchObject({ status: 'Completed', sasUrlExpired: false });
    const files = await download(app, token, id);
    expect(Object.keys(files).sort()).toEqual([
      'README.txt',
      'api_tokens.jsonl',
      'audit_events.jsonl',
      'data_requests.jsonl',
      'invitations.jsonl',
      'mails.jsonl',
      'org_members.jsonl',
      'owners.jsonl',
      'users.jsonl',
    ]);
    expect(JSON.parse(files['api_tokens.jsonl'] ?? '')).toMatchObject({
      description: 'for the night',
      created_by: ada.id,
    });
    const everything = Object.values(files).join('');
    expect(everything).not.toContain('root@example.com');
    const rows = await app.database.query((q) =>
      q.selectFrom('api_tokens').select('hash').where('created_by', '=', ada.id),
    );
    const [user] = await app.database.query((q) =>
      q.selectFrom('users').select('password_hash').where('id', '=', ada.id),
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const secret of [...rows.map(({ hash }) => hash), user?.password_hash ?? 'none', '#token=']) {
      expect(everything).not.toContain(secret);
    }
  });

  test('is exported without any column that holds a secret', async () => {
    const { database } = await testApp(dialect);
    const exported: string[] = [];
    for (const [table, { secret = [] }] of personalTables()) {
      const names = await database.query<{ name: string }>(() => ({
        compile: () => CompiledQuery.raw(columnNames[dialect].replace('$table', table)),
      }));
      expect(names.length, table).toBeGreaterThan(0);
      exported.push(...names.flatMap(({ name }) => (secret.includes(name) ? [] : `${table}.${name}`)));
    }
    const suspects = exported.filter((name) =>
      /hash|secret|token|password|sealed|proof|challenge|url|key|credential|code/.test(name.split('.')[1] ?? ''),
    );
    expect(suspects.sort()).toEqual(harmlessColumns);
  });

  test('is that of an address only once it is known to be theirs', async () => {
    const { app, token } = await withAda(dialect, false);
    const id = await asked(app, token, 'export');
    await app.runJobs();
    const names = Object.keys(await download(app, token, id));
    expect(names).toContain('users.jsonl');
    expect(names).not.toContain('invitations.jsonl');
    expect(names).not.toContain('mails.jsonl');
  });

  test('is shown to nobody else, to no Read-Only token, and to nobody once the archive has expired', async () => {
    const { app, ada, token, rootToken } = await withAda(dialect);
    const id = await asked(app, token, 'export');
    await app.runJobs();
    const other = await app.call('GET', `/v0.1/user/dsr/export/${id}`, { token: rootToken });
    expect([other.statusCode, other.json().error.message]).toEqual([404, 'No such request with this token.']);
    const viewer = await app.userToken(ada, { scope: ['viewer'] });
    expect(await exportOf(app, viewer, id)).toEqual({
      status: 'Completed',
      message: 'The archive is ready.',
      sasUrlExpired: false,
    });
    const { sasUrl } = await exportOf(app, token, id);
    app.advance(7 * DAY);
    expect(await exportOf(app, token, id)).toEqual({
      status: 'Completed',
      message: 'The archive is ready.',
      sasUrlExpired: true,
    });
    expect((await app.http.inject({ method: 'GET', url: new URL(sasUrl).pathname })).statusCode).toBe(404);
    await sweep(app);
    expect(await Array.fromAsync(app.deps.blobs.list())).toEqual([]);
    expect((await app.call('GET', `/v0.1/user/dsr/export/${id}`, { token })).statusCode).toBe(404);
  });

  test('is gone when the archive is cancelled, made or not', async () => {
    const { app, token } = await withAda(dialect);
    const [made, waiting] = [await asked(app, token, 'export'), await asked(app, token, 'export')];
    const cancel = (id: string) => app.call('POST', `/v0.1/user/dsr/export/${id}/cancel`, { token, body: {} });
    expect((await cancel(waiting)).statusCode).toBe(202);
    await app.runJobs();
    const { sasUrl } = await exportOf(app, token, made);
    expect((await cancel(made)).json().token).toBe(made);
    expect(await exportOf(app, token, waiting)).toEqual({ status: 'None', message: 'It was cancelled.' });
    await expect
      .poll(async () => (await app.http.inject({ method: 'GET', url: new URL(sasUrl).pathname })).statusCode)
      .toBe(404);
    expect((await app.call('GET', '/v0.1/user/dsr', { token })).json()).toEqual({ values: [] });
  });

  test('can be asked for 15 times a day, by whoever may change something', async () => {
    const { app, ada, token } = await withAda(dialect);
    for (let n = 0; n < 15; n += 1) await asked(app, token, 'export');
    const refused = await app.call('POST', '/v0.1/user/dsr/export', { token, body: {} });
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      429,
      'You asked for 15 archives within a day; use one of them, or wait.',
    ]);
    const viewer = await app.userToken(ada, { scope: ['viewer'] });
    for (const what of ['export', 'delete']) {
      expect((await app.call('POST', `/v0.1/user/dsr/${what}`, { token: viewer, body: {} })).statusCode).toBe(403);
      expect((await app.call('POST', `/v0.1/user/dsr/${what}`, { body: {} })).statusCode).toBe(401);
    }
    app.advance(DAY);
    await asked(app, token, 'export');
  });
});

eachDatabase('the deletion of an account', (dialect) => {
  test('happens after 28 days, and leaves nobody’s name or address behind', async () => {
    const { app, ada, root, token, rootToken } = await withAda(dialect);
    const compass = await app.addApp(root, 'compass');
    await app.addMember(compass, ada, 'manager');
    const stores = '/v0.1/apps/root/compass/distribution_stores';
    const store = { type: 'googleplay', name: 'Play', track: 'alpha' };
    expect((await app.call('POST', stores, { token, body: store })).statusCode).toBe(201);
    const id = await asked(app, token, 'delete');
    const { json, statusCode } = await deletionOf(app, id, 'Ada@Example.com');
    expect([statusCode, json().status]).toEqual([200, 'Created']);
    expect(json().message).toMatch(/^The account will be deleted on \d{4}-\d\d-\d\d\. Until then you can cancel it\.$/);
    await app.runJobs();
    app.advance(28 * DAY - 1);
    await sweep(app);
    expect((await app.call('GET', '/v0.1/user', { token: await app.userToken(ada) })).statusCode).toBe(200);
    app.advance(1);
    await sweep(app);
    expect((await app.call('GET', '/v0.1/user', { token })).statusCode).toBe(401);
    expect((await deletionOf(app, id, 'ada@example.com')).json()).toEqual({
      status: 'Completed',
      message: 'The account is deleted, with everything about its person.',
    });
    const tables = [
      'audit_events',
      'mails',
      'invitations',
      'owners',
      'users',
      'data_requests',
      'org_members',
      'jobs',
    ] as const;
    const left: unknown[] = [];
    for (const table of tables) left.push(...(await app.database.query((q) => q.selectFrom(table).selectAll())));
    expect(JSON.stringify(left)).not.toMatch(/ada@example|"ada"|Ada L/i);
    const events = await app.database.query((q) =>
      q.selectFrom('audit_events').selectAll().where('actor_user_id', '=', ada.id),
    );
    expect(new Set(events.map(({ actor_name }) => actor_name))).toEqual(new Set([`deleted-user-${id.slice(0, 8)}`]));
    expect(events.map(({ address }) => address).filter(Boolean)).toEqual([]);
    const [kept] = (await app.call('GET', stores, { token: rootToken })).json();
    expect([kept.name, kept.created_by]).toEqual(['Play', undefined]);
  });

  test('is announced by a mail, and its receipt tells of it for a year', async () => {
    const { app, token } = await withAda(dialect);
    const id = await asked(app, token, 'delete');
    const mails = await app.database.query((q) => q.selectFrom('mails').selectAll().orderBy('id'));
    expect(mails.at(-1)).toMatchObject({
      to: 'ada@example.com',
      subject: 'Your account on Mooring is going to be deleted',
      text: expect.stringContaining(`That happens on ${toIso(app.deps.clock.now() + 28 * DAY).slice(0, 10)}.`),
    });
    const { values } = (await app.call('GET', '/v0.1/user/dsr', { token })).json();
    expect(values).toMatchObject([{ token: id, kind: 'delete', status: 'Created' }]);
    app.advance(28 * DAY);
    await sweep(app);
    app.advance(365 * DAY);
    await sweep(app);
    expect((await deletionOf(app, id, 'ada@example.com')).json().status).toBe('Completed');
    app.advance(1);
    await sweep(app);
    expect((await deletionOf(app, id, 'ada@example.com')).statusCode).toBe(404);
  });

  test('is followed without a credential, by the receipt and the address together', async () => {
    const { app, token } = await withAda(dialect);
    const id = await asked(app, token, 'delete');
    const wrong = [
      await deletionOf(app, id, 'root@example.com'),
      await deletionOf(app, '0f0b7c1e-58d7-4a8e-9a51-6d1e5c1f2b30', 'ada@example.com'),
      await deletionOf(app, await asked(app, token, 'export'), 'ada@example.com'),
    ];
    expect(wrong.map(({ statusCode, body }) => [statusCode, JSON.parse(body).error.message])).toEqual(
      wrong.map(() => [404, 'No such request with this token.']),
    );
  });

  test('is cancelled by whoever asked, and by nobody else', async () => {
    const { app, token, rootToken } = await withAda(dialect);
    const earlier = await asked(app, token, 'delete');
    const id = await asked(app, token, 'delete');
    const cancel = (credential: string, body?: object, which = id) =>
      app.call('POST', `/v0.1/user/dsr/delete/${which}/cancel`, { token: credential, body: body ?? {} });
    expect((await cancel(rootToken)).statusCode).toBe(404);
    expect((await cancel(token, { email: 'root@example.com' })).statusCode).toBe(404);
    expect((await cancel(token, {}, earlier)).statusCode).toBe(503);
    expect((await cancel(token, { email: 'ADA@example.com' })).json().token).toBe(id);
    app.advance(29 * DAY);
    await sweep(app);
    const still = await app.call('POST', '/v0.1/sessions', {
      body: { login: 'ada', password: 'correct horse battery' },
    });
    expect(still.statusCode).toBe(201);
  });

  test.each(['cancelled first', 'due first'])(
    'that is cancelled in the moment in which it is due (%s) is either cancelled or done',
    async (order) => {
      const { app, ada, token } = await withAda(dialect);
      const id = await asked(app, token, 'delete');
      app.advance(28 * DAY);
      const fresh = await app.userToken(ada);
      const cancel = async () =>
        (await app.call('POST', `/v0.1/user/dsr/delete/${id}/cancel`, { token: fresh, body: {} })).statusCode;
      const isCancelledFirst = order === 'cancelled first';
      const answers = await atOnce<unknown>(
        app,
        isCancelledFirst ? [cancel, () => sweep(app)] : [() => sweep(app), cancel],
      );
      const users = await app.database.query((q) => q.selectFrom('users').select('id').where('id', '=', ada.id));
      expect([answers.includes(202), users.length]).toEqual(isCancelledFirst ? [true, 1] : [false, 0]);
    },
  );

  test('fails with the reason while others depend on the account, which is said beforehand', async () => {
    const { app, ada, token } = await withAda(dialect);
    await app.addApp(ada, 'compass');
    const id = await asked(app, token, 'delete');
    expect((await deletionOf(app, id, ada.email)).json().message).toMatch(
      /As it is now, that would fail: ada still owns apps \(compass\)/,
    );
    app.advance(28 * DAY);
    await sweep(app);
    expect((await deletionOf(app, id, ada.email)).json()).toMatchObject({
      status: 'Failed',
      message: expect.stringMatching(/^ada still owns apps \(compass\)/),
    });
    const mails = await app.database.query((q) => q.selectFrom('mails').select('subject').orderBy('id'));
    expect(mails.at(-1)?.subject).toBe('Your account on Mooring could not be deleted');
  });
});
