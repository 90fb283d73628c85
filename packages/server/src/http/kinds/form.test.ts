import { endpoint, form, json, redirect } from '@mooring/contract';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { serve } from '../../../test/harness/endpoints.ts';
import { route } from '../mount.ts';

const Fields = Type.Object({ code: Type.String(), state: Type.Optional(Type.String()) });
const common = { method: 'POST', tag: 'forms', summary: 'x', access: 'public', effect: 'read' } as const;
const response = json(Fields, { description: 'The same.' });
const limits = { maxBytes: 200, maxFields: 3 };
const formOnly = endpoint({ ...common, id: 'formOnly', path: '/v0.1/form', request: form(Fields, limits), response });
const either = endpoint({
  ...common,
  id: 'either',
  path: '/v0.1/either',
  request: form(Fields, { ...limits, orJson: true }),
  response: redirect({ status: 303, description: 'There.' }),
});

const opened = async () => {
  const { http } = await serve(
    route(formOnly, async (_ctx, { body }) => body),
    route(either, async (_ctx, { body }) => `/there?code=${body.code}`),
  );
  return (url: string, payload: string, type = 'application/x-www-form-urlencoded') =>
    http.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });
};

test('fields are read as they were written, and held against the schema', async () => {
  const send = await opened();
  expect((await send('/v0.1/form', 'code=a+b%26c&state=%C3%A9')).json()).toEqual({ code: 'a b&c', state: 'é' });
  const missing = await send('/v0.1/form', 'state=1');
  expect([missing.statusCode, missing.json().error.message]).toEqual([400, 'code is missing.']);
});

test('the same fields may come as JSON where that is said, and only there', async () => {
  const send = await opened();
  const answer = await send('/v0.1/either', '{"code":"x"}', 'application/json');
  expect([answer.statusCode, answer.headers.location, answer.headers['cache-control']]).toEqual([
    303,
    '/there?code=x',
    'no-store',
  ]);
  expect((await send('/v0.1/either', 'code=x')).statusCode).toBe(303);
  const refused = await send('/v0.1/form', '{"code":"x"}', 'application/json');
  expect([refused.statusCode, refused.json().error.message]).toEqual([
    415,
    'The body must be a form, sent with Content-Type: application/x-www-form-urlencoded.',
  ]);
});

test.each([
  ['more fields than there may be', 'code=1&a=1&b=1&c=1', 400, 'The form has more than 3 fields.'],
  ['a field twice', 'code=1&code=2', 400, 'code is given more than once.'],
  ['a NUL character', 'code=%00', 400, 'The form must not contain a NUL character.'],
  [
    'more bytes than there may be',
    `code=${'a'.repeat(200)}`,
    413,
    'The body is larger than the 200 bytes that this server takes.',
  ],
])('%s is refused', async (_what, payload, status, message) => {
  const answer = await (await opened())('/v0.1/form', payload);
  expect([answer.statusCode, answer.json().error.message]).toEqual([status, message]);
});
