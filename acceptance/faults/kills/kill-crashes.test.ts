import { expect, test } from 'vitest';
import { dialects } from '../installation.ts';
import { killCrashes } from './kill-crashes.ts';

test.each(dialects)(
  'a server killed during crash reports, symbol uploads and reprocessing keeps each report and symbolicates it once (%s)',
  async (dialect) => {
    await expect(killCrashes({ dialect, kills: 2 })).resolves.toContain('counts exact');
  },
  600_000,
);
