import { expect, test } from 'vitest';
import { dialects } from './installation.ts';
import { killUnderLoad } from './kill.ts';

// Side by side: they wait for leases of what was killed.
test.concurrent.each(dialects)(
  'a server that is killed while it writes keeps every acknowledged change, whole (%s)',
  async (dialect) => {
    await expect(killUnderLoad({ dialect, kills: 2 })).resolves.toContain('the audit log agrees');
  },
);
