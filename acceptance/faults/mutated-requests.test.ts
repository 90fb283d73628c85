import { expect, test } from 'vitest';
import { dialects } from './installation.ts';
import { sendMutatedRequests } from './mutated-requests.ts';

test.each(dialects)(
  'requests that nobody should send are refused, and change nothing when they are (%s)',
  async (dialect) => {
    const seen = await sendMutatedRequests({ dialect, requests: 2000, round: 1000 });
    expect(seen).toContain('no 5xx, nothing hung');
  },
);
