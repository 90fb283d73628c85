import Type from 'typebox';
import { expect, test } from 'vitest';
import { jsonCodec, listOutline, objectOutline, StringList, StringRecord } from './json-codec.ts';

test('parses what it serialized', () => {
  const codec = jsonCodec('jobs.state', Type.Object({ at: Type.Integer(), names: StringList }));
  const value = { at: 7, names: ['a', 'b'] };
  expect(codec.parse(codec.serialize(value))).toEqual(value);
});

test('accepts unknown fields, which another version may have written', () => {
  expect(jsonCodec('jobs.state', Type.Object({ at: Type.Integer() })).parse('{"at":7,"more":1}')).toMatchObject({
    at: 7,
  });
});

test('names the column and the path of an invalid value, but not the value', () => {
  const codec = jsonCodec('jobs.state', Type.Object({ at: Type.Integer() }));
  expect(() => codec.parse('{"at":"secret"}')).toThrow(
    'jobs.state contains unexpected JSON: value/at must be integer.',
  );
  expect(() => codec.parse('null')).toThrow('jobs.state contains unexpected JSON: value must be object.');
});

test('names the column of invalid JSON, but not the text', () => {
  expect(() => jsonCodec('jobs.state', StringList).parse('secret')).toThrow(/^jobs\.state does not contain JSON\.$/);
});

test.each([
  [StringList, '["a"]', '[1]'],
  [StringRecord, '{"a":"b"}', '{"a":1}'],
  [objectOutline(), '{"a":1}', '[]'],
  [listOutline(), '[1]', '{}'],
])('checks common shapes: %#', (schema, valid, invalid) => {
  const codec = jsonCodec('a.b', schema);
  expect(codec.parse(valid)).toEqual(JSON.parse(valid));
  expect(() => codec.parse(invalid)).toThrow('a.b contains unexpected JSON');
});
