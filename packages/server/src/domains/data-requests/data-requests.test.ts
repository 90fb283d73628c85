import { buffer } from 'node:stream/consumers';
import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import yauzl from 'yauzl';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { openFeedback } from '../../../test/harness/feedback.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { getTableTraits, personalTables } from '../../db/tables.ts';
import { DAY, toIso } from '../../kernel/clock.ts';
import { sweepDataRequests } from './data-requests.ts';

/** The files of a zip, by name. */
async function unzip(bytes: Buffer): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const zip = await yauzl.fromBufferPromise(bytes);
  for await (const entry of zip.eachEntry()) {
    files[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString();
  }
  return files;
}

async function requestData(app: TestApp, token: string, what: 'export' | 'delete'): Promise<string> {
  const response = await app.call('POST', `/v0.1/user/dsr/${what}`, { token, body: {} });
  expect(response.statusCode).toBe(202);
  return response.json().token;
}

const getExport = async (app: TestApp, token: string, id: string) =>
  (await app.call('GET', `/v0.1/user/dsr/export/${id}`, { token })).json();

const getDeletion = (app: TestApp, id: string, email: string) =>
  app.call('GET', `/v0.1/user/dsr/delete/${id}`, { query: { email } });

const sweep = (app: TestApp) => sweepDataRequests(systemCtx(app.deps));

/** Downloads the archive as anyone with the link can. */
async function download(app: TestApp, token: string, id: string): Promise<Record<string, string>> {
  const { sasUrl } = await getExport(app, token, id);
  const response = await app.http.inject({ method: 'GET', url: new URL(sasUrl).pathname });
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/zip']);
  return unzip(response.rawPayload);
}

/** Ada, another administrator, and Ada's data in several domains. */
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

/** All columns that refer to people, or whose names suggest personal data. */
const columnsAboutPeople: Record<DialectName, string> = {
  sqlite: `SELECT m.name AS "table", f."from" AS "column" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
      WHERE m.type = 'table' AND f."table" = 'users'
    UNION SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c
      WHERE m.type = 'table' AND (c.name IN ('email_key', 'to') OR c.name GLOB '*_by')`,
  postgres: `SELECT c.conrelid::regclass::text AS "table", a.attname AS "column" FROM pg_constraint c
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
      WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass
    UNION SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND (column_name IN ('email_key', 'to') OR column_name LIKE '%\\_by')`,
};

const columnNames: Record<DialectName, string> = {
  sqlite: `SELECT name FROM pragma_table_info('$table')`,
  postgres: `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = '$table'`,
};

/** Archived columns with names that sound like secrets, and why they are harmless. Review new ones here. */
const harmlessColumns = [
  // Names and addresses in lower case.
  'apps.display_name_key',
  'apps.icon_url',
  'apps.name_key',
  // Kind and ID of the credential, not the credential.
  'audit_events.actor_credential',
  'audit_events.actor_token_id',
  // URL of the tracker; its token is omitted.
  'bug_trackers.base_url',
  'distribution_group_invitations.email_key',
  'distribution_stores.name_key',
  // The page that the person wrote about.
  'feedback.url',
  'former_names.name_key',
  'invitations.email_key',
  'owners.avatar_url',
  'owners.display_name_key',
  'owners.name_key',
  // The public half of a key pair.
  'passkeys.public_key',
  'scim_users.user_name_key',
  'users.email_key',
];

