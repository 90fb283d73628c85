import { type EndpointSpec, empty } from '@mooring/contract';
import { fastify } from 'fastify';
import Type from 'typebox';
import { expect, onTestFinished, test } from 'vitest';
import { addPreflight, readableFrom } from './cross-origin.ts';

const page = 'https://board.example.com';

/** An endpoint that is readable for this group. Sends a request, and a preflight, as a page of this origin. */
async function serve(who: EndpointSpec['readableFrom']) {
  const app = fastify();
  onTestFinished(() => app.close());
  const endpoint: EndpointSpec = {
    id: 'tokens_make',
    method: 'POST',
    path: '/token',
    tag: 'oauth',
    summary: 'Makes a token',
    access: 'public',
    effect: 'change',
    response: empty({ description: 'It is made.' }),
    headers: Type.Object({ 'x-install': Type.String() }),
    readableFrom: who,
  };
  const requests: string[][] = [];
  const hook = readableFrom(endpoint, async (...question) => {
    requests.push(question);
    return question[1] === page;
  });
  const onRequest = hook ? [hook] : [];
  app.post('/token', { onRequest }, async () => 'ok');
  addPreflight(app, endpoint.path, [endpoint, { ...endpoint, method: 'HEAD' }], onRequest);
  const send = async (method: 'POST' | 'OPTIONS', origin?: string) =>
    (await app.inject({ method, url: '/token', headers: origin === undefined ? {} : { origin } })).headers;
  return { requests, hook, send };
}

test('lets only pages of this server read a response by default', async () => {
  const { hook } = await serve(undefined);
  expect(hook).toBeUndefined();
});

test('public endpoints are readable from any origin without credentials', async () => {
  const { requests, send } = await serve('anywhere');
  expect(await send('POST', 'https://evil.example')).toMatchObject({ 'access-control-allow-origin': '*' });
  expect(requests).toEqual([]);
});

test('lets clients read from their own origins only, and caches vary by origin', async () => {
  const { requests, send } = await serve('clients');
  expect(await send('POST', page)).toMatchObject({ 'access-control-allow-origin': page, vary: 'origin' });
  for (const origin of ['https://evil.example', undefined]) {
    const headers = await send('POST', origin);
    expect([headers['access-control-allow-origin'], headers.vary]).toEqual([undefined, 'origin']);
  }
  expect(requests).toEqual([
    ['clients', page],
    ['clients', 'https://evil.example'],
  ]);
});

test('does not look up an origin that is too long', async () => {
  const { requests, send } = await serve('clients');
  await send('POST', `https://${'x'.repeat(292)}`);
  expect(requests).toHaveLength(1);
  await send('POST', `https://${'x'.repeat(293)}`);
  expect(requests).toHaveLength(1);
});

test('a preflight lists the allowed headers if the page may read the response', async () => {
  const { send } = await serve('senders');
  expect(await send('OPTIONS', page)).toMatchObject({
    'access-control-allow-origin': page,
    'access-control-allow-methods': 'POST, HEAD',
    'access-control-allow-headers': 'content-type, x-install',
    'access-control-max-age': '600',
  });
  expect(await send('OPTIONS', 'https://evil.example')).not.toHaveProperty('access-control-allow-methods');
});
