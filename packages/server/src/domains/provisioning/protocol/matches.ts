import type { FilterValue, ScimFilter } from './filter.ts';

/** Attributes whose texts differ by case, by their names joined by dots. All others are compared without case. */
export type ExactPaths = ReadonlySet<string>;

type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name of an attribute as the resource spells it. */
export const findKey = (value: object, name: string): string | undefined =>
  Object.keys(value).find((key) => key.toLowerCase() === name);

/** The values at a path: those of all elements, where it leads through a list. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path));
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  if (!isObject(value)) return [];
  const key = findKey(value, name);
  return key === undefined ? [] : valuesAt(value[key], rest);
}

/** A list of objects is compared by the value of each. */
const comparable = (value: unknown): unknown => (isObject(value) ? value.value : value);

function compare(op: string, has: unknown, needs: FilterValue): boolean {
  if (op === 'eq') return has === needs;
  if (op === 'ne') return has !== needs;
  if (typeof has === 'string' && typeof needs === 'string') {
    if (op === 'co') return has.includes(needs);
    if (op === 'sw') return has.startsWith(needs);
    if (op === 'ew') return has.endsWith(needs);
  } else if (!(typeof has === 'number' && typeof needs === 'number')) return false;
  if (op === 'gt') return has > needs;
  if (op === 'ge') return has >= needs;
  if (op === 'lt') return has < needs;
  return op === 'le' && has <= needs;
}

/** Whether a resource, or an element of a list, matches a filter. A condition on a missing attribute is not met. */
export function matches(
  resource: unknown,
  filter: ScimFilter,
  exact: ExactPaths,
  prefix: readonly string[] = [],
): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((each) => matches(resource, each, exact, prefix));
    case 'or':
      return filter.filters.some((each) => matches(resource, each, exact, prefix));
    case 'not':
      return !matches(resource, filter.filter, exact, prefix);
    case 'elements': {
      const path = [...prefix, ...filter.path];
      return valuesAt(resource, filter.path).some((each) => matches(each, filter.filter, exact, path));
    }
    case 'pr':
      return valuesAt(resource, filter.path).some((value) => value !== null && value !== '');
    default: {
      const isExact = exact.has([...prefix, ...filter.path].join('.'));
      const fold = <T>(value: T): T | string => (typeof value === 'string' && !isExact ? value.toLowerCase() : value);
      const value = fold(filter.value) as FilterValue;
      return valuesAt(resource, filter.path).some((has) => compare(filter.op, fold(comparable(has)), value));
    }
  }
}

/** The text that matching resources must have in this attribute; undefined if the filter doesn't say. */
export function requiredText(filter: ScimFilter, attribute: string): string | undefined {
  if (filter.op === 'and') {
    for (const each of filter.filters) {
      const text = requiredText(each, attribute);
      if (text !== undefined) return text;
    }
    return undefined;
  }
  const isAbout = filter.op === 'eq' && filter.path.join('.') === attribute && typeof filter.value === 'string';
  return isAbout ? String(filter.value) : undefined;
}
