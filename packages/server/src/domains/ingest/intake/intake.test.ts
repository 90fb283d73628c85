import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { logTypes } from '@mooring/contract';
import { expect, test, vi } from 'vitest';
import { createLog, device, INSTALL_ID, openIntake } from '../../../../test/harness/intake.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { DAY, HOUR, MINUTE } from '../../../kernel/clock.ts';
import { createHourLimit } from './hour-limit.ts';

const isFine = { statusCode: 200 };

eachDatabase('POST /logs', (dialect) => {
  test('stores the logs of an SDK, plain or compressed, and reports the result', async () => {
    const { send, storedBatches } = await openIntake(dialect);
    const logs = [createLog({ name: 'a', 'an unknown key': [1, { b: null }] }), createLog({ type: 'startSession' })];
    const plain = await send({ logs });
    expect([plain.statusCode, plain.json()]).toEqual([200, { accepted: 2, invalid: 0, dropped: 0 }]);
    const zipped = await send(gzipSync(JSON.stringify({ logs })), { 'content-encoding': 'gzip' });
    expect(zipped.json()).toEqual({ accepted: 2, invalid: 0, dropped: 0 });
    const batches = await storedBatches();
    expect(batches.map(({ installId }) => installId)).toEqual(Array(2).fill(INSTALL_ID.toLowerCase()));
    for (const batch of batches) expect(batch.logs.map(({ value }) => value)).toEqual(logs);
  });

  test('accepts every dialect: case of names and IDs, indentation, fractions of a second, byte order mark', async () => {
    const { send, secret, storedLogs } = await openIntake(dialect);
    const body = JSON.stringify({ logs: [createLog({ timestamp: '2026-11-01T08:59:59.1234567Z' })] }, undefined, 2);
    const ways: [string, Record<string, string>, string?][] = [
      [body, { 'content-type': 'application/json; charset=utf-8' }],
      [body, { 'app-secret': secret.toUpperCase() }, '/logs?Api-Version=1.0.0'],
      [`\uFEFF${body}`, {}, '/logs'],
      [body, { 'content-type': 'text/plain' }, '/logs/?API-VERSION=2.0'],
      [body, { 'install-id': INSTALL_ID.toLowerCase() }, '/Logs?api-version=1.0.0'],
    ];
    for (const [text, headers, url] of ways)
      expect((await send(text, headers, url)).json()).toMatchObject({ accepted: 1 });
    expect(await storedLogs()).toHaveLength(ways.length);
  });

  test('records invalid logs with the reason, counts them, and stores the other logs of the batch', async () => {
    const { send, storedLogs, status } = await openIntake(dialect);
    const invalid: [object | number | null, string][] = [
      [7, 'not_an_object'],
      [null, 'not_an_object'],
      [[createLog()] as object, 'not_an_object'],
      [createLog({ type: 'evnt' }), 'unknown_type'],
      [createLog({ type: 'constructor' }), 'unknown_type'],
      [createLog({ type: 5 }), 'unknown_type'],
      [createLog({ device: 'phone' }), 'no_device'],
      [createLog({ device: undefined }), 'no_device'],
      [createLog({ timestamp: 'yesterday' }), 'bad_timestamp'],
      [createLog({ timestamp: 1793523600000 }), 'bad_timestamp'],
    ];
    const valid = [createLog({ name: 'first' }), createLog({ name: 'last' })];
    const response = await send({ logs: [valid[0], ...invalid.map(([what]) => what), valid[1]] });
    expect([response.statusCode, response.json()]).toEqual([
      200,
      {
        accepted: 2,
        invalid: invalid.length,
        invalid_reasons: ['not_an_object', 'unknown_type', 'no_device', 'bad_timestamp'],
        dropped: 0,
      },
    ]);
    expect(await storedLogs()).toEqual(valid);
    const { invalid_logs, hour } = await status();
    expect(invalid_logs.map(({ reason }: { reason: string }) => reason).reverse()).toEqual(
      invalid.map(([, reason]) => reason),
    );
    expect(invalid_logs.at(-1)).toMatchObject({ log: '7', install_id: INSTALL_ID.toLowerCase() });
    expect(hour).toMatchObject({ batches: 1, logs: 2, invalid: invalid.length });
  });

  test('records everything without an install ID or logs as invalid, and never refuses it', async () => {
    const { send, storedBatches, status } = await openIntake(dialect);
    for (const id of ['', 'me', `${INSTALL_ID}'; --`]) {
      expect((await send({ logs: [createLog(), createLog()] }, { 'install-id': id })).json()).toMatchObject({
        accepted: 0,
        invalid: 2,
        invalid_reasons: ['no_install_id'],
      });
    }
    for (const body of ['{}', '[]', '7', 'null', '"x"', '{"logs":{}}', '{"logs":null}']) {
      const response = await send(body);
      const { invalid, invalid_reasons } = response.json();
      expect([body, response.statusCode, invalid, invalid_reasons]).toEqual([body, 200, 1, ['no_logs']]);
    }
    expect((await send({ logs: [] })).json()).toEqual({ accepted: 0, invalid: 0, dropped: 0 });
    expect(await storedBatches()).toEqual([]);
    const reasons = new Set((await status()).invalid_logs.map(({ reason }: { reason: string }) => reason));
    expect(reasons).toEqual(new Set(['no_install_id', 'no_logs']));
  });

  test('drops and counts logs more than 25 days old or 3 days ahead; a log without a time counts as new', async () => {
    const { app, send, storedBatches, status } = await openIntake(dialect);
    const now = app.deps.clock.now();
    const at = (ms: number) => createLog({ timestamp: new Date(now + ms).toISOString() });
    const logs = [at(-25 * DAY - 1), at(-25 * DAY), at(3 * DAY), at(3 * DAY + 1), createLog({ timestamp: undefined })];
    expect((await send({ logs })).json()).toEqual({ accepted: 3, invalid: 0, dropped: 2 });
    const [batch] = await storedBatches();
    expect(batch?.logs.map((each) => each.at - now)).toEqual([-25 * DAY, 3 * DAY, 0]);
    expect((await status()).day).toMatchObject({ dropped: 2, logs: 3 });
  });

  test('refuses only broken JSON, with 400, and an unknown app secret, with 403; errors are never empty', async () => {
    const { send, status } = await openIntake(dialect);
    for (const body of ['garbage', '{"logs":[', '[', '{"logs":[]}x']) {
      const { statusCode, body: text } = await send(body);
      expect([body, statusCode, JSON.parse(text).error.code]).toEqual([body, 400, 'BadRequest']);
    }
    const broken = await send(Buffer.from('not gzip'), { 'content-encoding': 'gzip' });
    expect([broken.statusCode, broken.json().error.code]).toEqual([400, 'BadRequest']);
    for (const secret of ['', 'wrong', randomUUID(), "' or 1=1 --"]) {
      const { statusCode, body } = await send({ logs: [createLog()] }, { 'app-secret': secret });
      expect([secret, statusCode, JSON.parse(body).error.code]).toEqual([secret, 403, 'Forbidden']);
    }
    expect((await status()).hour).toMatchObject({ refused: 4, batches: 0 });
  });

  test('never responds with 429, for any number of requests from one address', async () => {
    const { send } = await openIntake(dialect, { rateLimit: 3 });
    for (let n = 0; n < 10; n++) expect(await send({ logs: [createLog()] })).toMatchObject(isFine);
    for (let n = 0; n < 10; n++) {
      expect((await send({ logs: [createLog()] }, { 'app-secret': randomUUID() })).statusCode).toBe(403);
    }
  });

  test('responds with 503 and a retry time while the database is unavailable', async () => {
    const { app, send } = await openIntake(dialect);
    const away = Object.assign(new Error('terminating connection'), { code: '57P01' });
    vi.spyOn(app.database, 'transaction').mockRejectedValueOnce(away);
    const response = await send({ logs: [createLog()] });
    expect(response.statusCode).toBe(503);
    expect(Number(response.headers['x-ms-retry-after-ms'])).toBeGreaterThanOrEqual(5000);
    expect(response.json().error.code).toBe('ServiceUnavailable');
    expect(await send({ logs: [createLog()] })).toMatchObject(isFine);
  });

  test('drops logs from a blocked install or app and still returns success', async () => {
    const { app, send, storedBatches, status, token, home } = await openIntake(dialect);
    const other = randomUUID();
    const blocks = `${home}/devices/block_logs`;
    await send({ logs: [createLog()] });
    expect(await app.call('PUT', `${blocks}/${INSTALL_ID}`, { token, body: {} })).toMatchObject(isFine);
    expect((await send({ logs: [createLog(), createLog()] })).json()).toEqual({ accepted: 0, invalid: 0, dropped: 2 });
    expect((await send({ logs: [createLog()] }, { 'install-id': other })).json()).toMatchObject({ accepted: 1 });
    expect(await app.call('PUT', blocks, { token, body: {} })).toMatchObject(isFine);
    expect((await send({ logs: [createLog()] }, { 'install-id': other })).json()).toMatchObject({
      accepted: 0,
      dropped: 1,
    });
    expect(await status()).toMatchObject({ is_blocked: true, hour: { blocked: 3 } });
    expect(await app.call('DELETE', blocks, { token })).toMatchObject(isFine);
    expect((await send({ logs: [createLog()] })).json()).toMatchObject({ accepted: 0 });
    expect(await app.call('DELETE', `${blocks}/${INSTALL_ID.toLowerCase()}`, { token })).toMatchObject(isFine);
    expect((await send({ logs: [createLog()] })).json()).toMatchObject({ accepted: 1 });
    expect(await storedBatches()).toHaveLength(3);
    expect((await app.call('PUT', `${blocks}/nobody`, { token, body: {} })).statusCode).toBe(400);
  });

  test('blocks and ended app secrets take effect in every process immediately', async () => {
    const { app, secret, token, home } = await openIntake(dialect);
    const other = await app.another();
    const sendLog = async () => {
      const headers = { 'content-type': 'application/json', 'app-secret': secret, 'install-id': INSTALL_ID };
      const payload = JSON.stringify({ logs: [createLog()] });
      const response = await other.http.inject({ method: 'POST', url: '/logs', headers, payload });
      return [response.statusCode, response.json().accepted];
    };
    expect(await sendLog()).toEqual([200, 1]);
    await app.call('PUT', `${home}/devices/block_logs/${INSTALL_ID}`, { token, body: {} });
    expect(await sendLog()).toEqual([200, 0]);
    await app.call('DELETE', `${home}/devices/block_logs/${INSTALL_ID}`, { token });
    expect(await sendLog()).toEqual([200, 1]);
    await app.call('POST', `${home}/secrets/rotate`, { token, body: { overlap_hours: 0 } });
    expect((await sendLog())[0]).toBe(403);
  });

  test('a replaced secret stays valid until it expires or is ended', async () => {
    const { app, secret, send, token, home } = await openIntake(dialect);
    const rotate = async (overlap_hours: number) =>
      (await app.call('POST', `${home}/secrets/rotate`, { token, body: { overlap_hours } })).json();
    const second = await rotate(2);
    expect(second.former).toEqual([{ app_secret: secret, ends_at: '2026-11-01T11:00:00.000Z' }]);
    const getStatus = async (each: string) => (await send({ logs: [createLog()] }, { 'app-secret': each })).statusCode;
    expect([await getStatus(secret), await getStatus(second.app_secret)]).toEqual([200, 200]);
    app.advance(2 * HOUR - 1);
    expect(await getStatus(secret)).toBe(200);
    app.advance(1);
    expect(await getStatus(secret)).toBe(403);
    const third = await rotate(1);
    expect(third.former).toHaveLength(1);
    expect(await getStatus(second.app_secret)).toBe(200);
    expect((await app.call('DELETE', `${home}/secrets/former`, { token })).statusCode).toBe(204);
    expect([await getStatus(second.app_secret), await getStatus(third.app_secret)]).toEqual([403, 200]);
  });

  test('a deleted app accepts no more logs, and logs of other apps in the same group are stored', async () => {
    const { app, ada, send, storedBatches, token } = await openIntake(dialect);
    await app.addApp(ada, 'gone');
    const { app_secret } = (await app.call('GET', '/v0.1/apps/ada/gone', { token })).json();
    expect(await send({ logs: [createLog()] }, { 'app-secret': app_secret })).toMatchObject(isFine);
    await app.call('DELETE', '/v0.1/apps/ada/gone', { token });
    const responses = await Promise.all([
      send({ logs: [createLog()] }),
      send({ logs: [createLog()] }, { 'app-secret': app_secret }),
      send({ logs: [createLog()] }),
    ]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 403, 200]);
    expect(await storedBatches()).toHaveLength(2);
  });

  test('reports the last SDK and app version and counts by minute', async () => {
    const { app, send, status } = await openIntake(dialect);
    expect(await status()).toMatchObject({ senders: [], invalid_logs: [], minutes: [], hour: { logs: 0 } });
    await send({ logs: [createLog(), createLog()] });
    app.advance(2 * MINUTE);
    await send({ logs: [createLog({ device: { ...device, wrapperSdkName: 'appcenter.react-native' } })] });
    const found = await status();
    expect(found.senders).toMatchObject([
      { sdk: 'appcenter.android (appcenter.react-native)', logs: 1, last_at: '2026-11-01T09:02:00.000Z' },
      { sdk: 'appcenter.android', sdk_version: '5.0.6', app_version: '1.4.0', logs: 2 },
    ]);
    expect(found.minutes.map(({ logs }: { logs: number }) => logs)).toEqual([2, 1]);
    expect(found).toMatchObject({ last_received_at: '2026-11-01T09:02:00.000Z', hour: { batches: 2, logs: 3 } });
    app.advance(DAY);
    expect(await status()).toMatchObject({ day: { logs: 0 }, minutes: [] });
  });

  test('made-up values fill neither the list of senders nor that of invalid logs', async () => {
    const { app, send } = await openIntake(dialect);
    const made = Array.from({ length: 300 }, (_, n) => createLog({ device: { sdkName: `x${n}` } }));
    for (const each of made) await send({ logs: [each, ...Array(20).fill(1)] });
    const count = async (table: 'ingest_senders' | 'ingest_invalid_logs') =>
      (await app.database.query((q) => q.selectFrom(table).select('app_id'))).length;
    expect(await count('ingest_senders')).toBe(201);
    expect(await count('ingest_invalid_logs')).toBe(20);
  });

  test('pages of other origins can only send if the operator allows them', async () => {
    const origin = 'https://shop.example.com';
    const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'app-secret' };
    const { app, send } = await openIntake(dialect, { ingestOrigins: [origin] });
    const preflight = await app.call('OPTIONS', '/logs', { headers: headers });
    expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([204, origin]);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-methods': 'POST, HEAD',
      'access-control-allow-headers': 'content-type, content-encoding, app-secret, install-id',
    });
    expect((await send({ logs: [createLog()] }, { origin })).headers['access-control-allow-origin']).toBe(origin);
    const refused = await send({ logs: [createLog()] }, { origin, 'app-secret': randomUUID() });
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([403, origin]);
    const foreign = { ...headers, origin: 'https://elsewhere.example.com' };
    expect((await app.call('OPTIONS', '/logs', { headers: foreign })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });

  test('HEAD reports whether a secret is valid, also to an allowed page, without side effects', async () => {
    const origin = 'https://shop.example.com';
    const { app, ada, secret, status } = await openIntake(dialect, { ingestOrigins: [origin] });
    const before = await status();
    const check = (headers: Record<string, string>) => app.call('HEAD', '/logs?api-version=1.0.0', { headers });
    const fine = await check({ 'app-secret': secret.toUpperCase(), origin });
    expect([fine.statusCode, fine.body, fine.headers['access-control-allow-origin']]).toEqual([204, '', origin]);
    for (const headers of [{}, { 'app-secret': randomUUID() }, { 'app-secret': await app.userToken(ada) }]) {
      const refused = await check(headers as Record<string, string>);
      expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    }
    expect(await status()).toEqual(before);
  });

  test('asks devices to retry later once their app reaches the hourly limit, and shows that', async () => {
    const { app, id, send, status, token, home } = await openIntake(dialect, { ingestMbPerHour: 1 });
    const large = { logs: [createLog({ name: 'x'.repeat(1024 * 1024) })] };
    expect((await send(large)).statusCode).toBe(200);
    const refused = await send({ logs: [createLog()] });
    expect(refused.statusCode).toBe(503);
    expect(refused.json().error.message).toContain('MOORING_INGEST_MB_PER_HOUR');
    expect(Number(refused.headers['x-ms-retry-after-ms'])).toBeGreaterThanOrEqual(MINUTE);
    expect(await status()).toMatchObject({ hour_limit_bytes: 1024 * 1024, hour: { logs: 1, limited: 1 } });
    const usage = (await app.call('GET', `${home}/billing/aggregated`, { token })).json();
    const figures = usage.usage.allServices.currentUsagePeriod.byAccount;
    expect(figures.ingested_bytes_hour).toBeGreaterThan(1024 * 1024);
    // Another process reads it from the database.
    expect(await createHourLimit((await app.another()).deps).isReached(id)).toBe(true);
    app.advance(HOUR + MINUTE);
    expect((await send({ logs: [createLog({ timestamp: undefined })] })).json()).toMatchObject({ accepted: 1 });
  });

  test('keeps the disk reserve free of logs, while users can still sign in and delete', async () => {
    const { app, ada, send, token, home } = await openIntake(dialect, { diskReserveMb: 1e12 });
    const refused = await send({ logs: [createLog()] });
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      503,
      expect.stringContaining('MOORING_DISK_RESERVE_MB'),
    ]);
    expect(Number(refused.headers['x-ms-retry-after-ms'])).toBeGreaterThanOrEqual(MINUTE);
    expect((await app.call('GET', '/readyz')).json()).toEqual({
      status: 'ready',
      warning: expect.stringContaining('MOORING_DISK_RESERVE_MB'),
    });
    expect(await app.userToken(ada)).toBeTruthy();
    expect((await app.call('DELETE', home, { token })).statusCode).toBe(204);
  });

  test('knows every type of the wire format', async () => {
    const { send } = await openIntake(dialect);
    expect((await send({ logs: logTypes.map((type) => createLog({ type })) })).json()).toMatchObject({
      accepted: logTypes.length,
    });
  });
});

test('looks up each of a flood of wrong secrets once, and caches the result for a while within a limit', async () => {
  const { app, send } = await openIntake('sqlite');
  const spy = vi.spyOn(app.database, 'run');
  const secret = randomUUID();
  for (let n = 0; n < 20; n++) expect((await send({ logs: [] }, { 'app-secret': secret })).statusCode).toBe(403);
  const lookups = spy.mock.calls.filter(([{ sql }]) => sql.includes('app_former_secrets') && sql.includes('union'));
  expect(lookups).toHaveLength(1);
});
