import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { endpoint, json } from '@mooring/contract';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { serve } from '../../../test/harness/endpoints.ts';
import { route } from '../mount.ts';
import { encodingFor } from './compression.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000,gzip;q=0', undefined],
  ['*', undefined],
  ['broken;;;,,,', undefined],
])('Accept-Encoding %s gets %s', (accepted, encoding) => {
  expect(encodingFor(accepted)).toBe(encoding);
});

const text = 'a quite usual sentence, '.repeat(100);
const base = { tag: 'test', summary: 'Test', access: 'public' } as const;
const Message = Type.Object({ text: Type.String() });
const read = endpoint({
  ...base,
  id: 'test_read',
  method: 'GET',
  path: '/v0.1/large',
  effect: 'read',
  response: json(Message, { description: 'Large.' }),
});
const tagged = endpoint({ ...read, id: 'test_tagged', path: '/v0.1/tagged' });
const small = endpoint({ ...read, id: 'test_small', path: '/v0.1/small' });
const change = endpoint({
  ...base,
  id: 'test_change',
  method: 'POST',
  path: '/v0.1/large',
  effect: 'change',
  request: json(Type.Object({})),
  response: json(Message, { description: 'Large.' }),
});

const served = () =>
  serve(
    route(read, async () => ({ text })),
    route(small, async () => ({ text: 'small' })),
    route(change, async () => ({ text })),
    route(tagged, async (_ctx, _input, reply) => {
      reply.setEtag('"1"');
      return { text };
    }),
  );

test.each([
  ['zstd', zstdDecompressSync],
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('compresses a large response as %s', async (encoding, decompress) => {
  const { http } = await served();
  const response = await http.inject({ url: '/v0.1/large', headers: { 'accept-encoding': encoding } });
  expect(response.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
  expect(response.rawPayload.length).toBeLessThan(text.length / 4);
  expect(Number(response.headers['content-length'])).toBe(response.rawPayload.length);
  expect(JSON.parse(decompress(response.rawPayload).toString())).toEqual({ text });
});

const plain: [string, string, string, Record<string, string>][] = [
  ['a small answer', 'GET', '/v0.1/small', {}],
  ['the answer to a change, which may hold a secret', 'POST', '/v0.1/large', {}],
  ['an answer with an ETag', 'GET', '/v0.1/tagged', {}],
  ['what a page of another site asks for', 'GET', '/v0.1/large', { 'sec-fetch-site': 'cross-site' }],
  ['what a page of a sister site asks for', 'GET', '/v0.1/large', { 'sec-fetch-site': 'same-site' }],
  ['what nobody wants compressed', 'GET', '/v0.1/large', { 'accept-encoding': 'identity' }],
];
test.each(plain)('does not compress %s', async (_, method, url, headers) => {
  const { http } = await served();
  const response = await http.inject({
    method: method as 'GET',
    url,
    headers: { 'accept-encoding': 'gzip, br, zstd', ...headers },
    ...(method === 'POST' ? { payload: {} } : {}),
  });
  expect(response.statusCode).toBe(200);
  expect(response.headers).not.toHaveProperty('content-encoding');
  expect(response.json()).toHaveProperty('text');
});

test('HEAD returns no length for a response that GET would compress', async () => {
  const { url } = await served();
  const response = await fetch(`${url}/v0.1/large`, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
  expect([response.status, response.headers.get('content-encoding'), await response.text()]).toEqual([200, null, '']);
});
