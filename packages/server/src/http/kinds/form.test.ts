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

test('reads fields unchanged, and validates them against the schema', async () => {
  const send = await opened();
  expect((await send('/v0.1/form', 'code=a+b%26c&state=%C3%A9')).json()).toEqual({ code: 'a b&c', state: 'é' });
  const missing = await send('/v0.1/form', 'state=1');
  expect([missing.statusCode, missing.json().error.message]).toEqual([400, 'code is missing.']);
});

test('accepts the same fields as JSON only where declared', async () => {
  const send = await opened();
  const result = await send('/v0.1/either', '{"code":"x"}', 'application/json');
  expect([result.statusCode, result.headers.location, result.headers['cache-control']]).toEqual([
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
  ['more fields than there may be', 'code=1&a=1&b=1&c=1', 400, 'The form has more than 3 fields. Send fewer.'],
  ['a field twice', 'code=1&code=2', 400, 'code occurs more than once. Send it once.'],
  ['a NUL character', 'code=%00', 400, 'The form must not contain a NUL character.'],
  [
    'more bytes than there may be',
    `code=${'a'.repeat(200)}`,
    413,
    'The body exceeds the limit of 200 bytes. Send it in smaller parts.',
  ],
])('refuses %s', async (_what, payload, status, message) => {
  const result = await (await opened())('/v0.1/form', payload);
  expect([result.statusCode, result.json().error.message]).toEqual([status, message]);
});

test('parses a form field by field, with escapes', () => {
  expect(readForm('a=1&b=x%20y+z&c=', 20)).toEqual({ a: '1', b: 'x y z', c: '' });
  expect(readForm('', 20)).toEqual({});
});

test('names a duplicate field in the error', () => {
  expect(() => readForm('a=1&b=2&a=3', 20)).toThrow('a occurs more than once. Send it once.');
});

test('refuses NUL in a name and in a value', () => {
  expect(() => readForm('a%00=1', 20)).toThrow('NUL');
  expect(() => readForm('a=%00', 20)).toThrow('NUL');
});

test('accepts a field with the name of an object property', () => {
  const form = readForm('__proto__=x&constructor=y', 20);
  expect(Object.entries(form)).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
});

test('accepts twenty fields, and refuses more without parsing them', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=`).join('&');
  expect(Object.keys(readForm(fields(20), 20))).toHaveLength(20);
  for (const count of [21, 60_000]) expect(() => readForm(fields(count), 20)).toThrow('more than 20 fields');
  expect(() => readForm('&'.repeat(500_000), 20)).toThrow('more than 20 fields');
});
