import { gzipSync } from 'node:zlib';
import { LOG_MAX_KEYS, LOG_MAX_VALUES, LOGS_MAX_PER_REQUEST } from '@mooring/contract';
import { expect, test } from 'vitest';
import { createLog, openIntake } from '../../../../test/harness/intake.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';

/** Sends hostile bodies; each gets a response soon, and the next valid batch is accepted. */
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
    ['100,000 logs', () => Buffer.from(JSON.stringify({ logs: Array(100_000).fill(createLog()) })), {}, 200],
    ['the same key 100,000 times', () => Buffer.from(`{"logs":[{${'"type":"event",'.repeat(1e5)}"x":1}]}`), {}, 200],
    ['a prototype', () => Buffer.from('{"logs":[{"__proto__":{"type":"event"},"constructor":1}]}'), {}, 200],
    [
      'a text of 10 MiB',
      () => Buffer.from(JSON.stringify({ logs: [createLog({ name: 'x'.repeat(10 * MiB) })] })),
      {},
      200,
    ],
    [
      'NUL and half characters in what a device says of itself',
      () =>
        Buffer.from(
          JSON.stringify({ logs: [createLog({ device: { sdkName: 'a\0', sdkVersion: '\ud800', appVersion: '\0' } })] }),
        ),
      {},
      200,
    ],
    ['NUL and half characters', () => Buffer.from('{"logs":[{"type":"\\u0000\\ud800"}]}'), {}, 200],
    ['what is no UTF-8', () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), {}, 200],
  ];
  const parts = () => Buffer.concat(Array.from({ length: 40 }, () => gzipSync(Buffer.alloc(MiB))));
  const nested = (depth: number) => {
    const text = JSON.stringify({ logs: [createLog({ name: 'deep' })] });
    return Buffer.from(text.replace('"deep"', '['.repeat(depth) + ']'.repeat(depth)));
  };

  test.each(attacks)('%s', { timeout: 60_000 }, async (_what, make, headers, status) => {
    const { send, storedBatches } = await openIntake(dialect);
    const answer = await send(make(), headers);
    expect(answer.statusCode).toBe(status);
    expect(answer.body).not.toBe('');
    expect((await send({ logs: [createLog({ name: 'after' })] })).json()).toMatchObject({ accepted: 1 });
    expect((await storedBatches()).at(-1)?.logs.map(({ value }) => value.name)).toEqual(['after']);
  });

  test('rejects logs beyond the limit of a request, counts them and reports the reason', async () => {
    const { send, storedBatches, storedLogs, status } = await openIntake(dialect);
    const small = { logs: Array.from({ length: LOGS_MAX_PER_REQUEST + 500 }, () => ({ type: 'event', device: {} })) };
    const large = { logs: Array.from({ length: 20_000 }, (_, n) => createLog({ name: `event ${n}` })) };
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
    expect((await storedLogs()).slice(-1000).map(({ name }) => name)).toEqual(
      Array.from({ length: 1000 }, (_, n) => `event ${n}`),
    );
    const { invalid_logs, hour } = await status();
    expect(hour).toMatchObject({ logs: 2000, invalid: 19_500 });
    expect(invalid_logs.map(({ reason }: { reason: string }) => reason)).toEqual(['too_many_logs', 'too_many_logs']);
    expect(invalid_logs[0].log).toContain('event 1000');
    for (const { size } of await storedBatches()) expect(size).toBeLessThan(300_000);
  });

  test('rejects a log with too many keys or values, in a small body and in a large one', async () => {
    const { send, status, storedLogs } = await openIntake(dialect);
    const wide = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, n) => [`p${n}`, 'v']));
    const logs = [createLog({ properties: wide(LOG_MAX_KEYS + 1) }), createLog({ properties: wide(LOG_MAX_KEYS) })];
    expect((await send({ logs })).json()).toEqual({
      accepted: 1,
      invalid: 1,
      invalid_reasons: ['too_large'],
      dropped: 0,
    });
    const huge = [
      createLog({ properties: wide(LOG_MAX_VALUES + 1) }),
      ...logs,
      createLog({ name: 'x'.repeat(300_000) }),
    ];
    expect((await send({ logs: huge })).json()).toEqual({
      accepted: 2,
      invalid: 2,
      invalid_reasons: ['too_large'],
      dropped: 0,
    });
    expect(await storedLogs()).toEqual([logs[1], logs[1], huge[3]]);
    expect((await status()).invalid_logs.map(({ reason }: { reason: string }) => reason)).toEqual(
      Array(3).fill('too_large'),
    );
  });

  test('splits a large body into small batches, without invalid logs', async () => {
    const { send, storedBatches, storedLogs } = await openIntake(dialect);
    const logs = Array.from({ length: 900 }, (_, n) => createLog({ name: `${n} ${'ü'.repeat(1000)}` }));
    const old = createLog({ timestamp: '2020-01-01T00:00:00Z' });
    expect((await send({ logs: [7, ...logs, old] })).json()).toEqual({
      accepted: 900,
      invalid: 1,
      invalid_reasons: ['not_an_object'],
      dropped: 1,
    });
    expect(await storedLogs()).toEqual(logs);
    const batches = await storedBatches();
    expect(batches.length).toBeGreaterThan(3);
    for (const { size } of batches) expect(size).toBeLessThan(2 * 256 * 1024 + 100);
    expect((await send(`{"logs":[${JSON.stringify(createLog())},${' '.repeat(300_000)}]}`)).statusCode).toBe(400);
  });

  test('reads the large request of one app before the many that another app has sent', async () => {
    const { app, ada, send, token } = await openIntake(dialect);
    await app.addApp(ada, 'honest');
    const { app_secret } = (await app.call('GET', '/v0.1/apps/ada/honest', { token })).json();
    const large = { logs: Array.from({ length: 500 }, () => createLog({ name: 'x'.repeat(2000) })) };
    const ended: string[] = [];
    const hostile = Array.from({ length: 6 }, () => send(large).then(() => ended.push('hostile')));
    const honest = send(large, { 'app-secret': app_secret }).then(() => ended.push('honest'));
    await Promise.all([...hostile, honest]);
    expect(ended.indexOf('honest')).toBeLessThan(4);
  });

  test('a log that is nested too deeply is invalid, even in a small body', async () => {
    const { send, status } = await openIntake(dialect);
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
