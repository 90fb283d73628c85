import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { COMMAND_LINE, SPECIFICATION } from './clients.ts';

const CLIENTS = '/v0.1/admin/oauth_clients';
const board = { name: 'Status board', redirect_uris: ['https://board.example.com/signed-in'] };
const adminOf = async (app: TestApp) => app.userToken(await app.addUser('ada', { isAdmin: true }));

eachDatabase('clients', (dialect) => {
  test('are registered, changed and removed by administrators, and every change is recorded', async () => {
    const app = await testApp(dialect);
    const token = await adminOf(app);
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

  test('come with the server for the specification and the command line, follow its address, and stay', async () => {
    const app = await testApp(dialect);
    const token = await adminOf(app);
    const listed = (await app.call('GET', CLIENTS, { token })).json();
    expect(listed.map(({ client_id }: { client_id: string }) => client_id)).toEqual([SPECIFICATION, COMMAND_LINE]);
    expect(listed[0].redirect_uris).toContain('https://localhost:8443/docs/oauth2-redirect.html');
    for (const id of [SPECIFICATION, COMMAND_LINE.toUpperCase()]) {
      expect((await app.call('DELETE', `${CLIENTS}/${id}`, { token })).statusCode).toBe(409);
      expect((await app.call('PATCH', `${CLIENTS}/${id}`, { token, body: {} })).statusCode).toBe(409);
    }
  });

  test.each(['http://board.example.com/', 'https://board.example.com/#a', 'board'])(
    'cannot have answers sent to %s',
    async (uri) => {
      const app = await testApp(dialect);
      const token = await adminOf(app);
      const body = { ...board, redirect_uris: [...board.redirect_uris, uri] };
      const answer = await app.call('POST', CLIENTS, { token, body });
      expect([answer.statusCode, answer.json().error.message]).toEqual([400, expect.stringContaining(uri)]);
      const { client_id } = (await app.call('POST', CLIENTS, { token, body: board })).json();
      const change = { redirect_uris: [uri] };
      expect((await app.call('PATCH', `${CLIENTS}/${client_id}`, { token, body: change })).statusCode).toBe(400);
    },
  );
});
