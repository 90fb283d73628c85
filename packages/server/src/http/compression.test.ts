import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { endpoint, json } from '@mooring/contract';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { serve } from '../../test/harness/endpoints.ts';
import { encodingFor } from './compression.ts';
import { route } from './mount.ts';

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
])('whoever accepts %s gets %s', (accepted, encoding) => {
  expect(encodingFor(accepted)).toBe(encoding);
});

const text = 'a quite usual sentence, '.repeat(100);
const base = { tag: 'test', summary: 'Test', access: 'public' } as const;
const words = Type.Object({ text: Type.String() });
const read = endpoint({
  ...base,
  id: 'test_read',
  method: 'GET',
  path: '/v0.1/large',
  effect: 'read',
  response: json(words, { description: 'Large.' }),
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
  response: json(words, { description: 'Large.' }),
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
] as const)('a large answer comes as %s, and is the same', async (encoding, decompress) => {
  const { http } = await served();
  const answer = await http.inject({ url: '/v0.1/large', headers: { 'accept-encoding': encoding } });
  expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
  expect(answer.rawPayload.length).toBeLessThan(text.length / 4);
  expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length);
  expect(JSON.parse(decompress(answer.rawPayload).toString())).toEqual({ text });
});

const plain: [string, string, string, Record<string, string>][] = [
  ['a small answer', 'GET', '/v0.1/small', {}],
  ['the answer to a change, which may hold a secret', 'POST', '/v0.1/large', {}],
  ['an answer with an ETag', 'GET', '/v0.1/tagged', {}],
  ['what a page of another site asks for', 'GET', '/v0.1/large', { 'sec-fetch-site': 'cross-site' }],
  ['what a page of a sister site asks for', 'GET', '/v0.1/large', { 'sec-fetch-site': 'same-site' }],
  ['what nobody wants compressed', 'GET', '/v0.1/large', { 'accept-encoding': 'identity' }],
];
test.each(plain)('%s is sent as it is', async (_, method, url, headers) => {
  const { http } = await served();
  const answer = await http.inject({
    method: method as 'GET',
    url,
    headers: { 'accept-encoding': 'gzip, br, zstd', ...headers },
    ...(method === 'POST' ? { payload: {} } : {}),
  });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).not.toHaveProperty('content-encoding');
  expect(answer.json()).toHaveProperty('text');
});

test('a HEAD tells no length of what a GET would send compressed', async () => {
  const { url } = await served();
  const answer = await fetch(`${url}/v0.1/large`, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
  expect([answer.status, answer.headers.get('content-encoding'), await answer.text()]).toEqual([200, null, '']);
});
