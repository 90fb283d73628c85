import { SDK_KEYS_MAX } from '@mooring/contract';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { HOUR } from '../../kernel/clock.ts';
import { buildDsn } from './dsn.ts';
import { parseSentryAuth } from './sent-credentials.ts';

const home = '/v0.1/apps/ada/buoy/sentry';

async function withApp(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  const buoy = await app.addApp(ada, 'buoy');
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', body?: object, as = token) =>
    app.call(method, `${home}${path}`, { token: as, ...(body ? { body } : {}) });
  const keys = async () => (await call('GET', '/keys')).json().values;
  return { app, ada, buoy, call, keys };
}

eachDatabase('SDK keys', (dialect) => {
  test('every app has a project ID and a key, which make its DSN', async () => {
    const { app, ada, call, keys } = await withApp(dialect);
    const { dsn, project_id, public_key } = (await call('GET')).json();
    expect(public_key).toMatch(/^[0-9a-f]{32}$/);
    expect(Number.isSafeInteger(project_id)).toBe(true);
    expect(dsn).toBe(buildDsn(app.deps.publicUrl(), { publicKey: public_key, projectId: project_id }));
    expect(await keys()).toEqual([
      { public_key, name: 'Default', is_enabled: true, dsn, created_at: '2026-11-01T09:00:00.000Z' },
    ]);
    await app.addApp(ada, 'raft');
    const other = (await app.call('GET', '/v0.1/apps/ada/raft/sentry', { token: await app.userToken(ada) })).json();
    expect(other.project_id).not.toBe(project_id);
    expect(other.public_key).not.toBe(public_key);
  });

  test('a key is replaced step by step: add one, then revoke the old one with an overlap', async () => {
    const { app, call, keys } = await withApp(dialect);
    const { public_key: first } = (await call('GET')).json();
    app.advance(HOUR);
    const created = await call('POST', '/keys', { name: ' Version 2 ' });
    expect([created.statusCode, created.json()]).toMatchObject([201, { name: 'Version 2', is_enabled: true }]);
    const second = created.json().public_key;
    expect((await call('GET')).json().public_key).toBe(second);
    expect((await call('DELETE', `/keys/${first.toUpperCase()}?overlap_hours=2`)).statusCode).toBe(204);
    expect(
      (await keys()).map((key: { public_key: string; ends_at?: string }) => [key.public_key, key.ends_at]),
    ).toEqual([
      [second, undefined],
      [first, '2026-11-01T12:00:00.000Z'],
    ]);
    app.advance(2 * HOUR);
    expect((await keys()).map((key: { public_key: string }) => key.public_key)).toEqual([second]);
    expect((await call('DELETE', `/keys/${first}`)).statusCode).toBe(404);
    expect((await call('DELETE', `/keys/${second}`)).statusCode).toBe(204);
    const none = await call('GET');
    expect([none.statusCode, none.json().error.message]).toEqual([409, expect.stringContaining('Create a key')]);
  });

  test('a key is disabled and enabled; the DSN is that of an enabled one that is not being revoked', async () => {
    const { call } = await withApp(dialect);
    const { public_key: first } = (await call('GET')).json();
    const { public_key: second } = (await call('POST', '/keys', {})).json();
    expect((await call('PATCH', `/keys/${first}`, { is_enabled: false })).json()).toMatchObject({ is_enabled: false });
    expect((await call('GET')).json().public_key).toBe(second);
    await call('DELETE', `/keys/${second}?overlap_hours=5`);
    expect((await call('GET')).json().public_key).toBe(second);
    await call('PATCH', `/keys/${first}`, { is_enabled: true, name: 'Main' });
    expect((await call('GET')).json().public_key).toBe(first);
  });

  test('only managers change keys, never with a Read-Only token; the audit log has no key', async () => {
    const { app, ada, buoy, call } = await withApp(dialect);
    const { public_key } = (await call('GET')).json();
    const grace = await app.addUser('grace');
    const linus = await app.addUser('linus');
    await app.addMember(buoy, grace, 'developer');
    await app.addMember(buoy, linus, 'tester');
    const callers: [string, number, number][] = [
      [await app.userToken(grace), 200, 403],
      [await app.userToken(linus), 403, 403],
      [await app.userToken(ada, { scope: ['viewer'] }), 200, 403],
      [await app.appToken(buoy, ada, { scope: ['viewer'] }), 200, 403],
    ];
    for (const [token, reads, changes] of callers) {
      expect((await call('GET', '', undefined, token)).statusCode).toBe(reads);
      expect((await call('GET', '/keys', undefined, token)).statusCode).toBe(reads);
      expect((await call('POST', '/keys', {}, token)).statusCode).toBe(changes);
      expect((await call('PATCH', `/keys/${public_key}`, { name: 'x' }, token)).statusCode).toBe(changes);
      expect((await call('DELETE', `/keys/${public_key}`, undefined, token)).statusCode).toBe(changes);
    }
    const { public_key: added } = (await call('POST', '/keys', {})).json();
    await call('PATCH', `/keys/${added}`, { name: 'y' });
    await call('DELETE', `/keys/${added}`);
    const events = await app.database.query((q) => q.selectFrom('audit_events').selectAll().orderBy('id'));
    expect(events.map(({ action }) => action).slice(-3)).toEqual([
      'sdk_key.create',
      'sdk_key.update',
      'sdk_key.delete',
    ]);
    expect(JSON.stringify(events)).not.toContain(added);
  });

  test('a key of another app is not found', async () => {
    const { app, ada, call } = await withApp(dialect);
    const { public_key } = (await call('GET')).json();
    await app.addApp(ada, 'raft');
    const token = await app.userToken(ada);
    const foreign = await app.call('DELETE', `/v0.1/apps/ada/raft/sentry/keys/${public_key}`, { token });
    expect(foreign.statusCode).toBe(404);
    expect((await call('GET')).json().public_key).toBe(public_key);
  });

  test('an app has at most 20 keys, even if two are added concurrently', async () => {
    const { app, call, keys } = await withApp(dialect);
    for (let count = 1; count < SDK_KEYS_MAX - 1; count += 1) await call('POST', '/keys', {});
    const statuses = (await atOnce(app, [() => call('POST', '/keys', {}), () => call('POST', '/keys', {})])).map(
      ({ statusCode }) => statusCode,
    );
    expect(statuses).toEqual([201, 409]);
    expect(await keys()).toHaveLength(SDK_KEYS_MAX);
  });
});

