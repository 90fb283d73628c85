import { expect, test } from 'vitest';
import { canContain } from './build-world.ts';
import { buildHostile } from './hostile-builds.ts';

test.runIf(canContain())(
  'builds that want to do harm are contained, with words, and the runner goes on',
  async () => {
    await expect(buildHostile({ logBytes: 30_000_000 })).resolves.toContain('each ended in words');
  },
  600_000,
);
