import { expect, test } from 'vitest';
import { customIn, getOperators, toDefinition } from './audience-conditions.ts';

const custom = { age: 'number', plan: 'string' } as const;
const is = (property: string, value: string, operator = 'eq') => ({ property, operator, value });

test('builds a definition with quoted text, and skips conditions without a value', () => {
  const lines = [is('AppVersion', '1.10', 'ge'), is('age', '7', 'lt'), is('plan', "it's"), is('Model', '')];
  expect(toDefinition(lines, 'and', custom)).toBe("AppVersion ge '1.10' and age lt 7 and plan eq 'it''s'");
  expect(toDefinition([is('ApiLevel', '34'), is('Model', 'x')], 'or', {})).toBe("ApiLevel eq 34 or Model eq 'x'");
  expect(toDefinition([], 'and', {})).toBe('');
});

test('finds custom properties in a definition, but not within its values', () => {
  expect(customIn("(age lt 7) and Model eq 'a plan of mine'", custom)).toEqual({ age: 'number' });
  expect(customIn("Model eq 'it''s plan age'", custom)).toEqual({});
});

test('offers order comparisons only for ordered types', () => {
  expect(Object.keys(getOperators('Model', 'string'))).toEqual(['eq', 'ne']);
  expect(Object.keys(getOperators('AppVersion', 'string'))).toContain('ge');
  expect(Object.keys(getOperators('age', 'number'))).toContain('lt');
});
