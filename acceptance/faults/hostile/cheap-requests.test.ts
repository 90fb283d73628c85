import { expect, test } from 'vitest';
import { sendDearestRequests } from './cheap-requests.ts';

/**
 * The short form of `npm run faults -- cheap-requests`, on one database. It measures the CPU time of the main thread,
 * because a busy machine would make a test by the clock fail: see `MAX_TURN_RATIO`.
 */
test('no endpoint blocks the event loop with its largest fields and query parameters', {
  timeout: 900_000,
}, async () => {
  let requests = 0;
  const onFigures = () => {
    requests += 1;
  };
  expect(await sendDearestRequests({ dialect: 'sqlite', onFigures })).toEqual([]);
  expect(requests).toBeGreaterThan(100);
});
