import { Type as TypeBox } from 'typebox';
import Value from 'typebox/value';
import { expect, test } from 'vitest';
import { Type } from './type.ts';

/** Schemas of each kind, with and without options, and nested. */
const build = (type: typeof Type) =>
  type.Object(
    {
      text: type.String({ $id: 'Text', maxLength: 3 }),
      count: type.Optional(type.Integer({ minimum: 1 })),
      share: type.Number(),
      isOn: type.Boolean({ description: 'Whether.' }),
      nothing: type.Null(),
      anything: type.Unknown(),
      one: type.Literal('one'),
      two: type.Literal(2, { title: 'Two' }),
      size: type.Enum(['small', 'large'], { default: 'small' }),
      list: type.Array(type.Union([type.String(), type.Null()], { title: 'Either' }), { maxItems: 2 }),
      byName: type.Record(type.String(), type.Optional(type.Number())),
      byCode: type.Record(type.String({ pattern: '^[a-z]+$' }), type.Boolean(), { maxProperties: 1 }),
      inner: type.Optional(type.Object({ left: type.Optional(type.String()) }, { additionalProperties: false })),
    },
    { $id: 'All' },
  );

/** The JSON of a schema, and the kind that TypeBox stores in it. */
const listMarks = (schema: unknown): unknown =>
  typeof schema !== 'object' || schema === null
    ? schema
    : Object.fromEntries(
        Object.entries(Object.getOwnPropertyDescriptors(schema)).map(([name, { value, enumerable }]) => [
          name,
          [enumerable, listMarks(value)],
        ]),
      );

test('each schema kind matches the one TypeBox creates', () => {
  const [ours, theirs] = [build(Type), build(TypeBox)];
  expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
  expect(listMarks(ours)).toEqual(listMarks(theirs));
});

test('TypeBox validates values with the schemas', () => {
  const schema = Type.Object({ name: Type.Optional(Type.String()), size: Type.Enum(['small', 'large']) });
  expect(['small', 'middle'].map((size) => Value.Check(schema, { size }))).toEqual([true, false]);
  expect(Value.Check(schema, { size: 'large', name: 1 })).toBe(false);
});
