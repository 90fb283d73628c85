import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { ENVELOPE_MAX_ITEMS, LOGS_MAX_PER_REQUEST, SENTRY_EVENT_MAX_BYTES } from '@mooring/contract';
import { expect, test } from 'vitest';
import { androidCrash, EVENT_ID, envelope, NOW, openSentry, session } from '../../../../test/harness/sentry.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';

const MIB = 1024 * 1024;
const header = { event_id: EVENT_ID };
const event = (more: object = {}): [object, object] => [{ type: 'event' }, androidCrash(more)];
const after = () => envelope({}, event({ event_id: 'f'.repeat(32), message: 'after' }));

/** An event of an exact size in bytes. */
function sized(bytes: number): string {
  const empty = JSON.stringify(androidCrash({ extra: { text: '' } }));
  return JSON.stringify(androidCrash({ extra: { text: 'x'.repeat(bytes - Buffer.byteLength(empty)) } }));
}

/** Sends hostile envelopes; each gets a response, and the next valid one is stored. */
eachDatabase('envelopes under attack', (dialect) => {
  const gzip = { 'content-encoding': 'gzip' };
  const lines = (count: number, text: string) => Buffer.from(`{}\n${text.repeat(count)}`);
  const nested = (depth: number) => `{"exception":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const attacks: [what: string, make: () => Buffer, headers: Record<string, string>, status: number][] = [
    ['a bomb of zeros', () => gzipSync(Buffer.alloc(200 * MIB)), gzip, 400],
    [
      'a bomb in one attachment',
      () => gzipSync(envelope(header, [{ type: 'attachment' }, Buffer.alloc(90 * MIB)])),
      gzip,
      200,
    ],
    [
      'a bomb in one attachment beyond the limit',
      () => gzipSync(envelope(header, [{ type: 'attachment' }, Buffer.alloc(120 * MIB)])),
      gzip,
      413,
    ],
    [
      'a bomb of brotli',
      () => brotliCompressSync(envelope(header, [{ type: 'x' }, Buffer.alloc(120 * MIB)]), { params: { 1: 1 } }),
      { 'content-encoding': 'br' },
      413,
    ],
    [
      'a bomb of zstd',
      () => zstdCompressSync(envelope(header, [{ type: 'x' }, Buffer.alloc(120 * MIB)])),
      { 'content-encoding': 'zstd' },
      413,
    ],
    ['more than 20 MiB', () => Buffer.alloc(20 * MIB + 1, ' '), {}, 413],
    ['a million tiny items', () => gzipSync(lines(1_000_000, '{"type":"event"}\n{}\n')), gzip, 200],
    ['a million tiny sessions', () => gzipSync(lines(1_000_000, '{"type":"session"}\n{"sid":"a"}\n')), gzip, 200],
    [
      'a thousand large client reports',
      () => gzipSync(lines(1000, `{"type":"client_report"}\n{"a":"${'x'.repeat(90_000)}"}\n`)),
      gzip,
      200,
    ],
    [
      'a thousand large counts of sessions',
      () => gzipSync(lines(400, `{"type":"sessions"}\n{"aggregates":[],"a":"${'x'.repeat(200_000)}"}\n`)),
      gzip,
      200,
    ],
    ['millions of empty lines', () => gzipSync(lines(90 * MIB, '\n')), gzip, 400],
    [
      'objects that do not convert to text',
      () => {
        const type = { toString: 1, valueOf: 1 };
        const exception = { values: [{ type, value: type, mechanism: { type, handled: type } }] };
        return envelope(header, event({ exception, timestamp: type, release: type, user: type, tags: [[type, type]] }));
      },
      {},
      200,
    ],
    ['a header without an end', () => Buffer.alloc(5 * MIB, 'x'), {}, 400],
    ['an item header without an end', () => Buffer.from(`{}\n${'x'.repeat(5 * MIB)}`), {}, 400],
    ['a header of 1,000 levels', () => Buffer.from(`${'['.repeat(1000)}${']'.repeat(1000)}\n`), {}, 400],
    ['an event of 100,000 levels', () => Buffer.from(`{}\n{"type":"event"}\n${nested(100_000)}`), {}, 200],
    ['an event of 150 levels', () => Buffer.from(`{}\n{"type":"event"}\n${nested(150)}`), {}, 200],
    ['an event of 200,000 values', () => envelope(header, event({ extra: { list: Array(200_000).fill(1) } })), {}, 200],
    [
      'an event of 5,000 tags',
      () => envelope(header, event({ tags: Array.from({ length: 5000 }, (_, n) => [`t${n}`, n]) })),
      {},
      200,
    ],
    [
      'a prototype',
      () => Buffer.from('{"__proto__":{"dsn":1}}\n{"type":"__proto__"}\n{}\n{"type":"constructor"}\n{}\n'),
      {},
      200,
    ],
    [
      'NUL and half characters in names',
      () =>
        envelope(
          { ...header, sdk: { name: 'a\0', version: '\ud800' } },
          event({
            release: 'a\0@1\0+\ud800',
            environment: '\0',
            tags: { 'a\0': '\ud800' },
            user: { id: '\0' },
            fingerprint: ['\0'],
          }),
          [{ type: 'attachment', filename: '../../\0\ud800', content_type: 'x\r\ny: z' }, Buffer.from('x')],
          [{ type: 'client_report' }, { discarded_events: [{ reason: '\0<b>', category: '\ud800', quantity: 1 }] }],
        ),
      {},
      200,
    ],
    [
      'bytes that are no UTF-8',
      () => Buffer.concat([Buffer.from('{}\n{"type":"event"}\n'), Buffer.from([0x22, 0xff, 0xfe, 0x22])]),
      {},
      200,
    ],
    [
      'times beyond all calendars',
      () =>
        envelope(
          { ...header, sent_at: '+275760-09-13T00:00:00.000Z' },
          event({ timestamp: 1e300 }),
          [{ type: 'session' }, session({ started: -1, timestamp: '9'.repeat(400) })],
          [{ type: 'session' }, session({ started: '-271821-04-20T00:00:00.000Z' })],
        ),
      {},
      200,
    ],
    [
      'a billion counted sessions',
      () =>
        envelope({}, [
          { type: 'sessions' },
          {
            aggregates: Array.from({ length: 1000 }, () => ({
              started: NOW / 1000,
              exited: 1_000_000_000,
              crashed: 1e20,
            })),
          },
        ]),
      {},
      200,
    ],
  ];

  test.each(attacks)('%s', { timeout: 60_000 }, async (_what, make, headers, status) => {
    const { sendEnvelope, storedLogs, process, app } = await openSentry(dialect);
    const answer = await sendEnvelope(make(), headers);
    expect([answer.statusCode, answer.body]).toEqual([status, answer.body]);
    expect((await sendEnvelope(after())).statusCode).toBe(200);
    expect((await storedLogs()).at(-1)).toMatchObject({ id: 'f'.repeat(32) });
    await process();
    const rows = (await app.database.query((q) => q.selectFrom('crash_reports').select('id'))) as { id: string }[];
    expect(rows.map(({ id }) => id)).toContain('f'.repeat(32));
  });

  test('keeps what fits of an envelope with too much, and says what it dropped', async () => {
    const { sendEnvelope, items } = await openSentry(dialect);
    const many = Array.from({ length: ENVELOPE_MAX_ITEMS + 50 }, (): [object, object] => [{ type: 'check_in' }, {}]);
    await sendEnvelope(envelope(header, event(), event({ event_id: 'a'.repeat(32) }), ...many));
    expect(await items()).toEqual({
      'check_in dropped not_supported': ENVELOPE_MAX_ITEMS - 2,
      'event dropped second_event': 1,
      'event stored': 1,
      'unknown dropped too_many': 1,
    });
  });

  test('takes an event of 1 MiB, and drops one with a byte more but not its session', async () => {
    const { sendEnvelope, storedLogs, items, post, projectId, auth } = await openSentry(dialect);
    const send = (bytes: number) =>
      sendEnvelope(envelope(header, [{ type: 'event' }, sized(bytes)], [{ type: 'session' }, session()]));
    expect((await send(SENTRY_EVENT_MAX_BYTES)).statusCode).toBe(200);
    expect((await send(SENTRY_EVENT_MAX_BYTES + 1)).statusCode).toBe(200);
    expect((await storedLogs()).map(({ type }) => type)).toEqual(['managedError', 'startSession', 'startSession']);
    expect(await items()).toEqual({ 'event dropped too_large': 1, 'event stored': 1, 'session stored': 2 });
    const store = (body: string, headers = {}) =>
      post(`/api/${projectId}/store/`, body, { 'x-sentry-auth': auth, ...headers });
    expect((await store(sized(SENTRY_EVENT_MAX_BYTES))).statusCode).toBe(200);
    expect((await store(sized(SENTRY_EVENT_MAX_BYTES + 1))).statusCode).toBe(413);
  });

  test('a request with invalid structured logs stores no more than the limit', async () => {
    const { sendEnvelope, items } = await openSentry(dialect);
    const logs = (body: string, count: number): [object, object] => [
      { type: 'log' },
      { items: Array.from({ length: count }, () => ({ timestamp: NOW / 1000, body })) },
    ];
    await sendEnvelope(envelope({}, logs('', LOGS_MAX_PER_REQUEST), logs('text', 10)));
    expect(await items()).toEqual({ 'log dropped invalid': LOGS_MAX_PER_REQUEST, 'log dropped too_many': 10 });
  });

  test('names of a hostile app do not fill the list of items', async () => {
    const { sendEnvelope, items } = await openSentry(dialect);
    for (let envelopes = 0; envelopes < 3; envelopes += 1) {
      const discarded_events = Array.from({ length: 150 }, (_, n) => ({
        reason: `r${envelopes}-${n}`,
        category: 'error',
        quantity: 1,
      }));
      await sendEnvelope(envelope({}, [{ type: 'client_report' }, { discarded_events }]));
    }
    const counted = await items();
    expect(Object.keys(counted).length).toBeLessThan(210);
    expect(counted['other discarded other']).toBe(451 - 200);
  });

  test('drops the events and sessions of a blocked app and of a blocked install, with a success', async () => {
    const { app, home, token, sendEnvelope, storedLogs, status } = await openSentry(dialect);
    await app.call('PUT', `${home}/devices/block_logs`, { token, body: {} });
    expect((await sendEnvelope(envelope(header, event(), [{ type: 'session' }, session()]))).statusCode).toBe(200);
    expect(await storedLogs()).toEqual([]);
    expect((await status()).hour.blocked).toBe(2);
  });
});
