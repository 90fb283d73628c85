import { expect, test } from 'vitest';
import { dialects } from './installation.ts';
import { killCrashes } from './kill-crashes.ts';

test.each(dialects)(
  'a server that is killed while crashes come, symbols are uploaded and reports are processed again keeps and names each once (%s)',
  async (dialect) => {
    await expect(killCrashes({ dialect, kills: 2 })).resolves.toContain('counts exact');
  },
  600_000,
);
