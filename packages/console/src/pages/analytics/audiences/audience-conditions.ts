import { devicePropertyTypes } from '@mooring/contract';

export type PropertyType = 'string' | 'number' | 'boolean' | 'date_time';

/** A condition in the editor. */
export interface Condition {
  property: string;
  operator: string;
  value: string;
}

const orders = { lt: 'is below', le: 'is at most', gt: 'is above', ge: 'is at least' };
const equality = { eq: 'is', ne: 'is not' };

/** Only ordered types offer these operators. */
export const getOperators = (property: string, type: PropertyType): Record<string, string> =>
  property === 'AppVersion' || property === 'OsVersion' || type === 'number' || type === 'date_time'
    ? { ...equality, ...orders }
    : equality;

export const getPropertyType = (property: string, custom: Readonly<Record<string, PropertyType>>): PropertyType =>
  property in devicePropertyTypes
    ? devicePropertyTypes[property as keyof typeof devicePropertyTypes]
    : (custom[property] ?? 'string');

/** Joins the conditions to one definition, with "and" or "or". */
export const toDefinition = (
  conditions: readonly Condition[],
  joined: 'and' | 'or',
  custom: Readonly<Record<string, PropertyType>>,
): string =>
  conditions
    .filter(({ value }) => value !== '')
    .map(({ property, operator, value }) => {
      const isBare = getPropertyType(property, custom) === 'number' || getPropertyType(property, custom) === 'boolean';
      return `${property} ${operator} ${isBare ? value : `'${value.replaceAll("'", "''")}'`}`;
    })
    .join(` ${joined} `);

/** Types of the custom properties that a definition uses. */
export const customIn = (
  definition: string,
  custom: Readonly<Record<string, PropertyType>>,
): Record<string, PropertyType> => {
  const names = new Set(definition.replaceAll(/'(?:[^']|'')*'/g, ' ').split(/[\s()]+/));
  return Object.fromEntries(Object.entries(custom).filter(([name]) => names.has(name)));
};
