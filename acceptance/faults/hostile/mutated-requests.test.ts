import { expect, test } from 'vitest';
import { dialects } from '../installation.ts';
import { sendMutatedRequests } from './mutated-requests.ts';

test.each(dialects)('invalid requests are rejected, and rejected requests change nothing (%s)', async (dialect) => {
  // Always the same requests, so that a change of the code shows; `npm run faults` uses new ones each time.
  const seen = await sendMutatedRequests({ dialect, requests: 1000, round: 500, seed: 1 });
  expect(seen).toContain('no 5xx, no hanging request');
});
