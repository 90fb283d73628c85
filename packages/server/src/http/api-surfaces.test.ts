import { expect, test } from 'vitest';
import { Failure } from '../kernel/errors.ts';
import { type ApiSurface, createApiSurfaces, isStandard } from './api-surfaces.ts';

const other: ApiSurface = {
  name: 'health',
  credentials: ['token'],
  owns: (url) => url.startsWith('/other'),
  toCanonical: (url) => url.toLowerCase(),
  unauthenticated: () => new Failure('Unauthorized', 'Who?'),
  error: () => ({}),
};
const surfaces = createApiSurfaces([other]);

test('finds the API surface of an endpoint, and throws for an undefined one', () => {
  expect(surfaces.of({ surface: { name: 'health' } })).toBe(other);
  const standard = surfaces.of({});
  expect([standard.name, standard.credentials, isStandard(standard), isStandard(other)]).toEqual([
    'v0.1',
    ['token', 'session'],
    true,
    false,
  ]);
  expect(() => surfaces.of({ surface: { name: 'ingestion' } })).toThrow('no domain defines the API surface ingestion');
});

test('finds the API surface of a URL, and normalizes its spelling', () => {
  expect([surfaces.at('/other/X').name, surfaces.at('/v0.1/X').name]).toEqual(['health', 'v0.1']);
  expect([surfaces.toCanonical('/other/X'), surfaces.toCanonical('/V0.1/X')]).toEqual(['/other/x', '/V0.1/X']);
});

test('the standard API surface reports errors with code and message', () => {
  const failure = new Failure('Conflict', 'Taken.');
  expect(surfaces.of({}).error(failure, 'r-1')).toEqual({ error: { code: 'Conflict', message: 'Taken.' } });
  expect(surfaces.of({}).unauthenticated(true).code).toBe('Unauthorized');
});