eachDatabase('personal data', (dialect) => {
  test('is declared for every column that refers to a user', async () => {
    const { database } = await testApp(dialect);
    const columns = await database.query<{ table: string; column: string }>(() => ({
      compile: () => CompiledQuery.raw(columnsAboutPeople[dialect]),
    }));
    expect(columns.length).toBeGreaterThan(15);
    const undeclared = columns.filter(({ table, column }) => getTableTraits(table)?.personal?.by[column] === undefined);
    // The user's row is found by ID, so its email column needs no declaration.
    expect(undeclared).toEqual([{ table: 'users', column: 'email_key' }]);
  });

  test('is exported as an archive of tables, without secrets', async () => {
    const { app, ada, token } = await withAda(dialect);
    const id = await requestData(app, token, 'export');
    expect(await getExport(app, token, id)).toEqual({ status: 'Created', message: 'The archive is being created.' });
    await app.runJobs();
    expect(await getExport(app, token, id)).toMatchObject({ status: 'Completed', sasUrlExpired: false });
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

  test('includes that of an address only once it is verified', async () => {
    const { app, token } = await withAda(dialect, false);
    const id = await requestData(app, token, 'export');
    await app.runJobs();
    const names = Object.keys(await download(app, token, id));
    expect(names).toContain('users.jsonl');
    expect(names).not.toContain('invitations.jsonl');
    expect(names).not.toContain('mails.jsonl');
  });

  test('is hidden from other users and Read-Only tokens, and from everyone once the archive has expired', async () => {
    const { app, ada, token, rootToken } = await withAda(dialect);
    const id = await requestData(app, token, 'export');
    await app.runJobs();
    const other = await app.call('GET', `/v0.1/user/dsr/export/${id}`, { token: rootToken });
    expect([other.statusCode, other.json().error.message]).toEqual([404, 'No such data request with this token.']);
    const viewer = await app.userToken(ada, { scope: ['viewer'] });
    expect(await getExport(app, viewer, id)).toEqual({
      status: 'Completed',
      message: 'The archive is ready.',
      sasUrlExpired: false,
    });
    const { sasUrl } = await getExport(app, token, id);
    app.advance(7 * DAY);
    expect(await getExport(app, token, id)).toEqual({
      status: 'Completed',
      message: 'The archive is ready.',
      sasUrlExpired: true,
    });
    expect((await app.http.inject({ method: 'GET', url: new URL(sasUrl).pathname })).statusCode).toBe(404);
    await sweep(app);
    expect(await Array.fromAsync(app.deps.blobs.list())).toEqual([]);
    expect((await app.call('GET', `/v0.1/user/dsr/export/${id}`, { token })).statusCode).toBe(404);
  });

  test('is no longer available after the archive is canceled, finished or not', async () => {
    const { app, token } = await withAda(dialect);
    const [made, waiting] = [await requestData(app, token, 'export'), await requestData(app, token, 'export')];
    const cancel = (id: string) => app.call('POST', `/v0.1/user/dsr/export/${id}/cancel`, { token, body: {} });
    expect((await cancel(waiting)).statusCode).toBe(202);
    await app.runJobs();
    const { sasUrl } = await getExport(app, token, made);
    expect((await cancel(made)).json().token).toBe(made);
    expect(await getExport(app, token, waiting)).toEqual({ status: 'None', message: 'The request was canceled.' });
    await expect
      .poll(async () => (await app.http.inject({ method: 'GET', url: new URL(sasUrl).pathname })).statusCode)
      .toBe(404);
    expect((await app.call('GET', '/v0.1/user/dsr', { token })).json()).toEqual({ values: [] });
  });

  test('can be requested 15 times a day with a token that allows changes', async () => {
    const { app, ada, token } = await withAda(dialect);
    for (let n = 0; n < 15; n += 1) await requestData(app, token, 'export');
    const refused = await app.call('POST', '/v0.1/user/dsr/export', { token, body: {} });
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      429,
      'You requested 15 archives within a day. Download one of them, or try again later.',
    ]);
    const viewer = await app.userToken(ada, { scope: ['viewer'] });
    for (const what of ['export', 'delete']) {
      expect((await app.call('POST', `/v0.1/user/dsr/${what}`, { token: viewer, body: {} })).statusCode).toBe(403);
      expect((await app.call('POST', `/v0.1/user/dsr/${what}`, { body: {} })).statusCode).toBe(401);
    }
    app.advance(DAY);
    await requestData(app, token, 'export');
  });
});

