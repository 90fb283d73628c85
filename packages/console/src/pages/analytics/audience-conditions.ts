import { devicePropertyTypes } from '@mooring/contract';

export type PropertyType = 'string' | 'number' | 'boolean' | 'date_time';

/** One line of the builder. */
export interface Condition {
  property: string;
  operator: string;
  value: string;
}

const orders = { lt: 'is before', le: 'is at most', gt: 'is after', ge: 'is at least' };
const equality = { eq: 'is', ne: 'is not' };

/** What has an order can be compared by it. */
export const operatorsOf = (property: string, type: PropertyType): Record<string, string> =>
  property === 'AppVersion' || property === 'OsVersion' || type === 'number' || type === 'date_time'
    ? { ...equality, ...orders }
    : equality;

export const typeOf = (property: string, custom: Readonly<Record<string, PropertyType>>): PropertyType =>
  property in devicePropertyTypes
    ? devicePropertyTypes[property as keyof typeof devicePropertyTypes]
    : (custom[property] ?? 'string');

/** The lines as one definition, all of which have to be true, or one. */
export const toDefinition = (
  conditions: readonly Condition[],
  joined: 'and' | 'or',
  custom: Readonly<Record<string, PropertyType>>,
): string =>
  conditions
    .filter(({ value }) => value !== '')
    .map(({ property, operator, value }) => {
      const isBare = typeOf(property, custom) === 'number' || typeOf(property, custom) === 'boolean';
      return `${property} ${operator} ${isBare ? value : `'${value.replaceAll("'", "''")}'`}`;
    })
    .join(` ${joined} `);

/** The types of the properties of the app that a definition names. */
export const customIn = (
  definition: string,
  custom: Readonly<Record<string, PropertyType>>,
): Record<string, PropertyType> => {
  const words = new Set(definition.replaceAll(/'(?:[^']|'')*'/g, ' ').split(/[\s()]+/));
  return Object.fromEntries(Object.entries(custom).filter(([name]) => words.has(name)));
};
