import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { LOG_MAX_KEYS, LOG_MAX_VALUES, LOGS_MAX_PER_REQUEST, logTypes } from '@mooring/contract';
import { expect, test, vi } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/databases.ts';
import type { Config } from '../../../config.ts';
import type { DialectName } from '../../../db/connection.ts';
import { DAY, HOUR, MINUTE } from '../../../kernel/clock.ts';
import { type Batch, readReceived } from '../batches/batches.ts';
import { createHourLimit } from '../intake/hour-limit.ts';

const device = { sdkName: 'appcenter.android', sdkVersion: '5.0.6', appVersion: '1.4.0' };
const log = (more: object = {}) => ({ type: 'event', timestamp: '2026-11-01T08:59:59.000Z', device, ...more });
const install = 'A0D28AD4-0000-4000-8000-301BB2B39ECA';

async function withApp(dialect: DialectName, settings: Partial<Config> = {}) {
  const app = await testApp(dialect, settings);
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  const { id } = await app.addApp(ada, 'buoy');
  const home = '/v0.1/apps/ada/buoy';
  const { app_secret: secret } = (await app.call('GET', home, { token })).json();
  const send = (body: unknown, headers: Record<string, string> = {}, url = '/logs?api-version=1.0.0') =>
    app.call('POST', url, {
      body: body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      headers: { 'content-type': 'application/json', 'app-secret': secret, 'install-id': install, ...headers },
    });
  const kept = async (after = 0): Promise<Batch[]> => {
    const { batches, isMore } = await readReceived(app.deps, id, { after, limit: 1000 });
    return isMore ? [...batches, ...(await kept(batches.at(-1)?.receivedAt))] : batches;
  };
  const keptLogs = async () => (await kept()).flatMap(({ logs }) => logs.map(({ value }) => value));
  const status = async () => (await app.call('GET', `${home}/ingestion`, { token })).json();
  return { app, ada, id, secret, send, kept, keptLogs, status, token, home };
}

const isFine = { statusCode: 200 };

