import type { Type as TypeBox } from 'typebox';

type Builders = Pick<
  typeof TypeBox,
  | ('Array' | 'Boolean' | 'Enum' | 'Integer' | 'Literal' | 'Null' | 'Number' | 'Object')
  | ('Optional' | 'Record' | 'String' | 'Union' | 'Unknown')
>;

type Schema = object & { '~optional'?: true; pattern?: string };

/** TypeBox identifies a schema by its kind, which is not part of its JSON. */
const make = (kind: string, json: object, options?: object): Schema =>
  Object.defineProperty({ ...json, ...options }, '~kind', { value: kind });

const plain =
  (kind: string, json: object = { type: kind.toLowerCase() }) =>
  (options?: object) =>
    make(kind, json, options);

const listRequired = (properties: Record<string, Schema>): { required?: string[] } => {
  const required = Object.keys(properties).filter((name) => !properties[name]?.['~optional']);
  return required.length > 0 ? { required } : {};
};

const builders = {
  Boolean: plain('Boolean'),
  Integer: plain('Integer'),
  Null: plain('Null'),
  Number: plain('Number'),
  String: plain('String'),
  Unknown: plain('Unknown', {}),
  Enum: (values: readonly unknown[], options?: object) => make('Enum', { enum: values }, options),
  Literal: (value: unknown, options?: object) => make('Literal', { type: typeof value, const: value }, options),
  Array: (items: Schema, options?: object) => make('Array', { type: 'array', items }, options),
  Union: (anyOf: Schema[], options?: object) => make('Union', { anyOf }, options),
  Record: ({ pattern = '^.*$' }: Schema, value: Schema, options?: object) =>
    make('Record', { type: 'object', patternProperties: { [pattern]: value } }, options),
  Object: (properties: Record<string, Schema>, options?: object) =>
    make('Object', { type: 'object', ...listRequired(properties), properties }, options),
  Optional: (schema: Schema) =>
    Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(schema), '~optional': { value: true } }),
};

/** The schemas and types of TypeBox without its 373 modules, which dominated the startup time of commands. */
export const Type = builders as unknown as Builders;
