import { expect, test } from 'vitest';
import { Failure } from '../kernel/errors.ts';
import { createFamilies, type Family, isStandard } from './families.ts';

const other: Family = {
  name: 'health',
  credentials: ['token'],
  owns: (url) => url.startsWith('/other'),
  toCanonical: (url) => url.toLowerCase(),
  unauthenticated: () => new Failure('Unauthorized', 'Who?'),
  error: () => ({}),
};
const families = createFamilies([other]);

test('an endpoint names its family, or is of the standard one; one that nobody defines is refused', () => {
  expect(families.of({ family: { name: 'health' } })).toBe(other);
  const standard = families.of({});
  expect([standard.name, standard.credentials, isStandard(standard), isStandard(other)]).toEqual([
    'v0.1',
    ['token', 'session'],
    true,
    false,
  ]);
  expect(() => families.of({ family: { name: 'ingestion' } })).toThrow('no domain defines the family ingestion');
});

test('an address belongs to the family that owns it, else to the standard one, and is spelled its way', () => {
  expect([families.at('/other/X').name, families.at('/v0.1/X').name]).toEqual(['health', 'v0.1']);
  expect([families.toCanonical('/other/X'), families.toCanonical('/V0.1/X')]).toEqual(['/other/x', '/V0.1/X']);
});

test('the standard family says what went wrong by code and message', () => {
  const failure = new Failure('Conflict', 'Taken.');
  expect(families.of({}).error(failure, 'r-1')).toEqual({ error: { code: 'Conflict', message: 'Taken.' } });
  expect(families.of({}).unauthenticated(true).code).toBe('Unauthorized');
});