eachDatabase('the deletion of an account', (dialect) => {
  test('happens after 28 days and leaves no name or address behind', async () => {
    const { app, ada, root, token, rootToken } = await withAda(dialect);
    const compass = await app.addApp(root, 'compass');
    await app.addMember(compass, ada, 'manager');
    const stores = '/v0.1/apps/root/compass/distribution_stores';
    const store = { type: 'googleplay', name: 'Play', track: 'alpha' };
    expect((await app.call('POST', stores, { token, body: store })).statusCode).toBe(201);
    const id = await requestData(app, token, 'delete');
    const { json, statusCode } = await getDeletion(app, id, 'Ada@Example.com');
    expect([statusCode, json().status]).toEqual([200, 'Created']);
    expect(json().message).toMatch(/^The account will be deleted on \d{4}-\d\d-\d\d\. Until then you can cancel it\.$/);
    await app.runJobs();
    app.advance(28 * DAY - 1);
    await sweep(app);
    expect((await app.call('GET', '/v0.1/user', { token: await app.userToken(ada) })).statusCode).toBe(200);
    app.advance(1);
    await sweep(app);
    expect((await app.call('GET', '/v0.1/user', { token })).statusCode).toBe(401);
    expect((await getDeletion(app, id, 'ada@example.com')).json()).toEqual({
      status: 'Completed',
      message: 'Deleted the account and all personal data of its user.',
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
    const [remainingStore] = (await app.call('GET', stores, { token: rootToken })).json();
    expect([remainingStore.name, remainingStore.created_by]).toEqual(['Play', undefined]);
  });

  test('of the sender of feedback leaves no name or address that a search finds', async () => {
    const { app, send, list } = await openFeedback(dialect);
    const token = await app.userToken(await app.addUser('hopper', { email: 'grace@example.org' }));
    await send({ text: 'The chart is upside down.', name: 'Grace', email: 'grace@example.org' });
    expect(await list('?search=grace')).toHaveLength(1);
    await requestData(app, token, 'delete');
    app.advance(28 * DAY);
    await sweep(app);
    expect(await list('?search=grace')).toEqual([]);
    expect(await list('?search=chart')).toHaveLength(1);
  });

  test('is announced by email, and its receipt stays available for a year', async () => {
    const { app, token } = await withAda(dialect);
    const id = await requestData(app, token, 'delete');
    const mails = await app.database.query((q) => q.selectFrom('mails').selectAll().orderBy('id'));
    expect(mails.at(-1)).toMatchObject({
      to: 'ada@example.com',
      subject: 'Your Mooring account is scheduled for deletion',
      text: expect.stringContaining(
        `The account will be deleted on ${toIso(app.deps.clock.now() + 28 * DAY).slice(0, 10)}.`,
      ),
    });
    const { values } = (await app.call('GET', '/v0.1/user/dsr', { token })).json();
    expect(values).toMatchObject([{ token: id, kind: 'delete', status: 'Created' }]);
    app.advance(28 * DAY);
    await sweep(app);
    app.advance(365 * DAY);
    await sweep(app);
    expect((await getDeletion(app, id, 'ada@example.com')).json().status).toBe('Completed');
    app.advance(1);
    await sweep(app);
    expect((await getDeletion(app, id, 'ada@example.com')).statusCode).toBe(404);
  });

  test('can be tracked without a credential, with the receipt and the email', async () => {
    const { app, token } = await withAda(dialect);
    const id = await requestData(app, token, 'delete');
    const wrong = [
      await getDeletion(app, id, 'root@example.com'),
      await getDeletion(app, '0f0b7c1e-58d7-4a8e-9a51-6d1e5c1f2b30', 'ada@example.com'),
      await getDeletion(app, await requestData(app, token, 'export'), 'ada@example.com'),
    ];
    expect(wrong.map(({ statusCode, body }) => [statusCode, JSON.parse(body).error.message])).toEqual(
      wrong.map(() => [404, 'No such data request with this token.']),
    );
  });

  test('can be canceled only by the requester', async () => {
    const { app, token, rootToken } = await withAda(dialect);
    const earlier = await requestData(app, token, 'delete');
    const id = await requestData(app, token, 'delete');
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
    'that is canceled when it is due (%s) is either canceled or completed',
    async (order) => {
      const { app, ada, token } = await withAda(dialect);
      const id = await requestData(app, token, 'delete');
      app.advance(28 * DAY);
      const fresh = await app.userToken(ada);
      const cancel = async () =>
        (await app.call('POST', `/v0.1/user/dsr/delete/${id}/cancel`, { token: fresh, body: {} })).statusCode;
      const isCancelledFirst = order === 'cancelled first';
      const responses = await atOnce<unknown>(
        app,
        isCancelledFirst ? [cancel, () => sweep(app)] : [() => sweep(app), cancel],
      );
      const users = await app.database.query((q) => q.selectFrom('users').select('id').where('id', '=', ada.id));
      expect([responses.includes(202), users.length]).toEqual(isCancelledFirst ? [true, 1] : [false, 0]);
    },
  );

  test('fails with the reason while others depend on the account, as announced beforehand', async () => {
    const { app, ada, token } = await withAda(dialect);
    await app.addApp(ada, 'compass');
    const id = await requestData(app, token, 'delete');
    expect((await getDeletion(app, id, ada.email)).json().message).toMatch(
      /The deletion would currently fail: .*ada, which still owns apps \(compass\)/,
    );
    app.advance(28 * DAY);
    await sweep(app);
    expect((await getDeletion(app, id, ada.email)).json()).toMatchObject({
      status: 'Failed',
      message: expect.stringMatching(/^Can't delete ada, which still owns apps \(compass\)/),
    });
    const mails = await app.database.query((q) => q.selectFrom('mails').select('subject').orderBy('id'));
    expect(mails.at(-1)?.subject).toBe('Your Mooring account could not be deleted');
  });
});