test('a DSN keeps the port and the path of the server, and has no trailing slash', () => {
  const key = { publicKey: 'a'.repeat(32), projectId: 42 };
  expect(buildDsn('https://mooring.example.com', key)).toBe(`https://${key.publicKey}@mooring.example.com/42`);
  expect(buildDsn('http://localhost:8080/', key)).toBe(`http://${key.publicKey}@localhost:8080/42`);
  expect(buildDsn('https://example.com/apps/', key)).toBe(`https://${key.publicKey}@example.com/apps/42`);
});

test('reads the fields of X-Sentry-Auth in any order, with and without blanks', () => {
  const expected = { publicKey: 'K', client: 'sentry.native/0.16' };
  for (const header of [
    'Sentry sentry_key=K, sentry_version=7, sentry_client=sentry.native/0.16',
    'sentry sentry_version=7,sentry_client=sentry.native/0.16,sentry_key=K,sentry_secret=S',
  ]) {
    expect(parseSentryAuth(header)).toEqual(expected);
  }
  for (const header of ['', 'Sentry', 'Bearer K', 'K']) expect(parseSentryAuth(header)).toBeUndefined();
  expect(parseSentryAuth('Sentry sentry_key=, =, ,,')).toEqual({ publicKey: undefined, client: undefined });
});
