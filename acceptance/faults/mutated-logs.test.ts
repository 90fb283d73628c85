import { expect, test } from 'vitest';
import { dialects } from './installation.ts';
import { sendMutatedLogs } from './mutated-logs.ts';

test.each(dialects)(
  'whatever devices send, the server stands, counts what it took, and handles all of it (%s)',
  async (dialect) => {
    await expect(sendMutatedLogs({ dialect, bodies: 250, seed: 1 })).resolves.toContain('no 5xx');
  },
);
