import { type EndpointSpec, endpoints } from '@mooring/contract';
import { getExample } from '@mooring/contract/examples';
import Type, { type TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { compileSchema, describeProblems } from './validation.ts';

type Part = 'body' | 'querystring' | 'params';
type Check = ((value: unknown) => boolean) & { errors?: Parameters<typeof describeProblems>[0] | null };

const compile = (schema: TSchema, httpPart: Part): Check =>
  compileSchema({ schema, httpPart, method: 'POST', url: '/' }) as Check;

/** The error for a value, if any. */
function verdict(schema: TSchema, value: unknown, httpPart: Part = 'body'): string {
  const check = compile(schema, httpPart);
  return check(value) ? 'fine' : describeProblems(check.errors ?? [], httpPart);
}

const Person = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 5 }),
  age: Type.Optional(Type.Integer({ minimum: 1, maximum: 150 })),
  admin: Type.Optional(Type.Boolean()),
  email: Type.Optional(Type.String({ format: 'email' })),
  id: Type.Optional(Type.String({ format: 'uuid' })),
  since: Type.Optional(Type.String({ format: 'date-time' })),
  born: Type.Optional(Type.String({ format: 'day' })),
  nick: Type.Optional(Type.String({ pattern: '^[a-z]+$' })),
  title: Type.Optional(Type.String({ pattern: '\\S' })),
  secret: Type.Optional(Type.String({ minLength: 10 })),
  roles: Type.Optional(Type.Array(Type.Enum(['reader', 'writer']), { minItems: 1, maxItems: 2 })),
  tags: Type.Optional(Type.Array(Type.String(), { minItems: 2 })),
  home: Type.Optional(Type.Object({ city: Type.String() })),
  nothing: Type.Optional(Type.Null()),
});

test.each([
  [{ name: 'ada' }, 'fine'],
  [{ name: 'ada', age: 36, admin: true, roles: ['reader'], since: '2026-11-01T09:00:00Z' }, 'fine'],
  [{}, 'name is missing.'],
  [[], 'The body must be a JSON object.'],
  [null, 'The body must be a JSON object.'],
  [undefined, 'The body must be a JSON object.'],
  ['text', 'The body must be a JSON object.'],
  [{ name: 5 }, 'name must be a string.'],
  [{ name: '' }, 'name must not be empty.'],
  [{ name: 'adalovelace' }, 'name must have at most 5 characters.'],
  [{ name: '🙂🙂🙂🙂🙂' }, 'fine'],
  [{ name: 'ada', age: '36' }, 'age must be an integer.'],
  [{ name: 'ada', age: 1.5 }, 'age must be an integer.'],
  [{ name: 'ada', age: 0 }, 'age must be at least 1.'],
  [{ name: 'ada', age: 151 }, 'age must be at most 150.'],
  [{ name: 'ada', admin: 'true' }, 'admin must be a boolean.'],
  [{ name: 'ada', email: 'ada' }, 'email must be an email address.'],
  [{ name: 'ada', id: 'ada' }, 'id must be a UUID.'],
  [{ name: 'ada', since: 'yesterday' }, 'since must be a time such as 2027-03-31T12:00:00Z.'],
  [{ name: 'ada', born: '1815-12-10' }, 'fine'],
  [{ name: 'ada', born: '1815-12-10T23:00:00+01:00' }, 'fine'],
  [{ name: 'ada', born: '2026-02-30' }, 'born must be a date such as 2027-03-31, or a time.'],
  [{ name: 'ada', born: '2026' }, 'born must be a date such as 2027-03-31, or a time.'],
  [{ name: 'ada', nick: 'ADA' }, 'nick is not valid: ^[a-z]+$'],
  [{ name: 'ada', title: '   ' }, 'title must not be blank.'],
  [{ name: 'ada', secret: 'short' }, 'secret must have at least 10 characters.'],
  [{ name: 'ada', roles: ['owner'] }, 'roles.0 must be one of reader, writer.'],
  [{ name: 'ada', roles: 'reader' }, 'roles must be an array.'],
  [{ name: 'ada', roles: [] }, 'roles must have at least 1 entry.'],
  [{ name: 'ada', roles: ['reader', 'writer', 'reader'] }, 'roles must have at most 2 entries.'],
  [{ name: 'ada', tags: ['a'] }, 'tags must have at least 2 entries.'],
  [{ name: 'ada', home: {} }, 'home.city is missing.'],
  [{ name: 'ada', home: { city: 1 } }, 'home.city must be a string.'],
  [{ name: 'ada', nothing: 0 }, 'nothing must be null.'],
])('the body %j is rejected with: %s', (body, message) => {
  expect(verdict(Person, body)).toBe(message);
});

test.each(['2030-12-31T23:59:60Z', '2030-01-01T00:00:00+01'])(
  "refuses the time %s, which this server can't parse",
  (since) => {
    expect(verdict(Person, { name: 'ada', since })).toBe('since must be a time such as 2027-03-31T12:00:00Z.');
  },
);

test('parses numbers in a query, and fills in defaults', () => {
  const Query = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })) });
  const query = { limit: '7' as unknown };
  expect(compile(Query, 'querystring')(query)).toBe(true);
  expect(query).toEqual({ limit: 7 });
  const empty = {};
  expect(compile(Query, 'querystring')(empty)).toBe(true);
  expect(empty).toEqual({ limit: 50 });
  expect(verdict(Query, { limit: 'many' }, 'querystring')).toBe('limit must be an integer.');
  expect(verdict(Query, { limit: '0' }, 'querystring')).toBe('limit must be at least 1.');
});

test('names a missing part of the query or the path', () => {
  const Needed = Type.Object({ from: Type.String() });
  expect(verdict(Needed, {}, 'querystring')).toBe('from is missing.');
  expect(verdict(Needed, 5, 'querystring')).toBe('The query must be a JSON object.');
});

test('reports the same problem only once', () => {
  const check = compile(Person, 'body');
  check({});
  const [problem] = check.errors ?? [];
  expect(problem && describeProblems([problem, problem])).toBe('name is missing.');
});

const parts = (spec: EndpointSpec): [string, Part, TSchema, unknown][] =>
  (
    [
      ['params', spec.params, getExample(spec).params],
      ['querystring', spec.query, getExample(spec).query],
      ['body', spec.request && 'schema' in spec.request ? spec.request.schema : undefined, getExample(spec).body],
    ] as const
  ).flatMap(([part, schema, example]) => (schema ? [[`${part} of ${spec.id}`, part, schema, example]] : []));

test.each(endpoints.flatMap(parts))(
  'the example %s passes the validation that requests pass',
  (_, part, schema, example) => {
    expect(verdict(schema, structuredClone(example), part)).toBe('fine');
  },
);

test.each(['1e999', '-1e999', 'Infinity', '-Infinity', 'NaN', '1e400'])('refuses %s as a number in a query', (text) => {
  const Query = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1 })), near: Type.Optional(Type.Number()) });
  expect(verdict(Query, { limit: text }, 'querystring')).toMatch(/^limit must be an? (integer|number)\.$/);
  expect(verdict(Query, { near: text }, 'querystring')).toBe('near must be a number.');
});
