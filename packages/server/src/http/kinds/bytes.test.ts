import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { bytes, endpoint, json } from '@mooring/contract';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { serve } from '../../../test/harness/endpoints.ts';
import { inflate } from '../../kernel/files/inflate.ts';
import { route } from '../mount.ts';

const logs_send = endpoint({
  id: 'logs_send',
  method: 'POST',
  path: '/v0.1/logs',
  tag: 'logs',
  summary: 'Takes logs',
  access: 'public',
  effect: 'ingest',
  request: bytes({ types: ['application/json', 'application/octet-stream'], maxBytes: 1000, maxInflated: 20_000 }),
  response: json(Type.Object({ size: Type.Integer(), text: Type.String() }), { status: 202, description: 'Taken.' }),
});

const opened = async () => {
  const { http } = await serve(
    route(logs_send, async (_ctx, { sent }) => {
      const body = await inflate(sent, 'ada');
      return { size: body.length, text: Buffer.from(body).toString().slice(0, 20) };
    }),
  );
  return async (payload: Buffer | undefined, headers: Record<string, string> = {}) => {
    const type = { 'content-type': 'application/json' };
    const response = await http.inject({
      method: 'POST',
      url: '/v0.1/logs',
      payload,
      headers: { ...type, ...headers },
    });
    return { status: response.statusCode, headers: response.headers, ...response.json() };
  };
};
const gzip = { 'content-encoding': 'gzip' };

test('accepts a body as it is, or inflates it', async () => {
  const send = await opened();
  expect(await send(Buffer.from('[not json'))).toMatchObject({ status: 202, size: 9, text: '[not json' });
  const long = Buffer.alloc(20_000, 'a');
  expect(await send(gzipSync(long), gzip)).toMatchObject({ status: 202, size: 20_000 });
  expect(await send(gzipSync('x'), { 'content-encoding': 'GZIP' })).toMatchObject({ status: 202, text: 'x' });
  expect(await send(Buffer.from('x'), { 'content-encoding': 'identity' })).toMatchObject({ status: 202, text: 'x' });
});

test('rejects a body that is too large after inflating, also in several chunks', async () => {
  const send = await opened();
  const message = 'The body exceeds 20000 bytes once inflated. Send less.';
  const bombs = [gzipSync(Buffer.alloc(20_001)), gzipSync(Buffer.alloc(900_000))];
  bombs.push(Buffer.concat(Array.from({ length: 20 }, () => gzipSync(Buffer.alloc(1001)))));
  for (const bomb of bombs) {
    expect(bomb.length).toBeLessThanOrEqual(1000);
    expect(await send(bomb, gzip)).toMatchObject({ status: 413, error: { code: 'PayloadTooLarge', message } });
  }
});

test('rejects a body that is too large as sent', async () => {
  const send = await opened();
  expect(await send(Buffer.alloc(1001))).toMatchObject({
    status: 413,
    error: { message: 'The body exceeds the limit of 1000 bytes. Send it in smaller parts.' },
  });
});

test.each([
  ['text', Buffer.from('hello')],
  ['a part of it', gzipSync('hello, everybody').subarray(0, 20)],
  ['it with a wrong sum', Buffer.concat([gzipSync('hello').subarray(0, -8), Buffer.alloc(8)])],
])('refuses gzip that is %s', async (_what, payload) => {
  const send = await opened();
  const message = 'The body is not valid gzip. Compress it, or send it without Content-Encoding.';
  expect(await send(payload, gzip)).toMatchObject({ status: 400, error: { message } });
});

test('refuses other encodings, other types and an empty body', async () => {
  const send = await opened();
  const refused = await send(gzipSync('x'), { 'content-encoding': 'gzip, gzip' });
  expect(refused).toMatchObject({ status: 415, error: { code: 'UnsupportedMediaType' } });
  expect(refused.headers['accept-encoding']).toBe('gzip');
  expect(await send(Buffer.from('x'), { 'content-encoding': 'br' })).toMatchObject({ status: 415 });
  expect(await send(Buffer.from('x'), { 'content-type': 'text/html' })).toMatchObject({
    status: 415,
    error: { message: 'The body must be sent with Content-Type: application/json or application/octet-stream.' },
  });
  expect(await send(undefined)).toMatchObject({ status: 411 });
});

test('limits how many of the largest bodies are in memory and asks other callers to retry', async () => {
  const chunkArrivals: PromiseWithResolvers<void>[] = [];
  const open = Promise.withResolvers<void>();
  const { http } = await serve(
    route(logs_send, async (_ctx, { body }) => {
      chunkArrivals.shift()?.resolve();
      await open.promise;
      return { size: body.length, text: '' };
    }),
  );
  const send = () =>
    http.inject({
      method: 'POST',
      url: '/v0.1/logs',
      payload: Buffer.alloc(1000, 'a'),
      headers: { 'content-type': 'application/json' },
    });
  const held: ReturnType<typeof send>[] = [];
  for (let n = 0; n < 16; n++) {
    const here = Promise.withResolvers<void>();
    chunkArrivals.push(here);
    held.push(send());
    await here.promise;
  }
  const refused = await send();
  expect([refused.statusCode, refused.json().error.code]).toEqual([503, 'ServiceUnavailable']);
  open.resolve();
  for (const each of held) expect((await each).statusCode).toBe(202);
  expect((await send()).statusCode).toBe(202);
});

test('idle connections that only declare a length keep no one out', async () => {
  const { http, url } = await serve(route(logs_send, async (_ctx, { body }) => ({ size: body.length, text: '' })));
  const port = Number(new URL(url).port);
  let arrived = 0;
  http.server.on('request', () => {
    arrived += 1;
  });
  const head = 'POST /v0.1/logs HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';
  const idle = Array.from({ length: 16 }, () => connect({ host: '127.0.0.1', port }));
  for (const socket of idle) socket.write(head);
  while (arrived < idle.length) await setTimeout(5);
  const headers = { 'content-type': 'application/json' };
  const sent = await http.inject({ method: 'POST', url: '/v0.1/logs', payload: Buffer.alloc(1000, 'a'), headers });
  expect(sent.statusCode).toBe(202);
  for (const socket of idle) socket.destroy();
});
