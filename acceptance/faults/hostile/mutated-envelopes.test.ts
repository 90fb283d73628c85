import { expect, test } from 'vitest';
import { dialects } from '../installation.ts';
import { sendMutatedEnvelopes } from './mutated-envelopes.ts';

test.each(dialects)(
  'the server survives any envelope, processes what it accepted, and needs no more memory (%s)',
  async (dialect) => {
    await expect(sendMutatedEnvelopes({ dialect, envelopes: 500, seed: 1 })).resolves.toContain('no 5xx');
  },
);
