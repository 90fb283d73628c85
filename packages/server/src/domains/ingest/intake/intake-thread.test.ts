import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { readReceived } from '../batches/batches.ts';
import { startIntakeThread } from './intake-thread.ts';

eachDatabase('The ingestion thread', (dialect) => {
  async function opened() {
    const app = await testApp(dialect, { ingestThread: true });
    const ada = await app.addUser('ada');
    const ref = await app.addApp(ada, 'Shop');
    const { app_secret } = (
      await app.call('GET', `/v0.1/apps/ada/${ref.name}`, { token: await app.userToken(ada) })
    ).json();
    const send = (payload: Buffer | string, headers: Record<string, string> = {}) =>
      app.http.inject({
        method: 'POST',
        url: '/logs?api-version=1.0.0',
        payload,
        headers: {
          'content-type': 'application/json',
          'app-secret': app_secret,
          'install-id': '0d1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d11',
          ...headers,
        },
      });
    return { app, ref, send };
  }
  const log = (name: string) => ({
    type: 'event',
    id: name,
    name,
    timestamp: new Date().toISOString(),
    device: { sdkName: 'appcenter.android', sdkVersion: '5.0.6' },
  });
  const body = (...names: string[]) => JSON.stringify({ logs: names.map(log) });

  test('stores accepted logs, notifies consumers and reports what is invalid', async () => {
    const { app, ref, send } = await opened();
    const gzip = { 'content-encoding': 'gzip' };
    const responses = await Promise.all([
      send(body('a')),
      send(gzipSync(body('b', 'c')), gzip),
      send('{"logs":['),
      send('no gzip', gzip),
      send(JSON.stringify({ logs: [log('d'), 'invalid'] })),
    ]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 400, 400, 200]);
    expect(responses[1]?.json()).toMatchObject({ accepted: 2 });
    expect(responses[2]?.json().error.message).toMatch(/^The body is not valid JSON/);
    expect(responses[4]?.json()).toMatchObject({ accepted: 1, invalid: 1 });
    const { batches } = await readReceived(app.deps, ref.id, { after: 0, limit: 10 });
    expect(batches.flatMap(({ logs }) => logs.map(({ value }) => value.name)).sort()).toEqual(['a', 'b', 'c', 'd']);
  });
});

test('after a thread ends, its requests are sent again, and the next one starts another', async () => {
  const { deps } = await testApp('sqlite');
  const failures: unknown[] = [];
  const log = { ...deps.log, error: (what: unknown) => void failures.push(what) } as typeof deps.log;
  const takeLogs = startIntakeThread({ ...deps, log, config: { ...deps.config, databaseUrl: '/dev/null/gone' } });
  const sent = { encoding: 'identity', bytes: Buffer.from('{"logs":[]}'), maxInflated: 1000 } as const;
  const sendLogs = () =>
    expect(takeLogs({ appId: 'a', installId: undefined, sent })).rejects.toMatchObject({
      code: 'ServiceUnavailable',
    });
  await Promise.all([sendLogs(), sendLogs()]);
  await sendLogs();
  expect(failures).toHaveLength(2);
});
