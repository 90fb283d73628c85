import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { changes, recorded } from '../../../../test/harness/audit.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { addClient, openBrowser, toAuthorizeUrl } from '../../../../test/harness/services/oauth.ts';
import { systemCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { insertClient } from './clients.store.ts';
import { COMMAND_LINE, findClient, SPECIFICATION } from './clients.ts';

const CLIENTS = '/v0.1/admin/oauth_clients';
const board = {
  name: 'Status board',
  redirect_uris: ['https://board.example.com/signed-in'],
  allows_implicit: false,
};
const createAdminToken = async (app: TestApp) => app.userToken(await app.addUser('ada', { isAdmin: true }));

eachDatabase('clients', (dialect) => {
  test('are registered, changed and deleted by administrators, and every change is audited', async () => {
    const app = await testApp(dialect);
    const token = await createAdminToken(app);
    const { allows_implicit: _, ...withoutFlow } = board;
    const undecided = await app.call('POST', CLIENTS, { token, body: withoutFlow });
    expect([undecided.statusCode, undecided.body]).toEqual([400, expect.stringContaining('allows_implicit')]);
    const made = await app.call('POST', CLIENTS, { token, body: board });
    expect([made.statusCode, made.json()]).toMatchObject([201, { ...board, allows_implicit: false }]);
    const url = `${CLIENTS}/${made.json().client_id}`;
    const changed = await app.call('PATCH', url, { token, body: { name: ' Board ', allows_implicit: true } });
    expect(changed.json()).toMatchObject({ ...board, name: 'Board', allows_implicit: true });
    expect((await app.call('DELETE', url, { token })).statusCode).toBe(204);
    expect((await app.call('DELETE', url, { token })).statusCode).toBe(404);
    expect((await app.call('PATCH', url, { token, body: {} })).statusCode).toBe(404);
    const log = (await app.call('GET', '/v0.1/admin/audit', { token, query: { action: 'oauth_client' } })).json();
    expect(log.values.map(({ action }: { action: string }) => action)).toEqual([
      'oauth_client.delete',
      'oauth_client.update',
      'oauth_client.create',
    ]);
  });

  test("include built-in ones for the specification and the command line, which follow the server's URL and cannot be deleted", async () => {
    const app = await testApp(dialect);
    const token = await createAdminToken(app);
    const listed = (await app.call('GET', CLIENTS, { token })).json();
    expect(listed.map(({ client_id }: { client_id: string }) => client_id)).toEqual([SPECIFICATION, COMMAND_LINE]);
    expect(listed[0].redirect_uris).toContain('https://localhost:8443/docs/oauth2-redirect.html');
    for (const id of [SPECIFICATION, COMMAND_LINE.toUpperCase()]) {
      expect((await app.call('DELETE', `${CLIENTS}/${id}`, { token })).statusCode).toBe(409);
      expect((await app.call('PATCH', `${CLIENTS}/${id}`, { token, body: {} })).statusCode).toBe(409);
    }
  });

  test.each(['http://board.example.com/', 'https://board.example.com/#a', 'board'])(
    'cannot have the redirect URL %s',
    async (uri) => {
      const app = await testApp(dialect);
      const token = await createAdminToken(app);
      const body = { ...board, redirect_uris: [...board.redirect_uris, uri] };
      const response = await app.call('POST', CLIENTS, { token, body });
      expect([response.statusCode, response.json().error.message]).toEqual([400, expect.stringContaining(uri)]);
      const { client_id } = (await app.call('POST', CLIENTS, { token, body: board })).json();
      const change = { redirect_uris: [uri] };
      expect((await app.call('PATCH', `${CLIENTS}/${client_id}`, { token, body: change })).statusCode).toBe(400);
    },
  );

  test('are audited with their values before and after', async () => {
    const app = await testApp(dialect);
    const token = await createAdminToken(app);
    const { client_id } = (await app.call('POST', CLIENTS, { token, body: board })).json();
    const uris = ['https://one.example.com/', 'https://two.example.com/'];
    const body = { name: 'Board', redirect_uris: uris, allows_implicit: true };
    await app.call('PATCH', `${CLIENTS}/${client_id.toUpperCase()}`, { token, body });
    await app.call('DELETE', `${CLIENTS}/${client_id}`, { token });
    const was = { name: 'Status board', redirect_uris: board.redirect_uris[0], allows_implicit: false };
    const is = { name: 'Board', redirect_uris: uris.join(' '), allows_implicit: true };
    expect(await changes(app, 'oauth_client.')).toEqual([
      ['oauth_client.create', 'Status board', undefined, was],
      ['oauth_client.update', 'Board', was, is],
      ['oauth_client.delete', 'Board', is, undefined],
    ]);
    const subjects = (await recorded(app, 'oauth_client.')).map(({ subject }) => [subject.kind, subject.id]);
    expect(subjects).toEqual(subjects.map(() => ['oauth_client', client_id]));
  });

  test('keeps omitted fields and changes no other clients', async () => {
    const app = await testApp(dialect);
    const token = await createAdminToken(app);
    const make = async (name: string) => (await app.call('POST', CLIENTS, { token, body: { ...board, name } })).json();
    const [one, other] = [await make('One'), await make('Other')];
    const list = async () => (await app.call('GET', CLIENTS, { token })).json().slice(2);
    expect(await list()).toEqual([one, other]);
    const changed = await app.call('PATCH', `${CLIENTS}/${one.client_id}`, { token, body: { allows_implicit: true } });
    expect(changed.json()).toEqual({ ...one, allows_implicit: true });
    expect(await list()).toEqual([changed.json(), other]);
    await app.call('DELETE', `${CLIENTS}/${one.client_id}`, { token });
    expect(await list()).toEqual([other]);
  });

  test('are limited to five hundred, also under concurrent creation', async () => {
    const app = await testApp(dialect);
    const token = await createAdminToken(app);
    await tx(systemCtx(app.deps), async ({ db, newId }) => {
      const row = { name: 'x', redirect_uris: '[]', allows_implicit: 0, created_at: 0 } as const;
      for (let n = 0; n < 499; n++) await insertClient.run(db, { id: newId(), ...row });
    });
    const make = async () => {
      const response = await app.call('POST', CLIENTS, { token, body: board });
      return [response.statusCode, response.json().error?.message];
    };
    expect(await atOnce(app, [make, make])).toEqual([
      [201, undefined],
      [409, 'This server already has 500 clients, the maximum. Delete one first.'],
    ]);
  });

  test('keep both of two concurrent changes', async () => {
    const app = await testApp(dialect);
    const token = await createAdminToken(app);
    const { client_id } = (await app.call('POST', CLIENTS, { token, body: board })).json();
    const change = (body: object) => async () =>
      (await app.call('PATCH', `${CLIENTS}/${client_id}`, { token, body })).statusCode;
    expect(await atOnce(app, [change({ name: 'Wall' }), change({ allows_implicit: true })])).toEqual([200, 200]);
    expect(await findClient(app.deps, client_id)).toMatchObject({ name: 'Wall', allowsImplicit: true });
  });

  test.each(['deleted first', 'allowed first'])('that are %s lose all consents', async (order) => {
    const app = await testApp(dialect);
    const token = await createAdminToken(app);
    const client = await addClient(app);
    const browser = openBrowser(app);
    await browser.signIn('ada');
    const remove = async () => (await app.call('DELETE', `${CLIENTS}/${client.id}`, { token })).statusCode;
    const allow = async () => (await browser.answer(toAuthorizeUrl(client))).status;
    const isDeletedFirst = order === 'deleted first';
    const statuses = await atOnce(app, isDeletedFirst ? [remove, allow] : [allow, remove]);
    expect(statuses.map((status) => status < 400)).toEqual([true, !isDeletedFirst]);
    expect(await app.database.query((q) => q.selectFrom('oauth_consents').selectAll())).toEqual([]);
  });

  test('are found by ID in any case', async () => {
    const app = await testApp(dialect);
    const token = await createAdminToken(app);
    const { client_id } = (await app.call('POST', CLIENTS, { token, body: board })).json();
    const found = async (id: string) => (await findClient(app.deps, id))?.id;
    expect(await found(client_id)).toBe(client_id);
    expect(await found(client_id.toUpperCase())).toBe(client_id);
    expect(await found(COMMAND_LINE.toUpperCase())).toBe(COMMAND_LINE);
    for (const id of ['', 'x', app.deps.newId(), `${client_id} `]) expect(await found(id)).toBeUndefined();
  });
});
