import { endpoint, form, json, redirect } from '@mooring/contract';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { serve } from '../../../test/harness/endpoints.ts';
import { route } from '../mount.ts';
import { readForm } from './form.ts';

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

test('a form is read field by field, with its escapes', () => {
  expect(readForm('a=1&b=x%20y+z&c=', 20)).toEqual({ a: '1', b: 'x y z', c: '' });
  expect(readForm('', 20)).toEqual({});
});

test('a field that is given twice is named in the refusal', () => {
  expect(() => readForm('a=1&b=2&a=3', 20)).toThrow('a is given more than once.');
});

test('a NUL is refused in a name and in a value', () => {
  expect(() => readForm('a%00=1', 20)).toThrow('NUL');
  expect(() => readForm('a=%00', 20)).toThrow('NUL');
});

test('a name that objects have anyway is a name like any other', () => {
  const form = readForm('__proto__=x&constructor=y', 20);
  expect(Object.entries(form)).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
});

test('twenty fields are read, and more are refused before any is looked at', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=`).join('&');
  expect(Object.keys(readForm(fields(20), 20))).toHaveLength(20);
  for (const count of [21, 60_000]) expect(() => readForm(fields(count), 20)).toThrow('more than 20 fields');
  expect(() => readForm('&'.repeat(500_000), 20)).toThrow('more than 20 fields');
});
