/** A JSON schema, limited to the features that the contract uses. */
export interface Schema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  patternProperties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

/**
 * Texts that make careless code slow: near misses for backtracking regular expressions, letters whose case folding
 * changes their length, combining marks, unclosed markup, and only separators.
 */
export const slowTexts: readonly string[] = [
  `${'a'.repeat(40)}!`,
  'İ',
  'e\u0301\u0323\u0302',
  '<a href="',
  '[![](',
  '&amp;',
  ' \t',
  '((((',
  '.*',
  '/../',
  'a,',
  "'",
  '%25',
  '\ud83d\udc69\u200d',
];

/** Repeats a text up to a number of characters. */
export const fill = (text: string, length: number): string =>
  text
    .repeat(Math.max(1, Math.ceil(length / text.length)))
    .slice(0, Math.max(1, length))
    .toWellFormed();

const formats: Record<string, (n: number) => string> = {
  email: (n) => `worst.${n}@example.com`,
  uuid: (n) => `0192f3d0-0000-7000-8000-${String(n).padStart(12, '0')}`,
  'date-time': (n) => new Date(Date.UTC(2026, 0, 1) + 1000 * n).toISOString(),
  date: () => '2026-01-01',
  day: () => '2026-01-01',
  uri: (n) => `https://worst-${n}.example.com/`,
};

function worstText(schema: Schema, budget: number, n: number, flavor: string, example: unknown): string {
  if (schema.format) return formats[schema.format]?.(n) ?? String(example ?? 'worst');
  const length = Math.min(schema.maxLength ?? budget, budget);
  const candidates = [
    fill(`${n}${flavor}`, length),
    fill(`a${n}`, Math.min(length, 100)),
    `w${n}`,
    fill('a', length),
    fill('1', length),
    String(example ?? ''),
  ];
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  return candidates.find((text) => !pattern || pattern.test(text)) ?? String(example ?? '');
}

const sizeInJson = (value: unknown): number => JSON.stringify(value ?? null).length + 1;

/** A body with more values, or an object with more fields, is rejected before validation. */
const MAX_VALUES = 49_000;
const MAX_FIELDS = 4900;
const countValues = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((count, inner) => count + countValues(inner), 2)
    : 1;

function repeatUntil(limit: number, budget: number, make: (n: number) => unknown): unknown[] {
  const items: unknown[] = [];
  let [bytes, values] = [budget, MAX_VALUES];
  while (items.length < limit && bytes > 0 && values > 0) {
    const item = make(items.length);
    bytes -= sizeInJson(item);
    values -= countValues(item);
    items.push(item);
  }
  return items;
}

export interface Worst {
  /** The maximum size of the value in bytes. */
  budget: number;
  flavor: string;
  /** True: arrays and records repeat one item. False: all items differ. */
  isRepeated: boolean;
  /** A number that makes values of this attempt differ from those of others. */
  n: number;
}

const deepest = (levels: number): unknown => {
  let value: unknown = [];
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
};

/** The largest value for a schema and a number of bytes; `example` helps if a schema is incomplete. */
export function worstValue(schema: Schema, worst: Worst, example?: unknown): unknown {
  const { budget, flavor, isRepeated, n } = worst;
  const small = (inner: Schema, at: number, shown?: unknown) =>
    worstValue(inner, { ...worst, budget: 24, n: isRepeated ? n : n + at }, shown);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.at(-1);
  if (schema.anyOf) {
    const values = schema.anyOf.map((one) => worstValue(one, worst, example));
    return values.sort((a, b) => sizeInJson(b) - sizeInJson(a))[0];
  }
  if (schema.items) {
    const shown = Array.isArray(example) ? example[0] : undefined;
    return repeatUntil(schema.maxItems ?? Number.POSITIVE_INFINITY, budget, (at) =>
      small(schema.items ?? {}, at, shown),
    );
  }
  if (schema.patternProperties) {
    const [inner = {}] = Object.values(schema.patternProperties);
    const entries = repeatUntil(MAX_FIELDS, budget, (at) => [`k${at}`, small(inner, at)]);
    return Object.fromEntries(entries as [string, unknown][]);
  }
  if (schema.properties) {
    const shown = (example ?? {}) as Record<string, unknown>;
    const names = Object.keys(schema.properties).filter((name) => schema.required?.includes(name) || name in shown);
    const share = Math.floor(budget / Math.max(1, names.length));
    return Object.fromEntries(
      names.map((name) => [
        name,
        worstValue(schema.properties?.[name] ?? {}, { ...worst, budget: share }, shown[name]),
      ]),
    );
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'string') return worstText(schema, budget, n, flavor, example);
  if (type === 'integer' || type === 'number') return schema.maximum ?? 2 ** 31 - 1;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  // Any value is allowed: many small ones, each as deep as possible.
  return repeatUntil(Number.POSITIVE_INFINITY, budget, () => deepest(budget > 1000 ? 20 : 1));
}

/** Variants of an example: each field at its maximum, and finally all fields. */
export function worstBodies(schema: Schema, example: unknown, worst: Worst): [shape: string, make: () => unknown][] {
  if (!schema.properties) return [['whole', () => worstValue(schema, worst, example)]];
  const shown = (example ?? {}) as Record<string, unknown>;
  const fields = Object.entries(schema.properties);
  const single = fields.map(([name, inner]): [string, () => unknown] => [
    name,
    () => ({ ...shown, [name]: worstValue(inner, worst, shown[name]) }),
  ]);
  const share = Math.floor(worst.budget / Math.max(1, fields.length));
  const all = () =>
    fields.map(([name, inner]) => [name, worstValue(inner, { ...worst, budget: share }, shown[name])] as const);
  return [...single, ['every field', () => ({ ...shown, ...Object.fromEntries(all()) })]];
}

/** True if only the limit of the body limits the field. */
export const isUnlimited = ({
  type,
  items,
  patternProperties,
  maxItems,
  maxLength,
  format,
  enum: values,
}: Schema): boolean =>
  (items !== undefined && maxItems === undefined) ||
  patternProperties !== undefined ||
  (type === 'string' && !maxLength && !format && !values);
