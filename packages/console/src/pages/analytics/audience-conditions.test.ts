import { expect, test } from 'vitest';
import { customIn, operatorsOf, toDefinition } from './audience-conditions.ts';

const custom = { age: 'number', plan: 'string' } as const;
const is = (property: string, value: string, operator = 'eq') => ({ property, operator, value });

test('lines become a definition; what is text is quoted, and a line without a value is left out', () => {
  const lines = [is('AppVersion', '1.10', 'ge'), is('age', '7', 'lt'), is('plan', "it's"), is('Model', '')];
  expect(toDefinition(lines, 'and', custom)).toBe("AppVersion ge '1.10' and age lt 7 and plan eq 'it''s'");
  expect(toDefinition([is('ApiLevel', '34'), is('Model', 'x')], 'or', {})).toBe("ApiLevel eq 34 or Model eq 'x'");
  expect(toDefinition([], 'and', {})).toBe('');
});

test('a definition names the properties of the app, but not within its values', () => {
  expect(customIn("(age lt 7) and Model eq 'a plan of mine'", custom)).toEqual({ age: 'number' });
  expect(customIn("Model eq 'it''s plan age'", custom)).toEqual({});
});

test('only what has an order can be compared by it', () => {
  expect(Object.keys(operatorsOf('Model', 'string'))).toEqual(['eq', 'ne']);
  expect(Object.keys(operatorsOf('AppVersion', 'string'))).toContain('ge');
  expect(Object.keys(operatorsOf('age', 'number'))).toContain('lt');
});
