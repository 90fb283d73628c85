import { expect, test } from 'vitest';
import { dialects } from './installation.ts';
import { killLeaving } from './kill-leaving.ts';

test.concurrent.each(dialects)(
  'a server that is killed in the middle of a delivery, an export or a deletion loses nothing and leaves nothing half done (%s)',
  { timeout: 900_000 },
  async (dialect) => {
    await expect(killLeaving(dialect)).resolves.toContain('exported once each');
  },
);
