import type { EndpointSpec } from '@mooring/contract';

/** What a field takes, as the contract says it. */
export interface FieldRule {
  isRequired: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  /** The rule in words. */
  description?: string;
}

/** What an operation that changes something may leave out, its form shows and so needs. */
export const needed = (rule: FieldRule): FieldRule => ({ ...rule, isRequired: true });

interface TextSchema extends ObjectSchema {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  description?: string;
}

/** As far as forms read it. */
interface ObjectSchema {
  properties?: Record<string, TextSchema | undefined>;
  required?: string[];
}

/** What may also be null, which existing clients send for what they were not told. */
export const orNothing = <S extends object>(schema: S & { anyOf?: S[] }): S => schema.anyOf?.[0] ?? schema;

/** A pattern may be the only one that says how long a text can be. */
const lengthIn = (pattern = ''): number | undefined => Number(/\{\d+,(\d+)\}\$$/.exec(pattern)?.[1]) || undefined;

export function ruleOf(schema: object = {}, isRequired = true): FieldRule {
  const { minLength, maxLength: longest, pattern, format, description }: TextSchema = orNothing(schema);
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
    Object.entries(properties).map(([name, schema]) => [name, ruleOf(schema, required.includes(name))]),
  );

/** The rules of the fields that an operation takes in its body, or in one part of it. */
export function fieldsOf({ request }: Pick<EndpointSpec, 'request'>, part?: string): (name: string) => FieldRule {
  const schema: ObjectSchema = request && 'schema' in request ? request.schema : {};
  return namedIn(rulesIn(part ? (schema.properties?.[part] ?? {}) : schema));
}

/** The rules of the fields that an operation takes in its address. */
export const parametersOf = ({ params, query }: Pick<EndpointSpec, 'params' | 'query'>) =>
  namedIn({ ...rulesIn(params ?? {}), ...rulesIn(query ?? {}) });

const namedIn = (rules: Record<string, FieldRule>) => (name: string) => {
  const rule = rules[name];
  if (!rule) throw new Error(`The operation takes no ${name}.`);
  return rule;
};

const looks: Record<string, { pattern: RegExp; words: string }> = {
  email: { pattern: /^[^\s@]+@[^\s@]+$/, words: 'Enter an e-mail address, such as ada@example.com.' },
  uuid: {
    pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    words: 'Enter an id such as 5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11.',
  },
};

/** What is wrong with what was typed into a field, if anything, and what would be right. */
export function problemWith(rule: FieldRule, text: string): string | undefined {
  const { isRequired, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format = '', description } = rule;
  if (!text.trim()) return isRequired ? 'Fill this in.' : undefined;
  if (text.length < minLength) return `Enter at least ${minLength.toLocaleString()} characters.`;
  if (text.length > maxLength) return `Enter at most ${maxLength.toLocaleString()} characters.`;
  if (pattern && !new RegExp(pattern, 'u').test(text)) return description ?? 'This is not in the right form.';
  const look = looks[format];
  return look && !look.pattern.test(text) ? look.words : undefined;
}

/** An answer of the server that is about fields, told by their names; what is left is about the whole. */
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
