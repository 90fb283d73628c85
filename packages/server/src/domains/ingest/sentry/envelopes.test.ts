import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  androidCrash,
  EVENT_ID,
  envelope,
  INSTALL,
  type Item,
  openSentry,
  session,
} from '../../../../test/harness/sentry.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';

const event = (more?: object): Item => [{ type: 'event' }, androidCrash(more)];
const crashed: Item = [{ type: 'session' }, session({ status: 'crashed', init: true })];
const header = { event_id: EVENT_ID };

eachDatabase('envelopes of Sentry SDKs', (dialect) => {
  test('an event, its session and its attachment are stored; other items are counted and dropped', async () => {
    const { sendEnvelope, storedBatches, storedLogs, items, status } = await openSentry(dialect);
    const response = await sendEnvelope(
      envelope(
        header,
        event(),
        crashed,
        [{ type: 'attachment', filename: 'log.txt', content_type: 'text/plain' }, Buffer.from('a\nb\r\n')],
        [
          { type: 'client_report' },
          { timestamp: 1, discarded_events: [{ reason: 'sample_rate', category: 'transaction', quantity: 3 }] },
        ],
        [{ type: 'transaction' }, { type: 'transaction' }],
        [{ type: 'replay_recording' }, Buffer.from([0, 10, 255])],
        [{ type: 'a new type' }, {}],
      ),
    );
    expect([response.statusCode, response.json()]).toEqual([200, { id: EVENT_ID }]);
    const logs = await storedLogs();
    expect(logs.map(({ type }) => type)).toEqual([
      'managedError',
      'startSession',
      'sessionCrash',
      'sessionEnd',
      'errorAttachment',
    ]);
    expect(new Set((await storedBatches()).map(({ installId }) => installId))).toEqual(new Set([INSTALL]));
    expect(logs[4]).toMatchObject({
      errorId: EVENT_ID,
      fileName: 'log.txt',
      data: Buffer.from('a\nb\r\n').toString('base64'),
    });
    expect(await items()).toEqual({
      'a new type dropped not_supported': undefined,
      'attachment stored': 1,
      'client_report stored': 1,
      'event stored': 1,
      'replay_recording dropped not_supported': 1,
      'session stored': 1,
      'transaction discarded sample_rate': 3,
      'transaction dropped not_supported': 1,
      'unknown dropped not_supported': 1,
    });
    expect((await status()).senders).toMatchObject([
      { sdk: 'sentry.java.android', sdk_version: '8.53.0', app_version: '1.4.0', logs: 5 },
    ]);
  });

  test('the address of a user is not stored', async () => {
    const { sendEnvelope, storedLogs } = await openSentry(dialect);
    await sendEnvelope(
      envelope(header, event({ request: { cookies: 'secret=1', env: { REMOTE_ADDR: '203.0.113.7' } } })),
    );
    const text = JSON.stringify(await storedLogs());
    expect(text).toContain('The cart is empty');
    expect(text).not.toContain('203.0.113.7');
    expect(text).not.toContain('secret=1');
  });

  test('accepts every compression, chunked bodies, any Content-Type and none, with and without a trailing slash', async () => {
    const { post, url, auth, publicKey, projectId, dsn, storedLogs } = await openSentry(dialect);
    const plain = envelope(header, event());
    const query = `?sentry_version=7&sentry_key=${publicKey}&sentry_client=sentry.javascript.node%2F11.11.0`;
    const answers = [
      await post(url, gzipSync(plain), { 'x-sentry-auth': auth, 'content-encoding': 'gzip' }),
      await post(url, deflateSync(plain), { 'x-sentry-auth': auth, 'content-encoding': 'deflate' }),
      await post(url, brotliCompressSync(plain), { 'x-sentry-auth': auth, 'content-encoding': 'br' }),
      await post(url, zstdCompressSync(plain), { 'x-sentry-auth': auth, 'content-encoding': 'zstd' }),
      await post(`${url}${query}`, plain),
      await post(`/api/${projectId}/envelope${query}`, plain, { 'content-type': 'application/x-sentry-envelope' }),
      await post(`/api/${projectId}/Envelope/${query}`, plain, { 'content-type': 'no type; at = "all' }),
      await post(url, plain, { authorization: auth, 'content-type': 'multipart/form-data; boundary=x' }),
      await post(url, plain, { 'x-sentry-auth': `Sentry sentry_key=${publicKey.toUpperCase()}, sentry_version=7` }),
      await post(url, envelope({ ...header, dsn }, event())),
      await post(url, plain, { 'x-sentry-auth': auth, 'transfer-encoding': 'chunked' }),
    ];
    expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual(
      Array(answers.length).fill([200, JSON.stringify({ id: EVENT_ID })]),
    );
    expect(await storedLogs()).toHaveLength(answers.length);
  });

  test('accepts a single event of an old SDK', async () => {
    const { post, auth, projectId, storedLogs } = await openSentry(dialect);
    const send = (body: string, path: string) => post(`/api/${projectId}/${path}`, body, { 'x-sentry-auth': auth });
    const text = JSON.stringify(androidCrash());
    for (const path of ['store/', 'store']) {
      const answer = await send(text, path);
      expect([answer.statusCode, answer.json()]).toEqual([200, { id: EVENT_ID }]);
    }
    expect((await storedLogs()).map(({ type }) => type)).toEqual(['managedError', 'managedError']);
    for (const body of ['{', '[]', '', '7']) expect((await send(body, 'store/')).statusCode).toBe(400);
  });

  test('rejects unknown projects and keys, disabled and ended keys, and credentials that differ', async () => {
    const { app, ada, post, url, auth, token, home, dsn, projectId, publicKey, items } = await openSentry(dialect);
    await app.addApp(ada, 'raft');
    const other = (await app.call('GET', '/v0.1/apps/ada/raft/sentry', { token })).json();
    const otherAuth = `Sentry sentry_key=${other.public_key}`;
    const send = async (header: object, headers: Record<string, string> = {}, at = url) => {
      const { statusCode, headers: sent, body } = await post(at, envelope(header, event()), headers);
      const { detail, causes } = JSON.parse(body);
      if (statusCode !== 200)
        expect([typeof detail, causes, typeof sent['x-sentry-error']]).toEqual(['string', [], 'string']);
      return statusCode;
    };
    expect(await send({})).toBe(403);
    expect(await send({}, { 'x-sentry-auth': otherAuth })).toBe(403);
    expect(await send({}, { 'x-sentry-auth': 'Sentry sentry_key=0' })).toBe(403);
    expect(await send({}, { 'x-sentry-auth': auth }, `/api/${other.project_id}/envelope/`)).toBe(403);
    expect(await send({}, { 'x-sentry-auth': auth }, '/api/42/envelope/')).toBe(403);
    expect(await send({}, { 'x-sentry-auth': auth }, `/api/0${projectId}/envelope/`)).toBe(403);
    expect(await send({}, { 'x-sentry-auth': auth }, `${url}?sentry_key=${other.public_key}`)).toBe(403);
    expect(await send({ dsn: other.dsn }, { 'x-sentry-auth': auth })).toBe(403);
    expect(await send({ dsn: dsn.replace(publicKey, other.public_key) })).toBe(403);
    expect(await send({ dsn: 'x' })).toBe(400);
    // SDKs may reach the server by another name than its DSN has.
    expect(await send({ dsn: dsn.replace(/@[^/]+/, '@other.example.com:9000/prefix') })).toBe(200);
    const created = (await app.call('POST', `${home}/sentry/keys`, { token, body: {} })).json();
    const newAuth = { 'x-sentry-auth': `Sentry sentry_key=${created.public_key}` };
    expect(await send({}, newAuth)).toBe(200);
    expect(await send({ dsn }, newAuth)).toBe(403);
    const key = `${home}/sentry/keys/${created.public_key}`;
    await app.call('PATCH', key, { token, body: { is_enabled: false } });
    expect(await send({}, newAuth)).toBe(403);
    await app.call('PATCH', key, { token, body: { is_enabled: true } });
    await app.call('DELETE', `${key}?overlap_hours=1`, { token });
    expect(await send({}, newAuth)).toBe(200);
    app.advance(3_600_000);
    expect(await send({}, newAuth)).toBe(403);
    expect(await items()).toMatchObject({ 'event stored': 3 });
  });

  test('rejects malformed envelopes and stores nothing of them', async () => {
    const { sendEnvelope, storedLogs } = await openSentry(dialect);
    const good = envelope(header, event()).toString();
    const broken = [
      '',
      '\n',
      'x',
      '[]',
      '{}\nx\n{}',
      '{}\n{"type":7}\n{}',
      '{}\n{"type":"event","length":5}\n{}',
      '{}\n{"type":"event","length":1}\n{}\n',
      '{}\n{"type":"event","length":-1}\n{}\n',
      '{}\n{"type":"event","length":"2"}\n{}\n',
      `${good}{"type":"attachment","length":10}\nshort`,
      `${'['.repeat(1000)}\n`,
      `{"a":"${'x'.repeat(70_000)}"}\n`,
    ];
    for (const body of broken)
      expect([body.slice(0, 50), (await sendEnvelope(body)).statusCode]).toEqual([body.slice(0, 50), 400]);
    expect((await sendEnvelope('no gzip', { 'content-encoding': 'gzip' })).statusCode).toBe(400);
    expect((await sendEnvelope('no brotli', { 'content-encoding': 'br' })).statusCode).toBe(400);
    expect((await sendEnvelope(good, { 'content-encoding': 'lzma' })).statusCode).toBe(415);
    expect(await storedLogs()).toEqual([]);
  });

  test('accepts an envelope without items, without a final newline, and with empty payloads', async () => {
    const { sendEnvelope } = await openSentry(dialect);
    for (const body of [
      '{}',
      '{}\n',
      '{"event_id":"x"}',
      '{}\n\n\n{"type":"x","length":0}\n',
      '{}\n{"type":"x","length":0}',
      '{}\n{"type":"x"}',
    ]) {
      const answer = await sendEnvelope(body);
      expect([body, answer.statusCode, answer.json()]).toEqual([body, 200, {}]);
    }
  });

  test('pages of allowed origins may send, after a preflight request', async () => {
    const { app, url, sendEnvelope } = await openSentry(dialect, { ingestOrigins: ['https://shop.example.com'] });
    const preflight = (origin: string) =>
      app.http.inject({ method: 'OPTIONS', url, headers: { origin, 'access-control-request-method': 'POST' } });
    const { statusCode, headers } = await preflight('https://shop.example.com');
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([204, 'https://shop.example.com']);
    for (const name of ['x-sentry-auth', 'content-type', 'sentry-trace', 'baggage']) {
      expect(headers['access-control-allow-headers']).toContain(name);
    }
    expect((await preflight('https://evil.example.com')).headers['access-control-allow-origin']).toBeUndefined();
    const sent = await sendEnvelope(envelope(header, event()), { origin: 'https://shop.example.com' });
    expect(sent.headers['access-control-allow-origin']).toBe('https://shop.example.com');
    expect(sent.headers['access-control-expose-headers']).toContain('x-sentry-rate-limits');
  });

  test('a full hour answers 429 with whole seconds for all categories', async () => {
    const { sendEnvelope, status } = await openSentry(dialect, { ingestMbPerHour: 1 });
    const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64');
    for (let count = 0; count < 40; count += 1) {
      const { statusCode } = await sendEnvelope(envelope(header, event({ extra: { noise: noise() } })));
      if (statusCode === 429) break;
    }
    const refused = await sendEnvelope(envelope(header, event()));
    expect([refused.statusCode, refused.json().detail]).toEqual([
      429,
      expect.stringContaining('MOORING_INGEST_MB_PER_HOUR'),
    ]);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(refused.headers['x-sentry-rate-limits']).toBe(`${refused.headers['retry-after']}::project`);
    expect((await status()).hour.limited).toBeGreaterThan(0);
  });
});