eachDatabase('POST /logs', (dialect) => {
  test('keeps what an SDK sends, plain or compressed, and says what became of it', async () => {
    const { send, kept } = await withApp(dialect);
    const logs = [log({ name: 'a', 'an unknown key': [1, { b: null }] }), log({ type: 'startSession' })];
    const plain = await send({ logs });
    expect([plain.statusCode, plain.json()]).toEqual([200, { accepted: 2, invalid: 0, dropped: 0 }]);
    const zipped = await send(gzipSync(JSON.stringify({ logs })), { 'content-encoding': 'gzip' });
    expect(zipped.json()).toEqual({ accepted: 2, invalid: 0, dropped: 0 });
    const batches = await kept();
    expect(batches.map(({ installId }) => installId)).toEqual(Array(2).fill(install.toLowerCase()));
    for (const batch of batches) expect(batch.logs.map(({ value }) => value)).toEqual(logs);
  });

  test('takes every dialect: case of names and ids, indentation, fractions of a second, a mark of byte order', async () => {
    const { send, secret, keptLogs } = await withApp(dialect);
    const body = JSON.stringify({ logs: [log({ timestamp: '2026-11-01T08:59:59.1234567Z' })] }, undefined, 2);
    const ways: [string, Record<string, string>, string?][] = [
      [body, { 'content-type': 'application/json; charset=utf-8' }],
      [body, { 'app-secret': secret.toUpperCase() }, '/logs?Api-Version=1.0.0'],
      [`\uFEFF${body}`, {}, '/logs'],
      [body, { 'content-type': 'text/plain' }, '/logs/?API-VERSION=2.0'],
      [body, { 'install-id': install.toLowerCase() }, '/Logs?api-version=1.0.0'],
    ];
    for (const [text, headers, url] of ways)
      expect((await send(text, headers, url)).json()).toMatchObject({ accepted: 1 });
    expect(await keptLogs()).toHaveLength(ways.length);
  });

  test('sets invalid logs aside with the reason, counts them, and keeps the others of the batch', async () => {
    const { send, keptLogs, status } = await withApp(dialect);
    const invalid: [object | number | null, string][] = [
      [7, 'not_an_object'],
      [null, 'not_an_object'],
      [[log()] as object, 'not_an_object'],
      [log({ type: 'evnt' }), 'unknown_type'],
      [log({ type: 'constructor' }), 'unknown_type'],
      [log({ type: 5 }), 'unknown_type'],
      [log({ device: 'phone' }), 'no_device'],
      [log({ device: undefined }), 'no_device'],
      [log({ timestamp: 'yesterday' }), 'bad_timestamp'],
      [log({ timestamp: 1793523600000 }), 'bad_timestamp'],
    ];
    const valid = [log({ name: 'first' }), log({ name: 'last' })];
    const answer = await send({ logs: [valid[0], ...invalid.map(([what]) => what), valid[1]] });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        accepted: 2,
        invalid: invalid.length,
        invalid_reasons: ['not_an_object', 'unknown_type', 'no_device', 'bad_timestamp'],
        dropped: 0,
      },
    ]);
    expect(await keptLogs()).toEqual(valid);
    const { invalid_logs, hour } = await status();
    expect(invalid_logs.map(({ reason }: { reason: string }) => reason).reverse()).toEqual(
      invalid.map(([, reason]) => reason),
    );
    expect(invalid_logs.at(-1)).toMatchObject({ log: '7', install_id: install.toLowerCase() });
    expect(hour).toMatchObject({ batches: 1, logs: 2, invalid: invalid.length });
  });

  test('sets everything aside that comes without an install id or without logs, and never refuses it', async () => {
    const { send, kept, status } = await withApp(dialect);
    for (const id of ['', 'me', `${install}'; --`]) {
      expect((await send({ logs: [log(), log()] }, { 'install-id': id })).json()).toMatchObject({
        accepted: 0,
        invalid: 2,
        invalid_reasons: ['no_install_id'],
      });
    }
    for (const body of ['{}', '[]', '7', 'null', '"x"', '{"logs":{}}', '{"logs":null}']) {
      const answer = await send(body);
      const { invalid, invalid_reasons } = answer.json();
      expect([body, answer.statusCode, invalid, invalid_reasons]).toEqual([body, 200, 1, ['no_logs']]);
    }
    expect((await send({ logs: [] })).json()).toEqual({ accepted: 0, invalid: 0, dropped: 0 });
    expect(await kept()).toEqual([]);
    const reasons = new Set((await status()).invalid_logs.map(({ reason }: { reason: string }) => reason));
    expect(reasons).toEqual(new Set(['no_install_id', 'no_logs']));
  });

  test('drops and counts what is more than 25 days old or 3 days ahead; what says no time came now', async () => {
    const { app, send, kept, status } = await withApp(dialect);
    const now = app.deps.clock.now();
    const at = (ms: number) => log({ timestamp: new Date(now + ms).toISOString() });
    const logs = [at(-25 * DAY - 1), at(-25 * DAY), at(3 * DAY), at(3 * DAY + 1), log({ timestamp: undefined })];
    expect((await send({ logs })).json()).toEqual({ accepted: 3, invalid: 0, dropped: 2 });
    const [batch] = await kept();
    expect(batch?.logs.map((each) => each.at - now)).toEqual([-25 * DAY, 3 * DAY, 0]);
    expect((await status()).day).toMatchObject({ dropped: 2, logs: 3 });
  });

  test('refuses only what is no JSON, with 400, and a secret that no app has, with 403; errors are never empty', async () => {
    const { send, status } = await withApp(dialect);
    for (const body of ['garbage', '{"logs":[', '[', '{"logs":[]}x']) {
      const { statusCode, body: text } = await send(body);
      expect([body, statusCode, JSON.parse(text).error.code]).toEqual([body, 400, 'BadRequest']);
    }
    const broken = await send(Buffer.from('not gzip'), { 'content-encoding': 'gzip' });
    expect([broken.statusCode, broken.json().error.code]).toEqual([400, 'BadRequest']);
    for (const secret of ['', 'wrong', randomUUID(), "' or 1=1 --"]) {
      const { statusCode, body } = await send({ logs: [log()] }, { 'app-secret': secret });
      expect([secret, statusCode, JSON.parse(body).error.code]).toEqual([secret, 403, 'Forbidden']);
    }
    expect((await status()).hour).toMatchObject({ refused: 4, batches: 0 });
  });

  test('never answers 429, however much comes from one address', async () => {
    const { send } = await withApp(dialect, { rateLimit: 3 });
    for (let n = 0; n < 10; n++) expect(await send({ logs: [log()] })).toMatchObject(isFine);
    for (let n = 0; n < 10; n++) {
      expect((await send({ logs: [log()] }, { 'app-secret': randomUUID() })).statusCode).toBe(403);
    }
  });

  test('says 503 and when to come back while the database is away', async () => {
    const { app, send } = await withApp(dialect);
    const away = Object.assign(new Error('terminating connection'), { code: '57P01' });
    vi.spyOn(app.database, 'transaction').mockRejectedValueOnce(away);
    const answer = await send({ logs: [log()] });
    expect(answer.statusCode).toBe(503);
    expect(Number(answer.headers['x-ms-retry-after-ms'])).toBeGreaterThanOrEqual(5000);
    expect(answer.json().error.code).toBe('ServiceUnavailable');
    expect(await send({ logs: [log()] })).toMatchObject(isFine);
  });

  test('drops what a blocked install or app sends, and tells it that all is well', async () => {
    const { app, send, kept, status, token, home } = await withApp(dialect);
    const other = randomUUID();
    const blocks = `${home}/devices/block_logs`;
    await send({ logs: [log()] });
    expect(await app.call('PUT', `${blocks}/${install}`, { token, body: {} })).toMatchObject(isFine);
    expect((await send({ logs: [log(), log()] })).json()).toEqual({ accepted: 0, invalid: 0, dropped: 2 });
    expect((await send({ logs: [log()] }, { 'install-id': other })).json()).toMatchObject({ accepted: 1 });
    expect(await app.call('PUT', blocks, { token, body: {} })).toMatchObject(isFine);
    expect((await send({ logs: [log()] }, { 'install-id': other })).json()).toMatchObject({ accepted: 0, dropped: 1 });
    expect(await status()).toMatchObject({ is_blocked: true, hour: { blocked: 3 } });
    expect(await app.call('DELETE', blocks, { token })).toMatchObject(isFine);
    expect((await send({ logs: [log()] })).json()).toMatchObject({ accepted: 0 });
    expect(await app.call('DELETE', `${blocks}/${install.toLowerCase()}`, { token })).toMatchObject(isFine);
    expect((await send({ logs: [log()] })).json()).toMatchObject({ accepted: 1 });
    expect(await kept()).toHaveLength(3);
    expect((await app.call('PUT', `${blocks}/nobody`, { token, body: {} })).statusCode).toBe(400);
  });

  test('a block, and a secret that was ended, count in every process at once', async () => {
    const { app, secret, token, home } = await withApp(dialect);
    const other = await app.another();
    const ask = async () => {
      const headers = { 'content-type': 'application/json', 'app-secret': secret, 'install-id': install };
      const payload = JSON.stringify({ logs: [log()] });
      const answer = await other.http.inject({ method: 'POST', url: '/logs', headers, payload });
      return [answer.statusCode, answer.json().accepted];
    };
    expect(await ask()).toEqual([200, 1]);
    await app.call('PUT', `${home}/devices/block_logs/${install}`, { token, body: {} });
    expect(await ask()).toEqual([200, 0]);
    await app.call('DELETE', `${home}/devices/block_logs/${install}`, { token });
    expect(await ask()).toEqual([200, 1]);
    await app.call('POST', `${home}/secrets/rotate`, { token, body: { overlap_hours: 0 } });
    expect((await ask())[0]).toBe(403);
  });

  test('a secret that was replaced counts until its time is over, or somebody ends it', async () => {
    const { app, secret, send, token, home } = await withApp(dialect);
    const rotate = async (overlap_hours: number) =>
      (await app.call('POST', `${home}/secrets/rotate`, { token, body: { overlap_hours } })).json();
    const second = await rotate(2);
    expect(second.former).toEqual([{ app_secret: secret, ends_at: '2026-11-01T11:00:00.000Z' }]);
    const statusOf = async (each: string) => (await send({ logs: [log()] }, { 'app-secret': each })).statusCode;
    expect([await statusOf(secret), await statusOf(second.app_secret)]).toEqual([200, 200]);
    app.advance(2 * HOUR - 1);
    expect(await statusOf(secret)).toBe(200);
    app.advance(1);
    expect(await statusOf(secret)).toBe(403);
    const third = await rotate(1);
    expect(third.former).toHaveLength(1);
    expect(await statusOf(second.app_secret)).toBe(200);
    expect((await app.call('DELETE', `${home}/secrets/former`, { token })).statusCode).toBe(204);
    expect([await statusOf(second.app_secret), await statusOf(third.app_secret)]).toEqual([403, 200]);
  });

  test('an app that is deleted takes nothing any more, and what came for others at that moment is kept', async () => {
    const { app, ada, send, kept, token } = await withApp(dialect);
    await app.addApp(ada, 'gone');
    const { app_secret } = (await app.call('GET', '/v0.1/apps/ada/gone', { token })).json();
    expect(await send({ logs: [log()] }, { 'app-secret': app_secret })).toMatchObject(isFine);
    await app.call('DELETE', '/v0.1/apps/ada/gone', { token });
    const answers = await Promise.all([
      send({ logs: [log()] }),
      send({ logs: [log()] }, { 'app-secret': app_secret }),
      send({ logs: [log()] }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 403, 200]);
    expect(await kept()).toHaveLength(2);
  });

  test('tells from which SDK and version of the app something came last, and counts by minute', async () => {
    const { app, send, status } = await withApp(dialect);
    expect(await status()).toMatchObject({ senders: [], invalid_logs: [], minutes: [], hour: { logs: 0 } });
    await send({ logs: [log(), log()] });
    app.advance(2 * MINUTE);
    await send({ logs: [log({ device: { ...device, wrapperSdkName: 'appcenter.react-native' } })] });
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

  test('what an attacker makes up fills neither the list of senders nor that of invalid logs', async () => {
    const { app, send } = await withApp(dialect);
    const made = Array.from({ length: 300 }, (_, n) => log({ device: { sdkName: `x${n}` } }));
    for (const each of made) await send({ logs: [each, ...Array(20).fill(1)] });
    const count = async (table: 'ingest_senders' | 'ingest_invalid_logs') =>
      (await app.database.query((q) => q.selectFrom(table).select('app_id'))).length;
    expect(await count('ingest_senders')).toBe(201);
    expect(await count('ingest_invalid_logs')).toBe(20);
  });

  test('pages of other sites may send only where the operator lets them', async () => {
    const origin = 'https://shop.example.com';
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'app-secret' };
    const { app, send } = await withApp(dialect, { ingestOrigins: [origin] });
    const preflight = await app.call('OPTIONS', '/logs', { headers: asked });
    expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([204, origin]);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-methods': 'POST, HEAD',
      'access-control-allow-headers': 'content-type, content-encoding, app-secret, install-id',
    });
    expect((await send({ logs: [log()] }, { origin })).headers['access-control-allow-origin']).toBe(origin);
    const refused = await send({ logs: [log()] }, { origin, 'app-secret': randomUUID() });
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([403, origin]);
    const foreign = { ...asked, origin: 'https://elsewhere.example.com' };
    expect((await app.call('OPTIONS', '/logs', { headers: foreign })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });

  test('HEAD tells whether a secret holds, also a page that may send, and leaves no trace', async () => {
    const origin = 'https://shop.example.com';
    const { app, ada, secret, status } = await withApp(dialect, { ingestOrigins: [origin] });
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

  test('asks devices to come later once their app has sent what it may in an hour, and shows that', async () => {
    const { app, id, send, status, token, home } = await withApp(dialect, { ingestMbPerHour: 1 });
    const large = { logs: [log({ name: 'x'.repeat(1024 * 1024) })] };
    expect((await send(large)).statusCode).toBe(200);
    const refused = await send({ logs: [log()] });
    expect(refused.statusCode).toBe(503);
    expect(refused.json().error.message).toContain('MOORING_INGEST_MB_PER_HOUR');
    expect(Number(refused.headers['x-ms-retry-after-ms'])).toBeGreaterThanOrEqual(MINUTE);
    expect(await status()).toMatchObject({ hour_limit_bytes: 1024 * 1024, hour: { logs: 1, limited: 1 } });
    const usage = (await app.call('GET', `${home}/billing/aggregated`, { token })).json();
    const figures = usage.usage.allServices.currentUsagePeriod.byAccount;
    expect(figures.ingested_bytes_hour).toBeGreaterThan(1024 * 1024);
    // Another process knows it from the database.
    expect(await createHourLimit((await app.another()).deps).isReached(id)).toBe(true);
    app.advance(HOUR + MINUTE);
    expect((await send({ logs: [log({ timestamp: undefined })] })).json()).toMatchObject({ accepted: 1 });
  });

  test('keeps the reserve of the disk free of logs, and people can still sign in and delete', async () => {
    const { app, ada, send, token, home } = await withApp(dialect, { diskReserveMb: 1e12 });
    const refused = await send({ logs: [log()] });
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

  test('every type of the wire is known', async () => {
    const { send } = await withApp(dialect);
    expect((await send({ logs: logTypes.map((type) => log({ type })) })).json()).toMatchObject({
      accepted: logTypes.length,
    });
  });
});

/** What is sent to break it; each is answered soon, and the next valid batch is taken. */
eachDatabase('POST /logs under attack', (dialect) => {
  const MiB = 1024 * 1024;
  const attacks: [what: string, make: () => Buffer, headers: Record<string, string>, status: number][] = [
    ['a bomb of zeros', () => gzipSync(Buffer.alloc(64 * MiB)), { 'content-encoding': 'gzip' }, 413],
    ['a bomb in many parts', () => parts(), { 'content-encoding': 'gzip' }, 413],
    ['16 MiB of [', () => Buffer.alloc(16 * MiB, '['), {}, 400],
    ['256 KiB of [', () => Buffer.alloc(256 * 1024, '['), {}, 400],
    ['more than 16 MiB', () => Buffer.alloc(16 * MiB + 1, ' '), {}, 413],
    ['a log of 100,000 levels', () => nested(100_000), {}, 200],
    ['a log of 300 levels', () => nested(300), {}, 200],
    ['8 million invalid logs', () => Buffer.from(`{"logs":[${'1,'.repeat(8_000_000)}1]}`), {}, 200],
    ['100,000 logs', () => Buffer.from(JSON.stringify({ logs: Array(100_000).fill(log()) })), {}, 200],
    ['the same key 100,000 times', () => Buffer.from(`{"logs":[{${'"type":"event",'.repeat(1e5)}"x":1}]}`), {}, 200],
    ['a prototype', () => Buffer.from('{"logs":[{"__proto__":{"type":"event"},"constructor":1}]}'), {}, 200],
    ['a text of 10 MiB', () => Buffer.from(JSON.stringify({ logs: [log({ name: 'x'.repeat(10 * MiB) })] })), {}, 200],
    [
      'NUL and half characters in what a device says of itself',
      () =>
        Buffer.from(
          JSON.stringify({ logs: [log({ device: { sdkName: 'a\0', sdkVersion: '\ud800', appVersion: '\0' } })] }),
        ),
      {},
      200,
    ],
    ['NUL and half characters', () => Buffer.from('{"logs":[{"type":"\\u0000\\ud800"}]}'), {}, 200],
    ['what is no UTF-8', () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), {}, 200],
  ];
  const parts = () => Buffer.concat(Array.from({ length: 40 }, () => gzipSync(Buffer.alloc(MiB))));
  const nested = (depth: number) => {
    const text = JSON.stringify({ logs: [log({ name: 'deep' })] });
    return Buffer.from(text.replace('"deep"', '['.repeat(depth) + ']'.repeat(depth)));
  };

  test.each(attacks)('%s', { timeout: 60_000 }, async (_what, make, headers, status) => {
    const { send, kept } = await withApp(dialect);
    const answer = await send(make(), headers);
    expect(answer.statusCode).toBe(status);
    expect(answer.body).not.toBe('');
    expect((await send({ logs: [log({ name: 'after' })] })).json()).toMatchObject({ accepted: 1 });
    expect((await kept()).at(-1)?.logs.map(({ value }) => value.name)).toEqual(['after']);
  });

  test('sets the logs beyond the limit of a request aside, counts them and says why', async () => {
    const { send, kept, keptLogs, status } = await withApp(dialect);
    const small = { logs: Array.from({ length: LOGS_MAX_PER_REQUEST + 500 }, () => ({ type: 'event', device: {} })) };
    const large = { logs: Array.from({ length: 20_000 }, (_, n) => log({ name: `event ${n}` })) };
    expect((await send(small)).json()).toEqual({
      accepted: LOGS_MAX_PER_REQUEST,
      invalid: 500,
      invalid_reasons: ['too_many_logs'],
      dropped: 0,
    });
    const answer = await send(gzipSync(JSON.stringify(large)), { 'content-encoding': 'gzip' });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { accepted: 1000, invalid: 19_000, invalid_reasons: ['too_many_logs'], dropped: 0 },
    ]);
    expect((await keptLogs()).slice(-1000).map(({ name }) => name)).toEqual(
      Array.from({ length: 1000 }, (_, n) => `event ${n}`),
    );
    const { invalid_logs, hour } = await status();
    expect(hour).toMatchObject({ logs: 2000, invalid: 19_500 });
    expect(invalid_logs.map(({ reason }: { reason: string }) => reason)).toEqual(['too_many_logs', 'too_many_logs']);
    expect(invalid_logs[0].log).toContain('event 1000');
    for (const { size } of await kept()) expect(size).toBeLessThan(300_000);
  });

  test('sets a log with too many keys or values aside, in a small body and in a large one', async () => {
    const { send, status, keptLogs } = await withApp(dialect);
    const wide = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, n) => [`p${n}`, 'v']));
    const logs = [log({ properties: wide(LOG_MAX_KEYS + 1) }), log({ properties: wide(LOG_MAX_KEYS) })];
    expect((await send({ logs })).json()).toEqual({
      accepted: 1,
      invalid: 1,
      invalid_reasons: ['too_large'],
      dropped: 0,
    });
    const huge = [log({ properties: wide(LOG_MAX_VALUES + 1) }), ...logs, log({ name: 'x'.repeat(300_000) })];
    expect((await send({ logs: huge })).json()).toEqual({
      accepted: 2,
      invalid: 2,
      invalid_reasons: ['too_large'],
      dropped: 0,
    });
    expect(await keptLogs()).toEqual([logs[1], logs[1], huge[3]]);
    expect((await status()).invalid_logs.map(({ reason }: { reason: string }) => reason)).toEqual(
      Array(3).fill('too_large'),
    );
  });

  test('keeps a large body in small batches, without what is left out', async () => {
    const { send, kept, keptLogs } = await withApp(dialect);
    const logs = Array.from({ length: 900 }, (_, n) => log({ name: `${n} ${'ü'.repeat(1000)}` }));
    const old = log({ timestamp: '2020-01-01T00:00:00Z' });
    expect((await send({ logs: [7, ...logs, old] })).json()).toEqual({
      accepted: 900,
      invalid: 1,
      invalid_reasons: ['not_an_object'],
      dropped: 1,
    });
    expect(await keptLogs()).toEqual(logs);
    const batches = await kept();
    expect(batches.length).toBeGreaterThan(3);
    for (const { size } of batches) expect(size).toBeLessThan(2 * 256 * 1024 + 100);
    expect((await send(`{"logs":[${JSON.stringify(log())},${' '.repeat(300_000)}]}`)).statusCode).toBe(400);
  });

  test('reads the large request of one app before the many that another app has sent', async () => {
    const { app, ada, send, token } = await withApp(dialect);
    await app.addApp(ada, 'honest');
    const { app_secret } = (await app.call('GET', '/v0.1/apps/ada/honest', { token })).json();
    const large = { logs: Array.from({ length: 500 }, () => log({ name: 'x'.repeat(2000) })) };
    const ended: string[] = [];
    const hostile = Array.from({ length: 6 }, () => send(large).then(() => ended.push('hostile')));
    const honest = send(large, { 'app-secret': app_secret }).then(() => ended.push('honest'));
    await Promise.all([...hostile, honest]);
    expect(ended.indexOf('honest')).toBeLessThan(4);
  });

  test('what is nested deeper than anybody walks is invalid, however small the body', async () => {
    const { send, status } = await withApp(dialect);
    expect((await send(nested(300))).json()).toEqual({
      accepted: 0,
      invalid: 1,
      invalid_reasons: ['too_deep'],
      dropped: 0,
    });
    expect((await status()).invalid_logs).toMatchObject([{ reason: 'too_deep', log: '' }]);
    expect((await send(nested(150))).json()).toMatchObject({ accepted: 1 });
  });
});

test('a flood of wrong secrets is looked up once each, and remembered for a while within a limit', async () => {
  const { app, send } = await withApp('sqlite');
  const spy = vi.spyOn(app.database, 'run');
  const secret = randomUUID();
  for (let n = 0; n < 20; n++) expect((await send({ logs: [] }, { 'app-secret': secret })).statusCode).toBe(403);
  const lookups = spy.mock.calls.filter(([{ sql }]) => sql.includes('app_former_secrets') && sql.includes('union'));
  expect(lookups).toHaveLength(1);
});
