import { findKey, isObject } from './matches.ts';
import { scimFailure } from './scim-failure.ts';

/** An attribute of a resource, as /Schemas describes it and as requests are read by it. */
export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'reference';
  description: string;
  isList?: true;
  isRequired?: true;
  isExact?: true;
  isUnique?: true;
  /** Set by this server; requests can't change it. */
  isReadOnly?: true;
  parts?: readonly Attribute[];
}

export type Resource = Record<string, unknown>;

const MAX_TEXT = 512;
const MAX_ELEMENTS = 20;

export const findAttribute = (attributes: readonly Attribute[] = [], name: string): Attribute | undefined =>
  attributes.find((each) => each.name.toLowerCase() === name.toLowerCase());

const invalid = (name: string, problem: string) => scimFailure('invalidValue', `The attribute ${name} ${problem}.`);

/** Reads a value by its attribute. Undefined if it is null, which removes it. Booleans may be texts, as Entra ID sends them. */
export function readValue(attribute: Attribute, value: unknown): unknown {
  if (value === null) return undefined;
  if (!attribute.isList) return readOne(attribute, value);
  const list = Array.isArray(value) ? value : [value];
  if (list.length > MAX_ELEMENTS) throw invalid(attribute.name, `has more than ${MAX_ELEMENTS} elements. Send fewer`);
  return list.map((each) => readOne(attribute, isObject(each) ? each : { value: each }));
}

function readOne({ name, type, parts }: Attribute, value: unknown): unknown {
  if (type === 'complex') {
    if (!isObject(value)) throw invalid(name, 'must be an object');
    return readResource(parts ?? [], value);
  }
  if (type === 'boolean') {
    const text = typeof value === 'string' ? value.toLowerCase() : value;
    if (text === true || text === 'true') return true;
    if (text === false || text === 'false') return false;
    throw invalid(name, 'must be true or false');
  }
  if (typeof value !== 'string') throw invalid(name, 'must be a text');
  if (value.length > MAX_TEXT) throw invalid(name, `has more than ${MAX_TEXT} characters. Shorten it`);
  return value;
}

/** Reads known attributes, in any case. Others, and those that only the server sets, are ignored, as RFC 7644 allows. */
export function readResource(attributes: readonly Attribute[], body: object): Resource {
  const resource: Resource = {};
  for (const attribute of attributes) {
    const key = attribute.isReadOnly ? undefined : findKey(body, attribute.name.toLowerCase());
    const value = key === undefined ? undefined : readValue(attribute, (body as Resource)[key]);
    if (value !== undefined) resource[attribute.name] = value;
  }
  return resource;
}
