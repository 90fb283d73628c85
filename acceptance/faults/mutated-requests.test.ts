import { expect, test } from 'vitest';
import { dialects } from './installation.ts';
import { sendMutatedRequests } from './mutated-requests.ts';

test.each(dialects)(
  'requests that nobody should send are refused, and change nothing when they are (%s)',
  async (dialect) => {
    // The same ones every time, so that a change is judged by what it changed; `npm run faults` has others each time.
    const seen = await sendMutatedRequests({ dialect, requests: 1000, round: 500, seed: 1 });
    expect(seen).toContain('no 5xx, nothing hung');
  },
);
