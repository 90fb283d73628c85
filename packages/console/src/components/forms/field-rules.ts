import type { EndpointSpec } from '@mooring/contract';
import { formatCount } from '../text/format-count.ts';

/** Validation rule of a field, from the contract. */
export interface FieldRule {
  isRequired: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  /** The rule in words. */
  description?: string;
}

/** An update makes fields optional that its form shows and needs. */
export const needed = (rule: FieldRule): FieldRule => ({ ...rule, isRequired: true });

interface TextSchema extends ObjectSchema {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  description?: string;
}

/** The part of a schema that forms use. */
interface ObjectSchema {
  properties?: Record<string, TextSchema | undefined>;
  required?: string[];
}

/** Nullable fields: existing clients send null for unknown values. */
export const withoutNull = <S extends object>(schema: S & { anyOf?: S[] }): S => schema.anyOf?.[0] ?? schema;

/** The pattern may be the only limit of a text's length. */
const lengthIn = (pattern = ''): number | undefined => Number(/\{\d+,(\d+)\}\$$/.exec(pattern)?.[1]) || undefined;

export function toFieldRule(schema: object = {}, isRequired = true): FieldRule {
  const { minLength, maxLength: longest, pattern, format, description }: TextSchema = withoutNull(schema);
  const maxLength = longest ?? lengthIn(pattern);
  return {
    isRequired,
    ...(minLength ? { minLength } : {}),
    ...(maxLength ? { maxLength } : {}),
    ...(pattern ? { pattern } : {}),
    ...(format ? { format } : {}),
    ...(description ? { description } : {}),
  };
}

const rulesIn = ({ properties = {}, required = [] }: ObjectSchema): Record<string, FieldRule> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, toFieldRule(schema, required.includes(name))]),
  );

/** Rules of an operation's body fields, or of a part of its body. */
export function getBodyRules(
  { request }: Pick<EndpointSpec, 'request'>,
  property?: string,
): (name: string) => FieldRule {
  const schema: ObjectSchema = request && 'schema' in request ? request.schema : {};
  return namedIn(rulesIn(property ? (schema.properties?.[property] ?? {}) : schema));
}

/** Rules of an operation's path and query parameters. */
export const getParameterRules = ({ params, query }: Pick<EndpointSpec, 'params' | 'query'>) =>
  namedIn({ ...rulesIn(params ?? {}), ...rulesIn(query ?? {}) });

const namedIn = (rules: Record<string, FieldRule>) => (name: string) => {
  const rule = rules[name];
  if (!rule) throw new Error(`The operation has no field ${name}.`);
  return rule;
};

const formats: Record<string, { pattern: RegExp; message: string }> = {
  email: { pattern: /^[^\s@]+@[^\s@]+$/, message: 'Enter an email address, such as ada@example.com.' },
  uuid: {
    pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    message: 'Enter an ID such as 5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11.',
  },
};

/** Returns the problem of a value with a hint how to fix it, or undefined. */
export function problemWith(rule: FieldRule, text: string): string | undefined {
  const { isRequired, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format = '', description } = rule;
  if (!text.trim()) return isRequired ? 'Required' : undefined;
  if (text.length < minLength) return `Enter at least ${formatCount(minLength, 'character')}.`;
  if (text.length > maxLength) return `Enter at most ${formatCount(maxLength, 'character')}.`;
  if (pattern && !new RegExp(pattern, 'u').test(text)) return description ?? 'Invalid format.';
  const expected = formats[format];
  return expected && !expected.pattern.test(text) ? expected.message : undefined;
}

/** Splits a server error into messages for single fields and a rest for the whole form. */
export function fieldErrors(message: string, names: string[]): { fields: Record<string, string>; rest: string } {
  const fields: Record<string, string> = {};
  const rest: string[] = [];
  for (const sentence of message.split(/(?<=\.) /)) {
    const name = names.find((each) => sentence.startsWith(`${each} `));
    if (!name || fields[name]) rest.push(sentence);
    else fields[name] = capital(sentence.slice(name.length + 1));
  }
  return { fields, rest: rest.join(' ') };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
