import { expect, test } from 'vitest';
import { sendDearestRequests } from './cheap-requests.ts';

/**
 * The short form of `npm run faults -- cheap-requests`, on one database: what is measured is the main thread. No clock is
 * asked, since a busy machine would fail it: see `MAX_TURN_RATIO`.
 */
test('no endpoint keeps the event loop busy with its largest fields and query parameters', {
  timeout: 900_000,
}, async () => {
  let requests = 0;
  const onFigures = () => {
    requests += 1;
  };
  expect(await sendDearestRequests({ dialect: 'sqlite', onFigures })).toEqual([]);
  expect(requests).toBeGreaterThan(100);
});
