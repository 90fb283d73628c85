import { expect, test } from 'vitest';
import { dialects } from '../installation.ts';
import { killUnderLoad } from './kill.ts';

// Run concurrently, because they wait for leases of killed processes.
test.concurrent.each(dialects)(
  'a server killed while it writes keeps all acknowledged changes completely (%s)',
  async (dialect) => {
    await expect(killUnderLoad({ dialect, kills: 2 })).resolves.toContain('the audit log agrees');
  },
);
