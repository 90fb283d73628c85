import { expect, test } from 'vitest';
import { dialects } from '../installation.ts';
import { killCodepush } from './kill-codepush.ts';

test.each(dialects)(
  'a server killed while it releases, promotes, creates diffs and counts reports leaves no partial result (%s)',
  async (dialect) => {
    await expect(killCodepush({ dialect, kills: 2 })).resolves.toContain('each produces its package');
  },
  600_000,
);
