import { type EndpointSpec, empty } from '@mooring/contract';
import { fastify } from 'fastify';
import Type from 'typebox';
import { expect, onTestFinished, test } from 'vitest';
import { addPreflight, readableFrom } from './cross-origin.ts';

const page = 'https://board.example.com';

/** An endpoint that these may read; asks it, and asks first, as a page of this origin. */
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
  const asked: string[][] = [];
  const hook = readableFrom(endpoint, async (...question) => {
    asked.push(question);
    return question[1] === page;
  });
  const onRequest = hook ? [hook] : [];
  app.post('/token', { onRequest }, async () => 'ok');
  addPreflight(app, [endpoint, { ...endpoint, method: 'HEAD' }], onRequest);
  const send = async (method: 'POST' | 'OPTIONS', origin?: string) =>
    (await app.inject({ method, url: '/token', headers: origin === undefined ? {} : { origin } })).headers;
  return { asked, hook, send };
}

test('an answer is for pages of this server, unless its endpoint says otherwise', async () => {
  const { hook } = await serve(undefined);
  expect(hook).toBeUndefined();
});

test('what anybody may read is read from anywhere, without asking who it is', async () => {
  const { asked, send } = await serve('anywhere');
  expect(await send('POST', 'https://evil.example')).toMatchObject({ 'access-control-allow-origin': '*' });
  expect(asked).toEqual([]);
});

test('what clients may read is read from their origins only, and caches tell them apart', async () => {
  const { asked, send } = await serve('clients');
  expect(await send('POST', page)).toMatchObject({ 'access-control-allow-origin': page, vary: 'origin' });
  for (const origin of ['https://evil.example', undefined]) {
    const headers = await send('POST', origin);
    expect([headers['access-control-allow-origin'], headers.vary]).toEqual([undefined, 'origin']);
  }
  expect(asked).toEqual([
    ['clients', page],
    ['clients', 'https://evil.example'],
  ]);
});

test('an origin that is longer than any is not even looked up', async () => {
  const { asked, send } = await serve('clients');
  await send('POST', `https://${'x'.repeat(292)}`);
  expect(asked).toHaveLength(1);
  await send('POST', `https://${'x'.repeat(293)}`);
  expect(asked).toHaveLength(1);
});

test('a browser that asks first learns what it may send, if its page may read the answer', async () => {
  const { send } = await serve('senders');
  expect(await send('OPTIONS', page)).toMatchObject({
    'access-control-allow-origin': page,
    'access-control-allow-methods': 'POST, HEAD',
    'access-control-allow-headers': 'content-type, x-install',
    'access-control-max-age': '600',
  });
  expect(await send('OPTIONS', 'https://evil.example')).not.toHaveProperty('access-control-allow-methods');
});
