import { errorStatuses, healthErrorStatuses } from '@mooring/contract';
import { expect, test } from 'vitest';
import {
  badRequest,
  conflict,
  Failure,
  forbidden,
  notFound,
  statusByCode,
  tooManyRequests,
  unauthorized,
  unavailable,
} from './errors.ts';

test('has exactly the error codes of the contract', () => {
  expect(statusByCode).toEqual({ ...errorStatuses, ...healthErrorStatuses });
  // A code of both API surfaces has the same meaning in both.
  expect(statusByCode).toEqual({ ...healthErrorStatuses, ...errorStatuses });
});

test.each([
  [badRequest('x'), 400],
  [unauthorized(), 401],
  [forbidden('x'), 403],
  [notFound('user'), 404],
  [conflict('x'), 409],
  [tooManyRequests('x', 1), 429],
  [unavailable('x'), 503],
])('%s has status %i', (failure, status) => {
  expect(failure).toBeInstanceOf(Failure);
  expect(statusByCode[failure.code]).toBe(status);
});

test('names a missing resource if it has a name', () => {
  expect(notFound('user').message).toBe('No such user.');
  expect(notFound('app', 'ada/compass').message).toBe('No app "ada/compass" found, or you don\'t have access to it.');
});

test.each([
  [0, '1'],
  [-5, '1'],
  [0.2, '1'],
  [1, '1'],
  [1.01, '2'],
  [300, '300'],
])('rounds a wait of %d s up to %s whole seconds', (seconds, header) => {
  expect(tooManyRequests('x', seconds).headers).toEqual({ 'retry-after': header });
});

test('never reveals what a credential lacks: the error is always the same', () => {
  expect(unauthorized().message).toBe(unauthorized().message);
  expect(unauthorized().headers).toEqual({ 'www-authenticate': 'Bearer realm="Mooring"' });
});

test('an unavailable server sends Retry-After', () => {
  expect(unavailable('x').headers).toEqual({ 'retry-after': '1' });
});
