import { expect, test } from 'vitest';
import { dialects } from './installation.ts';
import { killCodepush } from './kill-codepush.ts';

test.each(dialects)(
  'a server that is killed while it releases, promotes, makes diffs and counts reports leaves each whole or undone (%s)',
  async (dialect) => {
    await expect(killCodepush({ dialect, kills: 2 })).resolves.toContain('each makes its package');
  },
  600_000,
);
