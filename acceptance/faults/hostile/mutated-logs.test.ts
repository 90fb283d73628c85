import { expect, test } from 'vitest';
import { dialects } from '../installation.ts';
import { sendMutatedLogs } from './mutated-logs.ts';

test.each(dialects)(
  'the server survives any input of devices, counts accepted logs, and processes all of them (%s)',
  async (dialect) => {
    await expect(sendMutatedLogs({ dialect, bodies: 250, seed: 1 })).resolves.toContain('no 5xx');
  },
);
