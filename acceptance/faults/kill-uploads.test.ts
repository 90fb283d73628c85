import { expect, test } from 'vitest';
import { dialects } from './installation.ts';
import { killUploads } from './kill-uploads.ts';

test.each(dialects)(
  'a server that is killed while packages are uploaded and read makes one whole release of each (%s)',
  async (dialect) => {
    await expect(killUploads({ dialect, kills: 1 })).resolves.toContain('each is one release');
  },
  600_000,
);
