import { errorStatuses, healthErrorStatuses } from '@mooring/contract';
import { expect, test } from 'vitest';
import {
  badRequest,
  conflict,
  Failure,
  forbidden,
  notFound,
  statusOf,
  tooManyRequests,
  unauthorized,
  unavailable,
} from './errors.ts';

test('the server fails in exactly the ways that the contract names', () => {
  expect(statusOf).toEqual({ ...errorStatuses, ...healthErrorStatuses });
  // A code that both families have means the same in both.
  expect(statusOf).toEqual({ ...healthErrorStatuses, ...errorStatuses });
});

test.each([
  [badRequest('x'), 400],
  [unauthorized(), 401],
  [forbidden('x'), 403],
  [notFound('user'), 404],
  [conflict('x'), 409],
  [tooManyRequests('x', 1), 429],
  [unavailable('x'), 503],
])('%s is answered with %i', (failure, status) => {
  expect(failure).toBeInstanceOf(Failure);
  expect(statusOf[failure.code]).toBe(status);
});

test('a missing thing is named, if it has a name', () => {
  expect(notFound('user').message).toBe('No such user.');
  expect(notFound('app', 'ada/compass').message).toBe('No app "ada/compass" that you can see.');
});

test.each([
  [0, '1'],
  [-5, '1'],
  [0.2, '1'],
  [1, '1'],
  [1.01, '2'],
  [300, '300'],
])('a wait of %d s is announced as %s whole seconds', (seconds, header) => {
  expect(tooManyRequests('x', seconds).headers).toEqual({ 'retry-after': header });
});

test('what a credential lacks is never told: the answer is always the same', () => {
  expect(unauthorized().message).toBe(unauthorized().message);
  expect(unauthorized().headers).toEqual({ 'www-authenticate': 'Bearer realm="Mooring"' });
});

test('an unavailable server says when to come back', () => {
  expect(unavailable('x').headers).toEqual({ 'retry-after': '1' });
});
