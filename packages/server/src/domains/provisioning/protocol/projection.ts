import type { Resource } from './attributes.ts';
import { splitPath } from './filter.ts';
import { findKey, isObject } from './matches.ts';

/** Parameters that choose the attributes of a response. */
export interface Projection {
  attributes?: string | undefined;
  excludedAttributes?: string | undefined;
}

const MAX_NAMES = 50;
const always = new Set(['schemas', 'id']);

const readNames = (names: string | undefined): string[][] =>
  (names ?? '')
    .split(',', MAX_NAMES)
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map(splitPath);

export const isExcluded = ({ attributes, excludedAttributes }: Projection, name: string): boolean => {
  const has = (names: string | undefined) => readNames(names).some(([first]) => first === name);
  return attributes ? !has(attributes) : readNames(excludedAttributes).some((path) => path.join('.') === name);
};

function pick(resource: Resource, paths: readonly string[][]): Resource {
  const picked: Resource = {};
  for (const [key, value] of Object.entries(resource)) {
    const name = key.toLowerCase();
    const mine = paths.filter(([first]) => first === name);
    if (always.has(name) || mine.some(({ length }) => length === 1)) picked[key] = value;
    else if (mine.length > 0)
      picked[key] = each(value, (part) =>
        pick(
          part,
          mine.map((path) => path.slice(1)),
        ),
      );
  }
  return picked;
}

function omit(resource: Resource, paths: readonly string[][]): Resource {
  const rest = { ...resource };
  for (const [name = '', ...more] of paths) {
    const key = always.has(name) ? undefined : findKey(rest, name);
    if (key === undefined) continue;
    if (more.length === 0) delete rest[key];
    else rest[key] = each(rest[key], (part) => omit(part, [more]));
  }
  return rest;
}

const each = (value: unknown, work: (part: Resource) => Resource): unknown => {
  if (Array.isArray(value)) return value.map((part) => (isObject(part) ? work(part) : part));
  return isObject(value) ? work(value) : value;
};

/** The requested attributes of a resource; its ID and schemas always. */
export function project<R extends object>(resource: R, { attributes, excludedAttributes }: Projection): R {
  if (attributes) return pick(resource as Resource, readNames(attributes)) as R;
  return excludedAttributes ? (omit(resource as Resource, readNames(excludedAttributes)) as R) : resource;
}
