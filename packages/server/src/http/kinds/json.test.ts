import { endpoint, json } from '@mooring/contract';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { serve } from '../../../test/harness/endpoints.ts';
import { route } from '../mount.ts';

const common = { tag: 'json', summary: 'x', access: 'public', effect: 'change' } as const;
const Item = Type.Object({ name: Type.String() });
const List = Type.Array(Item, { maxItems: 2 });

const queued = endpoint({
  ...common,
  id: 'queued',
  method: 'POST',
  path: '/v0.1/queued',
  request: json(List),
  response: json(List, { status: 202, description: 'Later.' }),
});
const saved = endpoint({
  ...common,
  id: 'saved',
  method: 'PUT',
  path: '/v0.1/saved/{name}',
  params: Type.Object({ name: Type.String() }),
  request: json(Type.Object({}), { bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command: 'save' } }),
  response: json(Item, { description: 'It.', mayCreate: true }),
});
const written = endpoint({
  ...common,
  id: 'written',
  method: 'GET',
  path: '/v0.1/written',
  effect: 'read',
  response: json(Item, { description: 'It.', isWritten: true, cache: 'public, max-age=5' }),
});

const opened = async () => {
  const { http } = await serve(
    route(queued, async (_ctx, { body }) => body),
    route(saved, async (_ctx, { params }, reply) => {
      if (params.name === 'new') reply.setCreated();
      return { ...params, secret: 'x' };
    }),
    route(written, async () => '{"name": "as it is"}'),
  );
  return http;
};
const sent = { 'content-type': 'application/json' };

test('accepts a list as a body, and returns 202', async () => {
  const http = await opened();
  const send = (payload: string) => http.inject({ method: 'POST', url: '/v0.1/queued', payload, headers: sent });
  const response = await send('[{"name":"a","more":1}]');
  expect([response.statusCode, response.json()]).toEqual([202, [{ name: 'a' }]]);
  expect((await send('[{"name":"a"},{"name":"b"},{"name":"c"}]')).statusCode).toBe(400);
  expect((await send('{"name":"a"}')).json().error.message).toBe('The body must be an array.');
});

test('a created resource returns 201 with the same schema', async () => {
  const http = await opened();
  const put = (name: string) =>
    http.inject({ method: 'PUT', url: `/v0.1/saved/${name}`, payload: '{}', headers: sent });
  const [made, changed] = [await put('new'), await put('old')];
  expect([made.statusCode, made.json(), changed.statusCode]).toEqual([201, { name: 'new' }, 200]);
});

test('accepts a missing body where it is optional', async () => {
  const http = await opened();
  expect((await http.inject({ method: 'PUT', url: '/v0.1/saved/a' })).statusCode).toBe(200);
  expect((await http.inject({ method: 'POST', url: '/v0.1/queued' })).statusCode).toBe(411);
});

test('sends serialized JSON unchanged', async () => {
  const http = await opened();
  const { body, headers } = await http.inject({ method: 'GET', url: '/v0.1/written' });
  expect([body, headers['content-type'], headers['cache-control']]).toEqual([
    '{"name": "as it is"}',
    'application/json; charset=utf-8',
    'public, max-age=5',
  ]);
});
